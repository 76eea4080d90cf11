"""Three tables over six commits: scan, baseline, accept, diff, hook and CI in one repository."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from privaudit.rulebook import read_baseline
from tests.audit.test_baselines import people
from tests.conftest import Runner
from tests.helpers.paths import ROOT

CLOCK = {"SOURCE_DATE_EPOCH": "1795000000"}
SCAN = ("scan", "data", "--brief", "--no-ner", "--max-size", "1")


@pytest.mark.slow
def test_three_tables_over_six_commits(git: Callable[..., None], run: Runner, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()

    def commit(title: str) -> None:
        git("add", "-A")
        git("commit", "-qm", title)

    def ci(*more: str) -> tuple[int, str]:
        done = run(*SCAN, "--policy-from", "main", *more, **CLOCK)
        return done.returncode, " ".join((done.stdout + done.stderr).split())

    def hook(*files: str) -> int:
        hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
        (entry,) = [one for one in hooks if one["id"] == "privaudit"]
        assert entry["types"] == ["file"]
        return run(*shlex.split(entry["entry"])[1:], *files, **CLOCK).returncode

    # 1. Two tables, one with e-mail addresses in its notes: the scan fails, and the hook as well.
    (data / "good.csv").write_text(people())
    (data / "notes.csv").write_text(people(mails=30))
    (tmp_path / "privaudit.toml").write_text('policy = "public"\nbaseline = "privaudit-baseline.json"\n')
    assert run(*SCAN, "--no-config", **CLOCK).returncode == 1
    assert run(*SCAN, **CLOCK).returncode == 2, "the baseline that the settings name is missing"
    assert run("baseline", "data", "--no-ner", "--max-size", "1", **CLOCK).returncode == 0
    commit("Two tables and their baseline")
    assert set(read_baseline(tmp_path / "privaudit-baseline.json").tables) == {"data/good.csv", "data/notes.csv"}
    assert run(*SCAN, **CLOCK).returncode == 0 and hook("data/good.csv", "data/notes.csv") == 0
    run("scan", "data/notes.csv", "--no-ner", "-q", "-o", "before.json", **CLOCK)

    # 2. A branch adds a third table with the columns of the second, and worse: nothing hides it.
    git("switch", "-qc", "third")
    (data / "third.csv").write_text(people(mails=90))
    assert hook("data/third.csv") == 1 and hook("data/good.csv") == 0
    code, printed = ci()
    assert code == 1 and "third.csv: The baseline does not hold this table" in printed
    assert "within the baseline" in printed
    commit("A third table")

    # 3. The branch writes it into its own baseline: CI reads that of the main branch.
    assert run("baseline", "data/third.csv", "--no-ner", "--max-size", "1", **CLOCK).returncode == 0
    assert len(read_baseline(tmp_path / "privaudit-baseline.json").tables) == 3
    commit("Its own baseline")
    assert run(*SCAN, **CLOCK).returncode == 0, "the baseline of the branch would pass"
    assert ci()[0] == 1

    # 4. The finding is accepted on the main branch, with a reason and a last day: then CI passes.
    run("scan", "data/third.csv", "--no-ner", "--no-config", "-q", "-o", "third.json", **CLOCK)
    git("switch", "-q", "main")
    for finding in json.loads((tmp_path / "third.json").read_text())["findings"]:
        if finding["severity"] in ("high", "critical"):
            words = ("--reason", "r", "--owner", "o", "--expires", "2027-01-31", "--report", "third.json")
            assert run("accept", finding["code"], ",".join(finding["subject"]), *words, **CLOCK).returncode == 0
    git("add", "privaudit.toml")
    git("commit", "-qm", "Accept the findings of the third table")
    git("switch", "-q", "third")
    code, printed = ci()
    assert code == 0, printed

    # 5. The second table gets worse: CI fails, and the comparison and the summary state it.
    (data / "notes.csv").write_text(people(mails=100))
    commit("More addresses")
    assert hook("data/notes.csv") == 1
    code, printed = ci("-o", "summary.md")
    assert code == 1
    summary = (tmp_path / "summary.md").read_text()
    assert summary.index("What changed since the baseline") < summary.index("## ")
    assert "notes" in summary and "PII002" in summary
    run("scan", "data/notes.csv", "--no-ner", "--no-config", "-q", "-o", "after.json", **CLOCK)
    compared = run("diff", "before.json", "after.json")
    assert compared.returncode == 1 and "Findings that are worse" in compared.stdout

    # 6. It is repaired, and the first table leaves: CI passes and names the table that was not scanned.
    (data / "notes.csv").write_text(people(mails=30))
    (data / "good.csv").unlink()
    commit("Repair one table, remove another")
    code, printed = ci()
    assert code == 0 and "1 table that was not scanned: data/good.csv" in printed
    assert run("baseline", "--remove", "data/good.csv").returncode == 0
