"""A plan: which techniques are applied to which columns, in which order, with which parameters.

Question: what is done to the table, as a person can read, edit and review it?
Method: a list of steps, each with a technique of `privaudit.advice.technique` and its parameters. A plan comes from the
measured remedy of a report, or from a file (`releases.remedy.plan_file`). Steps are checked against the records of
the techniques and the columns of the table before anything is done.
Limits: a plan contains no value of the table, except those that a person writes into it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal

from privaudit.advice.technique import Technique, technique
from privaudit.advice.technique.condition import parse
from privaudit.advice.technique.rename_columns import new_names
from privaudit.advice.technique.requirements import PLAN_PARAMETERS
from privaudit.base.errors import ColumnNotFound, ConfigError
from privaudit.base.records import dataclass
from privaudit.model import Alternative, Remedy
from privaudit.settings.config import LEAST_LOSS, Method

Order = Literal["sorted", "shuffled", "kept"]
ORDERS: tuple[Order, ...] = ("sorted", "shuffled", "kept")
RENAME = "rename_columns"
MOST_NAMED = 3
"""Columns of a step that an error names."""
_SUPPRESSION = {"classes_over": "classes_over", **{theirs: ours for ours, theirs in PLAN_PARAMETERS.items()}}
"""The parameters of a measured plan that describe suppression, and their names in a step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One technique with its parameters.

    Attributes
    ----------
    technique : str
    columns : tuple of str
        What the technique is applied to; none for a technique that is applied to records.
    parameters : mapping
    """

    technique: str
    columns: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def named(self) -> set[str]:
        """Return every column that the step names."""
        how = technique(self.technique)
        kinds = {name: parameter.kind for name, parameter in how.parameters.items()}
        named = set() if how.invents else set(self.columns)
        for name, value in self.parameters.items():
            if kinds.get(name) in ("names", "numbers"):
                named |= set(value)
            elif kinds.get(name) in ("column", "invented"):
                named.add(value)
            elif kinds.get(name) == "condition":
                named.add(parse(value).column)
        return named

    @property
    def made(self) -> tuple[str, ...]:
        """The columns that the step makes, where the table has none of this name."""
        how = technique(self.technique)
        if how.invents:
            return self.columns
        new = [value for name, value in self.parameters.items() if how.parameters[name].kind == "new_column"]
        return tuple(new) if how.made is None else tuple(how.made(self.parameters))

    @property
    def removed(self) -> tuple[str, ...]:
        """The columns that the table no longer has after the step."""
        made = technique(self.technique).made
        is_replaced = made is not None and bool(made(self.parameters))
        return self.columns if self.technique == "drop" or is_replaced else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The steps in their order, and the order of the rows that are written.

    Attributes
    ----------
    steps : tuple of Step
    order : {"sorted", "shuffled", "kept"}
        Rows are sorted by the values that are written, shuffled, or in the order of the source, which shows where
        records were suppressed and links the rows to other copies of the table.
    hierarchies : mapping of column to path
        The hierarchy files of the columns that are generalised by one.
    seed : int, optional
        Makes random techniques repeatable. Whoever knows it can remove their noise; secret random numbers without it.
    """

    steps: tuple[Step, ...]
    order: Order = "sorted"
    hierarchies: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None

    @property
    def dropped(self) -> frozenset[str]:
        """The columns that the plan drops."""
        return frozenset(name for step in self.steps for name in step.removed)

    @property
    def replaced(self) -> frozenset[str]:
        """The columns whose values are replaced by values that no longer have their meaning."""
        return frozenset(
            name for step in self.steps if not technique(step.technique).keeps_meaning for name in step.columns
        )

    @property
    def invented(self) -> frozenset[str]:
        """The columns, by their names in the result, whose values are invented."""
        names = self.renamed
        invented = (name for step in self.steps if technique(step.technique).invents for name in step.columns)
        return frozenset(names.get(name, name) for name in invented)

    @property
    def added(self) -> dict[str, str]:
        """The columns that are made of one column next to it: the name of that column by the new name."""
        return {name: step.columns[0] for step in self.steps if not step.removed and len(step.columns) == 1
                for name in step.made if name not in step.columns}  # fmt: skip

    @property
    def changed(self) -> frozenset[str]:
        """The columns that a step changes or drops."""
        return frozenset(name for step in self.steps for name in step.columns)

    @property
    def renamed(self) -> dict[str, str]:
        """The new names of columns, by their names in the source; those that keep their name are missing."""
        steps = [step for step in self.steps if step.technique == RENAME]
        return {} if not steps else new_names(steps[-1].columns, steps[-1].parameters.get("to"))

    @property
    def needs_population(self) -> bool:
        """Whether a step limits the people of the population in each class."""
        return any("k_map" in step.parameters for step in self.steps)

    @property
    def needs_key(self) -> bool:
        """Whether a step uses the key file."""
        return any(step.parameters.get("key") == "file" for step in self.steps)


def from_remedy(remedy: Remedy, *, has_key: bool, hierarchies: Mapping[str, str]) -> Plan:
    """Return the plan that a measured remedy of technique "plan" describes.

    Parameters
    ----------
    has_key : bool
        Whether there is a key file; without one pseudonyms are made with a random key that is not kept.
    hierarchies : mapping of column to path
    """
    parameters = remedy.parameters
    steps = [
        Step(technique=each["technique"], columns=(each["column"],), parameters=_parameters(each, has_key))
        for each in parameters["steps"]
        if each["technique"] != "keep"
    ]
    dropped = {step.columns[0] for step in steps if step.technique == "drop"}
    # A plan that was searched under k-map states it, although its recodings may suffice: the table may grow.
    if parameters.get("n_suppressed") or parameters.get(PLAN_PARAMETERS["k_map"]):
        given = {ours: parameters[theirs] for theirs, ours in _SUPPRESSION.items() if parameters.get(theirs)}
        given["classes_over"] = [name for name in given["classes_over"] if name not in dropped]
        steps.append(Step(technique="suppress_records", parameters=given))
    renamed = {
        each["column"]: each["parameters"]["renamed"] for each in parameters["steps"] if "renamed" in each["parameters"]
    }
    if renamed:
        steps.append(Step(technique=RENAME, columns=tuple(renamed), parameters={"to": list(renamed.values())}))
    used = {s.columns[0] for s in steps if s.technique == "hierarchy_level" and "public" not in s.parameters}
    return Plan(steps=tuple(steps), hierarchies={name: path for name, path in hierarchies.items() if name in used})


def alternative_for(method: Method, remedy: Remedy | None) -> Alternative | None:
    """Return the method that was asked for, as it was measured; None for the plan as it was searched.

    Raises
    ------
    ConfigError
        If the method does not meet what the policy requires.
    """
    # A plan without a search changes no classes of records: there is nothing for a method to do.
    if method in (LEAST_LOSS, "full-domain") or remedy is None or remedy.search is None:
        return None
    found = next((each for each in remedy.alternatives if each.method == method), None)
    if found is None:
        raise ConfigError(
            f'The method "{method}" does not meet what the policy requires of this table.',
            hint=_why_not_offered(method, remedy),
        )
    return found


def _why_not_offered(method: Method, remedy: Remedy) -> str:
    """Return what to do instead, with the reason where the plan limits more than the size of classes."""
    if PLAN_PARAMETERS["k_map"] in remedy.parameters:
        return (
            "the policy limits the people of the population in each class (k-map), and the population has the same "
            "classes only where each column has one recoding for the whole table; omit --method"
        )
    others = [name for parameter, name in PLAN_PARAMETERS.items() if parameter != "below"]
    if method == "cells" and any(name in remedy.parameters for name in others):
        return (
            "suppression of cells limits the number of records in a class, and the policy also limits sensitive "
            "values or people; privaudit plan compares the methods that meet both"
        )
    return "privaudit plan compares the methods that do"


def by_method(plan: Plan, alternative: Alternative, hierarchies: Mapping[str, str]) -> Plan:
    """Return `plan` with the steps on the columns of another method, and its suppression, replaced by this method."""
    columns = tuple(alternative.step["columns"])
    others = [s for s in plan.steps if s.technique != "suppress_records" and not set(s.columns) & set(columns)]
    step = Step(technique=alternative.step["technique"], columns=columns, parameters=alternative.step["parameters"])
    used = {name: path for name, path in hierarchies.items() if alternative.method == "local" and name in columns}
    last = [step for step in others if step.technique == RENAME]
    return replace(plan, steps=(*(s for s in others if s not in last), step, *last), hierarchies=used)


def _parameters(step: Mapping[str, Any], has_key: bool) -> dict[str, Any]:
    known = technique(step["technique"]).parameters
    given = {name: value for name, value in step["parameters"].items() if name in known}
    if "key" in known:
        given["key"] = "file" if has_key else "once"
    return given


def with_dropped(plan: Plan, columns: Sequence[str]) -> Plan:
    """Return the plan with steps that drop `columns` in front; other steps no longer name them."""
    gone = set(columns)
    steps = [_without(step, gone) for step in plan.steps]
    kept = [step for step, old in zip(steps, plan.steps, strict=True) if step.columns or not old.columns]
    return replace(plan, steps=(*(Step(technique="drop", columns=(name,)) for name in columns), *kept))


def _without(step: Step, gone: Collection[str]) -> Step:
    """Return a step without some of its columns; a step that renames columns has a new name for each that is left."""
    left = tuple(name for name in step.columns if name not in gone)
    to = step.parameters.get("to") if step.technique == RENAME else None
    if to is None:
        return replace(step, columns=left)
    new = [name for name, old in zip(to, step.columns, strict=True) if old not in gone]
    return replace(step, columns=left, parameters={**step.parameters, "to": new})


def resolved(plan: Plan, columns: Sequence[str]) -> Plan:
    """Return the plan with all columns of the table where a step names none and so concerns all."""
    left, steps = list(columns), []
    for each in plan.steps:
        is_open = technique(each.technique).for_all and not each.columns
        step = replace(each, columns=tuple(left)) if is_open else each
        left = [name for name in left if name not in step.removed]
        left += [name for name in step.made if name not in left]
        steps.append(step)
    return replace(plan, steps=tuple(steps))


def check(plan: Plan, columns: Sequence[str], table: str) -> None:
    """Check that every column that the plan names is there when its step runs.

    Raises
    ------
    ColumnNotFound
        If the table has no such column.
    ConfigError
        If an earlier step drops it, the same technique is applied to it twice, or a new column has the name of another.
    """
    left, made, done = set(columns), set(columns), set()
    if any(step.technique == RENAME for step in plan.steps[:-1]):
        raise ConfigError('"rename_columns" must be the last step of a plan.')
    for number, step in enumerate(plan.steps, 1):
        for name in sorted(step.named()):
            if name not in made:
                raise ColumnNotFound.among(name, table, columns)
            if name not in left:
                raise ConfigError(
                    f'The plan uses "{name}" after a step that drops it.', hint="remove one of the two steps"
                )
        for name in step.columns:
            if (name, step.technique, step.made) in done:
                raise ConfigError(f'The plan applies "{step.technique}" to "{name}" twice.', hint="remove one step")
            done.add((name, step.technique, step.made))
        left -= set(step.removed)
        _check_invented(step, number, plan.steps[: number - 1])
        _check_made(step, number, left)
        left |= set(step.made)
        made |= left
    if not left:
        raise ConfigError("The plan drops every column.", hint="keep at least one")


def _check_made(step: Step, number: int, left: Collection[str]) -> None:
    """Check that a column that a step makes does not take the name of another."""
    for name in step.made:
        if name in left and not technique(step.technique).invents:
            raise ConfigError(f'Step {number} makes a column "{name}", which the table has.', hint="use another name")


def _check_invented(step: Step, number: int, before: Sequence[Step]) -> None:
    """Check that the names of which a step makes addresses were invented by a step before it."""
    invented = {name for each in before if technique(each.technique).invents for name in each.columns}
    parameters = technique(step.technique).parameters
    for name, value in step.parameters.items():
        if parameters[name].kind == "invented" and value not in invented:
            raise ConfigError(
                f'Step {number} uses "{value}", which no step before it invents.',
                hint="add a step with fake_names before",
            )


def check_population(plan: Plan, quasi: Collection[str]) -> None:
    """Check that a population can be recoded as the table is, so that both have the same classes.

    Raises
    ------
    ConfigError
        If a step changes a quasi-identifier otherwise than value by value.
    """
    for step in plan.steps:
        changed = sorted(set(step.columns) & set(quasi))
        if technique(step.technique).recode is None and step.technique != RENAME and changed:
            raise ConfigError(
                f'"{step.technique}" does not give equal values of "{changed[0]}" equal new values, so the classes of '
                "the table cannot be counted in the population.",
                hint="omit --population, or use techniques that replace values one by one",
            )


def parse_step(values: Mapping[str, Any], where: str) -> Step:
    """Return the step that a table of a plan file states, checked.

    Raises
    ------
    ConfigError
        For an unknown technique or a parameter that is missing, unknown or out of bounds; it begins with `where` and
        names the columns of the step.
    """
    given = dict(values)
    name = given.pop("technique", None)
    if not isinstance(name, str):
        raise ConfigError(f'{where} has no "technique".', hint='for example technique = "drop"')
    found = technique(name)
    columns = _columns(found, given, where)
    concerned = f" ({', '.join(map(repr, columns[:MOST_NAMED]))})" if columns else ""
    return Step(technique=name, columns=columns, parameters=found.check(given, f"{where}{concerned}"))


def _columns(found: Technique, given: dict[str, Any], where: str) -> tuple[str, ...]:
    """Take the columns out of `given`: "column" for a technique of one column, "columns" for one of several."""
    for other in ("column", "columns"):
        if other in given and found.scope == "records":
            raise ConfigError(f'{where}: a step with "{found.name}" names no column.')
        if other in given and other != found.scope:
            raise ConfigError(f'{where}: a step with "{found.name}" names its "{found.scope}", not "{other}".')
    if found.scope == "records":
        return ()
    if found.scope not in given:
        if found.for_all:
            return ()
        raise ConfigError(f'{where}: a step with "{found.name}" needs "{found.scope}".')
    named = given.pop(found.scope)
    columns = [named] if found.scope == "column" else named
    if not _are_texts(columns) or len(set(columns)) != len(columns) or not columns:
        wanted = "a column name" if found.scope == "column" else "a list of different column names"
        raise ConfigError(f'{where}: "{found.scope}" must be {wanted}.')
    return tuple(columns)


def _are_texts(values: object) -> bool:
    return isinstance(values, list | tuple) and all(isinstance(value, str) for value in values)
