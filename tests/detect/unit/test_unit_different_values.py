"""The values by which the unit is decided are the same for any order of the rows, and are not those that come first."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from privaudit.detect.unit.figures import MOST_VALUES, different_values
from privaudit.settings.config import Settings
from privaudit.source import open_dataset


@pytest.mark.parametrize("n", [500, 30_000])
def test_different_values_do_not_depend_on_the_order_of_the_rows(n):
    texts = [f"{i} mm" if i < n / 2 else f"Anna {i}" for i in range(n)] + [None]
    orders = [range(n + 1), np.random.default_rng(1).permutation(n + 1)]
    tables = (pa.table({"note": [texts[i] for i in order]}) for order in orders)
    first, second = (
        set(different_values(open_dataset(table, Settings()), SimpleNamespace(name="note"))) for table in tables
    )
    assert first == second and len(first) == min(n, MOST_VALUES)
    # Half of all values, within five standard errors.
    assert abs(sum(value.endswith("mm") for value in first) / len(first) - 0.5) < 2.5 / len(first) ** 0.5
