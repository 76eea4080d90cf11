"""Steps of a plan as functions: ``privaudit.steps.band("age", width=10)``.

Question: how does a program write a plan, with the help of its editor?
Method: one function for each technique, made of its record: the columns come first, the parameters are keywords, and
the docstring has the meaning of each. Functions return `Step` records, which `privaudit.remedy` takes as a list.
Limits: whether the columns are in the table is known only when the plan is applied.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

from privaudit.advice.technique import Parameter, Technique, names, technique
from privaudit.base.errors import ConfigError
from privaudit.releases.remedy.plan import Step, parse_step

_REQUIRED = inspect.Parameter.empty
_TYPES = {
    "integer": "int",
    "number": "float",
    "flag": "bool",
    "list": "list[str]",
    "names": "list[str]",
    "numbers": "dict[str, float]",
    "shares": "dict[str, float]",
    "mapping": "dict[str, str | list[str]]",
    "edges": "list[float]",
    "bound": "float | str",
    "parts": "list[dict]",
}


def __getattr__(name: str) -> Callable[..., Step]:
    if name not in names():
        raise AttributeError(f"privaudit.steps has no function {name!r}")
    return _function(name)


def __dir__() -> list[str]:
    return sorted(names())


@cache
def _function(name: str) -> Callable[..., Step]:
    found = technique(name)

    def step(*columns: Any, **parameters: Any) -> Step:
        if len(columns) > (found.scope != "records"):
            raise ConfigError(
                f"privaudit.steps.{name} takes one argument without a name at most.", hint=str(signature)
            )
        stated = {
            "technique": name,
            **dict.fromkeys([found.scope][: len(columns)], columns[0] if columns else None),
        }
        stated |= parameters
        if isinstance(stated.get("columns"), str):
            stated["columns"] = [stated["columns"]]
        return parse_step(stated, f"privaudit.steps.{name}")

    signature = _signature(found)
    step.__name__ = step.__qualname__ = name
    step.__doc__ = _docstring(found)
    step.__signature__ = signature  # type: ignore[attr-defined]
    return step


def _signature(found: Technique) -> inspect.Signature:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    default = None if found.for_all else _REQUIRED
    first = [] if found.scope == "records" else [inspect.Parameter(found.scope, kind, default=default)]
    others = [
        inspect.Parameter(
            key,
            inspect.Parameter.KEYWORD_ONLY,
            default=_REQUIRED if each.required else None,
            annotation=_TYPES.get(each.kind, "str"),
        )
        for key, each in found.parameters.items()
    ]
    return inspect.Signature([*first, *others], return_annotation=Step)


def _docstring(found: Technique) -> str:
    lines = [found.meaning, ""]
    if found.scope != "records":
        lines += [f"{found.scope} : {'str' if found.scope == 'column' else 'str or list of str'}"]
    for key, each in found.parameters.items():
        optional = "" if each.required else ", optional"
        lines += [f"{key} : {_TYPES.get(each.kind, 'str')}{optional}", f"    {_meaning(each)}"]
    if len(lines) > 2:
        lines[2:2] = ["Parameters", "----------"]
    return "\n".join([*lines, "", "Returns", "-------", "Step"])


def _meaning(parameter: Parameter) -> str:
    choices = f" One of: {', '.join(parameter.choices)}." if parameter.choices else ""
    return f"{parameter.meaning}{choices}"
