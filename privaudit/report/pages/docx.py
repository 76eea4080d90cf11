"""A page of sections as a Word document.

Question: how does a page reach people who edit and sign it in a word processor?
Method: headings, paragraphs and tables of python-docx; the footer has the number of the page.
Limits: the date of the file is that of its writing, so that two files with the same content differ.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from privaudit.base.extras import DOCX, needing
from privaudit.report.escape import visible
from privaudit.report.pages.page import Page, Section

_WIDTH = 17.0
"""Width of a table, in cm."""
_LEAST, _MOST = 11, 45
"""Characters of the narrowest and the widest column that its width is computed from."""
_ROW = 0.7
"""Least height of a row, in cm: a signature needs it."""
_MARGIN = 2.0


def render(page: Page) -> bytes:
    """Return a page as the content of a .docx file.

    Raises
    ------
    UnsupportedFormat
        Where python-docx is not installed.
    """
    with needing(DOCX, "Writing .docx"):
        from docx import Document
    made = Document()
    _set_margins(made)
    made.core_properties.author = "privaudit"
    made.core_properties.title = visible(page.kicker)
    made.add_paragraph(visible(page.kicker))
    made.add_heading(visible(str(page.title)), level=0)
    made.add_paragraph(visible(str(page.lead)))
    for section in page.sections:
        _add(made, section)
    made.add_paragraph(visible(str(page.footer)))
    _number_pages(made)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def _add(made: Any, section: Section) -> None:
    made.add_heading(visible(section.title), level=1)
    for sentence in section.sentences:
        made.add_paragraph(visible(str(sentence)), style="List Bullet")
    if not section.rows:
        return
    table = made.add_table(rows=0, cols=len(section.head), style="Table Grid")
    for row in (section.head, *section.rows):
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = visible(text)
    for cell in table.rows[0].cells:
        cell.paragraphs[0].runs[0].bold = True
    _lay_out(table, _widths([section.head, *section.rows]))


def _widths(rows: Sequence[Sequence[str]]) -> list[float]:
    """Return the width of each column in cm, by the mean length of its cells."""
    lengths = [sum(map(len, column)) / len(rows) for column in zip(*rows, strict=True)]
    weights = [min(max(length, _LEAST), _MOST) for length in lengths]
    return [_WIDTH * weight / sum(weights) for weight in weights]


def _lay_out(table: Any, widths: Sequence[float]) -> None:
    """Set the widths of the columns, repeat the head on every page, and keep each row on one."""
    from docx.oxml import OxmlElement
    from docx.shared import Cm

    for number, row in enumerate(table.rows):
        row.height = Cm(_ROW)
        # A row is not divided between two pages, and the first one is repeated on each page.
        for name in ("w:cantSplit", *(["w:tblHeader"] if number == 0 else [])):
            row._tr.get_or_add_trPr().append(OxmlElement(name))
    table.autofit = False
    for column, width in zip(table.columns, widths, strict=True):
        column.width = Cm(width)
        for cell in column.cells:
            # On every cell: Word reads the width of the column, LibreOffice that of its cells.
            cell.width = Cm(width)


def _set_margins(made: Any) -> None:
    from docx.shared import Cm

    page = made.sections[0]
    page.left_margin = page.right_margin = page.top_margin = page.bottom_margin = Cm(_MARGIN)


def _number_pages(made: Any) -> None:
    """Write the number of the page into the footer, as a field that the word processor fills."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    run = made.sections[0].footer.paragraphs[0].add_run()
    # A field, because only the program that opens the file knows its pages.
    for kind, text in (("begin", None), (None, "PAGE"), ("end", None)):
        element = OxmlElement("w:fldChar" if kind else "w:instrText")
        if kind:
            element.set(qn("w:fldCharType"), kind)
        else:
            element.text = text
        run._r.append(element)
