"""The section on controls: the questions of each framework and what the evidence answers.

Question: which questions does the evidence answer, how, and which are left to a person?
Method: one table per framework, unfavourable answers first.
Limits: a state is a statement about the evidence; whether a law is kept is the decision of a person.
"""

from __future__ import annotations

from privaudit.model import Control, Report
from privaudit.model.wording.catalogue import term
from privaudit.model.wording.render import Wording
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
    return {
        "framework": name(_title(framework), 80),
        "rows": [_control(control, codes, wording) for control in listed[:MOST_CONTROLS]],
        "n_hidden": max(0, len(listed) - MOST_CONTROLS),
        "counts": [
            {"state": state, "words": words, "n": f"{sum(control.state == state for control in listed):,}"}
            for state, words in STATES.items()
        ],
    }


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
