"""Steps of a plan as functions: ``privaudit.steps.band("age", width=10)``.

Question: how does a program write a plan, with the help of its editor?
Method: one function for each technique; each returns a `Step`, and `privaudit.remedy` takes a list of these as a plan.
The stub file next to this module has the signatures.
Limits: whether the columns are in the table is known only when the plan is applied.
"""

from __future__ import annotations

from collections.abc import Callable

from privaudit.advice.technique import names
from privaudit.releases.remedy.plan import Step
from privaudit.releases.remedy.step_functions import step_function


def __getattr__(name: str) -> Callable[..., Step]:
    return step_function(name)


def __dir__() -> list[str]:
    return sorted(names())
