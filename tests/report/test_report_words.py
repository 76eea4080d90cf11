"""Numbers in words: sensible digits, never more certain than the number."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.report import words
from privaudit.report.words import Numbers, listing, one_in, percent


def _points(text: str) -> float:
    return float(text.lstrip("<> ").removesuffix(" %"))


@given(st.floats(0, 1))
def test_less_than_everything_never_reads_as_everything(share: float) -> None:
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
        assert abs(_points(text) - points) <= max(0.5, 0)
        assert points >= 10 or abs(_points(text) - points) <= 0.05 + 1e-9


@given(st.lists(st.floats(0, 1), min_size=2, max_size=2).map(sorted))
def test_percentages_keep_the_order(shares: list[float]) -> None:
    low, high = (percent(share) for share in shares)
    assert _points(low) <= _points(high) + 1e-9


def test_examples_of_the_docstrings_hold() -> None:
    assert doctest.testmod(words).failed == 0


@pytest.mark.parametrize(
    ("n", "total", "expected"),
    [
        (412, 10_000, "412 of 10,000 people (4.1 %)"),
        (1, 1, "1 of 1 person (100 %)"),
        (0, 0, "0 of 0 people"),
        (12, 12, "all 12 people"),
        (9_999, 10_000, "9,999 of 10,000 people (> 99.9 %)"),
    ],
)
def test_people_come_before_shares(n: int, total: int, expected: str) -> None:
    assert Numbers(total).people(n, total) == expected


@given(st.integers(1, 10), st.integers(21, 10**6))
@settings(max_examples=60)
def test_the_public_edition_tells_no_small_count_nor_its_complement(n: int, total: int) -> None:
    told = Numbers(total, "public")
    others = [k for k in range(1, 11) if k != n]
    for k in others:
        assert told.people(n, total) == told.people(k, total)
        assert told.people(total - n, total) == told.people(total - k, total)
        assert told.share(n / total) == told.share(k / total)
        assert told.share((total - n) / total) == told.share((total - k) / total)


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_the_full_edition_withholds_nothing(n: int, more: int) -> None:
    assert Numbers(n + more).count(n, n + more) == f"{n:,}"


def test_zero_and_eleven_may_be_told() -> None:
    told = Numbers(1_000, "public")
    assert told.count(0, 1_000) == "0"
    assert told.count(11, 1_000) == "11"
    assert told.count(1_000, 1_000) == "1,000"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7 of 10,000 people", "<11 of 10,000 people"),
        ("412 of 10,000 people (4.1 %)", "412 of 10,000 people (4.1 %)"),
        ("zip3 by 5-year bands on 2024-05-07", "zip3 by 5-year bands on 2024-05-07"),
        ("at most 0.03 % (95 %)", "at most < 0.11 % (95 %)"),
        ("k 1 → 9, 0.5 kept", "k <11 → <11, 0.5 kept"),
    ],
)
def test_small_counts_inside_sentences_are_withheld(text: str, expected: str) -> None:
    assert Numbers(10_000, "public").text(text) == expected


def test_odds_and_lists() -> None:
    assert (one_in(1.0), one_in(0.2), one_in(0.0)) == ("certain", "1 in 5", "none")
    assert listing(["a"]) == "a"
    assert listing(["a", "b", "c"]) == "a, b and c"
    assert listing("abcdef", 4) == "a, b, c, d and 2 more"
