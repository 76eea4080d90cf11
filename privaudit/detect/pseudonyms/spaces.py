"""Small spaces of inputs that identifiers of people come from: their size and their members.

Question: which numbers, dates and names could a digest be the hash of, few enough to try them all?
Method: a space is a size and a function from a number below it to the text that is hashed; the notations of one
identifier (with and without dashes, with country code or trunk prefix) are separate spaces. The records of entity
types name the families of spaces that their values come from.
Limits: numbering plans are approximate: numbers that are never issued are included, so sizes are rather too large.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import product
from string import ascii_uppercase, digits

from privaudit import vocabulary
from privaudit.detect import wordlists


@dataclass(frozen=True, slots=True)
class Space:
    """One set of inputs.

    Attributes
    ----------
    name : str
        What the inputs are, in words.
    size : int
        Number of inputs.
    write : callable
        Returns the text of the i-th input, ``0 <= i < size``, as bytes.
    entities : frozenset of str
        Entity types whose values come from this space.
    """

    name: str
    size: int
    write: Callable[[int], bytes]
    entities: frozenset[str]


FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2025, 12, 31)
_CENTURY = 36_525  # days
_DATE_FORMATS = ("%Y-%m-%d", "%Y%m%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d%m%Y", "%m%d%Y", "%Y/%m/%d",
            "%Y-%m-%d 00:00:00", "%y%m%d")  # fmt: skip
# Country, calling code, trunk prefix, first digits of mobile numbers, digits that follow.
_MOBILE = (
    ("Kenya", "254", "0", "71", 8), ("Tanzania", "255", "0", "76", 8), ("Uganda", "256", "0", "7", 8),
    ("Nigeria", "234", "0", "789", 9), ("South Africa", "27", "0", "678", 8), ("the United Kingdom", "44", "0", "7", 9),
    ("France", "33", "0", "67", 8), ("Spain", "34", "", "67", 8), ("Germany", "49", "0", "1", 9),
    ("Italy", "39", "", "3", 9), ("the Netherlands", "31", "0", "6", 8), ("Poland", "48", "", "4567", 8),
    ("Australia", "61", "0", "4", 8), ("India", "91", "0", "6789", 9), ("China", "86", "", "1", 10),
)  # fmt: skip


@cache
def all_spaces() -> tuple[Space, ...]:
    """Return every space, the smallest first."""
    found = [*_numbers(), *_days(), *_phones(), *_codes(), *_words()]
    return tuple(sorted(found, key=lambda space: (space.size, space.name)))


def _entities(family: str) -> frozenset[str]:
    """Return the entity types whose values come from a family of spaces."""
    return frozenset(code for code, record in vocabulary.entity_types().items() if family in record.spaces)


def _numbers() -> list[Space]:
    counters = _entities("counters")
    found = [Space(f"whole numbers below {10**n:,}", 10**n, lambda i: b"%d" % i, counters) for n in (4, 6)]
    for n in range(4, 11):
        entities = _entities("short_numbers" if n <= 6 else "long_numbers")
        found.append(Space(f"whole numbers of {n} digits", 10**n, _padded(n), entities))
    return found


def _padded(n: int) -> Callable[[int], bytes]:
    return lambda i: (b"%%0%dd" % n) % i


def _days() -> list[Space]:
    last = LAST_DAY.toordinal()
    entities = _entities("days")

    def written(form: str) -> Callable[[int], bytes]:
        return lambda i: date.fromordinal(last - i).strftime(form).encode()

    found = []
    for form in _DATE_FORMATS:
        # A year of two digits is unique within one century.
        n_days = _CENTURY if "%y" in form else last - FIRST_DAY.toordinal() + 1
        name = f"days from {date.fromordinal(last - n_days + 1).year} to {LAST_DAY.year}"
        found.append(Space(name, n_days, written(form), entities))
    return found


def _phones() -> list[Space]:
    found, entities = [], _entities("phone_numbers")
    for country, code, trunk, heads, n in _MOBILE:
        for prefix in dict.fromkeys([f"+{code}", code, trunk]):
            write = _template(prefix, (heads, *[digits] * n))
            found.append(Space(f"mobile numbers of {country}", len(heads) * 10**n, write, entities))
    nanp = ("23456789", digits, digits, "23456789", *[digits] * 6)
    dashed = (*nanp[:3], "-", *nanp[3:6], "-", *nanp[6:])
    bracketed = ("(", *nanp[:3], ")", " ", *nanp[3:6], "-", *nanp[6:])
    for prefix, parts in (("+1", nanp), ("1", nanp), ("", nanp), ("", dashed), ("", bracketed)):
        name = "phone numbers of North America"
        found.append(Space(name, 64 * 10**8, _template(prefix, parts), entities))
    return found


def _codes() -> list[Space]:
    letter, digit = ascii_uppercase, digits
    plates, postal = "licence_plates", "postal_codes"
    ssn = (*[digit] * 3, "-", *[digit] * 2, "-", *[digit] * 4)
    shapes: tuple[tuple[str, Sequence[str], str], ...] = (
        ("social security numbers", ssn, "social_security_numbers"),
        ("licence plates of Kenya", ("K", letter, letter, " ", digit, digit, digit, letter), plates),
        ("licence plates of Kenya", ("K", letter, letter, digit, digit, digit, letter), plates),
        ("licence plates of three letters and three digits", (*[letter] * 3, *[digit] * 3), plates),
        ("licence plates of three letters and four digits", (*[letter] * 3, *[digit] * 4), plates),
        ("licence plates of the United Kingdom", (letter, letter, digit, digit, *[letter] * 3), plates),
        ("postal codes of the Netherlands", ("123456789", *[digit] * 3, letter, letter), postal),
        ("postal codes of Canada", (letter, digit, letter, " ", digit, letter, digit), postal),
    )  # fmt: skip
    found = [
        Space(name, math.prod(map(len, parts)), _template("", parts), _entities(family))
        for name, parts, family in shapes
    ]
    quad = lambda i: b"%d.%d.%d.%d" % (i >> 24, i >> 16 & 255, i >> 8 & 255, i & 255)  # noqa: E731
    return [*found, Space("IPv4 addresses", 2**32, quad, _entities("ipv4_addresses"))]


def _template(prefix: str, parts: Sequence[str]) -> Callable[[int], bytes]:
    """Return the function that writes the i-th text of one character of each part, the last part varying fastest."""
    blocks = [_block(tuple(parts[max(0, end - _BLOCK) : end])) for end in range(len(parts), 0, -_BLOCK)]
    head = prefix.encode()

    def write(i: int) -> bytes:
        text = b""
        for block in blocks:
            i, place = divmod(i, len(block))
            text = block[place] + text
        return head + text

    return write


_BLOCK = 3  # parts written together: at most a few thousand texts, made once


@cache
def _block(parts: tuple[str, ...]) -> tuple[bytes, ...]:
    """Return every text of one character of each part, the last part varying fastest."""
    return tuple("".join(chosen).encode() for chosen in product(*parts))


def _words() -> list[Space]:
    """Return the lists of names and values: the hash of a given name or a country is looked up in a dictionary."""
    lists = [
        ("given names", wordlists.names("given_names"), _entities("given_names")),
        ("surnames", wordlists.names("surnames"), _entities("surnames")),
        ("towns", wordlists.towns(), _entities("towns")),
    ]
    for code in sorted(_entities("listed_values").intersection(wordlists.value_lists())):
        name = f"words for {vocabulary.entity_type(code).singular}"
        lists.append((name, wordlists.value_list(code), frozenset({code})))
    found = []
    for name, listed, entities in lists:
        for written in (str, str.title, str.upper):
            texts = sorted({written(word) for word in listed})
            found.append(Space(name, len(texts), _listed(texts), entities))
    return [space for space in found if space.size > 1]


def _listed(texts: Sequence[str]) -> Callable[[int], bytes]:
    return lambda i: texts[i].encode()
