"""Measures of information loss: what a recoding and the suppression of small classes cost.

Question: how much of the information in the quasi-identifiers does a remedy remove?
Method: six measures of the literature. Four are measured for each column, as a share of what dropping the column
would cost: the loss over the values of the domain (a group of 20 of 100 values loses 19/99 of the column), which ARX
calls "Loss", and two forms of entropy. They are combined over the columns by importance. Columns that are one-to-one
recodings of each other hold the same information, so they count once, with the loss of the one that keeps most.
Discernibility and average class size are measured on the classes.
Limits: no measure knows what the values are used for; importance states it. Missing cells are a value of the domain.
The measures on classes read no column, so importance does not change them.

References
----------
.. [1] V. S. Iyengar, Transforming data to satisfy privacy constraints, KDD 2002 (loss).
.. [2] A. Gionis, T. Tassa, k-anonymization with minimal loss of information, IEEE TKDE 21(2), 2009 (entropy).
.. [3] R. J. Bayardo, R. Agrawal, Data privacy through optimal k-anonymization, ICDE 2005 (discernibility).
.. [4] K. LeFevre, D. J. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006 (class size).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.advice.recoding import Recoding, RecodingKey
from privaudit.config import LossMeasure
from privaudit.risk.coded import dense_labels

if TYPE_CHECKING:
    from privaudit.advice.trial_table import TrialTable

Floats = npt.NDArray[np.float64]
Sizes = npt.NDArray[np.int64]
Codes = Sequence[npt.NDArray[np.int32]]
DIGITS = 9

TITLES: dict[LossMeasure, str] = {
    "loss": "loss of granularity, mean over the quasi-identifiers",
    "geometric-loss": "loss of granularity, geometric mean over the quasi-identifiers",
    "entropy": "non-uniform entropy lost, suppressed cells within the suppressed records",
    "entropy-to-root": "non-uniform entropy lost, mean over the quasi-identifiers",
    "discernibility": "discernibility, squared class sizes over the squared number of records",
    "class-size": "average class size, as a share of the records",
}
ON_CLASSES: tuple[LossMeasure, ...] = ("discernibility", "class-size")
_SUPPRESSION_ADDS = ("loss", "geometric-loss", "entropy-to-root")
"""Measures under which suppressing more records never costs less, column by column."""


class InformationLoss:
    """One measure of information loss over the quasi-identifiers of a trial table.

    Parameters
    ----------
    trial : TrialTable
    measure : str
        ``loss``: with n records, share(v) of the domain under v and D values of the domain, a column loses
        ``(A - n/D) / (n - n/D)``, A the sum of share(v) over the records kept plus the records suppressed; then the
        weighted mean. ``geometric-loss``: ``prod(1 + L_i)^(1/m) - 1``. ``entropy``: ``log2(n_g / n_v)`` bits for a
        cell v merged into g, ``log2(|S| / s_g)`` more for each suppressed record, as ARX counts it, over the bits of
        dropping all columns. ``entropy-to-root``: ``log2(n / n_v)`` for a suppressed cell; the mean of the columns'
        shares. ``discernibility``: sum of squared class sizes plus n for each suppressed record, over n^2.
        ``class-size``: 1 over the number of classes, suppressed records as one class.
    importance : mapping of column to weight, optional
        1 where not given.
    """

    def __init__(
        self, trial: TrialTable, measure: LossMeasure = "loss", importance: Mapping[str, float] | None = None
    ) -> None:
        self.trial = trial
        self.measure: LossMeasure = measure
        self.title = TITLES[measure]
        self._shares: dict[RecodingKey, tuple[Floats, float]] = {}
        self._whole = {name: self._sum_bits(name, None) for name in trial.names}
        given = importance or {}
        used = [n for n in trial.names if self._whole[n] > 0]
        self.groups = [[trial.names.index(n) for n in group] for group in one_to_one(trial, used)]
        self.weights = [max(float(given.get(trial.names[i], 1.0)) for i in group) for group in self.groups]
        if measure == "entropy":
            # Bits are added over the columns, so a column counts by its bits.
            bits = [max(self._whole[trial.names[i]] for i in group) for group in self.groups]
            self.weights = [weight * whole for weight, whole in zip(self.weights, bits, strict=True)]

    @property
    def grows_with_suppression(self) -> bool:
        """Whether a bound for one set of suppressed records also holds for each larger set."""
        return self.measure in _SUPPRESSION_ADDS

    def without_suppression(self, recoding: Recoding) -> float:
        """Return the share of its column that a recoding loses where no record is suppressed, 0 to 1."""
        return self.of_column(recoding, None, np.zeros(0, dtype=np.int64))

    def of_column(self, recoding: Recoding, codes: npt.NDArray[np.int32] | None, gone: Sizes) -> float:
        """Return the share of its column that a recoding loses, 0 to 1.

        Parameters
        ----------
        recoding : Recoding
        codes : int32 array of shape (s,) or None
            The recoded value of each class that is suppressed.
        gone : int64 array of shape (s,)
            Records of these classes.
        """
        name, n = recoding.column, self.trial.coded.n_rows
        each, total = self._of_values(recoding)
        if self.measure in ("loss", "geometric-loss"):
            least = n / self.trial.domain(name)
            if codes is not None:
                total += float(gone @ (1 - each[codes]))
            return (total - least) / (n - least) if n > least else 0.0
        if codes is not None:
            total += float(gone @ (self._within(codes, gone) if self.measure == "entropy" else each[codes]))
        whole = self._whole[name]
        return total / whole if whole > 0 else 0.0

    def combine(self, shares: Sequence[float] | Sequence[Floats]) -> Floats:
        """Return the loss of the table from the shares of its columns; arrays are combined element by element."""
        kept = [_least([np.asarray(shares[i]) for i in group]) for group in self.groups]
        if not kept or not sum(self.weights):
            return np.zeros(())
        if self.measure == "geometric-loss":
            logs = sum(w * np.log1p(share) for w, share in zip(self.weights, kept, strict=True))
            return np.asarray(np.expm1(logs / sum(self.weights)))
        return np.asarray(sum(w * s for w, s in zip(self.weights, kept, strict=True)) / sum(self.weights))

    def of(
        self, steps: Sequence[Recoding], codes: Codes, sizes: Sizes, suppressed: npt.NDArray[np.bool_]
    ) -> float:
        """Return the loss of one state of the table, 0 to 1.

        Parameters
        ----------
        steps : one recoding for each column
        codes : one int32 array of shape (J,) for each column
            The recoded value of each class; read only where a class is suppressed.
        sizes : int64 array of shape (J,)
        suppressed : bool array of shape (J,)
            The classes that are suppressed.
        """
        n, gone = self.trial.coded.n_rows, sizes[suppressed]
        if n == 0:
            return 0.0
        if self.measure == "discernibility":
            kept = sizes[~suppressed].astype(np.float64)
            return rounded((float(kept @ kept) + float(gone.sum()) * n) / n**2)
        if self.measure == "class-size":
            return rounded(1 / (int((~suppressed).sum()) + bool(len(gone))))
        if not self.groups:
            return rounded(int(gone.sum()) / n)
        shares = [
            self.of_column(step, code[suppressed] if len(gone) else None, gone)
            for step, code in zip(steps, codes, strict=True)
        ]
        return rounded(float(self.combine(shares)))

    def _of_values(self, recoding: Recoding) -> tuple[Floats, float]:
        """Return what each recoded value loses more or less of when suppressed, and the sum over all records."""
        if recoding.key not in self._shares:
            counts = self.trial.counts[recoding.column]
            if self.measure in ("loss", "geometric-loss"):
                each = self._granularity(recoding)
                total = float(counts @ each[recoding.lookup])
            else:
                held = np.bincount(recoding.lookup, weights=counts)
                each = np.log2(np.maximum(1.0, self.trial.coded.n_rows / np.maximum(held, 1)))
                total = self._sum_bits(recoding.column, recoding.lookup)
            self._shares[recoding.key] = (each, total)
        return self._shares[recoding.key]

    def _granularity(self, recoding: Recoding) -> Floats:
        """Return the share of the domain under each recoded value."""
        if recoding.technique == "drop":
            return np.ones(1)
        size = int(recoding.lookup.max(initial=0)) + 1
        if recoding.shares is not None:
            each = np.zeros(size)
            each[recoding.lookup] = recoding.shares
            return each
        present = self.trial.counts[recoding.column] > 0
        return np.bincount(recoding.lookup[present], minlength=size) / self.trial.domain(recoding.column)

    def _within(self, codes: npt.NDArray[np.int32], gone: Sizes) -> Floats:
        """Return ``log2(|S| / s_g)`` for each suppressed class."""
        held = np.bincount(codes, weights=gone)
        return np.asarray(np.log2(gone.sum() / held[codes]))

    def _sum_bits(self, name: str, lookup: npt.NDArray[np.int32] | None) -> float:
        """Sum ``log2(n_g / n_v)`` over the records, v merged into g by `lookup`, or into everything."""
        counts = self.trial.counts[name]
        held = counts > 0
        merged = (
            np.full(len(counts), self.trial.coded.n_rows)
            if lookup is None
            else np.bincount(lookup, weights=counts)[lookup]
        )
        return float(counts[held] @ np.log2(merged[held] / counts[held]))


def one_to_one(trial: TrialTable, names: Sequence[str]) -> list[list[str]]:
    """Return the columns in groups: columns of a group are one-to-one recodings of each other.

    Two columns in which most values occur once are one-to-one by chance, so values must repeat: at most half as many
    distinct values as records.
    """
    coded = trial.coded
    distinct = {name: int((trial.counts[name] > 0).sum()) for name in names}
    groups: list[list[str]] = []
    for name in names:
        for group in groups:
            if distinct[name] == distinct[group[0]] <= coded.n_rows / 2 and _joint(
                trial, name, group[0]
            ) == distinct[name]:
                group.append(name)
                break
        else:
            groups.append([name])
    return groups


def _joint(trial: TrialTable, first: str, second: str) -> int:
    """Return the distinct pairs of values of two columns."""
    coded = trial.coded
    at = [coded.index(name) for name in (first, second)]
    widths = [len(coded.dictionaries[i]) + 1 for i in at]
    return dense_labels([coded.codes[i] for i in at], widths, length=coded.n_distinct)[1]


def _least(shares: Sequence[Floats]) -> Floats:
    least = shares[0]
    for share in shares[1:]:
        least = np.minimum(least, share)
    return least


def rounded(cost: float) -> float:
    """Keep a share within 0 and 1 and to the digits that are the same on every machine."""
    return round(min(1.0, max(0.0, cost)), DIGITS)
