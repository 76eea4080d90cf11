"""Which RE2 expressions may match any of some texts, judged by what little is known of all of them.

Question: which expressions need not be run on the values of a column?
Method: an expression is reduced to a few alternatives. Each states what a text has that it matches: the fewest digits,
its length, and characters of which it has at least one; where it matches the text from end to end, also the only
characters of the text. That is compared with the characters, digits and lengths that occur. The alternatives of the
shipped expressions are compiled (`compiled_tables`): to compare them takes a hundredth of the time that RE2 takes to
compile an expression, so that they are compared for columns of any size, those of all detectors at once
(`Requirements`). Others are read only for many values.
Limits: that an expression cannot match is certain, that it can is not.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, reduce
from itertools import product
from operator import or_
from pathlib import Path
from typing import NamedTuple

import numpy as np

from privaudit.base import compiled_tables, resources
from privaudit.base.arrays import Flags, Words
from privaudit.detect.catalogue import boundaries, expressions, wordlists
from privaudit.detect.catalogue.expressions import ALL, DIGITS, OTHER, Characters, Part

MANY = 10_000
"""Values from which an expression that is not compiled is read before it is run; fewer are matched faster."""
_MOST_ALTERNATIVES, _MOST_SETS = 24, 6
_ANY_LENGTH = 1 << 31


class Texts(NamedTuple):
    """What is known of some texts.

    The characters that occur in any, the most ASCII digits of one, the fewest and most characters of one, and some of
    the characters that occur in every one.
    """

    seen: Characters
    most_digits: int
    shortest: int = 0
    longest: int = _ANY_LENGTH
    common: Characters = 0


class Alternative(NamedTuple):
    """What a text has that an expression matches in one of its ways.

    At least `digits` ASCII digits; a part of `least` to `most` characters, each of them one of `accepted`, which is the
    whole text where it `starts` and `ends` there; and at least one character of each of the `sets`.
    """

    digits: int = 0
    least: int = 0
    most: int = 0
    accepted: Characters = 0
    sets: tuple[Characters, ...] = ()
    starts: bool = False
    ends: bool = False


def characters_of(seen: Flags) -> Characters:
    """Return the characters for the 256 bytes of an alphabet."""
    ascii_only = sum(1 << int(code) for code in np.flatnonzero(seen[:128]))
    return ascii_only | (OTHER if seen[128:].any() else 0)


def can_match(expression: str, texts: Texts, n_texts: int = MANY) -> bool:
    """Return whether an RE2 expression may match any of `n_texts` texts; False is certain, True is not."""
    ways = compile_expressions().get(expression)
    if ways is None:
        ways = alternatives(expression) if n_texts >= MANY else None
    if ways is None:
        return True
    seen = texts.seen
    for digits, least, most, accepted, sets in ways:
        if (
            digits <= texts.most_digits
            and least <= texts.longest
            and most >= texts.shortest
            and not texts.common & ~accepted
            and all(characters & seen for characters in sets)
        ):
            return True
    return False


class Requirements:
    """What a text has that any expression of a group matches, for many groups: all are compared with a column at once.

    Parameters
    ----------
    groups : sequence of bytes or None
        As `packed` returns them; of None it is not known what it cannot match.
    """

    def __init__(self, groups: Sequence[bytes | None]) -> None:
        ways = np.frombuffer(b"".join(group or b"" for group in groups), _WAY)
        # The alternatives are the last axis: NumPy compares and reduces long rows, not thousands of short ones.
        self._digits, self._least, self._most, self._accepted, self._sets = (
            np.ascontiguousarray(ways[name].T) for name in _WAY.names or ()
        )
        sizes = [len(group or b"") // _WAY.itemsize for group in groups]
        self._group = np.repeat(np.arange(len(groups)), sizes)
        self._is_unknown = np.array([group is None for group in groups], dtype=np.bool_)

    def met_by(self, texts: Texts) -> Flags:
        """Return which groups may match any of some texts; False is certain, True is not."""
        met = (self._digits <= texts.most_digits) & (self._least <= texts.longest) & (self._most >= texts.shortest)
        met &= ~(_words(texts.common)[:, None] & ~self._accepted).any(axis=0)
        met &= (_words(texts.seen | _ANY)[:, None, None] & self._sets).any(axis=0).all(axis=0)
        possible = self._is_unknown.copy()
        possible[self._group[met]] = True
        return possible


_ANY = 1 << 191  # what every text has, as the characters of a set that an alternative lacks
_WAY = np.dtype(
    [("digits", "<i8"), ("least", "<i8"), ("most", "<i8"), ("accepted", "<u8", 3), ("sets", "<u8", (_MOST_SETS, 3))]
)


@lru_cache(maxsize=1024)
def packed(expressions: tuple[str, ...]) -> bytes | None:
    """Return the alternatives of compiled expressions as records of `_WAY`; None where one is not compiled."""
    compiled, rows = compile_expressions(), []
    for expression in expressions:
        ways = compiled.get(expression)
        if ways is None:
            return None
        for digits, least, most, accepted, sets in ways:
            characters = (accepted, *sets, *(_ANY,) * (_MOST_SETS - len(sets)))
            rows.append(struct.pack("<3q", digits, least, most) + b"".join(map(_bytes, characters)))
    return b"".join(rows)


@lru_cache(maxsize=1024)
def packed_of_cells(patterns: tuple[str, ...]) -> bytes | None:
    """Return what `packed` does of the expressions of whole cells."""
    return packed(tuple(map(boundaries.whole, patterns)))


def _bytes(characters: Characters) -> bytes:
    return characters.to_bytes(24, "little")


def _words(characters: Characters) -> Words:
    return np.frombuffer(_bytes(characters), "<u8")


Ways = tuple[tuple[int, int, int, Characters, tuple[Characters, ...]], ...]
"""For each alternative the fewest digits, the bounds of a text's length, its only characters, and the sets."""


@cache
def alternatives(expression: str) -> Ways | None:
    """Return what a text has that an expression matches, in each of its ways; None where it is not read."""
    tree = expressions.parsed(expression)
    if tree is None:
        return None
    return tuple(
        (way.digits, way.least, way.most, way.accepted, way.sets)
        if way.starts and way.ends
        else (way.digits, way.least, _ANY_LENGTH, ALL, way.sets)
        for way in _of(tree)
    )


@cache
def compile_expressions() -> dict[str, Ways | None]:
    """Return the alternatives of the shipped expressions: of detectors, of what texts contain, and of witnesses."""
    home = Path(__file__)
    modules = (home, *(home.with_name(f"{name}.py") for name in ("boundaries", "expressions", "detector")))
    reference = (resources.path("rules", "reference", f"{name}.toml") for name in ("edges", "forms"))
    rules = (*reference, *resources.path("rules", "detectors").glob("*.toml"))
    return compiled_tables.table("expressions", _compile, (*modules, *sorted(rules)))


def _compile() -> dict[str, Ways | None]:
    from privaudit.detect.catalogue import detectors

    every = {pattern for detector in detectors.load() for pattern in map(boundaries.whole, detector.regex)}
    texts = [(one, form) for one in detectors.load() for form in one.text]
    every |= {expression for one, form in texts for expression in (form.requires, one.loosely(form)) if expression}
    every |= {"|".join(form) for subject in wordlists.toml("forms").values() for form in subject.values()}
    return {expression: alternatives(expression) for expression in sorted(every)}


def _of(part: Part) -> tuple[Alternative, ...]:
    if part.kind == "edge":
        return (Alternative(starts=part.edge == "^", ends=part.edge == "$"),)
    if part.kind == "character":
        is_digit = part.accepted & ~DIGITS == 0
        return (Alternative(int(is_digit), 1, 1, part.accepted, () if part.accepted == ALL else (part.accepted,)),)
    if part.kind == "either":
        return _few([way for each in part.parts for way in _of(each)])
    if part.kind == "repeated":
        return (_repeated(_any(_of(part.parts[0])), part.least, part.greatest),)
    return reduce(_in_sequence, map(_of, part.parts), (Alternative(),))


def _repeated(way: Alternative, least: int, greatest: int) -> Alternative:
    most = min(way.most * greatest, _ANY_LENGTH)
    if least == 0:
        return Alternative(0, 0, most, way.accepted)
    return way._replace(digits=way.digits * least, least=way.least * least, most=most)


def _in_sequence(before: tuple[Alternative, ...], after: tuple[Alternative, ...]) -> tuple[Alternative, ...]:
    if len(before) * len(after) > _MOST_ALTERNATIVES:
        before, after = (_any(before),), (_any(after),)
    return tuple(
        Alternative(
            one.digits + other.digits,
            one.least + other.least,
            min(one.most + other.most, _ANY_LENGTH),
            one.accepted | other.accepted,
            tuple(_narrowest({*one.sets, *other.sets})),
            # An edge is where it is, whatever is read before or after it: that is empty.
            one.starts or other.starts,
            one.ends or other.ends,
        )
        for one, other in product(before, after)
    )


def _few(ways: Sequence[Alternative]) -> tuple[Alternative, ...]:
    different = tuple(dict.fromkeys(ways))
    return different if len(different) <= _MOST_ALTERNATIVES else (_any(different),)


def _any(ways: Sequence[Alternative]) -> Alternative:
    """Return what is true of a text that matches in any of the `ways`."""
    if len(ways) == 1:
        return ways[0]
    first = [min(way.sets, key=int.bit_count, default=ALL) for way in ways]
    either = reduce(or_, first)
    return Alternative(
        min(way.digits for way in ways),
        min(way.least for way in ways),
        max(way.most for way in ways),
        reduce(or_, (way.accepted for way in ways)),
        () if either == ALL else (either,),
        all(way.starts for way in ways),
        all(way.ends for way in ways),
    )


def _narrowest(sets: set[Characters]) -> Iterator[Characters]:
    """Yield the smallest of `sets` that contain no other one: the others follow from them."""
    chosen: list[Characters] = []
    for characters in sorted(sets, key=lambda each: (each.bit_count(), each)):
        if len(chosen) < _MOST_SETS and not any(one & ~characters == 0 for one in chosen):
            chosen.append(characters)
            yield characters
