"""Texts that name people make the scan of a folder incomplete; programs, settings and pages do not."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import pickle
import time

import numpy as np
import pyarrow as pa
import pytest

import privaudit
from privaudit.source.files.several import is_other_file
from privaudit.source.places.folder_files import content_of
from privaudit.source.places.people_in_text import LEAST_PEOPLE, MOST_CHARACTERS, WINDOW, names_people
from tests.helpers.program import ROOT

GIVEN = "Anna Maria Peter Thomas Laura Julia Daniel Simon Martin Sarah Robert Emily".split()
FAMILY = "Smith Johnson Williams Brown Garcia Miller Davis Rodriguez Wilson Anderson Taylor Moore".split()
PEOPLE = [{"name": f"{GIVEN[i % 12]} {FAMILY[i * 5 % 12]}", "note": f"asthma {i}"} for i in range(24)]
MAILS = [{"user": f"u{i}", "mail": f"person{i}@example.org"} for i in range(24)]
ROWS = "".join(f"<tr><td>{one['name']}</td><td>{one['note']}</td></tr>\n" for one in PEOPLE)
LINES = "".join(f"2024-03-04 INFO {one['name']} was seen; {one['note']}\n" for one in PEOPLE)
FORMS = {
    "page.html": f"<html><table>{ROWS}</table></html>",
    "styled.html": f"<html><style>{'p {color: red} ' * WINDOW}</style><table>{ROWS}</table></html>",
    "book.ipynb": json.dumps({"cells": [{"outputs": [{"data": {"text/html": ROWS.splitlines(keepends=True)}}]}]}),
    "server.log": LINES,
    "mails.log": "".join(f"login of {one['mail']} as {one['user']}\n" for one in MAILS),
    "calls.log": "".join(f"call to +1 617 555 {1000 + i} of {i} s\n" for i in range(24)),
    "fixed.txt": "".join(f"{one['name']:<30}{one['note']:>20}\n" for one in PEOPLE),
    "fixed": "".join(f"{one['name']:<30}{one['note']:>20}\n" for one in PEOPLE),
    "list.md": "".join(f"- {one['name']}\n" for one in PEOPLE),
    "people.toml": "".join(f'[[people]]\nname = "{one["name"]}"\nnote = "{one["note"]}"\n' for one in PEOPLE),
    "people.ini": "".join(f"[{i}]\nname = {one['name']}\n" for i, one in enumerate(PEOPLE)),
    "cards.ldif": "".join(f"dn: cn={one['name']}\n\n" for one in PEOPLE),
    "data.py": f"PEOPLE = {PEOPLE!r}\n",
    "data.R": "x <- c(" + ", ".join(f'"{one["name"]}"' for one in PEOPLE) + ")\n",
    "dump.sql": "".join(f"INSERT INTO people VALUES ('{one['name']}', 1);\n" for one in PEOPLE),
    "copy.sql": "CREATE TABLE p (a text);\n\nCOPY p (a) FROM stdin;\nx\n\\.\n",
    "people.yaml": "".join(f"- code: a{i}\n  size: {i}\n" for i in range(24)),
    "flow.yml": "".join(f"- {{code: a{i}, size: {i}}}\n" for i in range(24)),
    "people.xml": "<p>" + "".join(f'<row code="a{i}" size="{i}"/>' for i in range(24)) + "</p>",
    "fields.txt": "".join(
        f'first="{one["name"].split()[0]}" last="{one["name"].split()[1]}" {one["note"]}\n' for one in PEOPLE
    ),
}
OF_JSON = {
    "deep.json": {f"p{i}": {**one, "more": {"x": 1}} for i, one in enumerate(PEOPLE)},
    "ragged.json": {f"p{i}": {**one, **({"x": 1} if i % 2 else {})} for i, one in enumerate(PEOPLE)},
    "map.json": {f"p{i}": one for i, one in enumerate(PEOPLE)},
}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gzip"])
@pytest.mark.quick_cases(24)
def test_texts_that_name_people_are_data(tmp_path, name, encoding):
    content = FORMS[name].encode("utf-16" if encoding == "utf-16" else "utf-8")
    file = tmp_path / (f"{name}.gz" if encoding == "gzip" else name)
    file.write_bytes(gzip.compress(content) if encoding == "gzip" else content)
    if encoding == "gzip" and name.endswith(".txt"):
        assert content_of(file) == "table"  # documents are seldom compressed
    elif encoding == "gzip" and name in ("styled.html", "people.yaml", "flow.yml", "people.xml", "copy.sql"):
        pass  # of a compressed file the first window is read, and people are looked for
    else:
        assert content_of(file) == "data"


@pytest.mark.parametrize("name", OF_JSON)
@pytest.mark.quick_cases(3)
def test_objects_by_a_key_that_name_people_are_read_as_a_table(tmp_path, name):
    (tmp_path / name).write_text(json.dumps(OF_JSON[name]))
    (one,) = privaudit.scan_many(tmp_path, ner=False)
    assert one.report.dataset.n_rows == len(PEOPLE) and one.report.columns[0].name == "key"
    assert {found.code for found in one.report.findings} >= {"PII001"}


@pytest.mark.parametrize("n", [2, 30])
def test_an_object_of_records_has_the_cells_of_a_list_with_their_keys(tmp_path, n):
    rows = [{"size": i, "colour": "rgb"[i % 3]} for i in range(n)]
    (tmp_path / "a.json").write_text(json.dumps({"data": {f"k{i}": row for i, row in enumerate(rows)}, "note": "x"}))
    (tmp_path / "b.json").write_text(json.dumps([{"key": f"k{i}", **row} for i, row in enumerate(rows)]))
    found = [privaudit.scan(tmp_path / name, ner=False, unit="object").columns for name in ("a.json", "b.json")]
    first, second = ([(c.name, c.n_distinct, c.n_missing) for c in columns] for columns in found)
    assert first == second


@pytest.mark.parametrize("document", [{"a": {"x": 1}}, {"a": {"x": 1}, "b": {"y": 1}}, {"a": {"x": 1}, "b": 1}])
def test_an_object_without_records_is_not_a_table(tmp_path, document):
    (tmp_path / "a.json").write_text(json.dumps(document))
    with pytest.raises(privaudit.UnreadableSource):
        privaudit.scan(tmp_path / "a.json", ner=False)


SIGNED = {
    "bz2": bz2.compress(b"a"),
    "xz": lzma.compress(b"a"),
    "7z": b"7z\xbc\xaf\x27\x1c" + bytes(20),
    "hdf5": b"\x89HDF\r\n\x1a\n" + bytes(20),
    "avro": b"Obj\x01\x04" + bytes(20),
    "numpy": b"\x93NUMPY\x01\0" + bytes(20),
    "rds": gzip.compress(b"RDX3\nX\n" + bytes(20)),
    "zstd": pa.compress(b"RDX3\nX\n" + bytes(20), "zstd", asbytes=True),
    **{f"pickle{n}": pickle.dumps(PEOPLE, protocol=n) for n in (2, 3, 4, 5)},
    "array": pickle.dumps(np.arange(3), protocol=4),
}


@pytest.mark.parametrize("name", SIGNED)
@pytest.mark.quick_cases(20)
def test_data_of_a_format_that_is_not_read_is_known_by_its_signature(tmp_path, name):
    file = tmp_path / "b.bin"
    file.write_bytes(SIGNED[name])
    assert content_of(file) == "data"


HARMLESS = {
    "tool.py": "import os\n\n\ndef anna(smith):\n    return smith + 1\n" * 400,
    "tool.c": "/* Copyright (c) 2013 Anna Smith <anna@example.org>, Peter Brown, Laura Davis */\n" + "int x;\n" * 4000,
    "README.md": "# Tool\n\nWritten by Anna Smith and Peter Brown. Write to help@example.org.\n" * 30,
    "AUTHORS": "".join(f"{one['name']} <a{i}@example.org>\n" for i, one in enumerate(PEOPLE)),
    "LICENSE.txt": "".join(f"Copyright (c) {one['name']}\n" for one in PEOPLE),
    "names.txt": "".join(f"{name}\n" for name in GIVEN * 20),
    "lock.yaml": "".join(f"  /package-{i}@{i}.0.1:\n    cpu: [x64]\n" for i in range(60)),
    "lock.json": json.dumps({"packages": {f"p{i}": {"sha": "ab" * 32, "needs": {"q": "1"}} for i in range(60)}}),
    "style.css": "p {\n  color: red;\n}\n\n" * 900,
    "settings.yml": "name: x\non: push\njobs:\n  test:\n    steps:\n    - run: make\n" * 5,
    "strings.xml": "<r>" + "".join(f'<string name="a{i}">text {i}</string>\n' for i in range(60)) + "</r>",
    "jobs.yml": "".join(f"job{i}:\n  steps:\n  - name: x\n    run: y\n  - uses: z\n" for i in range(15)),
    "pom.xml": "<project><name>x</name><version>1</version></project>",
    "query.sql": "SELECT a, b\nFROM people\nWHERE a > 1;\n\n" * 60,
    "image.png": b"\x89PNG\r\n\x1a\n" + bytes(300),
    "dense.svg": "<path d='M0 0L1 1'/>\n" * 900,
}


@pytest.mark.parametrize("name", HARMLESS)
@pytest.mark.quick_cases(20)
def test_files_of_an_ordinary_repository_are_not_data(tmp_path, name):
    content = HARMLESS[name]
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    assert content_of(tmp_path / name) == "other"


def test_people_are_counted_against_the_length_of_the_text(tmp_path):
    file = tmp_path / "a.log"
    for n, filler, is_named in (
        (LEAST_PEOPLE - 1, 0, False),
        (LEAST_PEOPLE, 0, True),
        (12, 2 * MOST_CHARACTERS, False),
    ):
        file.write_text("".join(f"{one['mail']}{' x' * (filler // 2)}\n" for one in MAILS[:n]))
        assert names_people(file) is is_named
    file.write_text(f"{MAILS[0]['mail']}\n" * 400)
    assert not names_people(file), "one person"


@pytest.mark.parametrize(
    "content",
    [
        b"a" * 3_000_000,
        b"Anna " * 600_000,
        b"+1" * 1_500_000,
        b"a@" * 1_500_000,
        b"a.b-" * 700_000 + b"@" * 20,
        b"<" * 3_000_000,
        b"\xff" * 3_000_000,
        b"[" * 3_000_000,
        b'{"a":' * 500_000,
        "é".encode() * 1_500_000,
        b'<!DOCTYPE x [<!ENTITY a "lol">' + b'<!ENTITY b "&a;&a;">' * 9000 + b"]><x>&b;</x>",
    ],
)
@pytest.mark.parametrize("suffix", [".log", ".xml", ".yaml", ".sql", ".json"])
@pytest.mark.quick_cases(11)
def test_hostile_texts_are_judged_in_bounded_time(tmp_path, content, suffix):
    file = tmp_path / f"a{suffix}"
    file.write_bytes(content)
    start = time.process_time()
    assert content_of(file) in ("other", "data")
    assert time.process_time() - start < 5


@pytest.mark.parametrize("name", ["server.log", "page.html", "fixed.txt"])
@pytest.mark.quick_cases(3)
def test_a_folder_and_the_hook_name_the_text_and_none_of_its_values(tmp_path, run, name):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text("size,colour\n" + "".join(f"{i % 7},{'rgb'[i % 3]}\n" for i in range(60)))
    (tmp_path / "data" / name).write_text(FORMS[name])
    done = run("scan", "data", "--brief", "--no-ner", "--unit", "object", "--policy", "internal")
    assert done.returncode == 3 and f"{name} names {LEAST_PEOPLE} people or more" in done.stderr + done.stdout
    hook = run("scan", "--brief", "--no-ner", "--skip-other-files", "--no-config", f"data/{name}")
    assert hook.returncode in (1, 3) and name in hook.stdout
    assert "Smith" not in done.stdout + done.stderr + hook.stdout + hook.stderr


def test_the_hook_passes_over_programs_and_settings(run, tmp_path):
    for name, content in HARMLESS.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    done = run("scan", "--brief", "--no-ner", "--skip-other-files", "--no-config", *HARMLESS)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_hook_takes_xml_and_yaml_for_settings_unless_they_name_people(tmp_path):
    modules = "".join(f"<module><group>org.example</group><version>1.{i}</version></module>" for i in range(30))
    people = "".join(f"<p><name>{one['name']}</name><note>{one['note']}</note></p>\n" for one in PEOPLE)
    for name, text, of_people in (
        ("pom.xml", f"<project>{modules}</project>", False),
        ("people.xml", f"<all>{people}</all>", True),
        ("lock.yaml", "".join(f"- name: p{i}\n  version: {i}\n" for i in range(30)), False),
        ("people.yaml", "".join(f"- name: {one['name']}\n  note: {one['note']}\n" for one in PEOPLE), True),
    ):
        (tmp_path / name).write_text(text)
        assert content_of(tmp_path / name) == "data" and is_other_file(tmp_path / name) is not of_people


@pytest.mark.parametrize("folder", ["privaudit", "docs", "privaudit/cli"])
@pytest.mark.quick_cases(3)
def test_the_program_and_its_pages_are_not_data(folder):
    files = [file for file in (ROOT / folder).rglob("*") if file.is_file() and file.suffix in (".py", ".md", ".toml")]
    assert not [file.name for file in files if content_of(file) != "other"]


ROWS_OF_NUMBERS = [(i, 20 + i % 60) for i in range(40)]
RECORDS = {
    "a.sql": [f"INSERT INTO t VALUES {one};\n" for one in ROWS_OF_NUMBERS],
    "b.sql": [f"INSERT [dbo].[t] VALUES {one};\n" for one in ROWS_OF_NUMBERS],
    "c.sql": [f"INSERT IGNORE INTO t VALUES {one};\n" for one in ROWS_OF_NUMBERS],
    "d.sql": [f"REPLACE INTO t VALUES {one};\n" for one in ROWS_OF_NUMBERS],
    "documents.yaml": [f"---\nage: {age}\nsize: {i}\n" for i, age in ROWS_OF_NUMBERS],
    "json.yaml": ["[", *(f'{{"age":{age},"size":{i}}},\n' for i, age in ROWS_OF_NUMBERS), "]"],
    "keyed.yaml": [f"p{i}:\n  age: {age}\n  size: {i}\n" for i, age in ROWS_OF_NUMBERS],
    "other_script.yaml": [f"-\n  возраст: {age}\n  рост: {i}\n" for i, age in ROWS_OF_NUMBERS],
    "spaced.xml": [f"<p age = '{age}' size = '{i}'/>\n" for i, age in ROWS_OF_NUMBERS],
    "other_script.xml": [f"<ч><возраст>{age}</возраст><рост>{i}</рост></ч>" for i, age in ROWS_OF_NUMBERS],
}


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.quick_cases(10)
def test_records_are_data_however_they_are_written(tmp_path, name):
    text = "".join(RECORDS[name])
    (tmp_path / name).write_text(text)
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    assert content_of(tmp_path / name) == content_of(tmp_path / f"{name}.gz") == "data"
    if not name.endswith(".yaml"):  # in hidden ones programs keep settings
        (tmp_path / f".{name}").write_text(text)
        assert content_of(tmp_path / f".{name}") == "data"


@pytest.mark.parametrize("name", ["index.ts", "Main.java", "mod.rs", "index.scss"])
@pytest.mark.quick_cases(4)
def test_lines_of_a_program_that_look_like_a_table_pass_the_hook_unless_they_name_people(tmp_path, name):
    file = tmp_path / name
    file.write_text("".join(f"import a{i} from './a{i}';\n" for i in range(30)))
    assert is_other_file(file)
    file.write_text("".join(f"let p{i} = '{one['name']}';\n" for i, one in enumerate(PEOPLE)))
    assert not is_other_file(file)


def test_the_keys_of_records_have_a_name_that_no_record_uses(tmp_path):
    records = {f"p{i}@example.org": {"key": i, "key 2": i, "size": i % 7} for i in range(40)}
    (tmp_path / "map.json").write_text(json.dumps(records))
    report = privaudit.scan(tmp_path / "map.json", ner=False)
    assert [column.name for column in report.columns] == ["key 3", "key", "key 2", "size"]
    assert report.columns[0].is_.entity == "EMAIL" and report.columns[0].n_distinct == 40


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.log")
    assert content_of(tmp_path / "a.log") == "other"


def test_the_name_of_a_list_of_authors_hides_no_table(tmp_path):
    (tmp_path / "credits.json").write_text(json.dumps([{"name": one["name"], "size": 1} for one in PEOPLE]))
    (tmp_path / "CODEOWNERS").write_text("".join(f"*.py @{one['name'].split()[1]}\n" for one in PEOPLE))
    assert not is_other_file(tmp_path / "credits.json") and is_other_file(tmp_path / "CODEOWNERS")


def test_a_link_to_nothing_is_data_that_is_not_read(tmp_path):
    (tmp_path / "people").symlink_to(tmp_path / "missing")
    assert content_of(tmp_path / "people") == "data"
