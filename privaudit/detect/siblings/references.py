"""Keys of people in other tables, and codes with their description in the next column.

Question: is ``PATIENT`` a key of a person, what do the codes next to ``DESCRIPTION`` mean?
Method: a column of keys is named after what it refers to, so that ``patient`` is read as ``patient id``. Codes take the
entity type of an adjacent column of words whose values occur exactly as often, value for value: each code then has
one description.
Limits: numbers need at least `_LEAST_DIGITS` digits, because shorter ones may count patients or customers. Two columns
with the same counts that do not belong together are confused.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.ledger import named
from privaudit.detect.siblings.candidates import suggest
from privaudit.headers import read_header
from privaudit.vocabulary import entity_type
from privaudit.wording import Columns, fact

_LEAST_DIGITS = 4
_LEAST_KEYS = 20  # fewer different values may be categories, or the few companies of a table about people
_SURE = 0.9  # the lexicon has the phrase, such as "patient id"


def name_references(table: Sequence[ColumnEvidence]) -> None:
    """Claim person IDs for columns of keys that are named after a person."""
    for item in table:
        if _holds_keys(item) and _names_a_person(item):
            because = fact("detect.siblings_reference_to_person")
            if item.entity == "UUID":  # which outweighs any name
                suggest(item, "PERSON_ID", 0.986, because, kind="header", detail="uuid", generic=False)
            else:
                item.post([named(item.column, "PERSON_ID", _SURE, because)])


def _holds_keys(item: ColumnEvidence) -> bool:
    column = item.column
    if column.n_distinct < _LEAST_KEYS:
        return False
    numbers = item.entity is None and column.data_type == "integer" and column.shortest >= _LEAST_DIGITS
    return numbers or item.entity in ("UUID", "UNRESOLVED_ID")


def _names_a_person(item: ColumnEvidence) -> bool:
    header = item.column.header
    if header.is_opaque or header.qualifier is not None or not header.words:
        return False
    hints = (*header.hints, *read_header(f"{' '.join(header.words)} id").hints)
    return any(hint.entity == "PERSON_ID" and hint.strength >= _SURE for hint in hints)


def name_described_codes(table: Sequence[ColumnEvidence]) -> None:
    """Claim for codes what the column that describes them is."""
    for place, item in enumerate(table):
        if not item.column.header.has_word("code") or item.entity not in (None, "RECORD_ID", "UNRESOLVED_ID"):
            continue
        for other in (*table[place + 1 : place + 2], *table[max(0, place - 1) : place]):
            if other.entity is not None and _is_attribute(other.entity) and _are_paired(item, other):
                because = fact("detect.siblings_described_code", column=Columns(names=(other.column.name,)))
                suggest(item, other.entity, 0.985, because, generic=False)
                break


def _is_attribute(entity: str) -> bool:
    return entity_type(entity).role in ("quasi", "sensitive")


def _are_paired(code: ColumnEvidence, label: ColumnEvidence) -> bool:
    """Whether the values of two columns occur exactly as often, value for value, and some recur."""
    one, other = code.column, label.column
    if one.n_distinct != other.n_distinct or one.n_distinct < 3 or other.letters < 0.5 or one.uniqueness > 0.5:
        return False
    return bool((np.sort(one.counts) == np.sort(other.counts)).all())
