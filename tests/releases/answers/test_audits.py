"""Attacks on the mechanisms themselves: what an attacker distinguishes never exceeds epsilon, and a mechanism that adds
half the noise that it claims is caught."""

from __future__ import annotations

import inspect
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

import privaudit
from privaudit.releases.answers import mechanisms
from privaudit.releases.privacy import noise
from privaudit.releases.privacy.accounting import epsilon_of, exact
from tests.helpers.privacy_audit import distinguishing_bound, one_run_bound

EPSILON = 1
N = 1_000


def half_noise(monkeypatch) -> None:
    """Let every discrete Laplace mechanism add noise of half the scale that it states."""
    right = noise.discrete_laplace
    monkeypatch.setattr(noise, "discrete_laplace", lambda scale, size: right(Fraction(scale) / 2, size))


def test_the_bounds_have_the_values_of_the_reference() -> None:
    for wrong, bound in ((300, 0.7106), (50, 2.6598)):
        assert distinguishing_bound(1000, wrong, wrong, 0) == pytest.approx(bound, abs=1e-4)
    for guesses, right, bound in ((1000, 750, 0.9767), (1000, 600, 0.2975), (100, 95, 2.1724), (200, 200, 4.1936)):
        assert one_run_bound(guesses, right) == pytest.approx(bound, abs=1e-4)


def game(n: int) -> float:
    """Play the distinguishing game on a count: 0 rows against 1 row; the attacker guesses 1 row from 1 upwards."""
    epsilon, guesses = Fraction(EPSILON), []
    for rows in (0, 1):
        counts = [mechanisms.noisy_sum(np.array([rows]), 1, epsilon).value for _ in range(n)]
        guesses.append(sum(count >= 1 for count in counts))
    return distinguishing_bound(n, guesses[0], n - guesses[1], 0)


def test_a_distinguishing_attack_stays_below_epsilon_and_catches_half_the_noise(monkeypatch) -> None:
    assert 0.6 < game(N) <= EPSILON
    half_noise(monkeypatch)
    assert game(N) > EPSILON


def canaries(folder, seed: int) -> float:
    """Put 1,000 canaries into a table, each with probability 1/2, release one histogram, and guess each from its count.

    The release goes the whole way: plan, ledger, table, answers.
    """
    rng = np.random.default_rng(seed)
    inside = rng.random(N) < 0.5
    names = [f"canary {i}" for i in range(N)]
    table = pa.table({"who": [name for name, is_in in zip(names, inside, strict=True) if is_in]})
    ledger = privaudit.Ledger.create(folder / f"{seed}.ledger", dataset="canaries", epsilon=EPSILON)
    plan = {
        "dataset": "canaries",
        "column": {"who": {"kind": "category", "values": names, "missing": False}},
        "query": [{"kind": "histogram", "column": "who", "epsilon": EPSILON}],
    }
    (answer,) = privaudit.release(table, plan, ledger=ledger).answers
    guessed = np.array([cell.value >= 1 for cell in answer.cells])
    return one_run_bound(N, int((guessed == inside).sum()))


def test_the_audit_of_one_run_stays_below_epsilon_and_catches_half_the_noise(monkeypatch, tmp_path) -> None:
    assert 0.6 < canaries(tmp_path, 1) <= EPSILON
    half_noise(monkeypatch)
    assert canaries(tmp_path, 2) > EPSILON


def test_consistent_counts_do_not_disclose_more(tmp_path) -> None:
    """Post-processing: guesses from the consistent counts prove no more than epsilon either."""
    rng = np.random.default_rng(3)
    inside = rng.random(N) < 0.5
    names = [f"canary {i}" for i in range(N)]
    table = pa.table({"who": [name for name, is_in in zip(names, inside, strict=True) if is_in]})
    ledger = privaudit.Ledger.create(tmp_path / "l", dataset="c", epsilon=1)
    plan = {
        "dataset": "c",
        "column": {"who": {"kind": "category", "values": names, "missing": False}},
        "query": [{"kind": "histogram", "column": "who", "epsilon": 1}],
    }
    (answer,) = privaudit.release(table, plan, ledger=ledger).answers
    values = np.array([cell.consistent for cell in answer.cells])
    best = max(int(((values > limit) == inside).sum()) for limit in np.quantile(values, [0.3, 0.4, 0.5, 0.6, 0.7]))
    assert one_run_bound(N, best, beta=0.01) <= EPSILON


def test_no_public_function_takes_a_seed_for_its_noise() -> None:
    assert not {"seed", "random_state"} & set(inspect.signature(privaudit.release).parameters)
    for name in ("discrete_laplace", "discrete_gaussian"):
        assert set(inspect.signature(getattr(noise, name)).parameters) <= {"scale", "sigma2", "size"}


def test_opendp_has_the_same_privacy_maps() -> None:
    dp = pytest.importorskip("opendp.prelude", reason="OpenDP is not installed; the stored values are compared instead")
    dp.enable_features("contrib")
    space = dp.atom_domain(T="i64"), dp.absolute_distance(T="i64")
    for scale in (0.7, 1.0, 4.0, 100.0):
        laplace = dp.m.make_laplace(*space, scale=scale)
        for sensitivity in (1, 5, 90):
            assert laplace.map(sensitivity) == pytest.approx(float(exact(sensitivity) / exact(scale)), rel=1e-6)
        gaussian = dp.m.make_gaussian(*space, scale=scale)
        assert gaussian.map(1) == pytest.approx(1 / (2 * scale**2), rel=1e-6)
        curve = dp.c.make_zCDP_to_approxDP(gaussian).map(1)
        for delta in (1e-5, 1e-9):
            assert curve.epsilon(delta) == pytest.approx(epsilon_of(1 / (2 * scale**2), delta), rel=1e-6)
