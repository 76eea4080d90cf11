"""Write docs/coverage.md: which entity type covers what other tools and laws name, from coverage.toml."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from privaudit.detect import wordlists
from privaudit.detect.packs import detectors

HEAD = """# Coverage

What other tools look for, what laws name, and which entity type covers it in privaudit. `python docs/make_coverage.py`
writes this page from `rules/reference/coverage.toml` and the detectors. A test compares the two and generates values for
the rows that have a form or check digit: they must be found under an ordinary column name, must not be missed without one,
and must not count as proven after one digit is changed.

How a type is recognised: *check* - a check digit or rule, which proves it if changing one digit makes the check fail;
*form* - the written form is unmistakable; *form and name* - many codes have this form, so the column name must agree;
*list* - the values are in a list; *values and name* - both are weighed, see `privaudit explain ENTITY`. The catalogues of
services that cannot be installed are as published when the file was written.
"""


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
    if not detail and len({d.detail for d in chosen}) > 1:
        return "values and name"
    if any(d.validator for d in chosen):
        return "check"
    if any(d.regex and d.strength >= 0.5 for d in chosen):
        return "form"
    if any(d.regex for d in chosen):
        return "form and name"
    return "list" if chosen else "values and name"


def page() -> str:
    """Return docs/coverage.md."""
    table, found = wordlists.toml("coverage"), rows()
    parts = [HEAD, "| catalogue | covered | not applicable to tables |\n|---|---|---|"]
    parts += [f"| {table[p]['title']} | {len(r)} | {len(table[p]['outside'])} |" for p, r in found.items()]
    parts += [_section(table[peer], listed) for peer, listed in found.items()]
    return "\n".join(parts) + "\n"


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
