"""The types of the written columns: those of the source, where every written value has one.

Question: in which type is a column written?
Method: texts are the canonical texts of `source.cells.cell_text`, so casting them back gives the values of the
source. A column whose values changed keeps its type where every new value is a value of this type; 0 and 1 may
become whole numbers, and whole numbers numbers with decimals; otherwise it is text: bands of ages are text.
Limits: dictionaries, views and extension types are written as the values that they stand for. NaN and blank cells are
missing cells, -0.0 is 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privaudit.base.arrow import is_text, pa, pc, value_type
from privaudit.source.cells.cell_text import to_text
from privaudit.source.cells.dictionaries import codes_of

DECLARED = {"integer": "int64", "decimal": "float64", "boolean": "bool", "date": "date32"}
"""The Arrow type of a data type of the report."""


def typed(table: pa.Table, types: Mapping[str, Any], kinds: Mapping[str, str]) -> pa.Table:
    """Return a table of texts in the types of its source; dictionaries of text become dictionaries of values.

    Parameters
    ----------
    types : mapping of column to pyarrow.DataType
    kinds : mapping of column to str
        The data type that the scan found, for columns that reach us as text.
    """
    columns = []
    for name in table.column_names:
        if name in kinds:
            stated = value_type(types.get(name, pa.string()))
            stated = _declared_type(kinds[name]) if is_text(stated) else stated
            wanted = (stated, *_wider(stated))
        else:  # a column that a step made
            wanted = (pa.int64(), pa.float64(), pa.date32())
        made = (_cast(table[name], each) for each in wanted)
        columns.append(next((each for each in made if each.type != table[name].type), table[name]))
    return pa.table(columns, names=table.column_names)


def _wider(wanted: Any) -> tuple[Any, ...]:
    """Return further types of values: 0 and 1 are whole numbers, and means of whole numbers have decimals."""
    numbers = (pa.int64(), pa.float64())
    if pa.types.is_boolean(wanted):
        return numbers
    return numbers[1:] if pa.types.is_integer(wanted) else ()


def _declared_type(kind: str | None) -> Any:
    if kind == "timestamp":
        return pa.timestamp("us")
    name = DECLARED.get(kind or "")
    return pa.string() if name is None else pa.type_for_alias(name)


def _cast(column: pa.ChunkedArray, wanted: Any) -> pa.ChunkedArray:
    """Return `column` as `wanted` where its texts stay the same, else as text."""
    if pa.types.is_dictionary(column.type):
        codes, texts = codes_of(column)
        values = _cast(pa.chunked_array([texts]), wanted)
        if values.type == texts.type:
            return column
        return pa.chunked_array([pa.DictionaryArray.from_arrays(codes, values.combine_chunks())])
    if pa.types.is_string_view(column.type):
        column = column.cast(pa.string())
    if pa.types.is_string(wanted):
        return column
    try:
        made = _as(column, wanted)
        text, _ = to_text(made)
    except (pa.ArrowException, ValueError, OverflowError):
        return column
    return made if text.equals(column) else column


def _as(column: pa.ChunkedArray, wanted: Any) -> pa.ChunkedArray:
    if pa.types.is_timestamp(wanted) and wanted.tz is not None:
        plain = pc.replace_substring_regex(column, "Z$", "")
        return plain.cast(pa.timestamp(wanted.unit)).cast(pa.timestamp(wanted.unit, "UTC")).cast(wanted)
    return column.cast(wanted)
