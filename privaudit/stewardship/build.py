"""Build the data map, or renew it without losing what people decided.

Question: what do the stores hold now, put next to what the map stated before?
Method: measured fields come from the scan, decided ones from the old map, by store, table and column. A reference that
a person added stays as long as its columns exist.
Limits: a store, table or column that was renamed is a new one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from privaudit.base.errors import ConfigError, UnreadableSource
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.files.several import candidates
from privaudit.source.places.addresses import address_of
from privaudit.source.places.location import locate, shown_source
from privaudit.stewardship import stores
from privaudit.stewardship.data_map import Column, Format, Inventory, Reference, Store, Table
from privaudit.stewardship.look import StoreLook, look_at, references
from privaudit.stewardship.subjects import propose


def build(
    sources: Sequence[str], folder: Path, old: Inventory | None, settings: Settings, progress: Progress = silent
) -> Inventory:
    """Return the data map of `sources`.

    Parameters
    ----------
    sources : sequence of str
        Files, folders, patterns and addresses, besides those of the old map.
    folder : Path
        The folder of the map, to which paths are relative.
    old : Inventory, optional
        The map so far; its stores are looked at again, because new tables may refer to theirs.

    Raises
    ------
    ConfigError
        If there is no store.
    PrivauditError
        If a store cannot be read.
    """
    known = {} if old is None else {store.source: store for store in old.store}
    named = list(dict.fromkeys([*known, *_named(sources, folder)]))
    if not named:
        raise ConfigError("The inventory has no store.", hint="name files, folders or addresses")
    looks: list[StoreLook] = []
    found: list[Store] = []
    taken = {store.name for store in known.values()}
    for i, source in enumerate(named):
        progress("Looking at stores", i / len(named))
        before = known.get(source)
        if before is not None and not stores.is_there(before, folder):
            found.append(before)  # a check reports it
            continue
        name = before.name if before is not None else _new_name(source, taken)
        taken.add(name)
        opened = stores.resolved(source, folder)
        looks.append(look_at(name, opened, settings, progress))
        found.append(_store(name, source, stores.format_of(opened), looks[-1], before))
    made = Inventory(store=tuple(found))
    if old is not None:
        made = replace(made, controller=old.controller, unreachable=old.unreachable)
    made = replace(made, reference=_references(made, looks, old))
    return propose(made, old, folder, settings)


def _named(sources: Sequence[str], folder: Path) -> list[str]:
    """Return the stores that sources stand for: each file of a folder is one; paths are relative to `folder`."""
    found: list[str] = []
    for source in sources:
        if address_of(source) is not None:
            found.append(source)
            continue
        for candidate in candidates([source]):
            if not candidate.is_read:
                raise UnreadableSource(
                    f"{shown_source(candidate.source)[0]} may hold data and is not read.",
                    hint="delete it if it is a copy, or name the stores one by one, or by a pattern such as data/*.csv",
                )
            files = map(Path, candidate.parts) if candidate.parts else [_file(candidate.source)]
            found += [os.path.relpath(file, folder) for file in files]
    return list(dict.fromkeys(found))


def _file(source: str) -> Path:
    """Return the file that a source names: a store is a whole file, because an erasure replaces the whole file."""
    where = locate(source)
    if where.part is not None:
        raise ConfigError(
            f"A store is a whole database or workbook, and a table of {where.shown} is named.",
            hint="name the file without # and what follows: the map lists all its tables",
        )
    return where.path


def _new_name(source: str, taken: set[str]) -> str:
    address = address_of(source)
    stem = Path(source).name.partition(".")[0] if address is None else address.format
    name = base = re.sub(r"[^\w-]+", "-", stem).strip("-") or "store"
    number = 2
    while name in taken:
        name, number = f"{base}-{number}", number + 1
    return name


def _store(name: str, source: str, format_: Format, look: StoreLook, before: Store | None) -> Store:
    tables = tuple(_table(table, before) for table in look.tables)
    made = Store(name=name, source=source, format=format_, table=tables)
    if before is None:
        return made
    return replace(before, format=format_, table=tables)


def _table(now: Table, store: Store | None) -> Table:
    before = None if store is None else next((t for t in store.table if t.name == now.name), None)
    if before is None:
        return now
    columns = now.columns or before.columns  # a table without rows keeps what is known of it
    return replace(before, rows=now.rows, unit=now.unit, columns=tuple(_column(c, before) for c in columns))


def _column(now: Column, table: Table) -> Column:
    before = table.column(now.name)
    return now if before is None else replace(now, identifies=before.identifies)


def _references(made: Inventory, looks: Sequence[StoreLook], old: Inventory | None) -> tuple[Reference, ...]:
    places = {str(place) for place in made.places()}
    found = [*(() if old is None else old.reference), *references(looks)]
    return tuple(dict.fromkeys(each for each in found if each.column in places and each.to in places))
