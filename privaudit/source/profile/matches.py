"""Which values an RE2 expression matches, once for the small numbers that many columns share.

Question: which of some values does an expression match?
Method: the shortest expression that matches the same (ascii_form.py) reads all values at once. One-hot flags, items of
a survey and codes of categories are a few whole numbers, the same in hundreds of columns, and to compile an expression
takes longer than to match them: what it matches among numbers of up to three digits is kept.
Limits: no other value is kept, so that no cell outlasts its table.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from privaudit.base.arrow import pa, pc
from privaudit.source.profile.ascii_form import shortest_form

Mask = npt.NDArray[np.bool_]
_FEW, _DIGITS = 24, 3


def matches(values: pa.Array, expression: str) -> Mask:
    """Return which of d `values` an RE2 expression matches, a bool array of shape (d,); missing ones do not match."""
    if len(values) <= _FEW:
        texts = values.to_pylist()
        if all(map(_is_small_number, texts)):
            return _of_numbers(texts, expression)
    return _matches(values, expression)


def _matches(values: pa.Array, expression: str) -> Mask:
    found = pc.match_substring_regex(values, shortest_form(expression, values))
    if found.null_count:
        found = found.fill_null(False)
    return np.asarray(found, dtype=np.bool_)


def _is_small_number(text: object) -> bool:
    return isinstance(text, str) and len(text) <= _DIGITS and text.isascii() and text.isdigit()


def _of_numbers(texts: list[str], expression: str) -> Mask:
    """Return which of a few small numbers match."""
    known = _known(expression)
    new = [text for text in texts if text not in known]
    if new:
        known.update(zip(new, _matches(pa.array(new, pa.string()), expression).tolist(), strict=True))
    return np.fromiter((known[text] for text in texts), np.bool_, len(texts))


@lru_cache(maxsize=4096)
def _known(_expression: str) -> dict[str, bool]:
    """Return the small numbers of which it is known whether the expression matches them."""
    return {}
