"""Regions of similar records, coloured by the share of records at risk.

Question: where among the records are those in small classes, when no record may be a point?
Method: a record is at the mean of its categories on the map. Regions are split at the median of the coordinate that
extends further, as long as both halves keep 11 records (k-d tree). A region is a tile of the unit square that every
split halves: it shows neither coordinates nor how far a region extends, which outliers would decide.
Limits: tiles next to each other are similar; the size of a tile shows how often it was split, not how many records it
has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from privaudit.model.pictures import Region
from privaudit.model.wording.rounding import SMALL_CELL
from privaudit.risk.pictures.categories import MISSING, Coded

Floats = npt.NDArray[np.float64]
MOST_SPLITS = 6
TENTHS = 10


class _Tile(NamedTuple):
    x: float
    y: float
    width: float
    height: float

    def halves(self, axis: int) -> tuple[_Tile, _Tile]:
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
        part = np.vstack([coordinates[start : start + len(column.categories)], [[np.nan, np.nan]]])
        found = part[np.where(column.category == MISSING, len(column.categories), column.category)]
        has = np.isfinite(found[:, :1])
        total += np.where(has, found, 0)
        n += has
        start += len(column.categories)
    return total / np.maximum(n, 1)


def at_risk(columns: Sequence[Coded], k: int) -> npt.NDArray[np.bool_]:
    """Return whether the class of each record over all columns is smaller than `k`; a missing cell is a value."""
    group = np.zeros(len(columns[0].value), dtype=np.int64)
    for column in columns:
        codes = column.value.astype(np.int64) + 1
        _, group = np.unique(group * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)
    found: npt.NDArray[np.bool_] = np.bincount(group)[group] < k
    return found


def regions(places: Floats, risky: npt.NDArray[np.bool_]) -> tuple[Region, ...]:
    """Return the regions of records at `places`, in a fixed order; none where there are fewer than 22 records."""
    if len(places) < 2 * SMALL_CELL:
        return ()
    # Rounded, so that the last digits of another processor do not move a record over a median.
    rows = np.arange(len(places))
    return tuple(
        Region(**tile._asdict(), share_below_k=round(float(risky[inside].mean()) * TENTHS) / TENTHS)
        for tile, inside in _split(np.round(places, 6), rows, _Tile(0.0, 0.0, 1.0, 1.0), MOST_SPLITS)
    )


def _split(
    places: Floats, rows: npt.NDArray[np.intp], tile: _Tile, left: int
) -> Iterator[tuple[_Tile, npt.NDArray[np.intp]]]:
    extent = np.ptp(places[rows], axis=0)
    for axis in (0, 1) if extent[0] >= extent[1] else (1, 0):
        low = places[rows, axis] <= _cut(places[rows, axis])
        if left and min(low.sum(), (~low).sum()) >= SMALL_CELL:
            for part, inside in zip(tile.halves(axis), (rows[low], rows[~low]), strict=True):
                yield from _split(places, inside, part, left - 1)
            return
    yield tile, rows


def _cut(values: Floats) -> float:
    """Return the value at which the halves are most equal, of the two next to the median."""
    median = np.median(values)
    below = values[values < median]
    options = [float(median), *([float(below.max())] if len(below) else [])]
    return min(options, key=lambda cut: abs(2 * int((values <= cut).sum()) - len(values)))
