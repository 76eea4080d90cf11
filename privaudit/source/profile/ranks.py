"""Ranks of values by their keys, and the reasons why values have none.

Question: which rank has each value, when several numbers in turn decide?
Method: one stable sort over the keys; equal keys share a rank.
Limits: keys only; `privaudit.source.profile.value_order` decides what the values mean.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from privaudit.base.arrays import Floats, Ints

Ranks = Ints
Unordered = Literal[
    "text", "no_value", "unread", "ambiguous", "mixed_units", "mixed_zones", "mixed_precision", "mixed_clocks"
]
"""Why a column has no known order."""


def dense_ranks(*keys: Floats) -> Ranks:
    """Return the ranks of values by their keys, the first key first; equal keys share a rank.

    Parameters
    ----------
    *keys : float64 arrays of shape (d,), one or more
    """
    order = np.lexsort(keys[::-1])
    is_new = np.zeros(len(order), dtype=bool)
    for key in keys:
        is_new[1:] |= key[order][1:] != key[order][:-1]
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.cumsum(is_new)
    return ranks
