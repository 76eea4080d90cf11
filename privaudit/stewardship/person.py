"""Which rows of all stores belong to one person?

Question: from one identifier, which rows are the person's, which mention the person, and which cannot be decided here?
Method: the columns of the map that identify are searched; the person key of a matching row leads to the table it refers
to, and from there references lead to all rows below. A row that a column reaches which is not the subject of its table
is a row of someone else that mentions the person; texts that contain an identifier of the person are listed as well.
Where no reference leads to a row that holds an identifier of the person, the row is listed for a person to read.
Limits: values are compared as `spelling` states; other spellings are not found. An identifier that matches two people
is refused.
"""

from __future__ import annotations

import getpass
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from itertools import permutations
from pathlib import Path

from privaudit.audit.joins import is_dense
from privaudit.base.arrow import pa
from privaudit.base.errors import AmbiguousSubject, ConfigError, PrivauditError
from privaudit.base.records import dataclass
from privaudit.settings.config import Progress, Settings, silent
from privaudit.stewardship import stores
from privaudit.stewardship.data_map import Inventory, Place, Store, Table
from privaudit.stewardship.look import has_name_of
from privaudit.stewardship.spelling import canonical
from privaudit.stewardship.subjects import THINGS

MOST_BYTES = 4096
LEAST_TRACE = 6
"""Characters of a value from which on texts are searched for it."""
TableId = tuple[str, str]
Rows = frozenset[int]


def read_identifier(given: str) -> str:
    """Return the identifier in a file, or of a prompt for "-"; it is never an argument, which other programs can see.

    Raises
    ------
    ConfigError
        If it is empty, too long, or the file cannot be read; the message does not repeat what was given.
    """
    if given == "-":
        text = getpass.getpass("Identifier of the person: ") if sys.stdin.isatty() else sys.stdin.readline()
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
        Further rows that hold an identifier of the person: in a text, or in a row that no reference leads to.
    """

    n_rows: int
    rows: set[int] = field(default_factory=set)
    several: set[int] = field(default_factory=set)
    mentions: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    texts: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    @property
    def concerned(self) -> set[int]:
        """The person's rows, and those of others that mention the person."""
        return self.rows.union(*self.mentions.values())

    @property
    def concerns(self) -> bool:
        """Whether any row concerns the person."""
        return bool(self.concerned or any(self.texts.values()))


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

    def check_listed(self) -> None:
        """Refuse tables and columns that the map does not list: they would not be searched.

        Raises
        ------
        ConfigError
            If a store has one.
        PrivauditError
            If a store cannot be read.
        """
        for store in self.inventory.store:
            source = stores.resolved(store.source, self.folder)
            listed = {table.name: {column.name for column in table.columns} for table in store.table}
            for table in stores.tables_of(source, self.settings):
                columns = stores.columns_of(source, table, self.settings)
                if table not in listed or not listed[table].issuperset(columns):
                    raise ConfigError(
                        f"The store {store.name} has a table or a column that the inventory does not list.",
                        hint="renew the inventory (privaudit inventory build), and check what it adds",
                    )

    def rows(self, store: Store, table: str, columns: Sequence[str]) -> pa.Table:
        """Return columns of every row of a table."""
        return stores.read_rows(stores.resolved(store.source, self.folder), table, columns, self.settings)

    def spelled(self, place: Place) -> list[str]:
        """Return the values of a column, without missing cells, as they are compared."""
        return [canonical(value) for value in self.column(place) if value is not None]

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
        matched: dict[TableId, set[int]] = defaultdict(set)
        as_key: set[Place] = set()
        for place, table, column in self.inventory.columns():
            rows = self.reader.matching(place, [identifier]) if column.identifies else frozenset()
            if not rows:
                continue
            matched[place[:2]] |= rows
            named = self._person_column(table, place)
            if named is None:
                self._alone(table, place, matched[place[:2]])
                as_key |= set() if table.unit in THINGS else {place}
            else:
                self._identify(named, rows)
                as_key |= {self._key_of(named)} if named == place else set()
        counted = [key for key in as_key if is_dense(pa.array(self.reader.spelled(key), pa.string()))]
        if any(not has_name_of(one, other) for one, other in permutations(counted, 2)):
            raise _two_people(len(counted))  # 5 as the number of a customer is not 5 as that of an employee

    def _person_column(self, table: Table, place: Place) -> Place | None:
        """Return the column that names the person whose a value of `place` is; None where the table has none.

        Of several, it is the one on which the column depends most: e-mail addresses of employees depend on the key of
        the employee, even where the row is that of a customer.
        """
        subject = [Place(*place[:2], table.subject)] if table.subject else []
        linked = [column for column, to in self.links if column[:2] == place[:2] and to in self.keys]
        columns = list(dict.fromkeys([*subject, *linked]))
        if not columns:
            return None
        return min(columns, key=lambda column: self._values_of_key(column, place))

    def _values_of_key(self, key: Place, place: Place) -> float:
        """Return how many values of a column go with a value of the key, on average."""
        pairs = {
            pair for pair in zip(self.reader.column(key), self.reader.column(place), strict=True) if None not in pair
        }
        return len(pairs) / max(len({one for one, _ in pairs}), 1)

    def _alone(self, table: Table, place: Place, rows: set[int]) -> None:
        """Add rows of a table that names no person by a key; an object only mentions the person."""
        if table.unit in THINGS:
            self.table(place).mentions[place.column] |= rows
            return
        if table.unit == "person" and len(rows) > 1:
            raise _two_people(len(rows))
        self.add(place, rows)

    def of_nobody(self, table: Table, place: Place, rows: Rows) -> set[int]:
        """Return the rows of a table, with a value of `place`, that name nobody else by a key."""
        named = self._person_column(table, place)
        if named in (None, place):
            return set(rows)
        return {i for i in rows if self.reader.column(named)[i] is None}

    def _key_of(self, column: Place) -> Place:
        return next((to for one, to in self.links if one == column), column)

    def _identify(self, column: Place, rows: Rows) -> None:
        """Remember whom a column names in rows; refuse two people."""
        key = self._key_of(column)
        self.identities[key] |= {canonical(value) for value in self.reader.values(column, rows)}
        if len(self.identities[key]) > 1:
            raise _two_people(len(self.identities[key]))
        if column.column == self.inventory.find(column)[1].subject:
            self.add(column, rows)

    def climb(self) -> None:
        """Add the rows in the tables of people that the keys name, and the rows that refer to them."""
        for key, values in list(self.identities.items()):
            self.add(key, self.reader.matching(key, values))
            self._reach(key, values)

    def add(self, place: Place, rows: Iterable[int]) -> None:
        """Add rows of the person in the table of `place`, and all rows that refer to them."""
        new = set(rows) - self.table(place).rows
        if not new:
            return
        self.table(place).rows |= new
        for to in dict.fromkeys(to for _, to in self.links if to[:2] == place[:2]):
            self._reach(to, self.reader.values(to, new))

    def _reach(self, key: Place, values: Iterable[str]) -> None:
        """Add the rows that refer to values of a key: rows of the person, or of others who mention the person."""
        for column in (column for column, to in self.links if to == key):
            reached = self.reader.matching(column, values)
            if self._is_own(column, key):
                self.add(column, reached)
            elif reached:
                self.table(column).mentions[column.column] |= reached

    def _is_own(self, column: Place, to: Place) -> bool:
        """Whether the rows that a reference reaches are the person's: their subject, or parts of the person's rows.

        Objects that refer to a person, such as the products of a supplier, are not.
        """
        _, table = self.inventory.find(column)
        if table.subject == column.column:
            return True
        if table.unit in THINGS or (table.subject and to in self.keys):
            return False
        others = [c for c, target in self.links if c[:2] == column[:2] and target in self.keys]
        return to not in self.keys or len(others) == 1

    def finish(self) -> None:
        """Mark rows that name another person too, and drop the person's own rows from the mentions.

        The record of a person in a table of people is that of this person alone, whomever it refers to.
        """
        for (store, table), found in self.found.items():
            if Place(store, table, self.inventory.find(Place(store, table, ""))[1].subject) in self.keys:
                continue
            for column, to in self.links:
                if column[:2] == (store, table) and to in self.keys and not self._is_own(column, to):
                    own = self.reader.matching(column, self._values_of_person(to))
                    named = {i for i in found.rows if self.reader.column(column)[i] is not None}
                    found.several |= named - own
        for found in self.found.values():
            for column_name in found.mentions:
                found.mentions[column_name] -= found.rows

    def _values_of_person(self, key: Place) -> set[str]:
        """Return the values of a key in the rows of the person."""
        found = self.found.get((key.store, key.table))
        return self.identities.get(key, set()) | (self.reader.values(key, found.rows) if found else set())


def people_keys(inventory: Inventory) -> frozenset[Place]:
    """Return the columns that are keys of people: those to which others refer, in a table whose subject is one."""
    targets = {to for _, to in inventory.links()}
    return frozenset(to for to in targets if to._replace(column=inventory.find(to)[1].subject) in targets)


def find(identifier: str, reader: Reader, progress: Progress = silent) -> Person:
    """Return the rows of the person with an identifier.

    Raises
    ------
    AmbiguousSubject
        If the identifier matches two people.
    ConfigError
        If a store has a table or column that the map does not list.
    PrivauditError
        If a store cannot be read.
    """
    progress("Searching the stores", None)
    reader.check_listed()
    walk = _Walk(reader)
    walk.start(identifier)
    walk.climb()
    walk.finish()
    _search_the_rest(identifier, walk)
    return Person({key: found for key, found in walk.found.items() if found.concerns}, walk.keys)


def _search_the_rest(identifier: str, walk: _Walk) -> None:
    """Find the identifier, or another value that identifies the person, in rows that no reference leads to.

    A row that names somebody else by a key is another person's: of two people with one name, each has a key.
    """
    wanted = {canonical(identifier)}
    for place, _, column in walk.inventory.columns():
        if column.identifies and place[:2] in walk.found:
            wanted |= set(map(canonical, walk.reader.values(place, walk.found[place[:2]].rows)))
    long = {value for value in wanted if len(value) >= LEAST_TRACE}
    names = {value for value in wanted if not value.isdecimal()}  # a number is that of somebody else elsewhere
    for place, table, column in walk.inventory.columns():
        rows: set[int] = set()
        if column.contains or column.entity == "FREE_TEXT":
            texts = enumerate(walk.reader.column(place))
            rows = {i for i, text in texts if text is not None and any(w in canonical(text) for w in long)}
        elif column.identifies:
            rows = walk.of_nobody(table, place, walk.reader.matching(place, names))
        new = rows - walk.table(place).concerned if rows else rows
        if new:
            walk.table(place).texts[column.name] |= new


def _two_people(n: int) -> PrivauditError:
    return AmbiguousSubject(
        f"The identifier matches {n} people.",
        hint="use one that only this person has, such as an e-mail address, or correct subject in the inventory",
    )
