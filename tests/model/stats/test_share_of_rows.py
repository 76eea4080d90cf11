"""Shares of rows from a sample of values: which values are drawn, and whether the interval contains the true share."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.base.sampling import drawn_by_rows, keyed_hashes, lowest
from privaudit.model.stats import share_of_rows

N = 3_000
RANKS = np.arange(1, N + 1)
ROWS = {
    "one row each": np.ones(N, dtype=np.int64),
    "Zipf": N // RANKS,
    "twenty values of a third of the rows": np.where(RANKS <= 20, 75, 1),
    "geometric": np.random.default_rng(3).geometric(0.05, N),
}


def names(n):
    return pa.array([f"value {i}" for i in range(n)])


@given(st.integers(1, 60), st.integers(1, 80), st.integers(0, 50), st.integers(1, 9))
def test_values_of_equal_rows_are_drawn_by_their_hash(n, most, seed, rows):
    drawn, rates = drawn_by_rows(names(n), np.full(n, rows), most, seed)
    assert drawn.tolist() == lowest(keyed_hashes(names(n), seed), most).tolist()
    assert (np.diff(rates) >= 0).all() and np.isinf(rates[-1]) == (n <= most)


def test_a_value_is_drawn_as_often_as_its_rows_say():
    """A value of w rows is in a sample of rate t with probability 1 - exp(-t w): 2,000 samples, five errors."""
    rows = np.repeat([1, 4, 40], 100)
    seen, expected = np.zeros(300), np.zeros(300)
    for seed in range(2_000):
        drawn, rates = drawn_by_rows(names(300), rows, 60, seed)
        seen[drawn] += 1
        expected += -np.expm1(-rates[-1] * rows)
    for start in (0, 100, 200):
        some = slice(start, start + 100)
        assert abs(seen[some].sum() - expected[some].sum()) < 5 * np.sqrt(2_000 * 25)


@pytest.mark.parametrize("which", ["any values", "values of many rows", "values of few rows"])
@pytest.mark.parametrize("rows", ROWS.values(), ids=list(ROWS))
@pytest.mark.parametrize("share", [0.02, 0.5, 0.9])
def test_the_interval_contains_the_share_of_rows(rows, which, share):
    """At least 92 % of 300 samples, at a level of 95 %: three standard errors of the simulation below it are 91.2 %."""
    order = {"any values": np.random.default_rng(1).permutation(N), "values of many rows": np.argsort(-rows)}
    order = order.get(which, np.argsort(rows))
    hits = np.zeros(N, dtype=np.bool_)
    hits[order[np.cumsum(rows[order]) <= share * rows.sum()]] = True
    true, values, contained = rows[hits].sum() / rows.sum(), names(N), 0
    for seed in range(300):
        drawn, rates = drawn_by_rows(values, rows, 300, seed)
        found = share_of_rows(hits[drawn], rows[drawn], rate=rates[-1], of=int(rows.sum()))
        contained += found.low - 1e-12 <= true <= found.high + 1e-12
    assert contained >= 0.92 * 300


@pytest.mark.parametrize("rows", ROWS.values(), ids=list(ROWS))
def test_what_is_not_seen_is_rarely_above_the_bound(rows):
    """The most rows that stay unseen in 95 % of the samples: those of the values with the fewest rows."""
    hits = np.zeros(N, dtype=np.bool_)
    hits[np.argsort(rows)[:20]] = True
    true, values, above = rows[hits].sum() / rows.sum(), names(N), 0
    for seed in range(300):
        drawn, rates = drawn_by_rows(values, rows, 300, seed)
        found = share_of_rows(hits[drawn], rows[drawn], rate=rates[-1], of=int(rows.sum()))
        above += found.value == 0 and true > found.high
    assert above <= 0.08 * 300


@given(st.integers(1, 400), st.integers(0, 400), st.integers(0, 500), st.floats(1e-3, 1e3))
def test_the_share_lies_in_its_interval(n, hits, extra, rate):
    marks = np.arange(n) < min(hits, n)
    share = share_of_rows(
        marks, np.ones(n, dtype=np.int64), rate=rate, of=n + extra, scale=(n + extra) / (n + 2 * extra)
    )
    assert 0.0 <= share.low <= share.value <= share.high <= 1.0


def test_wilson_by_hand():
    """10 of 100 cells of one row each, drawn from very many: Wilson 95 % is 0.0552 to 0.1744."""
    marks = np.arange(100) < 10
    share = share_of_rows(marks, np.ones(100, dtype=np.int64), rate=1e-6, of=100_000_000)
    assert (round(share.low, 4), round(share.high, 4)) == (0.0552, 0.1744)
