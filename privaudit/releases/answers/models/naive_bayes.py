"""Naive Bayes on noisy counts over declared bands.

Question: which class has the highest probability, with features independent within each class?
Method: `models.tables`. It replaces ``diffprivlib.models.GaussianNB``.
Limits: see `models.tables`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from privaudit.releases.answers.models.base import log_probabilities
from privaudit.releases.answers.models.tables import ClassTables, TableClassifier


class PrivateNaiveBayes(TableClassifier):
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

    def _learn(self, learned: ClassTables) -> None:
        self.class_log_prior_ = learned.log_prior
        self.feature_log_prob_ = [*learned.log_bands]

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithm of the probability of each class: an array of shape (n, c)."""
        X = self._checked(X)
        score = np.tile(self.class_log_prior_, (len(X), 1))
        for i, (axis, log_bands) in enumerate(zip(self.axes_, self.feature_log_prob_, strict=True)):
            score += log_bands[:, axis.cells(X[:, i])].T
        return log_probabilities(score)
