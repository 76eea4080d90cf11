"""Measured remedies: what would help this table, each with its effect.

Question: what would bring the people in small classes or with exposed identifiers within the policy, and at what
cost?
Method: every suitable recoding is measured alone, then a plan that combines several, then the suppression of the
records that remain in small classes; each is measured on the coded table before and after. Direct identifiers, which
are not part of classes, are dropped, masked or replaced by keyed pseudonyms. Ranking: identifiers first, then the
plan, then recodings by effect per cost.
Limits: remedies are measured, not applied. The cost covers the quasi-identifiers only. Sentences and parameters
contain no value of the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from privaudit.advice.identifier_treatments import treatments
from privaudit.advice.lattice import Lattice, measure
from privaudit.advice.plan_search import Plan, find_plan
from privaudit.advice.recoding import Hierarchy, Recoding
from privaudit.advice.recoding_options import ColumnOptions, options
from privaudit.advice.resolved_findings import Outcome, Reassessment
from privaudit.advice.trial_table import COST_MEASURE, Effect, TrialTable
from privaudit.config import Progress, silent
from privaudit.model import ColumnReport, Finding, Limit, MissingSemantics, PolicyInfo, Remedy, limit
from privaudit.risk.coded import CodedTable
from privaudit.wording import Count, Fact, Listing, Share, Threshold, Value, fact

MAX_SUPPRESSED = 0.05
MOST = 24
PER_TECHNIQUE = 2
WORTHWHILE = 0.99
TIE_ORDER = ("top_code", "bottom_code", "band", "drop", "prefix", "hierarchy_level", "round_date", "merge_rare")
"""The order of recodings of one column with equal effect and cost."""


@dataclass(frozen=True, slots=True)
class AdviceResult:
    """Remedies, the most effective first, and what bounds them."""

    remedies: tuple[Remedy, ...]
    limits: tuple[Limit, ...]


def advise(
    coded: CodedTable | None,
    columns: tuple[ColumnReport, ...],
    findings: tuple[Finding, ...],
    policy: PolicyInfo,
    *,
    sensitive: Sequence[str] = (),
    hierarchies: Mapping[str, Hierarchy] | None = None,
    max_suppressed: float = MAX_SUPPRESSED,
    missing: MissingSemantics = "category",
    progress: Progress = silent,
) -> AdviceResult:
    """Measure candidate remedies and a plan of several on the coded table.

    Parameters
    ----------
    coded : CodedTable or None
        The quasi-identifiers, and sensitive attributes whose diversity is to be measured again; None without
        quasi-identifiers.
    columns : tuple of ColumnReport
        A column of role "sensitive" in `coded` is a sensitive attribute, as are those named in `sensitive`.
    findings : tuple of Finding
    policy : PolicyInfo
        Its k is the smallest class size allowed.
    hierarchies : mapping of column to {value: names at levels 1, 2, ...}, optional
    max_suppressed : float
        Share of records that the plan may suppress, 0 to 1.
    missing : "category", "wildcard" or "one-sided"
        How the scan counted missing cells; remedies are always measured with a missing cell as a category.

    Returns
    -------
    AdviceResult
    """
    excluded = {*sensitive, *(column.name for column in columns if column.role == "sensitive")}
    quasi = tuple(name for name in (coded.names if coded else ()) if name not in excluded)
    if coded is None or not quasi or coded.n_rows == 0:
        reassessment = Reassessment(None, findings, policy)
        return AdviceResult(treatments(columns, findings, reassessment, None), ())
    everything = coded if len(quasi) < len(coded.names) else None
    trial = TrialTable(coded.select(quasi) if everything is not None else coded, policy.k)
    reassessment = Reassessment(trial, findings, policy, everything)
    identifiers = treatments(columns, findings, reassessment, trial.before)
    if trial.before.n_below_k == 0 and not findings:
        return AdviceResult(identifiers, ())
    progress("measuring remedies", 0.0)
    choices, limits = options(trial, columns, hierarchies)
    single = _ranked(_singles(trial, reassessment, choices), trial.before)
    progress("measuring remedies", 0.5)
    combined, more = _combined(trial, reassessment, choices, max_suppressed)
    return AdviceResult((*identifiers, *combined, *single[:MOST]), (*_semantics(missing), *limits, *more))


def _semantics(missing: MissingSemantics) -> tuple[Limit, ...]:
    if missing == "category":
        return ()
    return (limit("advice.missing_as_category", semantics=Threshold(value=missing)),)


def _singles(trial: TrialTable, reassessment: Reassessment, choices: Mapping[str, ColumnOptions]) -> list[Remedy]:
    """Measure every recoding separately."""
    tried = {name: (*found.ladder, *found.extras) for name, found in choices.items()}
    lattice = Lattice(trial, tried)
    made = []
    for i, name in enumerate(trial.names):
        for level in range(1, len(tried[name])):
            state = tuple(level if j == i else 0 for j in range(len(trial.names)))
            made.append(_remedy(trial, reassessment, tried[name][level], lattice.measure(state)))
    return made


def _remedy(trial: TrialTable, reassessment: Reassessment, step: Recoding, after: Effect) -> Remedy:
    return Remedy(
        technique=step.technique,
        columns=(step.column,),
        parameters=dict(step.parameters),
        text=_with_effect(step.description, trial, after),
        before=trial.before.wire(),
        after=after.wire(),
        utility_cost=after.cost,
        cost_measure=COST_MEASURE,
        resolves=reassessment.resolved((step.column,), Outcome({step.column: step}, False, after)),
    )


def _combined(
    trial: TrialTable, reassessment: Reassessment, choices: Mapping[str, ColumnOptions], max_suppressed: float
) -> tuple[list[Remedy], list[Limit]]:
    """Return the plan and the suppression of small classes, where there are any."""
    if trial.before.n_below_k == 0:
        return [], []
    made, limits = [], []
    ladders = {name: found.ladder for name, found in choices.items()}
    plan = find_plan(trial, ladders, max_suppressed=max_suppressed, least=reassessment.required_steps(ladders))
    if plan is None:
        limits.append(limit("advice.no_plan", allowed=Threshold(value=max_suppressed)))
    elif plan.steps:
        made.append(_plan_remedy(trial, reassessment, plan))
        if not plan.complete:
            limits.append(limit("advice.plan_search_stopped"))
    alone = measure(trial, {}, suppress=True)
    if alone.n_records:
        made.append(_suppression(trial, reassessment, alone))
    return made, limits


def _plan_remedy(trial: TrialTable, reassessment: Reassessment, plan: Plan) -> Remedy:
    chosen = {step.column: step for step in plan.steps}
    steps = [
        {"technique": s.technique, "column": s.column, "parameters": dict(s.parameters), "after": m.wire()}
        for s, m in zip(plan.steps, plan.after, strict=True)
    ]
    values: dict[str, Value] = {"steps": Listing(items=tuple(step.description for step in plan.steps))}
    if plan.n_suppressed:
        suppressed = Count(n=plan.n_suppressed, unit="record")
        values["suppression"] = fact("advice.plan_suppression", suppressed=suppressed, k=Threshold(value=trial.k))
    return Remedy(
        technique="plan",
        columns=tuple(chosen),
        parameters={"steps": steps, "suppress_below": trial.k, "n_suppressed": plan.n_suppressed},
        text=_with_effect(fact("advice.plan", **values), trial, plan.final),
        before=trial.before.wire(),
        after=plan.final.wire(),
        utility_cost=plan.final.cost,
        cost_measure=COST_MEASURE,
        resolves=reassessment.resolved(tuple(chosen), Outcome(chosen, True, plan.final)),
    )


def _suppression(trial: TrialTable, reassessment: Reassessment, after: Effect) -> Remedy:
    n_suppressed = trial.coded.n_rows - after.n_records
    suppressed = Count(n=n_suppressed, of=trial.coded.n_rows, unit="record")
    stated = fact("advice.suppress_records", suppressed=suppressed, k=Threshold(value=trial.k))
    return Remedy(
        technique="suppress_records",
        columns=trial.names,
        parameters={"below": trial.k, "n_suppressed": n_suppressed},
        text=_with_effect(stated, trial, after),
        before=trial.before.wire(),
        after=after.wire(),
        utility_cost=after.cost,
        cost_measure=COST_MEASURE,
        resolves=reassessment.resolved(trial.names, Outcome({}, True, after)),
    )


def _with_effect(stated: Fact, trial: TrialTable, after: Effect) -> Fact:
    """Add the measured effect to what is done."""
    before = trial.before
    effect = fact(
        "advice.effect",
        k=Threshold(value=trial.k),
        k_before=Count(n=before.k_min, unit="record"),
        k_after=Count(n=after.k_min, unit="record"),
        below_before=Count(n=before.n_below_k, of=before.n_records, unit="record"),
        below_after=Count(n=after.n_below_k, of=after.n_records, unit="record"),
        kept=Share(value=1 - after.cost),
    )
    return fact(stated.code, **stated.values, effect=effect)


def _ranked(remedies: Sequence[Remedy], before: Effect) -> list[Remedy]:
    """Order by records repaired and findings resolved per information lost; omit what has no effect."""

    def worth(remedy: Remedy) -> float:
        repaired = (before.n_below_k - remedy.after["n_below_k"]) / max(1, before.n_records)
        return float((repaired + 0.1 * len(remedy.resolves)) / (remedy.utility_cost + 0.01))

    useful = [r for r in remedies if r.resolves or r.after["n_below_k"] < WORTHWHILE * before.n_below_k]
    useful.sort(key=lambda r: (-worth(r), r.utility_cost, r.columns, TIE_ORDER.index(r.technique), str(r.parameters)))
    chosen: list[Remedy] = []
    for remedy in useful:
        alike = sum((r.columns, r.technique) == (remedy.columns, remedy.technique) for r in chosen)
        if alike < PER_TECHNIQUE:
            chosen.append(remedy)
    return chosen
