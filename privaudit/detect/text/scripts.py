"""The script in which a text is written.

Question: which texts are written in a script that a language model does not read?
Method: the letters of the scripts that it reads are counted against all letters.
Limits: languages of one script are not distinguished.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow as pa

_SCRIPTS = (
    "Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew Hiragana "
    "Kannada Katakana Khmer Lao Malayalam Myanmar Sinhala Tamil Telugu Thai"
).split()


def in_other_scripts(texts: pa.Array, read: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Return which texts have more letters of other scripts than of those that are `read`."""
    import pyarrow.compute as pc

    if pc.all(pc.string_is_ascii(texts)).as_py() is not False:
        return np.zeros(len(texts), dtype=np.bool_)
    letters = np.asarray(pc.count_substring_regex(texts, r"\p{L}").fill_null(0))
    known = "".join(rf"\p{{{script}}}" for script in read)
    ours = np.asarray(pc.count_substring_regex(texts, f"[{known}]").fill_null(0))
    other: npt.NDArray[np.bool_] = 2 * ours < letters
    return other


def names_of(texts: pa.Array) -> tuple[str, ...]:
    """Return the scripts of letters in `texts`."""
    import pyarrow.compute as pc

    return tuple(s for s in _SCRIPTS if pc.any(pc.match_substring_regex(texts, rf"\p{{{s}}}")).as_py())
