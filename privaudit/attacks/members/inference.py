"""Inference: a sensitive value is guessed from the released row that is nearest to a person.

Question: how often does the release reveal a sensitive value of somebody whose other columns are known?
Method: as Anonymeter: the nearest released row by all other columns (Gower's sum) gives the guess, for every sensitive
column; of equally near rows, the most frequent value or, of numbers, the lower median. A number counts as guessed
within 5 % of the true value. Guessing: the most frequent value of the release.
Limits: what succeeds with outsiders as well is population knowledge, and the use that synthetic data are made for.

References
----------
.. [1] M. Giomi et al., A unified framework for quantifying privacy risk in synthetic data, PoPETs 2023.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.members.compared_tables import Compared, Points, Rows, read_targets
from privaudit.attacks.members.nearest import with_nearest
from privaudit.attacks.values.class_modes import MOST_NUMBERS, WITHIN, Categories, Numbers, Secret
from privaudit.base.arrays import Flags, Ints
from privaudit.base.distinct_numbers import distinct
from privaudit.model import Attack, MeasuredDetail, limit
from privaudit.model.advantage import advantage, against_control
from privaudit.model.stats import Estimate, wilson
from privaudit.model.wording import Columns, Fact, Share, fact


def simulate_inference(inputs: AttackInputs) -> AttackResults:
    """Guess every sensitive column of members and of outsiders."""
    found = read_targets(inputs, least_columns=2)
    if found is None:
        return AttackResults()
    compared, *drawn = found
    secrets = [name for name in inputs.named("sensitive") if name in compared.columns]
    if not secrets:
        return AttackResults((), (limit("attacks.no_secret"),))
    targets = compared.take(*drawn)
    attacks = []
    for name in secrets:
        inputs.progress("guessing sensitive values", None)
        attacks.append(infer(compared, compared.columns.index(name), *targets))
    return AttackResults(tuple(attacks))


def infer(compared: Compared, secret: int, members: Rows, outsiders: Rows) -> Attack:
    """Return the attack on the column number `secret`."""
    known = [i for i in range(len(compared.columns)) if i != secret]
    part = compared.select(known)
    release = part.points(part.release)
    right = []
    for rows in (members, outsiders):
        right.append(_is_right(_values(compared, secret, rows), part.points(rows.select(known)), release))
    success, control = (wilson(int(found.sum()), len(found)) for found in right)
    # The most frequent value of the release, for people outside of it: what everybody can guess.
    baseline = float(_majority_is_right(compared, secret, outsiders).mean())
    name = Columns((compared.columns[secret],))
    return Attack(
        kind="inference",
        knowledge=part.columns,
        attacker=fact("attacks.inference_attacker", secret=name),
        outcome=stated_outcome(name, success, control, baseline),
        baseline=baseline,
        **against_control(success, control),
        assumptions=(fact("attacks.outsiders_by_control"), fact("attacks.equal_numbers")),
        detail=MeasuredDetail(
            method="nearest",
            secrets=(compared.columns[secret],),
            measures={"within": Share(WITHIN)} if _in_band(compared, secret) else {},
        ),
    )


def stated_outcome(secret: Columns, success: Estimate, control: Estimate, baseline: float) -> Fact:
    """Return what guessing a secret discloses about members, and not about outsiders."""
    is_disclosed = advantage(success, control).low > 0
    return fact(
        f"attacks.inference_outcome_{'disclosed' if is_disclosed else 'population'}",
        secret=secret,
        members=Share(success.value, of=success.n),
        outsiders=Share(control.value, of=control.n),
        majority=Share(baseline, of=control.n),
    )


def _in_band(compared: Compared, secret: int) -> bool:
    return compared.is_number[secret] and len(distinct(compared.members.codes[:, secret])) > MOST_NUMBERS


def _values(compared: Compared, secret: int, rows: Rows) -> Secret:
    """Return the secret of the release and, after it, of `rows`."""
    if _in_band(compared, secret):
        return Numbers(np.concatenate([compared.release.values[:, secret], rows.values[:, secret]]))
    codes = np.concatenate([compared.release.codes[:, secret], rows.codes[:, secret]]) + 1
    n_values = int(codes.max(initial=0)) + 1
    return Categories(codes, n_values, np.bincount(codes[: compared.release.n], minlength=n_values))


def _is_right(values: Secret, targets: Points, release: Points) -> Flags:
    """Return whose secret is guessed right; `values` are those of the release and, after it, of the targets."""

    def guessed(rows: Ints, labels: Ints, n: int) -> npt.NDArray[np.number]:
        return values.guesses(rows, labels, n).of_class

    n = len(release.numbers)
    return values.correct(n + np.arange(len(targets.numbers)), with_nearest(targets, release, guessed))


def _majority_is_right(compared: Compared, secret: int, rows: Rows) -> Flags:
    values, n = _values(compared, secret, rows), compared.release.n
    return values.correct(n + np.arange(rows.n), np.full(rows.n, values.for_all(np.arange(n))))
