"""The settings of the second scan: those of the first, for the columns that are left.

Question: how is the written table measured as the source was?
Method: roles and the unit of a row that the first scan inferred are declared for the second, so that a quasi-identifier
stays one after its values became bands, and no class is measured over fewer columns than are left. Names of columns
that the plan dropped are removed; so are links and hierarchies of columns whose values were replaced.
Limits: a column that became a pseudonym or a mask gets a new role by detection.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from privaudit.advice.technique import technique
from privaudit.base.errors import ConfigError
from privaudit.model import Report
from privaudit.releases.remedy.plan import Plan
from privaudit.settings.config import NO_QUASI, Settings


def second_settings(settings: Settings, before: Report, plan: Plan) -> Settings:
    """Return the settings with which the written table is scanned.

    Raises
    ------
    ConfigError
        If the plan drops the data subject column: classes could not count people any more.
    """
    left = {column.name for column in before.columns} - plan.dropped
    unit = before.dataset.unit
    subject = settings.subject or (None if unit is None else unit.subject)
    if subject is not None and subject not in left:
        raise ConfigError(
            f'The plan drops "{subject}", which identifies the data subjects: people could not be counted.',
            hint="replace its values instead: technique pseudonymise",
        )
    kept = replace(
        settings,
        role=_roles(settings, before, plan, left),
        quasi=_listed(settings.quasi, left),
        sensitive=tuple(name for name in settings.sensitive if name in left),
        keep=tuple(name for name in settings.keep if name in left),
        importance=_of(settings.importance, left),
        # A hierarchy has the values of the source as its leaves, and recoded values are not among them.
        hierarchy=_of(settings.hierarchy, left - plan.changed),
        on=_of(settings.on, left - plan.replaced),
        truth=_of(settings.truth, left - plan.replaced),
        choose=None,
        baseline=None,  # it belongs to the table before the remedy
        name=None,
        method="full-domain",
        weight=settings.weight if settings.weight in left else None,
        subject=subject,
        unit=_unit(settings, before),
        # These describe the file that was read; privaudit writes a header, UTF-8 and no ragged row.
        delimiter=None,
        encoding=None,
        header=True,
        bad_rows="error",
    )
    return _translated(kept, plan.renamed) if plan.renamed else kept


def _translated(settings: Settings, names: Mapping[str, str]) -> Settings:
    """Return `settings` with the new names of columns."""

    def of(name: str) -> str:
        return names.get(name, name)

    def keys(values: Mapping[str, Any]) -> dict[str, Any]:
        return {of(name): value for name, value in values.items()}

    changes: dict[str, Any] = {}
    for each in ("quasi", "sensitive", "keep"):
        changes[each] = tuple(map(of, getattr(settings, each)))
    for each in ("role", "importance", "hierarchy", "on", "truth"):
        changes[each] = keys(getattr(settings, each))
    for each in ("weight", "subject"):
        changes[each] = None if getattr(settings, each) is None else of(getattr(settings, each))
    return replace(settings, **changes)


def _roles(settings: Settings, before: Report, plan: Plan, left: set[str]) -> dict[str, Any]:
    """Return the declared roles, and the roles that the first scan gave to columns that keep their meaning."""
    if before.dataset.unit is not None and before.dataset.unit.kind == "unknown":
        return _of(settings.role, left)  # inferred roles would state that the rows are people, which nobody knows
    roles: dict[str, Any] = {}
    for column in before.columns:
        name, role = column.name, column.role
        if name not in left or (name in plan.replaced and name not in settings.role):
            continue
        is_listed = (role == "quasi" and settings.quasi) or (role == "sensitive" and settings.sensitive)
        if name in settings.role or (role in ("quasi", "sensitive") and not is_listed):
            roles[name] = role
    # A column that is made of another one keeps its role: the bands of an age are a quasi-identifier, as the age is.
    of_source = {column.name: column.role for column in before.columns}
    for name, origin in plan.added.items():
        if of_source.get(origin) in ("quasi", "sensitive"):
            roles[name] = of_source[origin]
    for step in plan.steps:
        if technique(step.technique).invents:
            roles |= dict.fromkeys(step.columns, "none")
    return roles


def _listed(quasi: tuple[str, ...], left: set[str]) -> tuple[str, ...]:
    kept = tuple(name for name in quasi if name in left)
    # An empty list would mean that quasi-identifiers are detected, which the first scan was not asked to do.
    return kept or ((NO_QUASI,) if quasi else ())


def _of(values: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in names}


def _unit(settings: Settings, before: Report) -> Any:
    found = before.dataset.unit
    return settings.unit or (None if found is None or found.kind == "unknown" else found.kind)
