"""The histogram of equivalence class sizes, and the measures that follow from it.

Question: which class sizes does a table have, and what follows from them alone?
Method: a histogram (size -> number of classes). k, sample uniques, records below a threshold, prosecutor risk
and the share at risk are all integers of it, or one division of integers.
Limits: the histogram does not show which records are in a class, nor the people outside the table. Thresholds on risk
are compared as exact fractions: 1/11 > 0.09, although guidelines that state 0.09 mean a class of 11.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from privaudit.base.arrays import Ints
from privaudit.base.records import dataclass

PROBABILITIES = ("0.05", "0.075", "0.09", "0.1", "0.2", "0.33", "0.5")
"""Re-identification probabilities for which the share of records at risk is measured."""


def separation(n: int, squares: int) -> float | None:
    """Return the share of record pairs in different classes, from the sum of squared class sizes; None for one row."""
    return (n * n - squares) / (n * n - n) if n > 1 else None


class Exposure(ABC):
    """How many records share their class with how many, themselves included, or match how many where cells are missing.

    Attributes
    ----------
    size : tuple of int
        The numbers f that occur, ascending.
    records : tuple of int
        Records (or people) with each number; they sum to n.
    """

    __slots__ = ()
    size: tuple[int, ...]

    @property
    @abstractmethod
    def records(self) -> tuple[int, ...]:
        """Records with each number."""

    @property
    def n_rows(self) -> int:
        """Records, n."""
        return sum(self.records)

    @property
    def k_min(self) -> int:
        """The smallest number, the k of k-anonymity; 0 for an empty table."""
        return self.size[0] if self.size else 0

    def below(self, k: int) -> int:
        """Return the *records* with a number smaller than `k`."""
        return sum(n for f, n in zip(self.size, self.records, strict=True) if f < k)

    def below_each(self, thresholds: Iterable[int]) -> dict[str, int]:
        """Return the records below each threshold."""
        return {str(k): self.below(k) for k in thresholds}

    @property
    def n_unique(self) -> int:
        """Sample uniques: records that are alone."""
        return self.below(2)

    @property
    def n_pairs(self) -> int:
        """Ordered pairs of a record and one like it, itself included: the sum of squared class sizes."""
        return sum(f * n for f, n in zip(self.size, self.records, strict=True))

    @property
    def separation(self) -> float | None:
        """Share of pairs of records that are not alike; None where there are no pairs."""
        return separation(self.n_rows, self.n_pairs)

    @property
    def prosecutor_mean(self) -> float:
        """Mean of ``1 / f`` over records; for classes it equals ``J / n``."""
        # Rounded once, so that the order of the sizes does not change the last bit.
        return math.fsum(n / f for f, n in zip(self.size, self.records, strict=True)) / self.n_rows

    def n_at_risk(self, threshold: float | str) -> int:
        """Return the records whose prosecutor risk exceeds `threshold`: ``1 / f > t``, compared exactly.

        A float is read as its shortest decimal: 0.1 means one tenth, and a class of 10 is not above it.
        """
        exact = Fraction(str(threshold))
        return sum(n for f, n in zip(self.size, self.records, strict=True) if exact * f < 1)

    def share_at_risk(self, threshold: float | str) -> float:
        """Return `n_at_risk` over all records, in [0, 1]."""
        return self.n_at_risk(threshold) / self.n_rows


@dataclass(frozen=True, slots=True)
class ClassSizes(Exposure):
    """Histogram of equivalence class sizes.

    Parameters
    ----------
    size : tuple of int
        The class sizes that occur, ascending, each at least 1.
    count : tuple of int
        ``count[i]`` classes have ``size[i]`` records; each at least 1.

    Raises
    ------
    ValueError
        If the two differ in length, or sizes do not ascend, or a number is below 1.
    """

    size: tuple[int, ...]
    count: tuple[int, ...]

    def __post_init__(self) -> None:
        """Reject what is not a histogram."""
        if len(self.size) != len(self.count):
            raise ValueError("size and count must have the same length")
        if any(number < 1 for number in (*self.size, *self.count)):
            raise ValueError("class sizes and their counts are 1 or more")
        if any(a >= b for a, b in zip(self.size, self.size[1:], strict=False)):
            raise ValueError("class sizes must ascend")

    @classmethod
    def of(cls, sizes: Ints, *, n_rows: int) -> ClassSizes:
        """Build the histogram from the size of every class.

        Parameters
        ----------
        sizes : int64 array of shape (J,)
            Records in each class, each at least 1.
        n_rows : int
            Records of the table; the sizes must sum to it, so that no record is lost to a missing key.

        Raises
        ------
        ValueError
            If the sizes do not sum to `n_rows`.
        """
        size, count = np.unique(np.asarray(sizes, dtype=np.int64), return_counts=True)
        made = cls(tuple(size.tolist()), tuple(count.tolist()))
        if made.n_rows != n_rows:
            raise ValueError(f"class sizes sum to {made.n_rows}, not to {n_rows} records")
        return made

    @property
    def records(self) -> tuple[int, ...]:
        """Records in the classes of each size."""
        return tuple(f * c for f, c in zip(self.size, self.count, strict=True))

    @property
    def n_classes(self) -> int:
        """Equivalence classes, J."""
        return sum(self.count)

    @property
    def mean_size(self) -> float:
        """Mean class size, n / J."""
        return self.n_rows / self.n_classes

    def merge(self, other: ClassSizes) -> ClassSizes:
        """Return the histogram of two tables that share no class."""
        joint: dict[int, int] = {}
        for part in (self, other):
            for f, c in zip(part.size, part.count, strict=True):
                joint[f] = joint.get(f, 0) + c
        sizes: Sequence[int] = sorted(joint)
        return ClassSizes(tuple(sizes), tuple(joint[f] for f in sizes))
