"""Explain measures, techniques and the terms of the field.

Question: what do a number of a report, a technique of a plan and a word such as epsilon or linkage mean?
Method: the catalogue of measures, the description of the measure that checks name, the record of the technique, and
one record for each term in ``rules/reference/glossary.toml``, from which docs/glossary.md is written as well.
Limits: repeats what these state. A measure or a technique is explained before a term of the same name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from privaudit.advice import technique as techniques
from privaudit.api.handbook.texts import Explanation, explained
from privaudit.base import resources
from privaudit.model.wording import measures as catalogue
from privaudit.rulebook.measurement import MEASURES
from privaudit.rulebook.packs import Check

_PARTS = (("plain", "What it is"), ("not_said", "What it does not show"), ("formula", "Formula"), ("source", "Source"))


def as_measure(asked: str, checks: Sequence[Check]) -> Explanation | None:
    """Explain a measure by its id, such as class.k_min, or by its title."""
    wanted = asked.casefold()
    found = next((one for one in measure_ids() if wanted in (one, *_titles(one))), None)
    return None if found is None else _measure(found, checks)


def as_titled_measure(asked: str, checks: Sequence[Check]) -> Explanation | None:
    """Explain a measure by words of its title, or how they begin."""
    wanted = re.compile(rf"\b{re.escape(asked.casefold())}")
    titles = ((one, " ".join(_titles(one))) for one in measure_ids())
    found = next((one for one, title in titles if len(asked) > 2 and wanted.search(title)), None)
    return None if found is None else _measure(found, checks)


def _measure(found: str, checks: Sequence[Check]) -> Explanation:
    entry = catalogue.entry(found)
    sections = [(heading, entry[key]) for key, heading in _PARTS if entry.get(key)]
    if not entry:
        sections.append(("What it is", " ".join((MEASURES[found].__doc__ or "").split())))
    users = [f"{check.code} {check.name}" for check in checks if check.measure == found]
    sections.append(("Checks that read it", ", ".join(users) or "none"))
    return explained(found, entry.get("title") or found, sections)


def _titles(measure: str) -> tuple[str, ...]:
    entry = catalogue.entry(measure)
    title, also = entry.get("title", "").casefold(), entry.get("also", "").casefold()
    parts = [part.strip() for part in title.split(",")]
    return tuple(dict.fromkeys(text for text in (title, *parts, also) if text))


def measure_ids() -> tuple[str, ...]:
    """Return the id of every measure."""
    return tuple(dict.fromkeys((*catalogue.entries(), *MEASURES)))


def as_technique(asked: str) -> Explanation | None:
    """Explain a technique by its name, such as top_code or top-code."""
    name = asked.lower().replace("-", "_").replace(" ", "_")
    if name not in techniques.names():
        return None
    found = techniques.technique(name)
    sections = [("What it does", found.meaning)]
    for key, parameter in found.parameters.items():
        optional = "" if parameter.required else ", optional"
        sections.append((f"Parameter {key}", f"{parameter.meaning.rstrip('.')} ({parameter.wanted}{optional})."))
    return explained(name, f"Technique {name}", sections)


@cache
def terms() -> Mapping[str, Mapping[str, Any]]:
    """Return the records of all terms by name, in the order of the alphabet."""
    return resources.read_toml(resources.path("rules", "reference", "glossary.toml"))


def as_term(asked: str) -> Explanation | None:
    """Explain a term by its name or another name of it."""
    wanted = asked.casefold().replace("_", " ")
    for name, entry in terms().items():
        others = entry.get("also", [])
        if wanted in (name.casefold(), *map(str.casefold, others)):
            sections = [("What it means", entry["meaning"])]
            if others:
                sections.append(("Also called", ", ".join(others)))
            return explained(name, name, sections)
    return None
