"""Candidate recodings of codes, dates and categories: techniques with the parameters that suit a column.

Question: to which lengths, precisions, levels and counts can this column be generalised?
Method: each candidate is a technique of `advice.technique` with one value of its parameter, from fine to coarse.
Limits: numbers are in `advice.recodings.numbers`.
"""

from __future__ import annotations

from privaudit.advice.technique import Column, Recoding, recode
from privaudit.advice.technique.dates import FINE, PRECISIONS
from privaudit.advice.technique.hierarchies import depth_of, fitting, hierarchy_of
from privaudit.advice.technique.recoding import MOSTLY
from privaudit.base.arrow import pc

CODE = r"^[0-9A-Za-z][0-9A-Za-z -]*[0-9A-Za-z]$"


def prefixes(column: Column) -> list[Recoding]:
    """Cut codes of the same length to their first characters, from one fewer down to one."""
    length = pc.utf8_length(column.dictionary).to_numpy(zero_copy_only=False)
    shaped = pc.match_substring_regex(column.dictionary, CODE).to_numpy(zero_copy_only=False)
    if not len(length) or not shaped.all() or length.min() < 2 or length.max() > 12:
        return []
    return [recode("prefix", column, {"characters_kept": kept}) for kept in range(int(length.max()) - 1, 0, -1)]


def rounded_dates(column: Column) -> list[Recoding]:
    """Round dates to month, quarter, year and decade; to year and decade only where day and month are ambiguous."""
    days, sure = column.dates
    records = column.counts[:-1]
    dated = int(records[pc.is_valid(days).to_numpy(zero_copy_only=False)].sum())
    if not dated or dated < MOSTLY * int(records.sum()):
        return []
    precisions = [each for each in PRECISIONS if sure or each not in FINE]
    return [recode("round_date", column, {"precision": each}) for each in precisions]


def levels(column: Column) -> tuple[list[Recoding], int]:
    """Replace values by their names at each level of the column's hierarchy.

    Returns
    -------
    recodings : list of Recoding, level 1 first
    n_unknown : int
        Values that the hierarchy does not contain; they become its root.
    """
    hierarchy = column.hierarchy or {}
    unknown = sum(value not in hierarchy for value in column.dictionary.to_pylist())
    steps = range(1, depth_of(hierarchy) + 1)
    return [recode("hierarchy_level", column, {"level": level}) for level in steps], unknown


def public_levels(column: Column) -> list[Recoding]:
    """Replace values by their names at each level of the public hierarchy that fits the column, if there is one."""
    values = column.dictionary.to_pylist()
    public = fitting(values)
    if public is None:
        return []
    steps = range(1, depth_of(hierarchy_of(public, values)) + 1)
    return [recode("hierarchy_level", column, {"level": level, "public": public}) for level in steps]


def rare_values(column: Column, below: int) -> Recoding | None:
    """Merge the values with fewer than `below` records into one; None where there are not two such values."""
    if (column.counts[:-1] < below).sum() < 2:
        return None
    return recode("merge_rare", column, {"below": below})


def grouped(column: Column, below: int, rare: int) -> Recoding | None:
    """Merge categories until each has `below` records; None where each has."""
    counts = column.counts[:-1]
    if not (counts[counts > 0] < below).any():
        return None
    return recode("group_values", column, {"below": below, "rare": rare})
