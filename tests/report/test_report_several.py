"""Documents about several tables: valid, complete, and obeying no name of a table or column."""

from __future__ import annotations

import dataclasses
import io
import json
import re
import unicodedata
from types import ModuleType
from typing import Any
from xml.etree import ElementTree as xml

import jsonschema
import pandas as pd
import pytest

import privaudit
from privaudit.base.errors import UnsupportedFormat
from privaudit.model import Report
from privaudit.report import formats
from privaudit.report.entries import TableEntry, TableLink
from privaudit.report.pages import index_page
from tests.helpers.xsd import Schema
from tests.report.test_report_services import SCHEMAS, huge_names

FORMATS = tuple(entry.name for entry in formats.REGISTRY.values() if entry.several)
EDITIONS = ("full", "public")


def named(report: Report, name: str) -> Report:
    return dataclasses.replace(report, dataset=dataclasses.replace(report.dataset, name=name, path=name))


@pytest.fixture(scope="module")
def entries(sample: ModuleType) -> list[TableEntry]:
    tables = [named(sample.example(), "people.csv"), named(sample.small(limits=(sample.incomplete(),)), "places.csv")]
    scanned = [TableEntry(name=one.dataset.name, report=one) for one in tables]
    return [*scanned, TableEntry(name="broken.csv", error="broken.csv is damaged.")]


@pytest.fixture(scope="module")
def hostile(sample: ModuleType) -> list[TableEntry]:
    tables = (huge_names(sample), sample.hostile_report())
    broken = [TableEntry(name=f"{name}\x1b[31m\u202e", error=f"::error::{name}") for name in sample.HOSTILE]
    return [*(TableEntry(name=one.dataset.name, report=one) for one in tables), *broken]


def render(format: str, found: list[TableEntry], edition: Any = "full") -> str:
    return formats.select_several(format, edition).render_several(found, edition)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("case", ["entries", "hostile"])
def test_documents_are_valid(request: pytest.FixtureRequest, case: str, edition: str) -> None:
    found = request.getfixturevalue(case)
    sarif = json.loads((SCHEMAS / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(render("sarif", found, edition)), sarif)
    gitlab = json.loads((SCHEMAS / "gitlab-code-quality.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(render("gitlab", found, edition)), gitlab)
    assert not Schema(SCHEMAS / "junit-10.xsd").errors(render("junit", found, edition))


@pytest.mark.parametrize("format", FORMATS)
def test_every_table_is_named_also_the_one_that_was_not_read(entries: list[TableEntry], format: str) -> None:
    text = render(format, entries)
    assert all(entry.name in text.replace("\\.", ".") for entry in entries)


def test_sarif_is_one_run_whose_results_are_at_their_tables(entries: list[TableEntry]) -> None:
    (run,) = json.loads(render("sarif", entries))["runs"]
    assert [one["executionSuccessful"] for one in run["invocations"]][-1] is False
    assert len(run["invocations"]) == len(entries)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    assert all(rules[one["ruleIndex"]] == one["ruleId"] for one in run["results"] if "ruleIndex" in one)
    reported = {entry.name: entry.report for entry in entries if entry.report is not None}
    for name, report in reported.items():
        places = [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in run["results"]]
        assert places.count(name) == len(report.findings)
    identities = [one["partialFingerprints"]["privauditFinding/v1"] for one in run["results"]]
    assert len(identities) == len(set(identities))


@pytest.mark.parametrize("format", FORMATS)
def test_a_document_about_one_table_is_the_report_of_the_table(sample: ModuleType, format: str) -> None:
    report = sample.example()
    if format != "md":  # whose summary of several tables has fewer sections
        entry = TableEntry(name=report.dataset.name, report=report)
        assert render(format, [entry]) == formats.REGISTRY[format].render(report)


def test_junit_counts_the_cases_of_all_tables(entries: list[TableEntry]) -> None:
    root = xml.fromstring(render("junit", entries))
    assert int(root.get("tests", "0")) == len(root.findall(".//testcase"))
    assert int(root.get("errors", "0")) == len(root.findall(".//error")) > 0
    groups = {case.get("classname", "").rpartition(".")[0] for case in root.iter("testcase")}
    assert groups == {entry.name for entry in entries}


def test_annotations_of_one_table_do_not_hide_another(sample: ModuleType) -> None:
    tables = [named(sample.example(), f"t{i}.csv") for i in range(5)]
    lines = render("github", [TableEntry(name=one.dataset.name, report=one) for one in tables]).splitlines()
    errors = [line for line in lines if line.startswith("::error")]
    assert len(errors) == 10 and all(any(f"file=t{i}.csv," in line for line in errors) for i in range(5))


@pytest.mark.parametrize("format", FORMATS)
def test_names_are_inert(hostile: list[TableEntry], format: str) -> None:
    text = render(format, hostile)
    assert not {char for char in text if unicodedata.category(char) in ("Cc", "Cf") and char not in "\n\t"}
    assert "n" * 3_000 not in text
    assert "<script>" not in text or format in ("sarif", "gitlab", "github")
    commands = [line for line in text.splitlines() if line.lstrip().startswith("::")]
    assert all(re.match(r"::(error|warning|notice) file=[^,:]*,line=1,title=[^,:]*::", line) for line in commands)
    assert format == "github" or not commands


def test_the_index_on_a_terminal_is_inert(hostile: list[TableEntry]) -> None:
    stream = io.StringIO()
    index_page.show(index_page.rows(hostile), stream)
    text = stream.getvalue()
    assert not {char for char in text if unicodedata.category(char) in ("Cc", "Cf") and char != "\n"}
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())


def test_a_format_of_one_table_is_refused_with_those_for_several() -> None:
    with pytest.raises(UnsupportedFormat, match="sarif"):
        formats.select_several("html", "full")


def test_the_index_lists_the_worst_table_first_with_a_matrix_and_a_graph_of_keys(sample: ModuleType) -> None:
    tables = (named(sample.small(), "fine.csv"), named(sample.example(), "bad.csv"))
    found = [TableEntry(name=one.dataset.name, report=one) for one in tables]
    link = TableLink(rows="bad.csv", column="owner", keys="fine.csv", key="id", is_worse=True)
    page = index_page.html(found, [link])
    assert page.index('<th scope="row">bad.csv') < page.index('<th scope="row">fine.csv')
    drawn = re.findall(r"<svg viewBox.*?</svg>", page, re.S)
    assert len(drawn) == 2 and all("<desc>" in one and 'role="img"' in one for one in drawn)
    matrix, graph = page.split('<figure class="chart">')[1:]
    open_codes = {one.code for one in tables[1].findings if one.status == "open"}
    assert open_codes == set(re.findall(r'<th scope="col">([A-Z]+[0-9]+)</th>', matrix))
    assert "<td>owner</td><td>fine.csv</td><td>id</td><td>yes</td>" in graph
    assert '<line class="s-bad"' in graph


def test_the_index_of_tables_without_a_key_in_common_has_no_graph(sample: ModuleType) -> None:
    found = [TableEntry(name=f"t{i}.csv", report=sample.example()) for i in range(2)]
    assert "chart-links" not in index_page.html(found) and index_page.html(found).count("<figure") == 1


def test_the_index_states_policies_and_equal_remarks_once(sample: ModuleType) -> None:
    report = sample.example()
    entries = [TableEntry(name=f"t{i}.csv", report=report) for i in range(2)]
    entries += [TableEntry(name=f"x{i}.csv", error="The file is empty.") for i in range(3)]
    page = index_page.html([*entries, TableEntry(name="y.csv", error="The file is damaged.")])
    assert page.count(f"“{report.policy.title}” (k = {report.policy.k})") == 1
    assert page.count("The file is empty.") == 1 and "x0.csv, x1.csv, x2.csv: The file is empty." in page
    assert '<p class="more">The file is damaged.</p>' in page
    assert "Judged by" not in index_page.html(entries[2:])


@pytest.mark.parametrize(("declared", "asks"), [(None, True), ("person", False)])
def test_a_table_of_unknown_rows_explains_how_to_state_what_a_row_is(declared: Any, asks: bool) -> None:
    # Columns whose names mean nothing: neither people nor things show.
    table = pd.DataFrame({"ts": range(200), "mode": ["ab", "cd", "xy", "zw"] * 50, "res": [i % 7 for i in range(200)]})
    report = privaudit.scan(table, unit=declared).wire
    assert report.gate_.exit_code == 3
    (row,) = index_page.rows([TableEntry(name="odd.csv", report=report)])
    assert ('unit = "object"' in row.remark) is asks
