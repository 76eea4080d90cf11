"""Assess a table whose distinct rows do not fit in memory: what can be counted part by part.

Question: which numbers of an assessment follow from one class at a time?
Method: classes over all quasi-identifiers and over their combinations, counted in parts (`risk.search.parts`), and
the diversity within them (`risk.measures.diversity_in_parts`); the caveats and the markers of suppression follow from
the frequencies of each column.
Limits: every measure that needs all distinct rows at once is absent, with a limit. Missing cells are a category, and
records whose quasi-identifiers are all suppressed are a class, which can only lower k.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from privaudit.base.parallel import all_threads
from privaudit.model import ColumnReport, Combination, Limit, Risk, limit
from privaudit.model.wording import Term
from privaudit.risk.assessment.record import risk_record
from privaudit.risk.assessment.requested import not_measured_in_parts
from privaudit.risk.codes.coded_rows import coding_of
from privaudit.risk.measures.caveats import caveats_of_parts
from privaudit.risk.measures.diversity_in_parts import diversity_in_parts, measurable
from privaudit.risk.measures.sensitive_columns import with_limits
from privaudit.risk.population.population_risk import population_of_sizes
from privaudit.risk.search.parts import rows_at_once, search_in_parts
from privaudit.risk.search.work import search_limits
from privaudit.settings.config import Progress, Settings
from privaudit.source.dataset import Dataset


def assess_in_parts(
    dataset: Dataset,
    settings: Settings,
    quasi: Sequence[ColumnReport],
    sensitive: Sequence[ColumnReport],
    progress: Progress,
    counted_ks: tuple[int, ...],
    most: int,
    given: Any,
) -> tuple[tuple[Combination, ...], Risk, list[Limit]]:
    """Measure what can be counted part by part, with a limit for every measure that needs all distinct rows at once."""
    # Where people are counted, the parts do not know who has which value.
    measured = [] if settings.subject is not None else measurable(dataset, sensitive)
    every = {column.name: coding_of(dataset, column.name) for column in (*quasi, *measured)}
    codings = {column.name: every[column.name][0] for column in quasi}
    marked = {name: found for name, (_, found) in every.items() if found is not None}
    counted = search_in_parts(
        dataset,
        codings,
        **search_limits(settings, counted_ks),
        most=most,
        threads=all_threads(settings.threads),
        progress=progress,
    )
    sizes, result = counted.sizes, counted.result
    limits = caveats_of_parts({name: coding.n_codes for name, coding in codings.items()}, dataset.n_rows, marked)
    limits.extend(result.limits)
    has_missing = any(coding.n_missing for coding in codings.values())
    # A row with missing cells matches rows of other parts, which are not in memory at the same time.
    if has_missing and settings.missing != "category":
        limits.append(limit("risk.matched_in_parts", incomplete=True, semantics=Term(settings.missing)))
    population = population_of_sizes(sizes, given, limits)
    diversity, noted = with_limits(
        {one.name: diversity_in_parts(dataset, codings, one, every[one.name][0], settings) for one in measured}
    )
    left = [column for column in sensitive if column not in measured]
    at_once = rows_at_once(settings, len(quasi) + (settings.subject is not None))
    limits += [*noted, *not_measured_in_parts(settings, left, population=given, distinct=sizes.n_classes, most=at_once)]
    risk = risk_record(
        sizes,
        sizes,
        quasi=(column.name for column in quasi),
        sensitive=(column.name for column in sensitive),
        missing="category" if has_missing else settings.missing,
        thresholds=counted_ks,
        population=population,
        unit="record",
        diversity=diversity,
    )
    return result.combinations, risk, limits
