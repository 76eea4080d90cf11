"""The search over column sets: counts, minimal sets, ranking, and the limits for what was not searched."""

from collections import Counter
from itertools import combinations as subsets

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.model.minimal import contain_a_key, mark_minimal, ranked
from privaudit.risk.codes.compiler import Visits
from privaudit.risk.search import work
from privaudit.risk.search.combinations import search
from privaudit.risk.search.listed_combinations import listed_in_report
from privaudit.risk.search.special_uniques import minimal_uniques
from tests.helpers.coded import coded_of


def with_missing(rows, weights=None):
    """A coded table of rows of small integers; the highest code of a column is a missing cell."""
    return coded_of(rows, weights, n_values=[max(codes) for codes in zip(*rows, strict=True)])


@st.composite
def coded_tables(draw, most_rows=30, widest=4):
    width = draw(st.integers(1, widest))
    top = draw(st.integers(1, 4))
    rows = draw(st.lists(st.tuples(*[st.integers(0, top)] * width), min_size=1, max_size=most_rows))
    weights = draw(st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows)))
    return with_missing(rows, weights)


def classes_of(coded, columns):
    at = [coded.index(name) for name in columns]
    found = Counter()
    for row, weight in enumerate(coded.weights.tolist()):
        found[tuple(int(coded.codes[i][row]) for i in at)] += weight
    return sorted(found.values())


@settings(max_examples=60, deadline=None)
@given(coded_tables(), st.integers(1, 4), st.integers(2, 6))
def test_every_number_equals_brute_force(coded, max_size, k):
    found = search(coded, max_size=max_size, thresholds=(k, 3), k=k).combinations
    wanted = {s for n in range(1, max_size + 1) for s in subsets(coded.names, n)} | {coded.names}
    assert {c.columns for c in found} == wanted
    n = coded.n_rows
    for c in found:
        sizes = classes_of(coded, c.columns)
        assert (c.n_classes, c.k_min, c.n_unique) == (len(sizes), sizes[0], sizes.count(1))
        assert c.n_below == {str(t): sum(f for f in sizes if f < t) for t in {2, 3, k}}
        together = sum(f * (f - 1) for f in sizes)
        assert c.separation == (None if n == 1 else (n * n - n - together) / (n * n - n))
        assert c.distinction == len(sizes) / n
        assert c.mean_class_size == n / len(sizes)


@settings(max_examples=60, deadline=None)
@given(coded_tables(), st.integers(2, 6))
def test_minimal_sets_are_those_without_a_violating_subset(coded, k):
    """And they are an antichain that every violating set contains a member of (P17)."""
    found = search(coded, max_size=len(coded.names), thresholds=(k,), k=k).combinations
    violating = {frozenset(c.columns) for c in found if c.k_min < k}
    minimal = {frozenset(c.columns) for c in found if c.minimal}
    assert minimal == {s for s in violating if not any(other < s for other in violating)}
    assert all(any(m <= s for m in minimal) for s in violating)


def test_minimal_is_unknown_where_subsets_were_not_searched():
    """All four columns violate, sizes 2 and 3 were not searched: nobody knows whether the set is minimal."""
    rows = [(a, b, c, a ^ b ^ c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    found = search(with_missing(rows), max_size=1, thresholds=(2,), k=2).combinations
    whole = next(c for c in found if len(c.columns) == 4)
    assert whole.k_min == 1
    assert whole.minimal is None
    three = search(with_missing(rows), max_size=3, thresholds=(2,), k=2).combinations
    assert next(c for c in three if len(c.columns) == 4).minimal is False


def test_marking_again_for_another_k():
    found = search(with_missing([(0, 0), (0, 1), (0, 1), (1, 1), (1, 1)]), max_size=2, thresholds=(2, 3), k=2)
    again = {c.columns: c.minimal for c in mark_minimal(found.combinations, 3)}
    assert again == {("a",): True, ("b",): True, ("a", "b"): False}
    assert {c.columns for c in found.combinations if c.minimal} == {("b",)}


def test_worst_first_by_people():
    found = search(with_missing([(0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 1, 0)]), max_size=3, thresholds=(2,))
    order = [c.columns for c in ranked(found.combinations, 2)]
    assert order == [("a", "b"), ("a", "b", "c"), ("b",), ("b", "c"), ("a",), ("c",), ("a", "c")]


def random_coded(rows, widths, seed=2):
    rng = np.random.default_rng(seed)
    return with_missing([tuple(int(x) for x in rng.integers(0, widths)) for _ in range(rows)])


def test_a_report_lists_the_worst_the_minimal_and_the_single_columns():
    coded = random_coded(60, [2, 3, 4, 3, 2, 4, 3, 2])
    found = search(coded, max_size=8, thresholds=(2, 5)).combinations
    kept, limits = listed_in_report(found, (2, 5), most=10)
    assert 10 <= len(kept) < len(found)
    assert limits[0].code == "risk.combinations_listed"
    assert (limits[0].values["searched"].value, limits[0].values["listed"].value) == (255, len(kept))
    names = {c.columns for c in kept}
    assert {c.columns for c in found if len(c.columns) == 1} <= names
    assert coded.names in names
    assert {c.columns for c in mark_minimal(found, 5) if c.minimal} <= names
    assert {c.columns for c in ranked(found, 5)[:10]} <= names


def unique_sets(coded, max_size):
    """For each distinct row, the sets on which it is unique."""
    found = [[] for _ in range(coded.n_distinct)]
    for size in range(1, max_size + 1):
        for chosen in subsets(coded.names, size):
            at = [coded.index(name) for name in chosen]
            keys = list(zip(*(coded.codes[i].tolist() for i in at), strict=True))
            totals = Counter()
            for key, weight in zip(keys, coded.weights.tolist(), strict=True):
                totals[key] += weight
            for row, key in enumerate(keys):
                if totals[key] == 1:
                    found[row].append(frozenset(chosen))
    return found


@settings(max_examples=60, deadline=None)
@given(coded_tables(widest=5), st.integers(1, 12), st.integers(1, 5))
def test_every_unique_record_has_a_listed_minimal_set(coded, most, max_size):
    """Where the search found one within its size; and minimal sets are an antichain (P17)."""
    result = search(coded, max_size=max_size, thresholds=(2, 5)).combinations
    special = minimal_uniques(coded, max_size=max_size)
    kept, _ = listed_in_report(result, (2, 5), isolating=special.by_set, most=most)
    listed = {frozenset(c.columns) for c in kept}
    for sets in unique_sets(coded, min(max_size, len(coded.names))):
        minimal = [s for s in sets if not any(other < s for other in sets)]
        assert all(s in listed for s in minimal)
    for k in (2, 5):
        keys = {frozenset(c.columns) for c in mark_minimal(kept, k) if c.minimal}
        violating = {frozenset(c.columns) for c in result if c.k_min < k}
        if max_size >= len(coded.names):
            assert keys == {s for s in violating if not any(other < s for other in violating)}
        assert not any(a < b for a in keys for b in keys)


@settings(max_examples=60, deadline=None)
@given(coded_tables(widest=5), st.integers(1, 12), st.integers(1, 5))
def test_supersets_of_a_key_come_last_and_take_no_place_in_a_cut_list(coded, most, max_size):
    result = search(coded, max_size=max_size, thresholds=(2, 5)).combinations
    keys = [frozenset(c.columns) for c in result if c.n_unique == coded.n_rows]
    redundant = [any(key < set(c.columns) for key in keys) for c in result]
    assert contain_a_key(result) == redundant
    order = ranked(result, 5)
    flags = contain_a_key(order)
    assert flags == sorted(flags)
    worst = [c.columns for c, last in zip(order, flags, strict=True) if not last][:most]
    kept, limits = listed_in_report(result, (2, 5), most=most)
    assert set(worst) <= {c.columns for c in kept}
    assert [c for c in order if c in kept] == list(kept)
    if limits:
        dropped = sum(flags) - sum(contain_a_key(order)[order.index(c)] for c in kept)
        stated = limits[0].values.get("redundant")
        assert (0 if stated is None else stated.values["n"].value) == dropped


def test_few_combinations_are_all_listed():
    found = search(random_coded(60, [2, 3, 4]), max_size=3, thresholds=(2,)).combinations
    kept, limits = listed_in_report(found, (2,))
    assert len(kept) == 7
    assert limits == ()


def test_a_budget_stops_at_a_size_and_reports_it(monkeypatch):
    coded = random_coded(40, [2, 3, 4, 3])
    clock = iter([0.0, *[1.0] * 5, *[99.0] * 50])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    found = search(coded, max_size=3, thresholds=(2,), budget=10.0)
    done = max((len(c.columns) for c in found.combinations if len(c.columns) < 4), default=0)
    assert done < 3
    (limit,) = found.limits
    assert limit.code == "risk.combinations_out_of_time"
    assert limit.values["sets"].value == [0, 14, 10, 4][done + 1]
    assert [size.value for size in limit.values["sizes"].items] == list(range(done + 1, 4))
    assert limit.values["columns"].names == ("a", "b", "c", "d")
    assert limit.why.startswith("The time budget of 10 s ended.")
    assert not limit.incomplete  # all columns together are counted
    assert any(len(c.columns) == 4 for c in found.combinations)


def test_a_generous_budget_changes_nothing():
    coded = random_coded(40, [2, 3, 4, 3])
    plain = search(coded, max_size=3, thresholds=(2,))
    assert sorted(search(coded, max_size=3, thresholds=(2,), budget=1e6).combinations, key=str) == sorted(
        plain.combinations, key=str
    )


def test_too_many_sets_lower_the_size_and_are_reported(monkeypatch):
    monkeypatch.setattr(work, "MOST_SETS", 20)
    found = search(random_coded(40, [2, 3, 4, 3, 2, 2]), max_size=4, thresholds=(2,))
    pairs = [c for c in found.combinations if len(c.columns) == 2]
    assert len(pairs) == 10  # 6 single columns and all pairs of 5
    assert found.largest == 1
    assert found.limits[0].values["sets"].value == 50 - 10
    assert [size.value for size in found.limits[0].values["sizes"].items] == [2, 3, 4]
    assert len(found.limits[0].values["columns"].names) == 6
    assert not found.limits[0].incomplete
    assert "up to 1 were searched, and 67 % of those of 2" in found.limits[0].why


@settings(max_examples=30, deadline=None)
@given(coded_tables(), st.integers(1, 4), st.integers(1, 40))
def test_a_bound_on_work_leaves_counts_as_they_are(coded, max_size, most_sets):
    whole = {c.columns: c for c in search(coded, max_size=max_size, thresholds=(3,), most_visits=None).combinations}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "MOST_SETS", most_sets)
        bounded = search(coded, max_size=max_size, thresholds=(3,))
    for c in bounded.combinations:
        assert (c.k_min, c.n_unique, c.n_below) == (
            whole[c.columns].k_min, whole[c.columns].n_unique, whole[c.columns].n_below
        )  # fmt: skip
    assert coded.names in {c.columns for c in bounded.combinations}
    assert sum(len(c.columns) < len(coded.names) for c in bounded.combinations) <= max(most_sets, len(coded.names))
    n_missing = len({c for c in whole if len(c) <= max_size}) - len(
        {c.columns for c in bounded.combinations if len(c.columns) <= max_size}
    )
    assert n_missing == sum(limit.values["sets"].value for limit in bounded.limits)


def test_columns_with_most_values_come_first():
    chosen = work.bounded([2, 50, 3, 40, 9, 2], 3, 1_000, most_visits=25_000)
    assert (chosen.largest, chosen.columns) == (2, (1, 2, 3, 4))
    assert work.bounded([2, 50, 3, 40, 9, 2], 3, 1_000, None) == work.Work(3, 3)


def test_the_work_is_the_same_whatever_the_order_of_columns():
    values = [5, 4, 3, 9, 7, 6, 2, 8]
    chosen = work.bounded(values, 3, 10, most_visits=500)
    turned = work.bounded(values[::-1], 3, 10, most_visits=500)
    assert {values[i] for i in chosen.columns} == {values[::-1][i] for i in turned.columns} == {9, 8, 7, 6, 5}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("threads", [1, 2])
def test_the_compiled_kernel_gives_the_same_combinations(monkeypatch, threads):
    coded = random_coded(300, [2, 3, 9, 40])
    plain = search(coded, max_size=4, thresholds=(2, 7), k=3)
    monkeypatch.setattr("privaudit.risk.codes.compiler.LEAST_VISITS", Visits(0, 0, 0))
    assert search(coded, max_size=4, thresholds=(2, 7), k=3, threads=threads).combinations == plain.combinations


@settings(max_examples=40, deadline=None)
@given(coded_tables(), st.integers(1, 4))
def test_for_which_k_a_set_is_minimal(coded, max_size):
    result = search(coded, max_size=max_size, thresholds=(3,)).combinations
    smallest = {frozenset(c.columns): c.k_min for c in result} | {frozenset(): coded.n_rows}
    for c in result:
        parts = [s for s in smallest if s < set(c.columns)]
        if len(parts) < 2 ** len(c.columns) - 1:
            assert c.minimal_to is None or len(c.columns) == max_size + 1
            continue
        for k in range(1, coded.n_rows + 2):
            minimal = c.k_min < k and all(smallest[s] >= k for s in parts)
            assert (c.k_min < k <= c.minimal_to) == minimal
