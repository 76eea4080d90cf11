"""Countries that a table mentions: the prior for numbers whose check digit several countries share.

Question: in which countries do the people of this table live?
Method: country names in many languages and codes of ISO 3166 (``cldr.toml`` and ``countries.toml``); a country counts
from a fifth of the cells.
Limits: a table of the whole world has no prior.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

from privaudit.catalogue import wordlists
from privaudit.detect.column import Column
from privaudit.detect.column_evidence import ColumnEvidence

LEAST_SHARE = 0.2
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
    found: set[str] = set()
    for item in table:
        if item.entity == "COUNTRY":
            found |= countries_in_column(item.column)
        for candidate in item.ledger.standing():
            head = (candidate.detail or "").split(".")[0]
            if candidate.strength >= 0.7 and len(head) == 2 and head.isalpha():
                found.add(head.upper())
    return frozenset(found)
