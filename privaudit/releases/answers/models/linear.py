"""Linear regression from noisy sums of products.

Question: which linear function of the features predicts the target?
Method: features and target are scaled to -1..1 by their bounds and rounded to 1/1024. The sums of all products of two
of (1, features, target) determine the least-squares solution; each sum gets discrete Laplace noise of the sensitivity
of all of them together (Vu, Slavkovic 2009; Zhang et al. 2012). A ridge of the size of the noise makes the solution
stable.
Limits: the sensitivity grows with the square of the number of features; choose few.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from privaudit.base.errors import MissingBounds
from privaudit.base.extras import LEARN, needing
from privaudit.releases.answers.models.base import Axis, Paid, axis
from privaudit.releases.privacy import noise
from privaudit.releases.privacy.charges import Part, laplace_part

with needing(LEARN, "An estimator for scikit-learn"):
    from sklearn.base import RegressorMixin
    from sklearn.utils.validation import validate_data

STEPS = 1024
"""Scaled values are multiples of one part in STEPS."""


@dataclass(eq=False, repr=False)
class PrivateLinearRegression(RegressorMixin, Paid):  # type: ignore[misc]
    """Least squares on sums of products with exact discrete Laplace noise.

    Parameters
    ----------
    bounds : pair, list of pairs, or mapping of feature to pair
    target_bounds : pair
        Declared bounds of the target.
    epsilon : float
        What one `fit` costs.
    ledger : path or Ledger
    rows_per_person : int, optional
        Where the unit of the ledger is a person; `fit` then needs `groups`.

    Attributes
    ----------
    coef_ : array of shape (d,)
        For features in their own units.
    intercept_ : float
    receipt_ : Receipt
    """

    bounds: Any = None
    target_bounds: Any = None
    epsilon: float = 1.0
    ledger: Any = None
    _: KW_ONLY
    rows_per_person: int | None = None

    def fit(self, X: Any, y: Any, *, groups: Any = None) -> PrivateLinearRegression:
        """Charge the ledger and solve for the coefficients from noisy sums.

        Raises
        ------
        MissingBounds
            If bounds of the features or of the target are not declared.
        BudgetExceeded
        """
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        if self.target_bounds is None:
            raise MissingBounds("The bounds of the target are not declared.", hint="target_bounds=(lowest, highest)")
        axes, target, epsilon = self._axes(1), axis(self.target_bounds, 1), self._budget()
        n_sums = (self.n_features_in_ + 1) * (self.n_features_in_ + 2) // 2 + self.n_features_in_ + 1

        def parts(most: int) -> list[Part]:
            return [laplace_part("sums of products", epsilon, most * n_sums * STEPS**2)]

        (rows,) = self._paid(parts, (np.column_stack([X, y]),), groups)
        scale = Fraction(self.most_ * n_sums * STEPS**2) / epsilon
        self._solve([*axes, target], _noisy_products([*axes, target], rows, scale), scale)
        return self

    def _solve(self, axes: list[Axis], products: Any, scale: Fraction) -> None:
        n = len(axes)
        # The noise of a symmetric matrix has eigenvalues up to about twice its deviation times the root of its size.
        ridge = 2 * noise.laplace_sd(scale) / STEPS**2 * np.sqrt(n)
        left = products[:n, :n] + (ridge if ridge > 1e-3 else 1e-9) * np.eye(n)
        weights = np.linalg.solve(left, products[:n, n])
        half = np.array([(each.upper - each.lower) / 2 for each in axes])
        middle = np.array([(each.upper + each.lower) / 2 for each in axes])
        self.coef_ = weights[1:] * half[-1] / half[:-1]
        self.intercept_ = float(middle[-1] + weights[0] * half[-1] - self.coef_ @ middle[:-1])

    def predict(self, X: Any) -> Any:
        """Return the predicted target of each row."""
        return self._checked(X) @ self.coef_ + self.intercept_


def _noisy_products(axes: list[Axis], rows: Any, scale: Fraction) -> Any:
    """Return the noisy sums of products of (1, features, target), scaled back to -1..1.

    The square of the target is not needed and not computed.
    """
    scaled = [np.rint(each.scaled(rows[:, i]) * STEPS).astype(np.int64) for i, each in enumerate(axes)]
    columns = np.column_stack([np.full(len(rows), STEPS, dtype=np.int64), *scaled])
    products = columns.T @ columns
    size = len(products)
    above = [*zip(*(index.tolist() for index in np.triu_indices(size)), strict=True)][:-1]
    drawn = noise.discrete_laplace(scale, len(above))
    for (i, j), each in zip(above, drawn.tolist(), strict=True):
        products[i, j] = products[j, i] = products[i, j] + each
    return products / STEPS**2
