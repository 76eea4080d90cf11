"""Attacks on releases that keep the records of people: labels, fitting records, and their verdicts."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from privaudit.api.scans import attack
from privaudit.attacks.members import fitting_records
from privaudit.attacks.members.fitting_records import Known, group_records, guesses
from privaudit.attacks.registry import attack_release
from privaudit.attacks.values.label_values import stands_for
from privaudit.settings.config import Settings
from tests.helpers.tables import drawn


@pytest.mark.quick_cases(20)
@pytest.mark.parametrize(
    ("label", "values", "expected"),
    [
        ("20-29", ["19", "20", "29", "29.0", "30"], [0, 1, 1, 1, 0]),
        ("[20, 30)", ["19", "20", "29.9", "30"], [0, 1, 1, 0]),
        ("56+", ["55", "56", "99"], [0, 1, 1]),
        ("up to 11", ["11", "12"], [1, 0]),
        ("a | b", ["a", "B", "c"], [1, 1, 0]),
        ("United | Peru or missing", ["peru", "chile"], [1, 0]),
        ("101**", ["10155", "10255"], [1, 0]),
        ("1990", ["1990-05-01", "1991-01-01"], [1, 0]),
        ("1990-q2", ["1990-04-01", "1990-06-30", "1990-07-01"], [1, 1, 0]),
        ("2003-01 to 2003-09", ["2002-12-31", "2003-09-30", "2003-10-01"], [0, 1, 0]),
        ("*", ["1", "2"], [1, 1]),
    ],
)
def test_a_label_stands_for_its_values(label, values, expected):
    found = stands_for(pa.array([label]), pa.array(values))
    assert found[0].tolist() == list(map(bool, expected))


def test_a_label_in_words_stands_for_what_no_other_names():
    found = stands_for(pa.array(["a", "other"]), pa.array(["a", "b", "c"]))
    assert found.tolist() == [[True, False, False], [False, True, True]]


def test_a_dictionary_names_the_values_and_numbers_between_two_of_them():
    labels, values = pa.array(["group 1", "group 2"]), pa.array(["x", "y", "z"])
    found = stands_for(labels, values, {"group 1": ("x", "z"), "group 2": ("y",)})
    assert found.tolist() == [[True, False, True], [False, True, False]]
    ages = stands_for(pa.array(["30", "40"]), pa.array(["28", "33", "37"]), {"30": ("26", "34"), "40": ("36", "44")})
    assert ages.tolist() == [[True, True, False], [False, False, True]]


@pytest.mark.parametrize("as_number", [True, False])
@pytest.mark.parametrize("n_values", [9, 5_000])
def test_guesses_equal_a_loop_over_the_fitting_records(as_number, n_values):
    for seed in range(3):
        random = np.random.default_rng(seed)
        fits = random.random((6, 8)) < 0.4
        fits = np.pad(fits, (0, 1), constant_values=True)
        known = Known("q", fits, random.integers(0, 7, n_values), (random.integers(0, 9, 25), random.integers(0, 9, 5)))
        records = group_records((known,))
        values = random.integers(0, n_values, n_values).astype(float)
        values[random.random(n_values) < 0.1] = np.nan
        found, everybody = guesses(records, records.fitting(0), values, as_number=as_number)
        for target, guess in zip(known.targets[0], found, strict=True):
            held = sorted(v for v, label in zip(values, known.release, strict=True) if fits[label, target] and v == v)
            if not held:
                expected = everybody
            elif as_number:
                expected = held[(len(held) - 1) // 2]
            else:
                expected = Counter(held).most_common(1)[0][0]  # the smallest comes first
            assert guess == expected


def people(n, seed):
    ages, towns = [str(age) for age in range(18, 90)], [f"town {i}" for i in range(30)]
    return pa.table(drawn(n, seed, age=ages, town=towns, illness=("flu", "none", "asthma")))


ORIGINAL, CONTROL = people(600, 1), people(600, 2)
SETTINGS = Settings(quasi=("age", "town"), sensitive=("illness",))


def banded(table, width):
    ages = [int(age) // width * width for age in table["age"].to_pylist()]
    return table.set_column(0, "age", pa.array([f"{age}-{age + width - 1}" for age in ages]))


def fitting(release, row):
    low, high = map(int, release["age"].split("-"))
    return low <= int(row["age"]) <= high and release["town"] == row["town"]


def test_members_and_outsiders_who_are_singled_out_equal_a_loop():
    release = banded(ORIGINAL, 10)
    results = attack_release(release, ORIGINAL, CONTROL, settings=SETTINGS, labels={})
    found = next(one for one in results.attacks if one.kind == "singling_out")
    rows = release.to_pylist()
    counts = [
        sum(sum(fitting(one, row) for one in rows) == 1 for row in table.to_pylist()) for table in (ORIGINAL, CONTROL)
    ]
    assert [found.n_correct, round(found.control * found.n_outsiders)] == counts


def test_the_original_fails_and_coarse_classes_pass():
    """The original as a release singles people out; one class of everybody does not, although it holds all records."""
    options = {"original": ORIGINAL, "control": CONTROL, "quasi": ("age", "town"), "sensitive": "illness"}
    failed = attack(ORIGINAL, anonymised=True, **options)
    assert {"SNG001", "INF001"} <= {one.code for one in failed.findings} and failed.gate().exit_code == 1
    coarse = ORIGINAL.set_column(0, "age", pa.array(["*"] * 600)).set_column(1, "town", pa.array(["*"] * 600))
    passed = attack(coarse, anonymised=True, **options)
    assert passed.gate().exit_code == 0 and not passed.findings


def test_no_cell_value_is_in_a_result():
    shown = repr(attack_release(banded(ORIGINAL, 10), ORIGINAL, CONTROL, settings=SETTINGS, labels={}))
    assert not any(value in shown for value in ("town 1", "asthma", "'flu'", "20-29"))


def test_without_outsiders_nothing_is_judged_and_the_run_is_incomplete():
    report = attack(banded(ORIGINAL, 10), original=ORIGINAL, quasi=("age", "town"), anonymised=True)
    assert report.gate().exit_code == 3 and not [one for one in report.findings if one.measure.startswith("attack.")]


def test_columns_of_too_many_labels_are_not_compared_and_leave_the_report_incomplete(monkeypatch):
    monkeypatch.setattr(fitting_records, "MOST_LABELS", 20)
    options = {"original": ORIGINAL, "control": CONTROL, "quasi": ("age", "town")}
    made = attack(ORIGINAL, anonymised=True, **options)
    (limit,) = [one for one in made.limits if one.code == "attacks.too_many_labels"]
    assert limit.values["columns"].names == ("age", "town") and made.gate().exit_code == 3
