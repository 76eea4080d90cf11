"""A forest of trees with random splits and noisy leaves.

Question: which class do many coarse partitions of the declared space suggest?
Method: features and thresholds are drawn from the declared bounds, without the data (Fletcher, Islam 2017). The data
enter only as noisy counts of classes in the leaves; each tree costs an equal part of epsilon. A leaf gets the standard
deviation of its noise as a pseudo-count; the trees' log-probabilities are averaged. It replaces
``diffprivlib.models.RandomForestClassifier``.
Limits: the splits do not adapt to the data, so irrelevant features cost accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from privaudit.base.extras import LEARN, needing
from privaudit.releases.answers.mechanisms import noisy_counts
from privaudit.releases.answers.models.base import Axis, PaidClassifier, log_probabilities
from privaudit.releases.privacy import noise
from privaudit.releases.privacy.charges import laplace_part

with needing(LEARN, "An estimator for scikit-learn"):
    from sklearn.utils import check_random_state


class Tree(NamedTuple):
    """A complete binary tree: feature and threshold of each inner node, and the log-probabilities of its leaves."""

    feature: Any
    threshold: Any
    leaves: Any


@dataclass(eq=False, repr=False, kw_only=True)
class PrivateForest(PaidClassifier):
    """A decision forest with random splits and discrete Laplace noise in the leaves.

    Parameters
    ----------
    bounds, epsilon, ledger, classes, rows_per_person
        As for `PrivateNaiveBayes`.
    n_estimators : int, default 10
    max_depth : int, default 4
    random_state : int, optional
        For the splits, which are drawn without the data; the noise has no seed.

    Attributes
    ----------
    classes_ : array of shape (c,)
    receipt_ : Receipt
    """

    n_estimators: int = 10
    max_depth: int = 4
    random_state: Any = None

    def fit(self, X: Any, y: Any, *, groups: Any = None) -> PrivateForest:
        """Draw the splits, charge the ledger, and count the leaves with noise.

        Raises
        ------
        MissingBounds
            If bounds or classes are not declared.
        BudgetExceeded
        """
        (X, label), share = self._started(X, y, 2), self._budget() / self.n_estimators
        rng = check_random_state(self.random_state)
        splits = [drawn_splits(self.axes_, self.max_depth, rng) for _ in range(self.n_estimators)]
        names = [f"leaves, tree {i}" for i in range(1, self.n_estimators + 1)]
        X, label = self._paid(lambda most: [laplace_part(n, share, most) for n in names], (X, label), groups)
        known = label >= 0
        self.trees_ = [self._grown(split, X[known], label[known], share) for split in splits]
        return self

    def _grown(self, split: tuple[Any, Any], X: Any, label: Any, share: Fraction) -> Tree:
        n_leaves, n_classes = 2**self.max_depth, len(self.classes_)
        index = leaves_of(*split, X) * n_classes + label
        counts = np.bincount(index, minlength=n_leaves * n_classes).reshape(n_leaves, n_classes)
        noisy = np.maximum(noisy_counts(counts, self.most_, share), 0)
        smooth = noisy + max(noise.laplace_sd(Fraction(self.most_) / share), 1e-9)
        return Tree(*split, np.log(smooth / smooth.sum(axis=1, keepdims=True)))

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithm of the probability of each class: an array of shape (n, c)."""
        X = self._checked(X)
        score = sum(tree.leaves[leaves_of(tree.feature, tree.threshold, X)] for tree in self.trees_)
        return log_probabilities(score)


def drawn_splits(axes: list[Axis], depth: int, rng: Any) -> tuple[Any, Any]:
    """Return feature and threshold of each inner node of a complete tree; every split divides its part of the space."""
    n_nodes = 2**depth - 1
    feature, threshold = np.zeros(n_nodes, dtype=np.int64), np.zeros(n_nodes)
    spaces = {0: [(axis.lower, axis.upper) for axis in axes]}
    for node in range(n_nodes):
        space = spaces.pop(node)
        choices = [(i, found) for i, axis in enumerate(axes) if (found := _threshold(axis, *space[i], rng)) is not None]
        i, at = choices[rng.randint(len(choices))] if choices else (0, space[0][1])
        feature[node], threshold[node] = i, at
        low, high = space[i]
        spaces[2 * node + 1] = [*space[:i], (low, min(at, high)), *space[i + 1 :]]
        spaces[2 * node + 2] = [*space[:i], (max(at, low), high), *space[i + 1 :]]
    return feature, threshold


def _threshold(axis: Axis, low: float, high: float, rng: Any) -> float | None:
    """Return a threshold between two bounds, or between two categories; None where there is none."""
    if axis.categories is None:
        return float(rng.uniform(low, high)) if high > low else None
    inside = axis.categories[(axis.categories >= low) & (axis.categories <= high)]
    if len(inside) < 2:
        return None
    at = rng.randint(len(inside) - 1)
    return float((inside[at] + inside[at + 1]) / 2)


def leaves_of(feature: Any, threshold: Any, X: Any) -> Any:
    """Return the leaf of each row of a complete tree."""
    node, rows = np.zeros(len(X), dtype=np.int64), np.arange(len(X))
    for _ in range(int(np.log2(len(feature) + 1))):
        node = 2 * node + 1 + (X[rows, feature[node]] > threshold[node])
    return node - len(feature)
