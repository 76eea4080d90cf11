"""The ages that the values of a column state.

Question: which ages does a value state: one, those of a closed band ("30-39"), or those of an open one ("90+")?
Method: numbers, and bands as surveys write them, with a unit behind the number ("20 years", "20 años", "06-11 Months").
A unit in the column name (months, weeks, days) is that of all values without one.
Limits: words such as "adult" state no age. Without a unit, ages are taken for years.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from privaudit.base.arrays import Flags, Floats
from privaudit.base.arrow import pc
from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass
from privaudit.detect.catalogue import wordlists
from privaudit.detect.column import NEARLY_ALL, Column, form
from privaudit.model.headers import Header, read_header

PER_YEAR = {"years": 1.0, "months": 12.0, "weeks": 365.25 / 7, "days": 365.25}
"""Units of ages in a year."""
OLDEST, ADULT, ELDERLY = 130, 18, 90
"""The oldest plausible age, the age of majority, and the age from which HIPAA (45 CFR 164.514(b)(2)(i)(C)) asks for one
category."""
OLD_AGES = ("age_over_89", "age_max_over_89", "rows_age_90_plus")
"""The measurements that count people of 90 and above."""
MINORS = ("n_children", "rows_minor")
"""The measurements that count people under 18."""
_MOST_BANDS = 1000
_SHORT_UNITS = {"years": "yo", "months": "m", "weeks": "w", "days": "d"}
_SINGLE = Expression(r"^(\d{1,3})$")
RANGE = Expression(r"^[\[(]?(?:ages? )?(\d{1,3}) ?(?:-|–|to|:|,) ?(\d{1,3})[\])]?$")
_DECADE = Expression(r"^(\d{1,2}0)s$")
BELOW = Expression(r"^(?:under|below|less than|younger than|up to|<=?) ?(\d{1,3})$")
ABOVE = Expression(
    r"^(?:(?:over|above|greater than|more than|older than|>=?) ?(\d{1,3})"
    r"|(\d{1,3}) ?(?:\+|plus|(?:and|or|&) (?:over|older|above|more|up)))$"
)
_INCLUDED = Expression(r"^(?:[<>]=|up to|\d)")  # the number itself belongs to the open band


@dataclass(frozen=True, slots=True)
class StatedAges:
    """The lowest and the highest age in years that each distinct value states, two arrays of shape (d,).

    Both are NaN where a value states no age; an open band ends at minus or plus infinity.
    """

    low: Floats
    high: Floats

    @property
    def known(self) -> Flags:
        """Which values state an age."""
        return ~np.isnan(self.low)

    @property
    def elderly(self) -> Flags:
        """Which values show that a person is 90 or older and are not the one category "90 and above"."""
        return (self.low >= ELDERLY) & (np.isfinite(self.high) | (self.low > ELDERLY))

    @property
    def minors(self) -> Flags:
        """Which values show that a person is under 18."""
        return self.high < ADULT

    @property
    def may_be_minors(self) -> Flags:
        """Which values are bands that begin below 18 and end above."""
        return (self.low < ADULT) & (self.high >= ADULT)


def stated_ages(column: Column) -> StatedAges:
    """Return the ages that the distinct values of `column` state."""
    per_year = PER_YEAR[unit_of_ages(column.header)]
    low = np.where((column.numbers >= 0) & (column.numbers <= OLDEST * per_year), column.numbers, np.nan)
    high = low.copy()
    others = np.flatnonzero(np.isnan(column.numbers))
    if 0 < len(others) <= _MOST_BANDS:
        bands = ages_in(column.folded.take(others).to_pylist(), column.header)
        low[others], high[others] = bands.low * per_year, bands.high * per_year
    return StatedAges(low / per_year, high / per_year)


def ages_in(folded: Sequence[str], header: Header) -> StatedAges:
    """Return the ages that folded texts state, such as the names of groups."""
    usual = unit_of_ages(header)
    pairs = [without_unit(text) for text in folded]
    ages = [np.array(_band(plain)) / PER_YEAR[unit or usual] for plain, unit in pairs]
    return StatedAges(*np.array(ages).reshape(-1, 2).T)


@cache
def _with_unit() -> re.Pattern[str]:
    """Return the expression of a folded age with its unit, a group for each unit between the number and the rest."""
    units = "|".join(f"({_alternatives(unit)})" for unit in PER_YEAR)
    return re.compile(rf"^(.*\d[+\])]?) ?(?:{units})\.?(?: old| of age)?(?!\w)(.*)$", re.DOTALL)


def _alternatives(unit: str) -> str:
    words = wordlists.word_list("age_unit", unit) | {_SHORT_UNITS[unit]}
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def states_years(column: Column) -> bool:
    """Whether most values are a number with a word for years: "20 years", "20 años"."""
    if column.data_type != "text" or not column.at_least(form("age", "with_unit")):
        return False
    years = rf"^[0-9]{{1,3}} ?(?:{_alternatives('years')})\.?(?: old)?$"
    return column.share(np.asarray(pc.match_substring_regex(column.folded, years), dtype=np.bool_)) >= NEARLY_ALL


def without_unit(text: str) -> tuple[str, str]:
    """Return a folded text without the unit of the age that it states, and the unit; an empty one where it has none."""
    match = _with_unit().match(text)
    if match is None:
        return text, ""
    unit = next(unit for unit, found in zip(PER_YEAR, match.groups()[1:5], strict=True) if found)
    return f"{match[1]}{match[6]}", unit


def _band(text: str) -> tuple[float, float]:
    """Return the lowest and the highest age of a folded text, both NaN where it is not a band."""
    if (match := RANGE.match(text)) is not None:
        return float(match[1]), float(match[2]) - text.endswith(")")  # "[20, 30)" excludes 30
    if (match := _SINGLE.match(text)) is not None:
        return float(match[1]), float(match[1])
    if (match := _DECADE.match(text)) is not None:
        return float(match[1]), float(match[1]) + 9
    beyond = 0 if _INCLUDED.match(text) else 1
    if (match := BELOW.match(text)) is not None:
        return -np.inf, float(match[1]) - beyond
    if (match := ABOVE.match(text)) is not None:
        return float(match[1] or match[2]) + beyond, np.inf
    return np.nan, np.nan


def in_unit_of(name: str, years: float) -> float:
    """Return an age in years in the unit that a column name states."""
    return years * PER_YEAR[unit_of_ages(read_header(name))]


def unit_of_ages(header: Header) -> str:
    """Return the unit that a column name states for ages; years where it states none."""
    stated = (unit for unit in PER_YEAR if unit != "years" and header.has_word(*wordlists.word_list("age_unit", unit)))
    return next(stated, "years")
