"""Families of measures: what the measures of checks have in common.

Question: does a measure show who is identified, count people, or improve with larger equivalence classes?
Method: read from ``rules/reference/families.toml``; the registry of measures and the file name the same measures.
Limits: a measure with a bracket, such as ``pii.rate[EMAIL]``, has the family of its name.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

from privaudit.base import resources
from privaudit.base.records import dataclass

Reveals = Literal["identity", "disclosure", "content"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """What the measures of a family have in common; the file describes each field."""

    reveals: Reveals
    subject: Literal["column", "sensitive", "table"] = "table"
    counts: bool = False
    larger_classes: bool = False
    suppression: bool = False
    attack: bool = False
    acceptance: bool = False


_OTHER = Family(reveals="content")


@cache
def families() -> dict[str, Family]:
    """Return the family of every measure, by the name of the measure."""
    found: dict[str, Family] = {}
    for record in resources.read_toml(resources.path("rules", "reference", "families.toml")).values():
        family = Family(**{key: value for key, value in record.items() if key != "measures"})
        found.update(dict.fromkeys(record["measures"], family))
    return found


def family(measure: str) -> Family:
    """Return the family of a measure; that of contents for one that this version does not know."""
    return families().get(measure.partition("[")[0], _OTHER)
