"""Infer what a row of the table is: a person, an event of a person, a household, an organisation, an object, a cell.

Question: is the table about people at all?
Method: the user's statement (``--unit``, ``--subject``, declared roles, auxiliary data) decides. Otherwise the evidence
is asked in this order: counts of cells with keys that identify every row; a repeated person ID; attributes of people; a
column that names another organisation in nearly every row, with contact data only; organisations by periods; keys named
after things that identify the rows, or physical quantities, with nothing about people. A generalisation hierarchy is a
list of values. Column names are read by the words in ``rules/headers/units.toml``.
Limits: what the evidence does not decide is "unknown" and judged as people. A direct identifier is reported whatever
the unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from privaudit.detect.unit.columns import NEARLY_UNIQUE, UnitColumn, names, read_columns
from privaudit.detect.unit.keys import aggregate, cells, is_hierarchy, key_of_things, panel
from privaudit.model import ColumnProfile, DatasetUnit, Detection, UnitKind, vocabulary
from privaudit.model.wording import Columns, EntityType, Fact, Listing, Name, Number, Term, fact
from privaudit.settings.config import Settings
from privaudit.source.dataset import Dataset

_REPEATED = 1.5
"""Rows for each value from which an ID of people is repeated (product default)."""
_ONE_REASON, _MORE_REASONS = 0.7, 0.9
"""Confidence of an inferred unit where one column is the evidence, and where several are (product default)."""


def infer_unit(
    dataset: Dataset,
    profiles: Sequence[ColumnProfile],
    detections: Sequence[Detection],
    settings: Settings,
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
        keys, counts, _ = cells(dataset, filled) if settings.unit == "aggregate" else ((), (), ())
        return _unit(settings.unit, option="--unit", keys=keys, counts=counts)
    if settings.subject is not None:
        reason = fact("unit.subject", columns=Columns(names=(settings.subject,)))
        return _unit("event", reason, option="--subject")
    stated = _stated(settings)
    if stated is None:
        keys, counts, reasons = aggregate(dataset, filled)
        if reasons:
            return _unit("aggregate", *reasons, keys=keys, counts=counts)
        if is_hierarchy(dataset, filled):
            return _unit("object", fact("unit.hierarchy", columns=names(filled)))
    about_people = _people(filled)
    if about_people is not None or stated is not None:
        kind, reasons = about_people or ("person", ())
        return _unit(kind, *reasons, *([stated] if stated else ()))
    for find in (_organisation, _object):
        found = find(dataset, filled)
        if found:
            return _unit(*found)
    return _unit("unknown")


def _unit(
    kind: UnitKind,
    *reasons: Fact,
    option: str | None = None,
    keys: Iterable[str] = (),
    counts: Iterable[str] = (),
) -> DatasetUnit:
    columns = {
        name
        for reason in reasons
        for v in reason.values.values()
        if isinstance(v, Columns)
        for name in v.names
    }
    confidence = _MORE_REASONS if len(columns) > 1 else _ONE_REASON
    if kind == "unknown":
        statement, confidence = fact("unit.statement_unknown"), 0.0
    else:
        origin = fact("unit.inferred") if option is None else fact("unit.declared", option=Name(text=option))
        statement = fact("unit.statement", kind=Term(code=f"unit.{kind}"), origin=origin)
    return DatasetUnit(
        kind=kind,
        declared=option is not None,
        confidence=1.0 if option is not None else confidence,
        statement=statement,
        reasons=reasons,
        keys=tuple(keys),
        counts=tuple(counts),
    )


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
    listed = Listing(items=tuple(Name(text=option) for option in options))
    return fact("unit.settings", options=listed) if options else None


def _people(table: Sequence[UnitColumn]) -> tuple[UnitKind, tuple[Fact, ...]] | None:
    """Return whether rows are people or their events by identifiers and attributes, or None."""
    found = [column for column in table if _describes_person(column)]
    if not found or _is_contact_list(table, found):
        return None
    attributes = fact(
        "unit.attributes",
        columns=Columns(names=tuple(c.name for c in found)),
        entities=Listing(
            items=tuple(EntityType(code=str(e)) for e in dict.fromkeys(c.entity for c in found))
        ),
    )
    repeated = [c for c in found if _is_repeated_id(c)]
    if repeated:
        rows = (repeated[0].profile.n_rows - repeated[0].profile.n_missing) / repeated[0].profile.n_distinct
        reason = fact(
            "unit.repeated_person",
            columns=Columns(names=(repeated[0].name,)),
            rows=Number(value=round(rows, 1)),
        )
        return "event", (reason, attributes)
    households = [c for c in table if _is_household_id(c)]
    if households and not any(c.entity in vocabulary.with_trait("identifies_person") for c in found):
        return "household", (fact("unit.household", columns=names(households[:1])), attributes)
    return "person", (attributes,)


def _describes_person(column: UnitColumn) -> bool:
    """Whether a column identifies or describes people, other than by what organisations have as well."""
    shows = vocabulary.with_trait("shows_people") | vocabulary.with_trait("suggests_people")
    types = (shows | vocabulary.with_trait("implies_person") | _special()) - vocabulary.with_trait(
        "shared_by_organisations"
    )
    return column.entity in types and not _rare_name(column)


def _is_contact_list(table: Sequence[UnitColumn], found: Sequence[UnitColumn]) -> bool:
    """Whether the rows are organisations, and the columns about people their contacts."""
    shows = vocabulary.with_trait("shows_people")
    people = any(column.entity in shows for column in found)
    return bool(_names_organisations(table)) and not people and _only_contacts(found)


def _is_household_id(column: UnitColumn) -> bool:
    named = column.has("households") and bool(column.words & {"id", "hid", "hhid"})
    return named and column.uniqueness >= NEARLY_UNIQUE


def _special() -> frozenset[str]:
    """Return the special categories of personal data."""
    return frozenset(code for code, record in vocabulary.entity_types().items() if record.special)


def _rare_name(column: UnitColumn) -> bool:
    """Whether names of people repeat, as those of composers of works or authors of articles do."""
    return column.entity == "PERSON_NAME" and column.uniqueness < 0.5


def _is_repeated_id(column: UnitColumn) -> bool:
    identifying = vocabulary.with_trait("identifies_person") | {"PSEUDONYM"}
    if column.entity not in identifying - vocabulary.with_trait("person_name"):
        return False
    filled = column.profile.n_rows - column.profile.n_missing
    return filled >= _REPEATED * column.profile.n_distinct


def _names_organisations(table: Sequence[UnitColumn]) -> list[UnitColumn]:
    return [
        c
        for c in table
        if c.uniqueness >= NEARLY_UNIQUE
        and (
            c.entity == "ORGANISATION" or (c.entity is None and c.has("organisations") and c.words & {"name"})
        )
    ]


def _only_contacts(found: Sequence[UnitColumn]) -> bool:
    """Whether the columns about people describe the contact of an organisation, or identify the organisation."""
    contact_types = vocabulary.with_trait("contact_or_account") | vocabulary.with_trait(
        "of_organisations_too"
    )
    return all(c.has("contacts") or (c.entity in contact_types) for c in found)


def _organisation(
    dataset: Dataset, table: Sequence[UnitColumn]
) -> tuple[UnitKind, Fact] | tuple[UnitKind, Fact, Fact] | None:
    organisations = _names_organisations(table)
    if not organisations:
        periods = None if _may_be_about_people(table) else panel(dataset, table)
        return None if periods is None else ("organisation", periods, fact("unit.no_person"))
    named = fact("unit.organisations", columns=names(organisations))
    direct = [c for c in table if c.entity in vocabulary.with_role("direct")]
    if direct:
        return "organisation", named, fact("unit.contacts_only", columns=names(direct))
    return "organisation", named


def _object(dataset: Dataset, table: Sequence[UnitColumn]) -> tuple[UnitKind, Fact, Fact] | None:
    """Return that rows are things, by a key or by physical quantities, if no column may be about a person."""
    if _may_be_about_people(table) or any(
        c.entity == "UNRESOLVED_ID" and not c.has("objects") for c in table
    ):
        return None
    no_person = fact("unit.no_person")
    keys = key_of_things(dataset, table)
    if keys:
        return "object", fact("unit.key_of_thing", columns=names(keys)), no_person
    phenomena = [c for c in table if c.has("phenomena")]
    if len(phenomena) >= 2 or 2 * len(phenomena) >= len(table) > 0:
        return "object", fact("unit.phenomena", columns=names(phenomena)), no_person
    return None


def _may_be_about_people(table: Sequence[UnitColumn]) -> bool:
    """Whether a column identifies or describes a person, or is named as if it did."""
    implies = vocabulary.with_trait("implies_person")
    if any(c.has("people") or (c.entity in implies and not _rare_name(c)) for c in table):
        return True
    attributes = vocabulary.with_trait("shows_people") | vocabulary.with_trait("clinical") | _special()
    return any(c.suggested & attributes for c in table)
