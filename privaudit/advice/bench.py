"""The workbench: recode a coded table, count its classes again, and weigh what was lost.

Question: what do some recodings, and the suppression of what is then left in small classes, do to risk and utility?
Method: a recoding is a lookup, so a trial costs one gather per column and one count of classes. What is lost is the
non-uniform entropy of Gionis and Tassa: a cell whose value v is merged into g loses ``-log2(n_v / n_g)`` bits, a
suppressed cell ``-log2(n_v / n)``; per column this is divided by what dropping the column would lose, and the
columns with any information are averaged.
Limits: a column counts as much as another. Missing cells are a value of their own. The measure knows how often
values occur, not what they are good for.

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

from privaudit.advice.recoding import Lookup, Recoding, keep
from privaudit.risk.coded import CodedTable, dense_labels, sums

Bits = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
COST_MEASURE = "non-uniform entropy lost, mean over the quasi-identifiers"
DIGITS = 9


@dataclass(frozen=True, slots=True)
class Measured:
    """Risk and cost of one trial.

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
        """Records below k over records; 0 of none."""
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


class Bench:
    """A coded table over quasi-identifiers on which recodings are tried.

    Parameters
    ----------
    coded : CodedTable
        The quasi-identifiers alone.
    k : int
        Classes must hold this many records.
    """

    def __init__(self, coded: CodedTable, k: int) -> None:
        self.coded = coded
        self.k = k
        self.names = coded.names
        self.counts = {
            name: np.bincount(code, weights=coded.weights, minlength=len(words) + 1).astype(np.int64)
            for name, code, words in zip(coded.names, coded.codes, coded.dictionaries, strict=True)
        }
        self._whole = {name: _bits(self.counts[name], None, coded.n_rows) for name in coded.names}
        self._total = {name: float(self.counts[name] @ self._whole[name]) for name in coded.names}
        self._lossy: dict[tuple[str, bytes], tuple[Bits, float]] = {}

    @cached_property
    def untouched(self) -> dict[str, Recoding]:
        """The recodings that change nothing."""
        return {n: keep(n, d) for n, d in zip(self.coded.names, self.coded.dictionaries, strict=True)}

    @cached_property
    def before(self) -> Measured:
        """The table as it is."""
        return self.measure({})

    def labels(self, recodings: Mapping[str, Recoding]) -> tuple[Labels, Labels]:
        """Return the class of each distinct row and the records of each class after `recodings`."""
        codes, sizes = [], []
        for name, code in zip(self.names, self.coded.codes, strict=True):
            lookup = recodings.get(name, self.untouched[name]).lookup
            codes.append(lookup[code])
            sizes.append(int(lookup.max(initial=0)) + 1)
        labels, n_classes = dense_labels(codes, sizes, length=self.coded.n_distinct)
        return labels, sums(labels, self.coded.weights, n_classes)

    def measure(self, recodings: Mapping[str, Recoding], *, suppress: bool = False) -> Measured:
        """Return risk and cost after `recodings` and, with `suppress`, after leaving out what is then below k."""
        labels, sizes = self.labels(recodings)
        small = sizes < self.k
        n_below = int(sizes[small].sum())
        if not suppress:
            return Measured(
                int(sizes.min()) if len(sizes) else 0,
                int((sizes == 1).sum()),
                n_below,
                self.coded.n_rows,
                len(sizes),
                self.cost(recodings, None),
            )
        kept = sizes[~small]
        return Measured(
            int(kept.min()) if len(kept) else 0,
            0 if self.k > 1 else int((kept == 1).sum()),
            0,
            self.coded.n_rows - n_below,
            len(kept),
            self.cost(recodings, small[labels]),
        )

    def cost(self, recodings: Mapping[str, Recoding], suppressed: npt.NDArray[np.bool_] | None) -> float:
        """Return the share of information lost by `recodings` and by leaving out the rows marked `suppressed`."""
        shares = []
        for name, code in zip(self.names, self.coded.codes, strict=True):
            if self._total[name] == 0:
                continue
            recoding = recodings.get(name)
            per_value, lost = self._loss(recoding) if recoding else (None, 0.0)
            if suppressed is not None and suppressed.any():
                hit = np.bincount(code[suppressed], weights=self.coded.weights[suppressed], minlength=1)
                whole = self._whole[name][: len(hit)]
                lost += float(hit @ (whole if per_value is None else whole - per_value[: len(hit)]))
            shares.append(lost / self._total[name])
        if not shares:
            gone = 0 if suppressed is None else int(self.coded.weights[suppressed].sum())
            return round(gone / self.coded.n_rows, DIGITS) if self.coded.n_rows else 0.0
        return round(min(1.0, max(0.0, sum(shares) / len(shares))), DIGITS)

    def _loss(self, recoding: Recoding) -> tuple[Bits, float]:
        """Return the bits each value of a column loses and their sum over the records."""
        key = (recoding.column, recoding.lookup.tobytes())
        if key not in self._lossy:
            counts = self.counts[recoding.column]
            bits = _bits(counts, recoding.lookup, self.coded.n_rows)
            self._lossy[key] = (bits, float(counts @ bits))
        return self._lossy[key]

    def apply(self, steps: Sequence[Recoding]) -> CodedTable:
        """Return the table recoded for good, step by step, to verify what was measured on the lookups."""
        import pyarrow as pa

        table = self.coded
        for step in steps:
            size = int(step.lookup.max(initial=0)) + 1
            table = table.recode(
                step.column, step.lookup, pa.array([str(i) for i in range(size)], pa.string())
            )
        return table


def _bits(counts: Labels, lookup: Lookup | None, n_rows: int) -> Bits:
    """Return ``log2(n_g / n_v)`` for each value v merged into g, or into everything; 0 for values nobody holds."""
    merged = np.full(len(counts), n_rows) if lookup is None else np.bincount(lookup, weights=counts)[lookup]
    held = counts > 0
    bits = np.zeros(len(counts), dtype=np.float64)
    bits[held] = np.log2(merged[held] / counts[held])
    return bits
