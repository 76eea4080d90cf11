"""The printed page as a PDF file: the HTML report on paper, without a browser.

Question: how does a report become a file that is signed and filed?
Method: WeasyPrint (the extra ``pdf``) lays out the HTML page by its rules for print: two pages with the verdict, the
findings and the columns, then the annex, with page numbers, a running title and bookmarks. Nothing is fetched, and the
same report gives the same bytes.
Limits: WeasyPrint needs the system library Pango; the HTML page printed by a browser has the same pages.
"""

from __future__ import annotations

import logging
from typing import Any, NoReturn

from privaudit.base import extras
from privaudit.base.errors import UnsupportedFormat
from privaudit.model import Report
from privaudit.model.wording import Edition
from privaudit.report import html

_MARK = b"% privaudit\n"
"""A comment by which a later run recognises a file that it may replace."""
_PANGO = "install the system library Pango (Debian: libpangoft2-1.0-0), or print the HTML report from a browser"


def render_bytes(report: Report, edition: Edition = "full") -> bytes:
    """Return `report` as a PDF file.

    Raises
    ------
    UnsupportedFormat
        If WeasyPrint or its system library is not installed.
    """
    return printed(html.render(report, edition))


def check() -> None:
    """Refuse, before any work, a PDF file that could not be written.

    Raises
    ------
    UnsupportedFormat
    """
    _weasyprint()


def printed(page: str) -> bytes:
    """Return an HTML page of privaudit as a PDF file.

    Raises
    ------
    UnsupportedFormat
    """
    content: bytes = _weasyprint().HTML(string=page, url_fetcher=_refused).write_pdf()
    return content + _MARK


def _weasyprint() -> Any:
    with extras.needing(extras.PDF, "A PDF file"):
        try:
            import weasyprint
        except OSError:  # a system library is missing
            raise UnsupportedFormat("A PDF file needs a system library that is not installed.", hint=_PANGO) from None
    # Style sheets for screens have properties that paper does not need.
    logging.getLogger("weasyprint").setLevel(logging.CRITICAL)
    logging.getLogger("fontTools").setLevel(logging.CRITICAL)
    return weasyprint


def _refused(*_: Any, **__: Any) -> NoReturn:
    raise ValueError("A report loads no other file.")
