"""Diversity against a brute-force oracle in exact fractions, then the reference numbers, then the edges."""

import csv
import json
import math
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.model import Diversity, RecursiveL, TCloseness
from privaudit.report.json import plain
from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.codes.markers import markers_as_missing
from privaudit.risk.measures.diversity import diversity
from tests.helpers.coded import coded_cells
from tests.helpers.paths import REFERENCE, third_party

QI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
MANY_PAIRS = 100_000

rows = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5), st.integers(1, 4)), min_size=1, max_size=30)


def measure(table, *, n_values=6, order=None):
    """Measure rows of (class, code, weight); classes are renumbered 0..J-1, code -1 is missing."""
    names = sorted({c for c, _, _ in table})
    labels = np.array([names.index(c) for c, _, _ in table])
    weights = np.array([w for _, _, w in table])
    codes = np.array([v for _, v, _ in table])
    return diversity(labels, weights, codes, n_values, order=order)


def classes(table):
    found = defaultdict(Counter)
    for c, v, w in table:
        found[c][v] += w
    return list(found.values())


def oracle(table):
    groups = classes(table)
    whole = sum(groups, Counter())
    n = whole.total()
    p = {v: Fraction(c, n) for v, c in whole.items()}
    least = min(len(g) for g in groups)
    tv, alpha, beta, delta, entropies, cs = [], [], [], [], [], []
    for g in groups:
        q = {v: Fraction(c, g.total()) for v, c in g.items()}
        tv.append(sum(abs(q.get(v, 0) - p[v]) for v in p) / 2)
        alpha.append(max(q.values()))
        beta.append(max((q.get(v, 0) - p[v]) / p[v] for v in p))
        delta.append(max(abs(math.log(q[v] / p[v])) for v in q))
        entropies.append(-sum(float(x) * math.log(x) for x in q.values()))
        ordered = sorted(g.values(), reverse=True)
        cs.append(Fraction(ordered[0], sum(ordered[least - 1 :])))
    return {
        "l_distinct": least,
        "l_entropy": math.exp(min(entropies)),
        "l_recursive": (float(max(cs)) if least > 1 else None, least),
        "t_closeness": float(max(tv)),
        "alpha": float(max(alpha)),
        "beta_basic": float(max(beta)),
        "beta_enhanced": max(min(float(max(beta)), -math.log(x)) for x in p.values()),
        "delta_disclosure": None if any(len(g) < len(whole) for g in groups) else max(delta),
        "delta_disclosure_unbounded": any(len(g) < len(whole) for g in groups),
        "delta_disclosure_present": max(delta),
        "homogeneous_classes": sum(len(g) == 1 for g in groups),
        "homogeneous_records": sum(g.total() for g in groups if len(g) == 1),
        "n_values": len(whole),
    }


def ordered_oracle(table, place):
    kept = [(c, place[v], w) for c, v, w in table if v >= 0 and place[v] >= 0]
    if not kept:
        return None, None
    groups = classes(kept)
    whole = sum(groups, Counter())
    ranks = sorted(whole)
    if len(ranks) == 1:
        return 0.0, whole.total()
    worst = Fraction(0)
    for g in groups:
        q = p = distance = Fraction(0)
        for r in ranks[:-1]:
            q += Fraction(g[r], g.total())
            p += Fraction(whole[r], whole.total())
            distance += abs(q - p)
        worst = max(worst, distance / (len(ranks) - 1))
    return float(worst), whole.total()


@given(rows)
@settings(max_examples=150, deadline=None)
def test_every_measure_equals_the_oracle_in_fractions(table):
    found = measure(table)
    expectations = oracle(table)
    c, least = expectations.pop("l_recursive")
    assert found.l_recursive.l == least
    assert found.l_recursive.c == (c if c is None else pytest.approx(c, rel=1e-12))
    assert found.t_closeness.equal == pytest.approx(expectations.pop("t_closeness"), rel=1e-12, abs=1e-12)
    for name, expected in expectations.items():
        measured = getattr(found, name)
        assert measured == (None if expected is None else pytest.approx(expected, rel=1e-12, abs=1e-12)), name


@given(rows, st.permutations(range(6)), st.lists(st.booleans(), min_size=6, max_size=6))
@settings(max_examples=150, deadline=None)
def test_ordered_distance_equals_the_oracle(table, ranks, without):
    place = np.array([-1 if gone else rank // 2 * 3 for rank, gone in zip(ranks, without, strict=True)])
    found = measure(table, order=place)
    distance, records = ordered_oracle(table, place)
    assert found.n_ordered == records
    assert found.t_closeness.ordered == (None if distance is None else pytest.approx(distance, rel=1e-12, abs=1e-12))


@given(rows)
@settings(max_examples=20, deadline=None)
def test_copies_of_all_classes_change_only_counts(table):
    """Many classes are measured in parts that fit into the caches of a core."""
    n_copies = MANY_PAIRS // len(table) + 1
    labels, codes, weights = np.array(table).T
    labels = np.unique(labels, return_inverse=True)[1]
    copies = (np.arange(n_copies)[:, None] * (labels.max() + 1) + labels).ravel()
    many = (np.tile(each, n_copies) for each in (weights, codes))
    once, found = measure(table, order=np.arange(6)), diversity(copies, *many, 6, order=np.arange(6))
    counts = ("n_ordered", "homogeneous_classes", "homogeneous_records")
    assert found == replace(once, **{name: getattr(once, name) * n_copies for name in counts})


def test_a_class_with_more_values_than_a_part_is_measured_whole():
    n = MANY_PAIRS
    found = measure([(c, v, 1) for c in range(2) for v in range(n)] + [(2, 0, n), (2, 1, n)], n_values=n)
    assert (found.l_distinct, found.n_values, found.homogeneous_classes) == (2, n, 0)
    assert found.beta_basic == pytest.approx(1)  # twice the share of the table, for each value of a large class
    assert found.t_closeness.equal == pytest.approx(1 - 2 * (2 + n) / (4 * n))


@given(rows, st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_row_order_and_class_names_change_not_one_bit(table, random):
    again = [(9 - c, v, w) for c, v, w in table]
    random.shuffle(again)
    order = np.arange(6)
    assert measure(again, order=order) == measure(table, order=order)


@given(rows, st.permutations(range(6)))
@settings(max_examples=50, deadline=None)
def test_renaming_values_changes_nothing_without_an_order(table, names):
    assert measure([(c, names[v], w) for c, v, w in table]) == measure(table)


def test_a_missing_cell_counts_as_a_value_without_a_position_in_the_order():
    table = [(0, 0, 2), (0, -1, 2), (1, 0, 1), (1, 1, 3)]
    found = measure(table, n_values=2, order=np.arange(2))
    assert (found.l_distinct, found.n_values, found.n_ordered) == (2, 3, 6)
    assert found == measure([(c, 2 if v < 0 else v, w) for c, v, w in table], n_values=2, order=np.arange(2))


def test_recursive_names_the_constant_that_is_just_not_enough():
    found = measure([(0, 0, 6), (0, 1, 2), (0, 2, 1), (1, 0, 5), (1, 1, 5)], n_values=3)
    assert found.l_recursive == RecursiveL(c=2.0, l=2, by_l=(2.0,))  # class 0: 6 / (2 + 1); class 1: 5 / 5


def test_one_class_and_one_value():
    found = measure([(0, 3, 7)], order=np.arange(6))
    assert found == Diversity(
        l_distinct=1, l_entropy=1.0, l_recursive=RecursiveL(c=None, l=1),
        t_closeness=TCloseness(equal=0.0, ordered=0.0), n_ordered=7, alpha=1.0,
        beta_basic=0.0, beta_enhanced=0.0, delta_disclosure=0.0, delta_disclosure_unbounded=False,
        delta_disclosure_present=0.0, homogeneous_classes=1, homogeneous_records=7, n_values=1,
    )  # fmt: skip


def test_delta_disclosure_without_bound_is_null_and_marked_in_json():
    wire = plain(measure([(0, 0, 3), (0, 1, 1), (1, 0, 4)]))
    assert wire["delta_disclosure"] is None
    assert wire["delta_disclosure_unbounded"] is True
    assert wire["delta_disclosure_present"] == pytest.approx(math.log(2))


def test_the_record_keeps_the_keys_of_version_1_of_the_report():
    keys = {"l_distinct", "l_entropy", "l_recursive", "t_closeness", "alpha", "beta_basic", "beta_enhanced"}
    keys |= {"delta_disclosure", "homogeneous_classes", "homogeneous_records", "n_values", "n_ordered"}
    wire = plain(measure([(0, 0, 1), (0, 1, 1)]))
    assert wire.keys() == keys | {"delta_disclosure_unbounded", "delta_disclosure_present"}
    assert wire["t_closeness"].keys() == {"equal", "ordered"}
    assert wire["l_recursive"].keys() == {"c", "l", "by_l"}


@pytest.mark.slow
def test_cost_does_not_grow_with_classes_times_values():
    n = 30_000  # a dense table of classes by values would have 9e8 cells
    found = diversity(np.arange(n), np.ones(n, int), np.arange(n), n, order=np.arange(n))
    assert found.t_closeness.equal == pytest.approx(1 - 1 / n)
    assert found.t_closeness.ordered == pytest.approx(0.5)


@pytest.mark.parametrize(("labels", "codes"), [([], []), ([0, 1], [0])])
def test_arrays_that_do_not_fit_are_refused(labels, codes):
    with pytest.raises(ValueError, match="must"):
        diversity(np.array(labels, int), np.ones(len(labels), int), np.array(codes, int), 2)


def test_an_order_of_another_length_is_refused():
    with pytest.raises(ValueError, match="order"):
        measure([(0, 0, 1)], order=np.arange(2))


# Reference numbers


def read(path, delimiter=","):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def audit(records, quasi, sensitive):
    keys = sorted({tuple(r[q] for q in quasi) for r in records})
    at = {key: i for i, key in enumerate(keys)}
    values = sorted({r[sensitive] for r in records})
    place = {v: i for i, v in enumerate(values)}
    labels = np.array([at[tuple(r[q] for q in quasi)] for r in records])
    codes = np.array([place[r[sensitive]] for r in records])
    sizes = np.bincount(labels)
    return diversity(labels, np.ones(len(records), int), codes, len(values)), sizes


def agrees(found, pycanon):
    names = {
        "l_diversity": found.l_distinct,
        "entropy_l_diversity": int(found.l_entropy),
        "basic_beta_likeness": found.beta_basic,
        "enhanced_beta_likeness": found.beta_enhanced,
        "t_closeness": found.t_closeness.equal,
        "delta_disclosure": found.delta_disclosure_present,
    }
    for name, value in names.items():
        assert value == pytest.approx(pycanon[name]["value"], rel=1e-14), name
    assert found.alpha == pycanon["alpha_k_anonymity"]["value"][0]


@pytest.fixture(scope="module")
def reference():
    return json.loads((REFERENCE / "adult.json").read_text())["l_diversity_t_closeness"]


@pytest.fixture(scope="module")
def adult():
    return read(third_party("arx/data/adult.csv"), ";")


@pytest.mark.quick_cases(1)
def test_adult_equals_pycanon(adult, reference):
    found, _ = audit(adult, QI, "salary-class")
    agrees(found, reference["pycanon_raw"])
    assert found.t_closeness.equal == 0.7510775147536636
    assert (found.delta_disclosure, found.delta_disclosure_unbounded) == (None, True)
    assert (found.homogeneous_classes, found.homogeneous_records) == (16716, 23430)
    assert found.l_recursive == RecursiveL(c=None, l=1)


def generalised(records):
    """Adult at the levels of the optimum for k = 5 with at most 5 % of the records suppressed."""
    levels = dict(zip(QI, (0, 3, 0, 0, 1, 1, 1, 2), strict=True))
    folder = third_party("arx/data")
    lookups = {}
    for q in QI:
        with (folder / f"adult_hierarchy_{q}.csv").open(encoding="utf-8") as file:
            lookups[q] = {line[0]: line[levels[q]] for line in csv.reader(file, delimiter=";")}
    coarse = [{**r, **{q: lookups[q][r[q]] for q in QI}} for r in records]
    sizes = Counter(tuple(r[q] for q in QI) for r in coarse)
    return [r for r in coarse if sizes[tuple(r[q] for q in QI)] >= 5]


def test_k5_adult_still_has_homogeneous_classes(adult, reference):
    kept = generalised(adult)
    found, sizes = audit(kept, QI, "salary-class")
    assert (len(adult) - len(kept), len(sizes), sizes.min()) == (1458, 399, 5)
    agrees(found, reference["arx_k5_supp5pct_output_without_suppressed_rows"]["pycanon"])
    assert (found.homogeneous_classes, found.homogeneous_records) == (129, 2961)


ADULT_QI = ("age", "education", "occupation", "relationship", "sex", "native-country")
MATHS_QI = ("Teacher", "Gender", "Ethnic", "Freeredu", "wesson")
STROKE_QI = ("gender", "age", "hypertension", "heart_disease", "ever_married", "work_type", "Residence_type")
STROKE_QI += ("smoking_status",)
AIRLINE_QI = ("Gender", "Customer Type", "Age", "Type of Travel", "Class", "Flight Distance")
AIRLINE_QI += ("Departure Delay in Minutes", "Arrival Delay in Minutes")
DRUGS_QI = ("Age", "Sex", "BP", "Cholesterol", "Na_to_K")
STROKE_K = {2: 2, 5: 5, 10: 10, 15: 15, 19: 19, 20: 22, 22: 22, 25: 27}  # two names understate their k
STROKE_L2_K = {**STROKE_K, 15: 16}
KNOWN = [
    *((f"processed/adult_anonymized_{k}.csv", ADULT_QI, "salary-class", k, None) for k in (3, 10, 20)),
    *((f"processed/StudentsMath_Score_k{k}.csv", MATHS_QI, "Score", k, None) for k in (2, 5, 7)),
    *((f"processed/stroke_k{name}.csv", STROKE_QI, "stroke", k, None) for name, k in STROKE_K.items()),
    ("processed/drugs_k5.csv", DRUGS_QI, "Drug", 5, None),
    ("processed/airline_passenger_sat_k5.csv", AIRLINE_QI, "satisfaction", 5, 1),
    ("processed/hospital_anonymized.csv", ("age", "gender", "city"), "disease", 2, 1),
    *((f"l_diversity/adult_k{k}_anonymized_l2.csv", ADULT_QI, "salary-class", k, 2) for k in (3, 10, 20)),
    *((f"l_diversity/stroke_k{name}_anonymized_l2.csv", STROKE_QI, "stroke", k, 2) for name, k in STROKE_L2_K.items()),
    ("l_diversity/healthcare-dataset-stroke-data_l2.csv", STROKE_QI, "stroke", 2, 2),
    ("l_diversity/drugs_k5_anonymized_l3.csv", DRUGS_QI, "Drug", 15, 3),
    ("l_diversity/airline_passenger_sat_k5_anonymized_l2.csv", AIRLINE_QI, "On-board service", 5, 2),
    ("l_diversity/StudentsMath_Score_l3.csv", MATHS_QI, "Score", 3, 3),
    ("l_diversity/StudentsMath_Score_k2_anonymized_l3.csv", MATHS_QI, "Score", 3, 3),
    ("l_diversity/StudentsMath_Score_k5_anonymized_l5.csv", MATHS_QI, "Score", 5, 5),
    ("l_diversity/StudentsMath_Score_k7_anonymized_l7.csv", MATHS_QI, "Score", 7, 7),
]


@pytest.mark.shared
@pytest.mark.parametrize(("file", "quasi", "sensitive", "k", "distinct"), KNOWN, ids=[row[0] for row in KNOWN])
def test_tables_of_known_k_and_l(file, quasi, sensitive, k, distinct):
    """Whether suppression markers are a value or missing makes no difference to the smallest class here."""
    records = read(third_party("pycanon_kanon/data", file))
    found, sizes = audit(records, quasi, sensitive)
    coded = coded_cells({name: [record[name] for record in records] for name in quasi})
    for table in (coded, markers_as_missing(coded)[0]):
        assert ClassSizes.of(table.weights, n_rows=len(records)).k_min == k
    assert distinct is None or found.l_distinct == distinct
    assert found.l_distinct <= sizes.min()
