"""Small spaces that people's identifiers come from: how many there are, and the i-th of each as it is written.

Question: which numbers, dates, names could stand behind a digest, few enough to try them?
Method: a space is a size and a function from a number below it to the text that people hash; the writings of one
identifier (with and without dashes, with country code or trunk zero) are spaces of their own.
Limits: numbering plans in rough: what is never issued is counted along, so sizes err towards the larger.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import product
from string import ascii_uppercase, digits

from privaudit.detect import words


@dataclass(frozen=True, slots=True)
class Space:
    """One set of inputs.

    Attributes
    ----------
    title : str
        What the inputs are, in words.
    size : int
        How many there are.
    write : callable
        The text of the i-th, ``0 <= i < size``, as bytes.
    entities : frozenset of str
        What a header would call such inputs.
    """

    title: str
    size: int
    write: Callable[[int], bytes]
    entities: frozenset[str] = frozenset()


FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2025, 12, 31)
_CENTURY = 36_525  # days
_WRITTEN = ("%Y-%m-%d", "%Y%m%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d%m%Y", "%m%d%Y", "%Y/%m/%d",
            "%Y-%m-%d 00:00:00", "%y%m%d")  # fmt: skip
# Country, calling code, trunk prefix, first digits of mobile numbers, digits that follow.
_MOBILE = (
    ("Kenya", "254", "0", "71", 8), ("Tanzania", "255", "0", "76", 8), ("Uganda", "256", "0", "7", 8),
    ("Nigeria", "234", "0", "789", 9), ("South Africa", "27", "0", "678", 8), ("the United Kingdom", "44", "0", "7", 9),
    ("France", "33", "0", "67", 8), ("Spain", "34", "", "67", 8), ("Germany", "49", "0", "1", 9),
    ("Italy", "39", "", "3", 9), ("the Netherlands", "31", "0", "6", 8), ("Poland", "48", "", "4567", 8),
    ("Australia", "61", "0", "4", 8), ("India", "91", "0", "6789", 9), ("China", "86", "", "1", 10),
)  # fmt: skip
_PHONE = frozenset({"PHONE"})
_NUMBER = frozenset(
    "SSN NATIONAL_ID TAX_ID HEALTH_ID PASSPORT PERSON_ID DRIVER_LICENSE VOTER_ID BANK_ACCOUNT".split()
)


@cache
def all_spaces() -> tuple[Space, ...]:
    """Return every space, the smallest first."""
    found = [*_numbers(), *_days(), *_phones(), *_coded(), *_words()]
    return tuple(sorted(found, key=lambda space: (space.size, space.title)))


def _numbers() -> list[Space]:
    found = [
        Space(f"whole numbers below {10**n:,}", 10**n, lambda i: b"%d" % i, _NUMBER) for n in (4, 6)
    ]
    for n in range(4, 11):
        entities = _NUMBER | ({"POSTAL_CODE"} if n <= 6 else set()) | (_PHONE if n >= 7 else set())
        found.append(Space(f"whole numbers of {n} digits", 10**n, _padded(n), frozenset(entities)))
    return found


def _padded(n: int) -> Callable[[int], bytes]:
    return lambda i: (b"%%0%dd" % n) % i


def _days() -> list[Space]:
    last = LAST_DAY.toordinal()
    entities = frozenset({"DATE_OF_BIRTH", "DEATH_DATE", "DATE_EVENT"})

    def written(form: str) -> Callable[[int], bytes]:
        return lambda i: date.fromordinal(last - i).strftime(form).encode()

    found = []
    for form in _WRITTEN:
        # Two digits of a year tell days of one century apart.
        n_days = _CENTURY if "%y" in form else last - FIRST_DAY.toordinal() + 1
        title = f"days from {date.fromordinal(last - n_days + 1).year} to {LAST_DAY.year}"
        found.append(Space(title, n_days, written(form), entities))
    return found


def _phones() -> list[Space]:
    found = []
    for country, code, trunk, heads, n in _MOBILE:
        for prefix in dict.fromkeys([f"+{code}", code, trunk]):
            write = _template(prefix, (heads, *[digits] * n))
            title = f"mobile numbers of {country}"
            found.append(Space(title, len(heads) * 10**n, write, _PHONE))
    nanp = ("23456789", digits, digits, "23456789", *[digits] * 6)
    dashed = (*nanp[:3], "-", *nanp[3:6], "-", *nanp[6:])
    spoken = ("(", *nanp[:3], ")", " ", *nanp[3:6], "-", *nanp[6:])
    for prefix, parts in (("+1", nanp), ("1", nanp), ("", nanp), ("", dashed), ("", spoken)):
        found.append(Space("phone numbers of North America", 64 * 10**8, _template(prefix, parts), _PHONE))
    return found


def _coded() -> list[Space]:
    letter, digit = ascii_uppercase, digits
    plates = frozenset({"VEHICLE_ID"})
    ssn = (*[digit] * 3, "-", *[digit] * 2, "-", *[digit] * 4)
    shapes: tuple[tuple[str, Sequence[str], frozenset[str]], ...] = (
        ("social security numbers", ssn, frozenset({"SSN"})),
        ("licence plates of Kenya", ("K", letter, letter, " ", digit, digit, digit, letter), plates),
        ("licence plates of Kenya", ("K", letter, letter, digit, digit, digit, letter), plates),
        ("licence plates of three letters and three digits", (*[letter] * 3, *[digit] * 3), plates),
        ("licence plates of three letters and four digits", (*[letter] * 3, *[digit] * 4), plates),
        ("licence plates of the United Kingdom", (letter, letter, digit, digit, *[letter] * 3), plates),
        ("postal codes of the Netherlands", ("123456789", *[digit] * 3, letter, letter), frozenset({"POSTAL_CODE"})),
        ("postal codes of Canada", (letter, digit, letter, " ", digit, letter, digit), frozenset({"POSTAL_CODE"})),
    )  # fmt: skip
    found = [Space(title, math.prod(map(len, parts)), _template("", parts), e) for title, parts, e in shapes]
    quad = lambda i: b"%d.%d.%d.%d" % (i >> 24, i >> 16 & 255, i >> 8 & 255, i & 255)  # noqa: E731
    return [*found, Space("IPv4 addresses", 2**32, quad, frozenset({"IP_ADDRESS"}))]


def _template(prefix: str, parts: Sequence[str]) -> Callable[[int], bytes]:
    """Return the i-th text of one character of each part, the last part turning fastest."""
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
    """Return every text of one character of each part, the last part turning fastest."""
    return tuple("".join(chosen).encode() for chosen in product(*parts))


def _words() -> list[Space]:
    """Lists of names and values: a digest of a given name or a country is looked up, not computed."""
    lists = {
        "given names": (words.names("given_names"), "FIRST_NAME"),
        "surnames": (words.names("surnames"), "LAST_NAME"),
        "towns": (words.towns(), "CITY"),
    }
    for name in ("GENDER", "COUNTRY", "STATE", "MARITAL_STATUS", "RELIGION", "NATIONALITY"):
        if name in words.value_lists():
            lists[f"words for {name.replace('_', ' ').lower()}"] = (words.value_list(name), name)
    found = []
    for title, (listed, entity) in lists.items():
        for written in (str, str.title, str.upper):
            texts = sorted({written(word) for word in listed})
            found.append(Space(title, len(texts), _listed(texts), frozenset({entity})))
    return [space for space in found if space.size > 1]


def _listed(texts: Sequence[str]) -> Callable[[int], bytes]:
    return lambda i: texts[i].encode()
