"""Rows of codes as integers: one key for each row.

Question: which rows of codes are equal, and in which order are they?
Method: the codes of a row are the digits of an integer. Columns whose digits do not fit into it begin a new one, after
the number of the distinct rows over the columns before them; so a distinct key leads back to its codes.
The codes of a column follow the order of its texts: a few texts divide the others into parts, which are sorted side by
side.
Limits: a code is below the cardinality of its column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Codes, Ints
from privaudit.base.arrow import pa, pc
from privaudit.base.parallel import each, threads_for
from privaudit.base.records import dataclass
from privaudit.risk.codes.sorted_keys import number_keys

Labels = Ints

KEY_SPACE = 1 << 62
DECODED = 1 << 16
"""Keys that are decoded at a time, so that they stay in the caches of a core."""


@dataclass(frozen=True, slots=True)
class RowKeys:
    """Rows of codes as one integer each, in the order of the rows.

    Attributes
    ----------
    key : int64 array of shape (r,)
    space : int
        Larger than every key.
    cardinalities : tuple of int
        Of the columns whose codes are digits of the key, after the number of the row in `earlier`.
    earlier : RowKeys or None
        The distinct rows over the columns before these, which did not fit into the same integer.
    """

    key: Labels
    space: int
    cardinalities: tuple[int, ...]
    earlier: RowKeys | None = None

    @classmethod
    def of(cls, codes: Sequence[Codes], cardinalities: Sequence[int], *, length: int = 0) -> RowKeys:
        """Return the keys of rows of codes; `length` is the number of rows without columns."""
        key = np.zeros(len(codes[0]) if codes else length, dtype=np.int64)
        space, first, earlier = 1, 0, None
        for i, (code, cardinality) in enumerate(zip(codes, cardinalities, strict=True)):
            if space * cardinality >= KEY_SPACE:
                key, distinct = number_keys(key, space)
                earlier = cls(distinct, space, tuple(cardinalities[first:i]), earlier)
                space, first = len(distinct), i
            key *= cardinality
            key += code
            space *= cardinality
        return cls(key, space, tuple(cardinalities[first:]), earlier)

    def codes(self, key: Labels) -> list[Codes]:
        """Return the codes of each column in the rows of some keys."""
        found = [np.empty(len(key), dtype=np.int32) for _ in self.cardinalities]
        number = np.empty(len(key), dtype=np.int64) if self.earlier is not None else None
        for start in range(0, len(key), DECODED):
            rows = slice(start, start + DECODED)
            left = key[rows]
            for code, cardinality in zip(reversed(found), reversed(self.cardinalities), strict=True):
                above = left // cardinality
                # A product and a difference take less time than a second division for the remainder.
                code[rows] = left - above * cardinality
                left = above
            if number is not None:
                number[rows] = left
        return found if self.earlier is None else [*self.earlier.codes(self.earlier.key[number]), *found]


def dense_labels(codes: Sequence[Codes], *, length: int = 0) -> tuple[Labels, int]:
    """Number the distinct tuples of codes 0..J-1 in their lexicographic order; `length` rows without columns are one.

    The tuples are packed into one integer, re-numbered densely whenever the next column would not fit. Nothing is
    sorted where the rows are in that order, as those of a coded table are over its first columns.
    """
    ranked = _ranked(codes)
    if ranked is not None:
        return ranked
    keys = RowKeys.of(codes, [int(code.max(initial=0)) + 1 for code in codes], length=length)
    return dense_keys(keys.key, keys.space)


def _ranked(codes: Sequence[Codes]) -> tuple[Labels, int] | None:
    """Number the rows of codes that are in ascending order; None where they are not."""
    if not codes or not len(codes[0]):
        return None
    is_later = np.zeros(len(codes[0]) - 1, dtype=bool)
    for code in codes:
        before, after = code[:-1], code[1:]
        # Once a column is larger, the row is later whatever the columns after it contain.
        if bool(((after < before) & ~is_later).any()):
            return None
        is_later |= after != before
    labels = np.zeros(len(codes[0]), dtype=np.int64)
    np.cumsum(is_later, out=labels[1:])
    return labels, int(labels[-1]) + 1


def dense_keys(key: Labels, space: int) -> tuple[Labels, int]:
    """Number keys of 0..space-1 in ascending order, without gaps: by a table where that is small, else by sorting."""
    # A table costs memory and time by its possible keys, sorting by its rows: far more keys than rows are sorted.
    if space <= max(4 * len(key), 1 << 16):
        present = np.zeros(space, dtype=bool)
        present[key] = True
        rank = np.cumsum(present) - 1
        return rank[key], int(present.sum())
    labels, distinct = number_keys(key, space)
    return labels, len(distinct)


def sums(labels: npt.NDArray[np.integer], weights: Ints, n_classes: int) -> Ints:
    """Return the sum of integer `weights` in each class, exact."""
    totals = np.zeros(n_classes, dtype=np.int64)
    # `np.bincount` adds weights as floats, which are exact up to 2^53 only.
    np.add.at(totals, labels, weights)
    return totals


# No more digits and no larger exponent than a float64 holds, so that the cast to numbers never overflows: infinite
# values would all be equal.
MOST_DIGITS = 300
NUMBER = r"^[+-]?[0-9]{1,300}(\.[0-9]*)?$|^[+-]?[0-9]{1,15}(\.[0-9]*)?([eE][+-]?[0-9]{1,2}|[eE]-[0-9]{3})$"
SHORT_NUMBER = NUMBER.replace("{1,300}", "+")
"""The same for texts that have no more characters: RE2 writes a part that is repeated 300 times 300 times."""
PARTS = 8
"""Parts of many texts; each costs one comparison of every text."""
MANY = 100_000
SAMPLED = 512
"""Texts from which those that divide the others are chosen."""

Order = Ints


def sorting_order(values: pa.Array, threads: int | None = None) -> Order:
    """Return the order that sorts distinct text: by number where all are numbers, otherwise (and for ties) by text.

    Parameters
    ----------
    values : pyarrow.Array of distinct text
    threads : int, optional
        Those that the number of texts suggests where not given.
    """
    from privaudit.source.profile.matches import matches

    by_text = text_order(values, threads)
    if not len(values):
        return by_text
    if re.match(SHORT_NUMBER, values[0].as_py()) is None:  # in most columns of words the first value shows it
        return by_text
    is_short = pc.max(pc.binary_length(values)).as_py() <= MOST_DIGITS
    if not matches(values, SHORT_NUMBER if is_short else NUMBER).all():
        return by_text
    number = pc.cast(pc.replace_substring_regex(values, r"^\+", ""), pa.float64()).to_numpy()
    order = np.argsort(number[by_text], kind="stable")
    return np.asarray(by_text[order], dtype=np.int64)


def text_order(values: pa.Array, threads: int | None = None) -> Order:
    """Return the order that sorts distinct text by its code points; parameters as in `sorting_order`."""
    return _order(values) if len(values) < MANY else _order_by_parts(values, threads)


def _order(values: pa.Array) -> Order:
    return pc.sort_indices(values).to_numpy().astype(np.int64)


def _order_by_parts(values: pa.Array, threads: int | None) -> Order:
    """Return the order of many texts, sorted part by part."""
    sample = values.take(pa.array(np.arange(0, len(values), len(values) // SAMPLED)))
    sample = sample.take(pa.array(_order(sample)))
    # A text equal to a divider goes into the upper part, so that the parts do not overlap and can be concatenated.
    part = np.zeros(len(values), dtype=np.int8)
    for i in range(1, PARTS):
        part += pc.greater_equal(values, sample[i * len(sample) // PARTS]).to_numpy(zero_copy_only=False)

    def sort(number: int) -> Order:
        at = np.flatnonzero(part == number)
        return at[_order(values.take(pa.array(at)))]

    return np.concatenate(each(sort, range(PARTS), threads_for(len(values), threads)))
