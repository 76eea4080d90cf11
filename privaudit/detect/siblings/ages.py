"""Ages in columns whose name does not show them.

Question: which column of whole numbers without a meaningful name is the age?
Method: columns whose numbers spread as ages do (kinds/identifiers.py) count only where the table describes people, or
where a column of two values (``0`` and ``1``, ``no`` and ``yes``) shows that rows are subjects. Narrower ranges,
midpoints of five-year bands, and fractions that are a whole number of days or months of a year count there as well.
The column most similar to ages is kept; the others are rejected.
Limits: a test score from 15 to 60 is taken for an age where the table has no better column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.detect.siblings.candidates import is_generic, suggest, withdraw
from privaudit.detect.verdict import decide
from privaudit.wording import Fact, fact

if TYPE_CHECKING:
    from privaudit.detect.column import Column
    from privaudit.detect.column_evidence import ColumnEvidence

_YOUNG = 12
_CHILDREN = 4  # a lowest number up to this value means children, whose tables also contain old people
_OLD = 62
_SUBJECTS = 80  # rows from which a column of two values shows that rows are subjects
_DAYS_PER_YEAR = (365.25, 365.0, 365.2425, 1461.0)


def choose_age(table: Sequence[ColumnEvidence], describes_people: bool) -> None:
    """Keep at most one age among columns without a meaningful name; find one where the table describes people."""
    if any(item.entity == "AGE" and not item.column.header.is_opaque for item in table):
        return
    people = describes_people or any(item.entity == "MEDICAL" for item in table)
    subjects = people or any(_shows_subjects(item.column) for item in table)
    _reject_counts(table, subjects)
    _find_fractional_age(table, subjects)
    guesses = [item for item in table if item.entity == "AGE" and is_generic(item, "AGE")]
    certain = any(item.entity == "AGE" and item not in guesses and not _is_band(item) for item in table)
    found = None if certain or not subjects else _most_similar(table, people)
    if found is None and not certain and not guesses:
        found = _only_column_of_bands(table, subjects)
    if found and all(_similarity(item.column) + 0.1 < _similarity(found.column) for item in guesses):
        suggest(found, "AGE", 0.56, fact("detect.siblings_age_range"))
        certain = True
    best = max((_similarity(item.column) for item in guesses), default=0.0)
    for item in guesses:
        if certain or _similarity(item.column) < best - 0.02:
            withdraw(item, {"AGE"}, fact("detect.siblings_better_age"))


def _shows_subjects(column: Column) -> bool:
    """Whether a column of two values shows that each row is a subject with a yes-or-no property."""
    if not 2 <= column.n_distinct <= 3 or column.n_present < 20:
        return False
    values = [text for text in column.folded.to_pylist() if text not in ("na", "nan", "", "?", "unknown")]
    return len(values) == 2


def _reject_counts(table: Sequence[ColumnEvidence], subjects: bool) -> None:
    """Reject ages whose numbers are counts or codes, and all where nothing shows that rows are people."""
    for item in table:
        if item.entity == "AGE" and is_generic(item, "AGE"):
            because = _reason_against(item.column, subjects)
            if because is not None:
                withdraw(item, {"AGE"}, because)
                item.verdict = decide(item.column, item.evidence, item.named)


def _reason_against(column: Column, subjects: bool) -> Fact | None:
    spread = _spread(column)
    if _is_even_count(column):
        return fact("detect.siblings_even_codes")
    if not subjects:
        return fact("detect.siblings_no_people")
    if spread is not None and spread[0] <= _CHILDREN and spread[2] < _OLD:
        return fact("detect.siblings_counts")
    return None


def _most_similar(table: Sequence[ColumnEvidence], people: bool) -> ColumnEvidence | None:
    undecided = [item for item in table if item.verdict is None and item.column.header.is_opaque]
    likely = [item for item in undecided if _could_be_age(item.column)]
    if not people:
        likely = [item for item in likely if item.column.n_present >= _SUBJECTS]
    if not likely and people:
        likely = _if_single(item for item in undecided if _could_be_students(item.column)) or _if_single(
            item for item in undecided if _could_be_few_adults(item.column)
        )
    return max(likely, key=lambda item: _similarity(item.column), default=None)


def _if_single(items: Iterable[ColumnEvidence]) -> list[ColumnEvidence]:
    """Return the item where there is exactly one, nothing where several compete."""
    found = list(items)
    return found if len(found) == 1 else []


def _could_be_students(column: Column) -> bool:
    """Whether whole numbers without gaps could be ages of pupils or students."""
    spread = _spread(column)
    if spread is None or column.n_present < 30:
        return False
    low, median, high, top = spread
    complete = column.n_distinct >= high - low
    return complete and 14 <= low <= 20 and 15 <= median <= 26 and 19 <= high <= 34 and top <= 0.4


def _could_be_few_adults(column: Column) -> bool:
    """Whether the numbers of a table with few rows could be ages of adults."""
    spread = _spread(column)
    if spread is None or not 5 <= column.n_present < 30:
        return False
    low, median, high, _ = spread
    return 15 <= low <= 50 and 20 <= median <= 75 and high <= 95 and high - low >= max(8, column.n_distinct)


def _find_fractional_age(table: Sequence[ColumnEvidence], subjects: bool) -> None:
    """Find ages computed from two dates: each is a whole number of days, or of months, of a year."""
    if not subjects or any(item.entity == "AGE" for item in table):
        return
    likely = [item for item in table if item.verdict is None and item.column.header.is_opaque]
    found = [item for item in likely if _is_computed_from_dates(item.column)]
    if found:
        best = max(found, key=lambda item: _median(item.column))
        suggest(best, "AGE", 0.62, fact("detect.siblings_age_from_dates"))
        best.verdict = decide(best.column, best.evidence, best.named)


def _finite(column: Column) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    known = np.isfinite(column.numbers)
    order = np.argsort(column.numbers[known])
    return column.numbers[known][order], column.counts[known][order]


def _median(column: Column) -> float:
    numbers, counts = _finite(column)
    reached = np.cumsum(counts) / counts.sum()
    return float(numbers[int(np.searchsorted(reached, 0.5))])


def _is_computed_from_dates(column: Column) -> bool:
    if column.data_type not in ("decimal", "text") or column.n_distinct < 40:
        return False
    numbers, counts = _finite(column)
    if counts.sum() < 0.9 * column.n_present or column.share(column.integral) > 0.5:
        return False
    if not (numbers[0] >= 0 and 14 <= _median(column) <= 85 and 35 <= numbers[-1] <= 112):
        return False
    if column.matching(r"\.[0-9]{4,}") >= 0.8:
        return any(_share_near_whole(numbers * unit, counts, 0.021) >= 0.95 for unit in _DAYS_PER_YEAR)
    months = column.matching(r"\.(?:0?8|17|25|33|42|5|58|67|75|83|92|083|167|417|583|667|917|833|333)[0-9]?$")
    near = _share_near_whole(numbers * 12, counts, 0.013)
    return near >= 0.95 and months >= 0.6 and _share_of_twelfths(column) >= 0.3


def _share_of_twelfths(column: Column) -> float:
    """Return the share of cells with a twelfth that is not a quarter; sums of money do not have them."""
    return column.matching(r"\.(?:083|167|333|417|583|667|833|917)[0-9]?$")


def _share_near_whole(
    numbers: npt.NDArray[np.float64], counts: npt.NDArray[np.int64], tolerance: float
) -> float:
    return float(counts[np.abs(numbers - np.round(numbers)) <= tolerance].sum() / counts.sum())


def _only_column_of_bands(table: Sequence[ColumnEvidence], subjects: bool) -> ColumnEvidence | None:
    """Return the one column of few numbers that are midpoints or lower limits of age bands."""
    likely = [
        item
        for item in table
        if item.verdict is None and item.column.header.is_opaque and _could_be_bands(item.column, subjects)
    ]
    return likely[0] if len(likely) == 1 else None


def _could_be_bands(column: Column, subjects: bool) -> bool:
    if (
        column.data_type not in ("integer", "decimal")
        or not 5 <= column.n_distinct <= 14
        or column.n_present < 60
    ):
        return False
    numbers, counts = _finite(column)
    grown = numbers[numbers > _CHILDREN]
    if len(grown) < 5 or len(numbers) - len(grown) > 1 or counts.max() > 0.5 * counts.sum():
        return False
    steps = np.diff(grown)
    spans = steps.min() >= 3 and steps.max() <= 15 and 14 <= grown[0] <= 26 and 40 <= grown[-1] <= 85
    midpoints = bool(((grown % 5 != 0).mean() >= 0.8) and (steps == 5).mean() >= 0.6)
    usual = len({18, 25, 35, 45, 50, 55, 65} & set(grown.tolist())) >= 4 and 18 in grown
    return bool(spans) and (midpoints or (usual and subjects))


def _is_even_count(column: Column) -> bool:
    """Whether whole numbers from 0 or 1 without gaps are about equally frequent, as codes are."""
    spread = _spread(column)
    counts = column.counts[column.integral]
    if spread is None or spread[0] > 1 or len(counts) < 0.9 * (spread[2] - spread[0] + 1):
        return False
    return bool(counts.mean() >= 2 and counts.var() <= 2 * counts.mean())


def _is_band(item: ColumnEvidence) -> bool:
    return item.verdict is not None and item.verdict.detail == "band"


def _spread(column: Column) -> tuple[float, float, float, float] | None:
    """Return lowest, median and highest whole number, and the share of the most frequent one."""
    if column.data_type not in ("integer", "decimal", "text"):
        return None
    valid = column.integral
    known = np.isfinite(column.numbers)
    if column.counts[valid].sum() < 0.9 * max(1, column.counts[known].sum()) or column.share(known) < 0.35:
        return None
    numbers, counts = column.numbers[valid], column.counts[valid]
    order = np.argsort(numbers)
    numbers, reached = numbers[order], np.cumsum(counts[order]) / counts.sum()
    median = numbers[int(np.searchsorted(reached, 0.5))]
    return float(numbers[0]), float(median), float(numbers[-1]), float(counts.max() / counts.sum())


def _could_be_age(column: Column) -> bool:
    if column.n_distinct < 8 or column.n_present < 30 or column.uniqueness > 0.6:
        return False
    spread = _spread(column)
    if spread is None:
        return False
    low, median, high, top = spread
    old = column.share(column.integral & (np.nan_to_num(column.numbers) > 80))
    rounded = column.share(column.matches("[05]$")) > 0.5
    in_range = 0 <= low <= 66 and 19 <= median <= 80 and 34 <= high <= 110
    if not in_range or top > 0.25 or rounded or old > (0.5 if low >= 40 and high <= 99 else 0.12):
        return False
    return low >= _YOUNG and high - low >= 9 and column.n_distinct >= 0.4 * min(high - low, 60)


def _similarity(column: Column) -> float:
    """Return how near the lowest and the median number are to those of adults' ages, 1 at best."""
    spread = _spread(column)
    if spread is None:
        return 0.0
    low, median, high, top = spread
    start = 0.0 if 15 <= low <= 25 else min(1.0, abs(low - 18) / 40) if low >= _YOUNG else 0.35
    return 1.0 - 0.5 * start - 0.3 * min(1.0, abs(median - 42) / 45) - 0.2 * (high > 99) - top
