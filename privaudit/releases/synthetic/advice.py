"""Before anything is spent: what can each method pay for?

Question: which method gives the most useful table for this number of records, epsilon and domain?
Method: from the declared number of records, epsilon, delta and the sizes of the columns alone: the standard deviation
of the noise in a cell, the error that it adds to a pair of columns, and the error from relations that the method does
not measure. The error of noise in a margin of c cells is about t / (1 + t), t = 0.4 sd c / n, which is half the
expected L1 norm, limited by the projection onto distributions. Relations that are not measured are taken to be those
of a typical table: 0.08 for independent columns.
Limits: a rough guide: at epsilon 1 it expects 0.018 for AIM on Adult, where 0.028 was measured; what the columns
have to do with each other is not known before they are read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from privaudit.releases.privacy.accounting import rho_of
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.methods.aim import MEASURED, ROUNDS_PER_COLUMN
from privaudit.releases.synthetic.methods.privbayes import FOR_CHOICES, LEAST_PER_CELL

WITHIN = 1.1
"""Ratio of expected errors up to which the simpler method is recommended."""
PRIVATE = ("independent", "mst", "privbayes", "aim")
DEPENDENCE = 0.08
"""Mean distance of pairs from independence in a typical table (Adult: 0.082)."""
SIZES = (1_000, 10_000, 100_000)
"""Numbers of records that are shown where the domain declares none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """What a method is expected to do.

    Attributes
    ----------
    noise : float
        Standard deviation in a cell of the margins that decide.
    error : float
        Expected mean total variation distance of pairs.
    """

    method: str
    noise: float
    error: float


def prospects(
    domain: Domain, n: float, epsilon: float, delta: float, rows_per_unit: int = 1
) -> tuple[Prospect, ...]:
    """Return what each method is expected to do, best first.

    Parameters
    ----------
    n : float
        Declared number of records.
    """
    rho = rho_of(epsilon, delta)
    found = [_independent(domain.sizes, n, epsilon, rows_per_unit), _mst(domain.sizes, n, rho, rows_per_unit)]
    found += [
        _privbayes(domain.sizes, n, epsilon, rows_per_unit),
        _aim(domain.sizes, n, rho, rows_per_unit),
    ]
    return tuple(sorted(found, key=lambda each: (each.error, PRIVATE.index(each.method))))


def _independent(sizes: Sequence[int], n: float, epsilon: float, rows: int) -> Prospect:
    noise = rows * math.sqrt(2) * len(sizes) / epsilon
    return Prospect(method="independent", noise=noise, error=_columns(sizes, n, noise) + DEPENDENCE)


def _mst(sizes: Sequence[int], n: float, rho: float, rows: int) -> Prospect:
    """A third of the budget for columns, a third for a tree of pairs, which keeps about half of the dependence."""
    single = rows * math.sqrt(3 * len(sizes) / (2 * rho))
    noise = rows * math.sqrt(3 * max(1, len(sizes) - 1) / (2 * rho))
    kept = 0.5 * (1 - _pair(sizes, n, noise))
    return Prospect(method="mst", noise=noise, error=_columns(sizes, n, single) + DEPENDENCE * (1 - kept))


def _privbayes(sizes: Sequence[int], n: float, epsilon: float, rows: int) -> Prospect:
    """Tables are as large as their noise allows; they keep about two thirds of the dependence."""
    noise = rows * math.sqrt(2) * len(sizes) / ((1 - FOR_CHOICES) * epsilon)
    most_cells = n / (LEAST_PER_CELL * noise)
    pair = _typical(sizes) ** 2
    kept = 0.66 * min(1.0, most_cells / pair)
    return Prospect(
        method="privbayes", noise=noise, error=_columns(sizes, n, noise) + DEPENDENCE * (1 - kept)
    )


def _aim(sizes: Sequence[int], n: float, rho: float, rows: int) -> Prospect:
    """Rounds have about twice the cost that they start with; they keep nearly all of the dependence."""
    first = rows * math.sqrt(ROUNDS_PER_COLUMN * len(sizes) / (2 * MEASURED * rho))
    noise = first / 2
    kept = 0.9 * (1 - _pair(sizes, n, noise / 2))
    return Prospect(method="aim", noise=noise, error=_columns(sizes, n, noise) + DEPENDENCE * (1 - kept))


def _columns(sizes: Sequence[int], n: float, noise: float) -> float:
    """Return the error of a pair from the noise of its two columns."""
    return 1.5 * sum(_limited(0.4 * noise * size / n) for size in sizes) / len(sizes)


def _pair(sizes: Sequence[int], n: float, noise: float) -> float:
    return _limited(0.4 * noise * _typical(sizes) ** 2 / n)


def _typical(sizes: Sequence[int]) -> float:
    """Return the geometric mean of the numbers of codes."""
    return math.exp(sum(map(math.log, sizes)) / len(sizes))


def _limited(t: float) -> float:
    return t / (1 + t)


def recommended(found: Sequence[Prospect]) -> Prospect:
    """Return the simplest method whose expected error is within a tenth of the best."""
    best = min(each.error for each in found)
    close = [each for each in found if each.error <= WITHIN * best]
    return min(close, key=lambda each: PRIVATE.index(each.method))
