"""Verdict, Markdown and terminal: people first, one screen, nothing that steers."""

from __future__ import annotations

import dataclasses
import io
import re
from types import ModuleType

import pytest
from markdown_it import MarkdownIt

from privaudit import report
from privaudit.model import GateResult, Report
from privaudit.report import view
from privaudit.report.verdict import below_k, state


def shown(made: Report, **more: object) -> str:
    stream = io.StringIO()
    report.show(made, stream, **more)  # type: ignore[arg-type]
    return stream.getvalue()


def test_the_verdict_comes_first_and_the_first_step_last(sample: ModuleType) -> None:
    lines = report.summary(sample.rich_report())
    assert lines[0].startswith("Incomplete, and what was assessed is outside the limits")
    assert "9,998 of 10,000 people" in lines[1]
    assert (
        "7,873 of 10,000 people (79 %)" in lines[2]
        and "1,204 of 10,000 people (12 %) stand alone" in lines[2]
    )
    assert "1,171 of 2,000 people (59 %)" in lines[3]
    assert lines[-1].startswith("Do first: drop or replace full_name, email and phone; then ")
    assert "people in classes below 15: 7,873 → 0, information kept 61 %" in lines[-1]


def test_every_decision_has_its_headline(sample: ModuleType) -> None:
    made = dataclasses.replace(sample.rich_report(), limits=())
    decisions = {(True, 0): "Within", (False, 1): "Outside", (False, 3): "Incomplete"}
    for (passed, code), word in decisions.items():
        findings = () if passed else made.findings
        judged = dataclasses.replace(made, findings=findings, gate_=GateResult(passed=passed, exit_code=code))
        assert report.summary(judged)[0].startswith(word)


def test_a_gate_set_to_another_severity_is_told_apart_from_the_policy(sample: ModuleType) -> None:
    made = dataclasses.replace(sample.rich_report(), limits=())
    passed = dataclasses.replace(made, gate_=GateResult(passed=True, exit_code=0))
    assert "outside" in report.summary(passed)[0]
    failed = dataclasses.replace(made, findings=(), gate_=GateResult(passed=False, exit_code=1))
    assert "within" in report.summary(failed)[0]


def test_what_could_not_be_assessed_outranks_a_pass(sample: ModuleType) -> None:
    made = dataclasses.replace(sample.rich_report(), gate_=GateResult(passed=True, exit_code=0))
    assert state(made) == "incomplete"


def test_records_below_k_follow_from_the_histogram(sample: ModuleType) -> None:
    made = sample.rich_report()
    bare = dataclasses.replace(made, risk=dataclasses.replace(made.risk, n_below={}))
    for k in (2, 3, 5, 10, 11, 15, 20):
        assert below_k(made, k) == below_k(bare, k) == sample.n_below(k)


def test_the_review_is_a_year_later(sample: ModuleType) -> None:
    for day, expected in (
        ("2026-01-15T09:30:00Z", "2027-01-15"),
        ("2024-02-29T00:00:00Z", "2025-02-28"),
        ("", "12 months after the scan"),
    ):
        assert view.build(sample.rich_report(generated_at=day))["signoff"]["review"] == expected


def test_markdown_tables_keep_their_shape(sample: ModuleType) -> None:
    for made in (sample.rich_report(), sample.hostile_report()):
        text = report.render(made, "md")
        page = MarkdownIt("gfm-like", {"linkify": False}).render(text)
        for table in page.split("<table>")[1:]:
            rows = table.split("</table>")[0].split("<tr>")[1:]
            assert len({row.count("<td") + row.count("<th>") + row.count("<th ") for row in rows}) == 1
        assert not re.search(r"<(script|a|img|em|strong[^>]* )", page.replace("<strong>", ""))


def test_the_terminal_gets_no_escape_of_a_name_and_no_command(sample: ModuleType) -> None:
    text = shown(sample.hostile_report(), width=80)
    assert "\x1b" not in text and "\u202e" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())
    assert "[red]x[/]" in text


@pytest.mark.parametrize("width", [40, 80, 200])
def test_lines_fit_the_width(sample: ModuleType, width: int) -> None:
    for made in (sample.rich_report(), sample.bare_report(), sample.wide_report(300)):
        assert all(len(line) <= width for line in shown(made, width=width).splitlines())


def test_colour_is_a_choice(sample: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in shown(sample.rich_report(), color=True)
    assert "\x1b[" not in shown(sample.rich_report(), color=False)
    assert "\x1b[" not in shown(sample.rich_report())


def test_the_same_report_prints_the_same(sample: ModuleType) -> None:
    assert shown(sample.rich_report(), width=100) == shown(sample.rich_report(), width=100)


def test_a_verdict_stands_with_its_confidence_and_each_value_with_its_own_evidence(
    sample: ModuleType,
) -> None:
    made = sample.rich_report()
    rows = {row["name"]: row for row in view.build(made)["columns"]["rows"]}
    for column in made.columns:
        kinds = [clue["kind"] for clue in rows[column.name]["evidence"]]
        assert ("confidence" in kinds) is (column.is_ is not None)
        told = [clue["because"] for clue in rows[column.name]["evidence"]]
        for found in column.contains:
            for clue in found.evidence:
                assert any(text.endswith(f": {clue.because}") for text in told)
    text = report.render(made, "md")
    verdict = next(column.is_ for column in made.columns if column.is_)
    assert f"confidence: {verdict.confidence:.2f}" in text


def test_a_column_of_nothing_holds_no_values(sample: ModuleType) -> None:
    made = sample.rich_report()
    empty = dataclasses.replace(
        made.columns[-1], is_=None, contains=(), unassessed=None, n_missing=made.columns[-1].n_rows
    )
    assert "no values" in shown(dataclasses.replace(made, columns=(empty,)))
