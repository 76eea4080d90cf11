"""Files and data frames: the answers of the same table in memory, for every kind of hard cell and column name.

Question: does a container change a cell, a count or a name?
Method: the conformance tables, written in formats with types or built as data frames, and as text in formats without.
Limits: names that differ in case only cannot exist in SQLite and DuckDB.
"""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from privaudit.base.errors import ScanIncomplete
from privaudit.settings.config import Settings
from privaudit.source import from_arrow, open_dataset
from tests.helpers.engine_tables import TABLES, answers

CASE_MATTERS = {"odd_names"}


def as_parquet(table: pa.Table, folder: Path) -> Any:
    pq.write_table(table, folder / "t.parquet", row_group_size=5)
    return folder / "t.parquet"


def as_arrow(table: pa.Table, folder: Path) -> Any:
    pyarrow.feather.write_feather(table, folder / "t.arrow", compression="uncompressed")
    return folder / "t.arrow"


def as_duckdb(table: pa.Table, folder: Path) -> Any:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(folder / "t.duckdb")) as connection:
        connection.register("given", table)
        connection.execute("CREATE TABLE visits AS SELECT * FROM given")
    return f"{folder}/t.duckdb#visits"


def as_pandas(table: pa.Table, _folder: Path) -> Any:
    pandas = pytest.importorskip("pandas")
    return table.to_pandas(types_mapper=pandas.ArrowDtype)


def as_polars(table: pa.Table, _folder: Path) -> Any:
    return pytest.importorskip("polars").from_arrow(table)


def as_stream(table: pa.Table, _folder: Path) -> Any:
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=5))


def as_csv(table: pa.Table, folder: Path) -> Any:
    with (folder / "t.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, quoting=csv.QUOTE_ALL)
        rows.writerow(table.column_names)
        rows.writerows(row.values() for row in table.to_pylist())
    return folder / "t.csv"


def as_excel(table: pa.Table, folder: Path) -> Any:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for number, row in enumerate([table.column_names, *(row.values() for row in table.to_pylist())], start=1):
        for place, cell in enumerate(row, start=1):
            if cell is not None:
                book.active.cell(number, place, cell).data_type = "s"
    book.save(folder / "t.xlsx")
    return folder / "t.xlsx"


def as_sqlite(table: pa.Table, folder: Path) -> Any:
    names = ", ".join('"' + name.replace('"', '""') + '" TEXT' for name in table.column_names)
    places = ", ".join("?" * table.num_columns)
    with sqlite3.connect(folder / "t.sqlite") as connection:
        connection.execute(f"CREATE TABLE visits ({names})")
        connection.executemany(f"INSERT INTO visits VALUES ({places})", [tuple(r.values()) for r in table.to_pylist()])
    connection.close()
    return f"{folder}/t.sqlite#visits"


Way = Callable[[pa.Table, Path], Any]
TYPED: dict[str, Way] = {
    "parquet": as_parquet, "arrow": as_arrow, "duckdb": as_duckdb, "pandas": as_pandas, "polars": as_polars,
    "stream": as_stream,
}  # fmt: skip
TEXT: dict[str, Way] = {"csv": as_csv, "excel": as_excel, "sqlite": as_sqlite}


def given(name: str, way: str) -> pa.Table:
    """Return a conformance table as a format may have it."""
    table = TABLES[name]()
    if name in CASE_MATTERS and way == "excel":
        return table.slice(0, 2)  # a workbook has no row without a cell
    return table.drop_columns("A-B") if name in CASE_MATTERS and way in ("duckdb", "sqlite") else table


@pytest.mark.quick_cases(6)
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("way", TYPED)
def test_a_container_with_types_gives_the_answers_of_the_table_in_memory(way, name, tmp_path):
    table = given(name, way)
    with from_arrow(table) as expected, open_dataset(TYPED[way](table, tmp_path), Settings()) as dataset:
        assert answers(dataset) == answers(expected)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("way", TEXT)
def test_a_container_of_text_gives_the_answers_of_the_text_in_memory(way, name, tmp_path):
    with from_arrow(given(name, way)) as dataset:
        table = dataset.rows(dataset.columns)
    asked = Settings(header=True)  # names such as "100%" and "?" are like cells
    with from_arrow(table) as expected, open_dataset(TEXT[way](table, tmp_path), asked) as dataset:
        assert answers(dataset) == answers(expected)


@pytest.mark.quick_cases(9)
@pytest.mark.parametrize("way", {**TYPED, **TEXT})
def test_a_table_without_rows_is_incomplete(way, tmp_path):
    table = pa.table({"x": pa.array([], pa.string()), "y": pa.array([], pa.string())})
    with pytest.raises(ScanIncomplete, match=r"no (table with )?rows"):
        open_dataset({**TYPED, **TEXT}[way](table, tmp_path), Settings(header=True))
