"""Risk against the population behind the release: journalist and marketer risk, k-map, population uniques.

Question: how does the risk change if the attacker does not know whether a person is in the release?
Method: with a number of people, population uniques are estimated by the models of `risk.population.population`. With a
table of the population, classes are counted in both tables (`privaudit.risk.measures.reidentification`).
Limits: the release is taken for a sample of the population. A measure that does not apply is null, with a limit.

An interval for the number of population uniques that does not depend on a model of class sizes.

Question: which numbers of unique people in the population are compatible with the class sizes of the release?
Method: a population is described by the number of its classes of each size. Each population implies how many classes
of each size a simple random sample shows on average; it is compatible with the release if all these means lie in
their exact Poisson intervals (Bonferroni over the sizes). Two linear programs find the fewest and the most uniques of
any compatible population.
Limits: the release must be a simple random sample. Below a sampling fraction of about 5 % the interval is wide, because
the release itself does not determine the number: a narrower interval would rest on a model alone.

References
----------
.. [1] B. Efron, R. Thisted, Estimating the number of unseen species: how many words did Shakespeare know?, Biometrika
   63, 1976 (linear programs over compatible populations).
.. [2] F. Garwood, Fiducial limits for the Poisson distribution, Biometrika 28, 1936.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from privaudit.base.errors import ConfigError
from privaudit.base.extras import can_import
from privaudit.base.records import dataclass
from privaudit.model import DeltaPresence, Limit, Population, UniquesInterval, limit
from privaudit.model.stats import LEVEL
from privaudit.model.wording import Number, Share, Term, Threshold
from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.codes.scope import Scope
from privaudit.risk.population.population_numerics import Floats, Sample

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
        journalist_mean=risk.journalist_mean,
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
            limits.append(limit("risk.estimate_not_applicable", model=Term(code=model), reason=estimate.reason))
        elif estimate.caution is not None:
            limits.append(limit("risk.estimate_uncertain", model=Term(code=model), reason=estimate.caution))
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
    from privaudit.risk.population.population_numerics import Sample

    # The release is the whole population: nothing is estimated.
    if n_people == sizes.n_rows:
        known = float(sizes.n_unique)
        return UniquesInterval(low=known, high=known, level=1.0)
    fraction = sizes.n_rows / n_people
    if fraction < SMALL_FRACTION:
        share, least = Share(value=fraction, of=n_people), Threshold(value=SMALL_FRACTION)
        limits.append(limit("risk.small_sampling_fraction", fraction=share, limit=least))
    bounds = compatible_uniques(Sample.of(sizes.size, sizes.count, n_people))
    if bounds is None:
        limits.append(limit("risk.no_compatible_population"))
        return None
    low, high = bounds
    for model in ("zayatz", "pitman", "snb"):
        value = estimates.by_model[model].value
        if value is not None and not low <= value <= high:
            fewest, most = Number(value=round(low)), Number(value=round(high))
            limits.append(limit("risk.estimate_incompatible", model=Term(code=model), low=fewest, high=most))
    return UniquesInterval(low=low, high=high, level=LEVEL)


SINGLE_SIZES = 12
"""Class sizes of the release with a constraint of their own; larger sizes are taken together in ranges."""
RANGE_GROWTH = 1.5
DENSE_SIZES = 60
"""Class sizes of the population with a variable of their own; beyond, sizes grow by `SIZE_GROWTH`."""
SIZE_GROWTH = 1.06
REACH = 8.0
"""Standard deviations by which the largest class of the population may exceed its expectation."""


def compatible_uniques(sample: Sample, *, level: float = LEVEL) -> tuple[float, float] | None:
    """Return the fewest and the most population uniques that are compatible with the release.

    The interval covers the true number with probability `level` or more for every population, up to the grid of
    class sizes: the class counts of a simple random sample vary less than Poisson counts, for which the intervals
    of the means are exact.

    Parameters
    ----------
    sample : Sample
        The histogram of class sizes and the size of the population.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    (low, high) : whole floats, 0 to the size of the population; None where no population is compatible
    """
    from scipy.optimize import linprog

    edges = _ranges(float(sample.size[-1]))
    low, high = _poisson_intervals(_counts_in(sample, edges), level)
    sizes = _population_sizes(sample)
    means = _expected(sizes, edges, sample.fraction)
    rows = np.concatenate([means, -means, sizes[None, :]])
    bounds = np.concatenate([high, -low, [sample.population]])
    # Scaled, so that counts of 1 and of 10^6, and fractions of 1 and of 10^-9, weigh alike for the solver.
    scale = np.maximum(np.abs(bounds), 1.0)
    rows, bounds = rows / scale[:, None], bounds / scale
    # Columns as well: the expected counts of large classes differ by orders of magnitude from those of small ones.
    reach = np.abs(rows).max(axis=0)
    rows = rows / reach
    goal = np.zeros(len(sizes))
    found = []
    for sign in (1.0, -1.0):
        goal[0] = sign
        solved = linprog(goal, A_ub=rows, b_ub=bounds, bounds=(0, None), method="highs")
        if solved.x is None or solved.status != 0:
            return None
        # The scaled variable is `reach` times the number of population uniques.
        found.append(float(solved.x[0] / reach[0]))
    # Everybody outside of the release can at most be unique, or make one sample unique common.
    outside = sample.population - sample.n
    least, most = max(sample.c1 - outside, 0.0), sample.c1 + outside
    # Rounded outwards, so that the interval of whole people still covers.
    return max(float(math.floor(min(found))), least), min(float(math.ceil(max(found))), most)


def _ranges(largest: float) -> Floats:
    """Return the lower edges of the ranges of class sizes of the release, and infinity."""
    edges = list(range(1, SINGLE_SIZES + 2))
    while edges[-1] <= largest:
        edges.append(max(edges[-1] + 1, math.ceil(edges[-1] * RANGE_GROWTH)))
    return np.array([*edges, math.inf], dtype=np.float64)


def _counts_in(sample: Sample, edges: Floats) -> Floats:
    at = np.searchsorted(edges, sample.size, side="right") - 1
    return np.bincount(at, weights=sample.count, minlength=len(edges) - 1).astype(np.float64)


def _poisson_intervals(counts: Floats, level: float) -> tuple[Floats, Floats]:
    """Return simultaneous intervals for the means behind `counts` (Garwood 1936, Bonferroni)."""
    from scipy.special import chdtri

    # Bonferroni: all intervals contain their means together with the stated probability.
    tail = (1 - level) / (2 * len(counts))
    low = np.where(counts > 0, chdtri(2 * np.maximum(counts, 1), 1 - tail) / 2, 0.0)
    return low, chdtri(2 * counts + 2, tail) / 2


def _population_sizes(sample: Sample) -> Floats:
    """Return class sizes of the population, every one up to `DENSE_SIZES`, then growing geometrically."""
    expected = float(sample.size[-1]) / sample.fraction
    largest = min(expected + REACH * math.sqrt(expected / sample.fraction) + 1, float(sample.population))
    sizes = list(range(1, DENSE_SIZES + 1))
    while sizes[-1] < largest:
        sizes.append(math.ceil(sizes[-1] * SIZE_GROWTH))
    return np.array(sizes, dtype=np.float64)


def _expected(sizes: Floats, edges: Floats, fraction: float) -> Floats:
    """Return how many classes in each range a class of each size of the population is expected to add, 0 to 1."""
    from scipy.special import betainc

    most = edges[:-1, None] - 1  # P(X <= most) of a binomial X is an incomplete beta function
    below = np.where(most >= sizes, 1.0, betainc(np.maximum(sizes - most, 1.0), most + 1, 1 - fraction))
    return np.diff(np.concatenate([below, np.ones((1, len(sizes)))]), axis=0)
