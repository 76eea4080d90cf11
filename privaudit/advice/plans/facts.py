"""The facts that state what a plan does and what remains open after it."""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.advice.effect.remedied_evidence import Outcome
from privaudit.advice.effect.trial_table import Effect, TrialTable
from privaudit.advice.lattices.recoding_search import Recodings
from privaudit.advice.plans.check import Decision
from privaudit.advice.plans.identifier_treatments import description
from privaudit.advice.plans.ranking import best, choices
from privaudit.advice.technique.protection import Protection
from privaudit.model import OpenFinding, Remedy
from privaudit.model.wording import Columns, Count, Fact, Listing, Name, Share, Term, Threshold, Value, fact

FAR_ABOVE = 2
"""How many times k a smallest class is that the plan comments on (product default)."""


def sentence(columns: Sequence[str], found: Recodings | None) -> str:
    """Return the key of the sentence that introduces a plan."""
    if found is None:
        return "plan_treatments"
    return "plan" if columns else "plan_suppress_only"


def measured_effect(trial: TrialTable, after: Effect) -> Fact:
    """Return the measured effect of a step or a plan."""
    before = trial.before
    return fact(
        "advice.effect",
        k=Threshold(trial.k),
        k_before=Count(before.k_min, unit="record"),
        k_after=Count(after.k_min, unit="record"),
        below_before=Count(before.n_below_k, of=before.n_records, unit="record"),
        below_after=Count(after.n_below_k, of=after.n_records, unit="record"),
        kept=Share(1 - after.cost),
    )


def listed(outcome: Outcome, found: Recodings | None) -> Fact:
    """Return what is done to the columns, in the order of the plan; columns that are treated alike are one item."""
    steps = found.steps if found else ()
    ours = {step.column for step in steps}
    items = [description(column, technique) for column, technique in outcome.replaced.items()]
    items += [step.description for step in steps]
    items += [step.description for name, step in outcome.recodings.items() if name not in ours]
    return chain(_merged(items))


def _merged(items: Sequence[Fact]) -> list[Fact]:
    """Return the items with one for all columns that the same is done to."""
    alike: dict[str, list[Fact]] = {}
    for item in items:
        others = {key: value for key, value in item.values.items() if key != "column"}
        alike.setdefault(repr((item.code, others)), []).append(item)
    return [_of_columns(same) for same in alike.values()]


def _of_columns(items: Sequence[Fact]) -> Fact:
    stated = [item.values["column"] for item in items]
    names = tuple(name for columns in stated if isinstance(columns, Columns) for name in columns.names)
    return fact(items[0].code, **{**items[0].values, "column": Columns(names)})


def searched(found: Recodings) -> Fact:
    """Return whether the plan is optimal, and otherwise the bound of the loss of all others."""
    search = found.search
    states = Threshold(search.n_states)
    if search.chosen > 1:
        code = "advice.search_chosen"
        return fact(code, number=Threshold(search.chosen), points=Threshold(len(search.frontier)))
    if search.is_optimal:
        return fact("advice.search_optimal", states=states) if search.n_states > 1 else fact("advice.search_only")
    measured = Threshold(search.n_measured)
    if not search.bound:
        return fact("advice.search_unbounded", measured=measured, states=states)
    loss, bound = (Share(share) for share in (found.final.cost, search.bound))
    return fact("advice.search_bound", measured=measured, states=states, loss=loss, bound=bound)


def suppression(found: Recodings, required: Protection) -> Fact:
    """Return which records a plan suppresses."""
    values: dict[str, Value] = {"suppressed": Count(found.n_suppressed, unit="record"), "k": Threshold(required.k)}
    if required.k_map is not None:
        values["population"] = fact("advice.or_population", k_map=Threshold(required.k_map))
    if not required.attributes:
        return fact("advice.plan_suppression", **values)
    values["columns"] = Columns(tuple(attribute.name for attribute in required.attributes))
    if required.l_entropy is not None or required.recursive is not None:
        return fact("advice.plan_suppression_uneven", **values)
    if required.t is not None:
        return fact("advice.plan_suppression_close", distance=Threshold(required.t), **values)
    fewest = {min(required.l or 1, attribute.n_present) for attribute in required.attributes}
    least = Threshold(max(fewest))
    if len(fewest) > 1:
        values["fewer"] = fact("advice.column_of_fewer_values", least=least)
    return fact("advice.plan_suppression_diverse", least=least, **values)


def question(code: str, codes: Sequence[str], columns: Sequence[str]) -> Fact:
    """Return the question whether findings of some checks are accepted, without what that saves."""
    named = Listing(tuple(Name(each) for each in codes))
    return fact(code, codes=named, columns=Columns(tuple(columns)))


def least(remedy: Remedy) -> tuple[str, int, int]:
    """Return the method of least loss of a plan, its smallest class, and the records that it suppresses."""
    chosen = best(list(choices([remedy])))
    if chosen is None or chosen.alternative is None:
        return "full-domain", int(remedy.after["k_min"]), int(remedy.parameters.get("n_suppressed", 0))
    return chosen.alternative.method, chosen.alternative.k_min, chosen.alternative.n_suppressed


def excess(method: str, k: int, required: Protection, n_records: int) -> Fact | None:
    """Return why the smallest class of a plan is far above k; None where it is not."""
    if k < FAR_ABOVE * required.k:
        return None
    values: dict[str, Value] = {"k": Count(k, unit="record"), "limit": Threshold(required.k)}
    names = tuple(attribute.name for attribute in required.attributes)
    if not names:
        return fact("advice.excess_regions" if method == "mondrian" else "advice.excess_steps", **values)
    column, most = required.most_classes or ("", n_records)
    if n_records >= most * FAR_ABOVE * required.k:
        values |= {"column": Columns((column,)), "rare": Count(most, unit="record")}
        values |= {"most": Threshold(most), "mean": Count(n_records // most, unit="record")}
        return fact("advice.excess_bound", **values)
    code = "advice.excess_regions_sensitive" if method == "mondrian" else "advice.excess_sensitive"
    return fact(code, columns=Columns(names), **values)


def decide(decision: Decision, remaining: Sequence[OpenFinding], *, drops: bool, is_measured: bool) -> Fact:
    """Return whether the gate passes after a plan, or what is still open."""
    if decision.passes:
        code = "advice.plan_passes" if drops else "advice.plan_passes_without_drops"
        return fact(code, **_unmeasured(decision))
    if not remaining:
        return fact("advice.plan_incomplete" if is_measured else "advice.plan_without_quasi")
    reasons: dict[str, list[OpenFinding]] = {}
    for item in remaining:
        reasons.setdefault(repr(item.because), []).append(item)
    groups = [
        fact("advice.open_findings", items=chain(_named_once(items), ","), because=items[0].because)
        for items in reasons.values()
    ]
    return fact("advice.plan_leaves", items=chain(groups))


def _unmeasured(decision: Decision) -> dict[str, Value]:
    """Return the statement of what the plan was not judged by again; nothing where all was measured again."""
    if not decision.unmeasured:
        return {}
    items = Listing(tuple(Term(f"unmeasured.{name}") for name in decision.unmeasured))
    return {"unmeasured": fact("advice.unmeasured", items=items)}


def _named_once(items: Sequence[OpenFinding]) -> list[Fact]:
    """Return each check and column once, however many findings they have."""
    return list({repr(named): named for named in map(_named, items)}.values())


def _named(item: OpenFinding) -> Fact:
    """Return an open finding by its code and, where it is about one column, the column."""
    code, columns = Name(item.finding.code), Columns(item.finding.subject)
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
