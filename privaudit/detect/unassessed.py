"""Columns that were taken as harmless and that cannot be taken as clean.

Question: may plain numbers be personal numbers or dates in another form, and may a column called ``surname`` whose
values are not surnames be clean?
Method: the numbering rules of social security numbers are tested against chance: nine digits, leading zeros included,
of which every distinct value is valid and some begin with zero, are not assessed, because uniform numbers would break a
rule (1 in 9 of them does); nor are three columns whose digits together obey the same rules. Numbers that are whole days
apart, counted in seconds, are dates. Whole numbers that spread over a lifetime as spreadsheets count days, or are all
recent days in that count, are not assessed where the column name suggests a date or nothing. A name that suggests an
identifier is contradicted only by values that prove something else: another data type, decimals, a repeated short list,
or an entity type that they show. In a table whose rows are people, a value that ten of them share identifies none of
them. Numbers are read behind their notation (`plain_numbers`), and cells may contain names (`names_in_cells`): in a
table about people, words that no list has under a name that means people are not assessed.
Limits: a count of seconds with times of day is taken for a date only under a name that suggests a date of birth; of a
column name, only what it suggests most clearly counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from privaudit.base.arrays import Floats
from privaudit.base.arrow import pa, pc
from privaudit.detect.column import FEW, NEARLY_ALL, Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.names_in_cells import names_people
from privaudit.detect.plain_numbers import are_telephone_numbers, whole_numbers
from privaudit.detect.resolver import LEAST
from privaudit.model.headers import Hint
from privaudit.model.vocabulary import entity_type, in_group, with_role, with_trait
from privaudit.model.wording import Columns, Count, EntityType, Fact, fact

Numbers = Floats
FEWEST = 60
"""Distinct values that exclude chance: 60 random numbers of nine digits obey all rules once in 1,000 times."""
STRONG = 0.9
"""Confidence from which a generic reading of the values proves that they are not identifiers."""
_NUMERIC = ("integer", "decimal")
_LATEST_YEAR = 2103
_PARTS_OF_SECONDS = (1.0, 1e3, 1e6, 1e9)
_SECONDS = (-2.3e9, 4.2e9)  # seconds since 1970: 1897 to 2103
_DAYS = (-27_000, 60_000)  # since 1970 or, as spreadsheets count, since 1900
_BIRTHS, _LATEST_DAY = (7_306, 42_000), 46_500  # the years 1920 to 2014, and 2027, as spreadsheets count days
_EARLIEST_DAY = 36_526  # the year 2000: of recent dates, that of an admission or a purchase
_FIRST_DAYS = (0, 2_415_019, 693_594)  # of Julian day numbers, and of days since the year 1, as spreadsheets count
_IN_2030 = 1_893_456_000
_POWERS, _DEGREES = (5, 6, 7), 4  # degrees have three digits and a sign
_NAMED_LIKE_PEOPLE = frozenset({"ORGANISATION", "FREE_TEXT"})  # the last is read by itself
_DAY_SECONDS, _YEAR = 86_400, 365.25
_WIDTHS, _LEAST_PARTS = (3, 2, 4), (20, 2, FEWEST)  # digits of area, group and serial number; different values
_SEPARATED = r"^[0-9]{3}[./_ ][0-9]{2}[./_ ][0-9]{4}$"
_CODE_AND_FRACTION = r"^[0-9]{4,6}\."  # a postal code or a day with something behind a point
_MOST_PARTS = 8
_OTHER_WORDS = frozenset({"detect.enumeration", "detect.other_words", "detect.other_words_among_people"})
_OTHER_DATA_TYPES = frozenset({"boolean", "date", "timestamp", "time", "empty"})
_CLEAR, _DATE = 0.8, 5  # by hand: the last word means a date; a day in digits has five or more (spreadsheets)
_ROUNDED = 0.35  # share of multiples of five, of which days have 0.2
_SHARED = 10  # people with each value
_LONG = 15  # digits that no measurement has


def why_unassessed(item: ColumnEvidence, split: frozenset[str], *, among_people: bool, of_people: bool) -> Fact | None:
    """Return why a column that was taken as harmless may be personal data; None if it is clean.

    Parameters
    ----------
    split : frozenset of str
        The columns that `split_numbers` returned.
    among_people : bool
        Whether the table describes people.
    of_people : bool
        Whether each row is a person.
    """
    harmless = item.entity is None or entity_type(item.entity).role not in ("direct", "quasi")
    harmless = harmless or (item.entity in with_trait("calendar_date") and _is_far_time(item.column))
    if harmless and item.column.name in split:
        return fact("detect.split_number", columns=Columns(tuple(sorted(split))))
    reason = _why_other_form(item.column, among_people) if harmless else None
    if reason is None and harmless:
        reason = _why_named(item, among_people)
    if reason is None and not (of_people and _are_shared(item.column)):
        reason = _why_unproven(item, among_people)
    return reason


def _why_other_form(column: Column, among_people: bool) -> Fact | None:
    values = Count(column.n_distinct, unit="value")
    if _are_social_security_numbers(column):
        return fact("detect.like_ssn", values=values)
    numbers = whole_numbers(column)
    if numbers is not None and are_telephone_numbers(numbers, column.seed):
        return fact("detect.like_phone", values=values)
    if column.data_type not in _NUMERIC or not column.n_distinct or not np.isfinite(column.numbers).all():
        return None
    if _are_scaled_degrees(column):
        return fact("detect.scaled_degrees", values=values)
    if _counts_births(column):
        return fact("detect.birth_as_number", entity=EntityType("DATE_OF_BIRTH"))
    if column.n_distinct >= FEWEST and _are_whole_days(column.numbers):
        return fact("detect.whole_days", values=values)
    if among_people and _are_like_days(column):
        return fact("detect.like_days", values=values)
    return None


def _are_social_security_numbers(column: Column) -> bool:
    """Whether numbers of nine digits are all valid, spread over the areas, and some begin with a zero."""
    if column.n_distinct < FEWEST or column.data_type not in (*_NUMERIC, "text"):
        return False
    separated = column.matching(_SEPARATED) == 1
    digits = pc.replace_substring_regex(column.values, "[^0-9]", "") if separated else None
    numbers = whole_numbers(column) if digits is None else np.asarray(digits.cast(pa.float64()), dtype=np.float64)
    if numbers is None or numbers.max() >= 1e9 or (not separated and numbers.min() < 1e5):
        return False
    area = numbers // 1_000_000
    low = float((area < 100).mean())
    valid = _are_valid(area, numbers // 10_000 % 100, numbers % 10_000)
    return valid and 0.01 < low < 0.4 and len(np.unique(area)) >= min(40, len(numbers) // 2)


def _are_valid(area: Numbers, group: Numbers, serial: Numbers) -> bool:
    """Whether the parts obey the numbering rules of social security numbers."""
    areas = (area > 0).all() and (area != 666).all() and (area < 900).all()
    return bool(areas and (group > 0).all() and (serial > 0).all())


def _counts_births(column: Column) -> bool:
    """Whether a column that is named as a date of birth counts days, seconds or fractions of seconds."""
    low, high = float(column.numbers.min()), float(column.numbers.max())
    if column.header.strength("DATE_OF_BIRTH") <= 0 or low == high or high <= _LATEST_YEAR:
        return False
    spans = (_DAYS, *((_SECONDS[0] * part, _SECONDS[1] * part) for part in _PARTS_OF_SECONDS))
    return any(first < low and high < last for first, last in spans)


def _are_whole_days(numbers: Numbers) -> bool:
    """Whether numbers are dates in seconds, or in fractions of seconds: whole days apart, over ten years or more."""
    for part in _PARTS_OF_SECONDS:
        days = (numbers - numbers[0]) / (_DAY_SECONDS * part)
        inside = _SECONDS[0] * part < numbers.min() and numbers.max() < _SECONDS[1] * part
        if inside and np.ptp(days) > 10 * _YEAR:
            return bool((np.abs(days - np.round(days)) < 1e-6).all())
    return False


def _are_like_days(column: Column) -> bool:
    """Whether whole numbers without a telling name lie as days of birth or recent days do, and are not rounded."""
    header = column.header
    suggests_date = bool({hint.entity for hint in header.hints} & with_trait("calendar_date"))
    if not (suggests_date or header.is_opaque or not header.hints) or column.matching(r"^[0-9]{2,7}$") < 1:
        return False
    if (column.numbers % 5 == 0).mean() >= _ROUNDED:
        return False
    births = column.n_distinct >= FEWEST and any(_are_days_of_birth(column.numbers - first) for first in _FIRST_DAYS)
    return births or _are_recent_days(column)


def _are_days_of_birth(numbers: Numbers) -> bool:
    """Whether numbers, as spreadsheets count days, lie as days of birth do."""
    inside = ((numbers >= _BIRTHS[0]) & (numbers <= _BIRTHS[1])).mean()
    if numbers.min() < -_LATEST_DAY or numbers.max() > _LATEST_DAY:
        return False
    if inside < NEARLY_ALL or np.ptp(numbers) < 20 * _YEAR:
        return False
    return len(numbers) < 0.9 * float(np.ptp(numbers))


def _are_recent_days(column: Column) -> bool:
    """Whether more than a few numbers are days since 2000, as spreadsheets count them, and do not count the rows."""
    numbers = column.numbers
    if len(numbers) <= FEW or numbers.min() < _EARLIEST_DAY or numbers.max() > _LATEST_DAY:
        return False
    return not column.is_unique or len(numbers) < 0.9 * float(np.ptp(numbers))


def _is_far_time(column: Column) -> bool:
    """Whether all values, taken for seconds since 1970, are beyond 2030: so are telephone numbers from 201 to 217."""
    numbers = whole_numbers(column)
    return numbers is not None and len(numbers) > 0 and bool(numbers.min() >= _IN_2030 and numbers.max() < 1e10)


def _are_scaled_degrees(column: Column) -> bool:
    """Whether a column that is named as a latitude or longitude has degrees times a power of ten."""
    strength = max(column.header.strength(entity) for entity in ("LATITUDE", "LONGITUDE"))
    if strength < LEAST or column.n_distinct < FEWEST or not column.integral.all():
        return False
    return any((np.abs(column.numbers) / 10**power <= 180).all() for power in _POWERS) and column.longest > _DEGREES


def _why_named(item: ColumnEvidence, among_people: bool) -> Fact | None:
    """Return why a column may name people: its cells do or, in a table about people, its name and words on no list."""
    column = item.column
    if item.entity in _NAMED_LIKE_PEOPLE or item.entity in with_trait("place_name"):
        return None
    if names_people(column):
        return fact("detect.names_in_cells")
    if not among_people:
        return None
    hint = next(iter(column.header.hints), None)
    if hint is None or hint.strength < LEAST or hint.entity not in {*with_trait("person_name"), "USERNAME"}:
        return None
    is_word = column.data_type == "text" and column.has_letters_in() and column.n_distinct > FEW
    if item.entity is not None or not is_word or _are_shared(column) or not column.is_varied:
        return None
    return fact("detect.words_on_no_list", entity=EntityType(hint.entity))


def split_numbers(table: Sequence[ColumnEvidence]) -> frozenset[str]:
    """Return the columns that three by three hold the parts of social security numbers.

    Three neighbouring columns of fixed width are enough. Columns that are apart, or that lost their leading zeros, need
    last digits that are spread evenly over 1 to 9999.
    """
    found: set[str] = set()
    for items in zip(table, table[1:], table[2:], strict=False):
        columns = [item.column for item in items]
        if all(map(_has_fixed_width, columns, _WIDTHS, _LEAST_PARTS)):
            area, group, serial = (column.numbers for column in columns)
            if _are_valid(area, group, serial) and (serial < 1000).any():
                found.update(column.name for column in columns)
    numbers = [item.column for item in table if _may_be_part(item)]
    areas, groups, serials = (
        [column for column in numbers if test(column.numbers)][:_MOST_PARTS]
        for test in (_are_areas, _are_groups, _are_serials)
    )
    for triple in product(areas, groups, serials):
        names = {column.name for column in triple}
        found |= names if len(names) == 3 else set()
    return frozenset(found)


def _has_fixed_width(column: Column, width: int, least: int) -> bool:
    """Whether at least `least` different values all consist of `width` digits."""
    return column.n_distinct >= least and column.matching(rf"^[0-9]{{{width}}}$") == 1


def _may_be_part(item: ColumnEvidence) -> bool:
    column = item.column
    if column.data_type not in ("integer", "text") or column.n_distinct < 40:
        return False
    plain = item.entity is None or entity_type(item.entity).role == "none"
    return (plain or item.entity in with_trait("provisional")) and column.matching(r"^[0-9]{1,4}$") == 1


def _are_areas(numbers: Numbers) -> bool:
    return bool(numbers.min() > 0 and 500 < numbers.max() < 900 and not (numbers == 666).any())


def _are_groups(numbers: Numbers) -> bool:
    return bool(1 <= numbers.min() <= 5 and 90 <= numbers.max() <= 99 and len(numbers) >= 50)


def _are_serials(numbers: Numbers) -> bool:
    """Whether distinct numbers are spread evenly over 1 to 9999, by the test of Kolmogorov at the level of 1 %."""
    if len(numbers) < FEWEST or numbers.min() < 1 or numbers.max() > 9999:
        return False
    ranks = (np.arange(len(numbers)) + 0.5) / len(numbers)
    return bool(np.abs(np.sort(numbers) / 9999 - ranks).max() < 1.63 / np.sqrt(len(numbers)))


def _why_unproven(item: ColumnEvidence, among_people: bool) -> Fact | None:
    """Return why values that contradict the identifier that the column name suggests do not prove something else.

    A name that things have as well, such as a bare ``name``, counts only `among_people`.
    """
    hint = next(iter(item.column.header.hints), None)
    if hint is None or hint.strength < LEAST:
        return None
    promised = among_people and _promises_digits(item.column, hint)
    if not _identifies(hint.entity) and not promised:
        return None
    # "member" may name IDs; "patient_name" promises names, which codes are not.
    if hint.strength <= LEAST and hint.entity in with_trait("person_name") and _is_key_of_people(item):
        return None
    if not among_people and hint.strength <= LEAST and hint.entity in with_trait("ambiguous_column_name"):
        return None
    against = (c.because for c in item.ledger.claims if c.entity == hint.entity)
    reasons = (because.values["reason"] for because in against if because.code == "detect.name_contradicted")
    reason = next((one for one in reasons if isinstance(one, Fact)), None)
    if reason is None or reason.code.startswith("detect.siblings"):
        return None
    if _proves_other(item, reason) and not (promised and item.column.data_type == "decimal"):
        return None
    return fact("detect.name_unproven", entity=EntityType(hint.entity), reason=reason)


def _promises_digits(column: Column, hint: Hint) -> bool:
    """Whether a column name clearly means dates or postal codes, and the values have as many digits, before a point."""
    named = hint.entity in {*with_trait("calendar_date"), "POSTAL_CODE"} and hint.strength >= _CLEAR
    long = column.data_type != "decimal" or column.at_least(_CODE_AND_FRACTION)
    return named and long and column.n_distinct > FEW and column.shortest >= _DATE and column.has_digits_in()


def _is_key_of_people(item: ColumnEvidence) -> bool:
    """Whether a column holds IDs that identify people: under "member", M00001 is the ID of a member, not a name."""
    return item.entity in in_group("key") & with_role("direct")


def _identifies(entity: str) -> bool:
    """Whether an entity type identifies people, or distinguishes them by what only people have: a date of birth."""
    role = entity_type(entity).role
    return role == "direct" or (role == "quasi" and entity in with_trait("implies_person"))


def _are_shared(column: Column) -> bool:
    """Whether the column has few different values, and many rows have each of them: levels, which identify nobody."""
    return 0 < column.n_distinct <= FEW and int(column.counts.min()) >= _SHARED


def _proves_other(item: ColumnEvidence, reason: Fact) -> bool:
    """Whether the values themselves show something else, and do not only resemble it."""
    column, verdict = item.column, item.verdict
    if column.data_type in _OTHER_DATA_TYPES or column.n_distinct <= 1 or reason.code in _OTHER_WORDS:
        return True
    if column.data_type == "decimal" and not column.integral.all():
        return column.shortest < _LONG  # two numbers with a point between them are an ID of web analytics
    if verdict is None or verdict.entity in with_trait("provisional"):
        return False
    if {clue.kind for clue in verdict.evidence} <= {"header"}:
        return False
    specific = any(c.entity == verdict.entity and not c.generic for c in item.ledger.standing())
    return specific or verdict.confidence >= STRONG
