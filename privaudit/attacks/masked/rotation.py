"""Rotations: records behind PCA or a random rotation are recovered from a few known ones.

Question: who knows the raw values of m people and their masked rows, what do the masked rows of all others reveal?
Method: the masked rows are ``Z = Xs V_k`` for standardised rows Xs. With the means and standard deviations of the
table: orthogonal Procrustes, ``R = argmin ||Xs_m - Z_m R'||``. Without: affine least squares on ``[Z, 1]``. Fewer
people than columns do not determine the map: both have minimum norm, which is 0 in directions that no known row has.
Success: root mean squared error in standard deviations, rows that are exact, and people re-identified: the attacker
holds the raw values of everybody, and the nearest recovered row is the person's own.
Limits: the known rows may be linearly dependent, as with columns of two values; the rank is returned. Dropping
components blurs values and does not protect identity.

References
----------
.. [1] K. Liu, C. Giannella, H. Kargupta, A survey of attack techniques on privacy-preserving data perturbation methods,
   2008.
"""

from __future__ import annotations

import math

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.values.class_modes import numbers_of
from privaudit.base.arrays import Floats, Ints
from privaudit.base.records import dataclass
from privaudit.model import Attack, MeasuredDetail
from privaudit.model.advantage import against_control
from privaudit.model.stats import wilson
from privaudit.model.wording import Count, Number, Share, fact
from privaudit.source.dataset import Dataset

EXACT = 1e-6
"""A row counts as exact within this many standard deviations."""


MOST_PAIRS = 20_000**2
"""People times recovered rows that are compared; of more people, every second, third, ... in the order of values."""
_CELLS = 1 << 22
LEAST_ROWS = 50


def simulate_rotation(inputs: AttackInputs) -> AttackResults:
    """Recover the rows of masked columns, from known people, where the release has as many rows as the original."""
    release, original = inputs.release, inputs.original
    assert original is not None, "the registry runs this attack only with an original table"
    masked = _numbers(release, [name for name in release.columns if name not in original.columns])
    raw = _numbers(original, [name for name in original.columns if name not in release.columns])
    fits = release.n_rows == original.n_rows >= LEAST_ROWS
    if not fits or not 2 <= masked.shape[1] <= raw.shape[1]:
        return AttackResults()
    inputs.progress("recovering rotated rows", None)
    n, random = len(raw), np.random.default_rng(inputs.settings.seed)
    by_values = np.lexsort(np.hstack([raw, masked]).T)
    raw, masked = raw[by_values], masked[by_values]
    known = random.choice(n, min(raw.shape[1] + 7, n // 2), replace=False)
    found = by_procrustes(raw, masked, known), by_least_squares(raw, masked, known)
    best, method = max(zip(found, ("procrustes", "least_squares"), strict=True), key=lambda one: one[0].identified)
    # The same attack on shuffled rows: what it finds there, it finds by chance.
    mixed = (by_procrustes if method == "procrustes" else by_least_squares)(raw, masked[random.permutation(n)], known)
    return AttackResults((_attack(masked.shape[1], best, mixed, n, known, method),))


def _numbers(table: Dataset, names: list[str]) -> Floats:
    """Return the columns whose cells are all numbers, of shape (n, d)."""
    found = (numbers_of(table.rows([name])[name]) for name in names)
    columns = [numbers for numbers in found if numbers is not None]
    return np.column_stack(columns) if columns else np.zeros((table.n_rows, 0))


def _attack(k: int, found: Recovered, mixed: Recovered, n: int, known: Ints, method: str) -> Attack:
    others = n - len(known)
    n_compared = found.n_compared
    success, control = (wilson(round(one.identified * n_compared), n_compared) for one in (found, mixed))
    return Attack(
        kind="rotation",
        knowledge=(),
        attacker=fact("attacks.rotation_attacker", known=Count(len(known), unit="person")),
        outcome=fact(
            "attacks.rotation_outcome",
            people=Count(round(found.identified * n_compared), of=n_compared, unit="person"),
            exact=Share(found.exact, of=others),
            columns=Number(k),
        ),
        baseline=1 / others,
        **against_control(success, control),
        assumptions=(fact("attacks.rows_in_order"), fact("attacks.shuffled_is_control")),
        detail=MeasuredDetail(
            method=method,
            measures={
                "rows_exact": Share(found.exact, of=others),
                "error_in_deviations": Number(round(found.rmse, 6)),
                "rank_known": Number(found.rank),
            },
        ),
    )


@dataclass(frozen=True, slots=True)
class Recovered:
    """What is recovered of the rows that were not known.

    Attributes
    ----------
    rmse : float
        In standard deviations of each column.
    exact : float
        Share of rows that are exact.
    identified : float
        Share of people whose recovered row is nearest to their own values.
    n_compared : int
        People who were compared with all recovered rows.
    rank : int
        Of the known rows.
    """

    rmse: float
    exact: float
    identified: float
    n_compared: int
    rank: int


def by_procrustes(raw: Floats, masked: Floats, known: Ints) -> Recovered:
    """Recover the rows by an orthogonal map; the attacker knows means and standard deviations of the table.

    In directions that no known row has, every orthogonal map fits equally. The one that a library returns depends on
    the machine, and moves each row by a random amount; 0 is the mean of all of them, and re-identifies more people.

    Parameters
    ----------
    raw : float64 array of shape (n, d)
    masked : float64 array of shape (n, k), k at most d
    known : int64 array of shape (m,)
    """
    scaled = _scaled(raw)
    padded = np.hstack([masked, np.zeros((len(raw), raw.shape[1] - masked.shape[1]))])
    left, values, right = np.linalg.svd(padded[known].T @ scaled[known])
    rank = int((values > 1e-9 * max(1.0, float(values.max(initial=0)))).sum())
    rotation = left[:, :rank] @ right[:rank]
    return _judge(scaled, padded @ rotation, known, rank)


def by_least_squares(raw: Floats, masked: Floats, known: Ints) -> Recovered:
    """Recover the rows by an affine map; the attacker knows nothing else."""
    design = np.hstack([masked, np.ones((len(raw), 1))])
    solution, _, rank, _ = np.linalg.lstsq(design[known], raw[known], rcond=1e-10)
    mean, deviation = raw.mean(axis=0), _deviations(raw)
    recovered = (design @ solution - mean) / deviation
    return _judge(_scaled(raw), recovered, known, int(rank))


def _deviations(raw: Floats) -> Floats:
    deviation = raw.std(axis=0)
    return np.where(deviation > 0, deviation, 1.0)


def _scaled(raw: Floats) -> Floats:
    return (raw - raw.mean(axis=0)) / _deviations(raw)


def _judge(scaled: Floats, recovered: Floats, known: Ints, rank: int) -> Recovered:
    rest = np.setdiff1d(np.arange(len(scaled)), known)
    true, found = scaled[rest], recovered[rest]
    error = found - true
    people = np.arange(0, len(rest), math.ceil(len(rest) ** 2 / MOST_PAIRS))
    squares, block = (found**2).sum(axis=1), max(1, _CELLS // len(rest))
    # The square of the own values is the same for all rows, and changes no order.
    nearest = [
        (squares - 2 * true[people[start : start + block]] @ found.T).argmin(axis=1)
        for start in range(0, len(people), block)
    ]
    return Recovered(
        rmse=float(np.sqrt((error**2).mean())),
        exact=float((np.abs(error).max(axis=1) < EXACT).mean()),
        identified=float((np.concatenate(nearest) == people).mean()),
        n_compared=len(people),
        rank=rank,
    )
