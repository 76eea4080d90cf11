"""What a page states, it states once: a step of a plan, a check that was not measured, an effect that is none."""

from __future__ import annotations

import dataclasses
import io
from types import ModuleType

import pytest

import privaudit
from privaudit.model import Remedy, Report
from privaudit.model.vocabulary.families import family
from privaudit.model.wording import Columns, fact
from privaudit.model.wording.render import Wording
from privaudit.report import html as report_html
from privaudit.report import markdown as report_markdown
from privaudit.report import terminal
from privaudit.report.sections import first_steps, limits, remedies, verdict
from privaudit.report.sentences import wording_of

TOO_FEW = ["name,age,sex,diagnosis"] + [
    f"{first} {last},{20 + 3 * i},{'FM'[i % 2]},{('asthma', 'influenza')[i % 2]}"
    for i, (first, last) in enumerate((f, n) for f in "Anna Brian Carol".split() for n in "Mwangi Otieno".split())
]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    file = tmp_path_factory.mktemp("once") / "people.csv"
    file.write_text("\n".join(TOO_FEW) + "\n", encoding="utf-8")
    return privaudit.scan(file, ner=False).wire


@pytest.fixture(scope="module")
def wording(report: Report) -> Wording:
    return wording_of(report)


def _listed(report: Report, wording: Wording) -> list[Remedy]:
    return [remedy for row in remedies.listed(report, wording) for choice in row for remedy in choice]


def test_the_only_step_of_a_plan_is_not_listed_again(report: Report, wording: Wording) -> None:
    plan = report.advice[0]
    (step,) = plan.parameters["steps"]
    again = [r for r in report.advice[1:] if (r.technique, r.columns) == (step["technique"], (step["column"],))]
    first, *others = _listed(report, wording)
    assert again and not any(remedy is other for remedy in others for other in again)
    assert first is plan and remedies.remedies(report, wording)["rows"][0]["text"].startswith('"name": drop.')


def test_a_single_recoding_without_effect_is_listed_only_where_no_plan_resolves_as_much(
    report: Report, wording: Wording
) -> None:
    assert report.risk is not None
    resolved = {
        ref.fingerprint for remedy in report.advice if remedy.parameters.get("steps") for ref in remedy.resolves
    }
    quasi = {*report.risk.quasi_identifiers}
    omitted = [r for r in report.advice if not any(r is one for one in _listed(report, wording))]
    for remedy in omitted[1:]:
        assert quasi & {*remedy.columns} and remedy.before["k_min"] == remedy.after["k_min"]
        assert {ref.fingerprint for ref in remedy.resolves} <= resolved
    rows = remedies.remedies(report, wording)
    assert rows["n_hidden"] == len(omitted)
    assert not any("1 → 1 " in row["text"] and not row["effects"] for row in rows["rows"])


def test_columns_that_are_treated_alike_share_a_row_with_one_line_for_each_treatment(
    report: Report, wording: Wording, sample: ModuleType
) -> None:
    """Three treatments of each of 20 identifiers are one row; a column with another choice has a row of its own."""
    identifiers, alone = tuple(f"identifier {i}" for i in range(20)), "another"
    treatments = ("drop", "mask", "pseudonymise")
    advice = tuple(
        sample.remedy(treatment, (column,), {}, fact(f"advice.{treatment}", column=Columns(names=(column,))))
        for column in (*identifiers, alone)
        for treatment in treatments[: 2 if column == alone else 3]
    )
    many = dataclasses.replace(report, advice=advice)
    rows = remedies.remedies(many, wording)["rows"]
    assert [tuple(row["columns"]) for row in rows] == [identifiers, (alone,)]
    assert [len(row["choices"]) for row in rows] == [3, 2]
    assert rows[0]["choices"][0]["text"] == "drop."
    pages = report_html.render(many), report_markdown.render(many)
    assert [page.count("replace by random tokens") for page in pages] == [1, 1]
    assert all(column in page for page in pages for column in identifiers)
    found = remedies.listed(many, wording)
    anchors = {remedies.remedy_anchor(many, remedy, found) for remedy in advice}
    assert anchors == {"remedy-1", "remedy-61"} and all(f'id="{anchor}"' in pages[0] for anchor in anchors)


def test_a_check_that_was_not_measured_is_in_one_section(report: Report) -> None:
    listed, n_checks = limits.by_section(report)
    of_checks = [each for each in report.limits if each.code == "rulebook.check_not_measured"]
    assert of_checks and n_checks == len(of_checks)
    assert not any(each.code == "rulebook.check_not_measured" for each in listed)


def test_a_table_smaller_than_k_is_not_advised_to_enlarge_classes(report: Report, wording: Wording) -> None:
    steps = first_steps.steps(report, wording)
    advised = {check.remedy for check in report.checks if family(check.measure).larger_classes and check.n_findings}
    assert steps[0].text.startswith("6 records cannot reach k = 15") and advised
    assert not any(text in step.text for text in advised for step in steps)


def test_the_terminal_lists_all_groups_and_does_not_count_further_ones(report: Report, wording: Wording) -> None:
    assert any("listed under Findings" in line for line in verdict.remarks(report, wording))
    assert not any("listed under Findings" in line for line in verdict.remarks(report, wording, lists_all=True))


def test_the_page_does_not_repeat_findings_as_reasons_of_the_gate(report: Report) -> None:
    assert {reason.code for reason in report.gate_.reasons} & {"gate.finding", "gate.more_findings"}
    assert "smallest-class-too-small (high)" not in report_html.render(report)


def test_the_terminal_prints_the_most_successful_attack_of_each_kind(report: Report) -> None:
    (attack,) = (one for one in report.attacks if one.name == "partial_knowledge")
    twice = dataclasses.replace(report, attacks=(attack, attack))
    printed = io.StringIO()
    terminal.show(twice, printed)
    assert printed.getvalue().count("Partial knowledge") == 1 and "and 1 more attack" in printed.getvalue()
