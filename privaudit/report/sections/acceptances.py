"""The sections on accepted findings, declared roles and answers: where a person decided, not the scan.

Question: which findings did somebody accept, which roles were declared, what was answered, and does it still hold?
Method: one row for each acceptance and each answer, those that no longer hold first; one row for each column whose role
the settings declare, with the role that was inferred.
Limits: repeats what the settings state; whether a reason or an answer is right is the decision of a person.
"""

from __future__ import annotations

from privaudit.model import Acceptance, ColumnReport, GivenAnswer, Report
from privaudit.model.vocabulary.statements import CONTEXT
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


MOST_ANSWERS = 300
_ANSWER_ORDER = ("overdue", "other_data", "holds", "not_asked")


def answers(report: Report, wording: Wording) -> View:
    """Return the answers of people, those that no longer hold first."""
    questions = {control.id: control.question or control.title for control in report.controls}
    ranked = sorted(report.answers, key=lambda item: _ANSWER_ORDER.index(item.status))
    return {
        "note": sentence(wording, "report.answers_note"),
        "rows": [_answer(item, questions, wording) for item in ranked[:MOST_ANSWERS]],
        "n_hidden": max(0, len(ranked) - MOST_ANSWERS),
    }


def context_question(key: str, wording: Wording) -> str:
    """Return the question of a part of the context."""
    return sentence(wording, f"report.context_{key}")


def _answer(item: GivenAnswer, questions: dict[str, str], wording: Wording) -> View:
    is_context = item.key in CONTEXT
    question = context_question(item.key, wording) if is_context else questions.get(item.key, "")
    return {
        "key": name(item.key, 60),
        "question": name(question, 300),
        "text": name(item.text, 2000),
        "owner": name(item.owner, 200),
        "date": name(item.date, 20),
        "until": name(item.until, 20),
        "status": item.status,
        "holds": item.status in ("holds", "not_asked"),
        "words": sentence(wording, f"report.answer_{item.status}"),
    }
