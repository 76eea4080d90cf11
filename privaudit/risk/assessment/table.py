"""Assess the re-identification risk of a table with every measure of `privaudit.risk`.

Question: who can be singled out by the quasi-identifiers, alone, in combination and all together?
Method: one group-by codes the quasi-identifiers and the sensitive columns; every measure works on the codes.
Limits: thresholds only decide what is counted; the rulebook judges. A measure that does not apply is null, with a limit
that states why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from privaudit.base.parallel import Spent, all_threads, threads_for, threads_for_measures, together
from privaudit.base.records import dataclass
from privaudit.model import (
    ColumnReport,
    Combination,
    DatasetUnit,
    Diversity,
    Limit,
    Marginal,
    MissingSemantics,
    Risk,
    limit,
)
from privaudit.model.wording import Columns, Term
from privaudit.risk.assessment.record import in_records, match_table, risk_record
from privaudit.risk.assessment.requested import requested_without_quasi, subject_risk, weighted_risk
from privaudit.risk.codes.class_sizes import ClassSizes, Exposure
from privaudit.risk.codes.coded import CodedTable, encode
from privaudit.risk.codes.markers import markers_as_missing
from privaudit.risk.codes.missing import Matches, TooManyPairs, matches
from privaudit.risk.codes.scope import Scope, counted_for
from privaudit.risk.measures.caveats import caveats, one_row
from privaudit.risk.measures.potential import not_measured
from privaudit.risk.measures.sensitive_columns import diversity_by_column
from privaudit.risk.population.population_risk import population_risk
from privaudit.risk.search.combinations import SearchResult, search
from privaudit.risk.search.grouping import group_columns
from privaudit.risk.search.listed_combinations import listed_in_report
from privaudit.risk.search.searched_uniques import SearchedUniques, search_uniques, set_sizes, special_uniques
from privaudit.risk.search.work import search_limits
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.dataset import Dataset

MANY_COLUMNS = 16
"""Quasi-identifiers beyond which near keys are searched by sampling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskAssessment:
    """The result of the risk stage.

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
        The quasi-identifiers and the sensitive attributes.
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
    unit: DatasetUnit | None = None,
    spent: Spent | None = None,
    population: Any = None,
) -> RiskAssessment:
    """Measure the equivalence classes of `dataset` over its quasi-identifiers and over all their combinations.

    Parameters
    ----------
    dataset : Dataset
    columns : tuple of ColumnReport
        Columns of role "quasi" are the quasi-identifiers, those of role "sensitive" the sensitive attributes.
    settings : Settings
        `max_size`, `missing`, `population`, `weight`, `subject`, `budget`, `bound`, `seed` and `threads` are read.
    thresholds : tuple of int
        Values of k of the policy: records in smaller classes are counted for these and for those of `scope.THRESHOLDS`.
    unit : DatasetUnit, optional
        What a row is: where it is not a person, quasi-identifiers may be absent.
    spent : dict, optional
        Gets the processor time that the coding of each column took.
    population : table, optional
        The population, where it is not the one of the settings.

    Returns
    -------
    RiskAssessment

    Raises
    ------
    ColumnNotFound
        If the weight or data subject column, or a column of the population, does not exist.
    ConfigError
        If the population is smaller than the table.
    """
    subject = settings.subject
    quasi, sensitive = _by_role(columns, subject)
    not_measurable = _not_measurable(dataset, [c for c in columns if c.name != subject], settings, unit)
    if not_measurable is not None:
        requested = requested_without_quasi(dataset, settings)
        single = (one_row(),) if dataset.n_rows == 1 else ()
        return RiskAssessment(combinations=(), risk=None, limits=(*single, not_measurable, *requested), coded=None)
    # k = 1 asks for nothing: every class has a record.
    policy_ks = tuple(sorted({k for k in thresholds if k > 1}))
    counted_ks = counted_for(policy_ks)
    given = settings.population if population is None else population
    chosen = group_columns(dataset, quasi, sensitive, settings)
    if chosen.rows_of_a_part is not None:
        from privaudit.risk.assessment.class_by_class import assess_in_parts

        most = chosen.rows_of_a_part
        found, risk, noted = assess_in_parts(dataset, settings, quasi, sensitive, progress, counted_ks, most, given)
        listed, cut = listed_in_report(found, policy_ks or counted_ks)
        return RiskAssessment(combinations=listed, risk=risk, limits=(*noted, *cut), coded=None)
    if chosen.beyond_memory is not None:
        return RiskAssessment(combinations=(), risk=None, limits=(chosen.beyond_memory,), coded=None)
    scope, stated = _scope(dataset, settings, quasi, chosen.sensitive, progress, policy_ks, spent)
    scope = replace(scope, population=given)
    limits = [*stated, *chosen.limits]
    if any(column.role in ("quasi", "sensitive") and column.name == subject for column in columns):
        limits.append(limit("risk.subject_not_quasi", column=Columns((str(subject),))))
    # Side by side: neither reads what the other measures.
    counts, diversity = together(
        threads_for_measures(scope.everything.n_distinct, settings.threads),
        lambda: _count(scope, limits),
        lambda: diversity_by_column(scope),
    )
    isolating = None if counts.uniques is None else counts.uniques.uniques.by_set
    listed, cut = listed_in_report(counts.combinations, policy_ks or counted_ks, isolating=isolating)
    limits.extend(cut)
    risk = _risk(scope, counts, limits, *diversity)
    return RiskAssessment(
        combinations=listed, risk=risk, limits=tuple(limits), coded=scope.coded, everything=scope.everything
    )


def code_columns(
    dataset: Dataset, columns: tuple[ColumnReport, ...], settings: Settings, *, unit: DatasetUnit | None = None
) -> RiskAssessment:
    """Code the columns as `assess` does, and measure nothing: for tables that were assessed before.

    Parameters
    ----------
    dataset, columns, settings, unit
        As in `assess`.

    Returns
    -------
    RiskAssessment
        Without risk, combinations and limits.
    """
    nothing = RiskAssessment(combinations=(), risk=None, limits=(), coded=None)
    quasi, sensitive = _by_role(columns, settings.subject)
    if _not_measurable(dataset, [c for c in columns if c.name != settings.subject], settings, unit) is not None:
        return nothing
    chosen = group_columns(dataset, quasi, sensitive, settings)
    if chosen.rows_of_a_part is not None or chosen.beyond_memory is not None:
        return nothing
    scope, _ = _scope(dataset, settings, quasi, chosen.sensitive, silent, (), None)
    return replace(nothing, coded=scope.coded, everything=scope.everything)


def _by_role(columns: Sequence[ColumnReport], subject: str | None) -> tuple[list[ColumnReport], list[ColumnReport]]:
    """Return the quasi-identifiers and the sensitive attributes."""
    # The data subject column states who a row is about: it is not something that an attacker looks up.
    others = [column for column in columns if column.name != subject]
    return [c for c in others if c.role == "quasi"], [c for c in others if c.role == "sensitive"]


def _scope(
    dataset: Dataset,
    settings: Settings,
    quasi: Sequence[ColumnReport],
    sensitive: Sequence[ColumnReport],
    progress: Progress,
    policy_ks: tuple[int, ...],
    spent: Spent | None,
) -> tuple[Scope, list[Limit]]:
    """Code the columns, and state what they have in common; cells with a suppression marker become missing."""
    progress("coding the quasi-identifiers", None)
    names = [column.name for column in quasi]
    wanted = [*names, *(column.name for column in sensitive)]
    # Text is only compared for equality, and sorting millions of notes takes longer than counting them.
    text = {column.name for column in sensitive if column.data_type == "text"}
    everything = encode(
        dataset, wanted, subject=settings.subject, unordered=text, threads=settings.threads, spent=spent
    )
    everything, marked, n_suppressed = markers_as_missing(everything, settings.threads, quasi=names)
    coded = everything.select(names) if sensitive else everything
    scope = Scope(dataset, settings, quasi, sensitive, everything, coded, progress, policy_ks)
    return scope, caveats(coded, marked, n_suppressed)


def _not_measurable(
    dataset: Dataset, columns: Sequence[ColumnReport], settings: Settings, unit: DatasetUnit | None
) -> Limit | None:
    if dataset.n_rows == 0:
        return limit("risk.no_rows", incomplete=True)
    return not_measured(columns, settings, unit)


@dataclass(frozen=True, slots=True)
class _Counts:
    """Sizes over all quasi-identifiers, the combinations, the minimal sample uniques, and the semantics used.

    ``classes`` is the histogram of class sizes, in people where they are counted.
    """

    sizes: Exposure
    classes: ClassSizes
    combinations: tuple[Combination, ...]
    uniques: SearchedUniques | None
    missing: MissingSemantics


def _count(scope: Scope, limits: list[Limit]) -> _Counts:
    """Count people where a data subject column was named, else matches or classes of records."""
    if scope.coded.people is not None:
        return _count_people(scope, limits)
    # Classes, too, where so many rows have missing cells that matching them would not end; a limit states it.
    return _count_matches(scope, limits) or _count_classes(scope, limits)


def _count_people(scope: Scope, limits: list[Limit]) -> _Counts:
    """Count the people of each class; a missing cell is a category."""
    from privaudit.risk.search.people_combinations import exposure, search_people

    settings = scope.settings
    # Groups can only be larger where missing cells match, so that this never states too little risk.
    semantics: MissingSemantics = "category" if scope.has_missing else settings.missing
    if semantics != settings.missing:
        limits.append(limit("risk.people_not_matched", incomplete=True, semantics=Term(settings.missing)))
    sizes, matches = exposure(scope.coded)
    result, uniques = search_people(
        scope.coded, **search_limits(settings, scope.counted_ks), policy_ks=scope.policy_ks, progress=scope.progress
    )
    combinations = _with_near_keys(scope, result, limits)
    requested = min(settings.max_size, len(scope.coded.names))
    if result.largest < requested:
        beyond = set_sizes(result.largest + 1, requested)
        limits.append(limit("risk.special_uniques_not_searched", sizes=beyond))
    classes = ClassSizes.of(sizes, n_rows=int(sizes.sum()))
    return _Counts(matches, classes, combinations, SearchedUniques.from_search(uniques), semantics)


def _count_classes(scope: Scope, limits: list[Limit]) -> _Counts:
    """Count classes; a missing cell is a category."""
    settings = scope.settings
    result = search(
        scope.coded,
        **search_limits(settings, scope.counted_ks),
        threads=all_threads(settings.threads),
        progress=scope.progress,
    )
    combinations = _with_near_keys(scope, result, limits)
    uniques = search_uniques(scope, result.largest, limits)
    semantics = "category" if scope.has_missing else settings.missing
    return _Counts(scope.class_sizes, scope.class_sizes, combinations, uniques, semantics)


def _with_near_keys(scope: Scope, result: SearchResult, limits: list[Limit]) -> tuple[Combination, ...]:
    """Return the sets that were counted; where not all were, or there are many columns, with keys found by sampling."""
    limits.extend(result.limits)
    if not result.limits and len(scope.coded.names) <= MANY_COLUMNS:
        return result.combinations
    from privaudit.risk.search.near_keys import near_keys

    keys, bound = near_keys(scope.coded, thresholds=scope.counted_ks, seed=scope.settings.seed)
    counted = {c.columns for c in result.combinations}
    new = tuple(c for c in keys if c.columns not in counted)
    if bound is not None and new:
        limits.append(bound)
    return result.combinations + new


def _count_matches(scope: Scope, limits: list[Limit]) -> _Counts | None:
    """Count matches where missing cells match anything; None where they are a category, or there are none."""
    settings = scope.settings
    if settings.missing == "category" or not scope.has_missing:
        return None
    from privaudit.risk.search.missing_search import MatchCounter
    from privaudit.risk.search.set_walk import walk_sets

    scope.progress("matching rows with missing cells", None)
    semantics = Term(settings.missing)
    try:
        whole = matches(scope.coded, settings.missing)
    except TooManyPairs:
        limits.append(limit("risk.matching_too_slow", incomplete=True, semantics=semantics))
        return None
    result, uniques = walk_sets(
        MatchCounter(scope.coded, settings.missing, whole),
        **search_limits(settings, scope.counted_ks),
        policy_ks=scope.policy_ks,
        progress=scope.progress,
    )
    limits.extend((limit("risk.matching_forms_no_classes", semantics=semantics), *result.limits))
    sizes, searched = Matches.of(whole, scope.coded.weights), SearchedUniques.from_search(uniques)
    return _Counts(sizes, scope.class_sizes, result.combinations, searched, settings.missing)


def _risk(
    scope: Scope,
    counts: _Counts,
    limits: list[Limit],
    diversity: Mapping[str, Diversity],
    of_diversity: Sequence[Limit],
) -> Risk:
    sizes, people = counts.sizes, scope.coded.people
    if people is None:
        population = population_risk(scope, limits)
    else:
        from privaudit.risk.population.people_population import population_of_people

        population = population_of_people(scope, limits)
    limits.extend(of_diversity)
    scores, added = together(
        threads_for(scope.coded.n_distinct, scope.settings.threads),
        lambda: special_uniques(scope, counts.uniques, population.size, limits),
        lambda: _marginal(scope, counts.combinations),
    )
    return risk_record(
        sizes,
        counts.classes,
        quasi=(column.name for column in scope.quasi),
        sensitive=(column.name for column in scope.sensitive),
        missing=counts.missing,
        thresholds=scope.counted_ks,
        population=population,
        unit="record" if people is None else "person",
        n_people=None if people is None else people.n,
        matches=match_table(sizes, counts.missing),
        records=None if people is None else in_records(scope.class_sizes, scope.counted_ks),
        diversity=diversity,
        special_uniques=scores,
        marginal=added,
        subject=subject_risk(scope, limits),
        weighted=weighted_risk(scope, limits),
    )


def _marginal(scope: Scope, combinations: Sequence[Combination]) -> dict[str, Marginal]:
    """Return what each quasi-identifier adds to the risk of all together."""
    from privaudit.risk.measures.marginal import marginal

    # By set: the search lists columns in its own order.
    uniques = {frozenset(c.columns): c.n_unique for c in combinations}
    return marginal(scope.coded, thresholds=scope.counted_ks, uniques=uniques)
