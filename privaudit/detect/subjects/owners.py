"""Keys next to other columns: whose key it is, and what codes with a description mean.

Question: is ``id`` a key of a person or of a record, is ``PATIENT`` a key of a person, what do the codes next to
``DESCRIPTION`` mean?
Method: a bare ``id`` that differs in every row of a table about people and does more than number the rows is the person
ID, and a digest or a UUID for every person is a pseudonym. A column of keys is named after what it refers to, so that
``patient`` is read as ``patient id``. In a table whose columns have meaningful names, none of which implies a person, a
unique code is a record ID. Codes take the entity type of an adjacent column of words whose values occur exactly as
often, value for value.
Limits: shorter numbers than `_LEAST_DIGITS` digits may count patients or customers; they are keys only if hardly any
is missing from 1 to the highest. Two columns with the same counts that do not belong together are confused. A table
that joins people and things is one of people.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.base.patterns import Expression
from privaudit.detect.catalogue.wordlists import word_list
from privaudit.detect.column import VARIOUS, Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.resolver import LEAST, Reading
from privaudit.detect.subjects.column_names import contradicted
from privaudit.detect.subjects.context import Posting, Table, describes_people, name, suggest, withdraw
from privaudit.detect.subjects.hashes import is_random_token
from privaudit.model import vocabulary
from privaudit.model.headers import Header, read_header
from privaudit.model.vocabulary import entity_type
from privaudit.model.wording import Columns, fact

_LEAST_DIGITS = 4
_DENSE = 0.9  # share of the numbers up to the highest; a sample of the rows misses some
_PARTS = Expression(r"[^0-9A-Za-z]+")
_SURE = 0.9  # the lexicon has the phrase, such as "patient id"


def name_person_keys(table: Table) -> Iterator[Posting]:
    """Yield the claim on person IDs for a bare ``id`` that differs in every row of a table about people.

    Next to a key of people that repeats, or next to the tokens that replaced one, it is that of the record, unless the
    key of the person is a part of it.
    """
    unexplained = vocabulary.in_group("key") - vocabulary.with_trait("implies_person") - {"SESSION_ID"} | {None}
    others = [item.column for item in table if _repeats_people(item)]
    for item in table if describes_people(table) else ():
        column = item.column
        # A column that counts rows numbers those of this table and nothing else.
        is_key = column.is_unique and column.data_type != "decimal" and not _counts_rows(item)
        if not is_key or item.entity not in unexplained or not _is_named_as_key(column.header):
            continue
        if not others or any(_contains_keys(column, other) for other in others):
            yield name(item, "PERSON_ID", 0.88, fact("detect.siblings_key_of_people"))


def _repeats_people(item: ColumnEvidence) -> bool:
    """Whether a column holds the keys of people, or the tokens in their place, several rows each."""
    is_token = any(hint.entity == "PSEUDONYM" for hint in item.column.header.hints) and is_random_token(item.column)
    return (item.entity == "PERSON_ID" or is_token) and not item.column.is_varied


def _contains_keys(column: Column, other: Column) -> bool:
    """Whether most cells of `column` consist of several parts, of which one is a value of `other`."""
    cells = [_PARTS.split(cell) for cell in column.sample]
    parts = pa.array([part for cell in cells for part in cell], other.values.type)
    keys = frozenset(parts.filter(pc.is_in(parts, value_set=other.values)).to_pylist())
    return sum(len(cell) > 1 and not keys.isdisjoint(cell) for cell in cells) > len(cells) / 2


def _counts_rows(item: ColumnEvidence) -> bool:
    return "counts_rows" in item.ledger.measurements


def _is_named_as_key(header: Header) -> bool:
    """Whether a column name has no words but those for keys, or one of them next to words without a meaning."""
    words = set(header.words)
    return bool(words) and (_is_bare(words) or (not header.hints and not words.isdisjoint(_words_of_keys())))


def _is_bare(words: Iterable[str]) -> bool:
    """Whether a column name has no words but those for keys and records."""
    return set(words) <= _words_of_keys()


def _words_of_keys() -> frozenset[str]:
    return frozenset().union(*(word_list("key_names", part) for part in ("words", "records", "elsewhere")))


def suggest_pseudonyms(table: Table) -> Iterator[Posting]:
    """Yield the claim on pseudonyms for random tokens under such a name, and for a digest or a UUID of every person."""
    identifying = vocabulary.with_trait("identifies_person") - {"HEALTH_ID", "TAX_ID"}
    about_people = describes_people(table)
    for item in table:
        if any(hint.entity == "PSEUDONYM" for hint in item.column.header.hints) and is_random_token(item.column):
            yield suggest(item, "PSEUDONYM", 0.99, fact("detect.siblings_random_tokens"), detail="random")
            continue
        if not about_people or item.verdict is None or item.entity not in vocabulary.with_trait("opaque_code"):
            continue
        named = any(hint.entity in identifying for hint in item.column.header.hints)
        if named or item.column.is_varied:
            code = "detect.siblings_named_pseudonym" if named else "detect.siblings_code_for_each_person"
            detail, earlier = item.verdict.entity.lower(), item.verdict.evidence
            yield suggest(item, "PSEUDONYM", 0.985, fact(code), detail=detail, earlier=earlier)


def name_references(table: Table) -> Iterator[Posting]:
    """Yield the claim on person IDs for columns of keys that are named after a person."""
    for item in table:
        if _holds_keys(item) and _names_a_person(item):
            because = fact("detect.siblings_reference_to_person")
            if item.entity == "UUID":  # which outweighs any name
                yield suggest(item, "PERSON_ID", 0.986, because, kind="header", detail="uuid")
            else:
                yield name(item, "PERSON_ID", _SURE, because)


def _holds_keys(item: ColumnEvidence) -> bool:
    column = item.column
    if column.n_distinct < VARIOUS:  # categories, or the few companies of a table about people
        return False
    if item.entity in ("UUID", "UNRESOLVED_ID"):
        return True
    if item.entity is not None or column.data_type != "integer":
        return False
    return column.shortest >= _LEAST_DIGITS or (_are_dense(column) and not _counts_rows(item))


def _are_dense(column: Column) -> bool:
    """Whether hardly any whole number is missing from 1 to the highest, as in the keys of another table."""
    numbers = column.known_numbers
    return bool(len(numbers)) and numbers.min() >= 1 and len(numbers) >= _DENSE * numbers.max()


def _names_a_person(item: ColumnEvidence) -> bool:
    """Whether a name, without its words for keys, has with "id" the meaning of a person ID: "patient_uuid"."""
    header = item.column.header
    subject = " ".join(word for word in header.words if word not in _words_of_keys())
    hints = (*header.hints, *read_header(f"{subject} id").hints) if header.qualifier is None else header.hints
    return any(hint.entity == "PERSON_ID" and hint.strength >= _SURE for hint in hints)


def revise_things(table: Table) -> Iterator[Posting]:
    """Yield the claims on a table about things: unique codes are record IDs, and ambiguous names do not count."""
    if describes_people(table) or not _is_about_things(table):
        return
    for item in table:
        if item.reading is not None and _is_ambiguous(item, item.reading):
            entity = item.reading.entity
            because = contradicted(entity, fact("detect.siblings_no_people_in_table"))
            yield from withdraw(item, entity, because, also_named=True)
        header = item.column.header
        unresolved = item.entity == "UNRESOLVED_ID" and not header.is_opaque and not _names_only_people(header)
        of_people = any(hint.entity == "PERSON_ID" and hint.strength >= _SURE for hint in header.hints)
        recurs = (_is_bare(header.words) or of_people) and item.column.uniqueness < 0.9
        if (unresolved and not recurs) or _is_doubtful_key(item):  # a recurring key may be that of a person
            yield name(item, "RECORD_ID", 0.97, fact("detect.siblings_key_of_thing"))


def _is_ambiguous(item: ColumnEvidence, reading: Reading) -> bool:
    """Whether only the column name suggests the entity type, by a word that things have as well."""
    by_name = reading.entity in item.ledger.named and reading.from_values < LEAST
    if not by_name or entity_type(reading.entity).role == "none":
        return False
    if reading.entity == "MEDICAL" and reading.from_name >= _SURE and not _names_a_thing(item):
        return False  # things have a weight, but not a diagnosis
    ambiguous = vocabulary.with_trait("ambiguous_column_name") | vocabulary.with_trait("clinical")
    return reading.entity in ambiguous or reading.from_name <= LEAST


def _is_about_things(table: Table) -> bool:
    """Whether the column names are meaningful and none of them implies a person."""
    named = [item for item in table if item.column.header.words and not item.column.header.is_opaque]
    known = [item for item in named if item.column.header.hints or _names_a_thing(item)]
    if len(named) < max(2, 0.6 * len(table)) or len(known) < max(1, 0.2 * len(table)):
        return False
    attributes = vocabulary.with_trait("clinical") | vocabulary.with_trait("work_or_education")
    if any(item.ledger.strength_of_values(*attributes) >= 0.6 for item in table):
        return False
    personal = vocabulary.with_trait("implies_person")
    return not any((item.entity in personal or _suggests_person(item)) and not _is_doubtful_key(item) for item in table)


def _names_a_thing(item: ColumnEvidence) -> bool:
    """Whether a column name contains a word for things."""
    known = word_list("things")
    return any(word in known or word.removesuffix("s") in known for word in item.column.header.words)


def _suggests_person(item: ColumnEvidence) -> bool:
    """Whether a column name suggests a person by a word that things do not have as a name."""
    personal = vocabulary.with_trait("implies_person") & set(item.ledger.named)
    of_things = word_list("things", "also_of_people")
    return any(hint.entity in personal and hint.phrase not in of_things for hint in item.column.header.hints)


def _names_only_people(header: Header) -> bool:
    """Whether a column name clearly means what only people have, such as a date of birth, whatever the values are."""
    personal, of_things = vocabulary.with_trait("implies_person"), word_list("things", "also_of_people")
    return any(h.entity in personal and h.strength >= _SURE and h.phrase not in of_things for h in header.hints)


def _is_doubtful_key(item: ColumnEvidence) -> bool:
    """Whether a person ID is named by a word that also means a part."""
    words, subjects = set(item.column.header.words), word_list("key_names", "subjects")
    return item.entity == "PERSON_ID" and bool(words & subjects) and _is_bare(words - subjects)


def name_described_codes(table: Table) -> Iterator[Posting]:
    """Yield for codes the claim on what the column that describes them is."""
    attributes = vocabulary.with_role("quasi") | vocabulary.with_role("sensitive")
    for place, item in enumerate(table):
        header = item.column.header
        if not (header.has_word("code") or header.is_opaque) or item.entity not in (None, "RECORD_ID", "UNRESOLVED_ID"):
            continue
        for other in (*table[place + 1 : place + 2], *table[max(0, place - 1) : place]):
            if other.entity in attributes and _are_paired(item.column, other.column):
                because = fact("detect.siblings_described_code", column=Columns((other.column.name,)))
                yield suggest(item, str(other.entity), 0.985, because, generic=False)
                break


def _are_paired(code: Column, label: Column) -> bool:
    """Whether the values of two columns occur exactly as often, value for value, and some recur."""
    if code.n_distinct != label.n_distinct or code.n_distinct < 3 or code.is_varied:
        return False
    return label.has_letters_in(0.5) and bool((np.sort(code.counts) == np.sort(label.counts)).all())
