"""Rows with the same integer key are grouped by sorting the keys.

Question: which rows have equal keys, and what do their weights add up to?
Method: a number that must follow its key (the row, or the weight) is put into the low bits of the key where both fit
into 63 bits: sorting integers is several times faster than finding the order that sorts them. Many keys are sorted
by compiled loops (`risk.codes.sorting_loops`) where a compiler is installed; the result is the same. These loops
first omit the bits that no key has, and where few keys are possible they look keys up in a table instead of sorting.
Limits: keys and weights are not negative; `space` is larger than every key. Keys are sorted where they are in memory: a
table of ten million rows has no room for copies, so every function here overwrites the keys that it is given.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Flags, Ints
from privaudit.risk.codes.compiler import worth_loading

BITS = 63
TABLE_BITS = 22
"""Bits of keys that are looked up in a table, of 16 megabytes at most, which is faster than sorting them."""
TABLE_ROWS = 4
"""Possible keys for each row up to which the table pays."""
EXACT = 1 << 53
"""Largest sum up to which floating-point numbers add up whole numbers exactly."""
FEW_KEYS = 1 << 16
"""Possible keys up to which weights are added up in a table that stays in the caches of a core."""
SAMPLED = 1000
"""Keys that are compared before all of them, to find out whether they are sorted."""
NUMBERED = 1 << 16
"""Keys that are numbered at a time, so that the numbers stay in the caches of a core."""
VISITS = 100
"""Visits of a row in the search over sets that take as long as sorting its key by comparison."""


def sort_rows(keys: Ints, space: int) -> tuple[Ints, Ints]:
    """Return the sorted keys and the row of each; rows with equal keys are in any order."""
    bits = max(1, len(keys) - 1).bit_length()
    if space > 1 << (BITS - bits):
        order = _order_of_long(keys, bits, space) if _pays(len(keys)) else np.argsort(keys)
        return keys[order], order
    packed = _with_rows(keys, bits, space)
    ranked = packed >> bits
    packed &= (1 << bits) - 1
    return ranked, packed


def _order_of_long(keys: Ints, bits: int, space: int) -> Ints:
    """Return the order of keys that do not fit next to their row: sorted by their low bits, then by the others.

    The second sort is stable, so keys with the same high bits stay in the order of the low ones.
    """
    low, row = BITS - bits, (1 << bits) - 1
    order = _with_rows(keys & ((1 << low) - 1), bits, 1 << low)
    order &= row
    high = keys[order]
    high >>= low
    high <<= bits
    high |= order
    order = _sorted(high, bits, (space >> low) + 1)[0]
    order &= row
    return order


def first_of_each(ranked: Ints) -> Flags:
    """Return which of the sorted keys differ from the key before them."""
    first = np.ones(len(ranked), dtype=bool)
    np.not_equal(ranked[1:], ranked[:-1], out=first[1:])
    return first


def number_keys(keys: Ints, space: int) -> tuple[Ints, Ints]:
    """Number the distinct keys 0..J-1 in ascending order; return the number of each row's key, and the J keys."""
    if _pays(len(keys)):
        groups = _UsedBits.of(keys, space, max(1, len(keys) - 1).bit_length())
        # Where no bit is omitted, `space` can be less than what the bits allow, and the table over it smaller.
        labels, distinct = _number(groups.squeezed(keys), min(space, 1 << groups.n))
        return labels, groups.spread(distinct)
    return _number_sorted(keys, space)


def _number_sorted(keys: Ints, space: int) -> tuple[Ints, Ints]:
    """Return what `number_keys` does, from the sorted keys."""
    labels = np.empty(len(keys), dtype=np.int64)
    ranked, order = sort_rows(keys, space)
    first = first_of_each(ranked)
    labels[order] = np.cumsum(first) - 1
    return labels, ranked[first]


def _number(keys: Ints, space: int) -> tuple[Ints, Ints]:
    """Return what `number_keys` does, by compiled loops."""
    from privaudit.risk.codes.sorting_loops import number_few, number_runs

    bits = max(1, len(keys) - 1).bit_length()
    labels = np.empty(len(keys), dtype=np.int64)
    if space <= 1 << TABLE_BITS and space <= TABLE_ROWS * len(keys):
        distinct = np.empty(min(space, len(keys)), dtype=np.int64)
        return labels, _cut(distinct, number_few(keys, np.zeros(space, dtype=np.int32), distinct, labels))
    if space <= 1 << (BITS - bits):
        packed = _with_rows(keys, bits, space)
        return labels, _cut(packed, number_runs(packed, bits, labels))
    return _number_sorted(keys, space)


class _UsedBits:
    """The groups of neighbouring bits that any of many keys has: without the others, the order of the keys is the same.

    Attributes
    ----------
    n : int
        Bits in all groups.
    """

    def __init__(self, used: int) -> None:
        self.groups: list[tuple[int, int, int]] = []
        self.n, at = 0, 0
        while used >> at:
            # x & -x is the lowest bit of x: the zeros below it are skipped.
            at += ((used >> at) & -(used >> at)).bit_length() - 1
            # ~x & (x + 1) is the lowest bit that x lacks: the ones below it are a group.
            width = (~(used >> at) & ((used >> at) + 1)).bit_length() - 1
            self.groups.append((at, (1 << width) - 1, self.n))
            self.n += width
            at += width

    @classmethod
    def of(cls, keys: Ints, space: int, n_after: int) -> _UsedBits:
        """Return the groups of bits that occur in `keys`, or one group of all bits where moving bits does not pay.

        `n_after` bits are packed next to each key. Moving bits pays if it saves a pass of the sort, or if the keys only
        then fit into a table or, with what follows, into one word.
        """
        from privaudit.risk.codes.sorting_loops import DIGIT

        used, n_all = int(np.bitwise_or.reduce(keys)), max(1, int(space - 1).bit_length())
        n = used.bit_count()
        saves_a_pass = -(-n // DIGIT) < -(-n_all // DIGIT)
        if saves_a_pass or n <= TABLE_BITS < n_all or n_all + n_after > BITS:
            return cls(used)
        return cls((1 << n_all) - 1)

    @property
    def _are_low(self) -> bool:
        return len(self.groups) <= 1 and all(at == 0 for at, _, _ in self.groups)

    def squeezed(self, keys: Ints) -> Ints:
        """Return `keys` without the bits that none has."""
        return keys if self._are_low else self._moved(keys, 0, 2)

    def spread(self, keys: Ints) -> Ints:
        """Return the keys that `squeezed` made shorter."""
        return keys if self._are_low else self._moved(keys, 2, 0)

    def _moved(self, keys: Ints, source: int, target: int) -> Ints:
        from privaudit.risk.codes.sorting_loops import move_bits

        by = np.array(self.groups, dtype=np.int64)
        move_bits(keys, by[:, source].copy(), by[:, 1].copy(), by[:, target].copy())
        return keys


def sum_by_key(keys: Ints, weights: Ints, space: int) -> tuple[Ints, Ints]:
    """Return the distinct keys in ascending order, and the exact sum of the weights of each."""
    few = 0 < space <= min(FEW_KEYS, TABLE_ROWS * len(keys))
    if few and int(weights.min()) > 0 and int(weights.max()) <= EXACT // len(keys):
        sums = np.bincount(keys, weights=weights)
        distinct = np.flatnonzero(sums)
        return distinct, sums[distinct].astype(np.int64)
    if _pays(len(keys)):
        groups = _UsedBits.of(keys, space, int(weights.max(initial=1)).bit_length())
        distinct, sums = _sum(groups.squeezed(keys), weights, min(space, 1 << groups.n))
        return groups.spread(distinct), sums
    return _sum(keys, weights, space)


def _sum(keys: Ints, weights: Ints, space: int) -> tuple[Ints, Ints]:
    bits = int(weights.max(initial=1)).bit_length()
    if space > 1 << (BITS - bits):
        ranked, order = sort_rows(keys, space)
        weights = weights[order]
    else:
        keys <<= bits
        keys |= weights
        packed, room = _sorted(keys, bits, space)
        if _pays(len(packed)):
            from privaudit.risk.codes.sorting_loops import sum_runs

            room = np.empty_like(packed) if room is None else room
            n = sum_runs(packed, bits, room)
            return _cut(packed, n), _cut(room, n)
        ranked = packed >> bits
        packed &= (1 << bits) - 1
        weights = packed
    start = np.flatnonzero(first_of_each(ranked))
    return ranked[start], np.add.reduceat(weights, start) if len(start) else weights


def replace_codes(keys: Ints, shift: int, mask: int, lookup: npt.NDArray[np.integer]) -> None:
    """Replace the code in some bits of every key with ``lookup[code]``, in place."""
    if _pays(len(keys)):
        from privaudit.risk.codes import sorting_loops

        sorting_loops.replace_codes(keys, shift, mask, lookup)
    else:
        code = (keys >> shift) & mask
        keys += (lookup[code] - code) << shift


def _with_rows(keys: Ints, bits: int, space: int) -> Ints:
    """Return the sorted keys, with the row of each in the low `bits`."""
    keys <<= bits
    for start in range(0, len(keys), NUMBERED):
        some = keys[start : start + NUMBERED]
        some |= np.arange(start, start + len(some))
    return _sorted(keys, bits, space)[0]


def _sorted(packed: Ints, bits: int, space: int) -> tuple[Ints, Ints | None]:
    """Return integers sorted by what is above their low `bits`, keys below `space`; and memory that is free again."""
    if _is_ascending(packed):
        return packed, None
    if not _pays(len(packed)):
        packed.sort()
        return packed, None
    from privaudit.risk.codes.sorting_loops import DIGIT, radix_sort

    room, start = np.empty_like(packed), np.empty(1 << DIGIT, dtype=np.int64)
    is_moved = radix_sort(packed, room, start, bits, bits + max(1, int(space - 1).bit_length()))
    return (room, packed) if is_moved else (packed, room)


def _is_ascending(keys: Ints) -> bool:
    """Whether keys are sorted; a few of them show that most are not."""
    # The first keys alone decide for almost every unsorted table, which then costs no second pass.
    return not any(bool((part[1:] < part[:-1]).any()) for part in (keys[:SAMPLED], keys))


def _cut(made: Ints, n: int) -> Ints:
    """Return the first `n` numbers; the rest is not kept in memory where it is most of them."""
    return made[:n] if 2 * n > len(made) else made[:n].copy()


def _pays(n_keys: int) -> bool:
    """Return whether compiled loops are faster, including the time to load them."""
    return worth_loading(VISITS * n_keys)
