"""Rank swapping: numbers are exchanged between records whose ranks differ by at most a share of the records.

Limits: the values of each column stay the same, so extreme values remain; rank swapping does not bound k. Cells
without a number are not exchanged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from privaudit.advice.technique.columns import numbers_of, with_column
from privaudit.advice.technique.record import Context


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Exchange the cells of each column."""
    share = float(parameters["share"])
    for name in parameters["columns"]:
        numbers = numbers_of(table, name, "rank_swap")
        rows = np.arange(len(numbers))
        known = np.flatnonzero(~np.isnan(numbers))
        # Ties are in random order: the order of the source would decide about them.
        order = known[np.lexsort((context.random.random(len(known)), numbers[known]))]
        rows[order] = order[partners(len(order), max(1, round(share * len(order))), context)]
        table = with_column(table, name, table[name].take(rows))
    return table


def partners(n: int, most: int, context: Context) -> npt.NDArray[np.int64]:
    """Return for each rank the rank it is exchanged with, at most `most` ranks away; each exchange is mutual."""
    partner = np.arange(n)
    is_free = np.ones(n, dtype=bool)
    for rank in range(n):
        if not is_free[rank]:
            continue
        # Only higher ranks: the lower ones have their partner already, or had none left.
        possible = np.flatnonzero(is_free[rank + 1 : rank + most + 1])
        if not len(possible):
            continue
        other = rank + 1 + int(context.random.choice(possible))
        partner[rank], partner[other] = other, rank
        is_free[rank] = is_free[other] = False
    return partner
