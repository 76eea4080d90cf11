"""What the estimators share: declared axes, the charge, the rows of a person, and noisy counts.

Question: how does `fit` get from an array of rows to noisy integers?
Method: parameters are stored by ``__init__`` and checked by ``fit``. Each feature has an axis: a pair of bounds, cut
into bands, or a `range` or set of numbers, its categories. The ledger is charged before the rows are counted.
Limits: features are numbers; categories of texts are encoded by declared numbers first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from privaudit.base.errors import ConfigError, MissingBounds, UnitNotGiven
from privaudit.base.extras import LEARN, needing
from privaudit.releases.privacy.accounting import exact
from privaudit.releases.privacy.ledger import ROW, Charge, Ledger, Part
from privaudit.releases.privacy.units import at_most

with needing(LEARN, "An estimator for scikit-learn"):
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data

PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Axis:
    """The declared values of one feature.

    Attributes
    ----------
    lower, upper : float
    n_cells : int
        Bands of equal width, or categories.
    categories : float64 array, optional
        Ascending.
    """

    lower: float
    upper: float
    n_cells: int
    categories: Any = None

    def cells(self, column: Any) -> Any:
        """Return the band, or the nearest category, of each value; values outside the bounds are clipped."""
        if self.categories is not None:
            edges = (self.categories[1:] + self.categories[:-1]) / 2
            return np.searchsorted(edges, column, side="right")
        scaled = (np.clip(column, self.lower, self.upper) - self.lower) / (self.upper - self.lower)
        return np.minimum((scaled * self.n_cells).astype(np.int64), self.n_cells - 1)

    def middles(self) -> Any:
        """Return the middle of each band, or the categories."""
        if self.categories is not None:
            return self.categories
        return self.lower + (self.upper - self.lower) * (np.arange(self.n_cells) + 0.5) / self.n_cells

    def scaled(self, column: Any) -> Any:
        """Return values clipped to the bounds, and scaled to -1..1."""
        if self.upper == self.lower:
            return np.zeros(len(column))
        return 2 * (np.clip(column, self.lower, self.upper) - self.lower) / (self.upper - self.lower) - 1


class Paid(BaseEstimator):  # type: ignore[misc]
    """An estimator whose training is paid from a ledger.

    Attributes
    ----------
    receipt_ : Receipt
        The entry of the ledger that paid for the last `fit`.
    """

    bounds: Any
    epsilon: Any
    ledger: Any
    rows_per_person: Any

    def _axes(self, n_bands: int) -> list[Axis]:
        """Return the axis of each feature, in the order of the columns.

        Raises
        ------
        MissingBounds
            If a feature has no bounds.
        """
        n_features, bounds = self.n_features_in_, self.bounds
        if bounds is None:
            raise MissingBounds(
                "The estimator has no bounds.",
                hint="bounds = (lowest, highest), a list of pairs, or a mapping of feature to pair",
            )
        if isinstance(bounds, Mapping):
            names = [*getattr(self, "feature_names_in_", range(n_features))]
            absent = [name for name in names if name not in bounds]
            if absent:
                raise MissingBounds(f"{len(absent)} features have no bounds.", hint="add each feature to bounds")
            stated = [bounds[name] for name in names]
        else:
            stated = [bounds] * n_features if _is_axis(bounds) else [*bounds]
        if len(stated) != n_features:
            raise MissingBounds(
                f"bounds are declared for {len(stated)} of {n_features} features.", hint="one pair for each feature"
            )
        return [axis(each, n_bands) for each in stated]

    def _budget(self) -> Fraction:
        epsilon = self.epsilon
        if isinstance(epsilon, bool) or not isinstance(epsilon, int | float | Fraction) or not epsilon > 0:
            raise ConfigError("epsilon must be a number above 0.", hint="for example epsilon=1.0")
        return exact(epsilon)

    def _paid(self, parts: Callable[[int], Sequence[Part]], rows: tuple[Any, ...], groups: Any) -> tuple[Any, ...]:
        """Charge the ledger and return the rows that are read: at most m of each person, where the unit is a person.

        Parameters
        ----------
        parts : callable
            Returns the mechanisms for m rows of one unit.
        rows : tuple of arrays of the same length
        groups : array-like, optional
            The person of each row.
        """
        if self.ledger is None:
            raise ConfigError("The estimator has no ledger.", hint="ledger=privaudit.Ledger.create(...), or its path")
        ledger = Ledger.open(self.ledger)
        by_person = ledger.account().unit != ROW
        if by_person and (groups is None or self.rows_per_person is None or len(groups) != len(rows[0])):
            raise UnitNotGiven(
                "The unit of the ledger is a person.",
                hint="rows_per_person=m, and fit(..., groups=...) with the person of each row",
            )
        self.most_ = int(self.rows_per_person) if by_person else 1

        def read() -> tuple[Any, ...]:
            if not by_person:
                return rows
            _, owner = np.unique(np.asarray(groups), return_inverse=True)
            kept = at_most(owner, len(owner), self.most_)
            return tuple(each[kept] for each in rows)

        charge = Charge(parts=tuple(parts(self.most_)))
        door = ledger.spend(charge, read, rows_per_unit=self.most_ if by_person else None)
        self.receipt_ = door.receipt
        return door.open()

    def _checked(self, X: Any) -> Any:
        """Return the rows that a fitted estimator is asked about."""
        check_is_fitted(self)
        return validate_data(self, X, reset=False, dtype=np.float64)


@dataclass(eq=False, repr=False)
class PaidClassifier(ClassifierMixin, Paid, ABC):  # type: ignore[misc]
    """A classifier whose training is paid from a ledger, and whose classes are declared.

    Attributes
    ----------
    classes_ : array of shape (c,)
        Sorted.
    axes_ : list of Axis
    """

    bounds: Any = None
    epsilon: float = 1.0
    ledger: Any = None
    _: KW_ONLY
    classes: Any = None
    rows_per_person: int | None = None

    def _started(self, X: Any, y: Any, n_bands: int) -> tuple[Any, Any]:
        """Check the input, and return the rows and the position of the class of each; nothing is learned from them."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.axes_ = self._axes(n_bands)
        self.classes_ = declared_classes(self.classes, y)
        return X, positions(self.classes_, y)

    @abstractmethod
    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithm of the probability of each class: an array of shape (n, c)."""

    def predict_proba(self, X: Any) -> Any:
        """Return the probability of each class: an array of shape (n, c)."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> Any:
        """Return the most probable class of each row."""
        best = self.predict_log_proba(X).argmax(axis=1)
        return self.classes_[best]


def log_probabilities(score: Any) -> Any:
    """Return scores of shape (n, c) as logarithms of probabilities that sum to 1 in each row."""
    top = score.max(axis=1, keepdims=True)
    return score - top - np.log(np.exp(score - top).sum(axis=1, keepdims=True))


def axis(stated: Any, n_bands: int) -> Axis:
    """Return the axis that is declared for a feature: a pair of bounds, or a range or set of categories.

    Raises
    ------
    MissingBounds
        If it is neither.
    """
    if isinstance(stated, range | set | frozenset):
        values = np.array(sorted(stated), dtype=np.float64)
        if len(values):
            return Axis(float(values[0]), float(values[-1]), len(values), values)
    elif _is_axis(stated):
        return Axis(float(stated[0]), float(stated[1]), n_bands)
    raise MissingBounds(
        "The bounds of a feature must be a pair of numbers, the lower one first, or a range or set of categories.",
        hint="for example (0, 110) or range(0, 4)",
    )


def _is_axis(stated: Any) -> bool:
    if isinstance(stated, range | set | frozenset):
        return True
    pair = isinstance(stated, tuple | list | np.ndarray) and len(stated) == 2
    return bool(pair and all(np.isscalar(each) for each in stated) and stated[0] < stated[1])


def declared_classes(classes: Any, y: Any) -> Any:
    """Return the declared classes, sorted; ``"public"`` declares that the set of labels in y is public.

    Raises
    ------
    MissingBounds
        If no classes are declared.
    """
    if isinstance(classes, str) and classes == PUBLIC:
        return np.unique(y)
    if classes is None or not len(classes):
        raise MissingBounds(
            "The classes are not declared.",
            hint='classes=[0, 1], or classes="public" where the set of labels is public',
        )
    return np.unique(np.asarray(classes))


def positions(classes: Any, y: Any) -> Any:
    """Return the position of each label among the sorted classes; -1 where it is not one of them."""
    labels = np.asarray(y)
    found = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    return np.where(classes[found] == labels, found, -1)
