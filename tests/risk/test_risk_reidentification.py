"""Journalist and marketer risk: oracle in fractions, reference numbers, and populations that do not fit."""

import json
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import csv as arrow_csv

from privaudit.base.errors import ColumnNotFound
from privaudit.model.wording import Count
from privaudit.risk.measures.reidentification import MatchSizes, k_for_risk, population_sizes, reidentification
from privaudit.source.memory.arrow import from_arrow
from tests.helpers.paths import REFERENCE, third_party
from tests.helpers.tables import opened as table

QI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"]

# classes as (records, people beyond the records)
populations = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9)), min_size=1, max_size=20).map(
    lambda pairs: [(f, f + more) for f, more in pairs if f + more > 0]
)
THRESHOLDS = (0.05, 0.1, 0.2, 0.33, 0.5)


def sizes_of(classes):
    return MatchSizes.from_classes(np.array([f for f, _ in classes]), np.array([p for _, p in classes]))


@given(populations.filter(lambda c: any(f for f, _ in c)))
@settings(max_examples=200, deadline=None)
def test_every_measure_equals_the_oracle_over_single_records(classes):
    found = reidentification(sizes_of(classes))
    records = [(f, p) for f, p in classes for _ in range(f)]  # one entry per record
    n = len(records)
    assert found.journalist_max == max(1 / p for _, p in records)
    assert found.marketer == pytest.approx(float(sum(Fraction(1, p) for _, p in records) / n), rel=1e-15)
    assert found.k_map == min(p for _, p in records)
    presence = [Fraction(f, p) for f, p in classes]
    assert found.delta_presence == (float(min(presence)), float(max(presence)))
    assert found.unique_in_both == sum((f, p) == (1, 1) for f, p in classes)
    assert found.population_uniques == sum(p == 1 for _, p in classes)
    for t in THRESHOLDS:
        exact = Fraction(str(t))
        assert found.journalist_at_risk[str(t)] == sum(Fraction(1, p) > exact for _, p in records) / n


@given(populations.filter(lambda c: any(f for f, _ in c)), st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_order_of_classes_changes_not_one_bit(classes, random):
    again = list(classes)
    random.shuffle(again)
    assert reidentification(sizes_of(again)) == reidentification(sizes_of(classes))


def own_population(size, count) -> MatchSizes:
    """Return the classes of a release that is its own population: F = f."""
    sizes = np.asarray(size, np.int64)
    return MatchSizes(np.asarray(count, np.int64), sizes, sizes)


def test_merged_pairs_are_counted():
    sizes = sizes_of([(1, 4), (2, 3), (1, 4), (0, 5)])
    assert list(zip(sizes.count, sizes.sample, sizes.population, strict=True)) == [(1, 0, 5), (2, 1, 4), (1, 2, 3)]
    assert sizes.present.count.sum() == 3


@pytest.mark.parametrize(("threshold", "k"), [(0.1, 10), (0.09, 12), (1 / 11, 11), (0.33, 4), (0.5, 2), (1, 1)])
def test_a_threshold_is_the_decimal_it_was_written_as(threshold, k):
    assert k_for_risk(threshold) == k


@pytest.mark.parametrize("threshold", [0, -1, 1.5])
def test_a_threshold_is_a_probability(threshold):
    with pytest.raises(ValueError, match="probability"):
        k_for_risk(threshold)


@pytest.mark.parametrize(
    ("count", "sample", "population"),
    [([1], [2], [1]), ([0], [1], [1]), ([1, 1], [1], [1]), ([1], [0], [0]), ([1], [-1], [1])],
)
def test_impossible_sizes_are_refused(count, sample, population):
    with pytest.raises(ValueError, match=r"must|are|cannot"):
        MatchSizes(np.array(count), np.array(sample), np.array(population))


def test_a_release_without_records_is_refused():
    with pytest.raises(ValueError, match="no records"):
        reidentification(sizes_of([(0, 3)]))


def test_absent_classes_lower_delta_presence_but_not_k_map():
    found = reidentification(sizes_of([(1, 2), (0, 1)]))
    assert found.k_map == 2
    assert found.delta_presence == (0.0, 0.5)


# Tables


def test_population_table_with_missing_cells():
    release = table(a=["x", None, "y"], b=["1", "1", None])
    people = table(b=["1", "1", "1", None, None, "1"], a=["x", "x", None, "y", "z", "y"])
    match = population_sizes(release, people, ["a", "b"])
    assert (match.n_people, match.limit) == (6, None)
    pairs = zip(match.sizes.count, match.sizes.sample, match.sizes.population, strict=True)
    assert sorted(pairs) == [(1, 1, 2), (2, 0, 1), (2, 1, 1)]


def test_a_population_that_lacks_a_class_gives_no_numbers_but_a_limit():
    release = table(a=["secret-a", "secret-a", "secret-b"])
    match = population_sizes(release, table(a=["secret-a", "secret-c"]), ["a"])
    assert match.sizes is None
    assert match.limit.values == {"classes": Count(n=2, unit="class"), "records": Count(n=2)}
    assert match.limit.incomplete
    assert match.limit.code == "risk.population_does_not_contain_release"
    assert "secret" not in match.limit.why + match.limit.what


def test_a_population_without_the_column_is_an_error():
    with pytest.raises(ColumnNotFound, match='"a" is not a column of table'):
        population_sizes(table(a=["1"]), table(b=["1"]), ["a"])


# Reference numbers


@pytest.fixture(scope="module")
def reference():
    return json.loads((REFERENCE / "adult.json").read_text())


def read(name):
    file = third_party("arx", "data", name)
    head = arrow_csv.read_csv(file, parse_options=arrow_csv.ParseOptions(delimiter=";")).column_names
    text = arrow_csv.ConvertOptions(column_types=dict.fromkeys(head, pa.string()), strings_can_be_null=False)
    options = arrow_csv.ParseOptions(delimiter=";")
    return from_arrow(arrow_csv.read_csv(file, parse_options=options, convert_options=text))


def test_adult_alone(reference):
    size, count = zip(*reference["equivalence_classes"]["histogram_size_count"], strict=True)
    found = reidentification(own_population(size, count))
    assert found.marketer == pytest.approx(0.6003912207413301, rel=1e-15)
    expected = reference["prosecutor_journalist_marketer"]
    for t in THRESHOLDS:
        assert found.journalist_at_risk[str(t)] == expected[f"thr_{t}_prosecutor"]["records_at_risk"]
        assert found.journalist_max == expected[f"thr_{t}_prosecutor"]["highest"]
        assert found.marketer == pytest.approx(expected[f"thr_{t}_marketer"], rel=1e-15)


def test_subset_of_adult_with_adult_as_population(reference):
    expected = reference["with_population_table"]
    match = population_sizes(read("adult_subset.csv"), read("adult.csv"), QI)
    found = reidentification(match.sizes)
    arx, own = expected["arx_0.2"], expected["numpy"]
    assert found.journalist_at_risk["0.2"] == arx["subset_thr_0.2_journalist"]["records_at_risk"]
    assert found.journalist_max == arx["subset_thr_0.2_journalist"]["highest"] == 1
    assert found.marketer == pytest.approx(arx["subset_thr_0.2_marketer"], rel=1e-15)
    assert (found.k_map, found.unique_in_both) == (own["kmap"], own["unique_in_both"])
    assert found.delta_presence == (own["delta_presence_min_over_pop"], own["delta_presence_max"])
    assert found.population_uniques == reference["equivalence_classes"]["sample_uniques"]
    sizes = match.sizes.present
    assert sizes.count.sum() == own["classes"]
    assert (sizes.count * sizes.sample)[sizes.population < 5].sum() == own["records_pop_lt5"]
