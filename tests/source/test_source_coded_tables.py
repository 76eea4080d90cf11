"""Tables of codes hold the texts of their rows and no other, and their rows are written as those of plain tables."""

from __future__ import annotations

from collections import Counter
from unittest import mock

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from privaudit.source.cells import coded_tables
from privaudit.source.cells.coded_tables import (
    as_text,
    coded_cells,
    coded_column,
    coded_table,
    grouped,
    plain_batches,
    plain_schema,
    plain_table,
)

cells = st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=30)


def text(values):
    return pa.chunked_array([pa.array(values, pa.string())])


def is_tidy(column):
    """Return whether a column is one dictionary of the different texts that its rows have."""
    (chunk,) = column.chunks
    texts = chunk.dictionary.to_pylist()
    return len(set(texts)) == len(texts) and set(texts) == set(column.to_pylist()) - {None}


@given(texts=cells, data=st.data())
def test_coded_cells_have_the_texts_of_their_codes(texts, data):
    codes = np.array(data.draw(st.lists(st.integers(0, len(texts) - 1), min_size=1)))
    found = pa.chunked_array([coded_cells(codes, pa.array(texts, pa.string()))])
    assert found.to_pylist() == [texts[code] for code in codes]
    assert is_tidy(found)


@given(values=cells, data=st.data())
def test_rows_that_are_removed_leave_no_text_behind(values, data):
    kept = data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values)))
    coded = coded_column(text(values))
    assert coded.to_pylist() == values and is_tidy(coded)
    fewer = coded.filter(pa.array(kept))
    again = coded_column(fewer)
    assert again.to_pylist() == fewer.to_pylist() and is_tidy(again)


@given(values=st.lists(st.sampled_from(["1", "2", None]), min_size=1, max_size=40), n_rows=st.integers(1, 9))
def test_batches_of_a_coded_table_are_its_rows(values, n_rows):
    table = pa.table({"a": text(values), "b": text(values[::-1])})
    parts = [table.slice(start, 7) for start in range(0, len(values), 7)]
    coded = coded_table(iter(parts))
    assert all(map(is_tidy, coded.columns))
    assert plain_schema(coded) == table.schema
    assert pa.Table.from_batches(list(plain_batches(coded, n_rows)), table.schema).equals(table)
    assert plain_table(coded).equals(table) and as_text(coded).equals(table)
    assert plain_table(table) is table and as_text(table) is table


@given(
    texts=st.lists(st.sampled_from(["", "é", "wide " * 9, None]), min_size=1, max_size=40),
    n_bytes=st.integers(1, 200),
    is_coded=st.booleans(),
)
def test_batches_of_long_texts_are_bounded_by_their_bytes(texts, n_bytes, is_coded):
    plain = pa.table({"a": text(texts), "n": list(range(len(texts)))})
    table = plain.set_column(0, "a", coded_column(plain["a"])) if is_coded else plain
    with mock.patch.object(coded_tables, "BATCH_BYTES", n_bytes):
        batches = list(plain_batches(table))
    assert pa.Table.from_batches(batches, plain.schema).equals(plain)
    for batch in batches:
        assert batch.num_rows == 1 or sum(len((t or "").encode()) for t in batch["a"].to_pylist()) <= n_bytes


def test_a_table_on_the_engine_is_coded_as_one_in_memory():
    n = 3_000
    rng = np.random.default_rng(1)
    table = pa.table({"a": rng.integers(0, 50, n), "b": rng.choice(["x", "y", ""], n), "id": np.arange(n)})
    with open_dataset(table, Settings()) as held, open_dataset(table.to_reader(), Settings(memory="200KB")) as spooled:
        assert held.in_memory and not spooled.in_memory
        one, other = held.coded(held.columns), spooled.coded(spooled.columns)
        assert as_text(one).to_pylist() == as_text(other).to_pylist() == held.rows(held.columns).to_pylist()
        assert all(map(is_tidy, (*one.columns, *other.columns)))


@given(rows=st.lists(st.tuples(*[st.sampled_from(["a", "b", "c", None])] * 3), min_size=1, max_size=30))
def test_grouped_rows_are_counted_in_the_order_in_which_they_occur(rows):
    columns = [coded_column(text(values)) for values in zip(*rows, strict=True)]
    found = as_text(grouped(pa.table(columns, names=["c0", "c1", "c2"]))).to_pydict()
    assert list(zip(*found.values(), strict=True)) == [(*row, n) for row, n in Counter(rows).items()]


def test_grouped_rows_of_many_columns_have_keys_that_fit():
    rng = np.random.default_rng(0)
    cells = [rng.integers(0, 900, 1000).astype(str) for _ in range(8)]  # 900 ** 8 is above the largest key
    table = pa.table([coded_column(text([*values, *values])) for values in cells], names=list("abcdefgh"))
    found = grouped(table)
    assert len(found) == len(set(zip(*cells, strict=True))) and set(found["weight"].to_pylist()) == {2}
    assert as_text(found.drop_columns("weight")).equals(as_text(table.slice(0, 1000)))
