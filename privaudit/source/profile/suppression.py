"""Values that were suppressed or generalised before the table was scanned.

Question: which cells mark a suppressed value, and are the others already bands, intervals or prefixes?
Method: whole cells are compared with the list in ``rules/reference/suppression.toml``; shapes by RE2 over the
distinct values.
Limits: a code that happens to be written like a band ("3-5") is taken for one where most values are.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from privaudit.base import resources
from privaudit.base.arrays import Flags
from privaudit.base.arrow import pa, pc
from privaudit.source.profile.alphabet import alphabet, has_outer_blanks
from privaudit.source.profile.numbers import NUMBER, most_match

MOST = 0.8
LONGEST_MARKER = 32  # bytes, outer spaces included
_N = r"-?(?:0|[1-9]\d*)(?:\.\d+)?\s?[kKmM%]?"
SHAPES = (
    ("interval", rf"^\s*[\[\](]\s*(?:{_N}|-?inf|-?∞|)\s*[,;:–-]\s*(?:{_N}|\+?inf|∞|)\s*[\[\])]\s*$"),
    ("band", rf"^\s*(?:{_N}\s*(?:-|–|—|to|bis|à|\.\.)\s*{_N}|{_N}\s*\+|(?:<|>|≤|≥)\s*=?\s*{_N}"
             rf"|(?i:under|over|below|above|less than|more than|up to|at least|lt|gt|le|ge)\s*{_N}"
             rf"|{_N}\s*(?i:and over|and older|or more|or older|or less|and under|years? and over))\s*$"),
    ("prefix", r"^\s*[A-Za-z0-9][A-Za-z0-9 /.-]*\*+\s*$"),
)  # fmt: skip
_DIGITS = slice(ord("0"), ord("9") + 1)
ANY_SHAPE = "|".join(f"(?:{pattern})" for _, pattern in SHAPES).replace(r"(?:0|[1-9]\d*)", r"\d+")
"""Matches every shape, and numbers with leading zeros: it treats digits alike, so that few values are read."""


def is_suppressed(values: pa.Array) -> Flags:
    """Return for every value whether it marks a suppressed value; bool array of length d.

    A bound such as "<11" stands for a removed count only among numbers; among bands it is one of them.
    """
    found = np.zeros(len(values), dtype=bool)
    possible = _possible_markers(values)
    longest = max((len(text.encode()) for key in possible for text in possible[key]), default=0)
    lengths = pc.binary_length(values).to_numpy(zero_copy_only=False)
    short = lengths <= longest
    if longest and alphabet(values)[:33].any():
        short |= (lengths <= LONGEST_MARKER) & has_outer_blanks(values)
    places = np.flatnonzero(short)
    if not len(places):
        return found
    lower = pc.ascii_trim_whitespace(pc.ascii_lower(values.filter(pa.array(short))))
    exact, below = (pc.is_in(lower, value_set=pa.array(possible[key], lower.type)) for key in ("exact", "below"))
    found[places] = exact.to_numpy(zero_copy_only=False)
    bound = np.zeros(len(values), dtype=bool)
    bound[places] = below.to_numpy(zero_copy_only=False)
    if bound.any():
        others = values.filter(pa.array(~(found | bound)))
        if len(others) and most_match(others, np.ones(len(others), dtype=np.int64), NUMBER, MOST):
            found |= bound
    return found


def _possible_markers(values: pa.Array) -> dict[str, list[str]]:
    """Return the markers of which every byte occurs in `values`, in lower or upper case."""
    seen = alphabet(values).copy()
    seen[97:123] |= seen[65:91]
    present = frozenset(np.flatnonzero(seen).tolist())
    return {key: [text for text in texts if _bytes_of(text) <= present] for key, texts in markers().items()}


@cache
def _bytes_of(text: str) -> frozenset[int]:
    return frozenset(text.encode())


@cache
def markers() -> dict[str, tuple[str, ...]]:
    """Return the shipped markers in lower case, the lists ``exact`` and ``below``."""
    content = resources.read_toml(resources.path("rules", "reference", "suppression.toml"))
    return {key: tuple(sorted({text.lower() for text in content[key]})) for key in ("exact", "below")}


def generalised_as(values: pa.Array, suppressed: Flags) -> str | None:
    """Return interval, band or prefix where most distinct values are written as one, else None."""
    values = values.filter(pa.array(~suppressed)) if suppressed.any() else values
    if not _may_have_shape(values) or not most_match(values, np.ones(len(values), dtype=np.int64), ANY_SHAPE, MOST):
        return None
    hits = {name: _count(values, name, pattern) for name, pattern in SHAPES}
    return max(hits, key=lambda name: hits[name]) if sum(hits.values()) >= MOST * len(values) else None


def _may_have_shape(values: pa.Array) -> bool:
    """Whether any value may have a shape: intervals have brackets, bands digits with signs or words, prefixes stars."""
    seen = alphabet(values).copy()
    has_digits = seen[_DIGITS].any()
    seen[_DIGITS] = False
    return bool(seen[list(b"[](*")].any() or (has_digits and seen.any()))


def _count(values: pa.Array, name: str, pattern: str) -> int:
    """Count the values of a shape; two bare numbers are a band only if the second is larger."""
    hit = values.filter(pc.match_substring_regex(values, pattern))
    if len(hit) == 0 or name != "band":
        return len(hit)
    pair = pc.extract_regex(hit, r"(?P<low>-?\d+(?:\.\d+)?)[^\d.]+?(?P<high>-?\d+(?:\.\d+)?)[^\d]*$")
    low = pc.cast(pc.struct_field(pair, "low"), pa.float64())
    high = pc.cast(pc.struct_field(pair, "high"), pa.float64())
    return len(hit) - int(pc.sum(pc.greater_equal(low, pc.abs(high))).as_py() or 0)
