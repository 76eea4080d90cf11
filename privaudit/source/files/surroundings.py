"""What a file holds besides the table, as texts that detection can read.

Question: which text goes to whoever gets the file, although it is not in a cell of the table?
Method: metadata of Parquet and Arrow schemas, dictionary values that no row refers to; of workbooks the properties,
comments, data validation, headers and footers, defined names, drawings, charts and caches of pivot tables and of other
workbooks; of SQLite files the definitions of views. What is there and cannot be
read as text is counted as a limit: formulas without a stored value, cells with an error, pages of deleted rows.
Limits: pictures and macros of workbooks are not read; of binary workbooks only what `workbooks` names.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.model import Limit, limit
from privaudit.model.wording import Number
from privaudit.source.files.workbooks import DAMAGED, SHEET, unexamined
from privaudit.source.outside import Outside

if TYPE_CHECKING:
    import pyarrow as pa

MOST_CHARACTERS = 4_000_000
"""Most characters of text outside of a table that are read."""
MOST_BYTES_OF_A_PART = 512 * 1024**2
"""Most bytes of one part of a workbook that are read; a larger one makes the scan incomplete."""
MOST_BYTES_OF_DICTIONARIES = 64 * 1024**2
"""Bytes of unused values of dictionaries that are kept for the comparison; of used values, `TIMES_USED` as many."""
TIMES_USED = 4
_PROPERTIES = re.compile(r"docProps/(?:core|app|custom)\.xml|meta\.xml")
_COMMENTS = re.compile(r"xl/(?:[^/]+/)*(?:comments?|threadedComment|person)[^/]*\.xml")
_PARTS = re.compile(
    r"xl/workbook\.xml|customXml/.*\.xml"
    r"|xl/(?:pivotCache|externalLinks|drawings|charts|diagrams|queryTables|slicerCaches)/[^/]*\.(?:xml|vml)"
)
_PLACES_OF_PARTS = (("properties", _PROPERTIES), ("comments", _COMMENTS), ("workbook_parts", _PARTS))
_ATTRIBUTES = rb"displayName|author|userId|title|prompt|error|promptTitle|errorTitle|descr|name|v|val"
_TEXTS = re.compile(rb">([^<>]{2,})<|\b(?:" + _ATTRIBUTES + rb")=\"([^\"]{2,})\"")
_OUTSIDE_OF_CELLS = re.compile(rb"<(headerFooter|dataValidations)\b.*?</\1>", re.DOTALL)
_OPEN_DOCUMENT = re.compile(r"content\.xml|styles\.xml|Object [^/]*/content\.xml")
_WITH_TEXT = (SHEET, _OPEN_DOCUMENT, *(form for _, form in _PLACES_OF_PARTS))
_OUTSIDE_OF_OPEN_DOCUMENT = re.compile(
    rb"<(office:annotation|table:content-validations|table:tracked-changes|draw:frame|draw:custom-shape|style:header"
    rb"|style:footer|style:header-left|style:footer-left|table:named-expressions)\b.*?</\1>",
    re.DOTALL,
)
_FORMULA = re.compile(rb"<c\b[^>]*>\s*<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")
_ERROR = re.compile(rb"<c\b[^>]*\bt=\"e\"")


def of_metadata(schema: pa.Schema) -> Iterator[Outside]:
    """Yield the metadata of a schema and of its fields, keys and values."""
    for metadata in (schema.metadata, *(field.metadata for field in schema)):
        yield from _metadata(metadata)


def _metadata(metadata: Mapping[bytes, bytes] | None) -> Iterator[Outside]:
    for key, value in (metadata or {}).items():
        if not key.startswith(b"ARROW:"):  # the schema itself, and names of types
            yield Outside("metadata", f"{key.decode('utf-8', 'replace')}: {value.decode('utf-8', 'replace')}")


class UnusedValues:
    """The values of dictionaries that no row of the table refers to; a dictionary serves several batches.

    Arrow may give each batch the values of the batches before it, so most values that a batch does not use are used by
    another. They are dropped when `MOST_BYTES_OF_DICTIONARIES` is reached. Where more values than `TIMES_USED` as many
    bytes are used, a value may count as unused that is not, and unused values may be missing; `limits` has both.
    """

    def __init__(self) -> None:
        self._used = _KeptValues(TIMES_USED * MOST_BYTES_OF_DICTIONARIES)
        self._unused = _KeptValues(MOST_BYTES_OF_DICTIONARIES, self._used)
        self._last: dict[int, tuple[pa.Array, npt.NDArray[np.bool_]]] = {}

    def add(self, batch: pa.RecordBatch) -> None:
        """Note which values the rows of a batch refer to."""
        import pyarrow as pa
        import pyarrow.compute as pc

        for i, column in enumerate(batch.columns):
            if pa.types.is_dictionary(column.type) and _is_text(column.type.value_type):
                if i in self._last and not self._last[i][0].equals(column.dictionary):
                    self._finish(i)
                if i not in self._last:
                    self._last[i] = column.dictionary, np.zeros(len(column.dictionary), dtype=np.bool_)
                self._last[i][1][pc.unique(column.indices).drop_null().to_numpy()] = True

    def _finish(self, i: int) -> None:
        import pyarrow as pa

        dictionary, used = self._last.pop(i)
        self._used.keep(i, dictionary.filter(pa.array(used)))
        if not used.all():
            self._unused.keep(i, dictionary.filter(pa.array(~used)))

    def texts(self) -> Iterator[Outside]:
        """Yield the values that no row refers to."""
        for i in list(self._last):
            self._finish(i)
        for i in self._unused.columns():
            yield from (Outside("dictionary", text) for text in self._unused.distinct(i).to_pylist() if text)

    def limits(self) -> tuple[Limit, ...]:
        """Return what was not compared, because of the bound of the memory; called after `texts`."""
        cut = (limit("source.long_surroundings", incomplete=True),) if self._unused.is_full else ()
        if self._used.is_full and self._unused.columns():
            return (*cut, limit("source.dictionaries_compared_in_part"))
        return cut


class _KeptValues:
    """Values of several columns, each kept once, up to a number of bytes, without those that `other` keeps."""

    def __init__(self, most_bytes: int, other: _KeptValues | None = None) -> None:
        self._parts: dict[int, list[pa.Array]] = {}
        self._most_bytes, self._other = most_bytes, other
        self._n_bytes = 0
        self.is_full = False

    def keep(self, i: int, values: pa.Array) -> None:
        """Keep the values of a column, unless there are too many."""
        if self.is_full:
            return
        self._parts.setdefault(i, []).append(values)
        self._n_bytes += values.nbytes
        if self._n_bytes > 2 * self._most_bytes:
            self._parts = {column: [self.distinct(column)] for column in self._parts}
            self._n_bytes = sum(part.nbytes for (part,) in self._parts.values())
            self.is_full = self._n_bytes > self._most_bytes

    def columns(self) -> list[int]:
        """Return the columns of which values are kept."""
        return sorted(self._parts)

    def distinct(self, i: int) -> pa.Array:
        """Return the values kept of a column, each once."""
        import pyarrow as pa
        import pyarrow.compute as pc

        values = pc.unique(pa.chunked_array(self._parts[i]))
        if self._other is not None and i in self._other.columns():
            values = values.filter(pc.invert(pc.is_in(values, self._other.distinct(i))))
        return values


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def of_workbook(path: Path) -> tuple[list[Outside], list[Limit]]:
    """Return the texts of a workbook outside of its cells, and limits for cells without a value that can be read."""
    texts: list[Outside] = []
    formulas = errors = unread = 0
    limits = unexamined(path)
    try:
        with zipfile.ZipFile(path) as book:
            for part in book.infolist():
                content = _content(book, part)
                if content is None:
                    unread += 1
                    continue
                texts += _texts_of_part(part.filename, content)
                if SHEET.fullmatch(part.filename):
                    formulas += len(_FORMULA.findall(content))
                    errors += len(_ERROR.findall(content))
    except DAMAGED:
        return texts, limits or [limit("source.workbook_parts_not_examined", incomplete=True)]
    if unread:
        limits.append(limit("source.workbook_parts_unreadable", incomplete=True, parts=Number(value=unread)))
    if formulas:
        limits.append(limit("source.formula_cells", incomplete=True, cells=Number(value=formulas)))
    if errors:
        limits.append(limit("source.error_cells", cells=Number(value=errors)))
    return texts, limits


def _content(book: zipfile.ZipFile, part: zipfile.ZipInfo) -> bytes | None:
    """Return the content of a part that may hold text, empty for other parts; None where it cannot be read."""
    if not any(form.fullmatch(part.filename) for form in _WITH_TEXT):
        return b""
    if part.file_size > MOST_BYTES_OF_A_PART:
        return None
    try:
        return book.read(part)
    except DAMAGED:
        return None


def _texts_of_part(part: str, content: bytes) -> Iterator[Outside]:
    for place, form in _PLACES_OF_PARTS:
        if form.fullmatch(part):
            yield from _texts(place, content)
    if SHEET.fullmatch(part):
        for found in _OUTSIDE_OF_CELLS.finditer(content):
            yield from _texts("sheet_settings", found[0])
    elif _OPEN_DOCUMENT.fullmatch(part):
        for found in _OUTSIDE_OF_OPEN_DOCUMENT.finditer(content):
            yield from _texts("comments" if found[1] == b"office:annotation" else "sheet_settings", found[0])


def _texts(place: str, content: bytes) -> list[Outside]:
    import html

    found = (first or second for first, second in _TEXTS.findall(content))
    texts = (html.unescape(text.decode("utf-8", "replace")).strip() for text in found)
    return [Outside(place, text) for text in texts if text]


def within(texts: Iterable[Outside]) -> tuple[tuple[Outside, ...], tuple[Limit, ...]]:
    """Return the first `MOST_CHARACTERS` of different texts, and a limit where there are more."""
    kept: dict[Outside, None] = {}
    left = MOST_CHARACTERS
    for one in texts:
        if one in kept:
            continue
        left -= len(one.text)
        if left < 0:
            return tuple(kept), (limit("source.long_surroundings", incomplete=True),)
        kept[one] = None
    return tuple(kept), ()
