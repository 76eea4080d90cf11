"""The coded table on which recodings are tried, and the effect of one trial.

Question: what do recodings, and the suppression of the small classes that remain, do to risk and utility?
Method: a recoding is a lookup, so a trial costs one gather per column and one count of classes (see
`advice.lattices.lattice`). What it costs is measured by `advice.effect.information_loss`.
Limits: missing cells are a category.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from privaudit.advice.technique import Column, Hierarchy, Recoding
from privaudit.advice.technique.recoding import keep
from privaudit.base.arrays import Ints
from privaudit.base.records import dataclass
from privaudit.risk.codes.coded import CodedTable, number_classes
from privaudit.risk.codes.row_keys import dense_labels, sums

Labels = Ints


@dataclass(frozen=True, slots=True)
class Effect:
    """Risk and information loss of one trial.

    ``n_below_k`` of ``n_records`` are in classes smaller than k; ``cost`` is the share of information lost, 0 to 1.
    """

    k_min: int
    n_unique: int
    n_below_k: int
    n_records: int
    n_classes: int
    cost: float

    @property
    def share_below_k(self) -> float:
        """Records below k over records; 0 without records."""
        return self.n_below_k / self.n_records if self.n_records else 0.0

    def wire(self) -> dict[str, float | int]:
        """Return the keys of a remedy's `before` and `after`."""
        return {
            "k_min": self.k_min,
            "n_unique": self.n_unique,
            "n_below_k": self.n_below_k,
            "share_below_k": self.share_below_k,
            "n_records": self.n_records,
        }


class TrialTable:
    """A coded table over quasi-identifiers on which recodings are tried.

    Parameters
    ----------
    coded : CodedTable
        The quasi-identifiers alone.
    k : int
        The smallest class size that the policy allows.
    domains : mapping of column to int, optional
        Values of the domain of a column, where it is known: the leaves of its hierarchy. The values of the table
        otherwise.
    row_of : int64 array, optional
        The row of `coded` of each distinct row of the release, where `coded` has rows of the population alone too.
    """

    def __init__(
        self, coded: CodedTable, k: int, domains: Mapping[str, int] | None = None, *, row_of: Labels | None = None
    ) -> None:
        self.coded = coded
        self.k = k
        self.row_of = row_of
        self.names = coded.names
        self.counts = {
            name: sums(code, coded.weights, len(words) + 1)
            for name, code, words in zip(coded.names, coded.codes, coded.dictionaries, strict=True)
        }
        self.occurs = {
            name: np.bincount(code, minlength=len(words) + 1) > 0
            for name, code, words in zip(coded.names, coded.codes, coded.dictionaries, strict=True)
        }
        """For each column, which codes are in a row; a row of the population alone has no records."""
        self._domains = dict(domains or {})
        self._columns: dict[str, Column] = {}

    def domain(self, name: str) -> int:
        """Return the number of values of the domain of a column; a missing cell is a value."""
        if not self._domains.get(name):
            self._domains[name] = max(1, int((self.counts[name] > 0).sum()))
        return self._domains[name]

    def column(self, name: str, hierarchy: Hierarchy | None = None) -> Column:
        """Return the distinct values of a column with their counts; what is read of them is kept."""
        known = self._columns.get(name)
        if known is None or known.hierarchy is not hierarchy:
            dictionary = self.coded.dictionaries[self.coded.index(name)]
            known = self._columns[name] = Column(name, dictionary, self.counts[name], hierarchy)
        return known

    @cached_property
    def untouched(self) -> dict[str, Recoding]:
        """For each column the recoding that changes nothing."""
        return {name: keep(self.column(name)) for name in self.names}

    @cached_property
    def before(self) -> Effect:
        """The table as it is: its distinct rows are its classes."""
        sizes = self.coded.weights[self.coded.weights > 0]
        return Effect(
            k_min=int(sizes.min()) if len(sizes) else 0,
            n_unique=int((sizes == 1).sum()),
            n_below_k=int(sizes[sizes < self.k].sum()),
            n_records=self.coded.n_rows,
            n_classes=len(sizes),
            cost=0.0,
        )

    def rows_of(self, table: CodedTable) -> Labels:
        """Return the row of the trial table of each distinct row of `table`, which has further columns."""
        rows, _ = number_classes(table, self.names)
        return rows if self.row_of is None else self.row_of[rows]

    def labels(self, recodings: Mapping[str, Recoding]) -> tuple[Labels, Labels]:
        """Return the class of each distinct row and the records of each class after `recodings`."""
        labels, n_classes = self.classes(self.names, recodings, self.coded)
        return labels, sums(labels, self.coded.weights, n_classes)

    def classes(self, names: Sequence[str], recodings: Mapping[str, Recoding], table: CodedTable) -> tuple[Labels, int]:
        """Return the class of each row of `table` over some columns after `recodings`, and the number of classes."""
        lookups = (recodings.get(name, self.untouched[name]).lookup for name in names)
        codes = [lookup[table.codes[table.index(name)]] for name, lookup in zip(names, lookups, strict=True)]
        return dense_labels(codes, length=table.n_distinct)
