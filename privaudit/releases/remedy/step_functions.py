"""The functions of `privaudit.steps`, each made of the record of a technique.

Question: which signature and docstring does the function of a technique have?
Method: the columns come first, the parameters are keywords, and the docstring has the meaning of each.
`docs/make_steps.py` writes the same signatures as a stub file, which editors and type checkers read.
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


@cache
def step_function(name: str) -> Callable[..., Step]:
    """Return the function that makes steps of a technique.

    Raises
    ------
    AttributeError
        If no technique has this name.
    """
    if name not in names():
        raise AttributeError(f"privaudit.steps has no function {name!r}")
    found = technique(name)

    def step(*columns: Any, **parameters: Any) -> Step:
        if len(columns) > (found.scope != "records"):
            raise ConfigError(f"privaudit.steps.{name} takes one argument without a name at most.", hint=str(signature))
        stated = {"technique": name, **dict.fromkeys([found.scope][: len(columns)], columns[0] if columns else None)}
        stated |= {key: value for key, value in parameters.items() if value is not None}
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
    columns = "str" if found.scope == "column" else "str | list[str]"
    one = inspect.Parameter(found.scope, kind, default=default, annotation=columns)
    first = [] if found.scope == "records" else [one]
    others = [
        inspect.Parameter(
            key, inspect.Parameter.KEYWORD_ONLY, default=_REQUIRED if each.required else None, annotation=each.type_name
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
        lines += [f"{key} : {each.type_name}{optional}", f"    {_meaning(each)}"]
    if len(lines) > 2:
        lines[2:2] = ["Parameters", "----------"]
    return "\n".join([*lines, "", "Returns", "-------", "Step"])


def _meaning(parameter: Parameter) -> str:
    choices = f" One of: {', '.join(parameter.choices)}." if parameter.choices else ""
    return f"{parameter.meaning}{choices}"
