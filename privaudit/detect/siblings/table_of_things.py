"""What the columns of a table about things mean that the same columns alone do not show.

Question: is a code a record ID, is ``alcohol`` a habit, in a table that does not describe people?
Method: a table whose columns have meaningful names, none of which implies a person, is about things: products,
flights, machines, logs. There, unique codes are record IDs, and words that name a property of people elsewhere
(``team``, ``rank``, ``plate``, ``sodium``) do not. In a table about people, the key of an event next to the person ID
is a record ID.
Limits: where the column names have no meaning (``c07``), nothing changes: an unnamed code remains an unresolved
identifier.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from privaudit import vocabulary
from privaudit.detect import wordlists
from privaudit.detect.ledger import NAME, named
from privaudit.detect.siblings.candidates import withdraw
from privaudit.detect.values.plausibility import contradicted
from privaudit.wording import Fact, fact

if TYPE_CHECKING:
    from collections.abc import Collection

    from privaudit.detect.column_evidence import ColumnEvidence

# Words that name an attribute of a person only next to other such attributes.
_AMBIGUOUS = frozenset(
    "team rank position industry class grade division role title major sector section career industry type level "
    "school university home away no number code name id".split()
)
_NAMES_OF_THINGS = frozenset(
    "name|names|title|location|state|pin|post|residence|card|cc|social|ss|years".split("|")
)
_WORDS_FOR_SUBJECTS = frozenset("sub individual uid uidd entity".split())
_WORDS_FOR_KEYS = frozenset("id ids key uid guid uuid identifier no nr num number ref reference code".split())
_WORDS_FOR_CLAIMS = frozenset({"claim", "claims", "charge", "charges"})
_WORDS_FOR_HOSPITALS = frozenset(
    "patient patients bed admitted admission discharge discharged diagnosis consultant nurse physician hospital los "
    "mrn surgeon triage".split()
)
_RECORD_STRENGTH = 0.97


def revise_things(table: Sequence[ColumnEvidence], describes_people: bool) -> None:
    """Correct columns of things that resemble attributes of people."""
    _name_hospital_wards(table)
    _name_serial_numbers(table, describes_people)
    if not describes_people and _is_about_things(table):
        for item in table:
            _name_key_of_thing(item)
            _reject_work(item)
            _reject_body_measures(item, table)
            _reject_other_attributes(item)
    elif any(_is_person_key(item) for item in table):
        for item in table:
            _name_key_of_event(item, table)


def _is_about_things(table: Sequence[ColumnEvidence]) -> bool:
    """Whether the column names are meaningful and none of them implies a person."""
    named = [item for item in table if item.column.header.words and not item.column.header.is_opaque]
    known = [item for item in named if item.column.header.hints or _names_a_thing(item)]
    if len(named) < 0.6 * len(table) or len(named) < 2 or len(known) < max(1, 0.2 * len(table)):
        return False
    personal = vocabulary.with_trait("implies_person")
    if any(
        (item.entity in personal or _suggests_person(item)) and not _is_doubtful_key(item) for item in table
    ):
        return False
    clinical = sum(item.entity in vocabulary.with_trait("clinical") for item in table)
    work = vocabulary.with_trait("work_or_education")
    clear = {item.entity for item in table if item.entity in work and not _has_ambiguous_name(item)}
    return len(clear) < 2 and clinical < max(3, 0.3 * len(table))


def _names_a_thing(item: ColumnEvidence) -> bool:
    """Whether a column name contains a word for things."""
    known = wordlists.word_list("things")
    return any(word in known or word.removesuffix("s") in known for word in item.column.header.words)


def _suggests_person(item: ColumnEvidence) -> bool:
    """Whether a column name suggests a person by a word that things do not have as a name."""
    hints = {
        hint.entity: hint.phrase for hint in item.column.header.hints if hint.entity in item.ledger.named
    }
    personal = vocabulary.with_trait("implies_person")
    return any(entity in personal and phrase not in _NAMES_OF_THINGS for entity, phrase in hints.items())


def _has_ambiguous_name(item: ColumnEvidence) -> bool:
    """Whether a column name consists of words that things have as well."""
    words = set(item.column.header.words)
    return words <= _AMBIGUOUS | {word for word in words if word.isdigit()}


def _is_doubtful_key(item: ColumnEvidence) -> bool:
    """Whether a person ID is named by a word that also means a part."""
    words = set(item.column.header.words)
    known = _WORDS_FOR_SUBJECTS | _WORDS_FOR_KEYS
    return item.entity == "PERSON_ID" and bool(words & _WORDS_FOR_SUBJECTS) and words <= known


def _name_record_id(item: ColumnEvidence, because: Fact) -> None:
    item.post(item.ledger.answer({"PERSON_ID"}, because, (NAME,)))
    item.post([named(item.column, "RECORD_ID", _RECORD_STRENGTH, because)])


def _name_key_of_thing(item: ColumnEvidence) -> None:
    column = item.column
    unresolved = item.entity == "UNRESOLVED_ID" and not column.header.is_opaque
    if unresolved and set(column.header.words) <= _WORDS_FOR_KEYS and column.uniqueness < 0.9:
        return  # a key that recurs belongs to a subject, which may be a person
    if unresolved or _is_doubtful_key(item):
        _name_record_id(item, fact("detect.siblings_key_of_thing"))


def _reject_name(item: ColumnEvidence, entities: Collection[str], reason: Fact) -> None:
    """Reject what the column name suggests; `item` is decided as one of `entities`."""
    withdraw(item, entities, contradicted(str(item.entity), reason), also_named=True)


def _reject_work(item: ColumnEvidence) -> None:
    work = vocabulary.with_trait("work_or_education")
    if item.entity in work and _has_ambiguous_name(item):
        _reject_name(item, work, fact("detect.siblings_no_people_in_table"))


def _reject_body_measures(item: ColumnEvidence, table: Sequence[ColumnEvidence]) -> None:
    """Reject numbers as measures of a body among measures of a thing, unless cells of the table mention health."""
    clinical = vocabulary.with_trait("clinical")
    numeric = item.column.data_type in ("integer", "decimal", "boolean")
    ill = any(c.entity == "MEDICAL" and c.strength >= 0.6 for other in table for c in other.ledger.standing())
    if item.entity in clinical and numeric and not ill:
        _reject_name(item, clinical, fact("detect.siblings_no_people_in_table"))


def _reject_other_attributes(item: ColumnEvidence) -> None:
    """Reject sums without a person, plates of an instrument and densities of a substance."""
    words, data_type = set(item.column.header.words), item.column.data_type
    weak = item.column.header.strength("FINANCIAL") <= 0.5 or words <= _WORDS_FOR_CLAIMS
    if item.entity == "FINANCIAL" and data_type in ("integer", "decimal") and weak:
        _reject_name(item, {"FINANCIAL"}, fact("detect.siblings_no_people_in_table"))
    if item.entity == "VEHICLE_ID" and "plate" in words and data_type == "integer":
        _reject_name(item, {"VEHICLE_ID"}, fact("detect.siblings_plates_without_letters"))
    if item.entity == "GEO_CODE" and "density" in words and data_type == "decimal":
        _reject_name(item, {"GEO_CODE"}, fact("detect.siblings_no_people_in_table"))


def _is_person_key(item: ColumnEvidence) -> bool:
    """Whether a column identifies the people that the records of the table belong to."""
    named = item.ledger.strength_of_name("PERSON_ID") >= 0.7 and item.entity == "PERSON_ID"
    return named or item.entity == "HEALTH_ID"


def _name_key_of_event(item: ColumnEvidence, table: Sequence[ColumnEvidence]) -> None:
    """``lab_id`` next to the patient number is a record ID."""
    header = item.column.header
    if item.entity != "UNRESOLVED_ID" or header.is_opaque:
        return
    if len(header.words) < 2 or header.words[-1] not in _WORDS_FOR_KEYS:
        return
    if any(hint.entity in vocabulary.with_trait("identifies_person") for hint in header.hints):
        return
    if any(_is_person_key(other) for other in table if other is not item):
        _name_record_id(item, fact("detect.siblings_key_of_event"))


def _name_serial_numbers(table: Sequence[ColumnEvidence], describes_people: bool) -> None:
    """A serial number counts households in a census and things in a table of things; it is not a person's device."""
    survey = sum(item.entity in vocabulary.with_trait("survey_variable") for item in table) >= 2
    weighted = any(item.entity == "WEIGHT" for item in table)
    online = any(item.entity in vocabulary.in_group("device") - {"DEVICE_ID"} for item in table)
    for item in table:
        serial = any(word.startswith("serial") for word in item.column.header.words)
        if item.entity != "DEVICE_ID" or not serial or online:
            continue
        if (survey and weighted) or (not describes_people and _is_about_things(table)):
            withdraw(item, {"DEVICE_ID"}, fact("detect.siblings_no_device"), also_named=True)
            _name_record_id(item, fact("detect.siblings_serial_number"))


def _name_hospital_wards(table: Sequence[ColumnEvidence]) -> None:
    """``ward`` next to patients is a department of a hospital."""
    words = {word for item in table for word in item.column.header.words}
    health = any(item.entity in ("MEDICAL", "HEALTH_ID") for item in table)
    if not (health and words & _WORDS_FOR_HOSPITALS):
        return
    readings = vocabulary.with_trait("place_name") | {"MEDICAL"}
    for item in table:
        if "ward" in item.column.header.words and item.entity in readings and item.column.letters:
            withdraw(item, readings, fact("detect.siblings_hospital_ward"), also_named=True)
            item.post([named(item.column, "DEPARTMENT", 0.8, fact("detect.siblings_hospital_ward"))])
