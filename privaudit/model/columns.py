"""What is known of a column: profile, verdicts, role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model.stats import Estimate
from privaudit.model.vocabulary.records import Role
from privaudit.model.wording import Fact

DataType = Literal["integer", "decimal", "boolean", "date", "timestamp", "time", "text", "binary", "nested", "empty"]


_MOST_VALUES = 100
"""Distinct values up to which a column of numbers counts as a code or a category (product default)."""
_FINE = 0.5
"""Share of distinct values from which decimals are measured, not classified (product default)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clue(Wire):
    """One piece of evidence for a verdict.

    ``kind`` is how it was recognised: type, shape, pattern, check-digit, header, list, model or declared.
    """

    kind: str
    because: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(Wire):
    """What a column *is*: the entity type of most of its cells."""

    entity: str
    detail: str | None = None
    share: Estimate
    confidence: float
    evidence: tuple[Clue, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Contained(Wire):
    """What some cells of a column *contain*, counted in cells."""

    entity: str
    detail: str | None = None
    n_cells: int
    share: Estimate
    evidence: tuple[Clue, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected(Wire):
    """An entity type that was considered and rejected, with the reason."""

    entity: str
    because: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnProfile(Wire):
    """Statistics of one column.

    ``length_min`` and ``length_max`` are reached by at least 11 cells each, or by all; null where neither
    holds. Means have one decimal and the entropy three, because more digits identify single cells.
    ``uniqueness`` is distinct over non-missing cells (null where all are missing); ``entropy_bits`` is the
    Shannon entropy of the non-missing cells; lengths are in characters of the text form. ``n_held_once`` counts
    values that occur in exactly one row. ``date_precision`` is year, month, day, minute or second;
    ``geo_precision`` is country, region, county, city, postal area, postal or point and ``geo_decimals`` the
    decimals of a coordinate.
    """

    name: str
    data_type: DataType
    n_rows: int
    n_missing: int
    n_distinct: int
    n_held_once: int
    uniqueness: float | None
    entropy_bits: float | None
    length_min: int | None = None
    length_max: int | None = None
    length_mean: float | None = None
    words_mean: float | None = None
    date_precision: str | None = None
    geo_precision: str | None = None
    geo_decimals: int | None = None
    monotonic: bool = False
    constant: bool = False
    n_suppressed: int = 0
    generalised: str | None = None

    @property
    def is_measurement(self) -> bool:
        """Whether the column holds numbers with so many values that they measure rather than classify."""
        if self.data_type not in ("integer", "decimal", "time"):
            return False
        fine = self.data_type == "decimal" and (self.uniqueness or 0) >= _FINE
        return self.n_distinct > _MOST_VALUES or fine


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnReport(ColumnProfile):
    """A column as the report shows it: profile, verdicts and role.

    ``role_inferred`` is the role that the column would have without the declaration of the settings.
    ``measurements`` are value-free numbers that checks and roles read; ``unassessed`` is why the column could not
    be assessed, or null.
    """

    role: Role
    role_inferred: Role | None = None
    role_because: tuple[Fact, ...] = ()
    is_: Verdict | None = None
    contains: tuple[Contained, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    measurements: Mapping[str, float] = field(default_factory=dict)
    unassessed: Fact | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection(Wire):
    """What detection found in one column.

    ``measurements`` are value-free numbers that checks and roles read; ``unassessed`` is why the column could not
    be assessed, or null; ``notes`` state what the search did not cover.
    """

    column: str
    is_: Verdict | None = None
    contains: tuple[Contained, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    measurements: Mapping[str, float] = field(default_factory=dict)
    unassessed: Fact | None = None
    notes: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment(Wire):
    """The role of one column and why; ``inferred`` is the role it would have if the settings did not declare one."""

    column: str
    role: Role
    inferred: Role | None = None
    because: tuple[Fact, ...]
