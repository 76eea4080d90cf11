"""Classifiers of tables of class by band: logistic regression and naive Bayes, and the tables that both learn from.

Logistic regression, trained on rows that are drawn from noisy tables.

Question: which linear score separates the classes?
Method: the noisy tables of class by band define a distribution; rows are drawn from it, and
scikit-learn trains on them, which costs no further budget. On 212 patients this is more accurate than functional
perturbation (Zhang et al. 2012) at every epsilon from 0.5 to 10 (benchmarks/private_models.py). It replaces
``diffprivlib.models.LogisticRegression``.
Limits: features are independent within each class in the drawn rows.

Noisy tables of class by band, one for each feature: what naive Bayes and logistic regression learn from.

Question: how often does each band of each feature occur in each class?
Method: every feature gets an equal part of epsilon for its table of counts. All tables count the same rows, so their
class totals are averaged; each table is moved to the closest counts that are not negative and have these totals. Then
every cell gets the standard deviation of its noise as a pseudo-count: where the noise is large, the bands differ less.
Limits: features are independent within a class.

Naive Bayes on noisy counts over declared bands.

Question: which class has the highest probability, with features independent within each class?
Method: `models.tables`. It replaces ``diffprivlib.models.GaussianNB``.
Limits: see `models.tables`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from privaudit.base.extras import LEARN, needing
from privaudit.releases.answers.consistency import without_negative
from privaudit.releases.answers.mechanisms import noisy_counts
from privaudit.releases.answers.models.base import Axis, PaidClassifier, log_probabilities
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


with needing(LEARN, "An estimator for scikit-learn"):
    from sklearn.linear_model import LogisticRegression
    from sklearn.utils import check_random_state
    from sklearn.utils.validation import check_is_fitted

FEWEST, MOST = 1_000, 20_000
"""How many rows are drawn: as many as the noisy count, within these limits."""


@dataclass(eq=False, repr=False)
class PrivateLogisticRegression(PaidClassifier):
    """Logistic regression on rows that are drawn from noisy tables.

    Parameters
    ----------
    bounds, epsilon, ledger, classes, rows_per_person
        As for `PrivateNaiveBayes`.
    bands : int, default 5
    C : float, default 1.0
        Inverse strength of the regularisation.
    random_state : int, optional
        For the drawn rows; the noise of the tables has no seed.

    Attributes
    ----------
    classes_ : array of shape (c,)
    coef_, intercept_ : as in scikit-learn, for features scaled to -1..1 by the bounds
    receipt_ : Receipt
    """

    bounds: Any = None
    epsilon: float = 1.0
    ledger: Any = None
    _: KW_ONLY
    classes: Any = None
    bands: int = 5
    C: float = 1.0
    random_state: Any = None
    rows_per_person: int | None = None

    def fit(self, X: Any, y: Any, *, groups: Any = None) -> PrivateLogisticRegression:
        """Charge the ledger, draw rows from noisy tables, and train on them.

        Raises
        ------
        MissingBounds
            If bounds or classes are not declared.
        BudgetExceeded
        """
        (X, label), epsilon = self._started(X, y, self.bands), self._budget()
        X, label = self._paid(lambda most: table_parts(self.axes_, epsilon, most), (X, label), groups)
        learned = class_tables(self.axes_, X, label, len(self.classes_), epsilon, self.most_)
        self._train(learned)
        return self

    def _train(self, learned: ClassTables) -> None:
        rng = check_random_state(self.random_state)
        n = int(np.clip(learned.n, FEWEST, MOST))
        label = rng.choice(len(self.classes_), n, p=np.exp(learned.log_prior))
        label[: len(self.classes_)] = np.arange(len(self.classes_))  # every class occurs
        drawn = np.zeros((n, len(self.axes_)))
        for i, (axis, log_bands) in enumerate(zip(self.axes_, learned.log_bands, strict=True)):
            middles = axis.middles()
            for c in range(len(self.classes_)):
                rows = np.flatnonzero(label == c)
                drawn[rows, i] = middles[rng.choice(axis.n_cells, len(rows), p=np.exp(log_bands[c]))]
        if len(self.classes_) == 1:
            self.coef_, self.intercept_ = np.zeros((1, len(self.axes_))), np.zeros(1)
            return
        fitted = LogisticRegression(C=self.C, max_iter=1_000).fit(self._scaled(drawn), label)
        self.coef_, self.intercept_ = fitted.coef_, fitted.intercept_

    def _scaled(self, X: Any) -> Any:
        return np.column_stack([axis.scaled(X[:, i]) for i, axis in enumerate(self.axes_)])

    def decision_function(self, X: Any) -> Any:
        """Return the score of each class, or of the second one where there are two."""
        check_is_fitted(self)
        score = self._scaled(self._checked(X)) @ self.coef_.T + self.intercept_
        return score.ravel() if score.shape[1] == 1 else score

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithm of the probability of each class: an array of shape (n, c)."""
        score = self.decision_function(X)
        if score.ndim == 1:
            # With one class the only score is 0; with two, the first class has the score 0.
            zeros = np.zeros((len(score), len(self.classes_) - 1))
            score = np.column_stack([zeros, score])
        return log_probabilities(score)


with needing(LEARN, "An estimator for scikit-learn"):
    from sklearn.utils.validation import check_is_fitted


@dataclass(eq=False, repr=False)
class PrivateNaiveBayes(PaidClassifier):
    """Naive Bayes whose counts have exact discrete Laplace noise.

    Parameters
    ----------
    bounds : pair, list of pairs, or mapping of feature to pair
        Declared bounds, cut into `bands`; a `range` or set declares categories.
    epsilon : float
        What one `fit` costs.
    ledger : path or Ledger
        Pays for every `fit`; copies of the estimator pay from the same ledger.
    classes : list or "public"
        The declared classes; "public" declares that the set of labels in y is public.
    bands : int, default 5
    rows_per_person : int, optional
        Where the unit of the ledger is a person; `fit` then needs `groups`.

    Attributes
    ----------
    classes_ : array of shape (c,)
    class_log_prior_ : array of shape (c,)
    feature_log_prob_ : list of d arrays of shape (c, cells)
    receipt_ : Receipt
    """

    bounds: Any = None
    epsilon: float = 1.0
    ledger: Any = None
    _: KW_ONLY
    classes: Any = None
    bands: int = 5
    rows_per_person: int | None = None

    def fit(self, X: Any, y: Any, *, groups: Any = None) -> PrivateNaiveBayes:
        """Charge the ledger and learn from noisy counts.

        Raises
        ------
        MissingBounds
            If bounds or classes are not declared.
        BudgetExceeded
        """
        (X, label), epsilon = self._started(X, y, self.bands), self._budget()
        X, label = self._paid(lambda most: table_parts(self.axes_, epsilon, most), (X, label), groups)
        learned = class_tables(self.axes_, X, label, len(self.classes_), epsilon, self.most_)
        self.class_log_prior_ = learned.log_prior
        self.feature_log_prob_ = [*learned.log_bands]
        return self

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithm of the probability of each class: an array of shape (n, c)."""
        check_is_fitted(self)
        X = self._checked(X)
        score = np.tile(self.class_log_prior_, (len(X), 1))
        for i, (axis, log_bands) in enumerate(zip(self.axes_, self.feature_log_prob_, strict=True)):
            score += log_bands[:, axis.cells(X[:, i])].T
        return log_probabilities(score)
