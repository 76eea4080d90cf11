"""All data of a folder is accounted for: it is read, named as not read, or listed as ignored."""

from __future__ import annotations

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import orc

import privaudit
from privaudit.report.seals import with_digest
from privaudit.source.files.several import is_other_file
from privaudit.source.places.folder_files import LEAST_INSIDE, content_of

ROWS = "size,colour\n" + "".join(f"{i % 7},{'rgb'[i % 3]}\n" for i in range(60))
RECORDS = [{"size": i % 7, "colour": "rgb"[i % 3]} for i in range(60)]
TABLE = pa.table({"size": [i % 7 for i in range(60)], "colour": ["rgb"[i % 3] for i in range(60)]})


@pytest.fixture
def folder(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    (data / "a.csv").write_text(ROWS)
    return data


def scanned(folder, **settings):
    found = privaudit.scan_many(folder, ner=False, policy="internal", unit="object", **settings)
    return {one.name: 0 if one.report is not None else one.exit_code for one in found}


@pytest.mark.parametrize("name", ["b", "b.txt"])
def test_a_table_without_a_telling_suffix_is_read(folder, name):
    (folder / name).write_text(ROWS)
    assert scanned(folder) == {"a.csv": 0, name: 0}


def test_a_list_of_json_objects_is_read_and_other_json_is_not_a_table(folder):
    (folder / "b.json").write_text(json.dumps(RECORDS))
    (folder / "package.json").write_text('{"name": "x", "files": ["a", "b"]}')
    assert scanned(folder) == {"a.csv": 0, "b.json": 0}
    (folder / "c.json").write_text(json.dumps({"page": 1, "data": RECORDS}))
    assert scanned(folder)["c.json"] == 3


SHAPES = {
    "rows": [list(one.values()) for one in RECORDS],
    "columns": {name: [one[name] for one in RECORDS] for name in RECORDS[0]},
    "columns and rows": {"columns": ["size", "colour"], "data": [list(one.values()) for one in RECORDS]},
    "objects further inside": {"page": {"number": 1, "items": RECORDS}},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_json_documents_with_a_table_inside_are_not_ignored(tmp_path, shape):
    file = tmp_path / "b.json"
    file.write_text(json.dumps(SHAPES[shape]))
    assert content_of(file) == "data" and not is_other_file(file)


@pytest.mark.parametrize(
    "document",
    [
        {"name": "x", "files": ["a", "b"], "scripts": {"test": "t", "lint": "l"}},
        {"packages": {f"p{i}": {"version": "1", "sha": "a", "needs": {"q": "1"}} for i in range(60)}},
        {f"k{i}": {"a": 1, **({"b": 2} if i % 2 else {"c": 3})} for i in range(60)},
        {f"k{i}": {"a": 1, "b": 2} for i in range(LEAST_INSIDE - 1)},
        {f"key {i}": f"text {i}" for i in range(60)},
        [f"word {i}" for i in range(60)],
    ],
)
def test_settings_in_json_are_not_data(tmp_path, document):
    file = tmp_path / "b.json"
    file.write_text(json.dumps(document))
    assert content_of(file) == "other" and is_other_file(file)


def test_a_report_next_to_tables_is_not_data_unless_it_was_changed(folder):
    file = folder / "report.json"
    privaudit.scan(folder / "a.csv", ner=False, unit="object").write(file)
    assert content_of(file) == "other" and is_other_file(file) and scanned(folder) == {"a.csv": 0}
    file.write_text(json.dumps(json.loads(file.read_text()) | {"rows": RECORDS}))
    assert content_of(file) == "data"


@pytest.mark.parametrize("name", ["b.json", "b.txt"])
@pytest.mark.parametrize("content", ["parquet", "gzip", "pointer", "lines"])
def test_data_under_the_name_of_a_document_are_not_ignored(tmp_path, name, content):
    file = tmp_path / name
    if content == "parquet":
        pq.write_table(TABLE, file)
    elif content == "gzip":
        file.write_bytes(gzip.compress(ROWS.encode()))
    elif content == "pointer":
        file.write_text(f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12345\n")
    else:
        file.write_text("".join(f"{json.dumps(one)}\n" for one in [{"version": 1}, *RECORDS]))
    assert not is_other_file(file)


@pytest.mark.parametrize("name", ["a.csv~", "a.csv.bak", "a.csv.orig", "a.csv.1", "#a.csv#", ".a.csv.swp", ".a.csv~"])
@pytest.mark.parametrize("content", ["two lines", "parquet", "buffer"])
def test_copies_of_a_table_under_its_name_are_data(tmp_path, name, content):
    file = tmp_path / name
    if content == "parquet":
        pq.write_table(TABLE, file)
    else:
        file.write_bytes(b"b0VIM 8.2\0\0" if content == "buffer" else b"name,age\nAnna,3\n")
    assert content_of(file) == "data"


@pytest.mark.parametrize("name", ["a.csv.md5", "a.csv.dvc", ".a.csv.crc", "notes.md~", ".notes.md.swp"])
def test_other_files_under_the_name_of_a_table_are_not_data(tmp_path, name):
    file = tmp_path / name
    file.write_bytes(b"crc\0\0\2" if name.endswith("crc") else b"outs:\n- path: a.csv\n  size: 3\n")
    assert content_of(file) == "other"


def test_an_orc_file_is_read(folder):
    orc.write_table(TABLE, folder / "b.orc")
    assert scanned(folder) == {"a.csv": 0, "b.orc": 0}


@pytest.mark.parametrize("name", ["b.zip", "b.csv.bz2", "b.avro", "b.xml", "b.tar.gz", "b.rds", "b.h5"])
@pytest.mark.quick_cases(1)
def test_data_that_is_not_read_is_named_and_incomplete(folder, name, run):
    (folder / name).write_bytes(b"\x00\x01data")
    assert scanned(folder) == {"a.csv": 0, name: 3}
    done = run("scan", folder, "--brief", "--no-ner", "--unit", "object", "--policy", "internal")
    assert done.returncode == 3 and name in done.stdout
    assert scanned(folder, ignore=[str(folder / "b.*")]) == {"a.csv": 0}
    assert privaudit.scan_many(folder, ner=False, ignore=[str(folder / "b.*")]).ignored == (name,)


def test_ignored_files_are_listed_whatever_names_them(folder, run, tmp_path):
    (tmp_path / "privaudit.toml").write_text('ignore = ["data/raw*", "*.zip"]\nunit = "object"\npolicy = "internal"\n')
    (folder / "raw.csv").write_text(ROWS)
    (folder / "b.zip").write_bytes(b"PK")
    done = run("scan", "data", "--brief", "--no-ner")
    assert done.returncode in (0, 3) and "raw.csv" not in done.stdout
    assert "raw.csv" in done.stderr and "b.zip" in done.stderr
    only = run("scan", "data/raw.csv", "--brief", "--no-ner")
    assert only.returncode == 0 and "raw.csv" in only.stderr and "raw.csv" not in only.stdout


@pytest.mark.parametrize("named", ["data", "data/*.csv"])
def test_a_folder_or_pattern_without_a_table_that_is_scanned_does_not_pass(folder, run, tmp_path, named):
    (tmp_path / "privaudit.toml").write_text('ignore = ["*.csv"]\n')
    done = run("scan", named, "--brief", "--no-ner")
    assert done.returncode == 3 and "excludes every table" in done.stderr


@pytest.mark.parametrize(
    "name", ["readme.md", "plot.png", "tool.py", "notes.txt", "LICENSE", ".pre-commit-config.yaml", "_SUCCESS"]
)
def test_documents_and_programs_are_not_data(folder, name):
    (folder / name).write_text("Some text, with a comma\nand another line\nthird\n\nfourth, fifth, sixth\nseventh\n")
    assert scanned(folder) == {"a.csv": 0}


QUOTED = "size,notes\n" + "".join(f'{i % 7},"{", ".join("ab"[: i % 3])}"\n' for i in range(60))


@pytest.mark.parametrize("name", ["b", "b.txt"])
def test_separators_in_quotes_do_not_make_a_table_a_document(folder, name):
    (folder / name).write_text(QUOTED)
    assert scanned(folder) == {"a.csv": 0, name: 0}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "latin-1"])
@pytest.mark.parametrize("name", ["b.dat", "b.csv~", "b.old", "b.csv.orig"])
@pytest.mark.quick_cases(4)
def test_a_table_with_an_unknown_suffix_is_named_as_not_read(folder, name, encoding):
    (folder / name).write_bytes(QUOTED.replace("b", "é").encode(encoding))
    assert scanned(folder) == {"a.csv": 0, name: 3}


def test_templates_and_changes_of_programs_are_not_data(folder):
    """They begin like JSON lines, and documentation of programs is compressed."""
    (folder / "page.j2").write_text("{% if x %}\n{{ y }}\n{% endif %}\n" * 5)
    (folder / "changelog.Debian.gz").write_bytes(
        gzip.compress(b"program (1.0) stable; urgency=medium\n\n  * First.\n" * 9)
    )
    (folder / "b.dat.gz").write_bytes(gzip.compress(ROWS.encode()))
    (folder / "c.log").write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    assert scanned(folder) == {"a.csv": 0, "b.dat.gz": 3, "c.log": 3}


def test_a_workbook_with_an_unknown_suffix_is_named_and_a_document_is_not(folder):
    for name in ("b.dat", "b.docx"):
        (folder / name).write_bytes(b"PK\x03\x04" + bytes(500))
    assert scanned(folder) == {"a.csv": 0, "b.dat": 3}


@pytest.mark.parametrize(
    "name", [".b.csv", "_b.csv", ".h/b.csv", ".h/x/b.parquet", "_h/b.csv", ".b.zip", "._b.csv", ".svn/b.csv"]
)
@pytest.mark.quick_cases(8)
def test_a_hidden_table_is_named_as_not_read(folder, name, run):
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(ROWS)
    assert scanned(folder) == {"a.csv": 0, file.name: 3}
    assert privaudit.scan_many(folder, ner=False, unit="object", ignore=[str(file)]).ignored == (file.name,)
    (file.parent / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n")
    assert scanned(folder) == {"a.csv": 0} | ({} if "/" in name else {file.name: 3})


def test_folders_of_git_and_of_packages_are_not_data(folder):
    for name in (".git/x/b.csv", ".venv/lib/b.csv"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(ROWS)
    (folder / ".venv" / "pyvenv.cfg").write_text("home = /usr\n")
    (folder / "._a.csv").write_bytes(b"\x00\x05\x16\x07" + bytes(60))
    assert scanned(folder) == {"a.csv": 0}


def test_a_hidden_table_in_which_the_mark_of_macos_occurs_is_named_as_not_read(folder):
    (folder / ".b.csv").write_bytes(b"name,age\n\x00\x05\x16\x07,30\n" + ROWS.encode())
    assert scanned(folder) == {"a.csv": 0, ".b.csv": 3}


def test_a_link_to_a_folder_elsewhere_is_named_as_not_read(folder, tmp_path):
    (folder / "inside").mkdir()
    (folder / "inside" / "c.csv").write_text(ROWS)
    (folder / "again").symlink_to("inside")
    assert scanned(folder) == {"a.csv": 0, "c.csv": 0}
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "b.csv").write_text(ROWS)
    (folder / "more").symlink_to(tmp_path / "elsewhere")
    assert scanned(folder) == {"a.csv": 0, "c.csv": 0, "more": 3}
    assert scanned(folder, ignore=[str(folder / "more")]) == {"a.csv": 0, "c.csv": 0}


def incomplete(source):
    report = privaudit.scan(source, ner=False, unit="object", policy="internal")
    return [limit.code for limit in report.limits if limit.incomplete]


def test_a_link_in_the_folder_of_one_table_makes_it_incomplete(folder, tmp_path):
    (folder / "a.csv").unlink()
    for year in ("2020", "2021"):
        (tmp_path / f"year={year}").mkdir()
        (tmp_path / f"year={year}" / "a.csv").write_text(ROWS)
    (tmp_path / "year=2020").rename(folder / "year=2020")
    assert not incomplete(folder)
    (folder / "year=2021").symlink_to(tmp_path / "year=2021")
    assert incomplete(folder) == ["source.folder_tables_passed_over"]


@pytest.mark.parametrize("suffix", [".sav", ".zsav", ".por", ".dta", ".xpt"])
@pytest.mark.quick_cases(1)
def test_files_of_statistics_programs_are_read(folder, suffix):
    pyreadstat = pytest.importorskip("pyreadstat")
    pd = pytest.importorskip("pandas")
    write = {".sav": "write_sav", ".zsav": "write_sav", ".por": "write_por", ".dta": "write_dta", ".xpt": "write_xport"}
    options = {"compress": True} if suffix == ".zsav" else {}
    path = folder / f"b{suffix}"
    getattr(pyreadstat, write[suffix])(pd.read_csv(folder / "a.csv"), str(path), **options)
    assert scanned(folder) == {"a.csv": 0, path.name: 0}
    read, csv = (privaudit.scan(file, ner=False, unit="object") for file in (path, folder / "a.csv"))
    assert [(c.name.lower(), c.n_distinct, c.n_missing) for c in read.columns] == [
        (c.name, c.n_distinct, c.n_missing) for c in csv.columns
    ]


def test_labels_and_notes_of_a_statistics_file_are_read(folder):
    pyreadstat = pytest.importorskip("pyreadstat")
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"sex": [1, 2] * 30, "load": range(60)})
    labels = {"sex": {1: "male", 2: "female"}}
    pyreadstat.write_sav(frame, str(folder / "b.sav"), variable_value_labels=labels, note="ssn 123-45-6781")
    report = privaudit.scan(folder / "b.sav", ner=False)
    assert [c.is_.entity for c in report.columns if c.name == "sex"] == ["GENDER"]
    assert "PII014" in {found.code for found in report.findings}


def test_an_identifier_in_the_name_of_a_folder_is_a_finding(tmp_path, monkeypatch):
    inside = tmp_path / "case 123-45-6781" / "x"
    inside.mkdir(parents=True)
    (inside / "a.csv").write_text(ROWS)
    monkeypatch.chdir(tmp_path)
    for source in ("case 123-45-6781/x/a.csv", str(inside / "a.csv")):
        report = privaudit.scan(source, ner=False)
        assert "PII013" in {found.code for found in report.findings}
        report.write(tmp_path / "r.json")
        assert "6781" not in (tmp_path / "r.json").read_text()
    monkeypatch.chdir(inside)
    assert "PII013" not in {found.code for found in privaudit.scan("a.csv", ner=False).findings}


def test_an_identifier_in_the_name_of_a_file_is_a_finding_whatever_a_row_is(tmp_path):
    file = tmp_path / "219-09-9999.csv"
    file.write_text("part,price\nA1,12.5\nB2,7\n", encoding="utf-8")
    for unit in ("person", "object", "aggregate"):
        assert "PII013" in {found.code for found in privaudit.scan(file, ner=False, unit=unit).findings}, unit


def test_a_report_for_gitlab_is_not_a_table(tmp_path):
    rows = "mail,age\n" + "".join(f"p{i}@example.org,{20 + i}\n" for i in range(30))
    (tmp_path / "people.csv").write_text(rows)
    privaudit.scan(tmp_path / "people.csv", ner=False).write(tmp_path / "r.gitlab.json")
    assert len(json.loads((tmp_path / "r.gitlab.json").read_text())) > 1
    assert content_of(tmp_path / "r.gitlab.json") == "other"


def test_what_a_remedy_writes_is_not_data_until_it_is_changed(tmp_path):
    people = pa.table({"age": [str(20 + i % 40) for i in range(400)], "sex": ["mf"[i % 2] for i in range(400)]})
    made = privaudit.remedy(people, quasi=("age", "sex"), output=tmp_path / "safer.csv", ner=False)
    for name in ("risk.json", "risk.xml"):
        made.write(tmp_path / name)
    written = sorted(file for file in tmp_path.iterdir() if file.suffix in (".json", ".xml"))
    assert {"safer.privaudit.json", "safer.dictionary.json", "risk.json", "risk.xml"} <= {file.name for file in written}
    assert {content_of(file) for file in written} == {"other"}
    for file in (file for file in written if file.suffix == ".json"):
        file.write_text(json.dumps(json.loads(file.read_text()) | {"more": RECORDS}))
        assert content_of(file) == "data"


def test_a_digest_of_its_own_does_not_hide_records(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(with_digest({"schema": "people 1", "rows": RECORDS})))
    assert content_of(tmp_path / "a.json") == "data"
