"""One table is one table: as CSV, JSON Lines, Parquet, Arrow, Excel, SQLite, DuckDB or in memory."""

from __future__ import annotations

import datetime
import json
import math
import os
import sqlite3
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privaudit.base.errors import ConfigError, ScanIncomplete, UnreadableSource, UnsupportedFormat
from privaudit.settings.config import Settings
from privaudit.source import Dataset, from_arrow, open_dataset
from privaudit.source.files.formats import reader_formats
from privaudit.source.places.location import locate
from privaudit.source.profile import profile

TEXT = st.one_of(
    st.none(),
    st.sampled_from(["02139", "NA", "Null", "true", "0", "1.50", "2020-01-31", " ", "a b", "ä", "x\ny", '"', "=1+1"]),
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co"]), max_size=5),
)


def write_csv(table: pa.Table, path: Path) -> None:
    pyarrow.csv.write_csv(table, path)


def write_jsonl(table: pa.Table, path: Path) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()), encoding="utf-8")


def write_stream(table: pa.Table, path: Path) -> None:
    with pa.ipc.new_stream(path, table.schema) as out:
        out.write_table(table)


def write_excel(table: pa.Table, path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(table.column_names)
    for r, row in enumerate(table.to_pylist(), start=2):
        for c, value in enumerate(row.values(), start=1):
            cell = book.active.cell(r, c)
            if value is not None:
                cell.value, cell.data_type = value, "s"
    book.save(path)


def write_sqlite(table: pa.Table, path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE TABLE t ({', '.join(table.column_names)})")
        slots = ", ".join("?" * table.num_columns)
        connection.executemany(f"INSERT INTO t VALUES ({slots})", [list(r.values()) for r in table.to_pylist()])
    connection.close()


def write_duckdb(table: pa.Table, path: Path) -> None:
    connection = duckdb.connect(str(path))
    connection.register("source", table)
    connection.execute("CREATE TABLE t AS SELECT * FROM source")
    connection.close()


WRITERS = {
    "t.csv": write_csv,
    "t.jsonl": write_jsonl,
    "t.parquet": pyarrow.parquet.write_table,
    "t.feather": pyarrow.feather.write_feather,
    "t.arrows": write_stream,
    "t.xlsx": write_excel,
    "t.sqlite": write_sqlite,
    "t.duckdb": write_duckdb,
}


def evidence(dataset: Dataset) -> tuple[Any, ...]:
    rows = [tuple(row.values()) for row in dataset.rows(dataset.columns).to_pylist()]
    # DuckDB 1 stores a column without values as one of integers.
    held = {name for name, cells in zip(dataset.columns, zip(*rows, strict=True), strict=True) if any(cells)}
    declared = {name: kind for name, kind in dataset.declared.items() if name in held}
    return dataset.columns, rows, profile(dataset), declared


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(columns=st.integers(1, 6).flatmap(lambda n: st.tuples(*[st.lists(TEXT, min_size=n, max_size=n)] * 2)))
def test_the_same_text_table_in_every_format_gives_the_same_evidence(tmp_path, columns):
    ids = [str(i) for i in range(1, len(columns[0]) + 1)]
    table = pa.table({"id": ids, "city": columns[0], "name": columns[1]})
    with from_arrow(table) as dataset:
        expected = evidence(dataset)
    for file, writer in WRITERS.items():
        path = tmp_path / file
        path.unlink(missing_ok=True)
        writer(table, path)
        before = path.read_bytes()
        with open_dataset(path, Settings(header=True)) as dataset:
            assert evidence(dataset) == expected, file
            assert dataset.name == path.name
        assert path.read_bytes() == before


@pytest.mark.parametrize("file", WRITERS)
def test_a_name_that_is_not_utf8_is_read_or_named_as_the_reason(tmp_path, file):
    table = pa.table({"id": ["1", "2"], "city": ["Nairobi", "Kisumu"]})
    (tmp_path / "plain").mkdir()
    WRITERS[file](table, tmp_path / "plain" / file)
    path = tmp_path / os.fsdecode(b"gr\xf6sse" + Path(file).suffix.encode())  # as a system with Latin-1 names wrote it
    (tmp_path / "plain" / file).rename(path)
    if path.suffix in (".xlsx", ".duckdb"):  # their libraries take the name as UTF-8
        with pytest.raises(UnreadableSource, match="its path is not UTF-8"), open_dataset(path, Settings(header=True)):
            pass
    else:
        with open_dataset(path, Settings(header=True)) as dataset:
            assert dataset.rows(["id", "city"]).to_pydict() == table.to_pydict()


@settings(max_examples=40, deadline=None)
@given(columns=st.integers(1, 8).flatmap(lambda n: st.tuples(*[st.lists(TEXT, min_size=n, max_size=n)] * 2)))
def test_frames_in_memory_are_the_table_they_hold(columns):
    import ibis
    import pandas as pd
    import polars as pl

    table = pa.table({"city": pa.array(columns[0], pa.string()), "name": pa.array(columns[1], pa.string())})
    with from_arrow(table) as dataset:
        expected = evidence(dataset)
    frame = pd.DataFrame({"city": columns[0], "name": columns[1]}, dtype=object)
    frames = (table, table.to_batches()[0], pl.from_arrow(table), frame, table.to_pandas(), ibis.memtable(table))
    for frame in frames:
        with open_dataset(frame, Settings()) as dataset:
            assert evidence(dataset)[:3] == expected[:3]


@pytest.mark.parametrize(
    ("kind", "values", "text", "declared"),
    [
        (pa.int64(), [0, -5, 2**53 + 1], ["0", "-5", "9007199254740993"], "integer"),
        (pa.uint64(), [2**64 - 1], ["18446744073709551615"], "integer"),
        (pa.float64(), [1.0, 0.1, -0.0, math.nan, 4111111111111111.0], ["1", "0.1", "0", None, "4111111111111111"],
         "decimal"),
        (pa.float32(), [0.1, 2.0], ["0.1", "2"], "decimal"),
        (pa.float16(), [0.5, 2.0, math.nan], ["0.5", "2", None], "decimal"),
        (pa.bool_(), [True, False, None], ["true", "false", None], "boolean"),
        (pa.decimal128(20, 2), [Decimal("1.50"), Decimal("-200000000000.00")], ["1.50", "-200000000000.00"], "decimal"),
        (pa.decimal128(30, 12), [Decimal("0.000000000001")], ["0.000000000001"], "decimal"),
        (pa.date32(), [datetime.date(2020, 1, 31)], ["2020-01-31"], "date"),
        (pa.date64(), [datetime.date(2020, 1, 31)], ["2020-01-31"], "date"),
        (pa.timestamp("ns"), [1_580_428_800_000_000_000], ["2020-01-31 00:00:00"], "timestamp"),
        (pa.timestamp("us"), [1_580_428_800_000_001], ["2020-01-31 00:00:00.000001"], "timestamp"),
        (pa.timestamp("s", "Africa/Nairobi"), [1_580_428_800], ["2020-01-31 00:00:00Z"], "timestamp"),
        (pa.time64("us"), [datetime.time(1, 2, 3)], ["01:02:03"], "time"),
        (pa.duration("s"), [90], ["90"], "integer"),
        (pa.string(), ["02139", "", " ", "NA"], ["02139", None, None, "NA"], None),
        (pa.large_string(), ["a"], ["a"], None),
        (pa.string_view(), ["a", None], ["a", None], None),
        (pa.dictionary(pa.int8(), pa.string()), ["a", None, "a"], ["a", None, "a"], None),
        (pa.binary(), [b"abc", b"Zo\xc3\xab"], ["abc", "Zoë"], None),
        (pa.binary(), [b"\x00\x01", b""], ["0001", None], "binary"),
        (pa.binary(2), [b"\xff\x01"], ["ff01"], "binary"),
        (pa.list_(pa.int64()), [[1, 2], []], ["[1,2]", "[]"], "nested"),
        (pa.struct([("b", pa.int64()), ("a", pa.string())]), [{"b": 1, "a": "x"}], ['{"a":"x","b":1}'], "nested"),
        (pa.map_(pa.string(), pa.int64()), [[("k", 1)]], ['[["k",1]]'], "nested"),
        (pa.null(), [None], [None], None),
    ],
)  # fmt: skip
def test_typed_values_have_one_canonical_text(kind, values, text, declared):
    with from_arrow(pa.table({"x": pa.array(values, kind)})) as dataset:
        assert dataset.rows(["x"])["x"].to_pylist() == text
        assert dataset.declared == ({"x": declared} if declared else {})


def test_text_without_blanks_is_not_copied():
    column = pa.array(["a", "b", None])
    with from_arrow(pa.table({"x": column})) as dataset:
        kept = dataset.rows(["x"])["x"].chunk(0)
    assert kept.buffers()[2].address == column.buffers()[2].address


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.dictionaries(st.sampled_from("abcd"), st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
    st.text("xyé ", max_size=3),
    st.lists(st.integers(), max_size=2)), max_size=4), min_size=1, max_size=12))  # fmt: skip
def test_json_lines_hold_the_union_of_their_keys(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("j") / "t.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    keys = list(dict.fromkeys(key for row in rows for key in row))
    if not keys:
        with pytest.raises(ScanIncomplete, match="holds no rows with a key"):
            open_dataset(path, Settings())
        return
    with open_dataset(path, Settings()) as dataset:
        assert list(dataset.columns) == keys
        found = dataset.rows(keys).to_pylist()
    for row, cells in zip(rows, found, strict=True):
        for key in keys:
            value = row.get(key)
            if value is None or (isinstance(value, str) and not value.strip()):
                assert cells[key] is None
            elif isinstance(value, str):
                assert cells[key] == value
            elif isinstance(value, float):
                assert float(cells[key]) == value
            else:
                assert json.loads(cells[key]) == value


def test_a_key_first_seen_late_is_not_lost(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1}\n' * 120_000 + '{"a": 2, "late": "x"}\n', encoding="utf-8")
    with open_dataset(path, Settings()) as dataset:
        assert (dataset.columns, dataset.n_rows) == (("a", "late"), 120_001)
        assert dataset.frequencies("late").n_missing == 120_000
        assert dataset.declared == {"a": "integer"}


@pytest.mark.parametrize(
    "bad",
    ['{"a": 1', "[1]", "3", '{"a": 1, "a": 2}', '{"a": NaN}', '{"a": "\\ud800"}', "[" * 100_000, "\ufeff{}", "{'a':1}"]
)  # fmt: skip
def test_a_broken_line_is_named_by_its_number(tmp_path, bad):
    path = tmp_path / "t.jsonl"
    path.write_text(f'{{"a": 1}}\n\n{{"a": 2}}\n{bad}\n', encoding="utf-8")
    with pytest.raises(UnreadableSource, match=r"Line 4 of t\.jsonl"):
        open_dataset(path, Settings())
    with open_dataset(path, Settings(bad_rows="skip")) as dataset:
        assert dataset.n_rows == 2
        assert [(limit.what, limit.incomplete) for limit in dataset.limits] == [("1 of 3 lines (33 %)", True)]


def test_numbers_in_a_workbook_are_plain_and_sheets_are_limits(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "Claims"
    for row in (["Report", None, None], ["id", "paid", "day"], [1, 2.5, datetime.date(2020, 1, 31)], [2, 3, None]):
        book.active.append(row)
    book.create_sheet("Jane 0722123456").append(["x"])
    book.create_sheet("empty")
    book.save(tmp_path / "t.xlsx")
    with open_dataset(tmp_path / "t.xlsx", Settings()) as dataset:
        assert dataset.rows(dataset.columns).to_pylist() == [
            {"id": "1", "paid": "2.5", "day": "2020-01-31"},
            {"id": "2", "paid": "3", "day": None},
        ]
        assert dataset.declared == {"id": "integer", "paid": "decimal", "day": "date"}
        assert any(limit.incomplete and limit.code == "source.other_sheets" for limit in dataset.limits)
        stated = " ".join(limit.what + limit.why for limit in dataset.limits)
        assert '"Claims", number 2 and "empty"' in stated and "0722" not in stated
    with open_dataset(f"{tmp_path / 't.xlsx'}#Claims", Settings()) as dataset:
        assert not any(limit.incomplete for limit in dataset.limits)
    with pytest.raises(UnreadableSource, match="no such part"):
        open_dataset(f"{tmp_path / 't.xlsx'}#Nope", Settings())


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_table_of_a_database_is_chosen_by_name(tmp_path, kind):
    path = tmp_path / f"t.{kind}"
    connect = sqlite3.connect if kind == "sqlite" else lambda p: duckdb.connect(str(p))
    connection = connect(path)
    connection.execute('CREATE TABLE "my claims" (a INTEGER, b TEXT)')
    connection.execute("""INSERT INTO "my claims" VALUES (1, '02139'), (2, NULL)""")
    if kind == "sqlite":
        connection.commit()
    connection.close()
    with open_dataset(path, Settings()) as dataset:
        assert dataset.rows(["a", "b"]).to_pylist() == [{"a": "1", "b": "02139"}, {"a": "2", "b": None}]
        assert dataset.declared == {"a": "integer"}
    connection = connect(path)
    connection.execute("CREATE TABLE other (c INTEGER)")
    connection.close()
    with pytest.raises(UnreadableSource, match='contains 2 tables: "my claims" and "other"'):
        open_dataset(path, Settings())
    for source in (f"{path}#my claims", f"{kind}:{path}#my claims"):
        with open_dataset(source, Settings()) as dataset:
            assert (dataset.n_rows, dataset.name) == (2, source.replace(f"{tmp_path}/", ""))
    with pytest.raises(ScanIncomplete, match="The table has no rows"):
        open_dataset(f"{path}#other", Settings())
    with pytest.raises(UnreadableSource, match="no such part"):
        open_dataset(f"{path}#a", Settings())
    assert sorted(file.name for file in tmp_path.iterdir()) == [path.name]


def test_rows_in_a_write_ahead_log_are_read(tmp_path):
    connection = sqlite3.connect(tmp_path / "t.sqlite")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE t (a)")
    connection.executemany("INSERT INTO t VALUES (?)", [(i,) for i in range(100)])
    connection.commit()
    with open_dataset(tmp_path / "t.sqlite", Settings()) as dataset:
        assert dataset.n_rows == 100
    connection.close()


def test_wide_numbers_of_duckdb_lose_no_digit(tmp_path):
    connection = duckdb.connect(str(tmp_path / "t.duckdb"))
    connection.execute("CREATE TABLE t AS SELECT 170141183460469231731687303715884105727::HUGEINT AS h, {'a': 1} AS s")
    connection.close()
    with open_dataset(tmp_path / "t.duckdb", Settings()) as dataset:
        assert dataset.rows(["h", "s"]).to_pylist() == [
            {"h": "170141183460469231731687303715884105727", "s": '{"a":1}'}
        ]


def test_what_pandas_frames_hide_is_read():
    import pandas as pd

    frame = pd.DataFrame([[1, "a"], ["x", 2.5]], columns=["q", "q"], index=pd.Index(["Ann", "Bob"], name="person"))
    with open_dataset(frame, Settings()) as dataset:
        assert dataset.columns == ("person", "q", "q_2")
        assert [tuple(r.values()) for r in dataset.rows(dataset.columns).to_pylist()] == [
            ("Ann", "1", "a"),
            ("Bob", "x", "2.5"),
        ]
        assert {limit.code for limit in dataset.limits} == {"source.index_as_column", "source.repeated_column_names"}
    surname = pd.DataFrame({"surname": ["Null", None, "NA"], "n": pd.array([1, None, 2**60 + 1], "Int64")})
    with open_dataset(surname, Settings()) as dataset:
        assert dataset.rows(["n"])["n"].to_pylist() == ["1", None, str(2**60 + 1)]
        assert dataset.frequencies("surname").n_missing == 1


def test_types_of_frames_that_arrow_does_not_have():
    import pandas as pd
    import polars as pl

    frame = pd.DataFrame(
        {
            "month": pd.period_range("2020-01", periods=2, freq="M"),
            "band": pd.IntervalIndex.from_tuples([(0, 5), (5, 9)], closed="left"),
            "cut": pd.cut([1, 3], [0, 2, 4]),
            "job": pd.Categorical(["nurse", None]),
            "pair": [{"b": 1, "a": 2}, None],
        }
    )
    with open_dataset(frame, Settings()) as dataset:
        assert [tuple(row.values()) for row in dataset.rows(dataset.columns).to_pylist()] == [
            ("2020-01", "[0, 5)", "(0, 2]", "nurse", '{"a":2,"b":1}'),
            ("2020-02", "[5, 9)", "(2, 4]", None, None),
        ]
    wide = pl.DataFrame({"i": pl.Series([2**100], dtype=pl.Int128), "c": pl.Series(["x"], dtype=pl.Categorical)})
    with open_dataset(wide, Settings()) as dataset:
        assert dataset.rows(["i", "c"]).to_pylist() == [{"i": str(2**100), "c": "x"}]
    with pytest.raises(UnreadableSource, match="holds Python objects"):
        open_dataset(pl.DataFrame({"o": pl.Series([object()], dtype=pl.Object)}), Settings())


def test_a_source_that_is_not_a_table_is_refused(tmp_path):
    for source, error, reason in (
        (3, UnsupportedFormat, "type int is not a table"),
        ("https://example.com/t.csv", UnsupportedFormat, "Addresses of this scheme"),
        ("https://bucket/t.parquet", UnsupportedFormat, "Addresses of this scheme"),
        (tmp_path, ScanIncomplete, "contains no table file"),
        (tmp_path / "*.csv", ScanIncomplete, "contains no table file"),
        (tmp_path / "missing.csv", UnreadableSource, r"missing.csv does not exist"),
    ):
        with pytest.raises(error, match=reason):
            open_dataset(source, Settings())
    for name in ("t.docx", "t.parquet.gz"):
        (tmp_path / name).write_bytes(b"x")
        with pytest.raises(UnsupportedFormat, match=r"suffix of t.docx is not known|compressed as a whole"):
            open_dataset(tmp_path / name, Settings())
    with pytest.raises(ScanIncomplete, match="The table has no rows"):
        open_dataset(pa.table({"a": pa.array([], pa.string())}), Settings())
    with pytest.raises(ScanIncomplete, match="The table has no columns"):
        open_dataset(pa.table({}), Settings())


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "jsonl", "parquet"])
def test_parts_of_one_table(tmp_path, suffix):
    for i in range(3):
        table = pa.table({"id": [2 * i, 2 * i + 1], "name": ["Ann", None]})
        path = tmp_path / f"part{i}.{suffix}"
        if suffix == "csv.gz":
            with pa.CompressedOutputStream(str(path), "gzip") as out:
                pyarrow.csv.write_csv(table, out)
        else:
            WRITERS[f"t.{suffix}"](table, path)
    (tmp_path / "_SUCCESS").touch()
    for source in (tmp_path, str(tmp_path / f"part*.{suffix}")):
        with pytest.raises(UnreadableSource, match="each is a table"):
            open_dataset(source, Settings())
        with open_dataset(source, Settings(parts=(str(source),))) as dataset:
            assert dataset.columns == ("id", "name")
            assert sorted(dataset.rows(["id"])["id"].to_pylist()) == list("012345")
            assert dataset.frequencies("name").n_missing == 3
            assert dataset.name == Path(source).name
    (tmp_path / "part9.csv").write_text("id,other\n1,2\n", encoding="utf-8")
    with pytest.raises(UnreadableSource, match=r"one format|other columns"):
        open_dataset(tmp_path, Settings(parts=(str(tmp_path),)))


def test_a_hash_or_brackets_in_a_file_name_are_part_of_it(tmp_path):
    for name in ("a#b.csv", "glob[1]*.csv", "t.xlsx#x.csv"):
        (tmp_path / name).write_text("id,age\n1,34\n", encoding="utf-8")
        with open_dataset(tmp_path / name, Settings()) as dataset:
            assert dataset.n_rows == 1


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(rows=st.lists(st.tuples(*[st.sampled_from([None, "a", "b", "", "ab"])] * 2), min_size=1, max_size=30))
def test_arrow_and_the_engine_count_the_same(rows):
    """Frequencies and distinct rows against collections.Counter, from memory and from the engine."""
    from privaudit.source.dataset import Dataset

    table = pa.table({"x": [r[0] for r in rows], "y": [r[1] for r in rows]}, schema=pa.schema(
        [("x", pa.string()), ("y", pa.string())]))  # fmt: skip
    cleaned = [tuple(cell or None for cell in row) for row in rows]
    with from_arrow(table) as memory:
        engine = Dataset(memory.table, columns=memory.columns, name="t", format="engine")
        for dataset in (memory, engine):
            assert dataset.n_rows == len(rows)
            found = dataset.frequencies("x")
            counted = Counter(row[0] for row in cleaned)
            assert found.n_missing == counted.pop(None, 0)
            assert dict(zip(found.values.to_pylist(), found.counts.tolist(), strict=True)) == counted
            groups = dataset.distinct_rows(["x", "y"])
            assert groups.column_names == ["x", "y", "weight"]
            assert {(r["x"], r["y"]): r["weight"] for r in groups.to_pylist()} == Counter(cleaned)
            assert [tuple(r.values()) for r in dataset.rows(["x", "y"]).to_pylist()] == cleaned
            for wanted in ([], ["a"], ["a", "ab", "'"]):
                rows_of = dataset.rows_holding(["y", "x"], "x", wanted).to_pylist()
                assert Counter((r["x"], r["y"]) for r in rows_of) == Counter(r for r in cleaned if r[0] in wanted)


def test_the_folder_goes_with_a_dataset_nobody_closed(tmp_path, monkeypatch):
    import gc

    import duckdb

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    dataset = from_arrow(pa.table({"x": ["a"]}))
    assert dataset.table.n_rows == 1
    del dataset
    gc.collect()
    assert list(tmp_path.iterdir()) == []
    dataset = from_arrow(pa.table({"x": ["a"]}), settings=Settings(memory="4GB"))

    def refuse(*_arguments: object, **_options: object) -> None:
        raise duckdb.Error

    monkeypatch.setattr(duckdb, "connect", refuse)
    with pytest.raises(ConfigError, match='"memory" must be a size'):
        _ = dataset.table
    assert list(tmp_path.iterdir()) == []


def test_parquet_columns_are_dictionaries_only_where_values_repeat(tmp_path):
    """A dictionary of values that hardly repeat is as large as the column, and handed over with every batch."""
    n = 200_000
    texts = {"many": [f"a value of row {i}" for i in range(n)], "few": [f"a value of row {i % 9}" for i in range(n)]}
    pyarrow.parquet.write_table(pa.table(texts), tmp_path / "t.parquet")
    found = reader_formats.read_parquet(locate(tmp_path / "t.parquet", None), Settings())
    assert [pa.types.is_dictionary(kind) for kind in found.schema.types] == [False, True]
    read = pa.Table.from_batches(list(found.batches), found.schema)
    assert {name: read[name].cast(pa.string()).to_pylist() for name in texts} == texts
