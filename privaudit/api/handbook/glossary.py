"""Explain the terms of the field: epsilon, sensitivity, PCA, linkage, generalisation.

Question: what does a word of a report or of a course mean?
Method: one record for each term in ``rules/reference/glossary.toml``, from which docs/glossary.md is written as well.
Limits: a check, an entity type, a measure or a technique of the same name is explained instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from privaudit.api.handbook.texts import Explanation
from privaudit.base import resources


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
            return Explanation(subject=name, title=name, sections=tuple(sections), laws=())
    return None
