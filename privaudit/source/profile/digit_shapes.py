"""Values that differ in their digits alone are one shape, and many expressions match all of a shape or none.

Question: how is an expression matched with a million numbers, of which a few forms exist?
Method: every digit of the values becomes 0. An expression that treats all digits alike matches a value where it matches
its shape, so that it is run once for each shape. A sample of many values shows whether shapes are few.
Limits: only for values without missing ones. Digits outside ASCII stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Codes, Flags
from privaudit.base.arrow import pa, pc
from privaudit.base.object_cache import cached_by_object
from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass
from privaudit.source.profile.alphabet import has_digits, with_equal_digits

LEAST_VALUES = 25
"""Number of values from which shapes are computed; matching an expression with fewer values is faster."""
_SAMPLED = 1_000
"""Values in the sample that decides whether there are few shapes."""
_VALUES_PER_SHAPE = 8
"""Values per shape, on average, from which shapes are used."""
_ATOM = Expression(
    r"\\x\{(?!0*3[0-9]\})[0-9A-Fa-f]+\}|\\[^x0-9]|(?<!\\x)\{[0-9]+(?:,[0-9]*)?\}"
    r"|\[\^?(?P<members>\]?(?:\\.|\[:\^?[a-z]+:\]|[^\]\\])*)\]|(?P<digit>[0-9])",
    re.DOTALL,
)
"""What treats digits alike whatever digits it is written with, a set of characters, or a digit."""


@dataclass(frozen=True, slots=True)
class Shapes:
    """The distinct shapes of some values, and the place of the shape of each value among them."""

    values: pa.Array
    place: Codes


def shapes_of(values: pa.Array, expressions: Iterable[str] = ()) -> Shapes | None:
    """Return the shapes of an array of text, kept while it is in memory.

    None where shapes are not few, or where one of `expressions` distinguishes digits.
    """
    if len(values) < LEAST_VALUES or values.null_count or not all(map(treats_digits_alike, expressions)):
        return None
    return _shapes(values)


def by_shape(values: pa.Array, compute: Callable[[pa.Array], npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Return ``compute(values)``, an array with a number for each value that does not depend on which digits it has."""
    shapes = shapes_of(values)
    return compute(values) if shapes is None else compute(shapes.values)[shapes.place]


def containing(values: pa.Array, text: str) -> Flags:
    """Return which of d `values` contain `text`, a bool array of shape (d,)."""

    def search(some: pa.Array) -> Flags:
        return np.asarray(pc.match_substring(some, text), dtype=np.bool_)

    return search(values) if any(map(str.isdigit, text)) else by_shape(values, search)


@cached_by_object
def _shapes(values: pa.Array) -> Shapes | None:
    if not has_digits(values):
        return None
    if len(values) > _SAMPLED:
        sampled = values.take(pa.array(np.linspace(0, len(values) - 1, _SAMPLED, dtype=np.int64)))
        if len(with_equal_digits(sampled).unique()) * _VALUES_PER_SHAPE > _SAMPLED:
            return None
    shaped = with_equal_digits(values).dictionary_encode()
    if len(shaped.dictionary) * _VALUES_PER_SHAPE > len(values):
        return None
    return Shapes(shaped.dictionary, shaped.indices.to_numpy())


@cache
def treats_digits_alike(expression: str) -> bool:
    """Whether exchanging ASCII digits of a text never changes if an RE2 expression matches it.

    False if that is not certain: where a digit is written, other than in a number of repetitions, in the code of
    another character, or in the range of all digits.

    Examples
    --------
    >>> treats_digits_alike("^[A-Z][0-9]{6}$"), treats_digits_alike("^[1-9][0-9]{5}$")
    (True, False)
    """
    # A range between other characters has all digits or none, and so has a class.
    return not any(map(_has_digit, _ATOM.finditer(expression)))


def _has_digit(atom: re.Match[str]) -> bool:
    """Whether a part of an expression writes a digit; a set does where one of its members does."""
    if atom["members"] is not None:
        return any(map(_has_digit, _ATOM.finditer(atom["members"].replace("0-9", ""))))
    return atom["digit"] is not None
