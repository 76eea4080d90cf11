"""Replace numbers by draws from a distribution that was fitted to them.

Question: which distribution describes the column, and how well?
Method: each of seven families of scipy is fitted by maximum likelihood, and the one with the highest likelihood is
used, unless another is stated. Every fit is stated with parameters, log-likelihood and the Kolmogorov-Smirnov distance.
Draws have the decimals of the column, so whole numbers stay whole; dates are fitted as days, and their time of day is
lost. Draws beyond stated bounds are drawn again.
Limits: the dependence on other columns is destroyed. Draws may lie beyond the smallest and the largest number, unless
bounds are stated or ``within_range`` is set, which publishes the range.
"""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from privaudit.advice.technique.columns import numbers_of, text_of, with_column, with_numbers
from privaudit.advice.technique.record import Context
from privaudit.attacks.values.comparable_values import days_of
from privaudit.base.arrays import Floats
from privaudit.base.arrow import pa
from privaudit.base.errors import ConfigError
from privaudit.base.extras import POPULATION, needing
from privaudit.base.records import dataclass
from privaudit.model.wording import Columns, Fact, Name, Number, fact

with needing(POPULATION, "Fitting distributions"):
    from scipy import stats

FAMILIES = ("norm", "exponnorm", "lognorm", "gamma", "expon", "weibull_min", "logistic")
N_BARS = 12
EPOCH = datetime.date(1970, 1, 1).toordinal()
_DRAWS_AGAIN = 100


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted distribution, its log-likelihood and its Kolmogorov-Smirnov distance to the data."""

    family: str
    parameters: tuple[float, ...]
    log_likelihood: float
    distance: float


def fits(values: Floats) -> list[Fit]:
    """Return the fit of each family, the likeliest first; a family that cannot be fitted is omitted.

    Where many numbers are equal, the likelihood of some families has no bound: their density grows without limit at one
    number. Numbers that differ by h or more support no density above 1 / h, so a fit with a larger one is omitted.

    Raises
    ------
    ConfigError
        If no family can be fitted.
    """
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
            # A density above one over the smallest gap describes the digits of the numbers, not their distribution.
            if np.isfinite(likelihood) and densities.max() <= highest:
                found.append(Fit(family, tuple(map(float, parameters)), likelihood, distance))
    if not found:
        raise ConfigError("No distribution can be fitted to the column.", hint="use sample_shares")
    return sorted(found, key=lambda fit: -fit.log_likelihood)


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Replace the numbers, or the dates, of each column by draws.

    Raises
    ------
    ConfigError
        If a column holds neither, or the family that is stated cannot be fitted.
    """
    for name in parameters["columns"]:
        days = days_of(text_of(table, name).combine_chunks())
        values = numbers_of(table, name, "sample_distribution") if days is None else days
        known = ~np.isnan(values)
        found = fits(values[known])
        fit = _chosen(found, parameters)
        context.notes.append(_noted(name, fit, found, values[known]))
        context.facts.extend(_candidate(name, each, values[known]) for each in found)
        distribution = getattr(stats, fit.family)(*fit.parameters)
        drawn = distribution.rvs(size=int(known.sum()), random_state=context.random)
        bounds = _bounds(parameters, values[known], are_days=days is not None)
        values[known] = _within(drawn, bounds, distribution, context)
        table = with_numbers(table, name, values) if days is None else _with_days(table, name, values)
    return table


def _chosen(found: Sequence[Fit], parameters: Mapping[str, Any]) -> Fit:
    """Return the fit of the family that is stated, else the likeliest."""
    family = parameters.get("family", found[0].family)
    fit = next((each for each in found if each.family == family), None)
    if fit is None:
        raise ConfigError(f'"{family}" cannot be fitted to the column.', hint="omit family")
    return fit


def _with_days(table: pa.Table, name: str, days: Floats) -> pa.Table:
    """Return the table with dates without time of day in a column; cells without a date become missing."""
    known = ~np.isnan(days)
    whole = pa.array(np.where(known, np.round(days), 0).astype(np.int32), mask=~known)
    return with_column(table, name, whole.cast(pa.date32()).cast(pa.string()))


def _bounds(parameters: Mapping[str, Any], values: Floats, *, are_days: bool) -> tuple[float, float]:
    """Return the smallest and the largest draw: the stated ones, or those of the column where ``within_range`` is set.

    Raises
    ------
    ConfigError
        If a bound is not a number, or for a column of dates not a date.
    """
    within = parameters.get("within_range", False)
    found = [float(values.min()), float(values.max())] if within else [-np.inf, np.inf]
    for i, key in enumerate(("low", "high")):
        if key in parameters:
            try:
                day = datetime.date.fromisoformat(parameters[key]).toordinal() - EPOCH if are_days else None
                found[i] = float(parameters[key]) if day is None else float(day)
            except ValueError:
                wanted = "a date such as 2015-01-31" if are_days else "a number"
                raise ConfigError(f'"{key}" of "sample_distribution" must be {wanted}.') from None
    if found[0] >= found[1]:
        raise ConfigError('"low" of "sample_distribution" must be below "high".')
    return found[0], found[1]


def _within(drawn: Floats, bounds: tuple[float, float], distribution: Any, context: Context) -> Floats:
    low, high = bounds
    for _ in range(_DRAWS_AGAIN):
        beyond = (drawn < low) | (drawn > high)
        if not beyond.any():
            break
        drawn[beyond] = distribution.rvs(size=int(beyond.sum()), random_state=context.random)
    return np.asarray(np.clip(drawn, low, high))


def _candidate(column: str, fit: Fit, values: Floats) -> Fact:
    """State a family with its parameters, log-likelihood and distance; a parameter that is a cell is withheld."""
    shapes = getattr(stats, fit.family).shapes
    labels = [*([] if shapes is None else shapes.split(", ")), "loc", "scale"]
    stated = [
        # A parameter can be the value of one person: that of loc is often the smallest one.
        f"{label} withheld" if np.isclose(values, v, rtol=1e-6).any() else f"{label} {v:.6g}"
        for label, v in zip(labels, fit.parameters, strict=True)
    ]
    return fact(
        "remedies.candidate",
        column=Columns((column,)),
        family=Name(fit.family),
        parameters=Name(", ".join(stated)),
        likelihood=Number(fit.log_likelihood),
        distance=Number(fit.distance),
    )


def _noted(column: str, fit: Fit, found: Sequence[Fit], values: Floats) -> dict[str, Any]:
    """Return the measures of the fit, and what a picture needs: shares of intervals, observed and of each family.

    The intervals are those of `releases.remedy.utility`: twelve over the middle 98 % of the numbers.
    """
    low, high = np.quantile(values, (0.01, 0.99)).tolist()
    inner = np.linspace(low, high, N_BARS + 1)[1:-1]
    observed = np.bincount(np.searchsorted(inner, values, side="right"), minlength=N_BARS) / len(values)
    expected = {}
    for each in found:
        ends = getattr(stats, each.family).cdf(inner, *each.parameters)
        expected[each.family] = np.round(np.diff([0.0, *ends, 1.0]), 6).tolist()
    return {
        "technique": "sample_distribution",
        "column": column,
        "family": fit.family,
        "log_likelihood": fit.log_likelihood,
        "kolmogorov_smirnov": fit.distance,
        "observed": np.round(observed, 6).tolist(),
        "expected": expected,
    }
