"""Which column names the person of a row, also where a table refers to several tables of people?

Question: an order names a customer and an employee; whose row is it?
Method: the row of a table of people is the record of the person that its key names. Elsewhere, the person is the one on
whom the personal data of the row depend: a key determines a column where most of its values go with one value of the
column each. An address of delivery depends on the customer, and on no employee.
Limits: where no key determines more columns than the others, nothing is proposed, and a person decides. Rows of objects
belong to nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from privaudit.stewardship import stores
from privaudit.stewardship.data_map import Inventory, Store, Table

THINGS = ("object", "aggregate")
"""What a row is that belongs to nobody, even where it refers to a person: an album, a count."""
LEAST_DETERMINED = 0.9
"""Keys that a column needs for each of its pairs with a key, so that the key determines it."""


def has_people(table: Table) -> bool:
    """Whether a row is a person, or may be one: it has values that identify, such as those of a contact."""
    if table.unit == "person":
        return True
    return table.unit not in (*THINGS, "event") and any(column.identifies for column in table.columns)


def propose(made: Inventory, old: Inventory | None, folder: Path, settings: Settings) -> Inventory:
    """Return a map with the subjects of the tables that the old map did not have; those of the others stay.

    Raises
    ------
    PrivauditError
        If a table cannot be read again.
    """
    known = set() if old is None else {(store.name, table.name) for store, table in old.tables()}

    def proposed(store: Store, table: Table) -> Table:
        if (store.name, table.name) in known:
            return table
        named = candidates(made, store, table)
        if len(named) > 1:
            named = _determining(store, table, named, folder, settings)
        return replace(table, subject=named[0]) if len(named) == 1 else table

    return replace(made, store=tuple(replace(s, table=tuple(proposed(s, t) for t in s.table)) for s in made.store))


def candidates(inventory: Inventory, store: Store, table: Table) -> tuple[str, ...]:
    """Return the columns that may name the person of a row: the key of a table of people, or references to one."""
    if table.unit in THINGS:
        return ()
    to_people = [(column, to) for column, to in inventory.links() if has_people(inventory.find(to)[1])]
    here = store.name, table.name
    keys = Counter(to.column for _, to in to_people if to[:2] == here)
    if keys:
        # All keys of a table of people name the same person: a number, and an e-mail address.
        return (max(keys, key=lambda name: (keys[name], _is_person_id(table, name), name)),)
    return tuple(sorted({column.column for column, _ in to_people if column[:2] == here}))


def _is_person_id(table: Table, name: str) -> bool:
    return any(column.name == name and column.entity == "PERSON_ID" for column in table.columns)


def undecided(inventory: Inventory) -> tuple[tuple[Store, Table, tuple[str, ...]], ...]:
    """Return the tables without a subject that refer to people by several columns, and these columns."""
    found = ((s, t, candidates(inventory, s, t)) for s, t in inventory.tables() if not t.subject)
    return tuple(each for each in found if len(each[2]) > 1)


def _determining(store: Store, table: Table, named: Sequence[str], folder: Path, settings: Settings) -> tuple[str, ...]:
    """Return the key that determines more personal columns than any other; nothing where no key determines any."""
    personal = [column.name for column in table.columns if column.is_personal and column.name not in named]
    source = stores.table_source(stores.resolved(store.source, folder), table.name)
    with open_dataset(source, settings) as dataset:
        counts = {
            key: sum(
                len(dataset.frequencies(key).values) >= LEAST_DETERMINED * len(dataset.distinct_rows([key, column]))
                for column in personal
            )
            for key in named
        }
    most = max(counts.values())
    found = tuple(key for key in named if counts[key] == most)
    return found if most else ()
