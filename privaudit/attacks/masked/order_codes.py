"""Order-preserving codes: values behind codes that keep their order, by the quantiles of a population.

Question: what does a column of numbers disclose whose values were replaced by codes in the same order?
Method: rank matching. The attacker gives each code the value that has its rank among people outside the original: with
F the distribution of the codes and Q the quantiles of the population, the guess is ``Q(F(code))``, right within 5 %.
Control: the same guesses for shuffled people. Guessing: the value that is right for most.
Limits: only where release and original have the same rows in the same order, and a column of the same name whose order
agrees (Spearman's correlation of `SAME_ORDER`) although its values do not. The population must be like the original.

References
----------
.. [1] M. Naveed, S. Kamara, C. Wright, Inference attacks on property-preserving encrypted databases, CCS 2015.
"""

from __future__ import annotations

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.values.class_modes import MOST_NUMBERS, WITHIN, Numbers, numbers_of
from privaudit.base.arrays import Floats
from privaudit.model import Attack, MeasuredDetail
from privaudit.model.advantage import against_control
from privaudit.model.stats import wilson
from privaudit.model.wording import Columns, Share, fact

SAME_ORDER = 0.95
LEAST_PEOPLE = 50


def simulate_order_codes(inputs: AttackInputs) -> AttackResults:
    """Match the ranks of every column of codes with the quantiles of people outside the original."""
    assert inputs.original is not None and inputs.outsiders is not None
    tables = (inputs.release, inputs.original, inputs.outsiders)
    if inputs.release.n_rows != inputs.original.n_rows or min(table.n_rows for table in tables) < LEAST_PEOPLE:
        return AttackResults()
    attacks = []
    for name in inputs.original.columns:
        if all(name in table.columns for table in tables):
            codes, values, population = (numbers_of(table.rows([name])[name]) for table in tables)
            if codes is None or values is None or population is None:
                continue
            if is_coded(codes, values):
                inputs.progress("matching ranks", None)
                by_content = np.lexsort((values, codes))  # the control draws by position
                pairs = codes[by_content], values[by_content]
                attacks.append(_attack(name, *pairs, population, seed=inputs.settings.seed))
    return AttackResults(tuple(attacks))


def is_coded(codes: Floats, values: Floats) -> bool:
    """Whether codes have the order of the values, and are other numbers."""
    is_near = np.abs(codes - values) <= WITHIN * np.abs(values)
    if is_near.mean() > 0.5 or len(np.unique(values)) <= MOST_NUMBERS or len(np.unique(codes)) < 2:
        return False
    return bool(np.corrcoef(_ranks(codes), _ranks(values))[0, 1] >= SAME_ORDER)


def _ranks(column: Floats) -> Floats:
    """Return the mean rank of each number, from 0 to 1."""
    _, index, counts = np.unique(column, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return ((ends - counts / 2) / len(column))[index]


def match_ranks(codes: Floats, population: Floats) -> Floats:
    """Return the value of the population at the rank of each code."""
    return np.quantile(population, _ranks(codes))


def _attack(name: str, codes: Floats, values: Floats, population: Floats, *, seed: int) -> Attack:
    secret, n = Numbers(values), len(values)
    everybody = np.arange(n)
    guesses = match_ranks(codes, population)
    # The control keeps the distribution of the guesses and takes away whom they are about.
    others = guesses[np.random.default_rng(seed).permutation(n)]
    success, control = (wilson(int(secret.correct(everybody, found).sum()), n) for found in (guesses, others))
    typical = Numbers(population).for_all(np.arange(len(population)))
    column = Columns((name,))
    return Attack(
        kind="order_codes",
        knowledge=(name,),
        attacker=fact("attacks.order_codes_attacker", column=column),
        outcome=fact(
            "attacks.order_codes_outcome",
            column=column,
            people=Share(success.value, of=n),
            shuffled=Share(control.value, of=n),
        ),
        baseline=float(secret.correct(everybody, np.full(n, typical)).mean()),
        **against_control(success, control),
        assumptions=(fact("attacks.rows_in_order"), fact("attacks.shuffled_is_control")),
        detail=MeasuredDetail(method="rank_matching", secrets=(name,), measures={"within": Share(WITHIN)}),
    )
