"""A table with dictionaries answers like the same table without them."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.risk.codes.coded import encode
from privaudit.source import from_arrow
from privaudit.source.cells import dictionaries
from privaudit.source.cells.cell_text import to_text
from privaudit.source.cells.dictionaries import compact, text_of, written_out

cells = st.lists(st.sampled_from([None, "", " ", "a", "b", "\u00e9", "1", "2"]), min_size=1, max_size=60)


def coded(values: list[str | None], kind: pa.DataType, n_chunks: int) -> pa.ChunkedArray:
    """Return a dictionary column with repeated, blank and unused values, in chunks of different dictionaries."""
    size = -(-len(values) // n_chunks)
    chunks = []
    for start in range(0, len(values), size):
        part = values[start : start + size]
        known = ["unused", *dict.fromkeys(v for v in part if v is not None), "a"]
        codes = [None if v is None else len(known) - 1 if v == "a" else known.index(v) for v in part]
        chunks.append(pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(known).cast(kind)))
    return pa.chunked_array(chunks)


@given(values=cells, kind=st.sampled_from([pa.string(), pa.large_string(), pa.string_view()]), n=st.integers(1, 3))
def test_a_dictionary_column_gives_the_same_text(values, kind, n):
    column = coded(values * 9, kind, n)
    text, declared = text_of(column)
    assert declared is None and written_out(text).type == pa.string()
    assert written_out(text).to_pylist() == to_text(pa.chunked_array([pa.array(values * 9)]))[0].to_pylist()
    if pa.types.is_dictionary(text.type):
        dictionary = text.chunk(0).dictionary.to_pylist()
        assert len(set(dictionary)) == len(dictionary)
        assert set(dictionary) == set(written_out(text).drop_null().to_pylist())


@given(values=cells, n=st.integers(1, 3))
def test_a_table_with_dictionaries_answers_like_one_without(values, n):
    values = values * 9
    other = [str(i % 3) for i in range(len(values))]
    plain = from_arrow(pa.table({"x": pa.array(values, pa.string()), "y": other}))
    kept = from_arrow(pa.table({"x": coded(values, pa.string(), n), "y": other}))
    one, two = kept.frequencies("x"), plain.frequencies("x")
    assert dict(zip(one.values.to_pylist(), one.counts.tolist(), strict=True)) == dict(
        zip(two.values.to_pylist(), two.counts.tolist(), strict=True)
    )
    assert one.n_missing == two.n_missing and kept.is_blank() == plain.is_blank()
    for answer in (
        lambda t: t.rows(["x", "y"]),
        lambda t: t.distinct_rows(["x", "y"]),
        lambda t: t.rows_holding(["x", "y"], "x", ["a", "1"]),
    ):
        assert answer(kept).schema == answer(plain).schema
        assert sorted(map(str, answer(kept).to_pylist())) == sorted(map(str, answer(plain).to_pylist()))
    first, second = encode(kept, ["x", "y"]), encode(plain, ["x", "y"])
    assert [codes.tolist() for codes in first.codes] == [codes.tolist() for codes in second.codes]
    assert first.weights.tolist() == second.weights.tolist()


@pytest.mark.parametrize("kind", [pa.int64(), pa.duration("s"), pa.timestamp("us"), pa.float64(), pa.binary()])
def test_values_of_other_types_declare_them_as_columns_do(kind):
    values = pa.array([b"\xff", b"a", b"b"]) if kind == pa.binary() else pa.array([0, 1, 2], pa.int64()).cast(kind)
    column = pa.chunked_array([pa.DictionaryArray.from_arrays(pa.array([0, 1, 1, None] * 9), values)])
    text, declared = text_of(column)
    plain, expected = to_text(pa.chunked_array([values.take(pa.array([0, 1, 1, None] * 9))]))
    assert pa.types.is_dictionary(text.type) and declared == expected
    assert written_out(text).to_pylist() == plain.to_pylist()


def test_what_a_reader_sends_is_not_longer_than_its_rows():
    array = pa.DictionaryArray.from_arrays(pa.array([5, 5, None]), pa.array([str(i) for i in range(1000)]))
    sent = compact(array)
    assert sent.to_pylist() == ["5", "5", None] and len(sent.dictionary) == 1


def test_few_rows_are_written_out_without_a_copy_of_a_large_dictionary(monkeypatch):
    read = []
    parts = dictionaries._parts
    monkeypatch.setattr(dictionaries, "_parts", lambda chunk: read.append(len(chunk.dictionary)) or parts(chunk))
    words = pa.array([f"word {i}" for i in range(1000)])
    rows = [[5, None], [999], [5, 7]]
    chunks = [pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), words) for codes in rows]
    written = written_out(pa.chunked_array(chunks))
    assert written.to_pylist() == ["word 5", None, "word 999", "word 5", "word 7"]
    assert read == [3]
