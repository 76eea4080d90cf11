"""A table that is read batch by batch is the table of its batches, however its columns are held meanwhile."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privaudit
from privaudit.base.errors import PrivauditError
from privaudit.source import open_dataset
from privaudit.source.cells import blocks
from privaudit.source.dataset import Dataset
from privaudit.source.memory.arrow import from_arrow

SCHEMA = pa.schema(
    [
        ("few", pa.string()),
        ("many", pa.string()),
        ("number", pa.int64()),
        ("day", pa.date32()),
        ("part", pa.float64()),
        ("nested", pa.list_(pa.int8())),
        ("coded", pa.dictionary(pa.int32(), pa.string())),
    ]
)
ROWS = st.tuples(
    st.none() | st.sampled_from(["a", "b", " "]),
    st.none() | st.text(max_size=3),
    st.none() | st.integers(-3, 3),
    st.none() | st.dates(),
    st.none() | st.sampled_from([0.0, -0.0, float("nan"), 1.5]),
    st.none() | st.lists(st.integers(0, 3), max_size=2),
    st.none() | st.sampled_from(["x", "y"]),
)


def batches_of(rows: list[tuple], size: int) -> list[pa.RecordBatch]:
    parts = [rows[i : i + size] for i in range(0, len(rows), size)]
    return [
        pa.record_batch(
            [pa.array([row[i] for row in part], field.type) for i, field in enumerate(SCHEMA)], schema=SCHEMA
        )
        for part in parts
    ]


def as_text(table: pa.Table) -> list[dict]:
    with from_arrow(table) as dataset:
        return dataset.rows(dataset.columns).to_pylist()


@given(st.lists(ROWS, min_size=1, max_size=40), st.integers(1, 9), st.integers(1, 12))
def test_the_table_is_that_of_its_batches(rows, size, block_rows):
    batches = batches_of(rows, size)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK_ROWS", block_rows)
        kept, given_back = blocks.Blocks(SCHEMA), blocks.Blocks(SCHEMA)
        for batch in batches:
            kept.add(batch)
            given_back.add(batch)
        made = kept.table()
    assert blocks.types_of(made) == SCHEMA.types
    whole = pa.Table.from_batches(batches, SCHEMA)
    assert as_text(made) == as_text(whole)
    returned = pa.Table.from_batches(list(given_back.batches()), SCHEMA)
    assert as_text(returned) == as_text(whole)


def test_a_column_that_repeats_its_values_is_held_as_codes(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_ROWS", 8)
    rows = [("a", f"text {i}", i % 2, None, None, None, "x") for i in range(20)]
    kept = blocks.Blocks(SCHEMA)
    for batch in batches_of(rows, 4):
        kept.add(batch)
    coded = {field.name for field in kept.table().schema if pa.types.is_dictionary(field.type)}
    assert coded == {"few", "number", "day", "part", "coded"}


@pytest.mark.slow
def test_a_report_does_not_depend_on_the_blocks(few_people, monkeypatch):
    def report() -> dict:
        made = json.loads(privaudit.scan(few_people, ner=False).to_json())
        return {key: value for key, value in made.items() if key not in ("generated_at", "timings")}

    whole = report()
    packed: list[int] = []
    pack = blocks.Blocks._pack
    monkeypatch.setattr(blocks, "BLOCK_ROWS", 20)
    monkeypatch.setattr(blocks.Blocks, "_pack", lambda self: packed.append(1) or pack(self))
    assert report() == whole
    assert packed


def test_remedied_columns_have_the_types_of_the_source(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_ROWS", 8)
    table = pa.table({"number": pa.array([i % 3 for i in range(30)], pa.int16()), "word": ["a", "b", "c"] * 10})
    path = tmp_path / "t.parquet"
    pq.write_table(table, path, use_dictionary=False)
    with open_dataset(path, privaudit.settings.config.Settings()) as dataset:
        assert dataset.types == {"number": pa.int16(), "word": pa.dictionary(pa.int32(), pa.string())}
        assert dataset.declared == {"number": "integer"}


def test_columns_that_are_not_kept_are_free_and_the_others_unchanged():
    made: Dataset = from_arrow(pa.table({"a": ["1", "2", "2"], "b": ["x", "y", None]}))
    with made:
        counted = {name: made.frequencies(name) for name in ("a", "b")}
        made.keep(["a"])
        again = made.frequencies("a")
        assert again.values.to_pylist() == counted["a"].values.to_pylist()
        assert again.counts.tolist() == counted["a"].counts.tolist()
        assert again.counts.dtype == counted["a"].counts.dtype
        assert made.stored_bytes("a") > 0
        with pytest.raises((KeyError, PrivauditError)):
            made.frequencies("b")
