"""A policy sets the severity of a check; special categories fail only where the classes do not protect them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import privaudit
from privaudit.rulebook import load_policy

ROWS = {
    "sex": ["F", "M"] * 100,
    "diagnosis": [["asthma", "diabetes", "migraine", "cancer"][i // 2 % 4] for i in range(200)],
}


def policy(folder: Path, severity: str) -> str:
    file = folder / "own.toml"
    text = f'name = "own"\ntitle = "Own"\nextends = "controlled"\n[severity]\n{severity}\n'
    file.write_text(text)
    return str(file)


def severities(**options: object) -> dict[str, str]:
    report = privaudit.scan(pa.table(ROWS), ner=False, **options).wire
    return {finding.code: finding.severity for finding in report.findings}


def test_a_protected_special_category_is_a_question_and_does_not_fail() -> None:
    assert severities(policy="controlled")["SEN003"] == "medium"


def test_the_policy_sets_the_severity_of_a_check(tmp_path: Path) -> None:
    assert severities(policy=policy(tmp_path, 'SEN003 = "critical"'))["SEN003"] == "critical"


def test_a_severity_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(privaudit.PrivauditError, match=r'"severity.SEN003" in own.toml'):
        load_policy(policy(tmp_path, 'SEN003 = "grave"'))


def test_a_check_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(privaudit.PrivauditError, match="SEN999"):
        severities(policy=policy(tmp_path, 'SEN999 = "high"'))


def test_the_outcome_of_a_check_has_the_severity_of_the_policy(tmp_path: Path) -> None:
    report = privaudit.scan(pa.table(ROWS), ner=False, policy=policy(tmp_path, 'SEN003 = "critical"')).wire
    assert next(check.severity for check in report.checks if check.code == "SEN003") == "critical"


def test_a_column_declared_to_be_a_direct_identifier_is_one() -> None:
    table = pa.table({"code": [f"x{i % 31}z" for i in range(60)], "age": [30, 40, 50] * 20})
    report = privaudit.scan(table, policy="controlled", ner=False, role={"code": "direct"})
    found = next(f for f in report.findings if f.code == "PII001")
    assert (found.subject, found.n_people, found.severity) == (("code",), 60, "critical")
    plan = next(remedy for remedy in report.advice if remedy.technique == "plan")
    assert plan.passes and {"technique": "drop", "column": "code", "parameters": {}} in plan.parameters["steps"]


def test_explain_lists_the_severity_that_the_given_policy_sets(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\ntitle = "Mine"\nextends = "controlled"\n[severity]\nQI005 = "critical"\n')
    assert "critical under the policy mine" in privaudit.explain("QI005", policy=file)
    assert "mine" not in privaudit.explain("QI005")
    assert privaudit.explain("QI005", policy="controlled") == privaudit.explain("QI005")
    assert "k = 5" in privaudit.explain("mine", policy=file)
