"""The parts of the risk record that only some tables have, population aside.

Question: what do sensitive attributes, minimal sample uniques, sampling weights and a data subject column add?
Method: each function takes the `Scope` of the assessment, runs the measure and returns its record. It adds a limit to
`limits` for what does not apply or is not affordable.
Limits: nothing is computed here; the measures are in the modules of their names. Risk against a population is in
`privaudit.risk.population.population_risk`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from privaudit.base.errors import ColumnNotFound
from privaudit.base.parallel import threads_for, together
from privaudit.base.records import dataclass
from privaudit.model import (
    ColumnReport,
    Combination,
    Diversity,
    Limit,
    Marginal,
    SpecialUniques,
    SubjectRisk,
    UniqueCounts,
    WeightedRisk,
    limit,
)
from privaudit.model.wording import Columns, Count, Listing, Name, Number, Threshold, fact
from privaudit.risk.population.population_risk import stated_size
from privaudit.risk.scope import Scope
from privaudit.risk.search.grouping import is_free_text

if TYPE_CHECKING:
    from privaudit.risk.search.special_uniques import MinimalUniques
    from privaudit.settings.config import Settings
    from privaudit.source.dataset import Dataset
    from privaudit.source.profile.value_order import ValueOrder

MOST_VISITS_FOR_K = 300_000_000
"""Distinct rows times combinations up to which minimal sets with fewer than k matches are searched, besides uniques."""


def diversity_by_column(scope: Scope) -> tuple[dict[str, Diversity], list[Limit]]:
    """Return the diversity of every sensitive attribute within the classes over all quasi-identifiers, with limits."""
    from privaudit.risk.measures.people_diversity import diversity_of
    from privaudit.source.profile.value_order import order_values

    table = scope.everything
    measured: dict[str, tuple[Diversity, ValueOrder]] = {}
    for column in scope.sensitive:
        order = order_values(
            table.dictionaries[table.index(column.name)],
            column.data_type,
            is_canonical=scope.dataset.declared.get(column.name) in ("integer", "decimal"),
        )
        found = diversity_of(table, scope.coded.names, column.name, order=order.ranks)
        measured[column.name] = found, order
    return with_limits(measured)


def with_limits(measured: Mapping[str, tuple[Diversity, ValueOrder]]) -> tuple[dict[str, Diversity], list[Limit]]:
    """Return the diversity of each sensitive attribute, and the limits of all of them."""
    limits = [one for name, (found, order) in measured.items() for one in _diversity_limits(name, found, order)]
    unbounded = tuple(name for name, (found, _) in measured.items() if found.delta_disclosure_unbounded)
    if unbounded:
        limits.append(limit("risk.delta_disclosure_unbounded", columns=Columns(names=unbounded)))
    return {name: found for name, (found, _) in measured.items()}, limits


def _diversity_limits(column: str, found: Diversity, order: ValueOrder) -> list[Limit]:
    """Return the limits of the ordered distance and of recursive diversity of one sensitive attribute."""
    name = Columns(names=(column,))
    limits = []
    if order.reason is not None:
        reason = fact(f"risk.unordered_{order.reason}")
        limits.append(limit("risk.t_closeness_unordered", column=name, reason=reason))
    if found.l_distinct == 1:
        limits.append(limit("risk.recursive_diversity_void", column=name))
    return limits


@dataclass(frozen=True, slots=True)
class SearchedUniques:
    """Minimal sample uniques of every record, and the counts for the values of k of the policy."""

    uniques: MinimalUniques
    fewer_than: Mapping[str, UniqueCounts]

    @classmethod
    def from_search(cls, by_k: Mapping[int, MinimalUniques]) -> SearchedUniques | None:
        """Keep the uniques (k = 2) and the counts for larger k; None where nothing was searched."""
        counts = {str(k): found.counts() for k, found in by_k.items() if k > 2}
        return cls(by_k[2], counts) if by_k else None


def search_uniques(scope: Scope, searched: int, limits: list[Limit]) -> SearchedUniques | None:
    """Search minimal sample uniques, and minimal sets of fewer matches than the policy's k, as far as affordable.

    Parameters
    ----------
    scope : Scope
    searched : int
        Size up to which combinations were searched; larger sets are not searched here either.
    limits : list of Limit
        Receives the sizes that were not searched.
    """
    from privaudit.risk.search.special_uniques import affordable_size, minimal_uniques

    requested = min(scope.settings.max_size, len(scope.coded.names))
    # Without a bound, everything that was searched is.
    most = None if scope.settings.bound == "default" else math.inf
    size = affordable_size(scope.coded, min(requested, searched), most=most)
    if size < requested:
        limits.append(limit("risk.special_uniques_not_searched", sizes=set_sizes(size + 1, requested)))
    if not size:
        return None
    size_for_k = min(size, affordable_size(scope.coded, size, most=most or MOST_VISITS_FOR_K))
    if size_for_k < size and scope.policy_ks:
        limits.append(limit("risk.fewer_than_k_not_searched", sizes=set_sizes(size_for_k + 1, size)))
    below = [k for k in scope.policy_ks if k > 2 and size_for_k]
    counts, uniques = together(
        threads_for(scope.coded.n_distinct, scope.settings.threads),
        # One k after the other, and of each the counts alone: a record of every row for each k would cost memory.
        lambda: {str(k): minimal_uniques(scope.coded, max_size=size_for_k, k=k).counts() for k in sorted(below)[::-1]},
        lambda: minimal_uniques(scope.coded, max_size=size, k=2, progress=scope.progress),
    )
    return SearchedUniques(uniques, counts)


def set_sizes(first: int, last: int) -> Listing:
    """Return sizes of column sets, for a limit that states which were not searched."""
    return Listing(items=tuple(Threshold(value=size) for size in range(first, last + 1)))


def special_uniques(
    scope: Scope, searched: SearchedUniques | None, n_people: int | None, limits: list[Limit]
) -> SpecialUniques | None:
    """Return the scores at the sampling fraction; an assumed fraction where the population is not known."""
    from privaudit.risk.search.special_uniques import ASSUMED_FRACTION, MOST_COLUMNS

    if searched is None:
        return None
    n_columns = len(scope.coded.names)
    if n_columns > MOST_COLUMNS:
        most, columns = Threshold(value=MOST_COLUMNS), Number(value=n_columns)
        limits.append(limit("risk.special_uniques_not_scored", columns=columns, most=most))
        return None
    fraction = None if n_people is None else min(1.0, scope.coded.n_units / n_people)
    if fraction is None:
        limits.append(limit("risk.dis_fraction_assumed", fraction=Threshold(value=ASSUMED_FRACTION)))
    summary = searched.uniques.summary(fraction)
    return replace(summary, fewer_than=dict(sorted(searched.fewer_than.items())))


def marginal(scope: Scope, combinations: Sequence[Combination], thresholds: Sequence[int]) -> dict[str, Marginal]:
    """Return what each quasi-identifier adds to the risk of all together."""
    from privaudit.risk.measures.marginal import marginal as measure

    uniques = {frozenset(c.columns): c.n_unique for c in combinations}
    return measure(scope.coded, thresholds=thresholds, uniques=uniques)


def weighted_risk(scope: Scope, limits: list[Limit]) -> WeightedRisk | None:
    """Return the risk of a sample whose records have sampling weights; None without a weight column."""
    from privaudit.risk.measures.weights import published, risk_with_weights

    if scope.settings.weight is None:
        return None
    scope.progress("weighing records", None)
    measured, added = risk_with_weights(scope.dataset, scope.coded.names, scope.settings.weight)
    limits.extend(added)
    return None if measured is None else published(measured)


def subject_risk(scope: Scope, thresholds: Sequence[int], limits: list[Limit]) -> SubjectRisk | None:
    """Return the risk counted in people where a person has several rows; None without a data subject column."""
    from privaudit.risk.measures.histories import limits_of, subject_risk

    people = scope.coded.people
    if people is None:
        return None
    scope.progress("counting people", None)
    measured = subject_risk(people, thresholds=thresholds, seed=scope.settings.seed)
    limits.extend(limits_of(measured))
    if scope.settings.weight is not None:
        limits.append(limit("risk.weights_count_records"))
    return measured


def not_measured_in_parts(
    settings: Settings, sensitive: Sequence[ColumnReport], *, population: Any, distinct: int, most: int
) -> list[Limit]:
    """Return the limits of a table that is counted in parts: what needs all of its distinct rows at once.

    `sensitive` are the attributes whose diversity was not measured.
    """
    rows, at_once = Count(n=distinct, unit="row"), Count(n=most, unit="row")
    limits = [limit("risk.not_measured_in_parts", rows=rows, most=at_once)]
    free_text = [c.name for c in sensitive if is_free_text(c)]
    judged = [c.name for c in sensitive if c.name not in free_text]
    for names, is_incomplete in ((judged, True), (free_text, False)):
        if names:
            columns = Columns(names=tuple(names))
            limits.append(
                limit("risk.diversity_not_in_parts", incomplete=is_incomplete, columns=columns, rows=rows, most=at_once)
            )
    if settings.subject is not None:
        subject = Columns(names=(settings.subject,))
        limits.append(limit("risk.people_not_in_parts", incomplete=True, column=subject, most=at_once))
    table = population is not None and stated_size(population) is None
    for option, is_requested in (("--weight", settings.weight is not None), ("--population", table)):
        if is_requested:
            name = Name(text=option)
            limits.append(limit("risk.requested_not_in_parts", incomplete=True, option=name, rows=rows, most=at_once))
    return limits


def requested_without_quasi(dataset: Dataset, settings: Settings) -> list[Limit]:
    """Return a limit for every requested measure that needs quasi-identifiers, where there are none.

    Raises
    ------
    ColumnNotFound
        If a requested column is not in the table.
    """
    requested = {"--weight": settings.weight, "--subject": settings.subject, "--population": settings.population}
    for column in (settings.weight, settings.subject):
        if column is not None and column not in dataset.columns:
            raise ColumnNotFound.among(column, "the table", dataset.columns)
    return [
        limit("risk.requested_not_measured", incomplete=True, option=Name(text=option))
        for option, value in requested.items()
        if value is not None
    ]
