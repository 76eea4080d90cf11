"""The values that the names of groups state: "2021-01 to 2021-09", "[20, 30)", "40-49", "2020-Q3", "Bern | Rome".

Question: of which type are the values of a column that was generalised before it was published?
Method: the forms of names of groups are known (``group`` in ``rules/reference/forms.toml``): intervals, spans, bands
whose edges meet, quarters, weeks, decades, and lists of values. Each name is replaced by the first value that it
states, so that the witnesses read the column as one of single values, with the same cells. Of spans of dates, the days
that each covers are kept, because they are the precision of the dates.
Limits: names that state no value ("other", "all values") stay. Two numbers with a hyphen are a band only where the
bands of the column meet, because telephone numbers and codes are written like that. A list that differs in most rows
is text.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.base.arrays import Floats
from privaudit.detect.catalogue.matching import matching
from privaudit.detect.column import NEARLY_ALL, Column, form, once
from privaudit.source.profile import parse_dates
from privaudit.source.profile.data_types import infer_data_type

Days = Floats
_GROUPS = 0.1  # by hand: of the cells; the others are single values, and bounds
_LEAST_BANDS = 3
_UNITS = {"decade": 3652, "year": 365, "quarter": 90, "month": 28, "week": 7}  # the least days of each


@once
def first_values(column: Column) -> Column:
    """Return the column with the first value of each group in place of its name; `column` if it has no groups."""
    if column.data_type != "text" or not _may_have_groups(column):
        return column
    silent = column.matches(form("group", "silent"))
    texts = pc.replace_substring_regex(column.values, form("group", "suffix"), "")
    grouped = column.matches(form("group", "unit"))
    single = column.matches(form("group", "single"))
    if not column.is_varied:
        members = pc.replace_substring_regex(texts, form("group", "list"), r"\1")
        listed = np.asarray(pc.not_equal(members, texts), dtype=np.bool_)
        single |= column.cells(listed) >= _GROUPS * column.n_present  # single values of a list are of any form
        grouped |= listed
        texts = members
    low, high, is_open = texts, texts, np.zeros(column.n_distinct, dtype=np.bool_)
    for name in ("interval", "span", "band"):
        ends = pc.extract_regex(texts, form("group", name))
        found = np.asarray(pc.is_valid(ends), dtype=np.bool_)
        if found.any() and (name != "band" or _meet(ends.filter(pa.array(found)))):
            low, high = (
                pc.if_else(pa.array(found), pc.struct_field(ends, end), text)
                for end, text in (("low", low), ("high", high))
            )
            grouped |= found
            is_open |= found & (name == "interval")
    read = column.share((grouped | single) & ~silent) >= NEARLY_ALL * column.share(~silent)
    if not read or column.share(grouped & ~silent) < _GROUPS:
        return column
    low = pc.replace_substring_regex(low, form("group", "bound"), r"\1\2")
    starts, ends_at = _starts(low), _starts(high)
    data_type = infer_data_type(starts, column.counts, silent).data_type
    profile = replace(column.profile, data_type=data_type)
    days = _days(ends_at) - _days(starts) + np.where(is_open, 0, _length(high))
    return replace(column, profile=profile, values=starts, periods=days, _cache={})


def _may_have_groups(column: Column) -> bool:
    """Whether a sample contains names of groups."""
    if not column.can_match(form("group", "any")):
        return False
    picked = column.drawn[:200]
    names, counts = matching(column.values.take(picked), form("group", "any")), column.counts[picked]
    return bool(2 * counts[names].sum() >= _GROUPS * counts.sum())


def _meet(bands: pa.StructArray) -> bool:
    """Whether most bands begin where others end, and each begins below its end."""
    low, high = (
        np.asarray(pc.struct_field(bands, end).cast(pa.float64()), dtype=np.float64) for end in ("low", "high")
    )
    begins = np.isin(low, high) | np.isin(low - 1, high)
    return len(low) >= _LEAST_BANDS and bool((low < high).all()) and bool(begins.sum() >= (len(low) - 1) / 2)


def _starts(texts: pa.Array) -> pa.Array:
    """Return quarters, decades and weeks as their first month, year and day; other texts unchanged."""
    for quarter in range(1, 5):
        texts = pc.replace_substring_regex(texts, rf"^([0-9]{{4}})[- ]?Q{quarter}$", rf"\1-{3 * quarter - 2:02d}")
    texts = pc.replace_substring_regex(texts, form("group", "decade"), r"\1")
    weeks = matching(texts, form("group", "week"))
    if weeks.any():
        days = [_monday(text) if is_week else text for text, is_week in zip(texts.to_pylist(), weeks, strict=True)]
        texts = pa.array(days, texts.type)
    return texts


def _monday(week: str) -> str:
    try:
        return date.fromisocalendar(int(week[:4]), int(week[-2:]), 1).isoformat()
    except ValueError:  # week 53 of a year of 52
        return week


def _days(starts: pa.Array) -> Days:
    return parse_dates(starts, years=True)[0]


def _length(texts: pa.Array) -> Days:
    """Return the days that a date covers by its form: those of a month for "2021-03"; one for other texts."""
    days = np.ones(len(texts))
    for name, length in _UNITS.items():
        days[matching(texts, form("group", name))] = length
    return days
