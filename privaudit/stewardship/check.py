"""Compare the data map with the stores now.

Question: does the map still describe what is held, and is anything held too long?
Method: every store is looked at again. New columns with personal data, vanished stores and tables, columns with another
entity type, records that are overdue, and fields that people left empty are problems; what cannot be judged makes the
check incomplete. A legal hold is listed, and its overdue records are not a problem.
Limits: stores that nobody named are not seen.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from privaudit.base.errors import PrivauditError
from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model import vocabulary
from privaudit.model.wording import Columns, Count, EntityType, Fact, Listing, Name, Number, Term, Value, fact
from privaudit.report.pages import page as pages
from privaudit.settings.config import Progress, Settings, silent
from privaudit.stewardship import stores
from privaudit.stewardship.data_map import Inventory, Store, Table
from privaudit.stewardship.look import look_at
from privaudit.stewardship.retention import Retention, assess

_DECIDED = ("owner", "purpose")
_TO_DO = {
    "inventory.do_renew": {"table_vanished", "column_vanished", "new_table", "new_column", "changed_column"},
    "inventory.do_decide": {"not_filled", "no_period"},
    "inventory.do_retain": {"overdue_archive", "overdue_erase"},
}
"""What to do about problems; a vanished store states it itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryCheck(Wire):
    """What the comparison found.

    Attributes
    ----------
    problems : tuple of Fact
        What fails the gate.
    incomplete : tuple of Fact
        What could not be judged.
    notes : tuple of Fact
        What is stated only, such as legal holds.
    retention : tuple of Retention
    """

    problems: tuple[Fact, ...] = ()
    incomplete: tuple[Fact, ...] = ()
    notes: tuple[Fact, ...] = ()
    retention: tuple[Retention, ...] = ()

    @property
    def exit_code(self) -> int:
        """3 where something could not be judged, 1 where there is a problem, else 0."""
        return 3 if self.incomplete else int(bool(self.problems))


def check(
    inventory: Inventory, folder: Path, today: datetime.date, settings: Settings, progress: Progress = silent
) -> InventoryCheck:
    """Compare a data map with its stores.

    Raises
    ------
    ConfigError
        If a period of the map cannot be read.
    """
    parts = []
    for i, store in enumerate(inventory.store):
        progress("Comparing stores", i / len(inventory.store))
        parts.append(_store(store, folder, today, settings))
    open_lines = tuple(
        fact("inventory.open", what=Term(f"inventory.{line.what}"), since=Name(line.open_since))
        for line in inventory.unreachable
        if line.is_open
    )
    parts.append(InventoryCheck(incomplete=open_lines))
    names = [field.name for field in fields(InventoryCheck)]
    return InventoryCheck(**{name: tuple(one for part in parts for one in getattr(part, name)) for name in names})


def _store(store: Store, folder: Path, today: datetime.date, settings: Settings) -> InventoryCheck:
    named = Name(store.name)
    if not stores.is_there(store, folder):
        return InventoryCheck(problems=(fact("inventory.store_vanished", store=named),))
    try:
        now = look_at(store.name, stores.resolved(store.source, folder), settings)
    except PrivauditError as error:
        reason = Name(error.message)
        return InventoryCheck(incomplete=(fact("inventory.unreadable", store=named, reason=reason),))
    problems = [*_empty(store), *_changes(store, {table.name: table for table in now.tables})]
    incomplete: list[Fact] = []
    notes: list[Fact] = []
    retention: list[Retention] = []
    there = {table.name for table in now.tables}
    for table in store.table:
        if table.legal_hold:
            notes.append(fact("inventory.hold", table=_named(store, table), reason=Name(table.legal_hold)))
        found = assess(store, table, folder, today, settings) if table.name in there else None
        if found is None:
            continue
        retention.append(found)
        if not table.legal_hold:
            problems += _overdue(store, table, found)
        if found.n_without_date:
            n = Count(found.n_without_date, of=found.n_rows)
            incomplete.append(fact("inventory.no_date", table=_named(store, table), n=n))
    return InventoryCheck(
        problems=tuple(problems), incomplete=tuple(incomplete), notes=tuple(notes), retention=tuple(retention)
    )


def _named(store: Store, table: Table) -> Name:
    return Name(f"{store.name}/{table.name}" if table.name else store.name)


def _empty(store: Store) -> Iterator[Fact]:
    """Yield the fields that people have not filled in, of a store with personal data."""
    if not any(table.is_personal for table in store.table):
        return
    missing = [name for name in _DECIDED if not getattr(store, name)]
    if missing:
        items = tuple(Name(name) for name in missing)
        yield fact("inventory.not_filled", store=Name(store.name), fields=Listing(items))
    for table in store.table:
        if table.is_personal and not table.keep:
            yield fact("inventory.no_period", table=_named(store, table))


def _changes(store: Store, now: dict[str, Table]) -> Iterator[Fact]:
    known = {table.name: table for table in store.table}
    for name, table in known.items():
        if name not in now:
            yield fact("inventory.table_vanished", table=_named(store, table))
        elif now[name].columns:
            yield from _columns(store, table, now[name])
    for name, table in now.items():
        if name not in known and table.is_personal:
            yield fact("inventory.new_table", table=_named(store, table), types=_types(table))


def _columns(store: Store, before: Table, now: Table) -> Iterator[Fact]:
    where = _named(store, before)
    for column in now.columns:
        old, named = before.column(column.name), Columns((column.name,))
        if old is None and column.is_personal:
            role = Term(f"inventory.role_{column.role}")
            what: Value = EntityType(column.entity) if column.entity else role
            yield fact("inventory.new_column", table=where, column=named, what=what)
        elif old is not None and column.is_personal and (old.entity, old.role) != (column.entity, column.role):
            yield fact("inventory.changed_column", table=where, column=named)
    vanished = [column.name for column in before.columns if now.column(column.name) is None]
    if vanished:
        yield fact("inventory.column_vanished", table=where, columns=Columns(tuple(vanished)))


def _types(table: Table) -> Listing:
    codes = dict.fromkeys(c.entity for c in table.columns if c.is_personal and vocabulary.is_known(c.entity))
    return Listing(tuple(EntityType(code) for code in codes))


def _overdue(store: Store, table: Table, found: Retention) -> Iterator[Fact]:
    for n, what in ((found.n_to_archive, "archive"), (found.n_to_erase, "erase")):
        if n:
            yield fact(
                f"inventory.overdue_{what}",
                table=_named(store, table),
                n=Count(n, of=found.n_rows),
                column=Columns((table.counted_from,)),
                days=Number(found.oldest_days or 0),
            )


def _steps(found: InventoryCheck, name: str) -> list[Fact]:
    codes = {problem.code.partition(".")[2] for problem in found.problems}
    return [fact(step, file=Name(name)) for step, resolved in _TO_DO.items() if codes & resolved]


def page(found: InventoryCheck, name: str) -> pages.Page:
    """Return the comparison for readers."""
    open_ = ("incomplete_problems" if found.problems else "incomplete") if found.incomplete else ""
    state = open_ or ("problems" if found.problems else "agrees")
    sections = [
        pages.Section(key=key, title=title, sentences=facts)
        for key, title, facts in (
            ("problems", "Problems", found.problems),
            ("steps", "What to do", _steps(found, name)),
            ("incomplete", "Not assessed", found.incomplete),
            ("notes", "Legal holds", found.notes),
        )
        if facts
    ]
    rows = [
        (f"{r.store}/{r.table}".rstrip("/"), f"{r.n_rows:,}", f"{r.n_to_archive:,}", f"{r.n_to_erase:,}",
         "–" if r.oldest_days is None else f"{r.oldest_days:,}", f"{r.n_without_date:,}")
        for r in found.retention
    ]  # fmt: skip
    head = ("table", "records", "overdue for the archive", "overdue for erasure", "oldest, days", "no readable date")
    if rows:
        sections.append(pages.Section(key="retention", title="Retention", head=head, rows=rows))
    n = Number(len(found.problems))
    return pages.Page(
        kicker="Inventory check",
        title=fact("inventory.check_title", file=Name(name)),
        lead=fact(f"inventory.check_{state}", n=n, open=Number(len(found.incomplete))),
        sections=tuple(sections),
        footer=fact("inventory.footer"),
    )
