"""A server that accepts a connection and answers nothing, or refuses it, is an error after a bounded time.

Question: does a scan of a server that is down end, and with which exit code?
Method: a port on the loopback interface that accepts and is silent, and one on which nothing listens, for each source.
Limits: a server that answers the first request and none of the later ones is not tested.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace

import pytest

from privaudit.base.errors import EngineUnavailable, PrivauditError, UnreadableSource
from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from privaudit.source.servers import spark, waiting
from tests.helpers import services


@pytest.fixture(params=["accepts and is silent", "refuses"])
def port(request: pytest.FixtureRequest) -> Iterator[int]:
    if request.param == "refuses":
        yield services.free_port()
    else:
        with services.silent() as found:
            yield found


SOURCES = [
    ("adbc_driver_postgresql", "postgresql://auditor@127.0.0.1:{}/db?table=t", {}, EngineUnavailable),
    ("pyspark", "spark:clinic.visits", {"SPARK_REMOTE": "sc://127.0.0.1:{}"}, EngineUnavailable),
    ("pyarrow", "s3://tables/t.parquet", {"AWS_ENDPOINT_URL": "http://127.0.0.1:{}"}, UnreadableSource),
    ("deltalake", "delta:s3://tables/t", {"AWS_ENDPOINT_URL": "http://127.0.0.1:{}"}, UnreadableSource),
    (
        "pyiceberg", "iceberg:local.clinic.t",
        {"PYICEBERG_CATALOG__LOCAL__TYPE": "rest", "PYICEBERG_CATALOG__LOCAL__URI": "http://127.0.0.1:{}"},
        UnreadableSource,
    ),
]  # fmt: skip
CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "auditor",
    "AWS_SECRET_ACCESS_KEY": services.CANARY,
    "AWS_REGION": "us-east-1",
    "AWS_ALLOW_HTTP": "true",
    "AWS_EC2_METADATA_DISABLED": "true",
}


@pytest.mark.slow
@pytest.mark.parametrize(("package", "source", "environment", "error"), SOURCES, ids=[case[0] for case in SOURCES])
def test_a_server_that_does_not_answer_is_an_error(port, package, source, environment, error, monkeypatch):
    pytest.importorskip(package)
    monkeypatch.setattr(waiting, "SECONDS", 2)
    for name, value in {**CREDENTIALS, **environment}.items():
        monkeypatch.setenv(name, value.format(port))
    caught: list[PrivauditError] = []

    def scan() -> None:
        try:
            open_dataset(source.format(port), Settings())
        except PrivauditError as found:
            caught.append(found)

    # A scan that does not end fails this test, and the suite goes on.
    thread = threading.Thread(target=scan, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()
    assert isinstance(caught[0], error)
    assert caught[0].exit_code == (3 if error is EngineUnavailable else 2)
    assert "127.0.0.1" not in str(caught[0])
    assert caught[0].__cause__ is None


def test_the_first_answer_is_that_of_the_server_or_its_error_or_none(monkeypatch):
    assert waiting.first_answer(lambda: None) is None
    with pytest.raises(KeyError):
        waiting.first_answer(lambda: {}["x"])
    monkeypatch.setattr(waiting, "SECONDS", 0.01)
    never = threading.Event()
    with pytest.raises(TimeoutError):
        waiting.first_answer(never.wait)
    never.set()


def test_only_a_port_on_which_nothing_listens_refuses(monkeypatch):
    for name in waiting.PROXIES:
        monkeypatch.delenv(name, raising=False)
    port = services.free_port()
    assert waiting.is_refused("127.0.0.1", port)
    with services.silent() as listening:
        assert not waiting.is_refused("127.0.0.1", listening)
    assert not waiting.is_refused("unknown.invalid", port)
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:1")  # the proxy connects, perhaps to another host
    assert not waiting.is_refused("127.0.0.1", port)


def test_a_refused_spark_server_is_an_error_before_its_client_waits(monkeypatch):
    for name in waiting.PROXIES:
        monkeypatch.delenv(name, raising=False)
    client = ModuleType("pyspark.sql.connect.client")
    client.DefaultChannelBuilder = lambda remote: SimpleNamespace(endpoint=remote[5:])  # no channel can be made
    monkeypatch.setitem(sys.modules, "pyspark.sql.connect.client", client)
    monkeypatch.setitem(sys.modules, "grpc", ModuleType("grpc"))
    monkeypatch.setenv("SPARK_REMOTE", f"sc://127.0.0.1:{services.free_port()}")
    with pytest.raises(EngineUnavailable, match="No Spark server accepts connections") as caught:
        spark._wait_for_server()
    assert "127.0.0.1" not in str(caught.value)


def test_the_time_of_the_address_or_the_environment_is_kept_for_postgresql(monkeypatch):
    from privaudit.source.places.addresses import address_of
    from privaudit.source.servers.postgres import connection_text

    def text(more: str) -> str:
        address = address_of(f"postgresql://localhost/db?table=t{more}")
        assert address is not None
        return connection_text(address, None)

    monkeypatch.delenv("PGCONNECT_TIMEOUT", raising=False)
    assert f"connect_timeout={waiting.SECONDS}" in text("")
    assert "connect_timeout=5" in text("&connect_timeout=5")
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "7")
    assert "connect_timeout" not in text("")
