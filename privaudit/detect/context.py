"""What the columns of a table say of each other.

Question: is this a table of people, where do its places lie, which readings need a neighbour to hold?
Method: a first round of verdicts tells which columns name or describe people; then keys, digests, postal codes,
coordinates and unnamed measurements are read again beside their siblings.
Limits: a table of people and things joined is taken for one of people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Findings
from privaudit.detect.kinds.dates import Calendar
from privaudit.detect.verdict import Named
from privaudit.model import Clue, Verdict

_PEOPLE = frozenset(
    "PERSON_NAME FIRST_NAME LAST_NAME MIDDLE_NAME MAIDEN_NAME EMAIL GENDER DATE_OF_BIRTH BIRTH_YEAR AGE SSN "
    "NATIONAL_ID PASSPORT DRIVER_LICENSE HEALTH_ID MARITAL_STATUS RACE_ETHNICITY RELIGION EDUCATION "
    "OCCUPATION NATIONALITY".split()
)
_NAMES = frozenset("PERSON_NAME FIRST_NAME LAST_NAME MIDDLE_NAME MAIDEN_NAME".split())
_OUTCOMES = frozenset("outcome target label class result response event y status".split())
_PLACES = frozenset("CITY STATE STREET_ADDRESS COUNTRY COUNTY_REGION".split())
# Names by which a country shows in the details of detectors.
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
    people = of_people(table)
    places = sum(item.entity in _PLACES for item in table)
    for position, item in enumerate(table):
        if people:
            _keys(item)
            _digests(item)
            _weak_names(item)
            _births(item)
        if places >= 1:
            _postal(item, places)
        _pairs(table, position)
    _measurements(table)


def _keys(item: Examined) -> None:
    """A bare ``id`` that is different in every row of a table of people is their key."""
    header = item.column.header
    bare = bool(header.words) and all(
        w in _KEY_WORDS or w in ("unique", "record", "row", "no", "number") for w in header.words
    )
    by_row = item.found.facts.get("counts_rows") and item.entity == "ROW_NUMBER" and not bare
    if not bare or by_row or item.column.uniqueness < 0.99 or item.column.kind == "decimal":
        return
    if item.entity not in (None, "RECORD_ID", "ROW_NUMBER", "UNRESOLVED_ID", "UUID", "HASH"):
        return
    clue = Clue(kind="header", because="a key that differs in every row of a table that describes people")
    item.named["PERSON_ID"] = (0.88, None, clue)


def _weak_names(item: Examined) -> None:
    """Single words, nearly all different, some of them known names: beside other properties of people, names."""
    column = item.column
    if item.verdict is not None or not column.header.opaque or column.kind != "text":
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


def _postal(item: Examined, places: int) -> None:
    column = item.column
    if (
        item.entity not in (None, "UNRESOLVED_ID")
        or column.n_distinct < 5
        or not column.header.opaque
        or places < 2
    ):
        return
    if column.kind not in ("integer", "text", "decimal") or _dense(column):
        return
    fits = column.matches(_POSTAL)
    if column.share(fits) >= 0.9 and column.share(column.lengths >= 4) >= 0.8 and column.digits > 0.95:
        clue = Clue(
            kind="shape", because="codes of the form and length of postal codes beside columns of places"
        )
        item.found.add(
            Candidate(entity="POSTAL_CODE", n_cells=column.cells(fits), strength=0.62, clues=(clue,))
        )


# Three to six digits, or letters and digits mixed as postal codes mix them.
_POSTAL = (
    r"^(?:[A-Z]{1,3}-)?[0-9]{3,6}(?:-[0-9]{3,4})?$|^[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}$|^[0-9]{3} [0-9]{2}$"
    r"|^[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]$|^[0-9]{4} ?[A-Z]{2}$"
)


def _dense(column: Column) -> bool:
    """Return whether numbers follow each other so closely that they count something."""
    numbers = column.numbers[np.isfinite(column.numbers)]
    if len(numbers) < 0.9 * column.n_distinct:
        return False
    return float(numbers.max() - numbers.min()) < 4 * len(numbers)


def _pairs(table: Sequence[Examined], position: int) -> None:
    """Two columns of degrees side by side are a latitude and a longitude."""
    if position + 1 >= len(table):
        return
    one, two = table[position], table[position + 1]
    if one.entity is not None or two.entity is not None:
        return
    degrees = [
        next((c for c in item.found.candidates if c.entity in ("LATITUDE", "LONGITUDE")), None)
        for item in (one, two)
    ]
    if (
        degrees[0] is None
        or degrees[1] is None
        or not (one.column.header.opaque and two.column.header.opaque)
    ):
        return
    first = "LONGITUDE" if degrees[0].entity == "LONGITUDE" else "LATITUDE"
    clue = Clue(kind="shape", because="two columns of degrees with four or more decimals side by side")
    for item, entity in ((one, first), (two, "LATITUDE" if first == "LONGITUDE" else "LONGITUDE")):
        item.found.add(Candidate(entity=entity, n_cells=item.column.n_present, strength=0.75, clues=(clue,)))


def _measurements(table: Sequence[Examined]) -> None:
    """Where clinical measures prevail, a short unexplained name is one of them."""
    medical = sum(item.entity in ("MEDICAL", "BIOMETRIC") for item in table)
    if medical < 4 or medical < 0.35 * len(table):
        return
    for item in table:
        words = item.column.header.words
        outcome = len(words) == 1 and words[0] in _OUTCOMES
        short = outcome or (sum(map(len, words)) <= 6 and not item.column.header.plain)
        numeric = item.column.kind in ("integer", "decimal", "boolean")
        if item.entity in (None, "AGE_GROUP") and (short and numeric) and not item.column.header.opaque:
            clue = Clue(kind="header", because="a short code among columns of clinical measures")
            item.named["MEDICAL"] = (0.6, None, clue)


def locales(table: Sequence[Examined]) -> frozenset[str]:
    """Return the countries the table's detectors and names point to, as ISO 3166 alpha-2 codes."""
    found: set[str] = set()
    for item in table:
        for candidate in item.found.candidates:
            head = (candidate.detail or "").split(".")[0]
            if candidate.strength >= 0.7 and len(head) == 2 and head.isalpha():
                found.add(head.upper())
    return frozenset(found)
