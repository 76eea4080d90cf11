"""Recodings: how the values of one column are merged, as a lookup over its dictionary.

Question: which values become equal under prefixes, rounded dates, hierarchy levels or merged rare values?
Method: each recoding is a technique with value-free parameters and an integer array that maps every code of the column
to a new code; nothing else is needed to count classes again. A missing cell stays missing, except where the column is
dropped. Numbers are recoded in `privaudit.advice.number_recodings`.
Limits: parameters are widths, lengths, precisions, levels and counts, never a value of the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.attacks.comparable_values import iso_dates
from privaudit.wording import Columns, Fact, Threshold, Value, fact

if TYPE_CHECKING:
    import pyarrow as pa

Lookup = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]
Hierarchy = Mapping[str, Sequence[str]]
RecodingKey = tuple[str, str, tuple[tuple[str, Any], ...]]

CODE = r"^[0-9A-Za-z][0-9A-Za-z -]*[0-9A-Za-z]$"
MOSTLY = 0.9
DATE_CUTS = {"month": 7, "quarter": 7, "year": 4, "decade": 3}


@dataclass(frozen=True, slots=True)
class Recoding:
    """One way to make a column coarser.

    Attributes
    ----------
    technique : str
        The name of the technique in the report's `advice`.
    column : str
    parameters : mapping
        How it is done, without values of the table.
    lookup : int32 array, one longer than the dictionary
        New code of each value and, last, of a missing cell; from 0 without gaps.
    shares : float64 array, as long as `lookup`, or None
        Share of the domain under the new value of each value; None where the domain is the values of the table.
    details : mapping of str to typed value
        What the sentence ``advice.<technique>`` is filled with, besides the column.
    """

    technique: str
    column: str
    parameters: Mapping[str, Any]
    lookup: Lookup
    shares: npt.NDArray[np.float64] | None = None
    details: Mapping[str, Value] = field(default_factory=dict)

    @property
    def description(self) -> Fact:
        """What is done to the column."""
        return fact(f"advice.{self.technique}", column=Columns(names=(self.column,)), **self.details)

    @property
    def key(self) -> RecodingKey:
        """Column, technique and parameters: distinguishes the recodings of a table."""
        return self.column, self.technique, tuple(self.parameters.items())


def keep(column: str, dictionary: pa.Array) -> Recoding:
    """Return the recoding that changes nothing."""
    return Recoding("keep", column, {}, np.arange(len(dictionary) + 1, dtype=np.int32))


def drop_column(column: str, dictionary: pa.Array) -> Recoding:
    """Return the recoding that drops the column: all cells become equal, missing cells too."""
    return Recoding("drop", column, {}, np.zeros(len(dictionary) + 1, dtype=np.int32))


def prefixes(column: str, dictionary: pa.Array) -> list[Recoding]:
    """Cut codes of the same length to their first characters, from one fewer down to one."""
    import pyarrow.compute as pc

    length = pc.utf8_length(dictionary).to_numpy(zero_copy_only=False)
    shaped = pc.match_substring_regex(dictionary, CODE).to_numpy(zero_copy_only=False)
    if not len(length) or not shaped.all() or length.min() < 2 or length.max() > 12:
        return []
    longest = int(length.max())
    steps = range(longest - 1, 0, -1)
    return [
        Recoding(
            "prefix",
            column,
            {"characters_kept": kept},
            _by_text(pc.utf8_slice_codeunits(dictionary, 0, kept)),
            details={"kept": Threshold(value=kept), "length": Threshold(value=longest)},
        )
        for kept in steps
    ]


def rounded_dates(column: str, dictionary: pa.Array) -> list[Recoding]:
    """Round dates to month, quarter, year and decade; to year and decade only where day and month are ambiguous."""
    import pyarrow as pa
    import pyarrow.compute as pc

    days, sure = iso_dates(dictionary)
    found = pc.is_valid(days)
    if not len(dictionary) or pc.sum(found).as_py() < MOSTLY * len(dictionary):
        return []
    made = []
    for precision, cut in DATE_CUTS.items():
        if not sure and cut > 4:
            continue
        text = pc.utf8_slice_codeunits(days, 0, cut)
        if precision == "quarter":
            month = pc.cast(pc.utf8_slice_codeunits(days, 5, 7), pa.int32())
            number = pc.cast(pc.divide(pc.subtract(month, 1), 3), pa.string())
            text = pc.binary_join_element_wise(pc.utf8_slice_codeunits(days, 0, 4), number, "-q")
        whole = pc.if_else(found, text, pc.binary_join_element_wise("?", dictionary, ""))
        details = {"precision": Threshold(value=precision)}
        lookup = _by_text(whole)
        made.append(Recoding("round_date", column, {"precision": precision}, lookup, details=details))
    return made


def levels(column: str, dictionary: pa.Array, hierarchy: Hierarchy) -> tuple[list[Recoding], int]:
    """Replace values by their names at each level of a hierarchy.

    Parameters
    ----------
    hierarchy : mapping of value to its names at levels 1, 2, ...

    Returns
    -------
    recodings : list of Recoding, level 1 first
    n_unknown : int
        Values that the hierarchy does not contain; they stay as they are.
    """
    import pyarrow as pa

    values = dictionary.to_pylist()
    depth = max((len(names) for names in hierarchy.values()), default=0)
    unknown = sum(value not in hierarchy for value in values)
    made = []
    for level in range(1, depth + 1):
        names = [f"+{_name(hierarchy[v], level)}" if v in hierarchy else f"={v}" for v in values]
        made.append(
            Recoding(
                "hierarchy_level",
                column,
                {"level": level, "of": depth},
                _by_text(pa.array(names, pa.string())),
                shares=_leaf_shares(names, hierarchy, level),
                details={"level": Threshold(value=level), "depth": Threshold(value=depth)},
            )
        )
    return made, unknown


def _leaf_shares(names: Sequence[str], hierarchy: Hierarchy, level: int) -> npt.NDArray[np.float64]:
    """Return the share of the leaves of a hierarchy under each of `names`, and one leaf for a missing cell.

    A value that the hierarchy does not contain is a leaf of its own.
    """
    under = Counter(f"+{_name(path, level)}" for path in hierarchy.values())
    leaves = len(hierarchy) + sum(name.startswith("=") for name in names)
    return np.array([under.get(name, 1) for name in names] + [1]) / max(1, leaves)


def rare_values(column: str, counts: Counts, below: int) -> Recoding | None:
    """Merge the values with fewer than `below` records into one; None where there are not two such values."""
    rare = counts < below
    if rare.sum() < 2:
        return None
    merged = np.where(rare, -1.0, np.arange(len(counts), dtype=np.float64))
    return Recoding("merge_rare", column, {"below": below}, renumber(merged), details={"below": Threshold(value=below)})


def _name(names: Sequence[str], level: int) -> str:
    return names[min(level, len(names)) - 1]


def _by_text(texts: pa.Array) -> Lookup:
    codes = texts.dictionary_encode().indices.to_numpy(zero_copy_only=False)
    return _closed(codes.astype(np.int32))


def renumber(keys: npt.NDArray[np.float64]) -> Lookup:
    """Give equal keys the same code; each key that is not a number keeps a code to itself."""
    lost = np.isnan(keys)
    _, codes = np.unique(np.where(lost, 0.0, keys), return_inverse=True)
    codes = codes.astype(np.int64)
    codes[lost] = codes.max(initial=0) + 1 + np.arange(lost.sum())
    _, dense = np.unique(codes, return_inverse=True)
    return _closed(dense.astype(np.int32))


def _closed(codes: Lookup) -> Lookup:
    """Append the code of missing cells, one above the others."""
    return np.append(codes, np.int32(codes.max(initial=-1) + 1)).astype(np.int32)
