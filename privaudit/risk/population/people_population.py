"""Risk against the population, counted in people, where a person has several rows in the release.

Question: as in `privaudit.risk.population.population_risk`, where the release is counted in people.
Method: a population table is coded together with the release; the people of the release and of the population are
counted in each class, and a person is as exposed as the class of theirs with the fewest people of the population.
Limits: a row of the population table is a person, unless it has the data subject column too. The models of population
uniques assume that everybody is in one class: where a person has rows in several, nothing is estimated.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from privaudit.base.arrays import Ints
from privaudit.base.errors import ConfigError
from privaudit.model import DeltaPresence, Limit, Population, limit
from privaudit.model.wording import Count
from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.codes.coded import CodedTable, encode, people_of
from privaudit.risk.codes.missing import Matches
from privaudit.risk.codes.scope import Scope
from privaudit.risk.measures.reidentification import THRESHOLDS, k_for_risk
from privaudit.risk.population.population_risk import PopulationRisk, estimate_uniques, stated_people
from privaudit.risk.population.population_rows import over_shared_words, side_by_side


def population_of_people(scope: Scope, limits: list[Limit]) -> PopulationRisk:
    """Measure against the population of the settings: a number of people, or a table of them.

    Raises
    ------
    ConfigError
        If the population is smaller than the people of the table.
    """
    given, size = scope.population, stated_people(scope.population, limits)
    if given is None:
        return PopulationRisk()
    scope.progress("measuring against the population", None)
    if size is not None:
        return PopulationRisk(record=_estimated(scope.coded, size, "number", limits))
    return _against_table(scope, given, limits)


def _estimated(coded: CodedTable, size: int, source: Literal["number", "table"], limits: list[Limit]) -> Population:
    people = people_of(coded)
    if size < people.n:
        raise ConfigError(
            f"A population of {size:,} people is smaller than the {people.n:,} people of the table.",
            hint="give the number of people the table was drawn from",
        )
    # The models describe people of one class each; those with rows in several would be counted several times.
    if len(people.row) > people.n:
        several = int((np.bincount(people.person) > 1).sum())
        limits.append(limit("risk.estimate_overlap", people=Count(several, of=people.n, unit="person")))
        return Population(size=size, source=source)
    sizes = people.per_class(np.arange(coded.n_distinct), coded.n_distinct)
    return estimate_uniques(ClassSizes.of(sizes, n_rows=people.n), size, source, limits)


def _against_table(scope: Scope, given: Any, limits: list[Limit]) -> PopulationRisk:
    from privaudit.source import open_dataset

    names, subject = scope.coded.names, people_of(scope.coded).column
    with open_dataset(given, scope.settings, whole=True) as table:
        has_subject = subject in table.columns
        population = encode(table, names, subject=subject if has_subject else None)
        limits.extend(each for each in table.limits if each.incomplete)
    release, population = over_shared_words(encode(scope.dataset, names, subject=subject), population)
    in_release, in_population, labels = side_by_side(release, population)
    # A population that lacks people is reported below; the estimate itself must not fail on it.
    record = _estimated(release, max(population.n_units, people_of(release).n), "table", limits)
    record = replace(record, size=population.n_units)
    short = in_release > in_population
    if short.any():
        missing = int((in_release - in_population)[short].sum())
        classes = Count(int(short.sum()), unit="class")
        limits.append(limit("risk.population_lacks_people", incomplete=True, classes=classes, people=Count(missing)))
        return PopulationRisk(record=record)
    return compared_people(release, record, in_release, in_population, labels)


def compared_people(
    release: CodedTable, record: Population, in_release: Ints, in_population: Ints, labels: Ints
) -> PopulationRisk:
    """Return the risk of the people of a release.

    Parameters
    ----------
    release : CodedTable
        With people.
    record : Population
        The measures are added to it.
    in_release, in_population : int64 array of shape (J,)
        People of each class; nobody of the release is absent from the population.
    labels : int64 array of shape (d,)
        The class of each distinct row of the release.
    """
    people = people_of(release)
    fewest = people.fewest(in_population[labels])
    exposure = Matches.of(fewest, np.ones(people.n, np.int64))
    alone = people.fewest(np.where((in_release == 1) & (in_population == 1), 0, 1)[labels]) == 0
    ratio = in_release / in_population
    compared = replace(
        record,
        k_map=exposure.k_min,
        delta_presence=DeltaPresence(min=float(ratio.min()), max=float(ratio.max())),
        unique_in_both=int(alone.sum()),
        population_uniques=int((in_population == 1).sum()),
        journalist_mean=exposure.prosecutor_mean,
        share_at_risk={f"{t:g}": exposure.below(k_for_risk(t)) / people.n for t in THRESHOLDS},
    )
    return PopulationRisk(record=compared, journalist_max=1 / exposure.k_min, marketer=exposure.prosecutor_mean)
