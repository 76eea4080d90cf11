"""Which rows of all stores belong to one person?

Question: from one identifier, which rows are the person's, which mention the person, and which cannot be decided here?
Method: the columns of the map that identify are searched; the person key of a matching row leads to the table it refers
to, and from there references lead to all rows below. A row that a column reaches which is not the subject of its table
is a row of someone else that mentions the person; texts that contain an identifier of the person are listed as well.
Limits: values are compared in Unicode normal form NFKC without case and outer space; other spellings are not found. An
identifier that matches two people is refused.
"""

from __future__ import annotations

import getpass
import os
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from privaudit.base.errors import AmbiguousSubject, ConfigError, PrivauditError
from privaudit.settings.config import Progress, Settings, silent
from privaudit.stewardship import stores
from privaudit.stewardship.data_map import Inventory, Place, Store, Table

if TYPE_CHECKING:
    import pyarrow as pa

MOST_BYTES = 4096
LEAST_TRACE = 6
"""Characters of a value from which on texts are searched for it."""
TableId = tuple[str, str]
Rows = frozenset[int]


def canonical(value: str) -> str:
    """Return the form in which values are compared."""
    return unicodedata.normalize("NFKC", value).strip().casefold()


def read_identifier(given: str, ask: Callable[[str], str] = getpass.getpass) -> str:
    """Return the identifier in a file, or of a prompt for "-"; it is never an argument, which other programs can see.

    Raises
    ------
    ConfigError
        If it is empty, too long, or the file cannot be read; the message does not repeat what was given.
    """
    if given == "-":
        text = ask("Identifier of the person: ") if sys.stdin.isatty() else sys.stdin.readline()
    else:
        try:
            handle = os.open(given, os.O_RDONLY)
            with os.fdopen(handle, "rb") as file:
                text = file.read(MOST_BYTES + 1).decode("utf-8")
        except (OSError, ValueError):
            raise ConfigError(
                "The file of --identifier cannot be read.", hint="write the identifier into a file, or use -"
            ) from None
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) != 1 or len(text) > MOST_BYTES:
        raise ConfigError("--identifier expects a file with one line: one identifier of one person.")
    return lines[0]


@dataclass(slots=True)
class TableRows:
    """What of one table concerns the person.

    Attributes
    ----------
    rows : set of int
        Numbers of the person's rows, from 0 in the order of the store.
    several : set of int
        Rows among `rows` in which another person is named as well.
    mentions : mapping of column to set of int
        Rows of other people, by the column that refers to the person.
    texts : mapping of column to set of int
        Rows with a text that contains an identifier of the person, not among `rows`.
    """

    n_rows: int
    rows: set[int] = field(default_factory=set)
    several: set[int] = field(default_factory=set)
    mentions: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    texts: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    @property
    def concerns(self) -> bool:
        """Whether any row concerns the person."""
        return bool(self.rows or any(self.mentions.values()) or any(self.texts.values()))


class Reader:
    """Reads columns of the stores of a map as text, each once.

    Parameters
    ----------
    inventory : Inventory
    folder : Path
        To which the paths of the map are relative.
    """

    def __init__(self, inventory: Inventory, folder: Path, settings: Settings) -> None:
        self.inventory, self.folder, self.settings = inventory, folder, settings
        self._columns: dict[Place, list[str | None]] = {}

    def column(self, place: Place) -> list[str | None]:
        """Return a column as text, missing cells None.

        Raises
        ------
        PrivauditError
            If the store cannot be read: what was not searched must not look as if it held nothing.
        """
        if place not in self._columns:
            store, _ = self.inventory.find(place)
            found = self.rows(store, place.table, [place.column])
            self._columns[place] = found[place.column].to_pylist()
        return self._columns[place]

    def files(self) -> tuple[Path, ...]:
        """Return the files of the stores, which no output may replace."""
        sources = (stores.resolved(store.source, self.folder) for store in self.inventory.store)
        return tuple(Path(source) for source in sources if not stores.is_server(source))

    def rows(self, store: Store, table: str, columns: Sequence[str]) -> pa.Table:
        """Return columns of every row of a table."""
        return stores.read_rows(stores.resolved(store.source, self.folder), table, columns, self.settings)

    def matching(self, place: Place, values: Iterable[str]) -> Rows:
        """Return the numbers of the rows whose value is one of `values`, in canonical form."""
        wanted = {canonical(value) for value in values}
        if not wanted:
            return frozenset()
        known = {value: canonical(value) in wanted for value in set(self.column(place)) if value is not None}
        return frozenset(i for i, value in enumerate(self.column(place)) if value is not None and known[value])

    def values(self, place: Place, rows: Iterable[int]) -> set[str]:
        """Return the values of a column in some rows."""
        column = self.column(place)
        return {value for i in rows if (value := column[i]) is not None}


@dataclass(frozen=True, slots=True)
class Person:
    """The rows of one person in all stores.

    Attributes
    ----------
    tables : mapping of (store, table) to TableRows
    keys : frozenset of Place
        The columns that are keys of people.
    """

    tables: Mapping[TableId, TableRows]
    keys: frozenset[Place]

    @property
    def is_found(self) -> bool:
        """Whether any row is the person's."""
        return any(found.rows for found in self.tables.values())


class _Walk:
    """From matching rows along the references of the map."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.inventory = reader, reader.inventory
        self.links = tuple(self.inventory.links())
        self.keys = people_keys(self.inventory)
        self.found: dict[TableId, TableRows] = {}
        self.identities: dict[Place, set[str]] = defaultdict(set)

    def table(self, place: Place) -> TableRows:
        """Return what was found in the table of a place so far."""
        key = (place.store, place.table)
        if key not in self.found:
            self.found[key] = TableRows(n_rows=len(self.reader.column(place)))
        return self.found[key]

    def start(self, identifier: str) -> None:
        """Find the rows with the identifier, and the person keys in them."""
        for store, table in self.inventory.tables():
            columns = [Place(store.name, table.name, c.name) for c in table.columns if c.identifies]
            rows: set[int] = set()
            for place in columns:
                rows |= self.reader.matching(place, [identifier])
            if rows:
                self._identify(store, table, rows)
                self.add(columns[0], rows)

    def _identify(self, store: Store, table: Table, rows: set[int]) -> None:
        """Remember whose rows they are; refuse rows of two people."""
        subject = Place(store.name, table.name, table.subject)
        if not table.subject:
            if table.unit == "person" and len(rows) > 1:
                raise _two_people(len(rows))
            return
        key = next((to for column, to in self.links if column == subject), subject)
        self.identities[key] |= {canonical(value) for value in self.reader.values(subject, rows)}
        if len(self.identities[key]) > 1:
            raise _two_people(len(self.identities[key]))

    def climb(self) -> None:
        """Add the rows in the tables of people that the keys name."""
        for key, values in list(self.identities.items()):
            rows = self.reader.matching(key, values)
            if rows:
                self.add(key, rows)

    def add(self, place: Place, rows: Iterable[int]) -> None:
        """Add rows of the person in the table of `place`, and all rows that refer to them."""
        here = self.table(place)
        new = set(rows) - here.rows
        if not new:
            return
        here.rows |= new
        for column, to in self.links:
            if to[:2] != place[:2]:
                continue
            reached = self.reader.matching(column, self.reader.values(to, new))
            if not reached:
                continue
            if self._is_own(column, to):
                self.add(column, reached)
            else:
                self.table(column).mentions[column.column] |= reached

    def _is_own(self, column: Place, to: Place) -> bool:
        """Whether the rows that a reference reaches are the person's: their subject, or parts of the person's rows."""
        _, table = self.inventory.find(column)
        if to not in self.keys:
            return True
        others = [c for c, target in self.links if c[:2] == column[:2] and target in self.keys]
        return table.subject == column.column or (not table.subject and len(others) == 1)

    def finish(self) -> None:
        """Mark rows that name another person too, and drop the person's own rows from the mentions."""
        for (store, table), found in self.found.items():
            for column, to in self.links:
                if column[:2] == (store, table) and to in self.keys and not self._is_own(column, to):
                    own = self.reader.matching(column, self.identities.get(to, set()))
                    named = {i for i in found.rows if self.reader.column(column)[i] is not None}
                    found.several |= named - own
            for column_name in found.mentions:
                found.mentions[column_name] -= found.rows


def people_keys(inventory: Inventory) -> frozenset[Place]:
    """Return the columns that are keys of people: the subject of a table to which others refer."""
    return frozenset(to for _, to in inventory.links() if inventory.find(to)[1].subject == to.column)


def find(identifier: str, reader: Reader, progress: Progress = silent) -> Person:
    """Return the rows of the person with an identifier.

    Raises
    ------
    AmbiguousSubject
        If the identifier matches two people.
    PrivauditError
        If a store cannot be read.
    """
    walk = _Walk(reader)
    progress("Searching the stores", None)
    walk.start(identifier)
    walk.climb()
    walk.finish()
    _search_texts(identifier, walk)
    return Person({key: found for key, found in walk.found.items() if found.concerns}, walk.keys)


def _search_texts(identifier: str, walk: _Walk) -> None:
    """Find texts with the identifier, or with another value that identifies the person, in rows that are not theirs."""
    wanted = {canonical(identifier)}
    for (store, table), found in list(walk.found.items()):
        for column in walk.inventory.find(Place(store, table, ""))[1].columns:
            if column.identifies:
                wanted |= set(map(canonical, walk.reader.values(Place(store, table, column.name), found.rows)))
    wanted = {value for value in wanted if len(value) >= LEAST_TRACE}
    for store_, table_ in walk.inventory.tables():
        for column in table_.columns:
            if column.contains or column.entity == "FREE_TEXT":
                place = Place(store_.name, table_.name, column.name)
                texts = enumerate(walk.reader.column(place))
                rows = {i for i, text in texts if text is not None and any(w in canonical(text) for w in wanted)}
                new = rows - walk.table(place).rows
                if new:
                    walk.table(place).texts[column.name] |= new


def _two_people(n: int) -> PrivauditError:
    return AmbiguousSubject(
        f"The identifier matches {n} people.",
        hint="use one that only this person has, such as an e-mail address, or correct subject in the inventory",
    )
