"""What was judged, as sections of plain text: findings, controls, limits, sign-off.

Question: what do the rules say of the evidence, and what is left for a person?
Method: sorted worst first and cut; whatever is cut is counted.
Limits: a control says only what the evidence says of it; whether a law is kept is a person's decision.
"""

from __future__ import annotations

from typing import Any

from privaudit.model import Control, Finding, Report
from privaudit.report.escape import name
from privaudit.report.verdict import SEVERITY_RANK
from privaudit.report.words import Numbers, decimal, percent

View = dict[str, Any]

MOST_FINDINGS = 200
MOST_ALIKE = 4
MOST_CONTROLS = 300
MOST_LIMITS = 200
REVIEW_MONTHS = 12
STATE_WORDS = {
    "supported": "evidence agrees",
    "contradicted": "evidence contradicts",
    "not_measured": "not measured",
    "human": "a person must answer",
}
_STATE_ORDER = {"contradicted": 0, "not_measured": 1, "human": 2, "supported": 3}
CONTEXT_QUESTIONS = (
    "Purpose of the release, and why these columns are needed for it",
    "Release model (open, on request, enclave) and who receives the table",
    "Contracts, access controls and audits on the recipients' side",
    "Who could attack, why, and with which other tables; chance that somebody tries",
    "Whose data these are, and what harm a disclosure would do to them",
    "Population the rows were drawn from, and its source",
)


def findings(report: Report, told: Numbers) -> View:
    """Return the findings, worst first; accepted ones apart."""
    ranked = sorted(
        report.findings,
        key=lambda item: (SEVERITY_RANK[item.severity], -(item.n_people or 0), item.code, item.subject),
    )
    open_ones = [item for item in ranked if item.status == "open"]
    others = [item for item in ranked if item.status != "open"]
    rows = [_finding(item, told) for item in open_ones[:MOST_FINDINGS]]
    return {
        "rows": rows,
        "groups": _by_code(rows),
        "n_hidden": max(0, len(open_ones) - MOST_FINDINGS),
        "accepted": [_finding(item, told) for item in others[:MOST_FINDINGS]],
        "n_accepted_hidden": max(0, len(others) - MOST_FINDINGS),
        "counts": [
            {"severity": severity, "n": f"{sum(item.severity == severity for item in open_ones):,}"}
            for severity in SEVERITY_RANK
        ],
    }


def _by_code(rows: list[View]) -> list[View]:
    """Return the findings by rule, in the order of the worst of each; what repeats beyond a few is apart."""
    codes = list(dict.fromkeys((row["severity"], row["code"]) for row in rows))
    groups = [[row for row in rows if (row["severity"], row["code"]) == code] for code in codes]
    return [
        {"first": group[:MOST_ALIKE], "more": group[MOST_ALIKE:], "code": group[0]["code"]}
        for group in groups
    ]


def _finding(item: Finding, told: Numbers) -> View:
    people = ""
    if item.n_people is not None and item.n_total is not None:
        people = told.people(item.n_people, item.n_total)
    message = told.text(name(item.message, 500))
    in_message = bool(people) and f"{told.count(item.n_people, item.n_total)} of {item.n_total:,}" in message
    return {
        "code": name(item.code, 20),
        "name": name(item.name, 80),
        "severity": item.severity,
        "subject": [name(column) for column in item.subject[:12]],
        "n_subject_hidden": max(0, len(item.subject) - 12),
        "message": message,
        "people": people,
        "in_message": in_message,
        "measure": name(item.measure, 60),
        "observed": told.text(_value(item.observed)),
        "limit": _value(item.limit),
        "confidence": percent(item.confidence),
        "status": name(item.status, 40),
        "fingerprint": name(item.fingerprint, 80),
    }


def _value(value: float | int | str | None) -> str:
    if value is None:
        return "–"
    return name(value, 120) if isinstance(value, str) else decimal(value)


def controls(report: Report) -> View:
    """Return the controls per framework, contradicted ones first."""
    frameworks = sorted({control.framework for control in report.controls})
    return {"frameworks": [_framework(key, report.controls) for key in frameworks]}


def _framework(framework: str, everything: tuple[Control, ...]) -> View:
    mine = [control for control in everything if control.framework == framework]
    mine.sort(key=lambda control: _STATE_ORDER[control.state])
    return {
        "framework": name(framework, 80),
        "rows": [_control(control) for control in mine[:MOST_CONTROLS]],
        "n_hidden": max(0, len(mine) - MOST_CONTROLS),
        "counts": [
            {"state": state, "words": words, "n": f"{sum(control.state == state for control in mine):,}"}
            for state, words in STATE_WORDS.items()
        ],
    }


def _control(control: Control) -> View:
    return {
        "id": name(control.id, 60),
        "title": name(control.title, 200),
        "requirement": name(control.requirement, 500) if control.requirement else "",
        "state": control.state,
        "words": STATE_WORDS[control.state],
        "findings": [name(code, 20) for code in sorted(set(control.findings))],
        "why": name(control.why, 400) if control.why else "",
        "source": name(control.source, 200),
        "verified": name(control.verified, 40),
    }


def limits(report: Report, told: Numbers) -> View:
    """Return what was not measured: what could not be assessed first."""
    ranked = sorted(report.limits, key=lambda limit: not limit.incomplete)
    rows = [
        {
            "what": told.text(name(limit.what, 200)),
            "why": told.text(name(limit.why, 600)),
            "incomplete": limit.incomplete,
        }
        for limit in ranked[:MOST_LIMITS]
    ]
    return {"rows": rows, "n_hidden": max(0, len(ranked) - MOST_LIMITS), "people": _people(report)}


def _people(report: Report) -> str:
    if report.risk is not None and report.risk.subject is not None:
        return (
            "People were counted by the entity column that was named; where a number counts rows, it says so."
        )
    return (
        "Every row was counted as one person. If a person may have several rows, name "
        "the column that tells people apart."
    )


def sign_off(report: Report, told: Numbers) -> View:
    """Return the form a person fills in: context, accepted risks, review date, signatures."""
    return {
        "questions": list(CONTEXT_QUESTIONS),
        "review": _review_date(report.generated_at),
        "triggers": (
            "sooner when the table is released again, when new tables about the same "
            "people appear, or when attacks improve"
        ),
        "roles": ["Assessor", "Qualified person or privacy officer", "Owner of the table"],
    }


def _review_date(generated_at: str) -> str:
    """Return the day `REVIEW_MONTHS` months after the scan, or words where the report holds no date."""
    year, month, day = generated_at[:4], generated_at[5:7], generated_at[8:10]
    if not (year + month + day).isdecimal():
        return f"{REVIEW_MONTHS} months after the scan"
    # 29 February has no anniversary; the day before is never late.
    last = "28" if (month, day) == ("02", "29") else day
    return f"{int(year) + REVIEW_MONTHS // 12:04d}-{month}-{last}"
