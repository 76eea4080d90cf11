"""Which values match an expression.

Question: which of many values does an RE2 expression match?
Method: many values are read in parts, side by side: one long column does not occupy a single core, and what is made of
its values on the way, in lower case for instance, is in memory for a part of them.
Limits: values that are missing do not match.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from privaudit.base.arrays import Flags
from privaudit.base.arrow import pa, pc
from privaudit.base.parallel import each
from privaudit.source.profile.digit_shapes import shapes_of
from privaudit.source.profile.matches import matches

PART = 500_000
"""Values that one thread matches: a tenth of a second."""


def in_parts(n: int, read: Callable[[slice], Flags], threads: int = 1) -> Flags:
    """Return what `read` returns for each part of `n` values, as one array."""
    if n <= PART:
        return read(slice(0, n))
    return np.concatenate(each(read, [slice(i, i + PART) for i in range(0, n, PART)], threads))


def part_of(values: pa.Array, part: slice) -> pa.Array:
    """Return a part of `values`; all of them as they are, because what is computed of an array is kept with it."""
    return values if part == slice(0, len(values)) else values[part]


@lru_cache(maxsize=4096)
def compiles(expression: str) -> bool:
    """Return whether RE2 can run an expression: one that repeats long parts often would take too much memory."""
    try:
        pc.match_substring_regex(pa.array([""]), expression)
    except pa.ArrowInvalid:
        return False
    return True


def matching(values: pa.Array, expression: str, threads: int = 1) -> Flags:
    """Return which of d `values` an RE2 expression matches, a bool array of shape (d,), by several `threads`."""
    if len(values) <= PART or shapes_of(values, (expression,)) is not None:
        return matches(values, expression)
    return in_parts(len(values), lambda part: matches(values[part], expression), threads)
