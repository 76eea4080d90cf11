"""Replace numbers by draws from a distribution that was fitted to them.

Question: which distribution describes the column, and how well?
Method: each of seven families of scipy is fitted by maximum likelihood, and the one with the highest likelihood is
used. The fit is stated with parameters, log-likelihood and the Kolmogorov-Smirnov distance. Draws have the decimals of
the column.
Limits: the dependence on other columns is destroyed. Draws may lie beyond the smallest and the largest number, where
``within_range`` is not set; with it, draws beyond are drawn again, and the range is published.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from privaudit.advice.technique.columns import Floats, numbers_of, with_numbers
from privaudit.advice.technique.record import Context, Parameter, Technique
from privaudit.base.errors import ConfigError
from privaudit.base.extras import POPULATION, needing

if TYPE_CHECKING:
    import pyarrow as pa

FAMILIES = ("norm", "exponnorm", "lognorm", "gamma", "expon", "weibull_min", "logistic")
_DRAWS_AGAIN = 100


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted distribution, its log-likelihood and its Kolmogorov-Smirnov distance to the data."""

    family: str
    parameters: tuple[float, ...]
    log_likelihood: float
    distance: float


def best_fit(values: Floats) -> Fit:
    """Return the family with the highest likelihood; `fits` has all."""
    return fits(values)[0]


def fits(values: Floats) -> list[Fit]:
    """Return the fit of each family, the likeliest first; a family that cannot be fitted is omitted.

    Where many numbers are equal, the likelihood of some families has no bound: their density grows without limit at one
    number. Numbers that differ by h or more support no density above 1 / h, so a fit with a larger one is omitted.

    Raises
    ------
    ConfigError
        If no family can be fitted.
    """
    with needing(POPULATION, "Fitting distributions"):
        from scipy import stats

    gaps = np.diff(np.unique(values))
    highest = -np.log(gaps.min()) if len(gaps) else np.inf
    found = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for family in FAMILIES:
            distribution = getattr(stats, family)
            try:
                parameters = distribution.fit(values)
                densities = distribution.logpdf(values, *parameters)
                likelihood = float(densities.sum())
                distance = float(stats.kstest(values, family, parameters).statistic)
            except (ValueError, RuntimeError, FloatingPointError):
                continue
            if np.isfinite(likelihood) and densities.max() <= highest:
                found.append(Fit(family, tuple(map(float, parameters)), likelihood, distance))
    if not found:
        raise ConfigError("No distribution can be fitted to the column.", hint="use sample_shares")
    return sorted(found, key=lambda fit: -fit.log_likelihood)


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Replace the numbers of each column by draws."""
    with needing(POPULATION, "Fitting distributions"):
        from scipy import stats

    for name in parameters["columns"]:
        values = numbers_of(table, name, "sample_distribution")
        known = ~np.isnan(values)
        fit = best_fit(values[known])
        context.notes.append(
            {
                "technique": "sample_distribution",
                "column": name,
                "family": fit.family,
                "log_likelihood": fit.log_likelihood,
                "kolmogorov_smirnov": fit.distance,
            }
        )
        distribution = getattr(stats, fit.family)(*fit.parameters)
        drawn = distribution.rvs(size=int(known.sum()), random_state=context.random)
        if parameters.get("within_range", False):
            drawn = _within(drawn, values[known], distribution, context)
        values[known] = drawn
        table = with_numbers(table, name, values)
    return table


def _within(drawn: Floats, values: Floats, distribution: Any, context: Context) -> Floats:
    low, high = values.min(), values.max()
    for _ in range(_DRAWS_AGAIN):
        beyond = (drawn < low) | (drawn > high)
        if not beyond.any():
            break
        drawn[beyond] = distribution.rvs(size=int(beyond.sum()), random_state=context.random)
    return np.asarray(np.clip(drawn, low, high))


TECHNIQUE = Technique(
    name="sample_distribution",
    meaning="Replaces numbers by draws from the best of several fitted distributions.",
    scope="columns",
    is_perturbation=True,
    parameters={
        "within_range": Parameter(
            kind="flag",
            required=False,
            meaning="Whether draws stay between the smallest and the largest number.",
        )
    },
    apply=apply,
)
