"""The same table gives the same report, whichever file, database or data frame it comes from.

Question: does a measured number depend on the container of the table?
Method: three small tables are written in every format and built as every kind of data frame; each is scanned, and
the reports are compared with that of the CSV file.
Limits: what describes the source itself differs (`OF_THE_SOURCE`), and so may the data type where the container
declares one that the text alone does not show (`DECLARED`).
"""

from __future__ import annotations

import csv
import datetime
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import privaudit

OF_THE_SOURCE = ("generated_at", "command", "timings", "dataset", "digest")
"""Parts of a report that name the source or the run; of ``dataset`` the numbers of rows and columns are compared."""

DECLARED: dict[str, dict[str, dict[str, Any]]] = {
    # NumPy has no integers with missing cells: the container declares floating point numbers.
    "pandas_numpy": {"visits": {"kind": "decimal", "geo_decimals": 0}},
    # pandas' datetimes have no dates without a time of day: every cell is a timestamp at midnight.
    "pandas_datetime": {
        "birth_date": {
            "kind": "timestamp", "length_min": 19, "length_mean": 19.0, "length_max": 19, "words_mean": 2.0,
        }
    },
}  # fmt: skip
"""Measures of a column that differ because the container declares another data type."""

Rows = dict[str, list[Any]]


def people() -> Rows:
    """Dates, timestamps, text, numbers, categories and booleans; one in seven cells of three columns missing."""
    day, moment = datetime.date(1950, 1, 1), datetime.datetime(2024, 3, 1, 8, 30, 5)
    n = range(90)
    return {
        "birth_date": [day + datetime.timedelta(days=(i * 211) % 18_000) for i in n],
        "admitted_at": [moment + datetime.timedelta(minutes=(i * 137) % 50_000) for i in n],
        "sex": ["female" if i % 2 else "male" for i in n],
        "zip": [f"{1000 + (i * 7) % 40:05d}" for i in n],
        "email": [f"someone{i}@example.org" for i in n],
        "note": [None if i % 7 == 0 else "stable, to return" if i % 3 else "to be seen again" for i in n],
        "visits": [None if i % 7 == 1 else i % 9 for i in n],
        "weight_kg": [None if i % 7 == 2 else 50.5 + (i * 3) % 40 for i in n],
        "smoker": [i % 5 == 0 for i in n],
    }


def dates_as_text() -> Rows:
    """The columns that once ended a scan of a data frame: dates as text, in two notations."""
    rows = people()
    return {
        "birth_date": [cell.isoformat() for cell in rows["birth_date"]],
        "admitted": [cell.strftime("%d/%m/%Y") for cell in rows["admitted_at"]],
        "sex": rows["sex"],
        "zip": rows["zip"],
    }


def missing() -> Rows:
    """A column without a value, and one with a single value."""
    n = range(60)
    return {"city": ["Paris" if i % 3 else "Lyon" for i in n], "none": [None for _ in n], "one": ["x" for _ in n]}


TABLES: dict[str, Callable[[], Rows]] = {"people": people, "dates_as_text": dates_as_text, "missing": missing}


def text(cell: Any) -> str:
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def as_csv(rows: Rows, folder: Path) -> Any:
    path = folder / "table.csv"
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(rows)
        writer.writerows([text(cell) for cell in row] for row in zip(*rows.values(), strict=True))
    return path


def as_jsonl(rows: Rows, folder: Path) -> Any:
    path = folder / "table.jsonl"
    lines = (dict(zip(rows, row, strict=True)) for row in zip(*rows.values(), strict=True))
    path.write_text("".join(json.dumps(line, default=str) + "\n" for line in lines), encoding="utf-8")
    return path


def as_excel(rows: Rows, folder: Path) -> Any:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(list(rows))
    for row in zip(*rows.values(), strict=True):
        book.active.append(row)
    book.save(folder / "table.xlsx")
    return folder / "table.xlsx"


def as_sqlite(rows: Rows, folder: Path) -> Any:
    connection = sqlite3.connect(folder / "table.sqlite")
    connection.execute(f"CREATE TABLE t ({', '.join(rows)})")
    cells = ([c if isinstance(c, int | float | None) and not isinstance(c, bool) else text(c) for c in row]
             for row in zip(*rows.values(), strict=True))  # fmt: skip
    connection.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(rows))})", cells)
    connection.commit()
    connection.close()
    return folder / "table.sqlite"


def as_duckdb(rows: Rows, folder: Path) -> Any:
    import duckdb

    connection = duckdb.connect(str(folder / "table.duckdb"))
    arrow = pa.table(rows)  # noqa: F841 - read by name
    connection.execute("CREATE TABLE t AS SELECT * FROM arrow")
    connection.close()
    return folder / "table.duckdb"


def as_parquet(rows: Rows, folder: Path) -> Any:
    import pyarrow.parquet as pq

    pq.write_table(pa.table(rows), folder / "table.parquet")
    return folder / "table.parquet"


def as_feather(rows: Rows, folder: Path) -> Any:
    import pyarrow.feather as feather

    feather.write_feather(arrow_of(pa.large_string())(rows, folder), folder / "table.feather")
    return folder / "table.feather"


def pandas_of(convert: Callable[[Any], Any]) -> Callable[[Rows, Path], Any]:
    def build(rows: Rows, _folder: Path) -> Any:
        import pandas as pd

        return convert(pd.DataFrame(rows))

    return build


def pandas_datetime(frame: Any) -> Any:
    import pandas as pd

    for name in ("birth_date", "admitted_at"):
        if name in frame and not isinstance(frame[name].iloc[0], str):
            frame[name] = pd.to_datetime(frame[name])
    return frame.convert_dtypes()


def pandas_text(kind: str) -> Callable[[Any], Any]:
    def convert(frame: Any) -> Any:
        texts = {name: kind for name in ("sex", "zip", "email", "note", "city", "one") if name in frame}
        return frame.convert_dtypes().astype(texts)

    return convert


def arrow_of(kind: pa.DataType) -> Callable[[Rows, Path], Any]:
    def build(rows: Rows, _folder: Path) -> Any:
        columns = {}
        for name, cells in rows.items():
            column = (
                pa.chunked_array([pa.array(cells[:40]), pa.array(cells[40:])]) if name != "none" else pa.array(cells)
            )
            columns[name] = column.cast(kind) if pa.types.is_string(column.type) else column
        return pa.table(columns)

    return build


def arrow_dictionary(rows: Rows, _folder: Path) -> Any:
    columns = {name: pa.array(cells) for name, cells in rows.items()}
    return pa.table({name: c.dictionary_encode() if pa.types.is_string(c.type) else c for name, c in columns.items()})


def as_polars(rows: Rows, _folder: Path) -> Any:
    return pytest.importorskip("polars").DataFrame(rows)


def as_polars_categories(rows: Rows, _folder: Path) -> Any:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(rows)
    return frame.with_columns(polars.col(polars.String).cast(polars.Categorical))


WAYS: dict[str, Callable[[Rows, Path], Any]] = {
    "jsonl": as_jsonl,
    "excel": as_excel,
    "sqlite": as_sqlite,
    "duckdb": as_duckdb,
    "parquet": as_parquet,
    "feather": as_feather,
    "pandas_numpy": pandas_of(lambda frame: frame),
    "pandas_object": pandas_of(lambda frame: frame.convert_dtypes().astype(object)),
    "pandas_nullable": pandas_of(lambda frame: frame.convert_dtypes()),
    "pandas_str": pandas_of(pandas_text("str")),
    "pandas_string_arrow": pandas_of(pandas_text("string[pyarrow]")),
    "pandas_category": pandas_of(pandas_text("category")),
    "pandas_datetime": pandas_of(pandas_datetime),
    "arrow_string": arrow_of(pa.string()),
    "arrow_large_string": arrow_of(pa.large_string()),
    "arrow_string_view": arrow_of(pa.string_view()),
    "arrow_dictionary": arrow_dictionary,
    "polars": as_polars,
    "polars_categories": as_polars_categories,
}


def compared(report: Any) -> dict[str, Any]:
    content = json.loads(report.to_json())
    sizes = {key: content["dataset"][key] for key in ("n_rows", "n_columns")}
    return {**{key: part for key, part in content.items() if key not in OF_THE_SOURCE}, "dataset": sizes}


def differences(a: Any, b: Any, path: str = "report") -> Iterator[str]:
    """Yield the path and both values of every difference."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted({*a, *b}):
            yield from differences(a.get(key), b.get(key), f"{path}.{key}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from differences(x, y, f"{path}[{i}]")
    elif a != b:
        yield f"{path}: {a} is not {b}"


def scanned(source: Any) -> dict[str, Any]:
    return compared(privaudit.scan(source, seed=3, ner=False, framework=("gdpr", "wp216")))


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    return {name: scanned(as_csv(rows(), tmp_path_factory.mktemp(name))) for name, rows in TABLES.items()}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("way", WAYS)
def test_every_way_in_gives_the_same_report(
    way: str, table: str, expected: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    found = scanned(WAYS[way](TABLES[table](), tmp_path))
    wanted = json.loads(json.dumps(expected[table]))
    if table == "people":
        for column in wanted["columns"]:
            column.update(DECLARED.get(way, {}).get(column["name"], {}))
    assert list(differences(found, wanted)) == []


def test_the_stages_see_one_type_of_text(tmp_path: Path) -> None:
    from privaudit.settings.config import Settings
    from privaudit.source import open_dataset

    for build in WAYS.values():
        with open_dataset(build(people(), tmp_path), Settings()) as dataset:
            for column in dataset.columns:
                assert dataset.frequencies(column).values.type == pa.string()
            for rows in (dataset.rows(dataset.columns), dataset.distinct_rows(dataset.columns)):
                assert {rows.schema.field(name).type for name in dataset.columns} == {pa.string()}
        for path in tmp_path.iterdir():
            path.unlink()
