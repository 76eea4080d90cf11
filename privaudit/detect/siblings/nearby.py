"""Places that need a place beside them to be told: postal codes and coordinates without a name.

Question: are five digits a postal code, are two columns of decimals a point?
Method: codes of the form and length of postal codes beside columns of places; two neighbouring columns of degrees as
various as each other and away from zero.
Limits: keys of five digits that do not follow each other, in a table with places, look like postal codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from privaudit.detect import words
from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate
from privaudit.detect.siblings import people
from privaudit.detect.verdict import decide
from privaudit.model import Clue

if TYPE_CHECKING:
    from privaudit.detect.siblings.context import Examined


_NAMES = frozenset("PERSON_NAME FIRST_NAME LAST_NAME MIDDLE_NAME MAIDEN_NAME".split())
_NANP = r"^[2-9][0-8][0-9][2-9][0-9]{6}$"


def bare_phones(item: Examined) -> None:
    """Ten digits with the area and exchange codes of North America in every cell, among people, are telephones."""
    column = item.column
    if item.entity not in (None, "UNRESOLVED_ID") or not column.header.opaque or column.n_distinct < 40:
        return
    texts = column.sample
    areas, exchanges = ({text[a:b] for text in texts} for a, b in ((0, 3), (3, 6)))
    if column.matching(_NANP) < 0.995 or column.matching("^.11|^...[2-9]11") > 0.02:
        return
    if len(areas) >= 3 and len(exchanges) >= 0.2 * min(len(texts), 200):
        clue = Clue(
            kind="shape", because="ten digits with area and exchange codes of North America, among people"
        )
        people.drop(item, frozenset({"UNRESOLVED_ID"}), clue.because)
        item.found.add(
            Candidate(entity="PHONE", n_cells=column.n_present, strength=0.64, clues=(clue,), generic=True)
        )


def postal(item: Examined, places: int, near: bool = False) -> None:
    """Codes of the form of postal codes beside `places` columns of places, one of them `near`."""
    column = item.column
    if item.entity not in (None, "UNRESOLVED_ID") or column.n_distinct < 5 or not column.header.opaque:
        return
    if places < (1 if _fixed(column) else 2) or _counted(column, places):
        return
    fits = column.matches(_POSTAL)
    if not _fixed(column):
        fits &= ~column.matches(
            r"^[0-9]{9}$|^[0-9]{5}-[0-9]{4}$"
        )  # nine digits count only where all have five or nine
    if column.share(fits) >= 0.9 and column.share(column.lengths >= 4) >= 0.8 and column.digits > 0.95:
        clue = Clue(
            kind="shape", because="codes of the form and length of postal codes beside columns of places"
        )
        strength = 0.67 if _fixed(column) or (near and places >= 3) else 0.62
        item.found.add(
            Candidate(entity="POSTAL_CODE", n_cells=column.cells(fits), strength=strength, clues=(clue,))
        )


def _counted(column: Column, places: int) -> bool:
    """Return whether numbers are counts of many lengths, years, or keys that follow each other."""
    if column.data_type not in ("integer", "text", "decimal"):
        return True
    if _dense(column) and not _of_one_state(column, places):
        return True
    if column.letters < 0.05 and column.n_distinct > 12 and not _lengths_of_codes(column):
        return True
    if column.matching("^(?:1[89]|20)[0-9]{2}$") > 0.95:
        return True
    return (
        _fixed(column)
        and column.matching("^0") < 0.3
        and column.uniqueness >= 0.5
        and len({t[0] for t in column.sample}) < 4
        and not _of_one_state(column, places)
    )


# Three to six digits, or letters and digits mixed as postal codes mix them.
_POSTAL = (
    r"^(?:[A-Z]{1,3}-)?[0-9]{3,6}(?:-[0-9]{3,4})?$|^[0-9]{9}$|^[0-9]{2}-[0-9]{3}$"
    r"|^[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}$|^[0-9]{3} [0-9]{2}$"
    r"|^[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]$|^[0-9]{4} ?[A-Z]{2}$"
)


def _fixed(column: Column) -> bool:
    """Return whether all cells are five digits, or nine with a hyphen or without."""
    return column.matching(r"^[0-9]{5}(?:-?[0-9]{4})?$") >= 0.98


def _dense(column: Column) -> bool:
    """Return whether numbers follow each other so closely that they count something."""
    numbers = column.numbers[np.isfinite(column.numbers)]
    if len(numbers) < 0.9 * column.n_distinct:
        return False
    return float(numbers.max() - numbers.min()) < 4 * len(numbers)


def _of_one_state(column: Column, places: int) -> bool:
    """Return whether codes of five digits that lie close together recur with gaps, as those of one state do."""
    if places < 2 or not _fixed(column) or column.uniqueness > 0.85 or column.data_type == "decimal":
        return False
    numbers = column.numbers[np.isfinite(column.numbers)]
    return len(numbers) < 0.8 * (float(numbers.max() - numbers.min()) + 1) and numbers.min() > 10010


def _lengths_of_codes(column: Column) -> bool:
    """Return whether numbers have the lengths of postal codes: all alike, or some with a zero or four digits less."""
    lengths = np.unique(column.lengths)
    if len(lengths) == 1:
        return True
    if column.data_type == "integer" or column.matching("^[0-9]+$") == 1:
        found = set(lengths.tolist())
        dropped = (
            found in ({3, 4}, {4, 5}, {5, 6}, {8, 9}) and column.share(column.lengths == lengths[0]) <= 0.35
        )
        return dropped or (5 in found and found <= {4, 5, 8, 9})
    return bool(np.ptp(column.lengths) in (1, 4, 5)) or column.matching("[0-9][ -][0-9]") >= 0.03


def padded(item: Examined) -> None:
    """Five digits with a leading zero here and there, in a table of people: postal codes rather than keys."""
    column = item.column
    if item.entity not in (None, "UNRESOLVED_ID") or not column.header.opaque or column.data_type != "text":
        return
    if (
        column.n_distinct < 50
        or column.matching(r"^[0-9]{5}(?:-[0-9]{4})?$") < 0.995
        or column.matching("^00[0-4]")
    ):
        return
    firsts = len({text[0] for text in column.sample})
    if firsts >= 8 and 0.02 <= column.matching("^0") <= 0.25:
        clue = Clue(
            kind="shape", because="five digits, some with a leading zero, in a table that describes people"
        )
        people.drop(item, frozenset({"UNRESOLVED_ID"}), clue.because)
        item.found.add(
            Candidate(
                entity="POSTAL_CODE", n_cells=column.n_present, strength=0.64, clues=(clue,), generic=True
            )
        )


def located(table: Sequence[Examined], entities: frozenset[str]) -> None:
    """Add towns and streets that columns of places, or of one of `entities`, beside them bear out."""
    places = sum(item.entity in entities for item in table)
    codes = any(_recurring(item) for item in table)
    for position, item in enumerate(table):
        towns(item, places, beside(table, position, entities))
        lone(item, places)
        if codes and not places:
            _houses(item)
        item.verdict = decide(item.column, item.found, item.named)


def beside(table: Sequence[Examined], position: int, entities: frozenset[str]) -> bool:
    """Return whether one of the two columns before or behind is one of `entities`."""
    around = (*table[max(0, position - 2) : position], *table[position + 1 : position + 3])
    return any(item.entity in entities for item in around)


def _recurring(item: Examined) -> bool:
    """Return whether an unnamed column holds five digits that recur with gaps between them."""
    column = item.column
    if item.entity not in (None, "POSTAL_CODE") or not column.header.opaque or column.data_type == "decimal":
        return False
    return column.n_distinct >= 5 and column.uniqueness <= 0.6 and _fixed(column) and not _dense(column)


def _houses(item: Examined) -> None:
    """Numbers and words in every cell, beside such codes, are houses in streets."""
    known = [c for c in item.found.candidates if c.entity == "STREET_ADDRESS" and c.strength >= 0.3]
    if known and item.verdict is None and item.column.header.opaque:
        clue = Clue(kind="shape", because="beside codes of the form of postal codes")
        clues = (*known[0].clues, clue)
        item.found.add(
            Candidate(
                entity="STREET_ADDRESS", n_cells=known[0].n_cells, strength=0.58, clues=clues, generic=True
            )
        )


def towns(item: Examined, places: int, near: bool = False) -> None:
    """Towns that lists know in part, towns named as English ones are, and houses in streets, beside places."""
    column = item.column
    if item.verdict is not None or not column.header.opaque or column.data_type != "text":
        return
    named = any(c.entity in _NAMES and c.strength >= 0.3 for c in item.found.candidates)
    few = 0.24 if near and places >= 2 and not named else 0.38
    for entity, least in (("CITY", few), ("STREET_ADDRESS", 0.3)):
        known = [c for c in item.found.candidates if c.entity == entity and c.strength >= least]
        if known and places:
            best = max(known, key=lambda c: c.strength)
            clue = Clue(kind="shape", because="beside columns of places")
            item.found.add(
                Candidate(
                    entity=entity,
                    n_cells=best.n_cells,
                    strength=0.58,
                    clues=(*best.clues, clue),
                    generic=True,
                )
            )
            return
    formed = column.matches(_ENGLISH)
    if column.n_distinct >= 10 and column.share(formed) >= (0.85 if places else 0.95):
        clue = Clue(kind="pattern", because="words that begin or end as names of towns do")
        item.found.add(
            Candidate(entity="CITY", n_cells=column.cells(formed), strength=0.6, clues=(clue,), generic=True)
        )


_ENGLISH = (
    r"(?i)^(?:(?:north|south|east|west|new|lake|port|saint|st\.?|fort|mount|upper|lower) [\p{L}\p{M}'’.-]+"
    r"|[\p{L}\p{M}'’.-]+(?: [\p{L}\p{M}'’.-]+)?(?:ville|town|ton|burgh?|borough|bury|berg|fort|mouth|shire|stad|side"
    r"|haven|chester|land|furt|port|view|ford|ham))$"
)


def lone(item: Examined, places: int) -> None:
    """One and the same town in every row, beside streets or other places."""
    column = item.column
    if item.verdict is not None or column.n_distinct != 1 or column.data_type != "text" or places < 1:
        return
    if column.header.opaque and words.members(column.folded, words.towns()).all():
        clue = Clue(kind="list", because="one town in every row, beside columns of places")
        item.found.add(
            Candidate(entity="CITY", n_cells=column.n_present, strength=0.56, clues=(clue,), generic=True)
        )


def pairs(table: Sequence[Examined], position: int) -> None:
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
    if not _on_the_map(one.column, two.column):
        return
    first = "LONGITUDE" if degrees[0].entity == "LONGITUDE" else "LATITUDE"
    clue = Clue(kind="shape", because="two columns of degrees with four or more decimals side by side")
    for item, entity in ((one, first), (two, "LATITUDE" if first == "LONGITUDE" else "LONGITUDE")):
        item.found.add(Candidate(entity=entity, n_cells=item.column.n_present, strength=0.75, clues=(clue,)))


def _on_the_map(one: Column, two: Column) -> bool:
    """Return whether two columns of decimals could be points: as various as each other, and not both around zero."""
    if not 0.5 <= one.n_distinct / max(1, two.n_distinct) <= 2:
        return False
    return max(float(np.nanmedian(np.abs(column.numbers))) for column in (one, two)) >= 5 and all(
        float(np.nanmedian(np.abs(column.numbers))) >= 0.2 for column in (one, two)
    )
