"""Whether a finding is worse or better than the same finding in an earlier scan.

Question: which of two measurements of one finding is worse?
Method: three comparisons; one that is worse decides. The observed value is compared in the direction in which the
check fires: whole levels (k, l, the number of columns in a set, decimals of a coordinate) and levels of dates and
places exactly; counts, as shares of the records, and other real numbers with a tolerance. The share of people concerned
and the severity are compared too: a k that stays at 5 for more people is worse.
Limits: the tolerance is a share of the earlier number, because a table that is refreshed varies; it is not a test of
significance. With a tolerance of 0 every growth is worse.
"""

from __future__ import annotations

from typing import Literal

from privaudit.base.records import dataclass
from privaudit.model import Finding, Severity, severity_level
from privaudit.rulebook.comparison import Directed, is_worse

TOLERANCE = 0.1
"""The share by which counts and shares may grow before they are called worse: product default."""

COUNTS = frozenset(
    {
        "class.n_sample_unique", "column.age_90", "column.birth_year_90", "column.free_text", "column.key_in_order",
        "column.key_like", "column.key_shared", "column.minors", "column.payload", "column.rare_values",
        "column.special_category", "pii.cells", "pii.presence", "pii.url_personal", "risk.population_unique",
        "zip3.restricted",
    }
)  # fmt: skip
"""Measures that count records, people or cells: they grow with the table. Other whole numbers are levels."""

Change = Literal["worse", "better", "same"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A finding of a baseline: what of it is compared with a later one."""

    code: str
    subject: tuple[str, ...]
    fingerprint: str
    severity: Severity
    observed: float | int | str | None
    n_people: int | None
    n_total: int | None


def change(check: Directed, before: Finding | Known, after: Finding | Known, tolerance: float = TOLERANCE) -> Change:
    """Return whether `after` is worse than `before`, better, or within the tolerance."""
    steps = (
        _observed(check, before, after, tolerance),
        # A finding can reach more people while its observed number stays: k = 3 for one class, then for fifty.
        _share(before, after, tolerance),
        severity_level(after.severity) - severity_level(before.severity),
    )
    return "worse" if max(steps) > 0 else "better" if min(steps) < 0 else "same"


def _observed(check: Directed, before: Finding | Known, after: Finding | Known, tolerance: float) -> int:
    """Return a number above 0 where the observed value is worse, below 0 where it is better."""
    old, new = before.observed, after.observed
    if old == new:
        return 0
    # A finding whose number is missing now counts as worse: the baseline must not hide what was not measured.
    if old is None or new is None:
        return 1
    if isinstance(old, str) or isinstance(new, str) or _is_level(check, old, new):
        return 1 if is_worse(check, new, old) else -1
    # Counts are compared as shares, because a table that grows has more of everything.
    if isinstance(old, int) and isinstance(new, int) and before.n_total and after.n_total:
        old, new = old / before.n_total, new / after.n_total
    lower_is_worse = check.fires_when in ("below", "at_most")
    return _grown(new, old, tolerance) if lower_is_worse else _grown(old, new, tolerance)


def _is_level(check: Directed, old: float, new: float) -> bool:
    return isinstance(old, int) and isinstance(new, int) and check.measure.partition("[")[0] not in COUNTS


def _share(before: Finding | Known, after: Finding | Known, tolerance: float) -> int:
    """Return the same of the share of people concerned, 0 where it is not known of both."""
    if before.n_people is None or after.n_people is None or not before.n_total or not after.n_total:
        return 0
    return _grown(before.n_people / before.n_total, after.n_people / after.n_total, tolerance)


def _grown(old: float, new: float, tolerance: float) -> int:
    """Return 1 where `new` is larger than `old` by more than the tolerance, -1 where it is smaller, otherwise 0."""
    rounding = 1e-9
    return (new > old * (1 + tolerance) + rounding) - (old > new * (1 + tolerance) + rounding)
