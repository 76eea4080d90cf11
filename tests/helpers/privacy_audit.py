"""Lower bounds of epsilon from experiments: what an attacker achieved proves how much was disclosed.

A lower bound above the claimed epsilon refutes the claim; one below proves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import stats


def distinguishing_bound(n: int, false_positives: int, false_negatives: int, delta: float, beta: float = 0.05) -> float:
    """Return the epsilon that a distinguishing game of n runs on each of two neighbours proves.

    ``max(ln((1 - delta - FPR) / FNR), ln((1 - delta - FNR) / FPR))`` with Clopper-Pearson upper bounds of both rates at
    (1 - beta) together (Jagielski, Ullman, Oprea 2020).
    """
    rates = [upper(wrong, n, beta / 2) for wrong in (false_positives, false_negatives)]
    pairs = (rates, rates[::-1])
    return max(0.0, *(math.log((1 - delta - one) / other) for one, other in pairs if 1 - delta - one > 0))


def upper(wrong: int, n: int, beta: float) -> float:
    """Return the Clopper-Pearson upper bound of a rate, which is exceeded with a probability of at most beta."""
    return 1.0 if wrong == n else float(stats.beta.ppf(1 - beta, wrong + 1, n - wrong))


def one_run_bound(guesses: int, right: int, beta: float = 0.05) -> float:
    """Return the epsilon that right guesses about independent canaries of one run prove, for delta 0.

    The largest epsilon with ``P[Bin(r, e^eps / (1 + e^eps)) >= v] <= beta`` (Steinke, Nasr, Jagielski 2023).
    """
    low, high = 0.0, 30.0
    for _ in range(100):
        middle = (low + high) / 2
        share = 1 / (1 + math.exp(-middle))
        low, high = (middle, high) if stats.binom.sf(right - 1, guesses, share) <= beta else (low, middle)
    return low


def gaussian_bound(n: int, false_positives: int, false_negatives: int, beta: float = 0.05) -> float:
    """Return the mu of Gaussian differential privacy that a distinguishing game of n runs on each neighbour proves.

    ``-quantile(FPR) - quantile(FNR)`` of the normal distribution, with Clopper-Pearson upper bounds of both rates.
    Gaussian noise with rho has ``mu = sqrt(2 rho)``; its epsilon at a small delta is so loose that a game never reaches
    it (Nasr et al. 2023).
    """
    rates = [upper(wrong, n, beta / 2) for wrong in (false_positives, false_negatives)]
    return max(0.0, -sum(float(stats.norm.ppf(rate)) for rate in rates))


def mistakes(run: Callable[[int], Sequence[Any]], exact: Sequence[Sequence[Any]], n: int) -> list[tuple[int, int]]:
    """Play a distinguishing game: n runs on each of two neighbours, and an attacker who knows both exact outputs.

    The attacker compares the distances of an output from both and takes the second neighbour from three quarters of the
    way on, where noise of twice the epsilon is proved with the fewest runs.

    Parameters
    ----------
    run : callable
        Of 0 or 1, the neighbour; returns the noisy numbers of each mechanism.
    exact : two of the same
        The outputs without noise.

    Returns
    -------
    False positives and false negatives, for each mechanism.
    """
    guessed = []
    for neighbour in (0, 1):
        runs = [run(neighbour) for _ in range(n)]
        guessed.append([_is_second(*parts) for parts in zip(zip(*runs, strict=True), *exact, strict=True)])
    return [(int(low.sum()), n - int(high.sum())) for low, high in zip(*guessed, strict=True)]


def _is_second(outputs: Sequence[Any], low: Any, high: Any) -> Any:
    found, low, high = (np.asarray(each, dtype=float) for each in (outputs, low, high))
    return (np.abs(found - low) - np.abs(found - high)).sum(axis=1) >= np.abs(high - low).sum() / 2
