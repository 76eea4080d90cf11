"""Shares of cells of a column of which a slow check read some values: the interval contains the share of all cells."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest

from privaudit.detect import patterns
from privaudit.detect.subjects import checkdigits
from privaudit.detect.witnesses import build
from privaudit.model.stats import wilson
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow
from privaudit.source.profile import profile
from tests.helpers.detection import judge

N = 500
ROWS = {
    "one row each": np.ones(N, dtype=np.int64),
    "Zipf": N // np.arange(1, N + 1),
    "geometric": np.random.default_rng(3).geometric(0.1, N),
}


def nhs_number(digits: list[int], *, is_valid: bool) -> str | None:
    """Return nine digits with the check digit of an NHS number, or with the next digit; None if it has none."""
    check = (11 - sum((10 - i) * digit for i, digit in enumerate(digits)) % 11) % 11
    return None if check == 10 else "".join(map(str, digits)) + str((check + (not is_valid)) % 10)


@pytest.mark.slow
@pytest.mark.parametrize("rows", ROWS.values(), ids=list(ROWS))
def test_numbers_of_which_a_sample_was_checked(rows):
    """Of 60 seeds at least 52: 57 are expected, and three standard errors below 57 are 52."""
    rng, numbers = np.random.default_rng(1), []
    while len(numbers) < N:
        is_valid = bool(rng.random() < 0.9)
        if (text := nhs_number(rng.integers(0, 10, 9).tolist(), is_valid=is_valid)) is not None:
            numbers.append((text, is_valid))
    valid, contained = np.array([is_valid for _, is_valid in numbers]), 0
    cells = np.repeat([text for text, _ in numbers], rows).tolist()
    with patch.object(checkdigits, "MOST", 120), patch.object(patterns, "MOST", 120):
        for seed in range(60):
            found = judge({"nhs_number": cells}, Settings(ner=False, seed=seed))["nhs_number"].is_
            assert found is not None and found.detail == "gb.nhs" and found.share.method != "exact"
            contained += found.share.low <= rows[valid].sum() / rows.sum() <= found.share.high
    assert contained >= 52


@pytest.mark.parametrize("rows", ROWS.values(), ids=list(ROWS))
def test_distinct_values_are_as_precise_as_stated(rows):
    """Of 400 samples of 100 values at least 366: 380 are expected, and three standard errors below 380 are 367."""
    cells = np.repeat([f"value {i}" for i in range(N)], rows).tolist()
    with from_arrow(pa.table({"c": cells})) as dataset:
        column = build(dataset, profile(dataset)[0], Settings())
    rng, contained = np.random.default_rng(2), 0
    hits = rng.random(N) < 0.4
    true, n = column.counts[hits].sum() / column.counts.sum(), column.n_effective(100)
    for _ in range(400):
        drawn = rng.choice(N, 100, replace=False)
        found = wilson(column.counts[drawn[hits[drawn]]].sum() / column.counts[drawn].sum() * n, n)
        contained += found.low <= true <= found.high
    assert contained >= 366
