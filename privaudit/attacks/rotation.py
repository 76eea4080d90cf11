"""Rotations: records behind PCA or a random rotation are recovered from a few known ones.

Question: who knows the raw values of m people and their masked rows, what do the masked rows of all others reveal?
Method: the masked rows are ``Z = Xs V_k`` for standardised rows Xs. With the means and standard deviations of the
table: orthogonal Procrustes, ``R = argmin ||Xs_m - Z_m R'||``. Without: affine least squares of minimum norm on
``[Z, 1]``.
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

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

EXACT = 1e-6
"""A row counts as exact within this many standard deviations."""


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
    rank : int
        Of the known rows.
    is_full_rank : bool
        Whether the known rows determine the map.
    """

    rmse: float
    exact: float
    identified: float
    rank: int
    is_full_rank: bool


def by_procrustes(raw: Floats, masked: Floats, known: Ints) -> Recovered:
    """Recover the rows by an orthogonal map; the attacker knows means and standard deviations of the table.

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
    return _judge(scaled, padded @ (left @ right), known, rank, rank >= raw.shape[1] - 1)


def by_least_squares(raw: Floats, masked: Floats, known: Ints) -> Recovered:
    """Recover the rows by an affine map; the attacker knows nothing else."""
    design = np.hstack([masked, np.ones((len(raw), 1))])
    solution, _, rank, _ = np.linalg.lstsq(design[known], raw[known], rcond=1e-10)
    mean, deviation = raw.mean(axis=0), _deviations(raw)
    recovered = (design @ solution - mean) / deviation
    return _judge(_scaled(raw), recovered, known, int(rank), int(rank) == design.shape[1])


def _deviations(raw: Floats) -> Floats:
    deviation = raw.std(axis=0)
    found: Floats = np.where(deviation > 0, deviation, 1.0)
    return found


def _scaled(raw: Floats) -> Floats:
    found: Floats = (raw - raw.mean(axis=0)) / _deviations(raw)
    return found


def _judge(scaled: Floats, recovered: Floats, known: Ints, rank: int, is_full_rank: bool) -> Recovered:
    rest = np.setdiff1d(np.arange(len(scaled)), known)
    true, found = scaled[rest], recovered[rest]
    error = found - true
    distance = (true**2).sum(axis=1)[:, None] - 2 * true @ found.T + (found**2).sum(axis=1)[None, :]
    return Recovered(
        rmse=float(np.sqrt((error**2).mean())),
        exact=float((np.abs(error).max(axis=1) < EXACT).mean()),
        identified=float((distance.argmin(axis=1) == np.arange(len(rest))).mean()),
        rank=rank,
        is_full_rank=is_full_rank,
    )
