"""Readings that a column's name suggests, each held against the values.

Question: the name says "age" or "e-mail": can these values be that?
Method: every entity has a condition its values must meet. A name whose values contradict it is turned down with the
reason; one whose values could be what it says is a candidate as strong as the name is clear.
Limits: the condition is necessary, not sufficient: coded values (1, 2) are believed on a clear name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from privaudit.detect import words
from privaudit.detect.column import Column
from privaudit.detect.evidence import Findings
from privaudit.detect.header import PLAIN
from privaudit.detect.kinds import doubts, names
from privaudit.detect.kinds.dates import Calendar
from privaudit.model import Clue

Fit = Callable[[Column, Calendar], "str | None"]
"""Returns None where the values can be the entity, else why they cannot."""


def candidates(
    column: Column, calendar: Calendar, found: Findings
) -> dict[str, tuple[float, str | None, Clue]]:
    """Return for each entity the name speaks for: strength, detail and the clue; rejections go to `found`."""
    kept: dict[str, tuple[float, str | None, Clue]] = {}
    plain = column.header.plain
    for hint in column.header.hints:
        if hint.entity == PLAIN or column.n_distinct == 0 or (plain and hint.strength <= 0.5):
            continue
        why_not = _fits().get(hint.entity, _anything)(column, calendar)
        if why_not is not None:
            found.reject(hint.entity, f"its name suggests it, but {why_not}")
            continue
        clue = Clue(kind="header", because=f"the column's name says so ({hint.language})")
        kept[hint.entity] = (hint.strength, None, clue)
    if column.header.negative is not None:
        _negative(column, found)
    return kept


def _negative(column: Column, found: Findings) -> None:
    word = column.header.negative
    for entity in ("EMAIL", "PHONE", "PERSON_NAME", "AGE"):
        if column.header.says(entity.split("_")[0].lower()):
            found.reject(entity, f'the name ends or begins with "{word}": it tells of a thing, not the thing')


def _anything(column: Column, calendar: Calendar) -> str | None:
    return None


def _dates(column: Column, calendar: Calendar) -> str | None:
    if calendar.share >= 0.5 or column.data_type in ("date", "timestamp"):
        return None
    return "the cells are no dates"


def _birth(column: Column, calendar: Calendar) -> str | None:
    if _dates(column, calendar) is None:
        return (
            None
            if calendar.precision not in ("minute", "second") or calendar.midnight
            else "the dates have a time of day"
        )
    return None if column.matching(r"(?:1[5-9]|20)[0-9]{2}") >= 0.5 else "the cells are no dates"


def _expiry(column: Column, calendar: Calendar) -> str | None:
    months = column.matching(
        r"^(?:0?[1-9]|1[0-2])[/ .-]?(?:20)?[2-9][0-9]$|^20[2-9][0-9][/ .-]?(?:0[1-9]|1[0-2])$"
    )
    return None if months >= 0.8 else _dates(column, calendar)


def _event(column: Column, calendar: Calendar) -> str | None:
    if _dates(column, calendar) is None or column.data_type == "time":
        return None
    if column.data_type in ("integer", "decimal"):
        numbers = column.numbers[np.isfinite(column.numbers)]
        years = len(numbers) and numbers.min() >= 1700 and numbers.max() <= 2100
        epoch = len(numbers) and numbers.min() > 1e8
        small = column.n_distinct <= 31 and column.header.says("month", "day", "quarter", "hour", "weekday")
        return None if years or epoch or small else "the numbers are no dates"
    days = words.value_list("WEEKDAY") | words.value_list("MONTH")
    return None if column.share(words.members(column.folded, days)) > 0.5 else "the cells are no dates"


def _year(column: Column, calendar: Calendar) -> str | None:
    numbers = column.numbers[np.isfinite(column.numbers)]
    if len(numbers) and 1500 <= np.median(numbers) <= 2030:
        return None
    if len(numbers) >= 10 and numbers.min() >= 0 and numbers.max() <= 99 and column.data_type == "integer":
        return None  # the last two digits
    return "the cells are no years" if _dates(column, calendar) else None


def _age(column: Column, calendar: Calendar) -> str | None:
    if column.data_type == "boolean" and column.header.says("senior", "minor", "adult", "elderly", "child"):
        return None
    if column.data_type in ("boolean", "date", "timestamp"):
        return f"the cells are of kind {column.data_type}"
    with np.errstate(invalid="ignore"):
        plausible = np.isfinite(column.numbers) & (column.numbers >= 0) & (column.numbers <= 130)
    banded = column.matches(
        r"^[\[(<>≤≥ ]*[0-9]{1,3} ?(?:-|–|to|,|\+|years|yrs|y)"
        r"|(?i)^(?:under|over|less|more|below|above|greater|fewer|older|younger|up to)|^[0-9]{1,2}s$|^[<>≤≥]"
        r"|(?i)^[0-9]{1,3} ?(?:y|yrs?|years?)? ?[/,-] ?(?:m|f|male|female)$"
    )
    return (
        None
        if column.share(plausible | banded) >= 0.9 or (column.letters > 0.9 and column.n_distinct < 15)
        else "the numbers are no ages"
    )


def _words(column: Column, calendar: Calendar) -> str | None:
    """Names of people: letters, no enumerations, no codes."""
    if column.data_type in ("integer", "decimal", "boolean", "date", "timestamp", "time"):
        return f"the cells are of kind {column.data_type}"
    if column.letters < 0.6:
        return "most cells hold no words"
    if column.matching(r"[0-9]") > 0.5:
        return "most cells hold digits"
    repeated = column.n_distinct <= 12 and column.n_present >= 30 * column.n_distinct
    if repeated and not _known_names(column):
        return "a short list of values is repeated"
    listed = max(
        words.members(column.folded, words.value_list(n)).mean() for n in ("YESNO", "LEVEL", "WEEKDAY")
    )
    return "the values are an enumeration" if listed > 0.5 else None


def _middle(column: Column, calendar: Calendar) -> str | None:
    """Middle names are often cut to their initials."""
    initials = column.data_type == "text" and column.matching(r"^\p{L}[\p{L}'’ .-]*$") >= 0.9
    return None if initials and column.n_distinct >= 5 else _words(column, calendar)


def _known_names(column: Column) -> bool:
    reading = names.read(column)
    return reading is not None and reading.known >= 0.5 and reading.prose < 0.3


def _text(column: Column, calendar: Calendar) -> str | None:
    if column.data_type in ("boolean", "date", "timestamp", "time", "decimal"):
        return f"the cells are of kind {column.data_type}"
    return None if column.letters >= 0.5 else "most cells hold no words"


def _place(column: Column, calendar: Calendar) -> str | None:
    if column.data_type in ("boolean", "date", "timestamp", "time"):
        return f"the cells are of kind {column.data_type}"
    if column.data_type == "decimal" and not column.integral.all():
        return "the cells are decimals"
    listed = max(words.members(column.folded, words.value_list(n)).mean() for n in ("YESNO", "LEVEL"))
    return "the values are an enumeration" if listed > 0.6 and column.n_distinct > 1 else None


def _area(column: Column, calendar: Calendar) -> str | None:
    if column.data_type == "decimal" and not column.integral.all() and not column.header.says("density"):
        return "the cells are decimals"
    return f"the cells are of kind {column.data_type}" if column.data_type in ("date", "timestamp", "time") else None


def _state(column: Column, calendar: Calendar) -> str | None:
    why_not = _place(column, calendar)
    if why_not is None and column.n_distinct <= 12:
        listed = words.members(column.folded, words.value_list("LEVEL") | words.value_list("YESNO"))
        known = words.members(column.folded, words.value_list("STATE") | words.value_list("STATE", "codes"))
        if column.share(listed) > 0.5 > column.share(known):
            return "the values tell of a condition, not of a place"
    return why_not


def _postal(column: Column, calendar: Calendar) -> str | None:
    fits = column.matching(r"^[A-Za-z0-9][A-Za-z0-9 \-.〒*]{1,10}$")
    if column.data_type in ("boolean", "date", "timestamp", "time") or fits < 0.8 or column.digits < 0.5:
        return "the cells have not the form of postal codes"
    return "the cells are decimals" if column.data_type == "decimal" and not column.integral.all() else None


def _identifier(column: Column, calendar: Calendar) -> str | None:
    if column.data_type in ("boolean", "date", "timestamp", "time"):
        return f"the cells are of kind {column.data_type}"
    if column.data_type == "decimal" and not column.integral.all():
        return "the cells are decimals"
    return "most cells hold words" if column.words_per_cell.mean() > 4 else None


def _official(column: Column, calendar: Calendar) -> str | None:
    why_not = _identifier(column, calendar)
    if why_not is not None:
        return why_not
    if column.digits < 0.5 and column.matching(r"^[A-Z]{6}") < 0.5:
        return "most cells hold no digits"
    return "the numbers are too short" if column.share(column.lengths >= 4) < 0.5 else None


def _security(column: Column, calendar: Calendar) -> str | None:
    return (
        None if column.matching(r"^[0-9]{3,4}(?:\.0)?$") > 0.8 else "the cells are not three or four digits"
    )


def _phone(column: Column, calendar: Calendar) -> str | None:
    if column.data_type in ("boolean", "date", "timestamp", "time") or column.digits < 0.6:
        return "the cells hold no numbers to call"
    if column.data_type == "decimal" and not column.integral.all():
        return "the cells are decimals"
    short = column.header.says("extension", "ext")
    few = 4 if column.header.strength("PHONE") >= 0.8 else 6  # islands have numbers of four and five digits
    return (
        None if column.matching(rf"(?:[0-9][^0-9]*){{{few}}}") > 0.5 or short else "the numbers are too short"
    )


def _pattern(pattern: str, what: str) -> Fit:
    def fit(column: Column, calendar: Calendar) -> str | None:
        return None if column.matching(pattern) >= 0.3 else f"the cells have not the form of {what}"

    return fit


def _degrees(limit: float) -> Fit:
    def fit(column: Column, calendar: Calendar) -> str | None:
        numbers = column.numbers[np.isfinite(column.numbers)]
        inside = (
            len(numbers) and np.abs(numbers).max() <= limit and column.data_type in ("decimal", "integer", "text")
        )
        return None if inside and len(numbers) >= 0.6 * column.n_distinct else "the numbers are no degrees"

    return fit


def _category(column: Column, calendar: Calendar) -> str | None:
    if column.data_type in ("date", "timestamp", "time"):
        return f"the cells are of kind {column.data_type}"
    halves = (
        column.data_type == "decimal" and column.n_distinct <= 60 and column.header.strength("EDUCATION") >= 0.7
    )
    if column.data_type == "decimal" and not column.integral.all() and not halves:
        return "the cells are decimals"
    return "too many different values" if column.n_distinct > 60 and column.uniqueness > 0.3 else None


def _gender(column: Column, calendar: Calendar) -> str | None:
    if column.n_distinct > 40 or column.data_type in ("date", "timestamp", "time"):
        return "too many different values"
    return None


def _prose(column: Column, calendar: Calendar) -> str | None:
    if column.data_type != "text":
        return f"the cells are of kind {column.data_type}"
    long = column.words_per_cell.mean() >= 3 or column.lengths.mean() > 25
    return None if long and column.n_distinct > 2 else "the cells are short"


def _money(column: Column, calendar: Calendar) -> str | None:
    if column.data_type == "boolean" and column.header.says("premium"):
        return "yes and no are no sums"
    return f"the cells are of kind {column.data_type}" if column.data_type in ("date", "timestamp", "time") else None


def _street(column: Column, calendar: Calendar) -> str | None:
    why_not = _text(column, calendar)
    if why_not is None and column.n_distinct <= 12 and column.n_present >= 20 * column.n_distinct:
        return "a short list of values is repeated"
    return why_not


_GROUPS: tuple[tuple[str, Fit], ...] = (
    ("PERSON_NAME FIRST_NAME LAST_NAME MAIDEN_NAME", _words),
    ("MIDDLE_NAME", _middle),
    ("DATE_OF_BIRTH", _birth),
    ("DEATH_DATE", _birth),
    ("CARD_EXPIRY", _expiry),
    ("DATE_EVENT", _event),
    ("BIRTH_YEAR", _year),
    ("AGE", _age),
    ("EMAIL", _pattern("@", "e-mail addresses")),
    ("URL", _pattern(r"(?i)://|www\.|\.[a-z]{2,}|/", "web addresses")),
    (
        "IP_ADDRESS",
        _pattern(
            r"^[0-9]{1,3}(?:\.[0-9]{1,3}){3}|(?i)^[0-9a-f]*:[0-9a-f:]+|^[0-9]{8,10}$", "internet addresses"
        ),
    ),
    (
        "MAC_ADDRESS",
        _pattern(r"(?i)^(?:[0-9a-f]{2}[:-]?){5}[0-9a-f]{2}$|(?i)^[0-9a-f]{4}\.", "hardware addresses"),
    ),
    ("IBAN", _pattern(r"(?i)^[a-z]{2}[0-9]{2}", "account numbers")),
    ("CREDIT_CARD", doubts.card),
    ("MEDICAL", doubts.health),
    ("LANGUAGE", doubts.language),
    ("CARD_SECURITY", _security),
    ("PHONE", _phone),
    ("USER_AGENT", _pattern(r"/[0-9]", "browser identifications")),
    ("SSN NATIONAL_ID TAX_ID DRIVER_LICENSE PASSPORT VOTER_ID HEALTH_ID VEHICLE_ID BANK_ACCOUNT", _official),
    ("PERSON_ID RECORD_ID ROW_NUMBER DEVICE_ID USERNAME BANK_CODE", _identifier),
    ("STREET_ADDRESS", _street),
    ("CITY COUNTRY COUNTY_REGION", _place),
    ("STATE", _state),
    ("GEO_CODE", _area),
    ("POSTAL_CODE", _postal),
    ("LATITUDE", _degrees(90)),
    ("LONGITUDE", _degrees(180)),
    ("COORDINATES", _pattern(r"[0-9]\.[0-9]+.*[0-9]", "points")),
    ("GENDER", _gender),
    ("MARITAL_STATUS RACE_ETHNICITY RELIGION EDUCATION NAME_PREFIX NAME_SUFFIX", _category),
    ("ORGANISATION EMPLOYER", _text),
    ("FREE_TEXT", _prose),
    ("INCOME FINANCIAL CREDIT_SCORE", _money),
)


@cache
def _fits() -> dict[str, Fit]:
    return {entity: fit for entities, fit in _GROUPS for entity in entities.split()}
