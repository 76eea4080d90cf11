"""Minimal sample uniques and the scores built on them, against the definition."""

import math
from collections import Counter
from itertools import combinations as subsets

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.risk.codes import compiler
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.risk.search.special_uniques import MOST_COLUMNS, affordable_size, minimal_uniques
from tests.helpers.coded import coded_of


@st.composite
def coded_tables(draw):
    width = draw(st.integers(1, 5))
    top = draw(st.integers(1, 5))
    rows = draw(st.lists(st.tuples(*[st.integers(0, top)] * width), min_size=1, max_size=25))
    heaviest = draw(st.integers(1, 3))
    weights = draw(st.lists(st.integers(1, heaviest), min_size=len(rows), max_size=len(rows)))
    return coded_of(rows, weights)


def brute_force(coded, max_size, k):
    """For every distinct row its minimal sets, straight from the definition."""
    width, d = len(coded.names), coded.n_distinct
    rows = [tuple(int(code[i]) for code in coded.codes) for i in range(d)]

    def matches(i, chosen):
        return sum(int(coded.weights[j]) for j in range(d) if all(rows[j][c] == rows[i][c] for c in chosen))

    found = []
    for i in range(d):
        at_risk = [set(s) for n in range(1, max_size + 1) for s in subsets(range(width), n) if matches(i, s) < k]
        found.append([s for s in at_risk if not any(other < s for other in at_risk)])
    return found


@pytest.mark.parametrize("visits", [0, 1 << 60], ids=["compiled", "arrays"])
@settings(max_examples=50, deadline=None)
@given(coded=coded_tables(), max_size=st.integers(1, 5), k=st.integers(2, 4))
def test_minimal_sets_are_those_of_the_definition(visits, coded, max_size, k):
    before = compiler.LEAST_VISITS
    compiler.LEAST_VISITS = compiler.Visits(visits, visits, visits)
    try:
        found = minimal_uniques(coded, max_size=max_size, k=k)
    finally:
        compiler.LEAST_VISITS = before
    expected = brute_force(coded, max_size, k)
    att, size = len(coded.names), min(max_size, len(coded.names))
    for i, sets in enumerate(expected):
        assert found.n_minimal[:, i].tolist() == [sum(len(s) == n for s in sets) for n in range(1, size + 1)]
        assert found.scores[i] == sum(math.factorial(att - len(s)) for s in sets)
    pairs = [(int(w), s) for w, sets in zip(coded.weights, expected, strict=True) for s in sets]
    assert found.msu_by_size == tuple(sum(w for w, s in pairs if len(s) == n) for n in range(1, size + 1))
    total = sum(w * math.factorial(att - len(s)) for w, s in pairs)
    assert found.score_sum == total
    for c, name in enumerate(coded.names):
        part = sum(w * math.factorial(att - len(s)) for w, s in pairs if c in s)
        assert found.contribution[name] == (None if total == 0 else 100 * part / total)


def test_four_rows_by_hand():
    """Rows 00, 01, 10, 10: the first is alone on {a, b} only, the second on {b}; the last two are a pair.

    Scores with ATT = 2: (2-2)! = 1 and (2-1)! = 1; n1 = 2, n2 = 2, so DIS = 2f / (2f + 2(1-f)) = f.
    """
    found = minimal_uniques(coded_of([(0, 0), (0, 1), (1, 0), (1, 0)], [1, 1, 1, 1]), max_size=2)
    assert found.msu_by_size == (1, 1)
    assert found.scores.tolist() == [1, 1, 0]
    assert found.contribution == {"a": 50.0, "b": 100.0}
    assert found.dis_file(0.25) == 0.25
    # Q = 1 + 6/20; both scores 1, so the spread is 2 and dis = 1 / (1 + (2/0.25 - 2) / 2) = 1/4
    assert found.dis(0.25).tolist() == [0.25, 0.25, 0.0]


def test_without_uniques_there_is_no_probability():
    found = minimal_uniques(coded_of([(0,), (1,)], [2, 3]), max_size=1)
    summary = found.summary()
    assert summary.dis is None
    assert summary.dis_max is None
    assert summary.msu_by_size == (0,)
    assert summary.contribution == {"a": None}


def test_scores_beyond_64_bits_do_not_overflow():
    rows = [tuple(int(i == j) for j in range(22)) for i in range(3)]
    found = minimal_uniques(
        CodedTable(
            tuple(f"q{i}" for i in range(22)),
            tuple(np.array(sorted_column, np.int32) for sorted_column in zip(*sorted(rows), strict=True)),
            tuple(pa.array(["x", "y"]) for _ in range(22)),
            np.ones(3, np.int64),
            3,
        ),
        max_size=1,
    )
    assert found.score_sum == 3 * math.factorial(21)
    assert found.scores.max() == float(math.factorial(21))


def test_the_size_is_lowered_to_the_bound_on_work(monkeypatch):
    coded = coded_of([(0, 0, 0), (0, 1, 1), (1, 0, 1)], [1, 1, 1])
    monkeypatch.setattr("privaudit.risk.search.special_uniques.MOST_VISITS", 3 * 6)
    assert affordable_size(coded, 3) == 2


@pytest.mark.parametrize(("max_size", "k"), [(0, 2), (1, 1)])
def test_k_below_2_and_size_below_1_are_refused(max_size, k):
    with pytest.raises(ValueError, match="2 or more"):
        minimal_uniques(coded_of([(0,)], [1]), max_size=max_size, k=k)


@settings(max_examples=50, deadline=None)
@given(coded=coded_tables(), max_size=st.integers(1, 4), k=st.integers(2, 4))
def test_exposed_records_are_counted_by_value_only_from_11_records(coded, max_size, k):
    heavy = CodedTable(coded.names, coded.codes, coded.dictionaries, coded.weights * 9, coded.n_rows * 9)
    found = minimal_uniques(heavy, max_size=max_size, k=9 * k)
    expected = brute_force(heavy, max_size, 9 * k)
    assert found.n_records == sum(w for w, sets in zip(heavy.weights.tolist(), expected, strict=True) if sets)
    for c, name in enumerate(heavy.names):
        by_value = Counter()
        for i, sets in enumerate(expected):
            if any(c in s for s in sets):
                by_value[int(heavy.codes[c][i])] += int(heavy.weights[i])
        common = sorted((n for n in by_value.values() if n >= 11), reverse=True)
        counted = found.by_value[name]
        assert (counted.n_records, counted.n_values) == (sum(by_value.values()), len(by_value))
        assert (counted.n_values_common, list(counted.largest)) == (len(common), common)
        assert all(n >= 11 for n in counted.largest)


@pytest.mark.filterwarnings("error")
def test_the_risk_of_a_hundred_columns_stays_a_probability():
    rows = [tuple((r * 7 + c * r) % (3 + c % 4) for c in range(100)) for r in range(12)]
    columns = [dense_labels([np.array(column, np.int32)])[0] for column in zip(*rows, strict=True)]
    names = tuple(f"c{c}" for c in range(100))
    dictionaries = tuple(pa.array([f"v{i:02}" for i in range(int(c.max()) + 1)]) for c in columns)
    coded = CodedTable(names, tuple(columns), dictionaries, np.ones(12, np.int64), 12)
    found = minimal_uniques(coded, max_size=2)
    risk = found.dis(0.01)
    assert found.n_unique and np.isfinite(risk).all() and ((risk >= 0) & (risk <= 1)).all()
    assert found.summary().dis_max == risk.max()


@pytest.mark.slow
def test_scores_beyond_the_range_of_floats_are_a_limit_and_not_an_error():
    def risk_and_limits(n_columns):
        made = privaudit.scan(
            pd.DataFrame({f"q{i}": [str(i % 2), "2", "3", "3"] for i in range(n_columns)}),
            quasi=[f"q{i}" for i in range(n_columns)],
            ner=False,
            max_size=1,
            advice=False,
        ).wire
        return made.risk, {limit.code for limit in made.limits}

    risk, limits = risk_and_limits(MOST_COLUMNS)
    assert math.isfinite(risk.special_uniques.score_max) and "risk.special_uniques_not_scored" not in limits
    risk, limits = risk_and_limits(MOST_COLUMNS + 1)
    assert risk.special_uniques is None and "risk.special_uniques_not_scored" in limits
