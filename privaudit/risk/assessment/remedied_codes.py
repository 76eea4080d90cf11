"""Measure a table that exists only as codes: what a remedy would leave.

Question: which classes and which diversity does a recoded table have?
Method: the measures of an assessment that follow from the codes: classes over all quasi-identifiers and over their
combinations, in people where a data subject column was named, the diversity of each sensitive attribute, and the risk
against the population: population uniques where it is a number of people, k-map where it is a table.
Limits: sampling weights and special uniques are not measured again, and population uniques are not estimated again
where they are counted in a table. Missing cells are a category, which never gives larger classes than the other
semantics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from privaudit.base.parallel import threads_for, together
from privaudit.model import Combination, DataType, Diversity, Population, Risk
from privaudit.risk.assessment.record import match_table, risk_record
from privaudit.risk.codes.class_sizes import ClassSizes, Exposure
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.scope import counted_for
from privaudit.risk.measures.people_diversity import diversity_of
from privaudit.risk.measures.reidentification import MatchSizes
from privaudit.risk.population.population_risk import PopulationRisk, compared_records, estimate_uniques, stated_size
from privaudit.risk.population.population_rows import side_by_side
from privaudit.risk.search.combinations import search
from privaudit.risk.search.work import search_limits
from privaudit.settings.config import Settings
from privaudit.source.profile.value_order import order_values


def reassess(
    everything: CodedTable,
    quasi: Sequence[str],
    sensitive: Mapping[str, DataType],
    k: int,
    settings: Settings,
    population: CodedTable | None = None,
) -> tuple[Risk | None, tuple[Combination, ...]]:
    """Return the risk of a coded table and the combinations of its quasi-identifiers.

    Parameters
    ----------
    everything : CodedTable
        Quasi-identifiers and sensitive attributes.
    quasi : sequence of str
    sensitive : mapping of column to data type
        The data type decides whether values have an order.
    k : int
        The k of the policy.
    settings : Settings
        `max_size`, `budget`, `bound`, `population` and `threads` are read.
    population : CodedTable, optional
        The population table over the dictionaries of `everything`, recoded as it was; it contains its records.

    Returns
    -------
    risk : Risk or None
        None without quasi-identifiers or records.
    combinations : tuple of Combination
    """
    if not quasi or not everything.n_rows:
        return None, ()
    coded = everything.select(quasi)
    threads = threads_for(everything.n_distinct, settings.threads)
    ks = counted_for({k} - {1})
    records = ClassSizes.of(coded.weights, n_rows=coded.n_rows)
    sizes: Exposure = records
    classes = records
    combinations, *diverse = together(
        threads,
        lambda: _combinations(coded, ks, settings),
        *(partial(_diversity, everything, quasi, name, kind) for name, kind in sensitive.items()),
    )
    if coded.people is not None:
        from privaudit.risk.search.people_combinations import exposure

        people, exposed = exposure(coded)
        sizes, classes = exposed, ClassSizes.of(people, n_rows=int(people.sum()))
    against = _population(coded, records, settings, None if population is None else population.select(quasi))
    risk = risk_record(
        sizes,
        classes,
        quasi=coded.names,
        sensitive=sensitive,
        missing="category",
        thresholds=ks,
        population=against,
        unit="record" if coded.people is None else "person",
        n_people=None if coded.people is None else coded.people.n,
        matches=match_table(sizes, "category"),
        diversity=dict(zip(sensitive, diverse, strict=True)),
    )
    return risk, combinations


def _combinations(coded: CodedTable, ks: tuple[int, ...], settings: Settings) -> tuple[Combination, ...]:
    if coded.people is None:
        return search(coded, **search_limits(settings, ks)).combinations
    from privaudit.risk.search.people_combinations import search_people

    found, _ = search_people(coded, **search_limits(settings, ks), policy_ks=())
    return found.combinations


def _population(
    coded: CodedTable, sizes: ClassSizes, settings: Settings, population: CodedTable | None
) -> PopulationRisk:
    """Return the risk against the population; nothing where it cannot be measured again."""
    if population is not None:
        record = Population(size=population.n_units, source="table")
        records, people, labels = side_by_side(coded, population)
        if coded.people is not None:
            from privaudit.risk.population.people_population import compared_people

            return compared_people(coded, record, records, people, labels)
        return compared_records(record, MatchSizes.from_classes(records, people))
    n_people = None if coded.people is not None or settings.population is None else stated_size(settings.population)
    return PopulationRisk(record=None if n_people is None else estimate_uniques(sizes, n_people, "number", []))


def _diversity(everything: CodedTable, quasi: Sequence[str], name: str, data_type: DataType) -> Diversity:
    order = order_values(everything.dictionaries[everything.index(name)], data_type).ranks
    return diversity_of(everything, quasi, name, order=order)
