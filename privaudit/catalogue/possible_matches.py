"""Whether an RE2 expression can match any value of a column, from the characters and lengths of the values alone.

Question: which expressions need not be run on a million values?
Method: the expression is parsed once. It cannot match where it needs a character that no value has, or more characters
or digits than any value has; anchored at both ends, it cannot match either where every value has a character that it
does not accept, or more characters than it accepts.
Limits: an expression that `privaudit.catalogue.expressions` does not read may match anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from re import _constants as sre  # type: ignore[attr-defined]
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.catalogue.expressions import (
    DIGITS,
    OTHER,
    UPPER,
    Characters,
    UnreadableError,
    characters_of_item,
    of,
    parsed,
)

MANY = 10_000
"""Values from which an expression is read before it is run; fewer are matched faster than it is read."""
_UNLIMITED = 1 << 20


@dataclass(frozen=True, slots=True)
class Texts:
    """What is known of some texts.

    Attributes
    ----------
    seen : Characters
        Those that occur in any text.
    shortest, longest : int
        Characters of one text.
    most_digits : int
        ASCII digits of one text, at most.
    in_all : Characters
        Some of those that occur in every text.
    """

    seen: Characters
    shortest: int = 0
    longest: int = _UNLIMITED
    most_digits: int = _UNLIMITED
    in_all: Characters = 0

    def lowered(self) -> Texts:
        """Return what is known of texts of ASCII in lower case with repeated blanks joined."""
        return Texts(self.seen | (self.seen & UPPER) << 32 | of(" "), 0, self.longest, self.most_digits)


def characters_of(seen: npt.NDArray[np.bool_]) -> Characters:
    """Return the characters for the 256 bytes of an alphabet."""
    ascii_only = sum(1 << int(code) for code in np.flatnonzero(seen[:128]))
    return ascii_only | (OTHER if seen[128:].any() else 0)


def can_match(expression: str, texts: Texts) -> bool:
    """Return whether an RE2 expression may match any of the texts; False is certain, True is not."""
    read = parsed(expression)
    if read is None:
        return True
    try:
        return _can_match(read.items, texts, folds=read.folds)
    except UnreadableError:
        return True


_BEGINNING, _END = (sre.AT, sre.AT_BEGINNING), (sre.AT, sre.AT_END)


def _can_match(items: Any, texts: Texts, *, folds: bool) -> bool:
    anchored = _is_anchored(items, 0, _BEGINNING) and _is_anchored(items, -1, _END)
    if anchored and (items.getwidth()[1] < texts.shortest or texts.in_all & ~_accepted(items, folds=folds)):
        return False
    return _fewest_digits(items) <= texts.most_digits and _can_all_match(items, texts, folds=folds)


def _is_anchored(items: Any, end: int, anchor: tuple[Any, Any]) -> bool:
    """Whether every match has `anchor` at one end: the item itself, or in each alternative."""
    if not len(items):
        return False
    kind, value = items[end]
    if kind is sre.BRANCH:
        return all(_is_anchored(each, end, anchor) for each in value[1])
    return bool((kind, value) == anchor)


def _accepted(items: Any, *, folds: bool) -> Characters:
    """Return the characters that a match of a parsed sequence may have."""
    accepted = 0
    for kind, value in items:
        if kind is sre.AT:
            continue
        if kind is sre.BRANCH:
            parts = value[1]
        elif kind is sre.SUBPATTERN:
            parts = [value[3]]
        elif kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            parts = [value[2]]
        else:
            accepted |= characters_of_item(kind, value, folds=folds)
            continue
        for part in parts:
            accepted |= _accepted(part, folds=folds)
    return accepted


def _can_all_match(items: Any, texts: Texts, *, folds: bool) -> bool:
    """Whether each part of a parsed sequence may match, and all of them together are not too long."""
    short = items.getwidth()[0] <= texts.longest
    return short and all(_can_item_match(kind, value, texts, folds=folds) for kind, value in items)


def _can_item_match(kind: Any, value: Any, texts: Texts, *, folds: bool) -> bool:
    if kind is sre.AT:
        return True
    if kind is sre.SUBPATTERN:
        _, added, removed, items = value
        if added or removed:
            raise UnreadableError
        return _can_all_match(items, texts, folds=folds)
    if kind is sre.BRANCH:
        return any(_can_all_match(items, texts, folds=folds) for items in value[1])
    if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        least, _, items = value
        return int(least) == 0 or _can_all_match(items, texts, folds=folds)
    return bool(characters_of_item(kind, value, folds=folds) & texts.seen)


def _fewest_digits(items: Any) -> int:
    """Return the digits that every match of a parsed sequence has at least."""
    return sum(_fewest_digits_of_item(kind, value) for kind, value in items)


def _fewest_digits_of_item(kind: Any, value: Any) -> int:
    if kind is sre.AT:
        return 0
    if kind is sre.SUBPATTERN:
        return _fewest_digits(value[3])
    if kind is sre.BRANCH:
        return min(_fewest_digits(items) for items in value[1])
    if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        least, _, items = value
        return int(least) * _fewest_digits(items)
    return int(not characters_of_item(kind, value, folds=False) & ~DIGITS)
