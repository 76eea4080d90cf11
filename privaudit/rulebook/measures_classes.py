"""Measures of classes, sensitive attributes and attacks.

Question: who shares a class with whom, what does the class give away, and what did an attacker reach?
Method: k is an integer and is compared as one; a probability such as 1/11 > 0.09 would ask for 12 where 11 is
meant. Records below a threshold come from what was counted, or from the histogram of class sizes.
Limits: where no threshold that was counted answers, the number is a gap, never 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from privaudit.model import Attack, ClassSizeTable, Combination, Risk
from privaudit.rulebook.message import percent
from privaudit.rulebook.packs import Check
from privaudit.rulebook.scene import Observation, Reading, Scene, measure, not_measured

NO_CLASSES = "no quasi-identifiers were found or named, so no classes were formed"
SPECIAL_SIZE = 2


def records_below(sizes: ClassSizeTable, k: int) -> int:
    """Return the records in classes smaller than `k`: the sum of ``size * count`` over ``size < k``."""
    return sum(size * count for size, count in zip(sizes.size, sizes.count, strict=True) if size < k)


def combination_below(combination: Combination, k: int) -> int | None:
    """Return the records of `combination` in classes smaller than `k`, or None where what was counted leaves it open.

    The number grows with the threshold, so the nearest thresholds that were counted bound it from both sides; it
    is known where they agree. No record is below the smallest class.
    """
    counted = {int(threshold): int(n) for threshold, n in combination.n_below.items()}
    counted |= {combination.k_min: 0, 1: 0, 2: combination.n_unique}
    if k <= combination.k_min:
        return 0
    least = max(n for threshold, n in counted.items() if threshold <= k)
    most = min((n for threshold, n in counted.items() if threshold >= k), default=None)
    return least if least == most else None


def share_below(combination: Combination, k: int, n_rows: int) -> float | None:
    """Return the share of records in classes of `combination` smaller than `k`, or None."""
    below = combination_below(combination, k)
    return None if below is None or n_rows == 0 else below / n_rows


def _over_risk(scene: Scene, build: Callable[[Risk], Observation | None]) -> Reading:
    risk = scene.evidence.risk
    if risk is None:
        return not_measured(NO_CLASSES)
    built = build(risk)
    return Reading(observations=() if built is None else (built,))


def _full_set(scene: Scene, risk: Risk, observed: float | int, n_people: int) -> Observation:
    return Observation(
        subject=risk.quasi_identifiers, observed=observed, n_people=n_people, n_total=scene.n_rows
    )


@measure("class.k_min")
def k_min(scene: Scene, check: Check) -> Reading:
    """Size of the smallest class over all quasi-identifiers.

    Low where the share of records below k is one that the policy allows: else a policy could not allow any.
    """
    policy, n = scene.policy, scene.n_rows

    def build(risk: Risk) -> Observation:
        below = records_below(risk.class_sizes, policy.k)
        found = _full_set(scene, risk, risk.k_min, below)
        if n and below / n > policy.share_below_k:
            return found
        allowed = f"The policy allows {percent(policy.share_below_k)} of all records below {policy.k}."
        return replace(found, severity="low", words={"other": allowed})

    return _over_risk(scene, build)


@measure("class.share_below")
def class_share_below(scene: Scene, check: Check) -> Reading:
    """Share of records in classes smaller than the policy's k."""

    def build(risk: Risk) -> Observation | None:
        if not scene.n_rows:
            return None
        below = records_below(risk.class_sizes, scene.policy.k)
        allowed = percent(scene.policy.share_below_k)
        return replace(_full_set(scene, risk, below / scene.n_rows, below), words={"other": allowed})

    return _over_risk(scene, build)


@measure("class.n_sample_unique")
def n_sample_unique(scene: Scene, check: Check) -> Reading:
    """Classes of one record."""
    return _over_risk(scene, lambda r: _full_set(scene, r, r.n_unique, r.n_unique))


@measure("class.special_unique_order")
def special_unique_order(scene: Scene, check: Check) -> Reading:
    """Columns in the smallest sets on which some record is alone, for each set without such a subset.

    Low where the policy allows that many uniques.
    """
    if not scene.evidence.combinations:
        return not_measured(NO_CLASSES)
    isolating = [c for c in scene.evidence.combinations if c.n_unique]
    isolating.sort(key=lambda c: (len(c.columns), c.columns))
    minimal: list[Combination] = []
    for candidate in isolating:
        if not any(set(smaller.columns) < set(candidate.columns) for smaller in minimal):
            minimal.append(candidate)
    allowed = scene.policy.uniques
    return Reading(
        observations=tuple(
            Observation(
                subject=c.columns,
                observed=len(c.columns),
                n_people=c.n_unique,
                n_total=scene.n_rows,
                severity="low" if allowed is None or c.n_unique <= allowed else None,
            )
            for c in minimal
        )
    )


@measure("column.rare_values")
def rare_values(scene: Scene, check: Check) -> Reading:
    """Records whose value of one quasi-identifier alone is held by fewer than k records."""
    single = [c for c in scene.evidence.combinations if len(c.columns) == 1]
    if not single:
        return not_measured(NO_CLASSES)
    found, gaps = [], []
    for combination in single:
        below = combination_below(combination, scene.policy.k)
        if below is None:
            gaps.append(f'records below k = {scene.policy.k} were not counted for "{combination.columns[0]}"')
        elif below:
            found.append(
                Observation(
                    subject=combination.columns,
                    observed=below,
                    n_people=below,
                    n_total=scene.n_rows,
                    words={
                        "other": "most of its values are rare" if 2 * below > scene.n_rows else "a rarity"
                    },
                )
            )
    return Reading(observations=tuple(found), gaps=tuple(gaps), incomplete=bool(gaps))


@measure("risk.population_unique")
def population_unique(scene: Scene, check: Check) -> Reading:
    """People who are alone in their class of the population: counted in a population table, else estimated."""
    risk = scene.evidence.risk
    population = (risk.population or {}) if risk else {}
    if risk is None or not population:
        return not_measured("no population was given, so unique people in it were not estimated")
    counted, estimate = population.get("unique_in_both"), population.get("dankar")
    found = Observation(subject=risk.quasi_identifiers, observed=None)
    if isinstance(counted, int):
        words = {"other": "counted in the population table"}
        found = replace(found, observed=counted, n_people=counted, n_total=scene.n_rows, words=words)
    elif isinstance(estimate, (int, float)):
        words = {"other": f"estimated, model {population.get('dankar_model') or 'by the rule of Dankar'}"}
        whole, size = round(estimate), population.get("size")
        found = replace(
            found, observed=float(estimate), n_people=whole, n_total=size, words=words, confidence=0.6
        )
    else:
        return not_measured("no model of unique people in the population applied")
    return Reading(observations=(found,))


@measure("risk.prosecutor_max")
def prosecutor_max(scene: Scene, check: Check) -> Reading:
    """The largest prosecutor risk, 1 in k, given and compared as the integer k."""
    return k_min(scene, check)


@measure("risk.journalist_max")
def journalist_max(scene: Scene, check: Check) -> Reading:
    """The largest journalist risk, 1 in k of the population, given and compared as the integer k."""
    risk = scene.evidence.risk
    k_map = (risk.population or {}).get("k_map") if risk else None
    if risk is None or not isinstance(k_map, int):
        return not_measured("no population table was given, so classes of the population were not counted")
    return Reading(observations=(Observation(subject=risk.quasi_identifiers, observed=k_map),))


@measure("risk.marketer")
def marketer(scene: Scene, check: Check) -> Reading:
    """Expected share of records re-identified by matching everyone."""
    n = scene.n_rows
    return _over_risk(scene, lambda r: _full_set(scene, r, r.marketer, min(n, round(r.marketer * n))))


def _attack(kind: str, absent: str) -> Callable[[Scene, Check], Reading]:
    def read(scene: Scene, check: Check) -> Reading:
        attacks = [a for a in scene.evidence.attacks if a.kind == kind]
        return Reading(observations=tuple(map(_advantage, attacks))) if attacks else not_measured(absent)

    read.__doc__ = f"Advantage over guessing in the simulated attack, {kind}, the upper end of its interval."
    return read


def _advantage(attack: Attack) -> Observation:
    expected = math.floor(attack.expected_correct + 0.5)  # half a person counts as one
    hits = expected if attack.n_correct is None else attack.n_correct
    return Observation(
        subject=attack.knowledge,
        observed=attack.advantage.high,
        n_people=hits,
        n_total=attack.n_targets,
        confidence=attack.advantage.level if attack.n_correct is not None else 0.8,
        words={
            "key": attack.method,
            "bound": f"{attack.advantage.high:.1%}".replace("%", " %"),
            "level": f"{attack.advantage.level:.0%}".replace("%", " %"),
            "other": "counted" if attack.n_correct is not None else "expected",
        },
    )


linkage = measure("attack.linkage")(_attack("linkage", "no auxiliary table was given"))
singling_out = measure("attack.singling_out")(_attack("singling-out", "singling out was not simulated"))
inference = measure("attack.inference")(_attack("inference", "inference was not simulated"))


@measure("diversity.l_distinct")
def l_distinct(scene: Scene, check: Check) -> Reading:
    """Fewest distinct sensitive values in a class, for each sensitive attribute.

    An attribute of two values in the whole table can have no more than two in a class: its limit is capped there.
    """
    n_values = {c.name: c.n_distinct + bool(c.n_missing) for c in scene.columns}

    def build(column: str, values: Mapping[str, Any]) -> Observation | None:
        if not isinstance(values.get("l_distinct"), int):
            return None
        alike = values.get("homogeneous_records")
        return Observation(
            subject=(column,),
            observed=values["l_distinct"],
            n_people=int(alike) if isinstance(alike, int) else None,
            n_total=scene.n_rows,
            at_most=values.get("n_values") or n_values.get(column),
        )

    return _over_sensitive(scene, build)


@measure("closeness.t")
def closeness(scene: Scene, check: Check) -> Reading:
    """Largest distance of a class's distribution from the table's: ordered where measured, else equal."""

    def build(column: str, values: Mapping[str, Any]) -> Observation | None:
        distances = values.get("t_closeness")
        if not isinstance(distances, Mapping):
            return None
        known = [float(d) for d in (distances.get("ordered"), distances.get("equal")) if d is not None]
        return Observation(subject=(column,), observed=known[0]) if known else None

    return _over_sensitive(scene, build)


def _over_sensitive(scene: Scene, build: Callable[[str, Mapping[str, Any]], Observation | None]) -> Reading:
    risk = scene.evidence.risk
    if risk is None:
        return not_measured(NO_CLASSES)
    if not risk.sensitive:
        return not_measured("no sensitive attribute was found or named")
    found, gaps = [], []
    # Running text is judged as such: that its cells differ from one another protects nobody.
    prose = {c.name for c in scene.columns if c.is_ is not None and c.is_.entity == "FREE_TEXT"}
    for column in risk.sensitive:
        if column in prose:
            gaps.append(f'"{column}" is running text, whose cells have no distribution to compare')
            continue
        built = build(column, risk.diversity.get(column, {}))
        if built is None:
            gaps.append(f'the diversity of "{column}" was not measured')
        else:
            found.append(built)
    return Reading(observations=tuple(found), gaps=tuple(gaps), run=bool(found))
