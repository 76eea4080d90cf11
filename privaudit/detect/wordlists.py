"""Reference words: names, towns, values and endings that speak for a meaning, loaded once and folded alike.

Question: is this cell a given name, a town, a marital status?
Method: plain-text and TOML lists under ``rules/reference`` are folded (lower case, no accents) and compared by
vectorised set membership over the distinct values of a column.
Limits: lists are samples of the world; a column is judged by the share of its cells they know, never by one cell.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit import resources
from privaudit.headers import fold

if TYPE_CHECKING:
    import pyarrow as pa

Mask = npt.NDArray[np.bool_]


def fold_all(values: pa.Array) -> pa.Array:
    """Return `values` folded as `fold` does, vectorised where the cell is ASCII."""
    import pyarrow as pa
    import pyarrow.compute as pc

    lowered = pc.replace_substring_regex(pc.utf8_trim_whitespace(pc.utf8_lower(values)), r"\s{2,}", " ")
    foreign = np.asarray(pc.invert(pc.string_is_ascii(lowered)))
    if foreign.any():
        texts = [fold(text) for text in lowered.filter(pa.array(foreign)).to_pylist()]
        lowered = pc.replace_with_mask(lowered, pa.array(foreign), pa.array(texts, type=lowered.type))
    return lowered


def _quick(word: str) -> str:
    """Fold one of tens of thousands of listed words, which have no blanks side by side."""
    return word.lower() if word.isascii() else fold(word)


@cache
def names(kind: str) -> frozenset[str]:
    """Return the folded words of a plain-text list such as ``given_names``, ``surnames`` or ``han_surnames``."""
    lines = resources.path("rules", "reference", f"{kind}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(_quick(word) for line in lines if not line.startswith("#") for word in line.split())


@cache
def towns() -> frozenset[str]:
    """Return the folded names of towns, one per line of the list of cities and behind bars in that of towns."""
    folder = resources.path("rules", "reference")
    lines = (folder / "cities.txt").read_text(encoding="utf-8").splitlines()
    more = (folder / "towns.txt").read_text(encoding="utf-8").splitlines()
    names = (*lines, *(name for line in more if not line.startswith("#") for name in line.split("|")))
    found = frozenset(_quick(name.strip()) for name in names if name and not name.startswith("#"))
    return found - {"nan", "none", "null", "na", "unknown", "other", "nil"}


@cache
def toml(name: str) -> dict[str, Any]:
    """Return one reference table, parsed."""
    return tomllib.loads(resources.path("rules", "reference", f"{name}.toml").read_text(encoding="utf-8"))


@cache
def value_list(name: str, key: str = "values") -> frozenset[str]:
    """Return the folded values of one list of ``values.toml``; empty where the list has no such key."""
    text = toml("values")[name].get(key, "")
    parts = text.split("|") if "|" in text else text.split()
    listed = frozenset(fold(part) for part in parts if part.strip())
    return listed | _countries() if (name, key) == ("COUNTRY", "values") else listed


@cache
def _countries() -> frozenset[str]:
    """Return the folded names of countries that also serve to tell which country is meant."""
    lines = toml("countries")["names"].strip().splitlines()
    return frozenset(fold(name) for line in lines for name in line.partition(":")[2].split("|"))


@cache
def word_list(table: str, key: str = "words") -> frozenset[str]:
    """Return the folded words of one entry of ``words.toml``."""
    text = toml("words")[table][key]
    parts = text.split("|") if "|" in text else text.split()
    return frozenset(fold(part) for part in parts)


def value_lists() -> tuple[str, ...]:
    """Return the names of all lists of values, in the order of their file."""
    return tuple(toml("values"))


@cache
def _arrow_set(words: frozenset[str]) -> Any:
    import pyarrow as pa

    return pa.array(sorted(words), type=pa.string())


def members(values: pa.Array, words: frozenset[str]) -> Mask:
    """Return which folded `values` stand in `words`."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not words:
        return np.zeros(len(values), dtype=np.bool_)
    return np.asarray(pc.is_in(values.cast(pa.string()), value_set=_arrow_set(words)), dtype=np.bool_)


def any_word(words: frozenset[str], *, letters_only: bool = False) -> re.Pattern[str]:
    """Return an expression that finds one of `words` standing by itself in a folded text."""
    chosen = sorted((w for w in words if not letters_only or w.isalpha()), key=lambda w: (-len(w), w))
    return re.compile(r"(?:^|[^\w])(?:" + "|".join(re.escape(w) for w in chosen) + r")(?:[^\w]|$)")
