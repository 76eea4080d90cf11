"""A synthetic table next to its original, as a statistician compares them.

Question: which distributions, relations and predictions are kept, and which are not?
Method: both tables as codes of the declared domain. Total variation distance of all one-, two- and three-way margins;
shares before and after; cumulative shares over groups of at least 11 records; Cramer's V of all pairs; the same models
trained on both tables and tested on original records. Independent columns and held-out records are the baselines.
Limits: every number comes from private rows: the comparison is internal, or has to be paid for.

References
----------
.. [1] Y. Tao et al., Benchmarking differentially private synthetic data generation algorithms, 2021, arXiv 2112.09238.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations

import numpy as np

from privaudit.advice.technique.drawn_values import v_of
from privaudit.base.arrays import Floats
from privaudit.model.synthesis import ColumnComparison, Matrix, SynthesisComparison
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.engine.margins import CodedTable, Columns, Counts, cells_of

MOST_CELLS = 2_000_000
MOST_SETS = 400
"""Sets of three columns that are compared; a random part of them where there are more."""
LEAST_RECORDS = 11
"""Records of a group of bands of a cumulative distribution."""
DIGITS = 4


def compare(
    domain: Domain, before: CodedTable, after: CodedTable, held_out: CodedTable | None = None
) -> SynthesisComparison:
    """Compare a synthetic table with the records that it was made of.

    Parameters
    ----------
    before, after : CodedTable
    held_out : CodedTable, optional
        Records of the original that were not synthesised.
    """
    n_columns = len(domain.columns)
    pairs = np.zeros((n_columns, n_columns))
    for first, second in combinations(range(n_columns), 2):
        pairs[first, second] = pairs[second, first] = _distance(before, after, (first, second))
    columns = tuple(_column(domain, i, before, after) for i in range(n_columns))
    off_diagonal = pairs[~np.eye(n_columns, dtype=bool)]
    baselines = {"independent": _against_independent(before)}
    if held_out is not None and held_out.n_rows:
        baselines["held_out"] = tuple(_mean_distance(before, held_out, n) for n in (2, 3))  # type: ignore[assignment]
    return SynthesisComparison(
        n_before=before.n_rows,
        n_after=after.n_rows,
        columns=columns,
        pairs=_matrix(pairs),
        tv1=round(float(np.mean([each.distance for each in columns])), DIGITS),
        tv2=round(float(off_diagonal.mean()) if len(off_diagonal) else 0.0, DIGITS),
        tv3=_mean_distance(before, after, 3),
        baselines=baselines,
        correlations=(_matrix(associations(before)), _matrix(associations(after))),
    )


def mean_distances(before: CodedTable, after: CodedTable) -> tuple[float, float, float]:
    """Return the mean total variation distance of all one-, two- and three-way margins."""
    one, two, three = (_mean_distance(before, after, n) for n in (1, 2, 3))
    return one, two, three


def _mean_distance(before: CodedTable, after: CodedTable, n: int) -> float:
    found = [_distance(before, after, columns) for columns in _sets(before.sizes, n)]
    return round(float(np.mean(found)), DIGITS) if found else 0.0


def _sets(sizes: Sequence[int], n: int) -> list[Columns]:
    """Return the sets of n columns that are compared: all, or a fixed random part of them."""
    found = [columns for columns in combinations(range(len(sizes)), n) if cells_of(columns, sizes) <= MOST_CELLS]
    if len(found) <= MOST_SETS:
        return found
    # Not by the seed of the run: two synthetic tables of one original are compared over the same sets.
    chosen = np.random.default_rng(0).choice(len(found), MOST_SETS, replace=False)
    return [found[i] for i in sorted(chosen)]


def _distance(before: CodedTable, after: CodedTable, columns: Columns) -> float:
    """Return half the L1 distance of two margins as shares; 1 where a table is empty."""
    if not before.n_rows or not after.n_rows:
        return 1.0
    first, second = (table.margin(columns) / table.n_rows for table in (before, after))
    return float(np.abs(first - second).sum() / 2)


def _against_independent(before: CodedTable) -> tuple[float, float]:
    """Return the distances at which independent columns with exact distributions would be."""
    if not before.n_rows:
        return 1.0, 1.0
    shares = [before.margin((i,)) / before.n_rows for i in range(len(before.sizes))]
    means = []
    for n in (2, 3):
        found = []
        for columns in _sets(before.sizes, n):
            expected = reduce(np.multiply.outer, [shares[column] for column in columns])
            found.append(float(np.abs(before.margin(columns) / before.n_rows - expected).sum() / 2))
        means.append(round(float(np.mean(found)), DIGITS) if found else 0.0)
    return means[0], means[1]


def _column(domain: Domain, i: int, before: CodedTable, after: CodedTable) -> ColumnComparison:
    column = domain.columns[i]
    counts = [table.margin((i,)) for table in (before, after)]
    shares = [count / max(1, table.n_rows) for count, table in zip(counts, (before, after), strict=True)]
    present = [count[: column.n_values] for count in counts]
    has_moments = column.is_ordered and all(count.any() for count in present)
    mean, spread = zip(*map(_moments, present), strict=True) if has_moments else (None, None)
    labels = column.labels()
    ends = _ends(present[0]) if column.is_ordered else []
    return ColumnComparison(
        column=column.name,
        labels=column.cell_labels,
        before=_rounded(shares[0]),
        after=_rounded(shares[1]),
        distance=round(float(np.abs(shares[0] - shares[1]).sum() / 2), DIGITS),
        mean=mean,
        spread=spread,
        cumulative=_cumulative(present[0], present[1], ends),
        cumulative_to=tuple(labels[end] for end in ends),
    )


def _moments(counts: Counts) -> tuple[float, float]:
    """Return mean and standard deviation of codes, counted from 1."""
    total = counts.sum()
    codes = np.arange(1, len(counts) + 1)
    mean = float((counts * codes).sum() / total)
    return round(mean, DIGITS), round(float(np.sqrt((counts * (codes - mean) ** 2).sum() / total)), DIGITS)


def _ends(before: Counts) -> list[int]:
    """Return the last band of each group of neighbouring bands with `LEAST_RECORDS`; the last may have fewer."""
    ends, inside, last = [], 0, len(before) - 1
    for i, count in enumerate(before):
        inside += int(count)
        if inside >= LEAST_RECORDS or i == last:
            ends.append(i)
            inside = 0
    return ends


def _cumulative(before: Counts, after: Counts, ends: Sequence[int]) -> tuple[tuple[float, float], ...]:
    """Return the cumulative shares at the ends of the groups."""
    if not ends:
        return ()
    one, other = (_rounded(np.cumsum(each)[list(ends)] / max(1, int(each.sum()))) for each in (before, after))
    return tuple(zip(one, other, strict=True))


def associations(table: CodedTable) -> Floats:
    """Return Cramer's V of every pair of columns: the square root of chi-square over n (min(r, c) - 1)."""
    n_columns = len(table.sizes)
    found = np.eye(n_columns)
    for first, second in combinations(range(n_columns), 2):
        v = v_of(table.margin((first, second)))
        found[first, second] = found[second, first] = 0.0 if v is None else v
    return found


def _rounded(values: Floats) -> tuple[float, ...]:
    return tuple(np.round(values, 5).tolist())


def _matrix(values: Floats) -> Matrix:
    return tuple(tuple(row) for row in np.round(values, DIGITS).tolist())
