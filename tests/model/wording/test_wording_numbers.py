"""Numbers in words: sensible digits, never more certain than the number."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.model.wording import Share, Threshold, fact, numbers
from privaudit.model.wording.numbers import duration, listing, one_in, percent


def _points(text: str) -> float:
    return float(text.lstrip("<> ").removesuffix(" %"))


@given(st.floats(0, 1))
def test_only_everything_reads_100_percent_and_only_nothing_reads_0(share: float) -> None:
    text = percent(share)
    assert (text == "100 %") == (share == 1)
    assert (text == "0 %") == (share == 0)


@given(st.floats(0, 1))
def test_a_percentage_is_close_to_its_share(share: float) -> None:
    text, points = percent(share), 100 * share
    if text.startswith("<"):
        assert points < _points(text)
    elif text.startswith(">"):
        assert points > _points(text)
    else:
        assert abs(_points(text) - points) <= 0.5
        assert 10 <= points < 98.5 or abs(_points(text) - points) <= 0.05 + 1e-9


@given(st.lists(st.floats(0, 1), min_size=2, max_size=2).map(sorted))
def test_percentages_keep_the_order(shares: list[float]) -> None:
    low, high = (percent(share) for share in shares)
    assert _points(low) <= _points(high) + 1e-9


def test_examples_of_the_docstrings_hold() -> None:
    assert doctest.testmod(numbers).failed == 0


@pytest.mark.parametrize(
    ("probability", "expected"), [(1.0, "certain"), (0.2, "1 in 5"), (0.0, "none"), (2 / 3, "1 in 1.5")]
)
def test_probabilities_become_odds(probability: float, expected: str) -> None:
    assert one_in(probability) == expected


def test_long_lists_count_what_they_omit() -> None:
    assert listing(["a"]) == "a"
    assert listing(["a", "b", "c"]) == "a, b and c"
    assert listing("abcdef", 4) == "a, b, c, d and 2 more"


@given(st.floats(0, 10**9))
def test_every_length_of_time_has_a_unit(seconds: float) -> None:
    assert duration(seconds).rstrip("s").endswith(("second", "minute", "hour", "day"))


@pytest.mark.parametrize(
    ("states", "shown"),
    [(10**15 - 1, "999,999,999,999,999"), (10**15, "at least 10^15"), (3 * 10**56, "at least 10^56")],
)
def test_a_number_whose_digits_nobody_reads_is_shown_by_its_size(states, shown):
    loss = Share(value=0.25)
    found = fact(
        "advice.search_bound", measured=Threshold(value=396), states=Threshold(value=states), loss=loss, bound=loss
    )
    assert f"measured 396 of {shown} combinations" in str(found)
