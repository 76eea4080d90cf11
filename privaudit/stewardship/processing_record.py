"""The data map as a record of processing activities (GDPR art. 30).

Question: what does a supervisory authority want to read?
Method: one row for each table with personal data: purpose, data subjects, categories of data, recipients, transfers,
periods, security (art. 30(1)(b) to (g)), with the controller above. Empty fields of the map read "to be stated"; the
table of a file without further tables has the name of the file.
Limits: a record states what the map states; it is not legal advice.
"""

from __future__ import annotations

from pathlib import Path

from privaudit.model import vocabulary
from privaudit.model.wording import Name, Number, fact
from privaudit.report import files
from privaudit.report.pages import page as pages
from privaudit.stewardship.data_map import Column, Inventory, Store, Table

HEAD = (
    "store", "table", "purpose", "owner", "data subjects", "categories of personal data", "special categories",
    "recipients", "transfers to third countries", "records", "time limit", "security",
)  # fmt: skip
TO_BE_STATED = "to be stated"
OTHER = "other personal data"


def rows_of(inventory: Inventory) -> list[tuple[str, ...]]:
    """Return the rows of the record, in the columns of `HEAD`."""
    return [_row(store, table) for store, table in inventory.tables() if table.is_personal]


def _row(store: Store, table: Table) -> tuple[str, ...]:
    stated = (store.purpose, store.owner, store.subjects, store.recipients, store.transfers, store.security)
    purpose, owner, subjects, recipients, transfers, security = (text or TO_BE_STATED for text in stated)
    personal = [column for column in table.columns if column.is_personal]
    categories = dict.fromkeys(name for column in personal for name in _categories(column))
    special = dict.fromkeys(name for column in personal if column.special for name in _categories(column))
    return (
        store.name, table.name or Path(store.source).name, purpose, owner, subjects, ", ".join(categories),
        ", ".join(special) or "none recognised", recipients, transfers, f"{table.rows:,}", _limit(table), security,
    )  # fmt: skip


def _categories(column: Column) -> tuple[str, ...]:
    """Return what a column holds, in words; a column without a recognised entity type holds other personal data."""
    known = [code for code in (column.entity, *column.contains) if vocabulary.is_known(code)]
    return tuple(vocabulary.entity_type(code).plural for code in known) or (OTHER,)


def _limit(table: Table) -> str:
    if not table.keep:
        return TO_BE_STATED
    then = f"; then archived for {table.archive or TO_BE_STATED}" if table.then == "archive" else ""
    return f"{table.keep} from {table.counted_from}{then}"


def page(inventory: Inventory) -> pages.Page:
    """Return the record for readers."""
    rows = rows_of(inventory)
    by = inventory.controller
    controller = [by.name, by.contact, by.data_protection_officer]
    names = ("controller", "contact", "data protection officer")
    return pages.Page(
        kicker="Record of processing activities (GDPR art. 30)",
        title=fact("inventory.record_title", name=Name(by.name)) if by.name else fact("inventory.record_unnamed"),
        lead=fact("inventory.record_lead", tables=Number(len(rows)), stores=Number(len(inventory.store))),
        sections=(
            pages.Section(
                key="controller",
                title="Controller",
                head=("", "stated"),
                rows=[(what, text or TO_BE_STATED) for what, text in zip(names, controller, strict=True)],
            ),
            pages.Section(key="record", title="Processing", head=HEAD, rows=rows),
        ),
        footer=fact("inventory.footer"),
    )


def write(inventory: Inventory, path: Path, source: Path) -> None:
    """Write the record: .csv, .html, .md or .json.

    Raises
    ------
    ConfigError
        If the file must not or cannot be written, or has another suffix.
    """
    if path.suffix.lower() == ".csv":
        files.check(path, [source], may_replace=lambda old: files.is_csv_of(old, HEAD))
        files.replace(path, pages.csv_text(HEAD, rows_of(inventory)))
        return
    rows = [dict(zip(HEAD, row, strict=True)) for row in rows_of(inventory)]
    pages.write(page(inventory), {"controller": inventory.controller, "processing": rows}, path, [source])
