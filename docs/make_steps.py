"""Write the stub file of `privaudit.steps`, which type checkers read: python docs/make_steps.py."""

from __future__ import annotations

import inspect
from pathlib import Path

from privaudit.advice.technique import names, technique
from privaudit.releases.remedy.step_functions import step_function

STUB = Path(__file__).parents[1] / "privaudit" / "releases" / "remedy" / "steps.pyi"


def stub() -> str:
    """Return the stub file of `privaudit.steps`: every function with its parameters, for editors and type checkers."""
    lines = ["from typing import Any", "", "from privaudit.releases.remedy.plan import Step", ""]
    for name in sorted(names()):
        parameters = [_declared(each) for each in inspect.signature(step_function(name)).parameters.values()]
        keywords = technique(name).parameters
        if keywords:
            parameters.insert(len(parameters) - len(keywords), "*")
        lines += [f"def {name}(", *(f"    {each}," for each in parameters), ") -> Step: ..."]
    return "\n".join(lines) + "\n"


def _declared(parameter: inspect.Parameter) -> str:
    if parameter.default is inspect.Parameter.empty:
        return f"{parameter.name}: {parameter.annotation}"
    return f"{parameter.name}: {parameter.annotation} | None = None"


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
