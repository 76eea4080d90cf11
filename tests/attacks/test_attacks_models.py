"""Models that predict a sensitive value: which one is chosen, and that the choice does not flatter the rate."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import privaudit
from privaudit.model.wording import Term
from tests.helpers.paths import SHARED

pytest.importorskip("sklearn")


def by_model(table, quasi, secret="illness", seed=0):
    report = privaudit.attack(table, quasi=quasi, sensitive=[secret], seed=seed)
    (found,) = (one for one in report.attacks if one.kind == "attribute_disclosure" and one.method == "model")
    return found


def people(n, seed, secret):
    random = np.random.default_rng(seed)
    columns = {name: random.integers(0, 4, n) for name in ("area", "branch", "work")}
    values = secret(columns, random)
    texts = {name: [f"{name} {value}" for value in column] for name, column in columns.items()}
    return pa.table(texts | {"illness": [f"illness {value}" for value in values]})


@pytest.mark.slow
def test_boosted_trees_are_chosen_where_columns_act_together():
    """The parity of two columns: a logistic regression on indicators cannot learn it."""
    table = people(800, 1, lambda c, random: (c["area"] + c["branch"]) % 2)
    found = by_model(table, ["area", "branch", "work"])
    assert found.detail.measures["model"] == Term(code="model.boosted")
    assert found.detail.measures["cross_fitted"].value == 1 and found.control == 1


@pytest.mark.slow
def test_a_logistic_regression_is_chosen_where_it_is_as_good():
    table = people(800, 1, lambda c, random: c["area"] // 2)
    found = by_model(table, ["area", "branch", "work"])
    assert found.detail.measures["model"] == Term(code="model.logistic")


@pytest.mark.parametrize("n_tables", [2, pytest.param(30, marks=pytest.mark.slow)])
def test_the_choice_of_a_model_is_not_counted_as_success(n_tables):
    """Nothing predicts the secret: the cross-fitted rate is one half."""
    n, rates = 200, []
    for seed in range(n_tables):
        table = people(n, seed, lambda c, random: random.integers(0, 2, n))
        rates.append(by_model(table, ["area", "branch", "work"], seed=seed).detail.measures["cross_fitted"].value)
    assert np.mean(rates) == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(n * n_tables))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_numbers():
    table = people(300, 1, lambda c, random: (c["area"] + random.integers(0, 2, 300)) % 3)
    assert by_model(table, ["area", "branch"], seed=3) == by_model(table, ["area", "branch"], seed=3)


@pytest.mark.shared
@pytest.mark.slow
def test_the_model_of_adult_agrees_with_the_reference():
    if not SHARED.is_dir():
        pytest.skip("the reference tables are not available")
    columns = [
        "sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation",
    ]  # fmt: skip
    found = by_model(SHARED / "data" / "arx" / "data" / "adult.csv", columns, "salary-class")
    crossed = found.detail.measures["cross_fitted"]
    assert crossed.low <= 25_200 / 30_162 <= crossed.high
    assert found.success.value == pytest.approx(0.847, abs=0.01) and found.control == pytest.approx(0.833, abs=0.01)
