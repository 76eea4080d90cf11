"""Before anything is spent: what can each method pay for?

Question: which method gives the most useful table for this number of records, epsilon and domain?
Method: from the declared number of records, epsilon, delta and the sizes of the columns alone: the standard deviation
of the noise in a cell, and the expected error of a pair of columns. It has three parts: the noise of its columns, of
which c cells cost about t / (1 + t), t = 0.4 sd c / n (half the expected L1 norm, limited by the projection onto
distributions); the part of the dependence between columns that the method does not measure; and the error of n drawn
records, added in squares. How strongly columns depend on each other is not known before they are read: the error is
stated for a typical table and for the range of `DEPENDENCE`, and the method is recommended whose error is, at the worst
place of that range, the smallest multiple of the best one.
Limits: over 45 settings of five tables (500 to 30,000 records, epsilon 0.1 to 10) the measured errors were between half
and twice the range, and the recommended method had at most 1.3 times the smallest error (`tests` measure some of them).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from privaudit.base.records import dataclass
from privaudit.releases.privacy.accounting import rho_of
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.methods.aim import MEASURED, ROUNDS_PER_COLUMN
from privaudit.releases.synthetic.methods.privbayes import FOR_CHOICES, LEAST_PER_CELL

WITHIN = 1.05
"""Ratio of expected errors up to which the simpler method is recommended."""
PRIVATE = ("independent", "mst", "privbayes", "aim")
DEPENDENCE = (0.04, 0.08, 0.14)
"""Mean distance of pairs from independence: weak, typical (Adult: 0.082) and strong."""
DRAWN = 0.5
"""Error of drawn records relative to that of a random sample: conditional shares are drawn systematically."""
SIZES = (1_000, 10_000, 100_000)
"""Numbers of records that are shown where the domain declares none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """What a method is expected to do.

    Attributes
    ----------
    noise : float
        Standard deviation in a cell of the margins that decide.
    added : float
        Error of a pair from noise.
    lost : float
        Part of the dependence that is not measured, 0 to 1.
    drawn : float
        Error of a pair in as many drawn records.
    """

    method: str
    noise: float
    added: float
    lost: float
    drawn: float

    @property
    def error(self) -> float:
        """Expected mean total variation distance of pairs in a typical table."""
        return self.error_at(DEPENDENCE[1])

    def error_at(self, dependence: float) -> float:
        """Return the expected error for a mean distance of pairs from independence."""
        return min(1.0, math.hypot(self.added + self.lost * dependence, self.drawn))


def prospects(domain: Domain, n: float, epsilon: float, delta: float, rows_per_unit: int = 1) -> tuple[Prospect, ...]:
    """Return what each method is expected to do, best first.

    Parameters
    ----------
    n : float
        Declared number of records.
    """
    rho, sizes = rho_of(epsilon, delta), domain.sizes
    found = [
        _independent(sizes, n, epsilon, rows_per_unit),
        _mst(sizes, n, rho, rows_per_unit),
        _privbayes(sizes, n, epsilon, rows_per_unit),
        _aim(sizes, n, rho, rows_per_unit),
    ]
    return tuple(sorted(found, key=lambda each: (each.error, PRIVATE.index(each.method))))


def _prospect(method: str, sizes: Sequence[int], n: float, noise: float, *, single: float, kept: float) -> Prospect:
    """Return a prospect; `single` is the noise of single columns, `kept` the part of the dependence."""
    drawn = DRAWN * 0.4 * _typical(sizes) / math.sqrt(n)
    return Prospect(method=method, noise=noise, added=_columns(sizes, n, single), lost=1 - kept, drawn=drawn)


def _independent(sizes: Sequence[int], n: float, epsilon: float, rows: int) -> Prospect:
    noise = rows * math.sqrt(2) * len(sizes) / epsilon
    return _prospect("independent", sizes, n, noise, single=noise, kept=0.0)


def _mst(sizes: Sequence[int], n: float, rho: float, rows: int) -> Prospect:
    """A third of the budget for columns, a third for a tree of pairs, which keeps about half of the dependence."""
    single = rows * math.sqrt(3 * len(sizes) / (2 * rho))
    noise = rows * math.sqrt(3 * max(1, len(sizes) - 1) / (2 * rho))
    return _prospect("mst", sizes, n, noise, single=single, kept=0.5 * (1 - _pair(sizes, n, noise)))


def _privbayes(sizes: Sequence[int], n: float, epsilon: float, rows: int) -> Prospect:
    """Tables are as large as their noise allows; they keep about half of the dependence."""
    noise = rows * math.sqrt(2) * len(sizes) / ((1 - FOR_CHOICES) * epsilon)
    most_cells = n / (LEAST_PER_CELL * noise)
    kept = 0.5 * min(1.0, most_cells / _typical(sizes) ** 2)
    return _prospect("privbayes", sizes, n, noise, single=noise, kept=kept)


def _aim(sizes: Sequence[int], n: float, rho: float, rows: int) -> Prospect:
    """Rounds have about twice the cost that they start with; they keep nearly all of the dependence."""
    first = rows * math.sqrt(ROUNDS_PER_COLUMN * len(sizes) / (2 * MEASURED * rho))
    noise = first / 2
    return _prospect("aim", sizes, n, noise, single=noise, kept=0.85 * (1 - _pair(sizes, n, noise / 2)))


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
    """Return the simplest method whose worst ratio to the best one, over `DEPENDENCE`, is nearly the least."""
    best = {each: min(other.error_at(each) for other in found) for each in DEPENDENCE}
    worst = {one.method: max(one.error_at(each) / max(best[each], 1e-9) for each in DEPENDENCE) for one in found}
    least = min(worst.values())
    close = [one for one in found if worst[one.method] <= WITHIN * least]
    return min(close, key=lambda each: PRIVATE.index(each.method))
