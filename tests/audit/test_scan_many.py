"""Several tables in one call and in one run of the command: settings, documents, and what a program asks."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

import pyarrow as pa
import pytest

import privaudit
from privaudit.base.errors import ConfigError, GateFailed, UnsupportedFormat
from tests.helpers.command import refusal

ROWS = 200


def people() -> pa.Table:
    ids = [f"P{i * 7919 % 10007:05d}" for i in range(ROWS)]
    return pa.table({"person_ref": ids, "age": [str(20 + i % 4 * 10) for i in range(ROWS)]})


def places() -> pa.Table:
    return pa.table({"colour": ["red", "blue"] * 50, "shelf": ["a", "b"] * 50})


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> privaudit.Collection:
    folder = tmp_path_factory.mktemp("many")
    (folder / "broken.parquet").write_bytes(b"PAR1 nothing")
    sources = {"people": people(), "places": places(), "broken": folder / "broken.parquet"}
    return privaudit.scan_many(sources, ner=False, advice=False, max_size=2, tables={"people": {"quasi": ["age"]}})


def test_every_table_has_its_own_settings_and_an_error_stops_no_other(scanned: privaudit.Collection) -> None:
    assert {one.name for one in scanned} == {"people", "places", "broken.parquet"}
    assert set(scanned.reports) == {"people", "places"}
    assert scanned.reports["people"].wire.dataset.name == "people"
    risk = scanned.reports["people"].wire.risk
    assert risk is not None and risk.quasi_identifiers == ("age",)
    assert scanned.exit_code == 2
    with pytest.raises(GateFailed, match="tables did not pass"):
        scanned.raise_if_failed()


def test_a_frame_has_a_row_for_each_table(scanned: privaudit.Collection) -> None:
    frame = scanned.to_frame()
    assert list(frame["table"]) == [one.name for one in scanned]
    assert frame.set_index("table").loc["people", "n_rows"] == ROWS
    assert "incomplete" in frame.set_index("table").loc["broken.parquet", "error"]
    assert repr(scanned).startswith("Collection(3 tables: ")


def test_one_document_or_a_folder_has_all_tables(scanned: privaudit.Collection, tmp_path: Path) -> None:
    scanned.write(tmp_path / "all.sarif")
    assert len(json.loads((tmp_path / "all.sarif").read_text())["runs"][0]["invocations"]) == 3
    assert scanned.render("md").count("\n## ") == 2
    (tmp_path / "folder").mkdir()
    scanned.write(tmp_path / "folder")
    assert {file.name for file in (tmp_path / "folder").iterdir()} == {
        *(f"{name}.{suffix}" for name in ("people", "places") for suffix in ("html", "json")),
        "index.html",
    }
    with pytest.raises(UnsupportedFormat, match="one table"):
        scanned.write(tmp_path / "all.html")


def test_wrong_settings_are_errors_before_any_table_is_read() -> None:
    with pytest.raises(ConfigError, match="Unknown key"):
        privaudit.scan_many([people()], polcy="public")  # type: ignore[call-arg]
    with pytest.raises(ConfigError, match="Unknown key"):
        privaudit.scan_many([people()], tables={"*": {"quassi": ["age"]}})  # type: ignore[typeddict-unknown-key]


def test_one_run_writes_one_document_of_a_kind_for_all_tables(run, tmp_path) -> None:
    for name in ("people", "visits"):
        (tmp_path / f"{name}.csv").write_text("age,sex\n" + "30,F\n40,M\n" * 60)
    made = ("-o", "r.sarif", "-o", "r.xml", "-o", "r.gitlab.json", "-o", "r.md")
    done = run("scan", "people.csv", "visits.csv", "missing.csv", "--no-ner", "--max-size", 1, "--brief", *made)
    assert done.returncode == 2
    for file in made[1::2]:
        text = (tmp_path / file).read_text()
        assert "missing.csv" in text and f"wrote {file}" in done.stderr
    printed = run("scan", "people.csv", "missing.csv", "--no-ner", "--brief", "--format", "sarif", "-q")
    assert len(json.loads(printed.stdout)["runs"][0]["invocations"]) == 2
    refused = run("scan", "people.csv", "visits.csv", "--no-ner", "-o", "r.html")
    assert refused.returncode == 2 and "r.html gets the report of one table" in refused.stderr
    content = (tmp_path / "visits.csv").read_bytes()
    os.link(tmp_path / "visits.csv", tmp_path / "visits.md")
    assert "shows that privaudit wrote it" in refusal(
        run("scan", "people.csv", "visits.csv", "--no-ner", "-o", "visits.md")
    )
    assert (tmp_path / "visits.csv").read_bytes() == content


def test_files_of_one_name_are_distinguished_by_their_folders(tmp_path: Path) -> None:
    for folder in ("data", "tests/data", "other"):
        (tmp_path / folder).mkdir(parents=True)
        name = "Visits.csv" if folder == "other" else "visits.csv"
        (tmp_path / folder / name).write_text("colour,shelf\n" + "red,a\nblue,b\n" * 20, encoding="utf-8")
    (tmp_path / "data" / "only.csv").write_text("colour,shelf\n" + "red,a\nblue,b\n" * 20, encoding="utf-8")
    found = privaudit.scan_many(tmp_path, ner=False, advice=False)
    assert {one.name for one in found} == {
        "only.csv", "data/visits.csv", "tests/data/visits.csv", "other/Visits.csv"
    }  # fmt: skip
    assert len(found.reports) == 4


def test_folders_above_those_that_were_named_are_not_shown(run, tmp_path: Path) -> None:
    for person in ("jdoe-home", "asmith-home"):
        (tmp_path / person).mkdir()
        (tmp_path / person / "visits.csv").write_text("colour,shelf\n" + "red,a\nblue,b\n" * 20, encoding="utf-8")
    (tmp_path / "work").mkdir()
    here, there = (tmp_path / person / "visits.csv" for person in ("jdoe-home", "asmith-home"))
    with contextlib.chdir(tmp_path / "work"):
        found = privaudit.scan_many([str(here), str(there)], ner=False, advice=False)
    assert [one.name for one in found] == ["visits.csv", "visits.csv (2)"]
    assert "jdoe-home/visits.csv" in run("scan", here, there, "--no-ner", "--brief").stdout


def test_the_terminal_states_the_worst_finding_of_a_table_that_fails(run, tmp_path: Path) -> None:
    rows = "".join(f"Anna Miller,a{i}@example.org\n" for i in range(20))
    (tmp_path / "people.csv").write_text(f"name,email\n{rows}", encoding="utf-8")
    for name in ("shelves.csv", "more.csv"):
        (tmp_path / name).write_text("colour,shelf\n" + "red,a\nblue,b\n" * 20, encoding="utf-8")
    files = [tmp_path / name for name in ("people.csv", "shelves.csv", "more.csv")]
    done = run("scan", "--brief", "--no-ner", *files, "--unit", "object")
    stated = " ".join(done.stdout.split())
    assert done.returncode == 1
    assert 'people.csv: PII001: "email" contains e-mail addresses' in stated
    assert stated.count("Each row is an object") == 2 and "shelves.csv, more.csv: Each row is an object" in stated
    assert 'people.csv: Each row is an object (stated by the user, although "email" describes people)' in stated
