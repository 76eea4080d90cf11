"""What to do about columns that are in no class: drop, mask, or replace by a keyed pseudonym.

Question: which columns must be dropped or changed whatever the classes are?
Method: by role and entity type. Direct identifiers are dropped, or masked where their length and type should stay
visible; IDs and hashes that several records share, which a table may need to link its records (trait
``links_records``), are replaced by random tokens under another column name, and those of one record are dropped. Which
findings that resolves is judged on what the column would be afterwards.
Limits: classes do not change, so the measures before and after are equal, and the cost, which covers the
quasi-identifiers only, is 0. A pseudonym is still personal data for anyone with the key.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from privaudit.advice.effect.resolved_findings import Reassessment
from privaudit.advice.effect.trial_table import Effect
from privaudit.model import ColumnReport, Finding, Remedy
from privaudit.model.vocabulary import with_trait
from privaudit.model.wording import Columns, Fact, fact

ROW_NUMBER = "ROW_NUMBER"
TECHNIQUES = ("drop", "mask", "pseudonymise")


def treatments(
    reassessment: Reassessment, before: Effect | None = None, *, cost_measure: str = ""
) -> tuple[Remedy, ...]:
    """Return remedies for columns with identifiers or keys, those that resolve most findings first.

    Parameters
    ----------
    before : Effect or None
        The classes, which do not change; None without classes.
    """
    case = reassessment.case
    made = [
        _remedy(column.name, technique, reassessment, before, cost_measure)
        for column in case.evidence.columns
        for technique in techniques(column, reassessment.column_findings.open_about(column.name))
        if technique != "drop" or column.name not in case.settings.keep
    ]
    useful = [remedy for remedy in made if remedy.resolves]
    useful.sort(key=lambda r: (-len(r.resolves), r.columns, TECHNIQUES.index(r.technique)))
    return tuple(useful)


def techniques(column: ColumnReport, findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return the techniques for a column that is not a quasi-identifier, by its findings; the usual one first."""
    if column.role == "quasi":
        return ()
    families = {finding.code[:3] for finding in findings}
    entity = column.is_.entity if column.is_ is not None else None
    if "PSN" in families or entity in with_trait("links_records"):
        return ("pseudonymise", "drop")
    if column.role == "direct" or "PII" in families:
        return ("drop", "mask", "pseudonymise") if column.role == "direct" else ("drop", "mask")
    return ("drop",) if families & {"GEO", "DAT"} else ()


def replacements(columns: Sequence[ColumnReport], reassessment: Reassessment, *, drops: bool) -> dict[str, str]:
    """Return the columns that fail the gate, each with the technique that resolves most.

    A direct identifier that could not be assessed is dropped as well, so that the scan is complete without it, and so
    is a column that numbers the rows.

    Parameters
    ----------
    columns : sequence of ColumnReport
        Those in no class.
    drops : bool
        Whether columns may be dropped.
    """
    case, settings = reassessment.case, reassessment.case.settings
    failing = case.failing(case.open)
    # Without the column of the data subject nobody could count people in the remedied table.
    keep = settings.keep if settings.subject is None else (*settings.keep, settings.subject)
    failing_now = {finding.fingerprint for finding in failing}
    identifying = {finding.fingerprint for finding in failing if not finding.code.startswith("SEN")}

    def n_resolved(column: ColumnReport, technique: str) -> int:
        resolved = reassessment.resolved_by_treating(column.name, technique)
        return len({ref.fingerprint for ref in resolved} & about_content(column))

    def about_content(column: ColumnReport) -> set[str]:
        return {finding.fingerprint for finding in reassessment.column_findings.about(column.name)} & failing_now

    replaced = {}
    for column in columns:
        may_drop, about = column.name not in keep, about_content(column)
        if may_drop and (
            _numbers_rows(column) or (drops and column.role == "direct" and column.unassessed is not None)
        ):
            replaced[column.name] = "drop"
        elif about & identifying or (about and column.role != "sensitive"):  # none is dropped for being sensitive
            findings = reassessment.column_findings.open_about(column.name)
            possible = _possible(column, findings, drops=drops and may_drop, identifies=bool(about & identifying))
            best = max(possible, key=partial(n_resolved, column), default=None)
            if best is not None and n_resolved(column, best):
                replaced[column.name] = best
    return replaced


def _numbers_rows(column: ColumnReport) -> bool:
    """Whether a column links the remedied table to its source, and records to their neighbours."""
    return column.is_ is not None and column.is_.entity == ROW_NUMBER


def _possible(column: ColumnReport, findings: Sequence[Finding], *, drops: bool, identifies: bool) -> tuple[str, ...]:
    """Return what may be done to a column that fails the gate, in the order in which equally good ones are taken."""
    found = techniques(column, findings) or ("drop",)
    if drops:
        return ("drop", *found) if identifies and not _links_records(column) else found
    return ("pseudonymise",) if column.role == "direct" else ()


def _links_records(column: ColumnReport) -> bool:
    """Whether a column is a key that several records share, which shows which records are of one person."""
    is_key = column.is_ is not None and column.is_.entity in with_trait("links_records")
    return is_key and 0 < column.n_distinct < column.n_rows - column.n_missing


def description(column: str, technique: str) -> Fact:
    """Return what is done to the column."""
    return fact(f"advice.{technique}", column=Columns((column,)))


def _remedy(
    column: str, technique: str, reassessment: Reassessment, before: Effect | None, cost_measure: str
) -> Remedy:
    measured = {} if before is None else before.wire()
    return Remedy(
        technique=technique,
        columns=(column,),
        parameters={"key": "secret"} if technique == "pseudonymise" else {},
        text=description(column, technique),
        before=measured,
        after=measured,
        utility_cost=0.0,
        cost_measure=cost_measure,
        resolves=reassessment.resolved_by_treating(column, technique),
    )
