"""Servers on the loopback interface for the tests of engines, started where the machine has them.

Question: is there a PostgreSQL, S3, Google Cloud Storage, Azure or Spark here to test against?
Method: each fixture starts its service on a free port in a temporary folder and ends it; a service that the machine
does not have skips its tests with a reason, or fails them where PRIVAUDIT_REQUIRE_SERVICES is set.
"""

from __future__ import annotations

import base64
import email.utils
import hmac
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CANARY = "Canary-Pa55word-7f3d"
"""The password of every service; it must occur in no output."""


def missing(what: str) -> None:
    """Skip, or fail where services are required."""
    if os.environ.get("PRIVAUDIT_REQUIRE_SERVICES"):
        pytest.fail(f"{what} is required and not installed")
    pytest.skip(f"{what} is not installed")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def postgres() -> Iterator[int]:
    """Start PostgreSQL with password authentication for the user `auditor`; yield its port."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    binary = shutil.which("initdb", path=os.pathsep.join([*map(str, places[::-1]), os.environ.get("PATH", "")]))
    if binary is None:
        missing("PostgreSQL")
    assert binary is not None
    tools = Path(binary).parent
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    user: dict[str, int] = {}
    if os.getuid() == 0:
        owner = pwd.getpwnam("postgres")
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        user = {"user": owner.pw_uid, "group": owner.pw_gid}
    port, data = free_port(), folder / "data"
    word = folder / "word"
    word.write_text(CANARY)
    word.chmod(0o644)

    def run(*command: object) -> None:
        subprocess.run(
            [str(part) for part in command],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            **user,  # type: ignore[call-overload]
        )

    access = ("-U", "auditor", "--pwfile", word, "-A", "scram-sha-256")
    run(tools / "initdb", "-D", data, *access, "-E", "UTF8", "--no-sync")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c fsync=off -c unix_socket_directories={folder}"
    run(tools / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
    try:
        yield port
    finally:
        run(tools / "pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def s3() -> Iterator[tuple[Any, dict[str, str]]]:
    """Start an S3 server with a bucket `tables`; yield its file system and the environment that reaches it."""
    command = os.environ.get("PRIVAUDIT_MOTO_SERVER")
    if command is None:
        missing("moto[server]")
    assert command is not None
    from pyarrow import fs

    host, port = "127.0.0.1", free_port()
    server = subprocess.Popen(
        [command, "-H", host, "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait_for(port)
    environment = {
        "AWS_ACCESS_KEY_ID": "auditor",
        "AWS_SECRET_ACCESS_KEY": CANARY,
        "AWS_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ALLOW_HTTP": "true",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    system = fs.S3FileSystem(
        access_key="auditor", secret_key=CANARY, endpoint_override=f"{host}:{port}", scheme="http", region="us-east-1",
        allow_bucket_creation=True,
    )  # fmt: skip
    try:
        system.create_dir("tables")
        yield system, environment
    finally:
        server.kill()
        server.wait()


@contextmanager
def gcs() -> Iterator[tuple[Any, str]]:
    """Start a server of Google Cloud Storage; yield the file system of its bucket and the pattern of addresses."""
    from pyarrow import fs

    with _store("PRIVAUDIT_GCS_EMULATOR", "gcp-storage-emulator") as (command, port):
        place = f"127.0.0.1:{port}"
        options = ("start", "--host=127.0.0.1", f"--port={port}", "--in-memory", "--default-bucket=tables")
        with _running([command, *options], port):
            system = fs.GcsFileSystem(anonymous=True, scheme="http", endpoint_override=place)
            yield system, f"gs://anonymous@tables/{{}}?endpoint_override={place}&scheme=http"


@contextmanager
def azure() -> Iterator[tuple[Any, str]]:
    """Start a server of Azure Blob Storage with a public container; yield its file system and the pattern of addresses.

    The chain of credentials of Azure sends tokens through TLS only, which the server does not have.
    """
    from pyarrow import fs

    with _store("PRIVAUDIT_AZURITE", "azurite") as (command, port):
        key, place = base64.b64encode(CANARY.encode()).decode(), f"127.0.0.1:{port}"
        options = ("--silent", "--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry")
        where = ("--blobHost", "127.0.0.1", "--blobPort", str(port))
        with _running([command, *options, *where], port, AZURITE_ACCOUNTS=f"auditor:{key}"):
            _create_public_container(place, key)
            system = fs.AzureFileSystem(
                "auditor", account_key=key, blob_storage_authority=place, dfs_storage_authority=place,
                blob_storage_scheme="http", dfs_storage_scheme="http",
            )  # fmt: skip
            server = f"blob_storage_authority={place}&dfs_storage_authority={place}&enable_tls=false"
            yield system, f"abfs://auditor@tables/{{}}?{server}&credential_kind=anonymous"


def _create_public_container(place: str, key: str) -> None:
    """Create the container `tables`, which anyone may read; `pyarrow` creates private ones only."""
    headers = {
        "x-ms-blob-public-access": "container",
        "x-ms-date": email.utils.formatdate(usegmt=True),
        "x-ms-version": "2021-08-06",
    }
    named = "".join(f"{name}:{value}\n" for name, value in headers.items())
    signed = "PUT" + "\n" * 12 + named + "/auditor/auditor/tables\nrestype:container"
    digest = hmac.new(base64.b64decode(key), signed.encode(), "sha256").digest()
    headers["Authorization"] = f"SharedKey auditor:{base64.b64encode(digest).decode()}"
    address = f"http://{place}/auditor/tables?restype=container"
    urllib.request.urlopen(urllib.request.Request(address, method="PUT", headers=headers)).close()


@contextmanager
def _store(variable: str, package: str) -> Iterator[tuple[str, int]]:
    """Yield the command that a variable of the environment names, and a free port."""
    command = os.environ.get(variable)
    if command is None or not Path(command).exists():
        missing(package)
    assert command is not None
    yield command, free_port()


@contextmanager
def _running(command: Sequence[str], port: int, **environment: str) -> Iterator[None]:
    with tempfile.TemporaryDirectory(prefix="store-") as folder:
        server = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            wait_for(port)
            yield
        finally:
            server.kill()
            server.wait()


@contextmanager
def spark() -> Iterator[tuple[str, str]]:
    """Start a Spark master with two workers and a Connect server; yield their addresses."""
    if shutil.which("java") is None:
        missing("Java")
    try:
        import pyspark
    except ImportError:
        missing("pyspark")
    home = Path(pyspark.__file__).parent
    folder = Path(tempfile.mkdtemp(prefix="spark-"))
    environment = {
        **os.environ,
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder),
        "SPARK_NO_DAEMONIZE": "1",
        "SPARK_DAEMON_MEMORY": "512m",
    }
    master, remote = free_port(), free_port()
    place = f"spark://127.0.0.1:{master}"
    common = ("--host", "127.0.0.1", "--webui-port", str(free_port()))
    worker = ("org.apache.spark.deploy.worker.Worker", "--cores", "1", "--memory", "1g", "--work-dir", str(folder))
    server = (
        "org.apache.spark.deploy.SparkSubmit", "--master", "local[1]", "--name", "tests",
        "--driver-memory", "600m", "--class", "org.apache.spark.sql.connect.service.SparkConnectServer",
        "--conf", f"spark.connect.grpc.binding.port={remote}", "--conf", "spark.connect.grpc.binding.address=127.0.0.1",
        "--conf", "spark.ui.enabled=false", "--conf", "spark.sql.shuffle.partitions=2", "spark-internal",
    )  # fmt: skip
    commands = [
        ("org.apache.spark.deploy.master.Master", *common, "--port", str(master)),
        (*worker, "--host", "127.0.0.1", "--webui-port", str(free_port()), place),
        (*worker, "--host", "127.0.0.1", "--webui-port", str(free_port()), place),
        server,
    ]
    started = []
    try:
        for command in commands:
            started.append(
                subprocess.Popen(
                    [str(home / "bin" / "spark-class"), *command],
                    env=environment,
                    cwd=folder,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            )
            if len(started) == 1:
                wait_for(master)
        wait_for(remote)
        yield place, f"sc://127.0.0.1:{remote}"
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(port: int, seconds: float = 180) -> None:
    """Wait until a server listens on a port."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with socket.socket() as found:
            if found.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    pytest.fail("a service did not start")


@contextmanager
def silent() -> Iterator[int]:
    """Accept connections on a port and answer nothing; yield the port."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(50)  # the kernel accepts
        yield int(server.getsockname()[1])
