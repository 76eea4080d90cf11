"""Compare an observed value with a limit, a finding with an earlier one, and two reports with each other.

Question: is an observed value beyond its limit, which of two values is worse, and what changed since the old report?
Method: the comparison that the check states. Integers are compared exactly; a real number within rounding of the other
equals it. Levels of dates and places are compared by their order. Of two findings three comparisons are made; one that
is worse decides. The observed value is compared in the direction in which the check fires: whole levels (k, l, the
number of columns in a set, decimals of a coordinate) and levels of dates and places exactly; counts, as shares of the
records, and other real numbers with a tolerance. The share of people concerned and the severity are compared too: a k
that stays at 5 for more people is worse. The findings of two reports are paired by fingerprint and compared as those of
a baseline. A finding of the old report is gone only where its check was measured again; otherwise it is listed as not
measured. A new or worse open finding fails from the lower one of the two severities that the gates were set to, so that
a looser gate of the new report does not hide it. Something that only the new report could not assess makes the
comparison incomplete.
Limits: knows neither evidence nor policy. The tolerance is a share of the earlier number, because a table that is
refreshed varies; it is not a test of significance. With a tolerance of 0 every growth is worse. Of reports, what they
state is compared; both must be scanned with the same settings for the numbers to mean the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from privaudit.base.records import dataclass
from privaudit.model import CheckOutcome, ColumnReport, Finding, Report, Severity, fails, order, severity_level
from privaudit.model.differences import ColumnChange, Differences, FindingChange, Number, NumberChange, State
from privaudit.model.vocabulary.statements import DATE_LEVELS, GEO_LEVELS
from privaudit.rulebook.packs import Check

Directed = Check | CheckOutcome
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


_MEASURED = ("passed", "fired")


def differences(
    old: Report, new: Report, *, tolerance: float = TOLERANCE, fail_on: Severity | None = None
) -> Differences:
    """Return what changed from `old` to `new`."""
    found = tuple(sorted(_findings(old, new, tolerance), key=lambda item: order(item.finding)))
    least = min(old.fail_on, new.fail_on, key=severity_level) if fail_on is None else fail_on
    failing = tuple(item.finding for item in found if item.state in ("new", "worse") and fails(item.finding, least))
    known = {(limit.code, str(limit.values)) for limit in old.limits if limit.incomplete}
    lost = [limit for limit in new.limits if limit.incomplete and (limit.code, str(limit.values)) not in known]
    return Differences(
        old=old,
        new=new,
        tolerance=tolerance,
        findings=found,
        numbers=_numbers(old, new),
        columns=tuple(_columns(old, new)),
        failing=failing,
        exit_code=3 if lost else 1 if failing else 0,
    )


def _findings(old: Report, new: Report, tolerance: float) -> Iterator[FindingChange]:
    before = {finding.fingerprint: finding for finding in old.findings}
    after = {finding.fingerprint: finding for finding in new.findings}
    checks = {check.code: check for check in (*old.checks, *new.checks)}
    states = {check.code: check.state for check in new.checks}
    for key, finding in after.items():
        known = before.get(key)
        if known is None:
            yield FindingChange(state="new", finding=finding, after=finding.observed)
            continue
        found: State = "same"
        if finding.code in checks:
            found = change(checks[finding.code], known, finding, tolerance)
        yield FindingChange(state=found, finding=finding, before=known.observed, after=finding.observed)
    for key, finding in before.items():
        if key not in after:
            state: State = "gone" if states.get(finding.code) in _MEASURED else "not_measured"
            yield FindingChange(state=state, finding=finding, before=finding.observed)


def _numbers(old: Report, new: Report) -> tuple[NumberChange, ...]:
    """Return the numbers of the whole table, whether they differ or not."""
    pairs: list[tuple[str, Number, Number]] = [
        ("rows", old.dataset.n_rows, new.dataset.n_rows),
        ("columns", old.dataset.n_columns, new.dataset.n_columns),
        ("policy", old.policy.name, new.policy.name),
        ("k required", old.policy.k, new.policy.k),
    ]
    before, after = old.risk, new.risk
    for name in ("k_min", "n_unique", "share_below_k", "prosecutor_max", "prosecutor_mean", "marketer"):
        pairs.append((name, getattr(before, name, None), getattr(after, name, None)))
    return tuple(NumberChange(name=name, before=a, after=b) for name, a, b in pairs)


def _columns(old: Report, new: Report) -> Iterator[ColumnChange]:
    before = {column.name: column for column in old.columns}
    after = {column.name: column for column in new.columns}
    yield from (ColumnChange(column=name, what="removed") for name in before if name not in after)
    yield from (ColumnChange(column=name, what="added") for name in after if name not in before)
    for name, column in after.items():
        if name in before:
            yield from _drift(before[name], column)


def _drift(old: ColumnReport, new: ColumnReport) -> Iterator[ColumnChange]:
    pairs = (
        ("data type", old.data_type, new.data_type),
        ("role", old.role, new.role),
        ("entity type", old.is_.entity if old.is_ else None, new.is_.entity if new.is_ else None),
        ("date precision", old.date_precision, new.date_precision),
        ("place precision", old.geo_precision, new.geo_precision),
    )
    for what, before, after in pairs:
        if before != after:
            yield ColumnChange(column=new.name, what=what, before=before, after=after)
