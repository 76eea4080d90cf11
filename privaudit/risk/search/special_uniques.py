"""Which records are unique on few columns? Minimal sample uniques (MSU) and the SUDA scores.

Question: for every record, the smallest sets of columns on which it is unique (or matches fewer than k
records).
Method: depth-first over column sets in an order that visits all subsets of a set before the set itself, as
SUDA2 does [1]_. A record that is unique on a set is skipped for every superset, as are all records of its
class, which are unique on the set too: every set found is minimal by construction. Distinct rows that are alone in
their class and stand for k records or more are dropped.
Limits: sets larger than `max_size` are not searched, so a record may have further minimal sets. Scores rank records;
they are not probabilities. DIS depends on an assumed sampling fraction and on the heuristic of [2]_.

References
----------
.. [1] A. M. Manning, D. J. Haglin, J. A. Keane, A recursive search algorithm for statistical disclosure
   assessment, Data Mining and Knowledge Discovery 16, 2008. D. J. Haglin, A. M. Manning, On minimal
   infrequent itemset mining, DMIN 2007, for fewer than k matches.
.. [2] M. J. Elliot, A. M. Manning, R. W. Ford, A computational algorithm for handling the special uniques problem,
   International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 2002.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Floats, Ints
from privaudit.base.records import dataclass
from privaudit.model import ExposedValues, SpecialUniques, UniqueCounts
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.compiler import worth_loading
from privaudit.risk.codes.row_keys import sums
from privaudit.risk.codes.sorted_keys import sum_by_key
from privaudit.risk.kernel.subsets import ColumnSet, Prepared, n_sets, prepare
from privaudit.risk.kernel.unique_steps import ArrayStepper, Bits, Stepper, StepResult
from privaudit.risk.search.exposed_values import exposed_values
from privaudit.settings.config import Progress, silent

ASSUMED_FRACTION = 0.01
MOST_COLUMNS = 150
"""Columns up to which scores are floats: 150! times the sets and records of any table does not exceed their range."""
LARGEST_WEIGHT = (1 << 31) - 1
MOST_VISITS = 1_500_000_000  # distinct rows times sets; about a minute


@dataclass(frozen=True, slots=True)
class MinimalUniques:
    """Minimal sample uniques of every distinct row, and their sums over records.

    Attributes
    ----------
    columns : tuple of str
        The quasi-identifiers; their number is ATT.
    k : int
        A record counts as unique on a set if fewer than `k` records match it there.
    max_size : int
        Largest set searched.
    weights : int64 array of shape (d,)
        Records of each distinct row.
    n_minimal : unsigned integer array of shape (max_size, d)
        ``n_minimal[s - 1, i]`` minimal sets of s columns on which distinct row i is unique.
    by_set : mapping of tuple of column names to int
        Records that have the set among their minimal ones; sets without any are absent.
    n_unique, n_pairs : int
        Records whose class over all columns has one record; records whose class has two.
    by_value : mapping of column to ExposedValues
        How the records with a minimal set that contains the column are spread over its values.
    """

    columns: tuple[str, ...]
    k: int
    max_size: int
    weights: Ints
    n_minimal: npt.NDArray[np.integer[Any]]
    by_set: Mapping[tuple[str, ...], int]
    n_unique: int
    n_pairs: int
    by_value: Mapping[str, ExposedValues]

    @property
    def msu_by_size(self) -> tuple[int, ...]:
        """Pairs of a record and one of its minimal sets, for sets of 1, 2, ... `max_size` columns."""
        totals = [0] * self.max_size
        for columns, records in self.by_set.items():
            totals[len(columns) - 1] += records
        return tuple(totals)

    @property
    def scores(self) -> npt.NDArray[Any]:
        """SUDA score of each distinct row: ``sum over its minimal sets of (ATT - size)!``.

        Integers, or floats where the factorials leave 64 bits (more than 18 columns).
        """
        exact = len(self.columns) <= 18
        total: npt.NDArray[Any] = np.zeros(len(self.weights), dtype=np.int64 if exact else np.float64)
        for size, counted in enumerate(self.n_minimal, 1):
            total += counted * total.dtype.type(math.factorial(len(self.columns) - size))
        return total

    @property
    def n_records(self) -> int:
        """Records with a minimal set of the sizes searched."""
        return int(self.weights[self.n_minimal.any(axis=0)].sum())

    @property
    def score_sum(self) -> int:
        """Sum of the scores over records, exact."""
        att = len(self.columns)
        return sum(n * math.factorial(att - size) for size, n in enumerate(self.msu_by_size, 1))

    @property
    def contribution(self) -> dict[str, float | None]:
        """For each column, the percentage of the score sum from minimal sets that contain it.

        The percentages sum to more than 100, because every column of a set counts. None without any set.
        """
        att, total = len(self.columns), self.score_sum
        parts = dict.fromkeys(self.columns, 0)
        for columns, records in self.by_set.items():
            for name in columns:
                parts[name] += records * math.factorial(att - len(columns))
        return {name: 100 * part / total if total else None for name, part in parts.items()}

    def dis_file(self, fraction: float) -> float | None:
        """Return the probability that a sample unique is a population unique at sampling fraction f, 0 to 1.

        ``DIS = n1 f / (n1 f + n2 (1 - f))`` with n1 uniques and n2 records in pairs; None without uniques.
        """
        found = self.n_unique * fraction
        return found / (found + self.n_pairs * (1 - fraction)) if self.n_unique else None

    def dis(self, fraction: float) -> Floats:
        """Return the DIS-SUDA score of each distinct row, 0 to 1, at sampling fraction f, 0 to 1.

        ``1 / (1 + (n1 / DIS - n1) / (score^Q * sum over records of score^-Q))`` with ``Q = 1 + (8 - ATT) /
        20``; 0 for a row without a score.
        """
        scores = self.scores
        distinct, records = _histogram(scores, self.weights)
        return self._dis(distinct, records, fraction)[np.searchsorted(distinct, scores)]

    def _dis(self, distinct: npt.NDArray[Any], records: Ints, fraction: float) -> Floats:
        """Return the DIS-SUDA score of each distinct score."""
        risk = np.zeros(len(distinct))
        whole = self.dis_file(fraction)
        scored = distinct > 0
        if whole is None or not scored.any():
            return risk
        q = 1 + (8 - len(self.columns)) / 20
        # Relative to the highest score: with hundreds of attributes the powers exceed the range of floats.
        relative = distinct[scored] / float(distinct.max())
        spread = math.fsum((records[scored] * relative**-q).tolist())
        rest = self.n_unique / whole - self.n_unique
        with np.errstate(over="ignore"):  # an overflow means a risk of 1
            risk[scored] = 1 / (1 + rest / (relative**q * spread))
        return risk

    def summary(self, fraction: float | None = None) -> SpecialUniques:
        """Return sums and counts for report.json, at a sampling fraction of 1 % unless one is given."""
        used = ASSUMED_FRACTION if fraction is None else fraction
        scores, records = _histogram(self.scores, self.weights)
        risk = self._dis(scores, records, used)
        peak, exact = scores.max(initial=0), scores.dtype.kind == "i"
        return SpecialUniques(
            max_size=self.max_size,
            k=self.k,
            msu_by_size=self.msu_by_size,
            n_records=self.n_records,
            score_sum=self.score_sum if exact else float(self.score_sum),
            score_max=int(peak) if exact else float(peak),
            dis=self.dis_file(used),
            dis_max=float(risk.max(initial=0.0)) if self.n_unique else None,
            dis_fraction=used,
            contribution=self.contribution,
            by_value=dict(self.by_value),
        )

    def counts(self) -> UniqueCounts:
        """Return the counts alone."""
        return UniqueCounts(msu_by_size=self.msu_by_size, n_records=self.n_records)


def affordable_size(coded: CodedTable, max_size: int, *, most: float | None = None) -> int:
    """Return the largest size, at most `max_size`, whose search stays within a bound on work."""
    bound = MOST_VISITS if most is None else most
    size = min(max_size, len(coded.names))
    while size and n_sets(len(coded.names), size) * coded.n_distinct > bound:
        size -= 1
    return size


def minimal_uniques(coded: CodedTable, *, max_size: int, k: int = 2, progress: Progress = silent) -> MinimalUniques:
    """Find the minimal sets of columns on which each record matches fewer than `k` records, itself included.

    Parameters
    ----------
    coded : CodedTable
        The quasi-identifiers.
    max_size : int
        Largest set searched, 1 or more.
    k : int
        2 for uniques; larger for records that match fewer than k records.

    Returns
    -------
    MinimalUniques

    Raises
    ------
    ValueError
        If `k` is below 2 or `max_size` below 1.
    """
    if k < 2 or max_size < 1:
        raise ValueError("k must be 2 or more and max_size 1 or more")
    table = prepare(coded, widest_first=True)
    search = _Search(table, min(max_size, table.n_columns), k, progress)
    search.run()
    names = [coded.names[i] for i in table.order]
    place = {name: i for i, name in enumerate(coded.names)}
    exposed = {table.order[c]: bits for c, bits in search.exposed.items()}
    by_set = {
        tuple(sorted((names[c] for c in found), key=place.__getitem__)): records
        for found, records in sorted(search.by_set.items())
    }
    return MinimalUniques(
        columns=coded.names,
        k=k,
        max_size=search.max_size,
        weights=coded.weights,
        n_minimal=search.n_minimal,
        by_set=by_set,
        n_unique=int((coded.weights == 1).sum()),
        n_pairs=2 * int((coded.weights == 2).sum()),
        by_value=exposed_values(coded, exposed),
    )


def _histogram(values: npt.NDArray[Any], weights: Ints) -> tuple[npt.NDArray[Any], Ints]:
    """Return the distinct values, ascending, and the records with each; sums over them do not depend on row order."""
    if values.dtype.kind == "i":
        return sum_by_key(values.astype(np.int64), weights, int(values.max(initial=0)) + 1)
    distinct, where = np.unique(values, return_inverse=True)
    return distinct, sums(where, weights, len(distinct))


def _stepper(table: Prepared, k: int, *, visits: int, depth: int) -> Stepper:
    """Return the stepper that is faster on this table, including the time to load the compiler."""
    if int(table.weights.sum()) > LARGEST_WEIGHT or not worth_loading(visits):
        return ArrayStepper(table, k)
    from privaudit.risk.kernel.unique_steps_compiled import CompiledStepper

    return CompiledStepper(table, k, depth)


def _count_type(n_columns: int, max_size: int) -> type[np.unsignedinteger[Any]]:
    """Return the type that counts sets of columns of one size: one byte unless there are many columns."""
    most = max(math.comb(n_columns, size) for size in range(1, max_size + 1))
    return np.uint8 if most <= np.iinfo(np.uint8).max else np.uint32


class _Search:
    """One walk: columns descend at every level, so that all subsets of a set come before it."""

    def __init__(self, table: Prepared, max_size: int, k: int, progress: Progress) -> None:
        self.table = table
        self.max_size = max_size
        self.progress = progress
        n = len(table.weights)
        self.n_minimal = np.zeros((max_size, n), dtype=_count_type(table.n_columns, max_size))
        self.by_set: dict[ColumnSet, int] = {}
        self.exposed: dict[int, Bits] = {}
        self.risky: dict[ColumnSet, Bits] = {(): np.zeros((n + 7) // 8, dtype=np.uint8)}
        self.step: Stepper = _stepper(table, k, visits=n_sets(table.n_columns, max_size) * n, depth=max_size)

    def run(self) -> None:
        """Walk the whole tree."""
        everyone = self.step.everyone()
        for column in reversed(range(self.table.n_columns)):
            self.progress("minimal sample uniques", 1 - (column + 1) / self.table.n_columns)
            self._visit((), column, everyone)

    def _visit(self, prefix: ColumnSet, column: int, part: Any) -> None:
        found = (*prefix, column)
        known = [self._lookup(found[:i] + found[i + 1 :]) for i in range(len(prefix))]
        seen = reduce(np.bitwise_or, known) if known else self.risky[()]
        result: StepResult = self.step.extend(part, column, seen, self.n_minimal[len(prefix)], len(prefix))
        if result.records:
            self.by_set[found] = result.records
            for c in found:
                self.exposed[c] = self.exposed[c] | result.bits if c in self.exposed else result.bits
        if len(found) == self.max_size:
            return
        self.risky[found] = seen | self._lookup(prefix) | result.bits
        if result.n_left:
            for later in reversed(range(column + 1, self.table.n_columns)):
                self._visit(found, later, result.part)

    def _lookup(self, found: ColumnSet) -> Bits:
        """Return the rows at risk on `found`.

        A set that was not visited has a prefix after which no row was left to search: every row at risk on the set is
        at risk on that prefix.
        """
        while found not in self.risky:
            found = found[:-1]
        return self.risky[found]
