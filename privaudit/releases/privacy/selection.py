"""Private choices, drawn exactly: the exponential mechanism.

Question: which of several candidates is good, without revealing what decides it?
Method: candidate i has probability proportional to ``exp(epsilon score_i / (2 sensitivity))`` (McSherry and Talwar
2007). A candidate is proposed uniformly and accepted with probability ``exp(-epsilon (best - score_i) / (2
sensitivity))``, which is drawn in integers (Canonne, Kamath, Steinke 2020, algorithm 1).
Limits: scores are integers; the time of a choice depends on the scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from privaudit.releases.privacy.noise import random_bytes


def choose(scores: Sequence[int], epsilon: Fraction, sensitivity: int) -> int:
    """Return the position of a candidate, drawn by the exponential mechanism.

    The choice is `epsilon`-differentially private, and ``epsilon^2 / 8``-zCDP.

    Parameters
    ----------
    scores : sequence of int
        At least one.
    epsilon : Fraction
    sensitivity : int
        The most that one unit of privacy changes any score.
    """
    best = max(scores)
    while True:
        proposed = _below(len(scores))
        if _bernoulli_exp(epsilon * int(best - scores[proposed]) / (2 * sensitivity)):
            return proposed


def _bernoulli_exp(exponent: Fraction) -> bool:
    """Draw Bernoulli(exp(-exponent)) for an exponent of at least 0."""
    while exponent > 1:
        if not _bernoulli_exp_of_share(Fraction(1)):
            return False
        exponent -= 1
    return _bernoulli_exp_of_share(exponent)


def _bernoulli_exp_of_share(exponent: Fraction) -> bool:
    """Draw Bernoulli(exp(-exponent)), exponent at most 1: the first failure of Bernoulli(exponent / k) is odd."""
    k = 1
    while _below(exponent.denominator * k) < exponent.numerator:
        k += 1
    return k % 2 == 1


def _below(bound: int) -> int:
    """Draw an integer in 0..bound-1."""
    n_bits = (bound - 1).bit_length()
    n_bytes = (n_bits + 7) // 8
    while True:
        drawn = int.from_bytes(random_bytes(n_bytes), "little") >> (8 * n_bytes - n_bits)
        if drawn < bound:
            return drawn
