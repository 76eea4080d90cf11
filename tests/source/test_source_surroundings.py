"""What a file or folder holds besides its table is read as text or counted; nothing passes unseen."""

from __future__ import annotations

import sqlite3
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import privaudit
from privaudit.report.sections import verdict
from privaudit.report.sections.first_steps import steps
from privaudit.report.sentences import wording_of

ROWS = "size,colour,load\n" + "".join(f"{i % 7},{'rgb'[i % 3]},{i % 5}\n" for i in range(90))
SECRET = "mail jane.doe@example.org, ssn 123-45-6781"


def outside(source) -> dict[str, str]:
    report = privaudit.scan(source, ner=False)
    found = {f.what: f.why for f in report.limits if f.code == "pipeline.outside"}
    judged = {f.measure: f.severity for f in report.findings if f.code == "PII014"}
    assert bool(judged) == bool(found) and (not found or report.gate().exit_code in (1, 3))
    assert judged.get("pii.outside[SSN]", "critical") == "critical"
    assert not any("jane" in text or "6781" in text for item in found.items() for text in item)
    return found


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(
    "above", [f"{SECRET}\n", f"# {SECRET}\n", f"\nExport\n{SECRET}\n\n", "# a,b,c\n" * 9 + f"# {SECRET}\n"]
)
def test_lines_above_a_table_are_read_as_text(tmp_path, above):
    (tmp_path / "t.csv").write_text(above + ROWS)
    (found,) = outside(tmp_path / "t.csv").values()
    assert "mail" in found and "security" in found
    (tmp_path / "t.csv").write_text("Export of sensors\n" + ROWS)
    assert outside(tmp_path / "t.csv") == {}


def test_metadata_of_columnar_files_is_read_as_text(tmp_path):
    table = pa.table({"size": [1, 2] * 30, "load": ["a", "b"] * 30})
    for table_with in (
        table.replace_schema_metadata({"note": SECRET}),
        table.cast(pa.schema([table.schema.field(0), table.schema.field(1).with_metadata({"by": SECRET})])),
    ):
        pq.write_table(table_with, tmp_path / "t.parquet")
        assert list(outside(tmp_path / "t.parquet")) == ["metadata of the file"]
    pq.write_table(table, tmp_path / "t.parquet")
    assert outside(tmp_path / "t.parquet") == {}


def test_dictionary_values_without_a_row_are_read_as_text(tmp_path):
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1] * 30, pa.int8()), pa.array(["a", "b", SECRET]))
    table = pa.table({"load": column, "size": [1, 2] * 30})
    with pa.OSFile(str(tmp_path / "t.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as file:
        file.write_table(table)
    assert list(outside(tmp_path / "t.arrow")) == ["values that no cell refers to"]


def test_properties_comments_and_settings_of_a_workbook_are_read_and_formulas_counted(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    from openpyxl.comments import Comment
    from openpyxl.workbook.defined_name import DefinedName

    book = openpyxl.Workbook()
    sheet = book.active
    for line in ROWS.splitlines():
        sheet.append(line.split(","))
    book.save(tmp_path / "t.xlsx")
    assert outside(tmp_path / "t.xlsx") == {}
    book.properties.creator = "Jane Miller"
    sheet["B3"].comment = Comment(SECRET, "x")
    sheet.oddFooter.center.text = SECRET
    sheet["D1"], sheet["D2"], sheet["D3"] = "sum", "=A2+1", "#REF!"
    sheet["D3"].data_type = "e"
    book.defined_names["n"] = DefinedName("n", attr_text='"123-45-6781"')
    book.create_sheet("more").sheet_state = "hidden"
    book["more"].append(["a"])
    book.save(tmp_path / "t.xlsx")
    assert set(outside(tmp_path / "t.xlsx")) == {
        "properties of the file",
        "comments of the workbook",
        "headers, footers, links, filters, formats, formulas and data validation of the workbook",
        "drawings, charts, defined names, caches and embedded files of the workbook",
    }
    report = privaudit.scan(tmp_path / "t.xlsx", ner=False)
    codes = {found.code: found.incomplete for found in report.limits}
    assert codes["source.formula_cells"] and codes["source.other_sheets"] and "source.error_cells" in codes
    assert report.findings.at_least("critical")[0].code == "PII014"


@pytest.mark.parametrize(
    "place", ["xl/pivotCache/pivotCacheDefinition1.xml", "xl/drawings/drawing1.xml", "customXml/item1.xml"]
)
def test_caches_and_drawings_of_a_workbook_are_read_as_text(tmp_path, place):
    from privaudit.source.files.formats.workbook_texts import of_workbook

    with zipfile.ZipFile(tmp_path / "t.xlsx", "w") as book:
        book.writestr(place, f'<a><s v="{SECRET}"/><t>Jane Miller</t></a>')
    texts, _ = of_workbook(tmp_path / "t.xlsx")
    assert {text.text for text in texts} == {SECRET, "Jane Miller"}


@pytest.mark.parametrize("kind", ["checksum", "stream", "size"])
def test_a_part_of_a_workbook_that_cannot_be_read_makes_the_scan_incomplete(tmp_path, monkeypatch, kind):
    from privaudit.source.files.formats import workbook_texts as surroundings

    path, place = tmp_path / "t.xlsx", "docProps/core.xml"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED if kind == "checksum" else zipfile.ZIP_DEFLATED) as book:
        book.writestr(place, f"<a><t>{SECRET}</t></a>" * 40)
        book.writestr("xl/comments1.xml", "<a><t>kept text</t></a>")
        start = book.getinfo(place).header_offset + 30 + len(place)
    damaged = bytearray(path.read_bytes())
    if kind == "size":
        monkeypatch.setattr(surroundings, "MOST_BYTES_OF_A_PART", 100)
    else:
        damaged[start : start + 6] = b"\xff" * 6
    path.write_bytes(damaged)
    texts, limits = surroundings.of_workbook(path)
    assert [text.text for text in texts] == ["kept text"]
    (found,) = limits
    assert found.code == "source.workbook_parts_unreadable" and found.incomplete
    assert found.values["parts"].value == 1


def test_a_validation_list_of_a_workbook_is_read_as_text(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    from openpyxl.worksheet.datavalidation import DataValidation

    book = openpyxl.Workbook()
    for line in ROWS.splitlines():
        book.active.append(line.split(","))
    book.active.add_data_validation(DataValidation(type="list", formula1='"123-45-6781,x"', sqref="A2"))
    book.save(tmp_path / "t.xlsx")
    (place,) = outside(tmp_path / "t.xlsx")
    assert place.endswith("data validation of the workbook")


def test_views_and_deleted_rows_of_a_database_are_reported(tmp_path):
    with sqlite3.connect(tmp_path / "t.sqlite") as connection:
        connection.execute("CREATE TABLE t (size, load)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [(i % 7, "x" * 900) for i in range(600)])
        connection.execute(f"CREATE VIEW v AS SELECT '{SECRET}' AS a")
    connection.execute("DELETE FROM t WHERE rowid > 60")
    connection.commit()
    connection.close()
    assert list(outside(tmp_path / "t.sqlite")) == ["definitions of views"]
    codes = {found.code: found.incomplete for found in privaudit.scan(tmp_path / "t.sqlite", ner=False).limits}
    assert codes["source.free_pages"] and codes["source.views"] is False


def test_files_of_a_folder_that_are_not_read_are_counted(tmp_path):
    folder = tmp_path / "parts"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.csv").write_text(ROWS)
    (folder / "readme.pdf").write_text("x")

    def codes() -> dict[str, bool]:
        return {f.code: f.incomplete for f in privaudit.scan(folder, ner=False).limits if "passed" in f.code}

    assert codes() == {"source.folder_passed_over": False}
    for name in (".hidden.csv", "_c.csv"):
        (folder / name).write_text(ROWS)
        assert codes()["source.folder_tables_passed_over"] is True
        (folder / name).unlink()


def test_a_worksheet_that_spans_more_cells_than_the_cap_is_refused_by_name(tmp_path):
    from privaudit.base.errors import ScanIncomplete
    from privaudit.settings.config import Settings
    from privaudit.source import open_dataset

    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active["A1"], book.active["XFD1048576"] = "a", "b"
    book.save(tmp_path / "t.xlsx")
    with pytest.raises(ScanIncomplete, match="--cap cells="):
        open_dataset(tmp_path / "t.xlsx", Settings())


def test_a_table_of_blanks_makes_the_scan_incomplete(tmp_path):
    (tmp_path / "t.csv").write_text("size,colour\n" + " , \n" * 30)
    report = privaudit.scan(tmp_path / "t.csv", ner=False)
    assert report.gate().exit_code == 3
    assert any(found.code == "source.only_blanks" for found in report.limits)
    wording = wording_of(report.wire)
    first = " ".join((*verdict.about(report.wire, wording), *(line.text for line in steps(report.wire, wording))))
    assert "has no values" in first and "Every cell is empty" in first
    assert "are within the limits" not in first and "Complete the assessment" not in first


def test_a_table_and_a_view_of_a_duckdb_file_give_the_table_and_a_limit(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "t.duckdb")) as database:
        database.execute("CREATE TABLE t AS SELECT range % 7 AS size FROM range(60)")
        database.execute("CREATE VIEW v AS SELECT size + 1 AS more FROM t")
    report = privaudit.scan(tmp_path / "t.duckdb", ner=False)
    assert [column.name for column in report.columns] == ["size"]
    assert [found.code for found in report.limits if found.code.startswith("source.")] == ["source.views"]
    assert [c.name for c in privaudit.scan(f"{tmp_path}/t.duckdb#v", ner=False).columns] == ["more"]
