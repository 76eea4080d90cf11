"""Tables of PostgreSQL: the answers of the table in memory, one state, and no secret anywhere.

Question: is a table on a server scanned like the same table here?
Method: a server of its own on the loopback interface; each conformance table is loaded, then read as a stream and with
the collapse on the server.
Limits: without PostgreSQL or its driver the tests are skipped, or fail under `make test-engines`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

import privaudit
from privaudit.base.errors import (
    ConfigError,
    EngineError,
    EngineUnavailable,
    PrivauditError,
    ScanIncomplete,
    UnreadableSource,
)
from privaudit.settings.config import Settings
from privaudit.source import from_arrow, open_dataset
from privaudit.source.engine import spool
from privaudit.source.engine.pushed_down import REFUSED
from privaudit.source.servers import postgres as reader
from tests.helpers import engine_tables, services
from tests.helpers.engine_tables import (
    TABLES,
    answers,
    many_values,
    matched_on_engine,
    mostly_distinct,
    parts_of_values,
    same_in_parts,
    spooled,
    texts_of_detectors,
)

pytestmark = pytest.mark.slow

LITTLE = "1KB"  # memory in which no table fits, so that the server counts

TYPES = {
    pa.string(): "text",
    pa.float64(): "float8",
    pa.int64(): "int8",
    pa.date32(): "date",
    pa.timestamp("us"): "timestamp",
    pa.decimal128(20, 2): "numeric(20,2)",
    pa.bool_(): "bool",
}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    pytest.importorskip("adbc_driver_postgresql")
    with services.postgres() as port:
        yield port


@pytest.fixture(autouse=True)
def password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_PASSWORD", services.CANARY)


def settings(**more: Any) -> Settings:
    return Settings(password_env="AUDIT_PASSWORD", **more)


def address(port: int, table: str) -> str:
    return f"postgresql://auditor@127.0.0.1:{port}/postgres?table={table}"


def connected(port: int) -> Any:
    from adbc_driver_postgresql import dbapi

    return dbapi.connect(f"postgresql://auditor:{services.CANARY}@127.0.0.1:{port}/postgres", autocommit=True)


def load(port: int, name: str, table: pa.Table) -> None:
    """Create a table with the types that an administrator would choose."""
    columns = ", ".join('"' + field.name.replace('"', '""') + '" ' + TYPES[field.type] for field in table.schema)
    with connected(port) as connection, connection.cursor() as cursor:
        cursor.execute(f'DROP TABLE IF EXISTS "{name}"')
        cursor.execute(f'CREATE TABLE "{name}" ({columns})')
        is_decimal = [pa.types.is_decimal(kind) for kind in table.schema.types]
        places = ", ".join(f"${i}" + "::text::numeric" * each for i, each in enumerate(is_decimal, start=1))
        cells = [c.cast(pa.string()) if each else c for c, each in zip(table.columns, is_decimal, strict=True)]
        sent = pa.table(cells, table.column_names)
        cursor.executemany(f'INSERT INTO "{name}" VALUES ({places})', sent)


@pytest.mark.parametrize("where", ["here", "on the server"])
@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_the_server_gives_the_answers_of_the_table_in_memory(port, name, where):
    table = TABLES[name]()
    load(port, name, table)
    chosen = settings() if where == "here" else settings(memory=LITTLE)
    with from_arrow(table) as expected, open_dataset(address(port, name), chosen) as dataset:
        assert dataset.in_memory == (where == "here")
        assert answers(dataset) == answers(expected)


def test_the_server_and_the_embedded_engine_read_the_same_part_of_the_values(port, monkeypatch):
    table = many_values()
    load(port, "many", table)
    for module in (reader, spool):
        monkeypatch.setattr(module, "most_values", lambda *_: 100)
    with spooled(table) as here, open_dataset(address(port, "many"), settings(memory=LITTLE)) as there:
        found = parts_of_values(there)
        assert found == parts_of_values(here)
        assert list(found["note"][1][1]) == ["4111 1111 1111 1111"]
        assert sorted(there.in_part) == ["group", "note", "number"]


def test_the_server_and_the_embedded_engine_find_the_same_values_by_the_expressions_of_detectors(port, monkeypatch):
    table = texts_of_detectors()
    load(port, "detectors", table)
    for module in (reader, spool):
        monkeypatch.setattr(module, "most_values", lambda *_: 300)
    with spooled(table) as here, open_dataset(address(port, "detectors"), settings(memory=LITTLE)) as there:
        found = matched_on_engine(there, 8)
        assert found == matched_on_engine(here, 8)
        assert any(found)


def test_an_expression_that_the_server_refuses_leaves_the_answers_to_the_others_and_the_transaction(port, monkeypatch):
    load(port, "refused", many_values())
    monkeypatch.setattr(reader, "most_values", lambda *_: 100)
    with open_dataset(address(port, "refused"), settings(memory=LITTLE)) as dataset:
        good = [("note", f"^note {digit}0 ") for digit in range(1, 10)]
        expected = dataset.matching(good)
        for place in (0, 4, 9):
            found = dataset.matching([*good[:place], ("note", "("), *good[place:]])
            assert found.pop(place) == REFUSED
            assert [one[0].to_pylist() for one in found] == [one[0].to_pylist() for one in expected]
            assert [len(one[0]) for one in found] == [1] * len(good)
        assert dataset.distinct_rows(["sex"]).num_rows == 2


def test_a_server_that_is_gone_is_an_error_and_not_a_refused_expression(port, monkeypatch):
    load(port, "interrupted", many_values())
    monkeypatch.setattr(reader, "most_values", lambda *_: 100)
    with open_dataset(address(port, "interrupted"), settings(memory=LITTLE)) as dataset:
        with connected(port) as other, other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
            cursor.fetchall()
        with pytest.raises(EngineError):
            dataset.matching([("note", "^note 1")])


def test_distinct_rows_beyond_the_memory_are_counted_in_parts(port):
    table = mostly_distinct()
    load(port, "distinct", table)
    with from_arrow(table) as expected, open_dataset(address(port, "distinct"), settings(memory=LITTLE)) as dataset:
        names = table.column_names
        assert dataset.about_distinct(names) == expected.distinct_rows(names).num_rows  # all hashes of so few rows
        same_in_parts(dataset, expected, 400)


@pytest.fixture(scope="module")
def people(port: int) -> int:
    emails = pa.array([f"someone{i}@example.org" for i in range(3000)])
    load(port, "people", engine_tables.people(3000).append_column("email", emails))
    return port


def test_all_answers_are_of_one_state_of_the_table(people):
    with open_dataset(address(people, "people"), settings(memory=LITTLE)) as dataset:
        before = dataset.frequencies("sex").n_present
        with connected(people) as connection, connection.cursor() as cursor:
            cursor.execute("INSERT INTO people VALUES ('x', 1, '1', 'a', 'b')")
        try:
            assert sum(row["weight"] for row in dataset.distinct_rows(["age", "zip"]).to_pylist()) == before == 3000
        finally:
            with connected(people) as connection, connection.cursor() as cursor:
                cursor.execute("DELETE FROM people WHERE sex = 'x'")


def test_the_report_of_a_server_is_that_of_the_table_in_memory(people, monkeypatch):
    """The same k, uniques and findings, with few scans of the table and without a statement that holds a cell."""
    statements: list[str] = []
    run = reader._Server.__call__

    def noting(self: Any, statement: str, wanted: Any = None, /) -> Any:
        statements.append(statement)
        return run(self, statement, wanted)

    monkeypatch.setattr(reader._Server, "__call__", noting)
    chosen: dict[str, Any] = {"ner": False, "password_env": "AUDIT_PASSWORD"}
    streamed = privaudit.scan(address(people, "people"), **chosen)
    assert not [text for text in statements if "FROM (SELECT" in text]
    monkeypatch.setattr(reader, "text_in_memory", lambda _: 0)  # a bound of the memory would bound the risk as well
    statements.clear()
    pushed = privaudit.scan(address(people, "people"), **chosen)
    assert pushed.wire.dataset.engine == "postgresql"
    (stated,) = [str(found.why) for found in pushed.limits if found.code == "pipeline.values_of_engine"]
    assert "3,000" in stated and "seed 0" in stated
    assert (pushed.risk.k_min, pushed.risk.n_unique) == (streamed.risk.k_min, streamed.risk.n_unique)
    assert [f.fingerprint for f in pushed.findings] == [f.fingerprint for f in streamed.findings]
    scans = [text for text in statements if "source" in text and "1 = 0" not in text]
    assert len(scans) <= 2, [text[:60] + " ... " + text[-60:] for text in scans]
    assert "someone1" not in "".join(statements)


def test_the_transaction_writes_nothing(people):
    from adbc_driver_postgresql import dbapi

    server = reader._Server(dbapi.connect(f"postgresql://auditor:{services.CANARY}@127.0.0.1:{people}/postgres"))
    server.begin()
    with pytest.raises(dbapi.Error):
        server("DELETE FROM people RETURNING 1")
    server.close()


def test_the_password_occurs_in_no_output(people, tmp_path, run):
    """Reports of every format, the terminal, errors of a wrong password and of a server that is not there."""
    outputs = [tmp_path / f"report.{suffix}" for suffix in ("json", "html", "md", "sarif", "xml")]
    options = [part for path in outputs for part in ("-o", str(path))]
    common = ["--no-config", "--no-ner", "--password-env", "AUDIT_PASSWORD"]
    found = run("scan", address(people, "people"), *common, *options)
    assert found.returncode in (0, 1, 3)
    texts = [found.stdout, found.stderr]
    shown = "".join(path.read_text(encoding="utf-8") for path in outputs)
    report = json.loads(outputs[0].read_text(encoding="utf-8"))
    assert report["dataset"]["name"] == "postgresql://?table=people"
    other_user = address(people, "people").replace("auditor", "nobody")
    for wrong in (other_user, address(1, "people"), address(people, "gone")):
        found = run("scan", wrong, *common)
        assert found.returncode in (2, 3)
        texts += [found.stdout, found.stderr]
    found = run(
        "scan", address(people, "people"), "--no-config", "--password-env", "OTHER", OTHER=f"{services.CANARY}-wrong"
    )
    assert found.returncode == 3
    for text in (shown, *texts, found.stdout, found.stderr):
        assert services.CANARY not in text
        assert "auditor" not in text
        assert "127.0.0.1" not in text


def test_errors_name_what_to_do(people, monkeypatch):
    with pytest.raises(ConfigError, match="password-env"):
        open_dataset(f"postgresql://a:{services.CANARY}@127.0.0.1:{people}/postgres?table=people", settings())
    with pytest.raises(UnreadableSource, match="no such table"):
        open_dataset(address(people, "nowhere.at_all"), settings())
    with pytest.raises(UnreadableSource, match="names no table"):
        open_dataset(f"postgresql://127.0.0.1:{people}/postgres", settings())
    with pytest.raises(EngineUnavailable):
        open_dataset(address(1, "people"), settings())
    monkeypatch.delenv("AUDIT_PASSWORD")
    with pytest.raises(ConfigError, match="not set"):
        open_dataset(address(people, "people"), settings())


def test_an_empty_table_is_incomplete(port):
    load(port, "empty", pa.table({"x": pa.array([], pa.string())}))
    with pytest.raises(ScanIncomplete):
        open_dataset(address(port, "empty"), settings())


def test_a_server_that_fails_in_the_middle_is_an_error_without_its_message(people):
    with open_dataset(address(people, "people"), settings(memory=LITTLE)) as dataset:
        with connected(people) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
            cursor.fetchall()
        time.sleep(0.2)
        with pytest.raises(PrivauditError) as caught:
            dataset.distinct_rows(["sex", "age"])
        assert "terminat" not in str(caught.value)
        assert caught.value.__cause__ is None
