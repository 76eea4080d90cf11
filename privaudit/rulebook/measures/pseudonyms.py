"""Measures of pseudonyms: person IDs, record IDs, hashes.

Question: which columns replace an identity by a code, and how well does the code hide it?
Method: entity types, uniqueness and the measurements that detection took of codes and hashes.
Limits: whether a lookup table exists, and who holds it, is not in the data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from privaudit.model import ColumnReport, Severity, vocabulary
from privaudit.model.wording import Duration, Fact, Number, Share, Value, fact
from privaudit.rulebook.measurement import (
    Context,
    Measurement,
    Observation,
    entity_of,
    filled_cells,
    first_measurement,
    measure,
    not_measured,
    unassessed,
    whole_column,
)
from privaudit.rulebook.packs import Check

UNKNOWN = "unknown"
"""What a hash measures where the inputs are not known."""
RANDOM = "random"
"""The detail of pseudonyms that are random tokens."""
COMPONENT = "COMPONENT"
KEY_UNIQUENESS = 0.99
_KEY_CONFIDENCE = 0.7
_FOLLOWS_TIME = 0.9
_MOST_WORDS = 1.5
_SECONDS_PER_HOUR = 3600


@measure("column.key_like")
def key_like(context: Context, check: Check) -> Iterator[Observation]:
    """Cells of columns that hold person IDs or record IDs."""
    return (_key(column) for column in context.columns if is_key(column, check))


@measure("column.person_key")
def person_key(context: Context, check: Check) -> Iterator[Observation | Fact]:
    """People whose key is in clear in a direct identifier; random tokens of the release do not count."""
    keys = (column for column in context.columns if column.role == "direct" and entity_of(column) in check.entities)
    named = (column for column in keys if column.is_ is not None and column.is_.detail != RANDOM)
    yield from map(whole_column, named)
    yield from unassessed(context)


@measure("column.component")
def component(context: Context, check: Check) -> Iterator[Observation]:
    """Columns that are principal components of others."""
    found = [column for column in context.columns if entity_of(column) == COMPONENT]
    if found:
        names = tuple(column.name for column in found)
        yield replace(whole_column(found[0]), subject=names, observed=len(found), entity=None)


@measure("column.key_in_order")
def key_in_order(context: Context, check: Check) -> Iterator[Observation]:
    """Cells of ID columns whose values rise or fall with the rows or with time, or contain a timestamp."""
    for column in context.columns:
        order = _order(column)
        if order is not None and is_key(column, check):
            yield replace(_key(column), values={"other": order})


def _order(column: ColumnReport) -> Fact | None:
    """Return how an ID column reveals an order, or None."""
    if column.monotonic:
        return fact("rulebook.keys_in_row_order")
    if column.measurements.get("key_holds_time"):
        return fact("rulebook.keys_contain_time")
    correlation = column.measurements.get("key_time_correlation", 0.0)
    if correlation < _FOLLOWS_TIME:
        return None
    return fact("rulebook.keys_follow_time", correlation=Number(correlation))


@measure("column.row_order")
def row_order(context: Context, check: Check) -> Iterator[Observation]:
    """Cells of columns by which the rows of a remedied table are in the order of its source.

    Time and measurements of things are in order by their nature.
    """
    numbered = [column for column in context.columns if column.measurements.get("in_row_order")]
    if context.is_about_people:
        return map(whole_column, numbered)
    keys = (column for column in numbered if is_key(column, check) or not _is_time_or_measurement(column))
    return (replace(whole_column(column), severity="medium") for column in keys)


def _is_time_or_measurement(column: ColumnReport) -> bool:
    return column.is_measurement or column.data_type in ("date", "timestamp", "time")


@measure("column.key_shared")
def key_shared(context: Context, check: Check) -> Measurement:
    """Cells whose ID is in the auxiliary table too; not measured without such a table."""
    compared = [column for column in context.columns if "key_shared_rows" in column.measurements]
    if not compared and not context.evidence.attacks:
        return not_measured("rulebook.keys_not_compared")
    counted = ((column, int(column.measurements["key_shared_rows"])) for column in compared)
    return Measurement.of(replace(_key(column), observed=rows, n_people=rows) for column, rows in counted if rows)


def is_key(column: ColumnReport, check: Check) -> bool:
    """Whether `column` holds person IDs, record IDs that are nearly unique, or codes of uniform shape."""
    if filled_cells(column) == 0:
        return False
    code = entity_of(column)
    if code is None:
        return bool(column.measurements.get("key_like")) and _has_uniform_shape(column)
    if code not in check.entities:
        return False
    # The ID of a product or a category repeats; the ID of a person may repeat and remains a pseudonym.
    if code not in vocabulary.with_trait("record_key"):
        return True
    return column.n_distinct >= KEY_UNIQUENESS * filled_cells(column)


def _has_uniform_shape(column: ColumnReport) -> bool:
    if column.data_type == "text":
        return column.words_mean is None or column.words_mean <= _MOST_WORDS
    return column.data_type == "integer" and column.length_min == column.length_max


def _key(column: ColumnReport) -> Observation:
    return whole_column(column, confidence=_KEY_CONFIDENCE)


@measure("column.hash_like")
def hash_like(context: Context, check: Check) -> Iterator[Observation | Fact]:
    """Bits of the space from which the inputs of a hash come; "unknown" where the table does not show it."""
    for column in filter(filled_cells, context.columns):
        if entity_of(column) == "HASH" or column.measurements.get("hash_like"):
            yield _hash(column)
    yield from unassessed(context)


def _hash(column: ColumnReport) -> Observation:
    # Measured by reversing hashes where that was tried, otherwise by the size of the space that they come from.
    bits = first_measurement(column, "hash_preimage_bits", "hash_space_log2")
    shown: Severity = "critical" if _is_shown(column) else "high"
    return Observation(
        subject=(column.name,),
        observed=UNKNOWN if bits is None else float(bits),
        n_people=filled_cells(column),
        n_total=column.n_rows,
        confidence=0.4 if bits is None else 0.9,
        severity="medium" if bits is None else shown,
        values={
            "doubt": fact("rulebook.hash_may_protect" if bits is None else "rulebook.hash_protects"),
            "other": _input_space(bits, column),
        },
    )


def _is_shown(column: ColumnReport) -> bool:
    """Whether the hashes themselves show what was hashed, and not the column name alone."""
    return "hash_inputs_by_name" not in column.measurements


def _input_space(bits: float | None, column: ColumnReport) -> Fact:
    if bits is None:
        return fact("rulebook.hash_inputs_unknown")
    measurements: Mapping[str, float] = column.measurements
    values: dict[str, Value] = {"bits": Number(float(bits))}
    if "hash_hours" in measurements:
        length = Duration(_SECONDS_PER_HOUR * measurements["hash_hours"])
        values["time"] = fact("rulebook.hash_time", time=length)
    if "hash_undone" in measurements:
        share = Share(measurements["hash_undone"], of=filled_cells(column))
        values["trial"] = fact("rulebook.hash_trial", share=share)
    code = "rulebook.hash_inputs" if _is_shown(column) else "rulebook.hash_inputs_by_name"
    return fact(code, **values)
