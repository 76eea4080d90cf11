"""What a table of things says of its columns that they don't say alone.

Question: is a code the key of a record, is ``alcohol`` a habit, where nothing in the table tells of people?
Method: a table whose columns have legible names, none of which tells of a person, is of things: products, flights,
machines, logs. There unique codes are keys of records, and words that mean a property of people elsewhere (``team``,
``rank``, ``plate``, ``sodium``) mean none. In a table of people, the key of an event beside the key of the person is
a record's.
Limits: where the names say nothing (``c07``) nothing is changed: an unnamed code stays an unresolved identifier.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from privaudit.detect import words
from privaudit.detect.siblings import people
from privaudit.model import Clue

if TYPE_CHECKING:
    from privaudit.detect.siblings.context import Examined

_TELLING = frozenset(
    "PERSON_NAME FIRST_NAME LAST_NAME MIDDLE_NAME MAIDEN_NAME EMAIL PHONE SSN NATIONAL_ID TAX_ID PASSPORT VOTER_ID "
    "DRIVER_LICENSE HEALTH_ID CREDIT_CARD IBAN BANK_ACCOUNT STREET_ADDRESS DATE_OF_BIRTH DEATH_DATE AGE GENDER "
    "MARITAL_STATUS RACE_ETHNICITY NATIONALITY RELIGION INCOME SEX_LIFE POLITICS UNION CRIMINAL HOUSEHOLD USERNAME "
    "PASSWORD IP_ADDRESS MAC_ADDRESS USER_AGENT PERSON_ID PSEUDONYM GENETIC IMAGE CREDIT_SCORE CARD_EXPIRY".split()
)
_OF_WORK = frozenset("OCCUPATION EDUCATION DEPARTMENT EMPLOYER".split())
# Words that tell of a person only beside others that do.
_AMBIGUOUS = frozenset(
    "team rank position industry class grade division role title major sector section career industry type level "
    "school university home away no number code name id".split()
)
_NAMES_OF_THINGS = frozenset(
    "name|names|title|location|state|pin|post|residence|card|cc|social|ss|years".split("|")
)
_PERSONS_KEYS = frozenset("sub individual uid uidd entity".split())
_KEY = frozenset("id ids key uid guid uuid identifier no nr num number ref reference code".split())
_WHOSE = frozenset("PERSON_ID HEALTH_ID PERSON_NAME NATIONAL_ID TAX_ID SSN USERNAME EMAIL PHONE".split())
_BODY = frozenset({"MEDICAL", "BIOMETRIC"})
_CENSUS = frozenset({"WEIGHT", "HOUSEHOLD", "INCOME", "AGE", "GENDER", "RACE_ETHNICITY", "EDUCATION"})
_ONLINE = frozenset({"IP_ADDRESS", "MAC_ADDRESS", "USER_AGENT"})
_HOSPITAL = frozenset(
    "patient patients bed admitted admission discharge discharged diagnosis consultant nurse physician hospital los "
    "mrn surgeon triage".split()
)


def run(table: Sequence[Examined], described: bool) -> None:
    """Put right what is taken for people's; `described` says whether the table describes people."""
    _wards(table)
    _serials(table, described)
    if not described and of_things(table):
        for item in table:
            _key_of_thing(item)
            _work(item)
            _body(item, table)
            _other(item)
    elif any(_whose(item) for item in table):
        for item in table:
            _key_of_event(item, table)


def of_things(table: Sequence[Examined]) -> bool:
    """Return whether the names of the columns are legible and nothing tells of a person."""
    legible = [item for item in table if item.column.header.words and not item.column.header.opaque]
    spoken = [item for item in legible if item.column.header.hints or _thing(item)]
    if len(legible) < 0.6 * len(table) or len(legible) < 2 or len(spoken) < max(1, 0.2 * len(table)):
        return False
    if any((item.entity in _TELLING or _spoken_of(item)) and not _doubtful(item) for item in table):
        return False
    clinical = sum(item.entity in _BODY for item in table)
    clear = {item.entity for item in table if item.entity in _OF_WORK and not _vague(item)}
    return len(clear) < 2 and clinical < max(3, 0.3 * len(table))


def _thing(item: Examined) -> bool:
    """Return whether a column's name holds a word that tells of things."""
    known = words.word_list("things")
    spoken = item.column.header.words
    return any(word in known or word.removesuffix("s") in known for word in spoken)


def _spoken_of(item: Examined) -> bool:
    """Return whether a column's name may be a person's, by a word that means more than the name of a thing."""
    hints = {hint.entity: hint.phrase for hint in item.column.header.hints if hint.entity in item.named}
    return any(entity in _TELLING and phrase not in _NAMES_OF_THINGS for entity, phrase in hints.items())


def _vague(item: Examined) -> bool:
    """Return whether a column's name consists of words that things have, too."""
    return set(item.column.header.words) <= _AMBIGUOUS | {w for w in item.column.header.words if w.isdigit()}


def _doubtful(item: Examined) -> bool:
    """Return whether a key is called a person's by a word that means a part as well."""
    spoken = set(item.column.header.words)
    return item.entity == "PERSON_ID" and bool(spoken & _PERSONS_KEYS) and spoken <= _PERSONS_KEYS | _KEY


def _record(item: Examined, because: str) -> None:
    item.named.pop("PERSON_ID", None)
    item.named["RECORD_ID"] = (0.97, None, Clue(kind="header", because=because))


def _forget(item: Examined, entities: frozenset[str], because: str) -> None:
    gone = sorted(entities & ({c.entity for c in item.found.candidates} | item.named.keys()))
    if not gone:
        return
    item.found.candidates[:] = [c for c in item.found.candidates if c.entity not in entities]
    for entity in gone:
        item.named.pop(entity, None)
    item.found.reject(gone[0], because)


_THINGS = "nothing in the table tells of a person"


def _key_of_thing(item: Examined) -> None:
    column = item.column
    unnamed = item.entity == "UNRESOLVED_ID" and not column.header.opaque
    if unnamed and set(column.header.words) <= _KEY and column.uniqueness < 0.9:
        return  # a bare key that recurs is that of a subject, which may be a person
    if unnamed or _doubtful(item):
        _record(item, f"a key where {_THINGS}")


def _work(item: Examined) -> None:
    if item.entity in _OF_WORK and _vague(item):
        _forget(item, _OF_WORK, f"its name suggests it, but {_THINGS}")


def _body(item: Examined, table: Sequence[Examined]) -> None:
    """Measures of a body among measures of a thing are the thing's, unless cells speak of health."""
    numeric = item.column.data_type in ("integer", "decimal", "boolean")
    ill = any(c.entity == "MEDICAL" and c.strength >= 0.6 for other in table for c in other.found.candidates)
    if item.entity in _BODY and numeric and not ill:
        _forget(item, _BODY, f"its name suggests it, but {_THINGS}")


def _other(item: Examined) -> None:
    """Sums without a person, plates of an instrument, densities of a substance."""
    spoken, kind = set(item.column.header.words), item.column.data_type
    weak = item.column.header.strength("FINANCIAL") <= 0.5 or spoken <= {
        "claim",
        "claims",
        "charge",
        "charges",
    }
    if item.entity == "FINANCIAL" and kind in ("integer", "decimal") and weak:
        _forget(item, frozenset({"FINANCIAL"}), f"its name suggests it, but {_THINGS}")
    if item.entity == "VEHICLE_ID" and "plate" in spoken and kind == "integer":
        _forget(item, frozenset({"VEHICLE_ID"}), "its name suggests it, but plates of vehicles hold letters")
    if item.entity == "GEO_CODE" and "density" in spoken and kind == "decimal":
        _forget(item, frozenset({"GEO_CODE"}), f"its name suggests it, but {_THINGS}")


def _whose(item: Examined) -> bool:
    """Return whether a column holds a key of the people whom the table's records belong to."""
    said = item.named.get("PERSON_ID", (0.0,))[0] >= 0.7 and item.entity == "PERSON_ID"
    return said or item.entity == "HEALTH_ID"


def _key_of_event(item: Examined, table: Sequence[Examined]) -> None:
    """``lab_id`` beside the number of the patient is the key of a record."""
    spoken = item.column.header.words
    if (
        item.entity != "UNRESOLVED_ID"
        or len(spoken) < 2
        or spoken[-1] not in _KEY
        or item.column.header.opaque
    ):
        return
    if any(hint.entity in _WHOSE for hint in item.column.header.hints):
        return
    if any(_whose(other) for other in table if other is not item):
        _record(item, "the key of a record, beside the key of the person")


def _serials(table: Sequence[Examined], described: bool) -> None:
    """A serial number beside the questions of a census counts households; among things it is the thing's."""
    census = sum(item.entity in _CENSUS for item in table) >= 2
    weighted = any(item.entity == "WEIGHT" for item in table)
    online = any(item.entity in _ONLINE for item in table)
    for item in table:
        serial = any(word.startswith("serial") for word in item.column.header.words)
        if item.entity != "DEVICE_ID" or not serial or online:
            continue
        if (census and weighted) or (not described and of_things(table)):
            _forget(item, frozenset({"DEVICE_ID"}), "the other columns tell of no device of a person")
            _record(item, "a serial number of records")


def _wards(table: Sequence[Examined]) -> None:
    """A ward beside patients is a department of a hospital."""
    spoken = {word for item in table for word in item.column.header.words}
    clinical = any(item.entity in ("MEDICAL", "HEALTH_ID") for item in table) and spoken & _HOSPITAL
    if not clinical:
        return
    for item in table:
        if (
            "ward" in item.column.header.words
            and item.entity in ("COUNTY_REGION", "CITY", "MEDICAL")
            and item.column.letters
        ):
            _forget(item, frozenset({"COUNTY_REGION", "CITY", "MEDICAL"}), "the ward is one of a hospital")
            clue = Clue(kind="header", because="a ward beside patients")
            item.named["DEPARTMENT"] = (0.8, None, clue)


def postal(item: Examined, places: int) -> None:
    """Codes that all begin with one letter, without a place beside them, are numbers of one register."""
    column = item.column
    if item.entity != "POSTAL_CODE" or places or "POSTAL_CODE" in item.named or column.n_distinct < 20:
        return
    first = {text[0] for text in column.sample}
    if len(first) == 1 and next(iter(first)).isalpha():
        people.drop(item, frozenset({"POSTAL_CODE"}), "all begin with one letter, and no place stands beside")
