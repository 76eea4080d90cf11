"""Shares of rows, estimated from a sample of distinct cells."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privaudit.stats import LEVEL, Estimate, exact, wilson_bounds


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
        Cells that contain the entity type.
    rows : int64 array of length n
        Rows of each cell.
    eligible, n_present : int
        Rows whose cell could be sampled, and all non-missing rows.
    complete : bool
        Whether every eligible cell was read; then the share is exact.

    References
    ----------
    .. [1] L. Kish, Survey Sampling, 1965.
    """
    total = int(rows.sum())
    if n_present == 0 or total == 0:
        return exact(0.0, 0)
    positive = int(rows[hits].sum())
    if complete:
        share = positive / n_present
        return exact(share, n_present)
    scale = eligible / n_present
    weights = rows.astype(np.float64)
    n = total * total / float((weights * weights).sum())
    p = positive / total
    low, high = wilson_bounds(p * n, n) if positive else (0.0, 1.0 - (1.0 - LEVEL) ** (1.0 / n))
    method = "wilson, weighted by rows" if positive else "rule of three"
    low, high = min(low, p) * scale, max(high, p) * scale
    return Estimate(value=p * scale, low=low, high=high, level=LEVEL, n=len(rows), method=method)
