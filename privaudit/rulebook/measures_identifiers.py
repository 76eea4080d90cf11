"""Measures of what columns are and contain: identifiers in clear, scattered, hashed, hidden in text.

Question: whose identity stands in the cells themselves?
Method: the two verdicts of each column. "Is" counts people by the share of cells; "contains" counts cells, and
one cell is enough. A column that detection could not judge is a gap, not a clean column.
Limits: a check's list of entities decides what counts; the rows of a table stand for people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from privaudit.detect.evidence import duration, percent
from privaudit.model import ColumnReport
from privaudit.rulebook.packs import Check
from privaudit.rulebook.scene import Observation, Reading, Scene, fact, measure, not_measured

UNKNOWN = "unknown"
BY_NAME = "its name suggests"
"""How detection begins the reason for turning down a reading that only the column's name had."""
KEY_UNIQUENESS = 0.99
RECORDS = frozenset({"RECORD_ID", "UUID"})
NUMBERS = frozenset({"integer", "decimal"})


def unassessed(scene: Scene) -> tuple[str, ...]:
    """Return one gap for each column that detection could not judge."""
    return tuple(f'"{c.name}" was not assessed: {c.unassessed}' for c in scene.columns if c.unassessed)


def held(column: ColumnReport) -> int:
    """Return the cells of `column` that are not missing."""
    return column.n_rows - column.n_missing


def _is(column: ColumnReport, check: Check) -> Observation | None:
    verdict = column.is_
    if verdict is None or verdict.entity not in check.entities:
        return None
    return Observation(
        subject=(column.name,),
        observed=verdict.share.low,
        n_people=round(verdict.share.value * held(column)),
        n_total=column.n_rows,
        confidence=verdict.confidence,
        entity=verdict.entity,
        severity=check.entities[verdict.entity],
    )


def _contained(column: ColumnReport, check: Check) -> Iterator[Observation]:
    for item in column.contains:
        if item.entity not in check.entities or item.n_cells == 0:
            continue
        yield Observation(
            subject=(column.name,),
            observed=item.n_cells,
            n_people=item.n_cells,
            n_total=column.n_rows,
            confidence=0.9,
            entity=item.entity,
            severity=check.entities[item.entity],
        )


@measure("pii.rate")
def rate(scene: Scene, check: Check) -> Reading:
    """Share of a column's non-missing cells that are the entity, the lower end of its interval."""
    found = (_is(column, check) for column in scene.columns)
    return Reading(observations=tuple(item for item in found if item), gaps=unassessed(scene))


@measure("pii.cells")
def cells(scene: Scene, check: Check) -> Reading:
    """Cells that contain the entity in a column that *is* something else."""
    found: list[Observation] = []
    for column in scene.columns:
        own = column.is_.entity if column.is_ else None
        merged: dict[str, Observation] = {}
        for item in _contained(column, check):
            if item.entity == own or item.entity is None:
                continue
            before = merged.get(item.entity)
            merged[item.entity] = item if before is None else _more(before, item)
        found.extend(merged[entity] for entity in sorted(merged))
    return Reading(observations=tuple(found), gaps=unassessed(scene))


def _more(first: Observation, second: Observation) -> Observation:
    # Two kinds of one entity may share cells, so the larger count is what is certain.
    return first if (first.n_people or 0) >= (second.n_people or 0) else second


@measure("pii.presence")
def presence(scene: Scene, check: Check) -> Reading:
    """Cells that are or contain the entity, one number a column and entity."""
    found: dict[tuple[str, str], Observation] = {}
    for column in scene.columns:
        whole = _is(column, check)
        for item in (*((whole,) if whole else ()), *_contained(column, check)):
            key = (column.name, str(item.entity))
            counted = Observation(
                subject=item.subject,
                observed=item.n_people,
                n_people=item.n_people,
                n_total=item.n_total,
                confidence=item.confidence,
                entity=item.entity,
                severity=item.severity,
            )
            found[key] = _more(found[key], counted) if key in found else counted
    return Reading(observations=tuple(found.values()), gaps=unassessed(scene))


@measure("pii.url_personal")
def url_personal(scene: Scene, check: Check) -> Reading:
    """Web addresses with a part that leads to a person; all of them where the parts were not looked at."""
    found: list[Observation] = []
    for item in presence(scene, check).observations:
        column = next(c for c in scene.columns if c.name == item.subject[0])
        rows = fact(column, "url_personal") if column.is_ and column.is_.entity == item.entity else None
        if rows is None:
            found.append(replace(item, confidence=0.5))
        else:
            found.append(replace(item, observed=int(rows), n_people=int(rows)))
    return Reading(observations=tuple(found), gaps=unassessed(scene))


@measure("pii.header")
def header(scene: Scene, check: Check) -> Reading:
    """Columns whose name says identifier while no cell does: candidates turned down for want of values."""
    found: list[Observation] = []
    for column in scene.columns:
        if column.is_ is not None or held(column) == 0:
            continue
        rejected = (item.entity for item in column.rejected if BY_NAME in item.because)
        named = sorted(entity for entity in set(rejected) if entity in check.entities)
        if named:
            found.append(
                Observation(
                    subject=(column.name,),
                    observed=1,
                    n_total=column.n_rows,
                    confidence=0.3,
                    entity=named[0],
                    severity=check.entities[named[0]],
                )
            )
    return Reading(observations=tuple(found), gaps=unassessed(scene))


@measure("column.free_text")
def free_text(scene: Scene, check: Check) -> Reading:
    """Cells of columns of running text (see `FREE_TEXT` and the fact ``free_text``)."""
    found = tuple(
        Observation(
            subject=(column.name,),
            observed=held(column),
            n_people=held(column),
            n_total=column.n_rows,
            confidence=column.is_.confidence if column.is_ else 0.8,
        )
        for column in scene.columns
        if held(column) and _is_text(column)
    )
    return Reading(observations=found)


def _is_text(column: ColumnReport) -> bool:
    named = column.is_ is not None and column.is_.entity == "FREE_TEXT"
    return named or bool(column.measurements.get("free_text"))


@measure("column.payload")
def payload(scene: Scene, check: Check) -> Reading:
    """Cells that hold pictures, templates or other binary payload, or that are biometric data."""
    found = []
    for column in scene.columns:
        named = column.is_ is not None and column.is_.entity in check.entities and column.data_type not in NUMBERS
        if held(column) and (named or column.data_type == "binary"):
            found.append(
                Observation(
                    subject=(column.name,),
                    observed=held(column),
                    n_people=held(column),
                    n_total=column.n_rows,
                    confidence=column.is_.confidence if named and column.is_ else 0.6,
                    entity=column.is_.entity if named and column.is_ else None,
                )
            )
    return Reading(observations=tuple(found), gaps=unassessed(scene))


@measure("column.key_like")
def key_like(scene: Scene, check: Check) -> Reading:
    """Cells of columns that number people or records without naming them."""
    found = tuple(_key(column) for column in scene.columns if is_key(column, check))
    return Reading(observations=found)


@measure("column.key_in_order")
def key_in_order(scene: Scene, check: Check) -> Reading:
    """Cells of key-like columns whose values rise or fall with the rows or with time, or that hold a clock."""
    found = []
    for column in scene.columns:
        why = _in_order(column)
        if why is not None and is_key(column, check):
            found.append(replace(_key(column), words={"other": why}))
    return Reading(observations=tuple(found))


def _in_order(column: ColumnReport) -> str | None:
    """Return how a column gives an order away, or None."""
    if column.monotonic:
        return "the keys rise or fall with the rows"
    if column.measurements.get("key_holds_time"):
        return "each key carries the moment it was made"
    follows = column.measurements.get("key_time_correlation", 0.0)
    return (
        f"the keys follow a column of dates, rank correlation at least {follows:.2f}"
        if follows >= 0.9
        else None
    )


@measure("column.key_shared")
def key_shared(scene: Scene, check: Check) -> Reading:
    """Cells whose key stands in the auxiliary table too; not measured without such a table."""
    looked = [column for column in scene.columns if "key_shared_rows" in column.measurements]
    if not looked and not scene.evidence.attacks:
        return not_measured("no auxiliary table was given, so keys were not compared with another table's")
    found = tuple(
        replace(_key(column), observed=rows, n_people=rows)
        for column in looked
        if (rows := int(column.measurements["key_shared_rows"]))
    )
    return Reading(observations=found)


def is_key(column: ColumnReport, check: Check) -> bool:
    """Whether `column` numbers people, tells records apart one by one, or looks like nothing but a key."""
    if held(column) == 0:
        return False
    if column.is_ is None:
        return bool(column.measurements.get("key_like")) and _of_one_form(column)
    if column.is_.entity not in check.entities:
        return False
    # The number of a product or a category repeats; what numbers a person may repeat and stays a pseudonym.
    return column.is_.entity not in RECORDS or column.n_distinct >= KEY_UNIQUENESS * held(column)


def _of_one_form(column: ColumnReport) -> bool:
    if column.data_type == "text":
        return column.words_mean is None or column.words_mean <= 1.5
    return column.data_type == "integer" and column.length_min == column.length_max


def _key(column: ColumnReport) -> Observation:
    return Observation(
        subject=(column.name,),
        observed=held(column),
        n_people=held(column),
        n_total=column.n_rows,
        confidence=column.is_.confidence if column.is_ else 0.7,
        entity=column.is_.entity if column.is_ else None,
    )


@measure("column.hash_like")
def hash_like(scene: Scene, check: Check) -> Reading:
    """Bits of the space a hash was taken from; "unknown" where the table does not tell."""
    found = []
    for column in scene.columns:
        named = column.is_ is not None and column.is_.entity == "HASH"
        if not held(column) or not (named or column.measurements.get("hash_like")):
            continue
        bits = fact(column, "hash_preimage_bits", "hash_space_log2")
        found.append(
            Observation(
                subject=(column.name,),
                observed=UNKNOWN if bits is None else float(bits),
                n_people=held(column),
                n_total=column.n_rows,
                confidence=0.4 if bits is None else 0.9,
                severity="medium" if bits is None else "critical",
                words={"other": _space(bits, column.measurements)},
            )
        )
    return Reading(observations=tuple(found), gaps=unassessed(scene))


def _space(bits: float | None, facts: Mapping[str, float]) -> str:
    if bits is None:
        return "what was hashed, and with which key, the table does not tell"
    known = f"only about 2^{bits:.0f} inputs are possible"
    if "hash_hours" in facts:
        known += f", tried in {duration(3600 * facts['hash_hours'])} on one core"
    if "hash_undone" in facts:
        share = facts["hash_undone"]
        known += (
            f", and a trial shows that this undoes {'' if share >= 1 else 'about '}{percent(share)} of them"
        )
    return known
