"""What is done to noisy counts before they are used; it costs nothing.

Question: which possible counts are nearest to noisy ones?
Method: the Euclidean projection onto the counts that are not negative and have a given sum.
Limits: the sum has to be public or noisy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from privaudit.base.arrays import Floats


def projected(counts: Any, total: float) -> Floats:
    """Return the nearest counts that are not negative and have the sum `total`, in the same shape.

    The Euclidean projection onto the simplex: one constant is subtracted from all cells, and negative ones become 0.
    """
    flat = np.sort(counts, axis=None)[::-1]
    excess = (np.cumsum(flat) - total) / np.arange(1, len(flat) + 1)
    last = np.flatnonzero(flat > excess)
    shift = excess[last[-1]] if len(last) else excess[0]
    return np.asarray(np.maximum(counts - shift, 0.0), dtype=np.float64)
