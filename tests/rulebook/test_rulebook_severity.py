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
    with pytest.raises(privaudit.PrivauditError):
        load_policy(policy(tmp_path, 'SEN003 = "grave"'))


def test_a_check_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(privaudit.PrivauditError, match="SEN999"):
        severities(policy=policy(tmp_path, 'SEN999 = "high"'))
