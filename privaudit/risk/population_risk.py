"""Risk against the population behind the release: journalist and marketer risk, k-map, population uniques.

Question: what does it change that an attacker cannot be sure that a person is in the release?
Method: with a number of people, population uniques are estimated by the models of `privaudit.risk.population`. With a
table of the population, classes are counted in both tables (`privaudit.risk.reidentification`).
Limits: the release is taken for a sample of the population. A measure that does not apply is null, with a limit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from privaudit.errors import ConfigError
from privaudit.model import DeltaPresence, Limit, Population, limit
from privaudit.risk.class_sizes import ClassSizes
from privaudit.risk.scope import Scope
from privaudit.wording import Term

MOST_PEOPLE = 10**11
"""Largest accepted population: more people than ever lived, and beyond the range of the models."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationRisk:
    """The record of the population, with the two risks that the release's record states next to prosecutor risk."""

    record: Population | None = None
    journalist_max: float | None = None
    marketer: float | None = None

    @property
    def size(self) -> int | None:
        """People in the population; None where no population was given."""
        return None if self.record is None else self.record.size


def population_risk(scope: Scope, limits: list[Limit]) -> PopulationRisk:
    """Measure against the population of the settings: a number of people, or a table of them.

    Raises
    ------
    ConfigError
        If the population is smaller than the table, or larger than `MOST_PEOPLE`.
    """
    given = scope.settings.population
    size = None if given is None else stated_size(given)
    if given is None or size is not None:
        limits.append(limit("risk.no_population_table"))
    if given is None:
        return PopulationRisk()
    scope.progress("measuring against the population", None)
    if size is None:
        return _against_table(scope, given, limits)
    return PopulationRisk(record=estimate_uniques(scope.class_sizes, size, "number", limits))


def stated_size(given: str) -> int | None:
    """Return the people of a population that is given as a number; None where it is given as a table.

    Raises
    ------
    ConfigError
        If the population is larger than `MOST_PEOPLE`.
    """
    digits = given.replace(",", "").replace("_", "").strip()
    if not digits.isdecimal():
        return None
    if int(digits) > MOST_PEOPLE:
        raise ConfigError(f"A population has at most {MOST_PEOPLE:,} people.")
    return int(digits)


def _against_table(scope: Scope, given: str, limits: list[Limit]) -> PopulationRisk:
    from privaudit.risk.reidentification import population_sizes, reidentification
    from privaudit.source import open_dataset

    with open_dataset(given, scope.settings) as people:
        match = population_sizes(scope.dataset, people, scope.coded.names)
        limits.extend(each for each in people.limits if each.incomplete)
    estimated = estimate_uniques(scope.class_sizes, match.n_people, "table", limits)
    if match.limit is not None:
        limits.append(match.limit)
    if match.sizes is None:
        return PopulationRisk(record=estimated)
    risk = reidentification(match.sizes)
    low, high = risk.delta_presence
    record = replace(
        estimated,
        k_map=risk.k_map,
        delta_presence=DeltaPresence(min=low, max=high),
        unique_in_both=risk.unique_in_both,
        population_uniques=risk.population_uniques,
        journalist_mean=risk.journalist_mean,
        share_at_risk=dict(risk.journalist_at_risk),
    )
    return PopulationRisk(record=record, journalist_max=risk.journalist_max, marketer=risk.marketer)


def estimate_uniques(
    sizes: ClassSizes, n_people: int, source: Literal["number", "table"], limits: list[Limit]
) -> Population:
    """Estimate population uniques with every model, with a limit for each model that does not apply."""
    from privaudit.risk.population import population_uniques

    if n_people < sizes.n_rows:
        raise ConfigError(
            f"A population of {n_people:,} people is smaller than the table of {sizes.n_rows:,} rows.",
            hint="give the number of people the table was drawn from",
        )
    estimates = population_uniques(sizes.size, sizes.count, n_people)
    for model, estimate in estimates.by_model.items():
        if estimate.reason is not None:
            limits.append(
                limit("risk.estimate_not_applicable", model=Term(code=model), reason=estimate.reason)
            )
        elif estimate.caution is not None:
            limits.append(limit("risk.estimate_uncertain", model=Term(code=model), reason=estimate.caution))
    return Population(
        size=n_people,
        source=source,
        zayatz=estimates.zayatz.value,
        pitman=estimates.pitman.value,
        snb=estimates.snb.value,
        dankar=estimates.dankar.value,
        dankar_model=estimates.dankar_model,
    )
