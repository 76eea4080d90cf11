"""The estimators keep the contract of scikit-learn, pay for every fit, and are as accurate as measured."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from unittest import SkipTest

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import estimator_checks_generator

import privaudit
from privaudit.base.errors import BudgetExceeded, ConfigError, MissingBounds, TooManyCells, UnitNotGiven
from privaudit.releases.answers.models.base import axis
from privaudit.releases.answers.models.forest import drawn_splits, leaves_of
from privaudit.releases.privacy import noise
from tests.helpers.paths import third_party

CHECKED = {"bounds": (-4, 4), "epsilon": 1e9}
CLASSIFIERS = (privaudit.PrivateNaiveBayes, privaudit.PrivateLogisticRegression, privaudit.PrivateForest)


def estimators() -> list:
    return [
        privaudit.PrivateNaiveBayes(classes="public", bands=20, **CHECKED),
        privaudit.PrivateLogisticRegression(classes="public", bands=20, random_state=0, **CHECKED),
        privaudit.PrivateForest(classes="public", random_state=0, n_estimators=20, max_depth=6, **CHECKED),
        privaudit.PrivateKMeans(3, random_state=0, **CHECKED),
        privaudit.PrivateLinearRegression(target_bounds=(-200, 200), **CHECKED),
    ]


@pytest.fixture(scope="module")
def ledger(tmp_path_factory) -> privaudit.Ledger:
    path = tmp_path_factory.mktemp("models") / "test.ledger"
    return privaudit.Ledger.create(path, dataset="test", epsilon=10**15)


def checks() -> list:
    """Return every estimator with every check, except that `labels_` exists: labels of the training rows are data."""
    found = [
        pytest.param(each, check, id=f"{type(each).__name__}-{name}-{i}")
        for each in estimators()
        for i, (_, check) in enumerate(estimator_checks_generator(each))
        if (name := getattr(check, "func", check).__name__) != "check_clustering"
    ]
    assert len(found) > 240
    return found


@pytest.mark.quick_cases(8)
@pytest.mark.parametrize(("estimator", "check"), checks())
def test_the_contract_of_scikit_learn(estimator, check, ledger) -> None:
    try:
        check(clone(estimator).set_params(ledger=ledger))
    except SkipTest as reason:
        pytest.skip(str(reason))


def small(seed: int = 0) -> tuple:
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (120, 2))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_every_fit_is_paid_and_copies_pay_from_the_same_ledger(tmp_path, kind) -> None:
    ledger = privaudit.Ledger.create(tmp_path / "a", dataset="test", epsilon=2)
    model = kind(bounds=(-3, 3), epsilon=0.5, ledger=ledger, classes=[0, 1])
    for each in (model, clone(model), copy.deepcopy(model), clone(clone(model))):
        each.fit(*small())
    assert ledger.account().spent("epsilon") == 2
    assert sum(len(entry["queries"]) > 1 for entry in ledger.account().entries) == 4
    with pytest.raises(BudgetExceeded, match="0 of 2 is left"):
        clone(model).fit(*small())
    model.predict(small()[0])
    assert len(ledger.account().entries) == 5


@pytest.mark.parametrize("make", estimators(), ids=lambda each: type(each).__name__)
def test_a_fitted_model_contains_no_row(ledger, make) -> None:
    """What is saved with a model: no array is as long as the table, and no number of a row is in it."""
    rng = np.random.default_rng(8)
    X, y = rng.uniform(-3, 3, (977, 2)), rng.integers(0, 2, 977)
    model = clone(make).set_params(ledger=ledger, epsilon=1.0).fit(X, y)
    saved = pickle.dumps(model)
    assert not any(cell.tobytes() in saved for cell in X[:200].ravel())
    arrays = [each for each in vars(model).values() if isinstance(each, np.ndarray)]
    assert all(977 not in each.shape for each in arrays)


def test_a_ledger_by_path_and_in_a_pipeline(tmp_path) -> None:
    path = privaudit.Ledger.create(tmp_path / "a", dataset="test", epsilon=2).path
    model = privaudit.PrivateNaiveBayes((-3, 3), 1.0, str(path), classes=[0, 1])
    fitted = make_pipeline(FunctionTransformer(), model).fit(*small())
    assert fitted.score(*small()) > 0.6
    assert fitted[-1].receipt_.entry == 1


@pytest.mark.parametrize("make", estimators(), ids=lambda each: type(each).__name__)
def test_nothing_is_learned_without_ledger_bounds_and_epsilon(tmp_path, make) -> None:
    X, y = small()
    ledger = privaudit.Ledger.create(tmp_path / "a", dataset="test", epsilon=10**12)
    with pytest.raises(ConfigError, match="no ledger"):
        clone(make).fit(X, y)
    refused = {None: "no bounds", ((0, 1),): "1 of 2 features", (1, 0): "the lower one first"}
    for bounds, reason in (*refused.items(), ({"a": (0, 1)}, "2 features have no bounds")):
        with pytest.raises(MissingBounds, match=reason):
            clone(make).set_params(ledger=ledger, bounds=bounds).fit(X, y)
    for epsilon in (0, -1, None, True, "1"):
        with pytest.raises(ConfigError, match="epsilon"):
            clone(make).set_params(ledger=ledger, epsilon=epsilon).fit(X, y)
    assert ledger.account().entries == ()


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_classes_are_declared(ledger, kind) -> None:
    X, y = small()
    with pytest.raises(MissingBounds, match="classes"):
        kind((-3, 3), 1.0, ledger).fit(X, y)
    model = kind((-3, 3), 1e6, ledger, classes=[0, 1, 7]).fit(X, np.where(y, 1, 5))
    assert model.classes_.tolist() == [0, 1, 7]
    assert set(model.predict(X)) <= {0, 1, 7}


def test_the_target_of_a_regression_has_bounds_and_a_grid_has_a_limit(ledger) -> None:
    X, y = small()
    with pytest.raises(MissingBounds, match="target"):
        privaudit.PrivateLinearRegression((-3, 3), None, 1.0, ledger).fit(X, y)
    with pytest.raises(TooManyCells, match="13 features has too many cells"):
        privaudit.PrivateKMeans(2, (0, 1), 1.0, ledger).fit(np.zeros((9, 13)))


def test_a_person_counts_with_at_most_m_rows(tmp_path) -> None:
    ledger = privaudit.Ledger.create(tmp_path / "a", dataset="test", unit="person", epsilon=10**9)
    X, y = small()
    model = privaudit.PrivateNaiveBayes((-3, 3), 1e6, ledger, classes=[0, 1])
    with pytest.raises(UnitNotGiven, match="unit of the ledger is a person"):
        model.fit(X, y)
    groups = np.array(["a"] * 100 + [f"p{i}" for i in range(20)])
    model.set_params(rows_per_person=2).fit(X, y, groups=groups)
    (entry,) = ledger.account().entries
    assert entry["rows_per_unit"] == 2 and {query["sensitivity"] for query in entry["queries"]} == {2.0}
    kept = np.exp(model.class_log_prior_) * 22
    assert np.allclose(kept, np.round(kept), atol=1e-6)


def test_the_forest_draws_its_splits_without_the_data() -> None:
    axes = [axis((0, 10), 2), axis(range(3), 2)]
    feature, threshold = drawn_splits(axes, 5, np.random.RandomState(0))
    assert len(feature) == 31 and set(feature) == {0, 1}
    assert set(threshold[feature == 1]) <= {0.5, 1.5, 2.0}
    X = np.column_stack([np.random.default_rng(0).uniform(0, 10, 500), np.random.default_rng(1).integers(0, 3, 500)])
    leaves = leaves_of(feature, threshold, X)
    assert leaves.min() >= 0 and leaves.max() <= 31
    for row, leaf in zip(X, leaves, strict=True):
        node = 0
        for _ in range(5):
            node = 2 * node + 1 + int(row[feature[node]] > threshold[node])
        assert node - 31 == leaf


def test_one_row_changes_every_noisy_sum_of_a_regression_by_at_most_its_sensitivity(ledger, monkeypatch) -> None:
    scales = []

    def none(scale, size):
        scales.append(scale)
        return np.zeros(size, dtype=np.int64)

    monkeypatch.setattr(noise, "discrete_laplace", none)
    from privaudit.releases.answers.models import linear

    axes = [axis((-1, 1), 1)] * 3
    rng = np.random.default_rng(0)
    rows = np.vstack([rng.uniform(-1, 1, (20, 3)), rng.uniform(-5, 5, (20, 3)), np.ones((1, 3))])
    changes = [
        np.triu(linear._noisy_products(axes, rows[[i]], Fraction(1)))[np.triu_indices(4)][:-1] for i in range(len(rows))
    ]
    declared = (3 * 4) // 2 + 3
    assert max(np.abs(change).sum() for change in changes) == declared


HEART = {
    "age": (20, 100), "sex": range(2), "cp": range(4), "trestbps": (80, 220), "chol": (100, 600), "fbs": range(2),
    "restecg": range(3), "thalach": (60, 220), "exang": range(2), "oldpeak": (0, 7), "slope": range(3), "ca": range(5),
    "thal": range(4),
}  # fmt: skip


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "least"), [(1.0, 0.77), (10.0, 0.84)])
def test_naive_bayes_on_heart(ledger, epsilon: float, least: float) -> None:
    rows = np.genfromtxt(third_party("heart", "heart_disease.csv"), delimiter=",", skip_header=1)
    X, y, right = rows[:, :-1], rows[:, -1].astype(int), []
    for seed in range(20):
        train, test, label, wanted = train_test_split(X, y, test_size=0.3, random_state=seed, stratify=y)
        model = privaudit.PrivateNaiveBayes([*HEART.values()], epsilon, ledger, classes=[0, 1])
        right.append((model.fit(train, label).predict(test) == wanted).mean())
    assert np.mean(right) >= least


@pytest.mark.shared
@pytest.mark.slow
def test_k_means_on_mall(ledger) -> None:
    text = third_party("mall", "Mall_Customers.csv").read_text().splitlines()[1:]
    X = np.array([line.split(",")[3:5] for line in text if line], dtype=float)
    base = KMeans(5, n_init=10, random_state=0).fit(X).inertia_
    found = []
    for _ in range(20):
        centres = privaudit.PrivateKMeans(5, [(0, 150), (0, 100)], 1.0, ledger).fit(X).cluster_centers_
        found.append(((X[:, None] - centres[None]) ** 2).sum(axis=2).min(axis=1).sum() / base)
    assert np.mean(found) <= 1.35
