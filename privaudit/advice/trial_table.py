"""The coded table on which recodings are tried: risk and information loss of one trial.

Question: what do recodings, and the suppression of the small classes that remain, do to risk and utility?
Method: a recoding is a lookup, so a trial costs one gather per column and one count of classes (see
`privaudit.advice.lattice`). Information loss is the non-uniform entropy of Gionis and Tassa: a cell whose value v is
merged into g loses ``-log2(n_v / n_g)`` bits, a suppressed cell ``-log2(n_v / n)``. Per column the loss is divided by
the loss of dropping the column, and the columns with any information are averaged.
Limits: all columns have equal weight. Missing cells are a category. The measure knows the frequencies of values, not
what the values are used for.

References
----------
.. [1] A. Gionis, T. Tassa, k-anonymization with minimal loss of information, IEEE TKDE 21(2), 2009.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from privaudit.advice.recoding import Lookup, Recoding, RecodingKey, keep
from privaudit.risk.coded import CodedTable, dense_labels, sums

Labels = npt.NDArray[np.int64]
COST_MEASURE = "non-uniform entropy lost, mean over the quasi-identifiers"
DIGITS = 9


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
    """

    def __init__(self, coded: CodedTable, k: int) -> None:
        self.coded = coded
        self.k = k
        self.names = coded.names
        self.counts = {
            name: np.bincount(code, weights=coded.weights, minlength=len(words) + 1).astype(np.int64)
            for name, code, words in zip(coded.names, coded.codes, coded.dictionaries, strict=True)
        }
        self._lost: dict[RecodingKey, float] = {}
        self._total = {name: self._sum_bits(name, None) for name in coded.names}

    @cached_property
    def untouched(self) -> dict[str, Recoding]:
        """For each column the recoding that changes nothing."""
        return {n: keep(n, d) for n, d in zip(self.coded.names, self.coded.dictionaries, strict=True)}

    @cached_property
    def before(self) -> Effect:
        """The table as it is: its distinct rows are its classes."""
        sizes = self.coded.weights
        return Effect(
            k_min=int(sizes.min()) if len(sizes) else 0,
            n_unique=int((sizes == 1).sum()),
            n_below_k=int(sizes[sizes < self.k].sum()),
            n_records=self.coded.n_rows,
            n_classes=len(sizes),
            cost=0.0,
        )

    def total_bits(self, name: str) -> float:
        """Return the bits that dropping a column would lose over all records."""
        return self._total[name]

    def lost_bits(self, recoding: Recoding) -> float:
        """Return the bits a recoding loses over all records."""
        key = recoding.key
        if key not in self._lost:
            self._lost[key] = self._sum_bits(recoding.column, recoding.lookup)
        return self._lost[key]

    def labels(self, recodings: Mapping[str, Recoding]) -> tuple[Labels, Labels]:
        """Return the class of each distinct row and the records of each class after `recodings`."""
        codes, widths = self.recoded(self.names, recodings, self.coded)
        labels, n_classes = dense_labels(codes, widths, length=self.coded.n_distinct)
        return labels, sums(labels, self.coded.weights, n_classes)

    def recoded(
        self, names: Sequence[str], recodings: Mapping[str, Recoding], table: CodedTable
    ) -> tuple[list[npt.NDArray[np.int32]], list[int]]:
        """Return the codes of some columns of `table` after `recodings`, and how many codes each may have."""
        codes, widths = [], []
        for name in names:
            lookup = recodings.get(name, self.untouched[name]).lookup
            codes.append(lookup[table.codes[table.index(name)]])
            widths.append(int(lookup.max(initial=0)) + 1)
        return codes, widths

    def _sum_bits(self, name: str, lookup: Lookup | None) -> float:
        """Sum ``log2(n_g / n_v)`` over the records, v merged into g by `lookup`, or into everything."""
        counts = self.counts[name]
        held = counts > 0
        merged = (
            np.full(len(counts), self.coded.n_rows)
            if lookup is None
            else np.bincount(lookup, weights=counts)[lookup]
        )
        return float(counts[held] @ np.log2(merged[held] / counts[held]))


def rounded(cost: float) -> float:
    """Keep a share within 0 and 1 and to the digits that are the same on every machine."""
    return round(min(1.0, max(0.0, cost)), DIGITS)
