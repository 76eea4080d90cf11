"""A sampled or simulated number with its confidence interval."""

from __future__ import annotations

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire

AT_MOST = "at-most"
"""How the method of an estimate ends that states an upper bound only."""

PARTIAL = "partial"
"""How the method of an interval ends that is widened by what units of unknown outcome may change."""


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
        How the interval was computed, for example "wilson" or "exact". A method that ends with "at-most" states an
        upper bound: `high` is the bound, `level` its one-sided confidence level, and `low` is 0 and states nothing.

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

    @property
    def is_upper_bound(self) -> bool:
        """Whether only the upper end is stated: the number is at most `high`."""
        return self.method.endswith(AT_MOST)


def exact(value: float, n: int) -> Estimate:
    """Return `value`, counted over all `n` units, as an estimate without sampling error."""
    return Estimate(value=value, low=value, high=value, level=1.0, n=n, method="exact")
