"""Shapes of masks, tokens, draws and shifts: by property, by loops and by their distribution."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.advice.technique import Context, recode, technique
from privaudit.advice.technique.dates import _shift
from privaudit.advice.technique.mask_text import _apart, masked
from privaudit.advice.technique.pseudonymise import canonical
from privaudit.advice.technique.texts import group_values, merge_rare, partial_mask
from tests.helpers.columns import column

KEY = bytes(range(32))


def apply(name, cells, *, seed=0, secret=None, **parameters):
    """Return the table after a technique, and what the technique noted."""
    used = Context(random=np.random.default_rng(seed), key=secret)
    table = pa.table({n: pa.array([None if v is None else str(v) for v in c], pa.string()) for n, c in cells.items()})
    found = technique(name)
    parameters = {"columns": [next(iter(cells))], **parameters}
    return found.apply(table, parameters, used).to_pydict(), used


spans = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 6)).map(lambda s: (s[0], s[0] + s[1], "EMAIL")), max_size=8
)


@given(spans)
def test_every_character_of_a_span_is_masked_and_no_other(given_spans):
    text = "abcdefghijklmnopqrstuvwxyz"
    hidden = {i for start, end, _ in given_spans for i in range(start, end)}
    shown = masked(text, _apart(given_spans))
    assert shown.replace("<EMAIL>", "") == "".join(letter for i, letter in enumerate(text) if i not in hidden)


def test_spans_that_touch_are_two_values():
    assert masked("ab", _apart([(0, 1, "EMAIL"), (1, 2, "IBAN")])) == "<EMAIL><IBAN>"


def test_a_mask_counts_rows_and_not_distinct_texts():
    cells = {"note": ["write to a@example.org"] * 3 + ["nothing here"] * 2 + ["b@example.org, 10.1.2.3"]}
    _, used = apply("mask_text", cells, names=False)
    (note,) = used.notes
    assert note["masked"]["EMAIL"] == 4 and note["not_masked"] == 2


@pytest.mark.parametrize(("ignore_case", "n"), [(False, 3), (True, 2)])
def test_case_is_kept_apart_unless_it_is_ignored(ignore_case, n):
    names = replace(column(["Ann", "ann", "Bob"]), key=KEY)
    found = recode("pseudonymise", names, {"key": "file", "ignore_case": ignore_case})
    assert len(set(found.labels().take(found.lookup[:-1]).to_pylist())) == n


def test_a_name_in_two_normal_forms_has_one_token():
    one, other = "José", unicodedata.normalize("NFD", "José")
    assert one != other and canonical(one) == canonical(f" {other} ") == canonical("Ｊosé")


def test_cells_are_drawn_again_with_replacement():
    cells = {"who": [f"p{i}" for i in range(400)]}
    made, _ = apply("sample_shares", cells)
    n = len(set(made["who"]))
    assert abs(n - 400 * (1 - math.exp(-1))) < 6 * math.sqrt(400 * 0.1)


@pytest.mark.parametrize("keep", [0.0, 0.5, 0.9])
def test_pram_draws_again_with_the_stated_probability(keep):
    n = 20_000
    cells = {"x": ["a"] * (n // 2) + ["b"] * (n // 2 - 2_000) + [None] * 2_000}
    made, used = apply("pram", cells, keep=keep)
    known = n - 2_000
    shares = {"a": (n // 2) / known, "b": (n // 2 - 2_000) / known}
    stayed = sum(a == "a" for a in made["x"][: n // 2])
    expected = keep + (1 - keep) * shares["a"]
    assert abs(stayed - expected * n / 2) < 6 * math.sqrt(n / 2 * expected * (1 - expected) + 1)
    assert made["x"][-2_000:] == [None] * 2_000
    (stated,) = used.facts
    assert stated.values["epsilon"].value == pytest.approx(
        math.log(1 + keep / ((1 - keep) * min(shares.values()))), abs=1e-5
    )


def test_numbers_of_values_do_not_have_their_order():
    cells = {"who": [f"p{i:03}" for i in range(200)]}
    numbers = [int(x) for x in apply("renumber", cells)[0]["who"]]
    assert sorted(numbers) == [*range(1, 201)] and abs(np.corrcoef(numbers, range(200))[0, 1]) < 0.5


def test_shifts_are_every_number_of_days_but_none():
    found = Counter(_shift(KEY, f"p{i}", 3) for i in range(3_000))
    assert set(found) == {-3, -2, -1, 1, 2, 3} and min(found.values()) > 500 - 6 * math.sqrt(500)


def test_a_record_without_a_person_is_shifted_by_itself():
    cells = {"day": ["2020-06-15"] * 300, "who": [None] * 300}
    made, _ = apply("shift_dates", cells, secret=KEY, days=40, person="who", key="file")
    assert "2020-06-15" not in made["day"] and len(set(made["day"])) > 40


@pytest.mark.parametrize(("month", "quarter"), [(month, (month + 2) // 3) for month in range(1, 13)])
@pytest.mark.quick_cases(12)
def test_every_month_is_in_its_quarter(month, quarter):
    found = recode("round_date", column([f"2021-{month:02}-28"]), {"precision": "quarter"})
    assert found.labels().to_pylist()[found.lookup[0]] == f"2021-Q{quarter}"


@given(st.lists(st.text("abc", max_size=6), min_size=1, unique=True), st.integers(0, 3), st.integers(0, 3))
def test_a_value_that_is_all_ends_is_masked_whole(values, first, last):
    found = partial_mask(column(values), {"first": first, "last": last})
    labels = found.labels().to_pylist()
    made = column(values)
    for value, code in zip(made.dictionary.to_pylist(), found.lookup[:-1], strict=True):
        n = len(value)
        middle = "*" * (n - first - last)
        expected = "*" * n if n <= first + last else value[:first] + middle + value[n - last :]
        assert labels[code] == expected


@given(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=60), st.integers(1, 12))
def test_values_below_the_threshold_are_merged_and_no_others(cells, below):
    counts = Counter(cells)
    made = column(list(counts), counts.values())
    found = merge_rare(made, {"below": below})
    labels = found.labels().to_pylist()
    for value, code in zip(made.dictionary.to_pylist(), found.lookup[:-1], strict=True):
        assert labels[code] == (value if counts[value] >= below else "other")


@pytest.mark.parametrize("names", ["abcdefgh", [f"{i} years" for i in range(8)]])
def test_groups_are_merged_until_each_has_enough_records_and_no_further(names):
    counts = [5, 5, 5, 5, 10, 10, 20, 20]
    made = column(list(names), counts)
    for below in (5, 6, 10, 11, 40, 41, 80):
        found = group_values(made, {"below": below, "rare": 1})
        sizes = np.bincount(found.lookup[:-1], weights=made.counts[:-1])
        assert sizes[sizes > 0].min() >= below
        if below == 5:
            assert len(sizes) == 8
        if below == 41:
            assert len(sizes) == 1


def test_equal_numbers_are_exchanged_whatever_the_order_of_their_rows():
    """Texts that are one number: a partner at the next rank may be in any row."""
    cells = {"x": ["5." + "0" * (i + 1) for i in range(200)]}
    made, _ = apply("rank_swap", cells, share=0.005)
    moved = [abs(len(text) - 3 - i) for i, text in enumerate(made["x"])]
    assert sorted(made["x"]) == sorted(cells["x"]) and np.mean(moved) > 30
