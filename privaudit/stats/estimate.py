"""A sampled or simulated number with its confidence interval."""

from __future__ import annotations

from dataclasses import dataclass

from privaudit.wire import Wire


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate(Wire):
    """A sampled or simulated number with its interval.

    Attributes
    ----------
    value, low, high : float
        The estimate and the bounds of its confidence interval, ``low <= value <= high``.
    level : float
        Confidence level of the interval, in (0, 1). An exact number has ``low == value == high`` and level 1.
    n : int
        Number of units behind the estimate.
    method : str
        How the interval was computed, for example "wilson" or "exact".

    Raises
    ------
    ValueError
        If the value lies outside its interval.
    """

    value: float
    low: float
    high: float
    level: float = 0.95
    n: int
    method: str

    def __post_init__(self) -> None:
        if not self.low <= self.value <= self.high:
            raise ValueError("an estimate must lie within its interval: low <= value <= high")


def exact(value: float, n: int) -> Estimate:
    """Return `value`, counted over all `n` units, as an estimate without sampling error."""
    return Estimate(value=value, low=value, high=value, level=1.0, n=n, method="exact")
