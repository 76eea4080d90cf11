"""A page of sections as a Word document.

Question: how does a page reach people who edit and sign it in a word processor?
Method: headings, paragraphs and tables of python-docx; the footer has the number of the page.
Limits: the date of the file is that of its writing, so that two files with the same content differ.
"""

from __future__ import annotations

import io
from typing import Any

from privaudit.base.extras import DOCX, needing
from privaudit.report.escape import visible
from privaudit.report.pages.page import Page, Section

_WIDTHS = (4.8, 9.2, 2.4)
"""Widths of the three columns of a document, in cm."""


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
        for run in cell.paragraphs[0].runs:
            run.bold = True
    if len(section.head) == len(_WIDTHS):
        _set_widths(table)


def _set_widths(table: Any) -> None:
    from docx.shared import Cm

    table.autofit = False
    for column, width in zip(table.columns, _WIDTHS, strict=True):
        for cell in column.cells:
            cell.width = Cm(width)


def _number_pages(made: Any) -> None:
    """Write the number of the page into the footer, as a field that the word processor fills."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    run = made.sections[0].footer.paragraphs[0].add_run()
    for kind, text in (("begin", None), (None, "PAGE"), ("end", None)):
        element = OxmlElement("w:fldChar" if kind else "w:instrText")
        if kind:
            element.set(qn("w:fldCharType"), kind)
        else:
            element.text = text
        run._r.append(element)
