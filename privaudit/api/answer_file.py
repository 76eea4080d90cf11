"""Write an answer of a person into the settings file, which otherwise stays as it is, byte for byte.

Question: where is an answer written, and does the file hold it and everything else afterwards?
Method: an answer that exists is replaced key by key in its own table, comments kept; a new one is added at the end. The
new content is parsed, and replaces the file in one step where it holds what was there before and the answer.
Limits: a file that writes answers inline is changed by a person.
"""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from privaudit.base.errors import ConfigError
from privaudit.model.headers import shown_file
from privaudit.model.vocabulary.statements import CONTEXT
from privaudit.rulebook import check_keys
from privaudit.settings.answers import CONTROL, AnswerEntry, parse_answers, to_toml, value_lines
from privaudit.settings.config import CONFIG_FILE
from privaudit.settings.config_files import find_config, has_tool_section, path_from

_NEW_FILE = "# Settings of privaudit; docs/configuration.md lists all keys.\n"
_ANSWERS = "answers"


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
    from privaudit.report import files

    check_keys((entry.key,), rules)
    chosen = file or find_config(Path.cwd()) or Path(CONFIG_FILE)
    target = chosen.resolve() if chosen.exists() else chosen
    files.check(target, may_replace=lambda _: True)  # what the file has is kept
    before = target.read_bytes().decode("utf-8") if chosen.exists() else _NEW_FILE
    old = _parsed(before, chosen)
    section = ["tool", "privaudit"] if chosen.exists() and has_tool_section(chosen, old) else []
    path = [*section, _ANSWERS, *([] if table is None else [path_from(table, chosen)])]
    path += [entry.key] if entry.key in CONTEXT else [CONTROL, entry.key]
    after = _changed(before, path, entry)
    if _parsed(after, chosen) != _expected(old, path, entry):
        raise ConfigError(
            f"The answer cannot be written to {shown_file(chosen)}.",
            hint=f"change it by hand, or write each answer as a table such as [{'.'.join(path[-2:])}]",
        )
    parse_answers(_at(_parsed(after, chosen), [*section, _ANSWERS]), shown_file(chosen))
    files.replace(target, after)
    return entry


def _parsed(text: str, file: Path) -> dict[str, Any]:
    try:
        text.encode("utf-8")
        return tomllib.loads(text.removeprefix("\ufeff"))
    except UnicodeEncodeError:
        raise ConfigError("The answer contains text that is not Unicode.") from None
    except tomllib.TOMLDecodeError:
        raise ConfigError(
            f"The answer cannot be written to {shown_file(file)}.", hint="write each answer as a table of its own"
        ) from None


def _at(content: Any, path: Sequence[str]) -> Any:
    for key in path:
        content = content.get(key, {}) if isinstance(content, Mapping) else {}
    return content


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
        lines += [*gap, *to_toml(entry, path).splitlines()]
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
