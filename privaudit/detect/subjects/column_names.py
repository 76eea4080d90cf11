"""What the column name suggests, if the values can be that.

Question: the column name suggests "age" or "e-mail": can these values be that?
Method: the record of an entity type names the form of its values (``value_form`` in ``rules/entities``). Most forms are
records of ``rules/reference/value_forms.toml``; dates, ages and degrees are functions. Where the values do not have
the form, the claim of the column name is answered at once. A claim is as strong as the column name is clear. Where the
values consist of common words that the vocabulary of a sex or a country does not have, they are something else. A name
with several meanings (``[weak]`` in the lexicon) needs values that confirm it. Levels and codes of groups, which things
have as well, count only in a table that describes people.
Limits: a condition is necessary, not sufficient: coded values (1, 2) are accepted for categories.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

import numpy as np

from privaudit.base.arrays import Flags
from privaudit.base.records import dataclass
from privaudit.detect.calendars import calendar_of
from privaudit.detect.catalogue import wordlists
from privaudit.detect.column import FEW, NEARLY_ALL, Column, form
from privaudit.detect.ledger import NAME, Entry, against, claim_for
from privaudit.detect.resolver import LEAST
from privaudit.detect.stated_ages import OLDEST, PER_YEAR, unit_of_ages
from privaudit.detect.subjects import keys, names, places
from privaudit.detect.subjects.common_words import are_levels, are_others
from privaudit.detect.subjects.context import Posting, Table, describes_people, name
from privaudit.model.headers import PLAIN
from privaudit.model.vocabulary import entity_type
from privaudit.model.wording import EntityType, Fact, Term, fact

Condition = Callable[[Column], "Fact | None"]
_AMONG_PEOPLE, _OTHER_WORDS = "detect.among_people", "detect.other_words"
_WORDS_AMONG_PEOPLE = "detect.other_words_among_people"
_CODES_OF_AGES, _EACH = 10, 5  # groups of ages that surveys number, each of five people, as a chi-square test needs


def run(column: Column) -> Iterator[Entry]:
    """Yield the claims of the column name, each answered at once where the values cannot be of the entity type."""
    for hint in column.header.hints:
        if hint.entity == PLAIN or (column.header.is_ordinary and hint.strength <= LEAST):
            continue
        language = Term(f"language.{hint.language}")
        because = fact("detect.column_name", language=language)
        cells, detail = _dates_among(hint.entity, column)
        claim = claim_for(
            column, hint.entity, hint.strength, "header", because, source=NAME, cells=cells, detail=detail
        )
        yield claim
        reason = _why_not(hint.entity, column) or (
            _unconfirmed(hint.entity, column) if hint.strength <= LEAST else None
        )
        if reason is not None:
            yield against(hint.entity, contradicted(hint.entity, reason), [claim])


def _dates_among(entity: str, column: Column) -> tuple[Flags | None, str | None]:
    """Return the values that are dates, with their form, where others mark missing dates; None where all count."""
    if column.data_type != "text" or entity_type(entity).value_form not in ("birth_date", "event_date"):
        return None, None
    calendar = calendar_of(column)
    dated = ~np.isnan(calendar.years)
    return (dated, calendar.format) if 0 < calendar.share < 1 else (None, None)


def contradicted(entity: str, reason: Fact) -> Fact:
    """Return the rejection of an entity type that the column name suggests and the values contradict."""
    return fact("detect.name_contradicted", entity=EntityType(entity), reason=reason)


def name_values_of_people(table: Table) -> Iterator[Posting]:
    """Yield again the claims of column names on levels, codes and ages in days, in a table that describes people."""
    for item in table if describes_people(table) else ():
        for claim in item.ledger.claims:
            reason = claim.because.values.get("reason")
            counts_again = isinstance(reason, Fact) and reason.code in (_AMONG_PEOPLE, _WORDS_AMONG_PEOPLE)
            if counts_again and item.verdict is None:
                yield name(item, claim.entity, claim.answers[0].strength, fact("detect.siblings_values_of_people"))


def _why_not(entity: str, column: Column) -> Fact | None:
    """Return why the values of `column` cannot be of an entity type; None if they can."""
    wanted = entity_type(entity).value_form
    # What is sensitive about people does not count many rows by chance; it may count few.
    if entity_type(entity).special and column.may_be_codes and column.n_distinct > FEW and keys.counts_rows(column):
        return keys.why_row_number(column)
    if wanted in _CONDITIONS:
        return _CONDITIONS[wanted](column)
    return _form(wanted).why_not(column) if wanted else None


def _unconfirmed(entity: str, column: Column) -> Fact | None:
    """Return why the values do not confirm a column name with two meanings; None if they do, or cannot."""
    wanted = entity_type(entity).value_form
    return _form(wanted).why_unconfirmed(column) if wanted in wordlists.toml("value_forms") else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One record of ``value_forms.toml``, which explains its keys."""

    what: str = ""
    excluded: Sequence[str] = ("boolean", "date", "timestamp", "time")
    whole: bool = False
    pattern: str = ""
    least: float = 0.5
    most: int = 0
    repeats: int = 0
    uncommon: bool = False
    vocabulary: Sequence[str] = ()
    parts: Sequence[str] = ()
    people: bool = False
    complete: bool = False
    itself: str = ""
    witness: str = ""

    def why_not(self, column: Column) -> Fact | None:
        """Return why the values of `column` do not have this form; None if they have it."""
        data_type = "date" if _are_days(column) else column.data_type
        if data_type in self.excluded:
            return fact("detect.data_type", type=Term(data_type))
        if self.whole and column.data_type == "decimal" and not column.integral.all():
            return fact("detect.decimals")
        if self.pattern and not column.at_least(self.pattern, self.least):
            return fact("detect.not_form", what=Term(self.what))
        if self.most and column.n_distinct > self.most and column.uniqueness > 0.3:
            return fact("detect.too_many_values")
        words = names.why_no_names(column) if self.uncommon else None
        few = 0 < self.repeats * column.n_distinct <= column.n_present and column.n_distinct <= FEW
        if few and (words or not names.are_known(column)):
            return fact("detect.enumeration")
        if words:
            return words
        if self.vocabulary and are_others(column, self._listed):
            return fact(_WORDS_AMONG_PEOPLE if self.people else _OTHER_WORDS)
        if self.complete and are_levels(column, self._listed | wordlists.towns()):
            return fact(_OTHER_WORDS)
        return fact(_AMONG_PEOPLE) if self.itself and not column.at_least(self.itself, 0.5) else None

    def why_unconfirmed(self, column: Column) -> Fact | None:
        """Return why the values of `column` do not show what a name with two meanings suggests; None if they do."""
        refuted = self.vocabulary and are_levels(column, self._listed)
        shown = not self.witness or column.at_least(self.witness, 0.5)
        return fact("detect.not_confirmed") if refuted or not shown else None

    @property
    def _listed(self) -> frozenset[str]:
        return _vocabulary((*self.vocabulary,), (*self.parts,))


@cache
def _form(name: str) -> Form:
    return Form(**wordlists.toml("value_forms")[name])


@cache
def _vocabulary(lists: tuple[str, ...], topics: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*map(wordlists.value_list, lists), *map(wordlists.word_list, topics))


def _are_days(column: Column) -> bool:
    """Whether nearly all cells are days written as text."""
    calendar = calendar_of(column) if column.data_type == "text" else None
    return calendar is not None and calendar.share >= NEARLY_ALL and calendar.precision not in ("year", "month")


def _are_dates(column: Column) -> bool:
    dated = column.share_of_stated(~np.isnan(calendar_of(column).years))
    return dated >= 0.5 or column.data_type in ("date", "timestamp")


def _birth(column: Column) -> Fact | None:
    dated = _are_dates(column) or column.matching(r"(?:1[5-9]|20)[0-9]{2}") >= 0.5
    return None if dated else fact("detect.not_dates")


def _event(column: Column) -> Fact | None:
    """Years, seconds since 1970, or the number of a part of a year may be dates of events."""
    if _are_dates(column) or column.data_type == "time":
        return None
    numbers = column.known_numbers
    if column.data_type not in ("integer", "decimal") or not len(numbers):
        return fact("detect.not_dates")
    years, epoch = numbers.min() >= 1700 and numbers.max() <= 2100, numbers.min() > 1e8
    whole = column.n_distinct <= 31 and bool(column.integral.all())
    part = whole and column.header.has_word("month", "day", "quarter", "hour", "weekday")
    return None if years or epoch or part else fact("detect.numbers_not_dates")


def _year(column: Column) -> Fact | None:
    numbers = column.known_numbers
    years = len(numbers) > 0 and 1500 <= np.median(numbers) <= 2030
    bands = column.at_least(form("year", "band"), NEARLY_ALL)
    return None if years or bands or _are_dates(column) else fact("detect.not_years")


def _month(column: Column) -> Fact | None:
    """Months by name, by number, or with a year."""
    named = wordlists.members(column.folded, wordlists.value_list("MONTH"))
    numbered = column.matches(r"^(?:0?[1-9]|1[0-2])(?:\.0)?$")
    dated = ~np.isnan(calendar_of(column).years)
    return None if column.share(named | numbered | dated) >= NEARLY_ALL else fact("detect.not_months")


def _street(column: Column) -> Fact | None:
    """A flat or a suite without its street is a part of an address."""
    if column.at_least(places.UNIT):
        return fact("detect.part_of_address")
    shown = places.are_streets(column) or (column.data_type == "text" and column.at_least("[0-9,]", 0.5))
    return None if shown else _form("street_address").why_not(column)


def _age(column: Column) -> Fact | None:
    """Ages in years and bands; codes of groups, words ("adult") and numbers of days need a table of people."""
    if column.data_type in ("boolean", "date", "timestamp"):
        return fact("detect.not_ages")
    oldest = OLDEST * PER_YEAR[unit_of_ages(column.header)]
    with np.errstate(invalid="ignore"):
        plausible = (column.numbers >= 0) & (column.numbers <= oldest)
    numbers, whole = column.known_numbers, column.data_type == "integer"
    in_words = column.matches(form("age", "band")) | column.matches(form("age", "with_unit"))
    if column.share_of_stated(plausible | in_words) >= NEARLY_ALL:
        repeated = column.n_present >= _EACH * column.n_distinct
        coded = whole and repeated and numbers.max(initial=0) < _CODES_OF_AGES
        return fact(_AMONG_PEOPLE) if coded else None
    words = column.has_letters_in() and column.n_distinct < 15
    days = whole and len(numbers) > 0 and numbers.min() >= 0 and numbers.max() <= OLDEST * PER_YEAR["days"]
    return fact(_AMONG_PEOPLE if words or days else "detect.not_ages")


def _gender(column: Column) -> Fact | None:
    """Many values are genders only if lists have some of them."""
    listed = wordlists.members(column.folded, wordlists.value_list("GENDER"))
    other = column.n_distinct > FEW and column.share(listed) < LEAST
    return _form("gender").why_not(column) or (fact("detect.too_many_values") if other else None)


def _postal(column: Column) -> Fact | None:
    """One character is a code of many things, so that the name must have no other meaning."""
    area = column.header.strength("POSTAL_CODE") > LEAST and column.matching(r"^[A-Za-z0-9]\**$") >= 0.8
    return None if area else _form("postal_code").why_not(column)


def _degrees(column: Column, limit: float) -> Fact | None:
    numbers = column.known_numbers
    inside = len(numbers) >= max(1, 0.6 * column.n_distinct) and np.abs(numbers).max() <= limit
    return None if inside else fact("detect.not_degrees")


_CONDITIONS: dict[str, Condition] = {
    "gender": _gender,
    "month": _month,
    "street_address": _street,
    "birth_date": _birth,
    "event_date": _event,
    "year": _year,
    "age": _age,
    "postal_code": _postal,
    "latitude": partial(_degrees, limit=90),
    "longitude": partial(_degrees, limit=180),
}
