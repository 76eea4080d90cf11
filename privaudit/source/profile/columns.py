"""Statistics of a column.

Question: how many cells are missing, how many values are distinct or unique, what are their lengths and data type?
Method: one group-by per column gives every distinct value with its number of rows; everything here follows from it,
so nothing depends on the order of rows. Sums are of integers, or of floats over a sorted histogram.
Limits: the data type is inferred from the text; up to 1 % of the cells may have another form. A text such as "NA" is
a value, counted as suppressed, not as missing.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from privaudit.base import parallel
from privaudit.base.arrays import Ints
from privaudit.base.arrow import pa, pc
from privaudit.model import ColumnProfile, DataType
from privaudit.settings.config import Progress, silent
from privaudit.source.dataset import Dataset, Frequencies
from privaudit.source.profile.alphabet import alphabet
from privaudit.source.profile.numbers import count_decimals, parse_numbers

COUNTER_ROWS = 10
_BLANKS = [9, 10, 12, 13, 32]


FEWEST = 11
"""Fewest cells from which an extreme is reported: the smallest group that the public edition shows."""


def profile(
    dataset: Dataset, progress: Progress = silent, *, threads: int | None = None, spent: parallel.Spent | None = None
) -> tuple[ColumnProfile, ...]:
    """Return the statistics of every column of `dataset`, in its order; `threads` does not change them.

    The processor time of each column is added to `spent`.
    """

    def measure(column: str) -> ColumnProfile:
        with parallel.timed(spent, column):
            return profile_column(column, dataset.frequencies(column), declared=dataset.declared.get(column))

    found = parallel.each(
        measure,
        dataset.columns,
        parallel.threads_for(dataset.n_rows, threads),
        started=lambda i: progress("Profiling columns", i / len(dataset.columns)),
        size=dataset.stored_bytes,
    )
    progress("Profiling columns", 1.0)
    return tuple(found)


def profile_column(name: str, cells: Frequencies, *, declared: str | None = None) -> ColumnProfile:
    """Return the statistics of one column from its distinct values.

    Parameters
    ----------
    cells : Frequencies
        d distinct values, their int64 counts, and the number of missing cells.
    declared : str, optional
        The data type that the source declares.
    """
    from privaudit.source.profile.data_types import infer_data_type
    from privaudit.source.profile.suppression import generalised_as, is_suppressed

    n, d = cells.n_present, cells.n_distinct
    suppressed = is_suppressed(cells.values)
    inferred = infer_data_type(cells.values, cells.counts, suppressed, declared=declared)
    return ColumnProfile(
        name=name,
        data_type=inferred.data_type,
        n_rows=n + cells.n_missing,
        n_missing=cells.n_missing,
        n_distinct=d,
        n_held_once=cells.n_held_once,
        uniqueness=d / n if n else None,
        entropy_bits=_entropy(cells),
        **_lengths(cells),
        date_precision=inferred.date_precision,
        geo_decimals=_geo_decimals(cells, inferred.data_type),
        monotonic=_is_counter(cells, inferred.data_type),
        constant=d + (cells.n_missing > 0) == 1,
        n_suppressed=int(cells.counts[suppressed].sum()) * (1 if cells.totals is None else cells.totals.scale),
        generalised=generalised_as(cells.values, suppressed) if inferred.data_type in ("text", "integer") else None,
    )


def _entropy(cells: Frequencies) -> float | None:
    if not cells.n_present:
        return None
    return round(entropy_bits(cells.counts) if cells.totals is None else cells.totals.entropy_bits, 3)


def entropy_bits(counts: Ints) -> float:
    """Shannon entropy of a column in bits, the same to the last bit for any order of `counts`.

    ``log2 n - (1/n) * sum_i c_i log2 c_i``, n the sum of the counts; the sum runs over the sorted histogram of
    counts and is rounded once.

    Parameters
    ----------
    counts : int64 array of length d, each at least 1

    Returns
    -------
    float, 0 to log2 d.
    """
    n = int(counts.sum())
    sizes, times = np.unique(counts, return_counts=True)
    if len(sizes) == 1 and sizes[0] == n:
        return 0.0
    inner = math.fsum(int(t) * int(c) * math.log2(int(c)) for c, t in zip(sizes, times, strict=True))
    return max(math.log2(n) - inner / n, 0.0)


def _lengths(cells: Frequencies) -> dict[str, Any]:
    """Return length range and means over cells, in characters and words; empty where all cells are missing.

    The range excludes the `FEWEST` - 1 shortest and longest cells, and is absent where none remains, because the
    longest cell belongs to one person; a length that all cells have is kept. Means have one decimal.
    """
    n_read = int(cells.counts.sum())
    if not n_read:
        return {}
    lengths, cells_of = _cells_by_length(cells)
    words = count_words(cells.values)
    return {
        **_range(lengths, cells_of),
        "length_mean": round(int(lengths @ cells_of) / n_read, 1),
        "words_mean": round(int(words @ cells.counts) / n_read, 1),
    }


def _cells_by_length(cells: Frequencies) -> tuple[Ints, Ints]:
    """Return the lengths that values have, ascending, and the number of cells with each."""
    coded = pc.utf8_length(cells.values).dictionary_encode()
    lengths = _ints(coded.dictionary)
    order = np.argsort(lengths)
    n_cells = np.bincount(_ints(coded.indices), weights=cells.counts).astype(np.int64)
    return lengths[order], n_cells[order]


def _range(lengths: Ints, cells: Ints) -> dict[str, int]:
    """Return the lengths that at least `FEWEST` cells reach from below and from above."""
    if len(lengths) == 1:
        return {"length_min": int(lengths[0]), "length_max": int(lengths[0])}
    below, above = np.cumsum(cells), np.cumsum(cells[::-1])
    if int(below[-1]) < FEWEST:
        return {}
    first, last = np.searchsorted(below, FEWEST), np.searchsorted(above, FEWEST)
    return {"length_min": int(lengths[first]), "length_max": int(lengths[::-1][last])}


def count_words(values: pa.Array) -> Ints:
    """Count the blank-separated words of every value, without missing ones; int64 array of length d.

    Single spaces are counted, which is fast; only values with other blanks, repeated spaces or spaces at an end are
    split. Where no value has a blank, each is one word.
    """
    seen = alphabet(values)
    has_empty = not len(values) or not pc.min(pc.binary_length(values)).as_py()
    if not has_empty and not seen[_BLANKS].any():
        return np.ones(len(values), dtype=np.int64)
    words = _ints(pc.count_substring(values, " "))
    words += 1
    if has_empty or seen[_BLANKS[:-1]].any():
        odd = pc.match_substring_regex(values, r"[\t\n\f\r]|  |^ | $|^$")
    else:
        odd = pc.or_(pc.starts_with(values, " "), pc.ends_with(values, " "))
        odd = pc.or_(odd, pc.match_substring(values, "  "))
    places = np.flatnonzero(odd.to_numpy(zero_copy_only=False))
    if len(places):
        words[places] = _ints(pc.count_substring_regex(values.filter(odd), r"\S+"))
    return words


def _ints(values: pa.Array) -> Ints:
    return values.to_numpy(zero_copy_only=False).astype(np.int64)


def _is_counter(cells: Frequencies, data_type: DataType) -> bool:
    """Whether the cells number the rows: every whole number of a range once, none missing.

    The order of rows does not matter, so that shuffling a table changes nothing. A short range must begin at 0 or 1:
    three people aged 40, 41 and 42 are not a numbering.
    """
    n = cells.n_present
    if data_type not in ("integer", "decimal") or cells.n_missing or cells.totals or n != len(cells.counts) or n < 3:
        return False
    numbers = parse_numbers(cells.values)
    low, high = numbers.min(), numbers.max()
    if not (np.isfinite(low) and high - low == n - 1 and (numbers == np.floor(numbers)).all()):
        return False
    return bool(low in (0, 1) or n >= COUNTER_ROWS)


def _geo_decimals(cells: Frequencies, data_type: DataType) -> int | None:
    """Return the largest number of decimals of a column whose numbers could be degrees, None for other columns."""
    if data_type != "decimal":
        return None
    numbers = parse_numbers(cells.values)
    numbers = numbers[np.isfinite(numbers)]
    return count_decimals(cells.values) if len(numbers) and np.abs(numbers).max() <= 180 else None
