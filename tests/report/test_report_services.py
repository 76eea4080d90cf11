"""The formats of services are valid, show every open finding and every pass, and obey no name of the table."""

from __future__ import annotations

import dataclasses
import html
import json
import re
import unicodedata
from types import ModuleType
from typing import Any
from xml.etree import ElementTree as xml

import jsonschema
import pytest

from privaudit import report as reports
from privaudit.model import Acceptance, Report, fails
from privaudit.report import formats, markdown
from privaudit.report.sections.verdict import headline
from tests.helpers.paths import ROOT
from tests.helpers.xsd import Schema

SCHEMAS = ROOT / "tests" / "reference" / "schemas"
SERVICES = ("sarif", "junit", "gitlab", "github")
TEXTS = (*SERVICES, "md", "html", "json")


@pytest.fixture(scope="module")
def sarif() -> Any:
    schema = json.loads((SCHEMAS / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
    return jsonschema.Draft4Validator(schema, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)


def accepted(report: Report) -> Report:
    """Return the report with its first finding accepted and the second known to a baseline."""
    first, second, *others = report.findings
    entry = Acceptance(
        code=first.code,
        columns=first.subject,
        reason="under contract",
        owner="Ada",
        expires="2027-01-01",
        status="used",
        findings=(first.fingerprint,),
    )
    first = dataclasses.replace(first, status="accepted")
    second = dataclasses.replace(second, status="baseline", change="same")
    return dataclasses.replace(report, findings=(first, second, *others), acceptances=(entry,))


def huge_names(sample: ModuleType) -> Report:
    """Return a report on columns whose names are long and steer."""
    parts = ("<script>", "::error::x\n", "\x1b[31m", "[red]", "\u202e", "\u200f", "a,b:c%", "##[error]", "]]>")
    names = tuple(f"{part}{'n' * 100_000}{part}" for part in parts)
    return sample.example(
        dataset=dataclasses.replace(sample.example().dataset, name=names[0], path="\n::error::/" + names[1]),
        columns=tuple(sample.column(name, role="quasi") for name in names),
        findings=tuple(sample.finding(3, name, fingerprint=str(i)) for i, name in enumerate(names)),
        limits=(sample.incomplete(),),
    )


def cases_of(sample: ModuleType) -> dict[str, Report]:
    return {
        "example": sample.example(),
        "accepted": accepted(sample.example()),
        "hostile": sample.hostile_report(),
        "huge": huge_names(sample),
        "bare": sample.bare_report(),
        "incomplete": sample.small(limits=(sample.incomplete(),)),
    }


CASES = ("example", "accepted", "hostile", "huge", "bare", "incomplete")


@pytest.mark.parametrize("edition", formats.EDITIONS)
@pytest.mark.parametrize("case", CASES)
def test_sarif_is_valid(sample: ModuleType, sarif: Any, case: str, edition: str) -> None:
    text = reports.render(cases_of(sample)[case], "sarif", edition=edition)
    errors = [f"{list(error.path)}: {error.message[:200]}" for error in sarif.iter_errors(json.loads(text))]
    assert not errors


@pytest.mark.parametrize("edition", formats.EDITIONS)
@pytest.mark.parametrize("case", CASES)
def test_junit_is_valid(sample: ModuleType, case: str, edition: str) -> None:
    assert not Schema(SCHEMAS / "junit-10.xsd").errors(reports.render(cases_of(sample)[case], "junit", edition=edition))


@pytest.mark.parametrize("edition", formats.EDITIONS)
@pytest.mark.parametrize("case", CASES)
def test_gitlab_is_valid(sample: ModuleType, case: str, edition: str) -> None:
    schema = json.loads((SCHEMAS / "gitlab-code-quality.json").read_text(encoding="utf-8"))
    rows = json.loads(reports.render(cases_of(sample)[case], "gitlab", edition=edition))
    jsonschema.validate(rows, schema)
    assert len({row["fingerprint"] for row in rows}) == len(rows)


def test_the_validator_of_junit_finds_errors() -> None:
    schema = Schema(SCHEMAS / "junit-10.xsd")
    assert schema.errors("<testsuites><testcase name='a'/></testsuites>")
    assert schema.errors("<testsuite name='a' tests='1' failures='0' errors='0' colour='red'/>")
    assert schema.errors("<testsuite tests='1' failures='0' errors='0'/>")


def results(report: Report) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(reports.render(report, "sarif"))["runs"][0]["results"]
    return found


def test_sarif_fingerprints_are_unique_and_depend_on_no_number(sample: ModuleType) -> None:
    report = sample.example()
    changed = dataclasses.replace(
        report,
        findings=tuple(
            dataclasses.replace(f, observed=0.123, n_people=1, n_total=2, confidence=0.5) for f in report.findings
        ),
    )
    fingerprints = [row["partialFingerprints"] for row in results(report)]
    assert sorted(map(str, fingerprints)) == sorted(map(str, (row["partialFingerprints"] for row in results(changed))))
    assert len({one["primaryLocationLineHash"] for one in fingerprints}) == len(report.findings)
    renamed = dataclasses.replace(report, dataset=dataclasses.replace(report.dataset, path="other/table.csv"))
    assert not {str(row["partialFingerprints"]) for row in results(renamed)} & set(map(str, fingerprints))


def test_sarif_suppresses_accepted_findings_with_their_reason_and_names_those_of_a_baseline(sample: ModuleType) -> None:
    found = results(accepted(sample.example()))
    suppressed = [row["suppressions"] for row in found if "suppressions" in row]
    assert len(suppressed) == 1
    assert suppressed[0][0]["justification"] == "under contract (Ada, until 2027-01-01)"
    assert [row["baselineState"] for row in found if "baselineState" in row] == ["unchanged"]


def test_sarif_has_help_for_every_rule_of_a_result(sample: ModuleType) -> None:
    run = json.loads(reports.render(sample.example(), "sarif"))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    for row in run["results"]:
        rule = rules[row["ruleIndex"]]
        assert rule["id"] == row["ruleId"] and "What to do" in rule["help"]["markdown"]


def test_junit_shows_a_case_for_each_check_and_column_and_fails_where_the_gate_fails(sample: ModuleType) -> None:
    report = sample.example()
    root = xml.fromstring(reports.render(report, "junit"))
    failing = [item for item in report.findings if fails(item, report.fail_on)]
    assert len(root.findall(".//failure")) == len(failing) > 0
    by_column = [check for check in report.checks if check.measure == "pii.rate" and check.state == "fired"]
    suite = next(one for one in root if one.get("name", "").startswith(by_column[0].code))
    named = {case.get("name", "").partition(" [")[0] for case in suite.findall("testcase")}
    assert named == {column.name for column in report.columns}
    passed = [case for case in root.iter("testcase") if not len(case)]
    assert len(passed) > len(failing)
    assert {check.code for check in report.checks} == {one.get("name", "").partition(" ")[0] for one in root}


def test_junit_counts_its_cases(sample: ModuleType) -> None:
    root = xml.fromstring(reports.render(accepted(sample.example()), "junit"))
    assert root.get("tests") == str(len(list(root.iter("testcase"))))
    assert sum(int(suite.get("skipped", 0)) for suite in root) == len(root.findall(".//skipped"))


def test_junit_of_a_very_wide_table_counts_what_it_does_not_list(sample: ModuleType) -> None:
    root = xml.fromstring(reports.render(sample.wide_report(1_000), "junit"))
    assert any("passed cases are not listed" in (out.text or "") for out in root.iter("system-out"))
    assert len(root.findall(".//failure")) == sum(
        fails(item, sample.example().fail_on) for item in sample.example().findings
    )


def test_gitlab_lists_open_findings_and_what_was_not_assessed(sample: ModuleType) -> None:
    report = accepted(sample.example(limits=(sample.incomplete(),)))
    rows = json.loads(reports.render(report, "gitlab"))
    assert len(rows) == len(report.findings) - 2 + 1
    assert rows[-1]["check_name"] == "not-assessed"


COMMAND = re.compile(r"::(error|warning|notice) file=[^,:]+,line=1,title=[^,:]+::[^\r\n]+")


@pytest.mark.parametrize("case", CASES)
def test_annotations_are_one_command_a_line_and_at_most_ten_of_a_kind(sample: ModuleType, case: str) -> None:
    lines = reports.render(cases_of(sample)[case], "github").splitlines()
    kinds = [match[1] for line in lines if (match := COMMAND.fullmatch(line))]
    assert len(kinds) == len(lines)
    assert all(kinds.count(kind) <= 10 for kind in kinds)


def test_annotations_beyond_ten_are_counted(sample: ModuleType) -> None:
    report = sample.small(
        findings=tuple(sample.finding(3, f"c{i}", fingerprint=str(i), group=str(i)) for i in range(25)),
        checks=(sample.check(),),
    )
    lines = reports.render(report, "github").splitlines()
    assert len(lines) == 10
    assert "16 more annotations" in lines[-1]


def test_annotations_are_grouped_as_in_the_report(sample: ModuleType) -> None:
    alike = tuple(sample.finding(3, f"c{i}", fingerprint=str(i)) for i in range(4))
    caused = tuple(sample.finding(2, f"d{i}", f"QI00{i}", fingerprint=f"d{i}", group="g") for i in range(2, 5))
    report = sample.small(findings=(*alike, *caused), checks=(sample.check(),))
    lines = reports.render(report, "github").splitlines()
    assert len(lines) == 2
    alike_line, caused_line = lines  # the finding about more people comes first
    assert "2 more findings with the same cause: QI003, QI004" in caused_line
    assert all(f'"c{i}"' in alike_line for i in range(1, 4))


@pytest.mark.parametrize("case", ["hostile", "huge"])
@pytest.mark.parametrize("format", TEXTS)
def test_names_of_the_table_are_inert_in_every_format(sample: ModuleType, format: str, case: str) -> None:
    text = reports.render(cases_of(sample)[case], format)
    steering = {char for char in text if unicodedata.category(char) in ("Cc", "Cf") and char not in "\n\t"}
    assert not steering
    if format == "json":  # the complete record: names are whole
        return
    assert "n" * 3_000 not in text
    body = text if format in ("html", "md") else html.unescape(text)
    assert not re.search(r"(?m)^\s*::", body) or format == "github"
    if format in ("html", "md", "junit"):
        assert text.count("<script") == (format == "html")  # the page's own script, and no other


def test_the_summary_for_a_pull_request_is_below_a_mebibyte_and_states_that_it_is_cut(
    sample: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = reports.render(sample.hostile_report(), "md")
    assert len(whole.encode()) < 2**20 and "This summary is cut" not in whole
    monkeypatch.setattr(markdown, "MOST_BYTES", 5_000)
    text = reports.render(sample.example(), "md")
    assert len(text.encode()) < 5_200
    assert "**This summary is cut:" in text


def test_the_longest_summary_is_below_a_mebibyte(sample: ModuleType) -> None:
    report = huge_names(sample)
    many = tuple(sample.finding(3, "\u202e" * 200 + str(i), fingerprint=str(i)) for i in range(500))
    columns = tuple(sample.column("\u202e|" * 80 + str(i), role="quasi") for i in range(300))
    text = reports.render(dataclasses.replace(report, findings=many, columns=columns), "md")
    assert len(text.encode()) < 2**20


def test_annotations_of_a_report_without_findings_state_the_decision(sample: ModuleType) -> None:
    text = reports.render(sample.bare_report(), "github")
    assert re.fullmatch(r"::notice file=[^,:]+,line=1,title=privaudit::[^\r\n]+\n", text)
    assert headline(sample.bare_report()) in text
