"""Noise over repeated rows: values behind noise, by the mean of all rows of a person.

Question: what does a column of numbers disclose to which noise was added anew in each row of the same person?
Method: the attacker averages the released values of each person: noise of standard deviation s leaves ``s / sqrt(r)``
after r rows. A guess is right within 5 % of the original value.
Control: the same means where the released values are dealt to random people. Guessing: the value that is right for
most.
Limits: only columns of the same name whose original value is the same in all rows of a person, and people with two
released values or more that differ. The rows of a person are those with the same value of the data subject column or,
without one, of a direct identifier that the release keeps.

References
----------
.. [1] J. Domingo-Ferrer, F. Sebé, J. Castellà-Roca, On the security of noise addition for privacy in statistical
   databases, PSD 2004.
"""

from __future__ import annotations

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.values.class_modes import MOST_NUMBERS, WITHIN, Numbers, numbers_of
from privaudit.base.arrays import Floats, Ints
from privaudit.base.records import dataclass
from privaudit.model import Attack, MeasuredDetail
from privaudit.model.advantage import against_control
from privaudit.model.stats import wilson
from privaudit.model.wording import Columns, Number, Share, fact
from privaudit.source.dataset import Dataset

LEAST_PEOPLE = 50
MOST_EQUAL = 0.5
"""Noise was added where at most this share of the released values equals the original one."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """The released values of people with several rows, and what they were made of.

    Attributes
    ----------
    person : int64 array of shape (n,)
        The person behind each released value, from 0.
    noisy : float64 array of shape (n,)
    values : float64 array, one for each person
        The original values.
    """

    person: Ints
    noisy: Floats
    values: Floats

    @property
    def counts(self) -> Ints:
        """The rows of each person."""
        return np.bincount(self.person, minlength=len(self.values))

    def means(self, noisy: Floats) -> Floats:
        """Return the mean of released values over the rows of each person."""
        return np.bincount(self.person, weights=noisy, minlength=len(self.values)) / self.counts

    @property
    def is_noise(self) -> bool:
        """Whether the released values differ from the original ones, and among the rows of most people."""
        varies = np.zeros(len(self.values), dtype=bool)
        first = np.zeros(len(self.values))
        # Backwards, so that the first row of each person is the one that stays.
        first[self.person[::-1]] = self.noisy[::-1]
        varies[self.person[self.noisy != first[self.person]]] = True
        is_equal = self.noisy == self.values[self.person]
        return bool(varies.mean() > 1 - MOST_EQUAL and is_equal.mean() <= MOST_EQUAL)


def simulate_repeated_noise(inputs: AttackInputs) -> AttackResults:
    """Average every column to which noise was added, over the rows of each person."""
    release, original = inputs.release, inputs.original
    assert original is not None, "the registry runs this attack only with an original table"
    shared = [name for name in original.columns if name in release.columns]
    # The columns that may state which rows are one person's, that of the data subject first.
    named = [*filter(None, [inputs.settings.subject]), *inputs.named("direct")]
    keys = [name for name in named if name in shared and 2 * len(release.frequencies(name).values) <= release.n_rows]
    attacks = []
    # The first key that repeats is the one of the data subject, where it is named.
    for key in keys[:1]:
        for name in shared:
            found = None if name in keys else read_repeated(release, original, key, name)
            if found is not None and found.is_noise:
                inputs.progress("averaging repeated rows", None)
                attacks.append(_attack(key, name, found, inputs.settings.seed))
    return AttackResults(tuple(attacks))


def read_repeated(release: Dataset, original: Dataset, key: str, name: str) -> Repeated | None:
    """Return the released values of a column by person; None where it is not a number that a person has once."""
    people, noisy = _numbers(release, key, name)
    owners, values = _numbers(original, key, name)
    true: dict[str, float] = {}
    for owner, value in zip(owners, values, strict=True):
        # A value that changes between the rows of a person has no single truth that a mean could reach.
        if true.setdefault(owner, value) != value:
            return None
    rows = [i for i, person in enumerate(people) if person in true]
    known, index, counts = np.unique([people[i] for i in rows], return_inverse=True, return_counts=True)
    is_repeated = counts >= 2
    if is_repeated.sum() < LEAST_PEOPLE or len(set(true.values())) <= MOST_NUMBERS:
        return None
    kept = is_repeated[index]
    person, values_of_rows = (np.cumsum(is_repeated) - 1)[index[kept]], np.array([noisy[i] for i in rows])[kept]
    by_content = np.lexsort((values_of_rows, person))  # the control draws by position
    return Repeated(
        person=person[by_content],
        noisy=values_of_rows[by_content],
        values=np.array([true[str(person)] for person in known[is_repeated]]),
    )


def _numbers(table: Dataset, key: str, name: str) -> tuple[list[str], list[float]]:
    """Return the people and numbers of a column, without empty cells; nothing where a cell is not a number."""
    rows = table.rows([key, name]).drop_null()
    numbers = numbers_of(rows[name])
    return ([], []) if numbers is None else (rows[key].to_pylist(), numbers.tolist())


def _attack(key: str, name: str, found: Repeated, seed: int) -> Attack:
    secret, n = Numbers(found.values), len(found.values)
    everybody = np.arange(n)
    means = found.means(found.noisy)
    # The same means over rows of mixed people: how often a mean of the column is near by itself.
    mixed = found.means(np.random.default_rng(seed).permutation(found.noisy))
    success, control = (wilson(int(secret.correct(everybody, guess).sum()), n) for guess in (means, mixed))
    single = np.abs(found.noisy - found.values[found.person]) <= WITHIN * np.abs(found.values[found.person])
    typical = secret.for_all(everybody)
    spread = float(found.values.std())
    column = Columns((name,))
    return Attack(
        kind="repeated_noise",
        knowledge=(key,),
        attacker=fact("attacks.repeated_noise_attacker", column=column, key=Columns((key,))),
        outcome=fact(
            "attacks.repeated_noise_outcome",
            column=column,
            people=Share(success.value, of=n),
            single=Share(float(single.mean()), of=len(single)),
            shuffled=Share(control.value, of=n),
        ),
        baseline=float(secret.correct(everybody, np.full(n, typical)).mean()),
        **against_control(success, control),
        assumptions=(fact("attacks.shuffled_people_are_control"),),
        detail=MeasuredDetail(
            method="averaging",
            secrets=(name,),
            measures={
                "rows_of_a_person": Number(float(np.median(found.counts))),
                "error_of_one_row": Number(_error(found.noisy - found.values[found.person], spread)),
                "error_of_the_mean": Number(_error(means - found.values, spread)),
            },
        ),
    )


def _error(errors: Floats, spread: float) -> float:
    """Return the root mean squared error in standard deviations of the original values."""
    return round(float(np.sqrt((errors**2).mean())) / spread, 6)
