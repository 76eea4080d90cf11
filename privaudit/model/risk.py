"""Re-identification risk over quasi-identifiers, alone and in combination."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from privaudit.wire import Wire

MissingSemantics = Literal["category", "wildcard", "one-sided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination(Wire):
    """Equivalence classes of one set of quasi-identifiers.

    ``n_below`` maps a threshold k to the number of *records* in classes smaller than k; ``share_below_k`` is that
    number at the policy's k over all records. ``minimal`` is true when some class is below the policy's k and no
    proper subset of the columns has such a class. ``minimal_to`` says the same for any k at once: the set is
    minimal for each k above ``k_min`` up to it (null where not all sets with one column less were searched).
    """

    columns: tuple[str, ...]
    n_classes: int
    k_min: int
    n_unique: int
    share_unique: float
    n_below: Mapping[str, int]
    share_below_k: float | None = None
    mean_class_size: float
    distinction: float
    separation: float | None
    minimal: bool | None = None
    minimal_to: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSizeTable(Wire):
    """Histogram of class sizes: ``count[i]`` classes hold ``size[i]`` records; sizes ascend."""

    size: tuple[int, ...]
    count: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk(Wire):
    """Re-identification risk over all quasi-identifiers together; docs/report.md describes the nested tables."""

    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    missing: MissingSemantics
    n_classes: int
    k_min: int
    n_unique: int
    n_below: Mapping[str, int]
    share_below_k: float | None = None
    prosecutor_max: float
    prosecutor_mean: float
    journalist_max: float | None = None
    marketer: float
    share_at_risk: Mapping[str, float]
    class_sizes: ClassSizeTable
    population: Mapping[str, Any] | None = None
    diversity: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    special_uniques: Mapping[str, Any] | None = None
    marginal: Mapping[str, Any] = field(default_factory=dict)
    subject: Mapping[str, Any] | None = None
    weighted: Mapping[str, Any] | None = None
