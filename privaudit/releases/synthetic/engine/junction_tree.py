"""Junction trees: in which order can a distribution be computed?

Question: which cliques cover all sets of columns that are measured together, and how are they connected?
Method: the graph of the sets is triangulated by eliminating, again and again, the column whose clique has the fewest
cells; the maximal cliques are joined into a tree with the largest separators (Lauritzen and Spiegelhalter 1988).
Limits: the order of elimination is greedy; a smaller tree may exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from privaudit.base.records import dataclass
from privaudit.releases.synthetic.engine.margins import Columns, cells_of


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
