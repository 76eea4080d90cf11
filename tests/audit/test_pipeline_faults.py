"""An error inside an attack or the advice costs that part; an error of a measuring stage ends the scan."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

import privaudit

SECRET = "cell-78-05-1120"
ROWS = "".join(f"{20 + i % 30},{'fm'[i % 2]},{1000 + i % 9}\n" for i in range(120))


def fails(*_: Any, **__: Any) -> Any:
    raise ValueError(SECRET)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text("age,sex,zip\n" + ROWS, encoding="utf-8")
    return path


def scanned(table: Path) -> Any:
    return privaudit.scan(table, ner=False, auxiliary=table, quasi=("age", "sex", "zip"))


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(
    ("part", "module", "function", "lost"),
    [
        ("advice", "privaudit.advice.advise", "advise", "advice"),
        ("linkage", "privaudit.attacks.links.linkage", "_link", "attacks"),
    ],
)
def test_a_part_that_fails_costs_this_part_only(
    part: str, module: str, function: str, lost: str, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = scanned(table)
    home = importlib.import_module(module)
    monkeypatch.setattr(home, function, fails)
    report = scanned(table)
    (limit,) = (found for found in report.limits if found.code == "pipeline.part_failed")
    assert limit.incomplete and limit.what == part and "ValueError" in limit.why
    assert report.gate().exit_code == 3 and set(map(str, getattr(report, lost))) < set(map(str, getattr(whole, lost)))
    assert report.risk == whole.risk and report.columns == whole.columns
    assert SECRET not in report.to_json() and SECRET not in limit.why


@pytest.mark.parametrize("function", ["source.profile.profile", "detect.detection.detect", "risk.assess"])
def test_a_measuring_stage_that_fails_ends_the_scan(
    function: str, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"privaudit.{function}", fails)
    with pytest.raises(privaudit.PrivauditError, match="Internal error in stage") as caught:
        scanned(table)
    assert caught.value.exit_code == 4 and SECRET not in str(caught.value)


def test_the_report_holds_the_outcome_of_every_check(table: Path) -> None:
    checks = json.loads(scanned(table).to_json())["checks"]
    fired = {check["code"] for check in checks if check["state"] == "fired"}
    assert {check["state"] for check in checks} >= {"fired", "passed"}
    assert fired == {found.code for found in scanned(table).findings}
