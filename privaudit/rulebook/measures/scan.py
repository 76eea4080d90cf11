"""Measures of the scan itself: what was not assessed, what is too uncertain, what is out of date.

Question: how complete, precise and current is the evidence?
Method: columns and limits that detection and the other stages recorded, the width of intervals, and the dates of the
reference lists and packs in use.
Limits: the width is that of the interval as reported, whatever its method.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from privaudit.model import Estimate
from privaudit.model.wording import Count, Fact, Listing, Name, Number, Threshold, Value, fact
from privaudit.rulebook.measurement import Context, Observation, filled_cells, measure
from privaudit.rulebook.packs import Check


@measure("scan.unassessed")
def scan_unassessed(context: Context, check: Check) -> Iterator[Observation]:
    """Number of requested columns and parts of the scan that could not be assessed."""
    columns = tuple(c.name for c in context.columns if c.unassessed)
    incomplete = [limit for limit in context.evidence.limits if limit.incomplete]
    # A column that was not assessed is usually a limit as well: the sum would count it twice.
    n = max(len(columns), len(incomplete))
    if not n:
        return
    parts: list[Value] = []
    for part in (limit.part("what") for limit in incomplete):
        if part not in parts:
            parts.append(part)
    other: Value = Listing(tuple(parts))
    if not parts:
        n_columns = Number(len(columns))
        other = fact("rulebook.columns_not_assessed", n=n_columns, of=Number(len(context.columns)))
    yield Observation(subject=columns, observed=n, values={"observed": Number(n), "other": other})


@measure("scan.interval_width")
def interval_width(context: Context, check: Check) -> Iterator[Observation]:
    """Width of the interval of a share or of the advantage of an attack."""
    for column in context.columns:
        if column.is_ is not None:
            yield _width((column.name,), column.is_.share, fact("rulebook.share_of_cells"), "share")
    for attack in context.evidence.attacks:
        if attack.is_headline or attack.against == "control" or attack.advantage.is_upper_bound:
            # A headline is not judged, a control with few people leaves the check of the attack silent, and an upper
            # bound has no interval.
            continue
        name = fact("rulebook.attack_success", kind=Name(attack.name), method=Name(attack.method))
        yield _width(attack.knowledge, attack.advantage, name, f"{attack.name} {attack.method}")


def _width(subject: tuple[str, ...], estimate: Estimate, name: Fact, key: str) -> Observation:
    width = estimate.high - estimate.low
    return Observation(
        subject=subject,
        observed=width,
        confidence=estimate.level,
        key=key,
        values={
            "observed": Number(width),
            "points": Number(round(100 * width)),
            "other": name,
            "bound": Count(estimate.n, unit="item"),
            "level": Threshold(estimate.level),
        },
    )


@measure("scan.reference_age")
def reference_age(context: Context, check: Check) -> Iterator[Observation]:
    """Age in months of the packs and reference lists in use, the oldest first."""
    for key, as_of in sorted(context.as_of.items(), key=lambda item: (item[1], item[0])):
        age = months(as_of, context.today)
        title = Name(context.titles.get(key, key))
        yield Observation(subject=(), observed=age, key=key, values={"observed": Number(age), "other": title})


def months(since: datetime.date, today: datetime.date) -> int:
    """Return the whole months from `since` to `today`.

    >>> months(datetime.date(2024, 1, 31), datetime.date(2024, 3, 1))
    1
    """
    return (today.year - since.year) * 12 + today.month - since.month - (today.day < since.day)


@measure("column.n_values")
def constant_columns(context: Context, check: Check) -> Iterator[Observation]:
    """Distinct values of a column, missing cells counted as one value: at most 1 in a constant column."""
    for c in context.columns:
        what = fact("rulebook.constant" if filled_cells(c) else "rulebook.empty")
        yield Observation(subject=(c.name,), observed=c.n_distinct + bool(c.n_missing), values={"other": what})
