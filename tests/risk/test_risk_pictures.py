"""Pictures in which no point and no region stands for fewer than 11 people."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.base import blas_threads
from privaudit.model.stats import wilson
from privaudit.risk.pictures.categories import (
    Category,
    Coded,
    _codes,
    coded_columns,
    one_of_each,
    people_of,
    records_of,
)
from privaudit.risk.pictures.category_map import (
    _affinities,
    _distances,
    axes_of,
    category_map,
    coordinates_of,
    correspondence,
    tsne,
    two_way,
)
from privaudit.risk.pictures.guessing import KNOWN, TOGETHER, Attribute, attributes, gains
from privaudit.risk.pictures.regions import _median, at_risk, distinct_records, places_of, regions, split
from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from privaudit.source.engine import spool
from privaudit.source.engine.sql_table import SqlTable
from tests.helpers.paths import third_party


def gain(
    attribute: Attribute, rows: npt.NDArray[np.integer[Any]], weights: npt.NDArray[np.integer[Any]] | None = None
) -> float:
    """Return what guesses within one region gain for one attribute."""
    return float(gains([attribute], [rows], weights)[0, 0])


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
    found = category_map(columns, axes_of(columns))
    if found is not None:
        sizes = {(name, v + 1): sum(row[j] == v for row in rows) for j, name in enumerate("abc") for v in range(4)}
        assert all(sizes[point.column, point.number] >= 11 for point in found.points)


@given(st.integers(0, 10_000), st.integers(22, 400), st.integers(1, 9))
def test_every_region_has_11_records_and_its_rounded_share(seed, n, k):
    rng = np.random.default_rng(seed)
    places = rng.integers(0, rng.integers(2, 40), (n, 2)).astype(float)
    risky = rng.random(n) < rng.random()
    parts = sorted(split(places), key=lambda part: part[0])
    assert sorted(i for _, inside in parts for i in inside) == list(range(n))
    assert all(len(inside) >= 11 for _, inside in parts)
    assert sum(tile.width * tile.height for tile, _ in parts) == pytest.approx(1)
    found = regions(places, risky)
    shares = [pytest.approx(round(risky[inside].mean() * 10) / 10) for _, inside in parts]
    assert [region.share_below_k for region in found] == (shares if len(parts) > 1 else [])
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


def test_points_show_levels_of_a_stated_hierarchy_and_no_value_that_only_its_lowest_level_has(tmp_path):
    rng = np.random.default_rng(2)
    path, hierarchy = tmp_path / "people.csv", tmp_path / "county.csv"
    counties = ["Kent", "Zq7canaryshire", "England", "Wales"]
    rows = (f"{rng.integers(20, 24)},{counties[rng.integers(4)]}" for _ in range(400))
    path.write_text("\n".join(["age,county", *rows]) + "\n")
    hierarchy.write_text("Kent;England;*\nZq7canaryshire;England;*\nPowys;Wales;*\n")
    options = {"ner": False, "quasi": ["age", "county"], "hierarchy": {"county": str(hierarchy)}}
    found = privaudit.scan(path, **options).wire.pictures
    assert found is not None and found.categories is not None
    assert {point.value for point in found.categories.points if point.column == "county"} == {"England", "Wales", None}


def test_pictures_do_not_depend_on_the_order_of_the_rows(table, tmp_path):
    lines = table.read_text().splitlines(keepends=True)
    other = tmp_path / "people.csv"
    other.write_text("".join([lines[0], *lines[:0:-1]]))
    both = [privaudit.scan(path, ner=False, quasi=["age", "sex", "county"]).wire.pictures for path in (table, other)]
    assert both[0] == both[1]


@pytest.mark.slow
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


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-1, 3)), min_size=30, max_size=200), st.integers(0, 99))
@settings(max_examples=20)
def test_the_gain_of_guessing_is_that_of_many_attackers(rows, seed):
    """Oracle: attackers who know a Poisson number of people with each value in each region, and guess as described."""
    regions_, values = np.array(rows).T
    attribute = Attribute.of(coded("s", values.tolist()))
    if attribute is None:
        return
    rng = np.random.default_rng(seed)
    wanted, spread = 0.0, 0.0
    n = int((values >= 0).sum())
    for region in np.unique(regions_):
        codes = attribute.codes[regions_ == region]
        counts = np.bincount(codes[codes >= 0], minlength=attribute.n_values)
        known = rng.poisson(KNOWN * counts / n, (4000, len(counts)))
        rights = counts[known.argmax(axis=1)] - counts[0]
        wanted += rights.mean() / n
        spread += rights.var() / n**2 / len(rights)
    found = sum(gain(attribute, np.flatnonzero(regions_ == region)) for region in np.unique(regions_))
    assert found == pytest.approx(wanted, abs=5 * spread**0.5 + 1e-9)


def test_gains_of_several_regions_and_attributes_together_are_those_of_each_alone():
    rng = np.random.default_rng(7)
    columns = [coded(f"s{v}", rng.integers(-1, v, 300).tolist()) for v in (2, 3, 60, *range(4, 4 + TOGETHER))]
    known = [attribute for attribute in attributes(columns) if attribute is not None]
    parts = [np.arange(300), np.arange(40), np.flatnonzero(rng.random(300) < 0.3), np.arange(0)]
    weights = rng.integers(1, 9, 300)
    expected = [[gain(attribute, rows, weights) for attribute in known] for rows in parts]
    assert len(known) == 3 + TOGETHER
    np.testing.assert_allclose(gains(known, parts, weights), expected, rtol=0, atol=1e-12)
    assert np.ptp(expected) > 0.01


def test_pictures_have_one_thread_of_linear_algebra_and_leave_the_number_as_it_was():
    count, set_count = blas_threads._thread_functions()
    before = count()
    try:
        set_count(2)
        if count() != 2:
            pytest.skip("NumPy is not linked to OpenBLAS, or that has one thread")
        with blas_threads.one_blas_thread():
            assert count() == 1
        assert count() == 2
        with pytest.raises(KeyError), blas_threads.one_blas_thread():
            raise KeyError
        assert count() == 2
    finally:
        set_count(before)


def test_regions_that_follow_a_sensitive_attribute_are_not_drawn():
    rng = np.random.default_rng(2)
    places = rng.random((2000, 2))
    secret = coded("ill", (places[:, 0] > 0.5).astype(int).tolist())
    other = coded("well", rng.integers(0, 2, 2000).tolist())
    assert len(list(split(places))) == len(list(split(places, attributes([other])))) == 64
    # The first axis shows who is ill, the second one does not.
    both = attributes([secret, other])
    drawn = list(split(places, both))
    assert 1 < len(drawn) < 64
    assert any(tile.width == 1 for tile, _ in drawn)
    for attribute in both:
        assert sum(gain(attribute, rows) for _, rows in drawn) <= attribute.noise
        assert gain(attribute, np.arange(2000)) <= 0
    (left, right) = np.flatnonzero(places[:, 0] <= 0.5), np.flatnonzero(places[:, 0] > 0.5)
    assert gain(both[0], left) + gain(both[0], right) > 0.4


def test_of_several_records_of_a_person_one_is_drawn(tmp_path):
    """12 people with 30 visits each: 11 people are enough for a point, 11 records of one person are not."""
    rng = np.random.default_rng(4)
    lines = [f"p{person},{30 + person % 2},{'FM'[person % 2]}" for person in range(40) for _ in range(9)]
    lines += [f"p{40 + i % 10},77,X" for i in range(90)]
    path = tmp_path / "visits.csv"
    path.write_text("\n".join(["patient,age,sex", *rng.permutation(lines).tolist()]) + "\n")
    report = privaudit.scan(path, ner=False, quasi=["age", "sex"], subject="patient").wire
    assert report.pictures is not None and report.pictures.categories is not None
    shown = Counter(point.column for point in report.pictures.categories.points)
    assert shown == {"age": 2, "sex": 2}
    with open_dataset(path, Settings(ner=False)) as dataset:
        records = records_of(dataset, ["patient", "age", "sex"])
        columns = coded_columns([c for c in report.columns if c.name != "patient"], records)
        person = people_of("patient", records)
    assert len(one_of_each(columns, person)) == len(set(person.tolist())) == 50
    # People in classes below k, not records: the class of 77, X has 90 records of 10 people.
    risky = at_risk(columns, 15, person)
    assert risky.sum() == 90 and not at_risk(columns, 15).any()


@pytest.mark.slow
def test_a_table_that_is_not_in_memory_has_the_pictures_of_the_same_table_in_memory(tmp_path, monkeypatch):
    """Each query may have an order of its own: columns that were read one by one would not belong together."""
    duckdb = pytest.importorskip("duckdb")
    rng = np.random.default_rng(8)
    age = rng.integers(20, 25, 600)
    sex, illness = np.where(age % 2, "F", "M"), np.where(age > 22, "asthma", "flu")
    table = pa.table({"age": age, "sex": sex.tolist(), "illness": illness.tolist()})
    with duckdb.connect(tmp_path / "people.duckdb") as database:
        database.register("given", table)
        database.execute("CREATE TABLE people AS SELECT * FROM given")
    batches = SqlTable.batches

    def shuffled(self, columns):
        for batch in batches(self, columns):
            yield batch.take(rng.permutation(batch.num_rows))

    monkeypatch.setattr(SqlTable, "batches", shuffled)
    monkeypatch.setattr(spool, "text_in_memory", lambda _: 0)
    options = {"ner": False, "quasi": ["age", "sex"], "sensitive": ["illness"]}
    here = privaudit.scan(table, **options).wire.pictures
    with open_dataset(f"{tmp_path / 'people.duckdb'}#people", Settings(ner=False)) as dataset:
        assert not dataset.in_memory
    there = privaudit.scan(f"{tmp_path / 'people.duckdb'}#people", **options).wire.pictures
    assert here is not None and here.categories is not None
    assert there == here


TABLES = (
    ("heart", "heart_disease.csv"),
    ("mall", "Mall_Customers.csv"),
    ("arx", "data", "adult.csv"),
    ("hr_attrition", "WA_Fn-UseC_-HR-Employee-Attrition.csv"),
    ("selva86", "GermanCredit.csv"),
    ("selva86", "Wage.csv"),
    ("sdcmicro", "testdata.csv"),
)


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("table", TABLES, ids="/".join)
def test_whoever_knows_60_people_guesses_no_sensitive_attribute_from_the_picture(table):
    """The attacker knows the attribute of 60 people and the region of everyone, and guesses that of the others.

    He names the most frequent value of the region, or of the three nearest of the 60 people by place and share of the
    region. On average over 20 draws, neither is right more often than naming the most frequent value, plus noise.
    """
    path = third_party(*table)
    columns, places, risky = _drawn(path)
    secrets = [column for column in columns if column.categories and len(set(column.category.tolist())) > 1]
    parts = list(split(places, attributes(columns)))
    shown = regions(places, risky, attributes(columns))
    assert len(shown) == (len(parts) if len(parts) > 1 else 0)
    assert min(len(inside) for _, inside in parts) >= 11
    region, inputs = np.zeros(len(places), int), np.zeros((len(places), 3))
    for i, (tile, inside) in enumerate(parts):
        region[inside] = i
        inputs[inside] = tile.x + tile.width / 2, tile.y + tile.height / 2, risky[inside].mean()
    rng = np.random.default_rng(0)
    for secret in secrets:
        has = np.flatnonzero(secret.category >= 0)
        has = rng.permutation(has)[:3000]
        values = secret.category[has]
        majority = np.bincount(values).max()
        noise = wilson(round(majority / len(has) * (len(has) - 60)), len(has) - 60)
        assert _rate_of_regions(region[has], values) <= noise.high, secret.name
        assert _rate(inputs[has], values) <= noise.high, secret.name


@pytest.mark.shared
@pytest.mark.slow
def test_points_of_records_and_unguarded_regions_would_disclose_the_disease_of_heart():
    """The test above can fail: regions that look at no attribute and points of a t-SNE of the records do not pass."""
    path = third_party("heart", "heart_disease.csv")
    with path.open() as file:
        numbers = np.array([[float(value) for value in row.values()] for row in csv.DictReader(file)])
    disease = numbers[:, -1].astype(int)
    noise = wilson(round(np.bincount(disease).max() / 303 * 243), 243)
    _, places, _ = _drawn(path)
    region = np.zeros(303, int)
    for i, (_, inside) in enumerate(split(places)):
        region[inside] = i
    assert _rate_of_regions(region, disease) > noise.high
    scaled = (numbers - numbers.mean(axis=0)) / numbers.std(axis=0)
    assert _rate(tsne(scaled, 30), disease) > 0.9


def _drawn(path: Path) -> tuple[list[Coded], np.ndarray, np.ndarray]:
    """Return the sensitive columns of a table, the places of its records, and which are at risk."""
    report = privaudit.scan(path, ner=False, max_size=1).wire
    assert report.risk is not None
    with open_dataset(path, Settings(ner=False)) as dataset:
        records = records_of(dataset, dataset.columns)
        known = [c for c in report.columns if c.name in report.risk.quasi_identifiers]
        quasi = coded_columns(known, records)
        secret = [c for c in report.columns if c.role == "sensitive"]
        columns = coded_columns(secret, records)
    coordinates = coordinates_of(quasi, axes_of(quasi))
    return columns, places_of(quasi, coordinates), at_risk(quasi, report.policy.k)


def _rate_of_regions(region: np.ndarray, values: np.ndarray) -> float:
    """Return how often the most frequent value of the known people of a region is that of its other people."""
    rights, n = 0, 0
    for turn in range(20):
        order = np.random.default_rng(turn).permutation(len(values))
        known, others = order[:60], order[60:]
        guess = np.full(region.max() + 1, np.bincount(values[known]).argmax())
        for one in np.unique(region[known]):
            guess[one] = np.bincount(values[known][region[known] == one]).argmax()
        rights += int((guess[region[others]] == values[others]).sum())
        n += len(others)
    return rights / n


def _rate(inputs: np.ndarray, outputs: np.ndarray) -> float:
    """Return how often the most frequent value of the three nearest of 60 known people is that of the others."""
    rights, n = 0, 0
    for turn in range(20):
        known = np.random.default_rng(turn).permutation(len(inputs))[:60]
        others = np.setdiff1d(np.arange(len(inputs)), known)
        distances = ((inputs[others, None] - inputs[known]) ** 2).sum(axis=2)
        nearest = outputs[known[np.argsort(distances, axis=1, kind="stable")[:, :3]]]
        votes = (nearest[:, :, None] == np.arange(outputs.max() + 1)).sum(axis=1)
        rights += int((votes.argmax(axis=1) == outputs[others]).sum())
        n += len(others)
    return rights / n


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(30, 600))
def test_regions_of_one_record_of_each_kind_are_those_of_all_records(seed, n):
    rng = np.random.default_rng(seed)
    of_widths = [rng.integers(-1, width, n).astype(np.int32) for width in (2, 3, 4, 3)]
    *own, secret = [
        Coded(f"c{i}", tuple(Category(f"c{i}", j + 1, None) for j in range(4)), code, code)
        for i, code in enumerate(of_widths)
    ]
    coordinates, risky, secrets = rng.normal(size=(12, 2)), rng.random(n) < 0.3, attributes([secret])
    chosen, n_records = distinct_records(own, secrets, risky)
    assert len(chosen) <= 3 * 4 * 5 * 4 * 2 and n_records.sum() == n
    of_chosen = places_of([column.rows(chosen) for column in own], coordinates)
    found = regions(of_chosen, risky[chosen], [each.rows(chosen) for each in secrets], n_records)
    assert found == regions(places_of(own, coordinates), risky, secrets)


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 5)), min_size=1, max_size=12))
def test_the_cut_next_to_the_median_makes_the_halves_most_equal(parts):
    values, n_records = np.array(parts, dtype=np.float64).T
    every = np.repeat(values, n_records.astype(np.int64))
    median = float(np.median(every))
    cuts = [median, *every[every < median]]
    best = min(abs(2 * int((every <= cut).sum()) - len(every)) for cut in (median, max(cuts[1:], default=median)))
    cut = _median(values, n_records.astype(np.int64))
    assert abs(2 * int((every <= cut).sum()) - len(every)) == best


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from(["b", "a", "ä", "A", "10", "9", None]), min_size=1, max_size=40),
    st.booleans(),
    st.sampled_from([None, 1, 3, 60]),
)
def test_values_are_numbered_by_frequency_then_by_text(cells, is_encoded, n_ordered):
    column = pa.chunked_array([pa.array(cells, pa.string())])
    values, codes = _codes(column.dictionary_encode() if is_encoded else column, n_ordered)
    counts = Counter(cell for cell in cells if cell is not None)
    expected = sorted(counts, key=lambda text: (-counts[text], text))
    assert values[:n_ordered].to_pylist() == expected[:n_ordered]
    assert sorted(values.to_pylist()) == sorted(counts)
    places = {text: place for place, text in enumerate(values.to_pylist())}
    assert codes.tolist() == [-1 if cell is None else places[cell] for cell in cells]
