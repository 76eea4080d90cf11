"""Infer what a row of the table is: a person, an event of a person, a household, an organisation, an object, a cell.

Question: is the table about people at all?
Method: the user's statement (``--unit``, ``--subject``, declared roles, auxiliary data) decides. Otherwise the evidence
is asked in this order: counts of cells with keys that identify every row; a generalisation hierarchy, which is a list
of values; areas, periods or things of a known kind, where every column is an attribute of them
(`detect.unit.areas`, `detect.unit.things`); a repeated person ID; attributes of people, and codes that repeat with them
(`detect.unit.repeated`); points or postal areas with a time; a column that
names another organisation in nearly every row, with contact data only; organisations by periods; rows that things or
years identify, or combinations of conditions (`detect.unit.identified`, `detect.unit.series`, `detect.unit.design`).
Column names are read by the words in ``rules/headers/units.toml`` and ``things.toml``. Cells that show persons
(`detect.unit.persons`) outweigh the names of all columns.
Limits: what the evidence does not decide is "unknown": it is judged as people, and the scan is incomplete. A direct
identifier is reported whatever the unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from privaudit.detect.unit.areas import find_areas
from privaudit.detect.unit.cells import may_be_codes_of_people
from privaudit.detect.unit.columns import NEARLY_UNIQUE, UnitColumn, is_sign, names, read_columns, whereabouts
from privaudit.detect.unit.design import find_design
from privaudit.detect.unit.figures import are_columns_of_people
from privaudit.detect.unit.identified import find_identified
from privaudit.detect.unit.keys import Things, aggregate, cells, is_hierarchy
from privaudit.detect.unit.organisations import find_organisations, is_contact_list, names_organisations
from privaudit.detect.unit.persons import shows_persons
from privaudit.detect.unit.record import is_record_of_person
from privaudit.detect.unit.repeated import find_repeated_code
from privaudit.detect.unit.series import find_series
from privaudit.detect.unit.things import find_kind
from privaudit.model import ColumnProfile, DatasetUnit, Detection, UnitKind, vocabulary
from privaudit.model.wording import Columns, EntityType, Fact, Listing, Name, Number, Term, fact
from privaudit.settings.config import Settings
from privaudit.source.dataset import Dataset

_REPEATED = 1.5
"""Rows for each value from which an ID of people is repeated (product default)."""
_ONE_REASON, _MORE_REASONS = 0.7, 0.9
"""Confidence of an inferred unit where one column is the evidence, and where several are (product default)."""


def infer_unit(
    dataset: Dataset, profiles: Sequence[ColumnProfile], detections: Sequence[Detection], settings: Settings
) -> DatasetUnit:
    """Return what a row of `dataset` is, with the evidence.

    Parameters
    ----------
    dataset : Dataset
        Read only to test whether columns identify every row of an aggregate.
    profiles, detections : one for each column, in the same order
    settings : Settings
        `unit` decides; `subject`, `quasi`, `sensitive`, `role`, `auxiliary` and `population` state that people are
        concerned.
    """
    table = read_columns(profiles, detections)
    filled = [column for column in table if column.profile.n_distinct > 0]
    if settings.unit is not None:
        return _declared(dataset, filled, settings.unit, settings)
    if settings.subject is not None:
        reason = fact("unit.subject", columns=Columns((settings.subject,)))
        return _unit("event", reason, declared=True)
    stated, own = _stated(settings), _of_own_types(filled, settings)
    is_record = is_record_of_person(dataset, filled) or are_columns_of_people(filled)
    if stated is None:
        keys, counts, reasons = aggregate(dataset, filled)
        unknown = {c.name for c in filled if may_be_codes_of_people(dataset, c)}
        if reasons and not is_record and unknown.isdisjoint(keys):
            return _unit("aggregate", *reasons, keys=keys, counts=counts)
        if is_hierarchy(dataset, filled, unknown):
            return _unit("object", fact("unit.hierarchy", columns=names(filled)))
        found = None if own or is_record else find_areas(dataset, filled) or find_kind(dataset, filled)
        things = _unless_persons(dataset, filled, found)
        if things is not None:
            row: UnitKind = "aggregate" if things.counts else "object"
            return _unit(row, *things.reasons, keys=things.keys, counts=things.counts)
    about_people = _people(dataset, filled, own)
    if about_people is not None or stated is not None:
        kind, reasons = about_people or ("person", ())
        subject = _subject(filled, settings) if kind == "event" else None
        return _unit(kind, *reasons, *([stated] if stated else ()), subject=subject)
    if is_record:
        return _unit("unknown")
    organisations = find_organisations(dataset, filled)
    if organisations is not None:
        return _unit(*organisations)
    found = find_identified(dataset, filled) or find_series(dataset, filled) or find_design(dataset, filled)
    rows = _unless_persons(dataset, filled, found)
    return _unit("unknown") if rows is None else _unit("object", *rows.reasons, keys=rows.keys)


def _unless_persons(dataset: Dataset, table: Sequence[UnitColumn], found: Things | None) -> Things | None:
    """Return what was `found` by the names of columns and their structure, unless the cells show persons."""
    return None if found is None or shows_persons(dataset, table) else found


def _declared(dataset: Dataset, filled: Sequence[UnitColumn], kind: UnitKind, settings: Settings) -> DatasetUnit:
    """Return the unit that the user stated, with the structure that its measures need.

    A settings file states it for a path, whatever the file at this path is later: what contradicts it is named.
    """
    keys, counts, _ = cells(dataset, filled) if kind == "aggregate" else ((), (), ())
    subject = _subject(filled, settings) if kind == "event" else None
    own = _of_own_types(filled, settings)
    about_people = _people(dataset, filled, own) if kind in ("object", "organisation") else None
    against = () if about_people is None else about_people[1]
    return _unit(kind, declared=True, against=against, keys=keys, counts=counts, subject=subject)


def _subject(table: Sequence[UnitColumn], settings: Settings) -> str | None:
    """Return the column by which people are counted: the key of people that repeats, unless it was declared quasi.

    Of several keys, the one with most values: that of the customer, not that of the employee who served many.
    """
    keys = [c for c in _repeated_keys(table) if c.name not in settings.quasi and settings.role.get(c.name) != "quasi"]
    return keys[0].name if keys else None


def _repeated_keys(table: Iterable[UnitColumn]) -> list[UnitColumn]:
    """Return the keys of people that repeat, the one with most values first."""
    return sorted(filter(_is_repeated_id, table), key=lambda column: -column.profile.n_distinct)


def _unit(
    kind: UnitKind,
    *reasons: Fact,
    declared: bool = False,
    against: Sequence[Fact] = (),
    keys: Iterable[str] = (),
    counts: Iterable[str] = (),
    subject: str | None = None,
) -> DatasetUnit:
    confidence = _MORE_REASONS if len(_columns_of(reasons)) > 1 else _ONE_REASON
    if kind == "unknown":
        statement, confidence = fact("unit.statement_unknown"), 0.0
    else:
        origin = fact(f"unit.{'declared' if declared else 'inferred'}")
        if against:
            origin = fact("unit.declared_against", columns=Columns(_columns_of(against)))
        statement = fact("unit.statement", kind=Term(f"unit.{kind}"), origin=origin)
    return DatasetUnit(
        kind=kind,
        declared=declared,
        confidence=1.0 if declared else confidence,
        statement=statement,
        reasons=reasons,
        keys=tuple(keys),
        counts=tuple(counts),
        subject=subject,
    )


def _columns_of(reasons: Sequence[Fact]) -> tuple[str, ...]:
    """Return the columns that reasons name, each once."""
    columns = [v for reason in reasons for v in reason.values.values() if isinstance(v, Columns)]
    return tuple(dict.fromkeys(name for each in columns for name in each.names))


def _stated(settings: Settings) -> Fact | None:
    """Return the settings that only make sense for people, or None."""
    options = [
        option
        for option, given in (
            ("--quasi", settings.quasi and settings.quasi != ("none",)),
            ("--sensitive", settings.sensitive),
            ("--role", any(role != "none" for role in settings.role.values())),
            ("--auxiliary", settings.auxiliary),
            ("--population", settings.population),
        )
        if given
    ]
    listed = Listing(tuple(Name(option) for option in options))
    return fact("unit.settings", options=listed) if options else None


def _of_own_types(table: Sequence[UnitColumn], settings: Settings) -> list[UnitColumn]:
    """Return the columns of entity types that a pack of the user declares to be personal data."""
    if settings.rules is None:
        return []
    known = vocabulary.known_types(settings.rules)
    personal = {code for code, record in known.items() if record.own and record.role != "none"}
    return [column for column in table if column.entity in personal]


def _people(
    dataset: Dataset, table: Sequence[UnitColumn], own: Sequence[UnitColumn]
) -> tuple[UnitKind, tuple[Fact, ...]] | None:
    """Return whether rows are people or their events by identifiers and attributes, or None."""
    found = [column for column in table if is_sign(column) or column in own]
    if not found and not names_organisations(table):
        found = [column for column in table if _is_contact(column)]
    if not found or is_contact_list(table, found):
        return _whereabouts(table)
    attributes = fact(
        "unit.attributes",
        columns=Columns(tuple(c.name for c in found)),
        entities=Listing(tuple(EntityType(str(e)) for e in dict.fromkeys(c.entity for c in found))),
    )
    repeated = _repeated_keys(found)
    if repeated:
        rows = (repeated[0].profile.n_rows - repeated[0].profile.n_missing) / repeated[0].profile.n_distinct
        reason = fact("unit.repeated_person", columns=Columns((repeated[0].name,)), rows=Number(round(rows, 1)))
        return "event", (reason, attributes)
    if _are_measurements(table, found):
        return "event", (fact("unit.measurements", columns=names(found)),)
    households = [c for c in table if _is_household_id(c)]
    if households and not any(c.entity in vocabulary.with_trait("identifies_person") for c in found):
        return "household", (fact("unit.household", columns=names(households[:1])), attributes)
    code = find_repeated_code(dataset, table, found)
    return ("person", (attributes,)) if code is None else ("event", (code, attributes))


def _is_contact(column: UnitColumn) -> bool:
    """Whether a column holds addresses or telephone numbers, which organisations have as well."""
    return column.entity in vocabulary.with_trait("shared_by_organisations")


def _whereabouts(table: Sequence[UnitColumn]) -> tuple[UnitKind, tuple[Fact, ...]] | None:
    """Return that rows are events of people, where each states a point or a postal area and a time, or None."""
    found = whereabouts(table)
    if found is None:
        return None
    return "event", (fact("unit.whereabouts", columns=names(found[0]), times=names(found[1])),)


def _are_measurements(table: Sequence[UnitColumn], found: Sequence[UnitColumn]) -> bool:
    """Whether all that describes people are values of health by the time of day: of one person, or of several."""
    clinical = vocabulary.with_trait("clinical")
    timed = any(c.entity == "DATE_EVENT" and c.profile.data_type == "timestamp" for c in table)
    return timed and all(c.entity in clinical for c in found)


def _is_household_id(column: UnitColumn) -> bool:
    named = column.has("households") and bool(column.words & {"id", "hid", "hhid"})
    return named and column.uniqueness >= NEARLY_UNIQUE


def _is_repeated_id(column: UnitColumn) -> bool:
    identifying = vocabulary.with_trait("identifies_person") | {"PSEUDONYM"}
    if column.entity not in identifying - vocabulary.with_trait("person_name"):
        return False
    filled = column.profile.n_rows - column.profile.n_missing
    return filled >= _REPEATED * column.profile.n_distinct
