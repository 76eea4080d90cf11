"""The facts that state what a plan does and what remains open after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from privaudit.advice.plan_check import Decision
from privaudit.advice.plan_search import Plan
from privaudit.advice.recoding import Recoding
from privaudit.advice.trial_table import TrialTable
from privaudit.model import OpenFinding
from privaudit.wording import Columns, Count, Fact, Name, Share, Threshold, fact


def sentence(columns: Sequence[str], found: Plan | None) -> str:
    """Return the key of the sentence that introduces a plan."""
    if found is None:
        return "plan_treatments"
    return "plan" if columns else "plan_suppress_only"


def step_parameters(step: Recoding) -> dict[str, Any]:
    """Return a step as it is written in the report."""
    return {"technique": step.technique, "column": step.column, "parameters": dict(step.parameters)}


def effect(trial: TrialTable | None, found: Plan) -> Fact:
    """Return the measured effect of a plan."""
    assert trial is not None
    before, after = trial.before, found.final
    return fact(
        "advice.effect",
        k=Threshold(value=trial.k),
        k_before=Count(n=before.k_min, unit="record"),
        k_after=Count(n=after.k_min, unit="record"),
        below_before=Count(n=before.n_below_k, of=before.n_records, unit="record"),
        below_after=Count(n=after.n_below_k, of=after.n_records, unit="record"),
        kept=Share(value=1 - after.cost),
    )


def decide(
    decision: Decision, remaining: Sequence[OpenFinding], *, drops: bool, is_measured: bool
) -> Fact:
    """Return whether the gate passes after a plan, or what is still open."""
    if decision.passes:
        return fact("advice.plan_passes" if drops else "advice.plan_passes_without_drops")
    if not remaining:
        return fact("advice.plan_incomplete" if is_measured else "advice.plan_without_quasi")
    reasons: dict[str, list[OpenFinding]] = {}
    for item in remaining:
        reasons.setdefault(repr(item.because), []).append(item)
    groups = [
        fact("advice.open_findings", items=chain(list(map(_named, items)), ","), because=items[0].because)
        for items in reasons.values()
    ]
    return fact("advice.plan_leaves", items=chain(groups))


def _named(item: OpenFinding) -> Fact:
    """Return an open finding by its code and, where it is about one column, the column."""
    code, columns = Name(text=item.finding.code), Columns(names=item.finding.subject)
    if len(item.finding.subject) == 1:
        return fact("advice.open_finding", code=code, columns=columns)
    return fact("advice.open_finding_of_table", code=code)


def chain(items: Sequence[Fact], separator: str = ";") -> Fact:
    """Return all items as one fact: a list of sentences would be cut after a few."""
    chained = items[-1]
    for item in reversed(items[:-1]):
        code = "advice.next" if separator == ";" else "advice.next_item"
        chained = fact(code, item=item, rest=chained)
    return chained
