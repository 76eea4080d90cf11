"""Every place of a file that can hold text besides the cells is read, or named; ordinary files stay complete."""

from __future__ import annotations

import gzip
import io
import sqlite3
import struct
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import privaudit

ROWS = "size,colour,load\n" + "".join(f"{i % 7},{'rgb'[i % 3]},{i % 5}\n" for i in range(90))
SECRET = "mail jane.doe@example.org, ssn 123-45-6781"


def report_of(source):
    return privaudit.scan(source, ner=False, policy="internal")


def places(source) -> set[str]:
    report = report_of(source)
    found = {f.what: f.why for f in report.limits if f.code == "pipeline.outside"}
    assert not any("jane" in text or "6781" in text for item in found.items() for text in item)
    assert report.gate().exit_code in ((1, 3) if found else (0, 1, 3))
    return set(found)


def incomplete(source) -> set[str]:
    return {f.code for f in report_of(source).limits if f.incomplete and f.code.startswith("source.")}


def plain_book():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for line in ROWS.splitlines():
        book.active.append([int(cell) if cell.isdigit() else cell for cell in line.split(",")])
    return book


def with_part(path, name, content):
    """Add a part to a workbook, or replace it by what a function makes of it."""
    with zipfile.ZipFile(path) as book:
        parts = {part: book.read(part) for part in book.namelist()}
    parts[name] = content(parts.get(name, b"<sst></sst>")) if callable(content) else content
    with zipfile.ZipFile(path, "w") as book:
        for part, data in parts.items():
            book.writestr(part, data)


def hyperlink(book, path):
    book.active["B3"].hyperlink = "mailto:jane.doe@example.org"


def tooltip(book, path):
    from openpyxl.worksheet.hyperlink import Hyperlink

    book.active["B3"].hyperlink = Hyperlink(ref="B3", location="A1", tooltip=SECRET)


def auto_filter(book, path):
    book.active.auto_filter.ref = "A1:C91"
    book.active.auto_filter.add_filter_column(1, ["r", SECRET])


def number_format(book, path):
    book.active["A2"].number_format = f'0"{SECRET}"'


def conditional_format(book, path):
    from openpyxl.formatting.rule import FormulaRule

    book.active.conditional_formatting.add("A1:A9", FormulaRule(formula=[f'B1="{SECRET}"']))


def text_in_a_formula(book, path):
    book.active["A2"] = f'=IF(C2=1,"{SECRET}",3)'


WRITTEN = (hyperlink, tooltip, auto_filter, number_format, conditional_format, text_in_a_formula)


@pytest.mark.parametrize("write", WRITTEN, ids=lambda one: one.__name__)
@pytest.mark.quick_cases(1)
def test_what_people_write_outside_of_the_cells_is_read(tmp_path, write):
    book = plain_book()
    write(book, tmp_path)
    book.save(tmp_path / "t.xlsx")
    assert len(places(tmp_path / "t.xlsx")) == 1


def inside(kind):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as book:
        book.writestr("xl/sharedStrings.xml" if kind == "xlsx" else "word/document.xml", f"<a><t>{SECRET}</t></a>")
    return made.getvalue()


SHARED = f"<si><t>{SECRET}</t></si></sst>".encode()
PARTS = {
    "embedded workbook": ("xl/embeddings/Microsoft_Excel_Sheet1.xlsx", inside("xlsx"), True),
    "embedded document": ("xl/embeddings/oleObject1.docx", inside("docx"), True),
    "document in an unknown folder": ("hidden/a", inside("xlsx"), True),
    "text": ("xl/notes.txt", SECRET.encode(), True),
    "page": ("customXml/page.html", f"<p>{SECRET}</p>".encode(), True),
    "unused shared text": ("xl/sharedStrings.xml", lambda old: old.replace(b"</sst>", SHARED), True),
    "macros": ("xl/vbaProject.bin", b"\xd0\xcf\x11\xe0" + SECRET.encode(), False),
    "object": ("xl/embeddings/oleObject1.bin", b"\xd0\xcf\x11\xe0" + SECRET.encode(), False),
    "unknown": ("data.raw", b"\0\1\2" + SECRET.encode(), False),
}  # fmt: skip


@pytest.mark.parametrize("kind", PARTS)
@pytest.mark.quick_cases(1)
def test_every_part_of_a_workbook_is_read_or_named(tmp_path, kind):
    name, content, is_read = PARTS[kind]
    plain_book().save(tmp_path / "t.xlsx")
    with_part(tmp_path / "t.xlsx", name, content)
    found = places(tmp_path / "t.xlsx"), incomplete(tmp_path / "t.xlsx")
    assert bool(found[0]) == is_read
    assert found[1] == (set() if is_read else {"source.workbook_parts_unread"})


def test_a_comment_of_the_archive_is_read(tmp_path):
    plain_book().save(tmp_path / "t.xlsx")
    with zipfile.ZipFile(tmp_path / "t.xlsx", "a") as book:
        book.comment = SECRET.encode()
    assert places(tmp_path / "t.xlsx") == {"properties of the file"}


def test_ordinary_workbooks_stay_complete(tmp_path, shared):
    from openpyxl.chart import BarChart, Reference
    from openpyxl.styles import Font

    book = plain_book()
    sheet = book.active
    sheet["A1"].font = Font(bold=True)
    sheet["B2"].number_format = "#,##0.00"
    sheet.freeze_panes, sheet.auto_filter.ref = "A2", "A1:C91"
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=1, min_row=1, max_row=20), titles_from_data=True)
    sheet.add_chart(chart, "F2")
    book.save(tmp_path / "openpyxl.xlsx")
    import pandas as pd

    pd.read_csv(io.StringIO(ROWS)).to_excel(tmp_path / "pandas.xlsx", index=False)
    for file in (tmp_path / "openpyxl.xlsx", tmp_path / "pandas.xlsx"):
        assert incomplete(file) == set() and places(file) == set(), file.name


def test_a_workbook_of_libreoffice_stays_complete():
    file = Path(__file__).with_name("stored") / "libreoffice.xlsx"
    assert incomplete(file) == set() and places(file) == set()


@pytest.mark.shared
def test_a_workbook_of_excel_stays_complete(shared):
    assert not {code for code in incomplete(shared / "data" / "arx" / "data" / "test.xlsx") if "workbook" in code}


def gzip_with(name=b"", comment=b""):
    flags = 8 * bool(name) | 16 * bool(comment)
    body = gzip.compress(ROWS.encode())
    head = b"\x1f\x8b\x08" + bytes([flags]) + body[4:10]
    return head + (name + b"\0" if name else b"") + (comment + b"\0" if comment else b"") + body[10:]


def test_headers_of_compressed_files_are_read(tmp_path):
    pyzstd = pa.Codec("zstd").compress(ROWS.encode(), asbytes=True)
    frame = struct.pack("<II", 0x184D2A51, len(SECRET)) + SECRET.encode()
    cases = {"a.csv.gz": gzip_with(name=SECRET.encode()), "b.csv.gz": gzip_with(comment=SECRET.encode())}
    for name, content in {**cases, "c.csv.zst": frame + pyzstd}.items():
        (tmp_path / name).write_bytes(content)
        assert places(tmp_path / name) == {"properties of the file"}, name
    (tmp_path / "d.csv.gz").write_bytes(gzip_with(name=b"table.csv"))
    assert places(tmp_path / "d.csv.gz") == set()


@pytest.mark.parametrize("kind", ["text", "number"])
def test_values_under_null_cells_are_read(tmp_path, kind):
    values = [SECRET, "a", "b"] * 30 if kind == "text" else [4111111111111111, 3, 4] * 30
    whole = pa.array(values)
    bitmap = np.packbits([i % 3 > 0 for i in range(90)], bitorder="little").tobytes()
    masked = pa.Array.from_buffers(whole.type, 90, [pa.py_buffer(bitmap), *whole.buffers()[1:]])
    assert masked.null_count == 30 and masked[0].as_py() is None
    table = pa.table({"load": masked, "size": [i % 4 for i in range(90)]})
    with pa.OSFile(str(tmp_path / "t.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as file:
        file.write_table(table)
    assert places(tmp_path / "t.arrow") == {"values under missing cells"}
    clean = pa.table({"load": masked.to_pylist(), "size": [i % 4 for i in range(90)]})
    with pa.OSFile(str(tmp_path / "t.arrow"), "wb") as sink, pa.ipc.new_file(sink, clean.schema) as file:
        file.write_table(clean)
    assert places(tmp_path / "t.arrow") == set()


DEFINITIONS = {
    "default": f"CREATE TABLE t (size, load DEFAULT '{SECRET}')",
    "check": f"CREATE TABLE t (size, load, CHECK (load <> '{SECRET}'))",
    "comment": f"CREATE TABLE t (size, load /* {SECRET} */)",
    "trigger": f"CREATE TRIGGER r AFTER DELETE ON t BEGIN INSERT INTO t VALUES (1, '{SECRET}'); END",
    "index": f"CREATE INDEX i ON t (size) WHERE load = '{SECRET}'",
}


@pytest.mark.parametrize("kind", DEFINITIONS)
@pytest.mark.quick_cases(3)
def test_definitions_of_a_database_are_read(tmp_path, kind):
    connection = sqlite3.connect(tmp_path / "t.sqlite")
    if "CREATE TABLE" not in DEFINITIONS[kind]:
        connection.execute("CREATE TABLE t (size, load)")
    connection.execute(DEFINITIONS[kind])
    connection.executemany("INSERT INTO t VALUES (?, ?)", [(i % 7, i % 4) for i in range(60)])
    connection.commit()
    connection.close()
    assert places(tmp_path / "t.sqlite") == {"definitions, defaults, checks and comments of the database"}


def test_deleted_rows_in_free_blocks_are_read(tmp_path):
    connection = sqlite3.connect(tmp_path / "t.sqlite")
    connection.execute("PRAGMA secure_delete = OFF")
    connection.execute("CREATE TABLE t (size, load)")
    rows = [(i % 7, SECRET if i == 20 else "rgb"[i % 3]) for i in range(60)]
    connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
    connection.commit()
    path = tmp_path / "t.sqlite"
    connection.execute("DELETE FROM t WHERE rowid = 21")
    connection.commit()
    connection.close()
    assert places(path) == {"deleted rows of the database"}
    assert "source.free_blocks" in incomplete(path)
    connection = sqlite3.connect(path)
    connection.execute("VACUUM")
    connection.close()
    assert places(path) == set() and incomplete(path) == set()


DUCKDB = {
    "comment on a table": f"COMMENT ON TABLE t IS '{SECRET}'",
    "comment on a column": f"COMMENT ON COLUMN t.load IS '{SECRET}'",
    "default": f"ALTER TABLE t ALTER load SET DEFAULT '{SECRET}'",
    "macro": f"CREATE MACRO m() AS '{SECRET}'",
    "view": f"CREATE VIEW v AS SELECT '{SECRET}' AS a",
    "labels": f"CREATE TYPE e AS ENUM ('{SECRET}')",
}


@pytest.mark.parametrize("kind", DUCKDB)
@pytest.mark.quick_cases(1)
def test_comments_and_definitions_of_a_duckdb_file_are_read(tmp_path, kind):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "t.duckdb")) as database:
        database.execute("CREATE TABLE t AS SELECT range % 7 AS size, (range % 4)::VARCHAR AS load FROM range(60)")
    assert places(tmp_path / "t.duckdb") == set()
    with duckdb.connect(str(tmp_path / "t.duckdb")) as database:
        database.execute(DUCKDB[kind])
    assert places(tmp_path / "t.duckdb") == {"definitions, defaults, checks and comments of the database"}
