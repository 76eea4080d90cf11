"""What a connection to PostgreSQL that is refused is called, and that no parameter of an address makes it less safe.

Question: does the message name the cause, without a word of the driver or the server?
Method: texts that libpq 17 wrote for each cause, with marked names; addresses with known, mistyped and local places.
Limits: the texts are those of one version of libpq; another text gives the general message. No server is asked.
"""

from __future__ import annotations

import os
import re

import pytest

from privaudit.base.errors import ConfigError, EngineUnavailable
from privaudit.settings.config import Settings
from privaudit.source.places.addresses import Address, address_of
from privaudit.source.servers import postgres

SECRET = "qzxvkjw certificate FATAL:"
AT = f'[libpq] Failed to connect: connection to server at "{SECRET}", port 5432 failed: '
CAUSES = [
    (f"{AT}fe_sendauth: no password supplied", "asks for a password.*--password-env"),
    (f'{AT}FATAL:  password authentication failed for user "{SECRET}"', "refused the login"),
    (f'{AT}FATAL:  database "{SECRET}" does not exist', "no database of this name"),
    (f"{AT}Connection refused\n\tIs the server running on that host?", "No PostgreSQL server accepts"),
    (f'could not translate host name "{SECRET}" to address: Name or service not known', "host of the address"),
    (f'definition of service "{SECRET}" not found', "service file"),
    (f"{AT}timeout expired", "did not answer in time"),
    (f"{AT}server does not support SSL, but SSL was required", "does not secure the connection"),
    (f"{AT}SSL error: certificate verify failed: self-signed certificate", "could not be verified.*sslrootcert"),
    (f'{AT}root certificate file "{SECRET}" does not exist', "could not be verified.*sslrootcert"),
    (f'invalid sslmode value: "{SECRET}"', "value that libpq does not accept"),
    (f'{AT}invalid integer value "{SECRET}" for connection option "port"', "value that libpq does not accept"),
    (f"{AT}something new", "did not accept the connection"),
]


@pytest.mark.quick_cases(20)
@pytest.mark.parametrize(("text", "expected"), CAUSES)
def test_a_refused_connection_is_named_by_its_cause_and_not_by_the_text_of_the_driver(text: str, expected: str) -> None:
    error = postgres._refusal(text)
    assert re.search(expected, str(error))
    assert "qzxvkjw" not in str(error)
    assert error.exit_code == (2 if "invalid" in text else 3)
    assert str(error) == error.line(), "nothing is cut"


def test_the_error_of_a_refused_connection_shows_nothing_of_the_error_of_the_driver() -> None:
    def connect(text: str, **_: object) -> None:
        raise RuntimeError(f"{text} {SECRET}")

    with pytest.raises(EngineUnavailable) as caught:
        postgres._connected(connect, named("postgresql://localhost/d?table=t"), Settings())
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    assert "qzxvkjw" not in str(caught.value)


def named(text: str) -> Address:
    address = address_of(text)
    assert address is not None
    return address


@pytest.mark.parametrize("parameter", ["sslmod=verify-full", "tabel=t", f"{SECRET}=1", "hostaddr=192.0.2.1"])
def test_a_parameter_that_is_not_read_is_refused(parameter: str) -> None:
    with pytest.raises(ConfigError) as caught:
        postgres._check_parameters(named(f"postgresql://localhost/d?table=t&{parameter}"))
    assert "qzxvkjw" not in str(caught.value)


def test_every_parameter_that_is_read_reaches_the_driver() -> None:
    keys = [key for key in postgres.CONNECTION_KEYS if key != "host"]
    address = named("postgresql://localhost/d?table=t&" + "&".join(f"{key}=1" for key in keys))
    postgres._check_parameters(address)
    text = postgres.connection_text(address, None)
    assert all(f"{key}=1" in text for key in keys)


def test_an_address_without_a_host_keeps_its_database() -> None:
    assert postgres.connection_text(named("postgresql:///clinic?table=t"), None).startswith("postgresql:///clinic?")


@pytest.mark.parametrize(
    ("address", "environment", "expected"),
    [
        ("postgresql://?service=clinic&table=t", {}, "verify-full"),
        ("postgresql:///d?table=t", {"PGSERVICE": "clinic", "PGHOST": "localhost"}, "verify-full"),
        ("postgresql:///d?table=t", {"PGHOST": "db.example.org"}, "verify-full"),
        ("postgresql:///d?table=t", {"PGHOST": "localhost"}, None),
        ("postgresql:///d?table=t", {"PGHOST": "db.example.org", "PGSSLMODE": "require"}, "require"),
        ("postgresql://localhost/d?table=t", {}, None),
    ],
)
def test_a_server_that_the_address_does_not_name_must_have_a_certificate_unless_sslmode_is_stated(
    address: str, environment: dict[str, str], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PGSERVICE", "PGHOST", "PGSSLMODE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    before = os.environ.get("PGSSLMODE")
    seen = postgres._connected(lambda _, **__: os.environ.get("PGSSLMODE"), named(address), Settings())
    assert seen == expected
    assert os.environ.get("PGSSLMODE") == before
