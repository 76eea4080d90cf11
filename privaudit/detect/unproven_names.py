"""Columns whose name suggests an identifier and whose values do not match it, nor prove anything else.

Question: may a column called ``surname`` whose values are not surnames be taken as clean?
Method: only if the values prove that they are something else: the data type excludes identifiers (boolean, dates,
decimals), a short list of values repeats, there is one value, or the verdict is another entity type that the values
show. A generic reading counts as proof only with a confidence of `STRONG`. Otherwise the column is not assessed: its
values may be identifiers that are coded, masked or misspelt.
Limits: only what the column name suggests most clearly, and clearly enough to decide alone.
"""

from __future__ import annotations

from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.resolver import LEAST
from privaudit.model import Verdict
from privaudit.vocabulary import entity_type, with_trait
from privaudit.wording import EntityType, Fact, fact

STRONG = 0.9
"""Confidence from which a generic reading of the values proves that they are not identifiers."""
_OTHER_DATA_TYPES = frozenset({"boolean", "date", "timestamp", "time", "empty"})
_PROOFS = frozenset({"detect.enumeration", "detect.decimals"})
_FROM_NAME = frozenset({"header"})


def why_unassessed(item: ColumnEvidence, *, among_people: bool) -> Fact | None:
    """Return why a column cannot be taken as clean although no identifier was detected; None if it can.

    A name that things have as well, such as a bare ``name``, counts only `among_people`.
    """
    hint = next(iter(item.column.header.hints), None)
    if hint is None or hint.strength < LEAST or entity_type(hint.entity).role != "direct":
        return None
    if not among_people and hint.strength <= LEAST and hint.entity in with_trait("ambiguous_column_name"):
        return None
    reason = _contradiction(item, hint.entity)
    if reason is None or _proves_other(item, reason):
        return None
    return fact("detect.name_unproven", entity=EntityType(code=hint.entity), reason=reason)


def _contradiction(item: ColumnEvidence, entity: str) -> Fact | None:
    """Return why the values cannot be of the entity type that the column name suggests; None if they can."""
    for claim in item.ledger.claims:
        reason = claim.because.values.get("reason")
        if (
            claim.entity == entity
            and claim.because.code == "detect.name_contradicted"
            and isinstance(reason, Fact)
        ):
            return None if reason.code.startswith("detect.siblings") else reason
    return None


def _proves_other(item: ColumnEvidence, reason: Fact) -> bool:
    column = item.column
    if column.data_type in _OTHER_DATA_TYPES or column.n_distinct <= 1 or reason.code in _PROOFS:
        return True
    if column.data_type == "decimal" and not column.integral.all():
        return True
    return item.verdict is not None and _is_shown(item, item.verdict)


def _is_shown(item: ColumnEvidence, verdict: Verdict) -> bool:
    """Whether the values themselves show the verdict, and not only resemble it."""
    if {clue.kind for clue in verdict.evidence} <= _FROM_NAME:
        return False
    specific = any(c.entity == verdict.entity and not c.generic for c in item.ledger.standing())
    return specific or verdict.confidence >= STRONG
