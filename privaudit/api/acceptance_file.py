"""Write an acceptance into the settings file, which otherwise stays as it is, byte for byte.

Question: which entry accepts this finding, and where is it written?
Method: the check must exist and allow acceptances. With a report the finding must exist, and its observed value becomes
the worst that is accepted. The entry is added at the end of the settings file that a scan in this folder reads; the new
content is parsed before it replaces the file in one step.
Limits: adds entries only. An entry that exists is changed or removed in the file, by a person.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from privaudit.base import clock, resources
from privaudit.base.errors import ColumnNotFound, ConfigError
from privaudit.model import Finding, Report
from privaudit.model.headers import shown_file
from privaudit.rulebook import check_entries, load_checks
from privaudit.rulebook.acceptances import acceptable_check
from privaudit.rulebook.packs import Check
from privaudit.settings.acceptance import (
    AcceptanceEntry,
    parse_columns,
    parse_date,
    parse_entries,
    split_columns,
    to_toml,
)
from privaudit.settings.config import CONFIG_FILE
from privaudit.settings.config_files import find_config, has_tool_section, load_config

WHOLE_TABLE = "*"
_NEW_FILE = "# Settings of privaudit; docs/configuration.md lists all keys.\n"


def write_entries(
    code: str,
    columns: str | tuple[str, ...],
    stated: Mapping[str, Any],
    *,
    fingerprint: str | None,
    report: Report | None,
    file: Path | None,
    rules: Path | None,
) -> tuple[AcceptanceEntry, ...]:
    """Add the entries that accept a finding to `file` and return them.

    Parameters
    ----------
    code : str
        The code or the name of the check.
    columns : tuple of str, or a text such as "age,sex" or "*"
    stated : mapping
        Reason, owner and last day, as an entry has them.
    fingerprint : str or None
        The one finding that is accepted, where several have the same code and columns.
    report : Report or None
        The report with the finding.
    file : Path or None
        The settings file; None for the one a scan in the current folder reads, or a new one there.
    rules : Path or None
        A folder with further packs of the user.

    Raises
    ------
    ConfigError
        Where the finding cannot be accepted, or the file cannot be written.
    ColumnNotFound
        For a column that the table of the report does not have.
    """
    today = clock.today()
    checks = load_checks(rules)
    code = _code(code, checks)
    named = _columns(columns, code, report)
    found = (None,) if report is None else _findings(report, code, named, fingerprint)
    wanted = {**stated, "code": code, "columns": named, "expires": parse_date(stated["expires"], "--expires")}
    entries = tuple(
        # Code and columns name one finding; where there are several, the fingerprint distinguishes them.
        _entry(wanted, finding, fingerprint if finding is None or len(found) == 1 else finding.fingerprint)
        for finding in found
    )
    check_entries(entries, checks, today)
    if entries[0].expires < today:
        raise ConfigError("--expires is in the past.", hint="name the last day on which the finding is accepted")
    _add(file or find_config(Path.cwd()) or Path(CONFIG_FILE), entries)
    return entries


def _code(text: str, checks: Iterable[Check]) -> str:
    """Return the code of the check with this code or name."""
    known = {check.code: check for check in checks}
    code = next((check.code for check in known.values() if check.name == text), text.upper())
    return acceptable_check(code, known).code


def _entry(wanted: Mapping[str, Any], finding: Finding | None, fingerprint: str | None) -> AcceptanceEntry:
    worst = None if finding is None else finding.observed
    return parse_entries([{**wanted, "worst_accepted": worst, "fingerprint": fingerprint}], "the arguments")[0]


def _columns(given: str | Sequence[str], code: str, report: Report | None) -> tuple[str, ...]:
    if not isinstance(given, str):
        columns = parse_columns(given, "the arguments")
    elif report is not None and (same := _subject_written_as(given, code, report)) is not None:
        columns = same
    else:
        columns = () if given == WHOLE_TABLE else parse_columns(split_columns(given), "the arguments")
    known = [column.name for column in report.columns] if report is not None else columns
    ColumnNotFound.check(columns, "the table of the report", known)
    return columns


def _subject_written_as(text: str, code: str, report: Report) -> tuple[str, ...] | None:
    """Return the columns of the finding of `code` that `text` lists, also where a name contains a comma."""
    same = (f.subject for f in report.findings if f.code == code and ",".join(f.subject) == text)
    return next(same, None)


def _findings(report: Report, code: str, columns: tuple[str, ...], fingerprint: str | None) -> tuple[Finding, ...]:
    found = tuple(
        finding
        for finding in report.findings
        if finding.code == code and set(finding.subject) == set(columns) and fingerprint in (None, finding.fingerprint)
    )
    if found:
        return found
    others = {"+".join(f.subject) or "the whole table" for f in report.findings if f.code == code}
    raise ConfigError(
        f"The report has no such finding of {code}.",
        hint=f"it has one on: {'; '.join(sorted(others))}" if others else "privaudit render shows its findings",
    )


def _add(file: Path, entries: Sequence[AcceptanceEntry]) -> None:
    from privaudit.report import files

    # A settings file may be a link; the file behind it is changed, and the link stays.
    target = file.resolve() if file.exists() else file
    files.check(target, may_replace=lambda _: True)  # what the file has is kept
    if file.exists():
        kept = tuple(load_config(file).get("accept", ()))
        before = target.read_bytes().decode("utf-8")
    else:
        kept, before = (), _NEW_FILE
    # Together with those it has: two entries may contradict each other.
    parse_entries([*kept, *entries], file.name)
    after = before + _addition(before, entries, _table(file))
    _check_added(after, file, (*kept, *entries))
    files.replace(target, after)


def _table(file: Path) -> str:
    """Return the name of the array of acceptances in `file`."""
    content = resources.read_toml(file, shown_file(file)) if file.exists() else {}
    return "tool.privaudit.accept" if has_tool_section(file, content) else "accept"


def _addition(before: str, entries: Sequence[AcceptanceEntry], table: str) -> str:
    gap = "\n" if not before or before.endswith("\n") else "\n\n"
    text = "".join(f"{gap if number == 0 else chr(10)}{to_toml(entry, table)}" for number, entry in enumerate(entries))
    # With the line ends of the file, so that the change is only what was added.
    return text.replace("\n", "\r\n") if "\r\n" in before else text


def _check_added(text: str, file: Path, expected: tuple[AcceptanceEntry, ...]) -> None:
    """Raise where `text` does not hold the expected entries, for example next to an inline list."""
    try:
        text.encode("utf-8")
        content = tomllib.loads(text.removeprefix("\ufeff"))
    except UnicodeEncodeError:
        raise ConfigError("The acceptance contains text that is not Unicode.") from None
    except tomllib.TOMLDecodeError:
        content = {}
    section = content["tool"]["privaudit"] if content and has_tool_section(file, content) else content
    if parse_entries(section.get("accept", ()), file.name) != expected:
        raise ConfigError(
            f"The entry cannot be added to {shown_file(file)}.", hint="write all acceptances of the file as [[accept]]"
        )
