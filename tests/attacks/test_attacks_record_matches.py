"""Matching records equals comparing every pair; canonical values are equal where their meanings are."""

from __future__ import annotations

import math
from datetime import datetime
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.attacks.links.record_matches import common_codes, match_records, may_match
from privaudit.attacks.values.comparable_values import canonical, iso_dates

code = st.integers(-1, 3)
rows = st.lists(st.tuples(code, code, code), min_size=1, max_size=25)


def columns(table):
    return [np.array(c, dtype=np.int32) for c in zip(*table, strict=True)]


@settings(max_examples=100, deadline=None)
@given(rows, rows)
def test_classes_equal_comparing_every_pair(release, auxiliary):
    found = match_records(columns(release), columns(auxiliary))
    both = [*release, *auxiliary]
    labels = [*found.release.tolist(), *found.auxiliary.tolist()]
    for i, one in enumerate(both):
        assert (labels[i] == -1) == (-1 in one)
        for j, other in enumerate(both):
            assert (labels[i] == labels[j] >= 0) == (one == other and -1 not in one)
    assert set(labels) - {-1} == set(range(found.n))
    assert found.n_linked == sum(r in auxiliary and -1 not in r for r in release)


@settings(max_examples=100, deadline=None)
@given(rows, rows)
def test_rows_may_match_where_no_filled_cell_differs(some, others):
    found = may_match(columns(some), columns(others))
    for one, may in zip(some, found.tolist(), strict=True):
        assert may == any(all(a == b or -1 in (a, b) for a, b in zip(one, other, strict=True)) for other in others)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.decimals(-999, 999, places=2), min_size=1, max_size=8, unique=True),
    st.lists(st.decimals(-999, 999, places=2), min_size=1, max_size=8, unique=True),
)
def test_numbers_are_equal_when_their_values_are(left, right):
    written = [f"{v.normalize():f}" for v in right]
    pair = canonical(pa.array([f"{v:+.4f}" for v in left]), pa.array(written))
    assert pair.comparison == "numbers"
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            assert (pair.release[i].as_py() == pair.auxiliary[j].as_py()) == (a == b)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.datetimes(datetime(1950, 1, 1), datetime(2049, 12, 31)), min_size=1, max_size=8),
    st.sampled_from((" %H:%M:%S", "T%H:%M:%S", "T%H:%M:%SZ", " %H:%M", "")),
)
def test_dates_are_equal_when_their_days_are(stamps, clock):
    iso = pa.array([t.strftime(f"%Y-%m-%d{clock}") for t in stamps])
    days, sure = iso_dates(iso)
    assert sure and days.to_pylist() == [f"{t:%Y-%m-%d}" for t in stamps]
    pair = canonical(iso, pa.array([f"{t:%Y/%m/%d}" for t in stamps]))
    assert pair.release.to_pylist() == pair.auxiliary.to_pylist()


bounds = st.lists(st.integers(0, 99), min_size=3, max_size=8, unique=True).map(sorted)


@settings(max_examples=60, deadline=None)
@given(bounds, st.lists(st.integers(-5, 110), min_size=1, max_size=12, unique=True))
def test_a_number_matches_the_band_that_contains_it(edges, numbers):
    bands = [f"[{a}, {b})" for a, b in pairwise(edges)] + [f"{edges[-1]}+"]
    pair = canonical(pa.array(bands), pa.array([str(n) for n in numbers]))
    assert pair.comparison == "bands"
    for n, key in zip(numbers, pair.auxiliary.to_pylist(), strict=True):
        inside = [i for i, (a, b) in enumerate(zip(edges, [*edges[1:], math.inf], strict=True)) if a <= n < b]
        assert (key == pair.release[inside[0]].as_py()) if inside else key is None


@pytest.mark.parametrize("text", ["0", "00", "1.", ".5", "-0", "1,2,3", "12-", "", "nan", "1e5", "٣", "🙂", "\x00"])
def test_unusual_cells_are_compared_as_text(text):
    left, right = common_codes(pa.chunked_array([[text, None]]), pa.chunked_array([[text]]))
    assert left[1] == -1
    assert left[0] == right[0]


def test_ids_are_compared_as_written():
    left, right = common_codes(pa.chunked_array([["07", "a"]]), pa.chunked_array([["7", "A"]]), exact=True)
    assert not set(left.tolist()) & set(right.tolist())


def test_dates_in_digits_of_any_script_are_read_and_words_are_none():
    wide = "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in "1990-04-03")
    found = [iso_dates(pa.array([text]))[0].to_pylist() for text in (wide, "monday", None)]
    assert found == [["1990-04-03"], [None], [None]]
