"""Labelled columns: the evidence detection finds on them, and what is true.

Question: which readings of a column are right?
Method: a labels file names tables, columns and the entity type of each; each table is examined as in a scan, without
its text. Entity types that labels do not distinguish (a given name, a name) form a group; ordinary data is another.
Limits: a label is a judgement, and tables of one publisher resemble each other: they count as one source.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.base.similar_names import similar
from privaudit.base.typed import Refused, validated
from privaudit.detect.resolver import Reading, weigh
from privaudit.model import Role, vocabulary
from privaudit.model.headers import shown_file
from privaudit.model.vocabulary import known_types
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source import open_dataset
from privaudit.source.dataset import Dataset

PLAIN = "NONE"


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled column: the groups of entity types that are right, and the readings, of which there may be none.

    `source` is the publisher or the table; cases of one source are held out together.
    """

    source: str
    accepted: frozenset[str]
    readings: tuple[Reading, ...]

    def right(self, entity: str) -> bool:
        """Whether the entity type is true of the column."""
        states_form = entity == "UNRESOLVED_ID" or entity in vocabulary.with_trait("opaque_code")
        if states_form and self.accepted & groups_with("numbered"):
            return True
        return entity != "UNRESOLVED_ID" and group_of(entity) in self.accepted


def group_of(entity: str) -> str:
    """Return the group of entity types that labels do not distinguish from `entity`; `PLAIN` for ordinary data."""
    if not vocabulary.is_known(entity):
        return entity
    record = vocabulary.entity_type(entity)
    return record.label_group or (PLAIN if record.role == "none" else entity)


@cache
def groups_with(trait: str) -> frozenset[str]:
    """Return the groups of the entity types with a trait."""
    return frozenset(map(group_of, vocabulary.with_trait(trait)))


class LabelledTable(NamedTuple):
    """A table while it is open: the right groups of its labelled columns, its source, the settings it is read with."""

    dataset: Dataset
    accepted: Mapping[str, frozenset[str]]
    source: str
    settings: Settings


def read(path: str | Path, settings: Settings, progress: Progress = silent) -> list[Case]:
    """Return the cases of a file of labels; parameters and errors are those of `tables`."""
    return [case for table in tables(path, settings, progress) for case in examine(table)]


def examine(table: LabelledTable) -> Iterator[Case]:
    """Yield a case for each labelled column of a table, in order."""
    from privaudit.detect.detection import examine as evidence
    from privaudit.source.profile import profile

    dataset, accepted, source, settings = table
    items, _ = evidence(dataset, profile(dataset), settings)
    for item in items:
        if item.column.name in accepted:
            readings = weigh(item.column, item.ledger, item.weights.prior)
            yield Case(source, accepted[item.column.name], tuple(readings))


def tables(path: str | Path, settings: Settings, progress: Progress = silent) -> Iterator[LabelledTable]:
    """Yield the tables of a file of labels.

    Parameters
    ----------
    path : path of a JSON file
        ``{table: {column: {"entity": ..., "role": ...}}}``; tables are paths relative to it. How to read them
        may be stated next to it in ``labels_meta.json``: ``{table: {"sep", "header", "encoding", "source"}}``.
    settings : Settings
        `rules` names packs of the user.

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
    meta = _checked(meta_file, dict[str, _Reading]) if meta_file.is_file() and meta_file != file else {}
    for table in labels:
        if not (file.parent / table.partition("#")[0]).exists():
            raise ConfigError(
                f"{shown_file(file)} labels {table}, which does not exist.", hint="paths are relative to it"
            )
    for number, (table, columns) in enumerate(sorted(labels.items())):
        progress(f"Examining {table}", number / len(labels))
        stated = meta.get(table, _Reading())
        reading = replace(
            settings,
            ner=False,
            delimiter=stated.sep or settings.delimiter,
            encoding=stated.encoding or settings.encoding,
            header=settings.header if stated.header is None else stated.header,
        )
        with open_dataset(str(file.parent / table), reading) as dataset:
            accepted = {
                _place(column, dataset.columns, reading.header, table): frozenset([group_of(label.entity)])
                for column, label in columns.items()
            }
            yield LabelledTable(dataset, accepted, stated.source or table, reading)


def _place(column: str, columns: tuple[str, ...], header: bool | None, table: str) -> str:
    """Return the name of a labelled column in the table; other tools number columns without a name from 0."""
    if column in columns:
        return column
    number = column.removeprefix("Unnamed: ")
    counted = number != column or header is False
    if counted and number.isdecimal() and int(number) < len(columns):
        return columns[int(number)]
    raise ConfigError(f'"{column}" is labelled, but is not a column of {table}.')


@dataclass(frozen=True)
class _Label:
    entity: str
    role: Role = "none"


@dataclass(frozen=True)
class _Reading:
    sep: str | None = None
    header: bool | None = None
    encoding: str | None = None
    source: str | None = None


def _labels(file: Path, known: set[str]) -> dict[str, dict[str, _Label]]:
    labels: dict[str, dict[str, _Label]] = _checked(file, dict[str, dict[str, _Label]])
    for columns in labels.values():
        for column, label in columns.items():
            if label.entity not in known:
                close = similar(label.entity, known, n=3, cutoff=0.6)
                near = f"close: {', '.join(close)}; " if close else ""
                raise ConfigError(
                    f'{shown_file(file)}: the label of "{column}" is not a known entity type.',
                    hint=f"{near}privaudit rules list prints them, --rules DIR adds those of your packs, "
                    f"{PLAIN} is ordinary data",
                )
    return labels


def _checked(file: Path, form: Any) -> Any:
    """Return a JSON file as the type `form`."""
    if not file.is_file():
        raise ConfigError(f'The labels file "{shown_file(file)}" does not exist.', hint=_HINT)
    try:
        return validated(json.loads(file.read_text(encoding="utf-8-sig")), form)
    except Refused as error:
        raise ConfigError(
            f"{shown_file(file)} must contain what docs/learning.md describes, such as entity and role of each column.",
            hint=f"wrong: {'.'.join(map(str, error.place))}",
        ) from None
    except (OSError, ValueError, RecursionError):
        raise ConfigError(f"{shown_file(file)} cannot be read as JSON.", hint=_HINT) from None


_HINT = "see docs/learning.md"
