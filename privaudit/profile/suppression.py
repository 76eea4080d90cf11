"""Values that were removed or blurred before the table came here.

Question: which cells stand for something suppressed, and are the others already bands, intervals or prefixes?
Method: whole cells are compared with the list in ``rules/reference/suppression.toml``; shapes by RE2 over the
distinct values.
Limits: a code that happens to be written like a band ("3-5") is taken for one where most values are.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit import resources

if TYPE_CHECKING:
    import pyarrow as pa

MOST = 0.8
LONGEST_MARKER = 24
_N = r"-?(?:0|[1-9]\d*)(?:\.\d+)?\s?[kKmM%]?"
SHAPES = (
    ("interval", rf"^\s*[\[\](]\s*(?:{_N}|-?inf|-?∞|)\s*[,;:–-]\s*(?:{_N}|\+?inf|∞|)\s*[\[\])]\s*$"),
    ("band", rf"^\s*(?:{_N}\s*(?:-|–|—|to|bis|à|\.\.)\s*{_N}|{_N}\s*\+|(?:<|>|≤|≥)\s*=?\s*{_N}"
             rf"|(?i:under|over|below|above|less than|more than|up to|at least|lt|gt|le|ge)\s*{_N}"
             rf"|{_N}\s*(?i:and over|and older|or more|or older|or less|and under|years? and over))\s*$"),
    ("prefix", r"^\s*[A-Za-z0-9][A-Za-z0-9 /.-]*\*+\s*$"),
)  # fmt: skip


def is_suppressed(values: pa.Array) -> npt.NDArray[np.bool_]:
    """Return for every value whether it stands for something removed; bool array of length d."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if len(values) == 0:
        return np.zeros(0, dtype=bool)
    lower = pc.utf8_lower(pc.utf8_trim_whitespace(pc.utf8_slice_codeunits(values, 0, 2 * LONGEST_MARKER)))
    found: npt.NDArray[np.bool_] = pc.is_in(lower, value_set=pa.array(markers(), lower.type)).to_numpy(
        zero_copy_only=False
    )
    return found


@cache
def markers() -> tuple[str, ...]:
    """Return the shipped markers in lower case."""
    content = tomllib.loads(resources.path("rules", "reference", "suppression.toml").read_text(encoding="utf-8"))
    return tuple(sorted({text.lower() for text in (*content["exact"], *content["below"])}))


def generalised_as(values: pa.Array, suppressed: npt.NDArray[np.bool_]) -> str | None:
    """Return interval, band or prefix where most distinct values are written as one, else None."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = values.filter(pa.array(~suppressed)) if suppressed.any() else values
    if len(values) == 0:
        return None
    hits = {name: _rising(values, pattern) for name, pattern in SHAPES}
    total = int(sum(hits.values()))
    if total < MOST * len(values) or not pc.any(pc.is_valid(values)).as_py():
        return None
    return max(hits, key=lambda name: hits[name])


def _rising(values: pa.Array, pattern: str) -> int:
    """Count the values of a shape; a pair of numbers counts only if the second is larger."""
    import pyarrow as pa
    import pyarrow.compute as pc

    hit = values.filter(pc.match_substring_regex(values, pattern))
    if len(hit) == 0:
        return 0
    pair = pc.extract_regex(hit, r"(?P<low>-?\d+(?:\.\d+)?)[^\d.]+?(?P<high>-?\d+(?:\.\d+)?)[^\d]*$")
    low = pc.cast(pc.struct_field(pair, "low"), pa.float64())
    high = pc.cast(pc.struct_field(pair, "high"), pa.float64())
    falling = pc.sum(pc.greater_equal(low, pc.abs(high))).as_py() or 0
    return len(hit) - int(falling)
