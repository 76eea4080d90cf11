"""Sequential trees (CART): the method of statistical offices, without privacy.

Question: what does a table look like whose columns are drawn one after another from classification trees?
Method: for each column, a tree predicts its value from the columns before it; a record goes to its leaf and takes a
value from the distribution of the leaf (Reiter 2005; synthpop). The first column follows its own distribution. Columns
without an order are split by single values.
Limits: leaves repeat the combinations of at least five records. Nothing bounds what one person can change.

References
----------
.. [1] J. Reiter, Using CART to generate partially synthetic public use microdata, 2005.
.. [2] B. Nowok, G. Raab, C. Dibben, synthpop: bespoke creation of synthetic data in R, 2016.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Floats
from privaudit.base.extras import LEARN, needing
from privaudit.base.records import dataclass
from privaudit.releases.synthetic.budget import Budget
from privaudit.releases.synthetic.engine.margins import CodedTable, Counts
from privaudit.releases.synthetic.engine.network import as_codes, conditional, draw_by_shares, packed, unpacked
from privaudit.releases.synthetic.methods.registry import Bounds, Fitted

LEAST_IN_LEAF = 5
_NODES = ("left", "right", "feature")


@dataclass(frozen=True, slots=True)
class Tree:
    """A binary tree: node i sends a record to ``left[i]`` where ``feature[i] <= threshold[i]``; -1 marks a leaf.

    Attributes
    ----------
    shares : float array, shape (n_nodes, n_values)
        The distribution of the drawn column in each node; only leaves are used.
    """

    left: Counts
    right: Counts
    feature: Counts
    threshold: Floats
    shares: Floats

    def leaves(self, features: npt.NDArray[Any]) -> Counts:
        """Return the leaf of each row of `features`."""
        node = np.zeros(len(features), dtype=np.int64)
        active = np.flatnonzero(self.left[node] >= 0)
        while len(active):
            at = node[active]
            goes_left = features[active, self.feature[at]] <= self.threshold[at]
            node[active] = np.where(goes_left, self.left[at], self.right[at])
            active = active[self.left[node[active]] >= 0]
        return node


@dataclass(frozen=True, slots=True)
class CartModel:
    """One tree for each column, in the order of the columns."""

    sizes: tuple[int, ...]
    ordered: tuple[bool, ...]
    trees: tuple[Tree, ...]

    def sample(self, n_rows: int, random: np.random.Generator) -> CodedTable:
        """Draw the columns one after another."""
        drawn: list[npt.NDArray[Any]] = []
        for tree in self.trees:
            features = _features(drawn, self.sizes, self.ordered, n_rows)
            drawn.append(draw_by_shares(tree.shares, tree.leaves(features), random))
        return CodedTable(as_codes(drawn, self.sizes), self.sizes)

    def content(self) -> dict[str, Any]:
        """Return the trees as values of JSON."""
        trees = [
            {name: getattr(tree, name).tolist() for name in (*_NODES, "threshold")} | {"shares": packed(tree.shares)}
            for tree in self.trees
        ]
        return {"sizes": list(self.sizes), "ordered": list(self.ordered), "trees": trees}

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> CartModel:
        """Return the trees of `content`.

        Raises
        ------
        ValueError
            If a tree does not fit its column, or a node leads backwards.
        """
        sizes = tuple(map(int, content["sizes"]))
        trees = []
        for size, each in zip(sizes, content["trees"], strict=True):
            nodes = [np.array(each[name], dtype=np.int64) for name in _NODES]
            shares = unpacked(each["shares"])
            below = np.arange(len(shares))
            # Branches have larger numbers than their node, so that a damaged file sends no record in a circle.
            leads = (nodes[0] > below) & (nodes[1] > below) & (nodes[1] < len(shares))
            if shares.shape[1] != size or not (leads | (nodes[0] < 0)).all():
                raise ValueError("a tree does not fit its column")
            threshold = np.array(each["threshold"], dtype=np.float64)
            trees.append(Tree(nodes[0], nodes[1], nodes[2], threshold, conditional(shares, 1)))
        return cls(sizes, tuple(map(bool, content["ordered"])), tuple(trees))


def fit_cart(table: CodedTable, budget: Budget, bounds: Bounds) -> Fitted:
    """Fit one tree for each column to the columns before it. The budget has to be one without privacy."""
    with needing(LEARN, "Synthesis by trees"):
        from sklearn.tree import DecisionTreeClassifier

    ordered = bounds.ordered or (False,) * len(table.sizes)
    trees = []
    for column, size in enumerate(table.sizes):
        labels = table.codes[column]
        if column == 0:
            shares = budget.count(table.margin((0,)), budget.total / 2)[0].reshape(1, -1)
            trees.append(_root(conditional(shares, 1)))
            continue
        features = _features(list(table.codes[:column]), table.sizes, ordered, table.n_rows)
        fitted = DecisionTreeClassifier(min_samples_leaf=LEAST_IN_LEAF, random_state=0).fit(features, labels)
        trees.append(_tree(fitted, size))
        bounds.progress((column + 1) / len(table.sizes))
    return Fitted(model=CartModel(table.sizes, ordered, tuple(trees)), total=float(table.n_rows))


def _root(shares: Floats) -> Tree:
    leaf = np.array([-1])
    return Tree(leaf, leaf, leaf, np.zeros(1), shares)


def _tree(fitted: Any, size: int) -> Tree:
    tree = fitted.tree_
    shares = np.zeros((tree.node_count, size))
    shares[:, fitted.classes_.astype(np.int64)] = tree.value[:, 0, :]
    stated = (tree.children_left, tree.children_right, tree.feature)
    left, right, feature = (np.asarray(each, dtype=np.int64) for each in stated)
    return Tree(left, right, feature, np.asarray(tree.threshold, dtype=np.float64), conditional(shares, 1))


def _features(
    codes: list[npt.NDArray[Any]], sizes: tuple[int, ...], ordered: tuple[bool, ...], n_rows: int
) -> npt.NDArray[np.float32]:
    """Return ordered columns as numbers, and the others as one feature for each value."""
    parts = [np.zeros((n_rows, 1), dtype=np.float32)]
    for i, column in enumerate(codes):
        if ordered[i] or sizes[i] <= 2:
            parts.append(column[:, None].astype(np.float32))
        else:
            parts.append((column[:, None] == np.arange(sizes[i])).astype(np.float32))
    return np.concatenate(parts, axis=1)
