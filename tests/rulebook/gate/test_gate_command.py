"""`privaudit gate` trusts no decision: a report that was changed is refused, and the findings decide anew."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from privaudit.report.json import digest
from tests.helpers.command import run_here


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Run the command line in the working directory of this process; return exit code and what it printed."""
    monkeypatch.chdir(tmp_path)

    def here(*arguments: str) -> tuple[int, str]:
        done = run_here([*arguments], Path.cwd(), {})
        return done.returncode, done.stdout + done.stderr

    return here


@pytest.fixture
def table(tmp_path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text(
        "age,sex,ssn\n" + "".join(f"{20 + i % 9},{'FM'[i % 2]},{212 + i}-45-{6000 + i}\n" for i in range(60))
    )
    return path


def test_a_changed_report_is_refused_and_a_forged_digest_does_not_turn_the_decision(call, table):
    assert call("scan", "t.csv", "--no-ner", "-q", "-o", "r.json")[0] == 1
    assert call("gate", "r.json", "-q")[0] == 1
    whole = json.loads(Path("r.json").read_text())
    whole["gate"] = {**whole["gate"], "passed": True, "exit_code": 0, "reasons": []}
    Path("e.json").write_text(json.dumps(whole))
    code, printed = call("gate", "e.json")
    assert code == 2 and "digest" in printed
    whole["digest"] = digest(whole)
    Path("e.json").write_text(json.dumps(whole))
    assert call("gate", "e.json", "-q")[0] == 1
    del whole["digest"]
    Path("e.json").write_text(json.dumps(whole))
    assert call("gate", "e.json", "-q")[0] == 2


def test_verify_refuses_a_report_whose_measurements_or_policy_are_not_those_of_a_new_scan(call, table):
    """The counts of every column are the same, and the decision too."""
    assert call("scan", "t.csv", "--no-ner", "-q", "-o", "r.json")[0] == 1
    Path("other.csv").write_text(table.read_text().replace(",F,", ",x,"))
    code, printed = call("gate", "r.json", "--verify", "other.csv")
    assert code == 2 and "finds: columns" in printed
    whole = json.loads(Path("r.json").read_text())
    whole["risk"]["k_min"] += 1
    whole["digest"] = digest(whole)
    Path("e.json").write_text(json.dumps(whole))
    code, printed = call("gate", "e.json", "--verify", "t.csv")
    assert code == 2 and "finds: risk" in printed


def test_verify_scans_again_and_refuses_a_report_with_findings_removed(call, table):
    assert call("scan", "t.csv", "--no-ner", "-q", "--seed", "3", "-o", "r.json")[0] == 1
    code, printed = call("gate", "r.json", "--verify", "t.csv")
    assert code == 1 and "A new scan measured the same counts: 60 rows, 3 columns" in printed
    whole = json.loads(Path("r.json").read_text())
    whole["findings"] = []
    whole["digest"] = digest(whole)
    Path("e.json").write_text(json.dumps(whole))
    code, printed = call("gate", "e.json", "--verify", "t.csv")
    assert code == 2 and "new scan" in printed


def test_verify_accepts_the_last_digits_of_another_processor_and_no_larger_difference(call, table):
    def changed(value: object, factor: float) -> object:
        if isinstance(value, dict):
            return {key: changed(item, factor) for key, item in value.items()}
        if isinstance(value, list):
            return [changed(item, factor) for item in value]
        return value * factor if isinstance(value, float) else value

    call("scan", "t.csv", "--no-ner", "-q", "-o", "r.json")
    whole = json.loads(Path("r.json").read_text())
    for factor, code in ((1 + 1e-13, 1), (1 + 1e-6, 2)):
        whole |= {"risk": changed(whole["risk"], factor)}
        whole["digest"] = digest({key: value for key, value in whole.items() if key != "digest"})
        Path("e.json").write_text(json.dumps(whole))
        assert call("gate", "e.json", "--verify", "t.csv")[0] == code


def test_the_severity_the_scan_was_judged_by_still_decides(call, table):
    code, _ = call("scan", "t.csv", "--no-ner", "-q", "--fail-on", "info", "-o", "r.json")
    assert call("gate", "r.json", "-q")[0] == code


def test_own_policies_are_called_so_and_cannot_take_a_shipped_name(call, table):
    Path("p.toml").write_text('name = "public"\ntitle = "Mine"\nextends = "internal"\n')
    code, printed = call("scan", "t.csv", "--no-ner", "--policy", "p.toml")
    assert code == 2 and "shipped" in printed
    Path("p.toml").write_text('name = "lab"\ntitle = "Mine"\nextends = "internal"\n')
    _, printed = call("scan", "t.csv", "--no-ner", "--policy", "p.toml", "-o", "r.json")
    assert "custom policy" in " ".join(printed.split()) and "p.toml" in printed
    (used,) = json.loads(Path("r.json").read_text())["files"]
    assert used["purpose"] == "policy" and len(used["sha256"]) == 64


def test_a_settings_file_above_the_repository_or_in_a_foreign_folder_is_not_read(call, table, monkeypatch):
    Path("privaudit.toml").write_text('fail_on = "critical"\nquassi = 3\n')
    assert call("scan", "t.csv", "--no-ner", "-q")[0] == 2
    assert call("scan", "t.csv", "--no-ner", "-q", "--no-config")[0] == 1
    assert call("scan", "t.csv", "-q", "--no-config", "--config", "privaudit.toml")[0] == 2
    Path("sub/.git").mkdir(parents=True)
    os.chdir("sub")
    assert call("scan", "../t.csv", "--no-ner", "-q")[0] == 1
    Path(".git").rmdir()
    assert call("scan", "../t.csv", "--no-ner", "-q")[0] == 1  # outside of a repository only this folder counts


def test_the_settings_file_is_named_on_the_terminal_and_in_the_report(call, table):
    Path("privaudit.toml").write_text("seed = 4\n")
    _, printed = call("scan", "t.csv", "--no-ner", "-o", "r.json", "-o", "r.html")
    assert "settings privaudit.toml (sha256 " in printed
    assert json.loads(Path("r.json").read_text())["files"][0]["purpose"] == "settings"
    assert "privaudit.toml" in Path("r.html").read_text()
