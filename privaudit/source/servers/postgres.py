"""Tables of PostgreSQL, read through ADBC.

Question: how is a table of a PostgreSQL server read without changing, blocking or revealing anything?
Method: one read-only transaction of isolation level REPEATABLE READ, so that every answer is of one state of the table.
A table that fits in memory is streamed once. A larger one stays on the server, which counts the values of all columns
in one scan and the distinct rows of some columns in another. Text is compared by its bytes (COLLATE
"C"). Without a parameter ``sslmode`` a server elsewhere must have a valid certificate.
Limits: needs the extra `postgres`. The address has no password: libpq's service file, password file and environment
apply, or the variable that "password_env" names. Cells of the type bytea are read as hexadecimal digits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from urllib.parse import quote, urlsplit

from privaudit.base import extras
from privaudit.base.arrow import pa
from privaudit.base.errors import (
    ConfigError,
    EngineUnavailable,
    PrivauditError,
    UnreadableSource,
    foreign_errors_as,
    foreign_errors_named,
)
from privaudit.base.similar_names import similar
from privaudit.base.sql_text import sql_name, sql_text
from privaudit.settings.config import Settings
from privaudit.source.engine.bounded_values import most_values
from privaudit.source.engine.engine_errors import failed
from privaudit.source.engine.queries import Queries
from privaudit.source.engine.spool import collect
from privaudit.source.engine.sql_table import SqlTable
from privaudit.source.input.allowed_size import check_columns, text_in_memory
from privaudit.source.input.table import Read
from privaudit.source.places.addresses import Address, password_of
from privaudit.source.servers import waiting
from privaudit.source.servers.store_errors import causes

CONNECTION_KEYS = (
    "service", "sslmode", "sslrootcert", "sslcert", "sslkey", "host", "port", "user", "dbname", "connect_timeout",
    "application_name", "channel_binding", "gssencmode", "krbsrvname", "options", "passfile", "require_auth", "sslcrl",
    "sslcrldir", "ssl_min_protocol_version", "target_session_attrs",
)  # fmt: skip
"""The parameters of libpq that an address may contain."""
VERIFIED = "verify-full"
_LOCAL = ("localhost", "127.0.0.1", "::1")
_PLAIN = {"int2", "int4", "int8", "bool", "float4", "float8", "date", "timestamp", "timestamptz", "time"}
_COLUMNS = """
SELECT a.attname, b.typname, b.typcategory, a.atttypmod
FROM pg_catalog.pg_attribute a
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
JOIN pg_catalog.pg_type b ON b.oid = CASE WHEN t.typbasetype = 0 THEN t.oid ELSE t.typbasetype END
WHERE a.attrelid = pg_catalog.to_regclass({table}) AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum
"""
_SIZE = """
SELECT COALESCE((SELECT SUM(pg_catalog.pg_table_size(relid)) FROM pg_catalog.pg_partition_tree({table})), 0)::int8
     + pg_catalog.pg_table_size({table}) AS size
"""


def read(address: Address, settings: Settings) -> tuple[Read, str]:
    """Return the table that an address names, and the engine that answers.

    Raises
    ------
    UnsupportedFormat
        If the extra is not installed.
    EngineUnavailable
        If the server does not accept the connection.
    UnreadableSource
        If the database does not have the table, or the user may not read it.
    """
    with extras.needing(extras.POSTGRES, "Reading tables of PostgreSQL"):
        from adbc_driver_postgresql import dbapi
    _check_parameters(address)
    if not address.table:
        raise UnreadableSource("The address names no table.", hint="write postgresql://host/database?table=schema.name")
    server = _Server(_connected(dbapi.connect, address, settings))
    with ExitStack() as unless_read:
        unless_read.callback(server.close)
        found, engine = _read(server, _quoted_table(address.table), settings)
        unless_read.pop_all()
    return found, engine


def _check_parameters(address: Address) -> None:
    """Refuse a parameter that would be ignored: a mistyped ``sslmode`` must not make a connection less safe."""
    known = ("table", *CONNECTION_KEYS)
    unknown = [key for key in address.query if key not in known]
    if unknown:
        close = similar(unknown[0], known, n=1)
        raise ConfigError(
            "The address has a parameter that is not read for PostgreSQL.",
            hint=f"write {close[0]}" if close else "remove it; docs/sources.md lists those that are read",
        )


def _connected(connect: Callable[..., Any], address: Address, settings: Settings) -> Any:
    text = connection_text(address, password_of(settings))
    with _secured_by_default(address), foreign_errors_named(_refusal):
        # A driver that begins transactions itself does not send the statement that ends an error.
        return connect(text, autocommit=True)


@contextmanager
def _secured_by_default(address: Address) -> Iterator[None]:
    """Verify a server that the service file or the environment names, unless one of them states ``sslmode``.

    In libpq a variable of the environment has the lowest precedence, and Unix sockets ignore this one.
    """
    has_service = "service" in address.query or "PGSERVICE" in os.environ
    is_local = not has_service and os.environ.get("PGHOST") in _LOCAL
    if _host(address) or is_local or "PGSSLMODE" in os.environ:
        yield
        return
    # Through the environment, because a parameter of the connection would overrule what a service file states.
    os.environ["PGSSLMODE"] = VERIFIED
    try:
        yield
    finally:
        del os.environ["PGSSLMODE"]


def _refusal(text: str) -> PrivauditError:
    """Return the error for a connection that libpq did not open; its text is compared and never shown."""
    # libpq quotes user, database and host: what is compared must not depend on names that someone chose.
    bare = re.sub(r'"[^"]*"', "", text)
    if re.search(r"invalid (?:\w+ )*value", bare):
        return ConfigError(
            "A parameter of the address has a value that libpq does not accept.",
            hint="check sslmode, connect_timeout and port",
        )
    for pattern, message, hint in causes("postgres"):
        if pattern.search(bare):
            return EngineUnavailable(message, hint=hint)
    return _not_connected()


def _read(server: _Server, table: str, settings: Settings) -> tuple[Read, str]:
    with foreign_errors_as(failed):
        server.begin()
    literal = sql_text(table)
    with foreign_errors_as(_not_readable):
        columns = server(_COLUMNS.format(table=literal)).to_pylist()
    if not columns:
        raise UnreadableSource(
            "The database has no such table, or the table has no columns.",
            hint="check table=schema.name in the address; small and capital letters differ",
        )
    check_columns("The table", len(columns), settings)
    selected = [_selected(f"c{i}", **column) for i, column in enumerate(columns)]
    relation = f"SELECT {', '.join(text for text, _ in selected)} FROM {table}"
    declared = {f"c{i}": kind for i, (_, kind) in enumerate(selected) if kind is not None}
    names = tuple(column["attname"] for column in columns)
    internal = [f"c{i}" for i in range(len(names))]
    with foreign_errors_as(_not_readable):
        size = server(_SIZE.format(table=f"{literal}::regclass"))["size"][0].as_py()
    # The size on disk, known without reading a row, decides whether rows are read or questions are asked.
    if size > text_in_memory(settings):
        held = SqlTable(
            server, Queries("postgres", relation), internal, declared=declared, one_scan=True, close=server.close,
            most_values=most_values(settings, len(internal)), seed=settings.seed, stream=server.stream,
            tried=server.tried,
        )  # fmt: skip
        return Read(held, names), "postgresql"
    with foreign_errors_as(_not_readable):
        table_here = collect(server.stream(relation), settings)
    server.close()
    return Read(table_here, names, declared=tuple((int(name[1:]), kind) for name, kind in declared.items())), "duckdb"


def connection_text(address: Address, password: str | None) -> str:
    """Return the connection string of libpq: the address without what is ours, with the password."""
    parts = urlsplit(address.text)
    kept = {key: value for key, value in address.query.items() if key in CONNECTION_KEYS}
    host = _host(address)
    if host and host not in _LOCAL and not host.startswith(("/", "%2F", "%2f")):
        kept.setdefault("sslmode", VERIFIED)
    if "PGCONNECT_TIMEOUT" not in os.environ:
        kept.setdefault("connect_timeout", str(waiting.SECONDS))
    place = parts.netloc
    if password is not None:
        kept["password"] = password
    query = "&".join(f"{key}={quote(value, safe='')}" for key, value in kept.items())
    return f"postgresql://{place}{parts.path}?{query}"


def _host(address: Address) -> str:
    """Return the host that an address names, empty where libpq takes it from elsewhere."""
    return urlsplit(address.text).hostname or address.query.get("host", "")


def _quoted_table(given: str) -> str:
    """Return ``schema.name``, either part quoted where it must be, as a quoted name.

    >>> _quoted_table('public.people'), _quoted_table('"a.b".c')
    ('"public"."people"', '"a.b"."c"')
    """
    parts = re.findall(r'"(?:[^"]|"")*"|[^."]+', given)
    return ".".join(part if part.startswith('"') else f'"{part}"' for part in parts)


def _selected(name: str, attname: str, typname: str, typcategory: str, atttypmod: int) -> tuple[str, str | None]:
    """Return the expression of a column, and its logical type where the engine hands over text."""
    cell = sql_name(attname)
    if typname in _PLAIN:
        return f"{cell} AS {name}", None
    if typname == "numeric":
        number = cell if atttypmod >= 0 else f"trim_scale({cell})"  # equal numbers have one text
        return f"NULLIF({number}, 'NaN'::numeric) AS {name}", "decimal"
    if typname == "bytea":
        return f"encode({cell}, 'hex') COLLATE \"C\" AS {name}", "binary"
    if typcategory in ("A", "C"):
        return f'to_jsonb({cell})::text COLLATE "C" AS {name}', "nested"
    return f'{cell}::text COLLATE "C" AS {name}', None


class _Server:
    """One read-only transaction."""

    def __init__(self, connection: Any) -> None:
        self._connection, self._cursor = connection, connection.cursor()

    def begin(self) -> None:
        """Fix the state of the database that all later statements read."""
        for statement in (
            "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
            "SET LOCAL TimeZone = 'UTC'",
            "SET LOCAL DateStyle = 'ISO'",
            "SET LOCAL extra_float_digits = 1",
        ):
            self._cursor.execute(statement)

    def __call__(self, statement: str, wanted: pa.Array | None = None, /) -> pa.Table:
        """Return the rows of `statement`."""
        assert wanted is None, "no cell value is sent to a server"
        self._cursor.execute(statement)
        return self._cursor.fetch_arrow_table()

    def stream(self, statement: str) -> pa.RecordBatchReader:
        """Return the rows of `statement` batch by batch."""
        self._cursor.execute(statement)
        return self._cursor.fetch_record_batch()

    def tried(self, statement: str, wanted: pa.Array | None = None, /) -> pa.Table:
        """Return the rows of a statement that may fail: without a savepoint, all later ones would fail too."""
        self._cursor.execute("SAVEPOINT tried")
        with ExitStack() as if_it_fails:
            if_it_fails.callback(self._cursor.execute, "ROLLBACK TO SAVEPOINT tried")
            found = self(statement, wanted)
            if_it_fails.pop_all()
        self._cursor.execute("RELEASE SAVEPOINT tried")
        return found

    def close(self) -> None:
        """End the transaction and the connection."""
        with suppress(PrivauditError), foreign_errors_as(failed):
            self._cursor.close()
            self._connection.close()


def _not_connected() -> EngineUnavailable:
    return EngineUnavailable(
        "The PostgreSQL server did not accept the connection, or did not answer in time.",
        hint="check the address, the service or password file of libpq, --password-env, and sslmode",
    )


def _not_readable() -> UnreadableSource:
    return UnreadableSource("The table cannot be read.", hint="check that it exists and that you may read it")
