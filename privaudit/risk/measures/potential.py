"""Measure the classes over every column that an attacker may know, whether it was recognised or not.

Question: how many records would be unique if the columns without a recognised role were quasi-identifiers?
Method: all columns are potential quasi-identifiers except direct identifiers, keys of records, free text, measurements,
columns with one value, and columns whose role the user declared. One group-by over all of them gives the class sizes;
no combination is searched.
Limits: an upper bound for these columns, not a risk: most attackers know fewer attributes. A measurement is a number
with many values; an attacker who knows it to the last digit is not covered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from privaudit.model import ColumnReport, DatasetUnit, Exclusion, Limit, PotentialRisk, limit, vocabulary
from privaudit.model.wording import Term
from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.codes.coded import encode
from privaudit.risk.search.parts import rows_of_a_part
from privaudit.settings.config import Settings
from privaudit.source.dataset import Dataset

# A column of keys with a few repeated or missing values is a key all the same.
_UNIQUE_KEY = 0.99


def exclusions(columns: Sequence[ColumnReport], settings: Settings) -> dict[str, Exclusion]:
    """Return why each column that is not a potential quasi-identifier is excluded, by column."""
    found = {column.name: _exclusion(column, settings) for column in columns}
    return {name: reason for name, reason in found.items() if reason is not None}


def asked_columns(columns: Sequence[ColumnReport], settings: Settings) -> tuple[str, ...]:
    """Return every column whose distinct rows the assessment reads, so that a server can collapse them in one scan."""
    excluded = exclusions(columns, settings)
    asked = {column.name for column in columns if column.name not in excluded or column.role == "sensitive"}
    asked |= {name for name in (settings.subject, settings.weight) if name is not None}
    return tuple(column.name for column in columns if column.name in asked)


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
    return "measurement" if column.is_measurement else None


def _is_key(entity: str | None) -> bool:
    return entity in vocabulary.in_group("key") | vocabulary.with_trait("opaque_code")


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
    sizes = count_classes(dataset, names, settings)
    return PotentialRisk(
        columns=tuple(names),
        excluded=excluded,
        n_records=dataset.n_rows,
        n_classes=sizes.n_classes,
        k_min=sizes.k_min,
        n_unique=sizes.n_unique,
        n_below=sizes.below_each(thresholds),
    )


def count_classes(dataset: Dataset, names: Sequence[str], settings: Settings) -> ClassSizes:
    """Count the classes over `names`: in memory from codes, otherwise in the engine, which returns their histogram."""
    # Classes over all potential columns count records, so that people need not be in memory for them.
    if dataset.in_memory and rows_of_a_part(dataset, names, replace(settings, subject=None)) is None:
        coded = encode(dataset, names, unordered=names, threads=settings.threads)
        return ClassSizes.of(coded.weights, n_rows=dataset.n_rows)
    sizes, n_classes = dataset.class_sizes(names)
    return ClassSizes(tuple(sizes), tuple(n_classes))


def not_measured(columns: Sequence[ColumnReport], settings: Settings, unit: DatasetUnit | None = None) -> Limit | None:
    """Return the limit of a table without quasi-identifiers; None where it has some.

    The risk is unknown, and the scan incomplete, unless the user stated that there are none or declared the role of
    every column that could be one, or the rows are not about people.
    """
    if any(column.role == "quasi" for column in columns):
        return None
    if unit is not None and not unit.is_about_people:
        return limit("risk.not_about_people", unit=Term(f"unit.{unit.kind}"))
    if settings.declares_no_quasi(column.name for column in columns):
        return limit("risk.no_quasi_declared")
    if _is_fully_declared(columns, settings):
        return limit("risk.no_quasi_possible")
    return limit("risk.no_quasi_identifiers", incomplete=True)


def _is_fully_declared(columns: Sequence[ColumnReport], settings: Settings) -> bool:
    """Whether no column is left that could be a quasi-identifier.

    A measurement could be one, a key could not. A column with a provisional entity type could be one as well, unless
    the user declared its role: it is not known what it contains.
    """
    excluded = exclusions(columns, settings)
    provisional = vocabulary.with_trait("provisional")

    def is_settled(column: ColumnReport) -> bool:
        is_provisional = column.is_ is not None and column.is_.entity in provisional
        is_declared = column.name in settings.role or column.name in settings.sensitive
        return excluded.get(column.name, "measurement") != "measurement" and (is_declared or not is_provisional)

    return bool(columns) and all(is_settled(column) for column in columns)
