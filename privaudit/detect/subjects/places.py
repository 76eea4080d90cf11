"""Street addresses, towns, country and state codes, coordinates.

Question: are these cells places?
Method: addresses by a word for a street (or its ending) and a number; towns by a list of 35,000; two- and three-letter
codes by ISO 3166 and the states of large federations; latitude and longitude by range and decimals. Provinces, towns,
jobs and nationalities that no list contains are recognised by administrative words ("область", "Thành phố") and by the
characters that Chinese, Japanese and Korean append. Next to places, towns and streets that lists contain in part count,
and two adjacent columns of degrees are a point.
Limits: a bare number is never a place by itself. Town names are family names, too: the reading with the larger share of
listed words wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import compress, pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.base.patterns import Expression
from privaudit.detect.catalogue import wordlists
from privaudit.detect.column import NEARLY_ALL, SAMPLE, VARIOUS, Column, form
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.ledger import Entry, against, claim_for
from privaudit.detect.resolver import GUESS, LEAST
from privaudit.detect.subjects import names
from privaudit.detect.subjects.context import Posting, Table, describes_people, has, is_near, next_to, suggest
from privaudit.model import vocabulary
from privaudit.model.headers import read_header
from privaudit.model.wording import EntityType, Name, fact

_LEAST_AREAS = 3  # different names
_LEAST_HOUSES = 10  # different numbers
_PROSE = 9  # blanks above which a cell is a sentence: a number in it may not belong to the street
_NEAR = 24  # characters between the number and the word for a street


UNIT = r"(?i)^(?:suite|ste|apt|apartment|unit|flat|room|rm|floor|fl|bldg|building)\.? ?#? ?[0-9]{0,4} ?-?[a-z]?$"
"""A flat, a suite or a room without its street, as US Postal Service Publication 28 writes it."""


@cache
def _street() -> tuple[re.Pattern[str], ...]:
    words, endings, unspaced = (
        "|".join(map(re.escape, sorted(wordlists.word_list("street", key), key=len, reverse=True)))
        for key in ("words", "endings", "unspaced")
    )
    return (
        re.compile(rf"(?:^|\W)(?:{words})(?:\W|$)"),
        re.compile(rf"[^\W\d_]{{3,}}(?:{endings})\.?(?=[\s,\d]|$)"),
        re.compile(rf"[\u3400-\u9fff\uac00-\ud7af\d](?:{unspaced})(?=\s*(?:지하)?\d|$)"),
    )


@cache
def _street_in_ascii() -> str:
    """Return an RE2 expression for a prefilter: it matches every ASCII text that an expression of `_street` matches.

    It may match others.
    """
    # [^\s\S] matches nothing: no word of this kind is in ASCII.
    words, endings, unspaced = (
        "|".join(re.escape(word) for word in sorted(wordlists.word_list("street", key)) if word.isascii()) or r"[^\s\S]"
        for key in ("words", "endings", "unspaced")
    )
    end = r"(?:[\s\x0b\x1c-\x1f,\d]|$)"  # \s of RE2 is not that of Python
    return rf"(?:^|\W)(?:{words})(?:\W|$)|[A-Za-z]{{3}}(?:{endings})\.?{end}|\d(?:{unspaced})"


def are_streets(column: Column) -> bool:
    """Whether most values contain a word for a street; a few streets that repeat are not levels."""
    texts = list(map(wordlists.fold, column.sample))
    searched = compress(texts, _may_have_street(texts))
    return sum(any(word.search(text) for word in _street()) for text in searched) > 0.5 * len(texts)


def run(column: Column) -> Iterator[Entry]:
    """Yield the claims on places."""
    if column.data_type == "text":
        yield from _address(column)
        yield from _town(column)
        yield from _area(column)
        yield from _codes(column)
        yield from _geohash(column)
    elif column.data_type == "decimal":
        yield from _coordinate(column)


def _address(column: Column) -> Iterator[Entry]:
    if column.n_distinct < 2 or not (column.has_digits_in(0.3) and column.has_letters_in(0.5)):
        return
    if column.at_least(UNIT):
        because = fact("detect.part_of_address")
        yield claim_for(column, "ADDRESS_PART", 0.85, "pattern", because, cells=column.matches(UNIT))
        return
    values, counts = column.chosen(SAMPLE)
    kinds = np.array(_kinds_of_addresses(list(map(wordlists.fold, values))))
    complete = column.matches(form("address", "complete"))[column.drawn[:SAMPLE]]
    chosen = ((kinds == "street") | complete, (kinds != "") | complete)
    share, wide = (float(counts[one].sum() / counts.sum()) for one in chosen)
    if share >= 0.25:
        repeated = 0.7 if column.n_distinct < 5 < column.n_present / 20 else 1.0
        strength = min(0.95, 0.3 + 0.6 * share + 0.25 * wide) * repeated
        because = fact("detect.streets", share=column.cell_share(share))
        cells = round(wide * column.n_present)
        yield claim_for(column, "STREET_ADDRESS", strength, "pattern", because, cells=cells)
    elif wide >= 0.95 and column.n_distinct >= VARIOUS and column.matching(form("address", "number_first")) >= 0.95:
        yield claim_for(column, "STREET_ADDRESS", 0.35, "shape", fact("detect.number_and_words"))


def _kinds_of_addresses(folded: list[str]) -> list[str]:
    return list(map(_kind_of_address, folded, _may_have_street(folded)))


def _may_have_street(folded: list[str]) -> list[bool]:
    """Return which texts may have a word for a street; those of ASCII are searched all at once, by RE2."""
    texts = pa.array(folded, pa.string())
    found = pc.or_(pc.match_substring_regex(texts, _street_in_ascii()), pc.invert(pc.string_is_ascii(texts)))
    return list(found.to_pylist())


def _kind_of_address(folded: str, has_street: bool = True) -> str:
    """Return "street" for a word for a street and a number, "loose" for words and a number, "" for anything else.

    A text with ``has_street=False`` is known to have no word for a street.
    """
    if not (has_street or " " in folded) or not _HOUSE_NUMBER.search(folded) or _NUMBERED.match(folded):
        return ""
    if _RECORD.match(folded) and not any(map(_names_an_address, _QUOTED.findall(folded))):
        # A number of one field is not the house number of a word in another.
        return "street" if any(_kind_of_address(text) == "street" for text in _QUOTED.findall(folded)) else ""
    if has_street and any(_near_number(folded, expression.search(folded)) for expression in _street()):
        return "street"
    return "loose" if _LOOSE.match(folded) else ""


def _names_an_address(text: str) -> bool:
    return any(hint.entity in ("STREET_ADDRESS", "ADDRESS_PART") for hint in read_header(text).hints)


def _near_number(text: str, word: re.Match[str] | None) -> bool:
    """Whether a number is near the word for a street; in a short cell, anywhere is near."""
    if word is None or text.count(" ") < _PROSE:
        return word is not None
    return any(c.isdigit() for c in text[max(0, word.start() - _NEAR) : word.end() + _NEAR])


_HOUSE_NUMBER = Expression(r"\d(?!\d*-[^\W\d_]{2})")  # "2-wheel drive" has none
_RECORD = Expression(r"^\s*[\[{].*[\]}]\s*$", re.DOTALL)  # JSON, or a dictionary of Python
_QUOTED = Expression(r"[\"']([^\"']+)[\"']")
_NUMBERED = Expression(r"^[a-z]{1,3}[ .:-]{0,2}\d{6,}$")  # an abbreviation and a long number is not an address
_LOOSE = Expression(
    r"^(?:\d{1,5}[a-z]?,? +[^\W\d_][\w .'-]{3,}|[^\W\d_][\w .'/-]{3,}?,? +\d{1,5}(?:[a-z]|[-/]\d{1,4})?(?: .*)?)$",
    re.DOTALL,
)


def _town(column: Column) -> Iterator[Entry]:
    if not column.has_letters_in(0.8):
        return
    few = names.are_too_few(column)  # other columns may be named after a place
    if few and (column.header.hints or names.are_words(column)):
        return
    reading = names.read(column)
    has_regions = reading is not None and column.holds(",")

    def are_towns(folded: pa.Array) -> wordlists.Mask:
        if has_regions:
            folded = pc.replace_substring_regex(folded, ",.*$", "")  # "town, region"
        return wordlists.members(folded, wordlists.towns())

    least = 0.13 if column.n_distinct >= VARIOUS else 0.3
    if column.is_rare(lambda values: are_towns(column.fold(values)), least):
        return
    towns = are_towns(column.folded)
    share = column.share(towns)
    if share < least or int(towns.sum()) < 2:
        return
    states = wordlists.members(column.folded, wordlists.value_list("STATE"))
    # Many towns have the name of a state. Three may have it by chance: Berlin, Hamburg and Bremen are both.
    if column.n_distinct > 3 and column.share(states) > 0.95:
        yield against("CITY", fact("detect.states"))
        return
    strength = min(0.9, 0.15 + 0.8 * (0.6 * share + 0.4 * float(towns.mean())))
    if reading is not None and reading.known > max(0.75, share - 0.1):
        strength *= 0.55
    because = fact("detect.towns", share=column.cell_share(share))
    yield claim_for(column, "CITY", strength, "list", because, cells=towns)


def _area(column: Column) -> Iterator[Entry]:
    """Yield the claim on counties and regions: nearly all cells end with a word for an administrative area."""
    if column.n_distinct >= _LEAST_AREAS and column.at_least(names.area_form(), NEARLY_ALL):
        because = fact("detect.areas", share=column.cell_share(column.matching(names.area_form())))
        cells = column.matches(names.area_form())
        yield claim_for(column, "COUNTY_REGION", 0.85, "list", because, cells=cells, generic=False)


_CODES = (
    ("COUNTRY", "codes2", 0.6, "ISO 3166 alpha-2"),
    ("COUNTRY", "codes3", 0.75, "ISO 3166 alpha-3"),
    ("STATE", "codes", 0.72, "postal state abbreviations"),
)


def _codes(column: Column) -> Iterator[Entry]:
    if column.longest > 60 or column.n_distinct < 2 or column.shortest > 3:
        return
    upper = column.matches(r"^[A-Z]{2,3}$")
    if column.share(upper) < 0.5:
        return
    for entity, key, strength, what in _CODES:
        listed = wordlists.members(column.folded, wordlists.value_list(entity, key)) & upper
        known = listed | wordlists.members(column.folded, wordlists.value_list(entity))
        share, n_listed = column.share(known), int(listed.sum())
        if share >= NEARLY_ALL and n_listed >= 2:
            because = fact("detect.listed_codes", share=column.cell_share(share), list=Name(what))
            weight = strength * min(1.0, 0.6 + 0.05 * n_listed)
            yield claim_for(column, entity, weight, "list", because, cells=known, detail=key)


def _geohash(column: Column) -> Iterator[Entry]:
    """Yield the claim on geohashes: their alphabet has no a, i, l and o, which is not a coincidence in many codes."""
    written = form("address", "geohash")
    if not column.has_digits_in(0.5) or not column.at_least(written, 0.95):
        return
    named = column.header.strength("GEO_CODE") > 0
    if named or (int(column.alphabet[97:123].sum()) >= 18 and column.n_distinct >= 40 and column.shortest >= 6):
        cells, because = column.matches(written), fact("detect.geohashes")
        yield claim_for(column, "GEO_CODE", 0.7, "pattern", because, cells=cells, detail="geohash", generic=not named)


def _coordinate(column: Column) -> Iterator[Entry]:
    finite = np.isfinite(column.numbers)
    if column.share(finite) < 0.95 or column.n_distinct < 5 or column.matching(r"\.[0-9]{4,}") < 0.8:
        return
    low, high = float(np.nanmin(column.numbers)), float(np.nanmax(column.numbers))
    if low >= -180 and high <= 180:
        entity = "LATITUDE" if low >= -90 and high <= 90 else "LONGITUDE"
        because = fact("detect.degrees", entity=EntityType(entity))
        yield claim_for(column, entity, 0.3, "shape", because, cells=finite)


def by_affixes(column: Column) -> Iterator[Entry]:
    """Yield the claims that the beginnings and endings of the cells of `column` suggest."""
    if column.data_type != "text" or not column.foreign or column.longest > 80 or column.has_digits_in(0.1):
        return
    for entity, affix in wordlists.toml("affixes")["entity_types"].items():
        marked = column.matches(affix["pattern"])
        share, enough = column.share(marked), int(marked.sum()) >= affix["least_values"]
        if share < affix["least_share"] or not enough or _unusual_length(column, entity):
            continue
        if _end_alike(column, affix["pattern"]):
            continue
        if not affix["only_cjk"] or column.matching(form("address", "cjk")) >= 0.8:
            because = fact("detect.affixes", share=column.cell_share(share), entity=EntityType(entity))
            yield claim_for(column, entity, affix["strength"], "pattern", because, cells=marked, generic=True)


def _end_alike(column: Column, pattern: str) -> bool:
    """Whether what is left without the affix ends with one of a few words: stations and schools of these places."""
    rest = pc.replace_substring_regex(pa.array(column.chosen(SAMPLE)[0]), pattern, "").to_pylist()
    last = [words[-1] for text in rest if (words := wordlists.fold(text).split())]
    return len(last) >= VARIOUS and len(set(last)) < names.FEWEST_WORDS


def _unusual_length(column: Column, entity: str) -> bool:
    """Whether the cells are too short for jobs (as names in Han or Hangul are) or too long for places."""
    mean = float(column.lengths.mean())
    return mean < 2.6 if entity == "OCCUPATION" else mean > 30


def suggest_towns(table: Table) -> Iterator[Posting]:
    """Yield the claims on towns and streets that lists contain in part, next to places, and on English endings."""
    located = vocabulary.with_trait("place_name") | vocabulary.with_trait("coordinate") | {"POSTAL_CODE"}
    n_places = sum(item.entity in located for item in table)
    for position, item in enumerate(table):
        if item.is_unexplained and item.column.data_type == "text":
            yield from _towns(item, n_places, is_near(table, position, located))


def _towns(item: ColumnEvidence, n_places: int, near: bool) -> Iterator[Posting]:
    column = item.column
    named = item.ledger.strength_of_values(*vocabulary.with_trait("person_name")) >= 0.3
    least_for_towns = 0.24 if near and n_places >= 2 and not named else 0.38
    for entity, least in (("CITY", least_for_towns), ("STREET_ADDRESS", 0.3)):
        best = item.ledger.strongest(entity)
        if best is not None and best.strength >= least and n_places:
            because = fact("detect.siblings_near_places")
            yield suggest(item, entity, 0.58, because, cells=best.n_cells, earlier=best.clues)
            return
    formed = column.matches(wordlists.toml("affixes")["english_town"]["pattern"])
    if column.n_distinct >= 10 and column.share(formed) >= (0.85 if n_places else 0.95):
        because = fact("detect.siblings_town_endings")
        yield suggest(item, "CITY", 0.6, because, kind="pattern", cells=formed)


def suggest_town_of_address(table: Table) -> Iterator[Posting]:
    """Yield the claim on towns for the one column of words next to the postal code, where addresses have no town."""
    if has(table, {"CITY"}) or not has(table, {"STREET_ADDRESS"}):
        return
    near = next_to(table, "POSTAL_CODE")
    words = [item for item in near if item.is_unexplained and _could_be_towns(item.column)]
    if len(words) == 1:
        yield suggest(words[0], "CITY", 0.58, fact("detect.siblings_near_places"))


def suggest_street_of_house(table: Table) -> Iterator[Posting]:
    """Yield the claim on addresses for words of streets without a number, next to a column with the numbers."""
    for item in next_to(table, "ADDRESS_PART"):
        column = item.column
        undecided = item.verdict is None and not column.header.is_ordinary and column.data_type == "text"
        if undecided and are_streets(column):
            yield suggest(item, "STREET_ADDRESS", 0.62, fact("detect.siblings_house_numbers"))


def suggest_towns_of_people(table: Table) -> Iterator[Posting]:
    """Yield the claim on towns for the one column of proper nouns that are not names, next to the names of people."""
    named = has(table, vocabulary.with_trait("person_name")) and describes_people(table)
    if not named or has(table, vocabulary.with_trait("place_name") - vocabulary.with_trait("large_area")):
        return
    nouns = [item for item in table if item.is_unexplained and _are_proper_nouns(item)]
    if len(nouns) == 1:
        yield suggest(nouns[0], "CITY", GUESS, fact("detect.siblings_town_of_person"))


def _are_proper_nouns(item: ColumnEvidence) -> bool:
    """Whether a column holds many capitalised words that are neither common words nor suggest something else."""
    column, reading = item.column, names.read(item.column)
    others = any(claim.entity != "CITY" and claim.strength >= LEAST / 2 for claim in item.ledger.standing())
    if reading is None or others or not _could_be_towns(column) or names.are_words(column):
        return False
    return max(reading.job, reading.organisation, reading.prose) < 0.1 and reading.known <= max(0.15, reading.town)


def _could_be_towns(column: Column) -> bool:
    """Whether a column holds many different capitalised words, a few in each cell."""
    if column.data_type != "text" or column.n_distinct < names.FEWEST_WORDS:
        return False
    return column.at_least(form("address", "capitalised")) and float(column.words_per_cell.mean()) < 3


def suggest_points(table: Table) -> Iterator[Posting]:
    """Yield the claims on a latitude and a longitude for two adjacent columns of degrees."""
    for pair in pairwise(table):
        plane = [item.column.header.words for item in pair] == [("x",), ("y",)]
        undecided = all(item.verdict is None and (plane or item.column.header.is_opaque) for item in pair)
        degrees = [item.ledger.strongest("LATITUDE", "LONGITUDE") for item in pair]
        if not undecided or None in degrees or not _could_be_points(pair[0].column, pair[1].column):
            continue
        order = ("LATITUDE", "LONGITUDE")
        if plane or (degrees[0] is not None and degrees[0].entity == "LONGITUDE"):
            order = ("LONGITUDE", "LATITUDE")
        for item, entity in zip(pair, order, strict=True):
            yield suggest(item, entity, 0.75, fact("detect.siblings_degrees"), generic=False)


def _could_be_points(one: Column, two: Column) -> bool:
    """Whether two columns of decimals could be points: equally varied, and one is below zero or far from it.

    Percentages and logarithms are positive and spread further than their distance from zero.
    """
    ranges = [(float(np.nanmin(column.numbers)), float(np.nanmax(column.numbers))) for column in (one, two)]
    placed = any(low < 0 or high - low < low for low, high in ranges)
    middles = [float(np.nanmedian(np.abs(column.numbers))) for column in (one, two)]
    varied = 0.5 <= one.n_distinct / max(1, two.n_distinct) <= 2
    return varied and placed and max(middles) >= 5 and min(middles) >= 0.2


def suggest_streets(table: Table) -> Iterator[Posting]:
    """Yield the claim on addresses for many words with many numbers, in a table that describes people."""
    for item in table if describes_people(table) else ():
        column = item.column
        undecided = item.verdict is None and not column.header.is_ordinary and column.data_type == "text"
        if not undecided or not column.is_varied:
            continue
        if column.at_least(form("address", "house_last")):
            pairs = [text.rsplit(" ", 1) for text in column.sample if " " in text]
        elif column.at_least(form("address", "house_first")):
            pairs = [text.split(" ", 1)[::-1] for text in column.sample if " " in text]
        else:
            continue
        streets, houses = map(set, zip(*pairs, strict=True))
        if len(streets) >= VARIOUS and len(houses) >= _LEAST_HOUSES:
            yield suggest(item, "STREET_ADDRESS", 0.62, fact("detect.number_and_words"))
