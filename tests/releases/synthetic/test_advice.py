"""The advice before spending is compared with what methods do: expected errors, and the recommended method."""

from __future__ import annotations

import numpy as np
import pytest

from privaudit.releases.privacy.accounting import rho_of
from privaudit.releases.synthetic.advice import DEPENDENCE, PRIVATE, prospects, recommended
from privaudit.releases.synthetic.budget import ConcentratedBudget, PureBudget
from privaudit.releases.synthetic.comparison import mean_distances
from privaudit.releases.synthetic.domain_file import parse_domain
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.methods.registry import METHODS, Bounds

DELTA = 1e-9
SIZES = (2, 4, 6, 8, 5, 7, 3)


def population(n: int, strength: float) -> CodedTable:
    """Return columns that follow, with a probability, from a common one."""
    random = np.random.default_rng(4)
    base = random.integers(8, size=n)
    codes = [
        np.where(random.random(n) < strength, base % size, random.binomial(size - 1, 0.4, size=n)) for size in SIZES
    ]
    return CodedTable(np.array(codes, dtype=np.int64), SIZES)


def domain():
    stated = {
        f"c{i}": {"kind": "category", "values": [f"v{j}" for j in range(size)], "missing": False}
        for i, size in enumerate(SIZES)
    }
    return parse_domain({"version": 1, "column": stated}, "d")


def measured(method: str, table: CodedTable, epsilon: float) -> float:
    rho = METHODS[method].pays == "rho"
    found = []
    for seed in range(3):
        budget = ConcentratedBudget(rho_of(epsilon, DELTA)) if rho else PureBudget(epsilon)
        model = METHODS[method].fit(table, budget, Bounds()).model
        found.append(mean_distances(table, model.sample(table.n_rows, np.random.default_rng(seed)))[1])
    return float(np.mean(found))


@pytest.mark.slow
@pytest.mark.parametrize("strength", [0.4, 0.55])
@pytest.mark.parametrize(("n", "epsilon"), [(500, 0.1), (500, 1), (2_000, 1), (8_000, 1), (8_000, 10), (30_000, 0.1)])
def test_expected_errors_are_within_a_factor_of_two_and_the_recommended_method_is_good(
    n: int, epsilon: float, strength: float
) -> None:
    table = population(n, strength)
    found = {each.method: each for each in prospects(domain(), n, epsilon, DELTA)}
    errors = {method: measured(method, table, epsilon) for method in PRIVATE}
    for method, error in errors.items():
        assert found[method].error_at(DEPENDENCE[0]) / 2 <= error <= 2 * found[method].error_at(DEPENDENCE[-1]), method
    best = recommended(tuple(found.values())).method
    assert errors[best] <= 1.5 * min(errors.values()), errors


@pytest.mark.parametrize("epsilon", [0.1, 1, 10])
def test_more_records_and_more_epsilon_never_make_the_expected_error_larger(epsilon: float) -> None:
    for method in PRIVATE:
        errors = [
            {each.method: each for each in prospects(domain(), n, epsilon, DELTA)}[method].error
            for n in (100, 1_000, 10_000, 100_000)
        ]
        assert errors == sorted(errors, reverse=True)
