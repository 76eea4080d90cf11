"""Dates against Python's calendar, in every way of writing that is known."""

from __future__ import annotations

import datetime
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.source.profile import count_decimals, dates, parse_dates, parse_numbers
from privaudit.source.profile.data_types import TIME
from privaudit.source.profile.dates import CANDIDATE, may_be_dates

EPOCH = datetime.datetime(1970, 1, 1)
WAYS = {
    "yyyy-mm-dd": "%Y-%m-%d",
    "yyyy/mm/dd": "%Y/%m/%d",
    "yyyy.mm.dd": "%Y.%m.%d",
    "yyyy/dd/mm": "%Y/%d/%m",
    "dd/mm/yyyy": "%d/%m/%Y",
    "mm/dd/yyyy": "%m/%d/%Y",
    "dd-mm-yyyy": "%d-%m-%Y",
    "dd.mm.yyyy": "%d.%m.%Y",
    "yyyymmdd": "%Y%m%d",
    "dd month yyyy": "%d %b %Y",
    "month dd, yyyy": "%B %d, %Y",
}
CLOCKS = {
    "": "day",
    " %H:%M": "minute",
    " %H:%M:%S": "second",
    " %I:%M %p": "minute",
    " o %H:%M": "minute",
    ", %H:%M Uhr": "minute",
    " %H.%M h": "minute",
    " %H.%M น.": "minute",
}


@settings(max_examples=150, deadline=None)
@given(
    moments=st.lists(
        st.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2099, 12, 31, 23, 59, 59)),
        min_size=1,
        max_size=20,
    ),
    way=st.sampled_from(sorted(WAYS)),
    clock=st.sampled_from(sorted(CLOCKS)),
)
def test_days_equal_pythons(moments, way, clock):
    clock = "" if way == "yyyymmdd" else clock
    pattern = WAYS[way] + clock
    # One day above the twelfth decides the order of day and month; one odd time the precision.
    moments = [*moments, datetime.datetime(2001, 3, 25, 13, 47, 11)]
    texts = [moment.strftime(pattern) for moment in moments]
    expected = [(datetime.datetime.strptime(t, pattern) - EPOCH) / datetime.timedelta(days=1) for t in texts]
    days, precision, written = parse_dates(pa.array(texts))
    np.testing.assert_allclose(days, expected, rtol=0, atol=1e-9)
    assert (precision, written) == (CLOCKS[clock], way)


@pytest.mark.parametrize(
    ("texts", "precision", "written"),
    [
        (["14/11/13 01:12", "11/09/15 02:32"], "minute", "dd/mm/yyyy"),
        (["1962-02-18 00:00:00", "1958-12-08 00:00:00"], "day", "yyyy-mm-dd"),
        (["2020-01-31T12:05:00Z", "2020-02-01T12:06:00Z"], "minute", "yyyy-mm-dd"),
        (["2020-01-31 12:05:33.123456+03:00"], "second", "yyyy-mm-dd"),
        (["2021/04/04 12:05:00 "], "minute", "yyyy/mm/dd"),
        (["2020-03", "1999-12"], "month", "yyyy-mm"),
        (["03/2020"], "month", "mm/yyyy"),
        (["Mar 2020"], "month", "month yyyy"),
        (["20200131120533"], "second", "yyyymmdd"),
        (["3rd May 2020", "21st June 1999"], "day", "dd month yyyy"),
        (["7-Jan-98"], "day", "dd month yyyy"),
        (["1/2/2020"], "day", "dd/mm/yyyy"),
        ([f"2020-{m:02}-01" for m in range(1, 13)], "month", "yyyy-mm-dd"),
        ([f"{y}-01-01" for y in range(1980, 2000)], "year", "yyyy-mm-dd"),
        (["tomorrow", "20:15", "12", "0722-123-456"], None, None),
        ([], None, None),
    ],
)
def test_precision_and_way_of_writing(texts, precision, written):
    days, found_precision, found_written = parse_dates(pa.array(texts, pa.string()))
    assert (found_precision, found_written) == (precision, written)
    assert np.isfinite(days).all() == (written is not None or not texts)


def test_text_that_does_not_name_a_day_is_not_a_date():
    days, _, _ = parse_dates(
        pa.array(["2021-02-29", "2020-02-29", "2020-13-32", None, "31/04/2020", "2020-01-31 25:00"])
    )
    assert np.isfinite(days).tolist() == [False, True, False, False, False, False]


@given(st.lists(st.text("0129:-a /", max_size=12), min_size=1, max_size=4))
def test_what_cannot_be_a_date_is_none_in_any_format(texts):
    values = pa.array(texts)
    if not may_be_dates(values):
        assert not any(pc.any(pc.match_substring_regex(values, each)).as_py() for each in (CANDIDATE, TIME))


def test_digits_are_dates_from_eight_on():
    assert [may_be_dates(pa.array([text])) for text in ("2001013", "20010131", "abc", "1-2")] == [
        False,
        True,
        False,
        True,
    ]


def test_two_digit_years_follow_posix():
    days, _, _ = parse_dates(pa.array(["31/12/68", "31/12/69"]))
    assert days[0] == (datetime.date(2068, 12, 31) - EPOCH.date()).days
    assert days[1] == (datetime.date(1969, 12, 31) - EPOCH.date()).days


def test_years_alone_are_dates_only_where_asked():
    years = pa.array(["1985", "2001", "17", "3000"])
    assert np.isnan(parse_dates(years)[0]).all()
    days, precision, written = parse_dates(years, years=True)
    assert (precision, written) == ("year", "yyyy")
    assert days[0] == (datetime.date(1985, 1, 1) - EPOCH.date()).days
    assert np.isnan(days[2:]).all()


@given(numbers=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_as_python_writes_them_are_read_back(numbers):
    assert parse_numbers(pa.array([repr(number) for number in numbers])).tolist() == numbers


@given(numbers=st.lists(st.integers(-(10**15), 10**15), min_size=1))
def test_grouped_numbers(numbers):
    assert parse_numbers(pa.array([f"{number:,}" for number in numbers])).tolist() == numbers


def test_numbers_as_people_write_them():
    texts = ["1,5", "12%", "$1,234.50", "€ 3", "+7", " 8 ", ".5", "1.", "n/a", "", None, "1 2", "0x1", "1,2,3", "inf"]
    expected = [1.5, 12, 1234.5, 3, 7, 8, 0.5, 1, *[np.nan] * 7]
    np.testing.assert_array_equal(parse_numbers(pa.array(texts)), expected)
    assert count_decimals(pa.array(["1.25", "3", "4,125", None])) == 3
    assert count_decimals(pa.array(["a"])) == 0


@pytest.mark.parametrize("behind", ["10.75", "at 25:10", "to 31.12.2026", "room 12"])
def test_a_date_before_something_other_than_a_time_of_day_is_not_a_date(behind):
    days, _, _ = parse_dates(pa.array([f"{day}.03.2026 {behind}" for day in range(1, 29)]))
    assert np.isnan(days).all()


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.datetimes(datetime.datetime(900, 1, 1), datetime.datetime(2700, 1, 1)), min_size=1, max_size=8),
    st.lists(st.sampled_from(("%m-%d", "%m-%d %H:%M", "%m-%dT%H:%M:%S", "%m-%d %H:%M:%S")), min_size=1, max_size=2),
    st.sampled_from(("", "2023-02-30", "2020-01-01 24:00:00", "2020-01-01 10:00:60", "0000-01-01", "2020-01-01T1000Z")),
)
def test_iso_dates_are_read_as_by_the_expression_of_their_format(stamps, clocks, other):
    texts = [f"{t.year:04d}-{t.strftime(clocks[i % len(clocks)])}" for i, t in enumerate(stamps)]
    values = pa.array([*texts, other] if other else texts)
    fast = parse_dates(pa.array(values.to_pylist()))
    with mock.patch.object(dates, "_iso_parts", return_value=None):
        slow = parse_dates(values)
    assert fast[1:] == slow[1:]
    np.testing.assert_array_equal(fast[0], slow[0])
