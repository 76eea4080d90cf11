"""Load packs and hold them to the laws between packs.

Question: which checks and frameworks are there, and do they fit together?
Method: every file in ``rules/checks`` and ``rules/frameworks`` (and in a folder of the user's, of the same shape)
is read and checked: codes, names and control ids are unique, every check refers to a measure that exists, every
limit to a key of the policy or to a number with an origin, every control to checks that exist and to a source.
Limits: a control whose wording nobody verified against its source is kept and marked, and is judged only where
previews are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from string import Formatter

from privaudit import resources
from privaudit.errors import RuleError
from privaudit.model import PolicyInfo
from privaudit.rulebook import measures  # noqa: F401 - registers the measures
from privaudit.rulebook.own import placed
from privaudit.rulebook.packs import Check, CheckPack, Framework, OwnLimits, read_pack
from privaudit.rulebook.policy import DATE_LEVELS, GEO_LEVELS
from privaudit.rulebook.scene import MEASURES

PLACEHOLDERS = frozenset(
    {
        "people",
        "columns",
        "observed",
        "limit",
        "k",
        "probability",
        "entity",
        "percent",
        "bound",
        "level",
        "other",
    }
)
_POLICY_KEYS = {item.name for item in fields(PolicyInfo)} | {"one_in_k"}
_CODE = re.compile(r"[A-Z]{2,3}\d{3}")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def load_checks(folder: Path | None = None) -> tuple[Check, ...]:
    """Return the shipped checks, and those of the user's `folder`, in order of their codes.

    Raises
    ------
    RuleError
        For a pack that breaks a law; the message names the file, the check and the key.
    """
    found: dict[str, Check] = {}
    names: dict[str, str] = {}
    for file in _files("checks", folder):
        for check in read_pack(file, CheckPack).check:
            _check_laws(check, file.name)
            if check.code in found or check.name in names:
                raise RuleError(f'{file.name}: the check "{check.code}" or its name is there twice.')
            found[check.code] = check
            names[check.name] = check.code
    complete = placed(found, folder)
    return tuple(complete[code] for code in sorted(complete))


def load_frameworks(ids: Sequence[str] | None = None, *, folder: Path | None = None) -> tuple[Framework, ...]:
    """Return the frameworks called `ids`, in that order without repetition; all of them for None.

    Parameters
    ----------
    ids : sequence of str or None
        Ids such as "wp216".
    folder : Path, optional
        A folder of the user's with further packs.

    Raises
    ------
    RuleError
        For an unknown id or a pack that breaks a law.
    """
    found: dict[str, Framework] = {}
    seen: set[str] = set()
    codes = {check.code for check in load_checks(folder)}
    for file in _files("frameworks", folder):
        framework = read_pack(file, Framework)
        _framework_laws(framework, codes, file.name)
        for identifier in (framework.id, *(control.id for control in framework.control)):
            if identifier in seen:
                raise RuleError(f'{file.name}: the id "{identifier}" is there twice.')
            seen.add(identifier)
        found[framework.id] = framework
    chosen = tuple(found) if ids is None else tuple(dict.fromkeys(ids))
    for identifier in chosen:
        _known(identifier, found)
    return tuple(found[identifier] for identifier in chosen)


def describe_limit(check: Check) -> str:
    """Return when the check fires, spelled out, for example "below policy.k"."""
    words = check.fires_when.replace("_", " ")
    return f"{words} {check.limit}"


def _files(kind: str, folder: Path | None) -> list[Path]:
    shipped = sorted(resources.path("rules", kind).glob("*.toml"))
    if folder is None:
        return shipped
    return shipped + sorted((resources.own_folder(folder) / kind).glob("*.toml"))


def _check_laws(check: Check, where: str) -> None:
    def broken(why: str) -> RuleError:
        return RuleError(f'{where}: check "{check.code}" {why}')

    if not _CODE.fullmatch(check.code):
        raise broken("needs a code of two or three capital letters and three digits.")
    if not _NAME.fullmatch(check.name):
        raise broken('needs a name of small letters and hyphens that reads after "accept".')
    if check.measure not in MEASURES:
        raise broken(f'refers to the measure "{check.measure}", which does not exist.')
    if isinstance(check.limit, bool):
        raise broken("has a limit that is neither a number nor a word.")
    if check.limit_key is not None and check.limit_key not in _POLICY_KEYS:
        raise broken(f'refers to "{check.limit}", which is not a key of the policy.')
    if check.limit_key is None and not (check.origin or "").strip():
        raise broken('sets a limit without "origin": every number says where it comes from.')
    _check_message(check, broken)
    if {case.fires for case in check.case if case.measured} != {True, False}:
        raise broken("needs a case on which it fires and one on which it does not.")


def _check_message(check: Check, broken: type[RuleError] | object) -> None:
    assert callable(broken)
    try:
        parts = list(Formatter().parse(check.message))
    except ValueError:
        raise broken("has a message with unbalanced braces.") from None
    for _text, name, layout, conversion in parts:
        if name is not None and (name not in PLACEHOLDERS or layout or conversion):
            raise broken("has a message with a placeholder that does not exist; see docs/rules.md.")


def _framework_laws(framework: Framework, codes: Iterable[str], where: str) -> None:
    known = set(codes)
    _own_limits(framework.limits, where)
    for control in framework.control:
        _own_limits(control.limits, where)
        if not control.source.strip():
            raise RuleError(f'{where}: control "{control.id}" has no source.')
        if not set(control.asks) <= set(control.checks):
            raise RuleError(f'{where}: control "{control.id}" has "asks" that are not among its "checks".')
        unknown = [code for code in control.checks if code not in known]
        if unknown:
            raise RuleError(
                f'{where}: control "{control.id}" refers to a check that does not exist: {unknown[0]}.'
            )


def _own_limits(limits: OwnLimits | None, where: str) -> None:
    if limits is None:
        return
    if not limits.origin.strip():
        raise RuleError(f'{where}: "limits.origin" is empty: every number says where it comes from.')
    if (limits.k is None) != (limits.probability is None):
        raise RuleError(f'{where}: "k" and "probability" are a pair: set both or neither.')
    places = {*limits.places, limits.geo} - {None}
    if limits.date not in (None, *DATE_LEVELS) or not places <= set(GEO_LEVELS):
        raise RuleError(f'{where}: "limits" has a level that does not exist; see docs/rules.md.')


def _known(identifier: str, found: dict[str, Framework]) -> None:
    if identifier not in found:
        raise RuleError(f'"{identifier}" is not a framework.', hint="frameworks: " + ", ".join(sorted(found)))
