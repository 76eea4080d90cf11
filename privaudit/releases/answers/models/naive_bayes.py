"""Naive Bayes on noisy counts over declared bands.

Question: which class has the highest probability, with features independent within each class?
Method: `models.tables`. It replaces ``diffprivlib.models.GaussianNB``.
Limits: see `models.tables`.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from privaudit.base.extras import LEARN, needing
from privaudit.releases.answers.models.base import PaidClassifier, log_probabilities
from privaudit.releases.answers.models.tables import class_tables, table_parts

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
