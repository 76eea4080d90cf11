"""Risk against the population behind the release: journalist and marketer risk, k-map, population uniques.

Question: how does the risk change if the attacker does not know whether a person is in the release?
Method: with a number of people, population uniques are estimated by the models of `risk.population.population`. With a
table of the population, classes are counted in both tables (`privaudit.risk.measures.reidentification`).
Limits: the release is taken for a sample of the population. A measure that does not apply is null, with a limit.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from privaudit.base.errors import ConfigError
from privaudit.base.extras import can_import
from privaudit.base.records import dataclass
from privaudit.model import DeltaPresence, Limit, Population, UniquesInterval, limit
from privaudit.model.stats import LEVEL
from privaudit.model.wording import Number, Share, Term, Threshold
from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.codes.scope import Scope

if TYPE_CHECKING:
    from privaudit.risk.measures.reidentification import MatchSizes
    from privaudit.risk.population.population import PopulationUniques

SMALL_FRACTION = 0.05
"""Sampling fraction below which the release does not determine the number of population uniques."""

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
    given, size = scope.population, stated_people(scope.population, limits)
    if given is None:
        return PopulationRisk()
    scope.progress("measuring against the population", None)
    if size is None:
        return _against_table(scope, given, limits)
    return PopulationRisk(record=estimate_uniques(scope.class_sizes, size, "number", limits))


def population_of_sizes(sizes: ClassSizes, given: Any, limits: list[Limit]) -> PopulationRisk:
    """Measure against a number of people, from the class sizes alone; a table of people is not read."""
    size = stated_people(given, limits)
    return PopulationRisk() if size is None else PopulationRisk(record=estimate_uniques(sizes, size, "number", limits))


def stated_people(given: Any, limits: list[Limit]) -> int | None:
    """Return the size of a population that is given as a number; without a table of it, `limits` gets a limit."""
    size = None if given is None else stated_size(given)
    if given is None or size is not None:
        limits.append(limit("risk.no_population_table"))
    return size


def stated_size(given: Any) -> int | None:
    """Return the people of a population that is given as a number; None where it is given as a table.

    Parameters
    ----------
    given : str or table
        A number of people as text, the path of a table, or a table.

    Raises
    ------
    ConfigError
        If the population is larger than `MOST_PEOPLE`, or is a word that names no file.
    """
    if not isinstance(given, str):
        return None
    digits = given.replace(",", "").replace("_", "").strip()
    if not digits.isdecimal():
        # The message of a missing file would not state that a number is expected.
        if re.fullmatch(r"[\w -]*", given) and not Path(given).exists():
            raise ConfigError(
                "The population is neither a number of people nor a table.", hint="for example 1200000 or people.csv"
            )
        return None
    if int(digits) > MOST_PEOPLE:
        raise ConfigError(f"A population has at most {MOST_PEOPLE:,} people.")
    return int(digits)


def _against_table(scope: Scope, given: Any, limits: list[Limit]) -> PopulationRisk:
    from privaudit.risk.measures.reidentification import population_sizes
    from privaudit.source import open_dataset

    with open_dataset(given, scope.settings, whole=True) as people:
        match = population_sizes(scope.dataset, people, scope.coded.names)
        limits.extend(each for each in people.limits if each.incomplete)
    estimated = estimate_uniques(scope.class_sizes, match.n_people, "table", limits)
    if match.limit is not None:
        limits.append(match.limit)
    return PopulationRisk(record=estimated) if match.sizes is None else compared_records(estimated, match.sizes)


def compared_records(record: Population, sizes: MatchSizes) -> PopulationRisk:
    """Return the risk of the records of a release whose classes were counted in the population too.

    Parameters
    ----------
    record : Population
        The measures are added to it.
    sizes : MatchSizes
    """
    from privaudit.risk.measures.reidentification import reidentification

    risk = reidentification(sizes)
    low, high = risk.delta_presence
    record = replace(
        record,
        k_map=risk.k_map,
        delta_presence=DeltaPresence(min=low, max=high),
        unique_in_both=risk.unique_in_both,
        population_uniques=risk.population_uniques,
        journalist_mean=risk.marketer,
        share_at_risk=dict(risk.journalist_at_risk),
    )
    return PopulationRisk(record=record, journalist_max=risk.journalist_max, marketer=risk.marketer)


def estimate_uniques(
    sizes: ClassSizes, n_people: int, source: Literal["number", "table"], limits: list[Limit]
) -> Population:
    """Estimate population uniques with every model, with a limit for each model that does not apply."""
    from privaudit.risk.population.population import population_uniques

    if n_people < sizes.n_rows:
        raise ConfigError(
            f"A population of {n_people:,} people is smaller than the table of {sizes.n_rows:,} rows.",
            hint="give the number of people the table was drawn from",
        )
    if not can_import("scipy") and n_people > sizes.n_rows:
        limits.append(limit("risk.estimates_need_extra", incomplete=True))
        return Population(size=n_people, source=source)
    estimates = population_uniques(sizes.size, sizes.count, n_people)
    for model, estimate in estimates.by_model.items():
        if estimate.reason is not None:
            limits.append(limit("risk.estimate_not_applicable", model=Term(model), reason=estimate.reason))
        elif estimate.caution is not None:
            limits.append(limit("risk.estimate_uncertain", model=Term(model), reason=estimate.caution))
    interval = _interval(sizes, n_people, estimates, limits)
    return Population(
        size=n_people,
        source=source,
        zayatz=estimates.zayatz.value,
        pitman=estimates.pitman.value,
        snb=estimates.snb.value,
        dankar=estimates.dankar.value,
        dankar_model=estimates.dankar_model,
        interval=interval,
    )


def _interval(
    sizes: ClassSizes, n_people: int, estimates: PopulationUniques, limits: list[Limit]
) -> UniquesInterval | None:
    """Return the numbers of uniques that the release is compatible with, with a limit for each estimate outside."""
    from privaudit.risk.population.population_interval import compatible_uniques
    from privaudit.risk.population.population_numerics import Sample

    # The release is the whole population: nothing is estimated.
    if n_people == sizes.n_rows:
        known = float(sizes.n_unique)
        return UniquesInterval(low=known, high=known, level=1.0)
    fraction = sizes.n_rows / n_people
    if fraction < SMALL_FRACTION:
        share, least = Share(fraction, of=n_people), Threshold(SMALL_FRACTION)
        limits.append(limit("risk.small_sampling_fraction", fraction=share, limit=least))
    bounds = compatible_uniques(Sample.of(sizes.size, sizes.count, n_people))
    if bounds is None:
        limits.append(limit("risk.no_compatible_population"))
        return None
    low, high = bounds
    for model in ("zayatz", "pitman", "snb"):
        value = estimates.by_model[model].value
        if value is not None and not low <= value <= high:
            fewest, most = Number(round(low)), Number(round(high))
            limits.append(limit("risk.estimate_incompatible", model=Term(model), low=fewest, high=most))
    return UniquesInterval(low=low, high=high, level=LEVEL)
