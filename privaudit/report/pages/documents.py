"""Documents for people who decide: impact assessment, record of processing, expert memo, sheet for a breach.

Question: what of a document did the scan measure, what did a person answer, and what is open?
Method: a document is a list of parts in ``rules/documents``. A line asks for a measurement, the findings of checks, a
control or the answer of a person; each becomes rows with their status.
Limits: repeats the report. What is open stays open: no line is answered by the absence of a finding about another
subject.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import cast

from privaudit.base import resources
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.base.typed import convert
from privaudit.model import ColumnReport, Control, Finding, GivenAnswer, Report
from privaudit.model.vocabulary.records import Role
from privaudit.model.vocabulary.statements import CONTEXT
from privaudit.model.wording import Columns, Edition, EntityType, Name, Number, Wording, fact, plural
from privaudit.report.escape import name
from privaudit.report.pages.page import Page, Section, csv_text
from privaudit.report.public import publish
from privaudit.report.sections import attacks, first_steps, remedies, thresholds, verdict
from privaudit.report.sections.acceptances import acceptances, context_question
from privaudit.report.sections.controls import ANSWERS
from privaudit.report.sentences import sentence, shown, shown_limit, wording_of

Row = tuple[str, str, str]
HEAD = ("item", "content", "status")
MEASURED, ANSWERED, OPEN = "measured", "answered", "open"


@dataclass(frozen=True, kw_only=True)
class _Line:
    item: str = ""
    measured: str = ""
    checks: tuple[str, ...] = ()
    control: str = ""
    answer: str = ""


@dataclass(frozen=True, kw_only=True)
class _Part:
    key: str
    title: str
    line: tuple[_Line, ...]


@dataclass(frozen=True, kw_only=True)
class Template:
    """A document: its parts, the frameworks whose controls it needs, and the text that asks for it."""

    id: str
    title: str
    lead: str
    source: str
    frameworks: tuple[str, ...]
    signatures: tuple[str, ...] = ()
    part: tuple[_Part, ...]


def kinds() -> tuple[str, ...]:
    """Return the names of the documents, sorted."""
    return resources.names("rules", "documents")


@cache
def template(kind: str) -> Template:
    """Return the template of a document.

    Raises
    ------
    ConfigError
        For an unknown name.
    """
    if kind not in kinds():
        raise ConfigError(f'"{kind[:60]}" is not a document.', hint=f"documents: {', '.join(kinds())}")
    content = resources.read_toml(resources.path("rules", "documents", f"{kind}.toml"))
    return cast(Template, convert(content, Template))


def document(report: Report, kind: str, edition: Edition = "full") -> Page:
    """Return a document about the table of `report`.

    Parameters
    ----------
    report : Report
        Judged by the frameworks of the document.
    kind : str
        One of `kinds`.
    edition : {"full", "public"}
    """
    made = template(kind)
    # Published first, so that no line can ask for a number that the edition withholds.
    sheet = _Sheet(publish(report) if edition == "public" else report, edition)
    sections = [_section(part, sheet) for part in made.part]
    counts = {status: sum(row[2] == status for part in sections for row in part.rows) for status in _STATUS}
    numbers = {status: Number(n) for status, n in counts.items()}
    return Page(
        kicker=made.title,
        title=fact("document.title", table=Name(name(report.dataset.name, 80))),
        lead=fact("document.lead", lead=Name(made.lead), source=Name(made.source), **numbers),
        sections=[*sections, *_signatures(made)],
        footer=fact("document.footer", version=Name(report.tool.version)),
    )


_STATUS = (MEASURED, ANSWERED, OPEN)
_FOR_PERSON = "rulebook.control_person"
"""The reason of a control that is a question for a person."""
_NOT_MEASURABLE = "rulebook.control_for_person"
"""The reason that no measurement answers a question; the line of the question itself states it as open."""


def _section(part: _Part, sheet: _Sheet) -> Section:
    rows = [row for line in part.line for row in sheet.rows(line)]
    return Section(key=part.key, title=part.title, head=HEAD, rows=rows)


def _signatures(made: Template) -> Iterator[Section]:
    if made.signatures:
        rows = [(role, "", "") for role in made.signatures]
        yield Section(key="signatures", title="Signatures", head=("role", "name", "date and signature"), rows=rows)


class _Sheet:
    """The rows of a report for the lines of a document."""

    def __init__(self, report: Report, edition: Edition) -> None:
        self.report = report
        self.wording = wording_of(report, edition, on_page=True)
        self._answers = {item.key: item for item in report.answers}
        self._controls = {control.id: control for control in report.controls}

    def rows(self, line: _Line) -> Iterator[Row]:
        if line.answer:
            yield self._answered(line.answer)
        if line.control:
            yield from self._control(self._controls[line.control])
        for code in line.checks:
            yield from self._check(code)
        if line.measured:
            found = list(_MEASURED[line.measured](self.report, self.wording))
            nothing = ("", sentence(self.wording, f"document.nothing{'_public' if self.wording.public else ''}"))
            for label, text in found or [nothing]:
                yield label or line.item, text, MEASURED

    def _answered(self, key: str) -> Row:
        question = context_question(key, self.wording) if key in CONTEXT else key
        given = self._answers.get(key)
        if given is None:
            return question, sentence(self.wording, "document.to_answer"), OPEN
        return question, self._given(given), ANSWERED if given.status == "holds" else OPEN

    def _given(self, given: GivenAnswer) -> str:
        code = f"document.given_{'dated' if given.owner and given.date else 'plain'}"
        state = fact(f"report.answer_{given.status}")
        names = {key: Name(getattr(given, key)) for key in ("text", "owner", "date")}
        return sentence(self.wording, code, state=state, **names)

    def _control(self, control: Control) -> Iterator[Row]:
        item = sentence(
            self.wording, "document.control", id=Name(control.id), question=Name(control.question or control.title)
        )
        asked = [reason for reason in control.why if reason.code == _FOR_PERSON]
        # What was measured is shown next to the answer of a person, because it may contradict the answer.
        if control.answer != "person" or control.findings:
            yield item, self._measured(control), OPEN if control.answer == "not_measured" else MEASURED
        given = self._answers.get(control.id)
        if given is not None:
            yield item, self._given(given), ANSWERED if given.status == "holds" else OPEN
        elif asked or control.answer == "person":
            question = [shown(self.wording, reason) for reason in asked]
            yield item, " ".join(question) or sentence(self.wording, "document.to_answer"), OPEN

    def _measured(self, control: Control) -> str:
        is_asked = control.answer == "person"
        omitted = (_FOR_PERSON, _NOT_MEASURABLE) if is_asked else (_FOR_PERSON,)
        why = " ".join(shown(self.wording, reason) for reason in control.why if reason.code not in omitted)
        names = {"why": why, "requirement": control.requirement}
        names |= {} if is_asked else {"answer": ANSWERS[control.answer]}
        code = f"document.{'facts' if is_asked else 'answer'}"
        return sentence(self.wording, code, **{key: Name(text) for key, text in names.items()})

    def _check(self, code: str) -> Iterator[Row]:
        check = next((one for one in self.report.checks if one.code == code), None)
        if check is None or check.state == "not_applicable":
            return
        item = f"{code} {check.title}"
        found = [finding for finding in self.report.findings if finding.code == code]
        for finding in found:
            yield item, _finding(finding, self.wording), MEASURED
        if not found and check.state == "passed":
            yield item, sentence(self.wording, "document.not_found"), MEASURED
        elif not found:
            gaps = [shown(self.wording, gap) for gap in check.gaps[:1]]
            yield item, sentence(self.wording, "document.not_measured", why=Name(" ".join(gaps).rstrip("."))), OPEN


def _finding(finding: Finding, wording: Wording) -> str:
    return sentence(
        wording,
        "document.finding",
        message=Name(shown(wording, finding.message)),
        severity=Name(finding.severity),
        status=Name(finding.status),
    )


Pairs = Iterator[tuple[str, str]]


def _table(report: Report, wording: Wording) -> Pairs:
    """Yield name, size and kind of the table."""
    yield "Table", name(report.dataset.name, 200)
    yield "Records", wording.count(report.dataset.n_rows)
    yield "Columns", f"{report.dataset.n_columns:,}"
    if report.dataset.unit is not None:
        yield "What a row is", shown(wording, report.dataset.unit.statement)
    yield "Scanned", name(report.generated_at, 40)


def _methods(report: Report, wording: Wording) -> Pairs:
    """Yield what repeats the measurement: program, policy, seed."""
    yield "Program", f"{report.tool.name} {report.tool.version}"
    yield "Policy", name(f"{report.policy.name}: {report.policy.title}", 300)
    yield "Origin of k", name(report.policy.origins.get("k", ""), 300)
    yield "Seed", f"{report.seed}"
    yield "Command", name(report.command, 1000)


def _of_role(*roles: Role) -> Callable[[Report, Wording], Pairs]:
    def pairs(report: Report, wording: Wording) -> Pairs:
        for column in report.columns:
            if column.role in roles:
                yield "", _column(column, wording)

    return pairs


def _column(column: ColumnReport, wording: Wording) -> str:
    entity = fact("document.no_type") if column.is_ is None else EntityType(column.is_.entity)
    return sentence(wording, f"document.column_{column.role}", column=Columns((column.name,)), entity=entity)


def _thresholds(report: Report, wording: Wording) -> Pairs:
    for row in thresholds.policy(report, wording)["rows"]:
        if row["observed"]:
            observed, limit = Name(row["observed"]), Name(row["limit"])
            yield row["title"], sentence(wording, "document.threshold", observed=observed, limit=limit)


def _features(report: Report, wording: Wording) -> Pairs:
    for column, found in sorted(({} if report.risk is None else report.risk.marginal).items()):
        stated = {"column": name(column), "units": plural(2, report.counted)}
        stated["added"] = wording.count(found.n_unique_added, report.n_units)
        yield "", sentence(wording, "document.feature", **{key: Name(text) for key, text in stated.items()})


def _verdict(report: Report, wording: Wording) -> Pairs:
    yield "", verdict.headline(report)


def _attacks(report: Report, wording: Wording) -> Pairs:
    for attack in () if wording.public else attacks.ranked(report, wording)[: attacks.MOST_ATTACKS]:
        yield attacks.title(attack, wording), attacks.outcome(attack, wording)


def _findings(report: Report, wording: Wording) -> Pairs:
    for finding in report.findings:
        yield f"{finding.code} {name(finding.name, 80)}", _finding(finding, wording)


def _remedies(report: Report, wording: Wording) -> Pairs:
    found = remedies.remedies(report, wording)
    for row in found["rows"]:
        yield "", row["text"]
    if found["n_hidden"]:
        yield "", sentence(wording, "document.remedies_more", n=Number(found["n_hidden"]))


def _residual(report: Report, wording: Wording) -> Pairs:
    if report.gate_.exit_code != 0:
        expected = first_steps.after_plan(report, wording)
        yield "", expected or sentence(wording, "document.no_plan")


def _acceptances(report: Report, wording: Wording) -> Pairs:
    for row in acceptances(report, wording)["rows"]:
        names = {key: Name(row[key]) for key in ("reason", "owner", "expires", "words")}
        yield f"{row['code']} {', '.join(row['columns'])}", sentence(wording, "document.accepted", **names)


def _limits(report: Report, wording: Wording) -> Pairs:
    for item in report.limits:
        if item.incomplete:
            what, why = shown_limit(wording, item)
            yield what, why


_MEASURED: dict[str, Callable[[Report, Wording], Pairs]] = {
    "table": _table,
    "methods": _methods,
    "columns": _of_role("direct", "quasi", "sensitive", "none"),
    "identifiers": _of_role("direct"),
    "quasi": _of_role("quasi"),
    "sensitive": _of_role("sensitive"),
    "thresholds": _thresholds,
    "features": _features,
    "verdict": _verdict,
    "attacks": _attacks,
    "findings": _findings,
    "remedies": _remedies,
    "residual": _residual,
    "acceptances": _acceptances,
    "limits": _limits,
}


_CSV_HEAD = ("part", *HEAD)


def to_csv(page: Page) -> str:
    """Return the rows of a document as CSV."""
    return csv_text(_CSV_HEAD, [(section.title, *row) for section in page.sections for row in section.rows])


def is_document(file: Path) -> bool:
    """Whether a .csv or .docx file is a document that was written before, or is empty."""
    with file.open("rb") as content:
        start = content.read(len(",".join(_CSV_HEAD)))
    if start in (b"", ",".join(_CSV_HEAD).encode()):
        return True
    try:
        with zipfile.ZipFile(file) as parts:
            # The author, whom `docx.render` states there.
            return b"privaudit" in parts.read("docProps/core.xml")
    except (zipfile.BadZipFile, KeyError):
        return False
