"""The noise has exactly the distribution of its definition, for any scale, and no float takes part in it."""

from __future__ import annotations

import ast
import math
import os
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from privaudit.releases.privacy import noise
from tests.helpers.exact_noise import OF_THE_SYSTEM
from tests.helpers.paths import ROOT

DRAWS = 200_000
DISTRIBUTIONS = [
    ("laplace", Fraction(1, 2)),
    ("laplace", Fraction(1)),
    ("laplace", Fraction(27, 10)),
    ("gaussian", Fraction(9, 4)),
    ("gaussian", Fraction(100)),
]


def masses(name: str, scale: Fraction, reach: int) -> dict[int, float]:
    def weight(x: int) -> float:
        return math.exp(-abs(x) / scale) if name == "laplace" else math.exp(-x * x / (2 * scale))

    weights = {x: weight(x) for x in range(-reach, reach + 1)}
    total = math.fsum(weights.values())
    return {x: each / total for x, each in weights.items()}


def draw(name: str, scale: Fraction, size: int):
    return noise.discrete_laplace(scale, size) if name == "laplace" else noise.discrete_gaussian(scale, size)


@pytest.mark.quick_cases(5)
@pytest.mark.parametrize(("name", "scale"), DISTRIBUTIONS)
def test_draws_have_the_distribution_of_the_definition(name: str, scale: Fraction) -> None:
    """Chi-square of 200,000 draws; cells with fewer than 20 expected draws are joined."""
    expected = masses(name, scale, 200)
    counts = Counter(draw(name, scale, DRAWS).tolist())
    cells = [x for x, mass in expected.items() if mass * DRAWS >= 20]
    observed = [counts[x] for x in cells]
    wanted = [expected[x] * DRAWS for x in cells]
    observed.append(DRAWS - sum(observed))
    wanted.append(DRAWS - sum(wanted))
    statistic = sum((o - w) ** 2 / w for o, w in zip(observed, wanted, strict=True))
    assert stats.chi2.sf(statistic, len(cells)) > 1e-9


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(50), Fraction(2**40), Fraction(2**70, 3)])
def test_the_spread_fits_for_scales_of_every_size(scale: Fraction) -> None:
    """Within six standard errors, which depend on the fourth moment: few draws of a small scale are not 0."""
    small = sum(x * x * p for x, p in masses("gaussian", min(scale, Fraction(1)) ** 2, 50).items())
    for drawn, sd in (
        (noise.discrete_laplace(scale, 20_000).astype(float), noise.laplace_sd(scale)),
        (noise.discrete_gaussian(scale * scale, 5_000).astype(float), float(scale) if scale > 1 else math.sqrt(small)),
    ):
        kurtosis = np.mean(drawn**4) / np.mean(drawn**2) ** 2
        assert np.std(drawn) == pytest.approx(sd, rel=3 * math.sqrt((kurtosis - 1) / len(drawn)))


def test_integers_of_any_size_have_the_same_distribution_as_int64(monkeypatch) -> None:
    """Python integers give the same numbers from the same bits up to the draw of remainders: compare the spread."""
    monkeypatch.setattr(noise, "LARGEST", 1)
    drawn = noise.discrete_gaussian(Fraction(9), 4_000)
    assert drawn.dtype == object
    observed = [sum(drawn == x) for x in range(-6, 7)]
    wanted = [masses("gaussian", Fraction(9), 60)[x] * 4_000 for x in range(-6, 7)]
    statistic = sum((o - w) ** 2 / w for o, w in zip(observed, wanted, strict=True))
    assert stats.chi2.sf(statistic, 13) > 1e-9


def test_the_bound_of_a_share_of_the_noise_is_the_smallest_that_covers_it() -> None:
    for scale in (Fraction(1, 2), Fraction(1), Fraction(10), Fraction(100)):
        width = noise.laplace_tail(scale, 0.95)
        mass = masses("laplace", scale, 4_000)
        below, covered = (sum(p for x, p in mass.items() if abs(x) <= w) for w in (width - 1, width))
        assert covered >= 0.95 > below


@pytest.mark.parametrize("scale", [0, -1, 0.5, Fraction(0)])
def test_a_scale_that_is_not_exact_and_positive_is_refused(scale) -> None:
    for function in (noise.discrete_laplace, noise.discrete_gaussian):
        with pytest.raises(ValueError, match="Fraction"):
            function(scale, 1)


def test_no_output_proves_which_of_two_neighbours_was_answered() -> None:
    """Mironov 2012: numpy's Laplace noise on a float proves it for about 80 % of the outputs; integers for none.

    An output y is decided if no noise of the sampler turns the other answer into y: in floating point, if
    ``(y - other) + other`` is not y. Every integer is a possible noise of the discrete distribution.
    """
    rng = np.random.default_rng(1)
    outputs = 0.0 + rng.laplace(scale=1.0, size=DRAWS)
    unreachable = decided_by_support(outputs, other=1.0)
    assert 0.7 < unreachable < 0.9
    exact = noise.discrete_laplace(1, DRAWS)
    reach = set(range(int(exact.min()) - 1, int(exact.max()) + 2))
    assert all(int(y) - 1 in reach for y in np.unique(exact))
    assert exact.dtype.kind == "i"


def decided_by_support(outputs, other: float) -> float:
    """Return the share of outputs that no 53-bit uniform number turns into the answer of the neighbour.

    ``numpy`` computes ``-log(2 u)`` or ``log(2 (1 - u))`` from a uniform u on a grid of 2^-53; u is recovered, its
    neighbours on the grid are tried, and the output is unreachable where none of them gives it.
    """
    wanted = outputs - other
    u = np.where(wanted < 0, np.exp(wanted) / 2, 1 - np.exp(-wanted) / 2)
    nearest = np.round(u * 2**53)
    reached = np.zeros(len(outputs), dtype=bool)
    for step in range(-8, 9):
        grid = np.clip((nearest + step) / 2**53, 2**-53, 1 - 2**-53)
        made = np.where(grid >= 0.5, -np.log(2 - grid - grid), np.log(grid + grid))
        reached |= other + made == outputs
    return float(1 - reached.mean())


def test_no_float_and_no_seed_takes_part_in_the_draws() -> None:
    tree = ast.parse((ROOT / "privaudit" / "releases" / "privacy" / "noise.py").read_text())
    stated = ("laplace_sd", "laplace_tail")
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name not in stated:
            for inner in ast.walk(node):
                assert not (isinstance(inner, ast.Constant) and isinstance(inner.value, float)), node.name
                assert not (isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Div)), node.name
                assert "seed" not in getattr(inner, "arg", ""), node.name
    drawn = (noise.discrete_laplace(100, 50).tolist(), noise.discrete_laplace(100, 50).tolist())
    assert drawn[0] != drawn[1]


def test_outside_of_tests_the_bytes_are_those_of_the_system(monkeypatch) -> None:
    calls = []
    monkeypatch.setattr(os, "urandom", lambda n: calls.append(n) or bytes(n))
    assert OF_THE_SYSTEM(32) == bytes(32) and calls == [32]
    assert OF_THE_SYSTEM is not noise.random_bytes
