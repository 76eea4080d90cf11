"""The bytes that occur in a column are those of a loop over all of them."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.source.profile.alphabet import (
    alphabet,
    digit_counts,
    has_outer_blanks,
    lengths_of_digits,
    with_equal_digits,
)
from privaudit.source.profile.suppression import LONGEST_MARKER, is_suppressed, markers


@given(
    st.lists(st.one_of(st.text(max_size=9), st.text("abc xyz09\x00é", max_size=20)), max_size=9),
    st.sampled_from([pa.string(), pa.large_string()]),
    st.integers(0, 3),
)
def test_every_byte_of_every_value_is_seen_and_no_other(values, kind, start):
    seen = alphabet(pa.array(values, kind).slice(start))
    assert {code for code in range(256) if seen[code]} == {*"".join(values[start:]).encode()}


@given(
    st.lists(st.none() | st.text("abc 09\x00é/:٣", max_size=20), max_size=12),
    st.sampled_from([pa.string(), pa.large_string()]),
    st.integers(0, 3),
)
def test_the_ascii_digits_of_each_value_are_counted(values, kind, start):
    counts = digit_counts(pa.array(values, kind).slice(start))
    assert counts.tolist() == [sum(c in "0123456789" for c in text or "") for text in values[start:]]


@given(
    st.lists(st.text("ab \t\x00é", max_size=4), max_size=20),
    st.sampled_from([pa.string(), pa.large_string()]),
    st.integers(0, 3),
)
def test_blanks_are_sought_at_both_ends_of_every_value(values, kind, start):
    found = has_outer_blanks(pa.array(values, kind).slice(start))
    assert found.tolist() == [bool(text) and min(text[0], text[-1]) <= " " for text in values[start:]]


@given(st.lists(st.text("019a-é", max_size=9), max_size=5), st.integers(0, 2))
def test_lengths_are_known_of_values_that_are_digits_alone(values, start):
    left = values[start:]
    of_digits = left and all(set(text) <= set("0123456789") for text in left)
    expected = (min(map(len, left)), max(map(len, left))) if of_digits else None
    assert lengths_of_digits(pa.array(values, pa.string()).slice(start)) == expected


WIDE = "".join(map(chr, range(33, 91, 2)))
"""Many different bytes."""


@pytest.mark.parametrize("first", ["a1 ", WIDE], ids=["few bytes", "many bytes"])
def test_a_value_after_many_others_is_seen_as_alone(first):
    """Many values are compared in pieces, of up to 130,000 bytes or values."""
    n, last = 280_000, [" é9", "", "z"]
    values = pa.array([first] * n + last)
    assert {code for code in range(256) if alphabet(values)[code]} == {*(first + "".join(last)).encode()}
    assert digit_counts(values).tolist() == [sum(c in "0123456789" for c in first)] * n + [1, 0, 0]
    assert has_outer_blanks(values).tolist() == [first.endswith(" ")] * n + [True, False, False]
    assert with_equal_digits(values).to_pylist()[n:] == [" é0", "", "z"]


MARKER = st.sampled_from(markers()["exact"])
BLANKS = st.text(" \t\n", max_size=18)


@given(st.lists(st.text("ab *", max_size=20) | st.builds("{}{}{}".format, BLANKS, MARKER, BLANKS), max_size=9))
def test_a_marker_is_found_between_blanks_as_far_as_it_is_short(values):
    wanted = [len(text.encode()) <= LONGEST_MARKER and text.strip() in markers()["exact"] for text in values]
    assert is_suppressed(pa.array(values, pa.string())).tolist() == wanted
