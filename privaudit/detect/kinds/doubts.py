"""Names that mean another thing elsewhere, held against the values.

Question: the name says card, language or disability: do the values stand against it?
Method: member cards begin as no issuer's numbers do; languages of programs are no people's; codes of a census have
few values. Each returns None where the values can be what the name says, else why they cannot.
Limits: as in named.py, a condition is necessary, not sufficient.
"""

from __future__ import annotations

from privaudit.detect.column import Column
from privaudit.detect.kinds.dates import Calendar

_CENSUS = frozenset("dis dear deye dout drem dphy ddrs dvet".split())


def health(column: Column, calendar: Calendar) -> str | None:
    """Codes of disability in censuses are short words that other tables use for measures."""
    coded = len(column.header.words) == 1 and column.header.words[0] in _CENSUS
    return "codes of a census have few values" if coded and column.n_distinct > 8 else None


_PROGRAMMING = (
    r"(?i)\b(?:javascript|typescript|python|sql|java|php|html|css|ruby|golang|kotlin|rust|swift)\b|c\+\+|c#"
)


def language(column: Column, calendar: Calendar) -> str | None:
    """Return why the values are no languages that people speak."""
    return "these are languages of programs" if column.matching(_PROGRAMMING) > 0.3 else None


def card(column: Column, calendar: Calendar) -> str | None:
    """Return why the values are no numbers of payment cards, nor their last four digits."""
    if column.header.says("last", "ending") and column.matching(r"^[0-9]{4}(?:\.0)?$") >= 0.9:
        return None
    if column.matching(r"^[0-9*xX][0-9*xX \-]{10,22}$") < 0.3:
        return "the cells have not the form of card numbers"
    issued = column.matching(r"^(?:4|5[0-9]|2[2-7]|3[0-9]|6(?:0|2|4[4-9]|5|7)|1800|[*xX])")
    return None if issued >= 0.3 or column.n_distinct < 30 else "no issuer's numbers begin so"
