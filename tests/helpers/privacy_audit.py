"""Lower bounds of epsilon from experiments: what an attacker achieved proves how much was disclosed.

A lower bound above the claimed epsilon refutes the claim; one below proves nothing.
"""

from __future__ import annotations

import math

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
