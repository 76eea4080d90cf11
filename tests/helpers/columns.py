"""A column of values with counts, as techniques take it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from privaudit.advice.technique import Column
from privaudit.advice.technique.recoding import plain


def column(values, counts=None, *, name="x", missing=0, hierarchy=None):
    """Return a column of distinct texts or numbers; each has one record where no counts are given."""
    texts = [value if isinstance(value, str) else plain(float(value)) for value in values]
    held = [1] * len(texts) if counts is None else list(counts)
    return Column(name, pa.array(texts, pa.string()), np.array([*held, missing], dtype=np.int64), hierarchy)
