"""Regions of similar records, coloured by the share of records at risk.

Question: where among the records are those in small classes, when no record may be a point?
Method: a record is at the mean of its categories on the map. Regions are split at the median of the coordinate that
extends further, as long as both halves keep 11 records (k-d tree), and as long as someone who knows the regions and 60
of the people guesses no sensitive attribute better than with its most frequent value, except by noise. A region is a
tile of the unit square that every split halves: it shows neither coordinates nor how far a region extends, which
outliers would decide.
Limits: tiles next to each other are similar; the size of a tile shows how often it was split, not how many records it
has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Flags, Floats, Ints
from privaudit.base.distinct_numbers import distinct
from privaudit.model.pictures import Region
from privaudit.model.wording.rounding import SMALL_CELL
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.risk.pictures.categories import MISSING, Coded, Counts
from privaudit.risk.pictures.guessing import Attribute, Rows, gains

Halves: TypeAlias = tuple[Rows, Rows]
MOST_SPLITS = 6
TENTHS = 10


class Tile(NamedTuple):
    """A part of the unit square."""

    x: float
    y: float
    width: float
    height: float

    def halves(self, axis: int) -> tuple[Tile, Tile]:
        """Return the two halves along an axis."""
        if axis == 0:
            half = self.width / 2
            return self._replace(width=half), self._replace(x=self.x + half, width=half)
        half = self.height / 2
        return self._replace(height=half), self._replace(y=self.y + half, height=half)


def places_of(columns: Sequence[Coded], coordinates: Floats) -> Floats:
    """Return the mean of the coordinates of the categories of each record; 0 where it has none with a point."""
    total, n = np.zeros((len(columns[0].category), 2)), np.zeros((len(columns[0].category), 1))
    start = 0
    for column in columns:
        of_categories = coordinates[start : start + len(column.categories)]
        start += len(column.categories)
        has = np.isfinite(of_categories[:, :1])
        if has.any():
            # A missing cell has the code -1 and so the last row, which adds nothing.
            total += np.vstack([np.where(has, of_categories, 0), [[0, 0]]])[column.category]
            n += np.vstack([has, [[False]]])[column.category]
    return total / np.maximum(n, 1)


def at_risk(columns: Sequence[Coded], k: int, person: Ints | None = None) -> Flags:
    """Return whether the class of each record over all columns is smaller than `k`; a missing cell is a value.

    The size of a class is its number of records, or of different people where `person` has one for each record.
    """
    codes = [column.value + 1 for column in columns]
    group, _ = dense_labels(codes)
    members = group
    if person is not None and len(group):
        n_people = int(person.max(initial=0)) + 1
        members = distinct(group * n_people + person) // n_people
    return np.bincount(members)[group] < k


def distinct_records(columns: Sequence[Coded], secrets: Sequence[Attribute], risky: Flags) -> tuple[Rows, Counts]:
    """Return one record of each distinct combination that regions depend on, and the record count of each.

    Returns
    -------
    rows : intp array of shape (d,)
    n_records : int64 array of shape (d,), which sums to n
    """
    codes: list[npt.NDArray[Any]] = [
        *(column.category for column in columns),
        *(secret.codes for secret in secrets),
        risky,
    ]
    dense = [code.astype(np.int32) - MISSING for code in codes]
    kind, n_kinds = dense_labels(dense)
    chosen = np.zeros(n_kinds, dtype=np.intp)
    chosen[kind] = np.arange(len(kind))
    return chosen, np.bincount(kind, minlength=n_kinds)


def regions(
    places: Floats, risky: Flags, secrets: Sequence[Attribute] = (), n_records: Counts | None = None
) -> tuple[Region, ...]:
    """Return the regions of records at `places`, in a fixed order; none where not even one split is possible.

    Parameters
    ----------
    places : float64 array of shape (n, 2)
    risky : bool array of shape (n,)
        Whether a record is at risk.
    secrets : sequence of Attribute
        Sensitive attributes that the regions must not disclose.
    n_records : int64 array of shape (n,), optional
        How many records each row is; 1 where not given.
    """
    n = np.ones(len(places), dtype=np.int64) if n_records is None else n_records
    found = sorted(split(places, secrets, n), key=lambda part: part[0])
    shares = [float(n[inside] @ risky[inside] / n[inside].sum()) for _, inside in found]
    return tuple(
        Region(**tile._asdict(), share_below_k=round(share * TENTHS) / TENTHS)
        for (tile, _), share in zip(found, shares, strict=True)
        if len(found) > 1
    )


def split(
    places: Floats, secrets: Sequence[Attribute] = (), n_records: Counts | None = None
) -> Iterator[tuple[Tile, Rows]]:
    """Yield the tile and the rows of each region, split level by level; parameters as in `regions`."""
    n = np.ones(len(places), dtype=np.int64) if n_records is None else n_records
    # Rounded, so that the last digits of another processor do not move a record over a median.
    axes = np.ascontiguousarray(np.round(places, 6).T)
    everyone = np.arange(len(places))
    total, noise = gains(secrets, [everyone], n)[0], np.array([secret.noise for secret in secrets])
    level = [(Tile(0.0, 0.0, 1.0, 1.0), everyone, total)]
    for _ in range(MOST_SPLITS):
        halves = _halves([rows for _, rows, _ in level], axes, secrets, n)
        parents, level = level, []
        for (tile, rows, gain), options in zip(parents, halves, strict=True):
            for axis, parts, new in options:
                if (total - gain + new.sum(axis=0) <= noise).all():
                    total = total - gain + new.sum(axis=0)
                    level += zip(tile.halves(axis), parts, new, strict=True)
                    break
            else:
                yield tile, rows
    yield from ((tile, rows) for tile, rows, _ in level)


def _halves(
    regions: Sequence[Rows], axes: Floats, secrets: Sequence[Attribute], n_records: Counts
) -> list[Iterable[tuple[int, Halves, Floats]]]:
    """Return for each region the axes at which it may be split, the halves, and the gains within both.

    The gains along the first axes are computed at once, and those along a second axis when it is needed.
    """
    cuts = [_cuts(rows, axes[:, rows], n_records[rows]) for rows in regions]
    first = [list(islice(options, 1)) for options in cuts]
    gained = gains(secrets, [part for cut in first for _, halves in cut for part in halves], n_records)
    known = iter(gained.reshape(len(gained) // 2, 2, len(secrets)))
    made = [[(axis, halves, next(known)) for axis, halves in cut] for cut in first]
    second = [((axis, halves, gains(secrets, halves, n_records)) for axis, halves in options) for options in cuts]
    return [chain(*both) for both in zip(made, second, strict=True)]


def _cuts(rows: Rows, places: Floats, n_records: Counts) -> Iterator[tuple[int, Halves]]:
    """Yield the axes at which both halves keep 11 records, and the rows of the halves; the longer axis first."""
    n = int(n_records.sum())
    if not n:
        return
    extent = places.max(axis=1) - places.min(axis=1)
    for axis in (0, 1) if extent[0] >= extent[1] else (1, 0):
        low = places[axis] <= _median(places[axis], n_records)
        if SMALL_CELL <= n_records[low].sum() <= n - SMALL_CELL:
            yield axis, (rows[low], rows[~low])


def _median(values: Floats, n_records: Counts) -> float:
    """Return the value at which the halves are most equal, of the two next to the median of all records."""
    order = np.argsort(values)
    ranked, up_to = values[order], np.cumsum(n_records[order])
    n = int(up_to[-1])
    middle = ranked[np.searchsorted(up_to, [(n - 1) // 2, n // 2], side="right")]
    median = float(middle.sum() / 2)
    options: list[float] = [median, *ranked[: np.searchsorted(ranked, median)][-1:].tolist()]
    halves = {cut: int(up_to[np.searchsorted(ranked, cut, side="right") - 1]) for cut in options}
    return min(options, key=lambda cut: abs(2 * halves[cut] - n))
