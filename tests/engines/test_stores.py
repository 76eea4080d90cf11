"""Object stores, Delta and Iceberg: the answers of the table in memory, the state at the start, and no secret anywhere.

Question: is a table in a store scanned like the same table here?
Method: servers of S3, Google Cloud Storage and Azure on the loopback interface, folders for Delta and Iceberg.
Limits: without the packages the tests are skipped, or fail under `make test-engines`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from privaudit.base.errors import ScanIncomplete, UnreadableSource, UnsupportedFormat
from privaudit.settings.config import Settings
from privaudit.source import from_arrow, open_dataset
from privaudit.source.engine import spool
from privaudit.source.servers import stored
from tests.conftest import Runner
from tests.helpers import services
from tests.helpers.engine_tables import TABLES, answers, hard_cells

pytestmark = pytest.mark.slow

PEOPLE = pa.table({"age": [1, 2, 3], "sex": ["f", "m", "f"]})
EMPTY = PEOPLE.slice(0, 0)
READ, NOT_READ = (0, 1, 3), (2,)
"""Exit codes."""


@pytest.fixture(scope="module")
def s3() -> Iterator[Any]:
    """The file system of a bucket `tables`; the environment has the credentials."""
    with services.s3() as (system, environment), pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        yield system


@pytest.fixture(params=["in memory", "on the engine"])
def share(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "on the engine":
        monkeypatch.setattr(spool, "text_in_memory", lambda _: 0)
    return str(request.param)


@pytest.mark.parametrize("name", TABLES)
def test_a_parquet_file_in_a_store_gives_the_answers_of_the_table_in_memory(s3, share, name):
    table = TABLES[name]()
    with s3.open_output_stream(f"tables/{name}.parquet") as out:
        pq.write_table(table, out)
    with from_arrow(table) as expected, open_dataset(f"s3://tables/{name}.parquet", Settings()) as dataset:
        assert dataset.in_memory == (share == "in memory")
        assert answers(dataset) == answers(expected)
        assert dataset.name == f"{name}.parquet"


def test_a_folder_of_parts_and_a_csv_file_in_a_store(s3):
    table = pa.table({"a": ["x", "y", "z"], "b": ["1", "2", "3"]})
    for i in range(3):
        with s3.open_output_stream(f"tables/parts/{i}.parquet") as out:
            pq.write_table(table.slice(i, 1), out)
    with s3.open_output_stream("tables/t.csv") as out:
        pa.csv.write_csv(table, out)
    with pytest.raises(UnreadableSource, match="each is a table"):
        open_dataset("s3://tables/parts", Settings())
    for address in ("s3://tables/parts", "s3://tables/t.csv"):
        with open_dataset(address, Settings(parts=("s3://tables/parts",))) as dataset:
            assert dataset.rows(["a", "b"]).to_pylist() == table.to_pylist()


@pytest.fixture(scope="module", params=["gcs", "azure"])
def other_store(request: pytest.FixtureRequest) -> Iterator[tuple[Any, str]]:
    """The file system of a store `tables`, and the pattern of addresses in it."""
    with getattr(services, request.param)() as made:
        yield made


@pytest.mark.parametrize("name", TABLES)
def test_google_and_azure_give_the_answers_of_the_table_in_memory(other_store, share, name):
    (system, address), table = other_store, TABLES[name]()
    with system.open_output_stream(f"tables/{name}.parquet") as out:
        pq.write_table(table, out)
    with from_arrow(table) as expected, open_dataset(address.format(f"{name}.parquet"), Settings()) as dataset:
        assert dataset.in_memory == (share == "in memory")
        assert answers(dataset) == answers(expected)
        assert dataset.name == f"{name}.parquet"


def test_a_file_of_google_or_azure_without_rows_is_incomplete(other_store, share):
    system, address = other_store
    with system.open_output_stream("tables/empty.parquet") as out:
        pq.write_table(EMPTY, out)
    with pytest.raises(ScanIncomplete):
        open_dataset(address.format("empty.parquet"), Settings())


def test_a_table_of_s3_delta_or_iceberg_without_rows_is_incomplete(s3, catalog, share, tmp_path):
    deltalake = pytest.importorskip("deltalake")
    with s3.open_output_stream("tables/empty.parquet") as out:
        pq.write_table(EMPTY, out)
    deltalake.write_deltalake(str(tmp_path / "empty"), EMPTY)
    catalog.create_table("clinic.empty", schema=EMPTY.schema)
    for address in ("s3://tables/empty.parquet", f"delta:{tmp_path}/empty", "iceberg:local.clinic.empty"):
        with pytest.raises(ScanIncomplete):
            open_dataset(address, Settings())


def test_google_and_azure_files_that_do_not_exist_are_named_as_such(other_store):
    with pytest.raises(UnreadableSource):
        open_dataset(other_store[1].format("gone.parquet"), Settings())


def test_an_address_of_google_or_azure_is_in_no_output(other_store, run_in_new_process, tmp_path):
    system, address = other_store
    with system.open_output_stream("tables/visits.parquet") as out:
        pq.write_table(pa.table({"age": [str(20 + i % 50) for i in range(200)]}), out)
    found = outputs_of(run_in_new_process, tmp_path, address.format("visits.parquet"), (0, 1, 3))
    assert "visits.parquet" in found
    assert all(part not in found for part in ("127.0.0.1", "auditor", "anonymous", services.CANARY))


SECRETS = {
    "gs": {"GOOGLE_APPLICATION_CREDENTIALS": "{key}"},
    "abfs": {
        "AZURE_TENANT_ID": "clinic",
        "AZURE_CLIENT_ID": "auditor",
        "AZURE_CLIENT_SECRET": services.CANARY,
        "AZURE_AUTHORITY_HOST": "https://127.0.0.1:9",
    },
}
"""The environment of a service account, whose login fails: neither server knows accounts."""


def test_the_secret_of_a_google_or_azure_account_occurs_in_no_output(other_store, run_in_new_process, tmp_path):
    system, address = other_store
    with system.open_output_stream("tables/t.parquet") as out:
        pq.write_table(PEOPLE, out)
    key = {"type": "service_account", "private_key_id": "1", "private_key": services.CANARY, "client_email": "auditor"}
    (tmp_path / "key.json").write_text(json.dumps({**key, "token_uri": "http://127.0.0.1:9"}), encoding="utf-8")
    scheme = address.partition("://")[0]
    environment = {name: text.format(key=tmp_path / "key.json") for name, text in SECRETS[scheme].items()}
    login = address.replace("anonymous@", "").replace("credential_kind=anonymous", "credential_kind=environment")
    for given, codes in ((address, READ), (login, NOT_READ)):
        shown = outputs_of(run_in_new_process, tmp_path, given.format("t.parquet"), codes, **environment)
        assert all(part not in shown for part in (services.CANARY, "127.0.0.1", "auditor"))


def test_a_file_of_google_or_azure_that_changes_while_it_is_read_ends_the_scan(other_store, share, monkeypatch):
    system, address = other_store

    def write(rows: pa.Table) -> None:
        with system.open_output_stream("tables/changing.parquet") as out:
            pq.write_table(rows, out)

    def changing(*given: Any) -> Any:
        found = read(*given)
        write(PEOPLE.slice(0, 1))
        return found

    write(PEOPLE)
    read = stored._stream
    monkeypatch.setattr(stored, "_stream", changing)
    with pytest.raises(UnreadableSource, match="changed while it was read"):
        open_dataset(address.format("changing.parquet"), Settings())


@pytest.mark.parametrize("name", ["changing.parquet", "changing.csv", "changing"])
def test_a_file_that_changes_while_it_is_read_ends_the_scan(s3, share, name, monkeypatch):
    table, at = pa.table({"age": [31, 45, 27]}), f"{name}/part.parquet" if "." not in name else name

    def write(rows: pa.Table) -> None:
        with s3.open_output_stream(f"tables/{at}") as out:
            (pa.csv.write_csv if at.endswith("csv") else pq.write_table)(rows, out)

    def changing(*given: Any) -> Any:
        found = read(*given)
        write(table.slice(0, 1))
        return found

    write(table)
    step = "_copied" if at.endswith("csv") else "_stream"
    read = getattr(stored, step)
    with monkeypatch.context() as patch:
        patch.setattr(stored, step, changing)
        with pytest.raises(UnreadableSource, match="changed while it was read"):
            open_dataset(f"s3://tables/{name}", Settings())
    with open_dataset(f"s3://tables/{name}", Settings()) as dataset:
        assert dataset.n_rows == 1


def outputs_of(run: Runner, tmp_path: Path, address: str, codes: tuple[int, ...], **environment: str) -> str:
    """Scan an address; return everything that is printed and written."""
    outputs = [tmp_path / f"report.{suffix}" for suffix in ("json", "html", "md", "sarif", "xml")]
    for path in outputs:
        path.unlink(missing_ok=True)
    options = [part for path in outputs for part in ("-o", str(path))]
    found = run("scan", address, "--no-config", "--no-ner", *options, **environment)
    assert found.returncode in codes, found.stderr
    written = [path.read_text(encoding="utf-8") for path in outputs if path.exists()]
    assert len(written) == (0 if found.returncode == 2 else 5)
    return "\n".join((found.stdout, found.stderr, *written))


def test_the_secret_of_an_object_store_occurs_in_no_output(s3, run_in_new_process, tmp_path):
    with s3.open_output_stream("tables/t.parquet") as out:
        pq.write_table(PEOPLE, out)
    cases = [("t.parquet", READ, {}), ("gone.parquet", NOT_READ, {}), ("t.parquet", NOT_READ, nowhere())]
    for name, codes, environment in cases:
        shown = outputs_of(run_in_new_process, tmp_path, f"s3://tables/{name}", codes, **environment)
        assert services.CANARY not in shown
        assert "127.0.0.1" not in shown


def nowhere() -> dict[str, str]:
    """The environment of a store that does not answer."""
    return {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{services.free_port()}", "AWS_MAX_ATTEMPTS": "1"}


def test_the_secret_of_a_delta_table_occurs_in_no_output(s3, run_in_new_process, tmp_path):
    deltalake = pytest.importorskip("deltalake")
    deltalake.write_deltalake("s3://tables/secured", PEOPLE)
    wrong = {"AWS_SECRET_ACCESS_KEY": f"{services.CANARY}-wrong", "RUST_LOG": "debug"}
    # RUST_LOG makes the driver itself print what it does, the address of the store among it.
    cases = [("secured", READ, wrong), ("gone", NOT_READ, {}), ("secured", NOT_READ, nowhere())]
    for name, codes, environment in cases:
        shown = outputs_of(run_in_new_process, tmp_path, f"delta:s3://tables/{name}", codes, **environment)
        assert services.CANARY not in shown


def test_the_secret_of_an_iceberg_catalogue_occurs_in_no_output(catalog, run_in_new_process, tmp_path):
    catalog.create_table("clinic.visits", schema=PEOPLE.schema).append(PEOPLE)
    place = f"127.0.0.1:{services.free_port()}"
    secrets = {"s3.access-key-id": "auditor", "s3.secret-access-key": services.CANARY, "token": services.CANARY}
    server = f"postgresql://auditor:{services.CANARY}@{place}/db"
    cases = [
        ("visits", READ, {"type": "sql", **catalog.properties}),
        ("gone", NOT_READ, {"type": "sql", **catalog.properties}),
        ("visits", NOT_READ, {"type": "rest", "uri": f"http://{place}", "credential": f"a:{services.CANARY}"}),
        ("visits", NOT_READ, {"type": "sql", "uri": server}),
    ]
    for table, codes, properties in cases:
        environment = {
            f"PYICEBERG_CATALOG__LOCAL__{key.upper().replace('-', '_').replace('.', '__')}": value
            for key, value in {**properties, **secrets}.items()
        }
        shown = outputs_of(run_in_new_process, tmp_path, f"iceberg:local.clinic.{table}", codes, **environment)
        assert services.CANARY not in shown
        assert "127.0.0.1" not in shown


@pytest.mark.parametrize("name", TABLES)
def test_a_delta_table_gives_the_answers_of_the_table_in_memory(share, name, tmp_path):
    deltalake = pytest.importorskip("deltalake")
    table = TABLES[name]()
    if name == "odd_names":
        table = table.drop_columns("A-B")  # Delta has no names that differ in case only
    deltalake.write_deltalake(str(tmp_path / "visits"), table)
    with from_arrow(table) as expected, open_dataset(f"delta:{tmp_path}/visits", Settings()) as dataset:
        assert answers(dataset) == answers(expected)
        assert dataset.name == "delta:visits"


def test_an_old_version_of_a_delta_table_is_scanned_by_its_number(s3, tmp_path):
    deltalake = pytest.importorskip("deltalake")
    deltalake.write_deltalake("s3://tables/visits", pa.table({"x": ["old", "older"]}))
    deltalake.write_deltalake("s3://tables/visits", pa.table({"x": ["new"]}), mode="overwrite")
    for address, n in (("delta:s3://tables/visits", 1), ("delta:s3://tables/visits#version=0", 2)):
        with open_dataset(address, Settings()) as dataset:
            assert dataset.n_rows == n
    deltalake.write_deltalake(str(tmp_path / "t"), pa.table({"x": ["old"]}))
    deltalake.write_deltalake(str(tmp_path / "t"), pa.table({"x": ["new", "newer"]}), mode="overwrite")
    with open_dataset(tmp_path / "t", Settings()) as dataset:  # not the files of removed rows that the folder holds
        assert dataset.n_rows == 2
    with pytest.raises(UnsupportedFormat, match="version=N"):
        open_dataset("delta:s3://tables/visits#x", Settings())
    with pytest.raises(UnreadableSource):
        open_dataset(f"delta:{tmp_path}/nowhere", Settings())


@pytest.fixture
def catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    pytest.importorskip("pyiceberg")
    from pyiceberg.catalog.sql import SqlCatalog

    properties = {"uri": f"sqlite:///{tmp_path}/catalog.db", "warehouse": f"file://{tmp_path}/warehouse"}
    (tmp_path / "warehouse").mkdir()
    lines = "".join(f"    {key}: {value}\n" for key, value in {"type": "sql", **properties}.items())
    (tmp_path / ".pyiceberg.yaml").write_text(f"catalog:\n  local:\n{lines}", encoding="utf-8")
    made = SqlCatalog("local", **properties)
    made.create_namespace("clinic")
    monkeypatch.setenv("PYICEBERG_HOME", str(tmp_path))
    from pyiceberg import catalog as module
    from pyiceberg.utils.config import Config

    monkeypatch.setattr(module, "_ENV_CONFIG", Config())
    return made


@pytest.mark.parametrize("name", TABLES)
def test_an_iceberg_table_gives_the_answers_of_the_table_in_memory(catalog, name):
    table = TABLES[name]()
    catalog.create_table("clinic.visits", schema=table.schema).append(table)
    with from_arrow(table) as expected, open_dataset("iceberg:local.clinic.visits", Settings()) as dataset:
        assert answers(dataset) == answers(expected)
        assert dataset.name == "iceberg:local.clinic.visits"


def test_an_old_snapshot_of_an_iceberg_table_is_scanned_by_its_number(catalog):
    table = catalog.create_table("clinic.visits", schema=hard_cells().schema)
    table.append(hard_cells())
    first = table.current_snapshot().snapshot_id
    table.append(hard_cells())
    for address, n in (("iceberg:local.clinic.visits", 24), (f"iceberg:local.clinic.visits#version={first}", 12)):
        with open_dataset(address, Settings()) as dataset:
            assert dataset.n_rows == n
    with pytest.raises(UnreadableSource):
        open_dataset("iceberg:local.clinic.gone", Settings())


@pytest.mark.parametrize("kind", ["delta", "iceberg"])
def test_a_change_during_the_scan_is_not_in_the_answers(kind, catalog, share, tmp_path, monkeypatch):
    """The table is changed after its state is chosen and before its first row is read."""
    table = hard_cells()
    other = table.slice(0, 3)
    if kind == "delta":
        deltalake = pytest.importorskip("deltalake")
        place, address = str(tmp_path / "visits"), f"delta:{tmp_path}/visits"
        deltalake.write_deltalake(place, table)
        change = partial(deltalake.write_deltalake, place, other, mode="overwrite")
    else:
        address = "iceberg:local.clinic.visits"
        held = catalog.create_table("clinic.visits", schema=table.schema)
        held.append(table)
        change = partial(held.overwrite, other)
    collect = stored.collect

    def changing(*given: Any) -> Any:
        change()
        return collect(*given)

    monkeypatch.setattr(stored, "collect", changing)
    with from_arrow(table) as expected, open_dataset(address, Settings()) as dataset:
        assert answers(dataset) == answers(expected)
    monkeypatch.setattr(stored, "collect", collect)
    with open_dataset(address, Settings()) as dataset:
        assert dataset.n_rows == 3


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("s3://tables/missing.parquet", "no file and no folder"),
        ("s3://other/missing.parquet", "no file and no folder"),
        ("s3://tables/broken", "cannot be read as Parquet"),
        ("s3://tables/delta-folder", "write delta: before the address"),
        ("s3://tables/t.parquet?other=1", "has a parameter"),
        ("s3:tables/t.parquet", "is not complete"),
    ],
)
def test_a_table_that_a_store_does_not_give_is_named_by_its_cause(s3, address, expected):
    for name in ("broken/t.parquet", "delta-folder/t.parquet", "delta-folder/_delta_log/0.json"):
        with s3.open_output_stream(f"tables/{name}") as out:
            out.write(b"not a table")
    with pytest.raises((UnreadableSource, UnsupportedFormat), match=expected):
        open_dataset(address, Settings())


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("delta:{}/missing", "No table was found at this address"),
        ("delta:{}/t#version=9", "does not have this version"),
        ("delta:s3://tables/missing", "No table was found at this address"),
    ],
)
def test_a_delta_table_or_version_that_does_not_exist_is_named_as_such(s3, tmp_path, address, expected):
    deltalake = pytest.importorskip("deltalake")
    deltalake.write_deltalake(tmp_path / "t", pa.table({"a": ["x"]}))
    os.environ.pop("RUST_LOG", None)
    with pytest.raises(UnreadableSource, match=expected):
        open_dataset(address.format(tmp_path), Settings())
    assert os.environ["RUST_LOG"] == "off"  # its messages name hosts and paths


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("iceberg:local.clinic.missing", "No table was found at this address"),
        ("iceberg:local", "namespace and table"),
        ("iceberg:unknown.clinic.t", "not configured"),
    ],
)
def test_an_iceberg_table_that_does_not_exist_is_named_as_such(tmp_path, monkeypatch, address, expected):
    pytest.importorskip("pyiceberg")
    from pyiceberg import catalog
    from pyiceberg.utils.config import Config

    for name, value in {"TYPE": "sql", "URI": f"sqlite:///{tmp_path}/c.db", "WAREHOUSE": f"file://{tmp_path}"}.items():
        monkeypatch.setenv(f"PYICEBERG_CATALOG__LOCAL__{name}", value)
    monkeypatch.setattr(catalog, "_ENV_CONFIG", Config())
    catalog.load_catalog("local").create_namespace("clinic")
    with pytest.raises(UnreadableSource, match=expected):
        open_dataset(address, Settings())
