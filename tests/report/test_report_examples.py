"""The examples that ship are what the pipeline makes of the fixtures today, and satisfy the properties of every report.

A changed example is accepted on purpose: run ``make examples``, then read the difference.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import re
from pathlib import Path

import pytest

from privaudit import report
from privaudit.model import Report
from privaudit.model.wording.render import FULL, Edition
from privaudit.report import view
from privaudit.report.sections import first_steps, verdict
from privaudit.report.sentences import wording_of

FOLDER = Path(__file__).resolve().parents[2] / "reports" / "examples"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The example scanned afresh."""
    spec = importlib.util.spec_from_file_location("make_examples", FOLDER / "make.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = module.scan(tmp_path_factory.mktemp("example"))
    assert isinstance(found, Report)
    return found


@pytest.fixture(scope="module")
def stored() -> Report:
    return report.read(FOLDER / "example.json")


@pytest.mark.slow
def test_the_stored_example_is_what_the_pipeline_makes(made: Report, stored: Report) -> None:
    comparable = dataclasses.replace(made, tool=stored.tool, generated_at=stored.generated_at, digest=stored.digest)
    for field in dataclasses.fields(Report):
        assert getattr(comparable, field.name) == getattr(stored, field.name), f"{field.name}: run `make examples`"


@pytest.mark.parametrize("format", ["html", "json", "md"])
def test_the_stored_files_are_rendered_from_the_stored_report(stored: Report, format: str) -> None:
    text = (FOLDER / f"example.{format}").read_text(encoding="utf-8")
    assert text == report.render(stored, format), f"example.{format} differs: run `make examples`"


def test_every_finding_belongs_to_a_check_that_fired(stored: Report) -> None:
    states = {check.code: check.state for check in stored.checks}
    assert states, "the report lists the outcome of every check"
    assert {finding.code for finding in stored.findings} == {code for code, state in states.items() if state == "fired"}


def test_no_step_treats_a_column_that_an_earlier_step_drops(stored: Report) -> None:
    plan = next(remedy for remedy in stored.advice if remedy.parameters.get("steps") and remedy.resolves)
    dropped = [step["column"] for step in plan.parameters["steps"] if step["technique"] == "drop"]
    linked = next(finding for finding in stored.findings if finding.code == "LNK001")
    assert set(linked.subject) & set(dropped)  # else the example shows nothing
    drop, *later = (step.text for step in first_steps.steps(stored, wording_of(stored)))
    assert all(f'"{column}"' in drop for column in dropped)
    assert not any(f'"{column}"' in text for column in dropped for text in later)


@pytest.mark.parametrize("edition", ["full", "public"])
def test_information_is_kept_in_part_only_where_a_quasi_identifier_changes(stored: Report, edition: Edition) -> None:
    quasi = set(stored.risk.quasi_identifiers)
    rows = view.build(stored, edition)["remedies"]["rows"]
    treatments = [treatment for row in rows for treatment in (row["choices"] or [row])]
    changes = [bool(quasi & set(treatment["columns"])) for treatment in treatments]
    assert set(changes) == {True, False}
    states = [bool(re.search(r"information kept: [<>\d]", treatment["text"], re.I)) for treatment in treatments]
    assert states == [change and edition == "full" for change in changes]


def test_the_tile_and_the_list_of_findings_differ_by_what_the_tile_states(stored: Report) -> None:
    tile = verdict.tiles(stored, wording_of(stored))[-1]
    counts = view.build(stored)["findings"]["counts"]
    assert int(tile["value"]) < sum(int(count["n"]) for count in counts)
    assert "same cause count once" in tile["note"]


def test_every_reason_of_the_gate_is_shown(stored: Report) -> None:
    page = view.build(stored)
    findings = [reason for reason in stored.gate_.reasons if reason.code == "gate.finding"]
    codes = [FULL.value(reason.values["code"]) for reason in findings]
    assert len(codes) > 8 and {*codes} <= {row["code"] for row in page["findings"]["rows"]}
    others = {reason.code for reason in stored.gate_.reasons} - {"gate.finding", "gate.more_findings"}
    assert len(page["verdict"]["reasons"]) == sum(reason.code in others for reason in stored.gate_.reasons)
