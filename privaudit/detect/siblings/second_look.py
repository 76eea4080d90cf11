"""A second look at every column in the context of the table.

Question: does the table describe people, where are its places, and which columns need another column to be recognised?
Method: the first verdicts show which columns name or describe people; then keys, digests, postal codes, coordinates
and unnamed measurements are judged again in the context of the other columns.
Limits: a table that joins people and things is treated as one of people.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit import vocabulary
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.ledger import named
from privaudit.detect.siblings import ages, clinical, encoded, places, references
from privaudit.detect.siblings import table_of_people as people
from privaudit.detect.siblings.candidates import suggest
from privaudit.detect.siblings.table_of_things import revise_things
from privaudit.wording import fact

_WORDS_FOR_KEYS = frozenset("id key uid guid uuid code identifier".split())
_WORDS_FOR_RECORDS = frozenset("unique record row no number".split())
_WORDS_FOR_STAFF = frozenset(
    "owner manager agent assigned staff rep supervisor employee creator created updated author".split()
)


def describes_people(table: Sequence[ColumnEvidence]) -> bool:
    """Whether the table describes people: by one clear attribute, by two weaker ones, or by varied person names."""
    clear, weak = vocabulary.with_trait("shows_people"), vocabulary.with_trait("suggests_people")
    entities = {item.entity for item in table}
    person_names = vocabulary.with_trait("person_name")
    named = any(item.entity in person_names and item.column.uniqueness >= 0.5 for item in table)
    return len(entities & (clear | weak)) >= 2 or bool(entities & clear) or named


def revise_verdicts(table: Sequence[ColumnEvidence]) -> None:
    """Add to the evidence on every column what the other columns show, and decide again."""
    described = _revise_first_verdicts(table)
    places.suggest_places(table)
    place_names = vocabulary.with_trait("place_name")
    contacts = vocabulary.with_trait("contact_or_account")
    has_contacts = any(item.entity in contacts for item in table)
    n_places = sum(item.entity in place_names for item in table)
    for position, item in enumerate(table):
        _name_record_key(item, table, described)
        if described:
            _name_person_key(item)
            _suggest_pseudonym(item)
            _suggest_person_names(item)
            _suggest_birth(item)
        if described or has_contacts:
            places.suggest_padded_postal_codes(item)
            people.suggest_phone_numbers(item)
        if n_places >= 1:
            places.suggest_postal_codes(item, n_places, places.is_near(table, position, place_names))
        places.reject_postal_codes(item, n_places)
        places.suggest_coordinates(table, position)
        encoded.interpret(item)
    clinical.name_clinical_measures(table)
    references.name_references(table)
    revise_things(table, described)
    references.name_described_codes(table)


def _revise_first_verdicts(table: Sequence[ColumnEvidence]) -> bool:
    """Correct the first verdicts in the context of each other; return whether the table describes people."""
    clear, weak = vocabulary.with_trait("shows_people"), vocabulary.with_trait("suggests_people")
    for item in table:
        people.revise_first_verdict(item)
    described = people.name_flags(table, describes_people(table))
    # A year can be the birth of a person only where another attribute of the person is present.
    people.reject_births(table, any(item.entity in clear - {"BIRTH_YEAR"} for item in table))
    people.suggest_initials(table)
    ages.choose_age(table, any(item.entity in (clear | weak) - {"AGE"} for item in table))
    people.suggest_sex(table)
    if described or describes_people(table):
        people.suggest_letter_codes(table)
        people.name_body_weights(table)
        return True
    return False


def _name_person_key(item: ColumnEvidence) -> None:
    """A bare ``id`` that differs in every row of a table about people is the person ID."""
    header = item.column.header
    bare = bool(header.words) and set(header.words) <= _WORDS_FOR_KEYS | _WORDS_FOR_RECORDS
    by_row = item.ledger.measurements.get("counts_rows") and item.entity == "ROW_NUMBER" and not bare
    if item.ledger.strength_of_name("RECORD_ID") > 0.96:
        return
    if not bare or by_row or item.column.uniqueness < 0.99 or item.column.data_type == "decimal":
        return
    unexplained = vocabulary.in_group("key") - vocabulary.with_trait("implies_person") - {"SESSION_ID"}
    if item.entity is None or item.entity in unexplained:
        item.post([named(item.column, "PERSON_ID", 0.88, fact("detect.siblings_key_of_people"))])


def _suggest_person_names(item: ColumnEvidence) -> None:
    """Suggest names for single words of which lists contain some and nearly all differ."""
    column = item.column
    if item.verdict is not None or not column.header.is_opaque or column.data_type != "text":
        return
    person_names = vocabulary.with_trait("person_name")
    known = [c for c in item.ledger.standing() if c.entity in person_names and c.strength >= 0.1]
    various = column.n_distinct >= 20 and (column.uniqueness >= 0.5 or column.n_distinct >= 1000)
    single = (
        column.matching(r"^\p{L}[\p{L}'’ .-]{1,30}$") >= 0.9 and float(column.words_per_cell.mean()) < 1.4
    )
    if known and various and single:
        best = max(known, key=lambda c: c.strength)
        because = fact("detect.siblings_single_words")
        suggest(item, best.entity, 0.55, because, n_cells=best.n_cells, earlier=best.clues)


def _suggest_birth(item: ColumnEvidence) -> None:
    """Suggest dates of birth for unnamed days without a time of day over decades."""
    if item.entity != "DATE_EVENT" or not item.column.header.is_opaque or not item.calendar.midnight:
        return
    if item.calendar.precision == "day" and item.calendar.spread >= 45:
        suggest(item, "DATE_OF_BIRTH", 0.66, fact("detect.siblings_generations"))


def _is_person_key(item: ColumnEvidence) -> bool:
    """Whether a column name shows that it identifies the people that the records belong to."""
    header = item.column.header
    is_named = item.ledger.strength_of_name("PERSON_ID") >= 0.7 and not set(header.words) & _WORDS_FOR_STAFF
    return is_named and any(hint.entity == "PERSON_ID" and hint.strength >= 0.7 for hint in header.hints)


def _name_record_key(item: ColumnEvidence, table: Sequence[ColumnEvidence], described: bool) -> None:
    """A bare ``id`` is a record ID where another column is the person ID, or where nothing describes people."""
    header = item.column.header
    if not header.words or not set(header.words) <= _WORDS_FOR_KEYS or "PERSON_ID" in item.ledger.named:
        return
    person_keys = any(other is not item and _is_person_key(other) for other in table)
    personal_types = vocabulary.with_trait("birth") | {"LAST_NAME"}
    persons = any(other.entity in personal_types for other in table)
    contacts = vocabulary.with_trait("contact_or_account")
    personal = described or any(other.entity in contacts for other in table)
    numbers = item.column.data_type == "integer"
    if (person_keys and not persons) or (numbers and not personal):
        because = fact("detect.siblings_key_next_to_people" if personal else "detect.siblings_key_of_thing")
        item.post([named(item.column, "RECORD_ID", 0.97, because)])


def _suggest_pseudonym(item: ColumnEvidence) -> None:
    """A digest or a UUID for every person is a pseudonym."""
    if item.entity not in vocabulary.with_trait("opaque_code") or item.verdict is None:
        return
    identifying = vocabulary.with_trait("identifies_person") - {"HEALTH_ID", "TAX_ID"}
    named = any(hint.entity in identifying for hint in item.column.header.hints)
    if named or item.column.uniqueness > 0.5:
        because = fact("detect.siblings_named_pseudonym" if named else "detect.siblings_code_for_each_person")
        detail, earlier = item.verdict.entity.lower(), item.verdict.evidence
        suggest(item, "PSEUDONYM", 0.985, because, detail=detail, earlier=earlier, generic=False)
