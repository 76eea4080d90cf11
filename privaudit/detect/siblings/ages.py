"""Ages: every rule about them.

Question: which column holds the ages of people?
Method: whole numbers from childhood to old age that become rarer towards the end, and bands that follow each other up
to old age, are ages unless the column name suggests something else. Without a meaningful name they count only where
the table describes people, or where a column of two values (``no`` and ``yes``) shows that rows are subjects. Narrower
ranges, midpoints of bands, and whole numbers of days or months of a year count there as well. The column most similar
to ages is kept; the claims on the others are answered.
Limits: a test score from 15 to 60 is taken for an age where the table has no better column; bands of percentages look
like age bands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.detect.ledger import Entry, against, claim_for
from privaudit.detect.siblings.candidates import is_generic, suggest, withdraw
from privaudit.detect.values import levels
from privaudit.wording import Count, Fact, fact

if TYPE_CHECKING:
    from privaudit.detect.column import Column
    from privaudit.detect.column_evidence import ColumnEvidence

_YOUNG = 12
_CHILDREN = 4  # a lowest number up to this value means children, whose tables also contain old people
_OLD = 62
_SUBJECTS = 80  # rows from which a column of two values shows that rows are subjects
_DAYS_PER_YEAR = (365.25, 365.0, 365.2425, 1461.0)


_UNIT = r"(?: ?(?:years?(?: old| of age)?|yrs?(?: old)?|y/?o))?"
_RANGE = re.compile(rf"^[\[(]?(?:ages? )?(\d{{1,3}}) ?(?:-|–|to|:) ?(\d{{1,3}})[\])]?{_UNIT}$")
_BELOW = re.compile(rf"^(?:under|below|less than|younger than|up to|<=?) ?(\d{{1,3}}){_UNIT}$")
_ABOVE = re.compile(
    rf"^(?:(?:over|above|greater than|more than|older than|>=?) ?(\d{{1,3}}){_UNIT}"
    rf"|(\d{{1,3}}){_UNIT} ?(?:\+|plus|(?:and|or|&) (?:over|older|above|more|up)))$"
)


def claim_ages(column: Column) -> Iterator[Entry]:
    """Yield the claim on whole numbers that spread as ages do, or the reason against it."""
    if column.data_type not in ("integer", "decimal") or column.share(column.integral) < 0.9:
        return
    numbers = column.numbers[column.integral]
    if len(numbers) < 12 or column.n_present < 20:
        return
    reason = _why_keys(column)
    if reason is None:
        low, high = numbers.min(), numbers.max()
        if high > 120 or high < 50 or low < 0 or high - low < 30:
            return
        reason = _why_not_ages(column)
    if reason is not None:
        yield against("AGE", reason)
        return
    yield claim_for(column, "AGE", 0.56, "shape", fact("detect.ages"), generic=True)


def _why_keys(column: Column) -> Fact | None:
    """Return why the whole numbers are keys rather than ages; None if they may be ages."""
    numbers, weights = column.numbers[column.integral], column.counts[column.integral]
    if column.n_distinct >= 0.95 * column.n_present:
        return fact("detect.ages_unique")
    even = weights.max() <= 1.6 * weights.min() and weights.min() >= 3
    if even and numbers.max() - numbers.min() < len(numbers):
        return fact("detect.ages_uniform")
    return None


def _why_not_ages(column: Column) -> Fact | None:
    """Return why the distribution of the whole numbers is not that of ages; None if it is."""
    numbers, weights = column.numbers[column.integral], column.counts[column.integral]
    order = np.argsort(numbers)
    numbers, reached = numbers[order], np.cumsum(weights[order]) / weights.sum()
    low, high, middle = numbers[0], numbers[-1], numbers[int(np.searchsorted(reached, 0.5))]
    if not (low <= 4 or 12 <= low <= (40 if high <= 95 else 30)):
        return fact("detect.ages_start")
    if not 18 <= middle <= 62 or len(numbers) < 0.35 * (high - low):
        return fact("detect.ages_spread")
    old = 1.0 - reached[np.searchsorted(numbers, 90) - 1] if high >= 90 else 0.0
    older = 1.0 - reached[np.searchsorted(numbers, 80) - 1] if high >= 80 else 0.0
    if old > 0.03 or older > 0.12:
        return fact("detect.ages_too_old")
    return _why_crowded(numbers, reached)


def _why_crowded(numbers: npt.NDArray[np.float64], reached: npt.NDArray[np.float64]) -> Fact | None:
    shares = np.diff(np.concatenate([[0.0], reached]))
    if shares.max() > 0.25:
        return fact("detect.ages_one_number")
    young = float(reached[np.searchsorted(numbers, 4, side="right") - 1]) if numbers[0] <= 4 else 0.0
    return fact("detect.ages_too_young") if young > 0.2 else None


def claim_age_bands(column: Column) -> Iterator[Entry]:
    """Yield the claim on bands of ages."""
    if column.data_type != "text" or not 2 <= column.n_distinct <= levels.MOST or column.uniqueness > 0.5:
        return
    values = [text for text in column.folded.to_pylist() if text not in levels.NOT_STATED]
    ranges = sorted((int(m[1]), int(m[2])) for text in values if (m := _RANGE.match(text)))
    below = [int(m[1]) for text in values if (m := _BELOW.match(text))]
    above = [int(m[1] or m[2]) for text in values if (m := _ABOVE.match(text))]
    if not ranges or len(ranges) + len(below) + len(above) < max(3.0, 0.85 * len(values)):
        return
    starts, ends = [low for low, _ in ranges] + above, [high for _, high in ranges]
    wide = max(high - low for low, high in ranges)
    follow = all(0 <= later[0] - earlier[1] <= 2 for earlier, later in pairwise(ranges))
    if (
        max([*ends, *above]) > 120
        or min(starts) > 40
        or max(starts) < 40
        or not 1 <= wide <= 25
        or not follow
    ):
        return
    worded = any("old" in text or "under" in text or "age" in text for text in values)
    yield claim_for(
        column,
        "AGE",
        0.85 if worded else 0.64,
        "shape",
        fact("detect.age_bands", bands=Count(n=len(values), unit="group")),
        detail="band",
        generic=not worded,
    )


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
