"""Numbers as people write them.

Question: which cells are numbers, and what are their values?
Method: RE2 over the distinct values; thousands may be grouped by commas, a decimal comma is read where there is no
point, and a currency or per cent sign is ignored.
Limits: ``1,234`` is read as grouped thousands. A code with a leading zero is read as a number here, although it
makes its column text in `privaudit.source.profile.data_types`.
"""

from __future__ import annotations

import numpy as np

from privaudit.base.arrays import Floats, Ints
from privaudit.base.arrow import pa, pc
from privaudit.source.profile.matches import matches

WHOLE = r"^\s*[-+]?\d+\s*$"
GROUPED = r"^\s*[-+]?\d{1,3}(?:,\d{3})+\s*$"
NUMBER = r"^\s*[-+]?[$€£¥]?\s?(?:\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d{1,3})?\s?%?\s*$"
PIECE = 1 << 14
_FIRST = 64
CODE = r"^\s*(?:[-+]?0\d+|\+\d{7,})\s*$"  # a leading zero, or a plus before a number to dial


def most_match(values: pa.Array, counts: Ints, pattern: str, share: float = 0.99) -> bool:
    """Return whether at least `share` of the cells match.

    Cells are read in pieces, and reading stops once too many do not match: the order of the values affects the time,
    never the answer.
    """
    total = int(counts.sum())
    missed = start = 0
    size = first_piece(len(values), share)
    while start < len(values):
        end = min(start + size, len(values))
        # What is computed of an array is kept with it: all values are not copied to be a piece.
        piece = values if end - start == len(values) else values[start:end]
        missed += int(counts[start:end][~matches(piece, pattern)].sum())
        if total - missed < share * total:
            return False
        start, size = end, PIECE
    return True


def first_piece(n: int, share: float) -> int:
    """Return how many of `n` values show that less than `share` of the cells match, where none of them does.

    Twice the values that need not match, because their cells may be fewer; all where that is most of them.
    """
    first = _FIRST + int(2 * (1 - share) * n)
    return min(first if 2 * first < n else n, PIECE)


def all_match(values: pa.Array, pattern: str) -> bool:
    """Return whether every value matches; one that does not ends the search."""
    return most_match(values, np.ones(len(values), dtype=np.int64), pattern, 1.0)


def parse_numbers(values: pa.Array) -> Floats:
    """Return every text as a number, NaN where it is not one.

    Parameters
    ----------
    values : pyarrow string or large_string array of length d

    Returns
    -------
    float64 array of length d.
    """
    text = pc.if_else(pa.array(matches(values, NUMBER)), values, pa.scalar(None, values.type))
    if matches(text, r"[,$€£¥%\s]").any():
        text = pc.replace_substring_regex(text, r"[$€£¥%\s]", "")
        text = pc.replace_substring_regex(text, r"^([-+]?\d{1,3}),(\d{3}(?:,\d{3})*(?:\.\d*)?)$", r"\1\2")
        grouped = pc.match_substring_regex(text, r",\d{3}(?:,|\.|$)|,.*,")
        text = pc.if_else(grouped, pc.replace_substring(text, ",", ""), pc.replace_substring(text, ",", "."))
    if pc.any(pc.match_substring(text, "+")).as_py():
        text = pc.replace_substring_regex(text, r"^\+", "")
    found: Floats = pc.cast(text, pa.float64()).to_numpy(zero_copy_only=False)
    return found.astype(np.float64)


def count_decimals(values: pa.Array) -> int:
    """Return the most digits after the point of any number in `values`, 0 where there are none."""
    after = pc.struct_field(pc.extract_regex(values, r"[.,](?P<after>\d+)\s*$"), "after")
    longest = pc.max(pc.utf8_length(after)).as_py()
    return int(longest or 0)


def part_text(parts: pa.StructArray, name: str) -> pa.Array:
    """Return a part of an expression that matched values, empty where it is absent."""
    return pc.fill_null(pc.struct_field(parts, name), "")


def as_fraction(digits: pa.Array) -> Floats:
    """Return the digits after a decimal separator as a fraction of 1."""
    text = pc.binary_join_element_wise("0.", digits, "0", "")
    return pc.cast(text, pa.float64()).to_numpy(zero_copy_only=False)
