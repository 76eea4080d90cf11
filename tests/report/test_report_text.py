"""Verdict, Markdown and terminal: people first, one screen, no control sequences."""

from __future__ import annotations

import dataclasses
import io
import re
from types import ModuleType

import pytest
from markdown_it import MarkdownIt

from privaudit import report
from privaudit.model import GateResult, Report
from privaudit.model.wording import fact
from privaudit.model.wording.render import FULL
from privaudit.report import view
from privaudit.report.entries import TableEntry
from privaudit.report.pages import index_page
from privaudit.report.sections import first_steps, verdict
from privaudit.report.sections.verdict import below_k, state


def shown(made: Report, **more: object) -> str:
    stream = io.StringIO()
    report.show(made, stream, **more)  # type: ignore[arg-type]
    return stream.getvalue()


def test_the_decision_comes_first_and_the_steps_last(sample: ModuleType) -> None:
    made = sample.example()
    lines = report.summary(made)
    steps = first_steps.steps(made, FULL)
    assert lines[0] == verdict.headline(made) + "." == "Do not release as it is."
    assert len(steps) > 2 and [f"{i}. {step.text}" for i, step in enumerate(steps, 1)] == list(lines[-len(steps) :])


def test_the_first_screen_states_policy_k_and_what_a_row_is(sample: ModuleType) -> None:
    made = sample.example()
    text = " ".join(verdict.about(made, FULL))
    assert made.policy.title in text and f"k = {made.policy.k}" in text and "person" in text


def test_values_that_identify_people_come_before_risks_that_need_further_knowledge(sample: ModuleType) -> None:
    risk = sample.finding(9_000, "zip")
    cards = dataclasses.replace(sample.finding(31, "notes", code="PII002"), measure="pii.cells", severity="critical")
    for severity in ("critical", "high"):
        made = sample.small(findings=(risk, dataclasses.replace(cards, severity=severity)), checks=(sample.check(),))
        assert [line.code for line in first_steps.problems(made, FULL)] == ["PII002", "QI001"]


def test_findings_of_one_cause_are_one_line_and_one_step(sample: ModuleType) -> None:
    alike = tuple(
        dataclasses.replace(sample.finding(900, "zip", code=code), group="small-classes")
        for code in ("QI001", "QI002", "QI003", "RSK001")
    )
    made = sample.small(findings=(*alike, sample.finding(5, "age", code="QI005")), checks=(sample.check(),))
    assert [line.code for line in first_steps.problems(made, FULL)] == ["QI001", "QI005"]
    groups = view.build(made)["findings"]["groups"]
    assert [len(group["first"]) for group in groups] == [1, 1] and len(groups[0]["more"]) == 3
    assert "same cause: QI002, QI003, RSK001" in groups[0]["title"]
    assert report.render(made, "html").count('<li class="line ') == 5


def test_every_step_leads_to_a_place_of_the_page(sample: ModuleType) -> None:
    made = sample.example()
    page = report.render(made, "html")
    ids = set(re.findall(r' id="([^"]+)"', page))
    lines = [*first_steps.steps(made, FULL), *first_steps.problems(made, FULL)]
    assert lines and {line.anchor for line in lines} <= ids
    headings = {
        re.sub(r"[^a-z -]", "", line[3:].lower()).replace(" ", "-")
        for line in report.render(made, "md").splitlines()
        if line.startswith("## ")
    }
    assert set(re.findall(r"\]\(#([a-z-]+)\)", report.render(made, "md"))) <= headings


def test_the_verdict_states_the_measured_numbers(sample: ModuleType) -> None:
    made = sample.example()
    text = " ".join(report.summary(made))
    assert made.risk is not None
    assert f"{made.risk.n_below_k(made.policy.k):,}" in text
    for finding in made.findings:
        assert finding.severity != "critical" or all(f'"{column}"' in text for column in finding.subject)


@pytest.mark.parametrize(
    ("passed", "exceeds", "word"),
    [
        (True, False, "is within"),
        (False, True, "is outside"),
        (True, True, "The gate passed at"),
        (False, False, "The gate failed"),
    ],
)
def test_every_decision_has_a_headline(sample: ModuleType, passed: bool, exceeds: bool, word: str) -> None:
    high, medium = sample.finding(3, "a", severity="high"), sample.finding(3, "a", severity="medium")
    fail_on = "critical" if passed and exceeds else None if passed == (not exceeds) else "medium"
    made = sample.example(
        limits=(),
        findings=(high,) if exceeds else () if passed else (medium,),
        gate_=GateResult(passed=passed, exit_code=0 if passed else 1, fail_on=fail_on),
    )
    decision, stated = report.summary(made)[0], " ".join(report.summary(made)[1:3])
    loosened = "Passed at the severity that was set, but not within this policy."
    expected = loosened if exceeds else "Can be released under this policy."
    assert decision == (expected if passed else "Do not release as it is.")
    assert word in stated


def test_what_could_not_be_assessed_outranks_a_pass(sample: ModuleType) -> None:
    passed = GateResult(passed=True, exit_code=0)
    made = sample.example(gate_=passed, limits=(sample.incomplete(),), findings=())
    assert state(made) == "incomplete"
    assert "Complete the assessment: " in " ".join(report.summary(made))
    code3 = sample.example(gate_=GateResult(passed=False, exit_code=3), limits=(), findings=())
    assert report.summary(code3)[0] == "Not fully assessed."


def test_what_was_not_assessed_is_stated_once(sample: ModuleType) -> None:
    gap = sample.incomplete()
    made = sample.example(gate_=GateResult(passed=False, exit_code=3), limits=(gap,))
    assert " ".join(report.summary(made)).count(str(gap.what)) == 1


def test_what_failed_and_what_was_not_assessed_are_both_stated(sample: ModuleType) -> None:
    made = sample.example(gate_=GateResult(passed=False, exit_code=3), limits=(sample.incomplete(),))
    assert state(made) == "failed"
    for text in (report.summary(made)[0], report.render(made, "md"), report.render(made, "html")):
        assert "Do not release as it is; not fully assessed" in text
    (row,) = index_page.rows([TableEntry(name="t", report=made)])
    assert row.result == "failed (not fully assessed)" and row.is_incomplete
    assert "1 failed (not fully assessed)" in index_page.totals([row])


def test_records_below_k_follow_from_the_histogram(sample: ModuleType) -> None:
    made = sample.example()
    bare = sample.example(risk=sample.example_risk(n_below={}))
    for k in (2, 3, 5, 10, 11, 15, 20):
        assert below_k(made, k) == below_k(bare, k)


def test_a_k_that_was_not_counted_is_a_dash_never_0(sample: ModuleType) -> None:
    found = dataclasses.replace(
        sample.combination(("a",), 500, 100, 700), n_below={"2": 100, "3": 500}, share_below_k=None
    )
    row = view.build(sample.small(combinations=(found,)))["combinations"]["rows"][0]
    assert (row["below"], row["below_share"]) == ("–", "–")
    wildcard = sample.example_risk(n_below={}, share_below_k=None, missing="wildcard")
    made = sample.example(risk=wildcard)
    if below_k(made) is None:
        assert view.build(made)["verdict"]["tiles"][0]["value"] == "–"


def test_the_review_is_a_year_later(sample: ModuleType) -> None:
    for day, expected in (
        ("2026-01-15T09:30:00Z", "2027-01-15"),
        ("2024-02-29T00:00:00Z", "2025-02-28"),
        ("", "12 months after the scan"),
    ):
        assert view.build(sample.example(generated_at=day))["signoff"]["review"] == expected


def test_checks_without_a_finding_are_listed_by_state(sample: ModuleType) -> None:
    gap = fact("report.attacks_none")
    made = sample.small(
        checks=(
            sample.check("QI001"),
            sample.check("QI002", state="passed"),
            sample.check("QI003", state="not_measured", gaps=(gap,)),
            sample.check("QI004", state="no_limit", limit=None),
        )
    )
    found = view.build(made)["checks"]
    assert [[row["code"] for row in state["rows"]] for state in found["states"]] == [["QI002"], ["QI003"], ["QI004"]]
    assert found["states"][1]["rows"][0]["gaps"] == ["no simulated attack"]
    for format in ("html", "md"):
        assert "QI003" in report.render(made, format)


def test_markdown_tables_keep_their_shape(sample: ModuleType) -> None:
    for made in (sample.example(), sample.hostile_report()):
        text = report.render(made, "md")
        page = MarkdownIt("gfm-like", {"linkify": False}).render(text)
        for table in page.split("<table>")[1:]:
            rows = table.split("</table>")[0].split("<tr>")[1:]
            assert len({row.count("<td") + row.count("<th>") + row.count("<th ") for row in rows}) == 1
        own = re.sub(r'<a href="#[a-z-]+">', "", page.replace("<strong>", ""))
        assert not re.search(r"<(script|a[ >]|img|em|strong[^>]* )", own)


def test_the_terminal_gets_no_escape_of_a_name_and_no_command(sample: ModuleType) -> None:
    text = shown(sample.hostile_report(), width=80)
    assert "\x1b" not in text and "\u202e" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())
    assert "[red]x[/]" in text


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("width", [40, 80, 200])
def test_lines_fit_the_width(sample: ModuleType, width: int) -> None:
    for made in (sample.example(), sample.bare_report(), sample.wide_report(300)):
        assert all(len(line) <= width for line in shown(made, width=width).splitlines())


def test_without_a_terminal_each_sentence_is_one_line(sample: ModuleType) -> None:
    made = sample.example()
    lines = shown(made).splitlines()
    for finding in made.findings[:3]:
        assert sum(str(finding.message) in line for line in lines) == 1
    assert lines == [line.rstrip() for line in lines]


def test_colour_is_a_choice(sample: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in shown(sample.example(), color=True)
    assert "\x1b[" not in shown(sample.example(), color=False)
    assert "\x1b[" not in shown(sample.example())


def test_the_same_report_prints_the_same(sample: ModuleType) -> None:
    assert shown(sample.example(), width=100) == shown(sample.example(), width=100)


def test_evidence_is_listed_per_verdict_with_its_confidence(sample: ModuleType) -> None:
    made = sample.small(columns=(sample.column("a", is_=sample.verdict(), contains=(sample.contained(40),)),))
    evidence = view.build(made)["columns"]["rows"][0]["evidence"]
    assert [clue["kind"] for clue in evidence] == ["header", "confidence", "pattern"]
    assert evidence[2]["because"].startswith("Phone numbers")
    assert "confidence: 0.97" in report.render(made, "md")


def test_a_column_without_cells_has_no_values(sample: ModuleType) -> None:
    empty = sample.column("a", "empty", n_missing=sample.N, n_distinct=0, n_held_once=0, uniqueness=None)
    assert "no values" in shown(sample.small(columns=(empty,)))
