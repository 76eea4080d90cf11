"""report.json: same report, same bytes; back into the same records; its schema from the same records."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from privaudit import report
from privaudit.base import resources
from privaudit.base.errors import UnreadableSource
from privaudit.model import Report
from privaudit.report import json as wire

KINDS = ("example", "bare_report", "hostile_report")


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_written_is_read_back(sample: ModuleType, kind: str, tmp_path: Path) -> None:
    original = getattr(sample, kind)()
    report.write(original, tmp_path / "r.json")
    again = report.read(tmp_path / "r.json")
    # The digest is that of the file: a report in memory keeps the one it was read with, or has none.
    assert dataclasses.replace(again, digest=original.digest) == original
    assert report.render(again, "json") == (tmp_path / "r.json").read_text(encoding="utf-8")


def _without_sentences(value: Any) -> Any:
    """Return plain JSON without the derived sentences of facts and limits."""
    if isinstance(value, dict):
        derived = ("text", "what", "why") if {"code", "values"} <= set(value) else ()
        return {key: _without_sentences(item) for key, item in value.items() if key not in derived}
    return [_without_sentences(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("kind", KINDS)
def test_the_writer_agrees_with_pydantic_but_for_the_sentences(sample: ModuleType, kind: str) -> None:
    made = getattr(sample, kind)()
    written = _without_sentences(json.loads(report.render(made, "json")))
    written["digest"] = made.digest
    assert written == TypeAdapter(Report).dump_python(made, mode="json", by_alias=True)


def test_facts_and_limits_have_their_sentences(sample: ModuleType) -> None:
    data = json.loads(report.render(sample.example(), "json"))
    for finding in data["findings"]:
        assert finding["message"]["code"] == finding["code"] and len(finding["message"]["text"]) > 20
    for limit in data["limits"]:
        assert limit["what"] and limit["why"]
    for column in data["columns"]:
        assert all(reason["text"] for reason in column["role_because"])


def test_the_shipped_schema_is_that_of_the_records() -> None:
    """After a change of the records: PRIVAUDIT_UPDATE_GOLDEN=1 pytest tests/report, and look at the difference."""
    file = resources.path("reports", "schema", "report.v2.schema.json")
    schema = json.dumps(report.schema(), ensure_ascii=False, indent=2) + "\n"
    if os.environ.get("PRIVAUDIT_UPDATE_GOLDEN"):
        file.write_text(schema, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == schema


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("kind", KINDS)
def test_reports_are_valid_by_the_schema(sample: ModuleType, kind: str) -> None:
    schema = report.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(json.loads(report.render(getattr(sample, kind)(), "json")))


def test_keys_of_the_contract_are_there(sample: ModuleType) -> None:
    data = json.loads(report.render(sample.example(), "json"))
    expected = (
        "schema_version tool generated_at seed command dataset policy columns combinations risk potential pictures "
        "cells attacks findings acceptances answers baseline checks controls advice limits gate timings files digest"
    )
    assert list(data) == expected.split()
    assert data["columns"][0]["is"]["entity"] == "PERSON_ID" and "kind" in data["columns"][0]
    assert "is_" not in data["columns"][0]


@given(st.permutations(["2", "5", "11", "100", "b", "a"]))
@settings(max_examples=20)
def test_order_of_free_mappings_does_not_matter(keys: list[str]) -> None:
    assert list(wire.plain(dict.fromkeys(keys, 1))) == ["2", "5", "11", "100", "a", "b"]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_are_written_exactly(value: float) -> None:
    assert json.loads(json.dumps(wire.plain(value))) == value


def test_odd_numbers_become_plain_ones() -> None:
    assert wire.plain(float("nan")) is None
    assert wire.plain(np.int64(3)) == 3
    assert type(wire.plain(np.float64(0.5))) is float
    assert wire.plain({"x": (np.float64("inf"),)}) == {"x": [None]}
    assert wire.plain("a\udcffb") == "a?b"
    with pytest.raises(TypeError, match="bytes"):
        wire.plain(b"raw")


def _damage(data: dict[str, Any], change: str) -> object:
    if change == "version":
        data["schema_version"] = "3"
    elif change == "no version":
        del data["schema_version"]
    elif change == "missing key":
        del data["dataset"]
    elif change == "type":
        data["columns"][0]["n_rows"] = "SECRET-CELL"
    elif change == "unknown role":
        data["columns"][0]["role"] = "SECRET-CELL"
    elif change == "interval":
        data["columns"][0]["is"]["share"]["low"] = 2.0
    elif change == "sentence":
        data["checks"][0]["message"] = "{SECRET-CELL!r}"
        data["findings"][0]["message"]["code"] = data["checks"][0]["code"]
    elif change == "list":
        return [data]
    return data


@pytest.mark.parametrize(
    "change", ["version", "no version", "missing key", "type", "unknown role", "interval", "sentence", "list"]
)
def test_another_shape_is_refused_in_one_line(sample: ModuleType, change: str, tmp_path: Path) -> None:
    made = sample.example(checks=(sample.check(),), findings=(sample.finding(30),))
    data = _damage(json.loads(report.render(made, "json")), change)
    if isinstance(data, dict):
        data["digest"] = wire.digest(data)
    (tmp_path / "r.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(UnreadableSource) as caught:
        report.read(tmp_path / "r.json")
    assert "SECRET" not in str(caught.value) and "\n" not in str(caught.value) and len(str(caught.value)) <= 300
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'"SECRET"', b"a,b\n1,2\n", b"\x00" * 10])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_bytes(content)
    with pytest.raises(UnreadableSource) as caught:
        report.read(tmp_path / "r.json")
    assert "SECRET" not in str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="cannot be opened"):
        report.read(tmp_path / "none.json")


def test_keys_of_a_later_version_are_tolerated(sample: ModuleType, tmp_path: Path) -> None:
    data = json.loads(report.render(sample.example(), "json")) | {"later": 1}
    data["digest"] = wire.digest(data)
    (tmp_path / "r.json").write_text(json.dumps(data), encoding="utf-8")
    read = report.read(tmp_path / "r.json")
    assert dataclasses.replace(read, digest="") == dataclasses.replace(sample.example(), digest="")


@pytest.mark.parametrize("change", [{"seed": 8}, {"later": 1}, {"digest": ""}, {"schema_version": "1"}])
def test_a_report_that_was_edited_is_not_read(sample: ModuleType, tmp_path: Path, change: dict[str, object]) -> None:
    data = json.loads(report.render(sample.example(), "json")) | change
    (tmp_path / "r.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(UnreadableSource, match=r"digest does not match|schema version"):
        report.read(tmp_path / "r.json")


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()


@settings(max_examples=200, deadline=None)
@given(st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20))
def test_the_text_of_a_file_is_that_of_the_json_of_python(content: Any) -> None:
    assert wire.text_of(content) == json.dumps(content, ensure_ascii=False, indent=2) + "\n"
