"""The Python interface: typed options, frames, readable texts, one name where a list of one is meant."""

from __future__ import annotations

import dataclasses
import inspect
import subprocess
import sys
import types
from pathlib import Path

import pytest

import privaudit
from privaudit.api import remedies as api_remedies
from privaudit.api import scans as api
from privaudit.settings.config import Settings
from privaudit.settings.options import AttackOptions, RemedyOptions, ScanOptions
from tests.helpers.paths import ROOT


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> privaudit.ScanReport:
    file = tmp_path_factory.mktemp("table") / "people.csv"
    rows = [f"{20 + i % 60},{'FM'[i % 2]},Town {i % 9},p{i}@example.org" for i in range(300)]
    file.write_text("\n".join(["age,sex,town,mail", *rows]) + "\n")
    return privaudit.scan(file, ner=False, quasi="age", keep="sex", framework="gdpr")


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (api.scan, ScanOptions),
        (api.attack, AttackOptions),
        (api_remedies.plan, RemedyOptions),
        (api_remedies.remedy, RemedyOptions),
    ],
)
def test_every_setting_is_a_typed_option_once(function: types.FunctionType, options: type) -> None:
    not_settings = {"source", "release", "progress", "scores", "config", "advice", "cache", "settings", "options"}
    not_settings |= {"drop", "key", "plan", "output", "target", "original", "control", "earlier", "pictures"}
    not_settings |= {"reconstruct", "published", "cells", "edition", "reports", "described"}
    code = function.__code__  # the signature lists the options as well
    named = set(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]) - not_settings
    known = {field.name for field in dataclasses.fields(Settings)}
    known -= set() if options is AttackOptions else {"anonymised", "linkage"}  # about attacks alone
    typed = set(options.__annotations__) | set(ScanOptions.__annotations__)
    assert (named | typed) - not_settings == known
    assert not named & set(options.__annotations__)
    assert set(inspect.signature(function).parameters) >= named | set(options.__annotations__)


@pytest.mark.slow
def test_a_type_checker_accepts_right_options_and_finds_wrong_ones(tmp_path: Path) -> None:
    file = tmp_path / "use.py"
    file.write_text(
        "import privaudit\n"
        "privaudit.scan('a.csv', quasi='age', role={'a': 'quasi'}, budget='60s', fail_on='high')\n"
        "privaudit.scan('a.csv', colour=1)\n"
        "privaudit.scan('a.csv', missing='somehow')\n"
        "privaudit.remedy('a.csv', drop='b', choose='two')\n"
        "reveal_type(privaudit.scan('a.csv').findings.at_least('high'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--follow-imports=silent", str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    errors = [line for line in done.stdout.splitlines() if "use.py" in line and "error" in line]
    assert [int(line.split(":")[1]) for line in errors] == [3, 4, 5], done.stdout
    assert "Findings" in done.stdout


def test_one_name_stands_for_a_list_of_one(report: privaudit.ScanReport) -> None:
    assert [column.name for column in report.columns if column.role == "quasi"] == ["age"]
    assert {control.framework for control in report.controls} == {"gdpr"}


def test_frames_have_a_row_for_each_record(report: privaudit.ScanReport) -> None:
    for part in (report.findings, report.combinations, report.advice):
        frame = part.to_frame()
        assert len(frame) == len(part) > 0
    assert list(report.findings.to_frame()["code"]) == [finding.code for finding in report.findings]
    assert set(report.to_frame()["column"]) == {"age", "sex", "town", "mail"}


def test_frames_of_nothing_have_their_columns(report: privaudit.ScanReport) -> None:
    for part in (report.findings, report.combinations, report.advice):
        assert list(type(part)().to_frame().columns) == list(part.to_frame().columns)


def test_texts_are_short_and_contain_the_numbers(report: privaudit.ScanReport) -> None:
    for value in (report, report.findings, report.combinations, report.advice, report.gate()):
        assert len(repr(value)) < 160 and "object at" not in repr(value)
    assert "high" in repr(report.findings) or "critical" in repr(report.findings)
    assert repr(privaudit.Findings()) == "Findings(none)"


def test_show_prints_outside_of_a_notebook(report: privaudit.ScanReport, capsys: pytest.CaptureFixture[str]) -> None:
    report.show()
    assert "Do not release" in capsys.readouterr().out


def test_show_displays_html_in_a_notebook(report: privaudit.ScanReport, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    shell = type("ZMQInteractiveShell", (), {})()
    core, display = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    core.get_ipython = lambda: shell  # type: ignore[attr-defined]
    display.HTML, display.display = str, shown.append  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", core)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    report.show()
    assert len(shown) == 1 and shown[0].startswith("<div") and "Do not release" in shown[0]


def test_a_table_in_place_of_a_report_names_the_function_for_tables(report: privaudit.ScanReport) -> None:
    for other in ({"age": [1]}, None):
        with pytest.raises(privaudit.ConfigError, match=r"is not a report.*compare_tables"):
            privaudit.compare(report, other)


def test_a_report_compared_with_itself_has_no_differences(report: privaudit.ScanReport) -> None:
    found = privaudit.compare(report, report)
    assert found.exit_code == 0 and not (found.new or found.worse or found.better or found.gone)
    assert set(found.to_frame()["state"]) == {"same"}
    assert repr(found) == "Comparison(0 new, 0 worse, 0 better, 0 gone; exit code 0)"
