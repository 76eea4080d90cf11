"""Which values match an expression, whatever the parts in which they are compared."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pytest

from privaudit.detect.catalogue import matching


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 50])
def test_parts_are_put_together_in_the_order_of_the_values(n, threads, monkeypatch):
    monkeypatch.setattr(matching, "PART", 7)
    values = [None if i % 11 == 5 else f"{i}" for i in np.random.default_rng(n).integers(0, 200, n)]
    found = matching.matching(pa.array(values, pa.string()), "1.?$", threads)
    assert found.tolist() == [value is not None and bool(re.search("1.?$", value)) for value in values]
