"""Names that a plan states for the new values of a column, and a column that a step adds next to the old one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from privaudit.advice.technique.record import Parameter
from privaudit.base.errors import ConfigError

INTO = Parameter(
    kind="new_column",
    required=False,
    meaning="The name of a new column for the new values, next to the old one (default: replace the values).",
)
LABELS = Parameter(
    kind="list", required=False, meaning="The names of the new values, from the lowest to the highest."
)


def stated_labels(parameters: Mapping[str, Any], made: Sequence[str], technique: str) -> list[str]:
    """Return the names that the plan states, else those of the technique.

    Raises
    ------
    ConfigError
        If the plan states another number of names, or one twice.
    """
    stated = parameters.get("labels")
    if stated is None:
        return list(made)
    if len(stated) != len(made) or len(set(stated)) != len(stated):
        raise ConfigError(f'"labels" of "{technique}" must be {len(made)} different names.')
    return list(stated)
