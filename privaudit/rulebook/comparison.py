"""Compare an observed value with a limit, and two observed values with each other.

Question: is an observed value beyond its limit, and which of two values is worse?
Method: the comparison that the check states. Integers are compared exactly; a real number within rounding of the other
equals it. Levels of dates and places are compared by their order.
Limits: knows neither evidence nor policy.
"""

from __future__ import annotations

from typing import TypeAlias

from privaudit.model import CheckOutcome
from privaudit.model.vocabulary.statements import DATE_LEVELS, GEO_LEVELS
from privaudit.rulebook.packs import Check

Directed: TypeAlias = Check | CheckOutcome
"""What states which measure is compared, and in which direction."""
_LEVELS = {"column.date_precision": DATE_LEVELS, "column.geo_precision": GEO_LEVELS}
_TOLERANCE = 1e-9

UNBOUNDED = "unbounded"
"""An observed value that is infinite: JSON has no number for it."""

_BEYOND_EVERY_LIMIT = frozenset({"unknown", UNBOUNDED})


def fires(check: Directed, observed: float | int | str, limiting: float | int | str) -> bool:
    """Whether `observed` is beyond `limiting`, by the comparison that the check states.

    Integers are compared exactly. A real number within rounding of its limit is within it.
    """
    if check.fires_when == "finer_than":
        levels = _LEVELS[check.measure]
        return levels.index(str(observed)) > levels.index(str(limiting))
    if isinstance(observed, str) or isinstance(limiting, str):
        # What could not be bounded fails the check: an unknown is never within a limit.
        return observed in _BEYOND_EVERY_LIMIT or observed == limiting
    distance = _distance(observed, limiting)
    return {"below": distance < 0, "above": distance > 0, "at_least": distance >= 0, "at_most": distance <= 0}[
        check.fires_when
    ]


def is_worse(check: Directed, observed: float | int | str | None, accepted: float | int | str) -> bool:
    """Whether `observed` is worse than `accepted`, in the direction in which the check fires.

    A value that cannot be compared with the accepted one is worse; nothing is worse than an unbounded one.
    """
    if check.fires_when == "finer_than":
        levels = levels_of(check)
        return observed not in levels or accepted not in levels or fires(check, str(observed), str(accepted))
    if accepted == UNBOUNDED and isinstance(observed, int | float):
        return False
    if observed is None or isinstance(observed, str) or isinstance(accepted, str):
        return observed != accepted
    distance = _distance(observed, accepted)
    return distance < 0 if check.fires_when in ("below", "at_most") else distance > 0


def levels_of(check: Directed) -> tuple[str, ...]:
    """Return the levels that `check` compares, coarsest first; none where it compares numbers."""
    return _LEVELS.get(check.measure, ()) if check.fires_when == "finer_than" else ()


def _distance(observed: float, limiting: float) -> float:
    distance = observed - limiting
    if isinstance(observed, int) and isinstance(limiting, int):
        return distance
    # Shares are quotients of counts: the last bits of a division must not decide whether a check fires.
    return 0.0 if abs(distance) <= _TOLERANCE * max(abs(observed), abs(limiting)) else distance
