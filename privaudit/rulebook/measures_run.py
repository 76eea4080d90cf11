"""Measures of the scan itself: what was not assessed, what is too uncertain, what is out of date.

Question: how far does this evidence carry?
Method: columns and limits that detection and the other stages left, the width of intervals, and the dates of the
reference data and packs that were used.
Limits: the width is that of the interval as reported, whatever its method.
"""

from __future__ import annotations

import datetime

from privaudit.model import Estimate
from privaudit.rulebook.packs import Check
from privaudit.rulebook.scene import Observation, Reading, Scene, measure


@measure("scan.unassessed")
def scan_unassessed(scene: Scene, check: Check) -> Reading:
    """Columns and parts of the scan that were asked for and could not be assessed."""
    columns = tuple(c.name for c in scene.columns if c.unassessed)
    parts = [item.what for item in scene.evidence.limits if item.incomplete]
    n = max(len(columns), len(parts))
    if not n:
        return Reading()
    what = ", ".join(dict.fromkeys(parts)) or f"{len(columns)} of {len(scene.columns)} columns"
    return Reading(observations=(Observation(subject=columns, observed=n, words={"other": what}),))


@measure("scan.interval_width")
def interval_width(scene: Scene, check: Check) -> Reading:
    """Width of the interval of a share or an attack's advantage."""
    found = [
        _width((column.name,), column.is_.share, "cells of this kind")
        for column in scene.columns
        if column.is_ is not None
    ]
    found += [
        _width(attack.knowledge, attack.advantage, f"success of the attack ({attack.kind}, {attack.method})")
        for attack in scene.evidence.attacks
    ]
    return Reading(observations=tuple(found))


def _width(subject: tuple[str, ...], estimate: Estimate, what: str) -> Observation:
    return Observation(
        subject=subject,
        observed=estimate.high - estimate.low,
        confidence=estimate.level,
        words={"other": what, "key": what, "bound": f"{estimate.n:,}", "level": f"{estimate.level:.0%}"},
    )


@measure("scan.reference_age")
def reference_age(scene: Scene, check: Check) -> Reading:
    """Age in months of the packs and reference tables in use, the oldest first."""
    found = [
        Observation(subject=(), observed=months(as_of, scene.today), words={"other": name, "key": name})
        for name, as_of in sorted(scene.as_of.items(), key=lambda item: (item[1], item[0]))
    ]
    return Reading(observations=tuple(found))


def months(since: datetime.date, today: datetime.date) -> int:
    """Return the whole months from `since` to `today`.

    >>> months(datetime.date(2024, 1, 31), datetime.date(2024, 3, 1))
    1
    """
    return (today.year - since.year) * 12 + today.month - since.month - (today.day < since.day)
