"""What to do about columns that name people: drop, mask, or replace by a keyed pseudonym.

Question: which columns must go or change whatever the classes look like?
Method: by role and entity. Direct identifiers are dropped, or masked where their length and kind should stay
visible; ids and hashes, which a table may need to keep its rows together, become pseudonyms made with a
secret key.
Limits: classes do not change by this, so what is measured is before as after, and the cost, which speaks of
the quasi-identifiers, is 0. A pseudonym is still personal data for whoever holds the key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from privaudit.advice.bench import COST_MEASURE, Measured
from privaudit.advice.resolve import Judge
from privaudit.model import ColumnReport, Finding, Remedy

KEYS = frozenset(
    {
        "PERSON_ID",
        "RECORD_ID",
        "PSEUDONYM",
        "HASH",
        "UUID",
        "UNRESOLVED_ID",
        "USERNAME",
        "NATIONAL_ID",
        "HEALTH_ID",
    }
)
WORDS: Mapping[str, str] = {
    "drop": "dropped",
    "mask": "masked, so that only the kind and a rough length remain",
    "pseudonymise": "replaced by a pseudonym made with a secret key that is kept elsewhere",
}


def treatments(
    columns: Sequence[ColumnReport], findings: Sequence[Finding], judge: Judge, before: Measured | None
) -> tuple[Remedy, ...]:
    """Return remedies for columns that name people or carry a linkable key, those that settle most first.

    Parameters
    ----------
    before : Measured or None
        The classes, which stay as they are; None where there are none.
    """
    made = [
        _remedy(column.name, technique, judge, before)
        for column in columns
        for technique in _techniques(column, findings)
    ]
    useful = [remedy for remedy in made if remedy.resolves]
    useful.sort(key=lambda r: (-len(r.resolves), r.columns, list(WORDS).index(r.technique)))
    return tuple(useful)


def _techniques(column: ColumnReport, findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return what is worth trying on a column outside the classes."""
    if column.role == "quasi":
        return ()
    found = {f.code[:3] for f in findings if f.subject == (column.name,)}
    entity = column.is_.entity if column.is_ is not None else None
    if "PSN" in found or entity in KEYS:
        return ("pseudonymise", "drop")
    if column.role == "direct" or "PII" in found:
        return ("drop", "mask")
    return ()


def _remedy(column: str, technique: str, judge: Judge, before: Measured | None) -> Remedy:
    measured = {} if before is None else before.wire()
    return Remedy(
        technique=technique,
        columns=(column,),
        parameters={"key": "secret"} if technique == "pseudonymise" else {},
        text=f"{column} → {WORDS[technique]}",
        before=measured,
        after=measured,
        utility_cost=0.0,
        cost_measure=COST_MEASURE,
        resolves=judge.without(column, technique),
    )
