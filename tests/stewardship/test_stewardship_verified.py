"""A lost row, a store that changed meanwhile, and values in parts that no table shows stop an erasure."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from privaudit.base.errors import ScanIncomplete
from privaudit.source.places.location import locate
from privaudit.stewardship import erase, traces
from privaudit.stewardship.changes import Change
from tests.helpers.command import refusal
from tests.helpers.shop import Shop

VALUE = "ottilie wagenknecht"


@pytest.fixture
def planned(tmp_path, run):
    """Return a shop whose erasure is planned, and the bytes of its files."""
    store = Shop(tmp_path, run, "csv")
    assert store.subject("erase", "-o", "plan.json").returncode == 0
    return store, [path.read_bytes() for path in store.files]


def apply(store):
    return store.subject("erase", "--apply", "plan.json", "-o", "certificate.json")


def test_a_new_file_without_a_row_of_someone_else_replaces_nothing(planned, monkeypatch):
    store, before = planned
    rewrite = erase._REWRITES["csv"]

    def losing_a_row(where, changes, target, settings):
        more = {table: Change(delete={*change.delete, 3}, cells=change.cells) for table, change in changes.items()}
        rewrite(where, more, target, settings)

    monkeypatch.setattr(erase, "_REWRITES", {**erase._REWRITES, "csv": losing_a_row})
    done = apply(store)
    assert done.returncode == 3 and "does not hold what it should; nothing was replaced" in done.stderr
    assert [path.read_bytes() for path in store.files] == before and not (store.folder / "certificate.json").exists()


def test_a_row_that_is_added_while_new_files_are_written_is_not_lost(planned, monkeypatch):
    store, before = planned
    first, remains = store.files[0], traces.remains

    def added(where, wanted):
        first.write_bytes(before[0] + before[0].splitlines(keepends=True)[-1])
        return remains(where, wanted)

    monkeypatch.setattr(traces, "remains", added)
    assert "changed meanwhile; nothing was replaced" in refusal(apply(store))
    assert first.read_bytes().startswith(before[0]) and len(first.read_bytes()) > len(before[0])


def with_a_value_of_no_row():
    """Return a column whose dictionary has a value that no row has; compressed, it is a part of others and a letter."""
    similar = [VALUE.title()[:-1] + letter for letter in "abcdeft"]
    return pa.DictionaryArray.from_arrays(pa.array([0, 1, 5], pa.int32()), pa.array(similar))


def left_in_parquet(path):
    cells = with_a_value_of_no_row()
    pq.write_table(pa.table({"name": cells}), path, compression="zstd", use_dictionary=True, write_statistics=False)


def left_in_arrow(path):
    cells = with_a_value_of_no_row()
    table = pa.table({"name": cells})
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema, options=options) as writer:
        writer.write_table(table)


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize(("suffix", "write"), [("parquet", left_in_parquet), ("arrow", left_in_arrow)])
def test_a_value_in_a_compressed_dictionary_is_found_although_no_row_has_it(tmp_path, suffix, write):
    path = tmp_path / f"people.{suffix}"
    write(path)
    assert VALUE.title().encode() not in path.read_bytes()
    where = locate(str(path))
    assert traces.remains(where, frozenset({VALUE, "someone else"})) == 1


def test_a_database_with_pages_of_deleted_rows_is_refused(tmp_path):
    path = tmp_path / "people.sqlite"
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE people (name TEXT)")
        file.executemany("INSERT INTO people VALUES (?)", [(f"{VALUE} {i} {'x' * 500}",) for i in range(200)])
        file.commit()
        where = locate(str(path))
        assert traces.remains(where, frozenset({"someone else"})) == 0
        file.execute("DELETE FROM people WHERE rowid > 1")
        file.commit()
    with pytest.raises(ScanIncomplete, match="free pages"):
        traces.remains(where, frozenset({"someone else"}))
