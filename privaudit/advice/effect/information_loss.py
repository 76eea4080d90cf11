"""Measures of information loss: what a recoding and the suppression of small classes cost.

Question: how much of the information in the quasi-identifiers does a remedy remove?
Method: eight measures of the literature. Five are measured for each column, as a share of what dropping the column
would cost, and combined over the columns by importance: the loss over the values of the domain (a group of 20 of 100
values loses 19/99 of the column), which ARX calls "Loss", as an arithmetic or geometric mean, the share of the steps of
the ladder, and two forms of entropy. Columns that are one-to-one recodings of each other hold the same information, so
they count once, with the loss of the one that keeps most. Three are measured on the classes. Every measure is what
recodings cost without suppression plus what suppression adds, so each part is a bound (`advice.lattices.bounds`).
Limits: no measure knows what the values are used for; importance states it. Missing cells are a value of the domain.
The measures on classes read no importance.

References
----------
.. [1] V. S. Iyengar, Transforming data to satisfy privacy constraints, KDD 2002 (loss).
.. [2] A. Gionis, T. Tassa, k-anonymization with minimal loss of information, IEEE TKDE 21(2), 2009 (entropy).
.. [3] R. J. Bayardo, R. Agrawal, Data privacy through optimal k-anonymization, ICDE 2005 (discernibility).
.. [4] K. LeFevre, D. J. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006 (class size).
.. [5] L. Sweeney, Achieving k-anonymity privacy protection using generalization and suppression, 2002 (precision).
.. [6] J. Goldberger, T. Tassa, Efficient anonymizations with enhanced utility, TDP 3, 2010 (ambiguity).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from privaudit.advice.effect.class_table import ClassTable
from privaudit.advice.technique import Recoding
from privaudit.base.arrays import Codes, Flags, Floats, Ints
from privaudit.risk.codes.coded import number_classes
from privaudit.settings.config import LossMeasure

if TYPE_CHECKING:
    from privaudit.advice.effect.trial_table import TrialTable

DIGITS = 9

TITLES: dict[LossMeasure, str] = {
    "loss": "loss of granularity, mean over the quasi-identifiers",
    "geometric-loss": "loss of granularity, geometric mean over the quasi-identifiers",
    "precision": "precision lost, mean share of the generalisation steps",
    "entropy": "non-uniform entropy lost, suppressed cells within the suppressed records",
    "entropy-to-root": "non-uniform entropy lost, mean over the quasi-identifiers",
    "discernibility": "discernibility, squared class sizes over the squared number of records",
    "class-size": "average class size, as a share of the records",
    "ambiguity": "ambiguity, share of the domain's combinations that a record may mean",
}
ON_CLASSES: tuple[LossMeasure, ...] = ("discernibility", "class-size", "ambiguity")


class InformationLoss:
    """One measure of information loss over the quasi-identifiers of a trial table.

    Parameters
    ----------
    trial : TrialTable
    measure : str
        ``loss``: with n records, share(v) of the domain under v and D values of the domain, a column loses
        ``(A - n/D) / (n - n/D)``, A the sum of share(v) over the records kept plus the records suppressed; then the
        weighted mean. ``geometric-loss``: ``prod(1 + L_i)^(1/m) - 1``. ``precision``: the step over the steps of the
        ladder, 1 for a suppressed record. ``entropy``: ``log2(n_g / n_v)`` bits for a cell v merged into g,
        ``log2(|S| / s_g)`` more for each suppressed record, as ARX counts it, over the bits of dropping all columns.
        ``entropy-to-root``: ``log2(n / n_v)`` for a suppressed cell; the mean of the columns' shares.
        ``discernibility``: sum of squared class sizes plus n for each suppressed record, over n^2. ``class-size``: 1
        over the number of classes, suppressed records as one class. ``ambiguity``: mean over the records of the
        product of share(v), 1 for a suppressed record.
    importance : mapping of column to weight, optional
        1 where not given.
    suppression : float
        Weight of what suppression adds, 0 to 1. ARX's factor of generalisation and suppression below 0.5 is half of it;
        with 0 the measure is monotone. It does not apply to ``class-size``.
    ladders : mapping of column to recodings, optional
        The steps that ``precision`` counts; a recoding that is not on the ladder counts as the first step with at most
        as many values.
    """

    def __init__(
        self,
        trial: TrialTable,
        measure: LossMeasure = "loss",
        importance: Mapping[str, float] | None = None,
        *,
        suppression: float = 1.0,
        ladders: Mapping[str, Sequence[Recoding]] | None = None,
    ) -> None:
        self.trial = trial
        self.measure: LossMeasure = measure
        self.title = TITLES[measure]
        self.suppression = suppression
        self.importance = dict(importance or {})
        self.ladders = ladders or {}
        # By identity, which is faster than by key; the recoding is held, so that its identity stays its own.
        self._shares: dict[int, tuple[Recoding, Floats, float]] = {}
        self._without: dict[int, tuple[Recoding, float]] = {}
        self._granularity: dict[int, tuple[Recoding, Floats]] = {}
        self._whole = {name: self._sum_bits(name, None) for name in trial.names}
        used = [n for n in trial.names if self._whole[n] > 0]
        self.groups = [[trial.names.index(n) for n in group] for group in one_to_one(trial, used)]
        self.weights = [max(float(self.importance.get(trial.names[i], 1.0)) for i in group) for group in self.groups]
        if measure == "entropy":
            # Bits are added over the columns, so a column counts by its bits.
            bits = [max(self._whole[trial.names[i]] for i in group) for group in self.groups]
            self.weights = [weight * whole for weight, whole in zip(self.weights, bits, strict=True)]

    @property
    def unit(self) -> float:
        """What 1 is in the units of the literature: bits, squared records, records in a class, combinations."""
        n = float(self.trial.coded.n_rows)
        domain = prod(float(self.trial.domain(name)) for name in self.trial.names)
        units = {"entropy": sum(self.weights), "discernibility": n**2, "class-size": n, "ambiguity": n * domain}
        return units.get(self.measure, 1.0)

    # One column

    def without_suppression(self, recoding: Recoding) -> float:
        """Return the share of its column that a recoding loses where no record is suppressed, 0 to 1."""
        if id(recoding) not in self._without:
            self._without[id(recoding)] = (recoding, self._without_suppression(recoding))
        return self._without[id(recoding)][1]

    def _without_suppression(self, recoding: Recoding) -> float:
        n = self.trial.coded.n_rows
        _, total = self._of_values(recoding)
        if self.measure in ("loss", "geometric-loss"):
            least = n / self.trial.domain(recoding.column)
            return (total - least) / (n - least) if n > least else 0.0
        return self._over_whole(recoding.column, total)

    def by_suppression(self, recoding: Recoding, codes: Ints, gone: Ints) -> float:
        """Return the share of its column that suppression adds.

        Parameters
        ----------
        recoding : Recoding
        codes : int64 array of shape (s,)
            The recoded value of each class that is suppressed.
        gone : int64 array of shape (s,)
            Records of these classes.
        """
        name, n = recoding.column, self.trial.coded.n_rows
        each, _ = self._of_values(recoding)
        # Sums of whole numbers by value first: they do not depend on the order of the classes.
        held = np.bincount(codes, weights=gone, minlength=len(each))
        if self.measure in ("loss", "geometric-loss"):
            least = n / self.trial.domain(name)
            amount = float(held @ each) / (n - least) if n > least else 0.0
        elif self.measure == "entropy":
            present = held[held > 0]
            amount = self._over_whole(name, float(present @ np.log2(present.sum() / present)) if len(present) else 0.0)
        else:
            amount = self._over_whole(name, float(held @ each))
        return self.suppression * amount

    def _over_whole(self, name: str, total: float) -> float:
        whole = float(self.trial.coded.n_rows) if self.measure == "precision" else self._whole[name]
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

    @property
    def is_linear(self) -> bool:
        """Whether the loss of sums of shares is the sum of their losses."""
        return self.measure not in ("geometric-loss", *ON_CLASSES) and all(len(group) == 1 for group in self.groups)

    def combined(self, shares: Sequence[float]) -> float:
        """Return what `combine` does of single numbers, added in the same order."""
        if self.measure == "geometric-loss" or not sum(self.weights):
            return float(self.combine(shares))
        total = 0.0
        for weight, group in zip(self.weights, self.groups, strict=True):
            total += weight * (shares[group[0]] if len(group) == 1 else min(shares[i] for i in group))
        return total / sum(self.weights)

    # The table

    def of(self, steps: Sequence[Recoding], table: ClassTable, suppressed: Flags) -> float:
        """Return the loss of one state of the table, 0 to 1.

        Parameters
        ----------
        steps : one recoding for each column
        table : ClassTable
        suppressed : bool array of shape (J,)
            The classes that are suppressed.
        """
        n, gone = self.trial.coded.n_rows, table.sizes[suppressed]
        if self.measure in ON_CLASSES:
            return self.base_of_classes(steps, table, suppressed) + self.added_to_classes(steps, table, suppressed)
        if not self.groups:
            return self.suppression * int(gone.sum()) / n
        if not gone.any():
            return self.of_steps(steps)
        shares = [
            self.without_suppression(step) + self.by_suppression(step, codes, gone)
            for step, codes in zip(steps, table.all_codes(suppressed), strict=True)
        ]
        return min(1.0, max(0.0, self.combined(shares)))

    def of_steps(self, steps: Sequence[Recoding]) -> float:
        """Return the loss without suppression, by a measure that does not depend on the classes."""
        return min(1.0, max(0.0, self.combined([self.without_suppression(step) for step in steps])))

    def base_of_classes(self, steps: Sequence[Recoding], table: ClassTable, suppressed: Flags) -> float:
        """Return what a measure on classes costs without suppression; for class-size, with it."""
        n, sizes = self.trial.coded.n_rows, table.sizes
        if self.measure == "discernibility":
            each = sizes.astype(np.float64)
            return float(each @ each) / n**2
        if self.measure == "class-size":
            return 1 / max(1, int((~suppressed & (sizes > 0)).sum()) + bool(sizes[suppressed].any()))
        return float(np.sort(sizes * self._combinations(steps, table, None)).sum()) / n

    def added_to_classes(self, steps: Sequence[Recoding], table: ClassTable, suppressed: Flags) -> float:
        """Return what suppression adds to a measure on classes."""
        n, gone = self.trial.coded.n_rows, table.sizes[suppressed]
        if self.measure == "class-size" or not gone.any():
            return 0.0
        if self.measure == "discernibility":
            each = gone.astype(np.float64)
            return self.suppression * float(each @ (n - each)) / n**2
        left = 1 - self._combinations(steps, table, suppressed)
        return self.suppression * float(np.sort(gone * left).sum()) / n

    def _combinations(self, steps: Sequence[Recoding], table: ClassTable, of: Flags | None) -> Floats:
        """Return the share of the domain's combinations that each class may mean."""
        share = np.ones(len(table) if of is None else int(of.sum()))
        for i, step in enumerate(steps):
            share *= self.granularity(step)[table.codes(i, of)]
        return share

    # What recodings lose

    def _of_values(self, recoding: Recoding) -> tuple[Floats, float]:
        """Return what each recoded value loses more or less of when suppressed, and the sum over all records."""
        if id(recoding) not in self._shares:
            counts = self.trial.counts[recoding.column]
            size = int(recoding.lookup.max(initial=0)) + 1
            if self.measure in ("loss", "geometric-loss"):
                share = self.granularity(recoding)
                each, total = 1 - share, float(counts @ share[recoding.lookup])
            elif self.measure == "precision":
                step = self._position(recoding)
                each = np.full(size, 1 - step)
                total = step * self.trial.coded.n_rows
            else:
                held = np.bincount(recoding.lookup, weights=counts, minlength=size)
                each = np.log2(np.maximum(1.0, self.trial.coded.n_rows / np.maximum(held, 1)))
                total = self._sum_bits(recoding.column, recoding.lookup)
            self._shares[id(recoding)] = (recoding, each, total)
        return self._shares[id(recoding)][1:]

    def granularity(self, recoding: Recoding) -> Floats:
        """Return the share of the domain under each recoded value."""
        if id(recoding) not in self._granularity:
            self._granularity[id(recoding)] = (recoding, self._measured_granularity(recoding))
        return self._granularity[id(recoding)][1]

    def _measured_granularity(self, recoding: Recoding) -> Floats:
        if recoding.technique == "drop":
            return np.ones(1)
        if recoding.shares is not None:
            each = np.zeros(int(recoding.lookup.max(initial=0)) + 1)
            each[recoding.lookup] = recoding.shares
            return each
        merged = recoding.values_merged(self.trial.counts[recoding.column])
        return np.asarray(merged / self.trial.domain(recoding.column))

    def _position(self, recoding: Recoding) -> float:
        """Return the step of a recoding on its ladder over all steps of the ladder."""
        ladder = self.ladders.get(recoding.column, ())
        values = [int(step.lookup.max(initial=0)) + 1 for step in ladder]
        keys = [step.key for step in ladder]
        own = int(recoding.lookup.max(initial=0)) + 1
        if recoding.key in keys:
            step = keys.index(recoding.key)
        else:
            step = next((i for i, held in enumerate(values) if held <= own), len(values) - 1)
        return step / (len(ladder) - 1) if len(ladder) > 1 else float(recoding.technique == "drop")

    def _sum_bits(self, name: str, lookup: Codes | None) -> float:
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
            if (
                distinct[name] == distinct[group[0]] <= coded.n_rows / 2
                and _joint(trial, name, group[0]) == distinct[name]
            ):
                group.append(name)
                break
        else:
            groups.append([name])
    return groups


def _joint(trial: TrialTable, first: str, second: str) -> int:
    """Return the distinct pairs of values of two columns."""
    return number_classes(trial.coded, (first, second))[1]


def _least(shares: Sequence[Floats]) -> Floats:
    least = shares[0]
    for share in shares[1:]:
        least = np.minimum(least, share)
    return least


def rounded(cost: float) -> float:
    """Keep a share within 0 and 1 and to the digits that are the same on every machine."""
    return round(min(1.0, max(0.0, cost)), DIGITS)
