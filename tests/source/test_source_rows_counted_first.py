"""Rows are counted first for an engine that computes a part of a statement again wherever it is used."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pytest

from privaudit.source.engine.queries import Queries
from privaudit.source.engine.spool import Connection
from privaudit.source.engine.sql_table import SqlTable

ROWS = pa.table({"c0": [f"v{i % 40}" for i in range(100)], "c1": [str(i) if i % 3 else None for i in range(100)]})


@pytest.mark.parametrize(("most", "is_bounded"), [(99, True), (100, False)])
def test_a_part_of_the_values_is_asked_for_only_if_the_table_has_more_rows_than_values_are_read(most, is_bounded):
    statements: list[str] = []
    connection = duckdb.connect()
    connection.register("source", ROWS)
    run = Connection(connection, 1)

    def noting(statement: str, *wanted: pa.Array) -> pa.Table:
        statements.append(statement)
        return run(statement, *wanted)

    table = SqlTable(
        noting, Queries("duckdb"), ROWS.column_names, one_scan=True, counts_first=True, most_values=most,
        stream=run.stream,
    )  # fmt: skip
    assert table.n_rows == 100
    assert any("n_values" in statement for statement in statements) == is_bounded
    for name in ROWS.column_names:
        values, weights = table.frequencies(name)
        counted = ROWS[name].value_counts().to_pylist()
        assert dict(zip(values.to_pylist(), weights.to_pylist(), strict=True)) == {
            one["values"]: one["counts"] for one in counted
        }
