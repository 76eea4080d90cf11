"""Measures of simulated attacks.

Question: how much better than guessing, or than with people outside the table, did the attacker do?
Method: one end of the interval of the advantage (`Attack.judged`) is compared with the limit. Each direction of a
linkage and each sensitive column is an observation. Attacks that a scan ran for their headline are not judged.
Limits: reads the result of the attack; the assumptions are those of the attack.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from privaudit.model import Attack, MeasuredDetail, Severity
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
    "expected": "rulebook.register_expected",
    "at most": "rulebook.register_at_most",
}
_COPIES = ("copies", "near_copies")
_COMPUTED = ("reconstruction", "public_edition", "masking", "rotation")
MANY_COPIES = 100
MANY_COPIED = 0.01
"""Copies of this many people, or of this share of the members, are critical."""
_EXPECTED_CONFIDENCE = 0.8  # where the truth is not known and successes are expected, not counted


def _attacks(*kinds: str, absent: str) -> Callable[[Context, Check], Measurement]:
    def read(context: Context, check: Check) -> Measurement:
        found = [attack for attack in context.evidence.attacks if attack.kind in kinds and not attack.is_headline]
        if not found:
            return not_measured(_why_not(context, kinds, absent))
        return Measurement(observations=tuple(map(_advantage, found)))

    read.__doc__ = f"Advantage in the simulated attack: {', '.join(kinds)}."
    return read


def _why_not(context: Context, kinds: tuple[str, ...], absent: str) -> str:
    """Return why nothing is judged: an attack that is expected to succeed is shown only."""
    shown = (attack for attack in context.evidence.attacks if attack.kind in kinds)
    expected = any(why.code == "attacks.copies_expected" for attack in shown for why in attack.assumptions)
    return "rulebook.copies_expected" if expected else absent


def _advantage(attack: Attack) -> Observation:
    secrets = attack.detail.secrets if isinstance(attack.detail, MeasuredDetail) else ()
    return Observation(
        subject=secrets or attack.knowledge,
        observed=attack.judged,
        n_people=attack.n_exposed,
        n_total=attack.n_targets,
        unit="person",
        confidence=attack.advantage.level if attack.is_counted else _EXPECTED_CONFIDENCE,
        severity=_severity(attack),
        key=attack.method if attack.name == attack.kind == "linkage" else f"{attack.method} {attack.name}",
        values={
            "bound": Share(max(0.0, min(1.0, attack.judged)), of=attack.n_targets),
            "level": Threshold(attack.advantage.level),
            "other": _outcome(attack),
        },
    )


def _severity(attack: Attack) -> Severity | None:
    """Return critical for many identical copies; None leaves the severity of the check."""
    # Whichever is fewer: 100 copies are many in a table of any size, and 1 % is many in a small one.
    many = attack.n_exposed >= min(MANY_COPIES, MANY_COPIED * attack.n_targets)
    return "critical" if attack.kind == "copies" and many else None


def _outcome(attack: Attack) -> Fact:
    """Return how many people are linked, and in which direction; of other attacks whether successes were counted."""
    if attack.outcome is not None:
        return attack.outcome
    if attack.kind != "linkage":
        return fact("rulebook.counted" if attack.is_counted else "rulebook.expected")
    people = Count(attack.n_correct, of=attack.n_targets, unit="person")
    code = (_REGISTER if attack.is_register_attack else _LINKED)[_certainty(attack)]
    return fact(code, people=people, columns=Columns(attack.knowledge))


def _certainty(attack: Attack) -> str:
    if attack.is_counted:
        return "counted"
    return "at most" if attack.success.is_upper_bound else "expected"


linkage = measure("attack.linkage")(_attacks("linkage", absent="rulebook.no_auxiliary_table"))
singling_out = measure("attack.singling_out")(_attacks("singling_out", absent="rulebook.singling_out_not_run"))
linkability = measure("attack.linkability")(_attacks("linkability", "releases", absent="rulebook.linkability_not_run"))
inference = measure("attack.inference")(
    _attacks("inference", "attribute_disclosure", "order_codes", "repeated_noise", absent="rulebook.inference_not_run")
)
membership = measure("attack.membership")(_attacks("membership", absent="rulebook.membership_not_run"))
copies = measure("attack.copies")(_attacks(*_COPIES, absent="rulebook.copies_not_run"))


@measure("attack.reconstruction")
def reconstruction(context: Context, check: Check) -> Measurement:
    """People whose hidden values the published ones determine: in suppressed cells, in a report, or behind a mask."""
    found = [attack for attack in context.evidence.attacks if attack.kind in _COMPUTED]
    if not found:
        return not_measured("rulebook.reconstruction_not_run")
    return Measurement(observations=tuple(replace(_advantage(attack), observed=attack.n_exposed) for attack in found))
