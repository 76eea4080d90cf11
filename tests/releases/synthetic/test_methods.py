"""Every method: what it spends, what it returns, and that it beats independent columns where that is possible."""

from __future__ import annotations

import json

import numpy as np
import pytest

from privaudit.releases.synthetic.budget import Budget, ConcentratedBudget, OpenBudget, PureBudget
from privaudit.releases.synthetic.comparison import mean_distances
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.methods.registry import DEFAULT, METHODS, Bounds

MARGINAL = ("aim", "privbayes", "mst")


def dependent_table(n_rows: int = 3_000) -> CodedTable:
    """Return five columns: each depends on the one before it."""
    random = np.random.default_rng(7)
    sizes = (2, 3, 4, 3, 5)
    codes = [random.integers(2, size=n_rows)]
    for size in sizes[1:]:
        codes.append((codes[-1] + (random.random(n_rows) < 0.2) * random.integers(size, size=n_rows)) % size)
    return CodedTable(np.array(codes), sizes)


def budget_of(method: str, amount: float) -> Budget:
    return {"rho": ConcentratedBudget, "epsilon": PureBudget}[METHODS[method].pays](amount)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("method", [name for name in METHODS if name not in ("gan", "cart")])
def test_a_private_method_spends_its_whole_budget_and_no_more(method: str) -> None:
    budget = budget_of(method, 0.5)
    fitted = METHODS[method].fit(dependent_table(), budget, Bounds())
    assert budget.spent == pytest.approx(0.5, rel=1e-6)
    # Six standard deviations: the tables of a Bayesian network at this budget add up to 3,000 +- 300 people.
    assert fitted.total == pytest.approx(3_000, abs=1_900 if method == "privbayes" else 120)


@pytest.mark.parametrize("method", MARGINAL)
def test_margins_beat_independent_columns(method: str) -> None:
    table = dependent_table()
    random = np.random.default_rng(0)
    found = {}
    for name in (method, "independent"):
        fitted = METHODS[name].fit(table, budget_of(name, 1.0), Bounds())
        found[name] = mean_distances(table, fitted.model.sample(3_000, random))[1]
    assert found[method] < 0.5 * found["independent"]


@pytest.mark.parametrize("method", ["cart", *MARGINAL])
def test_without_privacy_pairs_are_kept(method: str) -> None:
    table = dependent_table()
    fitted = METHODS[method].fit(table, OpenBudget(), Bounds())
    distance = mean_distances(table, fitted.model.sample(3_000, np.random.default_rng(0)))[1]
    assert distance < 0.03


@pytest.mark.parametrize("method", [name for name in METHODS if name != "gan"])
def test_a_saved_model_draws_the_same_table(method: str) -> None:
    table = dependent_table(400)
    fitted = METHODS[method].fit(table, OpenBudget(), Bounds())
    content = json.loads(json.dumps(fitted.model.content()))
    loaded = METHODS[method].load(content)
    first, second = (model.sample(500, np.random.default_rng(3)) for model in (fitted.model, loaded))
    assert loaded.sizes == table.sizes
    # Tables are saved with seven digits: a share that is nearly a whole number of records may be rounded otherwise.
    assert (first.codes != second.codes).any(axis=0).mean() < 0.02


@pytest.mark.slow
def test_the_network_of_the_adversarial_generator_is_saved_and_keeps_within_its_budget() -> None:
    table = dependent_table(300)
    budget = ConcentratedBudget(1.0)
    fitted = METHODS["gan"].fit(table, budget, Bounds())
    assert budget.spent == pytest.approx(1.0, rel=1e-6)
    loaded = METHODS["gan"].load(json.loads(json.dumps(fitted.model.content())))
    drawn = loaded.sample(100, np.random.default_rng(0))
    assert all((codes < size).all() for codes, size in zip(drawn.codes, table.sizes, strict=True))


def test_clipped_and_rounded_gradients_never_exceed_the_norm() -> None:
    from privaudit.releases.synthetic.methods import gan

    random = np.random.default_rng(0)
    training = gan._Training(dependent_table(50), [np.full(n, 1 / n) for n in (2, 3, 4, 3, 5)], gan.PRIVATE, random)
    for weight in training.discriminator.weights:
        weight *= 50  # gradients far above the norm
    sums = []
    for row in range(50):
        training._gradient(training._one_hot(np.array([row])), 1.0, lambda vector: (sums.append(vector), vector)[1])
    assert max(np.linalg.norm(each.astype(float)) for each in sums) <= gan.NORM


def test_a_bound_of_cells_is_kept_and_reported() -> None:
    table = dependent_table(500)
    fitted = METHODS["aim"].fit(table, ConcentratedBudget(5.0), Bounds(max_cells=60))
    assert fitted.model.n_cells <= 60  # type: ignore[attr-defined]
    assert fitted.n_cut > 0


def test_one_column_can_be_synthesised() -> None:
    table = CodedTable(np.array([[0, 1, 1, 2]]), (3,))
    for name in ("aim", "mst", "privbayes", "independent", "cart"):
        fitted = METHODS[name].fit(table, OpenBudget(), Bounds())
        assert fitted.model.sample(10, np.random.default_rng(0)).n_rows == 10


def test_an_empty_table_is_synthesised_from_noise_alone() -> None:
    table = CodedTable(np.zeros((3, 0), dtype=np.int64), (2, 3, 2))
    for name in ("aim", "mst", "privbayes", "independent"):
        fitted = METHODS[name].fit(table, budget_of(name, 0.5), Bounds())
        assert fitted.total >= 1


@pytest.mark.parametrize("method", [*sorted({*METHODS} - {"gan"}), pytest.param("gan", marks=pytest.mark.slow)])
def test_without_noise_two_fits_are_the_same_whatever_the_order_of_the_records(method: str) -> None:
    """Many columns are nearly independent, so that the sample of candidates, and not their counts, decides scores."""
    random = np.random.default_rng(3)
    sizes = (3, 2, 4, 3, 2, 5)
    table = CodedTable(np.array([random.integers(0, size, 3_000) for size in sizes]), sizes)
    tables = table, table.take(random.permutation(table.n_rows))
    first, second = (METHODS[method].fit(each, OpenBudget(), Bounds()) for each in tables)
    assert first.margins == second.margins and first.model.content() == second.model.content()


def test_the_default_method_is_aim() -> None:
    assert DEFAULT == "aim"


def test_a_damaged_model_is_refused() -> None:
    table = dependent_table(100)
    content = METHODS["mst"].fit(table, OpenBudget(), Bounds()).model.content()
    content["steps"][0]["given"] = [4]
    with pytest.raises(ValueError, match="fit together"):
        METHODS["mst"].load(content)
