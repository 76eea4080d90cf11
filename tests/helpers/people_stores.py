"""Stores of invented people in every format: customers, and orders that refer to them by a key."""

from __future__ import annotations

import csv
import gzip
import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

N_CUSTOMERS, N_ORDERS = 60, 240
WHO = 17
"""The customer who is erased."""
EMAIL = "ottilie.wagenknecht@example.org"
NAME = "Ottilie Wagenknecht"
FORMATS = (
    "csv", "csv.gz", "csv.zst", "tsv", "jsonl", "jsonl.zst", "parquet", "arrow", "arrows", "xlsx", "sqlite", "duckdb",
)  # fmt: skip
IN_ONE_FILE = ("xlsx", "sqlite", "duckdb")
SCHEMA = (
    "CREATE TABLE customers (customer_id TEXT PRIMARY KEY, name TEXT, email TEXT, phone TEXT, city TEXT)",
    "CREATE TABLE orders (order_no TEXT, customer_id TEXT REFERENCES customers(customer_id), ordered_on TEXT, "
    "amount INTEGER)",
)

Columns = dict[str, list[object]]


def customers() -> Columns:
    """Return customers of whom one, at `WHO`, is called as nobody else."""
    rng = random.Random(5)
    given = "Peter Maria Wanjiru Hassan Ingrid Paulo Chloe Dmitri Aisha Tomas".split()
    family = "Schmidt Otieno Keller Rossi Novak Larsen Moreau Petrov Mensah Silva".split()
    people = [(rng.choice(given), rng.choice(family)) for _ in range(N_CUSTOMERS)]
    names = [f"{a} {b}" for a, b in people]
    emails = [f"{a}.{b}.{i}@mail.example.net".lower() for i, (a, b) in enumerate(people)]
    names[WHO], emails[WHO] = NAME, EMAIL
    return {
        "customer_id": [f"C{1000 + 7 * i}" for i in range(N_CUSTOMERS)],
        "name": names,
        "email": emails,
        "phone": [f"+49 30 {5_550_000 + 131 * i}" for i in range(N_CUSTOMERS)],
        "city": [rng.choice(["Berlin", "Nairobi", "Lyon"]) for _ in range(N_CUSTOMERS)],
    }


def orders() -> Columns:
    """Return orders: each customer has four of them."""
    ids = customers()["customer_id"]
    return {
        "order_no": [f"R-{90_000 + i}" for i in range(N_ORDERS)],
        "customer_id": [ids[i % N_CUSTOMERS] for i in range(N_ORDERS)],
        "ordered_on": [f"20{15 + i % 10}-0{1 + i % 9}-1{i % 10}" for i in range(N_ORDERS)],
        "amount": [10 + i for i in range(N_ORDERS)],
    }


TABLES = {"customers": customers, "orders": orders}


def write(folder: Path, suffix: str) -> list[Path]:
    """Write both tables in a format; into one file where it holds several tables, else into two."""
    tables = {name: make() for name, make in TABLES.items()}
    if suffix in IN_ONE_FILE:
        path = folder / f"shop.{suffix}"
        {"xlsx": _excel, "sqlite": _sqlite, "duckdb": _duckdb}[suffix](tables, path)
        return [path]
    paths = []
    for name, columns in tables.items():
        path = folder / f"{name}.{suffix}"
        _WRITERS[suffix](columns, path)
        paths.append(path)
    return paths


def rows_of(columns: Columns) -> list[tuple[object, ...]]:
    """Return the rows of columns."""
    return list(zip(*columns.values(), strict=True))


def _delimited(columns: Columns, path: Path, delimiter: str) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=delimiter).writerows([tuple(columns), *rows_of(columns)])


def _gzip(columns: Columns, path: Path) -> None:
    plain = path.with_suffix("")
    _delimited(columns, plain, ",")
    path.write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()


def _zstd(columns: Columns, path: Path) -> None:
    plain = path.with_suffix("")
    _WRITERS[plain.suffix[1:]](columns, plain)
    path.write_bytes(pa.Codec("zstd").compress(plain.read_bytes(), asbytes=True))
    plain.unlink()


def _jsonl(columns: Columns, path: Path) -> None:
    lines = (json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) for row in rows_of(columns))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def arrow(columns: Columns) -> pa.Table:
    """Return a table with a dictionary column, whose dictionary outlives a filter."""
    table = pa.table(columns)
    return table.set_column(1, "name", table["name"].dictionary_encode()) if "name" in columns else table


def _parquet(columns: Columns, path: Path) -> None:
    pq.write_table(arrow(columns), path, compression="none", row_group_size=50)


def _arrow(columns: Columns, path: Path) -> None:
    table = arrow(columns)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def _arrow_stream(columns: Columns, path: Path) -> None:
    """Write an Arrow stream of two batches, with a dictionary of its own in front of them."""
    table = arrow(columns)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=len(table) // 2 + 1)


_WRITERS = {
    "csv": lambda columns, path: _delimited(columns, path, ","),
    "tsv": lambda columns, path: _delimited(columns, path, "\t"),
    "csv.gz": _gzip,
    "csv.zst": _zstd,
    "jsonl.zst": _zstd,
    "arrows": _arrow_stream,
    "jsonl": _jsonl,
    "parquet": _parquet,
    "arrow": _arrow,
}


def _excel(tables: dict[str, Columns], path: Path) -> None:
    import pytest

    openpyxl = pytest.importorskip("openpyxl", reason="the extra `excel` is not installed")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, columns in tables.items():
        sheet = book.create_sheet(name)
        for row in (tuple(columns), *rows_of(columns)):
            sheet.append(row)
    book.save(path)


def _sqlite(tables: dict[str, Columns], path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        for statement in ("PRAGMA secure_delete = OFF", *SCHEMA, "CREATE INDEX by_email ON customers (email)"):
            file.execute(statement)
        for name, columns in tables.items():
            marks = ", ".join("?" * len(columns))
            file.executemany(f"INSERT INTO {name} VALUES ({marks})", rows_of(columns))
        file.commit()


def _duckdb(tables: dict[str, Columns], path: Path) -> None:
    import duckdb

    with closing(duckdb.connect(str(path))) as file:
        for statement in ("SET force_compression = 'uncompressed'", *SCHEMA):
            file.execute(statement)
        for name, columns in tables.items():
            file.register("held", pa.table(columns))
            file.execute(f"INSERT INTO {name} SELECT * FROM held")
            file.unregister("held")
        file.execute("CHECKPOINT")
