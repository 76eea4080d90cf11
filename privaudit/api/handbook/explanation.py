"""Explain a check, a policy, a framework, a control, an entity type, a measure, a technique or a term.

Question: what does this code mean, why does it matter, what is there to do, and which laws name it?
Method: the texts of the check, and the controls of all frameworks that list it. For an entity type: its record, the
checks that report it, the controls behind them, and how detection recognises it.
Limits: text from packs only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from privaudit.advice import technique as techniques
from privaudit.api.handbook.quantities import as_measure, as_technique, as_term, as_titled_measure, measure_ids, terms
from privaudit.api.handbook.texts import Explanation, explained
from privaudit.base.errors import RuleError
from privaudit.base.similar_names import similar
from privaudit.detect.catalogue import detectors, wordlists
from privaudit.detect.catalogue.detector import Detector
from privaudit.model import PolicyInfo, vocabulary
from privaudit.model.vocabulary import EntityTypeRecord
from privaudit.rulebook import load_checks, load_frameworks, load_policy, policy_names
from privaudit.rulebook.load import describe_limit
from privaudit.rulebook.packs import Check, ControlSpec, Framework

MOST_WAYS = 12


def explain(code_or_name_or_entity: str, *, rules: Path | None = None, policy: str | None = None) -> Explanation:
    """Explain a check, an entity type, a policy, a framework, a control, a measure or a technique by its name.

    The severities of a check are its own and those that the shipped policies and `policy`, a name or a file, set.

    Raises
    ------
    RuleError
        If nothing has this name; the hint lists similar names. For a policy that is not one.
    """
    policies = [load_policy(name) for name in policy_names()]
    if policy is not None and policy not in policy_names():
        policies.append(load_policy(policy))
    asked = code_or_name_or_entity.strip()
    checks = load_checks(rules)
    frameworks = load_frameworks(folder=rules)
    found = (
        _as_check(asked, checks, frameworks, policies)
        or _as_entity(_entity_of(asked, rules), checks, frameworks, rules)
        or _as_law(asked.lower(), frameworks)
        or _as_policy(asked.lower(), policies)
        or as_measure(asked, checks)
        or as_technique(asked)
        or as_term(asked)
        or as_titled_measure(asked, checks)
        or _as_detail(asked, rules)
        or _as_entity(_entity_listing(asked, rules), checks, frameworks, rules)
    )
    if found is not None:
        return found
    close = _similar(asked, _known(checks, frameworks, rules))
    further = "" if rules is not None else "; --rules DIR adds your packs"
    raise RuleError(
        f'Nothing is called "{asked[:40]}": no check, entity type, policy, framework, control, measure, technique '
        "or term.",
        hint=(f"similar: {', '.join(close)}" if close else "privaudit rules list shows all") + further,
    )


def _entity_of(asked: str, rules: Path | None) -> str:
    """Return the code of an entity type named by its code or by its term in the singular or plural."""
    terms = {
        term.casefold(): code
        for code, record in vocabulary.known_types(rules).items()
        for term in (record.singular, record.plural)
    }
    return terms.get(asked.casefold(), asked.upper().replace("-", "_").replace(" ", "_"))


def _entity_listing(asked: str, rules: Path | None) -> str:
    """Return the entity type of which `asked` is a value, such as a card network; empty where several have it."""
    value = asked.casefold()
    lists = ((item.entity, item.values or wordlists.value_list(item.list)) for item in detectors.load(rules)
             if item.values or item.list)  # fmt: skip
    found = {entity for entity, values in lists if value in map(str.casefold, values)}
    return found.pop() if len(found) == 1 else ""


def _similar(asked: str, known: Sequence[str]) -> list[str]:
    """Return names that contain every word of `asked`, else names that are written in a similar way."""
    words = re.findall(r"\w+", asked.upper())
    within = [name for name in dict.fromkeys(known) if words and all(word in name for word in words)]
    return within[:3] or similar(asked.upper(), known, n=3, cutoff=0.6)


def _known(checks: Sequence[Check], frameworks: Sequence[Framework], rules: Path | None) -> list[str]:
    from privaudit.api.handbook.entity_types import details

    known = [text for check in checks for text in (check.code, check.name.upper())]
    known += [framework.id.upper() for framework in frameworks]
    known += [control.id.upper() for framework in frameworks for control in framework.control]
    known += [name.upper() for name in (*measure_ids(), *techniques.names(), *terms())]
    return [*known, *vocabulary.known_types(rules), *map(str.upper, details(rules))]


def _as_check(
    asked: str, checks: Sequence[Check], frameworks: Sequence[Framework], policies: Sequence[PolicyInfo]
) -> Explanation | None:
    name = asked.lower().replace(" ", "-")
    check = next((one for one in checks if asked.upper() == one.code or name == one.name), None)
    if check is None:
        return None
    sections = [
        ("What it finds", check.title + "."),
        ("Why it matters", check.why),
        ("What to do", check.do),
        ("When it fires", f"{check.measure} is {describe_limit(check)}."),
        ("Where the limit comes from", check.origin or "the policy, which states the source of each number"),
        ("How it is measured", check.docs),
        ("Severity", _severity(check, policies)),
        ("Status", check.status),
    ]
    return explained(check.code, f"{check.code} {check.name}", sections, _laws([check], frameworks, None))


def _as_entity(
    entity: str, checks: Sequence[Check], frameworks: Sequence[Framework], rules: Path | None
) -> Explanation | None:
    looking = [check for check in checks if entity in check.entities]
    described = _described(entity, rules)
    named = any(entity in framework.sensitive for framework in frameworks)
    return _entity(entity, looking, frameworks, described) if looking or described or named else None


def _as_detail(asked: str, rules: Path | None) -> Explanation | None:
    """Explain a detail of an entity type, such as us.ssn, or the name that another tool or a law uses."""
    from privaudit.api.handbook.entity_types import describe, look_up, ways_of

    match = look_up(asked, rules)
    described = None if match is None else describe(match[0], rules)
    if match is None or described is None:
        return None
    record, detectors = described
    chosen = [one for one in detectors if one.detail == match[1]] if match[1] else []
    ways = "; ".join(map(_detector, chosen)) or "; ".join(ways_of(record)) or "column name"
    places = ", ".join(dict.fromkeys(place for one in chosen for place in one.locale))
    names = ", ".join(dict.fromkeys(f'"{header}"' for one in chosen for header in one.headers))
    sections = [
        ("What it is", f"{chosen[0].title if chosen else record.title}."),
        ("Entity type", f"{match[0]} (see privaudit explain {match[0]})"),
        ("Role", _role(record)),
        ("How it is recognised", ways),
        ("Country", places),
        ("Column names that suggest it", names),
        ("Laws that name it", _laws_of(record, detectors)),
    ]
    title = f"{record.plural}{f' ({match[1]})' if match[1] else ''}"
    return explained(asked, title, sections)


def _as_law(asked: str, frameworks: Sequence[Framework]) -> Explanation | None:
    for framework in frameworks:
        if asked == framework.id:
            controls = tuple((f"{c.id} {c.title}", c.requirement) for c in framework.control)
            sections = (("Disclaimer", framework.disclaimer), *controls)
            return explained(framework.id, framework.title, sections)
        for control in framework.control:
            if asked == control.id.lower():
                return _control(control, framework)
    return None


def _control(control: ControlSpec, framework: Framework) -> Explanation:
    sections = [
        ("What it requires", control.requirement),
        ("Question", control.question),
        ("Favourable answer", control.good or ""),
        ("Checks that answer it", ", ".join(control.checks) or "none; a person answers it"),
        ("Checks that count where they were run", ", ".join(control.if_run)),
        ("Facts that are listed", ", ".join(control.facts)),
        ("What a person must add", control.person),
        ("Source", f"{control.source}; wording: {control.verified}"),
        ("Part of", framework.title),
    ]
    return explained(control.id, f"{control.id} {control.title}", sections)


def _as_policy(asked: str, policies: Sequence[PolicyInfo]) -> Explanation | None:
    policy = next((policy for policy in policies if policy.name.lower() == asked), None)
    if policy is None:
        return None
    numbers = tuple(
        (f"{key} = {value}" if value is not None else key, origin)
        for key, origin in policy.origins.items()
        for value in (getattr(policy, key),)
    )
    return explained(policy.name, policy.title, numbers)


def _severity(check: Check, policies: Sequence[PolicyInfo]) -> str:
    levels = ((policy.name, policy.severity.get(check.code)) for policy in policies)
    return "; ".join([_usual(check), *(f"{level} under the policy {name}" for name, level in levels if level)])


def _usual(check: Check) -> str:
    if not check.entities:
        return check.severity
    by_level: dict[str, list[str]] = {}
    for entity, level in check.entities.items():
        by_level.setdefault(level, []).append(vocabulary.entity_type(entity).plural)
    return "; ".join(f"{level}: {', '.join(entities)}" for level, entities in by_level.items())


def _entity(
    entity: str, checks: Sequence[Check], frameworks: Sequence[Framework], described: tuple[tuple[str, str], ...]
) -> Explanation:
    sections = list(described)
    for check in checks:
        sections.append((f"{check.code} {check.name} ({check.entities[entity]})", f"{check.why} {check.do}"))
    return explained(entity, vocabulary.entity_type(entity).plural, sections, _laws(checks, frameworks, entity))


def _laws(checks: Sequence[Check], frameworks: Sequence[Framework], entity: str | None) -> tuple[str, ...]:
    codes = {check.code for check in checks}
    named = []
    for framework in frameworks:
        for control in framework.control:
            if codes & {*control.checks, *control.if_run, *control.facts} and _concerns(control, entity):
                named.append(f"{control.id} {control.title} ({control.source}; {control.verified})")
        if entity in framework.sensitive:
            named.append(f"{framework.title}: a sensitive category")
    return tuple(dict.fromkeys(named))


def _concerns(control: ControlSpec, entity: str | None) -> bool:
    return entity is None or not control.entities or entity in control.entities


def _described(entity: str, rules: Path | None) -> tuple[tuple[str, str], ...]:
    from privaudit.api.handbook.entity_types import describe, ways_of  # lazily: reads every detector

    found = describe(entity, rules)
    if found is None:
        return ()
    record, detectors = found
    what = ". ".join(part.rstrip(".") for part in (record.title, record.description) if part) + "."
    what += " Declared by your pack." if record.own else ""
    sections = [("What it is", what), ("Role", _role(record))]
    ways = list(dict.fromkeys([*ways_of(record), *map(_detector, detectors)]))
    if len(ways) > MOST_WAYS:
        ways = [*ways[:MOST_WAYS], f"and {len(ways) - MOST_WAYS} more (see privaudit rules list)"]
    if ways:
        sections.append(("How it is recognised", "; ".join(ways)))
    return (*sections, ("Laws that name it", _laws_of(record, detectors)))


def _laws_of(record: EntityTypeRecord, detectors: Sequence[Detector]) -> str:
    laws = "; ".join(dict.fromkeys([*record.laws, *(law for one in detectors for law in one.laws)]))
    if laws or record.role == "none":
        return laws or "None."
    return "None on its own. It is personal data where other columns identify the person (GDPR art. 4(1))."


def _role(record: EntityTypeRecord) -> str:
    role = {
        "direct": "direct: identifies a person on its own",
        "quasi": "quasi: singles people out in combination with other columns",
        "sensitive": "sensitive: an attacker must not learn it about a person",
        "none": "none: does not identify or describe a person on its own",
    }[record.role]
    return f"{role}; a special category of personal data" if record.special else role


def _detector(one: Detector) -> str:
    kinds = (("pattern", one.regex), ("list", one.values or one.list), ("form inside text", one.text))
    ways = [kind for kind, used in kinds if used]
    how = [f"{' and '.join(ways)}: {one.title}" if ways else one.title]
    if one.validator:
        how.append(f"with the check {one.validator}" if one.user else "with check digits")
    if one.user and one.headers:
        how.append("column names with " + ", ".join(f'"{header}"' for header in one.headers))
    if one.user and one.locale:
        how.append("of " + ", ".join(one.locale))
    return ", ".join(how)
