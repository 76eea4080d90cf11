"""JSON becomes an Arrow table: one object a line, or a document with a list of objects; the union of all their keys.

Question: which columns and rows does this file contain, late keys included?
Method: every line is parsed strictly. Columns are in the order in which their keys first occur; a key that a row lacks
is a missing cell. Nested values become canonical JSON text. The answer of a web service is an object that wraps one
list of objects; lists are looked for level by level, in at most `DEEPEST` levels. A list of features (GeoJSON) or of
entries of a bundle (FHIR) is read as what each of them wraps. An object of lists of equal length is a table by columns,
and one of objects that share a key, in a document without lists of objects, a table whose first column has its keys.
The rest of the document is text outside of the table.
Limits: a line that is not a JSON object, or repeats a key, is an error with its number, or is skipped and counted if
requested. An object with several lists of objects, or with none, is refused by what it is: one object is not a table.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from typing import Any, NoReturn

from privaudit.base.arrow import pa
from privaudit.base.errors import ScanIncomplete, UnreadableSource
from privaudit.base.records import dataclass
from privaudit.model import limit
from privaudit.model.wording import Count
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.cells.cell_text import scalar_text, to_text
from privaudit.source.files.formats.encoding import damaged, open_utf8, read
from privaudit.source.input.allowed_size import Budget, check_columns
from privaudit.source.input.table import Outside, Read
from privaudit.source.places.location import Location

BATCH_ROWS = 50_000


def read_jsonl(where: Location, settings: Settings, progress: Progress = silent) -> Read:
    """Read a JSON Lines file.

    Raises
    ------
    UnreadableSource
        Naming the line that is not one JSON object.
    ScanIncomplete
        If the file contains no object, or only objects without keys.
    """
    progress(f"Reading {where.shown}", None)
    rows = ((number, _parse(line)) for number, line in _lines(where, settings))
    return _collected(where, settings, rows, "Line")


def _collected(
    where: Location, settings: Settings, rows: Iterable[tuple[int, dict[str, Any] | None]], what: str, around: str = ""
) -> Read:
    """Return objects as a table; `rows` has None for what is not an object, and `what` is the word for a row.

    `around` is the text of the document that contains the objects.
    """
    columns = _Columns(Budget(where.shown, settings))
    skipped: list[int] = []
    for number, row in rows:
        if row is not None:
            columns.add(row)
            check_columns(where.shown, len(columns.cells), settings)
            continue
        if settings.bad_rows == "error":
            raise UnreadableSource(
                f"{what} {number:,} of {where.shown} is not one JSON object with different keys.",
                hint=f"fix it, or use --bad-rows skip to count and skip such {what.lower()}s",
            )
        skipped.append(number)
    table, declared = columns.finish()
    if table.num_columns == 0:
        raise ScanIncomplete(f"{where.shown} holds no rows with a key.", hint="was the right file named?")
    limits = []
    if skipped:
        lines = Count(len(skipped), of=len(skipped) + columns.n_rows, unit="line")
        limits.append(limit("source.bad_lines", incomplete=True, lines=lines))
    outside = (Outside("envelope", around),) if around else ()
    return Read(table, tuple(columns.cells), tuple(limits), tuple(declared.items()), outside)


def read_json(where: Location, settings: Settings, progress: Progress = silent) -> Read:
    """Read a JSON file: a document with a list of objects, or JSON Lines under the name of JSON.

    Raises
    ------
    UnreadableSource
        If it is neither; naming the element that is not an object.
    ScanIncomplete
        If the file contains no object, or only objects without keys.
    """
    stream, _ = open_utf8(where, settings.encoding)
    with stream:
        content = read(stream, None, where)
    if not _is_document(content):
        return read_jsonl(where, settings, progress)
    progress(f"Reading {where.shown}", None)
    found = records_of(_document(content, where), where)
    rows = (row if isinstance(row, dict) else None for row in found.rows)
    return _collected(where, settings, enumerate(rows, start=1), "Element", found.around)


def _is_document(content: bytes) -> bool:
    """Whether a text is one document: an array, an object over several lines, or an object alone."""
    first, _, rest = content.strip().partition(b"\n")
    return first[:1] == b"[" or (first[:1] == b"{" and (not rest or _parse(first) is None))


def _document(content: bytes, where: Location) -> Any:
    """Return a parsed document."""
    try:
        found = json.loads(content.decode(), object_pairs_hook=_object, parse_constant=_refuse)
        json.dumps(found, ensure_ascii=False).encode()  # an unpaired surrogate is not valid Unicode
    except (ValueError, RecursionError):
        raise UnreadableSource(
            f"{where.shown} is not valid JSON, or one of its objects repeats a key.", hint="write it again"
        ) from None
    return found


def _lines(where: Location, settings: Settings) -> Iterator[tuple[int, bytes]]:
    import io

    stream, _ = open_utf8(where, settings.encoding)
    with stream:
        number = 0
        try:
            for number, line in enumerate(io.BufferedReader(stream, 1 << 20), start=1):
                if line.strip():
                    yield number, line
        except OSError:
            raise damaged(where) from None


def _parse(line: bytes) -> dict[str, Any] | None:
    """Return the object a line holds, None where it holds anything else."""
    try:
        text = line.decode()
        found = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()  # an unpaired surrogate is not valid Unicode
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):  # the first of two values would vanish unseen
        raise ValueError
    return found


def _refuse(_name: str) -> NoReturn:
    raise ValueError


class _Columns:
    """Rows collected by column, turned to text batch by batch so that objects do not pile up.

    A column holds the cells that rows have and their rows, so that a row costs its own keys and not all of them.
    """

    def __init__(self, budget: Budget) -> None:
        self.n_rows = 0
        self.cells: dict[str, list[Any]] = {}
        self._rows: dict[str, list[int]] = {}
        self._done: dict[str, list[pa.Array]] = {}
        self._types: dict[str, set[type]] = {}
        self._in_batch = 0
        self._budget = budget

    def add(self, row: dict[str, Any]) -> None:
        for key, value in row.items():
            if key not in self.cells:
                self._start(key)
            self.cells[key].append(value)
            self._rows[key].append(self._in_batch)
        self.n_rows += 1
        self._in_batch += 1
        if self._in_batch == BATCH_ROWS:
            self._flush()

    def _start(self, key: str) -> None:
        self._done[key] = [pa.nulls(self.n_rows - self._in_batch, pa.large_string())]
        self._types[key] = set()
        self.cells[key], self._rows[key] = [], []

    def _flush(self) -> None:
        for key, cells in self.cells.items():
            self._types[key].update(map(type, cells))
            text = _text(cells)
            if len(cells) < self._in_batch:
                text = _spread(text, self._rows[key], self._in_batch)
            self._budget.count([text])
            self._done[key].append(text)
            cells.clear()
            self._rows[key].clear()
        self._in_batch = 0

    def finish(self) -> tuple[pa.Table, dict[int, str]]:
        """Return the table of text and the kinds that are certain from the types."""
        self._flush()
        table = pa.table(
            [pa.chunked_array(chunks, pa.large_string()) for chunks in self._done.values()],
            names=[f"c{i}" for i in range(len(self._done))],
        )
        kinds = [kind_of_types(types - {type(None)}) for types in self._types.values()]
        return table, {i: kind for i, kind in enumerate(kinds) if kind is not None}


def kind_of_types(types: set[type]) -> str | None:
    """Return the data type that the Python types of a column declare, None for text or a mixture."""
    if types & {dict, list}:
        return "nested"
    for allowed, kind in (({bool}, "boolean"), ({int}, "integer"), ({int, float}, "decimal"), ({bytes}, "binary")):
        if types and types <= allowed:
            return kind
    return None


def _spread(text: pa.Array, rows: list[int], n_rows: int) -> pa.Array:
    """Return `n_rows` cells: `text` in its rows, and missing cells in all others."""
    import numpy as np

    places = np.full(n_rows, -1, dtype=np.int64)
    places[rows] = np.arange(len(rows))
    return text.take(pa.array(places, mask=places < 0))


def _text(cells: list[Any]) -> pa.Array:
    types = set(map(type, cells)) - {type(None)}
    if types == {float} or types == {str}:
        kind = pa.float64() if types == {float} else pa.large_string()
        text, _ = to_text(pa.chunked_array([pa.array(cells, kind)]))
        return text.cast(pa.large_string()).combine_chunks()
    return pa.array([scalar_text(value) for value in cells], pa.large_string())


DEEPEST = 4
_WRAPPED = ("properties", "resource", "attributes")
"""Keys under which GeoJSON, bundles of FHIR and JSON:API keep the content of a record."""


@dataclass(frozen=True, slots=True)
class Records:
    """The elements of the list, objects or not, and the text of the document around it."""

    rows: Sequence[Any]
    around: str


def records_of(document: Any, where: Location) -> Records:
    """Return the records of a parsed document.

    Raises
    ------
    UnreadableSource
        For an object that wraps neither a list nor a map of objects, or several.
    """
    if isinstance(document, list):
        return Records(document, "")
    columns = _by_columns(document)
    if columns is not None:
        return Records(columns, "")
    levels = list(_levels(document))
    for level in levels:
        found = [(parent, key) for parent in level for key, value in parent.items() if _is_list_of_objects(value)]
        if len(found) > 1:
            raise UnreadableSource(
                f"{where.shown} is one object with {len(found)} lists of objects.",
                hint="write one of the lists to a file",
            )
        if found:
            parent, key = found[0]
            rows = parent.pop(key)
            return Records([_unwrapped(row) for row in rows], json.dumps(document, ensure_ascii=False))
    maps = [found for level in levels for found in level if _is_map_of_records(found)]
    if len(maps) == 1:
        used = set().union(*maps[0].values())
        name = next(one for one in chain(["key"], map("key {}".format, count(2))) if one not in used)
        rows = [{name: key, **row} for key, row in maps[0].items()]
        maps[0].clear()
        return Records(rows, json.dumps(document, ensure_ascii=False) if document else "")
    raise UnreadableSource(
        f"{where.shown} is one object, not a list of records.",
        hint="a table is an array of objects, or one object a line",
    )


def _levels(document: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """Yield the objects of each level of a document, those in lists excluded."""
    level = [document]
    for _ in range(DEEPEST):
        yield level
        level = [value for parent in level for value in parent.values() if isinstance(value, dict)]


def _is_map_of_records(found: dict[str, Any]) -> bool:
    """Whether an object has records under its keys: two objects or more, with a key that all of them have."""
    rows = list(found.values())
    return len(rows) > 1 and all(isinstance(row, dict) for row in rows) and bool(set.intersection(*map(set, rows)))


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(element, dict) for element in value)


def _by_columns(document: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return the rows of an object whose values are lists of one length; None for another object."""
    lists = list(document.values())
    if not lists or not all(isinstance(value, list) for value in lists) or len({len(value) for value in lists}) > 1:
        return None
    if not lists[0] or any(isinstance(cell, dict) for value in lists for cell in value):
        return None
    return [dict(zip(document, cells, strict=True)) for cells in zip(*lists, strict=True)]


def _unwrapped(row: dict[str, Any]) -> dict[str, Any]:
    """Return a record with the content that a format keeps under one key next to its other keys."""
    key = next((key for key in _WRAPPED if isinstance(row.get(key), dict)), None)
    if key is None:
        return row
    others = {name: value for name, value in row.items() if name != key}
    clash = others.keys() & row[key].keys()
    return {**{f"{name} of the record" if name in clash else name: value for name, value in others.items()}, **row[key]}
