"""The compiled loops that sort integer keys and add up runs of equal ones.

Question: how are millions of keys sorted faster than by comparison?
Method: a radix sort [1]_ that starts with the lowest digit: each pass counts the digits and moves every key to its
place. It is stable, so bits below `low` stay in their order and need not be sorted.
Limits: the caller provides all memory; nothing is checked. Keys are not negative.

References
----------
.. [1] D. E. Knuth, The Art of Computer Programming, volume 3, section 5.2.5.
"""
# mypy: disable-error-code="no-untyped-def"
# The loops are compiled from the types of their arguments; annotations would not reach the compiler.

from __future__ import annotations

import numpy as np

from privaudit.risk.codes.machine_code import Int32s, Int64s, compiled

DIGIT = 10
"""Bits; the 1,024 places that a pass writes to fit into the caches of a core."""


@compiled((Int64s, Int64s, Int64s, "i8", "i8"), n_results=1)
def radix_sort(keys, room, start, low, high):
    """Sort `keys` by their bits from `low` to below `high`; return 1 if the result is in `room`, 0 if in `keys`.

    `start` has a place for each digit.
    """
    is_moved = 0
    mask = np.int64((1 << DIGIT) - 1)
    for shift in range(low, high, DIGIT):
        start[:] = 0
        for key in keys:
            start[(key >> shift) & mask] += 1
        total = 0
        for digit in range(len(start)):
            n = start[digit]
            start[digit] = total
            total += n
        for key in keys:
            digit = (key >> shift) & mask
            room[start[digit]] = key
            start[digit] += 1
        keys, room = room, keys
        is_moved = 1 - is_moved
    return is_moved


@compiled((Int64s, Int64s, Int64s, Int64s))
def move_bits(keys, sources, masks, targets):
    """Make every key of groups of its bits, each moved from one place to another, in place."""
    for i in range(len(keys)):
        key, made = keys[i], np.int64(0)
        for group in range(len(sources)):
            made |= ((key >> sources[group]) & masks[group]) << targets[group]
        keys[i] = made


@compiled((Int64s, Int32s, Int64s, Int64s), n_results=1)
def number_few(keys, numbers, distinct, labels):
    """Number the distinct keys 0..J-1 in ascending order; `numbers` has a zero for each possible key. Return J."""
    for key in keys:
        numbers[key] = 1
    n = 0
    # In ascending order of the keys, not of the rows: the numbers are the ranks that sorting would give.
    for key in range(len(numbers)):
        if numbers[key]:
            numbers[key] = n
            distinct[n] = key
            n += 1
    for i in range(len(keys)):
        labels[i] = numbers[keys[i]]
    return n


@compiled((Int64s, "i8", Int64s), n_results=1)
def sum_runs(packed, bits, sums):
    """Add up the low `bits` of each run of equal high bits; return the number of runs.

    The high bits of run j replace ``packed[j]``, which was read before.
    """
    mask = (np.int64(1) << bits) - 1
    run, last = -1, np.int64(-1)
    for item in packed:
        key = item >> bits
        if key != last:
            run += 1
            last = key
            packed[run] = key
            sums[run] = 0
        sums[run] += item & mask
    return run + 1


@compiled((Int64s, "i8", Int64s), n_results=1)
def number_runs(packed, bits, labels):
    """Give the row in the low `bits` the number of its run of equal high bits; return the number of runs.

    The high bits of run j replace ``packed[j]``, which was read before.
    """
    mask = (np.int64(1) << bits) - 1
    run, last = -1, np.int64(-1)
    for item in packed:
        key = item >> bits
        if key != last:
            run += 1
            last = key
            packed[run] = key
        labels[item & mask] = run
    return run + 1


@compiled(("i8[:]", "i8", "i8", Int32s))  # one word of keys of several, too
def replace_codes(keys, shift, mask, lookup):
    """Replace the code in some bits of every key with ``lookup[code]``, in place."""
    for i in range(len(keys)):
        code = (keys[i] >> shift) & mask
        # Both codes fit into the mask, so that adding their difference changes no other bit.
        keys[i] += (np.int64(lookup[code]) - code) << shift
