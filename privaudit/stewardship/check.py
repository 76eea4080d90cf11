"""Compare the data map with the stores now.

Question: does the map still describe what is held, and is anything held too long?
Method: every store is looked at again. New columns with personal data, vanished stores and tables, columns with another
entity type, records that are overdue, and fields that people left empty are problems; what cannot be judged makes the
check incomplete. A legal hold is listed, and its overdue records are not a problem. A record is due on the day of its
date plus the period, in calendar months and years; it is overdue after that day. With ``then = "archive"`` it is due
for the archive after `keep`, and for erasure after `keep` and `archive`.
Limits: stores that nobody named are not seen. A record without a readable date cannot be judged: it is counted and
makes the check incomplete.
"""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import numpy as np

from privaudit.base.errors import ConfigError, PrivauditError
from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model import vocabulary
from privaudit.model.wording import Columns, Count, EntityType, Fact, Listing, Name, Number, Term, Value, fact
from privaudit.report.pages import page as pages
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.profile.dates import parse_dates
from privaudit.stewardship import stores
from privaudit.stewardship.data_map import Inventory, Store, Table
from privaudit.stewardship.look import look_at

_DECIDED = ("owner", "purpose")


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
        fact("inventory.open", what=Term(code=f"inventory.{line.what}"), since=Name(text=line.open_since))
        for line in inventory.unreachable
        if line.is_open
    )
    parts.append(InventoryCheck(incomplete=open_lines))
    names = [field.name for field in fields(InventoryCheck)]
    return InventoryCheck(**{name: tuple(one for part in parts for one in getattr(part, name)) for name in names})


def _store(store: Store, folder: Path, today: datetime.date, settings: Settings) -> InventoryCheck:
    named = Name(text=store.name)
    if not stores.is_there(store, folder):
        return InventoryCheck(problems=(fact("inventory.store_vanished", store=named),))
    try:
        now = look_at(store.name, stores.resolved(store.source, folder), settings)
    except PrivauditError as error:
        reason = Name(text=error.message)
        return InventoryCheck(incomplete=(fact("inventory.unreadable", store=named, reason=reason),))
    problems = [*_empty(store), *_changes(store, {table.name: table for table in now.tables})]
    incomplete: list[Fact] = []
    notes: list[Fact] = []
    retention: list[Retention] = []
    there = {table.name for table in now.tables}
    for table in store.table:
        if table.legal_hold:
            notes.append(fact("inventory.hold", table=_named(store, table), reason=Name(text=table.legal_hold)))
        found = assess(store, table, folder, today, settings) if table.name in there else None
        if found is None:
            continue
        retention.append(found)
        if not table.legal_hold:
            problems += _overdue(store, table, found)
        if found.n_without_date:
            n = Count(n=found.n_without_date, of=found.n_rows)
            incomplete.append(fact("inventory.no_date", table=_named(store, table), n=n))
    return InventoryCheck(
        problems=tuple(problems), incomplete=tuple(incomplete), notes=tuple(notes), retention=tuple(retention)
    )


def _named(store: Store, table: Table) -> Name:
    return Name(text=f"{store.name}/{table.name}" if table.name else store.name)


def _empty(store: Store) -> Iterator[Fact]:
    """Yield the fields that people have not filled in, of a store with personal data."""
    if not any(table.is_personal for table in store.table):
        return
    missing = [name for name in _DECIDED if not getattr(store, name)]
    if missing:
        items = tuple(Name(text=name) for name in missing)
        yield fact("inventory.not_filled", store=Name(text=store.name), fields=Listing(items=items))
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
        old, named = before.column(column.name), Columns(names=(column.name,))
        if old is None and column.is_personal:
            role = Term(code=f"inventory.role_{column.role}")
            what: Value = EntityType(code=column.entity) if column.entity else role
            yield fact("inventory.new_column", table=where, column=named, what=what)
        elif old is not None and column.is_personal and (old.entity, old.role) != (column.entity, column.role):
            yield fact("inventory.changed_column", table=where, column=named)
    vanished = [column.name for column in before.columns if now.column(column.name) is None]
    if vanished:
        yield fact("inventory.column_vanished", table=where, columns=Columns(names=tuple(vanished)))


def _types(table: Table) -> Listing:
    codes = dict.fromkeys(c.entity for c in table.columns if c.is_personal and vocabulary.is_known(c.entity))
    return Listing(items=tuple(EntityType(code=code) for code in codes))


def _overdue(store: Store, table: Table, found: Retention) -> Iterator[Fact]:
    for n, what in ((found.n_to_archive, "archive"), (found.n_to_erase, "erase")):
        if n:
            yield fact(
                f"inventory.overdue_{what}",
                table=_named(store, table),
                n=Count(n=n, of=found.n_rows),
                column=Columns(names=(table.counted_from,)),
                days=Number(value=found.oldest_days or 0),
            )


def page(found: InventoryCheck, name: str) -> pages.Page:
    """Return the comparison for readers."""
    open_ = ("incomplete_problems" if found.problems else "incomplete") if found.incomplete else ""
    state = open_ or ("problems" if found.problems else "agrees")
    sections = [
        pages.Section(key=key, title=title, sentences=facts)
        for key, title, facts in (
            ("problems", "Problems", found.problems),
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
    n = Number(value=len(found.problems))
    return pages.Page(
        kicker="Inventory check",
        title=fact("inventory.check_title", file=Name(text=name)),
        lead=fact(f"inventory.check_{state}", n=n, open=Number(value=len(found.incomplete))),
        sections=tuple(sections),
        footer=fact("inventory.footer"),
    )


_PERIOD = re.compile(r"\s*(\d{1,4})\s*(day|week|month|year)s?\s*")
_EPOCH = datetime.date(1970, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention(Wire):
    """The records of a table by the day on which they are due.

    Attributes
    ----------
    n_to_archive, n_to_erase : int
        Overdue records.
    oldest_days : int or None
        Days since the oldest date.
    n_without_date : int
        Records that cannot be judged.
    """

    store: str
    table: str
    n_rows: int
    n_to_archive: int
    n_to_erase: int
    oldest_days: int | None
    n_without_date: int


def parse_period(text: str) -> tuple[int, int]:
    """Return the months and days of a period such as "10 months".

    Raises
    ------
    ConfigError
        For a text that is not a period.
    """
    found = _PERIOD.fullmatch(text)
    if found is None:
        raise ConfigError(
            "A period of the inventory cannot be read.", hint='write a number and a unit: "10 months", "5 years"'
        )
    n, unit = int(found[1]), found[2]
    return {"day": (0, n), "week": (0, 7 * n), "month": (n, 0), "year": (12 * n, 0)}[unit]


def days_before(today: datetime.date, *periods: str) -> datetime.date:
    """Return the day that lies all `periods` before `today`; the last day of a month that is too short."""
    for months, days in map(parse_period, periods):
        total = today.year * 12 + today.month - 1 - months
        if total < 12:
            return datetime.date.min
        year, month = divmod(total, 12)
        day = min(today.day, calendar.monthrange(year, month + 1)[1])
        today = datetime.date(year, month + 1, day) - datetime.timedelta(days=days)
    return today


def assess(store: Store, table: Table, folder: Path, today: datetime.date, settings: Settings) -> Retention | None:
    """Return the overdue records of a table; None where the map states no period.

    Raises
    ------
    ConfigError
        If the period cannot be read, or the map does not state from which date it is counted.
    PrivauditError
        If the table cannot be read.
    """
    if not table.keep:
        return None
    if not table.counted_from or not table.then:
        raise ConfigError(
            "A table of the inventory has keep without counted_from or then.",
            hint='name a column with a date, and then = "erase" or "archive"',
        )
    source = stores.resolved(store.source, folder)
    rows = stores.read_rows(source, table.name, [table.counted_from], settings)
    days, _, _ = parse_dates(rows[table.counted_from].combine_chunks())
    known = days[~np.isnan(days)]
    due = _before(known, days_before(today, table.keep))
    is_archived = table.then == "archive"
    gone = _before(known, days_before(today, table.keep, table.archive)) if is_archived and table.archive else 0
    return Retention(
        store=store.name,
        table=table.name,
        n_rows=rows.num_rows,
        n_to_archive=due - gone if is_archived else 0,
        n_to_erase=gone if is_archived else due,
        oldest_days=(today - _EPOCH).days - int(known.min()) if len(known) else None,
        n_without_date=len(days) - len(known),
    )


def _before(days: np.ndarray[tuple[int], np.dtype[np.float64]], cutoff: datetime.date) -> int:
    return int((np.floor(days) < (cutoff - _EPOCH).days).sum())
