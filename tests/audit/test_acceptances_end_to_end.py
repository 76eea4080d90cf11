"""A person accepts findings with the command: the scan passes, until the data get worse or the last day has passed."""

from __future__ import annotations

import json
import random
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

import privaudit
from privaudit.base import clock
from privaudit.base.errors import ConfigError

TODAY = {"SOURCE_DATE_EPOCH": str(int(datetime(2026, 11, 2, tzinfo=UTC).timestamp()))}
AFTER = {"SOURCE_DATE_EPOCH": str(int(datetime(2027, 5, 2, tzinfo=UTC).timestamp()))}
LAST_DAY = "2027-05-01"
WHO = ("--reason", "reviewed by the board", "--owner", "data owner", "--expires", LAST_DAY)


def write_table(path: Path, *, youngest: int = 30, oldest: int = 60, seed: int = 5) -> Path:
    """Write 400 people; the more ages, the more of them are unique."""
    draw = random.Random(seed)
    lines = ["age,sex,postcode,diagnosis"]
    for _ in range(400):
        place = draw.choice(["10115", "20095", "80331", "50667"])
        illness = draw.choice(["flu", "asthma", "diabetes", "gout"])
        lines.append(f"{draw.randint(youngest, oldest)},{draw.choice('MF')},{place},{illness}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def scan(run: Any, folder: Path, *options: str, **environment: str) -> tuple[int, dict[str, Any]]:
    """Scan the table and return the exit code and the report."""
    target = folder / "risk.json"
    target.unlink(missing_ok=True)
    done = run("scan", folder / "people.csv", "--no-ner", "-q", "-o", target, *options, **environment)
    return done.returncode, json.loads(target.read_text(encoding="utf-8"))


def failing(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [f for f in report["findings"] if f["status"] == "open" and f["severity"] in ("high", "critical")]


def codes(report: dict[str, Any], status: str = "open") -> set[str]:
    return {f["code"] for f in report["findings"] if f["status"] == status}


def accept_all(run: Any, folder: Path, report: dict[str, Any], *options: str) -> None:
    for finding in failing(report):
        columns = ",".join(finding["subject"]) or "*"
        done = run("accept", finding["code"], columns, *WHO, *options, **TODAY)
        assert (done.returncode, done.stderr) == (0, "")
        has_bound = bool(options) and finding["observed"] is not None
        assert has_bound == ("unless the measured value becomes worse than" in done.stdout)


def test_accepted_findings_pass_until_they_get_worse_or_expire(run: Any, tmp_path: Path) -> None:
    write_table(tmp_path / "people.csv")
    code, before = scan(run, tmp_path, **TODAY)
    assert code == 1 and len(failing(before)) > 5

    accept_all(run, tmp_path, before, "--report", str(tmp_path / "risk.json"))
    code, accepted = scan(run, tmp_path, **TODAY)
    assert code == 0
    assert codes(accepted, "accepted") == {f["code"] for f in failing(before)}
    assert {a["status"] for a in accepted["acceptances"]} == {"used"}
    assert accepted["risk"] == before["risk"] and accepted["columns"] == before["columns"]
    assert run("gate", tmp_path / "risk.json", **TODAY).returncode == 0

    write_table(tmp_path / "people.csv", youngest=18, oldest=80)
    code, worse = scan(run, tmp_path, **TODAY)
    assert code == 1 and "RUN006" in codes(worse)
    assert "exceeded" in {a["status"] for a in worse["acceptances"]}

    write_table(tmp_path / "people.csv")
    assert scan(run, tmp_path, **TODAY)[0] == 0
    code, expired = scan(run, tmp_path, **AFTER)
    assert code == 1 and "RUN004" in codes(expired) and not codes(expired, "accepted")
    assert {a["status"] for a in expired["acceptances"]} == {"expired"}


def test_a_build_that_states_an_earlier_day_does_not_prolong_an_acceptance(run: Any, tmp_path: Path) -> None:
    write_table(tmp_path / "people.csv")
    _, before = scan(run, tmp_path, **TODAY)
    accept_all(run, tmp_path, before)
    assert scan(run, tmp_path, **TODAY)[0] == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "day_of_the_clock", lambda: date(2027, 5, 2))
        code, expired = scan(run, tmp_path, **TODAY)
    assert code == 1 and "RUN004" in codes(expired) and not codes(expired, "accepted")
    assert expired["generated_at"] == "2026-11-02T00:00:00Z"


def test_a_saved_report_is_gated_and_judged_as_on_the_day(run: Any, tmp_path: Path) -> None:
    write_table(tmp_path / "people.csv")
    _, before = scan(run, tmp_path, **TODAY)
    stored = tmp_path / "before.json"
    stored.write_bytes((tmp_path / "risk.json").read_bytes())
    accept_all(run, tmp_path, before)
    assert run("gate", stored).returncode == 1
    assert run("judge", stored, "-q", "-o", tmp_path / "judged.json", **TODAY).returncode == 0
    assert run("gate", tmp_path / "judged.json", **TODAY).returncode == 0
    ended = run("gate", tmp_path / "judged.json", **AFTER)
    assert ended.returncode == 1 and "RUN004" in ended.stdout and "QI001" in ended.stdout
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", AFTER["SOURCE_DATE_EPOCH"])
        assert privaudit.load(tmp_path / "judged.json").gate().exit_code == 1
    assert run("gate", tmp_path / "judged.json", "--verify", tmp_path / "people.csv", **TODAY).returncode == 0
    assert run("gate", tmp_path / "judged.json", "--verify", tmp_path / "people.csv", **AFTER).returncode == 1
    assert run("judge", tmp_path / "judged.json", "-q", **AFTER).returncode == 1
    (tmp_path / "privaudit.toml").unlink()
    assert run("judge", tmp_path / "judged.json", "-q", **TODAY).returncode == 1


def test_python_takes_acceptances_as_mappings_and_keeps_those_of_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", TODAY["SOURCE_DATE_EPOCH"])
    table = write_table(tmp_path / "people.csv")
    before = privaudit.scan(table, ner=False)
    accept = [
        {"code": f.code, "columns": f.subject, "reason": "r", "owner": "o", "expires": LAST_DAY}
        for f in before.findings.at_least("high")
    ]
    after = privaudit.scan(table, ner=False, accept=accept)
    assert (before.gate().exit_code, after.gate().exit_code) == (1, 0)
    assert privaudit.judge(after).gate().exit_code == 0
    assert privaudit.judge(after, accept=[]).gate().exit_code == 1
    assert privaudit.judge(before, accept=accept).gate().exit_code == 0
    assert "accept" not in after.wire.command
    with pytest.raises(ConfigError, match="does not exist"):
        privaudit.scan(table, ner=False, accept=[{**accept[0], "code": "XX001"}])


@pytest.mark.slow
def test_every_format_lists_acceptances_and_declared_roles(run: Any, tmp_path: Path) -> None:
    write_table(tmp_path / "people.csv")
    _, before = scan(run, tmp_path, "--role", "postcode=none", **TODAY)
    accept_all(run, tmp_path, before)
    page, text = tmp_path / "r.html", tmp_path / "r.md"
    done = run("scan", tmp_path / "people.csv", "--no-ner", "--role", "postcode=none", "-o", page, "-o", text, **TODAY)
    assert done.returncode == 0
    for shown in (done.stdout, page.read_text(encoding="utf-8"), text.read_text(encoding="utf-8")):
        words = " ".join(shown.split())
        assert "Accepted findings" in words and "Declared roles" in words
        assert "reviewed by the board" in words and "data owner" in words and LAST_DAY in words
    public = tmp_path / "public.md"
    run("scan", tmp_path / "people.csv", "--no-ner", "-q", "--edition", "public", "-o", public, **TODAY)
    assert "reviewed by the board" in public.read_text(encoding="utf-8")


def test_a_column_that_was_declared_to_have_no_role_is_not_judged(run: Any, tmp_path: Path) -> None:
    write_table(tmp_path / "people.csv")
    _, before = scan(run, tmp_path, **TODAY)
    assert "GEO001" in codes(before)
    roles = [word for column in ("age", "sex", "postcode", "diagnosis") for word in ("--role", f"{column}=none")]
    _, after = scan(run, tmp_path, "--framework", "hipaa-safe-harbor", *roles, **TODAY)
    assert failing(after) == []
    outcome = next(check for check in after["checks"] if check["code"] == "GEO001")
    assert outcome["state"] == "not_measured" and "declared to have the role none" in outcome["gaps"][0]["text"]
    places = next(control for control in after["controls"] if control["id"] == "HIPAA-b2i-B")
    assert places["state"] == "not_measured"
    assert {c["name"]: c["role_inferred"] for c in after["columns"]}["postcode"] == "quasi"
    (tmp_path / "privaudit.toml").write_text('[role]\npostcode = "none"\n', encoding="utf-8")
    assert "GEO001" not in codes(scan(run, tmp_path, **TODAY)[1])


def test_what_single_cells_contain_is_judged_whatever_role_was_declared(run: Any, tmp_path: Path) -> None:
    rows = [f"order {n},{n % 7}" for n in range(200)]
    rows[5] = "card 4111 1111 1111 1111 please,5"
    (tmp_path / "people.csv").write_text("\n".join(["remark,x", *rows]) + "\n", encoding="utf-8")
    _, report = scan(run, tmp_path, "--role", "remark=none", **TODAY)
    assert codes(report) & {"PII002", "PII003"}
