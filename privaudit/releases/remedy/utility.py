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
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Floats, Ints
from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.model.remedied import ColumnUtility, Distribution, Utility
from privaudit.releases.remedy.middles import numbers_of
from privaudit.risk.codes.coded import encode_column
from privaudit.source.profile.value_order import has_codes

Codes = Ints
CompactCodes = npt.NDArray[np.unsignedinteger]
"""Codes in the smallest type that holds them: those of all columns are in memory at once."""
Side = Literal["before", "mapped", "after"]
N_BARS = 12
"""Intervals or values of a distribution."""
MOST_PAIRS = 200
FEW_CELLS = 1 << 20
"""Cells of two columns that are counted one by one, whether they occur or not."""
DIGITS = 6
MOST_EXPONENT = 400
"""Numbers up to two to this power can be squared and added up; a double ends at 1,024."""


@dataclass(frozen=True)
class _Both:
    """One column before and after, as codes of one dictionary.

    ``before`` has a code for each row of the source, and ``mapped`` has it in the terms of the remedied table where
    each value of the source became one value. ``values`` has the number of each code, where the values are numbers.
    What concerns one column is computed from the rows of each code.
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

    def counts(self, side: Side) -> Codes:
        """Return the rows of each code."""
        return np.bincount(getattr(self, side), minlength=self.n_codes)

    @property
    def numbers(self) -> tuple[_Numbers, _Numbers] | None:
        """The numbers of the cells before and after; None where the column does not hold numbers."""
        if self.values is None:
            return None
        return _Numbers.of(self.values, self.counts("before")), _Numbers.of(self.values, self.counts("after"))


@dataclass(frozen=True)
class _Numbers:
    """The different numbers of a column in ascending order, and how many cells have each."""

    values: Floats
    counts: Codes

    @classmethod
    def of(cls, values: Floats, counts: Codes) -> _Numbers:
        """Return the finite numbers among `values`; `counts` has the cells of each."""
        held = np.flatnonzero((counts > 0) & np.isfinite(values))
        order = held[np.argsort(values[held], kind="stable")]
        return cls(values[order], counts[order])

    def __len__(self) -> int:
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        return float(self.counts @ self.values) / len(self)

    @property
    def spread(self) -> float:
        """The standard deviation; 0 where all numbers are equal, or there is none."""
        if not len(self) or self.values[0] == self.values[-1]:
            return 0.0
        return float(np.sqrt(self.counts @ (self.values - self.mean) ** 2 / len(self)))

    def quantile(self, share: float) -> float:
        """Return a quantile, between two numbers in proportion to the distance from them."""
        place = share * (len(self) - 1)
        ends = np.cumsum(self.counts)
        low, high = self.values[np.searchsorted(ends, [np.floor(place), np.ceil(place)], side="right")].tolist()
        part = place - np.floor(place)
        # From the nearer end, as NumPy does: rounding must not move a quantile beyond its neighbours.
        return float(high - (high - low) * (1 - part) if part >= 0.5 else low + (high - low) * part)


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
    # Evenly spread: of a wide table, the first pairs would all be pairs with its first columns.
    at = np.unique(np.linspace(0, len(pairs) - 1, min(MOST_PAIRS, len(pairs))).round().astype(int))
    return [pairs[i] for i in at] if pairs else []


def _both(name: str, original: pa.ChunkedArray, remedied: pa.ChunkedArray, rows: Codes) -> _Both:
    old, words = encode_column(original)
    new, labels = encode_column(remedied)
    # The digits of a code such as 02139 are not an amount, so it has no mean.
    first, second = (None, None) if has_codes(words) else (numbers_of(words), numbers_of(labels))
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
        values=None if values is None else np.ldexp(values, -unit_of(values)),
        missing_code=missing_code,
    )


def unit_of(values: Floats) -> int:
    """Return the power of two by which numbers are divided so that their squares have no overflow; 0 for most columns.

    No measure depends on the unit of a column, and such a division rounds nothing.
    """
    exponent = int(np.frexp(np.abs(values[np.isfinite(values)]).max(initial=0.0))[1])
    return exponent if abs(exponent) > MOST_EXPONENT else 0


def _compact(codes: npt.NDArray[np.integer], n_codes: int) -> CompactCodes:
    return codes.astype(np.min_scalar_type(n_codes))


def mapping_of(old: npt.NDArray[np.int32], new: npt.NDArray[np.int32], size: int) -> Codes | None:
    """Return the new code of each old one, -1 where no row shows it; None where a value became several values."""
    low, high = np.full(size, np.iinfo(np.int64).max), np.full(size, -1)
    # A value became one value where the least and the largest code among its rows are the same.
    np.minimum.at(low, old, new.astype(np.int64))
    np.maximum.at(high, old, new.astype(np.int64))
    return np.where(high >= 0, high, -1) if (high[high >= 0] == low[high >= 0]).all() else None


def _distance(before: Codes, after: Codes) -> float:
    """Return half the L1 distance of two distributions, by the rows of each value."""
    if not before.any() or not after.any():
        return 1.0
    return float(np.abs(before / before.sum() - after / after.sum()).sum() / 2)


def _pair_distance(first: _Both, second: _Both, side: Side) -> float:
    """Return the distance of the margins of two columns, over the cells that occur."""
    old, new = (
        _counted_cells(getattr(first, each), getattr(second, each), first.n_codes, second.n_codes)
        for each in (side, "after")
    )
    if not len(old[0]) or not len(new[0]):
        return 1.0
    shares = np.concatenate([old[1] / old[1].sum(), -new[1] / new[1].sum()])
    _, at = np.unique(np.concatenate([old[0], new[0]]), return_inverse=True)
    return float(np.abs(np.bincount(at, weights=shares)).sum() / 2)


def _column(both: _Both, name: str) -> ColumnUtility:
    mean = median = None
    if (numbers := both.numbers) is not None:
        before, after = numbers
        if before.spread > 0 and len(after):
            mean = round((after.mean - before.mean) / before.spread, DIGITS)
            median = round((after.quantile(0.5) - before.quantile(0.5)) / before.spread, DIGITS)
    return ColumnUtility(
        column=name,
        kept=round(both.kept, DIGITS),
        n_distinct_before=both.n_distinct[0],
        n_distinct_after=both.n_distinct[1],
        distance=round(_distance(both.counts("before"), both.counts("after")), DIGITS),
        suppression_distance=round(_distance(both.counts("mapped"), both.counts("after")), DIGITS),
        mean_change=mean,
        median_change=median,
        distribution=_distribution(both),
    )


def _distribution(both: _Both) -> Distribution | None:
    """Return the shares of intervals of numbers, else of the most frequent values."""
    if (numbers := both.numbers) is not None:
        before, after = numbers
        if not len(before) or not len(after):
            return None
        # Without the outer percents: one outlier would put all others into one bar, and extremes are cells.
        low = before.quantile(0.01)
        width = (before.quantile(0.99) - low) / N_BARS or 1.0
        bars = [np.clip((side.values - low) / width, 0, N_BARS - 1).astype(np.int64) for side in numbers]
        return _shares("interval", bars, (before.counts, after.counts), N_BARS)
    first, second = both.counts("mapped"), both.counts("after")
    first[both.missing_code] = second[both.missing_code] = 0
    if not first.any() or not second.any():
        return None
    counts = first + second
    rank = np.empty(both.n_codes, dtype=np.int64)
    rank[np.argsort(-counts, kind="stable")] = np.arange(both.n_codes)
    n_bars = min(N_BARS, int((counts > 0).sum()))
    return _shares("value", [np.minimum(rank, n_bars - 1)] * 2, (first, second), n_bars)


def _shares(
    by: Literal["interval", "value"], bars: Sequence[Codes], counts: Sequence[Codes], n_bars: int
) -> Distribution:
    """Return the share of the cells in each bar; `bars` has the bar of each value, `counts` its cells."""
    shares = (np.bincount(bar, weights=n, minlength=n_bars) / n.sum() for bar, n in zip(bars, counts, strict=True))
    old, new = (tuple(np.round(each, DIGITS).tolist()) for each in shares)
    return Distribution(by=by, before=old, after=new)


def _correlation_change(both: Sequence[_Both]) -> float | None:
    pairs = combinations((each for each in both if each.values is not None), 2)
    changes = [
        abs(after - before)
        for first, second in pairs
        if (before := _correlation(first, second, "before")) is not None
        and (after := _correlation(first, second, "after")) is not None
    ]
    return round(max(changes), DIGITS) if changes else None


def _correlation(first: _Both, second: _Both, side: Side) -> float | None:
    """Return the correlation of two columns of numbers, from the rows of each pair of values."""
    assert first.values is not None and second.values is not None, "both are columns of numbers"
    cells, counts = _counted_cells(getattr(first, side), getattr(second, side), first.n_codes, second.n_codes)
    return correlation(first.values[cells // second.n_codes], second.values[cells % second.n_codes], counts)


def correlation(x: Floats, y: Floats, counts: Codes | None = None) -> float | None:
    """Return Pearson's r of the pairs of finite numbers; None of fewer than 3, or where one side is constant.

    Each pair counts as often as `counts` states, once where not given.
    """
    known = np.isfinite(x) & np.isfinite(y)
    x, y, counts = x[known], y[known], None if counts is None else counts[known]
    n = len(x) if counts is None else int(counts.sum())
    if n < 3 or x.min() == x.max() or y.min() == y.max():
        return None
    covariance = np.cov(x, y, fweights=counts)
    spread = np.sqrt(np.diag(covariance))
    return float(np.clip(covariance[0, 1] / spread[0] / spread[1], -1, 1))


def _counted_cells(first: CompactCodes, second: CompactCodes, n_first: int, n_second: int) -> tuple[Codes, Codes]:
    """Return the cells of two columns that occur, and the rows of each."""
    cells = first.astype(np.int64)
    cells *= n_second
    cells += second
    if n_first * n_second > max(len(cells), FEW_CELLS):
        return np.unique(cells, return_counts=True)
    counts = np.bincount(cells, minlength=n_first * n_second)
    held = np.flatnonzero(counts)
    return held, counts[held]
