"""A store that is written anew holds the rows that stay, as they were, whatever its dialect and numbering."""

from __future__ import annotations

import codecs
import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privaudit.base.errors import UnsupportedFormat
from privaudit.settings.config import Settings
from privaudit.source.places.location import locate
from privaudit.stewardship.changes import Change, Token
from privaudit.stewardship.rewrite import columnar, databases, text_files, workbook
from privaudit.stewardship.traces import remains

CELL = st.text(st.sampled_from('ab1 ,;"\n\tü'), max_size=6).map(lambda text: f"x{text}")
ROWS = st.lists(st.tuples(CELL, CELL, CELL), min_size=2, max_size=12)
KNOWN = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def text(rows: list[tuple[str, ...]], delimiter: str, end: str) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(rows)
    return out.getvalue()


@KNOWN
@given(
    ROWS, st.data(), st.sampled_from([",", ";", "\t"]), st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([b"", codecs.BOM_UTF8]), st.booleans(),
)  # fmt: skip
def test_other_records_of_delimited_text_keep_every_byte(tmp_path, rows, data, delimiter, end, mark, has_last_end):
    gone = set(data.draw(st.lists(st.integers(0, len(rows) - 1), unique=True, max_size=len(rows) - 1)))
    lines = [text([row], delimiter, end) for row in [("first", "second", "third"), *rows]]
    if not has_last_end:
        lines[-1] = lines[-1].removesuffix(end)
    path, target = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_bytes(mark + "".join(lines).encode())
    options = Settings(delimiter=delimiter, header=True)
    text_files.rewrite_delimited(locate(path), {"": Change(delete=gone)}, target, options)
    kept = [lines[0], *(line for i, line in enumerate(lines[1:]) if i not in gone)]
    assert target.read_bytes() == mark + "".join(kept).encode()


@pytest.mark.parametrize("encoding", ["cp1252", "mac-roman", "utf-16"])
def test_a_text_keeps_its_encoding_and_its_traces_are_searched_in_it(tmp_path, encoding):
    rows = ["Jürgen Schäfer,Köln", "Käthe Größmann,Nürnberg", "Günther Müller,Osnabrück", "Jörg Bäcker,Düsseldorf"]
    path, target = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_bytes("\n".join(["name,city", *rows]).encode(encoding))
    text_files.rewrite_delimited(locate(path), {"": Change(delete={1})}, target, Settings())
    assert target.read_bytes().decode(encoding) == "\n".join(["name,city", rows[0], *rows[2:]])
    assert remains(locate(path), frozenset(["käthe größmann"])) == 1
    assert remains(locate(target), frozenset(["käthe größmann"])) == 0


@KNOWN
@given(ROWS, st.data(), st.booleans())
def test_replaced_cells_change_no_other_cell(tmp_path, rows, data, is_array):
    row = data.draw(st.integers(0, len(rows) - 1))
    change = Change(cells={"b": {row: None}, "c": {row: Token("erased-1", -1)}})
    expected = [[a, b, c] for a, b, c in rows]
    expected[row][1:] = [None, "erased-1"]
    objects = [dict(zip("abc", each, strict=True)) for each in rows]
    path, target = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    path.write_text(
        json.dumps(objects) if is_array else "".join(f"{json.dumps(one)}\n" for one in objects), encoding="utf-8"
    )
    text_files.rewrite_jsonl(locate(path), {"": change}, target, Settings())
    written = target.read_text(encoding="utf-8")
    found = json.loads(written) if is_array else [json.loads(line) for line in written.split("\n") if line]
    assert [list(one.values()) for one in found] == expected
    frame = pa.table({name: [each[i] for each in rows] for i, name in enumerate("abc")})
    table = columnar.changed(frame, change)
    assert [list(one.values()) for one in table.to_pylist()] == expected


@KNOWN
@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.data())
def test_objects_of_an_array_that_stay_keep_every_byte(tmp_path, styles, data):
    texts = [
        ['{"a": 1}', '{"a":0.10000000000000000555 ,"b" :[1,2]}', '{"a": "],{[", "b": 1.0}', "{}"][i] for i in styles
    ]
    gone = data.draw(st.sets(st.integers(0, len(texts) - 1)))
    comma = data.draw(st.sampled_from([",", " ,", ", ", ",\r\n  "]))
    path, target = tmp_path / "a.json", tmp_path / "b.json"
    path.write_bytes(f" [ {comma.join(texts)}\n] ".encode())
    text_files.rewrite_jsonl(locate(path), {"": Change(delete=gone)}, target, Settings())
    written = target.read_bytes().decode()
    left = [text for i, text in enumerate(texts) if i not in gone]
    assert json.loads(written) == [json.loads(text) for text in left]
    if left:
        assert written == f" [ {comma.join(left)}\n] "


@KNOWN
@given(st.lists(st.sampled_from(["red", "green", "blue", None]), min_size=3, max_size=30), st.data())
def test_dictionaries_hold_the_values_of_the_rows_that_stay(tmp_path, cells, data):
    gone = set(data.draw(st.lists(st.integers(0, len(cells) - 1), unique=True)))
    table = pa.table(
        {"c": pa.chunked_array([pa.array(cells, pa.string())]).dictionary_encode(), "n": range(len(cells))}
    )
    path = tmp_path / "a.parquet"
    pq.write_table(table, path, row_group_size=4)
    columnar.rewrite_parquet(locate(path), {"": Change(delete=gone)}, tmp_path / "b.parquet", Settings())
    found = pq.read_table(tmp_path / "b.parquet", read_dictionary=["c"])
    kept = [cell for i, cell in enumerate(cells) if i not in gone]
    assert found["c"].to_pylist() == kept and found.schema.field("n").type == table.schema.field("n").type
    for chunk in found["c"].chunks:
        assert set(chunk.dictionary.to_pylist()) <= set(kept)


@pytest.mark.parametrize("is_old", [False, True])
@pytest.mark.parametrize("compression", ["none", {"n": "gzip", "at": "zstd", "in.a": "snappy", "in.b": "none"}])
def test_columns_of_parquet_keep_their_compression_and_how_times_are_stored(tmp_path, compression, is_old):
    """Programs that write the old type of a time, INT96, do not read nanoseconds of the new one."""
    rows = [{"a": f"v{i}", "b": float(i)} for i in range(20)]
    table = pa.table({"n": range(20), "at": pa.array(range(20), pa.timestamp("ns")), "in": rows})
    pq.write_table(table, tmp_path / "a.parquet", compression=compression, use_deprecated_int96_timestamps=is_old)
    where = locate(tmp_path / "a.parquet")
    columnar.rewrite_parquet(where, {"": Change(delete={3, 19})}, tmp_path / "b.parquet", Settings())
    old, new = (pq.ParquetFile(tmp_path / name) for name in ("a.parquet", "b.parquet"))
    assert new.schema == old.schema
    before, after = ([file.metadata.row_group(0).column(i).compression for i in range(4)] for file in (old, new))
    assert after == before
    assert new.read().to_pylist() == [row for i, row in enumerate(table.to_pylist()) if i not in (3, 19)]


@pytest.mark.parametrize(
    "definition", ["id INTEGER PRIMARY KEY, a TEXT", "id TEXT PRIMARY KEY, a TEXT", "id TEXT, a TEXT"]
)
@pytest.mark.parametrize("options", ["", " WITHOUT ROWID"])
def test_rows_of_sqlite_are_numbered_as_they_are_read(tmp_path, definition, options):
    if options and "PRIMARY" not in definition:
        pytest.skip("a table without rowid needs a primary key")
    # In an address of SQLite, "%41" is the letter A.
    path, target = tmp_path / "a%41.sqlite", tmp_path / "b%42.sqlite"
    with closing(sqlite3.connect(path)) as file:
        file.execute(f"CREATE TABLE t ({definition}){options}")
        file.execute("CREATE TABLE log (a TEXT)")
        file.execute("CREATE TRIGGER copied AFTER DELETE ON t BEGIN INSERT INTO log VALUES (old.a); END")
        file.execute("CREATE INDEX by_a ON t (a)")
        file.execute("CREATE VIEW v AS SELECT a FROM t")
        file.executemany("INSERT INTO t VALUES (?, ?)", [(90 - 7 * i, f"value {i}") for i in range(10)])
        file.execute("DELETE FROM t WHERE a = 'value 4'")
        file.execute("DELETE FROM log")
        file.commit()
        rows = file.execute("SELECT * FROM t").fetchall()
    change = Change(delete={2, 5}, cells={"a": {0: Token("erased-1", -1)}})
    databases.rewrite_sqlite(locate(path), {"t": change}, target, Settings())
    with closing(sqlite3.connect(target)) as file:
        expected = [(rows[0][0], "erased-1"), *(row for i, row in enumerate(rows) if i not in (0, 2, 5))]
        assert sorted(file.execute("SELECT * FROM t")) == sorted(expected)
        assert file.execute("SELECT count(*) FROM log").fetchone() == (0,)
        names = {name for (name,) in file.execute("SELECT name FROM sqlite_schema")}
        assert {"t", "log", "copied", "by_a", "v"} <= names
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a%41.sqlite", "b%42.sqlite"]


@pytest.mark.parametrize("definition", ["id INTEGER PRIMARY KEY", "id INTEGER", "id INT PRIMARY KEY", "rowid INTEGER"])
def test_pseudonyms_of_keys_in_sqlite_change_their_own_rows(tmp_path, definition):
    path, target = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    name = definition.split()[0]
    with closing(sqlite3.connect(path)) as file:
        file.execute(f"CREATE TABLE t ({definition}, a TEXT)")
        file.executemany("INSERT INTO t VALUES (?, ?)", [(7 * i + 3, f"value {i}") for i in range(6)])
        file.commit()
    cells = {name: {1: Token("erased-1", -17), 4: Token("erased-2", -9)}, "a": {1: None, 4: Token("erased-2", -9)}}
    databases.rewrite_sqlite(locate(path), {"t": Change(delete={0}, cells=cells)}, target, Settings())
    with closing(sqlite3.connect(target)) as file:
        others = [(7 * i + 3, f"value {i}") for i in (2, 3, 5)]
        assert sorted(file.execute("SELECT * FROM t")) == [(-17, None), (-9, "erased-2"), *others]


def test_generated_columns_of_duckdb_are_generated_again(tmp_path):
    import duckdb

    path, target = tmp_path / "a.duckdb", tmp_path / "b.duckdb"
    with closing(duckdb.connect(str(path))) as file:
        file.execute("CREATE TABLE t (a TEXT, twice TEXT GENERATED ALWAYS AS (a || a), n INTEGER)")
        file.execute("INSERT INTO t (a, n) VALUES ('x', 1), ('y', 2), ('z', 3)")
    databases.rewrite_duckdb(locate(path), {"t": Change(delete={1}, cells={"a": {2: None}})}, target, Settings())
    with closing(duckdb.connect(str(target))) as file:
        assert file.execute("SELECT * FROM t").fetchall() == [("x", "xx", 1), (None, None, 3)]


def test_rows_of_duckdb_are_numbered_as_they_are_read(tmp_path):
    import duckdb

    path, target = tmp_path / "a.duckdb", tmp_path / "b.duckdb"
    with closing(duckdb.connect(str(path))) as file:
        file.execute("CREATE SCHEMA other")
        file.execute("CREATE TABLE other.t (id INTEGER, a TEXT)")
        file.executemany("INSERT INTO other.t VALUES (?, ?)", [(90 - 7 * i, f"value {i}") for i in range(10)])
        file.execute("DELETE FROM other.t WHERE a = 'value 4'")
        file.execute("CREATE VIEW v AS SELECT a FROM other.t")
        rows = file.execute("SELECT * FROM other.t").fetchall()
    change = Change(delete={2, 5}, cells={"id": {0: Token("erased-1", -17)}, "a": {1: None}})
    databases.rewrite_duckdb(locate(path), {"other.t": change}, target, Settings())
    with closing(duckdb.connect(str(target))) as file:
        others = (row for i, row in enumerate(rows) if i not in (0, 1, 2, 5))
        expected = [(-17, rows[0][1]), (rows[1][0], None), *others]
        assert file.execute("SELECT * FROM other.t").fetchall() == expected
        assert file.execute("SELECT count(*) FROM v").fetchone() == (len(expected),)


def test_workbooks_with_parts_that_would_be_lost_are_refused(tmp_path):
    openpyxl = pytest.importorskip("openpyxl", reason="the extra `excel` is not installed")
    from openpyxl.chart import BarChart, Reference

    book = openpyxl.Workbook()
    for row in (("a", "b"), ("x", 1), ("y", 2)):
        book.active.append(row)
    chart = BarChart()
    chart.add_data(Reference(book.active, min_col=2, min_row=1, max_row=3))
    book.active.add_chart(chart)
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(UnsupportedFormat, match="would be lost"):
        without_a_row(tmp_path)


def without_a_row(folder, row=0):
    """Write a.xlsx without a row into b.xlsx."""
    changes = {"Sheet": Change(delete={row})}
    workbook.rewrite_excel(locate(folder / "a.xlsx"), changes, folder / "b.xlsx", Settings())


def book_of(rows):
    """Return a workbook with a link, a height and a state of its own in each row."""
    openpyxl = pytest.importorskip("openpyxl", reason="the extra `excel` is not installed")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(("name", "mail"))
    for i, name in enumerate(rows, start=2):
        sheet.append((name, "write"))
        sheet.cell(i, 2).hyperlink = f"mailto:{name}@example.org"
        sheet.row_dimensions[i].height = 10 + i
        sheet.row_dimensions[i].hidden = i % 2 == 0
    return book


@pytest.mark.parametrize("gone", range(5))
def test_links_heights_and_hidden_rows_move_with_the_rows_of_a_workbook(tmp_path, gone):
    rows = ["ann", "bob", "cid", "dan", "eve"]
    book = book_of(rows)
    book.active.merge_cells("A1:B1")  # a title; no row below it is merged
    book.save(tmp_path / "a.xlsx")
    without_a_row(tmp_path, gone)
    import openpyxl

    sheet = openpyxl.load_workbook(tmp_path / "b.xlsx").active
    found = [
        (cells[0].value, cells[1].hyperlink.target, sheet.row_dimensions[i].height, sheet.row_dimensions[i].hidden)
        for i, cells in enumerate(sheet.iter_rows(min_row=2), start=2)
    ]
    expected = [(name, f"mailto:{name}@example.org", 12 + i, i % 2 == 0) for i, name in enumerate(rows)]
    assert found == expected[:gone] + expected[gone + 1 :]


@pytest.mark.parametrize(
    ("edit", "cause"),
    [
        (lambda sheet: sheet.parent.create_sheet("sums").append(["=COUNTA(Sheet!A2:A4)"]), "formulas"),
        (lambda sheet: sheet.merge_cells("C3:C4"), "merged cells"),
    ],
)
def test_workbooks_in_which_other_rows_would_be_meant_are_refused(tmp_path, edit, cause):
    book = book_of(["ann", "bob", "cid"])
    edit(book.active)
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(UnsupportedFormat, match=cause):
        without_a_row(tmp_path)


def test_a_workbook_keeps_titles_formats_and_other_sheets(tmp_path):
    openpyxl = pytest.importorskip("openpyxl", reason="the extra `excel` is not installed")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "people"
    for row in (("Register of people",), (), ("name", "town", "age")):
        sheet.append(row)
    for row in (("Ann", "Kent", 30), ("Bob", "Essex", 41), ("Cid", "Kent", 52)):
        sheet.append(row)
    sheet["C5"].number_format = "0.00"
    book.create_sheet("other").append(("kept",))
    book.save(tmp_path / "a.xlsx")
    where = locate(Path(tmp_path / "a.xlsx"))
    change = Change(delete={0}, cells={"town": {2: None}})
    workbook.rewrite_excel(where, {"people": change}, tmp_path / "b.xlsx", Settings())
    found = openpyxl.load_workbook(tmp_path / "b.xlsx")
    values = [[cell.value for cell in row] for row in found["people"].iter_rows()]
    assert values[0][0] == "Register of people"
    assert values[2:] == [["name", "town", "age"], ["Bob", "Essex", 41], ["Cid", None, 52]]
    assert found["people"]["C4"].number_format == "0.00" and found["other"]["A1"].value == "kept"
