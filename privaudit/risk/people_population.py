"""Risk against the population, counted in people, where a person has several rows in the release.

Question: as in `privaudit.risk.population_risk`, where the release is counted in people.
Method: a population table is coded together with the release; the people of the release and of the population are
counted in each class, and a person is as exposed as the class of theirs with the fewest people of the population.
Limits: a row of the population table is a person, unless it has the data subject column too. The models of population
uniques assume that everybody is in one class: where a person has rows in several, nothing is estimated.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from privaudit.errors import ConfigError
from privaudit.model import DeltaPresence, Limit, Population, limit
from privaudit.risk.class_sizes import ClassSizes
from privaudit.risk.coded import CodedTable, dense_labels, encode, sums
from privaudit.risk.missing import Matches
from privaudit.risk.people_search import people_of
from privaudit.risk.population_risk import PopulationRisk, estimate_uniques, stated_size
from privaudit.risk.reidentification import THRESHOLDS, k_for_risk
from privaudit.risk.scope import Scope
from privaudit.wording import Count

if TYPE_CHECKING:
    import pyarrow as pa

Ints = npt.NDArray[np.int64]


def population_of_people(scope: Scope, limits: list[Limit]) -> PopulationRisk:
    """Measure against the population of the settings: a number of people, or a table of them.

    Raises
    ------
    ConfigError
        If the population is smaller than the people of the table.
    """
    given = scope.settings.population
    size = None if given is None else stated_size(given)
    if given is None or size is not None:
        limits.append(limit("risk.no_population_table"))
    if given is None:
        return PopulationRisk()
    scope.progress("measuring against the population", None)
    if size is not None:
        return PopulationRisk(record=_estimated(scope.coded, size, "number", limits))
    return _against_table(scope, given, limits)


def _estimated(
    coded: CodedTable, size: int, source: Literal["number", "table"], limits: list[Limit]
) -> Population:
    people = people_of(coded)
    if size < people.n:
        raise ConfigError(
            f"A population of {size:,} people is smaller than the {people.n:,} people of the table.",
            hint="give the number of people the table was drawn from",
        )
    if len(people.row) > people.n:
        several = int((np.bincount(people.person) > 1).sum())
        limits.append(limit("risk.estimate_overlap", people=Count(n=several, of=people.n, unit="person")))
        return Population(size=size, source=source)
    sizes = people.per_class(np.arange(coded.n_distinct), coded.n_distinct)
    return estimate_uniques(ClassSizes.of(sizes, n_rows=people.n), size, source, limits)


def _against_table(scope: Scope, given: str, limits: list[Limit]) -> PopulationRisk:
    from privaudit.source import open_dataset

    names, subject = scope.coded.names, people_of(scope.coded).column
    with open_dataset(given, scope.settings) as table:
        has_subject = subject in table.columns
        population = encode(table, names, subject=subject if has_subject else None)
        limits.extend(each for each in table.limits if each.incomplete)
    release = encode(scope.dataset, names, subject=subject)
    in_release, in_population, labels = _side_by_side(release, population)
    record = _estimated(release, max(population.n_units, people_of(release).n), "table", limits)
    record = replace(record, size=population.n_units)
    short = in_release > in_population
    if short.any():
        missing = int((in_release - in_population)[short].sum())
        classes = Count(n=int(short.sum()), unit="class")
        limits.append(
            limit("risk.population_lacks_people", incomplete=True, classes=classes, people=Count(n=missing))
        )
        return PopulationRisk(record=record)
    return _compared(release, record, in_release, in_population, labels)


def _side_by_side(release: CodedTable, population: CodedTable) -> tuple[Ints, Ints, Ints]:
    """Return the people of each class in the release and in the population, and the class of each row of the release.

    Missing cells are a category of their own on both sides.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    codes, widths = [], []
    for i in range(len(release.names)):
        both = pa.concat_arrays([_text(population.dictionaries[i]), _text(release.dictionaries[i])])
        values = pc.unique(both)
        parts = []
        for table in (release, population):
            lookup = pc.index_in(_text(table.dictionaries[i]), value_set=values).to_numpy(zero_copy_only=False)
            parts.append(np.append(lookup, len(values)).astype(np.int32)[table.codes[i]])
        codes.append(np.concatenate(parts))
        widths.append(len(values) + 1)
    joint, n_classes = dense_labels(codes, widths)
    labels, others = joint[: release.n_distinct], joint[release.n_distinct :]
    in_release = people_of(release).per_class(labels, n_classes)
    if population.people is not None:
        return in_release, population.people.per_class(others, n_classes), labels
    return in_release, sums(others, population.weights, n_classes), labels


def _text(values: pa.Array) -> pa.Array:
    return values.cast("large_string")


def _compared(
    release: CodedTable, record: Population, in_release: Ints, in_population: Ints, labels: Ints
) -> PopulationRisk:
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
    return PopulationRisk(
        record=compared, journalist_max=1 / exposure.k_min, marketer=exposure.prosecutor_mean
    )
