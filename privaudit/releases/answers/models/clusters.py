"""k-means on a noisy grid of counts.

Question: where are the centres of k clusters?
Method: the rows are counted on a grid over the declared bounds, with about `cells` cells; noise is added to the counts
and they are moved to the closest counts that are not negative and have the same total. k-means on the middles of the
cells, weighted by the counts, costs nothing further. It replaces ``diffprivlib.models.KMeans``.
Limits: the grid has two or more bands for each feature, so at most twelve features. The labels of the training rows are
not kept, because they are data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from privaudit.base.errors import TooManyCells
from privaudit.base.extras import LEARN, needing
from privaudit.releases.answers.consistency import without_negative
from privaudit.releases.answers.mechanisms import noisy_counts
from privaudit.releases.answers.models.base import Axis, Paid
from privaudit.releases.privacy.charges import laplace_part

with needing(LEARN, "An estimator for scikit-learn"):
    from sklearn.base import ClusterMixin, TransformerMixin
    from sklearn.cluster import KMeans
    from sklearn.utils import check_random_state
    from sklearn.utils.validation import validate_data

MOST_FEATURES = 12


@dataclass(eq=False, repr=False)
class PrivateKMeans(TransformerMixin, ClusterMixin, Paid):  # type: ignore[misc]
    """k-means on a grid of counts with exact discrete Laplace noise.

    Parameters
    ----------
    n_clusters : int, default 8
    bounds : pair, list of pairs, or mapping of feature to pair
    epsilon : float
        What one `fit` costs.
    ledger : path or Ledger
    cells : int, default 100
        About how many cells the grid has: each feature gets the same number of bands, at least 2.
    random_state : int, optional
        For the start of k-means; the noise has no seed.
    rows_per_person : int, optional
        Where the unit of the ledger is a person; `fit` then needs `groups`.

    Attributes
    ----------
    cluster_centers_ : array of shape (n_clusters, d)
    receipt_ : Receipt
    """

    n_clusters: int = 8
    bounds: Any = None
    epsilon: float = 1.0
    ledger: Any = None
    _: KW_ONLY
    cells: int = 100
    random_state: Any = None
    rows_per_person: int | None = None

    def fit(self, X: Any, y: Any = None, *, groups: Any = None) -> PrivateKMeans:
        """Charge the ledger and place the centres by noisy counts.

        Raises
        ------
        MissingBounds
            If bounds are not declared.
        TooManyCells
            If there are more than twelve features.
        BudgetExceeded
        """
        X = validate_data(self, X, dtype=np.float64)
        if self.n_features_in_ > MOST_FEATURES:
            raise TooManyCells(
                f"A grid over {self.n_features_in_:,} features has too many cells.",
                hint=f"choose at most {MOST_FEATURES} features",
            )
        n_bands = max(2, round(self.cells ** (1 / self.n_features_in_)))
        axes, epsilon = self._axes(n_bands), self._budget()
        (X,) = self._paid(lambda most: [laplace_part("counts on a grid", epsilon, most)], (X,), groups)
        noisy = noisy_counts(_counts(axes, X), self.most_, epsilon).astype(np.float64)
        middles = [axis.middles() for axis in axes]
        self.cluster_centers_ = centres_of(middles, noisy, self.n_clusters, self.random_state)
        return self

    def predict(self, X: Any) -> Any:
        """Return the nearest centre of each row."""
        return self._distances(self._checked(X)).argmin(axis=1)

    def transform(self, X: Any) -> Any:
        """Return the distance of each row to each centre."""
        return np.sqrt(self._distances(self._checked(X)))

    def _distances(self, X: Any) -> Any:
        return ((X[:, None, :] - self.cluster_centers_[None]) ** 2).sum(axis=2)

    def fit_predict(self, X: Any, y: Any = None, *, groups: Any = None) -> Any:
        """Return the nearest centre of each row, after `fit`."""
        return self.fit(X, groups=groups).predict(X)


def centres_of(middles: Sequence[Any], counts: Any, n_clusters: int, random_state: Any = None) -> Any:
    """Return the centres of k-means on the cells of a grid, weighted by counts without negative numbers.

    Parameters
    ----------
    middles : sequence of arrays
        The middle of each band of each column.
    counts : array with one axis for each column
    n_clusters : int

    Returns
    -------
    array of shape (n_clusters, d)
    """
    points = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1).reshape(-1, len(middles))
    weights = without_negative(counts.astype(np.float64)).ravel()
    used = np.flatnonzero(weights > 0)
    if len(used) < n_clusters:
        # Where the noise leaves too few cells, all cells count a little, so that every cluster has a centre.
        weights, used = weights + 1e-3, np.arange(len(weights))
    rng = check_random_state(random_state)
    fitted = KMeans(min(n_clusters, len(used)), n_init=4, random_state=rng)
    return fitted.fit(points[used], sample_weight=weights[used]).cluster_centers_


def _counts(axes: list[Axis], X: Any) -> Any:
    shape = tuple(axis.n_cells for axis in axes)
    index = np.ravel_multi_index(tuple(axis.cells(X[:, i]) for i, axis in enumerate(axes)), shape)
    return np.bincount(index, minlength=int(np.prod(shape))).reshape(shape)
