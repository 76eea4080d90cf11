"""Fill the placeholders of a sentence with values.

Question: how do a sentence of the catalogue and typed values become text?
Method: literal text and placeholders in turn. ``{name}`` is written by the caller's writer, ``{name:form}`` in a form
of the value, and ``{name?}`` may be absent. A count, a share or a term at the beginning of a sentence gets a capital.
Limits: no attribute access, no index, no conversion: a foreign sentence can do no more than name values.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from functools import lru_cache

from privaudit.model.wording.facts import Count, EntityType, Fact, Share, Term, Value

MISSING = "–"
"""What replaces a number that was not measured, and a placeholder that a fact holds no value for."""

_CAPITALISED = (Count, Share, EntityType, Term, Fact)
"""Names of columns and packs keep their case."""


@lru_cache(maxsize=1024)
def placeholders(sentence: str) -> frozenset[str]:
    """Return the names of the placeholders in `sentence`.

    >>> sorted(placeholders("{people} in {columns:plus}. {other?}"))
    ['columns', 'other', 'people']
    """
    named = (placeholder for _, placeholder, _, _ in string.Formatter().parse(sentence) if placeholder)
    return frozenset(name.removesuffix("?") for name in named)


def fill(
    sentence: str, values: Mapping[str, Value], write: Callable[[Value, str], str], *, capital: bool = False
) -> str:
    """Return `sentence` filled with `values`, runs of blanks made one.

    Parameters
    ----------
    sentence : str
    values : mapping of str to typed value
    write : callable
        Writes a value in a form.
    capital : bool, default False
        Whether a value at the very beginning begins a sentence.

    Raises
    ------
    ValueError
        If the braces do not match, a placeholder has a conversion, or a value has not the requested form.
    """
    text = ""
    for literal, placeholder, form, conversion in string.Formatter().parse(sentence):
        text += literal
        if placeholder is None:
            continue
        if conversion is not None:
            raise ValueError("a placeholder of a sentence takes no conversion")
        value = values.get(placeholder.removesuffix("?"))
        if value is None:
            # A report of another version may hold a fact without this value: the sentence still reads.
            text += "" if placeholder.endswith("?") else MISSING
            continue
        written = write(value, form or "")
        begins = text.rstrip().endswith((".", "?", "!")) if text.strip() else capital
        text += written[:1].upper() + written[1:] if begins and isinstance(value, _CAPITALISED) else written
    return " ".join(text.split())
