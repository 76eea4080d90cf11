"""Rounds under differential privacy: clipped gradients with exact noise, paid from the ledger of each party.

Question: how does a party take part so that even the sum of all parties discloses little of one row?
Method: in each round the gradient of every row is clipped to norm 1 and rounded to a grid, summed, and discrete
Gaussian noise is added before the sum leaves the party. The whole training is one charge to the ledger of the party,
and the rows are read through the door that the ledger opens. Rho adds up over rounds and is converted to epsilon by the
curve.
Limits: the number of rows of each party is treated as public (neighbours by replacement); a row with a missing cell
counts, and its gradient is 0. The unit is a row: a ledger that protects people is refused. Each party adds all the
noise that its own promise needs, so that it does not depend on the others.

References
----------
.. [1] M. Abadi et al., Deep Learning with Differential Privacy, CCS 2016.
.. [2] C. Canonne, G. Kamath, T. Steinke, The Discrete Gaussian for Differential Privacy, NeurIPS 2020.
"""

from __future__ import annotations

import math
import os
from fractions import Fraction
from typing import Any

import numpy as np

from privaudit.base.arrays import Floats, Ints
from privaudit.base.errors import ReleaseError
from privaudit.releases.federated.models import Model
from privaudit.releases.privacy.accounting import exact, rho_of, sigma2_of
from privaudit.releases.privacy.ledger import ROW, Charge, Ledger, Part
from privaudit.releases.privacy.noise import discrete_gaussian

GRID = 256
"""Steps of the grid in a gradient of norm 1."""


class PrivateStep:
    """The noisy sums of one party.

    Parameters
    ----------
    epsilon, delta : float
        Of all rounds together.
    rounds, n_weights : int
    """

    def __init__(self, *, epsilon: float, delta: float, rounds: int, n_weights: int) -> None:
        self.delta, self.rounds = delta, rounds
        # A fraction of few digits below the exact share: what the ledger adds up never exceeds what was declared.
        self.rho = Fraction(math.floor(rho_of(epsilon, delta) / rounds * 2**40), 2**40)
        # Rounding to the grid adds at most half a step in each coordinate; replacing a row changes two gradients.
        self.sensitivity = Fraction(2 * math.ceil(GRID + math.sqrt(n_weights) / 2))
        self.sigma2 = sigma2_of(self.rho, self.sensitivity**2)

    def charge(self) -> Charge:
        """Return the cost of all rounds, to be paid before the first."""
        part = Part(
            query="clipped gradients", mechanism="discrete Gaussian", sensitivity=self.sensitivity, rho=self.rho
        )
        return Charge(parts=(part,) * self.rounds, delta=exact(self.delta))

    @staticmethod
    def open(ledger: str | os.PathLike[str] | Ledger) -> Ledger:
        """Return the ledger of a party, which must protect rows.

        Raises
        ------
        ReleaseError
            If it protects people: gradients are clipped row by row, and one person may have many rows.
        """
        opened = Ledger.open(ledger)
        if opened.account().unit != ROW:
            raise ReleaseError(
                "Federated training protects rows, and the unit of a ledger is a person.",
                hint="give a table with one row for each person, and create its ledger with --unit row",
            )
        return opened

    def noisy_sum(self, model: Model, weights: Floats, inputs: Any, outputs: Any) -> Floats:
        """Return the sum of the clipped gradients of all rows, with noise."""
        summed = clipped(model.gradients(weights, inputs, outputs)).sum(axis=0)
        noise = np.asarray(discrete_gaussian(self.sigma2, len(summed)), dtype=np.float64)
        return (summed + noise) / GRID


def clipped(gradients: Floats) -> Ints:
    """Return gradients of norm at most 1, in whole steps of the grid; 0 for a row in which a number is not finite."""
    # As an integer, NaN is -2^63: no noise hides a row that adds it.
    finite = np.where(np.isfinite(gradients).all(axis=1, keepdims=True), gradients, 0.0)
    norms = np.linalg.norm(finite, axis=1, keepdims=True)
    return np.rint(finite / np.maximum(norms, 1) * GRID).astype(np.int64)
