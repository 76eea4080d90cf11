"""What the estimators of population uniques start from and what they return.

Question: which numbers of a release do the models read, and what does a model return that does not apply?
Method: `Sample` is the histogram of class sizes with the size of the population; `ModelEstimate` is an estimate or
the reason why there is none, as a coded fact.
Limits: nothing is estimated here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.errors import ConfigError
from privaudit.model.wording import Fact, fact
from privaudit.risk.population.population_numerics import Floats

Ints = npt.NDArray[np.integer[Any]]

NO_UNIQUES = fact("risk.no_sample_uniques")
TOO_MANY = fact("risk.more_uniques_than_people")


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """An estimated number of people, or None and the reason why the model does not apply.

    ``parameters`` are the fitted parameters of the model by name; ``caution`` states where a fitted model disagrees
    with the release.
    """

    value: float | None
    reason: Fact | None = None
    parameters: tuple[tuple[str, float], ...] = ()
    caution: Fact | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """Histogram of class sizes and the numbers that the models read off it."""

    size: Floats
    count: Floats
    n: int
    population: int

    @classmethod
    def of(cls, size: Sequence[int] | Ints, count: Sequence[int] | Ints, population: int) -> Sample:
        """Return the sample after checking it against the size of the population; errors as in `population_uniques`."""
        f, c = np.asarray(size, np.int64), np.asarray(count, np.int64)
        n = int((f * c).sum())
        if n < 1 or len(f) != len(c) or (f < 1).any() or (c < 1).any():
            raise ValueError("a histogram of class sizes has positive sizes and counts, and at least one")
        if population < n:
            raise ConfigError(
                f"the population ({population:,} people) is smaller than the table ({n:,} records).",
                hint="--population is the number of people the records were drawn from",
            )
        return cls(f.astype(np.float64), c.astype(np.float64), n, population)

    def classes_of(self, size: int) -> float:
        """Return the number of classes that contain `size` records."""
        return float(self.count[self.size == size].sum())

    @property
    def c1(self) -> float:
        """Classes of one record."""
        return self.classes_of(1)

    @property
    def c2(self) -> float:
        """Classes of two records."""
        return self.classes_of(2)

    @property
    def classes(self) -> float:
        """Classes of the release, J."""
        return float(self.count.sum())

    @property
    def fraction(self) -> float:
        """Sampling fraction, n / N."""
        return self.n / self.population
