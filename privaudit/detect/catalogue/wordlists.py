"""Lists of reference words: names, towns, values, words of a topic.

Question: is this cell a given name, a town, a marital status?
Method: plain-text and TOML lists under ``rules/reference`` are folded (lower case, no accents) and compared by
vectorised set membership with the distinct values of a column. The folded texts are compiled (`compiled_tables`).
Limits: lists are incomplete; the share of listed cells is evidence on a column, a single cell is not.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from privaudit.base import compiled_tables, resources
from privaudit.base.arrays import Flags
from privaudit.base.arrow import pa, pc
from privaudit.base.object_cache import cached_by_object
from privaudit.base.patterns import Expression
from privaudit.model.headers import fold as fold
from privaudit.model.headers import listed_lines, tokens
from privaudit.model.headers import listed_words as listed_words
from privaudit.source.profile.alphabet import alphabet

Mask = Flags
_NO_TOWNS = frozenset({"nan", "none", "null", "na", "unknown", "other", "nil"})
"""Names of towns that mark missing cells elsewhere."""


def fold_all(values: pa.Array) -> pa.Array:
    """Return `values` folded as `fold` does, vectorised where the cell is ASCII."""
    seen = alphabet(values)
    lowered = pc.utf8_lower(values)
    if seen[:33].any() or seen[127:].any():
        lowered = pc.utf8_trim_whitespace(lowered)
    if seen[9:14].any() or (seen[32] and pc.any(pc.match_substring(lowered, "  ")).as_py()):
        lowered = pc.replace_substring_regex(lowered, r"\s{2,}", " ")
    if not seen[128:].any():
        return lowered
    foreign = pc.invert(pc.string_is_ascii(lowered))
    texts = [fold(text) for text in lowered.filter(foreign).to_pylist()]
    return pc.replace_with_mask(lowered, foreign, pa.array(texts, type=lowered.type))


@cache
def towns() -> frozenset[str]:
    """Return the folded names of towns: the lines of the list of cities, and all spellings in the list of towns."""
    return listed_lines("cities", "towns", without=_NO_TOWNS)


@cache
def toml(name: str) -> dict[str, Any]:
    """Return a parsed reference table."""
    return resources.read_toml(resources.path("rules", "reference", f"{name}.toml"))


@cache
def value_list(name: str, key: str = "values") -> frozenset[str]:
    """Return the folded values of one list of ``values.toml``, with those that Unicode CLDR has for it.

    A list has other keys, such as ``core``; empty if it does not have the key.
    """
    listed = _part("values", f"{name}.{key}")
    if key != "values":
        return listed
    return listed.union(country_codes() if name == "COUNTRY" else _part("cldr", name))


@cache
def country_codes() -> dict[str, str]:
    """Return the ISO 3166 alpha-2 code for each folded name of a country, from Unicode CLDR and ``countries.toml``."""
    return compiled_tables.unpacked(fold_lists()["countries"][""])


@cache
def word_list(table: str, key: str = "words") -> frozenset[str]:
    """Return the folded words of one entry of ``words.toml``."""
    return compiled_tables.unpacked(fold_lists()["words"][f"{table}.{key}"])


def _part(name: str, key: str) -> frozenset[str]:
    part = fold_lists()[name].get(key)
    return frozenset() if part is None else compiled_tables.unpacked(part)


@cache
def fold_lists() -> dict[str, dict[str, bytes]]:
    """Return the texts of reference tables folded and divided, each list packed, by table and key."""
    files = (resources.path("rules", "reference", f"{name}.toml") for name in ("values", "words", "cldr", "countries"))
    return compiled_tables.table("word_lists", _folded, (Path(__file__), Path(tokens.__file__), *files))


def _folded() -> dict[str, dict[str, bytes]]:
    values, words = (
        {f"{entry}.{key}": text for entry, texts in toml(name).items() for key, text in texts.items()}
        for name in ("values", "words")
    )
    listed = {"values": values, "words": words, "cldr": toml("cldr")["values"]}
    folded = {
        name: {key: compiled_tables.packed(_parts(text)) for key, text in texts.items()}
        for name, texts in listed.items()
    }
    return {**folded, "countries": {"": compiled_tables.packed(_country_codes())}}


def _country_codes() -> dict[str, str]:
    codes: dict[str, str] = {}
    for code, names in toml("cldr")["countries"].items():
        codes.update(dict.fromkeys(names.split("|"), code))
    for line in toml("countries")["names"].strip().splitlines():
        code, _, names = line.partition(":")
        codes.update(dict.fromkeys(map(str.strip, fold(names).split("|")), code))
    return codes


def _parts(text: str) -> frozenset[str]:
    """Return the folded parts of a text, which bars divide or, where it has none, blanks."""
    folded = fold(text)
    parts = folded.split("|") if "|" in folded else folded.split()
    return frozenset(part.strip() for part in parts if part.strip())


def common_in(word: str) -> int:
    """Return the languages in whose list of common words a folded word is, one bit for each language."""
    part = compiled_tables.part_of(word, len(common_words()))
    return _common_part(part).get(word, 0)


@cache
def _common_part(part: int) -> dict[str, int]:
    return compiled_tables.unpacked(common_words()[part])


@cache
def common_words() -> tuple[bytes, ...]:
    """Return the languages of each common word, divided."""
    file = resources.path("rules", "reference", "common_words.toml")
    return compiled_tables.table("common_words", _common_words, (Path(__file__), file))


def _common_words() -> tuple[bytes, ...]:
    languages: dict[str, int] = {}
    for place, text in enumerate(toml("common_words").values()):
        for word in text.split():
            languages[word] = languages.get(word, 0) | 1 << place
    return compiled_tables.divided(languages)


def value_lists() -> tuple[str, ...]:
    """Return the names of all lists of values, in the order of their file."""
    return tuple(toml("values"))


@cache
def _arrow_set(words: frozenset[str]) -> Any:
    return pa.array(list(words), type=pa.string())


@cached_by_object
def _texts(values: pa.Array) -> list[str]:
    """Return `values` as they are looked up one by one, in list after list."""
    found: list[str] = values.to_pylist()
    return found


_LOOKED_UP = 4
"""Words that Arrow adds to a table in the time in which Python looks one value up (measured)."""


def members(values: pa.Array, words: frozenset[str]) -> Mask:
    """Return which folded `values` are in `words`."""
    if len(values) * _LOOKED_UP < len(words):  # Arrow makes a table of all the words in each call
        return np.fromiter(map(words.__contains__, _texts(values)), np.bool_, len(values))
    return np.asarray(pc.is_in(values.cast(pa.string()), value_set=_arrow_set(words)), dtype=np.bool_)


_ENDING = Expression(r"([^\W\d_]{4}[^\W\d_ ]*)(?:\([^\W\d_]{1,4}\)|/[^\W\d_]{1,2})")
"""A word with the ending of the other gender."""


def levels(values: pa.Array, words: frozenset[str]) -> Mask:
    """Return which folded `values` are in `words` as they are or in other forms.

    These are several words joined by slashes ("divorced/separated"), and words with the endings of both genders
    ("casado/a", "marie(e)").
    """
    found = members(values, words)
    signs = [sign for sign in "/(" if alphabet(values)[ord(sign)]]
    if not signs:
        return found
    with_sign = (np.asarray(pc.match_substring(values, sign), dtype=np.bool_) for sign in signs)
    other = ~found & np.logical_or.reduce([*with_sign])
    if other.any():
        found[other] = [_is_in(text, words) for text in values.filter(pa.array(other)).to_pylist()]
    return found


def _is_in(text: str, words: frozenset[str]) -> bool:
    ended = _ENDING.fullmatch(text)
    return words.issuperset(map(str.strip, text.split("/"))) or (ended is not None and ended[1] in words)
