"""Delimited tables have the rows that were given, whatever form their columns have in memory."""

from __future__ import annotations

import csv

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privaudit.releases import output

CELLS = st.none() | st.text(st.sampled_from("a ,\t'\"\r\né"), max_size=4)
FORMS = st.sampled_from(["text", "coded", "chunks"])


def _column(cells: list[str | None], form: str) -> pa.ChunkedArray:
    column = pa.array(cells, pa.string())
    if form == "text":
        return pa.chunked_array([column])
    if form == "coded":
        return pa.chunked_array([column.dictionary_encode()])
    at = len(cells) // 2
    return pa.chunked_array([column[:at].dictionary_encode(), column[at:].dictionary_encode()])


@pytest.mark.parametrize("batch_rows", [1, 3, 1 << 16])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS), max_size=8), FORMS, FORMS)
def test_written_rows_read_back(tmp_path, batch_rows, rows, one, other):
    columns = [list(cells) for cells in zip(*rows, strict=True)] or [[], []]
    table = pa.table([_column(columns[0], one), _column(columns[1], other)], names=["one", "other"])
    file = tmp_path / "table.csv"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(output, "BATCH_ROWS", batch_rows)
        output.write_delimited(table, file, "")
    with file.open(encoding="utf-8", newline="") as read:
        assert list(csv.reader(read)) == [["one", "other"], *(list(map(_read, row)) for row in rows)]


def _read(cell: str | None) -> str:
    """Return what is read of a cell: blank cells are written as missing ones."""
    return "" if cell is None or not cell.strip() else cell
