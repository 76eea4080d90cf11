"""The techniques by name.

Method: ``rules/techniques.toml`` declares each technique: what it does, its parameters, and the function that does it,
as ``module:function``.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from typing import Any

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding
from privaudit.advice.technique.record import Parameter, Technique
from privaudit.base import resources
from privaudit.base.errors import ConfigError
from privaudit.base.typed import convert

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
