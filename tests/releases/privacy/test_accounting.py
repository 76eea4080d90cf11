"""Totals are valid, the smallest of the known ones, and equal to the reference; adaptive plans do not beat the sums."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.releases.privacy import accounting
from privaudit.releases.privacy.accounting import cheapest, epsilon_of, exact, optimal, rho_of, rounded_up, sigma2_of
from tests.helpers.paths import SHARED

REFERENCE = SHARED / "reference" / "releases.json"


@pytest.fixture(scope="module")
def reference() -> dict:
    if not REFERENCE.is_file():
        pytest.skip("the reference numbers of releases are not next to the project")
    return json.loads(REFERENCE.read_text(encoding="utf-8"))


def smallest_by_hand(epsilons: list[float], delta: float) -> float:
    """Return the smallest epsilon by listing every outcome of one randomised response for each mechanism."""
    outcomes = []
    for signs in itertools.product((1, -1), repeat=len(epsilons)):
        loss = sum(s * e for s, e in zip(signs, epsilons, strict=True))
        mass = math.prod(1 / (1 + math.exp(-s * e)) for s, e in zip(signs, epsilons, strict=True))
        outcomes.append((loss, mass))

    def excess(x: float) -> float:
        return math.fsum(mass * -math.expm1(x - loss) for loss, mass in outcomes if loss > x)

    low, high = 0.0, sum(epsilons)
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if excess(middle) <= delta else (middle, high)
    return high


@given(
    st.lists(st.integers(1, 40).map(lambda n: Fraction(n, 20)), min_size=1, max_size=8),
    st.sampled_from([1e-9, 1e-5, 1e-2]),
)
def test_optimal_composition_equals_a_list_of_all_outcomes(epsilons: list[Fraction], delta: float) -> None:
    assert optimal(epsilons, delta) == pytest.approx(smallest_by_hand([*map(float, epsilons)], delta), abs=1e-6)


@given(st.lists(st.integers(1, 10**7).map(lambda n: Fraction(n, 10**7)), min_size=1, max_size=6))
def test_epsilons_without_a_common_grid_are_rounded_up(epsilons: list[Fraction]) -> None:
    by_hand = smallest_by_hand([*map(float, epsilons)], 1e-6)
    assert by_hand - 1e-9 <= optimal(epsilons, 1e-6) <= by_hand * 1.001 + 1e-4


@given(st.floats(1e-4, 50), st.sampled_from([1e-12, 1e-9, 1e-5]))
def test_rho_and_epsilon_are_inverse_and_never_promise_too_much(epsilon: float, delta: float) -> None:
    rho = rho_of(epsilon, delta)
    assert epsilon * (1 - 1e-6) <= epsilon_of(rho, delta) <= epsilon


@given(st.floats(1e-6, 20), st.floats(1.001, 2000))
def test_the_curve_is_not_above_the_bound_of_any_order(rho: float, order: float) -> None:
    delta = 1e-9
    excess = order - 1
    bound = order * rho + (math.log(1 / delta) + excess * math.log1p(-1 / order) - math.log(order)) / excess
    assert epsilon_of(rho, delta) <= max(0.0, bound) * (1 + 1e-9) + 1e-12


@given(st.fractions(Fraction(1, 10**6), 1000), st.fractions(Fraction(1, 100), 10**6))
def test_the_variance_of_gaussian_noise_never_costs_more_than_rho(rho: Fraction, sensitivity2: Fraction) -> None:
    sigma2 = sigma2_of(rho, sensitivity2)
    assert sensitivity2 / (2 * sigma2) <= rho
    assert sigma2 <= sensitivity2 / (2 * rho) * Fraction(1025, 1024) + (1 if sigma2 > 1024 else 0)


@given(st.fractions(0, 10**6))
def test_a_stated_cost_is_never_below_the_exact_one(value: Fraction) -> None:
    stated = exact(rounded_up(value))
    assert value <= stated <= value * (1 + Fraction(1, 2**51)) + Fraction(1, 10**300)


def least_float(value: Fraction) -> float:
    below = math.nextafter(float(value), 0)
    return next(x for x in (below, float(value), math.nextafter(float(value), math.inf)) if Fraction(x) >= value)


@given(st.integers(1, 4000), st.sampled_from([1e-5, 1e-8, 1e-9, 3e-7]))
def test_a_plan_that_takes_all_of_a_budget_costs_no_more_than_the_budget(thousandths: int, delta: float) -> None:
    """A synthesis turns its epsilon into rho; the ledger turns it back."""
    epsilon = Fraction(thousandths, 1000)
    rho = Fraction(rho_of(float(epsilon), delta))
    assert exact(cheapest([], [rho], delta).epsilon) <= epsilon


@given(
    st.lists(st.fractions(Fraction(1, 1000), 3, max_denominator=1000), min_size=1, max_size=6),
    st.lists(st.fractions(Fraction(1, 1000), 1, max_denominator=1000), min_size=1, max_size=3),
)
def test_a_total_with_gaussian_noise_is_never_below_the_exact_sum_of_its_parts(epsilons, rhos) -> None:
    """The smaller of two totals is stated, and neither is rounded down: a ledger adds them exactly."""
    rho = sum(rhos)
    basic = sum(epsilons) + exact(epsilon_of(least_float(rho), 1e-6))
    curve = exact(epsilon_of(least_float(rho + sum(e * e / 2 for e in epsilons)), 1e-6))
    assert exact(cheapest(epsilons, rhos, 1e-6).epsilon) >= min(basic, curve)
    assert exact(cheapest(epsilons, rhos, 1e-6).epsilon) <= min(basic, curve) * (1 + Fraction(1, 10**15))


def test_declared_decimals_are_exact() -> None:
    assert sum([exact(0.1)] * 10) == 1
    assert exact("1e-9") == Fraction(1, 10**9)


@pytest.mark.shared
def test_privacy_maps_equal_those_of_opendp(reference) -> None:
    checked = 0
    for value in reference["privacy_maps"]["values"]:
        what, sensitivity, scale = (value[name] for name in ("what", "sensitivity or rho or epsilon", "scale or delta"))
        if what.startswith("discrete Laplace") or what == "bounded geometric":
            found = float(exact(sensitivity) / exact(scale))
        elif what.startswith("discrete Gaussian (eps"):
            found = epsilon_of(sensitivity**2 / (2 * scale**2), float(what.split("delta ")[1][:-1]))
        elif what.startswith("discrete Gaussian"):
            found = sensitivity**2 / (2 * scale**2)
        elif what == "zCDP to eps":
            found = epsilon_of(sensitivity, scale)
        elif what.startswith("rho for eps"):
            found = rho_of(sensitivity, scale)
        else:
            continue
        assert found == pytest.approx(value["value"], rel=1e-6), value
        checked += 1
    assert checked > 40


@pytest.mark.shared
def test_totals_equal_the_reference_and_the_smallest_is_stated(reference) -> None:
    for value in reference["composition"]["values"]:
        epsilons, delta = [exact(value["epsilon_each"])] * value["k"], value["delta"]
        found = optimal(epsilons, delta)
        # The reference lists the theorem on its grid of losses, k e, (k - 2) e, ...: the next point from below.
        step = 2 * value["epsilon_each"]
        steps = math.ceil((value["pure"] - found) / step - 1) if found < value["pure"] * (1 - 1e-3) else 0
        assert value["pure"] - steps * step == pytest.approx(value["optimal_kairouz_oh_viswanath"], abs=1e-6)
        assert epsilon_of(value["rho"], delta) == pytest.approx(value["zcdp_curve"], abs=1e-6)
        total = cheapest(epsilons, [], delta)
        names = ("pure", "advanced_dwork_rothblum_vadhan", "optimal_kairouz_oh_viswanath", "zcdp_curve")
        assert total.epsilon <= min(value[name] for name in names) + 1e-9


def test_the_sum_is_stated_where_it_is_smallest_and_costs_no_delta() -> None:
    assert cheapest([Fraction(1)], [], 0.0) == accounting.Total(epsilon=1.0, delta=0.0, rule="sum")
    few = cheapest([exact(0.5)] * 3, [], 1e-12)
    assert few.epsilon <= 1.5 and (few.rule == "optimal" or few.delta == 0)
    with pytest.raises(ValueError, match="delta"):
        cheapest([], [Fraction(1)], 0.0)


def test_an_attacker_who_chooses_each_plan_after_the_last_answer_stays_within_the_budget() -> None:
    """The exact worst case over all strategies, by recursion: the attacker sees each loss and chooses the next cost.

    The ledger adds epsilon: no strategy loses more than the budget. It adds rho: ``E[(1 - exp(E - loss))+] <= delta``.
    Composing the chosen epsilons optimally, as if they had been fixed before, is beaten: so the ledger does not.
    """
    delta = 0.05
    sizes = tuple(Fraction(n, 10) for n in (2, 4, 8, 16))

    def worst(affords, budget: float) -> float:
        @cache
        def value(counts: tuple[int, ...], loss: int) -> float:
            best = max(0.0, -math.expm1(budget - loss / 10))
            if sum(counts) == 8:
                return best
            for i, size in enumerate(sizes):
                spent = tuple(n + (i == j) for j, n in enumerate(counts))
                if not affords(spent):
                    continue
                up = 1 / (1 + math.exp(-float(size)))
                step = int(size * 10)
                best = max(best, up * value(spent, loss + step) + (1 - up) * value(spent, loss - step))
            return best

        return value((0,) * len(sizes), 0)

    def chosen(counts: tuple[int, ...]) -> list[Fraction]:
        return [size for size, n in zip(sizes, counts, strict=True) for _ in range(n)]

    assert worst(lambda counts: sum(chosen(counts)) <= 2, 2.0) == 0
    rho = exact(rho_of(2.0, delta))
    assert worst(lambda counts: sum(map(accounting.rho_of_pure, chosen(counts))) <= rho, 2.0) <= delta
    fixed = cache(lambda counts: optimal(chosen(counts), delta) <= 2.0)
    assert worst(fixed, 2.0) > delta
