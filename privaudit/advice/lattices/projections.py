"""Bounds of every state of a lattice from projections of the table on two halves of its columns.

Question: how many classes can a state keep, and how few records can it suppress, before its classes are counted?
Method: the columns are split into two halves. A half has few states, and the classes of all of them are counted. A
class of a state is a pair of a class of either half. Let a class c of one half have n_c records, and let the other half
have d classes, e of them with at least k records.

1. A class that is kept has at least k records, so at most min(n_c // k, e) classes inside c are kept.
2. The squares of at most d numbers with sum n_c add up to n_c^2 / d at least.
3. A class of a half is a union of classes of the state: where it has fewer than k records, all of them fail.

Several splits are used, so that two columns are in different halves of at least one; the best bound counts.
Limits: a half of more than `MOST_HALF` states is not counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

import numpy as np

from privaudit.advice.effect.class_table import ClassTable
from privaudit.advice.lattices.lattice import Lattice
from privaudit.base.arrays import Floats, Ints
from privaudit.base.records import dataclass
from privaudit.risk.codes.packing import Packing

Levels = Sequence[Sequence[int]]
MOST_HALF = 2_000


@dataclass(frozen=True, slots=True)
class Projected:
    """Bounds of all states, the steps of the last column fastest.

    Attributes
    ----------
    kept : float64 array
        Most classes that can be kept.
    squares : float64 array
        Least sum of squared class sizes.
    suppressed : float64 array
        Fewest records that are suppressed.
    suppressed_squares : float64 array
        Largest sum of squared class sizes of such records.
    """

    kept: Floats
    squares: Floats
    suppressed: Floats
    suppressed_squares: Floats


def projected(lattice: Lattice, levels: Levels) -> Projected:
    """Return the bounds of all states of `levels`."""
    n_states = prod(map(len, levels))
    n, k = lattice.trial.coded.n_rows, max(1, lattice.protection.k)
    kept, squares = np.full(n_states, float(n // k)), np.zeros(n_states)
    gone, gone_squares = np.zeros(n_states), np.zeros(n_states)
    for halves in _splits(lattice, levels):
        if max(prod(len(levels[i]) for i in half) for half in halves) > MOST_HALF:
            continue
        sizes = [_sizes(lattice, levels, half) for half in halves]
        numbers = [_numbered(levels, half) for half in halves]
        for own, other in ((0, 1), (1, 0)):
            d = np.array([len(each) for each in sizes[other]], dtype=np.float64)
            e = np.array([int((each >= k).sum()) for each in sizes[other]])
            most = np.stack([_capped(each // k, e) for each in sizes[own]])
            least = np.array([float((each.astype(np.float64) ** 2).sum()) for each in sizes[own]])[:, None] / d
            small = [each[each < k] for each in sizes[own]]
            lost = np.array([int(each.sum()) for each in small])[numbers[own]]
            lost_squares = np.array([int((each**2).sum()) for each in small])[numbers[own]]
            pairs = numbers[own], numbers[other]
            kept, squares = np.minimum(kept, most[pairs]), np.maximum(squares, least[pairs])
            more = lost > gone
            gone, gone_squares = np.where(more, lost, gone), np.where(more, lost_squares, gone_squares)
    return Projected(kept, squares, gone, gone_squares)


def _splits(lattice: Lattice, levels: Levels) -> Iterator[tuple[list[int], list[int]]]:
    """Yield halves of the columns: by each bit of their rank by number of values, so that every pair is split."""
    values = [len(words) for words in lattice.trial.coded.dictionaries]
    ranked = sorted(range(len(levels)), key=lambda i: (-values[i], i))
    for bit in range(max(0, len(levels) - 1).bit_length()):
        halves: tuple[list[int], list[int]] = ([], [])
        for rank, i in enumerate(ranked):
            halves[rank >> bit & 1].append(i)
        yield sorted(halves[0]), sorted(halves[1])


def _sizes(lattice: Lattice, levels: Levels, columns: Sequence[int]) -> list[Ints]:
    """Return the records of the classes of every state of some columns, ascending, in the order of the states."""
    coded = lattice.trial.coded
    lookups = [[lattice.ladders[i][level].lookup for level in levels[i]] for i in columns]
    packing = Packing([len(coded.dictionaries[i]) + 1 for i in columns])
    keys = packing.pack([coded.codes[i] for i in columns], coded.n_distinct)
    tables = [ClassTable(packing, keys, coded.weights[:, None]).merged({})]
    for i, of in enumerate(lookups):
        tables = [table.merged({i: lookup}) for table in tables for lookup in of]
    return [table.sizes[table.sizes > 0] for table in tables]


def _numbered(levels: Levels, half: Sequence[int]) -> Ints:
    """Return for each state of all columns the number of its state of some columns."""
    n = repeats = prod(map(len, levels))
    number = np.zeros(n, dtype=np.int64)
    for i, usable in enumerate(levels):
        repeats //= len(usable)
        if i in half:
            place = np.tile(np.repeat(np.arange(len(usable)), repeats), n // (repeats * len(usable)))
            number = number * len(usable) + place
    return number


def _capped(most: Ints, caps: Ints) -> Ints:
    """Return for each cap the sum of the numbers of `most`, each at most the cap."""
    ranked = np.sort(most)
    total = np.append(0, np.cumsum(ranked))
    below = np.searchsorted(ranked, caps)
    return np.asarray(total[below] + caps * (len(ranked) - below))
