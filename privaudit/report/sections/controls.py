"""The section on controls: the questions of each framework and what the evidence answers.

Question: which questions does the evidence answer, how, and which are left to a person?
Method: one table per framework, unfavourable answers first.
Limits: a state is a statement about the evidence; whether a law is kept is the decision of a person.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.model import Control, Report
from privaudit.model.wording import Name, Number, Wording, term
from privaudit.report.escape import name
from privaudit.report.sentences import View, sentence, shown

MOST_CONTROLS = 300
STATES = {
    "supported": "evidence for",
    "contradicted": "evidence against",
    "not_measured": "not measured",
    "human": "for a person to answer",
}
ANSWERS = {
    "yes": "yes",
    "no": "no",
    "not_measured": "not measured",
    "person": "for a person to answer",
    "not_applicable": "does not apply",
}
_STATE_ORDER = {"contradicted": 0, "not_measured": 1, "human": 2, "supported": 3}


def controls(report: Report, wording: Wording) -> View:
    """Return the controls per framework, contradicted ones first."""
    frameworks = sorted({control.framework for control in report.controls})
    return {
        "note": sentence(wording, "report.controls_note"),
        "frameworks": [_framework(key, report, wording) for key in frameworks],
    }


def _framework(framework: str, report: Report, wording: Wording) -> View:
    listed = [control for control in report.controls if control.framework == framework]
    listed.sort(key=lambda control: _STATE_ORDER[control.state])
    codes = {finding.fingerprint: finding.code for finding in report.findings}
    rows = [_control(control, codes, wording) for control in listed]
    note = _inapplicable(rows, wording)
    return {
        "framework": name(_title(framework), 80),
        "note": note,
        "rows": [] if note else rows[:MOST_CONTROLS],
        "n_hidden": 0 if note else max(0, len(listed) - MOST_CONTROLS),
        "counts": _counts(listed),
    }


def _inapplicable(rows: Sequence[View], wording: Wording) -> str:
    """Return why no question of a framework applies, where all have one reason; nothing otherwise."""
    whys = {row["why"] for row in rows if row["words"] == ANSWERS["not_applicable"]}
    if len(whys) != 1 or any(row["words"] != ANSWERS["not_applicable"] for row in rows):
        return ""
    return sentence(wording, "report.controls_inapplicable", n=Number(len(rows)), why=Name(whys.pop()))


def _counts(listed: Sequence[Control]) -> list[View]:
    """Return the number of controls by state; what does not apply is not a measurement that is missing."""
    applying = [control for control in listed if control.answer != "not_applicable"]
    counts = [(state, words, sum(control.state == state for control in applying)) for state, words in STATES.items()]
    counts.append(("not_applicable", ANSWERS["not_applicable"], len(listed) - len(applying)))
    return [{"state": state, "words": words, "n": f"{n:,}"} for state, words, n in counts if n]


def _title(framework: str) -> str:
    """Return the short title of a framework; its id where the catalogue has none."""
    return term(f"framework.{framework}").removeprefix("framework.")


def _control(control: Control, codes: dict[str, str], wording: Wording) -> View:
    return {
        "id": name(control.id, 60),
        "requirement": name(control.requirement, 500) if control.requirement else "",
        "question": name(control.question or control.title, 300),
        "state": control.state,
        "words": ANSWERS[control.answer] if control.question else STATES[control.state],
        "findings": sorted({name(codes.get(found, found), 20) for found in control.findings}),
        "why": " ".join(shown(wording, why) for why in control.why),
        "source": name(control.source, 200),
        "verified": name(control.verified, 40),
    }
