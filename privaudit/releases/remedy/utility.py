"""What is left of the table: cells, distributions, means, correlations, margins of pairs.

Question: what can still be learnt from the remedied table?
Method: each row of the remedied table is compared with the row of the source that it was made of. Distributions and
margins are compared with the source as it was: a band is another value than its numbers, and a pair with a dropped
column is lost. What suppression alone changed is stated as well: there, values are compared in the terms of the
remedied table, where a value of the source always became the same value.
Limits: no measure knows what the table is used for; `privaudit.releases.remedy.task_utility` measures one use. Of more
than 200 pairs of columns, 200 are compared, evenly spread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from privaudit.model.remedied import ColumnUtility, Distribution, Utility
from privaudit.releases.remedy.middles import numbers_of
from privaudit.risk.codes.coded import encode_column

if TYPE_CHECKING:
    import pyarrow as pa

Codes = npt.NDArray[np.int64]
CompactCodes = npt.NDArray[np.unsignedinteger]
"""Codes in the smallest type that holds them: those of all columns are in memory at once."""
Floats = npt.NDArray[np.float64]
N_BARS = 12
"""Intervals or values of a distribution."""
MOST_PAIRS = 200
DIGITS = 6


@dataclass(frozen=True)
class _Both:
    """One column before and after, as codes of one dictionary.

    ``before`` has a code for each row of the source, and ``mapped`` has it in the terms of the remedied table where
    each value of the source became one value. ``values`` has the number of each code, where the values are numbers.
    """

    name: str
    before: CompactCodes
    mapped: CompactCodes
    is_function: bool
    after: CompactCodes
    n_codes: int
    kept: float
    n_distinct: tuple[int, int]
    values: Floats | None
    missing_code: int

    @property
    def numbers(self) -> tuple[Floats, Floats] | None:
        """The numbers of the cells before and after, made anew each time: they take more memory than the codes."""
        return None if self.values is None else (self.values[self.before], self.values[self.after])


def utility(original: pa.Table, remedied: pa.Table, rows: Codes, renamed: Mapping[str, str] | None = None) -> Utility:
    """Return what is left of a table.

    Parameters
    ----------
    original, remedied : pyarrow.Table of texts
        With the names of the source.
    rows : int64 array
        The row of `original` that each row of `remedied` was made of.
    renamed : mapping, optional
        The new names of columns, with which they are reported.
    """
    left = set(remedied.column_names)
    both = {n: _both(n, original[n], remedied[n], rows) for n in original.column_names if n in left}
    pairs = [(both.get(one), both.get(other)) for one, other in _pairs(original.column_names)]
    whole = [(one, other) for one, other in pairs if one is not None and other is not None]
    distances = [_pair_distance(one, other, "before") for one, other in whole] + [1.0] * (len(pairs) - len(whole))
    mapped = [pair for pair in whole if pair[0].is_function and pair[1].is_function]
    of_suppression = [_pair_distance(one, other, "mapped") for one, other in mapped]
    return Utility(
        records_kept=round(len(rows) / max(1, original.num_rows), DIGITS),
        columns=tuple(_column(each, (renamed or {}).get(each.name, each.name)) for each in both.values()),
        pair_distance=round(float(np.mean(distances)), DIGITS) if distances else None,
        n_pairs=len(distances),
        suppression_distance=round(float(np.mean(of_suppression)), DIGITS) if of_suppression else None,
        dropped=tuple(name for name in original.column_names if name not in left),
        correlation_change=_correlation_change(list(both.values())),
    )


def _pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of columns that are compared."""
    pairs = list(combinations(names, 2))
    at = np.unique(np.linspace(0, len(pairs) - 1, min(MOST_PAIRS, len(pairs))).round().astype(int))
    return [pairs[i] for i in at] if pairs else []


def _both(name: str, original: pa.ChunkedArray, remedied: pa.ChunkedArray, rows: Codes) -> _Both:
    old, words = encode_column(original)
    new, labels = encode_column(remedied)
    first, second = numbers_of(words), numbers_of(labels)
    position = {text: i for i, text in enumerate(labels.to_pylist())}
    same = np.array([position.get(text, -1) for text in words.to_pylist()] + [-2], dtype=np.int64)
    n_present = int((old < len(words)).sum())
    kept = int(((same[old[rows]] == new) & (new < len(labels))).sum())
    mapping = mapping_of(old[rows], new, len(words) + 1)
    # Values that are in one of the two tables alone get codes of their own.
    missing_code, free = len(labels), len(labels) + 1
    own = np.where(same >= 0, same, free + np.arange(len(same)))
    own[-1] = missing_code
    n_codes = free + len(same)
    values = None
    if first is not None and second is not None:
        values = np.full(n_codes, np.nan)
        values[own[:-1]], values[: len(labels)] = first, second
    before = _compact(own, n_codes)[old]
    return _Both(
        name=name,
        before=before,
        mapped=before if mapping is None else _compact(np.where(mapping >= 0, mapping, own), n_codes)[old],
        is_function=mapping is not None,
        after=_compact(new, n_codes),
        n_codes=n_codes,
        kept=kept / max(1, n_present),
        n_distinct=(len(words), len(labels)),
        values=values,
        missing_code=missing_code,
    )


def _compact(codes: npt.NDArray[np.integer], n_codes: int) -> CompactCodes:
    return codes.astype(np.min_scalar_type(n_codes))


def mapping_of(old: npt.NDArray[np.int32], new: npt.NDArray[np.int32], size: int) -> Codes | None:
    """Return the new code of each old one, -1 where no row shows it; None where a value became several values."""
    low, high = np.full(size, np.iinfo(np.int64).max), np.full(size, -1)
    np.minimum.at(low, old, new.astype(np.int64))
    np.maximum.at(high, old, new.astype(np.int64))
    return np.where(high >= 0, high, -1) if (high[high >= 0] == low[high >= 0]).all() else None


def _distance(before: npt.NDArray[np.integer], after: npt.NDArray[np.integer], size: int) -> float:
    """Return half the L1 distance of two distributions over 0 to size - 1."""
    if not len(before) or not len(after):
        return 1.0
    shares = [np.bincount(codes, minlength=size) / len(codes) for codes in (before, after)]
    return float(np.abs(shares[0] - shares[1]).sum() / 2)


def _pair_distance(first: _Both, second: _Both, side: Literal["before", "mapped"]) -> float:
    """Return the distance of the margins of two columns; of many cells, only those that occur are counted."""
    old = _cells(getattr(first, side), getattr(second, side), second.n_codes)
    new = _cells(first.after, second.after, second.n_codes)
    size = first.n_codes * second.n_codes
    if size <= max(len(old), len(new)) or not len(old) or not len(new):
        return _distance(old, new, size)
    cells, counts = zip(*(np.unique(side_cells, return_counts=True) for side_cells in (old, new)), strict=True)
    shares = np.concatenate([counts[0] / len(old), -counts[1] / len(new)])
    _, at = np.unique(np.concatenate(cells), return_inverse=True)
    return float(np.abs(np.bincount(at, weights=shares)).sum() / 2)


def _cells(first: CompactCodes, second: CompactCodes, n_second: int) -> Codes:
    """Return the cell of two columns that each row is in."""
    cells = first.astype(np.int64)
    cells *= n_second
    cells += second
    return cells


def _column(both: _Both, name: str) -> ColumnUtility:
    mean = median = None
    if (numbers := both.numbers) is not None:
        before, after = (side[np.isfinite(side)] for side in numbers)
        spread = float(before.std()) if len(before) else 0.0
        if spread > 0 and len(after):
            mean = round(float(after.mean() - before.mean()) / spread, DIGITS)
            median = round(float(np.median(after) - np.median(before)) / spread, DIGITS)
    return ColumnUtility(
        column=name,
        kept=round(both.kept, DIGITS),
        n_distinct_before=both.n_distinct[0],
        n_distinct_after=both.n_distinct[1],
        distance=round(_distance(both.before, both.after, both.n_codes), DIGITS),
        suppression_distance=round(_distance(both.mapped, both.after, both.n_codes), DIGITS),
        mean_change=mean,
        median_change=median,
        distribution=_distribution(both),
    )


def _distribution(both: _Both) -> Distribution | None:
    """Return the shares of intervals of numbers, else of the most frequent values."""
    if (numbers := both.numbers) is not None:
        before, after = (side[np.isfinite(side)] for side in numbers)
        if not len(before) or not len(after):
            return None
        low, high = np.quantile(before, (0.01, 0.99))
        width = (high - low) / N_BARS or 1.0
        old, new = (np.clip((side - low) / width, 0, N_BARS - 1).astype(np.int64) for side in (before, after))
        return _shares("interval", old, new, N_BARS)
    first, second = (side[side != both.missing_code] for side in (both.mapped, both.after))
    if not len(first) or not len(second):
        return None
    counts = np.bincount(np.concatenate([first, second]), minlength=both.n_codes)
    rank = np.empty(both.n_codes, dtype=np.int64)
    rank[np.argsort(-counts, kind="stable")] = np.arange(both.n_codes)
    n_bars = min(N_BARS, int((counts > 0).sum()))
    return _shares("value", np.minimum(rank[first], n_bars - 1), np.minimum(rank[second], n_bars - 1), n_bars)


def _shares(by: Literal["interval", "value"], before: Codes, after: Codes, n_bars: int) -> Distribution:
    shares = (np.bincount(side, minlength=n_bars) / len(side) for side in (before, after))
    old, new = (tuple(np.round(each, DIGITS).tolist()) for each in shares)
    return Distribution(by=by, before=old, after=new)


def _correlation_change(both: Sequence[_Both]) -> float | None:
    pairs = combinations((each for each in both if each.values is not None), 2)
    changes = [
        abs(after - before)
        for first, second in pairs
        if (one := first.numbers) and (other := second.numbers)
        and (before := correlation(one[0], other[0])) is not None
        and (after := correlation(one[1], other[1])) is not None
    ]  # fmt: skip
    return round(max(changes), DIGITS) if changes else None


def correlation(x: Floats, y: Floats) -> float | None:
    """Return Pearson's r of the pairs of finite numbers; None of fewer than 3, or where one side is constant."""
    known = np.isfinite(x) & np.isfinite(y)
    if known.sum() < 3 or not x[known].std() > 0 or not y[known].std() > 0:
        return None
    return float(np.corrcoef(x[known], y[known])[0, 1])
