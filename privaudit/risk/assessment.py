"""Assess the risk of a table: every measure of `privaudit.risk`, put together.

Question: who can be singled out by the quasi-identifiers, alone, in combination and all together?
Method: one group-by codes the quasi-identifiers and the sensitive columns; every measure works on the codes.
Limits: thresholds only decide what is counted, never what is good: that is for the rulebook. A measure that
does not apply is null with a line that says why.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from privaudit.config import Progress, Settings, silent
from privaudit.model import ClassSizeTable, ColumnReport, Combination, Limit, Risk
from privaudit.risk import sections
from privaudit.risk.class_sizes import ClassSizes
from privaudit.risk.coded import CodedTable, encode
from privaudit.risk.combinations import search, shipped
from privaudit.risk.remarks import remarks

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset

THRESHOLDS = (2, 3, 5, 10, 11, 15, 20)
SHARES = ("0.05", "0.075", "0.09", "0.1", "0.2", "0.33", "0.5")


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskAssessment:
    """What the risk stage found.

    Attributes
    ----------
    combinations : tuple of Combination
        Worst first by the largest given threshold.
    risk : Risk or None
        Over all quasi-identifiers; None where there are none, or no rows.
    limits : tuple of Limit
        What was not searched or does not apply.
    coded : CodedTable or None
        The quasi-identifiers as codes, for attack and advice.
    """

    combinations: tuple[Combination, ...]
    risk: Risk | None
    limits: tuple[Limit, ...]
    coded: CodedTable | None


def assess(
    dataset: Dataset,
    columns: tuple[ColumnReport, ...],
    settings: Settings,
    *,
    thresholds: tuple[int, ...],
    progress: Progress = silent,
) -> RiskAssessment:
    """Measure the equivalence classes of `dataset` over its quasi-identifiers and over all their combinations.

    Parameters
    ----------
    dataset : Dataset
    columns : tuple of ColumnReport
        Columns of role "quasi" are the quasi-identifiers, those of role "sensitive" the sensitive attributes.
    settings : Settings
        `max_size`, `missing`, `population`, `weight`, `entity`, `budget` and `threads` are read.
    thresholds : tuple of int
        Values of k, besides the usual ones, for which records in smaller classes are counted.

    Returns
    -------
    RiskAssessment
    """
    quasi = [column for column in columns if column.role == "quasi"]
    sensitive = [column for column in columns if column.role == "sensitive"]
    nothing = _nothing_to_do(dataset, quasi)
    if nothing is not None:
        return RiskAssessment(combinations=(), risk=None, limits=(nothing,), coded=None)
    progress("coding the quasi-identifiers", None)
    names = [column.name for column in quasi]
    everything = encode(dataset, [*names, *(column.name for column in sensitive)])
    coded = everything.select(names) if sensitive else everything
    subject = sections.Subject(dataset, settings, quasi, sensitive, everything, coded, progress)
    wanted = tuple(sorted({*THRESHOLDS, *(k for k in thresholds if k > 1)}))
    combinations, searched = _search(subject, wanted, thresholds)
    risk, measured = _risk(subject, wanted)
    limits = (*remarks(coded, quasi), *searched, *measured)
    return RiskAssessment(combinations=combinations, risk=risk, limits=limits, coded=coded)


def _nothing_to_do(dataset: Dataset, quasi: Sequence[ColumnReport]) -> Limit | None:
    if dataset.n_rows == 0:
        why = "the table has no rows, so there is nobody to count"
        return Limit(what="re-identification risk", why=why, incomplete=True)
    if not quasi:
        why = (
            "no column was taken for a quasi-identifier, so no combination was counted; "
            "name them with --quasi if an outsider may know some of these columns"
        )
        return Limit(what="re-identification risk", why=why)
    return None


def _threads(settings: Settings) -> int:
    return settings.threads or min(os.cpu_count() or 1, 8)


def _search(
    subject: sections.Subject, wanted: tuple[int, ...], given: tuple[int, ...]
) -> tuple[tuple[Combination, ...], tuple[Limit, ...]]:
    """Count all combinations, and choose those a report carries."""
    settings = subject.settings
    result = search(
        subject.coded,
        max_size=settings.max_size,
        thresholds=wanted,
        budget=settings.budget,
        threads=_threads(settings),
        progress=subject.progress,
    )
    kept, cut = shipped(result.combinations, given or wanted)
    return kept, (*result.limits, *cut)


def _risk(subject: sections.Subject, wanted: tuple[int, ...]) -> tuple[Risk, tuple[Limit, ...]]:
    coded = subject.coded
    sizes = ClassSizes.of(coded.weights, n_rows=coded.n_rows)
    limits: list[Limit] = []
    population = sections.population(subject, sizes, limits)
    risk = Risk(
        quasi_identifiers=coded.names,
        sensitive=tuple(column.name for column in subject.sensitive),
        missing=subject.settings.missing,
        n_classes=sizes.n_classes,
        k_min=sizes.k_min,
        n_unique=sizes.n_unique,
        n_below={str(k): sizes.below(k) for k in wanted},
        prosecutor_max=sizes.prosecutor_max,
        prosecutor_mean=sizes.prosecutor_mean,
        journalist_max=population.journalist_max,
        marketer=sizes.prosecutor_mean if population.marketer is None else population.marketer,
        share_at_risk={share: sizes.share_at_risk(share) for share in SHARES},
        class_sizes=ClassSizeTable(size=sizes.size, count=sizes.count),
        population=population.wire,
        diversity=sections.diversity(subject),
        special_uniques=sections.special(subject, population.size, limits),
    )
    return risk, tuple(limits)
