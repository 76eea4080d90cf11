"""What was found of a person, in counts.

Question: where does the person have how many rows?
Method: one line for each table with rows, mentions and texts; no value and no row number.
Limits: the counts of one person are personal data as well: handle the output accordingly.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from privaudit.model.wording import Count, Number, fact
from privaudit.model.wording.render import FULL
from privaudit.report.pages import page as pages
from privaudit.report.sentences import sentence
from privaudit.stewardship.data_map import Inventory
from privaudit.stewardship.person import Person


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
            "rows of others whose text mentions the person")  # fmt: skip
    stores, listed = Number(value=len(inventory.store)), Number(value=len(list(inventory.tables())))
    searched = pages.Section(
        key="searched", title="Searched", sentences=[sentence(FULL, "subject.searched", tables=listed, stores=stores)]
    )
    n_rows, _, mentions, texts = (Count(n=n, unit="row") for n in totals)
    lead = fact("subject.lead_find", tables=Number(value=len(lines)), rows=n_rows, mentions=mentions, texts=texts)
    return pages.Page(
        kicker="One person",
        title=fact("subject.title_find"),
        lead=lead if lines else fact("subject.lead_none", stores=stores),
        sections=[*([pages.Section(key="tables", title="Tables", head=head, rows=rows)] if rows else []), searched],
        footer=fact("subject.footer"),
    )
