"""Read packs: TOML files validated against frozen records, with errors that name file and key.

Question: is this file a valid pack, and what does it contain?
Method: TOML, then a walk that rejects numbers that are not finite, then pydantic over the records below in strict mode:
unknown keys and wrong types are errors. The validator reads the content as JSON, because its strict mode builds records
and tuples from JSON only. A shipped file that has these types needs no validator. The table of ZIP areas is the list
that HHS printed, as strings, with the census it is based on.
Limits: validates one file; what must hold between packs is validated where they are loaded. The printed list follows
the census of 2000, and a newer census may give another list; populations of the areas are not shipped, so the list
cannot be recomputed here.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from privaudit.base import resources
from privaudit.base.errors import RuleError
from privaudit.base.records import dataclass
from privaudit.base.typed import Refused, Strict, convert, validated
from privaudit.model import Severity
from privaudit.model.headers import shown_file

Comparison = Literal["below", "above", "at_least", "at_most", "finer_than"]
ConfidenceSource = Literal["exact", "verdict", "estimate"]
Status = Literal["preview", "stable"]
About = Literal["any", "people", "identifiers", "aggregate"]
"""Which tables a check is judged on: any; those about people; in others only for what identifies a person by itself;
aggregates."""
Verified = Literal["primary", "secondary", "unverified", "product"]
"""Checked against the legal text, against a copy or a description, or not; or a default of privaudit itself."""

_TYPE_STEPS = {"int", "float", "str"}  # where a key allows several types, the validator names each


@dataclass(frozen=True, kw_only=True)
class Case(Strict):
    """One case of a check: tiny evidence, and whether the check fires on it.

    ``limits`` are thresholds that differ from those of the policy.
    """

    name: str
    fires: bool
    evidence: Mapping[str, Any]
    policy: str = "public"
    limits: Mapping[str, float] = field(default_factory=dict)
    people: int | None = None
    severity: Severity | None = None
    measured: bool = True
    today: datetime.date | None = None


@dataclass(frozen=True, kw_only=True)
class Check(Strict):
    """One check: which measure is compared with which limit, and the message when it fires.

    ``limit`` is a number, a text, or a key of the policy written ``policy.k``; a number or text that the pack sets has
    an ``origin``. ``entities`` maps entity types to the severity of a finding about them: the shipped checks take them
    from the vocabulary, a user's pack may list further ones. ``acceptable`` states whether an acceptance can close its
    findings. ``cause`` groups checks that measure the same cause: their findings about the same columns are one
    problem. ``by_role`` states that a column which was declared to have the role none is not judged.
    """

    code: str
    name: str
    title: str
    measure: str
    fires_when: Comparison
    limit: int | float | str
    origin: str | None = None
    severity: Severity
    confidence: ConfidenceSource
    message: str
    why: str
    do: str
    status: Status
    docs: str
    about: About | None = None
    entities: Mapping[str, Severity] = field(default_factory=dict)
    acceptable: bool = True
    by_role: bool = False
    cause: str | None = None
    case: tuple[Case, ...] = ()

    @property
    def limit_key(self) -> str | None:
        """The key of the policy that sets the limit, or None where the pack sets it."""
        if isinstance(self.limit, str) and self.limit.startswith("policy."):
            return self.limit.removeprefix("policy.")
        return None


@dataclass(frozen=True, kw_only=True)
class CheckPack(Strict):
    """One family of checks; ``about`` states which tables they are judged on, unless a check states another."""

    family: str
    title: str
    version: str
    as_of: datetime.date
    about: About = "any"
    check: tuple[Check, ...]


@dataclass(frozen=True, kw_only=True)
class FrameworkLimits(Strict):
    """Limits that a framework sets, independent of the policy.

    ``places`` are levels of place that it allows although they are finer than ``geo``.
    """

    k: int | None = None
    probability: float | None = None
    date: str | None = None
    geo: str | None = None
    places: tuple[str, ...] = ()
    origin: str


@dataclass(frozen=True, kw_only=True)
class ControlSpec(Strict):
    """One control of a framework, paraphrased, as a question, with the checks whose findings answer it.

    Attributes
    ----------
    good : {"yes", "no"} or None
        The favourable answer; without it an answer has no favourable side.
    answers_yes, answers_no : tuple of str
        Checks of which a finding gives that answer; "no" takes precedence.
    asks : tuple of str
        Checks of which a finding refers the question to a person.
    if_run : tuple of str
        Checks of which a finding gives the unfavourable answer, counted where they were run: most tables lack the
        second table that they need.
    presupposes : tuple of str
        Where all of these were measured and none of them fired, the question does not apply.
    reads : tuple of str
        Entity types one of which some column must have, or the question was not measured.
    silent : {"yes", "no", "person", "not_measured"}
        The answer where every check was measured completely and none fired.
    any_of : tuple of str
        Controls before this one: yes where one of them is answered yes, no where all are answered no.
    facts : tuple of str
        Checks whose findings are listed and never change the answer.
    entities : tuple of str
        Only findings about these entity types count; empty: all.
    of : {"people", "records", "aggregates", "any"}
        Which tables the question is about; ``people`` includes aggregates of people, ``records`` refers aggregates to
        a person.
    person : str
        What a person must add, whatever was measured.
    """

    id: str
    title: str
    requirement: str
    question: str
    good: Literal["yes", "no"] | None = None
    answers_yes: tuple[str, ...] = ()
    answers_no: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    if_run: tuple[str, ...] = ()
    presupposes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    silent: Literal["yes", "no", "person", "not_measured"] = "person"
    any_of: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    of: Literal["people", "records", "aggregates", "any"] = "people"
    limits: FrameworkLimits | None = None
    person: str = ""
    source: str
    verified: Verified

    @property
    def checks(self) -> tuple[str, ...]:
        """The checks that can change the answer."""
        return tuple(dict.fromkeys((*self.answers_yes, *self.answers_no, *self.asks, *self.presupposes)))


@dataclass(frozen=True, kw_only=True)
class Framework(Strict):
    """A law, an opinion or a standard as a list of controls."""

    id: str
    title: str
    version: str
    as_of: datetime.date
    jurisdiction: str
    status: Status
    disclaimer: str
    sensitive: tuple[str, ...] = ()
    limits: FrameworkLimits | None = None
    control: tuple[ControlSpec, ...]


Record = TypeVar("Record")


def read_pack(file: Path, record: type[Record]) -> Record:
    """Return the pack in `file` as `record`.

    Raises
    ------
    RuleError
        For a file that is not TOML, an unknown or missing key, a wrong type, or a number that is not finite;
        the message names the file and the path of the key.
    """
    try:
        state = file.stat()
    except OSError:
        raise RuleError(f"{shown_file(file)} cannot be read.", hint="check the path") from None
    return _read_once(file, state.st_mtime_ns, state.st_size, cast(Hashable, record))


@lru_cache(maxsize=256)
def _read_once(file: Path, _changed: int, _size: int, record: Any) -> Any:
    content = read_toml(file)
    if resources.is_shipped(file):
        with suppress(TypeError, ValueError):  # the validator names the key
            return convert(content, record)
    return check_record(content, record, where=shown_file(file))


def read_toml(file: Path) -> dict[str, Any]:
    """Return the content of a TOML file, in which every number is finite."""
    content = resources.read_toml(file, shown_file(file))
    _require_finite(content, (), shown_file(file))
    return content


def check_record(content: Mapping[str, Any], record: type[Record], *, where: str) -> Record:
    """Return `content` as `record`, or raise a `RuleError` that names `where` and the key."""
    try:
        checked: Record = validated(content, record, foreign=str)
    except Refused as error:
        raise RuleError(_sentence(error.kind, error.place, where)) from None
    return checked


def _require_finite(value: Any, path: tuple[str, ...], where: str) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            _require_finite(item, (*path, str(key)), where)
    elif isinstance(value, list):
        for number, item in enumerate(value, start=1):
            _require_finite(item, (*path, str(number)), where)
    elif isinstance(value, float) and not math.isfinite(value):
        raise RuleError(f'"{".".join(path)}" in {where} must be a finite number.')


def _sentence(kind: str, location: tuple[int | str, ...], where: str) -> str:
    steps = (str(step + 1) if isinstance(step, int) else str(step) for step in location)
    key = ".".join(step for step in steps if step not in _TYPE_STEPS and not step.startswith("literal["))
    if kind == "missing":
        return f'"{key}" is missing in {where}.'
    if kind in {"extra_forbidden", "unexpected_keyword_argument"}:
        return f'Unknown key "{key}" in {where}.'
    if kind == "literal_error":
        return f'"{key}" in {where} is not one of the allowed values; see docs/rules.md.'
    return f'"{key}" in {where} has the wrong type or value; see docs/rules.md.'


ZIP3_FILE = "zip3-2000-hhs.toml"


@dataclass(frozen=True, kw_only=True)
class Zip3Table(Strict):
    """Three-digit ZIP areas with few people, as strings to keep leading zeros."""

    id: str
    title: str
    vintage: str
    as_of: datetime.date
    source: str
    verified: str
    limits: str
    restricted: tuple[str, ...]


@cache
def zip3() -> Zip3Table:
    """Return the shipped list of three-digit ZIP areas with 20,000 people or fewer."""
    return read_pack(resources.path("rules", "reference", ZIP3_FILE), Zip3Table)
