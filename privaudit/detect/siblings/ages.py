"""Ages that no name tells, by their numbers and by the columns beside them.

Question: which column of unnamed numbers is the age?
Method: whole numbers that spread as ages do (kinds/identifiers.py) count where the table describes people, or where a
column of two values (``0`` and ``1``, ``no`` and ``yes``) shows that it describes subjects at all; narrower ranges, the
middles of bands of five years, and fractions that are a whole number of days or months of a year are found there, too.
The column most like an age is kept, the others are dropped.
Limits: a score of a test from 15 to 60 is taken for an age where no better column is at hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.detect.siblings import people
from privaudit.detect.verdict import decide

if TYPE_CHECKING:
    from privaudit.detect.column import Column
    from privaudit.detect.siblings.context import Examined

_YOUNG = 12
_CHILDREN = 4  # a lowest number up to here is that of children, who are found beside the old
_OLD = 62
_SUBJECTS = 80  # rows from which on a column of two values shows subjects
_FROM_DATES = (365.25, 365.0, 365.2425, 1461.0)


def ages(table: Sequence[Examined], described: bool) -> None:
    """Keep one age among unnamed columns, the one most like it; find it where the table describes people."""
    if any(item.entity == "AGE" and not item.column.header.opaque for item in table):
        return
    told = described or any(item.entity == "MEDICAL" for item in table)
    subjects = told or any(_subjects(item.column) for item in table)
    _drop_unlike(table, subjects)
    _fractions(table, subjects)
    held = [item for item in table if item.entity == "AGE" and people.generic(item, "AGE")]
    sure = any(item.entity == "AGE" and item not in held and not _banded(item) for item in table)
    found = None if sure or not subjects else _likeliest(table, told)
    if found is None and not sure and not held:
        found = _banded_by_five(table, subjects)
    if found and all(_likeness(item.column) + 0.1 < _likeness(found.column) for item in held):
        people.say(found, "AGE", 0.56, "whole numbers in the range of ages, in a table that describes people")
        sure = True
    best = max((_likeness(item.column) for item in held), default=0.0)
    for item in held:
        if sure or _likeness(item.column) < best - 0.02:
            people.drop(item, frozenset({"AGE"}), "another column of the table reads better as the age")


def _subjects(column: Column) -> bool:
    """Return whether a column of two values shows that rows are subjects of whom something is true or not."""
    if not 2 <= column.n_distinct <= 3 or column.n_present < 20:
        return False
    values = [text for text in column.folded.to_pylist() if text not in ("na", "nan", "", "?", "unknown")]
    return len(values) == 2


def _drop_unlike(table: Sequence[Examined], subjects: bool) -> None:
    """Turn down numbers that count something, and all where nothing shows that rows are people."""
    for item in table:
        if item.entity != "AGE" or not people.generic(item, "AGE"):
            continue
        spread = _spread(item.column)
        why = None
        if _counts_evenly(item.column):
            why = "numbers from the first on, about equally often: codes"
        elif not subjects:
            why = "nothing beside the numbers tells of people"
        elif spread is not None and spread[0] <= _CHILDREN and spread[2] < _OLD:
            why = "numbers from the first on without the old: counts"
        if why is not None:
            people.drop(item, frozenset({"AGE"}), why)
            item.verdict = decide(item.column, item.found, item.named)


def _likeliest(table: Sequence[Examined], described: bool) -> Examined | None:
    open_ = [item for item in table if item.verdict is None and item.column.header.opaque]
    likely = [item for item in open_ if _could_be_age(item.column)]
    if not described:
        likely = [item for item in likely if item.column.n_present >= _SUBJECTS]
    if not likely and described:
        likely = _only(item for item in open_ if _young(item.column)) or _only(
            item for item in open_ if _of_few(item.column)
        )
    return max(likely, key=lambda item: _likeness(item.column), default=None)


def _only(items: Iterable[Examined]) -> list[Examined]:
    """Return the items where it is one, nothing where several compete."""
    found = list(items)
    return found if len(found) == 1 else []


def _young(column: Column) -> bool:
    """Return whether whole numbers without gap are ages of pupils or students."""
    spread = _spread(column)
    if spread is None or column.n_present < 30:
        return False
    low, middle, high, top = spread
    whole = column.n_distinct >= high - low
    return whole and 14 <= low <= 20 and 15 <= middle <= 26 and 19 <= high <= 34 and top <= 0.4


def _of_few(column: Column) -> bool:
    """Return whether the numbers of a table of a few rows could be ages of adults."""
    spread = _spread(column)
    if spread is None or not 5 <= column.n_present < 30:
        return False
    low, middle, high, _ = spread
    return 15 <= low <= 50 and 20 <= middle <= 75 and high <= 95 and high - low >= max(8, column.n_distinct)


def _fractions(table: Sequence[Examined], subjects: bool) -> None:
    """Find ages reckoned from two dates: each is a whole number of days, or of months, of a year."""
    if not subjects or any(item.entity == "AGE" for item in table):
        return
    likely = [item for item in table if item.verdict is None and item.column.header.opaque]
    found = [item for item in likely if _reckoned(item.column)]
    if found:
        best = max(found, key=lambda item: _middle(item.column))
        people.say(best, "AGE", 0.62, "years with fractions that are whole days or months: from dates")
        best.verdict = decide(best.column, best.found, best.named)


def _finite(column: Column) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    known = np.isfinite(column.numbers)
    order = np.argsort(column.numbers[known])
    return column.numbers[known][order], column.counts[known][order]


def _middle(column: Column) -> float:
    numbers, counts = _finite(column)
    reached = np.cumsum(counts) / counts.sum()
    return float(numbers[int(np.searchsorted(reached, 0.5))])


def _reckoned(column: Column) -> bool:
    if column.data_type not in ("decimal", "text") or column.n_distinct < 40:
        return False
    numbers, counts = _finite(column)
    if counts.sum() < 0.9 * column.n_present or column.share(column.integral) > 0.5:
        return False
    if not (numbers[0] >= 0 and 14 <= _middle(column) <= 85 and 35 <= numbers[-1] <= 112):
        return False
    fine = column.matching(r"\.[0-9]{4,}") >= 0.8
    if fine:
        return any(_whole(numbers * unit, counts, 0.021) >= 0.95 for unit in _FROM_DATES)
    months = column.matching(r"\.(?:0?8|17|25|33|42|5|58|67|75|83|92|083|167|417|583|667|917|833|333)[0-9]?$")
    return _whole(numbers * 12, counts, 0.013) >= 0.95 and months >= 0.6 and _thirds(column) >= 0.3


def _thirds(column: Column) -> float:
    """Return the share of cells with a twelfth that is no quarter, which sums of money don't have."""
    return column.matching(r"\.(?:083|167|333|417|583|667|833|917)[0-9]?$")


def _whole(numbers: npt.NDArray[np.float64], counts: npt.NDArray[np.int64], tolerance: float) -> float:
    return float(counts[np.abs(numbers - np.round(numbers)) <= tolerance].sum() / counts.sum())


def _banded_by_five(table: Sequence[Examined], subjects: bool) -> Examined | None:
    """Return the one column of few numbers that are the middles or the lower ends of bands of age."""
    likely = [
        item
        for item in table
        if item.verdict is None and item.column.header.opaque and _of_bands(item.column, subjects)
    ]
    return likely[0] if len(likely) == 1 else None


def _of_bands(column: Column, subjects: bool) -> bool:
    if column.data_type not in ("integer", "decimal") or not 5 <= column.n_distinct <= 14 or column.n_present < 60:
        return False
    numbers, counts = _finite(column)
    grown = numbers[numbers > _CHILDREN]
    if len(grown) < 5 or len(numbers) - len(grown) > 1 or counts.max() > 0.5 * counts.sum():
        return False
    steps = np.diff(grown)
    spans = steps.min() >= 3 and steps.max() <= 15 and 14 <= grown[0] <= 26 and 40 <= grown[-1] <= 85
    middles = bool(((grown % 5 != 0).mean() >= 0.8) and (steps == 5).mean() >= 0.6)
    known = len({18, 25, 35, 45, 50, 55, 65} & set(grown.tolist())) >= 4 and 18 in grown
    return bool(spans) and (middles or (known and subjects))


def _counts_evenly(column: Column) -> bool:
    """Return whether whole numbers from 0 or 1 on, without gaps, occur as often as chance would have them."""
    spread = _spread(column)
    counts = column.counts[column.integral]
    if spread is None or spread[0] > 1 or len(counts) < 0.9 * (spread[2] - spread[0] + 1):
        return False
    return bool(counts.mean() >= 2 and counts.var() <= 2 * counts.mean())


def _banded(item: Examined) -> bool:
    return item.verdict is not None and item.verdict.detail == "band"


def _spread(column: Column) -> tuple[float, float, float, float] | None:
    """Return lowest, middle and highest whole number, and the largest share one of them holds."""
    if column.data_type not in ("integer", "decimal", "text"):
        return None
    valid = column.integral
    known = np.isfinite(column.numbers)
    if column.counts[valid].sum() < 0.9 * max(1, column.counts[known].sum()) or column.share(known) < 0.35:
        return None
    numbers, counts = column.numbers[valid], column.counts[valid]
    order = np.argsort(numbers)
    numbers, reached = numbers[order], np.cumsum(counts[order]) / counts.sum()
    middle = numbers[int(np.searchsorted(reached, 0.5))]
    return float(numbers[0]), float(middle), float(numbers[-1]), float(counts.max() / counts.sum())


def _could_be_age(column: Column) -> bool:
    if column.n_distinct < 8 or column.n_present < 30 or column.uniqueness > 0.6:
        return False
    spread = _spread(column)
    if spread is None:
        return False
    low, middle, high, top = spread
    old = column.share(column.integral & (np.nan_to_num(column.numbers) > 80))
    tens = column.share(column.matches("[05]$")) > 0.5
    if (
        not (0 <= low <= 66 and 19 <= middle <= 80 and 34 <= high <= 110)
        or top > 0.25
        or tens
        or old > (0.5 if low >= 40 and high <= 99 else 0.12)
    ):
        return False
    return low >= _YOUNG and high - low >= 9 and column.n_distinct >= 0.4 * min(high - low, 60)


def _likeness(column: Column) -> float:
    """Return how near the lowest and the middle number are to those of ages of adults, 1 at best."""
    spread = _spread(column)
    if spread is None:
        return 0.0
    low, middle, high, top = spread
    start = 0.0 if 15 <= low <= 25 else min(1.0, abs(low - 18) / 40) if low >= _YOUNG else 0.35
    return 1.0 - 0.5 * start - 0.3 * min(1.0, abs(middle - 42) / 45) - 0.2 * (high > 99) - top
