"""Which steps of a lattice repair no record, without counting the classes of each.

Question: in a table of many columns nearly every single step leaves every class small; which ones need to be counted?
Method: the classes after all steps of several columns at once, merged as far as any of them merges, are unions of the
classes after each of them. Where as many records fail as before, each of the steps repairs none. Where fewer do, the
columns are halved.
Limits: a step that is not idle may repair no record either.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

FEW = 8
"""Columns up to which counting each step takes no longer than comparing them together."""


def idle_columns(columns: Sequence[int], n_failing: Callable[[Sequence[int]], int], now: int) -> set[int]:
    """Return the columns whose steps repair no record.

    Parameters
    ----------
    columns : sequence of int
    n_failing : function
        Returns a lower bound of the records that fail after any steps of some columns.
    now : int
        Records that fail before.
    """
    if len(columns) <= FEW:
        return set()
    if n_failing(columns) == now:
        return set(columns)
    half = len(columns) // 2
    return idle_columns(columns[:half], n_failing, now) | idle_columns(columns[half:], n_failing, now)
