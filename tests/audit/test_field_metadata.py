"""Roles and acceptances in the metadata of fields: what they decide, and what decides over them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import privaudit
from privaudit.base.errors import ConfigError
from tests.conftest import Runner

ENTRY = {"code": "PII001", "reason": "test accounts", "owner": "data office", "expires": "2027-05-31"}
CLOCK = {"SOURCE_DATE_EPOCH": "1795000000"}


def _table(**metadata: dict[str, str]) -> pa.Table:
    cells = {
        "age": [str(20 + i % 4 * 10) for i in range(40)],
        "team": [f"team {i % 2}" for i in range(40)],
        "mail": [f"user{i}@gmail.com" for i in range(40)],
    }
    fields = [pa.field(name, pa.string(), metadata=metadata.get(name)) for name in cells]
    return pa.table(list(cells.values()), schema=pa.schema(fields))


def _roles(report: privaudit.ScanReport) -> dict[str, str]:
    return {column.name: column.role for column in report.wire.columns}


def _scan(source: Any, **settings: Any) -> privaudit.ScanReport:
    return privaudit.scan(source, ner=False, max_size=1, advice=False, **settings)


def _parquet(table: pa.Table, path: Path) -> Path:
    pq.write_table(table, path)
    return path


def _feather(table: pa.Table, path: Path) -> Path:
    feather.write_feather(table, path)
    return path


@pytest.mark.parametrize("form", ["memory", "parquet", "arrow"])
def test_roles_and_acceptances_of_fields_apply_in_every_form_with_a_schema(form: str, tmp_path: Path) -> None:
    table = _table(team={"privaudit.role": "sensitive"}, mail={"privaudit.accept": json.dumps(ENTRY)})
    source: Any = table
    if form == "parquet":
        source = _parquet(table, tmp_path / "t.parquet")
    elif form == "arrow":
        source = _feather(table, tmp_path / "t.arrow")
    report = _scan(source)
    assert _roles(report) == {"age": "quasi", "team": "sensitive", "mail": "direct"}
    assert {f.status for f in report.findings if f.subject == ("mail",) and f.code == "PII001"} == {"accepted"}
    (noted,) = [found for found in report.wire.limits if found.code == "source.field_metadata"]
    assert not noted.incomplete and '"team" and "mail"' in noted.what and "1 role and 1 acceptance" in noted.why


def test_the_settings_take_precedence_over_the_metadata() -> None:
    stated = _table(age={"privaudit.role": "none"}, team={"privaudit.role": "quasi"})
    assert _roles(_scan(stated)) == {"age": "none", "team": "quasi", "mail": "direct"}
    assert _roles(_scan(stated, role={"age": "quasi"}))["age"] == "quasi"
    assert _roles(_scan(stated, quasi=["age"])) == {"age": "quasi", "team": "none", "mail": "direct"}


def test_an_acceptance_of_the_settings_takes_precedence_over_that_of_the_field() -> None:
    stated = _table(mail={"privaudit.accept": json.dumps(ENTRY)})
    expired = {**ENTRY, "columns": ["mail"], "expires": "2020-01-01"}
    report = _scan(stated, accept=[expired])
    assert [entry.status for entry in report.wire.acceptances] == ["expired"]


def test_only_what_all_parts_of_a_table_state_applies(tmp_path: Path) -> None:
    for name, role in (("a", "none"), ("b", "quasi")):
        table = _table(age={"privaudit.role": role}, team={"privaudit.role": "sensitive"})
        _parquet(table, tmp_path / f"{name}.parquet")
    assert _roles(_scan(tmp_path, parts=True)) == {"age": "quasi", "team": "sensitive", "mail": "direct"}
    assert [c.role_inferred for c in _scan(tmp_path, parts=True).wire.columns if c.name == "age"] == [None]


@pytest.mark.parametrize(
    "metadata",
    [
        {"privaudit.role": "SECRETVALUE"},
        {"privaudit.accept": "SECRETVALUE"},
        {"privaudit.accept": "[" * 10_000},
        {"privaudit.accept": json.dumps({**ENTRY, "code": "SECRETVALUE"})},
        {"privaudit.accept": json.dumps({**ENTRY, "SECRETVALUE": 1})},
        {"privaudit.accept": json.dumps({**ENTRY, "expires": "2999-01-01"})},
        {"privaudit.accept": json.dumps([ENTRY, ENTRY])},
        {"privaudit.accept": json.dumps({**ENTRY, "code": "RUN001"})},
    ],
)
@pytest.mark.quick_cases(8)
def test_metadata_that_is_not_valid_is_an_error_that_does_not_repeat_it(metadata: dict[str, str]) -> None:
    with pytest.raises(ConfigError) as caught:
        _scan(_table(mail=metadata))
    assert "column mail" in caught.value.line() and "SECRETVALUE" not in caught.value.line()


def test_metadata_that_is_not_valid_can_be_ignored() -> None:
    broken = _table(mail={"privaudit.role": "person", "privaudit.accept": "yes"})
    assert _roles(_scan(broken, field_metadata=False)) == {"age": "quasi", "team": "quasi", "mail": "direct"}


def test_the_command_of_the_report_states_the_arguments_and_not_the_metadata() -> None:
    report = _scan(_table(age={"privaudit.role": "none"}), field_metadata=False)
    assert "field_metadata=False" in report.wire.command
    assert "role=" not in _scan(_table(age={"privaudit.role": "none"})).wire.command


def test_a_pull_request_cannot_accept_its_own_findings_in_the_file(
    git: Callable[..., None], run: Runner, tmp_path: Path
) -> None:
    (tmp_path / "privaudit.toml").write_text("ner = false\nfield_metadata = true\n")
    git("add", "-A")
    git("commit", "-qm", "Settings")
    roles = {name: {"privaudit.role": "none"} for name in ("age", "team", "mail")}
    _parquet(_table(**roles), tmp_path / "people.parquet")
    stated = json.loads(run("scan", "people.parquet", "-q", "-o", "-", **CLOCK).stdout)
    assert {column["role"] for column in stated["columns"]} == {"none"}
    judged = run("scan", "people.parquet", "-q", "-o", "-", "--policy-from", "main", **CLOCK)
    report = json.loads(judged.stdout)
    assert judged.returncode == 1
    assert [column["role"] for column in report["columns"]] == ["quasi", "quasi", "direct"]
    assert "source.field_metadata_ignored" in {one["code"] for one in report["limits"]}
    shown = run("scan", "people.parquet", "--policy-from", "main", "--show-config", **CLOCK).stdout
    (line,) = [line for line in shown.splitlines() if line.startswith("field_metadata")]
    assert line.split()[1:] == ["no", "option", "--policy-from"]
    refused = run("scan", "people.parquet", "--policy-from", "main", "--field-metadata", **CLOCK)
    assert refused.returncode == 2
