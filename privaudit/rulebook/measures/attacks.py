"""Measures of simulated attacks.

Question: how much better than guessing did the attacker do?
Method: the upper end of the interval of the advantage, or its upper bound where the truth is not known, is compared
with the limit, because no success among few targets proves little. Each direction of a linkage is an observation.
Limits: reads the result of the attack; the assumptions are those of the attack.
"""

from __future__ import annotations

from collections.abc import Callable

from privaudit.model import Attack
from privaudit.model.wording import Columns, Count, Fact, Share, Threshold, fact
from privaudit.rulebook.measurement import Context, Measurement, Observation, measure, not_measured
from privaudit.rulebook.packs import Check

_LINKED = {
    "counted": "rulebook.linked_counted",
    "expected": "rulebook.linked_expected",
    "at most": "rulebook.linked_at_most",
}
_REGISTER = {
    "counted": "rulebook.register_counted",
    "expected": "rulebook.register_at_most",
    "at most": "rulebook.register_at_most",
}
_EXPECTED_CONFIDENCE = 0.8  # where the truth is not known and successes are expected, not counted


def _attack(kind: str, absent: str) -> Callable[[Context, Check], Measurement]:
    def read(context: Context, check: Check) -> Measurement:
        attacks = [attack for attack in context.evidence.attacks if attack.kind == kind]
        if not attacks:
            return not_measured(absent)
        return Measurement(observations=tuple(map(_advantage, attacks)))

    read.__doc__ = f"Advantage over guessing in the simulated attack, {kind}: the upper end of its interval."
    return read


def _advantage(attack: Attack) -> Observation:
    return Observation(
        subject=attack.knowledge,
        observed=attack.advantage.high,
        n_people=attack.n_correct,
        n_total=attack.n_targets,
        unit="person",
        confidence=attack.advantage.level if attack.is_counted else _EXPECTED_CONFIDENCE,
        key=attack.method if attack.name == attack.kind else f"{attack.method} {attack.name}",
        values={
            "bound": Share(value=attack.advantage.high, of=attack.n_targets),
            "level": Threshold(value=attack.advantage.level),
            "other": _outcome(attack),
        },
    )


def _outcome(attack: Attack) -> Fact:
    """Return how many people are linked, and in which direction; of other attacks whether successes were counted."""
    if attack.kind != "linkage":
        return fact("rulebook.counted" if attack.is_counted else "rulebook.expected")
    people = Count(n=attack.n_correct, of=attack.n_targets, unit="person")
    code = (_REGISTER if attack.is_register_attack else _LINKED)[_certainty(attack)]
    return fact(code, people=people, columns=Columns(names=attack.knowledge))


def _certainty(attack: Attack) -> str:
    if attack.is_counted:
        return "counted"
    return "at most" if attack.success.is_upper_bound else "expected"


linkage = measure("attack.linkage")(_attack("linkage", "rulebook.no_auxiliary_table"))
singling_out = measure("attack.singling_out")(_attack("singling-out", "rulebook.singling_out_not_run"))
inference = measure("attack.inference")(_attack("inference", "rulebook.inference_not_run"))
