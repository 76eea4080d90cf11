"""Which checks apply to a table, by what its rows are.

Question: is a check about people judged on a table of objects, organisations or cells?
Method: each check states what it is about (``about``). In a table that is not about people, checks of people do not
apply, and checks of identifiers judge only what identifies a person by itself, counted in records. Where the scan is
incomplete because nothing shows what a row is, findings are medium, except on what identifies a person by itself.
Limits: reads the unit that the scan inferred or the user stated.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from privaudit.model import Severity, severity_level, vocabulary
from privaudit.model.vocabulary.role_rules import identifying_types
from privaudit.rulebook.measurement import DECLARED_DIRECT, Context, Observation
from privaudit.rulebook.packs import Check


def applies(check: Check, context: Context) -> bool:
    """Whether `check` is about tables such as this one."""
    if check.about == "people":
        return context.is_about_people
    return check.about != "aggregate" or context.unit_kind == "aggregate"


def about_unit(check: Check, observations: Iterable[Observation], context: Context) -> Iterable[Observation]:
    """Return what is judged: in a table that is not about people, what identifies a person by itself.

    Rows count as what they are: people, or records where a row is not one person or a person has several. Contact data
    that organisations have too are medium in a table of them, and so is what only matters if the rows are people where
    that is not known: the gate does not pass such a scan, but nothing shows that its findings are about people.
    """
    rows = context.unit if context.n_units == context.n_rows else "record"
    counted = [replace(item, unit=item.unit or rows) for item in observations]
    if context.is_about_people:
        if check.about not in ("people", "identifiers") or not _is_unit_open(context):
            return counted
        return [item if item.entity in identifying_types() else _medium(check, item) for item in counted]
    counted = [replace(item, unit="record") for item in counted if _identifies(check, item)]
    if context.unit_kind != "organisation":
        return counted
    shared = vocabulary.with_trait("shared_by_organisations")
    return [_medium(check, item) if item.entity in shared else item for item in counted]


def _is_unit_open(context: Context) -> bool:
    """Whether nothing shows what a row is, and the scan is incomplete for it: otherwise high findings must fail it."""
    without = {"pipeline.unit", "pipeline.unit_of_keys", "risk.no_quasi_identifiers"}
    return context.unit_kind == "unknown" and any(
        item.incomplete and item.code in without for item in context.evidence.limits
    )


def _identifies(check: Check, item: Observation) -> bool:
    return check.about != "identifiers" or item.entity in identifying_types() or item.key == DECLARED_DIRECT


def _medium(check: Check, item: Observation) -> Observation:
    """Return the observation with a severity of medium at most."""
    severity: Severity = min(item.severity or check.severity, "medium", key=severity_level)
    return replace(item, severity=severity)
