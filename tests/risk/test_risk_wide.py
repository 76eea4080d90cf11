"""Near keys of wide tables: the bound holds, and what is found is counted exactly."""

import math

import numpy as np
import pyarrow as pa

from privaudit.config import Settings
from privaudit.model import ColumnReport
from privaudit.risk import assess, wide
from privaudit.risk.coded import CodedTable
from privaudit.risk.wide import pairs_needed, quasi_keys
from privaudit.source.arrow import from_arrow


def coded_of(columns):
    order = np.lexsort(columns[::-1])
    names = tuple(f"q{i}" for i in range(len(columns)))
    codes = tuple(np.asarray(c, np.int32)[order] for c in columns)
    dictionaries = tuple(pa.array([f"{i:04}" for i in range(int(c.max()) + 1)]) for c in codes)
    return CodedTable(names, codes, dictionaries, np.ones(len(order), np.int64), len(order))


def test_the_number_of_pairs_bounds_the_failure_over_all_sets():
    for m, share, failure in ((10, 0.01, 1e-3), (300, 1e-4, 1e-6)):
        s = pairs_needed(m, share=share, failure=failure)
        assert m * math.log(2) + s * math.log1p(-share) <= math.log(failure)


def test_a_planted_key_is_found_and_counted():
    """Three columns of 20 values hold a row number in base 20; thirty coins add little."""
    rng = np.random.default_rng(3)
    number = rng.permutation(8_000)
    digits = [number % 20, number // 20 % 20, number // 400]
    coins = [rng.integers(0, 2, 8_000) for _ in range(30)]
    coded = coded_of([*coins, *digits])
    keys, limit = quasi_keys(coded, thresholds=(2,))
    assert set(keys[0].columns) >= {"q30", "q31", "q32"}
    assert keys[0].n_unique >= 0.99 * 8_000
    assert len(keys[0].columns) <= 5
    assert all(c.n_below["2"] == c.n_unique for c in keys)
    assert "pairs" in limit.why
    assert quasi_keys(coded, thresholds=(2,)) == (keys, limit)


def test_nothing_to_find():
    assert quasi_keys(coded_of([np.array([0, 1])]), thresholds=(2,)) == ((), None)


def report(name):
    return ColumnReport(
        name=name, kind="integer", n_rows=0, n_missing=0, n_distinct=0, n_held_once=0,
        uniqueness=None, entropy_bits=None, role="quasi",
    )  # fmt: skip


def assessed(columns, **options):
    with from_arrow(pa.table(columns)) as dataset:
        return assess(dataset, tuple(report(n) for n in columns), Settings(**options), thresholds=(2,))


def test_more_than_64_quasi_identifiers(monkeypatch):
    monkeypatch.setattr("privaudit.risk.combinations.MOST_SETS", 3_000)
    monkeypatch.setattr(wide, "MOST_PAIRS", 50_000)
    rng = np.random.default_rng(5)
    found = assessed({f"v{i}": rng.integers(0, 3, 200) for i in range(70)})
    assert max(len(c.columns) for c in found.combinations if len(c.columns) < 70) > 2
    said = " ".join(limit.what for limit in found.limits)
    assert "54,740 sets of 3 of the 70 quasi-identifiers" in said
    assert "combinations of 70 quasi-identifiers" in said
    assert "tell nearly everybody apart" in said
    assert any(limit.incomplete for limit in found.limits)
    assert found.risk.k_min == 1


def test_constant_columns_keys_one_row_and_equal_rows():
    found = assessed({"id": list(range(30)), "same": ["x"] * 30, "sex": ["f", "m"] * 15})
    said = " ".join(limit.what for limit in found.limits)
    assert "without effect: same" in said
    assert "are keys: id" in said
    assert found.risk.n_unique == 30
    one = assessed({"a": ["x"], "b": ["y"]})
    assert one.risk.n_classes == 1
    assert one.combinations[0].separation is None
    assert "one row" in one.limits[0].why
    equal = assessed({"a": ["x"] * 5, "b": [None] * 5})
    assert (equal.risk.k_min, equal.risk.n_classes) == (5, 1)
    assert "all rows are equal" in equal.limits[0].why


def test_without_quasi_identifiers_nothing_is_claimed():
    with from_arrow(pa.table({"a": ["x"]})) as dataset:
        found = assess(dataset, (), Settings(), thresholds=(2,))
    assert found.risk is None
    assert found.combinations == ()
    assert "no column was taken for a quasi-identifier" in found.limits[0].why


def test_suppressed_cells_are_missing():
    found = assessed(
        {"job": ["a", "b", "*", "*", None], "sex": ["f", "f", "f", "f", "f"]}, missing="wildcard"
    )
    assert found.risk.missing == "wildcard"
    assert found.risk.k_min == 4  # a matches itself, the two suppressed cells and the missing one
    assert any("suppressed cells in job (2 cells)" in limit.what for limit in found.limits)
    assert found.risk.class_sizes.size == (1, 3)


def test_a_budget_of_nothing_leaves_the_whole_set_alone():
    found = assessed({f"v{i}": [str(i * j % 3) for j in range(20)] for i in range(4)}, budget=1e-9)
    assert any(limit.why.startswith("the time budget of ") and limit.incomplete for limit in found.limits)
    assert [c.columns for c in found.combinations if len(c.columns) == 4]
