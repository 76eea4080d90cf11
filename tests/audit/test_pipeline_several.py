"""Several tables in one run: what is scanned, what is reported for each, and what joining them discloses."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import privaudit
from privaudit.api import collection
from privaudit.base.errors import ScanIncomplete, UnreadableSource
from privaudit.settings.config import Settings
from privaudit.source.files.several import tables_in
from tests.helpers.command import refusal


@pytest.fixture(scope="module")
def shop(tmp_path_factory) -> Path:
    """People and their visits: neither table alone singles out anybody, both together do."""
    folder = tmp_path_factory.mktemp("shop")
    draw = random.Random(3)
    people = [(f"P{draw.randrange(10**6):06d}x{i}", 20 + i % 5 * 10, "FM"[i % 2]) for i in range(200)]
    text = "person_ref,age_group,sex\n" + "".join(f"{a},{b},{c}\n" for a, b, c in people)
    (folder / "people.csv").write_text(text, encoding="utf-8")
    visits = [(p[0], f"2{i % 9}00", ("flu", "cold", "asthma")[i % 3]) for i, p in enumerate(people) for _ in "ab"]
    draw.shuffle(visits)
    text = "person_ref,postcode,diagnosis\n" + "".join(",".join(row) + "\n" for row in visits)
    (folder / "visits.csv").write_text(text, encoding="utf-8")
    (folder / "notes.md").write_text("not a table\n", encoding="utf-8")
    (folder / "_hidden.csv").write_text("a\n1\n", encoding="utf-8")
    (folder / "broken.parquet").write_bytes(b"PAR1 nothing")
    return folder


@pytest.fixture(scope="module")
def scanned(shop) -> collection.Collection:
    return collection.scan_tables([str(shop)], settings_of=lambda _source: {"ner": False}, advice=False)


def test_every_table_of_a_folder_is_scanned_and_an_unreadable_file_does_not_stop_the_others(scanned):
    assert [one.name for one in scanned][:4] == ["_hidden.csv", "broken.parquet", "people.csv", "visits.csv"]
    assert isinstance(scanned[0].error, ScanIncomplete) and isinstance(scanned[1].error, UnreadableSource)
    assert [one.report is None for one in scanned][:4] == [True, True, False, False]
    assert all(one.report is not None for one in scanned[2:])


def test_the_worst_exit_code_decides(scanned):
    assert scanned.exit_code == 2
    assert collection.Collection(one for one in scanned if one.error is None).exit_code == 1
    assert collection.Collection().exit_code == 3


def test_joined_tables_are_reported_where_their_risk_is_worse(scanned, shop):
    (joined,) = [one for one in scanned if one.joined is not None]
    assert joined.name == "visits.csv + people.csv"
    assert joined.joined is not None and joined.joined.rows.column == "person_ref"
    together, alone = joined.report.wire, joined.alone.wire
    assert together.risk.k_min < alone.risk.k_min
    assert set(together.risk.quasi_identifiers) == {"postcode", "age_group", "sex"}

    # The risk counts people: brute force over the persons behind each combination.
    lines = [line.split(",") for line in (shop / "people.csv").read_text().splitlines()[1:]]
    about = {ref: (age, sex) for ref, age, sex in lines}
    classes: dict[tuple[str, ...], set[str]] = {}
    for line in (shop / "visits.csv").read_text().splitlines()[1:]:
        ref, postcode, _ = line.split(",")
        classes.setdefault((postcode, *about[ref]), set()).add(ref)
    assert together.risk.k_min == min(map(len, classes.values()))


def test_each_file_of_a_folder_is_a_table(tmp_path):
    for i in range(3):
        (tmp_path / f"part{i}.csv").write_text("sex,dept\n" + f"F,{i}\nM,{i}\n" * 20, encoding="utf-8")
    several = collection.scan_tables([str(tmp_path)], settings_of=lambda _s: {"ner": False}, advice=False)
    assert [(found.name, found.report.wire.dataset.n_rows) for found in several] == [
        (f"part{i}.csv", 40) for i in range(3)
    ]


def test_workbooks_and_databases_stand_for_all_their_tables(tmp_path):
    openpyxl = pytest.importorskip("openpyxl", reason="the extra `excel` is not installed")
    import duckdb

    book = openpyxl.Workbook()
    book.active.title = "first"
    book.active.append(["a"])
    book.create_sheet("empty")
    book.create_sheet("third").append(["b"])
    book.save(tmp_path / "t.xlsx")
    with sqlite3.connect(tmp_path / "t.sqlite") as base:
        base.executescript("CREATE TABLE x(a); CREATE TABLE y(a); CREATE VIEW z AS SELECT * FROM x;")
    base.close()
    made = duckdb.connect(str(tmp_path / "t.duckdb"))
    made.execute("CREATE TABLE p(a INT); CREATE SCHEMA s; CREATE TABLE s.q(a INT)")
    made.close()
    for file, names in (("t.xlsx", ["first", "third"]), ("t.sqlite", ["x", "y"]), ("t.duckdb", ["p", "s.q"])):
        source = str(tmp_path / file)
        assert tables_in(source, Settings()) == tuple(f"{source}#{name}" for name in names)
        assert tables_in(f"{source}#x", Settings()) == (f"{source}#x",)


@pytest.mark.slow
def test_the_command_writes_a_report_for_each_table_and_an_index(run, shop, tmp_path):
    done = run("scan", shop, "--no-ner", "--no-config", "-o", f"{tmp_path}/out/")
    assert done.returncode == 2, done.stderr
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"index.html", "people.csv.html", "people.csv.json", "visits.csv.html"} <= names
    assert "broken.parquet.html" not in names
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    linked = re.findall(r'<a href="([^"]+)">', page)
    assert linked and all((tmp_path / "out" / name).exists() for name in linked)
    assert "broken.parquet" in page and "not read" in page and "visits.csv + people.csv" in page
    assert "5 tables" in done.stdout and "not read" in done.stdout


def test_the_public_edition_of_the_index_withholds_small_classes(scanned):
    from privaudit.report.entries import TableEntry
    from privaudit.report.pages.index_page import html, rows

    entries = [TableEntry(name=one.name, report=one.report.wire) for one in scanned if one.report is not None]
    full, public = (rows(entries, edition) for edition in ("full", "public"))
    assert any(row.smallest == "4" or (row.smallest.isdecimal() and int(row.smallest) < 11) for row in full)
    assert not any(row.smallest.isdecimal() and int(row.smallest) < 11 for row in public)
    assert "public edition" in html(entries, edition="public")


def test_a_file_gets_the_report_of_one_table(run, shop, tmp_path):
    for outputs in (("-o", tmp_path / "r.html"), ("--format", "json")):
        done = run("scan", shop / "people.csv", shop / "visits.csv", *outputs)
        assert done.returncode == 2 and "-o FOLDER/" in done.stderr


def test_exit_zero_applies_to_the_gate_only(run, shop):
    gate = run("scan", shop / "visits.csv", "--brief", "--no-ner", "--no-config")
    assert gate.returncode == 1 and "visits.csv" in gate.stdout
    assert run("scan", shop / "visits.csv", "--brief", "--no-ner", "--no-config", "--exit-zero").returncode == 0
    assert "The end of broken.parquet is missing" in refusal(
        run("scan", shop / "broken.parquet", "--no-config", "--exit-zero")
    )


def test_show_config_names_the_origin_of_each_setting(run, tmp_path):
    (tmp_path / "privaudit.toml").write_text('policy = "strict"\n[tables."t.csv"]\nunit = "object"\n', encoding="utf-8")
    done = run("scan", "t.csv", "--show-config", "--seed", "4")
    assert done.returncode == 0, done.stderr
    lines = [re.split(r"\s{2,}", line.strip()) for line in done.stdout.splitlines()]
    found = {line[0]: (line[1], line[2]) for line in lines}
    assert found["policy"] == ("strict", "privaudit.toml")
    assert found["unit"] == ("object", 'privaudit.toml [tables."t.csv"]')
    assert found["seed"] == ("4", "option --seed")
    assert found["max_size"] == ("3", "default")


def test_an_empty_folder_is_incomplete(run, tmp_path):
    (tmp_path / "empty").mkdir()
    assert run("scan", tmp_path / "empty").returncode == 3
    assert run("scan", tmp_path / "empty", "--brief").returncode == 3


def test_hostile_names_of_tables_are_inert_in_the_index(tmp_path):
    from privaudit.report.entries import TableEntry
    from privaudit.report.pages.index_page import file_names, html

    names = ["<script>alert(1)</script>", "../../etc/passwd", "a\x1b[31mb", "x" * 500, "index", "con\u202ecsv"]
    entries = [TableEntry(name=name, error="broken") for name in names]
    page = html(entries)
    assert "<script>alert" not in page and "\x1b" not in page and "\u202e" not in page
    made = file_names(entries)
    assert len(set(made)) == len(made)
    assert all(re.fullmatch(r"[A-Za-z0-9._-]{1,100}", name) and name != "index.html" for name in made)
    assert not any(name.startswith(".") for name in made)


def test_a_table_without_rows_among_others_is_reported(tmp_path):
    pq.write_table(pa.table({"a": pa.array([], pa.string())}), tmp_path / "none.parquet")
    (found,) = collection.scan_tables([str(tmp_path / "none.parquet")], settings_of=lambda _s: {})
    assert isinstance(found.error, ScanIncomplete) and found.exit_code == 3
    assert json.dumps(found.error.line())


def test_a_quiet_run_over_several_tables_states_why_one_was_not_read(run, tmp_path):
    (tmp_path / "people.csv").write_text("age,sex\n" + "30,F\n31,M\n" * 30, encoding="utf-8")
    for options in (("--brief",), ()):
        done = run("scan", "people.csv", "missing.csv", "--no-ner", "-q", *options)
        first, last = done.stderr.splitlines()
        assert done.returncode == 2 and not done.stdout
        assert "E211" in first and "missing.csv does not exist" in first
        assert "E303" in last and "1 not read" in last


def test_files_of_one_name_outside_of_the_named_and_the_current_folder_are_numbered(tmp_path, monkeypatch):
    for name in ("here", "one", "two"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    files = [tmp_path / name / "t.csv" for name in ("one", "two")]
    for file in files:
        file.write_text("kind,n\nscrew,1\nnut,2\n", encoding="utf-8")
    found = privaudit.scan_many([*files, tmp_path / "none.csv"], ner=False, advice=False)
    assert [one.name for one in found] == ["t.csv", "t.csv (2)", "none.csv"]
    assert list(found.reports) == ["t.csv", "t.csv (2)"]
    assert found[2].problem.startswith(f"{found[2].error.code}: none.csv ") and not found[0].problem
    assert found.entries()[2].error == found[2].problem
