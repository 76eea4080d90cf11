"""Individual risk of weighted samples: quadrature of the defining integral, sdcMicro's numbers, and bad weights."""

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from privaudit.base.errors import ColumnNotFound
from privaudit.risk.measures.weights import individual_risk, parse_weights, published, risk_with_weights, weighted_risk
from tests.helpers.paths import REFERENCE
from tests.helpers.tables import opened as table


def integral(f, p):
    """``E[1/F | f] = integral of p^f s^(f-1) / (1 - q s)^f over s in (0, 1)``."""
    return quad(lambda s: (p / (1 - (1 - p) * s)) ** f * s ** (f - 1), 0, 1, epsabs=0, epsrel=1e-10, limit=500)[0]


@given(st.integers(1, 60), st.floats(0.003, 1))
@settings(max_examples=200, deadline=None)
def test_exact_risk_equals_the_integral(f, p):
    found = individual_risk(np.array([f]), np.array([f / p]))[0]
    assert found == pytest.approx(integral(f, min(f / (f / p), 1)), rel=1e-8)


@pytest.mark.parametrize("f", [1, 2, 3, 19, 20, 21, 1000, 10**8])
def test_a_complete_class_has_the_risk_of_the_prosecutor(f):
    assert individual_risk(np.array([f]), np.array([float(f)]))[0] == pytest.approx(1 / f, rel=1e-14)
    assert individual_risk(np.array([f]), np.array([f / 2]))[0] == pytest.approx(1 / f, rel=1e-14)


@given(st.integers(1, 200), st.floats(1, 1e12))
@settings(max_examples=200, deadline=None)
def test_risk_lies_between_one_over_people_and_one_over_records(f, factor):
    found = individual_risk(np.array([f]), np.array([f * factor]))[0]
    assert 1 / (f * factor) * (1 - 1e-12) <= found <= 1 / f * (1 + 1e-12)


@pytest.mark.parametrize("f", [1, 2, 3, 7, 19, 20, 50])
def test_recursion_and_series_meet_without_a_step(f):
    left, right = individual_risk(np.array([f, f]), f / np.array([0.5 - 1e-12, 0.5 + 1e-12]))
    assert left == pytest.approx(right, rel=1e-10)


@pytest.mark.parametrize("people", [1e3, 1e6, 1e15])
def test_size_19_and_20_use_two_methods_that_agree(people):
    risk = individual_risk(np.arange(17, 23), np.full(6, people))
    assert np.all(np.diff(np.diff(risk)) >= -1e-20)  # falls smoothly
    assert np.all(np.diff(risk) <= 0)


def test_sums_and_median():
    found = weighted_risk(np.array([1, 2, 1]), np.array([100.0, 2.0, 100.0]))
    single = 0.01 / 0.99 * np.log(100)
    assert found.expected == pytest.approx(2 * single + 2 * 0.5)
    assert found.global_risk == pytest.approx(found.expected / 4)
    assert found.risk_median == pytest.approx(single)
    assert (found.n_records, found.people, found.risk_max, found.fewest_people) == (4, 202, 0.5, 2)
    assert published(found) == replace(found, people=202.0, fewest_people=2.0, risk_max=0.5)


@given(st.lists(st.tuples(st.integers(1, 30), st.floats(0.1, 1e6)), min_size=1, max_size=20), st.randoms())
@settings(max_examples=50, deadline=None)
def test_order_of_classes_changes_not_one_bit(classes, random):
    again = list(classes)
    random.shuffle(again)
    assert weighted_risk(*map(np.array, zip(*again, strict=True))) == weighted_risk(
        *map(np.array, zip(*classes, strict=True))
    )


@pytest.mark.parametrize(("f", "people"), [([], []), ([0], [1.0]), ([1], [0.0]), ([1], [float("nan")]), ([1], [1, 2])])
def test_classes_without_records_or_people_are_refused(f, people):
    with pytest.raises(ValueError, match="positive"):
        weighted_risk(np.array(f), np.array(people))


def test_weights_as_text():
    texts = ["1", "+2.5", ".5", "3.", "1e2", "-1", "0", "", "1,5", "x", "1e999", "nan", "inf", " 1", None]
    weights, good = parse_weights(pa.array(texts))
    assert good.tolist() == [True] * 5 + [False] * 10
    assert weights[:5].tolist() == [1, 2.5, 0.5, 3, 100]


def test_a_table_with_weights():
    data = table(a=["x", "x", "y", None], w=["10", "20.5", "100", "7"])
    measured, limits = risk_with_weights(data, ["a"], "w")
    assert limits == ()
    assert measured == weighted_risk(np.array([1, 2, 1]), np.array([100, 30.5, 7]))
    assert risk_with_weights(data, ["a", "w"], "w") == (measured, ())


def test_shuffled_rows_give_the_same_bytes():
    generator = np.random.default_rng(4)
    weights = [f"{w:.3f}" for w in generator.uniform(0.1, 1e4, 400)]
    cells = [f"c{i}" for i in generator.integers(0, 30, 400)]
    order = generator.permutation(400)
    shuffled = table(a=[cells[i] for i in order], w=[weights[i] for i in order])
    assert risk_with_weights(shuffled, ["a"], "w") == risk_with_weights(table(a=cells, w=weights), ["a"], "w")


@pytest.mark.parametrize("bad", ["secretive", "-3", "0", None])
def test_an_unusable_weight_is_a_limit_that_names_no_value(bad):
    measured, limits = risk_with_weights(table(a=["x", "y", "y"], w=["10", bad, "3"]), ["a"], "w")
    assert measured is None
    assert limits[0].incomplete
    assert limits[0].code == "risk.weights_unusable"
    assert (limits[0].values["records"].n, limits[0].values["records"].of) == (1, 3)
    assert "secretive" not in limits[0].why


def test_weights_below_one_are_reported():
    measured, limits = risk_with_weights(table(a=["x", "y"], w=["0.5", "3"]), ["a"], "w")
    assert measured.n_below_one == 1
    assert measured.risk_max == 1
    assert [(each.code, each.incomplete) for each in limits] == [("risk.weights_below_one", False)]


def test_a_missing_weight_column_is_an_error():
    with pytest.raises(ColumnNotFound, match='"w" is not a column of table'):
        risk_with_weights(table(a=["x"]), ["a"], "w")


# Reference numbers


@pytest.fixture(scope="module")
def reference():
    return json.loads((REFERENCE / "adult.json").read_text())


def test_adult_with_weight_100_equals_sdcmicro(reference):
    size, count = zip(*reference["equivalence_classes"]["histogram_size_count"], strict=True)
    expected = reference["global_risk_sdcMicro"]
    f = np.array(size)
    risk = individual_risk(f, 100.0 * f, method="approximate")
    for one, value in zip(size, risk, strict=True):
        assert value == pytest.approx(expected["individual_risk_by_fk_weight100"][str(one)], rel=1e-13)
    classes = np.repeat(f, count)
    found = weighted_risk(classes, 100.0 * classes)
    assert found.expected_approximate == pytest.approx(expected["risk_w100"]["global_risk_ER"], rel=1e-12)
    assert found.expected_approximate / found.n_records == pytest.approx(
        expected["risk_w100"]["global_risk"], rel=1e-12
    )
    assert found.risk_max == pytest.approx(expected["risk_w100"]["max_individual"], rel=1e-12)
    assert found.risk_median == pytest.approx(expected["risk_w100"]["median_individual"], rel=1e-12)
    assert found.expected == pytest.approx(found.expected_approximate, rel=1e-3)


def test_adult_without_weights_equals_sdcmicro(reference):
    size, count = zip(*reference["equivalence_classes"]["histogram_size_count"], strict=True)
    classes = np.repeat(size, count)
    expected = reference["global_risk_sdcMicro"]["risk_noweight"]
    found = weighted_risk(classes, classes.astype(float))
    assert found.expected == pytest.approx(expected["global_risk_ER"], rel=1e-14)
    assert found.global_risk == pytest.approx(expected["global_risk"], rel=1e-13)
    assert (found.risk_max, found.risk_median) == (expected["max_individual"], expected["median_individual"])


def test_columns_may_be_called_weight_and_size():
    data = table(weight=["10", "20.5"], size=["x", "y"])
    assert risk_with_weights(data, ["size"], "weight")[0].people == 30.5
