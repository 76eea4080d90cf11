"""Load the packs of checks and frameworks and validate them together.

Question: which checks and frameworks exist, and are they consistent?
Method: every file in ``rules/checks`` and ``rules/frameworks`` (and in a user's folder of the same shape) is read and
validated: codes, names and control ids are unique, every check refers to an existing measure, every limit to a key of
the policy or to a number with an origin, every control to existing checks and to a source. The entity types of a check
and their severities come from the vocabulary, and from the check itself where a user's pack lists further ones.
Limits: a control whose wording was not verified against its source is kept, marked, and judged in previews only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from string import Formatter

from privaudit.base import resources
from privaudit.base.errors import RuleError
from privaudit.base.patterns import Expression
from privaudit.model import PolicyInfo, vocabulary
from privaudit.model.vocabulary.statements import DATE_LEVELS, GEO_LEVELS
from privaudit.rulebook import measures  # noqa: F401 - registers the measures
from privaudit.rulebook.measurement import MEASURES
from privaudit.rulebook.packs import Check, CheckPack, ControlSpec, Framework, FrameworkLimits, read_pack

PLACEHOLDERS = frozenset(
    "people columns observed limit k probability entity percent points bound level unit units doubt other".split()
)
FORMS = frozenset({"n", "of", "one_in", "share", "percent", "plural", "singular", "title", "plus"})
"""Forms of a placeholder, besides a choice by number such as ``{people:is|are}``."""
_POLICY_KEYS = {item.name for item in fields(PolicyInfo)} | {"one_in_k"}
_CODE = Expression(r"[A-Z]{2,3}\d{3}")
_NAME = Expression(r"[a-z0-9]+(-[a-z0-9]+)*")


def load_checks(folder: Path | None = None) -> tuple[Check, ...]:
    """Return the shipped checks and those in the user's `folder`, in the order of their codes.

    Raises
    ------
    RuleError
        For a pack that fails validation; the message names the file, the check and the key.
    """
    return _shipped_checks() if folder is None else _read_checks(folder)


@cache
def _shipped_checks() -> tuple[Check, ...]:
    """Return the shipped checks; the advice judges each remedy, so they are read once."""
    return _read_checks(None)


def _read_checks(folder: Path | None) -> tuple[Check, ...]:
    found: dict[str, Check] = {}
    names: dict[str, str] = {}
    for file in _files("checks", folder):
        pack = read_pack(file, CheckPack)
        for check in (replace(check, about=check.about or pack.about) for check in pack.check):
            _validate_check(check, file.name)
            if check.code in found or check.name in names:
                raise RuleError(f'{file.name}: the check "{check.code}" or its name is defined twice.')
            found[check.code] = check
            names[check.name] = check.code
    declared = tuple(vocabulary.declared(folder).values())
    return tuple(_with_entity_types(found[code], declared) for code in sorted(found))


def _with_entity_types(check: Check, declared: Iterable[vocabulary.EntityTypeRecord]) -> Check:
    listed = dict(vocabulary.severities(check.code))
    listed |= {record.code: record.severity[check.code] for record in declared if check.code in record.severity}
    return replace(check, entities={**listed, **check.entities})


def load_frameworks(ids: Sequence[str] | None = None, *, folder: Path | None = None) -> tuple[Framework, ...]:
    """Return the frameworks called `ids`, in that order without repetition; all of them for None.

    Parameters
    ----------
    ids : sequence of str or None
        Ids such as "wp216".
    folder : Path, optional
        A user's folder with further packs.

    Raises
    ------
    RuleError
        For an unknown id or a pack that fails validation.
    """
    if folder is None and ids is not None:
        return tuple(map(_shipped_framework, dict.fromkeys(ids)))
    found = _shipped_frameworks() if folder is None else _read_frameworks(folder)
    chosen = tuple(found) if ids is None else tuple(dict.fromkeys(ids))
    for identifier in chosen:
        _known(identifier, found)
    return tuple(found[identifier] for identifier in chosen)


@cache
def _shipped_framework(identifier: str) -> Framework:
    """Return a shipped framework; the name of its file is its id, so that no other is read."""
    _known(identifier, resources.names("rules", "frameworks"))
    file = resources.path("rules", "frameworks", f"{identifier}.toml")
    framework = read_pack(file, Framework)
    _validate_framework(framework, {check.code for check in load_checks()}, file.name)
    return framework


@cache
def _shipped_frameworks() -> dict[str, Framework]:
    return _read_frameworks(None)


def _read_frameworks(folder: Path | None) -> dict[str, Framework]:
    found: dict[str, Framework] = {}
    seen: set[str] = set()
    codes = {check.code for check in load_checks(folder)}
    for file in _files("frameworks", folder):
        framework = read_pack(file, Framework)
        _validate_framework(framework, codes, file.name)
        for identifier in (framework.id, *(control.id for control in framework.control)):
            if identifier in seen:
                raise RuleError(f'{file.name}: the id "{identifier}" is defined twice.')
            seen.add(identifier)
        found[framework.id] = framework
    return found


def describe_limit(check: Check) -> str:
    """Return the condition under which the check fires, for example "below policy.k"."""
    words = check.fires_when.replace("_", " ")
    return f"{words} {check.limit}"


def _files(kind: str, folder: Path | None) -> list[Path]:
    shipped = sorted(resources.path("rules", kind).glob("*.toml"))
    if folder is None:
        return shipped
    return shipped + sorted((resources.user_folder(folder) / kind).glob("*.toml"))


def _validate_check(check: Check, where: str) -> None:
    def invalid(why: str) -> RuleError:
        return RuleError(f'{where}: check "{check.code}" {why}')

    if not _CODE.fullmatch(check.code):
        raise invalid("needs a code of two or three capital letters and three digits.")
    if not _NAME.fullmatch(check.name):
        raise invalid("needs a name of lower-case letters and hyphens.")
    if check.measure not in MEASURES:
        raise invalid(f'refers to the measure "{check.measure}", which does not exist.')
    if isinstance(check.limit, bool):
        raise invalid("has a limit that is neither a number nor a text.")
    if check.limit_key is not None and check.limit_key not in _POLICY_KEYS:
        raise invalid(f'refers to "{check.limit}", which is not a key of the policy.')
    if check.limit_key is None and not (check.origin or "").strip():
        raise invalid('sets a limit without "origin". Every number states its source.')
    _validate_message(check, invalid)
    if {case.fires for case in check.case if case.measured} != {True, False}:
        raise invalid("needs a case on which it fires and a case on which it does not.")


def _validate_message(check: Check, invalid: Callable[[str], RuleError]) -> None:
    try:
        parts = list(Formatter().parse(check.message))
    except ValueError:
        raise invalid("has a message with unbalanced braces.") from None
    for _text, name, layout, conversion in parts:
        if name is not None and (name.removesuffix("?") not in PLACEHOLDERS or conversion):
            raise invalid("has a message with an unknown placeholder; see docs/rules.md.")
        if layout and "|" not in layout and layout not in FORMS:
            raise invalid(f'has a message with the unknown form "{layout}"; see docs/rules.md.')


def _validate_framework(framework: Framework, codes: Iterable[str], where: str) -> None:
    known = set(codes)
    _validate_limits(framework.limits, where)
    for control in framework.control:
        _validate_limits(control.limits, where)
        if not control.source.strip():
            raise RuleError(f'{where}: control "{control.id}" has no source.')
        _validate_others(control, [other.id for other in framework.control], where)
        unknown = [code for code in (*control.checks, *control.if_run, *control.facts) if code not in known]
        if unknown:
            raise RuleError(f'{where}: control "{control.id}" refers to an unknown check: {unknown[0]}.')


def _validate_others(control: ControlSpec, ids: Sequence[str], where: str) -> None:
    before = ids[: ids.index(control.id)]
    if not set(control.any_of) <= set(before):
        raise RuleError(f'{where}: control "{control.id}" refers to a control that is not before it.')


def _validate_limits(limits: FrameworkLimits | None, where: str) -> None:
    if limits is None:
        return
    if not limits.origin.strip():
        raise RuleError(f'{where}: "limits.origin" is empty. Every number states its source.')
    if (limits.k is None) != (limits.probability is None):
        raise RuleError(f'{where}: "k" and "probability" are a pair. Set both or neither.')
    places = {*limits.places, limits.geo} - {None}
    if limits.date not in (None, *DATE_LEVELS) or not places <= set(GEO_LEVELS):
        raise RuleError(f'{where}: "limits" has an unknown level; see docs/rules.md.')


def _known(identifier: str, found: Collection[str]) -> None:
    if identifier not in found:
        raise RuleError(f'"{identifier}" is not a framework.', hint="frameworks: " + ", ".join(sorted(found)))
