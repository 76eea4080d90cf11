"""Entities of the user's own, in their place among the checks.

Question: which checks look for an entity that a user's pack declares?
Method: by its role: what names a person by itself joins the checks for identifiers in clear and scattered, a special
category joins the check for those, each with the severity of its detectors. A quasi-identifier or a sensitive
attribute is measured by its role and needs no check.
Limits: an entity in the evidence that no pack declares cannot be judged, and is told as not assessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from privaudit.model import ColumnReport, Limit, untyped_limit, Severity
from privaudit.rulebook.packs import Check

DIRECT, SPECIAL = ("PII001", "PII002"), ("SEN003",)
UNKNOWN = "entity "
"""How the limit about an unknown entity begins."""


def placed(checks: Mapping[str, Check], folder: Path | None) -> dict[str, Check]:
    """Return `checks` by code, with the entities of the user's `folder` among those they look for."""
    if folder is None:
        return dict(checks)
    from privaudit.detect.packs.detectors import own  # lazily: only where there are packs of the user's

    extra: dict[str, dict[str, Severity]] = {}
    for entity in own(folder).entities:
        for code in (*(DIRECT if entity.role == "direct" else ()), *(SPECIAL if entity.special else ())):
            extra.setdefault(code, {})[entity.name] = entity.severity
    return {
        code: replace(check, entities={**check.entities, **extra[code]}) if code in extra else check
        for code, check in checks.items()
    }


def unknown(columns: Sequence[ColumnReport], folder: Path | None) -> tuple[Limit, ...]:
    """Return a limit for each entity of the evidence that neither privaudit nor the user's `folder` knows."""
    from privaudit.detect.packs.entities import table

    seen = {one.entity for column in columns for one in (column.is_, *column.contains) if one is not None}
    lost = sorted(seen - set(table(folder))) if seen else []
    why = "no pack says what it is: name its folder with --rules, or declare it there with [[entity]]"
    return tuple(untyped_limit(what=f"{UNKNOWN}{entity}", why=why, incomplete=True) for entity in lost)
