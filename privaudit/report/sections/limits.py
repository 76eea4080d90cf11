"""The sections on limits and on the sign-off: what was not measured, and what only a person can answer.

Question: what bounds the numbers of the report, and what is left to a person?
Method: what could not be assessed comes first; limits of several columns are merged; checks that were not measured
have a section of their own; the list is cut and the cut is counted.
Limits: the form is filled in outside the program.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from privaudit.model import Limit, Report
from privaudit.model.wording import Columns, Name, Number, Threshold, Wording, fact
from privaudit.report.escape import name
from privaudit.report.sections.verdict import subject_column
from privaudit.report.sentences import View, sentence, shown_limit

MOST_LIMITS = 200
REVIEW_MONTHS = 12
CONTEXT_QUESTIONS = (
    "Purpose of the release, and why these columns are needed for it",
    "Release model (open, on request, secure environment) and recipients of the table",
    "Contracts, access controls and audits on the side of the recipients",
    "Possible attackers, their motives and auxiliary data; probability of an attempt",
    "Data subjects, and the harm a disclosure would do to them",
    "Population the records were drawn from, and its source",
)


def limits(report: Report, wording: Wording) -> View:
    """Return what was not measured: what could not be assessed first."""
    ranked, n_checks = by_section(report)
    rows = []
    for limit in ranked[:MOST_LIMITS]:
        what, why = shown_limit(wording, limit)
        options = [name(option, 120) for option in wording.options(limit)]
        rows.append({"what": what, "why": why, "options": options, "incomplete": limit.incomplete})
    return {
        "rows": rows,
        "n_hidden": max(0, len(ranked) - MOST_LIMITS),
        "people": _counted(report, wording),
        "checks": sentence(wording, "report.limits_checks", n=Number(n_checks)) if n_checks else "",
    }


def by_section(report: Report) -> tuple[list[Limit], int]:
    """Return the limits of this section, and the number of those that the outcome of a check states.

    What was requested and not assessed is always in this section.
    """
    outcomes = {check.code for check in report.checks if check.state in ("not_measured", "no_limit")}
    others = [limit for limit in report.limits if limit.incomplete or _check(limit) not in outcomes]
    return merged(others), len(report.limits) - len(others)


def _check(limit: Limit) -> str | None:
    """Return the code of the check that was not measured; None for other limits."""
    code = limit.values.get("code")
    return code.text if limit.code == "rulebook.check_not_measured" and isinstance(code, Name) else None


def merged(limits: Iterable[Limit]) -> list[Limit]:
    """Return what could not be assessed first, with one limit for all columns that it applies to in the same way."""
    groups: dict[str, Limit] = {}
    for limit in sorted(limits, key=lambda limit: not limit.incomplete):
        columns = limit.values.get("column")
        others = {key: value for key, value in limit.values.items() if key != "column"}
        key = repr((limit.code, limit.incomplete, others, isinstance(columns, Columns)))
        first = groups.setdefault(key, limit)
        known = first.values.get("column")
        if isinstance(columns, Columns) and isinstance(known, Columns):
            every = Columns(tuple(dict.fromkeys((*known.names, *columns.names))))
            groups[key] = replace(first, values={**first.values, "column": every})
    return list(groups.values())


def _counted(report: Report, wording: Wording) -> str:
    """Return whether rows or people are counted; nothing for a table that is not about people."""
    if report.dataset.unit is not None and not report.dataset.unit.is_about_people:
        return ""
    if subject_column(report) is not None:
        return sentence(wording, "report.people_are_subjects")
    return sentence(wording, "report.rows_are_people")


def sign_off(report: Report, wording: Wording) -> View:
    """Return the form a person fills in: context, accepted risks, review date, signatures."""
    return {
        "questions": list(CONTEXT_QUESTIONS),
        "review": _review_date(report.generated_at),
        "triggers": sentence(wording, "report.review_triggers"),
        "roles": ["Assessor", "Privacy officer or qualified expert", "Data owner"],
    }


def _review_date(generated_at: str) -> str:
    """Return the day `REVIEW_MONTHS` months after the scan, or words where the report has no date."""
    year, month, day = generated_at[:4], generated_at[5:7], generated_at[8:10]
    if not (year + month + day).isdecimal():
        return str(fact("report.months_after", n=Threshold(REVIEW_MONTHS)))
    # 29 February has no anniversary; the day before is never late.
    last = "28" if (month, day) == ("02", "29") else day
    return f"{int(year) + REVIEW_MONTHS // 12:04d}-{month}-{last}"
