"""The data map: which stores hold personal data, what leads from one table to another, and what people decided.

Question: what is held where, for what purpose and how long, and where does a request of a person begin?
Method: records of stores, tables, columns and references. Some fields are measured by a scan, the others are filled in
by people; a new scan replaces the former and keeps the latter.
Limits: stores that nobody names are not in the map. Backups, logs and models are lines that a person confirms.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Literal, NamedTuple

from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model import UnitKind
from privaudit.model.vocabulary.records import Role

Strategy = Literal["delete", "mask", "pseudonymise"]
Several = Literal["", "keep", "mask", "delete"]
Then = Literal["", "erase", "archive"]
Format = Literal["csv", "tsv", "json", "jsonl", "parquet", "arrow", "excel", "sqlite", "duckdb", "postgresql", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column(Wire):
    """A column of a table.

    Attributes
    ----------
    entity : str
        Entity type of its values; empty where none was recognised.
    contains : tuple of str
        Entity types inside its texts.
    role : {"direct", "quasi", "sensitive", "none"}
    special : bool
        Whether it holds a special category of personal data (GDPR art. 9 or 10).
    identifies : bool
        Whether the request of a person may begin with a value of this column. People may change it.
    """

    name: str
    entity: str = ""
    contains: tuple[str, ...] = ()
    role: Role = "none"
    special: bool = False
    identifies: bool = False

    @property
    def is_personal(self) -> bool:
        """Whether the values are personal data."""
        return self.role != "none" or bool(self.contains)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Wire):
    """A table of a store.

    Attributes
    ----------
    name : str
        Empty for a file that is one table.
    rows : int
    unit : str
        What a row is.
    subject : str
        The column that identifies the person of a row, where a person may have several rows or others refer to it.
    keep, counted_from, then, archive : str
        Retention: rows are kept for "10 months" counted from the date in a column, then erased or archived, and an
        archive is kept for "5 years".
    legal_hold : str
        Why no row may be erased now; empty where there is no hold.
    erase : {"delete", "mask", "pseudonymise"}
        What happens to the rows of a person on request.
    several : {"", "keep", "mask", "delete"}
        What happens to rows that speak of several people; empty until a person decides.
    """

    name: str = ""
    rows: int = 0
    unit: UnitKind = "unknown"
    subject: str = ""
    keep: str = ""
    counted_from: str = ""
    then: Then = ""
    archive: str = ""
    legal_hold: str = ""
    erase: Strategy = "delete"
    several: Several = ""
    columns: tuple[Column, ...] = ()

    def column(self, name: str) -> Column | None:
        """Return the column of a name, None where the map has none."""
        return next((column for column in self.columns if column.name == name), None)

    @property
    def is_personal(self) -> bool:
        """Whether the table holds personal data."""
        return any(column.is_personal for column in self.columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Store(Wire):
    """A file, database or server.

    Attributes
    ----------
    name : str
        Short name, unique in the map.
    source : str
        Path relative to the map, or address without a password.
    owner, purpose, subjects, recipients, transfers, security : str
        Of the record of processing (GDPR art. 30): filled in by people.
    """

    name: str
    source: str
    format: Format = "other"
    owner: str = ""
    purpose: str = ""
    subjects: str = ""
    recipients: str = ""
    transfers: str = ""
    security: str = ""
    table: tuple[Table, ...] = ()


class Place(NamedTuple):
    """A column of the map: store, table, column."""

    store: str
    table: str
    column: str

    def __str__(self) -> str:
        return "/".join((self.store, self.table, self.column) if self.table else (self.store, self.column))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference(Wire):
    """Values of the column `column` are keys of another table: ``store/table/column``, as `Place` writes it."""

    column: str
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreachable(Wire):
    """What no command can erase: it stays open after an erasure until a person confirms it.

    Attributes
    ----------
    what : str
    owner, term : str
        Who erases it, and within which time.
    open_since, confirmed : str
        Day of the first erasure that is not confirmed, and day on which the owner confirmed.
    """

    what: str
    owner: str = ""
    term: str = ""
    open_since: str = ""
    confirmed: str = ""

    @property
    def is_open(self) -> bool:
        """Whether an erasure waits for the confirmation."""
        return bool(self.open_since) and self.confirmed < self.open_since


@dataclass(frozen=True, slots=True, kw_only=True)
class Controller(Wire):
    """Who is responsible (GDPR art. 30(1)(a))."""

    name: str = ""
    contact: str = ""
    data_protection_officer: str = ""


UNREACHABLE = ("backups", "logs", "object_versions", "models", "old_blocks")
"""What no command reaches: terms of ``rules/wording/terms.toml``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory(Wire):
    """The data map.

    Raises
    ------
    ConfigError
        If two stores have one name, a reference leads nowhere, or a day is not a date.
    """

    version: int = 1
    controller: Controller = Controller()
    store: tuple[Store, ...] = ()
    reference: tuple[Reference, ...] = ()
    unreachable: tuple[Unreachable, ...] = tuple(Unreachable(what=what) for what in UNREACHABLE)

    def __post_init__(self) -> None:
        """Reject a map that contradicts itself."""
        names = [store.name for store in self.store]
        if len(set(names)) < len(names):
            raise ConfigError("Two stores of the inventory have the same name.")
        places = {str(place) for place in self.places()}
        for reference in self.reference:
            for end in (reference.column, reference.to):
                if end not in places:
                    raise ConfigError(
                        "A reference of the inventory names a column that the inventory does not have.",
                        hint="write it as store/table/column, or store/column for a file of one table",
                    )
        for line in self.unreachable:
            for day in filter(None, (line.open_since, line.confirmed)):
                _check_day(day)

    def tables(self) -> Iterator[tuple[Store, Table]]:
        """Yield every table with its store."""
        for store in self.store:
            for table in store.table:
                yield store, table

    def columns(self) -> Iterator[tuple[Place, Table, Column]]:
        """Yield every column with its place and its table."""
        for store, table in self.tables():
            for column in table.columns:
                yield Place(store.name, table.name, column.name), table, column

    def places(self) -> Iterator[Place]:
        """Yield the place of every column."""
        return (place for place, _, _ in self.columns())

    def place(self, text: str) -> Place:
        """Return the place that a text of the map names."""
        return next(place for place in self.places() if str(place) == text)

    def find(self, place: Place) -> tuple[Store, Table]:
        """Return store and table of a place."""
        return next((s, t) for s, t in self.tables() if (s.name, t.name) == (place.store, place.table))

    def links(self) -> Iterator[tuple[Place, Place]]:
        """Yield every reference as two places."""
        for reference in self.reference:
            yield self.place(reference.column), self.place(reference.to)


def _check_day(text: str) -> None:
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        raise ConfigError("A day in the inventory is not a date.", hint="write it as 2026-11-26") from None
