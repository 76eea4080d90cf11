"""Of a table that an engine holds, a part of the values is read: how precise are their shares?"""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest

from privaudit.model.stats import wilson
from privaudit.source.engine import bounded_values, queries, spool
from tests.helpers.engine_tables import spooled

N_VALUES, MOST = 1_600, 400
ROWS = {
    "one row each": np.ones(N_VALUES, dtype=np.int64),
    "twelve rows each": np.full(N_VALUES, 12),
    "Zipf": N_VALUES // np.arange(1, N_VALUES + 1),
}


@pytest.fixture(autouse=True)
def small_parts() -> Iterator[None]:
    """Read 400 values, and those with at least 1/80 of the rows for certain: as many as of 50,000 and 1/10,000."""
    with (
        patch.object(spool, "text_in_memory", lambda _: 0),
        patch.object(spool, "most_values", lambda *_: MOST),
        patch.object(bounded_values, "FREQUENT", 80),
        patch.object(queries, "FREQUENT", 80),
    ):
        yield


@pytest.mark.slow
@pytest.mark.parametrize("rows", ROWS.values(), ids=list(ROWS))
def test_the_interval_of_a_share_of_a_part_contains_that_of_all_rows(rows):
    """In at least 90 of 100 tables whose values differ, and so their hashes; 95 are expected."""
    contained = 0
    for table in range(100):
        texts = [f"{table} {'yes' if i % 5 == 0 else 'no'} {i}" for i in range(N_VALUES)]
        with spooled(pa.table({"x": np.repeat(texts, rows).tolist()})) as dataset:
            read = dataset.frequencies("x")
        assert read.totals is not None
        hits = np.array([" yes " in text for text in read.values.to_pylist()])
        n = read.totals.n_effective
        found = wilson(read.counts[hits].sum() / read.counts.sum() * n, n)
        contained += found.low <= rows[::5].sum() / rows.sum() <= found.high
    assert contained >= 90
