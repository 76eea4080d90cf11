"""A page of sections with sentences and tables, in every format: for results that are not the report of a scan.

Question: how does a result of a joint audit, an inventory or a certificate reach its readers?
Method: a result states its sentences and rows once, as a `Page`; text, Markdown and HTML are written from it, each with
the escaping of its format. JSON has the record itself.
Limits: knows nothing of what is shown; the caller decides what may be.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from privaudit.base.delimited import delimited_writer
from privaudit.base.records import dataclass
from privaudit.model.wording import Fact
from privaudit.report import files
from privaudit.report.charts.draw import Chart
from privaudit.report.escape import visible
from privaudit.report.json import plain, text_of
from privaudit.report.sentences import View
from privaudit.report.templates import markdown_of

SUFFIXES = (".html", ".md", ".json")
MOST_ROWS = 200
"""Rows of a table in the text for a terminal; the other formats have all."""
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""How a formula begins, the last four in full width; spreadsheets may skip white space before it."""
_CONTROLS = ("\t", "\r", "\n")
"""How a cell begins of which some spreadsheets run what follows (OWASP, CSV injection)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading, sentences, pictures, a table, and sections of its own.

    Attributes
    ----------
    key : str
        Anchor of the heading; sections within a section need none.
    sentences : sequence of Fact or str
    head : sequence of str
        Names of the columns of the table; no table where empty.
    rows : sequence of sequence of str
    charts : sequence of Chart
        Pictures, in HTML only: their numbers are in a table of their own.
    caption : str
        How to read what follows, as a paragraph before it.
    points : sequence of View
        The rows of a risk-utility picture, which HTML shows in place of the table: the dots of the picture choose them.
    parts : sequence of Section
        In HTML and Markdown.
    is_folded : bool
        Whether HTML shows a part on demand.
    """

    title: str
    key: str = ""
    sentences: Sequence[Fact | str] = ()
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    charts: Sequence[Chart | None] = ()
    caption: str = ""
    parts: Sequence[Section] = ()
    is_folded: bool = False
    points: Sequence[View] = ()

    @property
    def is_written(self) -> bool:
        """Whether there is anything to state without pictures."""
        return bool(self.sentences or self.rows or any(part.is_written for part in self.parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A result for readers.

    Attributes
    ----------
    kicker : str
        What kind of result it is, or how confidential.
    title, lead, footer : Fact or str
        The lead is the result in one sentence; the footer states what the page contains and does not contain.
    """

    kicker: str
    title: Fact | str
    lead: Fact | str
    sections: Sequence[Section]
    footer: Fact | str


def text(page: Page) -> str:
    """Return a page for a terminal."""
    lines = [str(page.title), str(page.lead)]
    for section in page.sections:
        lines += ["", section.title, *([f"  {visible(section.caption)}"] if section.caption else [])]
        lines += [f"  - {visible(str(sentence))}" for sentence in section.sentences]
        if section.rows:
            lines += [f"  {line}" for line in _columns([section.head, *section.rows[:MOST_ROWS]])]
        if len(section.rows) > MOST_ROWS:
            lines.append(f"  … {len(section.rows) - MOST_ROWS:,} more")
    return "\n".join(lines)


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows with their cells in columns."""
    cells = [[visible(cell) for cell in row] for row in rows]
    wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(cell.ljust(n) for cell, n in zip(row, wide, strict=True)).rstrip() for row in cells]


def html(page: Page) -> str:
    """Return a page as HTML: one file that loads nothing."""
    from privaudit.report.html import page_of

    return page_of("page.html.j2", {"page": page})


def forms(page: Page, as_json: Callable[[], str]) -> files.Forms:
    """Return how a result is written: its page, or its JSON."""
    return {".html": lambda: html(page), ".md": lambda: markdown_of(page), ".json": as_json}


def forms_of(page: Page, record: Any) -> files.Forms:
    """Return how a result is written: its page, or as JSON its record."""
    return forms(page, lambda: _as_json(page, record))


def _as_json(page: Page, record: Any) -> str:
    made = plain(record)
    # The schema also marks the file as one that privaudit may replace.
    return text_of({"schema": f"privaudit: {page.kicker}", **(made if isinstance(made, dict) else {"rows": made})})


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV; a cell that a spreadsheet would run as a formula begins with an apostrophe."""
    out = io.StringIO()
    writer = delimited_writer(out)
    for row in (head, *rows):
        writer.writerow([f"'{cell}" if isinstance(cell, str) and _may_run(cell) else cell for cell in row])
    return out.getvalue()


def _may_run(cell: str) -> bool:
    """Whether a spreadsheet may run a cell."""
    return cell.startswith(_CONTROLS) or cell.lstrip().startswith(_FORMULA)


def write(page: Page, record: Any, path: Path, inputs: Sequence[Path] = ()) -> None:
    """Write a result in the format that the suffix of `path` selects.

    Raises
    ------
    ConfigError
        For another suffix than `SUFFIXES`, or a file that must not or cannot be written.
    """
    files.write_form(path, forms_of(page, record), inputs)
