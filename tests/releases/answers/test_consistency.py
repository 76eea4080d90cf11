"""Consistent counts add up, are not negative, and come from the noisy counts alone."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from privaudit.model.answers import Answer, Cell
from privaudit.releases.answers.consistency import consistent, without_negative
from privaudit.releases.domains.columns import Categories, Column

DOMAINS = {name: Categories(name=name, values=tuple("xyz")) for name in "abc"}
SIZE = 4


def answer_of(columns: tuple[str, ...], counts, sd: float = 1.0) -> Answer:
    cells = tuple(Cell(labels=("",), value=float(n), low=None, high=None) for n in np.ravel(counts))
    return Answer(
        name="m", kind="margin", columns=columns, rows="", mechanism="", sensitivity=1, declared={}, cells=cells, sd=sd
    )


def counts_of(answer: Answer):
    return np.array([cell.consistent for cell in answer.cells]).reshape([SIZE] * len(answer.columns))


@given(arrays(np.float64, array_shapes(min_dims=1, max_dims=3, max_side=5), elements=st.floats(-50, 50)))
def test_the_closest_counts_without_negative_numbers_keep_the_sum(counts) -> None:
    found = without_negative(counts)
    assert found.min() >= 0
    assert np.isclose(found.sum(), max(0.0, counts.sum()), atol=1e-9)
    # Of all counts with this sum, none is closer: the difference is the same number wherever the count is above 0.
    above = found > 1e-9
    if above.any():
        shift = (counts - found)[above]
        assert np.ptp(shift) < 1e-9 and (counts[~above] <= shift.max(initial=-np.inf) + 1e-9).all()


@given(st.integers(0, 1000))
def test_margins_of_tables_with_common_columns_add_up(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 60, (SIZE, SIZE, SIZE))
    tables = [
        answer_of(("a", "b"), truth.sum(axis=2) + rng.integers(-9, 10, (SIZE, SIZE)), sd=3.0),
        answer_of(("c", "b"), truth.sum(axis=0).T + rng.integers(-9, 10, (SIZE, SIZE)), sd=2.0),
        answer_of(("a",), truth.sum(axis=(1, 2)) + rng.integers(-9, 10, SIZE), sd=1.0),
    ]
    ab, cb, a = map(counts_of, consistent(tables, DOMAINS))
    assert min(ab.min(), cb.min(), a.min()) >= 0
    assert np.allclose(ab.sum(axis=0), cb.sum(axis=0), atol=0.05)
    assert np.allclose(ab.sum(axis=1), a, atol=0.05)
    assert np.isclose(cb.sum(), a.sum(), atol=0.05)


def test_exact_tables_are_not_changed() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 60, (SIZE, SIZE))
    ab, a = map(counts_of, consistent([answer_of(("a", "b"), truth), answer_of(("a",), truth.sum(axis=1))], DOMAINS))
    assert np.array_equal(ab, truth) and np.array_equal(a, truth.sum(axis=1))


def test_tables_whose_cells_do_not_hold_every_row_are_not_forced_to_agree() -> None:
    """Rows without a category of b are in the table of a, and not in the table of both."""
    partial: dict[str, Column] = {**DOMAINS, "b": Categories(name="b", values=tuple("wxyz"), missing=False)}
    ab, a = consistent([answer_of(("a", "b"), np.ones((4, 4))), answer_of(("a",), np.full(4, 10))], partial)
    assert counts_of(ab).sum() == 16 and counts_of(a).sum() == 40


def test_errors_of_margins_become_smaller_on_average() -> None:
    rng = np.random.default_rng(2)
    before, after = [], []
    for _ in range(60):
        truth = rng.integers(5, 60, (SIZE, SIZE))
        noisy = truth + np.round(rng.laplace(0, 4, truth.shape))
        row = truth.sum(axis=1) + np.round(rng.laplace(0, 4, SIZE))
        ab, _ = map(counts_of, consistent([answer_of(("a", "b"), noisy), answer_of(("a",), row)], DOMAINS))
        before.append(((noisy.sum(axis=1) - truth.sum(axis=1)) ** 2).mean())
        after.append(((ab.sum(axis=1) - truth.sum(axis=1)) ** 2).mean())
    assert np.mean(after) < 0.6 * np.mean(before)
