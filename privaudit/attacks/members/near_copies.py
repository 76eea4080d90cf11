"""Near copies: rows of the original that a release repeats with small changes.

Question: is the release nearer to its own people than to others, as it would be with copies that were moved a little?
Method: the distances of members and of as many outsiders to their nearest released row are compared at every threshold
t: D = max over t of F_members(t) - F_outsiders(t) estimates the share of members that were copied. It is significant
above 1.36 sqrt(1/n1 + 1/n2) (Kolmogorov-Smirnov; 5 % in both directions, 2.5 % in this one). Done again with every
number replaced by its rank within its own table, which finds copies that were shifted or rescaled.
Limits: no fixed threshold: the distance to the closest record as such proves nothing. Small shares of copies are not
significant among few targets; `attacks.members.copies` counts verbatim ones.

References
----------
.. [1] Y. Yao et al., The DCR delusion, arXiv 2505.01524, 2025.
"""

from __future__ import annotations

import math

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.members.compared_tables import Compared, Rows, read_targets
from privaudit.attacks.members.nearest import Exact, nearest_distance
from privaudit.base.arrays import Floats
from privaudit.base.distinct_numbers import distinct
from privaudit.model import Attack, MeasuredDetail
from privaudit.model.stats import Estimate, wilson
from privaudit.model.wording import Columns, Number, Share, fact

CRITICAL = 1.36


def simulate_near_copies(inputs: AttackInputs) -> AttackResults:
    """Compare the distances of members and of outsiders to the release, as numbers and as ranks."""
    found = read_targets(inputs)
    if found is None:
        return AttackResults()
    compared, members, outsiders = found
    inputs.progress("measuring distances to the release", None)
    tables = {"distance": compared}
    if any(compared.is_number):
        tables["ranks"] = compared.by_rank()
    return AttackResults(
        tuple(sweep(table, *table.take(members, outsiders), method) for method, table in tables.items())
    )


def sweep(compared: Compared, members: Rows, outsiders: Rows, method: str) -> Attack:
    """Return the attack with the threshold at which most members and fewest outsiders are near to the release."""
    table = compared.points(compared.release)
    inside, outside = (nearest_distance(compared.points(rows), table) for rows in (members, outsiders))
    d, threshold = largest_difference(inside, outside)
    success, control = (wilson(int((distance <= threshold).sum()), len(distance)) for distance in (inside, outside))
    # Kolmogorov-Smirnov at 5 %: the threshold was chosen where the difference is largest, and this allows for it.
    critical = CRITICAL * math.sqrt(1 / len(inside) + 1 / len(outside))
    significant = d > critical
    return Attack(
        kind="near_copies",
        knowledge=compared.columns,
        attacker=fact("attacks.near_copies_attacker", columns=Columns(compared.columns)),
        outcome=fact(
            f"attacks.near_copies_outcome_{'found' if significant else 'none'}",
            share=Share(max(0.0, d), of=len(inside)),
            critical=Share(min(1.0, critical), of=len(inside)),
        ),
        n_targets=len(inside),
        success=success,
        baseline=0.0,
        control=control.value,
        control_rate=control,
        advantage=Estimate(
            value=d, low=d - critical, high=min(1.0, d + critical), n=len(inside), method="kolmogorov-smirnov"
        ),
        against="control",
        assumptions=(fact("attacks.outsiders_by_control"),),
        detail=MeasuredDetail(method=method, measures={"threshold": Number(threshold), "critical": Number(critical)}),
    )


def largest_difference(inside: Exact, outside: Exact) -> tuple[float, float]:
    """Return the largest excess of the distribution of `inside` over that of `outside`, and the first place of it."""
    places = distinct(np.concatenate([inside, outside]))
    excess = _share_up_to(inside, places) - _share_up_to(outside, places)
    at = int(np.argmax(excess))
    return float(excess[at]), float(places[at])


def _share_up_to(distances: Exact, places: Exact) -> Floats:
    return np.searchsorted(np.sort(distances), places, side="right") / len(distances)
