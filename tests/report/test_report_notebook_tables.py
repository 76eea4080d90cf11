"""Parts of a report in a notebook: each shows itself without a cell of the table, and arguments are completed."""

from __future__ import annotations

import inspect
import typing
from dataclasses import fields
from pathlib import Path

import pytest

import privaudit
from privaudit.settings.config import Settings
from privaudit.settings.options import AttackOptions, ReadingOptions, RemedyOptions, ScanOptions

NAMES = ("Zebediah Quorx", "Anna Mwangi")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [f"{NAMES[i % 2]},{20 + i % 30},{'FM'[i % 2]},<b>secretism</b>" for i in range(80)]
    found = tmp_path_factory.mktemp("notebook") / "people.csv"
    found.write_text("\n".join(["name,age,sex,religion", *rows]) + "\n", encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def report(file: Path) -> privaudit.ScanReport:
    return privaudit.scan(file, ner=False)


@pytest.mark.parametrize("part", ["risk", "columns", "findings", "advice", "combinations"])
def test_a_part_of_a_report_is_a_table_without_cells(report: privaudit.ScanReport, part: str) -> None:
    shown = getattr(report, part)._repr_html_()
    assert "<table" in shown and "age" in shown
    assert "Zebediah" not in shown and "secretism" not in shown and "<script" not in shown


@pytest.mark.slow
def test_a_plan_and_a_remedy_show_themselves(file: Path) -> None:
    plan, done = privaudit.plan(file, ner=False), privaudit.remedy(file, ner=False)
    for shown in (plan._repr_html_(), done._repr_html_()):
        assert "<table" in shown and "Zebediah" not in shown
    assert all(step.technique in plan._repr_html_() for step in plan.plan.steps)


def test_hostile_column_names_are_escaped(tmp_path: Path) -> None:
    file = tmp_path / "hostile.csv"
    rows = [f"{20 + i % 30},{'FM'[i % 2]}" for i in range(60)]
    file.write_text("\n".join(["age,<script>alert(1)</script>", *rows]) + "\n", encoding="utf-8")
    found = privaudit.scan(file, ner=False)
    for part in (found.columns, found.findings, found.advice, found.combinations, found.risk):
        assert "<script" not in part._repr_html_()


def test_what_is_shown_equals_the_record(report: privaudit.ScanReport) -> None:
    assert report.risk == report.wire.risk and report.wire.risk == report.risk
    assert report.columns == report.wire.columns
    assert report.columns.to_frame().equals(report.to_frame())


FUNCTIONS = {
    "scan": ScanOptions,
    "attack": AttackOptions,
    "plan": RemedyOptions,
    "remedy": RemedyOptions,
    "release": ReadingOptions,
    "scan_many": ScanOptions,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_setting_is_a_keyword_argument(name: str) -> None:
    found = inspect.signature(getattr(privaudit, name)).parameters
    assert set(typing.get_type_hints(FUNCTIONS[name])) <= set(found)
    assert not [one for one in found.values() if one.kind is inspect.Parameter.VAR_KEYWORD]
    assert all(one.annotation is not inspect.Parameter.empty for one in found.values())


def test_defaults_in_signatures_are_those_of_the_settings() -> None:
    found = inspect.signature(privaudit.scan).parameters
    plain = Settings()
    for item in fields(Settings):
        if item.name in found and item.name not in ("framework",) and found[item.name].default not in (None,):
            assert found[item.name].default == getattr(plain, item.name), item.name
