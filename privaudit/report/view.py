"""The report as a reader meets it: sections of plain text, in the order they are read.

Question: what does each section say, whatever the format?
Method: every section is a dict of text, numbers already told in words, and lists of these; the formats lay the same
view out. Long lists are cut and say how many entries are not shown.
Limits: holds no record and no callable, so that a template can do nothing but print.
"""

from __future__ import annotations

from typing import Any

from privaudit.model import Report
from privaudit.report import advised, columns, judged, measured, thresholds, verdict
from privaudit.report.escape import name
from privaudit.report.words import Edition, Numbers, plural

View = dict[str, Any]

SECTIONS = (
    ("verdict", "Verdict"),
    ("scope", "Scope"),
    ("columns", "Columns"),
    ("risk", "Identifiability"),
    ("combinations", "Worst combinations"),
    ("attacks", "Attacks"),
    ("findings", "Findings"),
    ("advice", "What would help"),
    ("controls", "Controls"),
    ("limits", "Limits"),
    ("policy", "Thresholds"),
    ("signoff", "Context and sign-off"),
    ("reproduce", "How to reproduce"),
)


def build(report: Report, edition: Edition = "full") -> View:
    """Return the whole view of `report`.

    Parameters
    ----------
    report : Report
    edition : {"full", "public"}, default "full"
        The public edition withholds counts of 1..10 and what follows from them.
    """
    told = Numbers(report.dataset.n_rows, edition, report.policy.k)
    return {
        "title": f"Privacy risk of {_short(report.dataset.name)}",
        "heading": _short(report.dataset.name),
        "edition": edition,
        "toc": [{"id": key, "title": title} for key, title in SECTIONS],
        "verdict": _verdict(report, told),
        "scope": _scope(report),
        "columns": columns.columns(report, told),
        "risk": measured.risk(report, told),
        "combinations": measured.combinations(report, told),
        "attacks": measured.attacks(report, told),
        "findings": judged.findings(report, told),
        "advice": advised.advice(report, told),
        "controls": judged.controls(report),
        "limits": judged.limits(report, told),
        "policy": thresholds.policy(report, told),
        "signoff": judged.sign_off(report, told),
        "reproduce": _reproduce(report),
    }


def _short(source: str) -> str:
    """Return the last part of a path or address: the heading; the scope tells all of it."""
    last = source.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return name(last or source, 80)


def _verdict(report: Report, told: Numbers) -> View:
    lines = verdict.summary(report, told)
    return {
        "state": verdict.state(report),
        "headline": verdict.headline(report),
        "lines": list(lines[1:]),
        "tiles": verdict.tiles(report, told),
        "reasons": [told.text(name(reason, 400)) for reason in report.gate_.reasons[:8]],
        "basis": _basis(report),
    }


def _basis(report: Report) -> str:
    policy = report.policy
    origin = policy.origins.get("k") or policy.origins.get("name") or "no origin stated"
    attackers = (
        f"{len(report.attacks):,} simulated {plural(len(report.attacks), 'attack')}"
        if report.attacks
        else "no simulated attack"
    )
    return (
        f"Measured on {_extent(report)}, against an "
        "attacker who knows a target is "
        f"in the table (prosecutor) and {attackers}; judged by the policy {name(policy.name)} "
        f"(k = {policy.k}: {name(origin, 200)}). What was not measured stands under Limits. "
        "Evidence only; a person decides."
    )


def _scope(report: Report) -> list[View]:
    data = report.dataset
    pairs = (
        ("Dataset", name(data.name, 400), False),
        ("Rows and columns", _extent(report), False),
        ("Read as", f"{name(data.format)}, by {name(data.engine)}", False),
        ("Fingerprint", name(data.fingerprint, 200), True),
        ("Scanned at", name(report.generated_at or "–"), False),
        ("Tool", f"{name(report.tool.name)} {name(report.tool.version)}", False),
        ("Policy", f"{name(report.policy.title)} ({name(report.policy.name)})", False),
        ("Missing values", _missing(report), False),
    )
    return [{"term": term, "value": value, "code": code} for term, value, code in pairs]


def _extent(report: Report) -> str:
    rows, columns = report.dataset.n_rows, report.dataset.n_columns
    return f"{rows:,} {plural(rows, 'row')}, {columns:,} {plural(columns, 'column')}"


def _missing(report: Report) -> str:
    if report.risk is None:
        return "counted in every column; classes were not measured"
    return {
        "category": "counted; in classes a missing value is a value of its own",
        "wildcard": "counted; in classes a missing value matches anything, on either side",
        "one-sided": "counted; in classes a record's own missing values match anything",
    }[report.risk.missing]


def _reproduce(report: Report) -> View:
    versions = {"python": "", **report.tool.versions, report.tool.name: report.tool.version}
    return {
        "command": name(report.command, 2000),
        "seed": str(report.seed),
        "versions": [
            {"name": name(key), "version": name(str(version))}
            for key, version in sorted(versions.items())
            if str(version)
        ],
    }
