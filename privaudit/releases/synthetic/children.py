"""A second table with several records for each record of the first: visits of people.

Question: how many children does a synthetic parent have, and which?
Method: the parents have one more column, the number of children up to the declared most. The children are modelled
over their own columns and those of their parent. For each synthetic parent, that many synthetic children are taken from
records that were drawn from this model and agree with the parent in as many columns as possible, in a declared order
of columns: a record is drawn for a prefix of the columns of the parent.
Limits: the children of one parent are independent of each other, given the parent: no history is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from privaudit.base.arrays import Flags, Ints
from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.releases.privacy.units import at_most
from privaudit.releases.synthetic.domain import Children, Domain
from privaudit.releases.synthetic.engine.margins import CodedTable, Counts
from privaudit.releases.synthetic.methods.registry import Method, Model
from privaudit.releases.synthetic.samples import Sample, sample_of
from privaudit.releases.synthetic.writing import Written, joined, written
from privaudit.risk.codes.coded import encode_column
from privaudit.risk.codes.row_keys import dense_labels

DONORS = 4
"""Synthetic children that are drawn for each one that is needed."""
LEAST_DONORS = 10_000


@dataclass(frozen=True, slots=True)
class ChildModel:
    """The model of the children over the columns of their parents, then their own, and what is declared of them."""

    model: Model
    declared: Children

    @property
    def n_parent_columns(self) -> int:
        """Columns of the parent in the model."""
        return len(self.model.sizes) - len(self.declared.domain.sizes)

    @property
    def parent_sizes(self) -> tuple[int, ...]:
        """Number of codes of the columns of the parents, the number of children last."""
        return (*self.model.sizes[: self.n_parent_columns], self.declared.most + 1)

    def draw(self, domain: Domain, model: Model, n: int, random: np.random.Generator) -> tuple[Written, Written]:
        """Draw parents with keys, and their children; the codes of a child follow those of its parent."""
        counts: list[Counts] = []

        def parents(m: int) -> CodedTable:
            drawn = model.sample(m, random)
            # The number of children is drawn with its parent and kept next to it.
            counts.append(drawn.codes[-1].astype(np.int64))
            return CodedTable(drawn.codes[:-1], domain.sizes)

        made = written(domain, parents, n, random, keep=counts)
        number = np.concatenate(counts)
        keys = pa.array(np.arange(1, made.table.num_rows + 1))
        table = made.table.add_column(0, self.declared.key, keys)
        owner = np.repeat(np.arange(made.codes.n_rows), number)
        children = self._children(made.codes, owner, random)
        return Written(table, made.codes, made.n_drawn, made.rejected), children

    def _children(self, parents: CodedTable, owner: Counts, random: np.random.Generator) -> Written:
        """Return a child for each owner; one that violates a constraint is drawn again for the same owner."""
        # Conditioning a model on each parent would need as many models; donors from one sample approximate it.
        pool = self.model.sample(max(LEAST_DONORS, DONORS * len(owner)), random)
        slots: list[Counts] = []

        def draw(n: int) -> CodedTable:
            done = np.concatenate(slots) if slots else np.zeros(0, dtype=np.int64)
            # Only the rejected ones, so that the number of children of each parent stays as it was drawn.
            pending = np.setdiff1d(np.arange(len(owner)), done)
            slots.append(pending)
            chosen = _matched(parents.take(owner[pending]), pool, self.n_parent_columns, random)
            return CodedTable(pool.codes[self.n_parent_columns :][:, chosen], self.declared.domain.sizes)

        made = written(self.declared.domain, draw, len(owner), random, keep=slots)
        owners = owner[np.concatenate(slots)]
        # Children that were drawn again came last; in that order they would show where a constraint failed.
        order = np.argsort(owners, kind="stable")
        table = made.table.add_column(0, self.declared.key, pa.array(owners + 1)).take(pa.array(order))
        codes = joined([parents.take(owners[order]), made.codes.take(order)])
        return Written(table, codes, made.n_drawn, made.rejected)

    def content(self) -> dict[str, Any]:
        """Return the model as values of JSON; the domain is saved with that of the parents."""
        return {"model": self.model.content()}

    @classmethod
    def of(cls, content: Mapping[str, Any], method: Method, parents: Domain) -> ChildModel:
        """Return the model of `content`.

        Raises
        ------
        ValueError
            If it does not fit the domain.
        """
        declared = parents.children
        model = method.load(content["model"])
        if declared is None or model.sizes != (*parents.sizes, *declared.domain.sizes):
            raise ValueError("the model of the children does not fit its domain")
        return cls(model, declared)


@dataclass(frozen=True, slots=True)
class Families:
    """Parents and their children; where there is one table, its records and nothing else.

    Attributes
    ----------
    parents : Sample
        With the key as person, where there are children.
    children : Sample, optional
        The codes of a child's parent, then its own; its person is the position of the parent in `parents`.
    most : int
        The most children of a parent.
    """

    parents: Sample
    children: Sample | None = None
    most: int = 0

    @property
    def samples(self) -> tuple[Sample, ...]:
        """The records of each table."""
        return (self.parents,) if self.children is None else (self.parents, self.children)

    def take(self, chosen: Flags) -> Families:
        """Return some of the parents, with all their children."""
        if self.children is None:
            return Families(self.parents.take(chosen))
        place = np.cumsum(chosen) - 1
        kept = self.children.take(chosen[self.children.people])
        children = Sample(kept.source, kept.rows, kept.codes, place[kept.people])
        return Families(self.parents.take(chosen), children, self.most)

    def fitted_tables(self) -> tuple[CodedTable, ...]:
        """Return what models are fitted to: parents have one more column, the number of their children."""
        if self.children is None:
            return (self.parents.codes,)
        number = np.bincount(self.children.people, minlength=self.parents.n)
        counted = joined([self.parents.codes, CodedTable(number[None, :], (self.most + 1,))])
        return counted, self.children.codes


def families(domain: Domain, tables: Sequence[pa.Table]) -> Families:
    """Return coded families: at most the declared number of children of each parent, chosen at random.

    Children without a parent, and parents without a key, are omitted; of parents with the same key one is kept.
    """
    declared = domain.children
    if declared is None:
        return Families(sample_of(domain, tables[0]))
    parents, children = tables
    coded, rows = domain.encode(parents)
    owner_key, child_key = _keys(parents[declared.key], children[declared.key])
    first = np.sort(np.unique(owner_key[rows], return_index=True)[1])
    rows, coded = rows[first], coded.take(first)
    own, child_rows = declared.domain.encode(children)
    position = np.full(int(max(owner_key.max(initial=-1), child_key.max(initial=-1))) + 2, -1, dtype=np.int64)
    position[owner_key[rows]] = np.arange(len(rows))
    parent = position[child_key[child_rows]]
    kept = np.flatnonzero(parent >= 0)
    kept = kept[at_most(parent[kept], len(rows), declared.most)]
    together = joined([coded.take(parent[kept]), own.take(kept)])
    return Families(
        Sample(parents, rows, coded, np.arange(len(rows))),
        Sample(children, child_rows[kept], together, parent[kept]),
        declared.most,
    )


def _keys(parents: pa.ChunkedArray, children: pa.ChunkedArray) -> tuple[Counts, Counts]:
    """Return the keys of both tables as numbers; missing keys of children have a number that no parent has."""
    both = pa.chunked_array([*parents.chunks, *children.chunks], parents.type)
    codes, words = encode_column(both)
    owner, child = codes[: len(parents)].astype(np.int64), codes[len(parents) :].astype(np.int64)
    missing = np.flatnonzero(owner == len(words))
    # Parents without a key must not become one parent, so each gets another code.
    owner[missing] = len(words) + 1 + np.arange(len(missing))
    return owner, child


def _matched(parents: CodedTable, pool: CodedTable, n_columns: int, random: np.random.Generator) -> Ints:
    """Return a record of the pool for each parent: one that agrees in the longest prefix of the columns."""
    chosen = np.full(parents.n_rows, -1, dtype=np.int64)
    # Donors that agree in all columns of the parent; where there are none, in the first ones.
    for n in range(n_columns, -1, -1):
        open_rows = np.flatnonzero(chosen < 0)
        if not len(open_rows):
            break
        codes = np.concatenate([pool.codes[:n], parents.codes[:n][:, open_rows]], axis=1)
        labels, _ = dense_labels([column.astype(np.int32) for column in codes], length=codes.shape[1])
        in_pool, wanted = labels[: pool.n_rows], labels[pool.n_rows :]
        # Shuffled before the stable sort: donors of one group are in random order.
        order = random.permutation(pool.n_rows)
        order = order[np.argsort(in_pool[order], kind="stable")]
        size = np.bincount(in_pool, minlength=int(labels.max(initial=0)) + 1)
        start = np.cumsum(size) - size
        has = size[wanted] > 0
        place = (random.random(len(wanted)) * size[wanted]).astype(np.int64)
        chosen[open_rows[has]] = order[(start[wanted] + place)[has]]
    return chosen
