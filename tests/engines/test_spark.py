"""Tables of Spark, classic on two workers and Connect: the answers of the table in memory, few queries.

Question: is a table on a cluster scanned like the same table here?
Method: a master with two workers and a Connect server on the loopback interface; the conformance tables as data frames.
Limits: without Java or PySpark the tests are skipped, or fail under `make test-engines`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

import privaudit
from privaudit.base.errors import EngineError, PrivauditError, ScanIncomplete, UnreadableSource
from privaudit.settings.config import Settings
from privaudit.source import from_arrow, open_dataset
from privaudit.source.engine import spool
from privaudit.source.servers import spark as reader
from tests.helpers import services
from tests.helpers.engine_tables import (
    TABLES,
    answers,
    many_values,
    matched_on_engine,
    mostly_distinct,
    parts_of_values,
    people,
    same_in_parts,
    spooled,
    texts_of_detectors,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def addresses() -> Iterator[tuple[str, str]]:
    with services.spark() as found:
        yield found


@pytest.fixture(scope="module", params=["classic", "connect"])
def session(request: pytest.FixtureRequest, addresses: tuple[str, str]) -> Iterator[Any]:
    if request.param == "connect":
        from pyspark.sql.connect.session import SparkSession as Remote

        made = Remote.builder.remote(addresses[1]).create()
    else:
        from pyspark.sql import SparkSession

        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
            settings = {
                "spark.driver.host": "127.0.0.1",
                "spark.driver.bindAddress": "127.0.0.1",
                "spark.ui.enabled": "false",
                "spark.sql.shuffle.partitions": "2",
                "spark.executor.memory": "512m",
            }
            builder = SparkSession.builder.master(addresses[0]).appName("tests")
            for name, value in settings.items():
                builder = builder.config(name, value)
            made = builder.getOrCreate()
    yield made
    made.stop()


def frame_of(session: Any, table: pa.Table) -> Any:
    frame = session.createDataFrame(table)
    if "moment" in table.column_names:  # the conversion of the test makes it an instant of the time zone of the session
        frame = frame.withColumn("moment", frame["moment"].cast("timestamp_ntz"))
    return frame


@pytest.mark.parametrize("name", TABLES)
def test_a_data_frame_of_spark_gives_the_answers_of_the_table_in_memory(session, name):
    table = TABLES[name]()
    with from_arrow(table) as expected, open_dataset(frame_of(session, table), Settings()) as dataset:
        assert dataset.engine == "spark"
        assert answers(dataset) == answers(expected)
    assert not [view.name for view in session.catalog.listTables() if view.name.startswith("privaudit_")]


def test_spark_and_the_embedded_engine_read_the_same_part_of_the_values(session, monkeypatch):
    table = many_values()
    for module in (reader, spool):
        monkeypatch.setattr(module, "most_values", lambda *_: 100)
    with spooled(table) as here, open_dataset(frame_of(session, table), Settings()) as there:
        assert parts_of_values(there) == parts_of_values(here)


def test_spark_and_the_embedded_engine_find_the_same_values_by_the_expressions_of_detectors(session, monkeypatch):
    table = texts_of_detectors()
    for module in (reader, spool):
        monkeypatch.setattr(module, "most_values", lambda *_: 300)
    with spooled(table) as here, open_dataset(frame_of(session, table), Settings()) as there:
        found = matched_on_engine(there, 8)
        assert found == matched_on_engine(here, 8)
        assert any(found)


def test_distinct_rows_beyond_the_memory_are_counted_in_parts(session, monkeypatch):
    """The rows arrive in several answers, each of the rows with some hashes."""
    table = mostly_distinct()
    monkeypatch.setattr(reader, "most_values", lambda *_: 1500)
    with from_arrow(table) as expected, open_dataset(frame_of(session, table), Settings()) as dataset:
        names = table.column_names
        assert dataset.about_distinct(names) == expected.distinct_rows(names).num_rows  # all hashes of so few rows
        same_in_parts(dataset, expected, 400)
        assert len(list(dataset.batches(["sex"]))) >= 2


def test_a_table_that_changes_during_the_scan_is_an_error(session, tmp_path):
    """Spark has no transaction over several queries: files that are added to a folder are read by later ones."""
    path = tmp_path / "growing"
    frame_of(session, people(2000)).write.csv(str(path), header=True)
    with open_dataset(session.read.csv(str(path), header=True), Settings()) as dataset:
        assert dataset.n_rows == 2000
        without_digests(path)
        for file in sorted(path.glob("*.csv")):
            file.write_text("sex,age,zip,diagnosis\n")
        for ask in (lambda: dataset.distinct_rows(["sex", "age"]), lambda: list(dataset.batches(["sex"]))):
            with pytest.raises(EngineError, match="changed"):
                ask()


def test_cells_that_change_during_the_scan_are_an_error_although_the_rows_are_as_many(session, tmp_path):
    path = tmp_path / "edited"
    frame_of(session, people(2000)).write.csv(str(path), header=True)
    with open_dataset(session.read.csv(str(path), header=True), Settings()) as dataset:
        assert dataset.n_rows == 2000
        without_digests(path)
        for file in sorted(path.glob("*.csv")):
            file.write_text(file.read_text().replace("flu", "flo", 1))
        with pytest.raises(EngineError, match="changed"):
            dataset.distinct_rows(["sex", "diagnosis"])


def without_digests(folder: Any) -> None:
    """Remove the digests by which Spark itself would notice that a file was changed."""
    for digest in folder.glob(".*.crc"):
        digest.unlink()


def test_a_table_without_rows_is_incomplete_and_leaves_no_view(session):
    with pytest.raises(ScanIncomplete):
        open_dataset(frame_of(session, people(2000)).where("sex = 'x'"), Settings())
    assert not [view.name for view in session.catalog.listTables() if view.name.startswith("privaudit_")]


def test_a_scan_asks_spark_for_rows_frequencies_and_distinct_rows_once(session, monkeypatch):
    statements: list[str] = []
    kind = type(session)
    run = kind.sql

    def noting(self: Any, statement: str, *more: Any, **named: Any) -> Any:
        statements.append(statement)
        return run(self, statement, *more, **named)

    monkeypatch.setattr(kind, "sql", noting)
    frame = frame_of(session, people(2000))
    found = privaudit.scan(frame, ner=False)
    here = privaudit.scan(people(2000), ner=False)
    assert (found.risk.k_min, found.risk.n_unique) == (here.risk.k_min, here.risk.n_unique)
    assert [f.fingerprint for f in found.findings] == [f.fingerprint for f in here.findings]
    assert len([text for text in statements if "1 = 0" not in text]) == 3


def test_each_query_is_one_job_on_two_workers(session):
    """The status tracker of the driver counts the jobs; later questions about these columns need none.

    Adaptive execution starts each shuffle of a query as a job, so it is switched off. The query for the types of the
    columns is a job without a task.
    """
    from pyspark.sql import SparkSession

    if not isinstance(session, SparkSession):
        pytest.skip("a Connect client has no status tracker")
    context = session.sparkContext
    tracker = context.statusTracker()
    session.conf.set("spark.sql.adaptive.enabled", "false")
    frame = frame_of(session, people(2000))

    def jobs(group: str) -> int:
        context.setJobGroup("other", "other")
        found = [tracker.getJobInfo(number) for number in tracker.getJobIdsForGroup(group)]
        return len([job for job in found if job is not None and job.stageIds])

    context.setJobGroup("columns", "columns")
    with open_dataset(frame, Settings()) as dataset:
        dataset.frequencies("sex")
        assert jobs("columns") == 2  # the rows are counted, and the values of all columns
        dataset.expect(["sex", "age", "zip"])
        for group, columns, n_jobs in (("collapse", ["sex", "age", "zip"], 1), ("after", ["age", "zip"], 0)):
            context.setJobGroup(group, group)
            assert dataset.distinct_rows(columns).num_rows > 1
            assert jobs(group) == n_jobs
    session.conf.unset("spark.sql.adaptive.enabled")


def test_a_table_of_the_active_session_is_named_by_its_address(session, monkeypatch):
    from pyspark.sql import SparkSession

    frame_of(session, people(2000)).createOrReplaceTempView("visits")
    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: session)
    with open_dataset("spark:visits", Settings()) as dataset:
        assert dataset.name == "spark:visits"
        assert dataset.n_rows == 2000
    with pytest.raises(UnreadableSource, match="no table or view of this name"):
        open_dataset("spark:nowhere.at_all", Settings())


def test_a_cell_that_spark_cannot_read_is_an_error_without_its_text(session):
    frame = frame_of(session, pa.table({"x": [services.CANARY]})).selectExpr("CAST(RAISE_ERROR(x) AS STRING) AS x")
    with pytest.raises(PrivauditError) as caught:
        open_dataset(frame, Settings())
    assert services.CANARY not in str(caught.value)
    assert caught.value.__cause__ is None


def test_the_token_of_a_connect_server_occurs_in_no_output(run_in_new_process):
    """A client sends a token to servers with a certificate only, and retries for minutes; this address is invalid."""
    pytest.importorskip("pyspark")
    remote = f"sc://127.0.0.1:port/;token={services.CANARY}"
    found = run_in_new_process("scan", "spark:clinic.visits", "--no-config", "--no-ner", SPARK_REMOTE=remote)
    assert found.returncode in (2, 3), found.stderr
    assert services.CANARY not in found.stdout + found.stderr
