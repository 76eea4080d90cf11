"""Attribute disclosure: modes and medians of classes against plain loops, and reference counts."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privaudit
from privaudit.attacks.values.class_modes import WITHIN, Categories, Numbers
from tests.helpers.paths import SHARED

rows = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=40)


def arrays(pairs):
    labels, codes = (np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True))
    return labels, Categories(codes, 4)


@given(rows)
def test_the_mode_of_a_class_is_right_for_its_most_frequent_value(pairs):
    labels, secret = arrays(pairs)
    everyone = np.arange(len(pairs))
    guesses = secret.guesses(everyone, labels, 5)
    right = int(secret.correct(everyone, guesses.of(labels)).sum())
    by_class = defaultdict(Counter)
    for label, value in pairs:
        by_class[label][value] += 1
    assert right == secret.in_sample(labels, 5) == sum(max(counts.values()) for counts in by_class.values())


@given(rows)
def test_the_mode_of_the_others_equals_a_loop_over_rows(pairs):
    labels, secret = arrays(pairs)
    majority = int(np.bincount(secret.codes).argmax())
    right = 0
    for i, (label, value) in enumerate(pairs):
        others = Counter(v for j, (of, v) in enumerate(pairs) if of == label and j != i)
        top = [v for v, n in others.items() if n == max(others.values())]
        right += (top[0] if len(top) == 1 else majority) == value
    assert secret.leave_one_out(labels, 5) == right


@given(st.lists(st.integers(-130, 130).map(lambda tenths: tenths / 10), min_size=1, max_size=40))
def test_the_number_guessed_for_all_is_right_for_as_many_rows_as_any_value_is(numbers):
    secret = Numbers(np.array(numbers))
    guess = secret.guesses(np.arange(len(numbers)), np.zeros(len(numbers), dtype=np.int64), 1).for_all
    right = {value: sum(abs(value - true) <= WITHIN * abs(true) for true in numbers) for value in sorted(numbers)}
    assert guess == max(right, key=right.__getitem__)


@given(rows)
def test_homogeneous_rows_equal_a_loop_over_classes(pairs):
    labels, secret = arrays(pairs)
    by_class = defaultdict(list)
    for label, value in pairs:
        by_class[label].append(value)
    same = [values for values in by_class.values() if len(set(values)) == 1]
    expected = sum(len(v) == 1 for v in same), sum(len(v) for v in same if len(v) > 1)
    assert secret.homogeneous(labels, 5) == expected


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-50, 50)), min_size=1, max_size=30))
def test_a_negative_guess_counts_only_within_the_band_of_the_true_value(pairs):
    labels, values = (np.array(column) for column in zip(*pairs, strict=True))
    secret = Numbers(values.astype(float))
    everyone = np.arange(len(pairs))
    guessed = secret.guesses(everyone, labels, 4).of(labels)
    expected = [abs(g - t) <= WITHIN * abs(t) for g, t in zip(guessed.tolist(), values.tolist(), strict=True)]
    assert secret.correct(everyone, guessed).tolist() == expected
    assert not secret.correct(np.array([0]), np.array([-1000.0]))[0]


@pytest.mark.shared
@pytest.mark.parametrize("name", ["adult8", "adult4", "adultocc", "hr"])
def test_reference_tables(name):
    if not SHARED.is_dir():
        pytest.skip("the reference tables are not available")
    stated = json.loads((SHARED / "reference" / "attacks.json").read_text())["attribute_inference"][name]
    hr = "data/hr_attrition/WA_Fn-UseC_-HR-Employee-Attrition.csv"
    file, delimiter = (hr, ",") if name == "hr" else ("data/arx/data/adult.csv", ";")
    with (SHARED / file).open(newline="") as lines:
        table = list(csv.DictReader(lines, delimiter=delimiter))
    number = {}
    labels = np.array([number.setdefault(tuple(row[c] for c in stated["q"]), len(number)) for row in table])
    values = sorted({row[stated["secret"]] for row in table})
    secret = Categories(np.array([values.index(row[stated["secret"]]) for row in table]), len(values))
    half = stated["half"]
    assert secret.in_sample(labels, len(number)) == stated["class_mode_in_sample"]
    expected = stated["class_mode_leave_one_out_correct_covered_coveredcorrect"][0]
    assert secret.leave_one_out(labels, len(number)) == expected
    _, larger, alone = stated["homogeneous_records_all_size2plus_size1"]
    assert secret.homogeneous(labels, len(number)) == (alone, larger)
    order = np.random.default_rng(0).permutation(len(table))
    inside, outside = order[: len(table) // 2], order[len(table) // 2 :]
    guesses = secret.guesses(inside, labels[inside], len(number))
    right = [int(secret.correct(part, guesses.of(labels[part])).sum()) for part in (inside, outside)]
    assert right == [half["class_mode_A_on_A"], half["class_mode_A_on_B_correct_covered_coveredcorrect"][0]]


def test_numbers_of_different_lengths_are_attacked_as_the_numbers_that_they_are():
    """The amounts of a region are within 2 % of each other, so every guess is right within 5 %."""
    random = np.random.default_rng(0)
    region = random.integers(0, 4, 400)
    amount = np.round(np.array([50, 900, 8_000, 70_000])[region] * (1 + random.integers(-9, 10, 400) / 1000))
    table = pa.table({"region": [f"region {i}" for i in region], "amount": amount.astype(int)})
    report = privaudit.scan(table, quasi=["region"], sensitive=["amount"], ner=False)
    (found,) = (one for one in report.attacks if one.kind == "attribute_disclosure")
    assert (found.method, found.success.value, found.control) == ("class", 1, 1)
