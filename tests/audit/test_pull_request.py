"""A pull request from its first run to its last: exit codes of the gate, the baseline and the comparison."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Runner

PEOPLE = 600


def table(careless: int = 0, towns: int = 3) -> str:
    """Return people by age band, sex and town; `careless` of them have an e-mail address in their note."""
    lines = ["age_band,sex,town,note"]
    for i in range(PEOPLE):
        note = f"mail p{i}@example.org" if i < careless else "called back"
        lines.append(f"{20 + 10 * (i % 4)}-{29 + 10 * (i % 4)},{'FM'[i // 4 % 2]},Town {i // 8 % towns},{note}")
    return "\n".join(lines) + "\n"


SCAN = ("scan", "data/people.csv", "--no-ner", "-q")


@pytest.mark.slow
def test_a_pull_request_fails_on_new_and_worse_findings_only(
    git: Callable[..., None], run: Runner, tmp_path: Path
) -> None:
    data = tmp_path / "data" / "people.csv"
    data.parent.mkdir()
    data.write_text(table(careless=30))
    assert run(*SCAN, "-o", "first.json").returncode == 1

    written = run("baseline", "data/people.csv", "--no-ner")
    assert written.returncode == 0 and "privaudit-baseline.json" in written.stderr
    baseline = (tmp_path / "privaudit-baseline.json").read_text()
    assert "example.org" not in baseline and "called" not in baseline
    git("add", "-A")
    git("commit", "-qm", "Table and baseline")

    with_baseline = (*SCAN, "--baseline", "privaudit-baseline.json")
    assert run(*with_baseline, "-o", "same.json").returncode == 0

    git("switch", "-qc", "more-mails")
    data.write_text(table(careless=31))  # within the tolerance of a tenth
    assert run(*with_baseline).returncode == 0
    assert run(*with_baseline, "--tolerance", "0").returncode == 1
    data.write_text(table(careless=60))
    assert run(*with_baseline, "-o", "worse.json").returncode == 1

    accepted = run(
        "accept", "PII002", "note", "--reason", "r", "--owner", "o", "--expires", "2026-12-31",
        "--report", "worse.json", SOURCE_DATE_EPOCH="1795000000",
    )  # fmt: skip
    assert accepted.returncode == 0, accepted.stderr
    assert run(*with_baseline, SOURCE_DATE_EPOCH="1795000000").returncode == 0

    data.write_text(table(careless=120))  # worse than what was accepted
    assert run(*with_baseline, "-o", "again.json", SOURCE_DATE_EPOCH="1795000000").returncode == 1

    compared = run("diff", "first.json", "again.json", "-o", "diff.md", "--format", "json")
    assert compared.returncode == 1
    found = json.loads(compared.stdout)
    assert {row["state"] for row in found["findings"]} >= {"worse", "same"}
    assert any(row["code"] == "PII002" and row["fails"] for row in found["findings"])
    assert "❌" in (tmp_path / "diff.md").read_text()
    assert run("diff", "first.json", "first.json").returncode == 0
    back = json.loads(run("diff", "again.json", "first.json", "--format", "json").stdout)
    assert "better" in {row["state"] for row in back["findings"]}


def test_a_baseline_states_new_worse_same_and_gone(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(table(careless=30))
    run("baseline", "a.csv", "--no-ner", "-q")
    (tmp_path / "a.csv").write_text(table(careless=0))
    found = run("scan", "a.csv", "--no-ner", "--baseline", "privaudit-baseline.json", "-o", "a.json")
    use = json.loads((tmp_path / "a.json").read_text())["baseline"]
    assert "PII002" in {item["code"] for item in use["gone"]}
    assert "Compared with the baseline" in " ".join(found.stdout.split())


def test_a_smaller_k_is_new_or_worse_in_the_comparison(run: Runner, tmp_path: Path) -> None:
    for name, towns in (("old", 3), ("new", 40)):
        (tmp_path / f"{name}.csv").write_text(table(towns=towns))
        run("scan", f"{name}.csv", "--no-ner", "-q", "-o", f"{name}.json", "--quasi", "age_band, sex, town")
    compared = run("diff", "old.json", "new.json")
    assert compared.returncode == 1
    assert "Smallest class (k)" in compared.stdout and "→" in compared.stdout
    loose = run("judge", "new.json", "--policy", "internal", "-q", "-o", "loose.json")
    assert loose.returncode in (0, 1)
    assert run("diff", "old.json", "loose.json").returncode == 1, "a looser policy does not hide a new finding"


@pytest.mark.slow
def test_columns_that_come_and_go_are_listed(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(table())
    (tmp_path / "b.csv").write_text(table().replace("town", "city_name", 1))
    for name in "ab":
        run("scan", f"{name}.csv", "--no-ner", "-q", "-o", f"{name}.json")
    text = run("diff", "a.json", "b.json").stdout
    assert '"town" removed' in text and '"city_name" added' in text


@pytest.mark.slow
def test_a_policy_that_the_branch_loosens_does_not_judge_the_branch(
    git: Callable[..., None], run: Runner, tmp_path: Path
) -> None:
    """The first run fails, accepted findings pass, worse data fail, and fail under a looser policy of the branch."""
    today = {"SOURCE_DATE_EPOCH": "1795000000"}
    data, settings = tmp_path / "data" / "people.csv", tmp_path / "privaudit.toml"
    data.parent.mkdir()
    settings.write_text('policy = "public"\n')
    data.write_text(table(careless=60))
    assert run(*SCAN, "-o", "first.json", **today).returncode == 1

    for finding in json.loads((tmp_path / "first.json").read_text())["findings"]:
        if finding["severity"] in ("high", "critical"):
            words = ("--reason", "r", "--owner", "o", "--expires", "2027-01-31", "--report", "first.json")
            done = run("accept", finding["code"], ",".join(finding["subject"]), *words, **today)
            assert done.returncode == 0, done.stderr
    assert run(*SCAN, **today).returncode == 0
    git("add", "-A")
    git("commit", "-qm", "Table and acceptances")

    git("switch", "-qc", "branch")
    data.write_text(table(careless=120))
    from_main = (*SCAN, "--policy-from", "main")
    assert run(*SCAN, **today).returncode == 1
    assert run(*from_main, **today).returncode == 1

    settings.write_text('policy = "public"\nfail_on = "critical"\n')
    assert run(*SCAN, **today).returncode == 0, "the looser settings of the branch would pass"
    assert run(*from_main, **today).returncode == 1
    data.write_text(table(careless=60))
    assert run(*from_main, **today).returncode == 0, "the acceptances of the main branch hold"
