"""Documents for people who decide: what is measured, answered and open; formats; and pages that are rendered again."""

from __future__ import annotations

import csv
import dataclasses
import importlib.util
import io
from pathlib import Path
from types import ModuleType

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import privaudit
from privaudit.api import reports
from privaudit.base.errors import ConfigError
from privaudit.report import formats, render
from privaudit.report.json import digest_of
from privaudit.report.pages import documents
from privaudit.report.pages.page import csv_text
from privaudit.report.public import publish
from privaudit.report.sections import first_steps
from privaudit.report.sentences import wording_of
from privaudit.rulebook import load_checks, load_frameworks

KINDS = documents.kinds()
PEOPLE = ["name,age,sex,diagnosis"] + [
    f"{first} {last},{20 + 3 * i},{'FM'[i % 2]},{('asthma', 'influenza')[i % 2]}"
    for i, (first, last) in enumerate((f, n) for f in "Anna Brian Carol".split() for n in "Mwangi Otieno".split())
]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> privaudit.ScanReport:
    file = tmp_path_factory.mktemp("documents") / "people.csv"
    file.write_text("\n".join(PEOPLE) + "\n", encoding="utf-8")
    answers = {
        "purpose": {"text": "statistics", "owner": "DPO", "date": "2026-01-01"},
        "control": {"GDPR-5.1.e": {"text": "five years", "owner": "DPO", "date": "2020-01-01", "until": "2021-01-01"}},
    }
    return privaudit.scan(file, ner=False, framework="gdpr", answers=answers)


def rows(report: privaudit.ScanReport, kind: str, folder: Path) -> list[dict[str, str]]:
    file = folder / f"{kind}.csv"
    reports.write_document(report, kind, file)
    with file.open(encoding="utf-8", newline="") as content:
        return list(csv.DictReader(content))


def test_the_four_documents_exist() -> None:
    assert KINDS == ("breach-sheet", "dpia", "expert-determination", "record-of-processing")


def test_the_assessment_states_the_residual_risk_as_the_first_screen_does(
    report: privaudit.ScanReport, tmp_path: Path
) -> None:
    def expected(of: privaudit.ScanReport, name: str) -> str:
        (tmp_path / name).mkdir()
        found = {row["item"]: row["content"] for row in rows(of, "dpia", tmp_path / name)}
        return found["Expected after the first remedy"]

    assert expected(report, "too-small").startswith("Still open afterwards: QI001")
    no_plan = privaudit.ScanReport(dataclasses.replace(report.wire, advice=()))
    assert expected(no_plan, "no-plan") == "No plan of remedies was found that resolves findings."
    table = pa.table({"age": [20 + i % 60 for i in range(900)], "sex": ["F" if i % 2 else "M" for i in range(900)],
                      "diagnosis": [("asthma", "influenza", "eczema")[i % 3] for i in range(900)]})  # fmt: skip
    enough = privaudit.scan(table, ner=False)
    steps = " ".join(line.text for line in first_steps.steps(enough.wire, wording_of(enough.wire)))
    stated = expected(enough, "enough")
    assert "the gate passes" in stated and "SEN003" in stated.partition("does not fail the gate: ")[2]
    assert stated.partition("What remains")[2] in steps and stated.partition(" of the information")[0] in steps


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_asks_only_for_what_exists(kind: str) -> None:
    made = documents.template(kind)
    lines = [line for part in made.part for line in part.line]
    controls = {control.id for framework in load_frameworks(made.frameworks) for control in framework.control}
    assert {line.control for line in lines if line.control} <= controls
    assert {code for line in lines for code in line.checks} <= {check.code for check in load_checks()}
    assert all(bool(line.answer) + bool(line.control) + bool(line.checks) + bool(line.measured) == 1 for line in lines)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("kind", KINDS)
def test_a_document_is_written_in_every_format(report: privaudit.ScanReport, kind: str, tmp_path: Path) -> None:
    for suffix in reports.DOCUMENT_SUFFIXES:
        if suffix == ".docx" and importlib.util.find_spec("docx") is None:
            continue
        file = tmp_path / f"{kind}{suffix}"
        for _ in range(2):  # a document may replace an earlier one
            reports.write_document(report, kind, file)
        assert file.stat().st_size > 1000
    for line in PEOPLE[1:]:
        assert all(line.split(",")[0] not in file.read_text("utf-8", "replace") for file in tmp_path.iterdir())


@pytest.mark.parametrize("kind", KINDS)
def test_what_nobody_answered_is_open(report: privaudit.ScanReport, kind: str, tmp_path: Path) -> None:
    found = rows(report, kind, tmp_path)
    answered = [row for row in found if row["status"] == "answered"]
    assert {row["content"].split(" (")[0] for row in answered} <= {"statistics"}
    assert any(row["status"] == "open" for row in found) and any(row["status"] == "measured" for row in found)
    wanted = [line.answer for part in documents.template(kind).part for line in part.line if line.answer]
    open_ = [row for row in found if row["content"] == "A person must answer this question."]
    assert len(open_) >= len(set(wanted) - {"purpose"})


def test_facts_about_a_question_for_a_person_are_measured_and_the_question_is_open(
    report: privaudit.ScanReport, tmp_path: Path
) -> None:
    asked = [row for row in rows(report, "dpia", tmp_path) if row["item"].startswith("GDPR-89")]
    facts, question = asked
    assert facts["status"] == "measured" and facts["content"].startswith("Facts for the answer: ")
    assert "a person must answer" not in facts["content"]
    assert question["status"] == "open" and question["content"].endswith("?")


def test_each_criterion_of_a_high_risk_has_a_line_for_an_answer(report: privaudit.ScanReport, tmp_path: Path) -> None:
    found = rows(report, "dpia", tmp_path)
    open_ = {row["item"].partition(":")[0] for row in found if row["status"] == "open"}
    assert {f"WP248-{number}" for number in range(1, 10)} <= open_


def test_an_overdue_answer_is_open(report: privaudit.ScanReport, tmp_path: Path) -> None:
    (row,) = (row for row in rows(report, "dpia", tmp_path) if row["content"].startswith("five years"))
    assert row["status"] == "open" and "overdue" in row["content"]


def test_frameworks_that_a_document_needs_are_judged(report: privaudit.ScanReport, tmp_path: Path) -> None:
    items = {row["item"] for row in rows(report, "expert-determination", tmp_path)}
    assert any(item.startswith("HED-2") for item in items)


def test_the_public_edition_of_a_document_states_no_small_count(report: privaudit.ScanReport, tmp_path: Path) -> None:
    file = tmp_path / "dpia.md"
    reports.write_document(report, "dpia", file, edition="public")
    assert "6 people" not in file.read_text(encoding="utf-8")


def test_wrong_use_is_refused_before_any_work(report: privaudit.ScanReport, tmp_path: Path, run) -> None:
    with pytest.raises(ConfigError, match="not a document"):
        reports.write_document(report, "dossier", tmp_path / "x.html")
    with pytest.raises(ConfigError, match="suffix"):
        reports.write_document(report, "dpia", tmp_path / "x.odt")
    foreign = tmp_path / "mine.docx"
    foreign.write_bytes(b"not a document of this program")
    with pytest.raises(ConfigError, match="shows that privaudit wrote it"):
        reports.write_document(report, "dpia", foreign)


def test_without_the_extra_the_command_names_the_line_that_installs_it(
    report: privaudit.ScanReport, tmp_path: Path, run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(__import__("sys").modules, "docx", None)
    report.write("report.json")
    done = run("judge", "report.json", "--document", "dpia", "-o", "dpia.docx")
    assert done.returncode == 2 and "privaudit[docx]" in done.stderr and not Path("dpia.docx").exists()


@pytest.mark.parametrize("edition", formats.EDITIONS)
def test_a_page_is_verified_byte_for_byte(
    report: privaudit.ScanReport, tmp_path: Path, run, monkeypatch: pytest.MonkeyPatch, edition: str
) -> None:
    monkeypatch.chdir(tmp_path)
    report.write("report.json")
    report.write("page.html", edition=edition)
    assert run("verify", "page.html", "--json", "report.json").returncode == 0
    changed = Path("page.html").read_text(encoding="utf-8").replace("people.csv", "people.csW", 1)
    Path("page.html").write_text(changed, encoding="utf-8")
    done = run("verify", "page.html", "--json", "report.json")
    assert done.returncode == 1 and "is not what" in done.stdout


def test_a_page_has_the_digest_of_its_own_edition_only(sample: ModuleType) -> None:
    report = sample.example()
    full, public = digest_of(report), digest_of(publish(report))
    assert full != public and full in render(report, "html")
    page = render(report, "html", edition="public")
    assert public in page and full not in page


@given(st.text("=+-@\uff1d\uff0b\uff0d\uff20 \t\r\n\u00a0a1'", max_size=4))
@example("\n=1+1")
@example(" =1+1")
@example("\uff1d1+1")
def test_no_cell_of_a_csv_file_begins_a_formula(cell):
    written = list(csv.reader(io.StringIO(csv_text(["cell"], [[cell, 1]]), newline="")))[1][0]
    assert written in (cell, f"'{cell}")
    assert not written.lstrip().startswith(("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"))
    assert not written.startswith(("\t", "\r", "\n"))
    if cell.isalnum():
        assert written == cell
