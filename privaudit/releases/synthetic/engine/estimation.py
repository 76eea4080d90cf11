"""Which distribution fits noisy margins, and in which order its margins are computed.

Question: which Markov random field has margins as close to the measured ones as their noise allows?
Method: mirror descent with the entropy as mirror map [1]_: the potentials move against the
gradient of the weighted squared error; the step grows while the error falls and shrinks where it does not. Measurements
of one set of columns are combined by the inverse of their variances first. A fit can start from the potentials of an
earlier one. Margins follow by message passing in two passes. Upwards, each clique becomes the conditional table of its
own columns given its separator, computed with logarithms; downwards, each table is multiplied by the margin of its
separator. Potentials of a set inside another set are added to that set first, so that the tables of cliques are read
once for each largest set. The graph of the sets is triangulated by eliminating, again and again, the column whose
clique has the fewest cells; the maximal cliques are joined into a tree with the largest separators [2]_.
Limits: the error falls slowly at the end; the number of steps is bounded. Message passing is exact, and therefore
bounded by the cells of the largest clique. The order of elimination is greedy; a smaller tree may exist.

References
----------
.. [1] R. McKenna, D. Sheldon, G. Miklau, Graphical-model based estimation and inference for differential privacy, 2019.
.. [2] S. L. Lauritzen, D. J. Spiegelhalter, Local computations with probabilities on graphical structures, 1988.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from privaudit.base.records import dataclass
from privaudit.releases.synthetic.engine.network import Columns, Floats, Network, Step, cells_of

FIRST_STEP = 2.0
_GROWTH, _CUT = 1.5, 1 / 3


@dataclass(frozen=True, slots=True)
class Measurement:
    """A noisy margin: counts of `columns` with independent noise of `variance` in each cell."""

    columns: Columns
    counts: Floats
    variance: float


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted distribution.

    Attributes
    ----------
    total : float
        Estimated number of records.
    margins : mapping
        The fitted shares of every measured set of columns.
    potentials : mapping
        What a later fit can start from.
    """

    network: Network
    field: Field
    total: float
    margins: Mapping[Columns, Floats]
    potentials: Mapping[Columns, Floats]


def combined(measurements: Sequence[Measurement]) -> dict[Columns, Measurement]:
    """Return one measurement for each set of columns: the mean, weighted by the inverse of the variances."""
    found: dict[Columns, Measurement] = {}
    for each in measurements:
        known = found.get(each.columns)
        if known is not None:
            weight = known.variance / (known.variance + each.variance)
            counts = known.counts + weight * (each.counts - known.counts)
            each = Measurement(each.columns, counts, known.variance * (1 - weight))
        found[each.columns] = each
    return found


def estimated_total(measurements: Sequence[Measurement]) -> float:
    """Return the number of records by the sums of the measured margins, with the smallest variance; at least 1."""
    weights = np.array([1 / (each.counts.size * each.variance) for each in measurements])
    sums = np.array([each.counts.sum() for each in measurements])
    return max(1.0, float((weights * sums).sum() / weights.sum()))


def fit(
    measurements: Sequence[Measurement],
    sizes: Sequence[int],
    *,
    steps: int,
    start: Mapping[Columns, Floats] | None = None,
) -> Fit:
    """Fit a distribution to noisy margins.

    Parameters
    ----------
    measurements : sequence of Measurement
        At least one.
    sizes : sequence of int
        Number of codes of each column.
    steps : int
        Number of gradient steps.
    start : mapping, optional
        The potentials of an earlier fit.
    """
    by_set = combined(measurements)
    total = estimated_total(measurements)
    field = Field(by_set, sizes)
    strongest = max(1 / each.variance for each in by_set.values())
    wanted = {columns: each.counts / total for columns, each in by_set.items()}
    weight = {columns: 1 / each.variance / strongest for columns, each in by_set.items()}
    known = start or {}
    theta = {columns: known.get(columns, np.zeros_like(wanted[columns])) for columns in by_set}

    def evaluated(potentials: Mapping[Columns, Floats]) -> tuple[Network, dict[Columns, Floats], float]:
        network = field.network(potentials)
        margins = field.margins(network)
        return network, margins, sum(weight[s] * float(((margins[s] - wanted[s]) ** 2).sum()) for s in by_set)

    step = FIRST_STEP
    network, margins, error = evaluated(theta)
    for _ in range(steps):
        moved = {s: theta[s] - step * weight[s] * (margins[s] - wanted[s]) for s in by_set}
        tried = evaluated(moved)
        if tried[2] <= error:
            theta, (network, margins, error) = moved, tried
            step *= _GROWTH
        else:
            step *= _CUT
    return Fit(network, field, total, margins, theta)


Potentials = Mapping[Columns, Floats]
"""theta: one array for each set of columns, one axis for each column."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the potential of a set is added: to a larger set, or to a clique."""

    columns: Columns
    home: Columns | None
    clique: int


class Field:
    """The structure of a Markov random field: its sets of columns and the junction tree that covers them."""

    def __init__(self, sets: Iterable[Columns], sizes: Sequence[int]) -> None:
        """Build the junction tree of `sets`."""
        self.sizes = tuple(sizes)
        self.sets = tuple(dict.fromkeys(sets))
        self.tree = junction_tree(self.sets, self.sizes)
        self._places = self._placed()

    def _placed(self) -> tuple[_Place, ...]:
        """Return the place of each set, smaller sets before the sets that contain them."""
        by_cells = sorted(self.sets, key=lambda each: (cells_of(each, self.sizes), len(each), each))
        places = []
        for i, columns in enumerate(by_cells):
            home = next((other for other in by_cells[i + 1 :] if set(columns) < set(other)), None)
            clique = -1 if home is not None else self._clique_of(columns)
            places.append(_Place(columns, home, clique))
        return tuple(places)

    def _clique_of(self, columns: Columns) -> int:
        """Return the smallest clique that contains `columns`."""
        holders = [i for i, clique in enumerate(self.tree) if set(columns) <= set(clique.columns)]
        return min(holders, key=lambda i: cells_of(self.tree[i].columns, self.sizes))

    def network(self, potentials: Potentials) -> Network:
        """Return the distribution with these potentials as conditional tables: the upward pass."""
        collected: dict[Columns, Floats] = dict(potentials)
        tables = [np.zeros([self.sizes[axis] for axis in clique.columns]) for clique in self.tree]
        for place in self._places:
            theta = collected[place.columns]
            if place.home is not None:
                collected[place.home] = collected[place.home] + self._spread(theta, place.columns, place.home)
            else:
                axes = self.tree[place.clique].columns
                tables[place.clique] += self._spread(theta, place.columns, axes)
        steps = []
        for i in range(len(self.tree) - 1, -1, -1):
            clique = self.tree[i]
            table = tables[i].reshape(cells_of(clique.separator, self.sizes), -1)
            # Subtracted before exp, which would overflow.
            top = table.max(axis=1, keepdims=True)
            np.exp(np.subtract(table, top, out=table), out=table)
            total = table.sum(axis=1, keepdims=True)
            table /= total
            steps.append(Step(clique.separator, clique.rest, table))
            if clique.parent >= 0:
                message = (np.log(total) + top).reshape([self.sizes[axis] for axis in clique.separator])
                parent = self.tree[clique.parent].columns
                tables[clique.parent] += self._spread(message, clique.separator, parent)
        return Network(self.sizes, tuple(reversed(steps)))

    def margins(self, network: Network) -> dict[Columns, Floats]:
        """Return the margin of every set: the downward pass over the `network` of this field."""
        beliefs: list[Floats] = []
        for clique, step in zip(self.tree, network.steps, strict=True):
            if clique.parent < 0:
                belief = step.table
            else:
                parent = self.tree[clique.parent].columns
                belief = step.table * _summed(beliefs[clique.parent], parent, clique.separator).reshape(-1, 1)
            beliefs.append(belief.reshape([self.sizes[axis] for axis in clique.columns]))
        found: dict[Columns, Floats] = {}
        for place in reversed(self._places):
            if place.home is not None:
                found[place.columns] = _summed(found[place.home], place.home, place.columns)
            else:
                axes = self.tree[place.clique].columns
                found[place.columns] = _summed(beliefs[place.clique], axes, place.columns)
        return found

    def contains(self, columns: Columns) -> bool:
        """Whether a set of columns is inside one clique."""
        return any(set(columns) <= set(clique.columns) for clique in self.tree)

    def _spread(self, values: Floats, columns: Columns, axes: Columns) -> Floats:
        """Return an array over `columns` with the axes of `axes`, of length 1 where a column is missing."""
        order = sorted(range(len(columns)), key=lambda i: axes.index(columns[i]))
        shape = [self.sizes[axis] if axis in columns else 1 for axis in axes]
        return values.transpose(order).reshape(shape)


def _summed(values: Floats, axes: Columns, columns: Columns) -> Floats:
    """Return the sums of an array over all axes but `columns`, in the order of `columns`."""
    operands: list[Any] = [values, list(axes), list(columns)]
    return np.asarray(np.einsum(*operands), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Clique:
    """A clique of a junction tree.

    Attributes
    ----------
    columns : tuple of int
        ``separator + rest``: the order of the axes of its table.
    separator, rest : tuple of int
        Columns that are shared with the parent, ascending, and the others, ascending.
    parent : int
        Position of the parent; -1 for the root.
    """

    separator: Columns
    rest: Columns
    parent: int

    @property
    def columns(self) -> Columns:
        """All columns, those of the separator first."""
        return self.separator + self.rest


def junction_tree(sets: Iterable[Columns], sizes: Sequence[int]) -> tuple[Clique, ...]:
    """Return the cliques of a junction tree in which every set of columns is inside one clique.

    Parameters
    ----------
    sets : iterable of tuple of int
    sizes : sequence of int
        Number of codes of each column; every column is in a clique.

    Returns
    -------
    tuple of Clique
        Parents come before their children. Cliques without common columns have an empty separator.
    """
    cliques = _cliques(sets, sizes)
    return _connected(cliques, sizes)


def tree_cells(sets: Iterable[Columns], sizes: Sequence[int]) -> int:
    """Return the number of cells of all cliques of the junction tree of `sets`."""
    return sum(cells_of(clique, sizes) for clique in _cliques(sets, sizes))


def _cliques(sets: Iterable[Columns], sizes: Sequence[int]) -> list[frozenset[int]]:
    """Return the maximal cliques of the triangulated graph."""
    neighbours: list[set[int]] = [{column} for column in range(len(sizes))]
    for columns in sets:
        for column in columns:
            neighbours[column].update(columns)
    left, found = set(range(len(sizes))), []
    cells = [cells_of(each, sizes) for each in neighbours]
    while left:
        column = min(left, key=lambda each: (cells[each], each))
        clique = neighbours[column]
        found.append(frozenset(clique))
        left.remove(column)
        for other in clique - {column}:
            neighbours[other] |= clique
            neighbours[other].discard(column)
            cells[other] = cells_of(neighbours[other], sizes)
    # An elimination clique can only be inside one that was found before it.
    return [clique for i, clique in enumerate(found) if not any(clique < other for other in found[:i])]


def _connected(cliques: list[frozenset[int]], sizes: Sequence[int]) -> tuple[Clique, ...]:
    """Join cliques into a tree, largest clique first, by the separators with the most columns (Prim)."""
    root = max(range(len(cliques)), key=lambda i: cells_of(cliques[i], sizes))
    tree = [Clique(separator=(), rest=tuple(sorted(cliques[root])), parent=-1)]
    best = {i: (len(cliques[i] & cliques[root]), 0) for i in range(len(cliques)) if i != root}
    while best:
        chosen = max(best, key=lambda i: (best[i][0], -i))
        parent = best.pop(chosen)[1]
        members = cliques[chosen]
        shared = members & frozenset(tree[parent].columns)
        tree.append(Clique(tuple(sorted(shared)), tuple(sorted(members - shared)), parent))
        for i, (size, _) in best.items():
            if len(cliques[i] & members) > size:
                best[i] = (len(cliques[i] & members), len(tree) - 1)
    return tuple(tree)
