"""How many people are unique in the population, when only the release and the number of people are known?

Question: how many of N people are unique on the quasi-identifiers, estimated from a sample of n records?
Method: the three published estimators (Zayatz; Hoshino's Pitman model; the slide negative binomial of Chen
and Keller-McNulty, SNB) on the histogram of class sizes, and Dankar's rule for choosing among them.
Limits: each assumes that the release is a simple random sample of the population and that its own model of
class sizes holds; the three differ by factors where it does not. Where a model cannot be fitted its value is
absent, with the reason: absence is not zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from privaudit.base.records import dataclass
from privaudit.model.wording import fact
from privaudit.risk.population.population_numerics import NO_UNIQUES, Ints, ModelEstimate, Sample, log_falling
from privaudit.risk.population.population_pitman import pitman
from privaudit.risk.population.population_snb import snb

DANKAR_FRACTION = 0.1
"""Sampling fraction up to which Dankar's rule selects Pitman's model."""

ZAYATZ_FOR_PITMAN = fact("risk.zayatz_for_pitman")
NO_MODEL = fact("risk.no_model_applies")


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationUniques:
    """Estimated numbers of people who are unique in a population of `size`.

    ``dankar_model`` names the model that Dankar's rule selected: pitman, zayatz or snb, or None.
    """

    size: int
    zayatz: ModelEstimate
    pitman: ModelEstimate
    snb: ModelEstimate
    dankar: ModelEstimate
    dankar_model: str | None

    @property
    def by_model(self) -> dict[str, ModelEstimate]:
        """The estimates by the name of the model, that of Dankar's rule last."""
        return {"zayatz": self.zayatz, "pitman": self.pitman, "snb": self.snb, "dankar": self.dankar}


def population_uniques(size: Sequence[int] | Ints, count: Sequence[int] | Ints, population: int) -> PopulationUniques:
    """Estimate the population uniques with every model.

    Parameters
    ----------
    size, count : int sequences of shape (h,)
        Histogram of class sizes of the release: ``count[i]`` classes contain ``size[i]`` records; sizes ascend.
    population : int
        People in the population, N.

    Raises
    ------
    ConfigError
        If the population is smaller than the release.
    ValueError
        If the release has no records.
    """
    sample = Sample.of(size, count, population)
    if sample.n == population:
        known = ModelEstimate(float(sample.c1))
        return PopulationUniques(
            size=population, zayatz=known, pitman=known, snb=known, dankar=known, dankar_model=None
        )
    fits = {"zayatz": _zayatz(sample), "pitman": pitman(sample), "snb": snb(sample)}
    chosen = _dankar_choice(fits, sample.fraction)
    return PopulationUniques(
        size=population, **fits, dankar=_dankar_estimate(fits, chosen, sample.fraction), dankar_model=chosen
    )


def _zayatz(sample: Sample) -> ModelEstimate:
    """Estimate by Zayatz (1991): class sizes of the population are spread like those of the sample.

    With c_i classes of size i and P(1 | i) the hypergeometric probability that a class of i people shows one
    record in the sample, the uniques are ``(c_1 / f) * c_1 P(1|1) / sum_i c_i P(1|i)``.
    """
    if not sample.c1:
        return ModelEstimate(None, NO_UNIQUES)
    others = sample.size - 1
    n, people = sample.n, sample.population
    seen_once = np.exp(log_falling(people - n, others) - log_falling(people - 1, others)) * sample.size
    share = sample.c1 / float((sample.count * seen_once).sum())  # n/N cancels
    return ModelEstimate(sample.c1 * share / sample.fraction)


def _dankar_estimate(fits: dict[str, ModelEstimate], chosen: str | None, fraction: float) -> ModelEstimate:
    if chosen is None:
        return ModelEstimate(None, NO_MODEL)
    replaces_pitman = chosen == "zayatz" and fraction <= DANKAR_FRACTION
    return ModelEstimate(fits[chosen].value, caution=ZAYATZ_FOR_PITMAN if replaces_pitman else fits[chosen].caution)


def _dankar_choice(fits: dict[str, ModelEstimate], fraction: float) -> str | None:
    """Choose by the decision rule of Dankar, El Emam, Neisa, Roffey (2012).

    Up to a sampling fraction of 0.1 Pitman's model, or Zayatz's where that fails; above it the smaller of
    Zayatz's and the SNB.
    """
    if fraction <= DANKAR_FRACTION:
        order = ["pitman", "zayatz"]
    else:
        values = {name: fits[name].value for name in ("zayatz", "snb")}
        order = sorted(values, key=lambda name: math.inf if values[name] is None else float(values[name] or 0))
    return next((name for name in order if fits[name].value is not None), None)
