"""Write the rows of a person for that person (GDPR art. 15 and 20), or count them.

Question: what does the controller hold about me?
Method: every row of the person with its column names, store by store, with purpose and period, as JSON or as a CSV of
store, table, record, field and value. Columns that name another person are withheld from rows of several people. Rows
of other people that mention the person, and texts, are counted. The list of `find` has one line for each table with
rows, mentions and texts; no value and no row number.
Limits: this is the one output of privaudit whose purpose is values. The file has mode 0600. The counts of one person
are personal data as well: handle the output accordingly.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from privaudit.base import clock
from privaudit.base.errors import ConfigError
from privaudit.model.headers import shown_file
from privaudit.model.wording import Count, Number, fact
from privaudit.model.wording.render import FULL
from privaudit.report import files
from privaudit.report.pages import page as pages
from privaudit.report.pages.page import csv_text
from privaudit.report.sentences import sentence
from privaudit.stewardship.data_map import Inventory, Place, Store, Table
from privaudit.stewardship.person import Person, Reader, TableRows

SUFFIXES = (".json", ".csv")
CSV_HEAD = ("store", "table", "record", "field", "value")


def export_text(person: Person, reader: Reader, path: Path) -> str:
    """Return the rows of a person in the format of the suffix of `path`.

    Raises
    ------
    ConfigError
        For another suffix than `SUFFIXES`.
    """
    content = _content(person, reader)
    suffix = path.suffix.lower()
    if suffix == ".json":
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    if suffix == ".csv":
        return _csv(content)
    raise ConfigError(f"{shown_file(path)}: unknown suffix.", hint=f"use one of: {', '.join(SUFFIXES)}")


def is_export(path: Path) -> bool:
    """Whether a file is an export that was written before, or is empty."""
    return files.is_csv_of(path, CSV_HEAD) or files.has_mark(path)


def _content(person: Person, reader: Reader) -> dict[str, Any]:
    controller = reader.inventory.controller
    return {
        "written_by": "privaudit",
        "written_at": clock.stamp(),
        "controller": {"name": controller.name, "contact": controller.contact},
        "tables": [
            _table(store, table, person.tables[store.name, table.name], person, reader)
            for store, table in reader.inventory.tables()
            if (store.name, table.name) in person.tables
        ],
    }


def unstated(person: Person, inventory: Inventory) -> list[str]:
    """Return the keys of the map without a value that an answer must state (GDPR art. 15(1))."""
    tables = [(store, table) for store, table in inventory.tables() if (store.name, table.name) in person.tables]
    required = {
        "controller": [inventory.controller.name],
        "purpose": [store.purpose for store, _ in tables],
        "recipients": [store.recipients for store, _ in tables],
        "keep": [table.keep for _, table in tables],
    }
    return [key for key, stated in required.items() if not all(stated)]


def _table(store: Store, table: Table, found: TableRows, person: Person, reader: Reader) -> dict[str, Any]:
    columns = [column.name for column in table.columns]
    of_others = {
        column.column
        for column, to in reader.inventory.links()
        if column[:2] == (store.name, table.name) and to in person.keys and column.column != table.subject
    }
    cells = {name: reader.column(Place(store.name, table.name, name)) for name in columns}
    records = []
    for i in sorted(found.rows):
        hidden = of_others if i in found.several else set()
        records.append({name: cells[name][i] for name in columns if name not in hidden})
    return {
        "store": store.name,
        "table": table.name,
        "purpose": store.purpose,
        "recipients": store.recipients,
        "kept_for": f"{table.keep} from {table.counted_from}" if table.keep else "",
        "records": records,
        "rows_of_other_people_that_refer_to_you": len(set().union(*found.mentions.values())),
        "texts_of_other_rows_that_mention_you": len(set().union(*found.texts.values())),
    }


def _csv(content: dict[str, Any]) -> str:
    rows = (
        (table["store"], table["table"], number, name, value)
        for table in content["tables"]
        for number, record in enumerate(table["records"], start=1)
        for name, value in record.items()
    )
    return csv_text(CSV_HEAD, rows)


def _lines(person: Person) -> Iterator[tuple[str, str, int, int, int, int]]:
    for (store, table), found in sorted(person.tables.items()):
        mentions = len(set().union(*found.mentions.values()))
        texts = len(set().union(*found.texts.values()))
        yield store, table, len(found.rows), len(found.several), mentions, texts


def record(person: Person) -> list[dict[str, Any]]:
    """Return the counts by table, as JSON holds them."""
    names = ("store", "table", "rows", "rows_that_name_several_people", "mentions", "texts")
    return [dict(zip(names, line, strict=True)) for line in _lines(person)]


def page(person: Person, inventory: Inventory) -> pages.Page:
    """Return the counts for readers."""
    lines = list(_lines(person))
    totals = [sum(column) for column in zip(*(line[2:] for line in lines), strict=True)] or [0] * 4
    rows = [(f"{store}/{table}".rstrip("/"), *(f"{n:,}" for n in numbers)) for store, table, *numbers in lines]
    head = ("table", "rows", "of these, rows that name other people", "rows of others that refer to the person",
            "other rows with an identifier of the person")  # fmt: skip
    stores, listed = Number(len(inventory.store)), Number(len(list(inventory.tables())))
    searched = pages.Section(
        key="searched", title="Searched", sentences=[sentence(FULL, "subject.searched", tables=listed, stores=stores)]
    )
    n_rows, _, mentions, texts = (Count(n, unit="row") for n in totals)
    lead = fact("subject.lead_find", tables=Number(len(lines)), rows=n_rows, mentions=mentions, texts=texts)
    return pages.Page(
        kicker="One person",
        title=fact("subject.title_find"),
        lead=lead if lines else fact("subject.lead_none", stores=stores),
        sections=[*([pages.Section(key="tables", title="Tables", head=head, rows=rows)] if rows else []), searched],
        footer=fact("subject.footer"),
    )
