"""Hashes of a small space of inputs, which trying all of them reverses.

Question: do the digests of a column come from numbers, dates or names so few that an attacker can try them all?
Method: a space is a size and a function from a number below it to the text that is hashed; the notations of one
identifier (with and without dashes, with country code or trunk prefix) are separate spaces. The records of entity
types name the families of spaces that their values come from. Of each space, so many inputs, spread evenly over it, are
hashed that about `_WANTED` would match if the digests came from it: the more digests a column has, the larger the
spaces that a few thousand tries decide. With m tries, h matches and N digests of a space of S inputs, about
``h S / (m N)`` of the digests can be reversed; chance alone gives ``m N / 2^bits`` matches. Tries are counted, not
timed, so the result is the same on every machine.
Limits: spaces too large for the permitted tries are not tried; then only the column name suggests what was hashed. No
match proves neither salt nor key. Numbering plans are approximate: numbers that are never issued are included, so sizes
are rather too large.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from string import ascii_uppercase as _LETTERS

from privaudit.base.records import dataclass
from privaudit.detect.catalogue import wordlists
from privaudit.detect.pseudonyms import digests
from privaudit.detect.pseudonyms.column_hashes import RATE, Digests, report_hash
from privaudit.model import vocabulary
from privaudit.model.stats import Estimate, exact, wilson_bounds
from privaudit.model.wording import Count, Duration, Name, Threshold, fact

_WANTED = 10  # matches: five may be missing by chance, all ten are not
_LEAST_MATCHES = 3  # beyond chance
_LEAST_SHARE = 0.1  # of the digests: fewer are not what the column holds
_CLEARLY_MORE, _NEARLY_ALL = 1.3, 0.8  # factor on the share of a smaller space; share that ends the search
_LEAST_TRIES = 400  # of a space
_MOST_TRIES = 60_000  # of one space by one function; ten times as many where the column name suggests the space
_MOST_OF_SMALL = 250_000  # of a space of a million inputs at most: running numbers
_BUDGET = 400_000  # digests computed for one column at most: half a second
_FEWER, _FOR_EACH = 60_000, 200  # a small table takes less time, unless it repeats `_FEW` digests
_FEW = 50
_TRIES_FOR_INTERVAL = 100_000  # of the space that was found: the interval is a tenth of that of `_WANTED` matches
_FIRST_DAY, _LAST_DAY = date(1900, 1, 1).toordinal(), date(2025, 12, 31).toordinal()
_CENTURY = 36_525  # days
_DATE_FORMATS = ("%Y-%m-%d", "%Y%m%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d%m%Y", "%m%d%Y", "%Y/%m/%d",
            "%Y-%m-%d 00:00:00", "%y%m%d")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Space:
    """One set of inputs, and the entity types whose values come from it.

    `name` describes the inputs in words; `write` returns the text of the i-th of them, ``0 <= i < size``, as bytes.
    """

    name: str
    size: int
    write: Callable[[int], bytes]
    entities: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Match:
    """How many of `n_tries` inputs of a space are among `n_digests` digests of a function."""

    space: Space
    function: str
    n_tries: int
    n_matches: int
    n_digests: int

    @property
    def share(self) -> float:
        """The share of the digests that trying the whole space reverses."""
        return min(1.0, self.n_matches * self.space.size / (self.n_tries * self.n_digests))

    @property
    def estimate(self) -> Estimate:
        """The share with its interval; exact where the whole space was tried."""
        if self.n_tries == self.space.size:
            return exact(self.share, self.n_digests)
        scale, n = self.space.size / self.n_digests, max(self.n_matches, self.n_tries)
        low, high = (min(1.0, bound * scale) for bound in wilson_bounds(self.n_matches, n))
        low, high = min(low, self.share), max(high, self.share)
        return Estimate(value=self.share, low=low, high=high, n=self.n_digests, method="wilson")


def explain_by_spaces(columns: Sequence[Digests]) -> None:
    """Report every column of digests whose inputs come from a space small enough to try."""
    # Decimal digests are excluded: numbers match numbers by chance.
    for one in (one for one in columns if one.encoding.alphabet != "decimal"):
        drawn = set(one.values.take(one.item.column.drawn).to_pylist())
        budget = _BUDGET if len(drawn) <= _FEW else min(_BUDGET, _FEWER + _FOR_EACH * len(drawn))
        best = _search(one, drawn, budget // max(1, len(columns) // 4))
        if best is not None:
            n_tries = max(best.n_tries, min(best.space.size, _TRIES_FOR_INTERVAL))
            _report(one, _try(one, best.space, best.function, _inputs(best.space, n_tries), drawn))


def _search(one: Digests, drawn: set[str], left: int) -> _Match | None:
    """Return the match with the smallest space that explains the most."""
    best: _Match | None = None
    for space, n_tries in _worth_trying(one, len(drawn)):
        inputs = _inputs(space, n_tries) if n_tries <= left else []
        for name in one.encoding.functions:
            if n_tries > left:
                return best
            left -= n_tries
            match = _try(one, space, name, inputs, drawn)
            chance = n_tries * len(drawn) * 2.0**-one.encoding.bits
            if match.n_matches < _LEAST_MATCHES + 5 * chance or match.share < _LEAST_SHARE:
                continue
            if best is None or match.share > _CLEARLY_MORE * best.share:
                best = match
            if best.share > _NEARLY_ALL:
                return best
    return best


def _worth_trying(one: Digests, n_drawn: int) -> Iterator[tuple[Space, int]]:
    """Yield the spaces that few enough tries decide, those that the column name suggests first, and the tries."""
    hinted = {hint.entity for hint in one.item.column.header.hints}
    for space in sorted(all_spaces(), key=lambda s: (not s.entities & hinted, s.size, s.name)):
        n_tries = min(space.size, max(_LEAST_TRIES, math.ceil(_WANTED * space.size / n_drawn)))
        most = 10 * _MOST_TRIES if space.entities & hinted else _MOST_OF_SMALL if space.size <= 10**6 else _MOST_TRIES
        if n_tries <= most:
            yield space, n_tries


def _inputs(space: Space, n_tries: int) -> list[bytes]:
    """Return `n_tries` inputs, spread evenly over a space."""
    if n_tries == space.size:
        return [space.write(k) for k in range(n_tries)]
    return list(spread(space, range(n_tries)))


def spread(space: Space, numbers: range) -> Iterator[bytes]:
    """Yield some inputs of a space in an order that is spread evenly over it."""
    step = _step(space.size)
    return (space.write(k * step % space.size) for k in numbers)


def _try(one: Digests, space: Space, name: str, inputs: Sequence[bytes], drawn: set[str]) -> _Match:
    """Hash inputs of a space and count those that are among the digests."""
    make = digests.function(name)
    n_matches = sum(one.encoding.encode(make(text)) in drawn for text in inputs)
    return _Match(space, name, len(inputs), n_matches, len(drawn))


def _step(size: int) -> int:
    """Return a step near the golden section of `size` and coprime to it, so that its multiples spread evenly."""
    step = int(size * (math.sqrt(5) - 1) / 2) | 1
    while math.gcd(step, size) > 1:
        step += 2
    return step


def _report(one: Digests, match: _Match) -> None:
    space = match.space
    because = fact(
        "detect.pseudonyms_hash_reversed",
        function=Name(match.function),
        inputs=Name(space.name),
        matches=Count(match.n_matches, unit="value"),
        tries=Threshold(match.n_tries),
        digests=Count(match.n_digests, unit="value"),
        size=Threshold(space.size),
        time=Duration(space.size / RATE),
        share=match.estimate,
    )
    people = bool(space.entities & vocabulary.with_role("direct")) or "DATE_OF_BIRTH" in space.entities
    report_hash(one.item, because, math.log2(space.size), people=people)
    one.item.ledger.measurements["hash_undone"] = round(match.share, 3)


@cache
def all_spaces() -> tuple[Space, ...]:
    """Return every space."""
    return (*_numbers(), *_days(), *_phones(), *_codes(), *_words())


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
