"""Minimal sample uniques, and what each column adds to the risk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire


@dataclass(frozen=True, slots=True, kw_only=True)
class UniqueCounts(Wire):
    """Records that match fewer than k records on some set of columns, and such pairs of record and set by size."""

    msu_by_size: tuple[int, ...]
    n_records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposedValues(Wire):
    """Records with a minimal unique set that contains a column, counted by their value of that column.

    Attributes
    ----------
    n_records : int
        Records with a minimal unique set that contains the column.
    n_values : int
        Distinct values among these records.
    n_values_all : int
        Distinct values of the column in all records.
    n_values_common : int
        Values that 11 or more of these records have.
    largest : tuple of int
        Records with each of these values, most first, 20 at most.
    """

    n_records: int
    n_values: int
    n_values_all: int
    n_values_common: int
    largest: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialUniques(Wire):
    """Minimal sample uniques (MSU): smallest sets of columns on which records are unique, and the scores on them.

    Attributes
    ----------
    max_size : int
        Largest set searched.
    k : int
        A record is unique on a set if fewer than ``k`` records match it there; 2 throughout.
    msu_by_size : tuple of int
        Pairs of a record and one of its minimal sets, for sets of 1, 2, ... ``max_size`` columns.
    n_records : int
        Records with a minimal set of the sizes searched.
    score_sum, score_max : int or float
        Sum and maximum of the SUDA scores; floats where they exceed 64 bits (more than 18 columns).
    dis : float or None
        Probability that a sample unique is unique in the population, at the sampling fraction ``dis_fraction``.
    dis_max : float or None
        Highest DIS-SUDA score of a record.
    dis_fraction : float
        Sampling fraction, from the population given, or assumed.
    contribution : mapping of column to float or None
        Percentage of the score sum from minimal sets with the column; None without any set.
    by_value : mapping of column to ExposedValues
    fewer_than : mapping of k to UniqueCounts
        The same counts for records that match fewer than k records, for the values of k of the policy.
    """

    max_size: int
    k: int = 2
    msu_by_size: tuple[int, ...] = ()
    n_records: int
    score_sum: int | float
    score_max: int | float
    dis: float | None = None
    dis_max: float | None = None
    dis_fraction: float
    contribution: Mapping[str, float | None] = field(default_factory=dict)
    by_value: Mapping[str, ExposedValues] = field(default_factory=dict)
    fewer_than: Mapping[str, UniqueCounts] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marginal(Wire):
    """What one quasi-identifier adds to the risk of all of them together.

    Attributes
    ----------
    n_unique_without : int
        Sample uniques over all the other columns.
    n_unique_added : int
        Sample uniques over all columns less those over the others; 0 or more.
    n_below_added : mapping of k to int
        Records in classes smaller than k over all columns less those over the others; 0 or more.
    n_classes_added : int
        Classes over all columns less those over the others; 0 or more.
    k_min_without : int or None
        Smallest class over all the other columns: k without this column; None in older reports.
    shapley : float or None
        Shapley value of the column: its part of the sample uniques over all columns; None where not every
        combination was counted.
    """

    n_unique_without: int
    n_unique_added: int
    n_below_added: Mapping[str, int]
    n_classes_added: int
    shapley: float | None = None
    k_min_without: int | None = None
