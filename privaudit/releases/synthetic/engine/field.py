"""Markov random fields on a junction tree: margins of a log-linear distribution, exactly.

Question: which margins has the distribution ``p(x) = exp(sum_s theta_s(x_s)) / Z``, where s runs over sets of columns?
Method: message passing in two passes. Upwards, each clique becomes the conditional table of its own columns given its
separator, computed with logarithms; downwards, each table is multiplied by the margin of its separator. Potentials of a
set inside another set are added to that set first, so that the tables of cliques are read once for each largest set.
Limits: exact, and therefore bounded by the cells of the largest clique.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from privaudit.base.arrays import Floats
from privaudit.base.records import dataclass
from privaudit.releases.synthetic.engine.junction_tree import junction_tree
from privaudit.releases.synthetic.engine.margins import Columns, cells_of
from privaudit.releases.synthetic.engine.network import Network, Step

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
