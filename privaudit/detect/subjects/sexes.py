"""The sex of people, by letters and codes that the column name does not explain.

Question: are letters or the codes 1 and 2 the sex of people?
Method: letters are a sex only where both letters of a pair occur, and nothing but "unknown" besides, and not under
another name next to a column that is named as the sex. A single code of
1 and 2, or of a pair of letters that are abbreviations of other things as well, next to the age is the sex, with little
confidence.
Limits: another balanced code next to the age is confused with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from privaudit.detect.column import FEW, Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.resolver import GUESS, LEAST
from privaudit.detect.subjects.context import Posting, Table, has, suggest, withdraw
from privaudit.model import vocabulary
from privaudit.model.wording import fact

_PAIRS = ("mf", "mw", "hf", "km", "ke", "lp", "мж", "vm")
_OTHERS = frozenset("uxondi")  # unknown, other, neither, divers, not stated


def reject_letters(table: Table) -> Iterator[Posting]:
    """Yield claims against letters as a sex unless a pair of them occurs and nothing but "unknown" besides."""
    is_named = any(item.entity == "GENDER" and item.column.header.strength("GENDER") >= LEAST for item in table)
    for item in table:
        letters, header = _letters(item.column), item.column.header
        if not letters & frozenset("mfw"):
            continue
        if is_named and not header.is_opaque and not header.strength("GENDER"):
            yield from withdraw(item, "GENDER", fact("detect.siblings_named_sex"))
        if not any(letters >= set(pair) and letters - set(pair) <= _OTHERS for pair in _PAIRS):
            unclear = item.column.header.strength("GENDER") < 0.6
            yield from withdraw(item, "GENDER", fact("detect.siblings_not_two_sexes"), also_named=unclear)


def _letters(column: Column) -> frozenset[str]:
    """Return the letters in a column of single letters, nothing where it holds anything else."""
    if column.data_type not in ("text", "boolean") or not 2 <= column.n_distinct <= FEW or column.longest > 4:
        return frozenset()
    values = {text.strip(" .") for text in column.folded.to_pylist()} - {""}
    return frozenset(values) if all(len(text) == 1 for text in values) else frozenset()


def suggest_code(table: Table, among: Sequence[ColumnEvidence]) -> Iterator[Posting]:
    """Yield the claim on one code of two balanced values next to the age, where no other column is a sex."""
    ages = [i for i, item in enumerate(table) if item.entity in vocabulary.with_trait("gives_age")]
    if has(table, {"GENDER"}) or not ages:
        return
    considered = set(map(id, among))
    codes = [i for i, item in enumerate(table) if id(item) in considered and _is_balanced_code(item.column)]
    if not codes:
        return
    distance, nearest = min((abs(i - j), i) for i in codes for j in ages)
    if distance <= 2 or len(codes) == 1:
        yield suggest(table[nearest], "GENDER", GUESS, fact("detect.siblings_sex_code"), generic=False)


def _is_balanced_code(column: Column) -> bool:
    """Return whether the values are 1 and 2 or a pair of letters, each in at least a quarter of the cells."""
    if column.n_distinct != 2 or column.n_present < 30:
        return False
    values = frozenset(text.removesuffix(".0") for text in column.folded.to_pylist())
    return values in map(frozenset, ("12", *_PAIRS)) and bool(column.counts.min() / column.counts.sum() >= 0.25)
