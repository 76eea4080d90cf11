"""Order-preserving codes: rank matching against the quantiles of people outside the original."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pytest

from privaudit.api.scans import attack
from privaudit.attacks.masked.order_codes import is_coded, match_ranks


def salaries(n, seed):
    random = np.random.default_rng(seed)
    return np.round(random.lognormal(10, 0.5, n)).astype(int)


def table(values):
    return pa.table({"salary": values.astype(str).tolist(), "sex": ["f", "m"] * (len(values) // 2)})


def codes_of(values):
    """Return random codes in the order of the values."""
    distinct, index = np.unique(values, return_inverse=True)
    return np.cumsum(np.random.default_rng(9).integers(1, 50, len(distinct)))[index]


def test_the_guess_is_the_quantile_at_the_rank():
    """Of codes that are distinct, the i-th smallest of n gets the quantile (i - 1/2) / n."""
    codes, population = np.array([30.0, 10.0, 20.0]), np.arange(101.0)
    assert match_ranks(codes, population).tolist() == pytest.approx([250 / 3, 50 / 3, 50])


def test_codes_in_order_reveal_the_values_of_most_people():
    values, others = salaries(800, 1), salaries(4_000, 2)
    report = attack(table(codes_of(values)), original=table(values), control=table(others), sensitive="salary")
    (found,) = (one for one in report.attacks if one.kind == "order_codes")
    assert found.success.value > 0.8 > 0.2 > found.control and found.advantage.low > 0.7
    assert "INF001" in {one.code for one in report.findings if "order" in one.message.values["other"].code}
    numbers = set(re.findall(r"(?<![\d.])\d+(?![\d.])", report.to_json()))
    assert not numbers & set(map(str, values))


def test_only_other_numbers_in_the_same_order_are_codes():
    values = salaries(300, 3).astype(float)
    shuffled = np.random.default_rng(1).permutation(values)
    assert is_coded(codes_of(values).astype(float), values)
    assert not is_coded(values, values) and not is_coded(np.round(values, -1), values)
    assert not is_coded(shuffled, values) and not is_coded(np.ones(300), values)
