"""Small spaces of inputs that identifiers of people come from: their size and their members.

Question: which numbers, dates and names could a digest be the hash of, few enough to try them all?
Method: a space is a size and a function from a number below it to the text that is hashed; the notations of one
identifier (with and without dashes, with country code or trunk prefix) are separate spaces. The records of entity
types name the families of spaces that their values come from.
Limits: numbering plans are approximate: numbers that are never issued are included, so sizes are rather too large.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from string import ascii_uppercase as _LETTERS

from privaudit import vocabulary
from privaudit.catalogue import wordlists


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


_FIRST_DAY, _LAST_DAY = date(1900, 1, 1).toordinal(), date(2025, 12, 31).toordinal()
_CENTURY = 36_525  # days
_DATE_FORMATS = ("%Y-%m-%d", "%Y%m%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d%m%Y", "%m%d%Y", "%Y/%m/%d",
            "%Y-%m-%d 00:00:00", "%y%m%d")  # fmt: skip


@cache
def all_spaces() -> tuple[Space, ...]:
    """Return every space, the smallest first."""
    found = [*_numbers(), *_days(), *_phones(), *_codes(), *_words()]
    return tuple(sorted(found, key=lambda space: (space.size, space.name)))


def _entities(family: str) -> frozenset[str]:
    """Return the entity types whose values come from a family of spaces."""
    return frozenset(code for code, record in vocabulary.entity_types().items() if family in record.spaces)


def _numbers() -> Iterator[Space]:
    for n in (4, 6):
        yield Space(f"whole numbers below {10**n:,}", 10**n, lambda i: b"%d" % i, _entities("counters"))
    for n in range(4, 11):
        family = "short_numbers" if n <= 6 else "long_numbers"
        yield Space(f"whole numbers of {n} digits", 10**n, _padded([""], n), _entities(family))


def _padded(beginnings: Iterable[str], n: int) -> Callable[[int], bytes]:
    """Return the function that writes the i-th number of `n` digits after one of `beginnings`."""
    forms, size = [text.encode() + b"%%0%dd" % n for text in beginnings], 10**n
    return lambda i: forms[i // size] % (i % size)


def _days() -> Iterator[Space]:
    def written(form: str) -> Callable[[int], bytes]:
        return lambda i: date.fromordinal(_LAST_DAY - i).strftime(form).encode()

    for form in _DATE_FORMATS:
        # A year of two digits is unique within one century.
        n_days = _CENTURY if "%y" in form else _LAST_DAY - _FIRST_DAY + 1
        first, last = date.fromordinal(_LAST_DAY - n_days + 1).year, date.fromordinal(_LAST_DAY).year
        yield Space(f"days from {first} to {last}", n_days, written(form), _entities("days"))


def _phones() -> Iterator[Space]:
    for country, code, trunk, heads, n in wordlists.toml("input_spaces")["mobile_numbers"]["listed"]:
        for prefix in dict.fromkeys([f"+{code}", code, trunk]):
            write = _padded((prefix + head for head in heads), n)
            yield Space(f"mobile numbers of {country}", len(heads) * 10**n, write, _entities("phone_numbers"))


def _codes() -> Iterator[Space]:
    characters = {"l": _LETTERS, "d": "0123456789", "p": "123456789", "n": "23456789"}
    for name, form, family in wordlists.toml("input_spaces")["forms"]["listed"]:
        parts = [characters.get(char, char) for char in form]
        yield Space(name, math.prod(map(len, parts)), _template(parts), _entities(family))
    quad: Callable[[int], bytes] = lambda i: b"%d.%d.%d.%d" % (i >> 24, i >> 16 & 255, i >> 8 & 255, i & 255)  # noqa: E731
    yield Space("IPv4 addresses", 2**32, quad, _entities("ipv4_addresses"))


def _template(parts: Sequence[str]) -> Callable[[int], bytes]:
    """Return the function that writes the i-th text of one character of each part, the last part varying fastest."""

    def write(i: int) -> bytes:
        text = ""
        for part in reversed(parts):
            i, place = divmod(i, len(part))
            text = part[place] + text
        return text.encode()

    return write


def _words() -> Iterator[Space]:
    """Yield the lists of names and values: the hash of a given name or a country is looked up in a dictionary."""
    lists = [
        ("given names", wordlists.listed_words("given_names"), _entities("given_names")),
        ("surnames", wordlists.listed_words("surnames"), _entities("surnames")),
        ("towns", wordlists.towns(), _entities("towns")),
    ]
    for code in sorted(_entities("listed_values").intersection(wordlists.value_lists())):
        name = f"words for {vocabulary.entity_type(code).singular}"
        lists.append((name, wordlists.value_list(code), frozenset({code})))
    for name, listed, entities in lists:
        for written in (str, str.title, str.upper):
            texts = sorted({written(word) for word in listed})
            if len(texts) > 1:
                yield Space(name, len(texts), _listed(texts), entities)


def _listed(texts: Sequence[str]) -> Callable[[int], bytes]:
    return lambda i: texts[i].encode()
