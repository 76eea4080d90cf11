"""Write docs/coverage.md: which entity type covers what other tools and laws name, from coverage.toml."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from privaudit.catalogue import detectors, wordlists
from privaudit.vocabulary import entity_type

HEAD = """# Coverage

What other tools look for, what laws name, and which entity type covers it in privaudit. `python docs/make_coverage.py`
writes this page from `rules/reference/coverage.toml` and the detectors. A test compares the two and generates values for
the rows that have a form or check digit: they must be found under an ordinary column name, must not be missed without one,
and must not count as proven after one digit is changed.

How a type is recognised: *check* - a check digit or rule, which proves it if changing one digit makes the check fail;
*form* - the written form is unmistakable; *form and name* - many codes have this form, so the column name must agree;
*list* - the values are in a list; *inside text* - after a word that names it;
*values and name* - both are weighed, see `privaudit explain ENTITY`; *name* - nothing in the values, so that a column under
another name is not found. The catalogues of services that cannot be installed are as published when the file was written.

In the first table "found" counts the rows whose values can suffice, "with the name" those whose values need a column name that
agrees, and "name only" those found by the column name alone.
"""

BY_NAME = frozenset("BEHAVIOUR CARD_SECURITY CREDIT_SCORE CRIMINAL DEATH_DATE EMPLOYER FINANCIAL INCOME UNION WEIGHT".split())
"""Entity types without a detector, whose values could be anything: a number, a date, an organisation, a word."""
FOUND = {"check": 0, "form": 0, "list": 0, "inside text": 0, "values and name": 0, "form and name": 1, "name": 2}
"""The state of a row by how it is recognised: found, found with the name, found by the name only."""


def rows() -> dict[str, list[tuple[str, str, str, str]]]:
    """Return the covered rows of each peer: its name, our entity type, detail, how it is recognised; in file order."""
    found: dict[str, list[tuple[str, str, str, str]]] = {}
    for peer, entry in wordlists.toml("coverage").items():
        listed = [(name, *_parts(answer)) for name, answer in entry["covered"].items()]
        if peer == "python-stdnum":
            listed = [(d.validator, d.entity, d.detail or "") for d in modules().values()]
        found[peer] = [(name, entity, detail, known_by(entity, detail)) for name, entity, detail in listed]
    return found


def modules() -> dict[str, detectors.Detector]:
    """Return the first detector that uses each module of python-stdnum, by the module's name."""
    import stdnum

    names = [module.name.removeprefix("stdnum.") for module in walk_packages(stdnum.__path__, "stdnum.")]
    asked: dict[str, detectors.Detector] = {}
    for detector in detectors.load():
        if detector.validator is not None:
            asked.setdefault(detector.validator, detector)
    return {name: asked[name] for name in sorted(names) if name in asked}


def checkable() -> list[str]:
    """Return the modules of python-stdnum that check something."""
    import importlib

    import stdnum

    found = [m.name for m in walk_packages(stdnum.__path__, "stdnum.") if not m.ispkg]
    return [n.removeprefix("stdnum.") for n in found if hasattr(importlib.import_module(n), "is_valid")]


def _parts(answer: str) -> tuple[str, str]:
    entity, _, detail = answer.partition(" ")
    return entity, detail


def known_by(entity: str, detail: str) -> str:
    """Return how an entity type, or one detail of it, is recognised."""
    chosen = [d for d in detectors.load() if d.entity == entity and (not detail or d.detail == detail)]
    if not any(d.recognises_cells for d in chosen) and any(d.text for d in chosen):
        return "inside text"
    chosen = [d for d in chosen if d.recognises_cells or d.by_name]
    if not detail and entity_type(entity).value_form == "official_number":
        return "form and name"  # of one country, for which no detector of its own exists
    if not detail and len({d.detail for d in chosen}) > 1:
        return "values and name"
    if any(d.validator for d in chosen):
        return "check"
    if any(d.regex and d.strength >= 0.5 for d in chosen):
        return "form"
    if any(d.regex for d in chosen):
        return "form and name"
    if not chosen and entity in BY_NAME:
        return "name"
    return "list" if chosen else "values and name"


def page() -> str:
    """Return docs/coverage.md."""
    table, found = wordlists.toml("coverage"), rows()
    parts = [
        HEAD,
        "| catalogue | rows | found | with the name | name only | not found | not applicable to tables |",
        "|---|---|---|---|---|---|---|",
    ]
    parts += [_counts(table[peer], listed) for peer, listed in found.items()]
    parts += [_section(table[peer], listed) for peer, listed in found.items()]
    return "\n".join(parts) + "\n"


def _counts(entry: Mapping[str, Any], listed: list[tuple[str, str, str, str]]) -> str:
    counted = [sum(FOUND[how] == state for *_, how in listed) for state in range(3)]
    cells = (entry["title"], len(listed), *counted, len(listed) - sum(counted), len(entry["outside"]))
    return f"| {' | '.join(map(str, cells))} |"


def _section(entry: Mapping[str, Any], listed: list[tuple[str, str, str, str]]) -> str:
    lines = [
        f"\n## {entry['title']}\n\nFrom {entry['source']}.\n",
        "| name | entity type | recognised by |",
        "|---|---|---|",
    ]
    for name, entity, detail, how in listed:
        lines.append(f"| {name} | `{entity}`{f' ({detail})' if detail else ''} | {how} |")
    if entry["outside"]:
        lines += ["", "Not applicable to tables:", ""]
        lines += [f"- {name}: {why}" for name, why in entry["outside"].items()]
    return "\n".join(lines)


if __name__ == "__main__":
    (Path(__file__).parent / "coverage.md").write_text(page(), encoding="utf-8")
