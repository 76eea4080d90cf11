"""What the change of a model discloses, through the registry of attacks: words of a batch, and whole records."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.attacks import ATTACKS, simulate_all
from privaudit.attacks.inputs import AttackInputs, UpdateInputs
from privaudit.settings.config import Settings


def test_the_attack_is_in_the_registry_and_runs_on_updates_only():
    (entry,) = [attack for attack in ATTACKS if attack.kind == "model_updates"]
    table = AttackInputs(release=None, settings=Settings())  # type: ignore[arg-type]
    assert not entry.can_run(table)
    updates = UpdateInputs(before=np.zeros(3), after=np.ones(3), in_batch=np.ones(3, bool))
    assert [attack.kind for attack in ATTACKS if attack.can_run(updates)] == ["model_updates"]


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=60))
def test_claims_of_words_are_those_of_a_count(words):
    in_batch, changed = np.array(words).T
    inputs = UpdateInputs(before=np.zeros(len(words)), after=changed.astype(float), in_batch=in_batch)
    if in_batch.all() or not in_batch.any():
        assert not simulate_all(inputs).attacks
        return
    (attack,) = simulate_all(inputs).attacks
    assert attack.n_targets == in_batch.sum()
    assert attack.success.value == pytest.approx((changed & in_batch).sum() / in_batch.sum())
    assert attack.control == pytest.approx((changed & ~in_batch).sum() / (~in_batch).sum())
    assert attack.baseline == pytest.approx(in_batch.mean())


@given(st.integers(0, 999), st.integers(1, 30))
def test_a_record_follows_from_a_step_unless_the_step_is_zero(seed, n):
    rng = np.random.default_rng(seed)
    rows, errors = rng.normal(size=(n, 4)), rng.choice([0.0, 0.5, -2.0], n)
    change = errors[:, None] * np.hstack([rows, np.ones((n, 1))])
    (attack,) = simulate_all(UpdateInputs(before=np.zeros_like(change), after=change, rows=rows)).attacks
    assert attack.n_targets == n
    assert attack.success.value == pytest.approx((errors != 0).mean())
