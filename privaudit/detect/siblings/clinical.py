"""Measures of health that a name says too shortly, beside others that are clear.

Question: is ``ui`` or ``z30`` a clinical measure?
Method: where several columns of a table are of health, short unexplained names of numbers are so too; where one is and
people are described, a treatment and its outcome are.
Limits: a flag of administration among clinical measures is taken for one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from privaudit.detect.siblings import people
from privaudit.model import Clue

if TYPE_CHECKING:
    from privaudit.detect.siblings.context import Examined

_OUTCOMES = frozenset(
    "outcome target label class result response event y status type stage grade treat treated treatment trt rx "
    "improved hormone procedure nodes thickness".split()
)
_TREATMENTS = frozenset(
    "treat treated treatment trt rx improved hormone procedure stage grade nodes thickness status".split()
)
_NO_MEASURE = ("seq", "num", "id", "price", "tax", "cost", "dt", "dtc", "dy", "yr", "cd")
_NO_MEASURES = frozenset(
    "seq yr yrs year years no num nr number n date day days week weeks month months time futime start stop site "
    "center centre inst visit id pid group year wave round rep set study trial fold index weight age ages sex race "
    "name code".split()
)


def measures(table: Sequence[Examined]) -> None:
    """Where clinical measures prevail, a short unexplained name is one of them."""
    medical = sum(item.entity in ("MEDICAL", "BIOMETRIC") for item in table)
    told = people.described(item.entity for item in table)
    if medical and told and medical >= 0.1 * len(table):
        _treatments(table)
    if medical < 3 or medical < 0.25 * len(table):
        return
    for item in table:
        words, header = item.column.header.words, item.column.header
        outcome = bool(words) and all(word in _OUTCOMES for word in words)
        unsaid = not any(word.endswith(_NO_MEASURE) and len(word) > 3 for word in words)
        unsaid &= not header.plain and not item.named and not header.opaque and not set(words) & _NO_MEASURES
        short = outcome or (sum(map(len, words)) <= 8 and unsaid)
        numeric = item.column.data_type in ("integer", "decimal", "boolean")
        if (
            item.entity in (None, "CATEGORY")
            and short
            and (numeric or (outcome and item.column.n_distinct <= 12))
        ):
            clue = Clue(kind="header", because="a short code among columns of clinical measures")
            item.named["MEDICAL"] = (0.6, None, clue)


def _treatments(table: Sequence[Examined]) -> None:
    """Beside a sex or an age and a disease, a treatment and what came of it are of health."""
    for item in table:
        words = item.column.header.words
        few = item.column.n_distinct <= 60
        if item.entity in (None, "CATEGORY") and words and set(words) <= _TREATMENTS and few:
            clue = Clue(kind="header", because="a treatment or its outcome, beside diseases of people")
            item.named["MEDICAL"] = (0.6, None, clue)
