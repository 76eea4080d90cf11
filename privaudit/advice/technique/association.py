"""Cramér's V of two columns of categories.

Method: ``sqrt(chi^2 / (n (min(r, c) - 1)))`` over the table of both columns, without correction for bias.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.risk.codes.coded import encode_column

if TYPE_CHECKING:
    import pyarrow as pa

MOST_VALUES = 50


def cramers_v(first: pa.ChunkedArray, second: pa.ChunkedArray) -> float | None:
    """Return Cramér's V of two columns; None where one has fewer than 2 or more than `MOST_VALUES` values."""
    (one, words), (other, labels) = encode_column(first), encode_column(second)
    known = (one < len(words)) & (other < len(labels))
    if not all(2 <= len(each) <= MOST_VALUES for each in (words, labels)) or not known.any():
        return None
    cells = one[known].astype(np.int64) * len(labels) + other[known]
    return v_of(np.bincount(cells, minlength=len(words) * len(labels)).reshape(len(words), len(labels)))


def v_of(counts: npt.NDArray[np.int64]) -> float | None:
    """Return Cramér's V of a table of counts; None where a side has one value."""
    table = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0].astype(np.float64)
    n, smaller = table.sum(), min(table.shape) - 1
    if not n or smaller < 1:
        return None
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / n
    return float(np.sqrt(((table - expected) ** 2 / expected).sum() / n / smaller))
