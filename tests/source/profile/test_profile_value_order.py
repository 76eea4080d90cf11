"""The order of typed values: the same values in another notation have the same ranks, or the column has no order."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.source.profile.number_notation import DECIDING
from privaudit.source.profile.value_order import order_values


def order_of(texts, data_type="decimal", **options):
    return order_values(pa.array(list(texts), pa.string()), data_type, **options)


def dense(keys):
    place = {key: i for i, key in enumerate(sorted(set(keys)))}
    return [place[key] for key in keys]


def grouped(number, separator=",", decimal="."):
    return f"{number:,}".replace(",", "\0").replace(".", decimal).replace("\0", separator)


cents = st.decimals(-(10**12), 10**12, places=2, allow_nan=False, allow_infinity=False)

NOTATIONS = {
    "plain": str,
    "plus": lambda x: f"{x:+}",
    "thousands": grouped,
    "blank thousands": lambda x: grouped(x, " "),
    "narrow blanks and decimal comma": lambda x: grouped(x, "\u202f", ","),
    "decimal comma": lambda x: str(x).replace(".", ","),
    "points and decimal comma": lambda x: grouped(x, ".", ","),
    "apostrophes": lambda x: grouped(x, "\u2019"),
    "dollars": lambda x: f"-${grouped(abs(x))}" if x < 0 else f"${grouped(x)}",
    "euros": lambda x: f"{grouped(x, '.', ',')} €",
    "code": lambda x: f"KES {grouped(x)}",
    "percent": lambda x: f"{x} %",
    "accounts": lambda x: f"({grouped(abs(x))})" if x < 0 else grouped(x),
    "minus sign": lambda x: str(x).replace("-", "\u2212"),
    "exponent": lambda x: f"{x:E}",
    "exponent and decimal comma": lambda x: f"{x:E}".replace(".", ","),
    "more decimals": lambda x: f"{x}000",
}


@pytest.mark.parametrize("notation", NOTATIONS)
@given(numbers=st.lists(cents, min_size=1, max_size=30, unique=True))
@settings(max_examples=40, deadline=None)
def test_amounts_have_the_same_ranks_in_every_notation(notation, numbers):
    texts = [NOTATIONS[notation](number) for number in numbers]
    for data_type in ("decimal", "text"):
        assert order_of(texts, data_type).ranks.tolist() == dense(numbers)


@pytest.mark.parametrize("notation", [",", " ", "'", "."])
@given(numbers=st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=30, unique=True))
@settings(max_examples=60, deadline=None)
def test_whole_numbers_with_thousands_have_their_ranks_or_are_ambiguous(notation, numbers):
    found = order_of([grouped(number, notation) for number in numbers], "integer")
    assert found.ranks is None or found.ranks.tolist() == dense(numbers)
    if notation in (" ", "'") or any(abs(number) >= 10**6 for number in numbers):
        assert found.ranks is not None


def test_many_groups_of_three_digits_decide_for_thousands():
    few = [7, 512, *range(1234, 1234 + 997 * (DECIDING - 1), 997)]
    many = [*few, 99_999]
    assert order_of(map(grouped, few), "integer").reason == "ambiguous"
    assert order_of(map(grouped, many), "integer").ranks.tolist() == dense(many)


@given(numbers=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, unique=True))
@settings(max_examples=100, deadline=None)
def test_floats_of_any_size_have_their_ranks(numbers):
    assert order_of(map(repr, numbers)).ranks.tolist() == dense(numbers)


@given(numbers=st.lists(st.integers(0, 10**30), min_size=1, unique=True))
@settings(max_examples=50, deadline=None)
def test_numbers_that_share_a_double_are_ordered_exactly(numbers):
    numbers = sorted({*numbers, *(n + 1 for n in numbers)})
    assert order_of(map(str, numbers), "integer").ranks.tolist() == list(range(len(numbers)))


def test_numbers_beyond_every_double_are_ordered_exactly():
    texts = ["1e400", "2e400", "-1e400", "1e-400", "2e-400", "0"]
    assert order_of(texts).ranks.tolist() == dense([Decimal(text) for text in texts])


def test_equal_numbers_share_a_rank():
    assert order_of(["1", "1.0", "1.00", "+1", "01e0", "2"], "decimal").ranks.tolist() == [0, 0, 0, 0, 0, 1]
    assert order_of(["$1,200", "$1,200.00", "$9"]).ranks.tolist() == [1, 1, 0]


@given(order=st.permutations(["1,234.5", "-7", "0.25", "1e3", "88"]))
def test_the_order_of_the_texts_has_no_effect(order):
    assert order_of(order).ranks.tolist() == dense([float(text.replace(",", "")) for text in order])


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (["1,234", "567"], "ambiguous"),
        (["1.234", "567"], "ambiguous"),
        (["$5", "€7"], "mixed_units"),
        (["5%", "7"], "mixed_units"),
        (["5", "refused"], "unread"),
        (["5", "inf"], "unread"),
        (["(5", "7"], "unread"),
        (["1,23,4", "5"], "unread"),
        ([], "no_value"),
    ],
)
def test_numbers_without_a_certain_order_state_the_reason(texts, reason):
    found = order_of(texts)
    assert (found.ranks, found.reason) == (None, reason)


@pytest.mark.parametrize(
    "texts",
    [["flu", "cold"], ["E11", "I10"], ["007", "12"], ["+254722123456", "+25433"], ["1-2", "3-4"], ["5 kg", "7 kg"]],
)
def test_codes_and_words_have_no_order(texts):
    assert order_of(texts, "text").reason == "text"


def test_both_readings_that_order_the_values_alike_are_not_ambiguous():
    assert order_of(["1,234", "2,500", "3,125"]).ranks.tolist() == [0, 1, 2]
    assert order_of(["01/01/2020", "02/02/2020"], "date").ranks.tolist() == [0, 1]


def test_a_source_with_typed_numbers_has_no_ambiguous_point():
    assert order_of(["1.234", "567"], is_canonical=True).ranks.tolist() == [0, 1]


WAYS = {
    "iso": "%Y-%m-%d",
    "slashes": "%Y/%m/%d",
    "dd/mm/yyyy": "%d/%m/%Y",
    "mm/dd/yyyy": "%m/%d/%Y",
    "dd.mm.yyyy": "%d.%m.%Y",
    "dd-mm-yyyy": "%d-%m-%Y",
    "words": "%d %B %Y",
    "american words": "%B %d, %Y",
    "short year": "%d/%m/%y",
}
CLOCKS = ("", " %H:%M", " %H:%M:%S", " %I:%M:%S %p", "T%H:%M:%S.%f", "T%H:%M:%SZ")
moments = st.lists(
    st.datetimes(datetime.datetime(1970, 1, 1), datetime.datetime(2028, 12, 31)), min_size=1, max_size=20
)


@pytest.mark.parametrize("way", WAYS)
@given(moments=moments, clock=st.sampled_from(CLOCKS))
@settings(max_examples=60, deadline=None)
def test_dates_have_the_ranks_of_the_calendar_or_are_ambiguous(way, moments, clock):
    pattern = WAYS[way] + clock
    texts = list(dict.fromkeys(moment.strftime(pattern) for moment in moments))
    found = order_of(texts, "date")
    is_decided = "/%m/%Y" not in pattern and "%m/%d" not in pattern and "%d-%m" not in pattern
    is_decided = is_decided or pattern.startswith("%Y") or any(moment.day > 12 for moment in moments)
    if way == "short year":
        return _check_short_years(texts, pattern, found)
    assert (found.ranks is not None) or not is_decided
    if found.ranks is not None and is_decided:
        assert found.ranks.tolist() == dense([datetime.datetime.strptime(text, pattern) for text in texts])
    return None


def _check_short_years(texts, pattern, found):
    if found.ranks is not None and any(int(text[:2]) > 12 for text in texts):
        assert found.ranks.tolist() == dense([datetime.datetime.strptime(text, pattern) for text in texts])


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["13/02/2020", "01/03/2020", "02/01/2021"], [0, 1, 2]),
        (["02/13/2020", "03/01/2020", "01/02/2021"], [0, 1, 2]),
        (["03/04/2020", "02/05/2020"], "ambiguous"),
        (["31/12/2020", "12/31/2020"], "unread"),
        (["1/1/45", "1/1/80"], "ambiguous"),
        (["31/1/12", "1/2/11", "13/5/99"], [2, 1, 0]),
        (["2020-01-02", "3 Jan 2020", "31.12.2019"], [1, 2, 0]),
        (["2020-01-02T10:00:00+03:00", "2020-01-02T08:00:00Z"], [0, 1]),
        (["2020-01-02T10:00:00Z", "2020-01-02T08:00:00"], "mixed_zones"),
        (["2020-01-02 10:00:00.25", "2020-01-02 10:00:00.5"], [0, 1]),
        (["2020-01", "2020-02-03"], "mixed_precision"),
        (["2020-01", "2019-12"], [1, 0]),
        (["2020-01-02", "soon"], "unread"),
    ],
)
def test_dates_that_could_be_read_in_several_ways(texts, expected):
    found = order_of(texts, "date")
    assert (found.reason or found.ranks.tolist()) == expected


@given(seconds=st.lists(st.integers(0, 86_399), min_size=1, unique=True))
@settings(max_examples=60, deadline=None)
def test_clocks_have_the_ranks_of_their_seconds(seconds):
    times = [(datetime.datetime(2000, 1, 1) + datetime.timedelta(seconds=s)).time() for s in seconds]
    for pattern in ("%H:%M:%S", "%I:%M:%S %p"):
        assert order_of([t.strftime(pattern).removeprefix("0") for t in times], "time").ranks.tolist() == dense(seconds)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["9:05", "10:00", "0:30"], [1, 2, 0]),
        (["9:05 AM", "1:00 PM", "12:30 AM"], [1, 2, 0]),
        (["9:05 AM", "13:00"], "mixed_clocks"),
        (["12:30", "1:02:03"], "ambiguous"),
        (["36:15", "9:00"], [1, 0]),
        (["PT90M", "P1D", "PT1H30M"], [0, 1, 0]),
        (["1 h 30 min", "45 min", "2 days"], [1, 0, 2]),
        (["0 days 00:05:00", "2 days 03:04:05.5", "2 days 03:04:05.25"], [0, 2, 1]),
        (["P1M", "P1D"], "text"),
    ],
)
def test_times_and_durations(texts, expected):
    for data_type in ("time", "text"):
        if expected == "text" and data_type == "time":
            continue
        found = order_of(texts, data_type)
        assert (found.reason or found.ranks.tolist()) == expected
