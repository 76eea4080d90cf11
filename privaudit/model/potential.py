"""Risk over the columns that an attacker may know although they were not recognised as quasi-identifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire

Exclusion = Literal["direct", "key", "free_text", "measurement", "no_information", "declared"]
"""Why a column is not a potential quasi-identifier: it is a direct identifier, a key of records, free text or a
measurement, it has one value or none, or its role was declared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PotentialRisk(Wire):
    """Equivalence classes over all potential quasi-identifiers: an upper bound on what the columns can single out.

    Attributes
    ----------
    columns : tuple of str
        The quasi-identifiers and every column that could be one.
    excluded : mapping of column to reason
        Every other column of the table.
    n_records, n_classes : int
        Records of the table, and classes over the columns; a missing cell is a category.
    k_min, n_unique : int
        Records in the smallest class; classes of one record.
    n_below : mapping of k to int
        Records in classes smaller than k.
    """

    columns: tuple[str, ...]
    excluded: Mapping[str, Exclusion] = field(default_factory=dict)
    n_records: int
    n_classes: int
    k_min: int
    n_unique: int
    n_below: Mapping[str, int]
