"""The declared domain of a table: which columns are made, from what, and under which constraints.

Question: what may a synthetic table contain?
Method: modelled columns (`columns`) are coded and fitted; derived columns follow from one modelled column by a declared
mapping; invented columns are made by Faker and depend on no record. Constraints compare two columns; records that
violate one are drawn again.
Limits: holds what was declared; nothing of it comes from the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np

from privaudit.base.arrays import Ints
from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.releases.domains.columns import Column
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.engine.network import as_codes


@dataclass(frozen=True, kw_only=True)
class Derived:
    """A column that follows from another one: a county from its city.

    Attributes
    ----------
    values : mapping
        The text for each label of the other column.
    """

    name: str
    source: str
    values: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Invented:
    """A column of values that Faker makes.

    Attributes
    ----------
    what : str
        One of `invention.KINDS`.
    sex : str or None
        The modelled column that decides between names of women and men.
    female, male : str
        The labels of that column.
    source : str or None
        For e-mail addresses: the column with the name.
    bounds : (str, str) or None
        For dates.
    shares : mapping
        For cities: the shares of declared texts; the cities of Faker where it is empty.
    """

    name: str
    what: str
    locale: str = "en_US"
    sex: str | None = None
    female: str = "Female"
    male: str = "Male"
    source: str | None = None
    bounds: tuple[str, str] | None = None
    shares: Mapping[str, float] | None = None


@dataclass(frozen=True, kw_only=True)
class Constraint:
    """A relation of two written columns, such as ``discharge >= admission``; a missing value satisfies it."""

    left: str
    relation: str
    right: str

    @property
    def text(self) -> str:
        """The constraint as it is declared."""
        return f"{self.left} {self.relation} {self.right}"


@dataclass(frozen=True, kw_only=True)
class Children:
    """A second table with several records for each record of the first.

    Attributes
    ----------
    key : str
        The column of both tables that connects them.
    most : int
        The most records of a parent that are read, chosen at random.
    domain : Domain
        Of the second table, without the key.
    share : float
        Part of the budget for the second table.
    """

    key: str
    most: int
    domain: Domain
    share: float = 0.5

    def with_parents(self, parents: Domain) -> Domain:
        """Return the domain of a child next to its parent: the modelled columns of the parent, then its own.

        A column that both tables have is named as in the domain file: ``children.name``.
        """
        own = [
            replace(column, name=f"children.{column.name}") if column.name in parents.names else column
            for column in self.domain.columns
        ]
        return Domain(columns=(*parents.columns, *own))


@dataclass(frozen=True, kw_only=True)
class Domain:
    """What a synthetic table may contain.

    Attributes
    ----------
    columns, derived, invented, constraints
    order : tuple of str
        All columns in the order in which they are written.
    allowed : frozenset of str
        Columns that are declared not to identify anyone, whatever their name suggests.
    person : str, optional
        The column with the person ID, where a person has several records. It is not written.
    rows_per_person : int
        The most records of a person that are read.
    rows : int, optional
        About how many records the table has, as public knowledge: for advice only.
    stated : mapping
        The content of the domain file, with which a model is saved.
    children : Children, optional
    """

    columns: tuple[Column, ...]
    derived: tuple[Derived, ...] = ()
    invented: tuple[Invented, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    order: tuple[str, ...] = ()
    allowed: frozenset[str] = frozenset()
    person: str | None = None
    rows_per_person: int = 1
    rows: int | None = None
    stated: Mapping[str, Any] = field(default_factory=dict)
    children: Children | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the modelled columns."""
        return tuple(column.name for column in self.columns)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of codes of each modelled column."""
        return tuple(column.size for column in self.columns)

    @property
    def all_names(self) -> tuple[str, ...]:
        """Names of all written columns, in the declared order."""
        return self.order or (
            *self.names,
            *(each.name for each in self.derived),
            *(each.name for each in self.invented),
        )

    def position(self, name: str) -> int:
        """Return the position of a modelled column."""
        return self.names.index(name)

    def encode(self, table: pa.Table) -> tuple[CodedTable, Ints]:
        """Return the coded records, and the row of each; records with a value that has no code are omitted."""
        codes = [column.encode(table[column.name]) for column in self.columns]
        kept = np.ones(table.num_rows, dtype=bool)
        for each in codes:
            kept &= each >= 0
        rows = np.flatnonzero(kept)
        return CodedTable(as_codes([each[rows] for each in codes], self.sizes), self.sizes), rows
