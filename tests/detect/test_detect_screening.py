"""Columns alike in form are screened together, and each is screened as it would be alone."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.detect import patterns
from privaudit.detect.catalogue import detectors
from privaudit.detect.witnesses import prepare
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow
from privaudit.source.profile.columns import profile

CELLS = ("yes", "no", "1", "0", "2", "ann@example.com", "+254712345678", "192.168.0.1", "2020-01-31", "M", "F", "1.5")


@settings(max_examples=6, deadline=None)
@given(st.lists(st.lists(st.sampled_from(CELLS), min_size=6, max_size=6), min_size=1, max_size=6))
def test_columns_screened_together_are_screened_as_alone(cells):
    every = detectors.load(None)
    table = pa.table({f"c{i}": values for i, values in enumerate([*cells, *(each[::-1] for each in cells)])})
    with from_arrow(table) as dataset:
        columns = prepare(dataset, profile(dataset), Settings()).columns
    together = patterns.screen(columns, every)
    for column, found in zip(columns, together, strict=True):
        assert patterns.screen([column], every) == [found]


def test_columns_with_equal_values_are_read_once(monkeypatch):
    rng = np.random.default_rng(3)
    with from_arrow(pa.table({f"q{i}": np.append(np.arange(6), rng.integers(0, 6, 60)) for i in range(40)})) as dataset:
        columns = prepare(dataset, profile(dataset), Settings()).columns
    assert len(patterns._forms(columns)) == 1
    assert len({str(column.counts) for column in columns}) > 1
