"""Personal numbers and dates that are stored in another form than people write them in.

Question: may a column of plain numbers be taken as clean although it could be social security numbers without hyphens,
dates of birth as counts of days or seconds, or parts of a number that is split over columns?
Method: the numbering rules of social security numbers are tested against chance: nine digits, leading zeros included,
of which every distinct value is valid and some begin with zero, are not assessed, because uniform numbers would break a
rule (1 in 9 of them does); nor are three columns whose digits together obey the same rules. Numbers that are whole days
apart, counted in seconds, are dates. Whole numbers that spread over a lifetime as spreadsheets count days are not
assessed where the column name suggests a date or nothing.
Limits: a count of seconds with times of day is taken for a date only under a name that suggests a date of birth.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from privaudit.detect.column import Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.vocabulary import entity_type, with_trait
from privaudit.wording import Columns, Count, EntityType, Fact, fact

FEWEST = 60
"""Distinct values that exclude chance: 60 random numbers of nine digits obey all rules once in 1,000 times."""
_LATEST_YEAR = 2103
_SPANS = ((-27_000, 60_000), *((-2.3e9 * part, 4.2e9 * part) for part in (1, 1e3, 1e6, 1e9)))
"""Days since 1970 or, as spreadsheets count, since 1900; seconds since 1970 and their fractions: 1897 to 2103."""
_PARTS = (3, 2, 4)
_SEPARATED = r"^[0-9]{3}[./_ ][0-9]{2}[./_ ][0-9]{4}$"
_NO_DIGIT = re.compile(r"[^0-9]")
_MOST_PARTS = 8
_DAY_SECONDS = 86_400
_YEAR = 365.25
_BIRTHS = (7_306, 42_000)
"""Days of the years 1920 to 2014, as spreadsheets count them."""
_LATEST_DAY = 46_500


def why_unassessed(item: ColumnEvidence, split: frozenset[str], *, among_people: bool) -> Fact | None:
    """Return why a column that was taken as harmless may be personal data in another form; None if not.

    Parameters
    ----------
    split : frozenset of str
        The columns that `split_numbers` returned.
    among_people : bool
        Whether the table describes people.
    """
    if item.entity is not None and entity_type(item.entity).role in ("direct", "quasi"):
        return None
    column = item.column
    if column.name in split:
        return fact("detect.split_number", columns=Columns(names=tuple(sorted(split))))
    if _are_social_security_numbers(item):
        return fact("detect.like_ssn", values=Count(n=column.n_distinct, unit="value"))
    if _counts_births(item):
        return fact("detect.birth_as_number", entity=EntityType(code="DATE_OF_BIRTH"))
    if _are_whole_days(column):
        return fact("detect.whole_days", values=Count(n=column.n_distinct, unit="value"))
    if among_people and _spread_like_births(column):
        return fact("detect.like_days", values=Count(n=column.n_distinct, unit="value"))
    return None


def _are_social_security_numbers(item: ColumnEvidence) -> bool:
    column = item.column
    if column.n_distinct < FEWEST or column.data_type not in ("integer", "decimal", "text"):
        return False
    if column.matching(r"^[0-9]{6,9}$") == 1:
        return _obey_the_rules(np.asarray(column.numbers, dtype=np.int64))
    if column.matching(_SEPARATED) < 1:
        return False
    digits = (_NO_DIGIT.sub("", cell) for cell in column.values.to_pylist())
    return _obey_the_rules(np.fromiter(map(int, digits), dtype=np.int64))


def _obey_the_rules(numbers: npt.NDArray[np.int64]) -> bool:
    """Whether numbers of nine digits are all valid, spread over the areas, and some begin with a zero."""
    area, group, serial = numbers // 1_000_000, numbers // 10_000 % 100, numbers % 10_000
    valid = (area > 0) & (area != 666) & (area < 900) & (group > 0) & (serial > 0)
    low = float((area < 100).mean())
    return bool(valid.all()) and 0.01 < low < 0.4 and len(np.unique(area)) >= min(40, len(numbers) // 2)


def _counts_births(item: ColumnEvidence) -> bool:
    """Whether a column that is named as a date of birth counts days, seconds or fractions of seconds."""
    column = item.column
    if column.header.strength("DATE_OF_BIRTH") <= 0 or column.data_type not in ("integer", "decimal"):
        return False
    numbers = column.numbers
    if not len(numbers) or not np.isfinite(numbers).all() or np.ptp(numbers) == 0:
        return False
    return (
        any(low < numbers.min() and numbers.max() < high for low, high in _SPANS)
        and numbers.max() > _LATEST_YEAR
    )


def _are_whole_days(column: Column) -> bool:
    """Whether numbers are dates in seconds, or in fractions of seconds: whole days apart, over ten years or more."""
    if column.n_distinct < FEWEST or column.data_type not in ("integer", "decimal"):
        return False
    numbers = column.numbers
    if not np.isfinite(numbers).all():
        return False
    steps = numbers - numbers[0]
    for part in (1.0, 1e3, 1e6, 1e9):
        days = steps / (_DAY_SECONDS * part)
        low, high = -2.3e9 * part, 4.2e9 * part
        if low < numbers.min() and numbers.max() < high and np.ptp(days) > 10 * _YEAR:
            return bool((np.abs(days - np.round(days)) < 1e-6).all())
    return False


def _spread_like_births(column: Column) -> bool:
    """Whether whole numbers without a telling name lie as days of birth do: over 20 years, and not rounded."""
    header = column.header
    suggests_date = bool({hint.entity for hint in header.hints} & with_trait("calendar_date"))
    if not (suggests_date or header.is_opaque or not header.hints) or column.data_type not in (
        "integer",
        "decimal",
    ):
        return False
    if column.n_distinct < FEWEST or column.matching(r"^[0-9]{2,5}$") < 1:
        return False
    numbers = column.numbers
    inside = ((numbers >= _BIRTHS[0]) & (numbers <= _BIRTHS[1])).mean()
    if numbers.max() > _LATEST_DAY or inside < 0.9 or np.ptp(numbers) < 20 * _YEAR:
        return False
    return bool((numbers % 5 == 0).mean() < 0.35 and len(numbers) < 0.9 * np.ptp(numbers))


def split_numbers(table: Sequence[ColumnEvidence]) -> frozenset[str]:
    """Return the columns that three by three hold the parts of social security numbers.

    Three neighbouring columns of fixed width are enough. Columns that are apart, or that lost their leading zeros, need
    last digits that are spread evenly over 1 to 9999.
    """
    found: set[str] = set()
    for triple in zip(table, table[1:], table[2:], strict=False):
        columns = [item.column for item in triple]
        fixed = (
            column.n_distinct > 1 and column.matching(rf"^[0-9]{{{width}}}$") == 1
            for column, width in zip(columns, _PARTS, strict=True)
        )
        if all(fixed) and columns[2].n_distinct >= FEWEST and _parts_obey(*(c.numbers for c in columns)):
            found.update(column.name for column in columns)
    numbers = [
        item.column for item in table if item.column.data_type in ("integer", "text") and _may_be_part(item)
    ]
    areas, groups, serials = (
        [column for column in numbers if test(column.numbers)][:_MOST_PARTS]
        for test in (_are_areas, _are_groups, _are_serials)
    )
    for serial in serials:
        for group in (one for one in groups if one is not serial):
            for area in (one for one in areas if one is not group and one is not serial):
                found.update((area.name, group.name, serial.name))
    return frozenset(found)


def _may_be_part(item: ColumnEvidence) -> bool:
    column = item.column
    named = item.entity is not None and entity_type(item.entity).role != "none"
    return (
        (not named or item.entity in with_trait("provisional"))
        and column.n_distinct >= 40
        and column.matching(r"^[0-9]{1,4}$") == 1
    )


def _are_areas(numbers: npt.NDArray[np.float64]) -> bool:
    return bool(
        numbers.min() > 0 and numbers.max() < 900 and numbers.max() > 500 and not (numbers == 666).any()
    )


def _are_groups(numbers: npt.NDArray[np.float64]) -> bool:
    return bool(1 <= numbers.min() <= 5 and 90 <= numbers.max() <= 99 and len(numbers) >= 50)


def _are_serials(numbers: npt.NDArray[np.float64]) -> bool:
    """Whether distinct numbers are spread evenly over 1 to 9999, by the test of Kolmogorov at the level of 1 %."""
    if len(numbers) < FEWEST or numbers.min() < 1 or numbers.max() > 9999:
        return False
    ranks = (np.arange(len(numbers)) + 0.5) / len(numbers)
    return bool(np.abs(np.sort(numbers) / 9999 - ranks).max() < 1.63 / np.sqrt(len(numbers)))


def _parts_obey(
    area: npt.NDArray[np.float64], group: npt.NDArray[np.float64], serial: npt.NDArray[np.float64]
) -> bool:
    valid = (area > 0).all() and (area != 666).all() and (area < 900).all() and (group > 0).all()
    return bool(valid and (serial > 0).all() and (serial < 1000).any() and len(area) >= 20)
