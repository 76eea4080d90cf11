"""Sources of this process: a table in memory and on the embedded engine give the same answers.

Question: does it matter for any answer whether a table fits in memory?
Method: the conformance tables, and random tables against counts in Python; files are read with a share of the memory
so small that the engine takes them.
Limits: servers are tested by `make test-engines`.
"""

from __future__ import annotations

import os
import stat
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.base.errors import PrivauditError, ScanIncomplete, UnsupportedFormat
from privaudit.model import Limit
from privaudit.settings.config import Settings
from privaudit.source import Dataset, from_arrow, open_dataset
from privaudit.source.cells.blocks import BLOCK_ROWS
from privaudit.source.cells.dictionaries import VIEWED_ROWS
from privaudit.source.engine import spool
from privaudit.source.engine.row_sample import is_sampled, threshold
from tests.helpers.engine_tables import TABLES, answers, hard_cells


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A share of the memory so small that every table goes to the engine; returns the folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(spool, "text_in_memory", lambda _: 0)
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("table", TABLES)
def test_a_spooled_table_gives_the_answers_of_the_table_in_memory(table, tiny, tmp_path):
    made = TABLES[table]()
    with from_arrow(made) as dataset:
        expected = answers(dataset)
    pq.write_table(made, tmp_path / "t.parquet")
    with open_dataset(tmp_path / "t.parquet", Settings()) as dataset:
        assert not dataset.in_memory
        assert answers(dataset) == expected


@settings(max_examples=20, deadline=None)
@given(rows=st.lists(st.tuples(st.sampled_from([0.0, -0.0, 1.5, None]), st.sampled_from(["x", "y", "z"])), min_size=1))
def test_classes_that_are_counted_part_by_part_are_all_classes(rows):
    columns = dict(zip("ab", map(list, zip(*rows, strict=True)), strict=True))
    table = pa.table({"a": pa.array(columns["a"], pa.float64()), "b": columns["b"]})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spool, "BYTES_OF_GROUP", 1 << 40)  # more parts than one
        held = spool.spool(table.schema, table.to_batches(), Settings())
    try:
        found = held.class_sizes(["c0", "c1"])
    finally:
        held.close()
    counted = Counter(Counter((value and abs(value), text) for value, text in rows).values())
    assert dict(zip(found["weight"].to_pylist(), found["classes"].to_pylist(), strict=True)) == counted


def test_a_text_file_is_read_in_blocks_with_the_same_result(tmp_path, monkeypatch):
    from privaudit.source.files.formats import delimited
    from privaudit.source.places.location import locate

    long = "long " * 400  # a record that no block of the first size holds
    lines = ["name;note", *(f'n{i % 7};"a\nb{i}"' for i in range(500)), "one cell", f"{long};1", 'last;"x\ny"']
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def read(**asked: Any) -> tuple[int, list[dict[str, str]], tuple[Limit, ...]]:
        stream = delimited.read_delimited(locate(tmp_path / "t.csv"), Settings(delimiter=";", **asked))
        batches = list(stream.batches)
        return len(batches), pa.Table.from_batches(batches).to_pylist(), stream.limits_at_end()

    _, whole, limits = read(bad_rows="skip")
    monkeypatch.setattr(delimited, "BLOCK_BYTES", 1000)
    monkeypatch.setattr(delimited, "SAMPLE_RECORDS", 10)  # rows that are held back for notes below them
    n_blocks, rows, limits_of_blocks = read(bad_rows="skip")
    assert n_blocks > 3
    assert len(whole) == 502
    assert rows == whole
    assert [one.code for one in limits] == ["source.ragged_rows"]
    assert limits_of_blocks == limits
    with pytest.raises(PrivauditError, match="Row 502"):
        read()


def test_parts_of_one_type_are_streamed_and_go_to_the_engine(tiny, tmp_path):
    made = hard_cells()
    for i in range(3):
        pq.write_table(made.slice(4 * i, 4), tmp_path / f"part-{i}.parquet")
    parts = f"{tmp_path}/*.parquet"
    with open_dataset(parts, Settings(parts=(parts,))) as dataset, from_arrow(made) as expected:
        assert not dataset.in_memory
        assert answers(dataset) == answers(expected)


def test_the_folder_of_the_engine_is_private_and_goes_with_the_table(tiny, tmp_path):
    pq.write_table(pa.table({"x": np.arange(1000)}), tmp_path / "t.parquet")
    with open_dataset(tmp_path / "t.parquet", Settings()) as dataset:
        assert dataset.frequencies("x").n_present == 1000
        assert [stat.S_IMODE(os.stat(folder).st_mode) for folder in tiny.iterdir()] == [0o700]
    assert not list(tiny.iterdir())


def test_a_file_that_breaks_off_is_an_error_and_leaves_nothing(tiny, tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"x": [str(i) * 50 for i in range(3000)]}), path, compression="none")
    content = bytearray(path.read_bytes())
    content[2000:4000] = bytes(2000)
    path.write_bytes(content)
    with pytest.raises(PrivauditError, match="is damaged, encrypted, or not a supported Parquet file"):
        open_dataset(path, Settings())
    assert not list(tiny.iterdir())


def test_a_spooled_table_without_rows_or_values_is_incomplete(tiny, tmp_path):
    pq.write_table(pa.table({"x": pa.array([], pa.string())}), tmp_path / "t.parquet")
    with pytest.raises(ScanIncomplete, match="contains no table with rows"):
        open_dataset(tmp_path / "t.parquet", Settings())
    pq.write_table(pa.table({"x": ["", " ", None]}), tmp_path / "blank.parquet")
    with open_dataset(tmp_path / "blank.parquet", Settings()) as dataset:
        assert [limit.code for limit in dataset.limits if limit.incomplete] == ["source.only_blanks"]


CELLS = st.one_of(st.none(), st.text(max_size=3), st.sampled_from(["", " ", "a", "b"]))


@settings(max_examples=15, deadline=None)
@given(rows=st.lists(st.tuples(CELLS, st.one_of(st.none(), st.floats())), min_size=1, max_size=30))
def test_the_engine_counts_like_python(rows):
    table = pa.table(
        {"c0": [row[0] for row in rows], "c1": [row[1] for row in rows]},
        schema=pa.schema([("c0", pa.string()), ("c1", pa.float64())]),
    )
    with from_arrow(table) as memory:
        every = [tuple(row.values()) for row in memory.rows(["c0", "c1"]).to_pylist()]
    held = spool.spool(table.schema, table.to_batches(max_chunksize=7), Settings())
    dataset = Dataset(held, columns=["c0", "c1"], name="t", format="engine", on_close=held.close)
    with dataset:
        found = dataset.distinct_rows(["c0", "c1"]).to_pylist()
        assert {(row["c0"], row["c1"]): row["weight"] for row in found} == Counter(every)
        sizes = Counter(Counter(row[0] for row in every).values())
        assert dict(zip(*dataset.class_sizes(["c0"]), strict=True)) == sizes


def test_the_sample_grows_with_its_size_and_follows_the_seed():
    table = pa.table({"c0": [str(i) for i in range(4000)]})
    sizes = []
    before = np.zeros(4000, dtype=bool)
    for n in (40, 400, 2000):
        below = threshold(n, 4000)
        assert below is not None
        chosen = is_sampled(table, {}, below, seed=1)
        assert chosen[before].all()
        before = chosen
        sizes.append(int(chosen.sum()))
    # Binomial, 4.5 standard deviations: wrong once in 10^5 for another hash, and never for this one.
    for found, n in zip(sizes, (40, 400, 2000), strict=True):
        assert abs(found - n) < 4.5 * (n * (1 - n / 4000)) ** 0.5
    other = is_sampled(table, {}, threshold(400, 4000) or "", seed=2)
    assert 0 < (other & is_sampled(table, {}, threshold(400, 4000) or "", seed=1)).sum() < 100


@pytest.mark.parametrize("kind", ["arrow", "stream", "pandas", "polars"])
def test_text_in_memory_is_not_copied(kind):
    source = pa.table({"x": pa.array([f"value {i}" for i in range(1000)])})
    frame: object = source
    if kind == "stream":
        frame = pa.RecordBatchReader.from_batches(source.schema, source.to_batches())
    if kind == "pandas":
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame({"x": pandas.Series(source["x"], dtype=pandas.ArrowDtype(pa.string()))})
    if kind == "polars":
        # Polars hands over views, which Arrow's string cannot share: codes where text repeats, otherwise one copy.
        frame = pytest.importorskip("polars").from_arrow(source)
    with open_dataset(frame, Settings()) as dataset:
        held = dataset.stored(["x"])["x"]
        assert held.to_pylist() == source["x"].to_pylist()
        if kind != "polars":
            assert held.chunk(0).buffers()[2].address == source["x"].chunk(0).buffers()[2].address


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", TABLES)
def test_a_stream_that_outgrows_its_share_of_the_memory_goes_to_the_engine(name, tiny):
    made = TABLES[name]()
    stream = pa.RecordBatchReader.from_batches(made.schema, made.to_batches(max_chunksize=5))
    with from_arrow(made) as expected, open_dataset(stream, Settings()) as dataset:
        assert not dataset.in_memory
        assert (dataset.format, dataset.engine) == ("arrow", "duckdb")
        assert answers(dataset) == answers(expected)


def test_a_stream_that_fails_in_the_middle_is_an_error_without_its_text(tiny):
    def rows():
        yield from pa.table({"x": ["a"]}).to_batches()
        raise ValueError("Anna Smith")

    stream = pa.RecordBatchReader.from_batches(pa.schema([("x", pa.string())]), rows())
    with pytest.raises(PrivauditError) as caught:
        open_dataset(stream, Settings())
    assert "Anna" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert not list(tiny.iterdir())


def test_a_long_stream_in_memory_is_not_copied():
    source = pa.table({"x": pa.array([f"value {i % 5}" for i in range(BLOCK_ROWS + 9)])})
    stream = pa.RecordBatchReader.from_batches(source.schema, source.to_batches(max_chunksize=100_000))
    with open_dataset(stream, Settings()) as dataset:
        held = dataset.stored(["x"])["x"]
        assert {chunk.buffers()[2].address for chunk in held.chunks} == {source["x"].chunk(0).buffers()[2].address}


@pytest.mark.parametrize("repeats", [True, False])
def test_text_of_polars_that_repeats_is_held_as_codes(repeats):
    polars = pytest.importorskip("polars")
    n = VIEWED_ROWS + 1000
    cells = [None if i % 7 == 0 else f"a long value {i % 100 if repeats else i}" for i in range(n)]
    with open_dataset(polars.DataFrame({"x": cells}), Settings()) as dataset:
        held = dataset.stored(["x"])["x"]
        assert pa.types.is_dictionary(held.type) == repeats
        assert dataset.rows(["x"])["x"].to_pylist() == cells


@pytest.mark.parametrize(
    ("address", "module", "extra"),
    [
        ("delta:x", "deltalake", "delta"),
        ("iceberg:a.b.c", "pyiceberg.catalog", "iceberg"),
        ("postgresql://h/d?table=t", "adbc_driver_postgresql", "postgres"),
        ("spark:t", "pyspark.sql", "spark"),
    ],
)
def test_a_missing_package_is_an_error_that_names_the_extra(address, module, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UnsupportedFormat, match=rf"pip install 'privaudit\[{extra}\]'"):
        open_dataset(address, Settings())
