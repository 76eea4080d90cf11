"""What someone asked to be measured, besides the classes: sampling weights, a data subject column, a population.

Question: what do the requested columns add to the record, and which request cannot be answered?
Method: the measures are in the modules of their names and loaded on request only; what cannot be measured is a limit
that names the option.
Limits: risk against a population is in `privaudit.risk.population`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from privaudit.base.errors import ColumnNotFound
from privaudit.model import ColumnReport, Limit, SubjectRisk, WeightedRisk, limit
from privaudit.model.wording import Columns, Count, Name
from privaudit.risk.codes.scope import Scope
from privaudit.risk.population.population_risk import stated_size
from privaudit.risk.search.grouping import is_free_text
from privaudit.settings.config import Settings
from privaudit.source.dataset import Dataset


def weighted_risk(scope: Scope, limits: list[Limit]) -> WeightedRisk | None:
    """Return the risk of a sample whose records have sampling weights; None without a weight column."""
    if scope.settings.weight is None:
        return None
    from privaudit.risk.measures.weights import published, risk_with_weights

    scope.progress("weighing records", None)
    measured, added = risk_with_weights(scope.dataset, scope.coded.names, scope.settings.weight)
    limits.extend(added)
    return None if measured is None else published(measured)


def subject_risk(scope: Scope, limits: list[Limit]) -> SubjectRisk | None:
    """Return the risk counted in people where a person has several rows; None without a data subject column."""
    people = scope.coded.people
    if people is None:
        return None
    from privaudit.risk.measures.histories import limits_of, subject_risk

    scope.progress("counting people", None)
    measured = subject_risk(people, thresholds=scope.counted_ks, seed=scope.settings.seed)
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
    rows, at_once = Count(distinct, unit="row"), Count(most, unit="row")
    limits = [limit("risk.not_measured_in_parts", rows=rows, most=at_once)]
    free_text = [c.name for c in sensitive if is_free_text(c)]
    judged = [c.name for c in sensitive if c.name not in free_text]
    # No check judges the diversity of free text: that it is missing does not make a scan incomplete.
    for names, is_incomplete in ((judged, True), (free_text, False)):
        if names:
            columns = Columns(tuple(names))
            limits.append(
                limit("risk.diversity_not_in_parts", incomplete=is_incomplete, columns=columns, rows=rows, most=at_once)
            )
    if settings.subject is not None:
        subject = Columns((settings.subject,))
        limits.append(limit("risk.people_not_in_parts", incomplete=True, column=subject, most=at_once))
    table = population is not None and stated_size(population) is None
    # Asked for and not measured is incomplete; what nobody asked for is not.
    for option, is_requested in (("--weight", settings.weight is not None), ("--population", table)):
        if is_requested:
            name = Name(option)
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
        limit("risk.requested_not_measured", incomplete=True, option=Name(option))
        for option, value in requested.items()
        if value is not None
    ]
