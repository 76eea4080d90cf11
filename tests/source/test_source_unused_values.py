"""A value of a dictionary is outside of the table only if no row of any batch refers to it."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.feather
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from privaudit.source.files.formats import surroundings
from privaudit.source.files.formats.surroundings import UnusedValues
from privaudit.source.files.readers import reader_client

BATCHES = st.lists(
    st.tuples(st.lists(st.sampled_from("abcdef"), unique=True, min_size=1), st.lists(st.integers(0, 9), max_size=4)),
    max_size=5,
)


@given(BATCHES)
def test_only_values_that_no_batch_refers_to_are_outside(batches):
    unused, every, held = UnusedValues(), set(), set()
    for words, rows in batches:
        rows = [row for row in rows if row < len(words)]
        every |= set(words)
        held |= {words[row] for row in rows}
        cells = pa.DictionaryArray.from_arrays(pa.array(rows, pa.int32()), pa.array(words, pa.string()))
        unused.add(pa.record_batch([cells], names=["x"]))
    assert {one.text for one in unused.texts()} == every - held
    assert not unused.limits()


def with_values(unused: UnusedValues, words: list[str], rows: list[int]) -> None:
    cells = pa.DictionaryArray.from_arrays(pa.array(rows, pa.int32()), pa.array(words, pa.string()))
    unused.add(pa.record_batch([cells], names=["x"]))


@pytest.fixture
def small_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surroundings, "MOST_BYTES_OF_DICTIONARIES", 1000)


def kept_bytes(unused: UnusedValues) -> int:
    return unused._used._n_bytes + unused._unused._n_bytes


@pytest.mark.usefixtures("small_bound")
def test_the_same_dictionary_in_many_parts_needs_the_memory_of_a_few() -> None:
    unused = UnusedValues()
    for i in range(200):
        with_values(unused, ["a", "b", "c"] if i % 2 else ["c", "b", "a"], [0, 1])
        assert kept_bytes(unused) <= 4000
    assert not list(unused.texts())
    assert not unused.limits()


@pytest.mark.usefixtures("small_bound")
def test_dictionaries_larger_than_the_bound_are_kept_in_part_and_reported() -> None:
    unused = UnusedValues()
    with_values(unused, ["never used"], [])
    for i in range(50):
        with_values(unused, [f"{i} {j} {'x' * 20}" for j in range(10)], list(range(10)))
        assert kept_bytes(unused) <= 10_000
    assert [one.text for one in unused.texts()] == ["never used"]
    assert [found.code for found in unused.limits()] == ["source.dictionaries_compared_in_part"]
    for i in range(50):
        with_values(unused, [f"{i} {j} {'x' * 20}" for j in range(10)], [])
    assert list(unused.texts())
    assert [found.code for found in unused.limits() if found.incomplete] == ["source.long_surroundings"]


@pytest.mark.usefixtures("small_bound")
def test_values_that_other_batches_use_do_not_fill_the_memory() -> None:
    unused, words = UnusedValues(), []
    for i in range(100):  # as Arrow reads a column of values that hardly repeat: the dictionary grows
        words.append(f"{i} {'x' * 20}")
        with_values(unused, words, [i])
    assert not list(unused.texts())
    assert not unused.limits()


@pytest.mark.usefixtures("small_bound")
def test_a_file_whose_dictionary_is_larger_than_the_bound_is_read_with_a_limit(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(reader_client, "CAN_FORK", False)
    words = [f"{i} {'x' * 20}" for i in range(500)]
    cells = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, 1], pa.int32()), pa.array(words))
    pa.feather.write_feather(pa.table({"x": cells}), tmp_path / "table.feather")
    with open_dataset(tmp_path / "table.feather", Settings()) as dataset:
        assert dataset.n_rows == 4
        assert [found.code for found in dataset.limits if found.incomplete] == ["source.long_surroundings"]
