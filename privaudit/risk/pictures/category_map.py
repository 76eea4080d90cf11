"""A map of categories: which values of different columns occur together?

Question: which categories belong together, without a point for any person?
Method: correspondence analysis of the two-way tables of all pairs of columns, put next to each other (Greenacre 2017).
A cell below 11 records is set to 0 first, and a category with fewer than 11 records has no point. t-SNE (van der
Maaten, Hinton 2008) of the first ten axes shows neighbours more clearly; it is exact, from the first two axes on. Its
steps are gradients divided by the second derivatives of the attraction, which do not change (the spectral direction of
Vladymyrov, Carreira-Perpinan 2012): a hundred take less than a third of the time of 400 steps along the gradient.
Limits: two axes hold a part of the inertia, which is stated. Distances between far groups of a t-SNE mean nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from typing import NamedTuple

import numpy as np

from privaudit.base.arrays import Floats, Ints
from privaudit.base.wire import assembled
from privaudit.model.pictures import CategoryMap, CategoryPoint
from privaudit.model.wording.rounding import SMALL_CELL
from privaudit.risk.pictures.categories import MISSING, Coded

AXES = 10
LEAST_POINTS = 8
"""Points from which on t-SNE is computed."""
MOST_POINTS = 400
PERPLEXITY = 10.0
STEPS = 100
MOMENTUM = 0.8
DAMPING = 0.03
"""Added to the attraction of a point, as a share of the mean: groups that have nothing in common stay close."""
DIGITS = 3


class Axes(NamedTuple):
    """The correspondence analysis of some categories, which are numbered over all columns in turn.

    Attributes
    ----------
    kept : int64 array of shape (points,)
        Categories with a point.
    coordinates : float64 array of shape (points, axes)
    inertia : float64 array of shape (axes,)
        Share of each axis.
    table : float64 array of shape (points, points)
        Records of each pair of categories.
    """

    kept: Ints
    coordinates: Floats
    inertia: Floats
    table: Floats


def axes_of(columns: Sequence[Coded]) -> Axes | None:
    """Return the axes of the categories of `columns`; None where fewer than 3 have a point, or too many."""
    table = two_way(columns)
    kept = np.flatnonzero(table.sum(axis=1) > 0)
    if len(kept) < 3 or len(kept) > MOST_POINTS:
        return None
    ends = np.cumsum([len(column.categories) for column in columns])
    table = table[np.ix_(kept, kept)]
    axes, inertia = correspondence(table, np.diff(np.searchsorted(kept, [0, *ends])).tolist())
    if axes.shape[1] == 0:
        return None
    axes = np.pad(axes, ((0, 0), (0, max(0, 2 - axes.shape[1]))))
    return Axes(kept, axes, np.pad(inertia, (0, 1)), table)


def category_map(columns: Sequence[Coded], axes: Axes | None) -> CategoryMap | None:
    """Return the map of the categories by their axes; None where there are none."""
    if axes is None:
        return None
    known = [category for column in columns for category in column.categories]
    points = tuple(
        assembled(CategoryPoint, known[i], x=round(float(x), DIGITS), y=round(float(y), DIGITS))
        for i, (x, y) in zip(axes.kept, axes.coordinates[:, :2], strict=True)
    )
    shares = tuple(round(float(share), DIGITS) for share in axes.inertia[:2])
    plain = round(plain_inertia(axes.table), DIGITS)
    made = CategoryMap(points=points, n_values=len(known), inertia=shares, plain_inertia=plain)
    return _with_neighbours(made, axes.coordinates[:, :AXES]) if len(points) >= LEAST_POINTS else made


def coordinates_of(columns: Sequence[Coded], axes: Axes | None) -> Floats:
    """Return the first two coordinates of every category of `columns`, (values, 2); NaN for one without a point."""
    found = np.full((sum(len(column.categories) for column in columns), 2), np.nan)
    if axes is not None:
        found[axes.kept] = axes.coordinates[:, :2]
    return found


def two_way(columns: Sequence[Coded]) -> Floats:
    """Return the records of each pair of categories of different columns, cells below 11 set to 0."""
    starts = np.cumsum([0, *(len(column.categories) for column in columns)])
    table = np.zeros((starts[-1], starts[-1]))
    for i, one in enumerate(columns):
        for j, other in enumerate(columns[:i]):
            both = (one.category != MISSING) & (other.category != MISSING)
            shape = len(one.categories), len(other.categories)
            if not both.any():
                continue
            pairs = one.category[both].astype(np.int64) * shape[1] + other.category[both]
            counts = np.bincount(pairs, minlength=shape[0] * shape[1]).reshape(shape)
            counts[counts < SMALL_CELL] = 0
            table[starts[i] : starts[i + 1], starts[j] : starts[j + 1]] = counts
            table[starts[j] : starts[j + 1], starts[i] : starts[i + 1]] = counts.T
    return table


def correspondence(table: Floats, sizes: Sequence[int]) -> tuple[Floats, Floats]:
    """Return principal coordinates of the categories, and the share of inertia of each axis.

    Of each two-way table, the difference of its cells from independence is divided by the total of all tables and by
    the root of both masses. The axes are the eigenvectors of these tables put next to each other with positive
    eigenvalues, because those with negative ones draw categories apart that occur together. Tables of a column with
    itself are 0, as in joint correspondence analysis: what a column has in common with itself is not association. For
    two columns the axes are those of the correspondence analysis of their table.

    Parameters
    ----------
    table : float64 array of shape (values, values)
        From `two_way`.
    sizes : sequence of int
        Categories of each column.
    """
    starts = np.cumsum([0, *sizes])
    difference = np.zeros_like(table)
    for i, j in permutations(range(len(sizes)), 2):
        block = np.s_[starts[i] : starts[i + 1], starts[j] : starts[j + 1]]
        part = table[block]
        if part.sum():
            difference[block] = part - np.outer(part.sum(axis=1), part.sum(axis=0)) / part.sum()
    masses = table.sum(axis=1) / table.sum()
    root = np.sqrt(masses)
    values, vectors = np.linalg.eigh(difference / table.sum() / np.outer(root, root))
    order = np.argsort(-values, kind="stable")
    values, vectors = values[order], vectors[:, order]
    keep = values > 1e-9
    axes = (vectors * values)[:, keep] / root[:, None]
    largest = np.argmax(np.round(np.abs(axes), 6), axis=0)
    axes = axes * np.sign(axes[largest, np.arange(axes.shape[1])])
    return axes, values[keep] ** 2 / max(float((values[keep] ** 2).sum()), 1e-300)


def plain_inertia(table: Floats) -> float:
    """Return the share of inertia on the first two axes of the correspondence analysis of the stacked tables.

    Tables of a column with itself are 0 here, too, but count as association: their difference from independence adds
    inertia on axes that no other column shares, so that the share is low even where two axes explain every two-way
    table (Greenacre 2017, chapters 18 and 19, on the percentages of multiple correspondence analysis).
    """
    shares = table / table.sum()
    masses = shares.sum(axis=1)
    expected = np.outer(masses, masses)
    values = np.sort(np.linalg.eigvalsh((shares - expected) / np.sqrt(expected)) ** 2)[::-1]
    return float(values[:2].sum() / max(float(values.sum()), 1e-300))


def _with_neighbours(found: CategoryMap, axes: Floats) -> CategoryMap:
    perplexity = min(PERPLEXITY, (len(axes) - 1) / 3)
    # Rounded, so that the last digits of another processor do not move points.
    near = tsne(np.round(axes, 6), perplexity)
    points = tuple(
        replace(point, near_x=round(float(x), DIGITS), near_y=round(float(y), DIGITS))
        for point, (x, y) in zip(found.points, near, strict=True)
    )
    return replace(found, points=points, perplexity=round(perplexity, 1))


def tsne(points: Floats, perplexity: float) -> Floats:
    """Return two coordinates for each point, by exact t-SNE started from the first two axes.

    Parameters
    ----------
    points : float64 array of shape (n, axes)
    perplexity : float
        Effective number of neighbours of a point, below n.

    Returns
    -------
    float64 array of shape (n, 2)
    """
    wanted = _affinities(points, perplexity)
    place = points[:, :2] / (points[:, :2].std() or 1.0) * 1e-2
    moved = np.zeros_like(place)
    attraction = np.linalg.inv(np.diag(wanted.sum(axis=1) + DAMPING / len(points)) - wanted)
    for _ in range(STEPS):
        near = 1 / (1 + _distances(place))
        np.fill_diagonal(near, 0)
        pull = (wanted - near / near.sum()) * near
        moved = MOMENTUM * moved - attraction @ (pull.sum(axis=1)[:, None] * place - pull @ place)
        place = place + moved
    return place


def _distances(points: Floats) -> Floats:
    squares = (points**2).sum(axis=1)
    return np.maximum(squares[:, None] + squares - 2 * points @ points.T, 0)


def _affinities(points: Floats, perplexity: float) -> Floats:
    """Return symmetric affinities: of each point, Gaussian ones with the entropy of `perplexity` neighbours."""
    distances = _distances(points)
    low, high = np.full(len(points), 0.0), np.full(len(points), np.inf)
    precision = np.ones(len(points))
    for _ in range(60):
        weights = np.exp(-distances * precision[:, None])
        np.fill_diagonal(weights, 0)
        sums = np.maximum(weights.sum(axis=1), 1e-300)
        entropy = np.log(sums) + precision * (distances * weights).sum(axis=1) / sums
        too_wide = entropy > np.log(perplexity)
        low, high = np.where(too_wide, precision, low), np.where(too_wide, high, precision)
        precision = np.where(np.isinf(high), precision * 2, (low + high) / 2)
    shares = weights / sums[:, None]
    return np.maximum((shares + shares.T) / (2 * len(points)), 1e-12)
