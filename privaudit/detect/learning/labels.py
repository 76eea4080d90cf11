"""Labelled columns: the evidence detection finds on them, and what is true.

Question: which readings of a column are right?
Method: a labels file names tables, columns and the entity type of each; each table is examined as in a scan, without
its text. Entity types that labels do not distinguish (a given name, a name) form a group; ordinary data is another.
Limits: a label is a judgement, and tables of one publisher resemble each other: they count as one source.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from privaudit import vocabulary
from privaudit.config import Progress, Settings, silent
from privaudit.detect.resolver import Reading, weigh
from privaudit.errors import ConfigError
from privaudit.headers import shown_file
from privaudit.model import ROLES
from privaudit.source import from_arrow, open_dataset
from privaudit.source.dataset import Dataset
from privaudit.vocabulary import known_types

PLAIN = "NONE"
ORDINARY = "ORDINARY"  # accepted as well as PLAIN: everything that is not personal


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled column.

    Attributes
    ----------
    source : str
        Publisher or table; cases of one source are held out together.
    accepted : frozenset of str
        Groups of entity types that are right.
    readings : tuple of Reading
        May be empty.
    """

    source: str
    accepted: frozenset[str]
    readings: tuple[Reading, ...]

    def right(self, entity: str) -> bool:
        """Whether the entity type is true of the column."""
        group = group_of(entity)
        if entity == "UNRESOLVED_ID":
            return bool(self.accepted & _groups_with("numbered")) or ORDINARY in self.accepted
        return group in self.accepted or (ORDINARY in self.accepted and group not in scored_groups())


def group_of(entity: str) -> str:
    """Return the group of entity types that labels do not distinguish from `entity`; `PLAIN` for ordinary data."""
    if not vocabulary.is_known(entity):
        return entity
    record = vocabulary.entity_type(entity)
    return record.label_group or (PLAIN if record.role == "none" else entity)


@cache
def _groups_with(trait: str) -> frozenset[str]:
    return frozenset(map(group_of, vocabulary.with_trait(trait)))


def scored_groups() -> frozenset[str]:
    """Return the groups of personal data that F1 is computed of."""
    return _groups_with("scored")


def examine(
    dataset: Dataset, accepted: Mapping[str, frozenset[str]], source: str, settings: Settings
) -> Iterator[Case]:
    """Yield a case for each column of `dataset` whose right groups are in `accepted`, in order."""
    from privaudit.detect.rounds import examine as evidence
    from privaudit.profile import profile

    table, _ = evidence(dataset, profile(dataset), settings)
    for item in table:
        if item.column.name in accepted:
            readings = weigh(item.column, item.ledger, item.weights.prior)
            yield Case(source, accepted[item.column.name], tuple(readings))


Look = Callable[[Dataset, Mapping[str, frozenset[str]], str, Settings], Iterable[Case]]
"""Called with a table, the right groups of its labelled columns, its source and the settings for reading it."""


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
        may be stated next to it in ``labels_meta.json``: ``{table: {"sep", "header", "encoding", "source"}}``.
    settings : Settings
        `rules` names packs of the user.
    unnamed : bool
        Examine the columns as if their names were c00, c01, ...
    look : callable
        Returns the cases of a table.

    Raises
    ------
    ConfigError
        For a file of another form, an unknown entity type, a missing table or column.
    SourceError
        For a table that cannot be read.
    """
    file = Path(path)
    labels = _labels(file, {*known_types(settings.rules), PLAIN})
    meta_file = file.with_name("labels_meta.json")
    meta = _json(meta_file) if meta_file.is_file() and meta_file != file else {}
    for table in labels:
        if not (file.parent / table.partition("#")[0]).exists():
            raise ConfigError(
                f"{shown_file(file)} labels {table}, which does not exist.", hint="paths are relative to it"
            )
    found: list[Case] = []
    for number, (table, columns) in enumerate(sorted(labels.items())):
        progress(f"Examining {table}", number / len(labels))
        stated = meta.get(table, {})
        stated = stated if isinstance(stated, dict) else {}
        source = _text(stated, "source", None) or table
        reading, header = _reading_settings(stated, settings)
        with open_dataset(str(file.parent / table), reading) as dataset:
            accepted = {
                _place(column, dataset.columns, header, table): frozenset([group_of(entity)])
                for column, entity in columns.items()
            }
            found += (
                _unnamed(dataset, accepted, source, reading, look)
                if unnamed
                else look(dataset, accepted, source, reading)
            )
    return found


def _unnamed(
    dataset: Dataset, accepted: Mapping[str, frozenset[str]], source: str, settings: Settings, look: Look
) -> Iterator[Case]:
    names = {column: f"c{number:02d}" for number, column in enumerate(dataset.columns)}
    rows = dataset.rows(dataset.columns).rename_columns(list(names.values()))
    with from_arrow(rows) as hidden:
        yield from look(hidden, {names[c]: groups for c, groups in accepted.items()}, source, settings)


def _reading_settings(stated: Mapping[str, Any], settings: Settings) -> tuple[Settings, bool | None]:
    header = stated.get("header") if isinstance(stated.get("header"), bool) else settings.header
    reading = replace(
        settings,
        ner=False,
        delimiter=_text(stated, "sep", settings.delimiter),
        encoding=_text(stated, "encoding", settings.encoding),
        header=header,
    )
    return reading, header


def _place(column: str, columns: tuple[str, ...], header: bool | None, table: str) -> str:
    """Return the name of a labelled column in the table; other tools number columns without a name from 0."""
    if column in columns:
        return column
    number = column.removeprefix("Unnamed: ")
    counted = number != column or header is False
    if counted and number.isdecimal() and int(number) < len(columns):
        return columns[int(number)]
    raise ConfigError(f'"{column}" is labelled, but is not a column of {table}.')


def _text(stated: Mapping[str, Any], key: str, default: str | None) -> str | None:
    value = stated.get(key)
    return value if isinstance(value, str) else default


def _labels(file: Path, known: set[str]) -> dict[str, dict[str, str]]:
    content = _json(file)
    found: dict[str, dict[str, str]] = {}
    for table, columns in content.items():
        if not isinstance(columns, dict):
            raise ConfigError(
                f"{shown_file(file)} must contain {{table: {{column: {{entity, role}}}}}}.", hint=_HINT
            )
        found[table] = {column: _entity(label, known, file, column) for column, label in columns.items()}
    return found


_HINT = "see docs/learning.md"


def _entity(label: Any, known: set[str], file: Path, column: str) -> str:
    entity = label.get("entity") if isinstance(label, dict) else None
    if not isinstance(entity, str):
        raise ConfigError(f'{shown_file(file)}: "{column}" has no "entity".', hint=_HINT)
    if entity not in known:
        close = difflib.get_close_matches(entity, known, n=3, cutoff=0.6)
        near = f"close: {', '.join(close)}; " if close else ""
        raise ConfigError(
            f'{shown_file(file)}: the label of "{column}" is not a known entity type.',
            hint=f"{near}privaudit rules list prints them, --rules DIR adds those of your packs, NONE is ordinary data",
        )
    if label.get("role", "none") not in ROLES:
        raise ConfigError(f'{shown_file(file)}: the role of "{column}" is not one of {", ".join(ROLES)}.')
    return entity


def _json(file: Path) -> dict[str, Any]:
    if not file.is_file():
        raise ConfigError(f'The labels file "{shown_file(file)}" does not exist.', hint=_HINT)
    try:
        content = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        raise ConfigError(f"{shown_file(file)} cannot be read as JSON.", hint=_HINT) from None
    if not isinstance(content, dict):
        raise ConfigError(f"{shown_file(file)} must contain one object for each table.", hint=_HINT)
    return content
