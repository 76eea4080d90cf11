"""Attacks on the release of a remedy: a trial release without a control table, and what the certificate states."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyarrow import csv

import privaudit
from privaudit.cli.commands import cli
from privaudit.releases.remedy import run
from tests.helpers.release_audits import fail_audits_of
from tests.helpers.tables import drawn


def people(n, seed=0):
    ages = [str(age) for age in range(20, 80)]
    return pa.table(drawn(n, seed, age=ages, sex="mf", diagnosis=("flu", "asthma", "none")))


OPTIONS = {"quasi": ("age", "sex"), "sensitive": ("diagnosis",), "ner": False}


@pytest.mark.slow
def test_a_trial_release_is_attacked_and_the_certificate_states_which_limits_hold(tmp_path):
    target = tmp_path / "safer.csv"
    made = privaudit.remedy(people(600), output=target, **OPTIONS)
    assert made.run.is_trial and {one.kind for one in made.run.release_attacks} >= {"copies", "membership"}
    stated = json.loads(target.with_name("safer.privaudit.json").read_text())["attacks"]
    assert {one["check"] for one in stated} == {check.code for check in made.run.release_checks}
    assert {"INF001", "MEM001", "SNG001"} == {one["check"] for one in stated}
    assert all(isinstance(one["passed"], bool) and not {"success", "n"} & set(one) for one in stated)
    assert "Attacks on the release" in made.text() and "Attacks on the release" not in made.text("public")
    assert made.arrow.num_rows <= 600


@pytest.mark.slow
def test_with_people_outside_the_remedied_table_itself_is_attacked():
    made = privaudit.remedy(people(600), control=people(300, 1), **OPTIONS)
    assert not made.run.is_trial
    copies = next(one for one in made.run.release_attacks if one.kind == "copies")
    assert copies.n_targets == 600 and copies.n_outsiders == 300


def test_gate_certificate_report_and_verification_give_one_verdict(tmp_path):
    """Classes of two people reveal the diagnosis of many: every output states that the same check fails."""
    plan = tmp_path / "plan.toml"
    plan.write_text('version = 1\n[[step]]\ntechnique = "band"\ncolumn = "age"\nwidth = 2\n')
    target = tmp_path / "safer.csv"
    made = privaudit.remedy(people(600), plan=plan, control=people(600, 1), output=target, **OPTIONS)
    failed = {one.code for one in made.after.findings if one.code in ("INF001", "MEM001", "SNG001")}
    attacks = json.loads(target.with_name("safer.privaudit.json").read_text())["attacks"]
    stated = {one["check"]: one["passed"] for one in attacks}
    assert failed and failed == {check for check, passed in stated.items() if not passed}
    assert failed == {check.code for check in made.run.release_checks if check.state == "fired"}
    assert made.gate().exit_code == 1 and not made.certificate["scan"]["passed"]
    failing = made.text().partition("What fails the gate: ")[2].partition("\n")[0]
    assert all(code in failing for code in failed) and "No plan makes" not in made.text()
    shown = made.text() + CliRunner().invoke(cli, ["verify", str(target)]).output
    assert all(f"{check}: the attack exceeds the limit" in shown for check in failed)


def test_a_seed_does_not_decide_whether_the_attacks_are_within_the_limits(tmp_path):
    """Near a limit, some seeds let a table pass: whoever tries several finds one that does."""
    plan = tmp_path / "plan.toml"
    plan.write_text('version = 1\n[[step]]\ntechnique = "band"\ncolumn = "age"\nwidth = 5\n')
    found = [privaudit.remedy(people(400), plan=plan, seed=seed, **OPTIONS).run.release_attacks for seed in (1, 2)]
    assert found[0] and found[0] == found[1]


@pytest.mark.slow
def test_copies_are_counted_and_not_judged():
    made = privaudit.remedy(people(600), **OPTIONS)
    copies = next(one for one in made.run.release_attacks if one.kind == "copies")
    state = next(check for check in made.after.wire.checks if check.code == "CPY001")
    assert copies.is_headline and state.state == "not_measured"
    assert [why.code for why in state.gaps] == ["rulebook.copies_expected"]


@pytest.mark.slow
def test_the_plan_of_least_loss_withstands_the_attacks():
    """Small classes reveal the diagnosis; the plan is one whose trial release passes, where there is one."""
    random = np.random.default_rng(0)
    town = random.integers(0, 40, 1_200)
    table = people(1_200).append_column("town", pa.array([f"t{i}" for i in town]))
    made = privaudit.remedy(table, policy="internal", quasi=("age", "sex", "town"), sensitive=("diagnosis",), ner=False)
    assert made.gate().passed and {check.state for check in made.run.release_checks} == {"passed"}


def test_a_plan_states_whether_its_trial_release_withstands_the_attacks(monkeypatch, tmp_path):
    table = people(600)
    assert "\n# The gate is expected to pass: " in privaudit.plan(table, **OPTIONS).text
    monkeypatch.setattr(run, "withstands", lambda *_: False)
    made = privaudit.plan(table, **OPTIONS)
    assert made.decision.startswith("The gate is expected to fail: ") and f"\n# {made.decision}\n" in made.text


def test_the_command_plan_prints_the_command_that_applies_it_and_what_the_gate_is_expected_to_decide(tmp_path):
    source, written = tmp_path / "claims.csv", tmp_path / "plan.toml"
    csv.write_csv(people(600), source)
    words = ["plan", str(source), "--quasi", "age,sex", "--sensitive", "diagnosis", "--no-ner", "--no-config"]
    shown = CliRunner().invoke(cli, [*words, "-o", str(written)]).output
    assert "privaudit remedy claims.csv --quasi age,sex" in shown and "--plan plan.toml" in shown
    assert "privaudit: The gate is expected to " in shown


def test_a_small_table_is_not_attacked():
    made = privaudit.remedy(people(150), **OPTIONS)
    assert made.run.release_attacks == ()
    assert [one.code for one in made.run.release_limits] == ["remedies.too_few_to_attack"]


@pytest.mark.slow
def test_a_method_whose_table_failed_is_not_listed_as_passing(monkeypatch):
    """Of the methods that pass on codes, those whose table was scanned and failed are listed as failing."""
    table = people(600).append_column("town", pa.array([f"t{i % 12}" for i in range(600)]))
    options = {"policy": "controlled", "quasi": ("age", "sex", "town"), "sensitive": (), "ner": False}
    free = privaudit.plan(table, **options)
    audits = fail_audits_of({"local", "mondrian", "cells"}, monkeypatch)
    plan = privaudit.plan(table, **options)
    tried = [method for method, _ in audits]
    assert free.before.advice[0].passes and tried and plan.plan.steps
    for report, failed in ((free.before, ()), (plan.before, tried)):
        listed = {each.method: each.passes for one in report.advice for each in one.alternatives}
        assert not any(listed[method] for method in failed) and any(listed.values())
    assert {each.method for each in plan._planned.remedy.alternatives if not each.passes} == set(tried)
