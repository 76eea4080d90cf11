"""The sections on accepted findings and on declared roles: where a person decided, not the scan.

Question: which findings did somebody accept, do these acceptances still hold, and which roles were declared?
Method: one row for each acceptance, those that no longer hold first; one row for each column whose role the settings
declare, with the role that was inferred.
Limits: repeats what the settings state; whether a reason is a good one is the decision of a person.
"""

from __future__ import annotations

from privaudit.model import Acceptance, ColumnReport, Report
from privaudit.model.wording import WITHHELD, Wording, decimal
from privaudit.report.escape import name
from privaudit.report.sentences import View, sentence, shown

MOST_ACCEPTANCES = 200
MOST_ROLES = 200
MOST_COLUMNS = 12
_ORDER = ("expired", "exceeded", "unused", "not_measured", "used")


def acceptances(report: Report, wording: Wording) -> View:
    """Return the acceptances, those that no longer hold first."""
    ranked = sorted(report.acceptances, key=lambda item: _ORDER.index(item.status))
    return {
        "note": sentence(wording, "report.acceptances_note"),
        "rows": [_acceptance(item, wording) for item in ranked[:MOST_ACCEPTANCES]],
        "n_hidden": max(0, len(ranked) - MOST_ACCEPTANCES),
    }


def _acceptance(item: Acceptance, wording: Wording) -> View:
    return {
        "code": name(item.code, 20),
        "columns": [name(column) for column in item.columns[:MOST_COLUMNS]],
        "n_columns_hidden": max(0, len(item.columns) - MOST_COLUMNS),
        "status": item.status,
        "holds": item.status in ("used", "not_measured"),
        "words": sentence(wording, f"report.acceptance_{item.status}"),
        "bound": _bound(item, wording),
        "reason": name(item.reason, 1000),
        "owner": name(item.owner, 200),
        "expires": name(item.expires, 20),
    }


def _bound(item: Acceptance, wording: Wording) -> str:
    """Return the worst value that is accepted; the public edition shows no number that comes from the data."""
    if item.worst_accepted is None:
        return sentence(wording, "report.acceptance_any_value")
    if isinstance(item.worst_accepted, str):
        return name(item.worst_accepted, 120)
    return WITHHELD if wording.public else decimal(item.worst_accepted)


def declared_roles(report: Report, wording: Wording) -> View:
    """Return the columns whose role the settings declare, in the order of the table."""
    declared = [column for column in report.columns if column.role_inferred is not None]
    return {
        "note": sentence(wording, "report.declared_roles_note"),
        "rows": [_declared(column, wording) for column in declared[:MOST_ROLES]],
        "n_hidden": max(0, len(declared) - MOST_ROLES),
    }


def _declared(column: ColumnReport, wording: Wording) -> View:
    return {
        "column": name(column.name),
        "role": column.role,
        "inferred": column.role_inferred,
        "because": shown(wording, column.role_because[-1]) if column.role_because else "",
    }
