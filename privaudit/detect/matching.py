"""Which values match an expression.

Question: which of many values does an RE2 expression match?
Method: many values are matched in parts, side by side, so that one long column does not occupy a single core.
Limits: values that are missing do not match.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.parallel import each

Mask = npt.NDArray[np.bool_]
_PART = 500_000
"""Values that one thread matches: a tenth of a second."""


def matching(values: pa.Array, expression: str, threads: int = 1) -> Mask:
    """Return which of `values` an RE2 expression matches.

    Parameters
    ----------
    values : pyarrow string or large_string array of length d
    expression : str
    threads : int
        Parts that are matched side by side.

    Returns
    -------
    bool array of shape (d,)
    """

    def match(start: int) -> Mask:
        found = pc.match_substring_regex(values.slice(start, _PART), expression)
        return np.asarray(found.fill_null(False), dtype=np.bool_)

    found = each(match, range(0, max(1, len(values)), _PART), threads)
    return found[0] if len(found) == 1 else np.concatenate(found)
