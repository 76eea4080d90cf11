"""What regions disclose of a sensitive attribute to someone who knows some of the people.

Question: how much better than with the most frequent value does an attacker guess, who knows the region of everyone and
the attribute of 60 people?
Method: in each region the attacker names the value that most of the known people there have, and the more frequent one
in the table where two are equal or nobody is known. The number of known people with a value in a region is Poisson with
mean 60 times its share of the table, so that the expected accuracy is a sum and not a simulation. Noise is what
the share of the most frequent value in a sample as large as the table exceeds in one of 20 cases.
Limits: the number of known people is itself Poisson with mean 60. Numbers are guessed by bands, and values after the
59 most frequent ones together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Floats, Ints
from privaudit.base.records import dataclass
from privaudit.risk.pictures.categories import MISSING, MOST_VALUES, Coded, Counts

Rows = npt.NDArray[np.intp]
ONE_IN_20 = NormalDist().inv_cdf(0.95)
KNOWN = 60
"""People whose attribute the attacker knows."""
TOGETHER = 64
"""Attributes times regions whose gains are computed at once: some ten megabytes."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """A sensitive attribute that regions must not disclose.

    Attributes
    ----------
    codes : int8 array of shape (n,)
        Value of each record by frequency, 0 the most frequent one; -1 for a missing cell.
    n_values, n_known : int
        Values, and records with a value.
    noise : float
        By how much the share of right guesses may exceed that of the most frequent value.
    """

    codes: npt.NDArray[np.int8]
    n_values: int
    n_known: int
    noise: float

    @classmethod
    def of(cls, column: Coded) -> Attribute | None:
        """Return the attribute in a column; None where it has a single value."""
        codes = column.category if column.categories else np.minimum(column.value, MOST_VALUES - 1)
        counts = np.bincount(codes[codes != MISSING])
        if len(counts) < 2:
            return None
        order = np.argsort(-counts, kind="stable")
        rank = np.append(np.argsort(order), MISSING).astype(np.int8)
        n, most = int(counts.sum()), int(counts.max())
        return cls(rank[codes], len(counts), n, ONE_IN_20 * float(np.sqrt(most / n * (1 - most / n) / n)))

    def rows(self, chosen: Rows) -> Attribute:
        """Return the attribute of some records."""
        return replace(self, codes=self.codes[chosen])

    def counted(self, rows: Rows, n_records: Counts | None) -> npt.NDArray[Any]:
        """Return the records of each value among some rows; parameters as in `gains`."""
        weights = None if n_records is None else n_records[rows]
        return np.bincount(self.codes[rows] - MISSING, weights=weights, minlength=self.n_values + 1)[1:]


def attributes(columns: Iterable[Coded]) -> tuple[Attribute, ...]:
    """Return the attributes in columns, without those with a single value."""
    found = map(Attribute.of, columns)
    return tuple(attribute for attribute in found if attribute is not None)


def gains(known: Sequence[Attribute], parts: Sequence[Rows], n_records: Counts | None) -> Floats:
    """Return the expected share of records in the table that guesses within a region add to those of its table.

    Gains of several regions add up.

    Parameters
    ----------
    known : sequence of Attribute
    parts : sequence of int arrays
        The rows of each region.
    n_records : int64 array of shape (n,), optional
        How many records each row is; 1 where not given.

    Returns
    -------
    float64 array of shape (regions, attributes)
    """
    size = max(1, TOGETHER // max(1, len(parts)))
    made = [_gains(known[i : i + size], parts, n_records) for i in range(0, len(known), size)]
    return np.concatenate([np.zeros((len(parts), 0)), *made], axis=1)


def _gains(known: Sequence[Attribute], parts: Sequence[Rows], n_records: Counts | None) -> Floats:
    # An attribute with fewer values than another has further ones that nobody has; they are never guessed.
    counts = np.zeros((len(parts), len(known), max(attribute.n_values for attribute in known)))
    for i, rows in enumerate(parts):
        for j, attribute in enumerate(known):
            counts[i, j, : attribute.n_values] = attribute.counted(rows, n_records)
    n_known = np.array([attribute.n_known for attribute in known])
    return ((counts * _guesses(KNOWN * counts / n_known[:, None])).sum(axis=2) - counts[:, :, 0]) / n_known


def _guesses(means: Floats) -> Floats:
    """Return the probability that each value is guessed, of shape (..., values).

    Of each attribute and region, ``means[..., v]`` known people are expected to have value v.
    """
    most = means.max(initial=0)
    n, logs = (each[: int(most + 12 * np.sqrt(most) + 12)] for each in _factorials())
    exactly = np.exp(n * np.log(np.maximum(means, 1e-300))[..., None] - means[..., None] - logs)
    at_most = np.minimum(exactly.cumsum(axis=-1), 1)
    # A value is guessed where fewer people have any more frequent value, and not more any less frequent one.
    before, after = np.ones_like(at_most), np.ones_like(at_most)
    before[..., 1:, 0] = 0
    np.cumprod(at_most[..., :-1, :-1], axis=-2, out=before[..., 1:, 1:])
    np.cumprod(at_most[..., :0:-1, :], axis=-2, out=after[..., -2::-1, :])
    exactly *= before
    exactly *= after
    return exactly.sum(axis=-1)


@cache
def _factorials() -> tuple[Ints, Floats]:
    """Return the numbers of known people in a region that have any probability, and the logarithm of each factorial."""
    n = np.arange(int(KNOWN + 12 * np.sqrt(KNOWN) + 12))
    return n, np.cumsum(np.log(np.maximum(n, 1)))
