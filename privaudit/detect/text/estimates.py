"""Shares of rows from a sample of distinct cells."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from privaudit.model import Estimate

_Z = 1.959963984540054
LEVEL = 0.95


def wilson_share(
    hits: npt.NDArray[np.bool_], rows: npt.NDArray[np.int64], *, eligible: int, n_present: int, complete: bool
) -> Estimate:
    """Estimate the share of all non-missing rows from the cells that were read.

    ``p = sum(w_i h_i) / sum(w_i)`` over the cells read, w the rows of a cell, with Kish's effective number of cells
    ``n = (sum w)^2 / sum w^2`` in Wilson's interval; for no hit the upper bound is ``1 - 0.05^(1/n)``, about 3/n.
    Interval and value are scaled by the share of rows that were eligible at all, which is known exactly.

    Parameters
    ----------
    hits : bool array of length n
        Cells that hold the entity.
    rows : int64 array of length n
        Rows of each cell.
    eligible, n_present : int
        Rows whose cell could have been drawn, and all non-missing rows.
    complete : bool
        Every eligible cell was read: then the share is exact.

    References
    ----------
    .. [1] E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22, 1927.
    .. [2] L. Kish, Survey Sampling, 1965.
    """
    total = int(rows.sum())
    if n_present == 0 or total == 0:
        return Estimate(value=0.0, low=0.0, high=0.0, level=1.0, n=0, method="exact")
    positive = int(rows[hits].sum())
    if complete:
        share = positive / n_present
        return Estimate(value=share, low=share, high=share, level=1.0, n=n_present, method="exact")
    scale = eligible / n_present
    weights = rows.astype(np.float64)
    n = total * total / float((weights * weights).sum())
    p = positive / total
    low, high = wilson(p, n) if positive else (0.0, 1.0 - (1.0 - LEVEL) ** (1.0 / n))
    method = "wilson, weighted by rows" if positive else "rule of three"
    return Estimate(
        value=p * scale, low=low * scale, high=high * scale, level=LEVEL, n=len(rows), method=method
    )


def wilson(p: float, n: float) -> tuple[float, float]:
    """Return the bounds of Wilson's 95 % interval for a share `p` of `n` units."""
    centre = p + _Z * _Z / (2 * n)
    spread = _Z * math.sqrt(p * (1 - p) / n + _Z * _Z / (4 * n * n))
    scale = 1 + _Z * _Z / n
    return min(max((centre - spread) / scale, 0.0), p), max(min((centre + spread) / scale, 1.0), p)
