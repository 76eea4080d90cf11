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
from privaudit.model import ClassSizeTable, ColumnReport, Combination, Limit, untyped_limit, MissingSemantics, Risk
from privaudit.risk import sections
from privaudit.risk.class_sizes import ClassSizes
from privaudit.risk.coded import CodedTable, encode
from privaudit.risk.combinations import search, shipped
from privaudit.risk.markers import Marked, markers_as_missing
from privaudit.risk.matching import TOO_MANY, search_matching
from privaudit.risk.missing import Matches, TooManyPairs, matches
from privaudit.risk.remarks import remarks
from privaudit.risk.wide import quasi_keys

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset

THRESHOLDS = (2, 3, 5, 10, 11, 15, 20)
WIDE = 16
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
    everything : CodedTable or None
        The same with the sensitive attributes beside them.
    """

    combinations: tuple[Combination, ...]
    risk: Risk | None
    limits: tuple[Limit, ...]
    coded: CodedTable | None
    everything: CodedTable | None = None


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
        unmeasured = sections.unmeasured(dataset, settings)
        return RiskAssessment(combinations=(), risk=None, limits=(nothing, *unmeasured), coded=None)
    asked = tuple(sorted({k for k in thresholds if k > 1}))
    subject, marked = _subject(dataset, settings, quasi, sensitive, progress, asked)
    wanted = tuple(sorted({*THRESHOLDS, *asked}))
    limits: list[Limit] = remarks(subject.coded, marked)
    found = _matched(subject, wanted, limits) or _classes(subject, wanted, limits)
    kept, cut = shipped(found.combinations, asked or wanted)
    limits.extend(cut)
    risk = _risk(subject, found, wanted, limits)
    return RiskAssessment(
        combinations=kept,
        risk=risk,
        limits=tuple(limits),
        coded=subject.coded,
        everything=subject.everything,
    )


def _subject(
    dataset: Dataset,
    settings: Settings,
    quasi: Sequence[ColumnReport],
    sensitive: Sequence[ColumnReport],
    progress: Progress,
    fewer_than: tuple[int, ...],
) -> tuple[sections.Subject, dict[str, Marked]]:
    """Code the columns; cells that hold a suppression marker become missing."""
    progress("coding the quasi-identifiers", None)
    names = [column.name for column in quasi]
    everything = encode(dataset, [*names, *(column.name for column in sensitive)])
    coded, marked = markers_as_missing(everything.select(names) if sensitive else everything)
    if any(column.n_records for column in marked.values()):
        everything, _ = markers_as_missing(everything)
    subject = sections.Subject(dataset, settings, quasi, sensitive, everything, coded, progress, fewer_than)
    return subject, marked


def _nothing_to_do(dataset: Dataset, quasi: Sequence[ColumnReport]) -> Limit | None:
    if dataset.n_rows == 0:
        why = "the table has no rows, so there is nobody to count"
        return untyped_limit(what="re-identification risk", why=why, incomplete=True)
    if not quasi:
        why = (
            "no column was taken for a quasi-identifier, so no combination was counted; "
            "name them with --quasi if an outsider may know some of these columns"
        )
        return untyped_limit(what="re-identification risk", why=why)
    return None


def _threads(settings: Settings) -> int:
    return settings.threads or min(os.cpu_count() or 1, 8)


@dataclass(frozen=True, slots=True)
class _Found:
    """Sizes over all quasi-identifiers, the combinations, and the special uniques by k."""

    sizes: ClassSizes | Matches
    combinations: tuple[Combination, ...]
    special: sections.Special | None
    missing: MissingSemantics


def _classes(subject: sections.Subject, wanted: tuple[int, ...], limits: list[Limit]) -> _Found:
    """Count classes, a missing cell being a category of its own."""
    settings = subject.settings
    result = search(
        subject.coded,
        max_size=settings.max_size,
        thresholds=wanted,
        budget=settings.budget,
        threads=_threads(settings),
        progress=subject.progress,
    )
    limits.extend(result.limits)
    combinations = result.combinations
    if result.limits or len(subject.coded.names) > WIDE:
        combinations += _beyond(subject, combinations, wanted, limits)
    sizes = subject.class_sizes
    special = sections.special(subject, result.largest, limits)
    semantics = "category" if subject.has_missing else settings.missing
    return _Found(sizes, combinations, special, semantics)


def _beyond(
    subject: sections.Subject,
    known: tuple[Combination, ...],
    wanted: tuple[int, ...],
    limits: list[Limit],
) -> tuple[Combination, ...]:
    """Look by sampling for near keys larger than the sets that were searched."""
    keys, said = quasi_keys(subject.coded, thresholds=wanted, seed=subject.settings.seed)
    counted = {c.columns for c in known}
    found = tuple(c for c in keys if c.columns not in counted)
    if said is not None and found:
        limits.append(said)
    return found


def _matched(subject: sections.Subject, wanted: tuple[int, ...], limits: list[Limit]) -> _Found | None:
    """Count matches where missing cells may be anything; None where they may not, or there are none."""
    settings = subject.settings
    if settings.missing == "category" or not subject.has_missing:
        return None
    subject.progress("matching rows with missing cells", None)
    what = f'missing cells as "{settings.missing}"'
    try:
        whole = Matches.of(matches(subject.coded, settings.missing), subject.coded.weights)
    except TooManyPairs:
        why = f"{TOO_MANY}; they are counted as a category of their own instead"
        limits.append(untyped_limit(what=what, why=why, incomplete=True))
        return None
    result, special = search_matching(
        subject.coded,
        whole,
        semantics=settings.missing,
        max_size=settings.max_size,
        thresholds=wanted,
        budget=settings.budget,
        fewer_than=subject.fewer_than,
        progress=subject.progress,
    )
    why = (
        "matching makes no classes: k, uniques and shares count matches, while numbers of classes, class sizes, "
        "diversity and what is measured against a population or weights take missing cells for a value"
    )
    limits.extend((untyped_limit(what=what, why=why), *result.limits))
    return _Found(whole, result.combinations, sections.Special.of(special), settings.missing)


def _risk(subject: sections.Subject, found: _Found, wanted: tuple[int, ...], limits: list[Limit]) -> Risk:
    coded, sizes, classes = subject.coded, found.sizes, subject.class_sizes
    population = sections.population(subject, limits)
    return Risk(
        quasi_identifiers=coded.names,
        sensitive=tuple(column.name for column in subject.sensitive),
        missing=found.missing,
        n_classes=classes.n_classes,
        k_min=sizes.k_min,
        n_unique=sizes.n_unique,
        n_below={str(k): sizes.below(k) for k in wanted},
        prosecutor_max=1 / sizes.k_min,
        prosecutor_mean=sizes.prosecutor_mean,
        journalist_max=population.journalist_max,
        marketer=sizes.prosecutor_mean if population.marketer is None else population.marketer,
        share_at_risk={share: sizes.share_at_risk(share) for share in SHARES},
        class_sizes=ClassSizeTable(size=classes.size, count=classes.count),
        population=population.wire,
        diversity=sections.diversity(subject, limits),
        special_uniques=sections.special_wire(subject, found.special, population.size, limits),
        marginal=sections.marginal(subject, found.combinations, wanted),
        subject=sections.entity(subject, wanted, limits),
        weighted=sections.weighted(subject, limits),
    )
