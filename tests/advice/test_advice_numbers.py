"""Bands of numbers are made from the distinct values, whatever their range, and edges are written in full."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.advice.recodings.numbers import bands, is_round, open_bands
from privaudit.model.wording.numbers import in_full
from tests.helpers.columns import column


def edges_by_walking(numbers, width, least):
    """Return the edges of open bands by walking over every band between the smallest and the largest number."""
    at = sorted(int(np.floor(n / width + 1e-9)) for n in numbers)
    low, high = at[0], at[-1]
    held = Counter(at)

    def publishable(multiple):
        return bool(is_round(np.array([round(multiple * width, 9)]))[0])

    first = next(b for b in range(low, high + 1) if sum(held[i] for i in range(low, b + 1)) >= least)
    last = next(b for b in range(high, low - 1, -1) if sum(held[i] for i in range(b, high + 1)) >= least)
    under = next((m for m in range(first + 1, high + 1) if publishable(m)), None) if first > low else low
    over = next((m for m in range(last, low - 1, -1) if publishable(m)), None) if last < high else high
    if under is None or over is None or (first == low and last == high):
        return None
    lowest, highest = (under - 1 if first > low else low), over
    if highest <= lowest:
        return None
    return (round(under * width, 9) if first > low else None, round(over * width, 9) if last < high else None)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.integers(-60, 2100), min_size=1, max_size=40),
    st.sampled_from([0.5, 1, 2, 5, 10, 20, 50, 100]),
    st.integers(1, 12),
)
def test_open_bands_equal_a_walk_over_every_band(numbers, width, least):
    held = Counter(numbers)
    values = column(sorted(held), [held[v] for v in sorted(held)])
    if len(numbers) < least:
        assert open_bands(values, width, least) is None
        return
    made = open_bands(values, width, least)
    found = None if made is None else (made.parameters.get("under"), made.parameters.get("over"))
    assert found == edges_by_walking(numbers, width, least)


@pytest.mark.parametrize("far", [1e9, 1e12, 9e14])
def test_the_work_of_bands_does_not_depend_on_the_range_of_the_numbers(far):
    values = column([-far, 1.0, 2.0, 3.0, 4.0, 5.0, far], [1, 30, 30, 30, 30, 30, 1])
    made = open_bands(values, 1.0, 10)
    assert made is not None and len(made.lookup) == len(values) + 1
    assert len(bands(values, 1.0).lookup) == len(values) + 1


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1950, "1950"),
        (1950.0, "1950"),
        (0.25, "0.25"),
        (0.00001, "0.00001"),
        (-20, "-20"),
        (1_000_000, "1,000,000"),
        (1_000_000.0, "1,000,000"),
        (12_500.5, "12,500.5"),
        (2e15, "2,000,000,000,000,000"),
    ],
)
def test_edges_are_written_in_full(number, text):
    assert in_full(number) == text
