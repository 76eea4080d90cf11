"""Which reader reads which file, and how the parts of a table become one; run in a reader process.

Question: what do these files hold?
Method: the format decides about the reader. Of several parts each is read like a file of its own, turned to text and
put below the one before; the column names must be the same in all of them. The batches that leave are validated.
Limits: an error of a library is a damaged file, whatever the library has to say about it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

from privaudit.base.arrow import pa
from privaudit.base.errors import UnreadableSource, foreign_errors_as
from privaudit.model import Limit, limit
from privaudit.model.file_formats import FILE_FORMATS
from privaudit.model.wording import Name
from privaudit.settings.config import Progress, Settings
from privaudit.source.cells.cell_text import decoded, to_text
from privaudit.source.cells.dictionaries import can_be_kept, compact
from privaudit.source.files.formats.encoding import with_encoding
from privaudit.source.files.formats.reader_formats import Stream, stream_of
from privaudit.source.files.formats.surroundings import NullCells, UnusedValues, of_pairs
from privaudit.source.files.formats.unpacking import check_unpacked, of_compressed
from privaudit.source.input.allowed_size import Budget
from privaudit.source.input.table import Outside, Read, Statement, in_all
from privaudit.source.places.content_format import has_password, is_cut_off, signature_of
from privaudit.source.places.location import Location, check_is_here

Reader = Callable[[Location, Settings, Progress], Stream | Read]
"""A function of a format: it reads the whole file, or opens it to be read in batches."""
Lister = Callable[[Location, Settings], tuple[str, ...]]
"""A function of a format whose files can hold several tables: their names."""


def read_locations(locations: Sequence[Location], settings: Settings, progress: Progress) -> Stream:
    """Return the table that the files hold, one below the other.

    Raises
    ------
    PrivauditError
        If a file cannot be read, exceeds a cap, or the parts do not belong together.
    """
    if len(locations) == 1:
        return _guarded(locations[0], settings, progress)
    if locations[0].format in ("parquet", "arrow"):
        streamed = _stream_parts(locations, settings, progress)
        if streamed is not None:
            return streamed
    return stream_of(_read_parts(locations, settings, progress))


def list_tables(where: Location, settings: Settings) -> Stream:
    """Return a table whose one column has the names of the tables or worksheets of a file.

    Raises
    ------
    PrivauditError
        If the file cannot be read.
    """
    with foreign_errors_as(lambda: damaged(where)):
        check_is_here(where)
        lister: Lister = _function(FILE_FORMATS[where.format].lister)
        names = lister(where, settings)
    return stream_of(Read(pa.table({"table": pa.array(names, pa.string())}), ("table",)))


def _guarded(where: Location, settings: Settings, progress: Progress) -> Stream:
    with foreign_errors_as(lambda: damaged(where)):
        found = _read(where, settings, progress)
        found = replace(found, outside=(*found.outside, *of_compressed(where)))
    return _with_keys(replace(found, batches=_checked(found.batches, where)), where)


def _with_keys(found: Stream, where: Location) -> Stream:
    """Return a part of a Hive table with the columns that its folders state, unless the file has them itself."""
    keys = [(name, value) for name, value in where.keys if name not in found.names]
    if not keys:
        return found
    schema = found.schema
    for name, _ in keys:
        schema = schema.append(pa.field(name, pa.string()))

    def batches() -> Iterator[Any]:
        for batch in found.batches:
            stated = [pa.repeat(pa.scalar(value, pa.string()), batch.num_rows) for _, value in keys]
            yield pa.record_batch([*batch.columns, *stated], schema=schema)

    return replace(found, schema=schema, batches=batches(), names=(*found.names, *(name for name, _ in keys)))


def damaged(where: Location) -> UnreadableSource:
    """Build the error for a file that its reader does not understand."""
    format_ = signature_of(where.path) or where.format
    title = FILE_FORMATS[format_].title
    if has_password(where.path):
        return UnreadableSource(f"{where.shown} is protected by a password.", hint="save it without a password")
    if is_cut_off(where.path, format_):
        return UnreadableSource(
            f"The end of {where.shown} is missing: the {title} file is incomplete.", hint="copy it or write it again"
        )
    if os.fsencode(where.path).decode(errors="replace") != str(where.path):
        return UnreadableSource(f"{where.shown} cannot be opened: its path is not UTF-8.", hint="rename the file")
    return UnreadableSource(
        f"{where.shown} is damaged, encrypted, or not a supported {title} file.",
        hint="write it again, without a password",
    )


def _checked(batches: Iterator[Any], where: Location) -> Iterator[Any]:
    with foreign_errors_as(lambda: damaged(where)):
        for batch in batches:
            batch.validate(full=True)
            yield batch


def _read(where: Location, settings: Settings, progress: Progress) -> Stream:
    check_is_here(where)
    check_unpacked(where, settings)
    how = FILE_FORMATS[where.format]
    if how.is_text and where.compression is None and settings.input_format is None:
        binary = signature_of(where.path)
        if binary is not None:  # an export whose name was changed
            found = _read(replace(where, format=binary), settings, progress)
            stated = limit("source.other_format", format=Name(FILE_FORMATS[binary].title))
            return replace(found, limits=(stated, *found.limits))
    guessed: tuple[Limit, ...] = ()
    if how.is_text:
        settings, guessed = with_encoding(where, settings)
    reader: Reader = _function(how.reader)
    table = reader(where, settings, progress)
    stream = stream_of(table) if isinstance(table, Read) else table
    return replace(stream, limits=(*guessed, *stream.limits))


def _function(name: str) -> Any:
    """Return the function of a module of this folder: ``sqlite.read_sqlite``; a run loads the reader that it needs."""
    module, _, function = name.partition(".")
    return getattr(import_module(f"privaudit.source.files.formats.{module}"), function)


def _stream_parts(locations: Sequence[Location], settings: Settings, progress: Progress) -> Stream | None:
    """Return the batches of parts with equal types, read when they are sent; None where the types differ."""
    parts: list[Stream] = []
    for where in locations:
        found = _guarded(where, settings, progress)
        if parts and found.schema.types != parts[0].schema.types:
            return None
        if parts and found.names != parts[0].names:
            raise _other_columns(len(parts) + 1)
        parts.append(replace(found, batches=iter(())))

    def batches() -> Iterator[Any]:
        for where in locations:
            yield from _guarded(where, settings, progress).batches

    outside = tuple(text for part in parts for text in part.outside)
    return replace(parts[0], batches=batches(), outside=outside, stated=in_all([part.stated for part in parts]))


def _other_columns(number: int) -> UnreadableSource:
    return UnreadableSource(f"Part {number} has other columns than part 1.", hint="scan the files one by one")


def _read_parts(locations: Sequence[Location], settings: Settings, progress: Progress) -> Read:
    """Read every part and put them one below the other; kinds count only where all parts declare the same."""
    names: tuple[str | None, ...] = ()
    columns: list[list[pa.Array]] = []
    kinds: list[dict[int, str]] = []
    limits: list[Limit] = []
    outside: list[Outside] = []
    stated: list[tuple[Statement, ...]] = []
    for i, where in enumerate(locations):
        progress("Reading the parts", i / len(locations))
        found = _guarded(where, settings, progress)
        if i == 0:
            names, columns = found.names, [[] for _ in found.names]
        if found.names != names:
            raise _other_columns(i + 1)
        kinds.append(_texts(found, Budget(where.shown, settings), columns))
        limits.extend(limit for limit in (*found.limits, *found.limits_at_end()) if limit not in limits)
        outside.extend((*found.outside, *found.outside_at_end()))
        stated.append(found.stated)
    same = {i: kind for i, kind in kinds[0].items() if all(other.get(i) == kind for other in kinds)}
    table = pa.table(
        [pa.chunked_array(chunks, pa.string()) for chunks in columns], names=[f"c{i}" for i in range(len(names))]
    )
    return Read(table, names, tuple(limits), tuple(same.items()), tuple(outside), in_all(stated))


def _texts(found: Stream, budget: Budget, columns: list[list[pa.Array]]) -> dict[int, str]:
    """Append the text of every column of a part and return the kinds it declares."""
    declared = dict(found.declared)
    batches = []
    for batch in found.batches:
        budget.plan(batch.columns)
        batches.append(batch)
    for i, kind in enumerate(found.schema.types):
        text, declares = to_text(pa.chunked_array([batch.column(i) for batch in batches], kind))
        columns[i].extend(text.chunks)
        if declares is not None:
            declared.setdefault(i, declares)
    return declared


def send_batches(
    out: Any, stream: Stream, budget: Budget, ready: Callable[[list[int]], None]
) -> tuple[list[Outside], tuple[Limit, ...]]:
    """Write the batches of a table as an Arrow stream, after `ready` was called with its nested columns.

    Returns the metadata of single batches, the values of dictionaries that no row uses and those under null cells, and
    the limits that are known at the end.
    Nested values are written as text, dictionaries of nested values as values.
    """
    kinds = stream.schema.types
    schema = pa.schema([pa.field(f"c{i}", _sent_type(kind)) for i, kind in enumerate(kinds)])
    ready([i for i, kind in enumerate(kinds) if _is_nested(kind)])
    unused, nulls, metadata = UnusedValues(), NullCells(), dict[Outside, None]()
    whole = _WholeBatches(out, len(schema.serialize()))
    with whole, pa.ipc.new_stream(whole, schema) as writer, whole.dropping_the_last():
        for batch in stream.batches:
            budget.plan([column for column in batch.columns if not can_be_kept(column.type)])
            unused.add(batch)
            nulls.add(batch)
            if batch.schema.metadata != stream.schema.metadata:
                metadata.update(dict.fromkeys(of_pairs(batch.schema.metadata)))
            columns = [_sent(c, kind) for c, kind in zip(batch.columns, schema.types, strict=True)]
            budget.count(columns)
            writer.write_batch(pa.record_batch(columns, schema=schema))
            whole.send()
    texts = [*metadata, *unused.texts(), *nulls.texts(), *stream.outside_at_end()]
    return texts, (*stream.limits_at_end(), *unused.limits(), *nulls.limits())


class _WholeBatches:
    """A file that passes an Arrow stream on batch by batch.

    Where the memory ends inside a batch, the stream still ends between two batches, and the error can follow it.
    """

    closed = False

    def __init__(self, out: Any, head: int) -> None:
        self._out = out
        self._head = head  # bytes of the schema, with which the stream begins
        self._parts: list[bytes] = []

    def __enter__(self) -> _WholeBatches:
        return self

    def __exit__(self, *_error: object) -> None:
        self.send()

    def write(self, data: bytes) -> int:
        """Keep a part of the stream."""
        self._parts.append(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: `send` passes the parts on."""

    def send(self) -> None:
        """Pass the parts on."""
        for part in self._parts:
            self._out.write(part)
        self._parts.clear()
        self._head = 0

    @contextlib.contextmanager
    def dropping_the_last(self) -> Iterator[None]:
        """Drop the parts of the batch in which an error occurs."""
        is_complete = False
        try:
            yield
            is_complete = True
        finally:
            if not is_complete:
                self._parts = [b"".join(self._parts)[: self._head]]


def _is_nested(kind: Any) -> bool:
    kind = _value_type(kind)
    return bool(pa.types.is_nested(kind) and not pa.types.is_run_end_encoded(kind))


def _value_type(kind: Any) -> Any:
    """Return the type without what wraps it: an extension's name, a dictionary."""
    if isinstance(kind, pa.BaseExtensionType) and kind.extension_name != "arrow.uuid":
        kind = kind.storage_type
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _sent_type(kind: Any) -> Any:
    if can_be_kept(kind):
        return pa.dictionary(pa.int32(), kind.value_type)
    return pa.large_string() if _is_nested(kind) else _value_type(kind)


def _sent(column: Any, kind: Any) -> Any:
    if isinstance(column.type, pa.BaseExtensionType) and column.type.extension_name != "arrow.uuid":
        column = column.storage
    if can_be_kept(column.type):
        return compact(column).cast(kind)
    if pa.types.is_dictionary(column.type):
        column = decoded(column)
    if _is_nested(column.type):
        text, _ = to_text(pa.chunked_array([column]))
        column = text.combine_chunks()
    return column.cast(kind)
