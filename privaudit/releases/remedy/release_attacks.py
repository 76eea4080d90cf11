"""Attacks on a remedied table by someone who compares it with people of the original.

Question: does the remedied table disclose who is in it, and what of them, beyond what it shows of everybody?
Method: with a control table the remedied table is attacked as it is. Without one the same plan is applied to a random
nine tenths of the people in memory, and this trial release is attacked with the other tenth as outsiders. The attacker
knows the quasi-identifiers of a person and what each label of the release means. The attacks become evidence of the
remedied table, and the checks judge it once more: gate, certificate, `verify` and report read this one judgement.
Which people are drawn does not depend on the seed of the run.
Limits: a trial release has fewer people, so plans that depend on class sizes suppress more in it. Of large tables
`MOST_ROWS` rows are drawn. Below `LEAST_ROWS` rows nothing is measured. A table that keeps the records of people is
recognised by anyone who knows all values of a person: copies are counted, and not judged.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from privaudit.attacks.inputs import AttackResults
from privaudit.attacks.registry import attack_release
from privaudit.base.arrow import pa
from privaudit.base.distinct_numbers import distinct
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.base.wire import assembled
from privaudit.model import Attack, Limit, Report, limit
from privaudit.model.wording import Threshold, fact
from privaudit.releases.remedy.plan import Plan
from privaudit.releases.remedy.task import Result, Task, apply_plan
from privaudit.risk.codes.coded import encode_column
from privaudit.risk.codes.random_rows import random_rows
from privaudit.rulebook import judge, judge_attacks, measured_limits
from privaudit.rulebook.gate import decide
from privaudit.settings.config import Settings
from privaudit.source.cells.coded_tables import as_text

LEAST_ROWS = 200
MOST_ROWS = 20_000
OUTSIDE = 0.1
"""Share of the people who are kept out of a trial release."""
SEED = 0
"""Draws outsiders and targets, whatever the seed of a run: near a limit, another draw would let the same table pass."""


@dataclass(frozen=True, slots=True)
class ReleaseAttacks:
    """The attacks, and what bounds them; ``is_trial`` states that a trial release was attacked."""

    attacks: tuple[Attack, ...] = ()
    limits: tuple[Limit, ...] = ()
    is_trial: bool = False


def attack_remedied(task: Task, plan: Plan, before: Report, made: Result) -> ReleaseAttacks:
    """Attack the remedied table, or a trial release where no control table is given."""
    if made.original.num_rows < LEAST_ROWS:
        return ReleaseAttacks(limits=(limit("remedies.too_few_to_attack", least=Threshold(LEAST_ROWS)),))
    task.progress("Attacking the release", None)
    if task.control is not None:
        found = _attack(task, before, plan, made, task.control)
        return ReleaseAttacks(found.attacks, found.limits)
    members, outsiders = _split(made.original)
    try:
        trial = apply_plan(replace(task, source=members), plan, before)
    except ConfigError:  # the plan suppresses every record of the trial, or merges more values than it has
        return ReleaseAttacks(limits=(limit("remedies.no_trial_release"),))
    found = _attack(task, before, plan, trial, outsiders)
    stated = fact("remedies.trial_release", most=Threshold(MOST_ROWS))
    attacks = (replace(attack, assumptions=(*attack.assumptions, stated)) for attack in found.attacks)
    return ReleaseAttacks(tuple(attacks), found.limits, is_trial=True)


def _split(table: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Return a random nine tenths of the rows, and the other tenth."""
    drawn = random_rows(table, np.random.default_rng(SEED))[:MOST_ROWS]
    cut = round(len(drawn) * (1 - OUTSIDE))
    members, outsiders = (as_text(table.take(part)) for part in (drawn[:cut], drawn[cut:]))
    return members, outsiders


def _attack(task: Task, before: Report, plan: Plan, made: Result, control: object) -> AttackResults:
    # The format that was stated is that of the source; a control table may have another one.
    plain = replace(task.settings, input_format=None, seed=SEED)
    quasi = before.risk.quasi_identifiers if before.risk is not None else ()
    labels = {
        name: _meanings(made, name)
        for name in quasi
        if name in plan.changed - plan.replaced and name in made.texts.column_names
    }
    return attack_release(made.texts, made.original, control, settings=plain, columns=before.columns, labels=labels)


def _meanings(made: Result, name: str) -> dict[str, tuple[str, ...]]:
    """Return the values of the source that each label of a column stands for in some record."""
    (old, values), (new, labels) = (encode_column(table[name]) for table in (made.original, made.texts))
    pairs = distinct(new * np.int64(len(values) + 1) + old[made.rows])
    texts, names = values.to_pylist(), labels.to_pylist()
    meanings: dict[str, list[str]] = {}
    for label, value in (divmod(pair, len(values) + 1) for pair in pairs.tolist()):
        if label < len(names) and value < len(texts):
            meanings.setdefault(names[label], []).append(texts[value])
    return {label: tuple(sorted(held)) for label, held in sorted(meanings.items())}


def withstands(task: Task, found: ReleaseAttacks, before: Report) -> bool:
    """Whether none of the attacks on a release fails the gate."""
    chosen = task.settings
    return judge_attacks(found.attacks, before.policy, fail_on=chosen.fail_on, rules=chosen.rules_folder).gate.passed


def with_attacks(after: Report, found: ReleaseAttacks, settings: Settings, invented: Collection[str] = ()) -> Report:
    """Return the report on the remedied table with the attacks as part of its evidence, judged by all checks.

    Parameters
    ----------
    after : Report
        The scan of the remedied table.
    found : ReleaseAttacks
    settings : Settings
        Those of that scan: the frameworks, packs, acceptances and answers.
    invented : collection of str
        Columns that the plan wrote.
    """
    if not found.attacks and not found.limits:
        return after
    attacked = replace(
        after, attacks=after.attacks + found.attacks, limits=measured_limits(after.limits) + found.limits
    )
    judged = judge(
        attacked.evidence,
        after.policy,
        settings.framework,
        rules=settings.rules_folder,
        accept=settings.accept,
        answers=settings.answers,
        invented=invented,
    )
    gate = decide(judged.findings, judged.limits, after.policy, settings.fail_on)
    return assembled(Report, judged, attacked, baseline=after.baseline, gate_=gate)
