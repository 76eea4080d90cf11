"""What the columns of a table say of each other.

Question: is this a table of people, where do its places lie, which readings need a neighbour to hold?
Method: a first round of verdicts tells which columns name or describe people; then keys, digests, postal codes,
coordinates and unnamed measurements are read again beside their siblings.
Limits: a table of people and things joined is taken for one of people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Findings
from privaudit.detect.kinds import payloads
from privaudit.detect.kinds.dates import Calendar
from privaudit.detect.siblings import ages, clinical, nearby, people, things
from privaudit.detect.verdict import Named, decide
from privaudit.model import Clue, Verdict

_PEOPLE = frozenset(
    "PERSON_NAME FIRST_NAME LAST_NAME MIDDLE_NAME MAIDEN_NAME EMAIL GENDER DATE_OF_BIRTH BIRTH_YEAR AGE SSN "
    "NATIONAL_ID PASSPORT DRIVER_LICENSE HEALTH_ID MARITAL_STATUS RACE_ETHNICITY RELIGION EDUCATION "
    "OCCUPATION NATIONALITY".split()
)
# Of whom a year can be the birth: a name or a job alone may be that of an author or an owner.
_PERSONS = _PEOPLE - frozenset("BIRTH_YEAR PERSON_NAME OCCUPATION EDUCATION NATIONALITY EMAIL".split())
_OTHERS = _PEOPLE - {"AGE"}
_NAMES = frozenset("PERSON_NAME FIRST_NAME LAST_NAME MIDDLE_NAME MAIDEN_NAME".split())
_PLACES = frozenset("CITY STATE STREET_ADDRESS COUNTRY COUNTY_REGION".split())
_POINTS = frozenset("LATITUDE LONGITUDE COORDINATES POSTAL_CODE".split())
# Names by which a country shows in the details of detectors.
_CONTACTS = frozenset("EMAIL PHONE STREET_ADDRESS IP_ADDRESS USERNAME CREDIT_CARD IBAN DEVICE_ID".split())
_KEY_WORDS = frozenset("id key uid guid uuid code identifier".split())


@dataclass(slots=True)
class Examined:
    """One column through the rounds: its evidence and what was made of it."""

    column: Column
    calendar: Calendar
    found: Findings
    named: Named
    verdict: Verdict | None = None
    undecided_names: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def entity(self) -> str | None:
        """Entity of the verdict."""
        return None if self.verdict is None else self.verdict.entity


def of_people(table: Sequence[Examined]) -> bool:
    """Return whether the table describes people: a birth, a name or two properties of a person."""
    entities = {item.entity for item in table} & _PEOPLE
    strong = entities - {"OCCUPATION", "EDUCATION", "NATIONALITY", "EMAIL", "PERSON_NAME"}
    named = any(item.entity in _NAMES and item.column.uniqueness >= 0.5 for item in table)
    return len(entities) >= 2 or bool(strong) or named


def refine(table: Sequence[Examined]) -> None:
    """Add to the evidence of every column what its siblings say."""
    described = _first_look(table)
    nearby.located(table, _PLACES | _POINTS)
    places = sum(item.entity in _PLACES for item in table)
    for position, item in enumerate(table):
        _records(item, table, described)
        if described:
            _keys(item)
            _digests(item)
            _weak_names(item)
            _births(item)
        if described or any(other.entity in _CONTACTS for other in table):
            nearby.padded(item)
            nearby.bare_phones(item)
        if places >= 1:
            nearby.postal(item, places, nearby.beside(table, position, _PLACES))
        things.postal(item, places)
        nearby.pairs(table, position)
        payloads.meant(item)
    clinical.measures(table)
    for item in table:
        item.verdict = decide(item.column, item.found, item.named)
    things.run(table, described)


def _first_look(table: Sequence[Examined]) -> bool:
    """Put the first verdicts right beside each other; return whether the table describes people."""
    changed = [item for item in table if people.mend(item)]
    described = people.flags(table, of_people(table))
    for item in (*changed, *table):
        item.verdict = decide(item.column, item.found, item.named)
    people.births(table, any(item.entity in _PERSONS for item in table))
    people.initials(table)
    ages.ages(table, any(item.entity in _OTHERS for item in table))
    for item in table:
        item.verdict = decide(item.column, item.found, item.named)
    people.sexes(table)
    if described or of_people(table):
        people.codes(table)
        people.weights(table)
        return True
    return False


def _keys(item: Examined) -> None:
    """A bare ``id`` that is different in every row of a table of people is their key."""
    header = item.column.header
    bare = bool(header.words) and all(
        w in _KEY_WORDS or w in ("unique", "record", "row", "no", "number") for w in header.words
    )
    by_row = item.found.facts.get("counts_rows") and item.entity == "ROW_NUMBER" and not bare
    if "RECORD_ID" in item.named and item.named["RECORD_ID"][0] > 0.96:
        return
    if not bare or by_row or item.column.uniqueness < 0.99 or item.column.data_type == "decimal":
        return
    if item.entity not in (None, "RECORD_ID", "ROW_NUMBER", "UNRESOLVED_ID", "UUID", "HASH"):
        return
    clue = Clue(kind="header", because="a key that differs in every row of a table that describes people")
    item.named["PERSON_ID"] = (0.88, None, clue)


def _weak_names(item: Examined) -> None:
    """Single words, nearly all different, some of them known names: beside other properties of people, names."""
    column = item.column
    if item.verdict is not None or not column.header.opaque or column.data_type != "text":
        return
    known = [c for c in item.found.candidates if c.entity in _NAMES and c.strength >= 0.1]
    various = column.n_distinct >= 20 and (column.uniqueness >= 0.5 or column.n_distinct >= 1000)
    single = (
        column.matching(r"^\p{L}[\p{L}'’ .-]{1,30}$") >= 0.9 and float(column.words_per_cell.mean()) < 1.4
    )
    if known and various and single:
        best = max(known, key=lambda c: c.strength)
        clue = Clue(
            kind="shape", because="single words, many and different, in a table that describes people"
        )
        clues = (*best.clues, clue)
        item.found.add(
            Candidate(entity=best.entity, n_cells=best.n_cells, strength=0.55, clues=clues, generic=True)
        )


def _births(item: Examined) -> None:
    """Days without time over decades in a table of people, unnamed: births rather than events."""
    if item.entity != "DATE_EVENT" or not item.column.header.opaque or not item.calendar.midnight:
        return
    if item.calendar.precision != "day" or item.calendar.spread < 45:
        return
    clue = Clue(
        kind="shape", because="days that spread over more than a generation, in a table that describes people"
    )
    item.found.add(
        Candidate(
            entity="DATE_OF_BIRTH", n_cells=item.column.n_present, strength=0.66, clues=(clue,), generic=True
        )
    )


_STAFF = frozenset(
    "owner manager agent assigned staff rep supervisor employee creator created updated author".split()
)


def _about(item: Examined) -> bool:
    """Return whether a column's name says that it holds the keys of people the table's records belong to."""
    header = item.column.header
    said = item.named.get("PERSON_ID", (0.0,))[0] >= 0.7 and not set(header.words) & _STAFF
    return said and any(h.entity == "PERSON_ID" and h.strength >= 0.7 for h in header.hints)


def _records(item: Examined, table: Sequence[Examined], described: bool) -> None:
    """A bare ``id`` is no person's where another column holds people's keys, or where nothing tells of people."""
    header = item.column.header
    if not header.words or not set(header.words) <= _KEY_WORDS or "PERSON_ID" in item.named:
        return
    others = any(other is not item and _about(other) for other in table)
    births = any(other.entity in ("DATE_OF_BIRTH", "BIRTH_YEAR", "LAST_NAME") for other in table)
    personal = described or any(other.entity in _CONTACTS for other in table)
    numbers = item.column.data_type == "integer"
    if (others and not births) or (numbers and not personal):
        clue = Clue(
            kind="header",
            because="a key beside those of people" if personal else "a key in a table of things",
        )
        item.named["RECORD_ID"] = (0.97, None, clue)


def _digests(item: Examined) -> None:
    if item.entity not in ("HASH", "UUID", "BASE64") or item.verdict is None:
        return
    person = any(
        h.entity in ("PERSON_ID", "EMAIL", "PHONE", "SSN", "NATIONAL_ID", "PERSON_NAME", "USERNAME")
        for h in item.column.header.hints
    )
    if person or item.column.uniqueness > 0.5:
        because = (
            "one for every person: it stands in for a name or number"
            if not person
            else "its name says what it stands for"
        )
        clue = Clue(kind="shape", because=because)
        kind = item.entity.lower()
        item.found.add(
            Candidate(
                entity="PSEUDONYM",
                detail=kind,
                n_cells=item.column.n_present,
                strength=0.985,
                clues=(*item.verdict.evidence, clue),
            )
        )
