"""Street addresses, towns, country and state codes, geohashes, coordinates.

Question: are these cells places?
Method: addresses by a word for a street (or its ending) and a number; towns by a list of 35,000; two- and three-letter
codes by ISO 3166 and the states of large federations; latitude and longitude by range and decimals.
Limits: a bare number is never a place by itself. Town names are family names, too: the reading with the larger share of
listed words wins, and columns of places in the same table count (siblings).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import numpy as np
import numpy.typing as npt

from privaudit import vocabulary
from privaudit.detect import wordlists
from privaudit.detect.column import Column
from privaudit.detect.ledger import Entry, against, claim_for
from privaudit.detect.values.names import NameReading
from privaudit.wording import EntityType, Name, fact

Mask = npt.NDArray[np.bool_]
_MOST = 3000
_PROSE = 9  # blanks above which a cell is a sentence: a number in it may not belong to the street
_NEAR = 24  # characters between the number and the word for a street
_GEOHASH = r"^[0-9b-hjkmnp-z]{5,12}$"


@cache
def _street() -> tuple[re.Pattern[str], re.Pattern[str]]:
    endings = sorted(wordlists.word_list("street", "endings"), key=len, reverse=True)
    joined = "|".join(re.escape(e) for e in endings)
    return wordlists.any_word(wordlists.word_list("street")), re.compile(
        rf"[^\W\d_]{{3,}}(?:{joined})\.?(?=[\s,\d]|$)"
    )


def run(column: Column, reading: NameReading | None) -> Iterator[Entry]:
    """Yield the claims on places."""
    if column.n_distinct == 0:
        return
    if column.data_type == "text":
        yield from _address(column)
        yield from _town(column, reading)
        yield from _codes(column)
        yield from _geohash(column)
    elif column.data_type == "decimal":
        yield from _coordinate(column)


def _address(column: Column) -> Iterator[Entry]:
    if column.digits < 0.3 or column.letters < 0.5:
        return
    values, counts = column.chosen(_MOST)
    street, ending = _street()
    total = float(counts.sum())
    hits = loose = 0
    for text, count in zip(values, counts, strict=True):
        folded = wordlists.fold(text)
        if not any(c.isdigit() for c in folded) or len(folded) > 160 or _NUMBERED.match(folded):
            continue
        if _near_number(folded, street.search(folded)) or _near_number(folded, ending.search(folded)):
            hits += int(count)
        elif _LOOSE.match(folded):
            loose += int(count)
    share, wide = hits / total, (hits + loose) / total
    if share < 0.25 and wide >= 0.95 and column.n_distinct >= 20 and column.matching(_NUMBER_FIRST) >= 0.95:
        yield claim_for(
            column, "STREET_ADDRESS", 0.35, "shape", fact("detect.number_and_words"), generic=True
        )
    if share < 0.25 or column.n_distinct < 2:
        return
    strength = min(0.95, 0.3 + 0.6 * share + 0.25 * wide) * (
        0.7 if column.n_distinct < 5 < column.n_present / 20 else 1.0
    )
    because, n_cells = fact("detect.streets", share=column.cell_share(share)), round(wide * column.n_present)
    yield claim_for(
        column,
        "STREET_ADDRESS",
        strength,
        "pattern",
        because,
        n_cells=n_cells,
        generic=strength < 0.7,
    )


def _near_number(text: str, word: re.Match[str] | None) -> bool:
    """Whether a number is near the word for a street; in a short cell, anywhere is near."""
    if word is None or text.count(" ") < _PROSE:
        return word is not None
    return any(c.isdigit() for c in text[max(0, word.start() - _NEAR) : word.end() + _NEAR])


_NUMBER_FIRST = r"^[0-9]{1,5}[A-Za-z]? +\p{L}[\p{L} .'’-]{4,}$"
_NUMBERED = re.compile(
    r"^[a-z]{1,3}[ .:-]{0,2}\d{6,}$"
)  # an abbreviation and a long number is not an address
_LOOSE = re.compile(
    r"^(?:\d{1,5}[a-z]?,? +[^\W\d_][\w .'-]{3,}|[^\W\d_][\w .'/-]{3,}?,? +\d{1,5}(?:[a-z]|[-/]\d{1,4})?(?: .*)?)$",
    re.DOTALL,
)


def _town(column: Column, reading: NameReading | None) -> Iterator[Entry]:
    if reading is None and column.letters < 0.8:
        return
    towns = wordlists.members(column.folded, wordlists.towns())
    share, distinct = column.share(towns), column.distinct_share(towns)
    if share < (0.13 if column.n_distinct >= 20 else 0.3) or int(towns.sum()) < 2:
        return
    known = 0.0 if reading is None else reading.known
    strength = min(0.9, 0.15 + 0.8 * (0.6 * share + 0.4 * distinct))
    if known > 0.75 and known > share - 0.1:
        strength *= 0.55
    if (
        column.n_distinct >= 8
        and column.share(wordlists.members(column.folded, wordlists.value_list("STATE"))) > 0.95
    ):
        yield against("CITY", fact("detect.states"))  # many towns have the name of a state
        return
    states = sum(
        wordlists.members(column.folded, wordlists.value_list(n)).sum()
        for n in vocabulary.with_trait("large_area")
    )
    if states > 0.7 * column.n_distinct:
        strength *= 0.8
    n_cells = column.cells(towns)
    yield claim_for(
        column,
        "CITY",
        strength,
        "list",
        fact("detect.towns", share=column.cell_share(share)),
        n_cells=n_cells,
        generic=strength < 0.65,
    )


_CODES = (
    ("COUNTRY", "codes2", 0.6, "ISO 3166 alpha-2"),
    ("COUNTRY", "codes3", 0.75, "ISO 3166 alpha-3"),
    ("STATE", "codes", 0.72, "postal state abbreviations"),
)


def _codes(column: Column) -> Iterator[Entry]:
    if column.lengths.max(initial=0) > 60 or column.n_distinct < 2:
        return
    upper = column.matches(r"^[A-Z]{2,3}$")
    if column.share(upper) < 0.5:
        return
    for entity, key, strength, what in _CODES:
        listed = wordlists.members(column.folded, wordlists.value_list(entity, key)) & upper
        named = wordlists.members(column.folded, wordlists.value_list(entity))
        share = column.share(listed | named)
        if share >= 0.9 and int(listed.sum()) >= 2:
            weight = strength * min(1.0, 0.6 + 0.05 * int(listed.sum()))
            yield claim_for(
                column,
                entity,
                weight,
                "list",
                fact("detect.listed_codes", share=column.cell_share(share), list=Name(text=what)),
                n_cells=column.cells(listed | named),
                detail=key,
                generic=weight < 0.7,
            )


def _geohash(column: Column) -> Iterator[Entry]:
    """Yield the claim on geohashes: their alphabet has no a, i, l and o, which is not a coincidence in many codes."""
    if column.digits < 0.5 or column.matching(_GEOHASH) < 0.95:
        return
    letters = int(column.alphabet[97:123].sum())
    named = column.header.strength("GEO_CODE") > 0
    if not named and (letters < 18 or column.n_distinct < 40 or int(column.lengths.min()) < 6):
        return
    n_cells = column.cells(column.matches(_GEOHASH))
    yield claim_for(
        column,
        "GEO_CODE",
        0.7,
        "pattern",
        fact("detect.geohashes"),
        n_cells=n_cells,
        detail="geohash",
        generic=not named,
    )


def _coordinate(column: Column) -> Iterator[Entry]:
    numbers = column.numbers
    finite = np.isfinite(numbers)
    if column.share(finite) < 0.95 or column.n_distinct < 5:
        return
    fine = column.matching(r"\.[0-9]{4,}")
    low, high = float(np.nanmin(numbers)), float(np.nanmax(numbers))
    if fine < 0.8 or low < -180 or high > 180:
        return
    entity = "LATITUDE" if low >= -90 and high <= 90 else "LONGITUDE"
    tight = 0.1 if high - low < 30 and max(abs(low), abs(high)) > 1.5 else 0.0
    yield claim_for(
        column,
        entity,
        0.3 + tight,
        "shape",
        fact("detect.degrees", entity=EntityType(code=entity)),
        n_cells=column.cells(finite),
        generic=True,
    )
