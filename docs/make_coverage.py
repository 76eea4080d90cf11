"""Write docs/coverage.md: which entity type covers what other tools and laws name, and what detection makes of it.

The rows are in rules/reference/coverage.toml. What detection makes of their values is measured by
`python -m tests.helpers.coverage`, which writes coverage_measured.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from privaudit.detect.catalogue import detectors, wordlists
from privaudit.model.vocabulary import entity_type

HEAD = """# Coverage

What other tools look for, what laws name, and which entity type covers it in privaudit. `python docs/make_coverage.py`
writes this page from `rules/reference/coverage.toml`, the detectors and a measurement.

"Recognised by" states the evidence:

- *check*: a check digit or another rule that a validator computes. A check digit counts only if changing one digit of the
  values makes the check fail.
- *form*: a written form.
- *list*: a list of values.
- *values and name*: several properties of the values, and the column name; `privaudit explain ENTITY` lists them.
- *... and name*: the same evidence, but other values have it too, so that the column name must suggest the entity type.
- *name*: only the column name. No detector accepts the values. Other columns of a table may add evidence, as for ages of
  people.

"Without a column name" states what detection makes of 60 such values in a table of one column with the name `c0`, without the
language model: *yes*, the column is found as this entity type; *as* another entity type; *not assessed*, the scan is
incomplete and reports the reason; *no*, it is not found. Under a name that suggests the entity type, each of these columns is
found as this entity type. `python -m tests.helpers.coverage` measures all rows, and a test compares this page with a new
measurement. The values are made from the cases of the detector or from its list, or they are stated in
`tests/helpers/coverage.py`; real columns also contain errors and mixtures, so that the table shows which evidence suffices and
is not an estimate of recall. [Text engines](text-engines.md) describes what is found inside texts.

The catalogues of services that cannot be installed are as published when the file was written. Where two entity types have the
same number in two forms, a row shows both, and the first table counts the better of the two.
"""

MEASURED = Path(__file__).parent / "coverage_measured.toml"
STATES = ("yes", "as another entity type", "not assessed", "no")
"""What detection makes of the values of a row without a column name, the best first."""
Row = tuple[str, str, str]
"""Their name, our entity type and its detail, empty for none."""


def answers() -> dict[str, list[Row]]:
    """Return the rows of each catalogue, in file order."""
    found: dict[str, list[Row]] = {}
    for peer, entry in wordlists.toml("coverage").items():
        found[peer] = [(name, *_parts(answer)) for name, answer in entry["covered"].items()]
        if peer == "python-stdnum":
            found[peer] = [(str(d.validator), d.entity, d.detail or "") for d in modules().values()]
    return {peer: [one for row in listed for one in _in_each_form(row)] for peer, listed in found.items()}


def _in_each_form(row: Row) -> list[Row]:
    """Return a row, once for each entity type that has a detector of the same number, such as us.ein."""
    name, entity, detail = row
    same = {d.entity for d in detectors.load() if "." in detail and d.detail == detail}
    return [(name, each, detail) for each in sorted(same | {entity})]


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


@cache
def measurements() -> Mapping[str, Mapping[str, Any]]:
    """Return what `python -m tests.helpers.coverage` measured, by key."""
    return tomllib.loads(MEASURED.read_text(encoding="utf-8"))


def measured(row: Row) -> Mapping[str, Any]:
    """Return what was measured for a row."""
    return measurements().get(row[0]) or measurements()[f"{row[1]} {row[2]}".strip()]


def known_by(row: Row) -> str:
    """Return the evidence by which the values of a row are recognised; the measurement shows where it does not suffice."""
    result, base = measured(row), _evidence(*row[1:])
    if result["without"] == "yes":
        return base
    if not result["accepted"] and result["without"] == "no":
        return "name"
    return base if base.endswith("and name") else f"{base} and name"


def _evidence(entity: str, detail: str) -> str:
    every = [d for d in detectors.load() if d.entity == entity and (not detail or d.detail == detail)]
    chosen = [d for d in every if d.recognises_cells]
    if not detail and entity_type(entity).value_form == "official_number":
        return "form"  # of one country, for which no detector of its own exists
    if not chosen or (not detail and len({d.detail for d in every if d.recognises_cells or d.by_name}) > 1):
        return "values and name"
    if any(d.validator for d in chosen):
        return "check"
    return "list" if any(d.listed for d in chosen) else "form"


def state(row: Row) -> str:
    """Return what detection makes of the values of a row without a column name, as in `STATES`."""
    found = measured(row)["without"]
    return found if found in STATES else STATES[1]


def page() -> str:
    """Return docs/coverage.md."""
    table, found = wordlists.toml("coverage"), answers()
    parts = [
        HEAD,
        "| catalogue | rows | found without a column name | as another entity type | not assessed | only with the column name "
        "| not covered |",
        "|---|---|---|---|---|---|---|",
    ]
    parts += [_counts(table[peer], listed) for peer, listed in found.items()]
    parts += [_section(table[peer], listed) for peer, listed in found.items()]
    return "\n".join(parts) + "\n"


def by_name(listed: Sequence[Row]) -> dict[str, list[Row]]:
    """Return rows by their name, in their order; more than one where two entity types have the same number."""
    found: dict[str, list[Row]] = {}
    for row in listed:
        found.setdefault(row[0], []).append(row)
    return found


def _counts(entry: Mapping[str, Any], listed: Sequence[Row]) -> str:
    rows = by_name(listed)
    best = [min(map(STATES.index, map(state, same))) for same in rows.values()]
    cells = (entry["title"], len(rows), *map(best.count, range(len(STATES))), len(entry["outside"]))
    return f"| {' | '.join(map(str, cells))} |"


def _section(entry: Mapping[str, Any], listed: Sequence[Row]) -> str:
    lines = [
        f"\n## {entry['title']}\n\nFrom {entry['source']}.\n",
        "| name | entity type | recognised by | without a column name |",
        "|---|---|---|---|",
    ]
    for name, same in by_name(listed).items():
        types = (f"`{entity}`{f' ({detail})' if detail else ''}" for _, entity, detail in same)
        parts = (types, map(known_by, same), map(_shown, same))
        lines.append(f"| {name} | {' | '.join('; '.join(part) for part in parts)} |")
    if entry["outside"]:
        lines += ["", "Not covered:", ""]
        lines += [f"- {name}: {why}" for name, why in entry["outside"].items()]
    return "\n".join(lines)


def _shown(row: Row) -> str:
    found = measured(row)["without"]
    return found if found in STATES else f"as `{found}`"


if __name__ == "__main__":
    (Path(__file__).parent / "coverage.md").write_text(page(), encoding="utf-8")
