"""What is measured is what is written: equal codes have equal labels, and each cell is written as its words say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.advice.technique import names, recode, technique
from privaudit.advice.technique.ranges import names_of_runs
from privaudit.base.errors import ConfigError
from tests.helpers.apply_plan import TECHNIQUES as BY_WORDS
from tests.helpers.columns import column

HIERARCHY = {"10115": ("101", "1"), "10117": ("101", "1"), "20095": ("200",)}
PARAMETERS = {
    "fake_date": [{"earliest": "2015-01-31", "latest": "2016-01-31"}],
    "fake_email": [{"names": "name"}],
    "drop": [{}],
    "mask": [{}],
    "band": [{"width": 10}, {"width": 0.5}, {"width": 10, "under": 20, "over": 90}],
    "prefix": [{"characters_kept": 2}],
    "round_date": [{"precision": each} for each in ("month", "quarter", "year", "decade")],
    "hierarchy_level": [{"level": 1}, {"level": 2}],
    "merge_rare": [{"below": 3}],
    "group_values": [{"below": 3}, {"below": 5, "rare": 2}],
    "top_code": [{"at": 90}],
    "bottom_code": [{"at": 18}],
    "partial_mask": [{}, {"first": 1, "last": 2}],
    "round_number": [{"base": 5}, {"base": 0.25}],
    "pseudonymise": [{"key": "once"}],
    "encrypt_digits": [{"key": "once"}],
    "fake_names": [{"person": "a", "parts": ["email"], "key": "once"}],
    "microaggregate": [{"k": 3}],
    "shift_dates": [{"person": "a", "days": 30, "key": "once"}],
    "sample_records": [{"share": 0.5}],
    "add_noise": [{"share": 0.1}],
    "pram": [{"keep": 0.8}],
    "suppress_cells": [{"below": 2}],
    "mondrian": [{"below": 2}],
    "recode_locally": [{"below": 2, "parts": [{}]}],
    "rank_swap": [{"share": 0.1}],
    "suppress_records": [{"classes_over": ["a"], "below": 2}],
}
NEEDS_EXTRAS = ("encrypt_digits",)
CASES = [
    (name, each)
    for name, sets in PARAMETERS.items()
    for each in sets
    if technique(name).recode is not None and name not in NEEDS_EXTRAS
]
STATED = [case for case in CASES if case[0] in BY_WORDS and case[0] != "pseudonymise"]

numbers = st.one_of(st.integers(-50, 200), st.decimals(-50, 200, places=2, allow_nan=False)).map(str)
dates = st.dates(min_value=pd.Timestamp("1901-01-01").date(), max_value=pd.Timestamp("2030-12-31").date()).map(str)
words = st.sampled_from(["other", "90+", "20-29", "2010s", "n/a", "Kisumu", "10115", "10117", "20095", "007", "7"])
cells = st.lists(st.one_of(numbers, dates, words), min_size=1, max_size=30)


def as_column(rows):
    counts = pd.Series(rows).value_counts()
    return column(list(counts.index), counts.tolist(), missing=2, hierarchy=HIERARCHY), counts


@pytest.mark.parametrize(("name", "parameters"), CASES)
@settings(max_examples=40, deadline=None)
@given(rows=cells)
def test_codes_are_equal_where_labels_are_equal(name, parameters, rows):
    made, _ = as_column(rows)
    found = recode(name, made, parameters)
    labels = found.labels()
    assert len(found.lookup) == len(made) + 1
    assert len(labels) == int(found.lookup.max()) + 1
    assert sorted(set(found.lookup.tolist())) == list(range(len(labels)))
    assert len(labels.unique()) == len(labels)
    assert labels[int(found.lookup[-1])].as_py() is None, "a missing cell stays missing"


@pytest.mark.parametrize(("name", "parameters"), STATED)
@settings(max_examples=40, deadline=None)
@given(rows=cells)
def test_each_value_is_written_as_the_words_of_the_technique_say(name, parameters, rows):
    made, counts = as_column(rows)
    found = recode(name, made, parameters)
    written = found.labels().take(found.lookup[:-1]).to_pylist()
    by_words = BY_WORDS[name]
    by_value = {**parameters, "counts": counts, "hierarchy": HIERARCHY}
    for value, text in zip(made.dictionary.to_pylist(), written, strict=True):
        if name == "round_date" and len(value) != 10:
            assert text in ("other", value) and (text == "other" or value[:3].isdigit())
            continue
        assert text == by_words(value, by_value), (value, text)


@pytest.mark.parametrize(("name", "parameters"), [case for case in CASES if case[0] not in ("drop", "pseudonymise")])
@settings(max_examples=40, deadline=None)
@given(rows=cells)
def test_a_technique_that_is_applied_twice_gives_what_it_gives_once(name, parameters, rows):
    if name == "hierarchy_level":
        return  # a name may be a value of the finer level
    first, _ = as_column(rows)
    found = recode(name, first, parameters)
    codes = np.repeat(found.lookup, first.counts)
    labels = found.labels()
    once = labels.take(codes).to_pylist()
    counts = pd.Series([text for text in once if text is not None]).value_counts()
    again = recode(name, column(list(counts.index), counts.tolist()), parameters)
    written = dict(zip(counts.index, again.labels().take(again.lookup[:-1]).to_pylist(), strict=True))
    assert all(written[text] == text for text in counts.index)


@pytest.mark.parametrize("name", names())
def test_a_parameter_that_is_unknown_missing_or_out_of_bounds_is_refused(name):
    found = technique(name)
    with pytest.raises(ConfigError, match="no parameter"):
        found.check({"colour": 1}, "line 3")
    good = PARAMETERS.get(name, [{}])[0]
    for key, parameter in found.parameters.items():
        if parameter.required:
            with pytest.raises(ConfigError, match=f'needs "{key}"'):
                found.check({other: value for other, value in good.items() if other != key}, "line 3")
        with pytest.raises(ConfigError, match=f'"{key}" must be'):
            found.check({**good, key: object()}, "line 3")


def test_a_technique_that_does_not_exist_names_those_that_do():
    with pytest.raises(ConfigError, match="merge_rare"):
        technique("anonymise")


def test_what_is_not_a_date_is_not_left_in_clear():
    made = column(["1990-05-01", "1990-05-41", "1985", "1990-06-02", "born in May"])
    found = recode("round_date", made, {"precision": "year"})
    assert found.labels().take(found.lookup[:-1]).to_pylist() == ["1990", "other", "1985", "1990", "other"]


def test_dates_of_an_uncertain_order_are_not_rounded_to_the_month():
    made = column(["01/02/1990", "03/04/1991"])
    with pytest.raises(ConfigError, match="ambiguous"):
        recode("round_date", made, {"precision": "month"})
    assert recode("round_date", made, {"precision": "year"}).labels().to_pylist() == ["1990", "1991", None]


def test_rounded_dates_are_in_their_order_whatever_their_form_is():
    made = column(["01/12/1999", "13/02/1985", "24/01/2003", "x"])
    step = recode("round_date", made, {"precision": "year"})
    labels = step.labels().to_pylist()
    assert labels == ["1985", "1999", "2003", "other", None]
    named = names_of_runs(labels[:-1], [(0, 1), (1, 3), (2, 3)], "round_date")
    assert list(named.values()) == ["1980 to 1999", "1999 to 2009 or other", "2003 or other"]


@pytest.mark.parametrize(
    ("labels", "first", "last"),
    [
        (["1987-06", "1987-09", "1990-01", "2024-05"], "1987-01", "2024-12"),
        (["1987-Q2", "1987-Q3", "1990-Q1", "2024-Q3"], "1987-Q1", "2024-Q4"),
        (["1987", "1988", "1990", "2024"], "1980", "2029"),
        (["1980s", "1990s", "2000s", "2020s"], "1980s", "2020s"),
    ],
)
def test_no_range_of_dates_begins_or_ends_with_the_first_or_last_period_of_a_column(labels, first, last):
    """One record may have it; a period that is a group of its own has enough records."""
    made = names_of_runs([*labels, None], [(0, 1), (1, 2), (2, 3)], "round_date")
    assert list(made.values()) == [f"{first} to {labels[1]}", f"{labels[1]} to {labels[2]}", f"{labels[2]} to {last}"]
    assert names_of_runs(labels, [(0, 0), (3, 3)], "round_date") == {(0, 0): labels[0], (3, 3): labels[3]}
