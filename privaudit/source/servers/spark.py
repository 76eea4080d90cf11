"""Tables and data frames of Spark, classic or Connect.

Question: how is a table scanned that is on a Spark cluster?
Method: Spark groups, and hands over the groups as Arrow: one query for the number of rows, one for the frequencies of
all columns, one for the distinct rows that the assessment reads. ``spark:catalog.schema.table`` uses the active
session, or starts the one that the environment describes (``SPARK_REMOTE`` for Connect).
Limits: needs the extra `spark`. A session belongs to the user and is not stopped. Nested cells are read as JSON, binary
cells as hexadecimal digits.
"""

from __future__ import annotations

import os
import re
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from privaudit.base import extras
from privaudit.base.arrow import pa
from privaudit.base.errors import (
    EngineUnavailable,
    PrivauditError,
    UnreadableSource,
    foreign_errors_as,
    foreign_errors_named,
)
from privaudit.settings.config import Settings
from privaudit.source.engine.bounded_values import most_values
from privaudit.source.engine.queries import Queries
from privaudit.source.engine.sql_table import SqlTable
from privaudit.source.input.allowed_size import check_columns, nothing_held
from privaudit.source.input.table import Read
from privaudit.source.places.addresses import Address
from privaudit.source.servers import waiting

_PLAIN = {
    "ByteType", "ShortType", "IntegerType", "LongType", "FloatType", "DoubleType", "DecimalType", "BooleanType",
    "DateType", "TimestampType", "TimestampNTZType",
}  # fmt: skip
_NESTED = {"ArrayType", "MapType", "StructType"}


def read(address: Address, settings: Settings) -> tuple[Read, str]:
    """Return the table ``spark:catalog.schema.table``, and the engine that answers.

    Raises
    ------
    UnsupportedFormat
        If the extra is not installed.
    EngineUnavailable
        If no session can be started.
    UnreadableSource
        If the table does not exist or may not be read.
    """
    with extras.needing(extras.SPARK, "Reading Spark tables"):
        from pyspark.sql import SparkSession
    name = address.text[len(address.scheme) + 1 :]
    with foreign_errors_as(_no_session):
        session = SparkSession.getActiveSession()
        if session is None:
            _wait_for_server()
            with _without_output():
                session = SparkSession.builder.getOrCreate()
    with foreign_errors_named(_refusal):
        frame = session.table(name)
        frame.schema  # noqa: B018 - Connect looks the table up when it is asked for the schema
    return read_frame(frame, settings), "spark"


@contextmanager
def _without_output() -> Iterator[None]:
    """Give the Java process of a session no standard output and error: its log has hosts, paths and texts of errors."""
    sys.stdout.flush()
    sys.stderr.flush()
    null = os.open(os.devnull, os.O_WRONLY)
    kept = [(stream, os.dup(stream)) for stream in (1, 2)]
    try:
        for stream, _ in kept:
            os.dup2(null, stream)
        yield
    finally:
        for stream, copy in kept:
            os.dup2(copy, stream)
            os.close(copy)
        os.close(null)


def _wait_for_server() -> None:
    """Wait until the Connect server of the environment accepts requests; its client would repeat them for minutes."""
    remote = os.environ.get("SPARK_REMOTE", "")
    if not remote.startswith("sc://"):
        return
    import grpc
    from pyspark.sql.connect.client import DefaultChannelBuilder

    builder = DefaultChannelBuilder(remote)
    place = urlsplit(f"//{builder.endpoint}")
    if place.hostname and place.port and waiting.is_refused(place.hostname, place.port):
        raise EngineUnavailable(
            "No Spark server accepts connections at the host and port of SPARK_REMOTE.",
            hint="check SPARK_REMOTE, and that the server runs",
        )
    with builder.toChannel() as channel:
        try:
            grpc.channel_ready_future(channel).result(timeout=waiting.SECONDS)
        except grpc.FutureTimeoutError:
            raise EngineUnavailable(
                f"The Spark server did not answer within {waiting.SECONDS} seconds.",
                hint="check SPARK_REMOTE, that the server runs, and the network",
            ) from None


def read_frame(frame: Any, settings: Settings) -> Read:
    """Return a data frame of Spark; it stays on the cluster."""
    with foreign_errors_as(_not_readable):
        fields = list(frame.schema.fields)
        if not fields:
            raise nothing_held("columns")
        check_columns("The table", len(fields), settings)
        session = frame.sparkSession
        numbered = frame.toDF(*(f"n{i}" for i in range(len(fields))))  # names may repeat
        view = f"privaudit_{secrets.token_hex(8)}"
        numbered.createOrReplaceTempView(view)
    selected = [_selected(i, type(field.dataType).__name__) for i, field in enumerate(fields)]
    relation = f"SELECT {', '.join(text for text, _ in selected)} FROM {view}"
    declared = {f"c{i}": kind for i, (_, kind) in enumerate(selected) if kind is not None}

    def run(statement: str, wanted: pa.Array | None = None, /) -> pa.Table:
        assert wanted is None, "no cell value is sent to a server"
        return session.sql(statement).toArrow()

    def stream(statement: str) -> list[pa.RecordBatch]:
        return run(statement).to_batches()

    def close() -> None:
        session.catalog.dropTempView(view)

    internal = [f"c{i}" for i in range(len(fields))]
    most = most_values(settings, len(internal))
    try:
        held = SqlTable(
            run, Queries("spark", relation), internal, declared=declared, one_scan=True, counts_first=True,
            close=close, most_values=most, seed=settings.seed, stream=stream, rows_at_once=most,
        )  # fmt: skip
    except PrivauditError:
        close()
        raise
    return Read(held, tuple(field.name for field in fields))


def _selected(i: int, kind: str) -> tuple[str, str | None]:
    """Return the expression of a column, and its logical type where Spark hands over text."""
    if kind in _PLAIN:
        return f"n{i} AS c{i}", None
    if kind in _NESTED:
        return f"TO_JSON(n{i}) AS c{i}", "nested"
    if kind == "BinaryType":
        return f"LOWER(HEX(n{i})) AS c{i}", "binary"
    return f"CAST(n{i} AS STRING) AS c{i}", None


def _no_session() -> EngineUnavailable:
    return EngineUnavailable(
        "No Spark session could be started.",
        hint="set SPARK_REMOTE=sc://host, or start a session first; one on this machine needs Java 17 or later",
    )


def _refusal(text: str) -> UnreadableSource:
    """Return the error for a table that a session does not open, by the code at the start of the text of Spark."""
    code = re.match(r"\W*([A-Z_]+)", text)
    if code is None or not code[1].endswith("_NOT_FOUND"):
        return _not_readable()
    return UnreadableSource(
        "Spark has no table or view of this name.",
        hint="write spark:catalog.schema.table; without SPARK_REMOTE a session of this machine is asked",
    )


def _not_readable() -> UnreadableSource:
    return UnreadableSource("Spark cannot read the table.", hint="check its name and that you may read it")
