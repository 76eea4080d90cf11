"""Private choices, drawn exactly: the exponential mechanism.

Question: which of several candidates is good, without revealing what decides it?
Method: candidate i has probability proportional to ``exp(epsilon score_i / (2 sensitivity))`` (McSherry and Talwar
2007). Candidates are proposed uniformly and accepted with probability ``exp(-epsilon (best - score_i) / (2
sensitivity))``, which is drawn in integers (Canonne, Kamath, Steinke 2020, algorithm 1).
Limits: scores are integers; the time of a choice depends on the scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from privaudit.releases.privacy import noise


def choose(scores: Sequence[int] | Any, epsilon: Fraction, sensitivity: int) -> int:
    """Return the position of a candidate, drawn by the exponential mechanism.

    The choice is `epsilon`-differentially private, and ``epsilon^2 / 8``-zCDP.

    Parameters
    ----------
    scores : sequence of int, or int64 array of shape (d,)
        At least one.
    epsilon : Fraction
    sensitivity : int
        The most that one unit of privacy changes any score.
    """
    found = np.asarray(scores)
    gaps = found.max() - found
    numerators = gaps.astype(object) if int(gaps.max()) * epsilon.numerator >= noise.LARGEST else gaps
    numerators = numerators * epsilon.numerator
    # Rejection: a uniform candidate is kept with the probability exp(-epsilon gap / (2 sensitivity)). The best one
    # always is, so that it ends; no weight is ever rounded.
    while True:
        drawn = noise.uniform_below(len(found), max(64, len(found)))
        accepted = np.flatnonzero(noise.bernoulli_exp(numerators[drawn], epsilon.denominator * 2 * sensitivity))
        if accepted.size:
            # The first accepted one: taking another, such as the best, would change the probabilities.
            return int(drawn[accepted[0]])
