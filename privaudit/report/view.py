"""The contents of the report: sections of plain text, in reading order.

Question: what does each section contain, whatever the format?
Method: every section is a dict of text, formatted numbers and lists of these; each format lays out the same contents.
Long lists are cut and the cut is counted.
Limits: contains no record and no callable, so that a template can only print.
"""

from __future__ import annotations

from privaudit.model import Report
from privaudit.model.wording import Listing, Name, Number, Term, Threshold, Value, fact
from privaudit.model.wording.filling import MISSING
from privaudit.model.wording.numbers import plural
from privaudit.model.wording.render import WITHHELD, Edition, Wording
from privaudit.report.charts.pictures import pictures
from privaudit.report.escape import name
from privaudit.report.public import publish
from privaudit.report.sections import first_steps, thresholds, verdict
from privaudit.report.sections.acceptances import acceptances, answers, declared_roles
from privaudit.report.sections.attacks import attacks
from privaudit.report.sections.baseline import changes
from privaudit.report.sections.columns import columns
from privaudit.report.sections.combinations import combinations
from privaudit.report.sections.controls import controls
from privaudit.report.sections.findings import checks, findings
from privaudit.report.sections.limits import limits, sign_off
from privaudit.report.sections.remedies import remedies
from privaudit.report.sections.risk import risk
from privaudit.report.sentences import View, sentence, shown, wording_of

MOST_CHANGES = 20
"""Changes since the baseline that the first screen lists."""

SECTIONS = (
    ("verdict", "Verdict"),
    ("findings", "Findings"),
    ("columns", "Columns"),
    ("risk", "Re-identification risk"),
    ("combinations", "Worst combinations"),
    ("attacks", "Attacks"),
    ("remedies", "Remedies"),
    ("acceptances", "Accepted findings"),
    ("roles", "Declared roles"),
    ("controls", "Controls"),
    ("answers", "Answers"),
    ("checks", "Checks without a finding"),
    ("limits", "Limits"),
    ("policy", "Thresholds"),
    ("scope", "Scope"),
    ("signoff", "Context and sign-off"),
    ("reproduce", "How to reproduce"),
)
"""The sections in reading order: the first three are short, the others are the annex."""

OPTIONAL = {"acceptances": "acceptances", "roles": "declared_roles", "answers": "answers"}
"""Sections that are omitted where they have no row, by the key of their contents."""

_FINDINGS = ("gate.finding", "gate.more_findings")
"""Reasons of the gate that repeat findings."""


def build(report: Report, edition: Edition = "full", *, on_page: bool = False) -> View:
    """Return the whole view of `report`.

    Parameters
    ----------
    report : Report
    edition : {"full", "public"}, default "full"
        The public edition shows fewer and rounded numbers (`privaudit.report.public`).
    on_page : bool, default False
        Whether the view is for a page, whose sentences name no option of the command line.
    """
    if edition == "public":
        report = publish(report)
    wording = wording_of(report, edition, on_page=on_page)
    sections: View = {
        "columns": columns(report, wording),
        "risk": risk(report, wording),
        "combinations": combinations(report, wording),
        "attacks": attacks(report, wording),
        "findings": findings(report, wording),
        "acceptances": acceptances(report, wording),
        "declared_roles": declared_roles(report, wording),
        "remedies": remedies(report, wording),
        "controls": controls(report, wording),
        "answers": answers(report, wording),
        "checks": checks(report, wording),
        "limits": limits(report, wording),
        "policy": thresholds.policy(report, wording),
    }
    return {
        "title": sentence(wording, "report.title", table=Name(_short(report.dataset.name))),
        "heading": _short(report.dataset.name),
        "edition": edition,
        "note": sentence(wording, "report.public_note") if edition == "public" else "",
        "counted": wording.value(Term(f"{wording.unit}.plural")).capitalize(),
        "extent": _extent(report, wording),
        "scanned": name(report.generated_at or MISSING),
        "tool": _tool(report),
        "toc": [
            {"id": key, "title": title}
            for key, title in SECTIONS
            if key not in OPTIONAL or sections[OPTIONAL[key]]["rows"]
        ],
        "amounts": _amounts(sections),
        "verdict": _verdict(report, wording),
        "scope": _scope(report, wording),
        "pictures": pictures(report, wording),
        **sections,
        "signoff": sign_off(report, wording),
        "reproduce": _reproduce(report),
    }


def _amounts(sections: View) -> dict[str, str]:
    """Return how much each folded section holds."""

    def listed(key: str, noun: str) -> str:
        n = len(sections[key]["rows"]) + sections[key]["n_hidden"]
        return f"{n:,} {plural(n, noun)}"

    frameworks = len(sections["controls"]["frameworks"])
    return {
        "combinations": listed("combinations", "combination"),
        "attacks": listed("attacks", "attack"),
        "remedies": f"{sections['remedies']['n']:,} {plural(sections['remedies']['n'], 'remedy')}",
        "acceptances": listed("acceptances", "finding"),
        "roles": listed("declared_roles", "column"),
        "answers": listed("answers", "answer"),
        "controls": f"{frameworks} {plural(frameworks, 'framework')}",
        "checks": f"{sections['checks']['n']:,} {plural(sections['checks']['n'], 'check')}",
        "limits": listed("limits", "limit"),
        "policy": sections["policy"]["title"],
        "risk": "",
        "scope": "",
        "signoff": "",
        "reproduce": "",
    }


def _tool(report: Report) -> str:
    return f"{name(report.tool.name)} {name(report.tool.version)}"


def _short(source: str) -> str:
    """Return the last part of a path or address: the heading; the scope shows all of it."""
    # Both separators: a report from Windows may be rendered on Linux.
    last = source.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return name(last or source, 80)


def _verdict(report: Report, wording: Wording) -> View:
    return {
        "state": verdict.state(report),
        "headline": verdict.headline(report),
        "about": list(verdict.about(report, wording)),
        "changes": list(changes(report, wording, MOST_CHANGES)),
        "problems": [_line(line) for line in first_steps.problems(report, wording)],
        "lines": list(verdict.remarks(report, wording)),
        "steps": [_line(line) for line in first_steps.steps(report, wording)],
        "tiles": verdict.tiles(report, wording),
        # The findings among the reasons are listed above and below.
        "reasons": [shown(wording, reason) for reason in report.gate_.reasons if reason.code not in _FINDINGS],
        "basis": _basis(report, wording),
    }


def _line(line: first_steps.Line) -> View:
    return {"text": line.text, "anchor": line.anchor, "severity": line.severity, "code": line.code}


def _basis(report: Report, wording: Wording) -> str:
    policy, n = report.policy, len(report.attacks)
    origin = policy.origins.get("k") or policy.origins.get("name")
    values: dict[str, Value] = {
        "table": Name(_extent(report, wording).replace(", ", " and ")),
        "policy": Name(name(policy.name)),
        "k": Threshold(policy.k),
        "origin": Name(name(origin, 200)) if origin else fact("report.origin_missing"),
    }
    if not verdict.is_about_people(report):
        return sentence(wording, "report.basis_things", **values)
    simulated = fact("report.attacks_simulated", n=Number(n)) if n else fact("report.attacks_none")
    classes = (fact("report.attacker_prosecutor"), fact("report.attacker_marketer")) if report.risk is not None else ()
    return sentence(wording, "report.basis", attackers=Listing((*classes, simulated)), **values)


def _scope(report: Report, wording: Wording) -> list[View]:
    data = report.dataset
    pairs = (
        ("Dataset", name(data.name, 400), False),
        ("Rows and columns", _extent(report, wording), False),
        ("Read as", f"{name(data.format)}, by {name(data.engine)}", False),
        ("Fingerprint", name(data.fingerprint, 200) if data.fingerprint else WITHHELD, True),
        ("Scanned at", name(report.generated_at or MISSING), False),
        ("Tool", _tool(report), False),
        ("Policy", f"{name(report.policy.title)} ({name(report.policy.name)})", False),
        ("Settings files", "; ".join(used_files(report)) or "none", False),
        ("Missing values", _missing(report, wording), False),
    )
    return [{"term": term, "value": value, "code": code} for term, value, code in pairs]


def used_files(report: Report) -> list[str]:
    """Return the files of the user that decide about the judgement, each with the beginning of its digest."""
    return [f"{file.purpose} {name(file.name)} (sha256 {name(file.sha256[:16])})" for file in report.files]


def _extent(report: Report, wording: Wording) -> str:
    rows, columns = report.dataset.n_rows, report.dataset.n_columns
    return f"{verdict.n_rows(report, wording)} {plural(rows, 'row')}, {columns:,} {plural(columns, 'column')}"


def _missing(report: Report, wording: Wording) -> str:
    if report.risk is None:
        return sentence(wording, "report.missing_not_used")
    return {
        "category": sentence(wording, "report.missing_category"),
        "wildcard": sentence(wording, "report.missing_wildcard"),
        "one-sided": sentence(wording, "report.missing_one_sided"),
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
