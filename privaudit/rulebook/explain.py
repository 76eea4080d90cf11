"""Explain a check or an entity from the packs themselves.

Question: what does this code mean, why does it matter, what is there to do, and which laws name it?
Method: the texts of the check, and the controls of all frameworks that list it. For an entity: the checks that
look for it and the controls behind them, and what detection says of it.
Limits: text from packs only.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from privaudit.errors import RuleError
from privaudit.rulebook.load import describe_limit, load_checks, load_frameworks
from privaudit.rulebook.message import entity_words
from privaudit.rulebook.packs import Check, ControlSpec, Framework


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A check or an entity in words.

    Attributes
    ----------
    subject, title : str
        The code or the entity, and what it is.
    sections : tuple of (heading, text)
        In reading order.
    laws : tuple of str
        Controls that name it, each with its source.
    """

    subject: str
    title: str
    sections: tuple[tuple[str, str], ...]
    laws: tuple[str, ...]


def explain(code_or_name_or_entity: str, *, rules: Path | None = None) -> Explanation:
    """Explain a check by its code or name, or an entity by its name.

    Raises
    ------
    RuleError
        When there is no such check or entity; the message names what looks close.
    """
    asked = code_or_name_or_entity.strip()
    checks = load_checks(rules)
    frameworks = load_frameworks(folder=rules)
    for check in checks:
        if asked.upper() == check.code or asked.lower() == check.name:
            return _check(check, frameworks)
    entity = asked.upper()
    looking = [check for check in checks if entity in check.entities]
    described = _described(entity)
    if looking or described:
        return _entity(entity, looking, frameworks, described)
    known = [text for check in checks for text in (check.code, check.name, *check.entities)]
    close = difflib.get_close_matches(asked, known, n=3, cutoff=0.5)
    raise RuleError(
        "There is no check or entity of this name.",
        hint="close: " + ", ".join(close) if close else "privaudit rules list shows all checks",
    )


def _check(check: Check, frameworks: Sequence[Framework]) -> Explanation:
    sections = [
        ("What it finds", check.title + "."),
        ("Why it matters", check.why),
        ("What to do", check.do),
        ("When it fires", f"{check.measure} is {describe_limit(check)}."),
        (
            "Where the limit comes from",
            check.origin or "the policy; each of its numbers says where it is from",
        ),
        ("How it is measured", check.docs),
        ("Severity", _severity(check)),
        ("Status", check.status),
    ]
    return Explanation(
        subject=check.code,
        title=f"{check.code} {check.name}",
        sections=tuple(sections),
        laws=_laws([check], frameworks, None),
    )


def _severity(check: Check) -> str:
    if not check.entities:
        return check.severity
    by_level: dict[str, list[str]] = {}
    for entity, level in check.entities.items():
        by_level.setdefault(level, []).append(entity_words(entity))
    return "; ".join(f"{level}: {', '.join(entities)}" for level, entities in by_level.items())


def _entity(
    entity: str,
    checks: Sequence[Check],
    frameworks: Sequence[Framework],
    described: tuple[tuple[str, str], ...],
) -> Explanation:
    sections = list(described)
    for check in checks:
        sections.append((f"{check.code} {check.name} ({check.entities[entity]})", f"{check.why} {check.do}"))
    return Explanation(
        subject=entity,
        title=entity_words(entity),
        sections=tuple(sections),
        laws=_laws(checks, frameworks, entity),
    )


def _laws(checks: Sequence[Check], frameworks: Sequence[Framework], entity: str | None) -> tuple[str, ...]:
    codes = {check.code for check in checks}
    named = []
    for framework in frameworks:
        for control in framework.control:
            if codes & set(control.checks) and _concerns(control, entity):
                named.append(f"{control.id} {control.title} ({control.source}; {control.verified})")
        if entity in framework.sensitive:
            named.append(f"{framework.title}: a sensitive category")
    return tuple(dict.fromkeys(named))


def _concerns(control: ControlSpec, entity: str | None) -> bool:
    return entity is None or not control.entities or entity in control.entities


def _described(entity: str) -> tuple[tuple[str, str], ...]:
    return ()
