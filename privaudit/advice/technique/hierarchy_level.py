"""Replace values by their names at a level of a hierarchy.

Method: the hierarchy is a file of the plan, a public one, or a table in the step itself: ``{ Bachelors = "Graduate"
}``, with a list of names where it has several levels.
Limits: a value without an entry is an error for a table in the step, and the root for the others, unless ``unknown``
states otherwise. Above the last level of a value its last name is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique.column import Column, Hierarchy
from privaudit.advice.technique.public_hierarchies import hierarchy_of
from privaudit.advice.technique.recoding import Recoding, by_text, listed
from privaudit.base.errors import ConfigError
from privaudit.model.wording import Threshold

ROOT = "*"
"""The root of a hierarchy whose last level has several names."""


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Replace the values of `column` by their names at one level of its hierarchy."""
    values, level = column.dictionary.to_pylist(), int(parameters.get("level", 1))
    hierarchy = _hierarchy(column, parameters, values)
    depth = depth_of(hierarchy)
    root = root_of(hierarchy)
    names = [_name(hierarchy[value], level) if value in hierarchy else root for value in values]
    lookup, labels = by_text(listed(names))
    stated = {key: parameters[key] for key in ("public", "mapping", "unknown", "into") if key in parameters}
    return Recoding(
        "hierarchy_level",
        column.name,
        {"level": level, "of": depth} | stated,
        lookup,
        labels,
        shares=_leaf_shares(values, names, hierarchy, level),
        details={"level": Threshold(value=level), "depth": Threshold(value=depth)},
    )


def _hierarchy(column: Column, parameters: Mapping[str, Any], values: Sequence[str]) -> Hierarchy:
    """Return the hierarchy that the step names.

    Raises
    ------
    ConfigError
        If a value of the column has no entry, and the step does not make it the root.
    """
    found: Hierarchy = column.hierarchy or {}
    if "public" in parameters:
        found = hierarchy_of(str(parameters["public"]), values)
    elif "mapping" in parameters:
        stated = parameters["mapping"].items()
        found = {str(value): (names,) if isinstance(names, str) else tuple(names) for value, names in stated}
    default = "error" if "mapping" in parameters else "root"
    missing = np.array([value not in found for value in values], dtype=bool) & (column.counts[:-1] > 0)
    if parameters.get("unknown", default) == "error" and missing.any():
        n = int(column.counts[:-1][missing].sum())
        raise ConfigError(
            f'Values of "{column.name}" without an entry in its hierarchy: {int(missing.sum()):,}, in {n:,} records.',
            hint='add them, or write unknown = "root" in the step',
        )
    return found


def root_of(hierarchy: Hierarchy) -> str:
    """Return the name of all values at the last level of a hierarchy; "*" where it has several."""
    last = {names[-1] for names in hierarchy.values() if names}
    return last.pop() if len(last) == 1 else ROOT


def depth_of(hierarchy: Hierarchy) -> int:
    """Return the levels of a hierarchy, the values themselves not counted."""
    return max((len(names) for names in hierarchy.values()), default=0)


def _leaf_shares(
    values: Sequence[str], names: Sequence[str], hierarchy: Hierarchy, level: int
) -> npt.NDArray[np.float64]:
    """Return the share of the leaves of a hierarchy under each of `names`, and one leaf for a missing cell.

    A value that the hierarchy does not contain is a leaf of its own, and may be any leaf once it is the root.
    """
    under = Counter(_name(path, level) for path in hierarchy.values())
    unknown = [value not in hierarchy for value in values]
    leaves = sum(under.values()) + sum(unknown)
    kept = [leaves if gone or name == ROOT else under[name] for name, gone in zip(names, unknown, strict=True)]
    return np.array([*kept, 1]) / max(1, leaves)


def _name(names: Sequence[str], level: int) -> str:
    return names[min(level, len(names)) - 1]
