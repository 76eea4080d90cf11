"""Shares of cells that an expression matches, decided by a sample of the values where it leaves no doubt."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from privaudit.detect.catalogue.matching import matching
from privaudit.detect.catalogue.possible_matches import MANY
from privaudit.detect.column import Column
from privaudit.detect.witnesses import build
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow
from privaudit.source.profile import profile

N = 3 * MANY


def column_of(n_matching: int, n_repeated: int, n: int = N) -> Column:
    """Build a column of `n` different codes, of which some begin with x, and one that is repeated."""
    cells = [f"{'x' if i < n_matching else 'y'}{i:06d}" for i in range(n)] + ["y000000"] * n_repeated
    with from_arrow(pa.table({"c": cells})) as dataset:
        return build(dataset, profile(dataset)[0], Settings())


@pytest.mark.parametrize("n", [500, N])
@pytest.mark.parametrize("repeated", [0, 0.02, 1])
@pytest.mark.parametrize("matching", [0, 0.002, 0.1, 0.5, 0.994, 1])
def test_the_answer_is_that_of_all_cells(matching, repeated, n):
    column = column_of(int(matching * n), int(repeated * n), n)
    exact = column.matching("^x")
    for share in (0.0, 0.02, 0.1, 0.3, 0.5, 0.9, 0.95, 0.98, 1.0, exact, np.nextafter(exact, 1)):
        column.release()  # else all cells, once read, answer
        assert column.at_least("^x", share) == (exact >= share)


def test_a_sample_decides_only_what_is_far_from_the_share(monkeypatch):
    asked: list[str] = []
    matching = Column.matching
    monkeypatch.setattr(Column, "matching", lambda self, pattern: asked.append(pattern) or matching(self, pattern))
    half = column_of(N // 2, 0)
    assert half.at_least("^x", 0.1)
    assert not half.at_least("^x", 0.9)
    assert not asked
    assert half.at_least("^x", 0.5)
    assert asked == ["^x"]


def test_few_values_are_all_read():
    with from_arrow(pa.table({"c": ["x1"] * 9 + ["y1"]})) as dataset:
        few = build(dataset, profile(dataset)[0], Settings())
    assert few.at_least("^x", 0.9)
    assert not few.at_least("^x", 0.91)


@pytest.mark.parametrize("n_repeated", [0, N])
@pytest.mark.parametrize("n_matching", [0, 5, N // 10, N // 2, N])
def test_what_a_sample_shows_to_be_rare_is_rare(n_matching, n_repeated):
    column = column_of(n_matching, n_repeated)
    exact = column.matching("^x")
    for share in (0.02, 0.1, 0.3, 0.5, 0.9, exact):
        if column.is_rare(lambda values: matching(values, "^x"), share):
            assert exact < share
    assert column.is_rare(lambda values: matching(values, "^z"), 0.1 + 0.9 * (1 - column.uniqueness))


def test_numbers_are_those_of_the_cells():
    cells = [*(f"+{i}" for i in range(40)), *(f"{i}.5" for i in range(40)), "word", "0x1"]
    with from_arrow(pa.table({"c": cells})) as dataset:
        column = build(dataset, profile(dataset)[0], Settings())
        wanted = [float(cell) if cell not in ("word", "0x1") else np.nan for cell in column.values.to_pylist()]
    assert np.array_equal(column.numbers, wanted, equal_nan=True)


@pytest.mark.parametrize("place", [0, N // 2, N - 1])
def test_one_value_decides_what_may_match(place):
    cells = [f"n{i:06d}@b.c" for i in range(N)]
    with from_arrow(pa.table({"every": cells, "most": [*cells[:place], "n1111111#", *cells[place + 1 :]]})) as dataset:
        every, most = (build(dataset, each, Settings()) for each in profile(dataset))
    assert not every.can_match("#") and not every.can_match("[0-9]{7}")
    assert most.can_match("#") and most.can_match("[0-9]{7}")
    assert (every.texts.most_digits, most.texts.most_digits) == (6, 7)
