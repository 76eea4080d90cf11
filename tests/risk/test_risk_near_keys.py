"""Near keys of tables with many columns, and the limits of a whole assessment."""

import math

import numpy as np
import pyarrow as pa
import pytest

from privaudit.model import ColumnReport
from privaudit.risk import assess
from privaudit.risk.search import near_keys as module
from privaudit.risk.search.near_keys import near_keys, pairs_needed
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow
from tests.helpers.coded import coded_of


def test_the_number_of_pairs_bounds_the_failure_over_all_sets():
    for m, share, failure in ((10, 0.01, 1e-3), (300, 1e-4, 1e-6)):
        s = pairs_needed(m, share=share, failure=failure)
        assert m * math.log(2) + s * math.log1p(-share) <= math.log(failure)


def test_a_planted_key_is_found_and_counted():
    """Three columns of 20 values are the digits of a row number; thirty binary columns add little."""
    rng = np.random.default_rng(3)
    number = rng.permutation(8_000)
    digits = [number % 20, number // 20 % 20, number // 400]
    coins = [rng.integers(0, 2, 8_000) for _ in range(30)]
    coded = coded_of(np.stack([*coins, *digits], axis=1))
    keys, limit = near_keys(coded, thresholds=(2,))
    assert set(keys[0].columns) >= {"q30", "q31", "q32"}
    assert keys[0].n_unique >= 0.99 * 8_000
    assert len(keys[0].columns) <= 5
    assert all(c.n_below["2"] == c.n_unique for c in keys)
    assert limit.code == "risk.near_keys"
    assert limit.values["sets"].items[0].names == keys[0].columns
    assert near_keys(coded, thresholds=(2,)) == (keys, limit)


def test_a_single_column_has_no_near_key():
    assert near_keys(coded_of([(0,), (1,)]), thresholds=(2,)) == ((), None)


def report(name):
    return ColumnReport(
        name=name, data_type="integer", n_rows=0, n_missing=0, n_distinct=0, n_held_once=0,
        uniqueness=None, entropy_bits=None, role="quasi",
    )  # fmt: skip


def assessed(columns, **options):
    with from_arrow(pa.table(columns)) as dataset:
        return assess(dataset, tuple(report(n) for n in columns), Settings(**options), thresholds=(2,))


@pytest.mark.slow
def test_more_than_64_quasi_identifiers(monkeypatch):
    monkeypatch.setattr("privaudit.risk.search.work.MOST_SETS", 3_000)
    monkeypatch.setattr(module, "MOST_PAIRS", 50_000)
    rng = np.random.default_rng(5)
    found = assessed({f"v{i}": rng.integers(0, 3, 200) for i in range(70)})
    assert max(len(c.columns) for c in found.combinations if len(c.columns) < 70) > 2
    limits = {limit.code: limit for limit in found.limits}
    beyond = limits["risk.combinations_beyond_bound"]
    assert not beyond.incomplete
    n_searched = sum(len(c.columns) == 3 for c in found.combinations)
    assert 0 < n_searched <= 3_000 - 70 - 2_415
    assert beyond.values["sets"].value == 54_740 - 455
    assert [size.value for size in beyond.values["sizes"].items] == [3]
    assert len(beyond.values["columns"].names) == 70
    assert limits["risk.many_columns"].values["quasi_identifiers"].value == 70
    assert "risk.near_keys" in limits
    assert found.risk.k_min == 1


def test_constant_and_unique_columns_one_row_and_equal_rows_are_reported():
    found = assessed({"id": list(range(30)), "same": ["x"] * 30, "sex": ["f", "m"] * 15})
    limits = {limit.code: limit for limit in found.limits}
    assert limits["risk.constant_columns"].values["columns"].names == ("same",)
    assert limits["risk.unique_columns"].values["columns"].names == ("id",)
    assert found.risk.n_unique == 30
    one = assessed({"a": ["x"], "b": ["y"]})
    assert one.risk.n_classes == 1
    assert one.combinations[0].separation is None
    assert one.limits[0].code == "risk.one_row"
    equal = assessed({"a": ["x"] * 5, "b": [None] * 5})
    assert (equal.risk.k_min, equal.risk.n_classes) == (5, 1)
    assert equal.limits[0].code == "risk.all_rows_equal"


def test_without_quasi_identifiers_there_is_no_risk_but_a_limit():
    with from_arrow(pa.table({"a": ["x", "y"]})) as dataset:
        found = assess(dataset, (), Settings(), thresholds=(2,))
    assert found.risk is None
    assert found.combinations == ()
    assert found.limits[0].code == "risk.no_quasi_identifiers"


def test_a_table_of_one_row_is_incomplete_with_and_without_quasi_identifiers():
    with from_arrow(pa.table({"a": ["x"]})) as dataset:
        found = assess(dataset, (), Settings(), thresholds=(2,))
    assert "risk.one_row" in [one.code for one in found.limits if one.incomplete]
    assert assessed({"a": ["x"]}).limits[0].incomplete


def test_suppressed_cells_are_missing():
    found = assessed({"job": ["a", "b", "*", "*", None], "sex": ["f", "f", "f", "f", "f"]}, missing="wildcard")
    assert found.risk.missing == "wildcard"
    assert found.risk.k_min == 4  # a matches itself, the two suppressed cells and the missing one
    (suppressed,) = (limit for limit in found.limits if limit.code == "risk.suppressed_cells")
    assert suppressed.what == 'suppressed cells: "job" (2 cells)'
    assert found.risk.class_sizes.size == (1, 3)


def test_the_set_of_all_columns_is_counted_whatever_the_budget():
    found = assessed({f"v{i}": [str(i * j % 3) for j in range(20)] for i in range(4)}, budget=1e-9)
    assert any(limit.code == "risk.combinations_out_of_time" and not limit.incomplete for limit in found.limits)
    assert [c.columns for c in found.combinations if len(c.columns) == 4]
