"""Annotations for GitHub: workflow commands that a job prints and the service shows next to the change.

Question: what does a reviewer see at the files of a pull request?
Method: an annotation for each group of open findings, as the report groups them: an error where one of them fails the
gate, otherwise a warning or a notice, the worst first; and an error for what could not be assessed. With a baseline, an
annotation states what is new or worse. GitHub shows ten annotations of a kind per step: the tenth counts the rest.
Where there is nothing to annotate, one notice states the decision.
Limits: accepted findings, and those that a baseline contains, are not shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.base.records import dataclass
from privaudit.model import Report, fails
from privaudit.model.wording import Edition, Name, Number, Wording, fact
from privaudit.report.entries import TableEntry, only, place, reports_of, unread
from privaudit.report.escape import name, workflow, workflow_property
from privaudit.report.sections.baseline import change_of, changes
from privaudit.report.sections.first_steps import problem
from privaudit.report.sections.ranking import Group, grouped, still_open
from privaudit.report.sections.verdict import headline, outcome
from privaudit.report.sentences import sentence, shown_limit, wording_of

MOST = 10
"""Annotations of a kind that GitHub shows for a step."""


@dataclass(frozen=True, slots=True)
class Line:
    """One annotation; `before` annotations of its kind and table come first, so that no table hides another."""

    file: str
    title: str
    text: str
    before: int = 0


def render(report: Report, edition: Edition = "full") -> str:
    """Return the annotations of `report`, one command per line."""
    return render_several(only(report), edition)


def render_several(entries: Sequence[TableEntry], edition: Edition = "full") -> str:
    """Return the annotations of several tables; GitHub shows `MOST` of a kind for all of them together."""
    lines: dict[str, list[Line]] = {"error": [], "warning": [], "notice": []}
    for table, error in unread(entries):
        lines["error"].append(Line(table, "Not assessed", error))
    worded = [(report, wording_of(report, edition)) for report in reports_of(entries, edition)]
    # Limits of all tables before the findings of the first: of ten annotations, these must be seen.
    for add in (_add_limits, _add_findings, _add_baseline):
        for report, wording in worded:
            add(lines, report, wording)
    if not any(lines.values()):
        lines["notice"] += [Line(place(report), "privaudit", f"{headline(report)}.") for report, _ in worded]
    return "".join(
        f"::{kind} file={workflow_property(line.file)},line=1,title={workflow_property(line.title)}"
        f"::{workflow(line.text)}\n"
        for kind, found in lines.items()
        for line in _capped(sorted(found, key=lambda line: line.before))
    )


def _add_limits(lines: dict[str, list[Line]], report: Report, wording: Wording) -> None:
    for limit in report.limits:
        if limit.incomplete:
            lines["error"].append(Line(place(report), "Not assessed", ": ".join(shown_limit(wording, limit))))


def _add_baseline(lines: dict[str, list[Line]], report: Report, wording: Wording) -> None:
    """Add a notice where a baseline is why the table passed, or does not hold the table."""
    if outcome(report) == "baseline":
        lines["notice"].append(Line(place(report), "privaudit", f"{headline(report)}."))
    elif report.baseline is not None and report.baseline.is_new:
        lines["notice"] += [Line(place(report), "privaudit", text) for text in changes(report, wording)]


def _add_findings(lines: dict[str, list[Line]], report: Report, wording: Wording) -> None:
    for group in grouped(still_open(report)):
        item = group.worst
        kind = "error" if fails(item, report.fail_on) else "notice" if item.severity == "info" else "warning"
        title = f"{name(item.code)} {name(item.name)} ({item.severity})"
        before = sum(line.file == place(report) for line in lines[kind])
        lines[kind].append(Line(place(report), title, _text(group, wording), before))


def _text(group: Group, wording: Wording) -> str:
    """Return the worst finding of a group, and how many others have the same cause."""
    text, worst = problem(group, wording).text, group.worst
    if worst.change in ("new", "worse") and worst.before is not None and not wording.public:
        text = f"{text} {change_of(worst, wording)}"
    elif worst.change == "new" and not wording.public:
        text = f"{text} {sentence(wording, 'report.is_new')}"
    others = group.findings[1:]
    if not others or not group.same_cause:
        return text
    codes = Name(", ".join(dict.fromkeys(name(item.code, 20) for item in others)))
    return f"{text} {sentence(wording, 'report.findings_same_cause', n=Number(len(others)), codes=codes)}."


def _capped(lines: list[Line]) -> list[Line]:
    rest = len(lines) - MOST
    if rest <= 0:
        return lines
    # The tenth is replaced too, so it is counted with the rest.
    more = str(fact("report.more_annotations", n=Number(rest + 1)))
    return [*lines[: MOST - 1], Line(lines[MOST - 1].file, "privaudit", more)]
