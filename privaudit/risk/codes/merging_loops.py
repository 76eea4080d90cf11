"""The compiled loops of a search over recodings: merge classes, count the values in them, close states.

Question: how are thousands of small tables of classes made and counted, each in microseconds?
Method: equal keys meet in a hash table with linear probing [1]_, so nothing is sorted. Values are counted in a table
over (class, value).
Limits: the caller provides all memory; nothing is checked. Classes are numbered in the order in which they first occur.

References
----------
.. [1] D. E. Knuth, The Art of Computer Programming, volume 3, section 6.4.
"""
# mypy: disable-error-code="no-untyped-def"
# The loops are compiled from the types of their arguments; annotations would not reach the compiler.

from __future__ import annotations

import numpy as np

from privaudit.risk.codes.machine_code import Int32s, Int64s, compiled

Table, Floats, Mask = "i8[:, ::1]", "f8[::1]", "b1[::1]"
LABELS = "u1[::1]", "u2[::1]", "u4[::1]"
"""The types of the numbers of classes."""


@compiled((Table, Table, Table, Table, Int32s, Int32s, Table, Table, Table, Int32s), n_results=1)
def merge_classes(  # noqa: C901 - one loop nest; parts of it on their own would pass all its state back and forth
    keys, counts, marks, places, lookups, slots, out_keys, out_counts, out_marks, labels
):
    """Replace codes in some bits of every key; add up the counts and unite the marks of equal keys.

    Returns the number of classes. A line of `places` has the word, the shift and the mask of a column, and where its
    new codes begin in `lookups`. The length of `slots` is a power of two above that of `keys`. Row i of `keys` is in
    class ``labels[i]``.
    """
    width = keys.shape[1]
    for i in range(len(keys)):
        for w in range(width):
            out_keys[i, w] = keys[i, w]
    for c in range(len(places)):
        w, shift, mask, first = places[c, 0], places[c, 1], places[c, 2], places[c, 3]
        for i in range(len(keys)):
            code = (out_keys[i, w] >> shift) & mask
            out_keys[i, w] += (np.int64(lookups[first + code]) - code) << shift
    last = len(slots) - 1
    slots[:] = -1
    n = 0
    for i in range(len(keys)):
        mixed = np.uint64(0)
        for w in range(width):
            mixed = (mixed ^ np.uint64(out_keys[i, w])) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(32)
        at = np.int64(mixed & np.uint64(last))
        number = slots[at]
        while number >= 0:
            equal = True
            for w in range(width):
                equal &= out_keys[number, w] == out_keys[i, w]
            if equal:
                break
            at = (at + 1) & last
            number = slots[at]
        if number < 0:
            number = n
            slots[at] = n
            for w in range(width):
                out_keys[n, w] = out_keys[i, w]  # n is not above i, whose key was read
            for j in range(counts.shape[1]):
                out_counts[n, j] = counts[i, j]
            for j in range(marks.shape[1]):
                out_marks[n, j] = marks[i, j]
            n += 1
        else:
            for j in range(counts.shape[1]):
                out_counts[number, j] += counts[i, j]
            for j in range(marks.shape[1]):
                out_marks[number, j] |= marks[i, j]
        labels[i] = number
    return n


@compiled(*((labels, *[Int32s] * 3, Int64s, "i8", *[Int64s] * 4) for labels in LABELS), n_results=1)
def count_values(labels, rows, values, counts, places, n_values, counted, out_class, out_value, out_count):
    """Count the records of each value in each class; return the pairs of class and value that occur.

    Class c is counted from ``counted[places[c] * n_values]``, or not at all where its place is negative. The pairs are
    in ascending order where places are.
    """
    counted[:] = -1
    for i in range(len(rows)):
        place = places[labels[rows[i]]]
        if place >= 0:
            at = place * n_values + values[i]
            counted[at] = max(counted[at], 0) + counts[i]
    n = 0
    for c in range(len(places)):
        if places[c] >= 0:
            first = places[c] * n_values
            for value in range(n_values):
                if counted[first + value] >= 0:
                    out_class[n] = c
                    out_value[n] = value
                    out_count[n] = counted[first + value]
                    n += 1
    return n


@compiled()  # the loops below contain it
def _is_finer(keys, i, left, kept):
    """Whether ``(left - key) & kept == kept`` in every word of key i."""
    finer = True
    for w in range(len(left)):
        finer &= (left[w] - keys[i, w]) & kept[w] == kept[w]
    return finer


@compiled((Table, Int64s, Int64s, Floats, "f8", Floats, "f8", Mask), n_results=1)
def raise_bounds(keys, left, kept, base, added, bound, least, is_open):
    """Raise the bound of each open state with ``(left - key) & kept == kept`` to at least its base plus `added`.

    States whose bound is then at least `least` are closed. Returns how many were.
    """
    n = 0
    for i in range(len(keys)):
        if is_open[i] and _is_finer(keys, i, left, kept):
            bound[i] = max(bound[i], base[i] + added)
            if bound[i] >= least:
                is_open[i] = False
                n += 1
    return n


@compiled((Table, Int64s, Int64s, Mask), n_results=1)
def close_finer(keys, left, kept, is_open):
    """Close the states with ``(left - key) & kept == kept``; return how many were open."""
    n = 0
    for i in range(len(keys)):
        if is_open[i] and _is_finer(keys, i, left, kept):
            is_open[i] = False
            n += 1
    return n


@compiled((Table, Int64s, Int64s, Int64s), n_results=1)
def smallest_finer(keys, left, kept, lengths):
    """Return the shortest state with ``(left - key) & kept == kept``, the last of several; -1 if there is none."""
    found = -1
    for i in range(len(keys)):
        if (found < 0 or lengths[i] <= lengths[found]) and _is_finer(keys, i, left, kept):
            found = i
    return found
