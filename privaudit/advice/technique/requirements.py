"""What a step of a plan requires of classes: the parameters that suppression, regions and local recoding share.

Question: when does a class of records fail, as a step states it?
Method: `below` is k; the others name sensitive columns with their limits. Columns with the same limits have one
`privaudit.advice.technique.protection.Protection`.
Limits: the distance t is measured from the records that are kept, or from the whole table for a part of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from privaudit.advice.technique.protection import Attribute, Labels, Protection
from privaudit.base.arrow import pa
from privaudit.base.errors import ConfigError
from privaudit.risk.codes.coded import encode_column
from privaudit.risk.codes.markers import encode_values
from privaudit.risk.codes.people import number_people

REQUIREMENTS = ("distinct", "distance", "entropy", "recursive_c", "recursive_l")
"""The parameters that are numbers for sensitive columns."""
PLAN_PARAMETERS = {
    "below": "suppress_below",
    "people": "count_people_by",
    "distinct": "suppress_below_distinct",
    "distance": "suppress_above_distance",
    "entropy": "suppress_below_entropy",
    "recursive_c": "suppress_recursive_c",
    "recursive_l": "suppress_recursive_l",
    "k_map": "suppress_below_k_map",
}
"""The names of the parameters in a measured plan of a report."""


def requirements(protection: Protection, subject: str | None) -> dict[str, Any]:
    """Return what `protection` requires, as parameters of a step; `subject` is the column of the data subject."""
    c, values = protection.recursive or (None, None)
    limits: dict[str, float | None] = {
        "distinct": protection.l,
        "distance": protection.t,
        "entropy": protection.l_entropy,
        "recursive_c": c,
        "recursive_l": values,
    }
    names = [attribute.name for attribute in protection.attributes]
    stated: dict[str, Any] = {"below": protection.k} | ({} if subject is None else {"people": subject})
    stated |= {} if protection.k_map is None else {"k_map": protection.k_map}
    return stated | {key: dict.fromkeys(names, limit) for key, limit in limits.items() if names and limit is not None}


def _requirements(parameters: Mapping[str, Any]) -> dict[tuple[tuple[str, float], ...], list[str]]:
    """Return the columns with the same requirements; one protection has one of each."""
    names = dict.fromkeys(name for key in REQUIREMENTS for name in parameters.get(key, {}))
    found: dict[tuple[tuple[str, float], ...], list[str]] = {}
    for name in names:
        required = tuple((key, parameters[key][name]) for key in REQUIREMENTS if name in parameters.get(key, {}))
        found.setdefault(required, []).append(name)
    return found or {(): []}


def protections_of(
    table: pa.Table, parameters: Mapping[str, Any], population: Labels | None = None
) -> list[Protection]:
    """Return what a step requires of classes of the records of `table`.

    Parameters
    ----------
    table : pyarrow.Table
    parameters : mapping
    population : int64 array of shape (n,), optional
        People of the population with each record; they are summed over the records of a class.
    """
    return [
        _protection(table, parameters, dict(required), names, population)
        for required, names in _requirements(parameters).items()
    ]


def _protection(
    table: pa.Table,
    parameters: Mapping[str, Any],
    required: Mapping[str, float],
    names: Sequence[str],
    population: Labels | None,
) -> Protection:
    """Return the protection of columns with the same requirements.

    Raises
    ------
    ConfigError
        If a column has only one of the two parts of recursive diversity.
    """
    rows = np.arange(table.num_rows)
    made = []
    for name in names:
        codes, _ = encode_values(table[name])
        made.append(Attribute(name, rows, codes.astype(np.int64), np.ones(len(rows), dtype=np.int64)))
    people = None
    if "people" in parameters:
        codes, dictionary = encode_column(table[parameters["people"]])
        weights = np.ones(len(rows), dtype=np.int64)
        people = number_people(codes, len(dictionary), weights, column=parameters["people"])
    if ("recursive_c" in required) != ("recursive_l" in required):
        raise ConfigError('"recursive_c" and "recursive_l" are a pair.', hint="name each column in both or neither")
    recursive = (required["recursive_c"], int(required["recursive_l"])) if "recursive_c" in required else None
    return Protection(
        int(parameters["below"]),
        made,
        l=int(required["distinct"]) if "distinct" in required else None,
        t=required.get("distance"),
        l_entropy=required.get("entropy"),
        recursive=recursive,
        people=people,
        k_map=parameters.get("k_map"),
        population=population,
    )
