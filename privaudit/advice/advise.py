"""Advise: which remedies would help this table, each with its measured effect.

Question: what would bring the people in small classes, or in the clear, under the policy, and what would it
cost?
Method: every recoding that comes into question is tried alone, then a plan that combines some of them, then
the suppression of what remains; each is measured on the coded table before and after. Direct identifiers,
which take no part in classes, are to be dropped, masked or replaced by keyed pseudonyms. Ranked: identifiers
in the clear, the plan, then effect for cost.
Limits: remedies are measured, not applied. The cost speaks of the quasi-identifiers only. Texts and
parameters carry no value of the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from privaudit.advice.bench import COST_MEASURE, Bench, Measured
from privaudit.advice.candidates import Options, options
from privaudit.advice.identifiers import treatments
from privaudit.advice.lattice import Lattice, measure
from privaudit.advice.plan import Plan, find_plan
from privaudit.advice.recoding import Hierarchy, Recoding
from privaudit.advice.resolve import Judge, Outcome
from privaudit.config import Progress, silent
from privaudit.model import ColumnReport, Finding, Limit, untyped_limit, MissingSemantics, PolicyInfo, Remedy
from privaudit.risk.coded import CodedTable

MAX_SUPPRESSED = 0.05
MOST = 24
PER_TECHNIQUE = 2
WORTHWHILE = 0.99


@dataclass(frozen=True, slots=True)
class AdviceResult:
    """Remedies, most worthwhile first, and what bounds them."""

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
        The quasi-identifiers, and beside them sensitive attributes whose diversity is to be measured again;
        None where there are no quasi-identifiers.
    columns : tuple of ColumnReport
        A column of role "sensitive" in `coded` is a sensitive attribute, as are those named in `sensitive`.
    findings : tuple of Finding
    policy : PolicyInfo
        Its k is what classes are to reach.
    hierarchies : mapping of column to {value: names at levels 1, 2, ...}, optional
    max_suppressed : float
        Share of records the plan may leave out, 0 to 1.
    missing : "category", "wildcard" or "one-sided"
        How the scan counted missing cells; remedies are measured with missing as a category in any case.

    Returns
    -------
    AdviceResult
    """
    apart = {*sensitive, *(column.name for column in columns if column.role == "sensitive")}
    quasi = tuple(name for name in (coded.names if coded else ()) if name not in apart)
    if coded is None or not quasi or coded.n_rows == 0:
        judge = Judge(None, findings, policy)
        return AdviceResult(treatments(columns, findings, judge, None), ())
    everything = coded if len(quasi) < len(coded.names) else None
    bench = Bench(coded.select(quasi) if everything is not None else coded, policy.k)
    judge = Judge(bench, findings, policy, everything)
    identifiers = treatments(columns, findings, judge, bench.before)
    if bench.before.n_below_k == 0 and not findings:
        return AdviceResult(identifiers, ())
    progress("measuring remedies", 0.0)
    choices, limits = options(bench, columns, hierarchies)
    single = _ranked(_singles(bench, judge, choices), bench.before)
    progress("measuring remedies", 0.5)
    combined, more = _combined(bench, judge, choices, max_suppressed)
    return AdviceResult((*identifiers, *combined, *single[:MOST]), (*_semantics(missing), *limits, *more))


def _semantics(missing: MissingSemantics) -> tuple[Limit, ...]:
    if missing == "category":
        return ()
    why = f"they count a missing cell as a category, where the scan counted it as {missing}"
    return (untyped_limit(what="the classes before and after remedies", why=why),)


def _singles(bench: Bench, judge: Judge, choices: Mapping[str, Options]) -> list[Remedy]:
    """Measure every recoding on its own."""
    tried = {name: (*found.ladder, *found.extras) for name, found in choices.items()}
    lattice = Lattice(bench, tried)
    made = []
    for i, name in enumerate(bench.names):
        for level in range(1, len(tried[name])):
            state = tuple(level if j == i else 0 for j in range(len(bench.names)))
            made.append(_remedy(bench, judge, tried[name][level], lattice.measure(state)))
    return made


def _remedy(bench: Bench, judge: Judge, step: Recoding, after: Measured) -> Remedy:
    return Remedy(
        technique=step.technique,
        columns=(step.column,),
        parameters=dict(step.parameters),
        text=f"{step.column} → {step.words}: {_effect(bench.before, after, bench.k)}",
        before=bench.before.wire(),
        after=after.wire(),
        utility_cost=after.cost,
        cost_measure=COST_MEASURE,
        resolves=judge.settled((step.column,), Outcome({step.column: step}, False, after)),
    )


def _combined(
    bench: Bench, judge: Judge, choices: Mapping[str, Options], max_suppressed: float
) -> tuple[list[Remedy], list[Limit]]:
    """Return the plan and the suppression of small classes, where there are any."""
    if bench.before.n_below_k == 0:
        return [], []
    made, limits = [], []
    ladders = {name: found.ladder for name, found in choices.items()}
    plan = find_plan(bench, ladders, max_suppressed=max_suppressed, least=judge.least(ladders))
    if plan is None:
        why = f"no combination of the recodings tried leaves at most {max_suppressed:.0%} of the records below k"
        limits.append(untyped_limit(what="a plan that reaches the policy", why=why.replace("%", " %")))
    elif plan.steps:
        made.append(_plan_remedy(bench, judge, plan))
        if not plan.complete:
            why = "the search ended by what it may read, so a cheaper plan may exist"
            limits.append(untyped_limit(what="the plan among the remedies", why=why))
    alone = measure(bench, {}, suppress=True)
    if alone.n_records:
        made.append(_suppression(bench, judge, alone))
    return made, limits


def _plan_remedy(bench: Bench, judge: Judge, plan: Plan) -> Remedy:
    chosen = {step.column: step for step in plan.steps}
    steps = [
        {"technique": s.technique, "column": s.column, "parameters": dict(s.parameters), "after": m.wire()}
        for s, m in zip(plan.steps, plan.after, strict=True)
    ]
    last = f"then {_records(plan.n_suppressed)} in classes below {bench.k} left out"
    words = "; ".join(f"{s.column} → {s.words}" for s in plan.steps)
    tail = f"; {last}" if plan.n_suppressed else ""
    return Remedy(
        technique="plan",
        columns=tuple(chosen),
        parameters={"steps": steps, "suppress_below": bench.k, "n_suppressed": plan.n_suppressed},
        text=f"together: {words}{tail}: {_effect(bench.before, plan.final, bench.k)}",
        before=bench.before.wire(),
        after=plan.final.wire(),
        utility_cost=plan.final.cost,
        cost_measure=COST_MEASURE,
        resolves=judge.settled(tuple(chosen), Outcome(chosen, True, plan.final)),
    )


def _suppression(bench: Bench, judge: Judge, after: Measured) -> Remedy:
    gone = bench.coded.n_rows - after.n_records
    return Remedy(
        technique="suppress_records",
        columns=bench.names,
        parameters={"below": bench.k, "n_suppressed": gone},
        text=f"{_records(gone)} in classes below {bench.k} left out: {_effect(bench.before, after, bench.k)}",
        before=bench.before.wire(),
        after=after.wire(),
        utility_cost=after.cost,
        cost_measure=COST_MEASURE,
        resolves=judge.settled(bench.names, Outcome({}, True, after)),
    )


def _effect(before: Measured, after: Measured, k: int) -> str:
    return (
        f"smallest class {before.k_min:,} → {after.k_min:,}, "
        f"records sharing with fewer than {k}: {before.n_below_k:,} → {after.n_below_k:,}, "
        f"information kept {_kept(after.cost)}"
    )


def _kept(cost: float) -> str:
    """Say what is kept without rounding a loss away."""
    return "over 99 %" if 0 < cost < 0.01 else f"{100 * (1 - cost):.0f} %"


def _records(n: int) -> str:
    return f"{n:,} {'record' if n == 1 else 'records'}"


def _ranked(remedies: Sequence[Remedy], before: Measured) -> list[Remedy]:
    """Order by what is repaired and settled for the information lost; leave out what helps nobody."""

    def worth(remedy: Remedy) -> float:
        repaired = (before.n_below_k - remedy.after["n_below_k"]) / max(1, before.n_records)
        return float((repaired + 0.1 * len(remedy.resolves)) / (remedy.utility_cost + 0.01))

    useful = [r for r in remedies if r.resolves or r.after["n_below_k"] < WORTHWHILE * before.n_below_k]
    useful.sort(key=lambda r: (-worth(r), r.utility_cost, r.columns, r.text))
    kept: list[Remedy] = []
    for remedy in useful:
        alike = sum((r.columns, r.technique) == (remedy.columns, remedy.technique) for r in kept)
        if alike < PER_TECHNIQUE:
            kept.append(remedy)
    return kept
