"""Erase one person from all stores of the data map: list, write new files, verify, swap.

Question: is the person gone, is everyone else still there, and what is left to do?
Method: `list_changes` states what would happen, and in which state each store is. `apply` refuses a store, a map or a
person's rows that differ from that list; it writes a new file next to each old one, compares every cell of it with what
it should hold, searches its bytes, and only then replaces all old files, with a journal. Nothing else is kept.
Limits: what the map calls unreachable stays open until a person confirms it. Servers other than PostgreSQL, and folders
of parts, are not changed: their rows are listed as undecided.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

import numpy as np

from privaudit.base.arrow import pa
from privaudit.base.errors import ChangedSinceDryRun, ConfigError, PrivauditError, ScanIncomplete, foreign_errors_as
from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model.headers import shown_file
from privaudit.report import seals
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.places.location import Location, locate
from privaudit.stewardship import stores, swap, traces
from privaudit.stewardship.changes import Change, Changes, TablePlan, changes_of
from privaudit.stewardship.data_map import Store
from privaudit.stewardship.person import Reader, find
from privaudit.stewardship.rewrite import columnar, databases, text_files, workbook

Rewrite = Callable[[Location, Mapping[str, Change], Path, Settings], None]
_REWRITES: Mapping[str, Rewrite] = {
    "csv": text_files.rewrite_delimited,
    "tsv": text_files.rewrite_delimited,
    "json": text_files.rewrite_jsonl,
    "jsonl": text_files.rewrite_jsonl,
    "parquet": columnar.rewrite_parquet,
    "arrow": columnar.rewrite_arrow,
    "excel": workbook.rewrite_excel,
    "sqlite": databases.rewrite_sqlite,
    "duckdb": databases.rewrite_duckdb,
}
SERVER = "postgresql"
_WAL_AT, _WAL = 18, 2
"""Where the header of an SQLite file has its journal mode, and the number of the write-ahead log."""
ANYONE_WRITES = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreState(Wire):
    """A store as the list of changes saw it: the SHA-256 of its file; empty for a server."""

    store: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasePlan(Wire):
    """What an erasure would do, without any value.

    Attributes
    ----------
    inventory : str
        SHA-256 of the map.
    states : tuple of StoreState
        Of every store of the map.
    tables : tuple of TablePlan
    """

    schema: Literal["privaudit erasure plan 1"] = "privaudit erasure plan 1"
    inventory: str
    states: tuple[StoreState, ...]
    tables: tuple[TablePlan, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreResult(Wire):
    """What was verified of one store.

    Attributes
    ----------
    sha256 : str
        Of the new file; empty for a server.
    n_searched : int
        Values of the person that were searched in bytes and hidden parts, and not found.
    n_compared : int
        Values that were verified by decoding alone, because they are short or other people have them too.
    """

    store: str
    sha256: str
    n_searched: int
    n_compared: int


def list_changes(
    identifier: str, reader: Reader, inventory: Path, progress: Progress = silent
) -> tuple[ErasePlan, Changes]:
    """Return what an erasure would do, and the changes of the tables.

    Raises
    ------
    ConfigError
        If the identifier matches two people, or none, or a store that would change is read-only.
    PrivauditError
        If a store cannot be read.
    """
    states = tuple(_state(store, reader.folder) for store in reader.inventory.store)
    person = find(identifier, reader, progress)
    if not person.tables:
        raise ConfigError("The identifier matches no row of the inventory.", hint="check it, and the inventory")
    changes = changes_of(person, reader)
    for store in reader.inventory.store:
        if changes.of_store(store):
            _check_writable(store, reader.folder)
    digest = hashlib.sha256(inventory.read_bytes()).hexdigest()
    return ErasePlan(inventory=digest, states=states, tables=changes.plans), changes


def _state(store: Store, folder: Path) -> StoreState:
    source = stores.resolved(store.source, folder)
    is_file = not stores.is_server(source)
    if is_file and not Path(source).is_file():
        raise ConfigError(f"The store {store.name} is not a file.", hint="each file of a folder is a store of its own")
    return StoreState(store=store.name, sha256=swap.sha256_of(Path(source)) if is_file else "")


def _check_writable(store: Store, folder: Path) -> None:
    """Refuse a file without write permission, also for a user whom permissions do not stop: someone protected it."""
    source = stores.resolved(store.source, folder)
    if stores.is_server(source):
        return
    path = Path(source)
    if not path.stat().st_mode & ANYONE_WRITES or not os.access(path, os.W_OK):
        raise ConfigError(
            f"The store {store.name} is a read-only file: it has no write permission.",
            hint="if the rows may be erased from it, permit writing (chmod u+w FILE) and list the changes again",
        )
    if not os.access(path.parent, os.W_OK):
        raise ConfigError(
            f"The folder of the store {store.name} is read-only, and a new file must be written there.",
            hint="permit writing to the folder, and list the changes again",
        )


def rehearse(identifier: str, reader: Reader, inventory: Path, progress: Progress) -> ErasePlan:
    """Return what an erasure would do, after every new file was written, verified and removed.

    Nothing else shows whether a store can lose the rows: `apply` decides it in the same way.

    Raises
    ------
    PrivauditError
        As `list_changes` and `apply`.
    """
    plan, changes = list_changes(identifier, reader, inventory, progress)
    prepared = Prepared(reader, plan, changes, progress)
    # Without a lock on databases: when it ends, SQLite moves the write-ahead log into the file.
    prepared.make(lock=False)
    prepared.discard()
    return plan


def apply(plan: ErasePlan, identifier: str, reader: Reader, inventory: Path, progress: Progress) -> Prepared:
    """Return the verified new files of all stores, before any old one is replaced.

    Raises
    ------
    ChangedSinceDryRun
        If the map, a store or the rows of the person differ from the plan.
    ScanIncomplete
        If a new file still holds a value of the person, or another row changed.
    PrivauditError
        If a store cannot be written anew.
    """
    # The list is made anew and compared, never trusted: its file may be old, or of another person.
    now, changes = list_changes(identifier, reader, inventory, progress)
    if now.inventory != plan.inventory:
        raise ChangedSinceDryRun("The inventory changed since the dry run.", hint="list the changes again")
    changed = [new.store for new in now.states if new not in plan.states]
    if changed:
        raise ChangedSinceDryRun(f"The store {changed[0]} changed since the dry run.", hint="list the changes again")
    if now.tables != plan.tables:
        raise ChangedSinceDryRun(
            "The rows of the person are not those of the dry run: another identifier, or a changed server.",
            hint="list the changes again",
        )
    prepared = Prepared(reader, now, changes, progress)
    prepared.make(lock=True)
    return prepared


def _values(reader: Reader, changes: Changes) -> frozenset[str]:
    """Return the values that identify the person in the rows and cells that are erased."""
    found: set[str] = set()
    for place, table, column in reader.inventory.columns():
        change = changes.tables.get(place[:2])
        if change is not None and (column.role == "direct" or column.name == table.subject):
            found |= reader.values(place, change.delete | set(change.cells.get(column.name, ())))
    return frozenset(found)


class Prepared:
    """New files next to the old ones; `discard` removes them, `moves` are what a journal needs."""

    def __init__(self, reader: Reader, plan: ErasePlan, changes: Changes, progress: Progress) -> None:
        self.reader, self.plan, self.changes, self.progress = reader, plan, changes, progress
        self.values = _values(reader, changes)
        self.moves: list[swap.Move] = []
        self.results: list[StoreResult] = []
        self.servers: list[tuple[Store, dict[str, Change]]] = []
        self._locks = ExitStack()

    def make(self, *, lock: bool) -> None:
        """Write and verify the new file of every store that changes; remove all of them after an error.

        Parameters
        ----------
        lock : bool
            Whether other programs are kept from writing to SQLite files until `release`.
        """
        with ExitStack() as if_it_fails:
            if_it_fails.callback(self.discard)
            self._sweep()  # a run that was killed may have left new files
            for store in self.reader.inventory.store:
                changes = self.changes.of_store(store)
                if changes and store.format == SERVER:
                    self.servers.append((store, changes))
                elif changes:
                    self.progress("Writing new files", None)
                    self._make(store, changes, lock)
            # Last, because a store may change while the other new files are written.
            self._check_unchanged()
            # Everything is verified: from here on, the new files are for `swap` to move or for the caller to discard.
            if_it_fails.pop_all()

    def _make(self, store: Store, changes: dict[str, Change], lock: bool) -> None:
        source = Path(stores.resolved(store.source, self.reader.folder))
        before = source.stat()
        if store.format not in _REWRITES or source.is_symlink():
            raise ConfigError(
                f"The store {store.name} cannot be written anew: its format, or a symbolic link.",
                hint="erase the rows by hand; privaudit subject find lists them",
            )
        if before.st_nlink > 1:
            raise ConfigError(
                f"The file of the store {store.name} has a second name (a hard link), which would keep the person.",
                hint="delete the other names, or copy the file to a new one and replace this name by it",
            )
        where, target = locate(str(source)), swap.new_path(source)
        if lock and where.format == "sqlite":
            self._locks.enter_context(_locked(source))
        with foreign_errors_as(lambda: _not_written(source)), _owner_alone():
            _REWRITES[where.format](where, changes, target, self.reader.settings)
        with suppress(PermissionError, AttributeError):  # not every system has owners
            os.chown(target, before.st_uid, before.st_gid)  # the programs that read the file go on doing so
        target.chmod(before.st_mode & 0o777)
        # Verified before the journal mode is set: a write-ahead log would hold pages next to the file that is
        # searched.
        searched = self._verify(store, changes, traces.location_of(target, where))
        if where.format == "sqlite":
            _keep_journal_mode(source, target)
        self.results.append(
            StoreResult(
                store=store.name,
                sha256=seals.sha256_of(target),
                n_searched=len(searched),
                n_compared=len(self.values - searched),
            )
        )
        # On disk before the journal names it: after a loss of power, a move must not lead to an empty file.
        swap.flush(target)
        self.moves.append(swap.Move(str(target.absolute()), str(source.absolute()), swap.sha256_of(target)))

    def _verify(self, store: Store, changes: dict[str, Change], new: Location) -> frozenset[str]:
        """Compare every cell with what it should be, then search what no table shows; return the values searched."""
        left = []
        for table in store.table:
            columns = [column.name for column in table.columns]
            if not columns:
                continue
            change = changes.get(table.name, Change())
            expected = _expected(self.reader.rows(store, table.name, columns), change)
            written = stores.read_rows(str(new.path), table.name, columns, self.reader.settings)
            # SQLite orders rows by their key, which may be a pseudonym now.
            if not _is_equal(written, expected, change, in_order=new.format != "sqlite"):
                raise ScanIncomplete(
                    f"The new file of {store.name} does not hold what it should; nothing was replaced.",
                    hint="the store has a form that cannot be written row by row: erase by hand",
                )
            left.append(expected)
        # A value that other people have too is bound to remain, and a search for it would refuse every erasure.
        wanted = traces.searchable(self.values, left)
        with foreign_errors_as(lambda: _not_written(new.path)):
            n_left = traces.remains(new, wanted)
        if n_left:
            raise ScanIncomplete(
                f"The new file of {store.name} still holds values of the person outside of the listed tables; nothing "
                "was replaced.",
                hint="look at tables, texts and metadata that the inventory does not name",
            )
        return wanted

    def _check_unchanged(self) -> None:
        """Refuse a store that changed while the new files were written."""
        for store, old in zip(self.reader.inventory.store, self.plan.states, strict=True):
            if self.changes.of_store(store) and _state(store, self.reader.folder) != old:
                raise ChangedSinceDryRun(f"The store {store.name} changed meanwhile; nothing was replaced.")

    def discard(self) -> None:
        """Remove the new files, and free the old ones."""
        self.release()
        self._sweep()

    def _sweep(self) -> None:
        for store in self.reader.inventory.store:
            source = stores.resolved(store.source, self.reader.folder)
            if not stores.is_server(source):
                with suppress(OSError):
                    swap.sweep([Path(source)])

    def release(self) -> None:
        """Free the old files."""
        self._locks.close()


@contextmanager
def _owner_alone() -> Iterator[None]:
    """Let nobody else read what is written: the folder may be open to people whom the old file is closed to."""
    mask = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(mask)


def _expected(rows: pa.Table, change: Change) -> pa.Table:
    """Return the text of a table as it should be after the change."""
    columns = {}
    for name in rows.column_names:
        values = rows[name].to_pylist()
        for row, replacement in change.cells.get(name, {}).items():
            values[row] = None if replacement is None else replacement.text
        columns[name] = pa.array(values, pa.string())
    keep = np.ones(rows.num_rows, dtype=bool)
    keep[sorted(change.delete)] = False
    return pa.table(columns).filter(pa.array(keep))


def _is_equal(written: pa.Table, expected: pa.Table, change: Change, *, in_order: bool) -> bool:
    """Whether every cell is the expected one; a pseudonym in a column of numbers is written as its number."""
    tokens = {one for cells in change.cells.values() for one in cells.values() if one is not None}
    names = {f"{token.number}{end}": token.text for token in tokens for end in ("", ".0")}
    one, other = _rows(written, expected.column_names, names), _rows(expected, expected.column_names, {})
    return one == other if in_order else Counter(one) == Counter(other)


def _rows(table: pa.Table, columns: Sequence[str], names: Mapping[str, str]) -> list[tuple[str | None, ...]]:
    """Return the rows of some columns; cells that are keys of `names` are replaced."""
    cells = ([None if cell is None else names.get(cell, cell) for cell in table[name].to_pylist()] for name in columns)
    return list(zip(*cells, strict=True))


def _not_written(path: Path) -> PrivauditError:
    return ConfigError(
        f"{shown_file(path)} cannot be written anew; nothing was replaced.",
        hint="check the space on the disk, the rights of the folder, and that no other program uses the file",
    )


def _locked(source: Path) -> Any:
    """Keep other programs from writing to a SQLite file until the returned stack is closed.

    Raises
    ------
    ConfigError
        If another program is writing.
    """
    connection = sqlite3.connect(source, isolation_level=None, timeout=2)
    try:
        # Takes the lock for writing at once: a reader may go on, and a writer must not add rows that the new file
        # lacks.
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.Error:
        connection.close()
        raise _not_written(source) from None
    return closing(connection)


def _keep_journal_mode(source: Path, target: Path) -> None:
    """Give the new file the journal mode of the old one: a write-ahead log is kept by the header of a file."""
    # From the header, because a file that is opened as immutable always answers "delete".
    with source.open("rb") as file:
        header = file.read(_WAL_AT + 1)
    if header[_WAL_AT] == _WAL:
        with closing(sqlite3.connect(target)) as new:
            new.execute("PRAGMA journal_mode = WAL")
