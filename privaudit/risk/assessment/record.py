"""The record of the risk over all quasi-identifiers, from the sizes of the classes and what else was measured.

Question: which numbers of the record follow from the exposure of the records or people, and the population?
Method: counts over the histogram of exposure; every other measure is handed in.
Limits: a measure that is not handed in is absent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from privaudit.model import ClassSizeTable, MatchTable, MissingSemantics, RecordRisk, Risk
from privaudit.risk.codes.class_sizes import PROBABILITIES, ClassSizes, Exposure
from privaudit.risk.population.population_risk import PopulationRisk


def risk_record(
    sizes: Exposure,
    classes: ClassSizes,
    *,
    quasi: Iterable[str],
    sensitive: Iterable[str],
    missing: MissingSemantics,
    thresholds: Sequence[int],
    population: PopulationRisk,
    **measured: Any,
) -> Risk:
    """Return the record of a table.

    Parameters
    ----------
    sizes : Exposure
        How many records or people have an exposure of each size.
    classes : ClassSizes
        The histogram of class sizes.
    quasi, sensitive : iterable of str
    missing : str
        The semantics of missing cells that was used.
    thresholds : sequence of int
        Values of k for `n_below`.
    population : PopulationRisk
    **measured
        Further fields of the record.
    """
    return Risk(
        quasi_identifiers=tuple(quasi),
        sensitive=tuple(sensitive),
        missing=missing,
        n_classes=classes.n_classes,
        k_min=sizes.k_min,
        n_unique=sizes.n_unique,
        n_below=sizes.below_each(thresholds),
        prosecutor_max=1 / sizes.k_min,
        prosecutor_mean=sizes.prosecutor_mean,
        journalist_max=population.journalist_max,
        # Without a population the table is all of it, and both rates are the same.
        marketer=sizes.prosecutor_mean if population.marketer is None else population.marketer,
        share_at_risk={probability: sizes.share_at_risk(probability) for probability in PROBABILITIES},
        class_sizes=ClassSizeTable(size=classes.size, count=classes.count),
        population=population.record,
        **measured,
    )


def match_table(sizes: Exposure, missing: MissingSemantics) -> MatchTable | None:
    """Return the histogram of exposure; None where it follows from the class sizes and a missing cell is a category."""
    # A class of n records is n exposures of size n, so that the histogram of classes states both.
    if isinstance(sizes, ClassSizes) and missing == "category":
        return None
    return MatchTable(size=sizes.size, count=sizes.records)


def in_records(sizes: ClassSizes, counted_ks: tuple[int, ...]) -> RecordRisk:
    """Return the class sizes in records, for a table whose risk is counted in people."""
    return RecordRisk(
        k_min=sizes.k_min,
        n_unique=sizes.n_unique,
        n_below=sizes.below_each(counted_ks),
        prosecutor_mean=sizes.prosecutor_mean,
        class_sizes=ClassSizeTable(size=sizes.size, count=sizes.count),
    )
