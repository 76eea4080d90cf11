"""What is published next to a remedied table reveals nothing of its source, wherever the run was stopped."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import privaudit
from privaudit.advice.technique.removed_records import _records_of_large_classes
from privaudit.releases.remedy import certificate
from privaudit.report import files

OPTIONS = {"policy": "public", "framework": (), "ner": False, "quasi": ["age", "sex"]}
PLAN = 'version = 1\n[[step]]\ntechnique = "suppress_records"\nclasses_over = ["age", "sex"]\nbelow = 15\n'


def table(rare: int) -> pd.DataFrame:
    """Return 400 rows in classes of 20, and `rare` rows that are suppressed."""
    rows = [{"age": 30 + i % 10, "sex": "FM"[i // 10 % 2]} for i in range(400)]
    return pd.DataFrame(rows + [{"age": 70 + i, "sex": "F"} for i in range(rare)])


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


def remedied(tmp_path, plan, frame, **others):
    frame.to_csv(tmp_path / "t.csv", index=False)
    return privaudit.remedy(tmp_path / "t.csv", output=tmp_path / "safer.csv", **{**OPTIONS, "plan": plan, **others})


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("edition", ["full", "public"])
def test_sources_that_give_the_same_table_have_the_same_certificate(tmp_path, plan, edition):
    texts = []
    for rare in (22, 24):
        made = remedied(tmp_path, plan, table(rare), edition=edition)
        content = json.loads((tmp_path / "safer.privaudit.json").read_text())
        assert len(content["release"]) == 32
        assert made.run.release == content["release"] and made.run.source == made.before.dataset.fingerprint
        for key in ("release", "created_at", "digest"):
            del content[key]
        texts.append(json.dumps(content))
    assert texts[0] == texts[1]
    assert "counts-sha256" not in texts[0]


def test_a_public_certificate_states_that_k_reaches_the_policy_and_no_exact_k(tmp_path, plan):
    made = remedied(tmp_path, plan, table(0), edition="public")
    scan = made.certificate["scan"]
    assert "k_min" not in scan and scan["k_at_least"] == made.after.policy.k == 15 and scan["share_below_k"] is None
    sentences, matches = privaudit.verify(tmp_path / "safer.csv")
    assert matches and "k is at least 15" in sentences[1]
    assert remedied(tmp_path, plan, table(0)).certificate["scan"]["k_min"] == 20


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("rare", [0, 1, 10, 11, 13, 17, 21])
def test_a_public_remedy_suppresses_at_least_20_records(tmp_path, plan, rare):
    made = remedied(tmp_path, plan, table(rare), edition="public")
    suppressed = made.before.dataset.n_rows - made.after.dataset.n_rows
    assert suppressed == max(rare, 20)
    assert made.after.risk.k_min >= 15
    assert remedied(tmp_path, plan, table(rare)).after.dataset.n_rows == 400


@pytest.mark.parametrize("seed", range(60))
def test_no_class_is_left_smaller_than_k_by_the_records_that_are_added(seed):
    rng = np.random.default_rng(seed)
    sizes, k = rng.integers(1, 30, size=int(rng.integers(1, 12))), int(rng.integers(2, 16))
    labels = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    out = np.isin(labels, np.flatnonzero(sizes < k))
    wanted = int(rng.integers(1, 11))
    more = _records_of_large_classes(labels, out, wanted, k, rng)
    left = np.bincount(labels[~out & ~more], minlength=len(sizes))
    assert not (more & out).any()
    assert more.sum() >= min(wanted, (~out).sum())
    assert all(size == 0 or size >= k for size in left)
    if (~out).sum() >= wanted and any(s > k + wanted for s in sizes):
        assert more.sum() == wanted


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("where", ["remove", "move", "replace"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_wherever_a_run_is_stopped_no_table_is_next_to_the_certificate_of_another(
    tmp_path, plan, monkeypatch, where, when
):
    remedied(tmp_path, plan, table(12))
    done = getattr(files, where)

    def stopped(*given):
        if when == "after":
            done(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(files, where, stopped)
    with pytest.raises(KeyboardInterrupt):
        remedied(tmp_path, plan, table(12).assign(sex="F"))
    if (tmp_path / "safer.privaudit.json").exists():
        assert certificate.verify(tmp_path / "safer.csv")[1] == ()
    written = {"safer.csv", "safer.dictionary.json", "safer.privaudit.json"}
    assert {path.name for path in tmp_path.iterdir()} <= {"t.csv", "plan.toml", *written}
