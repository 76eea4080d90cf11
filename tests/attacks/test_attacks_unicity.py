"""Partial knowledge: uniques and success on sets of known columns, against a loop over all sets, and references."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.attacks.facts import partial_knowledge
from privaudit.attacks.facts.partial_knowledge import count_known
from tests.helpers.paths import SHARED

tables = st.integers(1, 4).flatmap(lambda d: st.lists(st.tuples(*[st.integers(0, 2)] * d), min_size=1, max_size=25))


def known(rows, **options):
    """Count over a list of tuples of small integers."""
    counts = Counter(rows)
    distinct = list(counts)
    codes = [np.array(column, dtype=np.int32) for column in zip(*distinct, strict=True)]
    return count_known(codes, [3] * len(codes), np.array(list(counts.values()), dtype=np.int64), **options)


@given(tables)
@settings(deadline=None)
def test_counts_equal_a_loop_over_all_sets(rows):
    n, d = len(rows), len(rows[0])
    for found in known(rows):
        sets = list(itertools.combinations(range(d), found.m))
        sizes = []
        for chosen in sets:
            cells = [tuple(row[i] for i in chosen) for row in rows]
            size = Counter(cells)
            sizes.append([size[cell] for cell in cells])
        uniques = [sum(f == 1 for f in each) for each in sizes]
        assert found.n_unique_worst == max(uniques)
        assert found.unique.value == pytest.approx(sum(uniques) / len(sets) / n)
        assert found.success.value == pytest.approx(np.mean([np.mean([1 / f for f in each]) for each in sizes]))
        best = [min(each[row] for each in sizes) for row in range(n)]
        assert found.success_best == pytest.approx(np.mean([1 / f for f in best]))
        assert found.n_unique_some == sum(f == 1 for f in best)
        assert uniques[sets.index(found.worst)] == max(uniques)


@given(tables)
@settings(deadline=None)
def test_more_known_facts_single_out_no_fewer_people(rows):
    found = known(rows)
    some = [one.n_unique_some for one in found]
    assert some == sorted(some) and found[-1].n_unique_some == found[-1].n_unique_worst


@given(tables)
@settings(deadline=None)
def test_the_headline_equals_the_first_sizes_of_all(rows):
    assert known(rows, sizes=[1, 2]) == known(rows)[:2]


@pytest.mark.parametrize("n_constant", [1, 16, 60])
def test_columns_of_one_value_change_nothing_that_someone_who_knows_m_facts_reaches(n_constant):
    random = np.random.default_rng(2)
    rows = [tuple(row) for row in random.integers(0, 3, size=(200, 5)).tolist()]
    wider = [(*row, *[0] * n_constant) for row in rows]
    for found, expected in zip(known(wider, sizes=[1, 2, 3]), known(rows, sizes=[1, 2, 3]), strict=True):
        assert found.is_exact and found.worst == expected.worst
        for name in ("n_unique_worst", "n_unique_some", "success_best"):
            assert getattr(found, name) == getattr(expected, name)


@pytest.mark.slow
def test_the_interval_over_drawn_sets_covers_the_exact_mean(monkeypatch):
    random = np.random.default_rng(0)
    rows = [tuple(row) for row in random.integers(0, 3, size=(120, 11)).tolist()]
    exact = {one.m: one for one in known(rows)}
    monkeypatch.setattr(partial_knowledge, "MOST_EXACT", 5)
    monkeypatch.setattr(partial_knowledge, "MOST_VISITS", 0)
    monkeypatch.setattr(partial_knowledge, "SETS_DRAWN", 60)
    covered = total = 0
    for seed in range(20):
        for one in known(rows, sizes=[3, 4, 5], seed=seed):
            covered += one.unique.low <= exact[one.m].unique.value <= one.unique.high
            total += 1
            assert one.n_unique_worst <= exact[one.m].n_unique_worst
    assert covered >= 0.85 * total


@pytest.mark.shared
@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(
    ("name", "file", "delimiter"),
    [("adult", "data/arx/data/adult.csv", ";"), ("hr", "data/hr_attrition/WA_Fn-UseC_-HR-Employee-Attrition.csv", ",")],
)
def test_reference_tables(name, file, delimiter):
    import csv

    if not SHARED.is_dir():
        pytest.skip("the reference tables are not available")
    reference = json.loads((SHARED / "reference" / "attacks.json").read_text())["unicity"][name]
    with (SHARED / file).open(newline="") as lines:
        table = list(csv.DictReader(lines, delimiter=delimiter))
    columns = [[row[column] for row in table] for column in reference["columns"]]
    values = [sorted(set(column)) for column in columns]
    coded = [[of.index(cell) for cell in column] for column, of in zip(columns, values, strict=True)]
    counts = Counter(zip(*coded, strict=True))
    codes = [np.array(column, dtype=np.int32) for column in zip(*counts, strict=True)]
    weights = np.array(list(counts.values()), dtype=np.int64)
    for found, stated in zip(count_known(codes, list(map(len, values)), weights), reference["m"], strict=True):
        assert found.n_unique_worst == stated["uniques_worst_set"]
        assert found.n_unique_some == stated["records_unique_for_some_set"]
        assert (
            round(found.unique.value * math.comb(len(columns), found.m) * len(table)) == stated["sum_unique_over_sets"]
        )
        assert found.success.value == pytest.approx(stated["success_mean"])
        assert found.success_best == pytest.approx(stated["success_best_set_per_target"])
