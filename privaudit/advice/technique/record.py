"""The techniques by name: the parameters of each, what it applies to, and the function that does it.

Question: what can a plan ask for, and how is a wrong parameter refused?
Method: each parameter has a type, bounds and one sentence; `Technique.check` compares what a plan states with them.
``rules/techniques.toml`` declares each technique: what it does, its parameters, and the function that does it, as
``module:function``.
Limits: whether a technique suits a column is known only when it runs.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique.condition import is_condition
from privaudit.advice.technique.recoding import Column, Hierarchy, Recoding
from privaudit.base import resources
from privaudit.base.arrow import pa
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.base.typed import convert, is_number
from privaudit.model.wording import Fact

Recode = Callable[[Column, Mapping[str, Any]], Recoding]
Apply = Callable[["pa.Table", Mapping[str, Any], "Context"], "pa.Table"]
Kind = Literal[
    "integer", "number", "text", "flag", "column", "new_column", "list", "names", "numbers", "parts",
    "condition", "mapping", "shares", "edges", "invented", "bound",
]  # fmt: skip
Scope = Literal["column", "columns", "records"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of a technique.

    Attributes
    ----------
    kind : str
        One of `Kind`: "names" and "column" name columns of the table, "new_column" one that the step makes.
    meaning : str
        One sentence for readers of a plan.
    least, above : number, optional
        The smallest value allowed, and a bound that the value must exceed.
    most : number, optional
    choices : tuple of str
        The texts allowed; all if empty.
    required : bool
    """

    kind: Kind
    meaning: str
    least: float | None = None
    above: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    required: bool = True

    def accepts(self, value: Any) -> bool:
        """Whether `value` has the type of the parameter and is within its bounds."""
        if self.kind in ("names", "list"):
            are_texts = isinstance(value, list | tuple) and all(isinstance(text, str) for text in value)
            return are_texts and (not self.choices or set(value) <= set(self.choices))
        if self.kind in _ACCEPTS:
            return _ACCEPTS[self.kind](value)
        if self.kind in ("text", "flag", "column", "new_column", "invented"):
            wanted = bool if self.kind == "flag" else str
            return isinstance(value, wanted) and (not self.choices or value in self.choices)
        whole = self.kind != "integer" or (isinstance(value, int) and not isinstance(value, bool))
        return whole and is_number(value) and self._is_within(float(value))

    def _is_within(self, value: float) -> bool:
        return (
            (self.least is None or value >= self.least)
            and (self.above is None or value > self.above)
            and (self.most is None or value <= self.most)
        )

    @property
    def type_name(self) -> str:
        """The type of its values in Python."""
        return str(_declared()["kind"][self.kind]["type"])

    @property
    def wanted(self) -> str:
        """What the parameter must be, in words."""
        if self.choices:
            return f"one of: {', '.join(self.choices)}"
        limits = (("at least", self.least), ("above", self.above), ("at most", self.most))
        bounds = [f"{word} {value:g}" for word, value in limits if value is not None]
        return ", ".join([_declared()["kind"][self.kind]["words"], *bounds])


def _is_part(value: Any) -> bool:
    """Whether a value states a technique for each column; what it states is checked when it runs."""
    return isinstance(value, Mapping) and all(
        isinstance(step, Mapping) and isinstance(step.get("technique"), str) for step in value.values()
    )


def _are_parts(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(map(_is_part, value))


def _are_numbers(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(is_number, value.values()))


def _are_shares(value: Any) -> bool:
    return _are_numbers(value) and all(each >= 0 for each in value.values()) and any(value.values())


def _is_mapping(value: Any) -> bool:
    """Whether each value has a name, or a list of names from fine to coarse."""
    if not isinstance(value, Mapping) or not value:
        return False
    paths = [[each] if isinstance(each, str) else each for each in value.values()]
    return all(isinstance(path, list | tuple) and path and all(isinstance(n, str) for n in path) for path in paths)


def _are_edges(value: Any) -> bool:
    are_numbers = isinstance(value, list | tuple) and len(value) > 1 and all(map(is_number, value))
    return are_numbers and all(low < high for low, high in itertools.pairwise(value))


_ACCEPTS: Mapping[str, Callable[[Any], bool]] = {
    "parts": _are_parts,
    "numbers": _are_numbers,
    "shares": _are_shares,
    "mapping": _is_mapping,
    "edges": _are_edges,
    "condition": is_condition,
    "bound": lambda value: isinstance(value, str) or is_number(value),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a technique may use besides the table and its parameters.

    Attributes
    ----------
    hierarchies : mapping of column to {value: names at levels 1, 2, ...}
    key : bytes or None
        The secret key; None where no key was given.
    random : numpy.random.Generator
        Source of random numbers: secret, unless the plan states a seed.
    notes : list of mapping
        Measures of techniques about what they did, without values.
    facts : list of Fact
        What techniques state about what they did, without values.
    population : pyarrow.Table or None
        The population, in which the columns of the table have the values that the steps so far gave them.
    least_suppressed : int
        Fewest records that a step suppresses.
    """

    random: np.random.Generator
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    key: bytes | None = field(default=None, repr=False)
    notes: list[dict[str, Any]] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    population: pa.Table | None = field(default=None, repr=False)
    least_suppressed: int = 0

    def column(self, name: str, codes: npt.NDArray[np.integer], dictionary: pa.Array) -> Column:
        """Return a column of the table with what the step may use of it, from the code of each record."""
        return Column.coded(name, codes, dictionary, hierarchy=self.hierarchies.get(name), key=self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Technique:
    """One technique.

    Attributes
    ----------
    name : str
        As plans and the report's `advice` name it.
    meaning : str
        What it does, as one sentence.
    scope : {"column", "columns", "records"}
        What a step of a plan names: one column, several columns, or records.
    keeps_meaning : bool
        Whether the new values have the meaning of the column; those of a mask or a pseudonym do not.
    is_perturbation : bool
        Whether values are changed at random or mixed, so that k does not describe them.
    for_all : bool
        Whether a step that names no column concerns all columns.
    made : function, optional
        ``made(parameters)`` returns the names of the columns that replace the columns of a step, none where the step
        changes its columns in their places.
    invents : bool
        Whether the new values are invented: they depend on the record and the key alone, so that another table can get
        them, and the columns of a step may be missing from the table: the step adds them.
    parameters : mapping of name to Parameter
    one_of : tuple of tuple of str
        Sets of parameters of which a step states exactly one.
    needs : mapping of str to tuple of str
        The parameters that a parameter is stated with.
    recode : function, optional
        ``recode(column, parameters) -> Recoding``, where each value has one new value.
    apply : function, optional
        ``apply(table, parameters, context) -> table`` otherwise. The table has columns of text, and the parameters
        of a step that names columns have them as ``columns``.
    """

    name: str
    meaning: str
    scope: Scope = "column"
    keeps_meaning: bool = True
    is_perturbation: bool = False
    for_all: bool = False
    made: Callable[[Mapping[str, Any]], Sequence[str]] | None = None
    invents: bool = False
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    one_of: tuple[tuple[str, ...], ...] = ()
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    recode: Recode | None = None
    apply: Apply | None = None

    def check(self, given: Mapping[str, Any], where: str) -> dict[str, Any]:
        """Return the parameters `given`, checked.

        Raises
        ------
        ConfigError
            For an unknown or missing parameter, or a value that is not allowed; the message begins with `where`.
        """
        for name in given:
            if name not in self.parameters:
                known = ", ".join(self.parameters) or "it has none"
                raise ConfigError(f'{where}: "{self.name}" has no parameter "{name}".', hint=f"parameters: {known}")
        for name, parameter in self.parameters.items():
            if name not in given:
                if parameter.required:
                    raise ConfigError(f'{where}: "{self.name}" needs "{name}".', hint=parameter.meaning)
            elif not parameter.accepts(given[name]):
                raise ConfigError(f'{where}: "{name}" must be {parameter.wanted}.', hint=parameter.meaning)
        self._check_together(given, where)
        return dict(given)

    def _check_together(self, given: Mapping[str, Any], where: str) -> None:
        for names in self.one_of:
            if sum(name in given for name in names) != 1:
                choices = ", ".join(f'"{name}"' for name in names)
                raise ConfigError(
                    f'{where}: "{self.name}" needs exactly one of {choices}.', hint=self.parameters[names[0]].meaning
                )
        for name, others in self.needs.items():
            for other in others:
                if name in given and other not in given:
                    raise ConfigError(f'{where}: "{name}" needs "{other}".', hint=self.parameters[other].meaning)


_FUNCTIONS = ("recode", "apply", "made")
"""The fields of a technique that are functions."""
_FOR_REPORTS = ("standard", "sentence")
"""What `privaudit.report.techniques` reads."""


@cache  # a scan asks for it a hundred times, and each reading compares the file with its compiled form
def _declared() -> Mapping[str, Any]:
    return resources.read_toml(resources.path("rules", "techniques.toml"))


def names() -> tuple[str, ...]:
    """Return the names of all techniques."""
    return tuple(_declared()["technique"])


@cache
def technique(name: str) -> Technique:
    """Return a technique by its name.

    Raises
    ------
    ConfigError
        If there is none of this name.
    """
    if name not in names():
        raise ConfigError(f'Unknown technique "{name}".', hint=f"use one of: {', '.join(names())}")
    declared = _declared()
    stated = {key: value for key, value in declared["technique"][name].items() if key not in _FOR_REPORTS}
    shared = declared["parameter"]
    stated["parameters"] = {
        key: convert({**shared.get(key, {}), **each}, Parameter) for key, each in stated.get("parameters", {}).items()
    }
    stated["one_of"] = convert(stated.get("one_of", []), tuple[tuple[str, ...], ...])
    stated["needs"] = convert(stated.get("needs", {}), Mapping[str, tuple[str, ...]])
    stated |= {key: _function(stated[key]) for key in _FUNCTIONS if key in stated}
    return Technique(name=name, **stated)


def _function(place: str) -> Any:
    """Return the function at `place`, whose module is imported by the first call: plans are read without Arrow."""
    module, _, name = place.partition(":")

    def call(*given: Any) -> Any:
        return getattr(importlib.import_module(f"privaudit.advice.technique.{module}"), name)(*given)

    return call


def recode(name: str, column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Return what a technique that maps values makes of a column."""
    function = technique(name).recode
    assert function is not None, "a technique that maps values"
    return function(column, parameters)
