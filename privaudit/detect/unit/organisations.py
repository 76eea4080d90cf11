"""Recognise a table about organisations: which columns name them, and whether all else belongs to them.

Question: is each row an organisation, one in a period, or the contact of one?
Method: a column that names another organisation in nearly every row, where all column names are attributes of
organisations; or organisations by periods, of which the rows cover at least half of the possible combinations.
Limits: panels in tables of up to `ROWS_IN_MEMORY` rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.detect.unit.columns import NEARLY_UNIQUE, UnitColumn, is_uninformative, may_be_about_people, names
from privaudit.detect.unit.keys import FULL, rows_by
from privaudit.detect.unit.thing_words import is_attribute, kinds, words_of
from privaudit.model import UnitKind, vocabulary
from privaudit.model.wording import Fact, fact
from privaudit.source.dataset import ROWS_IN_MEMORY, Dataset

_NUMBERS = frozenset({"integer", "decimal"})


def find_organisations(
    dataset: Dataset, table: Sequence[UnitColumn]
) -> tuple[UnitKind, Fact] | tuple[UnitKind, Fact, Fact] | None:
    """Return that the rows are organisations, with the reasons; None otherwise."""
    organisations = names_organisations(table)
    if not organisations:
        periods = None if may_be_about_people(table) else _panel(dataset, table)
        return None if periods is None else ("organisation", periods, fact("unit.no_person"))
    if not all(map(_is_of_organisation, table)):
        return None
    named = fact("unit.organisations", columns=names(organisations))
    direct = [c for c in table if c.entity in vocabulary.with_role("direct")]
    if direct:
        return "organisation", named, fact("unit.contacts_only", columns=names(direct))
    return "organisation", named


def names_organisations(table: Sequence[UnitColumn]) -> list[UnitColumn]:
    """Return the columns that name another organisation in nearly every row."""
    return [
        c
        for c in table
        if c.uniqueness >= NEARLY_UNIQUE
        and (c.entity == "ORGANISATION" or (c.entity is None and c.has("organisations") and c.words & {"name"}))
    ]


def is_contact_list(table: Sequence[UnitColumn], found: Sequence[UnitColumn]) -> bool:
    """Whether the rows are organisations, and the columns about people their contacts."""
    shows = vocabulary.with_trait("shows_people")
    people = any(column.entity in shows for column in found)
    return bool(names_organisations(table)) and not people and _only_contacts(found)


def _only_contacts(found: Sequence[UnitColumn]) -> bool:
    """Whether the columns about people describe the contact of an organisation, or identify the organisation."""
    contact_types = vocabulary.with_trait("contact_or_account") | vocabulary.with_trait("of_organisations_too")
    return all(c.has("contacts") or (c.entity in contact_types) for c in found)


def _is_of_organisation(column: UnitColumn) -> bool:
    """Whether a column is an attribute of organisations by its name."""
    words = words_of("qualifiers", "times", "places", "money", "statistics") | kinds()["organisation"].attributes
    return is_uninformative(column) or is_attribute(column, words)


def _panel(dataset: Dataset, table: Sequence[UnitColumn]) -> Fact | None:
    """Return the reason why each row is an organisation in a period, or None.

    Organisations, at the places that the table states, have one row for each period, and the rows cover at least half
    of the possible combinations. The employers of people do not: their dates are those of each person. All else are
    attributes of organisations by their names, keys of the organisations, or numbers.
    """
    places, others = vocabulary.with_trait("place_name"), vocabulary.with_trait("other_party")
    organisations = [c for c in table if c.entity in others and not c.profile.constant]
    periods = [c for c in table if _is_period(c) and not c.profile.constant]
    n = dataset.n_rows
    if not organisations or not periods or not 2 <= n <= ROWS_IN_MEMORY:
        return None
    units = [*organisations, *(c for c in table if c.entity in places and not c.profile.constant)]
    possible = rows_by(dataset, units) * rows_by(dataset, periods)
    if n < FULL * possible or rows_by(dataset, [*units, *periods]) < n:
        return None
    rest = [c for c in table if c not in units and c not in periods and c.profile.data_type not in _NUMBERS]
    if not all(_is_of_organisation(c) for c in rest):
        return None
    return fact("unit.panel", columns=names(organisations), periods=names(periods))


def _is_period(column: UnitColumn) -> bool:
    return column.entity == "DATE_EVENT" or column.has("periods")
