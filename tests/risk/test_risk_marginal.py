"""What each column adds: brute force over tables and over orders, the reference uniques, and the edges."""

import itertools
import json
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.risk.measures.marginal import MOST_COLUMNS, marginal, shapley
from tests.helpers.coded import coded_cells
from tests.helpers.paths import REFERENCE

cells = st.sampled_from(["u", "v", "w", None])
tables = st.integers(1, 4).flatmap(lambda m: st.lists(st.tuples(*[cells] * m), min_size=1, max_size=12))


def named(rows):
    return coded_cells({f"q{i}": column for i, column in enumerate(zip(*rows, strict=True))})


def sizes(rows, columns):
    return Counter(tuple(row[i] for i in columns) for row in rows)


def uniques(rows, columns):
    return sum(size == 1 for size in sizes(rows, columns).values())


def below(rows, columns, k):
    return sum(size for size in sizes(rows, columns).values() if size < k)


def all_uniques(rows):
    m = len(rows[0])
    subsets = itertools.chain.from_iterable(itertools.combinations(range(m), s) for s in range(1, m + 1))
    return {frozenset(f"q{i}" for i in chosen): uniques(rows, chosen) for chosen in subsets}


@given(tables)
@settings(max_examples=60, deadline=None)
def test_with_and_without_equal_the_oracle(rows):
    m = len(rows[0])
    found = marginal(named(rows), thresholds=(2, 4), uniques=all_uniques(rows))
    every = range(m)
    for i in every:
        rest = [j for j in every if j != i]
        one = found[f"q{i}"]
        assert one.n_unique_without == uniques(rows, rest)
        assert one.n_unique_added == uniques(rows, every) - uniques(rows, rest) >= 0
        assert one.n_classes_added == len(sizes(rows, every)) - len(sizes(rows, rest)) >= 0
        for k in (2, 4):
            assert one.n_below_added[str(k)] == below(rows, every, k) - below(rows, rest, k) >= 0


@given(tables)
@settings(max_examples=60, deadline=None)
def test_shapley_is_the_mean_over_all_orders_of_the_columns(rows):
    m = len(rows[0])
    found = shapley([f"q{i}" for i in range(m)], all_uniques(rows), n_units=len(rows))
    orders = list(itertools.permutations(range(m)))
    for i in range(m):
        gains = [uniques(rows, o[: o.index(i) + 1]) - uniques(rows, o[: o.index(i)]) for o in orders]
        assert found[f"q{i}"] == pytest.approx(float(Fraction(sum(gains), len(orders))), abs=1e-12)
    whole = uniques(rows, range(m)) - (len(rows) == 1)
    assert sum(found.values()) == pytest.approx(whole, abs=1e-9)


def test_a_constant_column_adds_nothing():
    rows = [("a", "same"), ("b", "same"), ("b", "same")]
    found = marginal(named(rows), thresholds=(2,), uniques=all_uniques(rows))["q1"]
    assert (found.n_unique_added, found.n_classes_added, found.shapley) == (0, 0, 0.0)


def test_two_equal_columns_share_what_neither_adds():
    rows = [("a", "a"), ("b", "b"), ("c", "c"), ("c", "c")]
    found = marginal(named(rows), thresholds=(2,), uniques=all_uniques(rows))
    assert [one.n_unique_added for one in found.values()] == [0, 0]
    assert [one.shapley for one in found.values()] == [1.0, 1.0]


def test_without_all_combinations_there_is_no_shapley_value():
    rows = [("a", "a"), ("b", "b")]
    some = {frozenset({"q0"}): 2, frozenset({"q1"}): 2}
    assert shapley(["q0", "q1"], some, n_units=2) is None
    assert shapley(["q0", "q1"], {**some, frozenset({"q0", "other"}): 2}, n_units=2) is None
    assert marginal(named(rows), thresholds=(), uniques=None)["q0"].shapley is None
    assert shapley([f"q{i}" for i in range(MOST_COLUMNS + 1)], some, n_units=2) is None


def test_uniques_by_another_semantics_are_not_mixed_with_classes():
    rows = [("a", "a"), ("b", "b"), ("c", None)]
    other = {**all_uniques(rows), frozenset({"q0", "q1"}): 2}
    assert marginal(named(rows), thresholds=(), uniques=other)["q0"].shapley is None


def test_parts_of_adult_sum_to_its_uniques():
    reference = json.loads((REFERENCE / "adult.json").read_text())
    counted = reference["qi_ranking"]["all_255"]
    sets = {frozenset(name.split("+")): entry["uniques"] for name, entry in counted.items()}
    columns = reference["data"]["qi"]
    found = shapley(columns, sets, n_units=30162)
    assert sum(found.values()) == pytest.approx(14021, rel=1e-12)
    assert max(found, key=found.get) == "age"
