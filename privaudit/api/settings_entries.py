"""Write an acceptance or an answer of a person into the settings file, which otherwise stays as it is, byte for byte.

Question: which entry accepts this finding or holds this answer, where is it written, and what else does the file hold?
Method: the file is the one that a scan in this folder reads. The check of an acceptance must exist and allow
acceptances. With a report the finding must exist, its observed value becomes the worst that is accepted, and the entry
holds for the table of the report only. The entry is added at the end. An answer that exists is replaced key by key in
its own table, comments kept; a new one is added at the end. The new content is parsed, and replaces the file in one
step where it holds what was there before and the entry.
Limits: an acceptance that exists is changed or removed in the file, by a person, and so is an answer that is written
inline.
"""

from __future__ import annotations

import copy
import os
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from privaudit.api.scans import place_of
from privaudit.base import clock
from privaudit.base.errors import ColumnNotFound, ConfigError
from privaudit.base.toml_text import toml_key
from privaudit.model import Finding, Report
from privaudit.model.headers import shown_file
from privaudit.model.vocabulary.statements import CONTEXT
from privaudit.report import files
from privaudit.rulebook import check_entries, check_keys, load_checks
from privaudit.rulebook.acceptances import acceptable_check
from privaudit.rulebook.outcome import fingerprint as fingerprint_of
from privaudit.rulebook.packs import Check
from privaudit.settings.acceptance import (
    AcceptanceEntry,
    parse_columns,
    parse_date,
    parse_entries,
    split_columns,
    to_toml,
)
from privaudit.settings.answers import CONTROL, AnswerEntry, parse_answers, value_lines
from privaudit.settings.answers import to_toml as answer_to_toml
from privaudit.settings.config import CONFIG_FILE
from privaudit.settings.config_files import (
    TABLES,
    find_config,
    has_tool_section,
    load_config,
    load_tables,
    path_from,
    pattern_of,
)

_NEW_FILE = "# Settings of privaudit; docs/configuration.md lists all keys.\n"
_ANSWERS = "answers"
WHOLE_TABLE = "*"
_ACCEPT = "accept"


class Written(NamedTuple):
    """The entries that were written, and the pattern of the tables they hold for; None for every table."""

    entries: tuple[AcceptanceEntry, ...]
    pattern: str | None


def write_entries(
    code: str,
    columns: str | tuple[str, ...],
    stated: Mapping[str, Any],
    *,
    fingerprint: str | None,
    report: Report | None,
    table: str | None,
    file: Path | None,
    rules: Path | None,
) -> Written:
    """Add the entries that accept a finding to `file` and return them with the tables they hold for.

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
    table : str or None
        The path of the table that the entries hold for, or a pattern; None for the table of the report, and without
        one for every table.
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
    entries = tuple(_entry(wanted, finding, _mark(finding, fingerprint, alone=len(found) == 1)) for finding in found)
    check_entries(entries, checks, today)
    if entries[0].expires < today:
        raise ConfigError("--expires is in the past.", hint="name the last day on which the finding is accepted")
    chosen = _chosen(file)
    pattern = _pattern(table, report, chosen)
    _add(chosen, entries, pattern)
    return Written(entries, pattern)


def _pattern(table: str | None, report: Report | None, file: Path) -> str | None:
    """Return the pattern of the tables that the entries hold for; None where they hold for every table.

    Raises
    ------
    ConfigError
        For a report that does not name the path of its table: its entries must not hold for other tables.
    """
    if table is not None:
        return pattern_of(table, file) if os.path.exists(table.partition("#")[0]) else path_from(table, file)
    if report is None:
        return None
    if not report.dataset.path:
        raise ConfigError(
            "The report does not state the path of its table.",
            hint='name the table, or a pattern such as "*" for every one, with --table',
        )
    return pattern_of(place_of(report), file)


def _code(text: str, checks: Iterable[Check]) -> str:
    """Return the code of the check with this code or name."""
    known = {check.code: check for check in checks}
    code = next((check.code for check in known.values() if check.name == text), text.upper())
    return acceptable_check(code, known).code


def _mark(finding: Finding | None, given: str | None, *, alone: bool) -> str | None:
    """Return the fingerprint that the entry for a finding states, if code and columns do not identify the finding.

    A finding about an entity type has code and columns in common with one about another entity type: what was accepted
    of e-mail addresses must not hold for card numbers that replace them.
    """
    if finding is None:
        return given
    is_named = alone and finding.fingerprint == fingerprint_of(finding.code, finding.subject)
    return given if is_named else finding.fingerprint


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


def _add(file: Path, entries: Sequence[AcceptanceEntry], pattern: str | None) -> None:
    target, before, content, section = _opened(file)
    path = (*section, *([] if pattern is None else [TABLES, pattern]), _ACCEPT)
    kept = parse_entries(_at(content, path) or (), file.name)
    # Together with those it has: two entries may contradict each other.
    parse_entries([*kept, *entries], file.name)
    after = before + _addition(before, entries, ".".join(map(toml_key, path)))
    # For example next to an inline list, the file would not hold the entries.
    if parse_entries(_at(_parsed(after), path) or (), file.name) != (*kept, *entries):
        raise ConfigError(
            f"The entry cannot be added to {shown_file(file)}.",
            hint=f"write all acceptances there as [[{'.'.join(map(toml_key, path))}]]",
        )
    files.replace(target, after)


def _addition(before: str, entries: Sequence[AcceptanceEntry], table: str) -> str:
    gap = "\n" if not before or before.endswith("\n") else "\n\n"
    text = "".join(f"{gap if number == 0 else chr(10)}{to_toml(entry, table)}" for number, entry in enumerate(entries))
    # With the line ends of the file, so that the change is only what was added.
    return text.replace("\n", "\r\n") if "\r\n" in before else text


def write_answer(entry: AnswerEntry, *, table: str | None, file: Path | None, rules: Path | None) -> AnswerEntry:
    """Write `entry` to `file` and return it.

    Parameters
    ----------
    entry : AnswerEntry
    table : str or None
        The path of the table it is about, or a pattern; None for every table.
    file : Path or None
        The settings file; None for the one a scan in the current folder reads, or a new one there.
    rules : Path or None
        A folder with further frameworks of the user.

    Raises
    ------
    ConfigError
        For an unknown control, or a file that cannot hold the answer.
    """
    check_keys((entry.key,), rules)
    chosen = _chosen(file)
    target, before, old, section = _opened(chosen)
    path = [*section, _ANSWERS, *([] if table is None else [path_from(table, chosen)])]
    path += [entry.key] if entry.key in CONTEXT else [CONTROL, entry.key]
    after = _changed(before, path, entry)
    if _parsed(after) != _expected(old, path, entry):
        raise ConfigError(
            f"The answer cannot be written to {shown_file(chosen)}.",
            hint=f"change it by hand, or write each answer as a table such as [{'.'.join(path[-2:])}]",
        )
    parse_answers(_at(_parsed(after), [*section, _ANSWERS]), shown_file(chosen))
    files.replace(target, after)
    return entry


def _expected(old: Mapping[str, Any], path: Sequence[str], entry: AnswerEntry) -> dict[str, Any]:
    made = copy.deepcopy(dict(old))
    held = made
    for key in path[:-1]:
        held = held.setdefault(key, {})
    held[path[-1]] = tomllib.loads("\n".join(value_lines(entry).values()))
    return made


def _changed(before: str, path: Sequence[str], entry: AnswerEntry) -> str:
    newline = "\r\n" if "\r\n" in before else "\n"
    lines = before.splitlines()
    span = _span(lines, path)
    if span is None:
        lines = _without_text(lines, path)
        gap = [""] if lines and lines[-1].strip() else []
        lines += [*gap, *answer_to_toml(entry, path).splitlines()]
    else:
        first, last = span
        lines[first + 1 : last] = _replaced(lines[first + 1 : last], value_lines(entry))
    return newline.join([*lines, ""])


def _span(lines: Sequence[str], path: Sequence[str]) -> tuple[int, int] | None:
    """Return the number of the header of the table at `path`, and that of the line after it."""
    headers = [i for i, line in enumerate(lines) if line.lstrip().startswith("[")]
    for i, next_header in pairwise([*headers, len(lines)]):
        if _path_of(lines[i]) == list(path):
            return i, next_header
    return None


def _path_of(header: str) -> list[str]:
    """Return the keys of a header such as [a."b"]; none for a line that is not one."""
    try:
        content = tomllib.loads(header)
    except tomllib.TOMLDecodeError:
        return []
    found: list[str] = []
    while isinstance(content, dict) and len(content) == 1:
        ((key, content),) = content.items()
        found.append(key)
    return found if content == {} else []


def _replaced(lines: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """Return the lines of a table with new values: comments and empty lines stay where they are."""
    found, rest = [], dict(values)
    for line in lines:
        key = re.match(r"\s*(text|owner|date|until|fingerprint)\s*=", line)
        if key is None:
            found.append(line)
        elif key[1] in rest:
            found.append(rest.pop(key[1]) + _comment(line))
    return [*rest.values(), *found]


def _comment(line: str) -> str:
    """Return the comment at the end of a line, with the space before it."""
    for at in (found.start() for found in re.finditer("#", line)):
        try:
            tomllib.loads(line[:at])
        except tomllib.TOMLDecodeError:
            continue
        return "  " + line[at:]
    return ""


def _without_text(lines: Sequence[str], path: Sequence[str]) -> list[str]:
    """Return the lines without the answer that the table above `path` states as a text on one line."""
    span = _span(lines, path[:-1])
    if span is None:
        return list(lines)
    first, last = span
    kept = [line for line in lines[first + 1 : last] if not re.match(rf"\s*{re.escape(path[-1])}\s*=", line)]
    return [*lines[: first + 1], *kept, *lines[last:]]


def _chosen(file: Path | None) -> Path:
    return file or find_config(Path.cwd()) or Path(CONFIG_FILE)


def _opened(file: Path) -> tuple[Path, str, dict[str, Any], tuple[str, ...]]:
    """Return the file behind a settings file, its text, its content, and the keys of its section of settings.

    A settings file may be a link; the file behind it is changed, and the link stays.
    """
    target = file.resolve() if file.exists() else file
    files.check(target, may_replace=lambda _: True)  # what the file has is kept
    if not file.exists():
        return target, _NEW_FILE, {}, ()
    # A file that is not valid is not changed.
    load_config(file)
    load_tables(file)
    text = target.read_bytes().decode("utf-8")
    content = _parsed(text)
    return target, text, content, ("tool", "privaudit") if has_tool_section(file, content) else ()


def _parsed(text: str) -> dict[str, Any]:
    """Return the content of a settings file; nothing for a text that is not TOML."""
    try:
        text.encode("utf-8")
        return tomllib.loads(text.removeprefix("\ufeff"))
    except UnicodeEncodeError:
        raise ConfigError("The entry contains text that is not Unicode.") from None
    except tomllib.TOMLDecodeError:
        return {}


def _at(content: Any, path: Sequence[str]) -> Any:
    """Return the value at `path`, and nothing where there is none."""
    for key in path:
        content = content.get(key, {}) if isinstance(content, Mapping) else {}
    return content
