"""Labelled columns: what the evidence said of them, and what is true.

Question: which readings of a column were right?
Method: a file of labels names tables, columns and what each is; every table is examined as a scan would, without its
text. Readings that say the same (a given name, a name) are one group; what names nobody is one group, too.
Limits: a label is somebody's judgement, and tables of one publisher resemble each other: they are one source.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from privaudit.config import Progress, Settings, silent
from privaudit.detect import fusion
from privaudit.detect.fusion import Matrix
from privaudit.detect.verdict import Reading, weigh
from privaudit.errors import ConfigError
from privaudit.model import ROLES
from privaudit.source import from_arrow, open_dataset
from privaudit.source.dataset import Dataset
from privaudit.vocabulary import known_types, with_role

PLAIN = "NONE"
ORDINARY = "ORDINARY"  # accepted beside PLAIN: whatever is not personal
_GROUPS = {
    "NAME": "PERSON_NAME FIRST_NAME LAST_NAME MIDDLE_NAME MAIDEN_NAME",
    "GOVERNMENT_ID": "SSN NATIONAL_ID TAX_ID DRIVER_LICENSE PASSPORT VOTER_ID",
    "BIRTH": "DATE_OF_BIRTH BIRTH_YEAR",
    "POINT": "LATITUDE LONGITUDE COORDINATES",
    "REGION": "STATE COUNTY_REGION GEO_CODE",
    "MONEY": "INCOME FINANCIAL CREDIT_SCORE",
    "KEY": "PERSON_ID RECORD_ID PSEUDONYM",
}
PERSONAL = frozenset(
    "NAME EMAIL PHONE STREET_ADDRESS GOVERNMENT_ID HEALTH_ID CREDIT_CARD IBAN BANK_ACCOUNT IP_ADDRESS MAC_ADDRESS "
    "USERNAME BIRTH AGE GENDER POSTAL_CODE CITY MARITAL_STATUS RACE_ETHNICITY".split()
)
# "An identifier that could not be resolved" is true of these.
_NUMBERED = frozenset(
    "KEY GOVERNMENT_ID HEALTH_ID PHONE BANK_ACCOUNT CREDIT_CARD DEVICE_ID VEHICLE_ID".split()
)


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled column.

    Attributes
    ----------
    source : str
        Publisher or table; cases of one source are held out together.
    accepted : frozenset of str
        Groups of entities that are right.
    readings : tuple of Reading
        Most probable first by hand-set weights; may be empty.
    features : float64 array of shape ``(len(readings), len(fusion.FEATURES))``
    """

    source: str
    accepted: frozenset[str]
    readings: tuple[Reading, ...]
    features: Matrix

    def right(self, entity: str) -> bool:
        """Return whether `entity` is true of the column."""
        group = group_of(entity)
        if entity == "UNRESOLVED_ID":
            return bool(self.accepted & _NUMBERED) or ORDINARY in self.accepted
        return group in self.accepted or (ORDINARY in self.accepted and group not in PERSONAL)


@cache
def _group_by_entity() -> Mapping[str, str]:
    plain = dict.fromkeys(with_role("none"), PLAIN)
    return plain | {entity: group for group, entities in _GROUPS.items() for entity in entities.split()}


def group_of(entity: str) -> str:
    """Return the group of entities that say the same as `entity`; `PLAIN` for what names nobody."""
    return _group_by_entity().get(entity, entity)


def examine(
    dataset: Dataset, accepted: Mapping[str, frozenset[str]], source: str, settings: Settings
) -> Iterator[Case]:
    """Yield a case for each column of `dataset` that `accepted` holds the right groups of, in order."""
    from privaudit.detect.rounds import examine as evidence
    from privaudit.profile import profile

    table, _ = evidence(dataset, profile(dataset), settings)
    for item in table:
        if item.column.name in accepted:
            readings = tuple(weigh(item.column, item.evidence, item.named))
            features = fusion.describe(item.column, readings)
            yield Case(source, accepted[item.column.name], readings, features)


Look = Callable[[Dataset, Mapping[str, frozenset[str]], str, Settings], Iterable[Case]]
"""Called with a table, the right groups of its labelled columns, its source and how it is read."""


def read(
    path: str | Path,
    settings: Settings,
    progress: Progress = silent,
    *,
    unnamed: bool = False,
    look: Look = examine,
) -> list[Case]:
    """Return the cases of a file of labels.

    Parameters
    ----------
    path : path of a JSON file
        ``{table: {column: {"entity": ..., "role": ...}}}``; tables are paths relative to it. How to read them
        may stand beside it in ``labels_meta.json``: ``{table: {"sep", "header", "encoding", "source"}}``.
    settings : Settings
        `rules` names packs of the user's own.
    unnamed : bool
        Examine the columns as if they were called c00, c01, ...
    look : callable
        What makes cases of a table.

    Raises
    ------
    ConfigError
        For a file of another shape, an unknown entity, a missing table or column.
    SourceError
        For a table that cannot be read.
    """
    file = Path(path)
    labels = _labels(file, {*known_types(settings.rules), PLAIN})
    beside = file.with_name("labels_meta.json")
    meta = _json(beside) if beside.is_file() and beside != file else {}
    for table in labels:
        if not (file.parent / table.partition("#")[0]).exists():
            raise ConfigError(
                f"{file.name} labels {table}, which does not exist.", hint="paths are relative to it"
            )
    found: list[Case] = []
    for number, (table, columns) in enumerate(sorted(labels.items())):
        progress(f"Examining {table}", number / len(labels))
        said = meta.get(table, {})
        said = said if isinstance(said, dict) else {}
        source = _text(said, "source", None) or table
        how, header = _how(said, settings)
        with open_dataset(str(file.parent / table), how) as dataset:
            accepted = {
                _place(column, dataset.columns, header, table): frozenset([group_of(entity)])
                for column, entity in columns.items()
            }
            found += (
                _unnamed(dataset, accepted, source, how, look)
                if unnamed
                else look(dataset, accepted, source, how)
            )
    return found


def _unnamed(
    dataset: Dataset, accepted: Mapping[str, frozenset[str]], source: str, settings: Settings, look: Look
) -> Iterator[Case]:
    names = {column: f"c{number:02d}" for number, column in enumerate(dataset.columns)}
    rows = dataset.rows(dataset.columns).rename_columns(list(names.values()))
    with from_arrow(rows) as hidden:
        yield from look(hidden, {names[c]: groups for c, groups in accepted.items()}, source, settings)


def _how(said: Mapping[str, Any], settings: Settings) -> tuple[Settings, bool | None]:
    header = said.get("header") if isinstance(said.get("header"), bool) else settings.header
    how = replace(
        settings,
        ner=False,
        delimiter=_text(said, "sep", settings.delimiter),
        encoding=_text(said, "encoding", settings.encoding),
        header=header,
    )
    return how, header


def _place(column: str, columns: tuple[str, ...], header: bool | None, table: str) -> str:
    """Return what we call a labelled column; other tools count columns without a name from 0."""
    if column in columns:
        return column
    number = column.removeprefix("Unnamed: ")
    counted = number != column or header is False
    if counted and number.isdecimal() and int(number) < len(columns):
        return columns[int(number)]
    raise ConfigError(f'"{column}" is labelled, but is not a column of {table}.')


def _text(said: Mapping[str, Any], key: str, otherwise: str | None) -> str | None:
    value = said.get(key)
    return value if isinstance(value, str) else otherwise


def _labels(file: Path, known: set[str]) -> dict[str, dict[str, str]]:
    content = _json(file)
    found: dict[str, dict[str, str]] = {}
    for table, columns in content.items():
        if not isinstance(columns, dict):
            raise ConfigError(f"{file.name} must hold {{table: {{column: {{entity, role}}}}}}.", hint=_HINT)
        found[table] = {column: _entity(label, known, file, column) for column, label in columns.items()}
    return found


_HINT = "see docs/learning.md"


def _entity(label: Any, known: set[str], file: Path, column: str) -> str:
    entity = label.get("entity") if isinstance(label, dict) else None
    if not isinstance(entity, str):
        raise ConfigError(f'{file.name}: "{column}" has no "entity".', hint=_HINT)
    if entity not in known:
        close = difflib.get_close_matches(entity, known, n=3, cutoff=0.6)
        near = f"close: {', '.join(close)}; " if close else ""
        raise ConfigError(
            f'{file.name}: the label of "{column}" is no known entity.',
            hint=f"{near}privaudit rules list names them, --rules DIR adds yours, NONE is ordinary data",
        )
    if label.get("role", "none") not in ROLES:
        raise ConfigError(f'{file.name}: the role of "{column}" is not one of {", ".join(ROLES)}.')
    return entity


def _json(file: Path) -> dict[str, Any]:
    if not file.is_file():
        raise ConfigError(f'There is no file of labels "{file}".', hint=_HINT)
    try:
        content = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        raise ConfigError(f"{file.name} cannot be read as JSON.", hint=_HINT) from None
    if not isinstance(content, dict):
        raise ConfigError(f"{file.name} must hold one object by table.", hint=_HINT)
    return content
