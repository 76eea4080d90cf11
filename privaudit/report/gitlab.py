"""GitLab code quality: open findings as the list of violations that a merge request shows.

Question: which findings does a merge request on GitLab show as new or resolved?
Method: one record for each open finding, with the keys of GitLab's code quality report; what could not be assessed is
a record too, because a merge request that shows nothing would look like a table without findings.
Limits: accepted findings, and those that a baseline contains, are not listed: the format has no place for them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from privaudit.model import Report
from privaudit.model.wording import FULL, Edition, Name, Wording
from privaudit.report.entries import TableEntry, only, place, reports_of, stable_id, unread
from privaudit.report.escape import visible
from privaudit.report.sections.ranking import still_open
from privaudit.report.sentences import sentence, shown, shown_limit, wording_of

SEVERITIES = {"critical": "blocker", "high": "critical", "medium": "major", "low": "minor", "info": "info"}


def render(report: Report, edition: Edition = "full") -> str:
    """Return the open findings of `report` as a code quality report of GitLab."""
    return render_several(only(report), edition)


def render_several(entries: Sequence[TableEntry], edition: Edition = "full") -> str:
    """Return the open findings of several tables as one report."""
    rows = [row for report in reports_of(entries, edition) for row in _rows(report, edition)]
    rows += [_not_assessed(table, error, FULL) for table, error in unread(entries)]
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"


def _rows(report: Report, edition: Edition) -> list[dict[str, Any]]:
    wording, location = wording_of(report, edition), {"path": place(report), "lines": {"begin": 1}}
    rows: list[dict[str, Any]] = [
        {
            "description": f"{visible(item.code)}: {shown(wording, item.message)}",
            "check_name": visible(item.name),
            "fingerprint": stable_id(item, report),
            "severity": SEVERITIES[item.severity],
            "location": location,
        }
        for item in still_open(report)
    ]
    texts = (": ".join(shown_limit(wording, limit)) for limit in report.limits if limit.incomplete)
    return [*rows, *(_not_assessed(place(report), text, wording) for text in texts)]


def _not_assessed(path: str, text: str, wording: Wording) -> dict[str, Any]:
    return {
        "description": sentence(wording, "report.not_assessed_item", what=Name(text)),
        "check_name": "not-assessed",
        "fingerprint": hashlib.sha256(f"{path}\x1f{text}".encode()).hexdigest()[:32],
        "severity": "critical",
        "location": {"path": path, "lines": {"begin": 1}},
    }
