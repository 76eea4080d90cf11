"""Ages: every rule about them.

Question: which column holds the ages of people?
Method: whole numbers from childhood to old age that become rarer towards the end are ages unless the column name
suggests something else. Without a meaningful name they count only where the table describes people, or where a column
of two values (``no`` and ``yes``) shows that rows are subjects. Narrower ranges count there as well. The column most
similar to ages is kept; the claims on the others are answered. Bands that follow each other up to old age are ages,
and so are years with fractions that are whole days. In a table about people, larger numbers under a name for ages are
months, weeks or days. In a table of clinical data, an abbreviation may be the age.
Limits: a test score from 15 to 60 is taken for an age where the table has no better column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

import numpy as np

from privaudit.base.arrays import Floats
from privaudit.base.records import dataclass
from privaudit.detect.catalogue import wordlists
from privaudit.detect.column import NEARLY_ALL, Column, once
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.ledger import Entry, against, claim_for
from privaudit.detect.stated_ages import ABOVE, BELOW, RANGE, stated_ages, states_years, without_unit
from privaudit.detect.subjects import categories
from privaudit.detect.subjects.context import Posting, Table, has, suggest, withdraw
from privaudit.model import vocabulary
from privaudit.model.wording import Count, fact

_YOUNG = 12
_CHILDREN = 4  # a lowest number up to this value means children, whose tables also contain old people
_OLD = 62
_OLDEST = 120
_LATEST_YOUTH = 25  # the lowest age where patients are adults, which few measures reach
_ONE_NUMBER = 0.25  # share of the cells that the most frequent age does not reach
_MOST_OLD = 0.12  # share of people of about 80 and more, above that of the oldest populations
_DAYS_PER_YEAR = (365.25, 365.0, 365.2425)
_ROUNDING = 366 * 0.5e-4 + 1e-9  # days: a year is written with four decimals


@dataclass(frozen=True, slots=True)
class _Spread:
    """The whole numbers of a column in ascending order, and their shares of the cells."""

    numbers: Floats
    shares: Floats
    low: float
    median: float
    high: float
    top: float  # share of the most frequent number

    @property
    def width(self) -> float:
        return self.high - self.low

    def above(self, number: float) -> float:
        """Return the share of the cells with a higher number."""
        return float(self.shares[self.numbers > number].sum())


@once
def _spread(column: Column) -> _Spread | None:
    """Return how the numbers of `column` spread; None if most of its values are not whole numbers."""
    every = _numbers(column)
    known = np.isfinite(every)
    with np.errstate(invalid="ignore"):
        valid = known & (every == np.round(every))
    if column.data_type not in ("integer", "decimal", "text") or column.share(known) < 0.35:
        return None
    if column.cells(valid) < NEARLY_ALL * column.cells(known):
        return None
    order = np.argsort(every[valid])
    numbers, shares = every[valid][order], column.counts[valid][order] / column.cells(valid)
    median = numbers[np.searchsorted(np.cumsum(shares), 0.5)]
    return _Spread(numbers, shares, float(numbers[0]), float(median), float(numbers[-1]), float(shares.max()))


def _numbers(column: Column) -> Floats:
    """Return the numbers of a column, or the ages that texts state with their unit."""
    return stated_ages(column).low if states_years(column) else column.numbers


def claim_ages(column: Column) -> Iterator[Entry]:
    """Yield the claim on whole numbers that spread as ages do, or the reason against it."""
    numeric = column.data_type in ("integer", "decimal") and column.share(column.integral) >= NEARLY_ALL
    if not numeric and not states_years(column):
        return
    if np.max(column.numbers, where=column.integral, initial=0) > _OLDEST:
        return  # millions of numbers are not sorted to find that out
    spread = _spread(column)
    if spread is None or len(spread.numbers) < 12 or column.n_present < 20:
        return
    if spread.low >= 0 and spread.high >= 50 and spread.width >= 30:
        reason = _why_not_ages(spread)
        because = fact(reason or "detect.ages")
        yield against("AGE", because) if reason else claim_for(column, "AGE", 0.56, "shape", because)


def _why_not_ages(spread: _Spread) -> str | None:
    """Return the code of the reason why the distribution of whole numbers is not that of ages; None if it is."""
    adults = _YOUNG <= spread.low <= (40 if spread.high <= 95 else 30)
    if not (adults or spread.low <= _CHILDREN):
        return "detect.ages_start"
    if not 18 <= spread.median <= _OLD or len(spread.numbers) < 0.35 * spread.width:
        return "detect.ages_spread"
    if spread.above(79) > _MOST_OLD or spread.above(89) > 0.03:
        return "detect.ages_too_old"
    return "detect.ages_one_number" if spread.top > _ONE_NUMBER else None


def claim_age_bands(column: Column) -> Iterator[Entry]:
    """Yield the claim on bands that follow each other up to old age."""
    values = [without_unit(text)[0] for text in categories.values_of(column)]
    ranges = sorted((int(m[1]), int(m[2])) for text in values if (m := RANGE.match(text)))
    below = [int(m[1]) for text in values if (m := BELOW.match(text))]
    above = [int(m[1] or m[2]) for text in values if (m := ABOVE.match(text))]
    if not ranges or len(ranges) + len(below) + len(above) < max(3.0, 0.85 * len(values)):
        return
    starts, ends = [low for low, _ in ranges] + above, [high for _, high in ranges] + above
    follow = all(0 <= later[0] - earlier[1] <= 2 for earlier, later in pairwise(ranges))
    widest = max(high - low for low, high in ranges)
    if not follow or not 1 <= widest <= 25 or max(ends) > _OLDEST or not min(starts) <= 40 <= max(starts):
        return
    texts = column.folded.to_pylist()
    worded = any(word in text for text in texts for word in ("old", "under", "age", "year", "month"))
    because = fact("detect.age_bands", bands=Count(len(values), unit="group"))
    yield claim_for(column, "AGE", 0.85 if worded else 0.64, "shape", because, detail="band")


def choose_age(table: Table) -> Iterator[Posting]:
    """Yield claims that leave at most one age among columns without a meaningful name, or find one."""
    if any(item.entity == "AGE" and not item.column.header.is_opaque for item in table):
        return
    shown = vocabulary.with_trait("shows_people") | vocabulary.with_trait("suggests_people") | {"MEDICAL"}
    people = has(table, shown - {"AGE"})
    subjects = people or any(_shows_subjects(item.column) for item in table)
    yield from _reject_counts(table, subjects)
    if not subjects:
        return
    if not has(table, {"AGE"}):
        computed = (item for item in table if item.is_unexplained and _is_computed_from_dates(item.column))
        yield from (suggest(item, "AGE", 0.62, fact("detect.siblings_age_from_dates")) for item in islice(computed, 1))
    guesses = [item for item in table if _is_guess(item)]
    certain = any(item.entity == "AGE" and not _is_guess(item) and not _is_band(item) for item in table)
    best = max((_similarity(item.column) for item in guesses), default=0.0)
    found = None if certain else _most_similar(table, people)
    if found and (not guesses or best + 0.1 < _similarity(found.column)):
        yield suggest(found, "AGE", 0.56, fact("detect.siblings_age_range"))
        certain = True
    for item in guesses:
        if certain or _similarity(item.column) < best - 0.02:
            yield from withdraw(item, "AGE", fact("detect.siblings_better_age"))


def choose_abbreviated(table: Table, among: Sequence[ColumnEvidence]) -> Iterator[Posting]:
    """Yield the claim on the most likely age of `among`, of which names explain none, where no column gives the age."""
    likely = [item for item in among if item.entity is None and _could_be_age_of_patients(item.column)]
    if likely and not has(table, vocabulary.with_trait("gives_age")):
        best = max(likely, key=lambda item: _similarity(item.column))
        yield suggest(best, "AGE", 0.7, fact("detect.siblings_age_range"), generic=False)


def _could_be_age_of_patients(column: Column) -> bool:
    """Whether whole numbers reach from childhood or youth to old age, and are not those of one age group."""
    spread = _spread(column)
    if spread is None or spread.low > _LATEST_YOUTH or not _OLD <= spread.high <= _OLDEST or spread.top > _ONE_NUMBER:
        return False
    return len(spread.numbers) >= max(12, 0.35 * spread.width) and spread.above(89) <= _MOST_OLD


def _is_band(item: ColumnEvidence) -> bool:
    return item.verdict is not None and item.verdict.detail == "band"


def _is_guess(item: ColumnEvidence) -> bool:
    return item.is_generic("AGE") and not _is_band(item)


def _is_computed_from_dates(column: Column) -> bool:
    """Return whether decimals in the range of ages are whole numbers of days of a year."""
    known = np.isfinite(column.numbers)
    numbers, counts = column.numbers[known], column.counts[known]
    if column.data_type != "decimal" or len(numbers) < 40 or column.matching(r"\.[0-9]{4,}") < 0.8:
        return False
    if not (numbers.min() >= 0 and 14 <= np.median(numbers) <= 85 and 35 <= numbers.max() <= _OLDEST):
        return False
    return any(
        counts[np.abs(numbers * days - np.round(numbers * days)) <= _ROUNDING].sum() >= 0.95 * counts.sum()
        for days in _DAYS_PER_YEAR
    )


def _shows_subjects(column: Column) -> bool:
    """Whether a column of two values shows that each row is a subject with a yes-or-no property."""
    if not 2 <= column.n_distinct <= 3 or column.n_present < 20:
        return False
    return len(set(column.folded.to_pylist()) - wordlists.word_list("no_value")) == 2


def _reject_counts(table: Table, subjects: bool) -> Iterator[Posting]:
    """Reject ages whose numbers are counts, and all where nothing shows that rows are people."""
    for item in filter(_is_guess, table):
        spread = _spread(item.column)
        if not subjects:
            yield from withdraw(item, "AGE", fact("detect.siblings_no_people"))
        elif spread is not None and spread.low <= _CHILDREN and spread.high < _OLD:
            yield from withdraw(item, "AGE", fact("detect.siblings_counts"))


def _most_similar(table: Table, people: bool) -> ColumnEvidence | None:
    undecided = [item for item in table if item.is_unexplained]
    likely = [item for item in undecided if _could_be_age(item.column)]
    if not likely and people:
        adults = [item for item in undecided if _could_be_few_adults(item.column)]
        likely = adults if len(adults) == 1 else []
    return max(likely, key=lambda item: _similarity(item.column), default=None)


def _could_be_few_adults(column: Column) -> bool:
    """Whether the numbers of a table with few rows could be ages of adults."""
    spread = _spread(column)
    if spread is None or not 5 <= column.n_present < 30 or spread.width < max(8, column.n_distinct):
        return False
    return 15 <= spread.low <= 50 and 20 <= spread.median <= 75 and spread.high <= 95


def _could_be_age(column: Column) -> bool:
    """Whether the numbers could be the ages of the subjects of a study."""
    spread = _spread(column)
    if spread is None or spread.width < 9 or column.n_distinct < 8 or column.n_present < 30 or column.uniqueness > 0.6:
        return False
    if not (_YOUNG <= spread.low <= 66 and 19 <= spread.median <= 80 and 34 <= spread.high <= 110):
        return False
    most_old = 0.5 if spread.low >= 40 and spread.high <= 99 else _MOST_OLD  # a study of the old, or of all adults
    if spread.top > _ONE_NUMBER or spread.above(80) > most_old or column.n_distinct < 0.4 * min(spread.width, 60):
        return False
    return column.matching("[05]$") <= 0.5  # estimates and prices are rounded


def _similarity(column: Column) -> float:
    """Return how near the lowest and the median number are to those of adults' ages, 1 at best."""
    spread = _spread(column)
    if spread is None:
        return 0.0
    low = spread.low
    start = 0.0 if 15 <= low <= 25 else min(1.0, abs(low - 18) / 40) if low >= _YOUNG else 0.35
    distance = 0.5 * start + 0.3 * min(1.0, abs(spread.median - 42) / 45) + 0.2 * (spread.high > 99)
    return 1.0 - distance - spread.top
