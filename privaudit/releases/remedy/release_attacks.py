"""Attacks on a remedied table by someone who compares it with people of the original.

Question: does the remedied table disclose who is in it, and what of them, beyond what it shows of everybody?
Method: with a control table the remedied table is attacked as it is. Without one the same plan is applied to a random
nine tenths of the people in memory, and this trial release is attacked with the other tenth as outsiders. Each attack
is judged by its check under the policy of the run; the gate is that of the scan.
Limits: a trial release has fewer people, so plans that depend on class sizes suppress more in it. Of large tables
`MOST_ROWS` rows are drawn. Below `LEAST_ROWS` rows nothing is measured. Every record of a table that was not perturbed
is the record of a person: that someone who knows all values of a member recognises the member is expected, and stated.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from privaudit.attacks.inputs import AttackResults
from privaudit.attacks.registry import attack_release
from privaudit.base.errors import ConfigError
from privaudit.model import Attack, CheckOutcome, Evidence, Limit, Report, limit
from privaudit.model.vocabulary.families import family
from privaudit.model.wording import Threshold
from privaudit.releases.remedy.plan import Plan
from privaudit.releases.remedy.task import Result, Task, apply_plan

if TYPE_CHECKING:
    import pyarrow as pa

LEAST_ROWS = 200
MOST_ROWS = 4_000
OUTSIDE = 0.1
"""Share of the people who are kept out of a trial release."""


@dataclass(frozen=True, slots=True)
class ReleaseAttacks:
    """The attacks with the outcomes of their checks, and what bounds them.

    ``is_trial`` states that a trial release was attacked.
    """

    attacks: tuple[Attack, ...] = ()
    checks: tuple[CheckOutcome, ...] = ()
    limits: tuple[Limit, ...] = ()
    is_trial: bool = False


def attack_remedied(task: Task, plan: Plan, before: Report, made: Result) -> ReleaseAttacks:
    """Attack the remedied table, or a trial release where no control table is given."""
    if made.original.num_rows < LEAST_ROWS:
        return ReleaseAttacks(limits=(limit("remedies.too_few_to_attack", least=Threshold(value=LEAST_ROWS)),))
    task.progress("Attacking the release", None)
    if task.control is not None:
        results = _attack(task, before, made.texts, made.original, task.control)
        return _judged(results, before, is_trial=False)
    members, outsiders = _split(made.original, task.settings.seed)
    try:
        trial = apply_plan(replace(task, source=members), plan, before)
    except ConfigError:  # the plan suppresses every record of the trial, or merges more values than it has
        return ReleaseAttacks(limits=(limit("remedies.no_trial_release"),))
    return _judged(_attack(task, before, trial.texts, members, outsiders), before, is_trial=True)


def _split(table: pa.Table, seed: int) -> tuple[pa.Table, pa.Table]:
    """Return a random nine tenths of the rows, and the other tenth."""
    drawn = np.random.default_rng(seed).permutation(table.num_rows)[:MOST_ROWS]
    cut = round(len(drawn) * (1 - OUTSIDE))
    return table.take(np.sort(drawn[:cut])), table.take(np.sort(drawn[cut:]))


def _attack(task: Task, before: Report, release: object, original: object, control: object) -> AttackResults:
    plain = replace(task.settings, input_format=None)
    return attack_release(release, original, control, settings=plain, columns=before.columns)


def _judged(results: AttackResults, before: Report, *, is_trial: bool) -> ReleaseAttacks:
    from privaudit.rulebook import judge

    evidence = Evidence(
        dataset=before.dataset,
        columns=before.columns,
        combinations=(),
        risk=None,
        attacks=results.attacks,
        limits=(),
        seed=before.seed,
    )
    measured = ("fired", "passed")
    checks = tuple(
        check
        for check in judge(evidence, before.policy).checks
        if family(check.measure).attack and check.state in measured
    )
    return ReleaseAttacks(results.attacks, checks, results.limits, is_trial)
