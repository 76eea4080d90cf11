"""Model updates: what a party's change of a model discloses of the records that it was trained on.

Question: what does someone learn about a batch who sees the model before and after it?
Method: a weight of a word changes only if the word occurs in the batch, so every changed weight is a claim. For a
linear or logistic model and a batch of one record, the change of the coefficients divided by that of the intercept is
the record itself.
Limits: counted on the batch that is given; larger batches of numbers need optimisation (Zhu, Liu, Han 2019, Deep
leakage from gradients), which is not attempted.
"""

from __future__ import annotations

import numpy as np

from privaudit.attacks.inputs import AttackResults, UpdateInputs
from privaudit.base.arrays import Flags, Floats
from privaudit.model import Attack, MeasuredDetail
from privaudit.model.advantage import advantage, against_control
from privaudit.model.stats import wilson
from privaudit.model.wording import Count, fact

TOLERANCE = 1e-6


def simulate_model_updates(inputs: UpdateInputs) -> AttackResults:
    """Return what the change of a model discloses: words of its batch, or the records of batches of one."""
    if inputs.in_batch is not None:
        if inputs.in_batch.all() or not inputs.in_batch.any():  # guessing finds as much
            return AttackResults()
        return AttackResults((words_of_batch(inputs.before, inputs.after, inputs.in_batch),))
    assert inputs.rows is not None
    return AttackResults((rows_of_batches(inputs.before, inputs.after, inputs.rows),))


def words_of_batch(before: Floats, after: Floats, in_batch: Flags) -> Attack:
    """Claim every word whose weight changed, and count right and wrong claims.

    Parameters
    ----------
    before, after : float64 arrays of shape (w,)
        Weights of the words before and after one batch.
    in_batch : bool array of shape (w,)
        Whether the word occurs in the batch.

    Returns
    -------
    Attack
        Targets are the words of the batch, the control are the other words of the vocabulary.
    """
    claimed = before != after
    n_batch, n_others = int(in_batch.sum()), int((~in_batch).sum())
    n_right, n_wrong = int((claimed & in_batch).sum()), int((claimed & ~in_batch).sum())
    right, control = wilson(n_right, n_batch), wilson(n_wrong, n_others)
    return Attack(
        kind="model_updates",
        knowledge=(),
        attacker=fact("attacks.model_updates_words_attacker"),
        outcome=fact(
            "attacks.model_updates_words_outcome",
            words=Count(n_right, of=n_batch, unit="value"),
            wrong=Count(n_wrong, of=n_others, unit="value"),
        ),
        baseline=n_batch / len(in_batch),
        **against_control(right, control),
        detail=MeasuredDetail(method="changed_weights"),
    )


def rows_of_batches(before: Floats, after: Floats, rows: Floats) -> Attack:
    """Return to how many records of batches of one record the changes of the model lead back.

    Parameters
    ----------
    before, after : float64 arrays of shape (n, d + 1)
        Coefficients and, last, intercept, before and after each batch.
    rows : float64 array of shape (n, d)
        The record of each batch.

    Returns
    -------
    Attack
        A target is a record; it is disclosed where every value is right to `TOLERANCE`.
    """
    change = after - before
    with np.errstate(divide="ignore", invalid="ignore"):
        found = change[:, :-1] / change[:, -1:]
    right = np.isclose(found, rows, rtol=TOLERANCE, atol=TOLERANCE).all(axis=1)
    success = wilson(int(right.sum()), len(rows))
    # Guessing names the most frequent record.
    _, counts = np.unique(rows, axis=0, return_counts=True)
    baseline = float(counts.max(initial=0)) / len(rows)
    return Attack(
        kind="model_updates",
        knowledge=(),
        attacker=fact("attacks.model_updates_rows_attacker"),
        outcome=fact("attacks.model_updates_rows_outcome", rows=Count(int(right.sum()), of=len(rows))),
        n_targets=len(rows),
        success=success,
        baseline=baseline,
        advantage=advantage(success, baseline),
        detail=MeasuredDetail(method="ratio_of_changes"),
    )
