"""Pictures in which no point and no region stands for fewer than 11 people."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privaudit
from privaudit.model.stats import wilson
from privaudit.risk.pictures.categories import Category, Coded
from privaudit.risk.pictures.category_map import (
    _affinities,
    _distances,
    category_map,
    correspondence,
    tsne,
    two_way,
)
from privaudit.risk.pictures.regions import _split, _Tile, at_risk, places_of, regions
from tests.helpers.paths import third_party


def coded(name: str, codes: list[int]) -> Coded:
    array = np.array(codes, dtype=np.int32)
    made = tuple(Category(name, i + 1, None) for i in range(int(array.max(initial=-1)) + 1))
    return Coded(name, made, array, array)


ROWS = st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 2), st.integers(0, 1)), min_size=1, max_size=150)


@given(ROWS)
def test_cells_are_counted_and_small_ones_removed(rows):
    columns = [coded(name, [row[j] for row in rows]) for j, name in enumerate("abc")]
    table = two_way(columns)
    starts = np.cumsum([0, *(len(column.categories) for column in columns)])
    for i in range(3):
        for j in range(3):
            counts = Counter((row[i], row[j]) for row in rows)
            for a in range(len(columns[i].categories)):
                for b in range(len(columns[j].categories)):
                    n = counts[a, b] if i != j else 0
                    assert table[starts[i] + a, starts[j] + b] == (n if n >= 11 else 0)
    found, _ = category_map(columns)
    if found is not None:
        sizes = {(name, v + 1): sum(row[j] == v for row in rows) for j, name in enumerate("abc") for v in range(4)}
        assert all(sizes[point.column, point.number] >= 11 for point in found.points)


@given(st.integers(0, 10_000), st.integers(22, 400), st.integers(1, 9))
def test_every_region_has_11_records_and_its_rounded_share(seed, n, k):
    rng = np.random.default_rng(seed)
    places = rng.integers(0, rng.integers(2, 40), (n, 2)).astype(float)
    risky = rng.random(n) < rng.random()
    parts = list(_split(places, np.arange(n), _Tile(0, 0, 1, 1), 6))
    assert sorted(i for _, inside in parts for i in inside) == list(range(n))
    assert all(len(inside) >= 11 for _, inside in parts)
    assert sum(tile.width * tile.height for tile, _ in parts) == pytest.approx(1)
    found = regions(places, risky)
    assert [region.share_below_k for region in found] == [
        pytest.approx(round(risky[inside].mean() * 10) / 10) for _, inside in parts
    ]
    # Tiles are where the splits put them: no coordinate of a record is in the picture.
    moved = regions(places * 3 + 100, risky)
    assert [(r.x, r.y, r.width, r.height) for r in moved] == [(r.x, r.y, r.width, r.height) for r in found]


@given(ROWS, st.integers(2, 12))
def test_records_at_risk_are_those_of_a_count(rows, k):
    columns = [coded(name, [row[j] for row in rows]) for j, name in enumerate("abc")]
    counts = Counter(rows)
    assert at_risk(columns, k).tolist() == [counts[row] < k for row in rows]


@given(st.integers(0, 10_000), st.integers(3, 7), st.integers(3, 7))
def test_two_columns_have_the_axes_of_the_analysis_of_their_table(seed, n_rows, n_columns):
    """Greenacre 2017: singular vectors of (P - r c^T) / sqrt(r c^T), divided by the root of the masses."""
    counts = np.random.default_rng(seed).integers(1, 90, (n_rows, n_columns)).astype(float)
    shares = counts / counts.sum()
    r, c = shares.sum(axis=1), shares.sum(axis=0)
    left, singular, right = np.linalg.svd((shares - np.outer(r, c)) / np.sqrt(np.outer(r, c)))
    table = np.zeros((n_rows + n_columns,) * 2)
    table[:n_rows, n_rows:], table[n_rows:, :n_rows] = counts, counts.T
    axes, inertia = correspondence(table, [n_rows, n_columns])
    n = min(n_rows, n_columns) - 1
    assert axes.shape[1] == n
    assert np.allclose(inertia, singular[:n] ** 2 / (singular[:n] ** 2).sum())
    for axis in range(n):
        wanted = np.concatenate([left[:, axis] / np.sqrt(r), right[axis] / np.sqrt(c)]) * singular[axis]
        assert np.allclose(np.abs(axes[:, axis]), np.abs(wanted), atol=1e-6)
        assert abs(np.dot(axes[:, axis], wanted)) == pytest.approx(np.dot(wanted, wanted), rel=1e-6)


def test_independent_columns_have_no_inertia_of_their_own():
    """Tables that are exactly independent: no axis, whatever the masses of the values."""
    masses = [np.array([0.5, 0.3, 0.2]), np.array([0.6, 0.4]), np.array([0.1, 0.2, 0.3, 0.4])]
    blocks = [[np.outer(a, b) * 1000 * (a is not b) for b in masses] for a in masses]
    axes, _ = correspondence(np.block(blocks), [3, 2, 4])
    assert axes.shape[1] == 0


@pytest.mark.slow
def test_neighbours_are_as_good_as_those_of_scikit_learn():
    """Kullback-Leibler divergence of the affinities, which t-SNE minimises."""
    manifold = pytest.importorskip("sklearn.manifold")
    rng = np.random.default_rng(3)
    points = np.vstack([rng.normal(centre, 1, (30, 10)) for centre in rng.normal(0, 6, (4, 10))])

    def divergence(place: np.ndarray) -> float:
        near = 1 / (1 + _distances(place))
        np.fill_diagonal(near, 0)
        wanted, shares = _affinities(points, 10), np.maximum(near / near.sum(), 1e-12)
        return float((wanted * np.log(wanted / shares)).sum())

    other = manifold.TSNE(perplexity=10, init="pca", random_state=0, method="exact").fit_transform(points)
    assert divergence(tsne(points, 10)) < 1.1 * divergence(np.asarray(other, dtype=float))


@pytest.fixture(scope="module")
def table(tmp_path_factory) -> Path:
    """Return a table of 600 people with planted values that are in no vocabulary."""
    rng = np.random.default_rng(1)
    path = tmp_path_factory.mktemp("pictures") / "people.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("age", "sex", "county", "diagnosis"))
        for _ in range(600):
            writer.writerow((
                rng.integers(20, 80), rng.choice(["female", "male"]), rng.choice(["Zq7canaryshire", "Kent", "Essex"]),
                rng.choice(["asthma", "Zq7canaryitis", "migraine"]),
            ))  # fmt: skip
    return path


def test_the_report_draws_categories_and_regions_and_names_public_values_only(table, tmp_path):
    report = privaudit.scan(table, ner=False, quasi=["age", "sex", "county"], sensitive=["diagnosis"])
    found = report.wire.pictures
    assert found is not None and found.categories is not None
    shown = {point.value for point in found.categories.points}
    assert {"female", "male"} <= shown <= {"female", "male", None}
    assert {point.column for point in found.categories.points} == {"age", "sex", "county", "diagnosis"}
    assert 2 <= len(found.regions) <= 64
    report.write(tmp_path / "full.html")
    report.write(tmp_path / "full.json")
    text = (tmp_path / "full.html").read_text()
    assert "Categories that occur together" in text and "mean nothing" in text
    assert "canary" not in text and "canary" not in (tmp_path / "full.json").read_text()
    report.write(tmp_path / "public.html", edition="public")
    assert "Categories that occur together" not in (tmp_path / "public.html").read_text()
    assert json.loads(json.dumps(privaudit.load(tmp_path / "full.json").wire.pictures is not None))


def test_pictures_do_not_depend_on_the_order_of_the_rows(table, tmp_path):
    lines = table.read_text().splitlines(keepends=True)
    other = tmp_path / "people.csv"
    other.write_text("".join([lines[0], *lines[:0:-1]]))
    both = [privaudit.scan(path, ner=False, quasi=["age", "sex", "county"]).wire.pictures for path in (table, other)]
    assert both[0] == both[1]


@pytest.mark.shared
def test_adult_has_points_for_its_frequent_values():
    """Of 110 values and bands, those with fewer than 11 records have no point; no region is missing."""
    found = privaudit.scan(third_party("arx", "data", "adult.csv"), ner=False, max_size=1).wire.pictures
    assert found is not None and found.categories is not None
    with third_party("arx", "data", "adult.csv").open() as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    sizes = Counter((column, value) for row in rows for column, value in row.items() if column != "age")
    shown = Counter(point.column for point in found.categories.points)
    for column in set(shown) - {"age"}:
        assert shown[column] == sum(n >= 11 for (name, _), n in sizes.items() if name == column)
    assert len(found.regions) == 64


@pytest.mark.shared
@pytest.mark.slow
def test_regions_of_heart_add_nothing_to_what_a_classifier_knows():
    """An attacker who knows age, sex and disease of 60 people predicts the disease of the others from age and sex.

    With the picture he also knows, generously, the region of everyone and its share. That must not help beyond noise,
    while points of a t-SNE of the records do: from the three nearest points he is right in nine of ten cases.
    """
    with third_party("heart", "heart_disease.csv").open() as file:
        rows = list(csv.DictReader(file))
    numbers = np.array([[float(value) for value in row.values()] for row in rows])
    quasi = [_banded(name, [float(row[name]) for row in rows]) for name in ("age", "sex")]
    _, coordinates = category_map(quasi)
    places = places_of(quasi, coordinates)
    share = np.zeros((len(rows), 1))
    parts = list(_split(np.round(places, 6), np.arange(len(rows)), _Tile(0, 0, 1, 1), 6))
    for (_, inside), region in zip(parts, regions(places, at_risk(quasi, 5)), strict=True):
        assert len(inside) >= 11
        share[inside] = region.share_below_k
    disease = numbers[:, -1]
    scaled = (numbers - numbers.mean(axis=0)) / numbers.std(axis=0)
    known = scaled[:, :2]
    rates = {
        "known": _rate(known, disease),
        "picture": _rate(np.hstack([known, share]), disease),
        "points": _rate(tsne(scaled, 30), disease),
    }
    noise = wilson(round(rates["known"] * 243), 243)
    assert rates["picture"] <= noise.high
    assert rates["points"] > 0.9 > noise.high


def _rate(inputs: np.ndarray, outputs: np.ndarray) -> float:
    """Return how often the three nearest of 60 known people have the output of the other people."""
    rights, n = 0, 0
    for turn in range(20):
        known = np.random.default_rng(turn).permutation(len(inputs))[:60]
        others = np.setdiff1d(np.arange(len(inputs)), known)
        distances = ((inputs[others, None] - inputs[known]) ** 2).sum(axis=2)
        nearest = known[np.argsort(distances, axis=1, kind="stable")[:, :3]]
        rights += int(((outputs[nearest].mean(axis=1) >= 0.5) == outputs[others]).sum())
        n += len(others)
    return rights / n


def _banded(name: str, numbers: list[float]) -> Coded:
    values = np.array(numbers)
    edges = np.unique(np.quantile(values, np.arange(1, 5) / 5)) if len(set(numbers)) > 10 else np.unique(values)[:-1]
    bands = np.searchsorted(edges, values, side="left").astype(np.int32)
    codes = np.unique(values, return_inverse=True)[1].astype(np.int32)
    return Coded(name, tuple(Category(name, i + 1, None) for i in range(len(edges) + 1)), bands, codes)
