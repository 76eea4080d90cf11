"""What a program calls on saved reports: `accept`, `answer`, `write_baseline`, `compare`, the checks of `gate`.

Question: which findings are known already, what changed between two scans, and does a saved report still hold?
Method: each function takes a report or the path of a report.json; `load` reads it.
Limits: reads no table and holds no measurement of its own.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from privaudit.api.scans import judge, key_of_report, load, loaded
from privaudit.audit.result import Comparison, GateDecision, ScanReport
from privaudit.base import clock
from privaudit.base.errors import ConfigError, UnreadableSource
from privaudit.base.extras import DOCX, needing
from privaudit.model import Finding, PolicyInfo, Report, Severity
from privaudit.model.headers import shown_file
from privaudit.report import files, render
from privaudit.report.json import is_report, plain
from privaudit.report.pages import history as history_page
from privaudit.report.pages import page as pages
from privaudit.settings.acceptance import AcceptanceEntry, parse_date
from privaudit.settings.answers import AnswerEntry

if TYPE_CHECKING:
    from privaudit.rulebook import Baseline


def accept(
    code: str,
    columns: str | Iterable[str],
    *,
    reason: str,
    owner: str,
    expires: str | datetime.date,
    report: ScanReport | str | Path | None = None,
    fingerprint: str | None = None,
    table: str | Path | None = None,
    config: str | Path | None = None,
    rules: str | Path | None = None,
) -> tuple[AcceptanceEntry, ...]:
    """Write an acceptance of a finding to the settings file.

    Parameters
    ----------
    code : str
        The code or the name of the check.
    columns : str or several
        The columns of the finding: a list, or a text such as "age,sex"; "*" for a finding on the whole table.
    reason, owner : str
        Why the finding is accepted, and who decided so.
    expires : str or date
        The last day of the acceptance, at most a year ahead.
    report : ScanReport or path of a report.json, optional
        The report with the finding. The finding must exist, its observed value becomes the worst that is accepted, and
        the acceptance holds for the table of the report.
    fingerprint : str, optional
        Accepts one finding, where several have the same code and columns.
    table : path, optional
        The table for which it holds, or a pattern; without a table and a report, every table.
    config : path, optional
        The settings file; by default the nearest one, or a new ``privaudit.toml`` in the current folder.
    rules : path, optional
        Folder with packs of your own.

    Returns
    -------
    tuple of AcceptanceEntry
        What was written: one entry, or one for each finding of the report with this code and these columns.

    Raises
    ------
    ConfigError
        For an unknown check or finding, an incomplete entry, a wrong date, a finding that is accepted already, or a
        report that does not state the path of its table, where `table` is not given.
    """
    from privaudit.api.settings_entries import write_entries

    wire = None if report is None else loaded(report).wire
    return write_entries(
        code,
        columns if isinstance(columns, str) else tuple(columns),
        {"reason": reason, "owner": owner, "expires": expires},
        fingerprint=fingerprint,
        report=wire,
        table=None if table is None else str(table),
        file=None if config is None else Path(config),
        rules=None if rules is None else Path(rules),
    ).entries


def answer(
    control: str,
    *,
    text: str,
    owner: str,
    until: str | datetime.date,
    table: str | Path | None = None,
    report: ScanReport | str | Path | None = None,
    config: str | Path | None = None,
    rules: str | Path | None = None,
) -> AnswerEntry:
    """Write the answer of a person to a control, or about the context of a release, to the settings file.

    Parameters
    ----------
    control : str
        The id of a control, for example "GDPR-5.1.e"; or "purpose", "recipients", "legal_basis", "holder",
        "release_model", "controls", "decides" or "review".
    text, owner : str
        The answer, and who gives it.
    until : str or date
        The last day on which it holds; afterwards it is a finding (RUN007).
    table : path, optional
        The table it is about, or a pattern; every table where absent.
    report : ScanReport or path of a report.json, optional
        The report that was read for it: for other data than those of the report, the answer is a finding (RUN008).
    config : path, optional
        The settings file; by default the nearest one, or a new ``privaudit.toml`` in the current folder.
    rules : path, optional
        Folder with frameworks of your own.

    Returns
    -------
    AnswerEntry

    Raises
    ------
    ConfigError
        For an unknown control, an empty text, a day in the past, or a file that cannot hold the answer.
    """
    from privaudit.api.settings_entries import write_answer

    last, today = parse_date(until, "--until"), clock.today()
    if last < today:
        raise ConfigError("--until is in the past.", hint="name the last day on which the answer holds")
    if not text.strip() or not owner.strip():
        raise ConfigError("--text and --owner must not be empty.")
    wire = None if report is None else loaded(report).wire
    entry = AnswerEntry(
        key=control,
        text=text.strip(),
        owner=owner.strip(),
        date=today,
        until=last,
        fingerprint="" if wire is None else wire.dataset.fingerprint,
    )
    return write_answer(
        entry,
        table=None if table is None else str(table),
        file=None if config is None else Path(config),
        rules=None if rules is None else Path(rules),
    )


def write_baseline(
    report: ScanReport | str | Path, file: str | Path, *, rules: str | Path | None = None, name: str | None = None
) -> int:
    """Add a table with the findings of its report to a baseline, or replace it there, and return their number.

    Parameters
    ----------
    report : ScanReport or path of a report.json
    file : path
        A .json file, which may hold other tables; it is replaced in one step.
    rules : path, optional
        Folder with packs of your own, as in the scan.
    name : str, optional
        Name of the table in the baseline; by default its path relative to the file.

    Raises
    ------
    ConfigError
        If the file is not a baseline, or the table has neither a path nor a name.
    """
    return write_baselines([(loaded(report), name)], file, rules=rules)


def write_baselines(
    reports: Iterable[tuple[ScanReport, str | None]], file: str | Path, *, rules: str | Path | None = None
) -> int:
    """Add tables to a baseline as `write_baseline` does, each report with the name of its table or None."""
    from privaudit.rulebook import known_table, load_checks

    checks, target = load_checks(None if rules is None else Path(rules)), Path(file)
    held, n_findings = _held(target), 0
    for report, name in reports:
        made = known_table(report.wire, checks)
        held = held.with_table(_key(report, target.parent, name), made)
        n_findings += len(made.findings)
    _replace(target, held)
    return n_findings


def remove_from_baseline(table: str, file: str | Path) -> None:
    """Remove a table from a baseline, by its key.

    Raises
    ------
    ConfigError
        If the file is not a baseline, or does not hold the table.
    """
    from privaudit.rulebook import read_baseline

    _replace(Path(file), read_baseline(Path(file)).without(table))


def _held(file: Path) -> Baseline:
    from privaudit.rulebook import Baseline, read_baseline

    return read_baseline(file) if file.exists() else Baseline()


def _key(report: ScanReport, folder: Path, name: str | None) -> str:
    from privaudit.source.places.location import table_key

    if name is None and report.source is None and report.wire.dataset.path:
        return key_of_report(report.wire, folder)
    return table_key(report.source, folder, name)


def _replace(target: Path, held: Baseline) -> None:
    from privaudit.rulebook import baseline_text

    files.check(target)
    files.replace(target, baseline_text(held))


def compare(
    old: ScanReport | str | Path,
    new: ScanReport | str | Path,
    *,
    tolerance: float = 0.1,
    fail_on: Severity | None = None,
) -> Comparison:
    """Compare two reports: which findings are new, worse, better or resolved, and what became of the risk.

    Parameters
    ----------
    old, new : ScanReport or path of a report.json
    tolerance : float
        Share by which counts and shares may grow before a finding is worse; levels such as k are compared exactly.
    fail_on : str, optional
        Lowest severity of a new or worse finding that fails; the lower one of the two policies where absent.
    """
    from privaudit.rulebook.differences import differences

    before, after = (loaded(one).wire for one in (old, new))
    return Comparison(differences(before, after, tolerance=tolerance, fail_on=fail_on))


def history(sources: Iterable[str | Path], *, name: str | None = None) -> History:
    """Return how the risk of each table developed over saved reports.

    Parameters
    ----------
    sources : iterable of path
        Saved reports, or folders; a file in a folder that is not a saved report is ignored.
    name : str, optional
        The name of the one table that all reports are about; by default, reports are of the same table if the names of
        their files are the same.

    Raises
    ------
    UnreadableSource
        If a named file is not a report, or a report was changed after it was written.
    ConfigError
        If none of the sources is a stored report.
    """
    files = [file for source in sources for file in _report_files(Path(source))]
    if not files:
        raise ConfigError(
            "The folders contain no saved report: no .json file of privaudit scan.",
            hint="write one: privaudit scan TABLE -o NAME.json",
        )
    reports = tuple(load(file).wire for file in dict.fromkeys(files))
    if name is not None:
        reports = tuple(replace(one, dataset=replace(one.dataset, name=name)) for one in reports)
    return History(reports, tuple(files))


def _report_files(source: Path) -> list[Path]:
    if not source.is_dir():
        return [source]
    return [file for file in sorted(source.rglob("*.json")) if file.is_file() and is_report(file)]


@dataclass(frozen=True, slots=True)
class History:
    """The reports of one or more tables in the order of their scans."""

    reports: tuple[Report, ...]
    files: tuple[Path, ...]

    def text(self) -> str:
        """Return the history for a terminal."""
        return pages.text(history_page.page(self.reports))

    def write(self, path: str | Path) -> None:
        """Write the history; the suffix (.html, .md, .json) selects the format."""
        pages.write(history_page.page(self.reports), history_page.record(self.reports), Path(path), self.files)


def decide_again(report: ScanReport, *, fail_on: Severity | None = None) -> GateDecision:
    """Return the decision of the gate on the findings of a report, whatever decision it states.

    A shipped policy counts as it is shipped; another one as the report states it. Acceptances and answers that have
    ended since decide as on the present day.
    """
    from privaudit.rulebook.gate import decide

    policy, findings = _on_this_day(report)
    return GateDecision(decide(findings, report.wire.limits, policy, fail_on or report.wire.gate_.fail_on))


def _on_this_day(report: ScanReport) -> tuple[PolicyInfo, tuple[Finding, ...]]:
    """Return the policy of a report, and its findings on the present day."""
    from privaudit.rulebook import findings_on, load_policy, policy_names

    wire = report.wire
    policy = load_policy(wire.policy.name) if wire.policy.name in policy_names() else wire.policy
    return policy, findings_on(wire, policy, clock.today())


def require_same(saved: ScanReport, again: ScanReport, name: str) -> None:
    """Raise `ConfigError` where a new scan measures, finds or decides anything else than `saved` states.

    Reports hold no hash of the values: a table in which other values have the same counts is not distinguished. The
    decision holds for it too, because the new scan made it.
    """
    old, new = _stated(saved), _stated(again)
    if differing := [part for part in old if not _agrees(old[part], new[part])]:
        raise ConfigError(
            f"{shown_file(name)} does not state what a new scan of the table finds: {', '.join(differing)}.",
            hint="write a new report",
        )


def _stated(report: ScanReport) -> dict[str, object]:
    """Return what a second scan of the same table with the same settings states again, by the key of the report."""
    wire = report.wire
    evidence = plain(wire.evidence)
    # The identity of a table does not include where it is, and how it was read.
    evidence["dataset"] = wire.dataset.n_rows, wire.dataset.fingerprint
    # A report that was judged again has further remarks, and a new scan advises anew.
    evidence["limits"] = [plain(item) for item in wire.limits if item.incomplete]
    judging = [plain(file) for file in wire.files if file.purpose != "settings"]
    policy, findings = _on_this_day(report)
    found = sorted((f.code, f.subject, f.severity, f.status, f.fingerprint) for f in findings)
    decided = decide_again(report).exit_code
    return {**evidence, "policy": plain(policy), "files": judging, "findings": found, "gate": decided}


def _agrees(old: object, new: object) -> bool:
    """Return whether two values are the same; another processor may round the last digits of a number differently."""
    if isinstance(old, float) and isinstance(new, float):
        return math.isclose(old, new, rel_tol=1e-9, abs_tol=1e-12)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return old.keys() == new.keys() and all(_agrees(value, new[key]) for key, value in old.items())
    if isinstance(old, (list, tuple)) and isinstance(new, (list, tuple)):
        return len(old) == len(new) and all(map(_agrees, old, new))
    return old == new


DOCUMENT_SUFFIXES = (".html", ".docx", ".md", ".csv", ".json")
"""Formats of documents."""


def write_document(
    report: ScanReport | str | Path,
    kind: str,
    file: str | Path,
    *,
    edition: Literal["full", "public"] = "full",
    rules: str | Path | None = None,
) -> None:
    """Write a document for people who decide, from a saved report.

    Parameters
    ----------
    report : ScanReport or path of a report.json
        It is judged by the frameworks of the document where it was not.
    kind : {"dpia", "record-of-processing", "expert-determination", "breach-sheet"}
    file : path
        .html, .docx (extra ``docx``), .md, .csv or .json.
    edition : {"full", "public"}
    rules : path, optional
        Folder with packs of your own, as in the scan.

    Raises
    ------
    ConfigError
        For an unknown document or suffix, or a file that must not be written.
    UnsupportedFormat
        For .docx without python-docx.
    """
    from privaudit.report.pages import documents, docx, page

    target = Path(file)
    check_document(kind, target)
    saved = loaded(report)
    held = {control.framework for control in saved.wire.controls}
    if not held >= set(documents.template(kind).frameworks):
        saved = judge(saved, framework=(*sorted(held), *documents.template(kind).frameworks), rules=rules)
    made = documents.document(saved.wire, kind, edition)
    inputs = () if isinstance(report, ScanReport) else (report,)
    if target.suffix.lower() in (".docx", ".csv"):
        files.check(target, inputs, may_replace=documents.is_document)
        files.replace(target, documents.to_csv(made) if target.suffix.lower() == ".csv" else docx.render(made))
        return
    rows = [{"part": part.key, **dict(zip(part.head, row, strict=True))} for part in made.sections for row in part.rows]
    page.write(made, {"document": kind, "rows": rows}, target, [Path(each) for each in inputs])


def check_document(kind: str, file: str | Path) -> None:
    """Raise `ConfigError` or `UnsupportedFormat` for a document that cannot be written, before any work."""
    from privaudit.report.pages import documents

    documents.template(kind)
    suffix = Path(file).suffix.lower()
    if suffix not in DOCUMENT_SUFFIXES:
        raise ConfigError(
            f"{shown_file(file)} has no suffix of a document.", hint=f"use one of: {', '.join(DOCUMENT_SUFFIXES)}"
        )
    if suffix == ".docx":
        with needing(DOCX, "Writing .docx"):
            import docx  # noqa: F401 - whether it is installed


def verify_page(page: str | Path, report: str | Path) -> Literal["full", "public"] | None:
    """Return the edition in which a saved report renders to exactly the bytes of a page; None where none does.

    Parameters
    ----------
    page : path of a report.html
    report : path of a report.json

    Raises
    ------
    UnreadableSource
        If a file cannot be read.
    """
    wire, written = load(report).wire, _bytes(Path(page))
    editions: tuple[Literal["full", "public"], ...] = ("full", "public")
    return next((one for one in editions if render(wire, "html", edition=one).encode() == written), None)


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        raise UnreadableSource(f"{shown_file(file)} cannot be read.", hint="check the path") from None
