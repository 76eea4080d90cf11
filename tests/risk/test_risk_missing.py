"""Missing cells as anything: against comparing every two records."""

from itertools import combinations as subsets

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.risk.codes import missing
from privaudit.risk.codes.missing import Matches, TooManyPairs, match_sizes, matches
from privaudit.risk.search.missing_search import MatchCounter
from privaudit.risk.search.set_walk import walk_sets
from tests.helpers.coded import coded_of

SEMANTICS = ("category", "wildcard", "one-sided")
TOP = 3  # the code of a missing cell


def missing_at_top(rows, weights):
    return coded_of(rows, weights, n_values=[TOP] * len(rows[0]))


@st.composite
def coded_tables(draw):
    width = draw(st.integers(1, 4))
    rows = draw(st.lists(st.tuples(*[st.integers(0, TOP)] * width), min_size=1, max_size=25))
    weights = draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    return missing_at_top(rows, weights)


def alike(own, other, semantics):
    if semantics == "category":
        return own == other
    if semantics == "wildcard":
        return TOP in (own, other) or own == other
    return own in (TOP, other)


def brute_force(coded, semantics, chosen):
    rows = [tuple(int(coded.codes[c][i]) for c in chosen) for i in range(coded.n_distinct)]
    weights = coded.weights.tolist()
    return [
        sum(
            weight
            for other, weight in zip(rows, weights, strict=True)
            if all(alike(x, y, semantics) for x, y in zip(own, other, strict=True))
        )
        for own in rows
    ]


@pytest.mark.parametrize("semantics", SEMANTICS)
@settings(max_examples=50, deadline=None)
@given(coded=coded_tables())
def test_matches_equal_comparing_every_two_records(semantics, coded):
    every = range(len(coded.names))
    assert matches(coded, semantics).tolist() == brute_force(coded, semantics, every)


@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize("packed", [True, False])
@settings(max_examples=30, deadline=None)
@given(coded=coded_tables())
def test_joining_and_comparing_agree(two_sided, packed, coded):
    gone = [code == TOP for code in coded.codes]
    table = missing._Rows(coded.codes, gone, coded.weights, two_sided=two_sided)
    if not packed:
        table._packed = lambda: None
    assert table.join().tolist() == table.compare().tolist()


def test_blocks_do_not_matter(monkeypatch):
    rng = np.random.default_rng(5)
    coded = missing_at_top([tuple(row) for row in rng.integers(0, TOP + 1, (80, 5))], [1] * 80)
    whole = matches(coded, "wildcard").tolist()
    monkeypatch.setattr(missing, "BLOCK_CELLS", 100)
    monkeypatch.setattr(missing, "JOIN_SECONDS", 1e9)
    assert matches(coded, "wildcard").tolist() == whole


def test_too_much_work_is_refused(monkeypatch):
    monkeypatch.setattr(missing, "MOST_SECONDS", 0.0)
    with pytest.raises(TooManyPairs):
        match_sizes([np.array([0, 1], np.int32)], [1], np.array([1, 1]), "wildcard")


@pytest.mark.parametrize("semantics", SEMANTICS)
@settings(max_examples=25, deadline=None)
@given(coded=coded_tables(), max_size=st.integers(1, 4))
def test_combinations_and_minimal_uniques_equal_the_definition(semantics, coded, max_size):
    width = len(coded.names)
    largest = min(max_size, width)
    whole = matches(coded, semantics)
    counter = MatchCounter(coded, semantics, whole)
    result, special = walk_sets(counter, max_size=max_size, thresholds=(3,), policy_ks=(3,))
    found = {c.columns: c for c in result.combinations}
    at_risk = {k: [[] for _ in range(coded.n_distinct)] for k in (2, 3)}
    for n in range(1, largest + 1):
        for chosen in subsets(range(width), n):
            expected = brute_force(coded, semantics, chosen)
            c = found.pop(tuple(coded.names[i] for i in chosen))
            weights = coded.weights.tolist()
            for k in (2, 3):
                below = sum(w for f, w in zip(expected, weights, strict=True) if f < k)
                assert c.n_below[str(k)] == below
            assert c.k_min == min(expected)
            for i, f in enumerate(expected):
                for k, sets in at_risk.items():
                    if f < k and not any(s < set(chosen) for s in sets[i]):
                        sets[i].append(set(chosen))
    assert set(found) <= {coded.names}
    for k, by_row in at_risk.items():
        for i, sets in enumerate(by_row):
            counted = special[k].n_minimal[:, i].tolist()
            assert counted == [sum(len(s) == n for s in sets) for n in range(1, largest + 1)]


@settings(max_examples=40, deadline=None)
@given(coded_tables())
def test_a_further_column_never_adds_matches_and_wildcards_never_remove_any(coded):
    """P2 and P9: a further column never adds matches; nobody has fewer than one, and wildcards never lower f."""
    category = matches(coded, "category")
    one_sided = matches(coded, "one-sided")
    wildcard = matches(coded, "wildcard")
    assert (category >= 1).all()
    assert (one_sided >= category).all()
    assert (wildcard >= one_sided).all()
    for semantics in SEMANTICS:
        fewer = brute_force(coded, semantics, range(len(coded.names) - 1))
        assert all(a <= b for a, b in zip(matches(coded, semantics).tolist(), fewer, strict=True))


def test_three_records_by_hand():
    """a = (u), b = (v), c = (missing). Wildcard: c matches all three, a and b match c too.

    One-sided: c's own cell matches anything; a and b are matched by nobody but themselves.
    """
    coded = missing_at_top([(0,), (1,), (TOP,)], [1, 1, 1])
    assert matches(coded, "category").tolist() == [1, 1, 1]
    assert matches(coded, "wildcard").tolist() == [2, 2, 3]
    assert matches(coded, "one-sided").tolist() == [1, 1, 3]
    counted = Matches.of(matches(coded, "wildcard"), coded.weights)
    assert counted.prosecutor_mean == pytest.approx((1 / 2 + 1 / 2 + 1 / 3) / 3)
    assert counted.share_at_risk("0.4") == 2 / 3
    assert counted.share_at_risk("0.5") == 0.0
