"""What the people with the same quasi-identifiers reveal about a secret: modes and medians of classes.

Question: how often is the most frequent value of a class the value of a target?
Method: rows are numbered by class. The guess for a class is its most frequent value or, for numbers, its median; where
the class is empty, the guess is that for everybody.
Limits: arrays of codes and numbers only; which rows are members and which outsiders is the caller's decision.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Flags, Floats, Ints
from privaudit.base.arrow import pa
from privaudit.base.distinct_numbers import distinct
from privaudit.base.records import dataclass

WITHIN = 0.05
"""A guessed number counts as correct within this share of the true value."""
MOST_NUMBERS = 20
"""A numeric secret with more distinct values than this is guessed within a band, not by its value."""
_CANDIDATES = 512


def numbers_of(cells: pa.ChunkedArray) -> Floats | None:
    """Return cells as numbers; None where one is missing or not a finite number."""
    try:
        numbers = np.array([float(cell) for cell in cells.to_pylist()])
    except (TypeError, ValueError):
        return None
    return numbers if np.isfinite(numbers).all() else None


@dataclass(frozen=True, slots=True)
class Guesses:
    """The guess of each class and for everybody.

    ``is_known`` marks the classes that have a row.
    """

    of_class: npt.NDArray[np.number]
    is_known: Flags
    for_all: float

    def of(self, labels: Ints) -> npt.NDArray[np.number]:
        """Return the guess for rows of these classes."""
        return np.where(self.is_known[labels], self.of_class[labels], self.for_all)


@dataclass(frozen=True, slots=True)
class Categories:
    """A secret of `n_values` values; ``codes`` are 0 to ``n_values - 1``.

    ``frequency`` is how often each value occurs in a whole release: it decides between values that are equally frequent
    in a class. Without it the first of them is the guess.
    """

    codes: Ints
    n_values: int
    frequency: Ints | None = None

    def guesses(self, rows: Ints, labels: Ints, n_classes: int) -> Guesses:
        """Return the most frequent value of each class; of equally frequent ones, that of the highest `frequency`."""
        values = self.codes[rows]
        key, counts = np.unique(labels * self.n_values + values, return_counts=True)
        klass, value = np.divmod(key, self.n_values)
        # By value last, so that of equally frequent values the result does not depend on the order of the rows.
        overall = counts if self.frequency is None else self.frequency[value]
        order = np.lexsort((value, -overall, -counts, klass))
        at = order[_begins(klass[order])]
        best, is_known = np.zeros(n_classes, dtype=np.int64), np.zeros(n_classes, dtype=bool)
        best[klass[at]], is_known[klass[at]] = value[at], True
        return Guesses(best, is_known, self.for_all(rows))

    def for_all(self, rows: Ints) -> float:
        """Return the most frequent value."""
        return int(np.bincount(self.codes[rows], minlength=1).argmax())

    def correct(self, rows: Ints, guessed: npt.NDArray[np.number]) -> Flags:
        """Return whether each guess is the value."""
        return self.codes[rows] == guessed

    def in_sample(self, labels: Ints, n_classes: int) -> int:
        """Return the rows that the most frequent value of their class is right for, ties included."""
        key, counts = np.unique(labels * self.n_values + self.codes, return_counts=True)
        return int(_largest(key // self.n_values, counts, n_classes).sum())

    def leave_one_out(self, labels: Ints, n_classes: int) -> int:
        """Return the rows that the most frequent value of the others in their class is right for.

        Ties and rows alone in their class take the most frequent value of the table.
        """
        key, index, counts = np.unique(labels * self.n_values + self.codes, return_inverse=True, return_counts=True)
        klass = key // self.n_values
        top = _largest(klass, counts, n_classes)
        is_top = counts == top[klass]
        n_top = np.bincount(klass[is_top], minlength=n_classes)
        second = _largest(klass[~is_top], counts[~is_top], n_classes)
        is_second = counts == second[klass]
        n_second = np.bincount(klass[is_second], minlength=n_classes)
        # The best other value of the class, and how many values share that place.
        leads = is_top[index] & (n_top[labels] == 1)
        rival = np.where(leads, second[labels], top[labels])
        n_rivals = np.where(leads, n_second[labels], n_top[labels] - is_top[index])
        own = counts[index] - 1  # without the row itself
        majority = self.codes == np.bincount(self.codes).argmax()
        is_undecided = (own == rival) | ((own < rival) & (n_rivals > 1))
        return int(np.where(is_undecided, majority, own > rival).sum())

    def homogeneous(self, labels: Ints, n_classes: int) -> tuple[int, int]:
        """Return the rows in classes with one value: in classes of one row, and in larger ones."""
        n_distinct = np.bincount(distinct(labels * self.n_values + self.codes) // self.n_values, minlength=n_classes)
        size = np.bincount(labels, minlength=n_classes)
        same = n_distinct == 1
        return int((same & (size == 1)).sum()), int(size[same & (size > 1)].sum())


def _begins(ordered: Ints) -> Flags:
    """Return where a new value begins in an array of runs."""
    return np.append(True, ordered[1:] != ordered[:-1]) if len(ordered) else np.zeros(0, dtype=bool)


def _largest(klass: Ints, counts: Ints, n_classes: int) -> Ints:
    largest = np.zeros(n_classes, dtype=np.int64)
    np.maximum.at(largest, klass, counts)
    return largest


@dataclass(frozen=True, slots=True)
class Numbers:
    """A secret that is a number; a guess is right within `WITHIN` of the true value."""

    values: Floats

    def guesses(self, rows: Ints, labels: Ints, n_classes: int) -> Guesses:
        """Return the lower median of each class, and the number that is right for most rows."""
        order = np.lexsort((self.values[rows], labels))
        counts = np.bincount(labels, minlength=n_classes)
        start = np.cumsum(counts) - counts
        middle = np.zeros(n_classes)
        filled = counts > 0
        middle[filled] = self.values[rows][order][(start + (counts - 1) // 2)[filled]]
        return Guesses(middle, filled, self.for_all(rows))

    def for_all(self, rows: Ints) -> float:
        """Return the number that is right for most rows."""
        values, counts = np.unique(self.values[rows], return_counts=True)
        if not len(values):
            return 0.0
        up_to = np.append(0, np.cumsum(counts))
        # Quantiles: of a skewed number, most of an even grid would be where nobody is.
        quantiles = np.linspace(0, len(rows) - 1, min(_CANDIDATES, len(rows))).astype(int)
        guessed = np.unique(np.searchsorted(up_to, quantiles, side="right") - 1)
        first, last = self._near(values, guessed)
        right = np.where(np.isnan(values[guessed]), 0, up_to[last + 1] - up_to[first])
        return float(values[guessed[np.argmax(right)]])

    @classmethod
    def _near(cls, values: Floats, guessed: Ints) -> tuple[Ints, Ints]:
        """Return the first and the last of the ascending `values` for which the one at each place is a right guess."""
        guess = values[guessed]
        ends = np.sort([guess / (1 + WITHIN), guess / (1 - WITHIN)], axis=0)
        # Rounding may move an end: each is looked for from slightly outside.
        margin = 1e-9 * np.abs(guess)
        first = np.minimum(np.searchsorted(values, ends[0] - margin), guessed)
        last = np.maximum(np.searchsorted(values, ends[1] + margin, side="right") - 1, guessed)
        while (is_outside := (first < guessed) & ~cls._is_near(values[first], guess)).any():
            first += is_outside
        while (is_outside := (last > guessed) & ~cls._is_near(values[last], guess)).any():
            last -= is_outside
        return first, last

    @staticmethod
    def _is_near(true: Floats, guessed: npt.NDArray[np.number] | float) -> Flags:
        return np.abs(guessed - true) <= WITHIN * np.abs(true)

    def correct(self, rows: Ints, guessed: npt.NDArray[np.number]) -> Flags:
        """Return whether each guess is within the band around the true value."""
        return self._is_near(self.values[rows], guessed)


Secret = Categories | Numbers
"""The values of a secret, one for each row: what it is guessed to be in each class and by everybody."""
