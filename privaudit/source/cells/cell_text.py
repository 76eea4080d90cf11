"""Typed values become their one canonical text, of one Arrow type.

Question: how do columns of different types and formats become comparable?
Method: every Arrow column is cast once. Integers are plain digits; floats are the shortest text that reads back to
the same number, whole ones below 2^53 in plain digits; booleans ``true`` and ``false``; dates ``2020-01-31``;
timestamps ``2020-01-31 12:05:00`` with as many decimals as the column needs; decimals plain; nested values JSON
with sorted keys. Bytes that are readable UTF-8 text are text, other bytes lower-case hexadecimal. The
data type of the source is returned with the text. Text is always Arrow's `string`, whatever the source has (large
strings, views, dictionaries): the stages compare and join columns, which Arrow refuses for different types.
Limits: NaN is missing, as is an empty or blank text in every format. No other text is.
"""

from __future__ import annotations

import base64
import datetime
import json
import math
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from privaudit.base.arrow import pa, pc
from privaudit.base.errors import UnreadableSource

WHOLE_FLOATS = float(2**53)


def to_text(column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, str | None]:
    """Return `column` as text with the data type it declares, None where the type declares nothing.

    Parameters
    ----------
    column : pyarrow.ChunkedArray of any type

    Returns
    -------
    (pyarrow.ChunkedArray of string, str or None)
        The text, missing and blank cells null; the data type is one of `privaudit.model.DataType`.
    """
    text, declared = _texts(column)
    return one_type(text), declared


TEXT_BYTES = 2**31 - 1
"""Most bytes of text in one chunk of Arrow's `string`, whose offsets have 32 bits."""


def one_type(text: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray:
    """Return text of any Arrow type as `string`, in chunks that its offsets can address.

    Raises
    ------
    UnreadableSource
        If a single cell is longer than a chunk may be.
    """
    chunks = text.chunks if isinstance(text, pa.ChunkedArray) else [text]
    if all(chunk.type == pa.string() for chunk in chunks):
        return pa.chunked_array(chunks, pa.string())
    return pa.chunked_array([part.cast(pa.string()) for chunk in chunks for part in _halves(chunk)], pa.string())


def _halves(chunk: pa.Array) -> Iterator[pa.Array]:
    """Yield `chunk` in parts of at most `TEXT_BYTES`."""
    if chunk.nbytes <= TEXT_BYTES:
        yield chunk
    elif len(chunk) < 2:
        raise UnreadableSource("A cell holds more than 2 GB of text.", hint="leave the column out")
    else:
        middle = len(chunk) // 2
        yield from _halves(chunk.slice(0, middle))
        yield from _halves(chunk.slice(middle))


def _texts(column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, str | None]:
    column = _plain(column)
    kind = column.type
    types = pa.types
    if types.is_string(kind) or types.is_large_string(kind):
        return blank_to_null(column), None
    for matches, convert, declared in (
        (types.is_null, _cast, None),
        (types.is_boolean, _cast, "boolean"),
        (types.is_integer, _cast, "integer"),
        (types.is_floating, _float, "decimal"),
        (types.is_decimal, _decimal, "decimal"),
        (types.is_date, _date, "date"),
        (types.is_timestamp, _timestamp, "timestamp"),
        (types.is_time, _time, "time"),
        (types.is_duration, _duration, "integer"),
        (is_bytes, None, "binary"),
    ):
        if matches(kind):
            return _binary(column) if convert is None else (convert(column), declared)
    return _python(column), "nested" if types.is_nested(kind) else None


def blank_to_null(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a text column whose empty and blank cells are null; the same object where there are none."""
    blank = pc.or_(pc.utf8_is_space(column), pc.equal(pc.binary_length(column), 0))
    if not pc.any(blank).as_py():
        return column
    return pc.if_else(blank, pa.scalar(None, column.type), column)


def canonical_json(value: Any) -> str:
    """Return a nested Python value as JSON with sorted keys and no needless spaces."""
    return json.dumps(_plain_json(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def scalar_text(value: Any) -> str | None:
    """Return the canonical text of one Python value, None where it is missing.

    Raises
    ------
    UnicodeEncodeError
        For text with unpaired surrogates, which is not valid Unicode.
    """
    if value is None:
        return None
    if isinstance(value, str):
        value.encode()
        return value if value.strip() else None
    if isinstance(value, (dict, list, tuple, set, frozenset)):
        return canonical_json(value)
    return _number_text(value) if isinstance(value, (bool, int, float, Decimal)) else _object_text(value)


def _number_text(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, Decimal):
        return None if value.is_nan() else f"{value:f}"
    if math.isnan(value):
        return None
    # 1.0 and 1 are one value: a column of whole numbers with a missing cell arrives as floats. Above 2^53 floats skip
    # integers.
    if abs(value) < WHOLE_FLOATS and value.is_integer():
        return str(int(value))
    return str(pa.scalar(float(value)).cast(pa.string()).as_py())


def _object_text(value: Any) -> str | None:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex() or None
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        # Microseconds, as Arrow writes durations, so that a table from Python has the text of the same table from a
        # file.
        return str(round(value.total_seconds() * 1_000_000))
    return str(value)


def _plain_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain_json(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((_plain_json(item) for item in value), key=repr)
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else repr(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (bytes, bytearray)):
        return base64.b16encode(bytes(value)).decode().lower()
    return scalar_text(value)


def decoded(array: pa.DictionaryArray) -> pa.Array:
    """Return the values of a dictionary-encoded array; Arrow itself cannot where they are views."""
    values = array.dictionary
    if pa.types.is_string_view(values.type):
        values = values.cast(pa.large_string())
    elif pa.types.is_binary_view(values.type):
        values = values.cast(pa.large_binary())
    return values.take(array.indices)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return `column` without dictionary, run-end and extension wrappers or views."""
    types = pa.types
    if isinstance(column.type, pa.BaseExtensionType):
        if column.type.extension_name == "arrow.uuid":
            return _python(column)
        column = pa.chunked_array([chunk.storage for chunk in column.chunks], column.type.storage_type)
    if types.is_dictionary(column.type):
        chunks = [decoded(chunk) for chunk in column.chunks]
        column = pa.chunked_array(chunks) if chunks else column.cast(column.type.value_type)
    if types.is_run_end_encoded(column.type):
        column = pa.chunked_array([pc.run_end_decode(chunk) for chunk in column.chunks], column.type.value_type)
    if types.is_string_view(column.type):
        column = column.cast(pa.large_string())
    if types.is_binary_view(column.type) or types.is_fixed_size_binary(column.type):
        column = column.cast(pa.large_binary())
    return column


def _cast(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(pa.string())


def _float(column: pa.ChunkedArray) -> pa.ChunkedArray:
    column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
    text = column.cast(pa.string())
    wide = column.cast(pa.float64())
    whole = pc.and_(pc.equal(pc.floor(wide), wide), pc.less(pc.abs(wide), WHOLE_FLOATS))
    if not pc.any(whole).as_py():
        return text
    digits = pc.if_else(whole, wide, pa.scalar(None, pa.float64())).cast(pa.int64()).cast(pa.string())
    return pc.coalesce(digits, text)


def _decimal(column: pa.ChunkedArray) -> pa.ChunkedArray:
    # Arrow writes a decimal of negative scale with an exponent; Python's fixed format does not.
    return _cast(column) if column.type.scale >= 0 and column.type.scale < 7 else _python(column)


def _date(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(pa.date32()).cast(pa.string())


def _timestamp(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if column.type.tz is not None:  # the instant counts, not the place it was written in
        column = column.cast(pa.timestamp(column.type.unit, "UTC"))
        text = _timestamp(column.cast(pa.timestamp(column.type.unit)))
        return pc.binary_join_element_wise(text, "Z", "")
    return column.cast(pa.timestamp(_coarsest(column))).cast(pa.string())


def _time(column: pa.ChunkedArray) -> pa.ChunkedArray:
    unit = _coarsest(column)
    return column.cast(pa.time32(unit) if unit in ("s", "ms") else pa.time64(unit)).cast(pa.string())


def _coarsest(column: pa.ChunkedArray) -> str:
    """Return the coarsest of s, us and ns that loses nothing of `column`."""
    unit: str = column.type.unit
    ticks = column.cast(pa.int32() if pa.types.is_time32(column.type) else pa.int64()).cast(pa.int64())
    for coarse, per in (("s", {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}), ("us", {"us": 1, "ns": 10**3})):
        if unit == "ms" and coarse == "us":
            return "us"
        step = per.get(unit, 1)
        if pc.all(pc.equal(pc.multiply(pc.divide(ticks, step), step), ticks)).as_py() in (True, None):
            return coarse
    return unit


def _duration(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(pa.int64()).cast(pa.string())


def _binary(column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, str | None]:
    """Read bytes as text where all of them are text: many writers store text without saying so."""
    try:
        text = column.cast(pa.large_string() if pa.types.is_large_binary(column.type) else pa.string())
        readable = not pc.any(pc.match_substring_regex(text, r"[\x00-\x08\x0e-\x1f\x7f]")).as_py()
    except pa.ArrowInvalid:
        readable = False
    if readable:
        return blank_to_null(text), None
    return _python(column), "binary"


def _python(column: pa.ChunkedArray) -> pa.ChunkedArray:
    try:
        chunks = [pa.array(map(scalar_text, chunk.to_pylist()), pa.large_string()) for chunk in column.chunks]
    except (pa.ArrowException, ValueError, OverflowError, RecursionError):
        # Two fields of one name, a time outside the calendar, text that is not Unicode: there is not a canonical text.
        raise UnreadableSource("A column holds nested or temporal values that have no text.") from None
    return pa.chunked_array(chunks, pa.large_string())


def depends_on_others(kind: Any) -> bool:
    """Return whether the text of a cell depends on the other cells of its column: of times and bytes."""
    types = pa.types
    return bool(types.is_timestamp(kind) or types.is_time(kind) or is_bytes(kind))


def is_bytes(kind: Any) -> bool:
    """Return whether cells of an Arrow type are bytes."""
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind))
