"""Measure the classes over every column that an attacker may know, whether it was recognised or not.

Question: how many records would be unique if the columns without a recognised role were quasi-identifiers?
Method: all columns are potential quasi-identifiers except direct identifiers, keys of records, free text, measurements,
columns with one value, and columns whose role the user declared. One group-by over all of them gives the class sizes;
no combination is searched.
Limits: an upper bound for these columns, not a risk: most attackers know fewer attributes. A measurement is a number
with many values; an attacker who knows it to the last digit is not covered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from privaudit import vocabulary
from privaudit.config import Settings
from privaudit.model import ColumnReport, DatasetUnit, Exclusion, Limit, PotentialRisk, limit
from privaudit.risk.class_sizes import ClassSizes
from privaudit.risk.coded import encode
from privaudit.source.dataset import ROWS_IN_MEMORY, Dataset
from privaudit.wording import Term

_NUMERIC = frozenset({"integer", "decimal", "time"})
_MOST_VALUES = 100
"""Distinct values up to which a column of numbers counts as a code or a category (product default)."""
_UNIQUE_KEY = 0.99


def exclusions(columns: Sequence[ColumnReport], settings: Settings) -> dict[str, Exclusion]:
    """Return why each column that is not a potential quasi-identifier is excluded, by column."""
    found = {column.name: _exclusion(column, settings) for column in columns}
    return {name: reason for name, reason in found.items() if reason is not None}


def _exclusion(column: ColumnReport, settings: Settings) -> Exclusion | None:
    if column.role == "quasi":
        return None
    entity = column.is_.entity if column.is_ is not None else None
    declared = settings.role.get(column.name) or ("sensitive" if column.name in settings.sensitive else None)
    if column.role == "direct":
        return "direct"
    if declared is not None:
        return "declared"
    if column.constant or column.n_distinct == 0:
        return "no_information"
    if entity == "ROW_NUMBER" or (_is_key(entity) and (column.uniqueness or 0) >= _UNIQUE_KEY):
        return "key"
    if entity == "FREE_TEXT" or column.data_type == "binary" or column.measurements.get("free_text"):
        return "free_text"
    return "measurement" if is_measurement(column) else None


def _is_key(entity: str | None) -> bool:
    return entity in vocabulary.in_group("key") | vocabulary.with_trait("opaque_code")


def is_measurement(column: ColumnReport) -> bool:
    """Whether a column holds numbers with so many values that they measure rather than classify."""
    if column.data_type not in _NUMERIC:
        return False
    fine = column.data_type == "decimal" and (column.uniqueness or 0) >= 0.5
    return column.n_distinct > _MOST_VALUES or fine


def potential_risk(
    dataset: Dataset, columns: Sequence[ColumnReport], settings: Settings, *, thresholds: Sequence[int]
) -> PotentialRisk | None:
    """Return the classes over the potential quasi-identifiers of `columns`; None where there are none, or no rows.

    Parameters
    ----------
    dataset : Dataset
    columns : sequence of ColumnReport
        With their roles.
    settings : Settings
        Declared roles are read.
    thresholds : sequence of int
        Values of k for ``n_below``.
    """
    excluded = exclusions(columns, settings)
    names = [column.name for column in columns if column.name not in excluded]
    if not names or dataset.n_rows == 0:
        return None
    sizes = _class_sizes(dataset, names)
    return PotentialRisk(
        columns=tuple(names),
        excluded=excluded,
        n_records=dataset.n_rows,
        n_classes=sizes.n_classes,
        k_min=sizes.k_min,
        n_unique=sizes.n_unique,
        n_below={str(k): sizes.below(k) for k in thresholds},
    )


def _class_sizes(dataset: Dataset, names: Sequence[str]) -> ClassSizes:
    """Count the classes over `names`: in memory from codes, otherwise in the engine, which returns their histogram."""
    if dataset.in_memory and dataset.n_rows <= ROWS_IN_MEMORY:
        return ClassSizes.of(encode(dataset, names).weights, n_rows=dataset.n_rows)
    table = dataset.table
    classes = table.group_by([dataset.internal(name) for name in names]).agg(weight=table.count())
    counted = classes.group_by("weight").agg(classes=classes.count()).order_by("weight").to_pyarrow()
    weights, n_classes = (np.asarray(counted[key], dtype=np.int64) for key in ("weight", "classes"))
    return ClassSizes(tuple(weights.tolist()), tuple(n_classes.tolist()))


def not_measured(
    columns: Sequence[ColumnReport], settings: Settings, unit: DatasetUnit | None = None
) -> Limit | None:
    """Return the limit of a table without quasi-identifiers; None where it has some.

    The risk is unknown, and the scan incomplete, unless the user stated that there are none or declared the role of
    every column that could be one, or the rows are not about people.
    """
    if any(column.role == "quasi" for column in columns):
        return None
    if unit is not None and not unit.is_about_people:
        return limit("risk.not_about_people", unit=Term(code=f"unit.{unit.kind}"))
    if settings.declares_no_quasi(column.name for column in columns):
        return limit("risk.no_quasi_declared")
    if _all_settled(columns, exclusions(columns, settings)):
        return limit("risk.no_quasi_possible")
    return limit("risk.no_quasi_identifiers", incomplete=True)


def _all_settled(columns: Sequence[ColumnReport], excluded: Mapping[str, Exclusion]) -> bool:
    """Whether no column is left that could be a quasi-identifier: a measurement could be one, a key could not."""
    return bool(columns) and all(
        excluded.get(column.name, "measurement") != "measurement" for column in columns
    )
