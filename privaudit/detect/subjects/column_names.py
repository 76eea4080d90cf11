"""What the column name suggests, if the values can be that.

Question: the column name suggests "age" or "e-mail": can these values be that?
Method: the record of an entity type names the form of its values (``value_form`` in ``rules/entities``). Each form has
a condition that returns None if the values meet it, otherwise the reason why they do not: then the claim of the column
name is answered at once. A claim is as strong as the column name is clear.
Limits: a condition is necessary, not sufficient: coded values (1, 2) are accepted for categories.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from privaudit.detect import wordlists
from privaudit.detect.calendars import Calendar
from privaudit.detect.column import Column
from privaudit.detect.ledger import Entry, against, named
from privaudit.detect.resolver import LEAST
from privaudit.detect.subjects import names
from privaudit.headers import PLAIN
from privaudit.vocabulary import entity_type
from privaudit.wording import EntityType, Fact, Term, fact

Condition = Callable[[Column, Calendar], "Fact | None"]


def run(column: Column, calendar: Calendar) -> Iterator[Entry]:
    """Yield the claims of the column name, each answered at once where the values cannot be of the entity type."""
    ordinary = column.header.is_ordinary
    for hint in column.header.hints:
        if hint.entity == PLAIN or column.n_distinct == 0 or (ordinary and hint.strength <= 0.5):
            continue
        language = Term(code=f"language.{hint.language}")
        claim = named(column, hint.entity, hint.strength, fact("detect.column_name", language=language))
        yield claim
        reason = why_not(hint.entity, column, calendar)
        if reason is not None:
            yield against(hint.entity, contradicted(hint.entity, reason), [claim])


def contradicted(entity: str, reason: Fact) -> Fact:
    """Return the rejection of an entity type that the column name suggests and the values contradict."""
    return fact("detect.name_contradicted", entity=EntityType(code=entity), reason=reason)


def why_not(entity: str, column: Column, calendar: Calendar) -> Fact | None:
    """Return why the values of `column` cannot be of an entity type; None if they can."""
    form = entity_type(entity).value_form
    return _CONDITIONS[form](column, calendar) if form else None


def _not_form(what: str) -> Fact:
    return fact("detect.not_form", what=Term(code=what))


def _data_type(column: Column) -> Fact:
    return fact("detect.data_type", type=Term(code=column.data_type))


def _dates(column: Column, calendar: Calendar) -> Fact | None:
    if calendar.share >= 0.5 or column.data_type in ("date", "timestamp"):
        return None
    return fact("detect.not_dates")


def _birth(column: Column, calendar: Calendar) -> Fact | None:
    if _dates(column, calendar) is None:
        return (
            None
            if calendar.precision not in ("minute", "second") or calendar.midnight
            else fact("detect.dates_with_time")
        )
    return None if column.matching(r"(?:1[5-9]|20)[0-9]{2}") >= 0.5 else fact("detect.not_dates")


def _event(column: Column, calendar: Calendar) -> Fact | None:
    if _dates(column, calendar) is None or column.data_type == "time":
        return None
    if column.data_type in ("integer", "decimal"):
        numbers = column.numbers[np.isfinite(column.numbers)]
        years = len(numbers) and numbers.min() >= 1700 and numbers.max() <= 2100
        epoch = len(numbers) and numbers.min() > 1e8
        small = column.n_distinct <= 31 and column.header.has_word(
            "month", "day", "quarter", "hour", "weekday"
        )
        return None if years or epoch or small else fact("detect.numbers_not_dates")
    days = wordlists.value_list("WEEKDAY") | wordlists.value_list("MONTH")
    return None if column.share(wordlists.members(column.folded, days)) > 0.5 else fact("detect.not_dates")


def _year(column: Column, calendar: Calendar) -> Fact | None:
    numbers = column.numbers[np.isfinite(column.numbers)]
    if len(numbers) and 1500 <= np.median(numbers) <= 2030:
        return None
    if len(numbers) >= 10 and numbers.min() >= 0 and numbers.max() <= 99 and column.data_type == "integer":
        return None  # the last two digits
    return fact("detect.not_years") if _dates(column, calendar) else None


def _age(column: Column, calendar: Calendar) -> Fact | None:
    if column.data_type == "boolean" and column.header.has_word(
        "senior", "minor", "adult", "elderly", "child"
    ):
        return None
    if column.data_type in ("boolean", "date", "timestamp"):
        return _data_type(column)
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
        else fact("detect.not_ages")
    )


def _words(column: Column, calendar: Calendar) -> Fact | None:
    """Names of people consist of letters, and are neither enumerations nor codes."""
    if column.data_type in ("integer", "decimal", "boolean", "date", "timestamp", "time"):
        return _data_type(column)
    if column.letters < 0.6:
        return fact("detect.no_words")
    if column.matching(r"[0-9]") > 0.5:
        return fact("detect.digits")
    repeated = column.n_distinct <= 12 and column.n_present >= 30 * column.n_distinct
    if repeated and not _known_names(column):
        return fact("detect.enumeration")
    listed = max(
        wordlists.members(column.folded, wordlists.value_list(n)).mean()
        for n in ("YESNO", "LEVEL", "WEEKDAY")
    )
    return fact("detect.enumeration") if listed > 0.5 else None


def _middle(column: Column, calendar: Calendar) -> Fact | None:
    """Middle names are often cut to their initials."""
    initials = column.data_type == "text" and column.matching(r"^\p{L}[\p{L}'’ .-]*$") >= 0.9
    return None if initials and column.n_distinct >= 5 else _words(column, calendar)


def _known_names(column: Column) -> bool:
    reading = names.read(column)
    return reading is not None and reading.known >= 0.5 and reading.prose < 0.3


def _text(column: Column, calendar: Calendar) -> Fact | None:
    if column.data_type in ("boolean", "date", "timestamp", "time", "decimal"):
        return _data_type(column)
    return None if column.letters >= 0.5 else fact("detect.no_words")


def _place(column: Column, calendar: Calendar) -> Fact | None:
    if column.data_type in ("boolean", "date", "timestamp", "time"):
        return _data_type(column)
    if column.data_type == "decimal" and not column.integral.all():
        return fact("detect.decimals")
    listed = max(wordlists.members(column.folded, wordlists.value_list(n)).mean() for n in ("YESNO", "LEVEL"))
    return fact("detect.enumeration") if listed > 0.6 and column.n_distinct > 1 else None


def _area(column: Column, calendar: Calendar) -> Fact | None:
    if column.data_type == "decimal" and not column.integral.all():
        return fact("detect.decimals")
    return _data_type(column) if column.data_type in ("date", "timestamp", "time") else None


def _state(column: Column, calendar: Calendar) -> Fact | None:
    reason = _place(column, calendar)
    if reason is None and column.n_distinct <= 12:
        listed = wordlists.members(
            column.folded, wordlists.value_list("LEVEL") | wordlists.value_list("YESNO")
        )
        known = wordlists.members(
            column.folded, wordlists.value_list("STATE") | wordlists.value_list("STATE", "codes")
        )
        if column.share(listed) > 0.5 > column.share(known):
            return fact("detect.condition_not_place")
    return reason


def _postal(column: Column, calendar: Calendar) -> Fact | None:
    if column.data_type in ("boolean", "date", "timestamp", "time"):
        return _not_form("postal codes")
    fits = column.digits >= 0.5 and column.matching(r"^[A-Za-z0-9][A-Za-z0-9 \-.〒*]{1,10}$") >= 0.8
    # The first characters of postal codes are those of larger areas: "SW", "9". A single character is a code of many
    # things, so that the name must have no other meaning.
    fewest = 1 if column.header.strength("POSTAL_CODE") > LEAST else 2
    if not fits and column.matching(rf"^[A-Za-z0-9]{{{fewest},3}}\**$") < 0.8:
        return _not_form("postal codes")
    return fact("detect.decimals") if column.data_type == "decimal" and not column.integral.all() else None


def _identifier(column: Column, calendar: Calendar) -> Fact | None:
    if column.data_type in ("boolean", "date", "timestamp", "time"):
        return _data_type(column)
    if column.data_type == "decimal" and not column.integral.all():
        return fact("detect.decimals")
    return fact("detect.many_words") if column.words_per_cell.mean() > 4 else None


def _official(column: Column, calendar: Calendar) -> Fact | None:
    reason = _identifier(column, calendar)
    if reason is not None:
        return reason
    if column.digits < 0.5 and column.matching(r"^[A-Z]{6}") < 0.5:
        return fact("detect.no_digits")
    return fact("detect.short_numbers") if column.share(column.lengths >= 4) < 0.5 else None


def _security(column: Column, calendar: Calendar) -> Fact | None:
    return None if column.matching(r"^[0-9]{3,4}(?:\.0)?$") > 0.8 else fact("detect.not_three_or_four_digits")


def _phone(column: Column, calendar: Calendar) -> Fact | None:
    if column.data_type in ("boolean", "date", "timestamp", "time") or column.digits < 0.6:
        return fact("detect.not_phone_numbers")
    if column.data_type == "decimal" and not column.integral.all():
        return fact("detect.decimals")
    short = column.header.has_word("extension", "ext")
    few = 4 if column.header.strength("PHONE") >= 0.8 else 6  # islands have numbers of four and five digits
    return (
        None
        if column.matching(rf"(?:[0-9][^0-9]*){{{few}}}") > 0.5 or short
        else fact("detect.short_numbers")
    )


def _pattern(pattern: str, what: str) -> Condition:
    def condition(column: Column, calendar: Calendar) -> Fact | None:
        return None if column.matching(pattern) >= 0.3 else _not_form(what)

    return condition


def _degrees(limit: float) -> Condition:
    def condition(column: Column, calendar: Calendar) -> Fact | None:
        numbers = column.numbers[np.isfinite(column.numbers)]
        inside = (
            len(numbers)
            and np.abs(numbers).max() <= limit
            and column.data_type in ("decimal", "integer", "text")
        )
        return None if inside and len(numbers) >= 0.6 * column.n_distinct else fact("detect.not_degrees")

    return condition


def _category(column: Column, calendar: Calendar) -> Fact | None:
    if column.data_type in ("date", "timestamp", "time"):
        return _data_type(column)
    halves = (
        column.data_type == "decimal"
        and column.n_distinct <= 60
        and column.header.strength("EDUCATION") >= 0.7
    )
    if column.data_type == "decimal" and not column.integral.all() and not halves:
        return fact("detect.decimals")
    return fact("detect.too_many_values") if column.n_distinct > 60 and column.uniqueness > 0.3 else None


def _gender(column: Column, calendar: Calendar) -> Fact | None:
    if column.n_distinct > 40 or column.data_type in ("date", "timestamp", "time"):
        return fact("detect.too_many_values")
    return None


def _prose(column: Column, calendar: Calendar) -> Fact | None:
    if column.data_type != "text":
        return _data_type(column)
    long = column.words_per_cell.mean() >= 3 or column.lengths.mean() > 25
    return None if long and column.n_distinct > 2 else fact("detect.short_cells")


def _money(column: Column, calendar: Calendar) -> Fact | None:
    if column.data_type == "boolean" and column.header.has_word("premium"):
        return fact("detect.flag_not_amount")
    return _data_type(column) if column.data_type in ("date", "timestamp", "time") else None


def _street(column: Column, calendar: Calendar) -> Fact | None:
    reason = _text(column, calendar)
    if reason is None and column.n_distinct <= 12 and column.n_present >= 20 * column.n_distinct:
        return fact("detect.enumeration")
    return reason


def _card(column: Column, calendar: Calendar) -> Fact | None:
    """Payment card numbers, or their last four digits, begin with the prefix of an issuer; member cards do not."""
    if column.header.has_word("last", "ending") and column.matching(r"^[0-9]{4}(?:\.0)?$") >= 0.9:
        return None
    if column.matching(r"^[0-9*xX][0-9*xX \-]{10,22}$") < 0.3:
        return _not_form("card numbers")
    issued = column.matching(r"^(?:4|5[0-9]|2[2-7]|3[0-9]|6(?:0|2|4[4-9]|5|7)|1800|[*xX])")
    return None if issued >= 0.3 or column.n_distinct < 30 else fact("detect.no_issuer")


_CONDITIONS: dict[str, Condition] = {
    "words": _words,
    "middle_name": _middle,
    "birth_date": _birth,
    "event_date": _event,
    "year": _year,
    "age": _age,
    "email": _pattern("@", "e-mail addresses"),
    "url": _pattern(r"(?i)://|www\.|\.[a-z]{2,}|/", "web addresses"),
    "ip_address": _pattern(
        r"^[0-9]{1,3}(?:\.[0-9]{1,3}){3}|(?i)^[0-9a-f]*:[0-9a-f:]+|^[0-9]{8,10}$", "IP addresses"
    ),
    "mac_address": _pattern(r"(?i)^(?:[0-9a-f]{2}[:-]?){5}[0-9a-f]{2}$|(?i)^[0-9a-f]{4}\.", "MAC addresses"),
    "iban": _pattern(r"(?i)^[a-z]{2}[0-9]{2}", "IBANs"),
    "card_number": _card,
    "card_security_code": _security,
    "phone": _phone,
    "user_agent": _pattern(r"/[0-9]", "browser user agents"),
    "official_number": _official,
    "identifier": _identifier,
    "street_address": _street,
    "place": _place,
    "state": _state,
    "area_code": _area,
    "postal_code": _postal,
    "latitude": _degrees(90),
    "longitude": _degrees(180),
    "coordinates": _pattern(r"[0-9]\.[0-9]+.*[0-9]", "coordinates"),
    "gender": _gender,
    "category": _category,
    "text": _text,
    "prose": _prose,
    "amount": _money,
}
