"""Population uniques: each estimator recovers the truth of its own model, equals the references, or states why not."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.base.errors import ConfigError
from privaudit.risk.population import population_numerics
from privaudit.risk.population.population import population_uniques
from privaudit.risk.population.population_numerics import Sample
from privaudit.risk.population.population_pitman import log_likelihood
from privaudit.risk.population.population_snb import shlosser
from tests.helpers.paths import REFERENCE, third_party


def histogram(sizes):
    return np.unique(sizes[sizes > 0], return_counts=True)


def sample(people, fraction, rng):
    """Draw a simple random sample from classes of people and return its histogram of class sizes."""
    n = round(int(people.sum()) * fraction)
    return histogram(rng.multivariate_hypergeometric(people, n, method="marginals"))


def pitman_population(theta, alpha, people, rng):
    """Draw a population from Pitman's model one person at a time."""
    sizes, member = [1], [0]
    draw = rng.random((people, 1))[:, 0]
    for i in range(1, people):
        if draw[i] * (theta + i) < theta + alpha * len(sizes):
            sizes.append(1)
            member.append(len(sizes) - 1)
            continue
        while True:  # a class with probability (size - alpha) / (i - alpha J)
            j = member[int(rng.random() * i)]
            if rng.random() * sizes[j] < sizes[j] - alpha:
                break
        sizes[j] += 1
        member.append(j)
    return np.array(sizes)


@pytest.mark.parametrize(("theta", "alpha", "fraction"), [(20, 0.7, 0.05), (100, 0.5, 0.1), (5, 0.3, 0.2)])
def test_pitman_recovers_its_own_model_within_a_fifth(theta, alpha, fraction):
    rng = np.random.default_rng(5)
    people = pitman_population(theta, alpha, 100_000, rng)
    size, count = sample(people, fraction, rng)
    found = population_uniques(size, count, int(people.sum())).pitman
    assert found.value == pytest.approx((people == 1).sum(), rel=0.2)
    assert dict(found.parameters)["alpha"] == pytest.approx(alpha, abs=0.05)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.05), (2.0, 0.3), (0.1, 0.02), (5.0, 0.5)])
def test_snb_recovers_its_own_model_within_a_twentieth(a, b):
    rng = np.random.default_rng(6)
    people = 1 + rng.negative_binomial(a, b, 100_000)
    size, count = sample(people, 0.6, rng)
    found = population_uniques(size, count, int(people.sum()))
    assert found.snb.value == pytest.approx((people == 1).sum(), rel=0.05)
    parameters = dict(found.snb.parameters)
    assert parameters["classes"] == pytest.approx(100_000, rel=0.01)
    assert parameters["alpha"] == pytest.approx(a, rel=0.05)
    assert parameters["beta"] == pytest.approx(b, rel=0.05)
    assert found.snb.caution is None


def test_snb_equations_hold_for_the_expected_counts_of_the_model():
    """Feed the expectations themselves: the equations give back a and b, up to the estimate of K."""
    a, b, f = 0.7, 0.1, 0.5
    biggest = 400
    share = np.array([negative_binomial(a, b, size - 1) for size in range(1, biggest)])
    seen = np.zeros(biggest)
    for size, p in enumerate(share, start=1):
        for i in range(size + 1):
            seen[i] += p * math.comb(size, i) * f**i * (1 - f) ** (size - i)
    count = np.round(1e9 * seen[1:40]).astype(int)
    size = np.arange(1, 40)
    n = int((size * count).sum())
    found = population_uniques(size, count, round(n / f)).snb
    parameters = dict(found.parameters)
    assert parameters["classes"] == pytest.approx(1e9, rel=0.02)
    assert parameters["alpha"] == pytest.approx(a, rel=0.1)
    assert found.value == pytest.approx(1e9 * b**a, rel=0.03)


def negative_binomial(a, b, k):
    return math.exp(math.lgamma(k + a) - math.lgamma(a) - math.lgamma(k + 1) + a * math.log(b) + k * math.log1p(-b))


def test_zayatz_recovers_a_population_spread_like_its_sample():
    rng = np.random.default_rng(7)
    people = rng.choice([1, 2, 3, 7, 30], p=[0.4, 0.3, 0.1, 0.1, 0.1], size=100_000)
    size, count = sample(people, 0.95, rng)
    found = population_uniques(size, count, int(people.sum())).zayatz
    assert found.value == pytest.approx((people == 1).sum(), rel=0.05)


@given(st.dictionaries(st.integers(1, 12), st.integers(1, 50), min_size=1, max_size=6), st.integers(0, 300))
@settings(max_examples=100, deadline=None)
def test_zayatz_equals_the_hypergeometric_formula_in_fractions(classes, more):
    size = sorted(classes)
    count = [classes[f] for f in size]
    n = sum(f * c for f, c in classes.items())
    people = n + 1 + more
    found = population_uniques(size, count, people).zayatz

    def once(i):
        return Fraction(i * math.comb(people - i, n - 1), math.comb(people, n)) if people - i >= n - 1 else Fraction(0)

    if 1 not in classes:
        assert found.value is None
        return
    share = classes[1] * once(1) / sum(c * once(f) for f, c in classes.items())
    assert found.value == pytest.approx(float(classes[1] * share * people / n), rel=1e-10)


@given(st.dictionaries(st.integers(1, 40), st.integers(1, 200), min_size=1, max_size=12), st.floats(1.01, 1e4))
@settings(max_examples=100, deadline=None)
def test_every_estimate_is_a_number_of_people_or_has_a_reason(classes, factor):
    size = sorted(classes)
    n = sum(f * c for f, c in classes.items())
    found = population_uniques(size, [classes[f] for f in size], math.ceil(n * factor))
    for name in ("zayatz", "pitman", "snb", "dankar"):
        model = getattr(found, name)
        assert (model.value is None) == (model.reason is not None), name
        assert model.value is None or 0 <= model.value <= found.size * (1 + 1e-9), name
    assert (found.dankar.value is None) == (found.dankar_model is None)
    assert list(found.by_model) == ["zayatz", "pitman", "snb", "dankar"]


def test_pitman_parameters_are_a_maximum_of_thelog_likelihood():
    size, count = [1, 2, 3, 5, 9, 40], [500, 120, 60, 30, 10, 2]
    found = dict(population_uniques(size, count, 10**6).pitman.parameters)
    sizes = Sample.of(size, count, 10**6)
    best = log_likelihood(sizes, found["theta"], found["alpha"])
    for theta in (0.97, 1, 1.03):
        for alpha in (0.97, 1, 1.03):
            assert log_likelihood(sizes, found["theta"] * theta, found["alpha"] * alpha) <= best


@pytest.mark.parametrize(
    ("size", "count", "reasons"),
    [
        ([2, 3], [5, 5], {"zayatz", "pitman", "snb", "dankar"}),  # no uniques
        ([1], [50], {"pitman", "snb"}),  # only uniques
        ([1, 3], [5, 5], {"snb"}),  # no pairs
        ([60], [1], {"zayatz", "pitman", "snb", "dankar"}),  # one class
    ],
)
def test_a_model_that_does_not_apply_gives_a_reason(size, count, reasons):
    estimates = population_uniques(size, count, 10_000).by_model
    assert reasons <= {name for name, estimate in estimates.items() if estimate.reason is not None}
    assert all(estimates[name].value is None for name in reasons)


def test_the_whole_population_needs_no_model():
    found = population_uniques([1, 4], [7, 2], 15)
    assert (found.zayatz.value, found.pitman.value, found.snb.value, found.dankar.value) == (7, 7, 7, 7)


def test_a_population_smaller_than_the_release_is_a_configuration_error():
    with pytest.raises(ConfigError, match="smaller"):
        population_uniques([1, 2], [3, 3], 8)


@pytest.mark.parametrize(("size", "count"), [([], []), ([0], [1]), ([1], [0])])
def test_no_histogram_no_estimate(size, count):
    with pytest.raises(ValueError, match="histogram"):
        population_uniques(size, count, 10)


def test_a_hundred_million_records():
    size = np.array([1, 2, 3, 10, 1000, 10_000_000])
    count = np.array([20_000_000, 5_000_000, 2_000_000, 1_000_000, 10_000, 4])
    n = int((size * count).sum())
    for people in (n + 1, 2 * n, 100 * n, 7_000_000_000):
        found = population_uniques(size, count, people)
        assert all(math.isfinite(m.value) for m in (found.zayatz, found.pitman) if m.value is not None)
        assert found.zayatz.value > 0


@pytest.mark.parametrize(("a", "m"), [(10, 3), (5, 5), (5, 6), (40_000, 20_000), (10**9, 12_345), (30_000, 0)])
def test_log_falling_equals_the_product(a, m):
    found = population_numerics.log_falling(a, np.array([float(m)]))[0]
    if m > a:
        assert found == -math.inf
    else:
        assert found == pytest.approx(math.fsum(math.log(a - i) for i in range(m)), rel=1e-13, abs=1e-12)


@pytest.mark.parametrize("z", [3, 5_000, 9_999, 10_001, 80_000])
def test_gamma_ratio_equals_the_product(z):
    found = population_numerics.log_gamma_ratio(z, 1, 0.4)
    expected = math.lgamma(1) - math.lgamma(0.4) + math.fsum(math.log1p(0.6 / (i + 0.4)) for i in range(z))
    assert found == pytest.approx(expected, rel=1e-11)


def test_shlosser_sees_all_classes_of_an_almost_complete_sample():
    found = shlosser(np.array([1.0, 2.0, 5.0]), np.array([10.0, 20.0, 30.0]), 0.999)
    assert found == pytest.approx(60, rel=0.01)


# Reference numbers


@pytest.fixture(scope="module")
def reference():
    return json.loads((REFERENCE / "adult.json").read_text())


def test_adult_equals_arx_and_the_corrected_snb(reference):
    size, count = zip(*reference["equivalence_classes"]["histogram_size_count"], strict=True)
    uniques = reference["population_uniqueness"]
    for name, own in uniques["numpy_8qi"].items():
        if name == "note":
            continue
        found = population_uniques(size, count, own["N"])
        arx = uniques["arx_8qi"][name]
        assert found.zayatz.value == pytest.approx(arx["zayatz"], rel=1e-12), name
        assert found.pitman.value == pytest.approx(arx["pitman"], rel=1e-9), name
        assert found.snb.value == pytest.approx(own["snb_uniques"], rel=1e-9), name
        assert dict(found.snb.parameters)["classes"] == pytest.approx(own["snb_K_shlosser"], rel=1e-12)
        parameters = dict(found.pitman.parameters)
        assert parameters["alpha"] == pytest.approx(own["pitman_alpha"], rel=1e-6)
        assert parameters["theta"] == pytest.approx(own["pitman_theta"], rel=1e-6)


def test_dankar_takes_the_smaller_of_zayatz_and_snb_above_a_tenth(reference):
    size, count = zip(*reference["equivalence_classes"]["histogram_size_count"], strict=True)
    assert population_uniques(size, count, 301_620).dankar_model == "pitman"
    above = population_uniques(size, count, 150_810)
    assert above.dankar_model == "snb"
    assert above.dankar.value == min(above.zayatz.value, above.snb.value)


def test_a_caution_states_that_zayatz_replaces_pitman():
    even = population_uniques([1, 2, 3], [50, 300, 900], 100_000)
    assert even.pitman.value is None
    assert even.dankar_model == "zayatz"
    assert even.dankar.caution.code == "risk.zayatz_for_pitman"
    assert population_uniques([1, 2, 5], [300, 60, 9], 100_000).dankar.caution is None


def test_a_tenth_of_adult_estimates_the_uniques_of_all(reference):
    import csv
    from collections import Counter

    with third_party("arx/data/adult_subset.csv").open(encoding="utf-8") as file:
        records = list(csv.DictReader(file, delimiter=";"))
    sizes = Counter(Counter(tuple(r[q] for q in reference["data"]["qi"]) for r in records).values())
    ordered = sorted(sizes)
    found = population_uniques(ordered, [sizes[f] for f in ordered], reference["data"]["rows"])
    truth = reference["equivalence_classes"]["sample_uniques"]
    assert found.dankar_model == "pitman"
    assert found.dankar.value == pytest.approx(truth, rel=0.01)
    assert found.snb.value == pytest.approx(truth, rel=0.3)
    assert found.zayatz.value == pytest.approx(truth, rel=0.4)


@pytest.mark.slow
def test_small_sets_of_adult_equal_arx(reference):
    import csv
    from collections import Counter

    with third_party("arx/data/adult.csv").open(encoding="utf-8") as file:
        records = list(csv.DictReader(file, delimiter=";"))
    for name, arx in reference["small_qi_sets_arx"].items():
        classes = Counter(tuple(r[q] for q in name.split("+")) for r in records)
        sizes = Counter(classes.values())
        ordered = sorted(sizes)
        found = population_uniques(ordered, [sizes[f] for f in ordered], 100 * len(records))
        assert found.zayatz.value == pytest.approx(arx["f001_zayatz"], rel=1e-12)
        assert found.pitman.value == pytest.approx(arx["f001_pitman"], rel=1e-8)
