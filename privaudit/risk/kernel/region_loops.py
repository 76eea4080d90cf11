"""The compiled loop that compares all cuts of regions of rows, for Mondrian.

Question: which cut of each region of a table saves most, without an array for every cut?
Method: the rows of a region are read in the order of each column, once from each end, with the least and the largest
position so far in every column. What a record loses by a range of positions is a difference of two sums. The numbers
are integers, so that the result is that of `advice.technique.region_cuts`, which compares the same cuts by arrays.
Limits: the caller provides all memory; nothing is checked.
"""
# mypy: disable-error-code="no-untyped-def"
# The loops are compiled from the types of their arguments; annotations would not reach the compiler.

from __future__ import annotations

import numpy as np

from privaudit.risk.codes.machine_code import Int64s, compiled

Table, Order, Mask = "i8[:, ::1]", "i4[:, ::1]", "b1[::1]"
POINTS = "u1[:, ::1]", "u2[:, ::1]", "u4[:, ::1]"
"""The types of the positions of rows."""


WIDEST = 1 << 62
"""Above every position."""


@compiled()  # the loops below contain it
def _clear(low, high):
    """Make the ranges of all columns empty."""
    low[:] = np.int64(WIDEST)
    high[:] = -1


@compiled()  # the loops below contain it
def _widen(points, row, low, high):
    """Extend the ranges of all columns to a row."""
    for j in range(len(low)):
        at = np.int64(points[row, j])
        low[j] = min(low[j], at)
        high[j] = max(high[j], at)


@compiled()  # the loops below contain it
def _by_range(up_to, start, low, high):
    """Return what a record loses by one range."""
    return up_to[start + 1 + high] - up_to[start + low]


@compiled()  # the loops below contain it
def _lost(up_to, starts, is_number, low, high):
    """Return what a record loses by the ranges of the columns that are not numbers."""
    lost = np.int64(0)
    for j in range(len(low)):
        if not is_number[j]:
            lost += _by_range(up_to, starts[j], low[j], high[j])
    return lost


@compiled()  # the loop below contains it
def _lost_above(points, column, rows, weights, most, up_to, starts, is_number, low, high, above):
    """Fill ``above[i]`` with what a record loses from the i-th row on, for each first row of a value.

    Rows are read from the last one, as long as they have at most so many records.
    """
    _clear(low, high)
    n = np.int64(0)
    for i in range(len(rows) - 1, 0, -1):
        n += weights[rows[i]]
        if n > most:
            break
        _widen(points, rows[i], low, high)
        if points[rows[i], column] != points[rows[i - 1], column]:
            above[i] = _lost(up_to, starts, is_number, low, high)


@compiled(
    *(
        (points, Int64s, Order, Int64s, Int64s, Int64s, Mask, *[Table] * 4, "i8", *[Int64s] * 3, *[Table] * 3)
        for points in POINTS
    ),
    n_results=1,
)
def most_saved(  # noqa: C901 - one loop nest; parts of it on their own would pass all its state back and forth
    points, weights, order, ends, up_to, starts, is_number, first, last, least, end, k,
    low, high, above, saved, value, n_low,
):  # fmt: skip
    """Find the cut of each column and region that saves most, the first of several; return how many are refused.

    A cut after a value leaves k records on both sides; it is refused where the value is below ``least[column, region]``
    or not below ``end[column, region]``. Region r has the rows from ``ends[r]`` to before ``ends[r + 1]``. `saved` is
    -1 before, and stays where no cut is allowed. `low`, `high` and `above` are memory.
    """
    n_refused = 0
    for region in range(len(ends) - 1):
        begin, stop = ends[region], ends[region + 1]
        total = np.int64(0)
        _clear(low, high)
        for row in range(begin, stop):
            total += weights[row]
            _widen(points, row, low, high)
        listed = _lost(up_to, starts, is_number, low, high)
        for column in range(len(order)):
            rows, start = order[column, begin:stop], starts[column]
            if points[rows[0], column] == points[rows[-1], column]:
                continue
            _lost_above(points, column, rows, weights, total - k, up_to, starts, is_number, low, high, above)
            a, b, whole = first[region, column], last[region, column], listed
            if is_number[column]:
                whole += _by_range(up_to, start, a, b)
            _clear(low, high)
            n = np.int64(0)
            for i in range(len(rows) - 1):
                n += weights[rows[i]]
                if total - n < k:
                    break
                _widen(points, rows[i], low, high)
                at = np.int64(points[rows[i], column])
                if n < k or at == points[rows[i + 1], column]:
                    continue
                if at < least[column, region] or at >= end[column, region]:
                    n_refused += 1
                    continue
                lower, upper = _lost(up_to, starts, is_number, low, high), above[i + 1]
                if is_number[column]:
                    lower += _by_range(up_to, start, a, at)
                    upper += _by_range(up_to, start, at + 1, b)
                gain = total * whole - n * lower - (total - n) * upper
                if gain > saved[column, region]:
                    saved[column, region], value[column, region], n_low[column, region] = gain, at, n
    return n_refused
