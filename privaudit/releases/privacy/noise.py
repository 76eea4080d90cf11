"""Noise that is drawn exactly: discrete Laplace and discrete Gaussian integers, and candidates by their scores.

Question: which integers does a mechanism add, and which candidate does it choose?
Method: rejection in integers (Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy", 2020,
algorithms 1 to 3), for whole arrays at once. Random bytes come from the operating system. Numbers are int64 as long as
every product fits, and Python integers beyond. A candidate is proposed and accepted with the probability
``exp(-epsilon (best - score_i) / (2 sensitivity))``, which is drawn in integers (algorithm 1). Proposals with
replacement give the exponential mechanism (McSherry and Talwar 2007), those without replacement permute and flip
(McKenna and Sheldon 2020).
Limits: no floating-point number is involved, so no rounding reveals the value under the noise. There is no seed:
whoever knows the seed can subtract the noise. The time of a draw depends on the noise; it is not constant. Scores are
integers; the time of a choice depends on the scores.

Examples
--------
>>> from fractions import Fraction
>>> len(discrete_laplace(Fraction(2), 3)), len(discrete_gaussian(Fraction(9, 4), 3))
(3, 3)
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

Integers: TypeAlias = Any
"""A NumPy array of int64, or of Python integers where int64 is too small."""

LARGEST = 2**62
"""Products of int64 arrays stay below this."""
_ROUNDS = 64
"""Bernoulli(exp(-g)) needs more rounds than this with a probability below 1/64!; the bound decides the data type."""
_FARTHEST = 32
"""int64 is chosen for draws up to 32 scales; a batch with one beyond, of probability exp(-32), uses Python integers."""


def discrete_laplace(scale: Fraction | int, size: int) -> Integers:
    """Draw `size` integers X with ``P(X = x)`` proportional to ``exp(-|x| / scale)``.

    Added to an integer with sensitivity s it is ``s / scale``-differentially private.

    Parameters
    ----------
    scale : Fraction or int
        Above 0.
    size : int

    Returns
    -------
    array of shape (size,), int64 or Python integers

    Raises
    ------
    ValueError
        If the scale is not above 0, or is a float.

    References
    ----------
    .. [1] C. Canonne, G. Kamath, T. Steinke, "The discrete Gaussian for differential privacy", 2020, algorithm 2.
    """
    exact = _positive(scale)
    return _filled(lambda n: _laplace_candidates(exact, n), size, np.int64)


def discrete_gaussian(sigma2: Fraction | int, size: int) -> Integers:
    """Draw `size` integers X with ``P(X = x)`` proportional to ``exp(-x^2 / (2 sigma2))``.

    Added to a vector of integers with L2 sensitivity s it is ``s^2 / (2 sigma2)``-zCDP.

    Parameters
    ----------
    sigma2 : Fraction or int
        Above 0: the variance of the continuous distribution; the discrete one has at most this variance.
    size : int

    Returns
    -------
    array of shape (size,), int64 or Python integers

    Raises
    ------
    ValueError
        If sigma2 is not above 0, or is a float.

    References
    ----------
    .. [1] C. Canonne, G. Kamath, T. Steinke, "The discrete Gaussian for differential privacy", 2020, algorithm 3.
    """
    exact = _positive(sigma2)
    # The scale floor(sigma) + 1 of the paper: about the one for which the fewest candidates are rejected.
    scale = math.isqrt(exact.numerator // exact.denominator) + 1
    # int64 needs about 2 numerator (denominator scale)^2 and the squares of the differences: sigma below 8,000.
    reach = max(_FARTHEST * scale * exact.denominator * scale, exact.numerator)
    divisor = 2 * exact.numerator * exact.denominator * scale**2
    small = max(reach**2, divisor * _ROUNDS) < LARGEST
    return _filled(lambda n: _gaussian_candidates(exact, scale, divisor, n, small), size, np.int64)


def uniform_below(bound: int, size: int) -> Integers:
    """Draw `size` integers in 0..bound-1, each with the same probability."""
    return _below(bound, size, bound < LARGEST)


def bernoulli_exp(numerators: Integers, denominator: int) -> Any:
    """Draw one Bernoulli(exp(-n / denominator)) for each numerator n, at least 0: an array of bool."""
    if denominator >= LARGEST:
        numerators = numerators.astype(object)  # int64 cannot be divided by it
    small = denominator * _ROUNDS < LARGEST and numerators.dtype != object
    # exp(-n/d) = exp(-(n mod d)/d) exp(-1)^(n div d): the series is fast for exponents up to 1 only.
    accepted = _bernoulli_exp(numerators % denominator, denominator, small)
    # exp(-m) for a whole m is the probability of m successes of Bernoulli(exp(-1)) before the first failure.
    whole = numerators // denominator
    open_ = np.flatnonzero(accepted & (whole > 0).astype(bool))
    accepted[open_] = _geometric(len(open_)) >= whole[open_]
    return accepted


def laplace_sd(scale: Fraction | float) -> float:
    """Return the standard deviation of the discrete Laplace distribution: ``sqrt(2 q) / (1 - q)``, q = exp(-1/scale).

    >>> round(laplace_sd(1), 3), round(laplace_sd(10), 2)
    (1.357, 14.14)
    """
    inverse = 1 / float(scale)
    return math.sqrt(2 * math.exp(-inverse)) / -math.expm1(-inverse)


def laplace_tail(scale: Fraction | float, confidence: float) -> int:
    """Return the smallest w with ``P(|X| <= w) >= confidence`` for the discrete Laplace distribution.

    ``P(|X| > w) = 2 q^(w+1) / (1 + q)``, q = exp(-1/scale).

    >>> laplace_tail(1, 0.95)
    3
    """
    inverse = 1 / float(scale)
    # The tail solved for w; 1e-9 keeps rounding from adding one where w is exact.
    beyond = (1 - confidence) * (1 + math.exp(-inverse)) / 2
    return max(0, math.ceil(-math.log(beyond) / inverse - 1 - 1e-9))


def _positive(value: Fraction | int) -> Fraction:
    if isinstance(value, float) or value <= 0:
        raise ValueError("the scale of noise is a Fraction or an integer above 0")
    return Fraction(value)


def _filled(draw: Any, size: int, dtype: Any) -> Integers:
    """Return `size` accepted candidates; `draw` returns those of about n candidates that were accepted."""
    parts: list[Any] = []
    missing = size
    while missing > 0:
        # More candidates than are missing, because some are rejected; which are cut off does not depend on their
        # values.
        found = draw(missing + missing // 2 + 16)[:missing]
        parts.append(found)
        missing -= len(found)
    if any(part.dtype == object for part in parts):
        parts = [part.astype(object) for part in parts]
    return np.concatenate(parts) if parts else np.zeros(0, dtype)


def _laplace_candidates(scale: Fraction, n: int) -> Integers:
    """Return the accepted ones of n candidates of the discrete Laplace distribution."""
    top, bottom = scale.numerator, scale.denominator
    small = top * _ROUNDS < LARGEST
    start = _below(top, n, small)
    start = start[_bernoulli_exp(start, top, small)]
    steps = _geometric(len(start))
    if not small or top * (int(steps.max(initial=0)) + 1) >= LARGEST:
        steps = steps.astype(object)
    magnitude = (start + top * steps) // bottom
    negative = _bits(len(start))
    kept = ~(negative & (magnitude == 0))  # 0 would be drawn twice as often as it must
    return np.where(negative, -magnitude, magnitude)[kept]


def _gaussian_candidates(sigma2: Fraction, scale: int, divisor: int, n: int, small: bool) -> Integers:
    """Return the accepted ones of n discrete Laplace draws: each with probability exp(-(|y| - s2/t)^2 / (2 s2))."""
    drawn = discrete_laplace(scale, n)
    if not small or drawn.dtype == object or np.abs(drawn).max(initial=0) > _FARTHEST * scale:
        drawn, small = drawn.astype(object), False
    # All fractions over one denominator, so that the exponent is an integer over `divisor`.
    difference = np.abs(drawn) * (sigma2.denominator * scale) - sigma2.numerator
    exponent = difference * difference
    return drawn[bernoulli_exp(exponent, divisor)]


def _bernoulli_exp(numerator: Integers, denominator: int, small: bool) -> Any:
    """Draw Bernoulli(exp(-numerator/denominator)) for each numerator in 0..denominator.

    Algorithm 1: the first k at which Bernoulli(g/k) fails is odd with probability exp(-g).
    """
    result = np.ones(len(numerator), dtype=bool)
    alive, k = np.arange(len(numerator)), 1
    while len(alive):
        again = _below(denominator * k, len(alive), small and k < _ROUNDS) < numerator[alive]
        result[alive[~again]] = k % 2 == 1
        alive, k = alive[again], k + 1
    return result.astype(bool)


def _geometric(n: int) -> Integers:
    """Draw the number of successes of Bernoulli(exp(-1)) before the first failure, n times."""
    count = np.zeros(n, dtype=np.int64)
    alive = np.arange(n)
    while len(alive):
        alive = alive[_bernoulli_exp(np.ones(len(alive), dtype=np.int64), 1, True)]
        count[alive] += 1
    return count


def _below(bound: int, n: int, small: bool) -> Integers:
    """Draw n integers in 0..bound-1 uniformly; `small` where int64 holds all that follows."""
    if not small:
        return np.array([_integer_below(bound) for _ in range(n)], dtype=object)
    whole = 2**64 // bound * bound  # draws from here on would make the first remainders more likely
    words = random_words(n)
    if whole < 2**64:
        limit = np.uint64(whole)
        while (beyond := np.flatnonzero(words >= limit)).size:
            words[beyond] = random_words(len(beyond))
    # A power of two: the low bits of a random word are uniform already.
    if bound & (bound - 1) == 0:
        return (words & np.uint64(bound - 1)).astype(np.int64)
    return (words % np.uint64(bound)).astype(np.int64)


def _integer_below(bound: int) -> int:
    """Draw one integer in 0..bound-1, of any size."""
    n_bits = (bound - 1).bit_length()
    n_bytes = (n_bits + 7) // 8
    while True:
        drawn = int.from_bytes(random_bytes(n_bytes), "little") >> (8 * n_bytes - n_bits)
        if drawn < bound:
            return drawn


def _bits(n: int) -> Any:
    return np.unpackbits(np.frombuffer(random_bytes((n + 7) // 8), dtype=np.uint8), count=n).astype(bool)


def random_words(n: int) -> Any:
    """Return n words of 64 random bits from the operating system, as an array that can be written to."""
    return np.frombuffer(bytearray(random_bytes(8 * n)), dtype="<u8").astype(np.uint64, copy=False)


def random_bytes(n: int) -> bytes:
    """Return n random bytes from the operating system; the tests replace this function."""
    return os.urandom(n)


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
    return _first_accepted(scores, epsilon, sensitivity, lambda d: uniform_below(d, max(64, d)))


def permute_and_flip(scores: Sequence[int] | Any, epsilon: Fraction, sensitivity: int) -> int:
    """Return the position of a candidate, drawn by permute and flip; arguments as for `choose`.

    The choice is `epsilon`-differentially private, and misses the best score by no more than that of `choose`, often by
    half of it. Its zCDP is that of any mechanism of pure epsilon, ``epsilon^2 / 2``, so `choose` costs less rho.

    References
    ----------
    .. [1] R. McKenna, D. Sheldon, "Permute-and-flip: a new mechanism for differentially private selection", 2020.
    """
    return _first_accepted(scores, epsilon, sensitivity, _permutation)


def _first_accepted(scores: Any, epsilon: Fraction, sensitivity: int, propose: Callable[[int], Integers]) -> int:
    """Return the first proposed candidate that is accepted, with probability exp(-epsilon gap / (2 sensitivity))."""
    found = np.asarray(scores)
    gaps = found.max() - found
    numerators = gaps.astype(object) if int(gaps.max()) * epsilon.numerator >= LARGEST else gaps
    numerators = numerators * epsilon.numerator
    # The best candidate always is accepted, so that it ends; no weight is ever rounded.
    while True:
        drawn = propose(len(found))
        accepted = np.flatnonzero(bernoulli_exp(numerators[drawn], epsilon.denominator * 2 * sensitivity))
        if accepted.size:
            # The first accepted one: taking another, such as the best, would change the probabilities.
            return int(drawn[accepted[0]])


def _permutation(n: int) -> Integers:
    """Return 0..n-1 in random order, every order with the same probability."""
    while True:
        words = random_words(n)
        order = np.argsort(words)
        # Of equal words, the sort decides which is first, so that all are drawn again.
        if (np.diff(words[order]) > 0).all():
            return order
