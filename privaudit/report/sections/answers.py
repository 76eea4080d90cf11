"""The section on answers of people: what a scan cannot know.

Question: what did somebody answer, by whom, since when, and does it still hold?
Method: one row for each answer, those that no longer hold first, with the question of the control or of the context.
Limits: repeats what the settings state; whether an answer is right is the decision of a person.
"""

from __future__ import annotations

from privaudit.model import GivenAnswer, Report
from privaudit.model.vocabulary.statements import CONTEXT
from privaudit.model.wording.render import Wording
from privaudit.report.escape import name
from privaudit.report.sentences import View, sentence

MOST_ANSWERS = 300
_ORDER = ("overdue", "other_data", "holds", "not_asked")


def answers(report: Report, wording: Wording) -> View:
    """Return the answers of people, those that no longer hold first."""
    questions = {control.id: control.question or control.title for control in report.controls}
    ranked = sorted(report.answers, key=lambda item: _ORDER.index(item.status))
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
