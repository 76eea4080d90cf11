"""Answers of people as a settings file writes them: what a scan cannot know, by whom, since when, and until when.

Question: what did somebody answer about the tables, and is each answer complete?
Method: ``[answers]`` holds for every table and ``[answers."PATH OR PATTERN"]`` for those whose path matches, with the
keys of `CONTEXT` and one table for each control below ``control``. An answer is a table with a text, an owner, a day
and a last day; about the context a text alone is enough, and for the review its day.
Limits: checks the form of an answer. The rulebook knows the controls, compares with the current day, and measures
nothing with an answer.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, field
from typing import Any

from privaudit.base import resources
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.base.toml_text import toml_key, toml_lines
from privaudit.model.vocabulary.statements import CONTEXT
from privaudit.settings.acceptance import parse_date, parse_text

CONTROL = "control"
"""The key below which the answers to controls are."""
REVIEW = "review"
_KEYS = ("text", "owner", "date", "until", "fingerprint")
_HINT = "see docs/configuration.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerEntry:
    """What a person answered.

    Attributes
    ----------
    key : str
        The id of a control, or one of `CONTEXT`.
    text, owner : str
        The answer, and who gave it.
    date, until : date or None
        The day of the answer, and the last day on which it holds.
    fingerprint : str
        That of the table it was given about; empty where it holds for any data.
    """

    key: str
    text: str
    owner: str = ""
    date: datetime.date | None = None
    until: datetime.date | None = None
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class AnswerBook:
    """The answers for every table, and those for tables whose path matches a pattern."""

    entries: tuple[AnswerEntry, ...] = ()
    tables: Mapping[str, tuple[AnswerEntry, ...]] = field(default_factory=dict)

    def of(self, matches: Callable[[str], bool]) -> AnswerBook:
        """Return the answers for one table; those of a pattern that `matches` replace those for every table."""
        found = {entry.key: entry for entry in self.entries}
        for pattern, entries in self.tables.items():
            if matches(pattern):
                # A later pattern of the file takes precedence, as the sections of tables do.
                found.update({entry.key: entry for entry in entries})
        return AnswerBook(tuple(found.values()))


def parse_answers(value: Any, where: str) -> AnswerBook:
    """Return the answers of a setting "answers".

    Raises
    ------
    ConfigError
        For anything but tables of answers; the message names the place.
    """
    if isinstance(value, AnswerBook):
        return value
    if not isinstance(value, Mapping):
        raise ConfigError(f'"answers" in {where} must be a table.', hint=_HINT)
    own = {key: item for key, item in value.items() if key in CONTEXT or key == CONTROL}
    tables = {key: item for key, item in value.items() if key not in own}
    for pattern, section in tables.items():
        # A key that is neither known nor a section is a slip, such as "reveiw", and not a pattern.
        if not isinstance(section, Mapping):
            raise ConfigError(
                f'Unknown key "{pattern}" in [answers] of {where}.', hint=f"keys: {', '.join((*CONTEXT, CONTROL))}"
            )
    return AnswerBook(
        _entries(own, f"[answers] of {where}"),
        {name: _entries(section, f'[answers."{name}"] of {where}') for name, section in tables.items()},
    )


def _entries(section: Mapping[str, Any], where: str) -> tuple[AnswerEntry, ...]:
    resources.check_keys(section, (*CONTEXT, CONTROL), where)
    controls = section.get(CONTROL, {})
    if not isinstance(controls, Mapping):
        raise ConfigError(f'"{CONTROL}" in {where} must hold a table for each control.', hint=_HINT)
    context = [_entry(key, item, f'"{key}" in {where}') for key, item in section.items() if key != CONTROL]
    return (*context, *(_control(key, item, f'"{key}" in {where}') for key, item in controls.items()))


def _control(key: str, value: Any, where: str) -> AnswerEntry:
    missing = [name for name in ("text", "owner", "date") if not isinstance(value, Mapping) or name not in value]
    if missing:
        raise ConfigError(f"{where} needs {missing[0]}.", hint=_HINT)
    return _entry(key, value, where)


def _entry(key: str, value: Any, where: str) -> AnswerEntry:
    if key == REVIEW and not isinstance(value, Mapping):
        day = parse_date(value, where)
        return AnswerEntry(key=key, text=day.isoformat(), until=day)
    if not isinstance(value, Mapping):
        return AnswerEntry(key=key, text=parse_text(value, where))
    resources.check_keys(value, _KEYS, where)
    return AnswerEntry(
        key=key,
        text=parse_text(value.get("text"), where),
        owner=parse_text(value["owner"], where) if "owner" in value else "",
        date=_day(value, "date", where),
        until=_day(value, "until", where),
        fingerprint=parse_text(value["fingerprint"], where) if "fingerprint" in value else "",
    )


def _day(value: Mapping[str, Any], name: str, where: str) -> datetime.date | None:
    return parse_date(value[name], f'"{name}" of {where}') if name in value else None


def to_toml(entry: AnswerEntry, path: Iterable[str]) -> str:
    """Return `entry` as the table at `path` in TOML, one key for each line."""
    return f"[{'.'.join(map(toml_key, path))}]\n" + "".join(f"{line}\n" for line in value_lines(entry).values())


def value_lines(entry: AnswerEntry) -> dict[str, str]:
    """Return the line of TOML of each key of an entry."""
    return toml_lines({name: value for name, value in asdict(entry).items() if name != "key"})
