"""A first look at the data files of a project: which tables there are, and what their columns seem to be.

Question: what should the settings of this project mention?
Method: every table below a folder is opened, and its columns are classified without a language model; risk is not
measured.
Limits: files above `LARGEST_BYTES` and those that cannot be read are listed without their columns; folders of tools and
of installed packages are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from privaudit.base.errors import PrivauditError
from privaudit.base.records import dataclass
from privaudit.model import vocabulary
from privaudit.model.headers import is_personal, shown_file
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source import open_dataset
from privaudit.source.files.paths import files_of
from privaudit.source.files.several import candidates, tables_in
from privaudit.source.places.addresses import address_of
from privaudit.source.places.location import format_of_name

LARGEST_BYTES = 200_000_000
MOST_TABLES = 50
_THINGS = ("organisation", "object", "aggregate")
_TOOLS = {"node_modules", "site-packages", "__pycache__", "build", "dist"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnLook:
    """A column with the role that is inferred for it and, in words, what it is."""

    name: str
    role: str
    entity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLook:
    """A table: its source relative to the folder, the name to show, its columns, and why it was not read.

    ``unit`` states what a row is where the table is not about people, ``folder_format`` the format of a folder that is
    one table.
    """

    source: str
    name: str = ""
    columns: tuple[ColumnLook, ...] = ()
    has_text: bool = False
    why_not: str = ""
    unit: str = ""
    folder_format: str = ""

    @property
    def file(self) -> str:
        """The file that holds the table."""
        return self.source.partition("#")[0]

    @property
    def format(self) -> str:
        """The format of the file, or of the folder that is one table."""
        stated = format_of_name(Path(self.file))
        return self.folder_format or ("folder" if stated is None else stated.name)


def look_at(folder: Path, progress: Progress = silent) -> tuple[TableLook, ...]:
    """Return the tables below `folder`, at most `MOST_TABLES` of them."""
    found: list[TableLook] = []
    for source in _sources(folder):
        if len(found) == MOST_TABLES:
            break
        progress(f"Looking at {shown_file(source)}", len(found) / MOST_TABLES)
        address = address_of(source)
        found.append(replace(_look(source), folder_format="" if address is None else address.format))
    return tuple(found)


def _sources(folder: Path) -> Iterator[str]:
    for candidate in candidates([str(folder)]):
        if candidate.is_read and not _is_of_a_tool(Path(candidate.source), folder):
            yield from _tables(candidate.source)


def _is_of_a_tool(file: Path, folder: Path) -> bool:
    inside = file.relative_to(folder) if file.is_relative_to(folder) else file
    if set(inside.parts) & _TOOLS:
        return True
    return any((folder / above / "pyvenv.cfg").exists() for above in inside.parents)


def _tables(source: str) -> tuple[str, ...]:
    try:
        return tables_in(source, Settings())
    except PrivauditError:
        return (source,)


def _look(source: str) -> TableLook:
    from privaudit.detect.detection import detect
    from privaudit.detect.roles import assign
    from privaudit.detect.unit.decision import infer_unit
    from privaudit.detect.unit.names_of_things import release_names_of_things
    from privaudit.source.profile import profile

    settings = Settings(ner=False)
    try:
        if sum(file.stat().st_size for file in files_of(source)) > LARGEST_BYTES:
            return TableLook(source=source, why_not="too large for a first look")
        with open_dataset(source, settings) as table:
            profiles = profile(table)
            detections = detect(table, profiles, settings)
            unit = infer_unit(table, profiles, detections, settings)
            detections = release_names_of_things(detections, unit)
            assigned = assign(profiles, detections, settings, unit)
    except PrivauditError as error:
        return TableLook(source=source, why_not=error.message)
    except OSError:
        return TableLook(source=source, why_not="cannot be read")
    columns = tuple(
        ColumnLook(name=role.column, role=role.role, entity=_words(found.is_.entity if found.is_ else None))
        for found, role in zip(detections, assigned, strict=True)
        if role.role != "none" and not is_personal(role.column)
    )
    has_text = any(found.measurements.get("free_text") for found in detections)
    kind = unit.kind if unit.kind in _THINGS else ""
    return TableLook(source=source, columns=columns, has_text=has_text, unit=kind)


def _words(entity: str | None) -> str:
    return "" if entity is None else vocabulary.entity_type(entity).singular
