"""Linkability: two halves of the data of a person are joined through the release.

Question: are the released rows nearest to one half of a person's columns also nearest to the other half?
Method: as Anonymeter. The columns are split into two halves at random; a success is a target with a common row among
the `NEIGHBOURS` nearest released rows by each half, of equally near rows some at random. Again with the nearest row
alone.
Limits: that the common row was made of the person is never checked: rows that are typical are nearest to many. The
advantage over outsiders corrects for that.

References
----------
.. [1] M. Giomi et al., A unified framework for quantifying privacy risk in synthetic data, PoPETs 2023.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.members.compared_tables import Compared, Rows, read_targets
from privaudit.attacks.members.nearest import nearest_rows
from privaudit.base.arrays import Flags
from privaudit.model import Attack, MeasuredDetail
from privaudit.model.advantage import against_control
from privaudit.model.stats import wilson
from privaudit.model.wording import Columns, Share, fact

NEIGHBOURS = 10


def simulate_linkability(inputs: AttackInputs) -> AttackResults:
    """Join two random halves of the columns, for members and for outsiders."""
    found = read_targets(inputs, least_columns=2)
    if found is None:
        return AttackResults()
    compared, *drawn = found
    inputs.progress("linking halves of rows", None)
    d = len(compared.columns)
    order = np.random.default_rng(inputs.settings.seed).permutation(d).tolist()
    halves = sorted(order[: d // 2]), sorted(order[d // 2 :])
    return AttackResults((join_halves(compared, halves, *compared.take(*drawn)),))


def join_halves(
    compared: Compared, halves: tuple[Sequence[int], Sequence[int]], members: Rows, outsiders: Rows, k: int = NEIGHBOURS
) -> Attack:
    """Return the attack with these two halves of the columns, by number."""
    joined = [_joined(compared, halves, rows, k) for rows in (members, outsiders)]
    success, control = (wilson(int(found.sum()), len(found)) for found in joined)
    # The strict form is shown as well: with ten neighbours, halves meet by chance in small releases.
    alone = [_joined(compared, halves, rows, 1) for rows in (members, outsiders)]
    sides = [Columns(tuple(compared.columns[i] for i in half)) for half in halves]
    n = compared.release.n
    return Attack(
        kind="linkability",
        knowledge=compared.columns,
        attacker=fact("attacks.linkability_attacker", one=sides[0], other=sides[1]),
        outcome=fact(
            "attacks.linkability_outcome",
            members=Share(success.value, of=success.n),
            outsiders=Share(control.value, of=control.n),
        ),
        baseline=_by_chance(n, min(k, n)),
        **against_control(success, control),
        assumptions=(fact("attacks.outsiders_by_control"), fact("attacks.equal_numbers")),
        detail=MeasuredDetail(
            method="halves",
            measures={
                "nearest_members": wilson(int(alone[0].sum()), len(alone[0])),
                "nearest_outsiders": wilson(int(alone[1].sum()), len(alone[1])),
            },
        ),
    )


def _joined(compared: Compared, halves: tuple[Sequence[int], Sequence[int]], rows: Rows, k: int) -> Flags:
    near = []
    for seed, half in enumerate(halves):
        part = compared.select(half)
        near.append(nearest_rows(part.points(rows.select(half)), part.points(part.release), k, seed))
    return (near[0][:, :, None] == near[1][:, None, :]).any(axis=(1, 2))


def _by_chance(n: int, k: int) -> float:
    """Return the probability that two random sets of `k` of `n` rows have a row in common."""
    apart = 1.0
    for i in range(k):
        apart *= max(0.0, (n - k - i) / (n - i))
    return 1 - apart
