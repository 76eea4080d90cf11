"""Acceptances as a settings file writes them: which finding, why, by whom, and until when.

Question: which findings did somebody accept, and is each entry complete?
Method: every entry names a check, the columns of the finding (none for the whole table), a reason, an owner and its
last day; missing and unknown keys, empty texts and two entries about the same finding are errors that name the entry.
`worst_accepted` bounds the observed value, and `fingerprint` selects one of several findings on the same columns.
Limits: checks the form of an entry; the rulebook compares entries with the findings and with the current day.
"""

from __future__ import annotations

import csv
import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from privaudit.base import resources
from privaudit.base.errors import ConfigError
from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass
from privaudit.base.toml_text import toml_lines
from privaudit.base.typed import is_number

MOST_DAYS = 365
"""The longest time for which a finding can be accepted without another review."""

_REQUIRED = ("code", "columns", "reason", "owner", "expires")
_OPTIONAL = ("worst_accepted", "fingerprint")
_DATE = Expression(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptanceEntry:
    """One accepted finding.

    Attributes
    ----------
    code : str
        The code of the check.
    columns : tuple of str
        The columns of the finding, in any order; empty for a finding on the whole table.
    reason, owner : str
        Why the finding is accepted, and who decided so.
    expires : date
        The last day on which the acceptance holds.
    worst_accepted : float, int, str or None
        The worst observed value that is accepted; None accepts any value.
    fingerprint : str or None
        The one finding that is accepted, where several have the same code and columns.
    """

    code: str
    columns: tuple[str, ...]
    reason: str
    owner: str
    expires: datetime.date
    worst_accepted: float | int | str | None = None
    fingerprint: str | None = None

    def concerns(self, code: str, columns: Iterable[str], fingerprint: str | None) -> bool:
        """Whether the entry names the finding of `code` on `columns`, in any order."""
        return self.code == code and set(self.columns) == set(columns) and self.fingerprint in (None, fingerprint)

    def overlaps(self, other: AcceptanceEntry) -> bool:
        """Whether one finding could match both entries."""
        one, two = ((each.code, each.columns, each.fingerprint) for each in (self, other))
        return self.concerns(*two) or other.concerns(*one)


def parse_entries(values: Any, where: str) -> tuple[AcceptanceEntry, ...]:
    """Return the entries of a setting "accept", a list of tables or of `AcceptanceEntry`.

    Raises
    ------
    ConfigError
        For anything else, an entry that is not complete, or two entries about the same finding.
    """
    if not isinstance(values, list | tuple):
        raise ConfigError(f'"accept" in {where} must be a list of tables.', hint="write each as [[accept]]")
    entries: list[AcceptanceEntry] = []
    for number, value in enumerate(values, 1):
        place = f"[[accept]] {number} in {where}"
        entry = value if isinstance(value, AcceptanceEntry) else _parse_entry(value, place)
        if any(entry.overlaps(other) for other in entries):
            raise ConfigError(f"{place} accepts {entry.code} on the same columns as an earlier entry.")
        entries.append(entry)
    return tuple(entries)


def joined(earlier: Iterable[AcceptanceEntry], later: Sequence[AcceptanceEntry]) -> tuple[AcceptanceEntry, ...]:
    """Return the entries of both; of two about the same finding, the later one decides."""
    return (*(entry for entry in earlier if not any(entry.overlaps(other) for other in later)), *later)


def _parse_entry(value: Any, place: str) -> AcceptanceEntry:
    if not isinstance(value, Mapping):
        raise ConfigError(f"{place} must be a table.", hint=f"with the keys {', '.join(_REQUIRED)}")
    resources.check_keys(value, (*_REQUIRED, *_OPTIONAL), place)
    for key in _REQUIRED:
        if key not in value:
            raise ConfigError(f'"{key}" is missing in {place}.', hint="see docs/configuration.md")
    mark = value.get("fingerprint")
    return AcceptanceEntry(
        code=parse_text(value["code"], f'"code" in {place}'),
        columns=parse_columns(value["columns"], place),
        reason=parse_text(value["reason"], f'"reason" in {place}'),
        owner=parse_text(value["owner"], f'"owner" in {place}'),
        expires=parse_date(value["expires"], f'"expires" in {place}'),
        worst_accepted=_observed(value.get("worst_accepted"), place),
        fingerprint=parse_text(mark, f'"fingerprint" in {place}') if mark is not None else None,
    )


def parse_text(value: Any, what: str) -> str:
    """Return a text without outer blanks; raise `ConfigError` where it is none, or empty."""
    if not isinstance(value, str) or not value.strip():
        raise ConfigError(f"{what} must be a text that is not empty.", hint="see docs/configuration.md")
    return value.strip()


def parse_columns(value: Any, place: str) -> tuple[str, ...]:
    """Return the names of columns; an empty list means the whole table.

    Raises
    ------
    ConfigError
        For anything but a list of different texts.
    """
    if (
        not isinstance(value, list | tuple)
        or not all(isinstance(name, str) and name for name in value)
        or len(set(value)) < len(value)
    ):
        raise ConfigError(
            f'"columns" in {place} must be a list of different column names.',
            hint="an empty list means the whole table",
        )
    return tuple(value)


def split_columns(text: str) -> tuple[str, ...]:
    """Return the names of a text such as A,B or "A, B"; a name that contains a comma is quoted as in CSV.

    >>> split_columns("age, sex"), split_columns('"last, first",age')
    (('age', 'sex'), ('last, first', 'age'))

    Raises
    ------
    ConfigError
        For a quote that does not end.
    """
    if not text.startswith('"') and ',"' not in text.replace(" ", ""):
        return tuple(part.strip() for part in text.split(","))
    try:
        return tuple(next(csv.reader([text], skipinitialspace=True, strict=True)))
    except csv.Error:
        raise ConfigError("The columns are not a list such as A,B.", hint='quote a name such as "A,B"') from None


def parse_date(value: Any, what: str) -> datetime.date:
    """Return the date of a text such as 2027-05-31, or of a date of TOML.

    Raises
    ------
    ConfigError
        That names `what`.
    """
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return value
    if isinstance(value, str) and _DATE.fullmatch(value.strip()):
        try:
            return datetime.date.fromisoformat(value.strip())
        except ValueError:
            pass
    raise ConfigError(f"{what} must be a date.", hint="for example 2027-05-31")


def _observed(value: Any, place: str) -> float | int | str | None:
    if value is None or (isinstance(value, str) and value):
        return value
    if is_number(value):
        return value
    raise ConfigError(f'"worst_accepted" in {place} must be a number or a text.')


def check_period(expires: datetime.date, today: datetime.date, what: str) -> None:
    """Raise `ConfigError` where `expires` is more than `MOST_DAYS` days after `today`."""
    if (expires - today).days > MOST_DAYS:
        last = today + datetime.timedelta(days=MOST_DAYS)
        raise ConfigError(f"{what} is more than {MOST_DAYS} days ahead.", hint=f"{last} is the last day allowed")


def to_toml(entry: AcceptanceEntry, table: str) -> str:
    """Return `entry` as a table of the array `table` in TOML, with one key per line."""
    return "\n".join([f"[[{table}]]", *toml_lines(asdict(entry)).values()]) + "\n"
