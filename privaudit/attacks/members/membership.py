"""Membership inference: does the release show who is in the original?

Question: how many members are recognised when few outsiders may be taken for members?
Method: the nearer a target is to a released row, the more likely it is called a member; with further outsiders as a
reference, the distance is compared with that to the reference (density ratio). The threshold is that which takes 1 %
of the outsiders for members. Also: the true-positive rate at 0.1 %, the area under the curve with an interval,
and the rate among the tenth of the members who are rarest.
Limits: a lower bound: that one attack fails proves nothing. One interval of the area just above 0.5 is not a finding.

References
----------
.. [1] N. Carlini et al., Membership inference attacks from first principles, IEEE S&P 2022.
.. [2] B. van Breugel et al., Membership inference attacks against synthetic data through overfitting detection,
   AISTATS 2023.
.. [3] E. DeLong et al., Comparing the areas under two or more correlated ROC curves, Biometrics 44, 1988.
"""

from __future__ import annotations

import math

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.members.compared_tables import LEAST_TARGETS, MOST_TARGETS, Compared, Rows, read_targets
from privaudit.attacks.members.nearest import nearest_distance
from privaudit.base.arrays import Flags, Floats
from privaudit.base.records import dataclass
from privaudit.model import Attack, Curve, MeasuredDetail
from privaudit.model.advantage import against_control
from privaudit.model.stats import Estimate, wilson, wilson_bounds
from privaudit.model.wording import Columns, Share, Value, fact

Scores = Floats

FALSE_POSITIVES = 0.01
FEW_FALSE_POSITIVES = 0.001
MOST_REFERENCE = 3_000
_SMOOTH = 0.001
_CURVE = tuple(float(x) for x in np.logspace(-3, 0, 31))


@dataclass(frozen=True, slots=True)
class Scored:
    """Higher scores are evidence for membership."""

    members: Scores
    outsiders: Scores

    def at(self, false_positives: float) -> tuple[int, int]:
        """Return the members and outsiders above the threshold that at most this share of outsiders exceeds."""
        allowed = math.floor(false_positives * len(self.outsiders) + 1e-9)
        ordered = np.sort(self.outsiders)[::-1]
        threshold = ordered[allowed] if allowed < len(ordered) else -math.inf
        return int((self.members > threshold).sum()), int((self.outsiders > threshold).sum())


def simulate_membership(inputs: AttackInputs) -> AttackResults:
    """Score members and as many outsiders by their distance to the release."""
    found = read_targets(inputs)
    if found is None:
        return AttackResults()
    compared, members, outsiders = found
    others = compared.tables()[2].n
    if 4 * LEAST_TARGETS <= others < 2 * MOST_TARGETS:  # half of the outsiders are the reference, where both suffice
        members, outsiders = members[: others // 2], outsiders[: others // 2]
    inputs.progress("recognising members", None)
    # In random order: the rows of a table are in that of their content, where the first ones are like each other.
    order = np.random.default_rng(inputs.settings.seed).permutation(others)
    _, reference = compared.take(members, order[~np.isin(order, outsiders)][:MOST_REFERENCE])
    return AttackResults(recognise(compared, *compared.take(members, outsiders), reference))


def recognise(compared: Compared, members: Rows, outsiders: Rows, reference: Rows) -> tuple[Attack, ...]:
    """Return the attack by the nearest distance and, where there is a reference, by its ratio to that to the reference.

    The rarest members are those farthest from the reference; without one, from the release.
    """
    release, others = compared.points(compared.release), compared.points(reference)
    near = [nearest_distance(compared.points(rows), release) for rows in (members, outsiders)]
    if reference.n < LEAST_TARGETS:
        rarest = near[0] >= np.quantile(near[0], 0.9)
        return (recognised(compared.columns, Scored(-near[0], -near[1]), rarest, "nearest"),)
    apart = [nearest_distance(compared.points(rows), others) for rows in (members, outsiders)]
    nearest = Scored(-near[0], -near[1])
    ratio = Scored(*(np.log(b + _SMOOTH) - np.log(a + _SMOOTH) for a, b in zip(near, apart, strict=True)))
    # Rare people are the ones a generator remembers; a mean over all members hides them.
    rarest = apart[0] >= np.quantile(apart[0], 0.9)
    return recognised(compared.columns, nearest, rarest, "nearest"), recognised(
        compared.columns, ratio, rarest, "density_ratio"
    )


def recognised(known: tuple[str, ...], scored: Scored, rarest: Flags, method: str) -> Attack:
    """Return the attack by any scores, at the threshold that `FALSE_POSITIVES` of the outsiders exceed."""
    n, m = len(scored.members), len(scored.outsiders)
    found, mistaken = scored.at(FALSE_POSITIVES)
    success, control = wilson(found, n), wilson(mistaken, m)
    area = auc(scored)
    few = scored.at(FEW_FALSE_POSITIVES)[0]
    rare = Scored(scored.members[rarest], scored.outsiders).at(FALSE_POSITIVES)[0]
    measures: dict[str, Value] = {
        "auc": area,
        "tpr_1": Share(success.value, of=n),
        "tpr_01": Share(few / n, of=n),
        "tpr_rarest": Share(rare / int(rarest.sum()), of=int(rarest.sum())),
    }
    return Attack(
        kind="membership",
        knowledge=known,
        attacker=fact(f"attacks.membership_{method}_attacker", columns=Columns(known)),
        outcome=fact(
            "attacks.membership_outcome", members=Share(success.value, of=n), outsiders=Share(control.value, of=m)
        ),
        baseline=FALSE_POSITIVES,
        **against_control(success, control),
        assumptions=(fact("attacks.outsiders_by_control"), fact("attacks.equal_numbers")),
        detail=MeasuredDetail(
            method=method,
            measures=measures,
            curves=(Curve(key="members", x=_CURVE, y=tuple(scored.at(x)[0] / n for x in _CURVE)),),
            picture="roc",
        ),
    )


def auc(scored: Scored) -> Estimate:
    """Return the probability that a member has a higher score than an outsider, with DeLong's interval of its logit.

    ``A = mean(V)`` with ``V_i`` the share of outsiders below member i, ties counted half; its variance is
    ``var(V) / n + var(W) / m`` with W the same of outsiders. Without the logit the interval is too narrow near 1: with
    60 people on each side and ``A = 0.98`` it covers in 86 % of cases. Where all members are above all outsiders or
    below them, the interval is Wilson's for as many pairs as the smaller side has people.
    """
    n, m = len(scored.members), len(scored.outsiders)
    above = _share_below(scored.members, scored.outsiders)
    below = 1 - _share_below(scored.outsiders, scored.members)
    value = float(above.mean())
    if value in (0, 1):
        low, high = wilson_bounds(value * min(n, m), min(n, m))
    else:
        deviation = math.sqrt(float(above.var(ddof=1)) / n + float(below.var(ddof=1)) / m)
        centre, half = math.log(value / (1 - value)), 1.959964 * deviation / (value * (1 - value))
        low, high = (1 / (1 + math.exp(sign * half - centre)) for sign in (1, -1))
    return Estimate(value=value, low=low, high=high, n=n + m, method="delong, logit")


def _share_below(scores: Scores, others: Scores) -> Scores:
    """Return the share of `others` below each score, equal ones counted half."""
    ordered = np.sort(others)
    less = np.searchsorted(ordered, scores, side="left")
    equal = np.searchsorted(ordered, scores, side="right") - less
    return (less + equal / 2) / len(others)
