"""Tables that are not in files: the addresses that name them, and who reads them.

Question: which source does this address name, and may it be shown?
Method: the scheme decides. An address contains no secret: credentials come from the source's own chain or from an
environment variable that the setting "password_env" names. Reports and messages show the scheme and the table, never a
host, a user or a bucket.
Limits: a reader needs the packages of its extra.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from importlib import import_module
from urllib.parse import parse_qsl, unquote, urlsplit

from privaudit.base.errors import ConfigError, UnsupportedFormat
from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass
from privaudit.settings.config import Settings
from privaudit.source.input.table import Read
from privaudit.source.places.folder_formats import iceberg_metadata, is_delta

_SCHEME = Expression(r"([a-z][a-z0-9+.\-]*):", re.IGNORECASE)
_SECRET = Expression(r"pass|secret|token|^sig$|signature|(?:access|account)_?key", re.IGNORECASE)
"""Names of parameters that hold a secret."""
_STORE = ("object store", "privaudit.source.servers.stored", "read")
READERS = {
    "postgresql": ("postgresql", "privaudit.source.servers.postgres", "read"),
    "postgres": ("postgresql", "privaudit.source.servers.postgres", "read"),
    "s3": _STORE,
    "gs": _STORE,
    "gcs": _STORE,
    "abfs": _STORE,
    "abfss": _STORE,
    "delta": ("delta", "privaudit.source.servers.stored", "read_delta"),
    "iceberg": ("iceberg", "privaudit.source.servers.stored", "read_iceberg"),
    "spark": ("spark", "privaudit.source.servers.spark", "read"),
}
"""The format, the module and the function of each scheme."""


@dataclass(frozen=True, slots=True)
class Address:
    """What an address names.

    Attributes
    ----------
    scheme : str
    format : str
        As the report shows it.
    text : str
        The address as it was given.
    query : mapping of str to str
        What follows the question mark.
    """

    scheme: str
    format: str
    text: str
    query: dict[str, str]

    @property
    def table(self) -> str:
        """The name of the table: of the query, otherwise the last part of the path; empty where there is none."""
        if "table" in self.query or self.format == "postgresql":
            return self.query.get("table", "")
        bare = self.text[len(self.scheme) + 1 :].partition("?")[0].partition("#")[0]
        return unquote(re.split(r"[\\/]", _path(bare).rstrip("/"))[-1])

    @property
    def shown(self) -> str:
        """The address without its place; `places.location.shown_source` withholds a personal name."""
        if self.format == "postgresql":
            return f"{self.scheme}://?table={self.table}" if self.table else f"{self.scheme}://"
        if self.format == "object store":
            return self.table or f"{self.scheme}://"
        version = re.search(r"#version=[0-9]+$", self.text)
        return f"{self.scheme}:{self.table}{version[0] if version else ''}"

    @property
    def place(self) -> str:
        """A digest of the address, which distinguishes tables of one name in two stores; without the user."""
        scheme, _, rest = self.text.partition("://")
        authority, slash, path = rest.partition("/")
        place = f"{scheme.lower()}://{authority.rpartition('@')[2].lower()}{slash}{path}" if rest else self.text
        return hashlib.sha256(place.encode()).hexdigest()[:12]


def _path(text: str) -> str:
    """Return the path of an address without what precedes it: host, user, password and bucket.

    A password with an unescaped slash extends into what looks like the path. Such an address has no path here.
    """
    found = re.match(r"(?:[^:/\\]*:)?//([^/]*)/?(.*)", text, re.DOTALL)
    if found is None:
        return text
    authority, path = found.groups()
    return "" if ":" in authority and "@" in path else path


def address_of(source: object) -> Address | None:
    """Return what an address names; None for the name of a file or anything else."""
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        if is_delta(source):
            return Address("delta", "delta", f"delta:{os.fsdecode(source)}", {})  # its files hold removed rows too
        if iceberg_metadata(source) is not None:
            return Address("iceberg", "iceberg", f"iceberg:{os.fsdecode(source)}", {})
    found = _SCHEME.match(source) if isinstance(source, str) else None
    if found is None or not isinstance(source, str) or "\n" in source:
        return None
    scheme = found[1].lower()
    if scheme not in READERS or os.path.exists(source):
        return None
    _, _, query = source.partition("?")
    return Address(scheme, READERS[scheme][0], source, dict(parse_qsl(query.partition("#")[0])))


def read_remote(address: Address, settings: Settings) -> tuple[Read, str]:
    """Return the table at an address, and the engine that answers.

    Raises
    ------
    ConfigError
        If the address contains a password.
    UnsupportedFormat
        If the extra that reads it is not installed.
    PrivauditError
        If the table cannot be read.
    """
    if _has_secret(address):
        raise ConfigError(
            "The address contains a password or key, which other programs can see.",
            hint="remove it: the credentials of the environment apply, for PostgreSQL also --password-env",
        )
    _, module, function = READERS[address.scheme]
    read: Callable[[Address, Settings], tuple[Read, str]] = getattr(import_module(module), function)
    return read(address, settings)


def _has_secret(address: Address) -> bool:
    """Whether an address, or the address of the store within it, contains a secret."""
    inner = address.text[len(address.scheme) + 1 :]
    try:
        parts = [urlsplit(text) for text in (address.text, inner)]
        passwords = [part.password for part in parts]
        _ = [part.port for part in parts]  # a password with an unescaped slash leaves a port that is not a number
    except ValueError:
        raise UnsupportedFormat(
            "The address is not a URL, or its port is not a number.",
            hint="write it without a password; docs/sources.md has examples",
        ) from None
    named = any(_SECRET.search(key) for key in address.query)
    return named or any(password is not None for password in passwords)


def password_of(settings: Settings) -> str | None:
    """Return the password in the environment variable that the settings name.

    Raises
    ------
    ConfigError
        If the variable is not set.
    """
    if settings.password_env is None:
        return None
    found = os.environ.get(settings.password_env)
    if not found:
        raise ConfigError(
            'The environment variable that "password_env" names is not set.', hint="export it, then scan again"
        )
    return found
