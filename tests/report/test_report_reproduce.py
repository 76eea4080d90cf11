"""The command of a report repeats it, and no output names a folder or a user."""

from __future__ import annotations

import dataclasses
import html
import io
import re
import shlex
from pathlib import Path

import pytest

import privaudit
from privaudit import report
from privaudit.model import Report
from privaudit.report import formats
from tests.helpers.command import run_here

FOLDER = "Qzvxk Marker"


def run(words: list[str], folder: Path | None = None) -> int:
    """Run a command, print what it prints and return its exit code."""
    done = run_here(words, folder or Path.cwd(), {})
    print(done.stdout, done.stderr)
    return done.returncode


def _inputs(folder: Path) -> None:
    people = [f"{1940 + i % 60},{'FM'[i % 2]},{10000 + i % 7},d{i % 5},p{i}" for i in range(120)]
    (folder / "people of 2024.csv").write_text("born;sex;zip;diagnosis;key\n".replace(";", ",") + "\n".join(people))
    known = [f"{1940 + i % 60},{'FM'[i % 2]},{10000 + i % 7},p{i}" for i in range(0, 120, 3)]
    (folder / "register.csv").write_text("born,sex,zip,key\n" + "\n".join(known))
    (folder / "zip hierarchy.csv").write_text("".join(f"{10000 + i};1000*;*\n" for i in range(7)))


def _scan(folder: Path, **more: object) -> Report:
    return privaudit.scan(
        folder / "people of 2024.csv",
        auxiliary=folder / "register.csv",
        truth={"key": "key"},
        quasi=["born", "sex", "zip"],
        sensitive=["diagnosis"],
        hierarchy={"zip": str(folder / "zip hierarchy.csv")},
        policy="controlled",
        seed=11,
        ner=False,
        max_size=2,
        population="5000",
        **more,
    ).wire


def _stripped(made: Report) -> Report:
    # The path depends on the folder in which the command runs, which is another one here.
    dataset = dataclasses.replace(made.dataset, path="")
    return dataclasses.replace(made, generated_at="", timings={}, digest="", files=(), dataset=dataset)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    chosen = tmp_path / FOLDER
    chosen.mkdir()
    _inputs(chosen)
    return chosen


@pytest.mark.slow
def test_the_command_of_the_page_gives_the_same_report(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = _scan(folder)
    page = report.render(made, "html")
    shown = re.search(r'<pre class="command"><code>(.*?)</code>', page, re.S)
    assert shown is not None
    command = html.unescape(shown[1])
    assert command == made.command
    words = shlex.split(command)
    again = tmp_path / "again"
    again.mkdir()
    _inputs(again)
    monkeypatch.chdir(again)
    assert words[0] == "privaudit" and run([*words[1:], "-q", "-o", "again.json"]) in (0, 1, 3)
    assert _stripped(report.read("again.json")) == _stripped(report.read(_written(made, again)))


def _written(made: Report, folder: Path) -> Path:
    report.write(made, folder / "first.json")
    return folder / "first.json"


def test_no_output_names_a_folder(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = _scan(folder)
    stream = io.StringIO()
    report.show(made, stream)
    texts = [report.render(made, format) for format in formats.REGISTRY] + [stream.getvalue()]
    source = str(folder / "people of 2024.csv")
    for more in ([], ["--edition", "public"], ["--delimiter", "§§"], ["--auxiliary", str(folder / "missing.csv")]):
        run(["scan", source, "--quasi", "born,sex", "--no-ner", *more, "-o", str(tmp_path / "r.md")])
    for wrong in (folder, folder / "none.csv"):
        run(["scan", str(wrong)])
    captured = capsys.readouterr()
    for text in (*texts, captured.out, captured.err):
        assert FOLDER not in text and str(tmp_path) not in text, text[:500]
    assert made.dataset.name == "people of 2024.csv"


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(
    ("name", "part"), [("anna smith.csv", "file"), ("123-45-6789.csv", "file"), ("x.y@example.com.csv", "file")]
)
def test_a_file_name_that_is_personal_data_is_a_finding_and_never_shown(
    folder: Path, name: str, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "people of 2024.csv").rename(folder / name)
    made = privaudit.scan(folder / name, ner=False, quasi=["born"]).wire
    assert [item.code for item in made.findings if item.code == "PII013"] == ["PII013"]
    run(["scan", str(folder / name), "--delimiter", "§§"])
    captured = capsys.readouterr()
    stem = name.removesuffix(".csv")
    for text in (report.render(made, "json"), report.render(made, "html"), captured.out, captured.err):
        assert stem not in text
    assert made.dataset.name == f"{part}-name-withheld.csv"


def test_columns_that_are_called_by_people_are_findings(folder: Path) -> None:
    (folder / "t.csv").write_text("month,Anna Smith,Ben Miller,Carla Jones\n1,2,3,4\n2,3,4,5\n3,4,5,6\n")
    made = privaudit.scan(folder / "t.csv", ner=False, quasi=["month"]).wire
    assert [column.name for column in made.columns] == ["month", "column_2", "column_3", "column_4"]
    assert {item.subject for item in made.findings if item.code == "PII012"} == {
        ("column_2",), ("column_3",), ("column_4",)
    }  # fmt: skip
