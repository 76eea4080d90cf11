"""The compiled inner loops of the partition kernel.

Question: how does one more column split the classes of a partition?
Method: count codes inside each class in a scratch array that is zero between classes. Large classes are swept
over the whole dictionary, small ones over the codes they touched, pairs of rows are compared.
Limits: the caller provides all memory; nothing is checked. An empty `weights` array means that all are 1.
"""
# mypy: disable-error-code="no-untyped-def"
# The loops are compiled from the types of their arguments; annotations would say nothing to the compiler.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` free of the interpreter's lock, kept on disk where there is a place to keep it."""
    try:
        return numba.njit(cache=True, nogil=True)(function)  # type: ignore[no-any-return]
    except RuntimeError:  # neither the package's folder nor the user's can be written: compile anew each time
        return numba.njit(nogil=True)(function)  # type: ignore[no-any-return]


@compiled
def gather(codes, rows):
    """Return ``codes[rows]``."""
    laid = np.empty(len(rows), dtype=np.int32)
    for i in range(len(rows)):
        laid[i] = codes[rows[i]]
    return laid


@compiled
def count_codes(codes, rows, weights, a, b, counts, touched):
    """Add the weights of rows a..b to `counts` by code; return how many codes were touched for the first time."""
    n = 0
    if len(weights) == 0:
        for i in range(a, b):
            code = codes[rows[i]]
            f = counts[code]
            touched[n] = code
            n += f == 0
            counts[code] = f + 1
    else:
        for i in range(a, b):
            code = codes[rows[i]]
            f = counts[code]
            touched[n] = code
            n += f == 0
            counts[code] = f + weights[i]
    return n


@compiled
def sweep_codes(codes, rows, weights, a, b, counts):
    """Add the weights of rows a..b to `counts` by code."""
    if len(weights) == 0:
        for i in range(a, b):
            counts[codes[rows[i]]] += 1
    else:
        for i in range(a, b):
            counts[codes[rows[i]]] += weights[i]


@compiled
def count_classes(codes, cardinality, rows, weights, starts, counts, touched, histogram):
    """Count the classes that one more column makes, without building them.

    Returns the sum of squared sizes and the smallest size; adds to `histogram`.
    """
    top = len(histogram) - 1
    squares = np.int64(0)
    smallest = np.int64(2147483647)
    unit = len(weights) == 0
    for c in range(len(starts) - 1):
        a = starts[c]
        b = starts[c + 1]
        if b - a == 2:
            f = np.int64(1) if unit else np.int64(weights[a])
            g = np.int64(1) if unit else np.int64(weights[a + 1])
            if codes[rows[a]] == codes[rows[a + 1]]:
                f += g
            else:
                histogram[min(g, top)] += 1
                squares += g * g
                smallest = min(smallest, g)
            histogram[min(f, top)] += 1
            squares += f * f
            smallest = min(smallest, f)
        elif (b - a) * 4 > cardinality:
            sweep_codes(codes, rows, weights, a, b, counts)
            for code in range(cardinality):
                f = np.int64(counts[code])
                if f:
                    counts[code] = 0
                    histogram[min(f, top)] += 1
                    squares += f * f
                    smallest = min(smallest, f)
        else:
            for t in range(count_codes(codes, rows, weights, a, b, counts, touched)):
                f = np.int64(counts[touched[t]])
                counts[touched[t]] = 0
                histogram[min(f, top)] += 1
                squares += f * f
                smallest = min(smallest, f)
    return squares, smallest


@compiled
def refine(  # noqa: C901 - one loop nest; parts of it on their own would pass all its state back and forth
    codes, cardinality, rows, weights, starts,
    counts, sizes, touched,
    out_rows, out_weights, out_starts, whole, settled,
):  # fmt: skip
    """Build the partition that one more column makes, without the classes that hold one distinct row.

    Returns rows and classes left, sum of squared sizes and smallest size of all classes, the same of those
    settled; adds to the histograms `whole` and `settled`.
    """
    top = len(whole) - 1
    squares = np.int64(0)
    smallest = np.int64(2147483647)
    settled_squares = np.int64(0)
    settled_smallest = np.int64(2147483647)
    unit = len(weights) == 0
    n_rows = 0
    n_classes = 0
    out_starts[0] = 0
    for c in range(len(starts) - 1):
        a = starts[c]
        b = starts[c + 1]
        n = 0
        for i in range(a, b):
            code = codes[rows[i]]
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
            histogram_bin = min(f, top)
            whole[histogram_bin] += 1
            squares += f * f
            smallest = min(smallest, f)
            if members == 1:
                settled[histogram_bin] += 1
                settled_squares += f * f
                settled_smallest = min(settled_smallest, f)
                counts[code] = -1
            else:
                counts[code] = n_rows
                n_rows += members
                n_classes += 1
                out_starts[n_classes] = n_rows
        for i in range(a, b):
            row = rows[i]
            code = codes[row]
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
    return n_rows, n_classes, squares, smallest, settled_squares, settled_smallest


@compiled
def minimal_step(  # noqa: C901 - as above
    codes, rows, weights, starts, known, k,
    members, sizes, touched,
    out_rows, out_starts, minimal, bits,
):  # fmt: skip
    """Split classes by one more column, leaving out rows marked in `known`, and find classes of fewer than k records.

    Their rows are counted in `minimal` and marked in `bits`. Classes of several distinct rows and k records
    or more are written out. Returns rows and classes written, and the records found. Bits run from the
    lowest.
    """
    records = np.int64(0)
    n_rows = 0
    n_classes = 0
    out_starts[0] = 0
    for c in range(len(starts) - 1):
        n = 0
        for i in range(starts[c], starts[c + 1]):
            row = rows[i]
            if known[row >> 3] >> (row & 7) & 1:
                continue
            code = codes[row]
            touched[n] = code
            n += members[code] == 0
            members[code] += 1
            sizes[code] += weights[row]
        for t in range(n):
            code = touched[t]
            if sizes[code] < k:
                records += sizes[code]
                members[code] = -1
            elif members[code] == 1:
                members[code] = -2
            else:
                count = members[code]
                members[code] = n_rows
                n_rows += count
                n_classes += 1
                out_starts[n_classes] = n_rows
        for i in range(starts[c], starts[c + 1]):
            row = rows[i]
            if known[row >> 3] >> (row & 7) & 1:
                continue
            at = members[codes[row]]
            if at >= 0:
                out_rows[at] = row
                members[codes[row]] = at + 1
            elif at == -1:
                minimal[row] += 1
                bits[row >> 3] |= np.uint8(1 << (row & 7))
        for t in range(n):
            members[touched[t]] = 0
            sizes[touched[t]] = 0
    return n_rows, n_classes, records
