"""Which numbers pass a check, or have a form, as often as chance explains.

Question: seven of 20,000 codes have the form of a tax number: are they tax numbers?
Method: each of n codes passes by chance with a probability p, so that the number that passes is binomial. Chance
explains k of n where P(X >= k) is at least `SURPRISE`. p is known (one number in ten passes Luhn), or it is the share
that passes of the codes that did not, with their characters exchanged: each character is drawn from those that codes of
the same length have at its position.
Limits: codes are independent of each other, which a counter with a check digit is not; checkdigits.py changes single
digits instead. Among fewer than `FEWEST` codes, of which one may be mistyped, chance explains nothing: a missed number
is worse than one too many.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from privaudit.base.arrays import Flags
from privaudit.base.arrow import pa

SURPRISE = 1e-3  # by hand: about 250 checks read each column, so that one column of codes in four has a false one
FEWEST = 20  # numbers below which chance may make any share of them pass
_DRAWN = 20_000  # codes from which a probability is estimated
Accepts = Callable[[pa.Array], Flags]


def upper_tail(n: int, passing: int, p: float) -> float:
    """Return the probability that at least `passing` of `n` pass where each passes with probability `p`.

    Examples
    --------
    >>> upper_tail(3, 3, 0.1) < 0.0011, upper_tail(50, 5, 0.1)
    (True, 1.0)
    """
    if passing <= n * p or p >= 1:
        return 1.0
    if p <= 0:
        return 0.0
    log_p, log_q = math.log(p), math.log1p(-p)
    top = math.lgamma(n + 1)
    terms = (
        math.exp(top - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * log_p + (n - k) * log_q)
        for k in range(passing, min(n, passing + 400) + 1)
    )
    return min(1.0, sum(terms))


def is_beyond_chance(n: int, passing: int, p: float) -> bool:
    """Return whether more of `n` numbers pass than chance explains."""
    return upper_tail(n, passing, p) < SURPRISE


def is_by_chance(n: int, passing: int, p: float) -> bool:
    """Return whether so many numbers were tried that chance explains those that pass."""
    return n >= FEWEST and passing < n and not is_beyond_chance(n, passing, p)


def rate_by_chance(codes: list[str], accepts: Accepts, seed: int = 0) -> float:
    """Return the share of `_DRAWN` codes that pass, whose characters are drawn by position from `codes` of a length."""
    draw = np.random.default_rng(seed)
    by_length: dict[int, list[str]] = {}
    for code in codes:
        by_length.setdefault(len(code), []).append(code)
    passing = drawn = 0
    for length, alike in sorted(by_length.items()):
        signs = np.array(alike, dtype=f"U{length}").view("U1").reshape(len(alike), length)
        n = math.ceil(_DRAWN * len(alike) / len(codes))
        mixed = np.take_along_axis(signs, draw.integers(len(alike), size=(n, length)), axis=0)
        made = np.ascontiguousarray(mixed).view(f"U{length}")[:, 0]
        passing += int(accepts(pa.array(made.tolist(), pa.string())).sum())
        drawn += n
    return passing / drawn
