"""Noisy tables of class by band, one for each feature: what naive Bayes and logistic regression learn from.

Question: how often does each band of each feature occur in each class?
Method: every feature gets an equal part of epsilon for its table of counts. All tables count the same rows, so their
class totals are averaged; each table is moved to the closest counts that are not negative and have these totals. Then
every cell gets the standard deviation of its noise as a pseudo-count: where the noise is large, the bands differ less.
Limits: features are independent within a class.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np

from privaudit.releases.answers.consistency import without_negative
from privaudit.releases.answers.mechanisms import noisy_counts
from privaudit.releases.answers.models.base import Axis, PaidClassifier
from privaudit.releases.privacy import noise
from privaudit.releases.privacy.charges import Part, laplace_part


@dataclass(frozen=True, slots=True)
class ClassTables:
    """Log-probabilities that were learned from noisy counts.

    Attributes
    ----------
    n : float
        The noisy number of rows, at least 1.
    log_prior : array of shape (c,)
    log_bands : tuple of arrays of shape (c, cells)
    """

    n: float
    log_prior: Any
    log_bands: tuple[Any, ...]


@dataclass(eq=False, repr=False, kw_only=True)
class TableClassifier(PaidClassifier):
    """A classifier that learns from noisy tables, of `bands` bands for each feature with bounds."""

    bands: int = 5

    def fit(self, X: Any, y: Any, *, groups: Any = None) -> Self:
        """Charge the ledger and learn from noisy tables.

        Raises
        ------
        MissingBounds
            If bounds or classes are not declared.
        BudgetExceeded
        """
        (X, label), epsilon = self._started(X, y, self.bands), self._budget()
        X, label = self._paid(lambda most: table_parts(self.axes_, epsilon, most), (X, label), groups)
        self._learn(class_tables(self.axes_, X, label, len(self.classes_), epsilon, self.most_))
        return self

    @abstractmethod
    def _learn(self, learned: ClassTables) -> None:
        """Learn from the noisy tables alone."""


def table_parts(axes: Sequence[Axis], epsilon: Fraction, most: int) -> list[Part]:
    """Return the mechanisms: one table of counts for each feature, each with an equal part of epsilon."""
    share = epsilon / len(axes)
    return [laplace_part(f"classes, feature {i}", share, most) for i in range(1, len(axes) + 1)]


def class_tables(axes: Sequence[Axis], X: Any, label: Any, n_classes: int, epsilon: Fraction, most: int) -> ClassTables:
    """Return the probabilities of bands in each class, from noisy counts.

    Parameters
    ----------
    axes : sequence of Axis
    X : float64 array of shape (n, d)
    label : int64 array of shape (n,)
        Position of the class; rows with -1 are not counted.
    """
    share, known = epsilon / len(axes), label >= 0
    deviation = noise.laplace_sd(Fraction(most) / share)
    noisy = []
    for i, axis in enumerate(axes):
        index = label[known] * axis.n_cells + axis.cells(X[known, i])
        counts = np.bincount(index, minlength=n_classes * axis.n_cells).reshape(n_classes, axis.n_cells)
        noisy.append(noisy_counts(counts, most, share).astype(np.float64))
    weights = np.array([1 / axis.n_cells for axis in axes])  # a total of many cells has more noise
    totals = np.maximum(np.average([table.sum(axis=1) for table in noisy], axis=0, weights=weights), 1.0)
    bands = tuple(_log_shares(table, totals, deviation) for table in noisy)
    return ClassTables(float(totals.sum()), np.log(totals / totals.sum()), bands)


def _log_shares(table: Any, totals: Any, deviation: float) -> Any:
    scaled = np.stack([_with_total(row, total) for row, total in zip(table, totals, strict=True)])
    smooth = scaled + max(deviation, 1e-9)
    return np.log(smooth / smooth.sum(axis=1, keepdims=True))


def _with_total(row: Any, total: float) -> Any:
    return without_negative(row + (total - row.sum()) / len(row))
