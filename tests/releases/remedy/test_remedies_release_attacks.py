"""Attacks on the release of a remedy: a trial release without a control table, and what the certificate states."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa

import privaudit


def people(n, seed=0):
    random = np.random.default_rng(seed)
    return pa.table(
        {
            "age": random.integers(20, 80, n).astype(str).tolist(),
            "sex": random.choice(["m", "f"], n).tolist(),
            "diagnosis": random.choice(["flu", "asthma", "none"], n).tolist(),
        }
    )


OPTIONS = {"quasi": ("age", "sex"), "sensitive": ("diagnosis",), "ner": False}


def test_a_trial_release_is_attacked_and_the_certificate_states_which_limits_hold(tmp_path):
    target = tmp_path / "safer.csv"
    made = privaudit.remedy(people(600), output=target, **OPTIONS)
    assert made.run.is_trial and {one.kind for one in made.run.release_attacks} >= {"copies", "membership"}
    stated = json.loads(target.with_name("safer.privaudit.json").read_text())["attacks"]
    assert {one["check"] for one in stated} == {check.code for check in made.run.release_checks}
    assert {"CPY001", "MEM001"} <= {one["check"] for one in stated}
    assert all(isinstance(one["passed"], bool) and not {"success", "n"} & set(one) for one in stated)
    assert "Attacks on the release" in made.text() and "Attacks on the release" not in made.text("public")
    assert made.arrow.num_rows <= 600


def test_with_people_outside_the_remedied_table_itself_is_attacked():
    made = privaudit.remedy(people(600), control=people(300, 1), **OPTIONS)
    assert not made.run.is_trial
    copies = next(one for one in made.run.release_attacks if one.kind == "copies")
    assert copies.n_targets == 600 and copies.n_outsiders == 300


def test_a_small_table_is_not_attacked():
    made = privaudit.remedy(people(150), **OPTIONS)
    assert made.run.release_attacks == ()
    assert [one.code for one in made.run.release_limits] == ["remedies.too_few_to_attack"]
