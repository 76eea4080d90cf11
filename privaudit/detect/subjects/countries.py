"""Countries that a table mentions, and forms of other countries.

Question: in which countries do the people of this table live, and does the form of a column belong to one of them?
Method: country names in many languages and codes of ISO 3166 (``cldr.toml`` and ``countries.toml``); a country counts
from a fifth of the cells. Countries are the prior for numbers whose check digit several share, and weaken a form of
another country, unless its detector is more certain than by default.
Limits: a table of the whole world has no prior.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain

from privaudit.detect.catalogue import wordlists
from privaudit.detect.catalogue.detector import Detector
from privaudit.detect.column import Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.subjects.context import Posting, Table
from privaudit.model import Clue
from privaudit.model.wording import Listing, Name, fact

LEAST_SHARE = 0.2
_SUGGESTED = 0.7  # by hand: a national form that weaker claims do not have
_ELSEWHERE = 0.5  # by hand: factor on the strength of a form whose countries the other columns do not share
_SPECIFIC = Detector.strength  # above this default, a pack states that the form belongs to nothing else
_MOST_DISTINCT = 300


@cache
def _codes_by_name() -> dict[str, str]:
    """Return the code of two letters for every folded name and code of a country."""
    table = wordlists.toml("countries")
    found = dict(wordlists.country_codes())
    found.update({code.lower(): code for code in set(found.values())})
    for pair in table["codes"].split():
        three, _, two = pair.partition(":")
        found[three.lower()] = two
    return found


def countries_in_column(column: Column) -> frozenset[str]:
    """Return the countries in at least a fifth of the cells of a column of countries, as ISO 3166 alpha-2 codes."""
    if column.n_distinct > _MOST_DISTINCT:
        return frozenset()
    rows: Counter[str | None] = Counter()
    for text, count in zip(column.folded.to_pylist(), column.counts.tolist(), strict=True):
        rows[_codes_by_name().get(text)] += count
    return frozenset(code for code, n in rows.items() if code and n >= LEAST_SHARE * column.n_present)


def countries_of_table(table: Sequence[ColumnEvidence]) -> frozenset[str]:
    """Return the countries that columns of countries and national formats suggest, as ISO 3166 alpha-2 codes."""
    return frozenset[str]().union(*map(_countries_of, table))


def _countries_of(item: ColumnEvidence) -> frozenset[str]:
    found = countries_in_column(item.column) if item.entity == "COUNTRY" else frozenset()
    claims = (claim for claim in item.ledger.standing() if claim.strength >= _SUGGESTED)
    heads = {(claim.detail or "").split(".")[0].upper() for claim in claims}
    return found | {head for head in heads if _codes_by_name().get(head.lower()) == head}


def weaken_other_countries(table: Table) -> Iterator[Posting]:
    """Yield weaker claims of countries to which no other column belongs, if the others belong to any."""
    weak = [
        (item, claim)
        for item in table
        for claim in item.ledger.standing()
        if claim.locale and claim.strength <= _SPECIFIC
    ]
    of_columns = {id(item): _countries_of(item) for item in table} if weak else {}
    n_columns = Counter(chain.from_iterable(of_columns.values()))
    for item, claim in weak:
        others = {country for country, n in n_columns.items() if n > (country in of_columns[id(item)])}
        if others and not others.intersection(claim.locale):
            own = _listing(claim.locale)
            because = fact("detect.other_country", countries=own, others=_listing(sorted(others)))
            clues, strength = (*claim.clues, Clue(kind="shape", because=because)), _ELSEWHERE * claim.strength
            yield item, replace(claim, strength=strength, generic=True, clues=clues, answers=(claim,))


def _listing(countries: Sequence[str]) -> Listing:
    return Listing(tuple(Name(country) for country in countries))
