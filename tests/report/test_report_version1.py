"""Reports of schema version 1 stay readable: they render, they can be judged again, and no number changes."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import privaudit
from privaudit import report
from privaudit.base import resources
from privaudit.model.wording.render import LEGACY_JUDGED

STORED = sorted((Path(__file__).parent / "stored").glob("*.json"))


def _numbers(value: Any, path: str = "") -> dict[str, float]:
    """Return every number of a JSON value by its path."""
    if isinstance(value, dict):
        return {k: v for key, item in value.items() for k, v in _numbers(item, f"{path}.{key}").items()}
    if isinstance(value, list):
        return {k: v for i, item in enumerate(value) for k, v in _numbers(item, f"{path}[{i}]").items()}
    return {path: value} if isinstance(value, int | float) and not isinstance(value, bool) else {}


def _renamed(path: str) -> str:
    path = path.replace(".facts.", ".measurements.").replace("risk.entity.", "risk.subject.")
    # Version 1 took the maximum over the values of each class; over all values it may be unbounded.
    return f"{path}_present" if path.endswith(".delta_disclosure") else path


@pytest.mark.parametrize("file", STORED, ids=lambda file: file.name)
def test_no_number_changes(file: Path) -> None:
    old = _numbers(json.loads(file.read_text(encoding="utf-8")))
    new = _numbers(json.loads(report.render(report.read(file), "json")))
    assert old
    for path, value in old.items():
        place = _renamed(path)
        detail = place.replace("].", "].detail.", 1) if place.startswith(".attacks[") else place
        assert value in (new.get(place), new.get(detail)), path


@pytest.mark.parametrize("edition", ["full", "public"])
@pytest.mark.parametrize("file", STORED, ids=lambda file: file.name)
def test_it_renders_in_every_format(file: Path, edition: Any) -> None:
    for name in ("html", "md"):
        assert report.render(report.read(file), name, edition=edition)


@pytest.mark.parametrize("file", STORED, ids=lambda file: file.name)
def test_upgraded_it_is_valid_and_reads_back(file: Path, tmp_path: Path) -> None:
    upgraded = report.read(file)
    report.write(upgraded, tmp_path / "r.json")
    assert dataclasses.replace(report.read(tmp_path / "r.json"), digest="") == upgraded
    jsonschema.validate(json.loads((tmp_path / "r.json").read_text(encoding="utf-8")), report.schema())


@pytest.mark.parametrize("file", STORED, ids=lambda file: file.name)
def test_the_stored_file_is_valid_by_the_schema_of_version_1(file: Path) -> None:
    schema = resources.path("reports", "schema", "report.v1.schema.json").read_text(encoding="utf-8")
    jsonschema.validate(json.loads(file.read_text(encoding="utf-8")), json.loads(schema))


@pytest.mark.parametrize("file", STORED, ids=lambda file: file.name)
def test_judging_again_finds_the_same(file: Path) -> None:
    before = report.read(file)
    after = privaudit.judge(file).wire
    assert {(f.code, f.subject) for f in after.findings} == {(f.code, f.subject) for f in before.findings}
    assert {(c.id, c.state) for c in after.controls} == {(c.id, c.state) for c in before.controls}
    assert not any(limit.code == LEGACY_JUDGED for limit in after.limits)
    assert any(limit.code == LEGACY_JUDGED for limit in before.limits)
    again = privaudit.judge(privaudit.judge(file)).wire
    assert again.limits == after.limits


@pytest.mark.parametrize("damage", ["columns", "risk", "attacks", "limits", "gate", "controls"])
@pytest.mark.parametrize("wrong", [None, 3, "SECRET", [3], {"a": 3}])
def test_a_damaged_file_is_refused_in_one_line(damage: str, wrong: Any, tmp_path: Path) -> None:
    from privaudit.base.errors import UnreadableSource

    data = json.loads(STORED[0].read_text(encoding="utf-8")) | {damage: wrong}
    (tmp_path / "r.json").write_text(json.dumps(data), encoding="utf-8")
    if damage == "risk" and wrong is None:
        assert report.read(tmp_path / "r.json").risk is None
        return
    with pytest.raises(UnreadableSource) as caught:
        report.read(tmp_path / "r.json")
    assert "SECRET" not in str(caught.value) and len(str(caught.value)) <= 300
