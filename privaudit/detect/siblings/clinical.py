"""Health data under short column names, next to columns that are clearly about health.

Question: is ``ui`` or ``z30`` a clinical measure?
Method: where several columns contain health data, columns of numbers under short unexplained names do too; where one
does and the table describes people, a treatment and its outcome do.
Limits: an administrative flag among clinical measures is taken for one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from privaudit import vocabulary
from privaudit.detect.ledger import named
from privaudit.wording import fact

if TYPE_CHECKING:
    from privaudit.detect.column_evidence import ColumnEvidence

_OUTCOMES = frozenset(
    "outcome target label class result response event y status type stage grade treat treated treatment trt rx "
    "improved hormone procedure nodes thickness".split()
)
_TREATMENTS = frozenset(
    "treat treated treatment trt rx improved hormone procedure stage grade nodes thickness status".split()
)
_ADMINISTRATIVE_ENDINGS = ("seq", "num", "id", "price", "tax", "cost", "dt", "dtc", "dy", "yr", "cd")
_ADMINISTRATIVE = frozenset(
    "seq yr yrs year years no num nr number n date day days week weeks month months time futime start stop site "
    "center centre inst visit id pid group year wave round rep set study trial fold index weight age ages sex race "
    "name code".split()
)
_STRENGTH = 0.6


def name_clinical_measures(table: Sequence[ColumnEvidence]) -> None:
    """Suggest health data for short unexplained names where clinical measures prevail."""
    medical = sum(item.entity in vocabulary.with_trait("clinical") for item in table)
    about_people = any(item.entity in vocabulary.with_trait("demographic") for item in table)
    if medical and about_people and medical >= 0.1 * len(table):
        _name_treatments(table)
    if medical < 3 or medical < 0.25 * len(table):
        return
    for item in table:
        words = item.column.header.words
        outcome = bool(words) and all(word in _OUTCOMES for word in words)
        short = outcome or (sum(map(len, words)) <= 8 and _is_unexplained(item))
        numeric = item.column.data_type in ("integer", "decimal", "boolean")
        suitable = numeric or (outcome and item.column.n_distinct <= 12)
        if item.entity in (None, "CATEGORY") and short and suitable:
            item.post([named(item.column, "MEDICAL", _STRENGTH, fact("detect.siblings_clinical_code"))])


def _is_unexplained(item: ColumnEvidence) -> bool:
    words, header = item.column.header.words, item.column.header
    if any(word.endswith(_ADMINISTRATIVE_ENDINGS) and len(word) > 3 for word in words):
        return False
    return (
        not header.is_ordinary
        and not item.ledger.named
        and not header.is_opaque
        and not set(words) & _ADMINISTRATIVE
    )


def _name_treatments(table: Sequence[ColumnEvidence]) -> None:
    """Suggest health data for a treatment or its outcome, next to a disease and a sex or an age."""
    for item in table:
        words = item.column.header.words
        few = item.column.n_distinct <= 60
        if item.entity in (None, "CATEGORY") and words and set(words) <= _TREATMENTS and few:
            item.post([named(item.column, "MEDICAL", _STRENGTH, fact("detect.siblings_treatment"))])
