"""Every mechanism that pays, attacked: two neighbouring tables are distinguished no better than was paid for.

A canary is the unit that changes the exact answer most: a person with more rows than are read, and values beyond the
bounds (Jagielski, Ullman, Oprea 2020). An attacker knows both exact answers and guesses which table was answered; the
errors of 1,000 runs on each prove an epsilon, or the mu of Gaussian noise (Nasr et al. 2023). Half the noise, a
sensitivity that is too small and values that are not clipped are noticed; each game is also played with half the noise.
Bounds hold but for one in 10^9 games. What each mechanism draws is compared with what it states, too: that takes no
runs, and finds faults that are too small for a game.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import privaudit
from privaudit.releases.answers import mechanisms, queries
from privaudit.releases.answers.models import clusters, forest, tables
from privaudit.releases.answers.queries import answer, asked, parts_of
from privaudit.releases.answers.rows import read_rows
from privaudit.releases.federated import private
from privaudit.releases.privacy import noise
from privaudit.releases.privacy.accounting import rho_of
from privaudit.releases.privacy.ledger import Ledger
from privaudit.releases.synthetic import budget as budgets
from privaudit.releases.synthetic.budget import Budget, ConcentratedBudget, PureBudget
from tests.helpers.privacy_audit import distinguishing_bound, gaussian_bound, mistakes
from tests.releases.answers.test_queries import plan_of, table_of

N = 1_000
BETA = 1e-9
MOST = 3
"""Rows of one person that are read; the canary has one more."""
DELTA = Fraction(1, 10)
COLUMNS = {
    "age": {"kind": "number", "bounds": [1, 5], "step": 1, "bands": [2, 4], "missing": False},
    "sex": {"kind": "category", "values": ["F", "M"], "missing": False},
    "job": {"kind": "category", "values": ["a", "b"], "missing": False},
}
OTHERS = [("3", "F", "a", "p2"), ("1", "M", "b", "p3"), ("4", "M", "a", "p4")]
CANARY = ("9", "F", "a", "p1")
QUERIES: list[dict[str, Any]] = [
    {"kind": "count"},
    {"kind": "histogram", "column": "age"},
    {"kind": "count", "of": "people"},
    {"kind": "margin", "columns": ["age", "sex"], "noise": "gaussian", "epsilon": 3},
    {"kind": "sum", "column": "age"},
    {"kind": "mean", "column": "age", "epsilon": 2},
    {"kind": "variance", "column": "age", "epsilon": 3},
    {"kind": "classifier", "columns": ["age", "job"], "target": "sex", "epsilon": 2},
    {"kind": "clusters", "columns": ["age"], "clusters": 2},
]


def name_of(query: dict[str, Any]) -> str:
    return "-".join(str(query[key]) for key in ("kind", "of", "noise") if key in query)


@pytest.fixture
def outputs(monkeypatch) -> list[Any]:
    """Collect what the mechanisms release, and compute nothing from it that takes time."""
    seen: list[Any] = []

    def keep(module: Any, name: str) -> None:
        right = getattr(module, name)

        def kept(*given: Any) -> Any:
            found = right(*given)
            seen.append(np.ravel(found.value if isinstance(found, mechanisms.Noisy) else found))
            return found

        monkeypatch.setattr(module, name, kept)

    for module in (mechanisms, tables, forest, clusters):
        keep(module, "noisy_counts")
    keep(mechanisms, "noisy_sum")
    monkeypatch.setattr(mechanisms, "simulated", lambda *_: mechanisms.Spread(0.0, 0.0, 0.0))
    monkeypatch.setattr(clusters, "centres_of", lambda middles, _, n, *__: np.zeros((n, len(middles))))
    return seen


def half_the_noise(monkeypatch) -> None:
    laplace, gaussian = noise.discrete_laplace, noise.discrete_gaussian
    monkeypatch.setattr(noise, "discrete_laplace", lambda scale, size: laplace(Fraction(scale) / 2, size))
    for module in (noise, private):
        monkeypatch.setattr(module, "discrete_gaussian", lambda sigma2, size: gaussian(Fraction(sigma2) / 4, size))


def without_noise(function: Callable[[], Any]) -> Any:
    """Return what a function returns where no noise is added."""
    with pytest.MonkeyPatch.context() as patched:
        for name in ("discrete_laplace", "discrete_gaussian"):
            patched.setattr(noise, name, lambda _, size: np.zeros(size, dtype=np.int64))
        patched.setattr(private, "discrete_gaussian", lambda _, size: np.zeros(size, dtype=np.int64))
        found = function()
        return [np.array(each) for each in found]


def of_query(query: dict[str, Any], seen: list[Any]) -> tuple[Any, Callable[[int], list[Any]]]:
    """Return a query, and what its mechanisms release of the table without and with the canary."""
    plan = plan_of(query, columns=COLUMNS)
    ask = asked(plan, plan.queries[0], most=MOST, by_person=True, delta=DELTA)
    names = tuple(COLUMNS)
    rows = [
        read_rows(table_of(people, (*names, "id")), names, person="id", most=MOST)
        for people in (OTHERS, [*OTHERS, *[CANARY] * (MOST + 1)])
    ]

    def run(neighbour: int) -> list[Any]:
        seen.clear()
        made = answer(ask, rows[neighbour])
        return [np.array([cell.value for cell in made.cells])] if ask.query.gaussian else list(seen)

    return ask, run


def proved(run: Callable[[int], list[Any]], *, is_gaussian: bool) -> list[float]:
    """Return the epsilon, or mu, that a game proves against each mechanism."""
    exact = [without_noise(lambda at=at: run(at)) for at in (0, 1)]
    wrong = mistakes(run, exact, N)
    return [
        gaussian_bound(N, *each, BETA) if is_gaussian else distinguishing_bound(N, *each, 0, BETA) for each in wrong
    ]


def claims(ask: Any) -> list[float]:
    return [math.sqrt(2 * part.rho) if part.rho else float(part.epsilon) for part in parts_of(ask)]


@pytest.mark.parametrize("query", QUERIES, ids=name_of)
def test_no_mechanism_of_a_query_discloses_more_than_it_pays_for(query, outputs) -> None:
    ask, run = of_query(query, outputs)
    for found, claimed in zip(proved(run, is_gaussian=ask.query.gaussian), claims(ask), strict=True):
        assert 0.3 * claimed < found <= claimed


@pytest.mark.slow
@pytest.mark.parametrize("query", QUERIES, ids=name_of)
def test_half_the_noise_is_noticed_in_every_mechanism_of_a_query(query, outputs, monkeypatch) -> None:
    ask, run = of_query(query, outputs)
    half_the_noise(monkeypatch)
    for found, claimed in zip(proved(run, is_gaussian=ask.query.gaussian), claims(ask), strict=True):
        assert found > claimed


def epsilon_of_choices(run: Callable[[int], bool], n: int) -> float:
    """Return the epsilon that choices prove, with a canary that makes the choice of the attacker more probable."""
    chosen = [sum(run(at) for _ in range(n)) for at in (0, 1)]
    return distinguishing_bound(n, chosen[0], n - chosen[1], 0, BETA)


def quantile(epsilon: int) -> Callable[[int], bool]:
    """Return whether the lower gap is chosen for a first quartile, without and with a row at the lower bound.

    The rows are at both bounds and in the middle. All candidates of a gap between them are equally good, and the row
    makes one gap better and the other one worse, each by the whole sensitivity, which is 3.
    """
    plan = plan_of(
        {"kind": "quantile", "column": "x", "quantile": 0.25, "epsilon": epsilon},
        columns={"x": {"kind": "number", "bounds": [0, 800], "step": 1}},
    )
    ask = asked(plan, plan.queries[0], most=1, by_person=False, delta=Fraction(0))
    rows = [
        read_rows(table_of([("0",)] * low + [("400",)] * 2 + [("800",)] * 8, ("x",)), ("x",), person=None, most=None)
        for low in (1, 2)
    ]
    return lambda neighbour: answer(ask, rows[neighbour]).cells[0].value < 400


def choice(kind: type[Budget], epsilon: int) -> Callable[[int], bool]:
    """Return whether the second of two candidates is chosen, whose scores one person with three records makes equal."""
    cost = epsilon if kind is PureBudget else epsilon**2 / 8
    scores = ([2 * MOST, -2 * MOST], [0, 0])
    return lambda at: kind(cost, rows_per_unit=MOST).choose(scores[at], cost, sensitivity=2) == 1


CHOICES = {
    "quantile": quantile,
    "pure": lambda epsilon: choice(PureBudget, epsilon),
    "concentrated": lambda epsilon: choice(ConcentratedBudget, epsilon),
}


@pytest.mark.parametrize("kind", CHOICES)
def test_no_choice_discloses_more_than_it_pays_for(kind) -> None:
    assert 1 < epsilon_of_choices(CHOICES[kind](3), N) <= 3


@pytest.mark.slow
@pytest.mark.parametrize("kind", CHOICES)
def test_twice_the_epsilon_of_a_choice_is_noticed(kind) -> None:
    assert epsilon_of_choices(CHOICES[kind](6), 3 * N) > 3


def measured(kind: type[Budget], what: str) -> tuple[float, Callable[[int], list[Any]]]:
    """Return what a part of the budget of a synthesis buys (epsilon, or mu), and its noisy numbers."""
    cost = 1.0 if kind is PureBudget else 0.75
    exact = {
        "count": [np.array([5, 0]), np.array([5 + MOST, 0])],
        "measure": [np.zeros(2, dtype=np.int64), np.full(2, MOST)],
        "disjoint": [np.array([0, 3]), np.array([40 * MOST, 3])],
    }[what]

    def run(neighbour: int) -> list[Any]:
        budget = kind(cost, rows_per_unit=MOST)
        if what == "disjoint":
            return [budget.disjoint(40, cost)(exact[neighbour])]
        return [getattr(budget, what)(exact[neighbour], cost)[0]]

    return cost if kind is PureBudget else math.sqrt(2 * cost), run


MEASURED = [
    (PureBudget, "count"),
    (ConcentratedBudget, "count"),
    (ConcentratedBudget, "measure"),
    (ConcentratedBudget, "disjoint"),
]


@pytest.mark.parametrize(("kind", "what"), MEASURED)
def test_no_noisy_number_of_a_synthesis_discloses_more_than_it_pays_for(kind, what) -> None:
    claimed, run = measured(kind, what)
    assert 0.3 * claimed < proved(run, is_gaussian=kind is ConcentratedBudget)[0] <= claimed


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "what"), MEASURED)
def test_half_the_noise_is_noticed_in_every_noisy_number_of_a_synthesis(kind, what, monkeypatch) -> None:
    claimed, run = measured(kind, what)
    half_the_noise(monkeypatch)
    assert proved(run, is_gaussian=kind is ConcentratedBudget)[0] > claimed


class Gradients:
    """A model whose gradients are its inputs."""

    def gradients(self, _weights: Any, inputs: Any, _outputs: Any) -> Any:
        return inputs


def two_rounds() -> tuple[float, Callable[[int], list[Any]]]:
    """Return the mu of two rounds, and their noisy sums, where one row is replaced by its opposite."""
    step = private.PrivateStep(epsilon=3.0, delta=float(DELTA), rounds=2, n_weights=2)
    rows = [np.array([[0.1, 0.2], [sign * 30.0, 0.0]]) for sign in (-1, 1)]

    def run(neighbour: int) -> list[Any]:
        sums = [step.noisy_sum(Gradients(), np.zeros(2), rows[neighbour], None) for _ in range(2)]  # type: ignore[arg-type]
        return [np.sum(sums, axis=0)[:1]]

    return math.sqrt(2 * rho_of(3.0, float(DELTA))), run


def test_rounds_of_federated_training_disclose_no_more_than_they_pay_for() -> None:
    claimed, run = two_rounds()
    assert 0.3 * claimed < proved(run, is_gaussian=True)[0] <= claimed


@pytest.mark.slow
def test_half_the_noise_is_noticed_in_rounds_of_federated_training(monkeypatch) -> None:
    claimed, run = two_rounds()
    half_the_noise(monkeypatch)
    assert proved(run, is_gaussian=True)[0] > claimed


class Drawn:
    """The scales of all noise, and the arguments of all choices."""

    def __init__(self, monkeypatch) -> None:
        self.scales: list[Any] = []
        self.choices: list[tuple[Any, Any]] = []

        def none(scale: Any, size: int) -> Any:
            self.scales.append(Fraction(scale))
            return np.zeros(size, dtype=np.int64)

        def choose(_scores: Any, epsilon: Any, sensitivity: Any) -> int:
            self.choices.append((epsilon, sensitivity))
            return 0

        for name in ("discrete_laplace", "discrete_gaussian"):
            monkeypatch.setattr(noise, name, none)
        for module, name in ((queries, "permute_and_flip"), (budgets, "choose"), (budgets, "permute_and_flip")):
            monkeypatch.setattr(module, name, choose)

    def is_what_pays(self, parts: Any) -> bool:
        """Return whether the noise has the scale that the cost and the sensitivity of each mechanism allow."""
        needed = [
            part.sensitivity / part.epsilon if part.rho is None else part.sensitivity**2 / (2 * part.rho)
            for part in parts
        ]
        # A variance is rounded up by at most a thousandth.
        return len(needed) == len(self.scales) and all(
            least <= scale <= least * Fraction(1001, 1000) for least, scale in zip(needed, self.scales, strict=True)
        )


@pytest.mark.quick_cases(len(QUERIES))
@pytest.mark.parametrize("query", QUERIES, ids=name_of)
def test_the_noise_of_a_query_has_the_scale_that_its_parts_state(query, monkeypatch, outputs) -> None:
    ask, run = of_query(query, outputs)
    drawn = Drawn(monkeypatch)
    run(1)
    assert drawn.is_what_pays(parts_of(ask))


@pytest.mark.quick_cases(3)
@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_quantile_is_chosen_with_the_sensitivity_that_its_part_states(most, monkeypatch) -> None:
    plan = plan_of({"kind": "quantile", "column": "age", "quantile": 0.2, "epsilon": 0.5})
    ask = asked(plan, plan.queries[0], most=most, by_person=True, delta=Fraction(0))
    drawn = Drawn(monkeypatch)
    answer(ask, read_rows(table_of([("3", "F")]), ("age",), person=None, most=None))
    (part,) = parts_of(ask)
    assert drawn.choices == [(part.epsilon, part.sensitivity)]


ESTIMATORS = [
    privaudit.PrivateNaiveBayes(classes=(0, 1), bounds=(0, 9), epsilon=2),
    privaudit.PrivateLogisticRegression(classes=(0, 1), bounds=(0, 9), epsilon=2, random_state=0),
    privaudit.PrivateForest(classes=(0, 1), bounds=(0, 9), epsilon=2, n_estimators=3, max_depth=2, random_state=0),
    privaudit.PrivateKMeans(2, bounds=(0, 9), epsilon=2, random_state=0),
    privaudit.PrivateLinearRegression(bounds=(0, 9), target_bounds=(0, 1), epsilon=2),
]


@pytest.mark.quick_cases(len(ESTIMATORS))
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda each: type(each).__name__)
def test_the_noise_of_an_estimator_has_the_scale_that_its_charge_states(estimator, monkeypatch, tmp_path) -> None:
    charged, spend = [], Ledger.spend

    def kept(self: Ledger, charge: Any, *rest: Any, **more: Any) -> Any:
        charged.extend(charge.parts)
        return spend(self, charge, *rest, **more)

    monkeypatch.setattr(Ledger, "spend", kept)
    drawn = Drawn(monkeypatch)
    ledger = Ledger.create(tmp_path / "l", dataset="d", epsilon=3, unit="person")
    rows, person = np.random.default_rng(0).uniform(0, 9, (40, 2)), np.arange(40) // 3
    estimator.set_params(ledger=ledger, rows_per_person=2).fit(rows, np.arange(40) % 2, groups=person)
    assert drawn.is_what_pays(charged)
    assert sum(part.epsilon for part in charged) == 2


@pytest.mark.parametrize("kind", [PureBudget, ConcentratedBudget])
def test_the_noise_of_a_synthesis_costs_what_is_spent(kind, monkeypatch) -> None:
    """Counts change by the records of a person in one cell, each measured number and each score by as many."""
    drawn, is_pure = Drawn(monkeypatch), kind is PureBudget
    for name, given, more, change in (
        ("count", np.zeros((2, 3), dtype=np.int64), {}, [MOST]),
        ("measure", np.zeros(4, dtype=np.int64), {}, [MOST] * 4),
        ("choose", [1, 2], {"sensitivity": 5}, []),
    ):
        drawn.scales.clear()
        budget = kind(1.0, rows_per_unit=MOST)
        getattr(budget, name)(given, 0.7, **more)
        if name == "choose":
            ((epsilon, sensitivity),) = drawn.choices
            loss = epsilon * 5 * MOST / sensitivity
            cost = loss if is_pure else loss**2 / 8
        else:
            (scale,) = drawn.scales
            cost = sum(change) / scale if is_pure else sum(each**2 for each in change) / (2 * scale)
        assert 0.998 * 0.7 <= cost <= 0.7 * (1 + 1e-9), name
        assert budget.spent == 0.7
