"""What an erasure does to each table: rows that are deleted, cells that are replaced, rows that wait for a decision.

Question: which rows and cells of the stores change, by what the map states?
Method: the strategy of a table applies to the person's rows; rows that name several people follow `several`, and wait
while nobody decided. Masked cells become missing. A pseudonym is a token by a random key that is not kept: equal values
get equal tokens in all stores, so that rows still belong together.
Limits: a key that other rows refer to stays when a row is masked. Further rows that hold an identifier of the person
are listed only.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import NamedTuple

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model.vocabulary import in_group
from privaudit.stewardship.data_map import Column, Place, Store, Table
from privaudit.stewardship.person import Person, Reader, TableId, TableRows
from privaudit.stewardship.spelling import canonical


class Token(NamedTuple):
    """A pseudonym, for columns of text and for columns of whole numbers: negative, unlike natural keys."""

    text: str
    number: int


Replacement = Token | None
"""None makes a cell missing."""


@dataclass(slots=True)
class Change:
    """What happens to one table.

    Attributes
    ----------
    delete : set of int
        Numbers of rows.
    cells : mapping of column to mapping of row to replacement
    """

    delete: set[int] = field(default_factory=set)
    cells: dict[str, dict[int, Replacement]] = field(default_factory=dict)

    @property
    def rows(self) -> set[int]:
        """Rows that are deleted or changed."""
        return self.delete.union(*self.cells.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan(Wire):
    """What an erasure does to one table, in numbers of rows without values.

    Attributes
    ----------
    strategy : str
        delete, mask or pseudonymise.
    rows : tuple of int
        The person's rows, numbered from 0 in the order of the store.
    n_deleted, n_changed : int
    n_undecided : int
        Rows that name several people, and wait for a decision in the map.
    n_held : int
        Rows under a legal hold.
    n_in_texts : int
        Further rows that hold an identifier of the person, in a text or without a reference.
    """

    store: str
    table: str
    strategy: str
    rows: tuple[int, ...]
    n_deleted: int
    n_changed: int
    n_undecided: int
    n_held: int
    n_in_texts: int

    @property
    def is_complete(self) -> bool:
        """Whether nothing of the person stays in the table."""
        return not (self.n_undecided or self.n_held or self.n_in_texts)


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of all tables, and their plans."""

    tables: Mapping[TableId, Change]
    plans: tuple[TablePlan, ...]

    def of_store(self, store: Store) -> dict[str, Change]:
        """Return the changes of the tables of a store, without tables that stay as they are."""
        return {table: change for (name, table), change in self.tables.items() if name == store.name and change.rows}


def changes_of(person: Person, reader: Reader) -> Changes:
    """Return what the map states for the rows of a person."""
    key = secrets.token_bytes(32)
    changes: dict[TableId, Change] = {}
    plans = []
    for store, table in reader.inventory.tables():
        found = person.tables.get((store.name, table.name))
        if found is None:
            continue
        maker = _TableChange(reader, person, store, table, found, key)
        changes[store.name, table.name] = maker.made()
        plans.append(maker.plan())
    return Changes(changes, tuple(plans))


class _TableChange:
    def __init__(
        self, reader: Reader, person: Person, store: Store, table: Table, found: TableRows, key: bytes
    ) -> None:
        self.reader, self.person, self.store, self.table = reader, person, store, table
        self.found, self.key = found, key
        self.links = [(c, to) for c, to in reader.inventory.links() if c[:2] == (store.name, table.name)]
        self.to_people = {column.column for column, to in self.links if to in person.keys}
        self.is_key = {to.column for _, to in reader.inventory.links() if to[:2] == (store.name, table.name)}
        self.change = Change()
        self.undecided: set[int] = set()

    def made(self) -> Change:
        """Return the change of the table."""
        if self.table.legal_hold:
            return self.change
        self._apply(self.found.rows - self.found.several, self.table.erase)
        several = self.table.several
        if several == "":
            self.undecided |= self.found.several
        elif several != "keep":
            self._apply(self.found.several, self.table.erase if several == "delete" else "mask")
        for column, rows in self.found.mentions.items():
            if several == "":
                self.undecided |= rows
            elif several == "mask":
                self._replace(column, rows, tokens=False)
            elif several == "delete":
                self.change.delete |= rows
        return self.change

    def _apply(self, rows: set[int], strategy: str) -> None:
        if strategy == "delete":
            self.change.delete |= rows
            return
        tokens = strategy == "pseudonymise"
        for column in self._personal(tokens):
            names_others = column in self.to_people and column != self.table.subject
            self._replace(column, self._naming_the_person(column, rows) if names_others else rows, tokens=tokens)

    def _naming_the_person(self, column: str, rows: set[int]) -> set[int]:
        """Return the rows whose cell is a value of the person, as where two tables have the same addresses."""
        own: set[int] = set()
        for place, to in self.links:
            found = self.person.tables.get((to.store, to.table))
            if place.column == column and found is not None:
                own |= self.reader.matching(place, self.reader.values(to, found.rows))
        return rows & own

    def _personal(self, tokens: bool) -> Iterable[str]:
        """Yield the columns of which cells are replaced."""
        for column in self.table.columns:
            is_subject = column.name == self.table.subject
            identifies = column.role == "direct" or is_subject or column.name in self.is_key
            chosen = identifies if tokens else column.is_personal or is_subject
            if chosen and (tokens or not self._stays(column)):
                yield column.name

    def _stays(self, column: Column) -> bool:
        """Whether a masked row keeps a key: without it, the rows below it would be parted from it and each other.

        An e-mail address or another identifier of the person does not stay, although rows refer to it.
        """
        return column.name in self.is_key and (column.role != "direct" or column.entity in in_group("key"))

    def _replace(self, column: str, rows: Iterable[int], *, tokens: bool) -> None:
        values = self.reader.column(Place(self.store.name, self.table.name, column))
        cells = self.change.cells.setdefault(column, {})
        for i in rows:
            value = values[i]
            if value is not None:
                cells[i] = token(self.key, value) if tokens else None

    def plan(self) -> TablePlan:
        """Return the plan of the table."""
        found, held = self.found, bool(self.table.legal_hold)
        concerned = found.concerned
        return TablePlan(
            store=self.store.name,
            table=self.table.name,
            strategy=self.table.erase,
            rows=tuple(sorted(concerned)),
            n_deleted=len(self.change.delete),
            n_changed=len(self.change.rows - self.change.delete),
            n_undecided=len(self.undecided),
            n_held=len(concerned) if held else 0,
            n_in_texts=len(set().union(*found.texts.values())),
        )


def token(key: bytes, value: str) -> Token:
    """Return the pseudonym of a value."""
    digest = hmac.digest(key, canonical(value).encode("utf-8", "surrogatepass"), hashlib.sha256)
    return Token(f"erased-{digest[:12].hex()}", -1 - int.from_bytes(digest[12:16], "big") % (1 << 30))
