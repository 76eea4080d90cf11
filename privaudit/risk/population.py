"""How many people are unique in the population, when only the release and the number of people are known?

Question: of a population of N people, how many are unique on the quasi-identifiers, judged from a sample of
n?
Method: the three published estimators (Zayatz; Hoshino's Pitman model; the slide negative binomial of Chen
and Keller-McNulty, SNB) on the histogram of class sizes, and Dankar's rule for choosing among them.
Limits: each assumes that the release is a simple random sample of the population and that its own model of
class sizes holds; the three differ by factors where it does not. Where a model cannot be fitted its value is
absent and the reason is given: absence is not zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from privaudit.risk.population_models import log_falling
from privaudit.risk.population_pitman import pitman
from privaudit.risk.population_sample import NO_UNIQUES, Ints, Modelled, Sample
from privaudit.risk.population_snb import snb

DANKAR_FRACTION = 0.1
"""Sampling fraction up to which Dankar's rule takes Pitman's model."""

STAND_IN = (
    "Pitman's model could not be fitted and Zayatz's estimate stands in for it, which is too high, often by "
    "factors, where the table is a small part of the population"
)
NO_ESTIMATE = "none of the models it chooses from could be fitted"


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationUniques:
    """Estimated numbers of people who are unique in a population of `size`.

    ``dankar_model`` names the model that Dankar's rule took: pitman, zayatz or snb, or None.
    """

    size: int
    zayatz: Modelled
    pitman: Modelled
    snb: Modelled
    dankar: Modelled
    dankar_model: str | None

    def wire(self) -> dict[str, Any]:
        """Return the keys of ``risk.population`` that follow from a population size."""
        models = {"zayatz": self.zayatz, "pitman": self.pitman, "snb": self.snb, "dankar": self.dankar}
        return {
            "size": self.size,
            **{name: model.value for name, model in models.items()},
            "dankar_model": self.dankar_model,
            "not_applicable": {name: model.why for name, model in models.items() if model.why},
            "cautions": {name: model.caution for name, model in models.items() if model.caution},
        }


def population_uniques(
    size: Sequence[int] | Ints, count: Sequence[int] | Ints, population: int
) -> PopulationUniques:
    """Estimate the population uniques with every model.

    Parameters
    ----------
    size, count : int sequences of shape (h,)
        Histogram of class sizes of the release: ``count[i]`` classes hold ``size[i]`` records; sizes ascend.
    population : int
        People in the population, N.

    Raises
    ------
    ConfigError
        When the population is smaller than the release.
    ValueError
        When the release holds no records.
    """
    sample = Sample.of(size, count, population)
    if sample.n == population:
        known = Modelled(float(sample.c1))
        return PopulationUniques(
            size=population, zayatz=known, pitman=known, snb=known, dankar=known, dankar_model=None
        )
    fits = {"zayatz": _zayatz(sample), "pitman": pitman(sample), "snb": snb(sample)}
    chosen = _dankar(fits, sample.fraction)
    return PopulationUniques(
        size=population,
        **fits,
        dankar=_taken(fits, chosen, sample.fraction),
        dankar_model=chosen,
    )


def _zayatz(sample: Sample) -> Modelled:
    """Estimate by Zayatz (1991): class sizes of the population are spread like those of the sample.

    With c_i classes of size i and P(1 | i) the hypergeometric probability that a class of i people shows one
    record in the sample, the uniques are ``(c_1 / f) * c_1 P(1|1) / sum_i c_i P(1|i)``.
    """
    if not sample.c1:
        return Modelled(None, NO_UNIQUES)
    others = sample.size - 1
    n, people = sample.n, sample.population
    seen_once = np.exp(log_falling(people - n, others) - log_falling(people - 1, others)) * sample.size
    share = sample.c1 / float((sample.count * seen_once).sum())  # n/N cancels
    return Modelled(sample.c1 * share / sample.fraction)


def _taken(fits: dict[str, Modelled], chosen: str | None, fraction: float) -> Modelled:
    if chosen is None:
        return Modelled(None, NO_ESTIMATE)
    stands_in = chosen == "zayatz" and fraction <= DANKAR_FRACTION
    return Modelled(fits[chosen].value, caution=STAND_IN if stands_in else fits[chosen].caution)


def _dankar(fits: dict[str, Modelled], fraction: float) -> str | None:
    """Choose by the decision rule of Dankar, El Emam, Neisa, Roffey (2012).

    Up to a sampling fraction of 0.1 Pitman's model, or Zayatz's where that fails; above it the smaller of
    Zayatz's and the SNB.
    """
    if fraction <= DANKAR_FRACTION:
        order = ["pitman", "zayatz"]
    else:
        values = {name: fits[name].value for name in ("zayatz", "snb")}
        order = sorted(
            values, key=lambda name: math.inf if values[name] is None else float(values[name] or 0)
        )
    return next((name for name in order if fits[name].value is not None), None)
