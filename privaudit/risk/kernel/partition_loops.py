"""The compiled inner loops of the partition kernel.

Question: how does one more column split the classes?
Method: where the table over (class, code) fits into the cache it is counted in one sequential pass. Elsewhere
rows are laid out class by class of one column, and codes are counted within each class in a scratch array
that is zero between classes; classes of two or three rows are compared directly.
Limits: the caller provides all memory; nothing is checked. An empty `weights` array means that all are 1. The
smallest class size is tracked only among those that fall into the last bin of the histogram.
"""
# mypy: disable-error-code="no-untyped-def"
# The loops are compiled from the types of their arguments; annotations would not reach the compiler.

from __future__ import annotations

import numpy as np

from privaudit.risk.codes.machine_code import MATRICES, Int32s, Int64s, compiled

NONE = 2147483647


@compiled((Int32s, Int32s, "i8", Int32s, Int32s))
def table_count(labels, codes, cardinality, weights, counts):
    """Count records by (class, code) into `counts`."""
    if len(weights) == 0:
        for i in range(len(labels)):
            counts[labels[i] * cardinality + codes[i]] += 1
    else:
        for i in range(len(labels)):
            counts[labels[i] * cardinality + codes[i]] += weights[i]


@compiled((Int32s, "i8", Int64s), n_results=2)
def table_tally(counts, space, histogram):
    """Add the class sizes of a table to `histogram` and set it to zero; return squares and smallest."""
    top = len(histogram) - 1
    squares = np.int64(0)
    smallest = np.int64(NONE)
    for i in range(space):
        f = np.int64(counts[i])
        if f:
            counts[i] = 0
            squares += f * f
            if f < top:
                histogram[f] += 1
            else:
                histogram[top] += 1
                smallest = min(smallest, f)
    return squares, smallest


@compiled((Int32s, Int32s, "i8", Int32s, Int32s, "i8", Int64s, Int32s), n_results=3)
def table_number(labels, codes, cardinality, weights, counts, space, histogram, out):
    """Count a table, tally it, and give every row the number of its new class in `out`.

    Returns the number of classes, squares and smallest; `counts` is zero again afterwards.
    """
    table_count(labels, codes, cardinality, weights, counts)
    top = len(histogram) - 1
    squares = np.int64(0)
    smallest = np.int64(NONE)
    n_classes = 0
    for i in range(space):
        f = np.int64(counts[i])
        if f:
            squares += f * f
            if f < top:
                histogram[f] += 1
            else:
                histogram[top] += 1
                smallest = min(smallest, f)
            # The counter has been read: its place now holds the number of the class, for the second pass over the
            # rows.
            counts[i] = n_classes
            n_classes += 1
    for i in range(len(labels)):
        out[i] = counts[labels[i] * cardinality + codes[i]]
    counts[:space] = 0
    return n_classes, squares, smallest


@compiled(*((matrix, "i8", *[Int32s] * 2, matrix, Int32s, Int32s, Int64s) for matrix in MATRICES), n_results=4)
def lay_out(matrix, column, at, weights, out_matrix, out_weights, out_starts, finished):
    """Copy rows class by class of one column, except uniques, and only the columns before it.

    Returns rows and classes laid out, and squares and smallest of the finished ones; adds to `finished`. `at` has a
    zero for each code.
    """
    top = len(finished) - 1
    squares = np.int64(0)
    smallest = np.int64(NONE)
    unit = len(weights) == 0
    for i in range(len(matrix)):
        at[matrix[i, column]] += 1
    n_rows = 0
    n_left = 0
    out_starts[0] = 0
    for c in range(len(at)):
        members = at[c]
        if members == 1:
            at[c] = -1
        elif members:
            at[c] = n_rows
            n_rows += members
            n_left += 1
            out_starts[n_left] = n_rows
    for i in range(len(matrix)):
        to = at[matrix[i, column]]
        if to >= 0:
            at[matrix[i, column]] = to + 1
            for j in range(column):
                out_matrix[to, j] = matrix[i, j]
            if not unit:
                out_weights[to] = weights[i]
        else:
            f = np.int64(1) if unit else np.int64(weights[i])
            squares += f * f
            finished[min(f, top)] += 1
            if f >= top:
                smallest = min(smallest, f)
    return n_rows, n_left, squares, smallest


@compiled()  # `count_children` contains it
def count_class(matrix, column, cardinality, rows, weights, a, b, counts, touched, histogram):
    """Count the classes into which one column splits rows a to b; return squares and smallest."""
    top = len(histogram) - 1
    squares = np.int64(0)
    smallest = np.int64(NONE)
    unit = len(weights) == 0
    # Reading all counters in their order is faster than noting which were used, unless most of them stay zero.
    if (b - a) * 4 > cardinality:
        for i in range(a, b):
            counts[matrix[rows[i], column]] += 1 if unit else weights[i]
        for code in range(cardinality):
            f = np.int64(counts[code])
            if f:
                counts[code] = 0
                squares += f * f
                histogram[min(f, top)] += 1
                if f >= top:
                    smallest = min(smallest, f)
        return squares, smallest
    n = 0
    for i in range(a, b):
        code = matrix[rows[i], column]
        f = counts[code]
        touched[n] = code
        n += f == 0
        counts[code] = f + (1 if unit else weights[i])
    for t in range(n):
        f = np.int64(counts[touched[t]])
        counts[touched[t]] = 0
        squares += f * f
        histogram[min(f, top)] += 1
        if f >= top:
            smallest = min(smallest, f)
    return squares, smallest


@compiled(*((matrix, "i8", "i8", Int64s, *[Int32s] * 5, *["i8[:, ::1]"] * 2, Int64s, Int64s) for matrix in MATRICES))
def count_children(
    matrix, first, stop, cardinalities, rows, weights, starts, counts, touched, equal, histograms, squares, smallest
):
    """Count the classes that each column from `first` to `stop` makes of a partition, without building them.

    Adds to a line of `histograms`, `squares` and `smallest` for each column. One visit of a class serves all
    columns: its rows are in the cache. `equal` has three zeros for each column.
    """
    unit = len(weights) == 0
    top = histograms.shape[1] - 1
    n_two = np.int64(0)
    n_three = np.int64(0)
    # Most classes of a fine partition have two or three rows, and comparing these needs no counters. Sizes up to 3
    # must have bins of their own for that.
    short = unit and top > 3
    for c in range(len(starts) - 1):
        a = starts[c]
        b = starts[c + 1]
        if short and b - a == 2:
            n_two += 1
            x = rows[a]
            y = rows[a + 1]
            for j in range(first, stop):
                equal[0, j] += matrix[x, j] == matrix[y, j]
        elif short and b - a == 3:
            n_three += 1
            x = rows[a]
            y = rows[a + 1]
            z = rows[a + 2]
            for j in range(first, stop):
                p = matrix[x, j]
                q = matrix[y, j]
                r = matrix[z, j]
                same = np.int64(p == q) + np.int64(p == r) + np.int64(q == r)
                equal[1, j] += same == 1
                equal[2, j] += same == 3
        else:
            for j in range(first, stop):
                s, m = count_class(matrix, j, cardinalities[j], rows, weights, a, b, counts, touched, histograms[j])
                squares[j] += s
                smallest[j] = min(smallest[j], m)
    if short:
        for j in range(first, stop):
            pairs = equal[1, j]
            whole = equal[2, j]
            apart = n_three - pairs - whole
            histograms[j, 1] += 2 * (n_two - equal[0, j]) + pairs + 3 * apart
            histograms[j, 2] += equal[0, j] + pairs
            histograms[j, 3] += whole
            # The squares of what the classes split into: 1 + 1 or 4 for two rows; 4 + 1, 1 + 1 + 1 or 9 for three.
            squares[j] += 2 * (n_two - equal[0, j]) + 4 * equal[0, j] + 5 * pairs + 3 * apart + 9 * whole


@compiled(*((matrix, "i8", *[Int32s] * 9, Int64s, Int64s) for matrix in MATRICES), n_results=6)
def refine(  # noqa: C901 - one loop nest; parts of it on their own would pass all its state back and forth
    matrix, column, rows, weights, starts,
    counts, sizes, touched,
    out_rows, out_weights, out_starts, whole, finished,
):  # fmt: skip
    """Build the partition that one more column makes, without the classes of one distinct row.

    Returns rows and classes left, squares and smallest of all classes, the same of those finished; adds to the
    histograms `whole` and `finished`.
    """
    top = len(whole) - 1
    squares = np.int64(0)
    smallest = np.int64(NONE)
    finished_squares = np.int64(0)
    finished_smallest = np.int64(NONE)
    unit = len(weights) == 0
    n_rows = 0
    n_classes = 0
    out_starts[0] = 0
    for c in range(len(starts) - 1):
        a = starts[c]
        b = starts[c + 1]
        n = 0
        for i in range(a, b):
            code = matrix[rows[i], column]
            f = counts[code]
            touched[n] = code
            n += f == 0
            counts[code] = f + 1
            if not unit:
                sizes[code] += weights[i]
        for t in range(n):
            code = touched[t]
            members = counts[code]
            f = np.int64(members) if unit else np.int64(sizes[code])
            squares += f * f
            whole[min(f, top)] += 1
            if f >= top:
                smallest = min(smallest, f)
            if members == 1:
                finished[min(f, top)] += 1
                finished_squares += f * f
                if f >= top:
                    finished_smallest = min(finished_smallest, f)
                counts[code] = -1
            else:
                counts[code] = n_rows
                n_rows += members
                n_classes += 1
                out_starts[n_classes] = n_rows
        for i in range(a, b):
            row = rows[i]
            code = matrix[row, column]
            at = counts[code]
            if at >= 0:
                out_rows[at] = row
                counts[code] = at + 1
                if not unit:
                    out_weights[at] = weights[i]
        for t in range(n):
            counts[touched[t]] = 0
            if not unit:
                sizes[touched[t]] = 0
    return n_rows, n_classes, squares, smallest, finished_squares, finished_smallest
