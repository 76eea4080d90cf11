"""Judge evidence: which checks fire, and what that says of each control.

Question: given what was measured, a policy and some frameworks, what is found?
Method: each check takes its measure and compares it with its limit; what fires becomes a finding in words. The
controls of the frameworks read the same outcomes. The records below the policy's k are filled in from what was
counted.
Limits: never touches the table, so a saved report can be judged again under other terms. What the evidence does
not answer under those terms is a limit, never 0.
"""

from __future__ import annotations

import datetime
import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from privaudit.errors import RuleError
from privaudit.model import (
    SEVERITIES,
    Combination,
    Control,
    Evidence,
    Finding,
    Limit, untyped_limit,
    PolicyInfo,
    Risk,
)
from privaudit.rulebook.controls import answer
from privaudit.rulebook.load import load_checks, load_frameworks
from privaudit.rulebook.measures_classes import combination_below, records_below, share_below
from privaudit.rulebook.measures_columns import may_be_zip
from privaudit.rulebook.message import sentence
from privaudit.rulebook.own import UNKNOWN, unknown
from privaudit.rulebook.packs import Check, Framework
from privaudit.rulebook.policy import DATE_LEVELS, GEO_LEVELS
from privaudit.rulebook.reference import zip3
from privaudit.rulebook.scene import MEASURES, Fired, Observation, Outcome, Scene

_LEVELS = {"column.date_precision": DATE_LEVELS, "column.geo_precision": GEO_LEVELS}
_TOLERANCE = 1e-9
_UNCOUNTED = "records below k"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What was judged. ``combinations`` and ``risk`` are the evidence's with the policy's k filled in.

    Attributes
    ----------
    findings : tuple of Finding
        Worst first: severity, then people concerned, then code and subject.
    controls : tuple of Control
        In the order of the frameworks and of their packs.
    limits : tuple of Limit
        What these terms asked and the evidence does not answer; to be added to the evidence's own.
    """

    findings: tuple[Finding, ...]
    controls: tuple[Control, ...]
    combinations: tuple[Combination, ...]
    risk: Risk | None
    limits: tuple[Limit, ...]


def judge(
    evidence: Evidence,
    policy: PolicyInfo,
    frameworks: Sequence[str] = (),
    *,
    today: datetime.date | None = None,
    preview: bool = False,
    rules: Path | None = None,
) -> Judgement:
    """Judge `evidence` by the checks under `policy`, and answer the controls of `frameworks`.

    Parameters
    ----------
    evidence : Evidence
        Measured before, with or without the table at hand.
    policy : PolicyInfo
        The thresholds.
    frameworks : sequence of str
        Ids of frameworks.
    today : datetime.date, optional
        The day on which reference data may be out of date; SOURCE_DATE_EPOCH or the current day by default.
    preview : bool
        Whether controls whose wording was not verified against its source are judged too.
    rules : Path, optional
        A folder with further packs of the user.

    Raises
    ------
    RuleError
        For an unknown framework or a pack that breaks a law.
    """
    checks = load_checks(rules)
    evidence = replace(evidence, limits=_measured(evidence.limits, checks))
    packs = load_frameworks(tuple(frameworks), folder=rules)
    scene = Scene(
        evidence=evidence,
        policy=policy,
        today=today or _today(),
        as_of=_as_of(evidence, packs),
        sensitive=frozenset(entity for pack in packs for entity in pack.sensitive),
    )
    outcomes = tuple(run(check, scene) for check in checks)
    combinations, filled = _fill_combinations(evidence, policy.k)
    controls = tuple(c for pack in packs for c in answer(pack, checks, outcomes, scene, run, preview))
    return Judgement(
        findings=tuple(sorted((f.finding for o in outcomes for f in o.fired), key=_worst_first)),
        controls=controls,
        combinations=combinations,
        risk=_fill_risk(evidence, policy.k),
        limits=(*filled, *_limits(outcomes), *_reference_limits(evidence), *unknown(evidence.columns, rules)),
    )


def measured_limits(limits: Iterable[Limit], *, rules: Path | None = None) -> tuple[Limit, ...]:
    """Return the limits that measuring left, without those an earlier judgement added.

    A saved report holds both; judging it again under other terms starts from the first kind.
    """
    return _measured(limits, load_checks(rules))


def _measured(limits: Iterable[Limit], checks: Iterable[Check]) -> tuple[Limit, ...]:
    judged = {f"{check.code} {check.name}" for check in checks} | {zip3().title}
    return tuple(x for x in limits if x.what not in judged and not x.what.startswith((_UNCOUNTED, UNKNOWN)))


def run(check: Check, scene: Scene) -> Outcome:
    """Take the measure of `check` and compare each observation with its limit."""
    limit = limit_of(check, scene.policy)
    if limit is None:
        why = f'the policy "{scene.policy.name}" sets no limit for it'
        return Outcome(check=check, gaps=(why,), run=False, asked=False)
    reading = MEASURES[check.measure](scene, check)
    fired = []
    for item in reading.observations:
        asked = _capped(limit, item)
        if item.observed is not None and fires(check, item.observed, asked):
            fired.append(Fired(finding=_finding(check, item, asked, scene.policy), entity=item.entity))
    return Outcome(
        check=check, fired=tuple(fired), gaps=reading.gaps, run=reading.run, incomplete=reading.incomplete
    )


def _capped(limit: float | int | str, item: Observation) -> float | int | str:
    return limit if item.at_most is None or isinstance(limit, str) else min(limit, item.at_most)


def limit_of(check: Check, policy: PolicyInfo) -> float | int | str | None:
    """Return the limit of `check` under `policy`, or None where the policy sets none."""
    key = check.limit_key
    if key is None:
        return check.limit
    if key == "one_in_k":
        return 1 / policy.k
    value = getattr(policy, key)
    if value is not None and not isinstance(value, (int, float, str)):
        raise RuleError(f'check "{check.code}" refers to "policy.{key}", which is no threshold.')
    return value


def fires(check: Check, observed: float | int | str, limit: float | int | str) -> bool:
    """Whether `observed` breaks `limit`, by the comparison that the check spells out.

    Integers are compared exactly. A real number within rounding of its limit keeps it.
    """
    if check.fires_when == "finer_than":
        levels = _LEVELS[check.measure]
        return levels.index(str(observed)) > levels.index(str(limit))
    if isinstance(observed, str) or isinstance(limit, str):
        return observed == "unknown" or observed == limit
    if isinstance(observed, int) and isinstance(limit, int):
        distance: float = observed - limit
    else:
        distance = observed - limit
        distance = 0.0 if abs(distance) <= _TOLERANCE * max(abs(observed), abs(limit)) else distance
    return {
        "below": distance < 0,
        "above": distance > 0,
        "at_least": distance >= 0,
        "at_most": distance <= 0,
    }[check.fires_when]


def fingerprint(code: str, subject: Iterable[str], entity: str | None = None) -> str:
    """Return 16 hexadecimal digits that stay the same from scan to scan: no value and no number goes in."""
    parts = "\x1f".join((code, entity or "", *subject))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _finding(check: Check, item: Observation, limit: float | int | str, policy: PolicyInfo) -> Finding:
    return Finding(
        code=check.code,
        name=check.name,
        subject=item.subject,
        severity=item.severity or check.severity,
        confidence=1.0 if check.confidence == "exact" else item.confidence,
        message=sentence(check, item, limit, policy),
        measure=check.measure if item.entity is None else f"{check.measure}[{item.entity}]",
        observed=item.observed,
        limit=limit,
        n_people=item.n_people,
        n_total=item.n_total,
        fingerprint=fingerprint(check.code, item.subject, item.entity or item.words.get("key")),
    )


def _worst_first(finding: Finding) -> tuple[int, int, str, tuple[str, ...], str]:
    return (
        -SEVERITIES.index(finding.severity),
        -(finding.n_people or 0),
        finding.code,
        finding.subject,
        finding.fingerprint,
    )


def _fill_combinations(evidence: Evidence, k: int) -> tuple[tuple[Combination, ...], tuple[Limit, ...]]:
    from privaudit.risk.combinations import mark_minimal  # lazily: brings the kernels along

    n = evidence.dataset.n_rows
    shares = [share_below(c, k, n) for c in evidence.combinations]
    filled = [replace(c, share_below_k=s) for c, s in zip(evidence.combinations, shares, strict=True)]
    unknown = sum(share is None for share in shares) if n else 0
    limit = untyped_limit(
        what=f"{_UNCOUNTED} = {k} in {unknown:,} of {len(shares):,} combinations",
        why="this threshold was not counted when the table was scanned; scan again with this policy",
        incomplete=True,
    )
    filled.sort(key=lambda c: _most_exposed_first(c, k))
    return tuple(mark_minimal(filled, k)), (limit,) if unknown else ()


def _most_exposed_first(combination: Combination, k: int) -> tuple[int, int, int, tuple[str, ...]]:
    below = combination_below(combination, k)
    least = combination.n_unique if below is None else below
    return -least, -combination.n_unique, len(combination.columns), combination.columns


def _fill_risk(evidence: Evidence, k: int) -> Risk | None:
    risk, n = evidence.risk, evidence.dataset.n_rows
    if risk is None or n == 0:
        return risk
    return replace(risk, share_below_k=records_below(risk.class_sizes, k) / n)


def _limits(outcomes: Iterable[Outcome]) -> tuple[Limit, ...]:
    found: list[Limit] = []
    for outcome in outcomes:
        if not outcome.gaps or (outcome.run and not outcome.incomplete and _only_columns(outcome)):
            continue
        rest = len(outcome.gaps) - 1
        why = outcome.gaps[0] + (f"; and {rest} more" if rest else "")
        name = f"{outcome.check.code} {outcome.check.name}"
        found.append(untyped_limit(what=name, why=why, incomplete=outcome.incomplete))
    return tuple(found)


def _only_columns(outcome: Outcome) -> bool:
    # A column that detection could not judge has its own limit already; ten checks need not repeat it.
    return all("was not assessed" in gap for gap in outcome.gaps)


def _reference_limits(evidence: Evidence) -> tuple[Limit, ...]:
    return (untyped_limit(what=zip3().title, why=zip3().limits),) if _uses_zip3(evidence) else ()


def _uses_zip3(evidence: Evidence) -> bool:
    return any("rows_zip3_restricted" in c.measurements and may_be_zip(c) for c in evidence.columns)


def _as_of(evidence: Evidence, packs: Iterable[Framework]) -> dict[str, datetime.date]:
    dates = {pack.title: pack.as_of for pack in packs}
    if _uses_zip3(evidence):
        dates[zip3().title] = zip3().as_of
    return dates


def _today() -> datetime.date:
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.datetime.now(datetime.UTC)
    return (datetime.datetime.fromtimestamp(int(epoch), datetime.UTC) if epoch.isdecimal() else now).date()
