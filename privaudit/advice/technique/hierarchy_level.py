"""Replace values by their names at a level of a hierarchy.

Limits: a value that the hierarchy does not contain becomes the root, at every level. Above the last level of a value
its last name is used.
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
from privaudit.advice.technique.record import Parameter, Technique
from privaudit.model.wording import Threshold

ROOT = "*"
"""The root of a hierarchy whose last level has several names."""


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Replace the values of `column` by their names at one level of its hierarchy."""
    values, level, public = column.dictionary.to_pylist(), int(parameters["level"]), parameters.get("public")
    hierarchy = (column.hierarchy or {}) if public is None else hierarchy_of(public, values)
    depth = depth_of(hierarchy)
    root = root_of(hierarchy)
    names = [_name(hierarchy[value], level) if value in hierarchy else root for value in values]
    lookup, labels = by_text(listed(names))
    return Recoding(
        "hierarchy_level",
        column.name,
        {"level": level, "of": depth} | ({} if public is None else {"public": public}),
        lookup,
        labels,
        shares=_leaf_shares(values, names, hierarchy, level),
        details={"level": Threshold(value=level), "depth": Threshold(value=depth)},
    )


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


TECHNIQUE = Technique(
    name="hierarchy_level",
    meaning="Replaces values by their names at a level of a hierarchy: the file of the column, or a public one.",
    parameters={
        "level": Parameter(kind="integer", least=1, meaning="The level; 1 is the finest."),
        "public": Parameter(
            kind="text", required=False, meaning="A public hierarchy of privaudit, instead of a file of the plan."
        ),
        "of": Parameter(kind="integer", least=1, required=False, meaning="The levels of the hierarchy."),
    },
    recode=recode,
)
