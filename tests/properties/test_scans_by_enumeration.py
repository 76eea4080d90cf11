"""A whole scan of small random tables gives the numbers that plain enumeration of records and column sets gives.

The tables have missing cells, numbers of several lengths and signs, codes with leading zeros, letters in both cases and
two Unicode forms of one letter. The expected numbers are computed from the cells, without any code of the package.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import privaudit

Cells = list[Any]
Rows = list[tuple[Any, ...]]

POOLS: tuple[Cells, ...] = (
    [-100, -9, 0, 5, 12, 1000],
    [-1.5, 0.25, 2.5, 100.125, 1e-7],
    ["01", "1", "001", "10", "9"],
    ["a", "A", "\u00e9", "e\u0301", "x y"],
    ["2020-01-10", "1999-12-31", "1900-05-05"],
)
QUASI = ["q0", "q1", "q2"]
SIZES = (2, 7, 15, 30)


def random_table(seed: int) -> pd.DataFrame:
    """Return three quasi-identifiers and a numeric secret; about every third column has missing cells."""
    rng = np.random.default_rng(seed)
    n = SIZES[seed % len(SIZES)]
    columns: dict[str, Cells] = {}
    for name in QUASI:
        pool = POOLS[rng.integers(len(POOLS))]
        some = rng.permutation(len(pool))[: rng.integers(1, len(pool) + 1)]
        is_missing = rng.random(n) < rng.choice([0.0, 0.0, 0.3])
        columns[name] = [None if m else pool[i] for i, m in zip(rng.choice(some, n), is_missing, strict=True)]
    columns["s"] = [int(x) for x in rng.choice([5, 12, 100, 1000, 104], n)]
    return pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()})


def rows_of(table: pd.DataFrame) -> Rows:
    return [tuple(None if pd.isna(x) else x for x in row) for row in table[QUASI].itertuples(index=False, name=None)]


def scan(source: Any, **options: Any) -> privaudit.ScanReport:
    return privaudit.scan(source, quasi=QUASI, sensitive=["s"], unit="person", ner=False, **options)


def matches(one: tuple[Any, ...], other: tuple[Any, ...], missing: str) -> bool:
    """Return whether the record `one` matches `other` where missing cells are read as `missing` states."""
    anything = {"category": (False, False), "wildcard": (True, True), "one-sided": (True, False)}[missing]
    return all(
        a == b or (a is None and anything[0]) or (b is None and anything[1]) for a, b in zip(one, other, strict=True)
    )


def class_sizes(rows: Rows, columns: tuple[int, ...], missing: str) -> list[int]:
    """Return for each record how many records match it over `columns`."""
    cells = [tuple(row[i] for i in columns) for row in rows]
    return [sum(matches(one, other, missing) for other in cells) for one in cells]


def numbers(report: privaudit.ScanReport) -> Any:
    """Return what a scan counts, without the order of the columns."""
    risk, combinations_ = report.wire.risk, report.wire.combinations
    assert risk is not None
    sets = {frozenset(c.columns): (c.n_classes, c.k_min, c.n_unique, dict(c.n_below)) for c in combinations_}
    attacks = [(a.kind, a.success, a.control_rate, a.advantage, a.detail.method) for a in report.wire.attacks]
    return sets, risk.class_sizes, risk.diversity, risk.share_at_risk, risk.marginal, attacks


@pytest.mark.quick_cases(6)
@pytest.mark.parametrize("missing", ["category", "wildcard", "one-sided"])
@pytest.mark.parametrize("seed", range(8))
def test_each_combination_has_the_counts_of_comparing_all_records(seed: int, missing: str) -> None:
    table = random_table(seed)
    rows = rows_of(table)
    report = scan(table, missing=missing)
    searched = {tuple(sorted(QUASI.index(name) for name in c.columns)): c for c in report.wire.combinations}
    assert set(searched) == {columns for size in (1, 2, 3) for columns in combinations(range(3), size)}
    for columns, combination in searched.items():
        sizes = class_sizes(rows, columns, missing)
        assert (combination.k_min, combination.n_unique) == (min(sizes), sizes.count(1))
        assert {int(k): n for k, n in combination.n_below.items()} == {
            int(k): sum(size < int(k) for size in sizes) for k in combination.n_below
        }
    risk = report.wire.risk
    assert risk is not None
    sizes = class_sizes(rows, (0, 1, 2), missing)
    assert risk.prosecutor_mean == pytest.approx(sum(1 / size for size in sizes) / len(sizes))


@pytest.mark.parametrize("seed", range(8))
def test_special_uniques_are_those_of_testing_every_subset(seed: int) -> None:
    table = random_table(seed)
    rows = rows_of(table)
    sets = [columns for size in (1, 2, 3) for columns in combinations(range(3), size)]
    sizes = {columns: class_sizes(rows, columns, "category") for columns in sets}
    minimal = [
        [c for c in sets if sizes[c][i] == 1 and all(sizes[d][i] > 1 for d in sets if set(d) < set(c))]
        for i in range(len(rows))
    ]
    scores = [sum(math.factorial(3 - len(c)) for c in of_record) for of_record in minimal]
    risk = scan(table).wire.risk
    assert risk is not None and risk.special_uniques is not None
    found = risk.special_uniques
    assert (found.score_sum, found.score_max, found.n_records) == (sum(scores), max(scores), sum(map(bool, minimal)))
    by_size = Counter(len(c) for of_record in minimal for c in of_record)
    assert list(found.msu_by_size) == [by_size[size] for size in (1, 2, 3)]


@pytest.mark.parametrize("seed", range(8))
def test_the_order_of_rows_and_columns_and_the_container_change_no_number(seed: int) -> None:
    table = random_table(seed).infer_objects()
    expected = numbers(scan(table))
    arrow = pa.Table.from_pandas(table, preserve_index=False)
    assert numbers(scan(table.sample(frac=1, random_state=seed).reset_index(drop=True))) == expected
    assert numbers(scan(table[["s", *reversed(QUASI)]])) == expected
    assert numbers(scan(arrow)) == expected
    assert numbers(scan(pl.from_arrow(arrow))) == expected


@pytest.mark.parametrize("seed", range(8))
def test_renaming_the_values_of_a_quasi_identifier_changes_no_number(seed: int) -> None:
    table = random_table(seed)
    renamed = table.copy()
    codes, values = pd.factorize(table["q0"])
    renamed["q0"] = pd.Series([None if code < 0 else f"n{len(values) - code}" for code in codes], dtype=object)
    assert numbers(scan(renamed)) == numbers(scan(table))


@pytest.mark.parametrize("seed", range(8))
def test_doubling_a_numeric_secret_changes_no_rate(seed: int) -> None:
    """A guess is right within a share of the true value, so the unit and the number of digits do not matter.

    The secret has far more than 20 values of one to five digits: those of fewer are guessed as categories.
    """
    rng = np.random.default_rng(seed)
    amounts = np.unique(np.exp(rng.uniform(0, 11, 60)).astype(int) + 1)
    picked = rng.integers(0, len(amounts), 200)
    table = pd.DataFrame(
        {name: (picked + rng.integers(0, 2, 200)) // width for name, width in zip(QUASI, (2, 9, 20), strict=True)}
    )
    report = scan(table.assign(s=amounts[picked]))
    assert any(attack.kind == "attribute_disclosure" for attack in report.wire.attacks)
    assert numbers(scan(table.assign(s=amounts[picked] * 2))) == numbers(report)
