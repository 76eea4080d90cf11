"""Sentences of the report, fit for display.

Question: how does a fact, a limit or a finding become text that is safe to show?
Method: the wording of the edition fills the sentence; then control characters are made visible.
Limits: the catalogue has the sentences; no sentence is written here.
"""

from __future__ import annotations

from typing import Any

from privaudit.model import Limit, Report
from privaudit.model.wording import MISSING, Edition, Fact, Term, Value, Wording, decimal, fact
from privaudit.report.escape import name

View = dict[str, Any]
"""What a template shows of one part of a page."""
MOST = 600
"""Longest sentence that is shown in full."""


def wording_of(report: Report, edition: Edition = "full", *, on_page: bool = False) -> Wording:
    """Return how the sentences and numbers of `report` are written in `edition`; pages name no options."""
    sentences = {check.code: check.message for check in report.checks if check.message}
    return Wording(
        n_rows=report.dataset.n_rows, edition=edition, unit=report.counted, sentences=sentences, has_options=not on_page
    )


def sentence(wording: Wording, code: str, /, **values: Value) -> str:
    """Return the sentence `code` of the catalogue, filled with `values`; `unit` and `units` name what is counted."""
    values = {"unit": Term(wording.unit), "units": Term(f"{wording.unit}.plural"), **values}
    return name(wording.text(fact(code, **values)), 4 * MOST)


def shown(wording: Wording, stated: Fact, most: int = MOST) -> str:
    """Return the sentence of a fact that another stage stated."""
    return name(wording.text(stated), most)


def shown_value(value: float | int | str | None, most: int = 120) -> str:
    """Return an observed value or a limit as it is written; a dash for none."""
    if value is None:
        return MISSING
    return name(value, most) if isinstance(value, str) else decimal(value)


def shown_limit(wording: Wording, limit: Limit) -> tuple[str, str]:
    """Return what a limit is about, and why."""
    return name(wording.what(limit), MOST), name(wording.why(limit), MOST)
