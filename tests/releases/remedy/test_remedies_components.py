"""Principal components are those of scikit-learn, known people undo them, and a scan recognises them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit import steps
from privaudit.base.errors import ConfigError
from privaudit.releases.remedy.perturbation_attacks import by_procrustes
from tests.helpers.paths import third_party

OPTIONS = {"framework": (), "ner": False}


def people(n=400):
    draw = np.random.default_rng(5)
    age, tier = draw.integers(18, 80, n), draw.choice(["Gold", "Silver", "Bronze"], n)
    limit = 1_000 * draw.integers(1, 60, n) + 200 * age
    return pd.DataFrame({"age": age, "limit": limit, "visits": draw.poisson(4, n), "tier": tier})


def test_two_scaled_components_of_one_hot_columns_are_those_of_scikit_learn():
    decomposition = pytest.importorskip("sklearn.decomposition")
    from sklearn.preprocessing import StandardScaler

    frame = people()
    step = steps.pca_mask(["age", "limit", "tier"], components=2, scale=True, one_hot=["tier"])
    made = privaudit.remedy(frame, plan={"step": [step], "order": "kept"}, policy="internal", **OPTIONS)
    matrix = StandardScaler().fit_transform(pd.get_dummies(frame[["age", "limit", "tier"]]).to_numpy(dtype=float))
    expected = decomposition.PCA(2).fit_transform(matrix)
    found = made.frame[["component_1", "component_2"]].to_numpy()
    assert np.abs(np.abs(found) - np.abs(expected)).max() < 1e-9
    assert list(made.frame.columns) == ["visits", "component_1", "component_2"]
    (attack,) = [each for each in made.attacks if each.kind == "known_pairs"]
    assert attack.n_known == 6 and attack.success.value > attack.baseline


@pytest.mark.slow
@pytest.mark.shared
def test_all_components_of_the_heart_table_are_those_of_scikit_learn_and_are_undone(tmp_path):
    decomposition = pytest.importorskip("sklearn.decomposition")
    frame = pd.read_csv(third_party("heart", "heart_disease.csv"))
    names = [name for name in frame.columns if name != "target"]
    plan = {"step": [steps.pca_mask(names)], "order": "kept"}
    made = privaudit.remedy(frame, plan=plan, output=tmp_path / "masked.csv", policy="public", **OPTIONS)
    expected = decomposition.PCA(13).fit_transform(frame[names])
    assert np.abs(np.abs(made.frame[names]) - np.abs(expected)).to_numpy().max() < 1e-9
    (known,) = made.certificate["known_people"]
    assert known["people"] == 14 and known["share_of_cells_returned"] > 0.995
    later = privaudit.scan(tmp_path / "masked.csv", policy="public", unit="person", **OPTIONS)
    about = [f for f in later.findings if set(f.subject) & set(names)]
    assert [(f.code, f.severity, set(f.subject)) for f in about] == [("PSN006", "high", set(names))]


@settings(max_examples=30, deadline=None)
@given(n=st.integers(2, 6), seed=st.integers(0, 999))
def test_n_plus_one_people_undo_any_rotation(n, seed):
    draw = np.random.default_rng(seed)
    values = draw.integers(0, 100, (60, n)).astype(float)
    rotation = np.linalg.qr(draw.normal(size=(n, n)))[0]
    masked = (values - values.mean(axis=0)) @ rotation
    found = by_procrustes(values[: n + 1], masked[: n + 1], masked, np.ones(n))
    if np.linalg.matrix_rank(values[: n + 1] - values[: n + 1].mean(axis=0)) == n:
        assert np.allclose(found, values)


def test_a_missing_cell_is_named_by_column_and_row():
    frame = people()
    frame.loc[16, "tier"] = None
    step = steps.pca_mask(["age", "tier"], components=1, one_hot=["tier"])
    with pytest.raises(ConfigError, match='"tier" has none in row 17'):
        privaudit.remedy(frame, plan=[step], policy="internal", **OPTIONS)
    with pytest.raises(ConfigError, match="cannot make 9 components"):
        privaudit.remedy(people(), plan=[steps.pca_mask(["age"], components=9)], policy="internal", **OPTIONS)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("n", [200, 5_000, 50_000])
def test_standardised_and_independent_columns_are_not_components(n):
    draw = np.random.default_rng(n)
    values = draw.normal(size=(n, 4))
    standard = (values - values.mean(axis=0)) / values.std(axis=0)
    for made in (values, standard):
        found = privaudit.scan(pd.DataFrame(made, columns=list("abcd")), policy="public", **OPTIONS)
        assert "PSN006" not in {finding.code for finding in found.findings}
    _, _, axes = np.linalg.svd(values - values.mean(axis=0), full_matrices=False)
    rotated = np.round((values - values.mean(axis=0)) @ axes.T, 6)
    found = privaudit.scan(pd.DataFrame(rotated, columns=["lat", "lon", "c", "d"]), policy="public", **OPTIONS)
    about = [(f.code, len(f.subject)) for f in found.findings if f.subject]
    assert about == [("PSN006", 4)]
