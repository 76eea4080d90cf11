"""Which countries a column of countries names: the prior for numbers whose check digit several countries share.

Question: where do the people of this table live?
Method: names in several languages and codes of ISO 3166 (``rules/reference/countries.toml``); a country that a fifth of
the cells name counts.
Limits: a table of the whole world has no prior.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from privaudit.detect import words
from privaudit.detect.column import Column

if TYPE_CHECKING:
    from privaudit.detect.siblings.context import Examined

LEAST = 0.2
_MOST = 300


@cache
def known() -> dict[str, str]:
    """Return the code of two letters for every folded name and code of a country."""
    table = words.toml("countries")
    found = {}
    for line in table["names"].strip().splitlines():
        code, _, names = line.partition(":")
        found.update(dict.fromkeys(names.split("|"), code))
        found[code.lower()] = code
    for pair in table["codes"].split():
        three, _, two = pair.partition(":")
        found[three.lower()] = two
    return found


def of(column: Column) -> frozenset[str]:
    """Return the countries that at least a fifth of the cells of a column of countries name, as ISO 3166 alpha-2."""
    if column.n_distinct == 0 or column.n_distinct > _MOST:
        return frozenset()
    rows: dict[str, int] = {}
    for text, count in zip(column.folded.to_pylist(), column.counts.tolist(), strict=True):
        code = known().get(text)
        if code is not None:
            rows[code] = rows.get(code, 0) + count
    return frozenset(code for code, n in rows.items() if n >= LEAST * column.n_present)


def locales(table: Sequence[Examined]) -> frozenset[str]:
    """Return the countries the table's detectors and names point to, as ISO 3166 alpha-2 codes."""
    found = set(places(table))
    for item in table:
        for candidate in item.found.candidates:
            head = (candidate.detail or "").split(".")[0]
            if candidate.strength >= 0.7 and len(head) == 2 and head.isalpha():
                found.add(head.upper())
    return frozenset(found)


def places(table: Sequence[Examined]) -> frozenset[str]:
    """Return the countries that columns of countries name, as ISO 3166 alpha-2 codes."""
    return frozenset(c for item in table if item.entity == "COUNTRY" for c in of(item.column))
