"""Reference numbers of UCI Adult, agreed on by ARX, sdcMicro, pycanon and independent scripts."""

import json

import numpy as np
import pytest

from privaudit.model import ColumnReport
from privaudit.model.minimal import mark_minimal
from privaudit.risk import assess
from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.codes.coded import class_labels, encode, encode_column
from privaudit.risk.codes.missing import Matches, matches
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.risk.search.combinations import search
from privaudit.risk.search.missing_search import MatchCounter
from privaudit.risk.search.set_walk import walk_sets
from privaudit.risk.search.special_uniques import minimal_uniques
from privaudit.settings.config import Settings
from tests.helpers.paths import DATA, NO_TABLES, REFERENCE, SHARED

QUASI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")

pytestmark = pytest.mark.shared


def open_csv(path, *, missing=()):
    import pyarrow.csv as csv

    from privaudit.source.memory.arrow import from_arrow

    if not path.exists():
        pytest.skip(NO_TABLES)
    table = csv.read_csv(
        path,
        parse_options=csv.ParseOptions(delimiter=";"),
        convert_options=csv.ConvertOptions(null_values=list(missing), strings_can_be_null=True),
    )
    return from_arrow(table, name=path.stem)


@pytest.fixture(scope="module")
def reference():
    return json.loads((REFERENCE / "adult.json").read_text())


@pytest.fixture(scope="module")
def adult():
    with open_csv(DATA / "arx" / "data" / "adult.csv") as dataset:
        yield dataset


@pytest.fixture(scope="module")
def coded(adult):
    return encode(adult, QUASI)


@pytest.fixture(scope="module")
def every_set(coded):
    return search(coded, max_size=8, thresholds=(2, 3, 5, 10, 11), k=2).combinations


def test_classes(coded, reference):
    known = reference["equivalence_classes"]
    sizes = ClassSizes.of(class_labels(coded)[1], n_rows=coded.n_rows)
    assert (sizes.n_rows, sizes.n_classes, sizes.k_min, sizes.size[-1]) == (30162, 18109, 1, 45)
    assert sizes.n_unique == known["sample_uniques"] == 14021
    assert [list(pair) for pair in zip(sizes.size, sizes.count, strict=True)] == known["histogram_size_count"]
    assert [sizes.below(k) for k in (2, 3, 5, 10)] == list(known["k_violating_records"].values())
    assert sizes.mean_size == known["avg_class_size"]


@pytest.mark.slow
def test_every_combination(every_set, reference):
    assert len(every_set) == reference["qi_ranking"]["sets_total"] == 255
    known = {frozenset(names.split("+")): line for names, line in reference["qi_ranking"]["all_255"].items()}
    assert len(known) == 255
    for c in every_set:
        line = known[frozenset(c.columns)]
        assert (c.n_classes, c.k_min, c.n_unique) == (line["classes"], line["min_k"], line["uniques"])
        assert c.n_below["5"] == line["rec_lt5"]
        assert c.separation == pytest.approx(line["separation"], rel=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 5])
def test_minimal_sets(every_set, reference, k):
    minimal = {frozenset(c.columns) for c in mark_minimal(every_set, k) if c.minimal}
    assert minimal == {frozenset(names) for names in reference["readi"][f"brute_k{k}"]["sets"]}


def by_row(dataset, coded, scores):
    """Scores of distinct rows in the order of the file."""
    rows = dataset.rows(coded.names)
    codes = [encode_column(rows.column(i))[0] for i in range(len(coded.names))]
    labels, _ = dense_labels(codes)
    return scores[labels]


@pytest.mark.parametrize("width", [3, 4, 5, 6, 7, 8])
@pytest.mark.slow
def test_special_uniques(adult, coded, reference, width):
    known = reference["suda"]["sdcMicro"][f"suda2_first{width}"]
    part = coded.select(QUASI[:width])
    found = minimal_uniques(part, max_size=width)
    scores = by_row(adult, part, found.scores)
    risk = by_row(adult, part, found.dis(0.01))
    assert found.score_sum == known["sum_score"]
    assert scores.max() == known["max_score"]
    assert (scores > 0).sum() == known["n_score_pos"]
    assert scores[:20].tolist() == known["first20"]
    # sdcMicro keeps these probabilities in single precision
    assert risk[:20] == pytest.approx(known["first20dis"], rel=1e-6)
    assert risk.max() == pytest.approx(known["max_dis"], rel=1e-6)
    assert risk.mean() == pytest.approx(known["mean_dis"], rel=1e-6)
    for line in known["attr"]:
        assert found.contribution[line["variable"]] == pytest.approx(line["contribution"], rel=1e-13)


@pytest.mark.slow
def test_special_uniques_by_size(coded, reference):
    found = minimal_uniques(coded, max_size=8)
    known = reference["suda"]["numpy_truth"]
    assert list(found.msu_by_size) == list(known["msu_by_size"].values())
    assert found.score_sum == 3087614
    assert found.dis_file(0.01) == pytest.approx(0.0337718, abs=5e-8)
    for columns, records in known["top_sets_by_msu"]:
        chosen = frozenset(columns.split("+"))
        assert next(n for s, n in found.by_set.items() if frozenset(s) == chosen) == records
    first = np.where(found.n_minimal.any(axis=0), (found.n_minimal > 0).argmax(axis=0) + 1, 0)
    counts = np.bincount(first, weights=found.weights, minlength=9).astype(int)
    assert counts.tolist() == list(known["min_msu_size_hist"].values())


@pytest.mark.parametrize(
    ("semantics", "alone", "pairs", "below5"),
    [("category", 15320, 3942, 22905), ("wildcard", 10963, 4074, 19299), ("one-sided", 13990, 4071, 21904)],
)
def test_missing_cells(semantics, alone, pairs, below5):
    with open_csv(SHARED / "reference" / "adult_na1pct.csv", missing=["NA"]) as dataset:
        table = encode(dataset, dataset.columns)
    found = matches(table, semantics)
    whole = Matches.of(found, table.weights)
    assert (whole.below(2), whole.below(3) - whole.below(2), whole.below(5)) == (alone, pairs, below5)
    result, special = walk_sets(MatchCounter(table, semantics, found), max_size=2, thresholds=(5,))
    assert len(result.combinations) == 8 + 28 + 1
    assert special[2].n_unique == alone


def reports(dataset, quasi, sensitive):
    roles = dict.fromkeys(quasi, "quasi") | dict.fromkeys(sensitive, "sensitive")
    return tuple(
        ColumnReport(
            name=name,
            data_type="text",
            n_rows=dataset.n_rows,
            n_missing=0,
            n_distinct=0,
            n_held_once=0,
            uniqueness=None,
            entropy_bits=None,
            role=roles.get(name, "none"),
        )
        for name in dataset.columns
    )


@pytest.mark.slow
def test_the_whole_assessment(adult, reference):
    columns = reports(adult, QUASI, ["salary-class"])
    settings = Settings(max_size=8, population="3016200")
    found = assess(adult, columns, settings, thresholds=(11,))
    risk = found.risk
    assert len(found.combinations) == 255
    assert found.combinations[0].n_below["11"] == max(c.n_below["11"] for c in found.combinations)
    assert (risk.n_classes, risk.k_min, risk.n_unique) == (18109, 1, 14021)
    assert risk.share_at_risk["0.33"] == pytest.approx(0.678370, abs=5e-7)
    assert risk.prosecutor_mean == risk.marketer == 0.6003912207413301
    assert risk.population.zayatz == pytest.approx(674264.164, abs=1e-3)
    assert risk.population.pitman == pytest.approx(361577.93, abs=0.05)
    assert risk.population.snb == pytest.approx(474016.849, abs=1e-3)
    assert risk.population.dankar_model == "pitman"
    assert risk.diversity["salary-class"].t_closeness.equal == 0.7510775147536636
    assert risk.diversity["salary-class"].homogeneous_records == 23430
    assert risk.special_uniques.score_sum == 3087614
    assert risk.special_uniques.dis_fraction == 0.01
    assert set(risk.marginal) == set(QUASI)


def test_a_sample_within_its_population(reference):
    """The subset as the release, the whole as the population behind it."""
    path = DATA / "arx" / "data" / "adult_subset.csv"
    population = DATA / "arx" / "data" / "adult.csv"
    known = reference["with_population_table"]
    with open_csv(path) as dataset:
        columns = reports(dataset, QUASI, [])
        found = assess(dataset, columns, Settings(population=str(population)), thresholds=(5,))
    risk = found.risk
    assert risk.n_classes == known["numpy"]["classes"]
    assert risk.prosecutor_mean == pytest.approx(0.8736737400530504, rel=1e-15)
    assert risk.journalist_max == 1.0
    assert risk.marketer == pytest.approx(known["numpy"]["journalist_success"], rel=1e-14)
    assert risk.population.k_map == known["numpy"]["kmap"]
    assert risk.population.unique_in_both == known["numpy"]["unique_in_both"] == 1379
