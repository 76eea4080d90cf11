"""Plans: several remedies together, from which the gate passes or of which is known what they leave open.

Question: what is the shortest way to a pass, and is there one without dropping a column?
Method: columns in no class that fail the gate are dropped or replaced by pseudonyms; quasi-identifiers get the
recodings of least loss that meet k, l and t over all of them (`searches`). The remedied table is judged again.
Limits: the search covers the recodings of `advice.recodings.options`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from privaudit.advice.effect.remedied_evidence import Outcome
from privaudit.advice.lattices.recoding_search import Recodings, step_parameters
from privaudit.advice.plans.alternatives import Alternatives
from privaudit.advice.plans.check import Decision
from privaudit.advice.plans.facts import decide, excess, least, listed, measured_effect, searched, sentence, suppression
from privaudit.advice.plans.identifier_treatments import replacements
from privaudit.advice.plans.questions import asked
from privaudit.advice.plans.ranking import in_order
from privaudit.advice.plans.searches import Draft, Searches
from privaudit.advice.technique.pseudonymise import column_names
from privaudit.advice.technique.requirements import PLAN_PARAMETERS, requirements
from privaudit.base.parallel import threads_for_measures, together
from privaudit.base.records import dataclass
from privaudit.model import Alternative, ColumnReport, Remedy
from privaudit.model.wording import Term, Value, fact
from privaudit.settings.config import LEAST_LOSS

OTHERS = ("local", "mondrian", "cells")
"""The methods other than one recoding of each column."""


@dataclass(frozen=True, slots=True)
class Plans:
    """Plans in the order of the list.

    ``complete`` is None where every method was measured. Otherwise local recoding was omitted where it certainly does
    not come first; `complete` measures it and returns the plans again, for a run in which what comes first fails.
    """

    remedies: Sequence[Remedy]
    complete: Callable[[], Sequence[Remedy]] | None = None


@dataclass(frozen=True, slots=True)
class _Planned:
    """A plan before other methods are tried; `compared` is None where they are not."""

    remedy: Remedy
    draft: Draft
    compared: Alternatives | None = None


@dataclass(frozen=True)
class Planner:
    """The plans for the columns of a table, found by `searches`."""

    searches: Searches

    @property
    def columns(self) -> Sequence[ColumnReport]:
        """The columns of the table."""
        return self.searches.check.case.evidence.columns

    def plans(self) -> Plans:
        """Return the plan of least loss and, where it drops a column, a plan without dropped columns."""
        if not self.searches.open:
            return Plans(())
        first = self._draft(drops=True)
        is_enough = first is not None and not first.outcome.drops_a_column
        # The first plan is judged while the second is searched.
        decision, second = together(
            self._threads,
            lambda: None if first is None else self.searches.check.decide(first.outcome),
            lambda: None if is_enough else self._draft(drops=False),
        )
        made = [] if first is None else [(self._remedy(first, decision), first)]
        if second is not None and (first is None or self._parameters(second) != self._parameters(first)):
            made.append((self._remedy(second, self.searches.check.decide(second.outcome)), second))
        found = [self._compare_methods(remedy, draft) for remedy, draft in made if remedy.resolves]
        most = self._most(found)
        remedies = self._with_all_methods(found, most)
        if most == inf:
            return Plans(remedies)
        self.searches.free_tables()
        return Plans(remedies, lambda: self._with_all_methods(found))

    def _compare_methods(self, remedy: Remedy, draft: Draft) -> _Planned:
        """Return a plan with what compares its methods; nothing does where others are not tried."""
        solution = draft.solution
        if solution is None or solution.attempt.generalised or self.searches.joined is not None:
            return _Planned(remedy, draft)
        return _Planned(remedy, draft, self.searches.compared(solution.attempt))

    def _most(self, found: Sequence[_Planned]) -> float:
        """Return the loss above which local recoding cannot come first (`least_loss.best`); infinity where all is read.

        A method that passes, drops no column and loses less comes before it.
        """
        settings = self.searches.check.case.settings
        if self.searches.is_described or settings.method != LEAST_LOSS or (settings.choose or 1) > 1:
            return inf
        passing = (each.compared for each in found if each.remedy.passes and each.compared is not None)
        return min((compared.least_whole for compared in passing), default=inf)

    def _with_all_methods(self, found: Sequence[_Planned], most: float = inf) -> list[Remedy]:
        """Return the plans with the methods that lose at most `most` for certain, in the order of the list."""
        made = [self._with_methods(each, most) for each in found]
        if made and found[0].draft.drops and self.searches.is_described:
            made[0] = asked(self.searches, made[0], found[0].draft)
        return in_order(made, set(self.searches.choices))

    @property
    def _threads(self) -> int:
        everything = self.searches.check.everything
        n_rows = 0 if everything is None else everything.n_distinct
        return threads_for_measures(n_rows, self.searches.check.case.settings.threads)

    def _draft(self, *, drops: bool) -> Draft | None:
        searches = self.searches
        replaced = replacements(
            [column for column in self.columns if column.name not in searches.choices],
            searches.reassessment,
            drops=drops,
        )
        solution = searches.first(drops, replaced)
        if solution is None and (not replaced or (not drops and searches.concerns_classes())):
            return None
        outcome = Outcome(replaced=replaced) if solution is None else solution.outcome(replaced)
        techniques = (*outcome.replaced.values(), *(step.technique for step in outcome.recodings.values()))
        if techniques.count("drop") == len(self.columns):
            return None  # a table without columns is not a release
        return Draft(outcome, solution, drops)

    def _remedy(self, draft: Draft, decision: Decision) -> Remedy:
        searches, check, trial = self.searches, self.searches.check, self.searches.check.trial
        outcome, solution = draft.outcome, draft.solution
        found = None if solution is None else solution.found
        before = {} if trial is None else trial.before.wire()
        after = before if found is None else found.final.wire()
        allowed = searches.allowances()[0] if solution is None else solution.attempt.allowed
        n_records = check.case.evidence.dataset.n_rows if trial is None else int(after["n_records"])
        remaining = check.remaining(decision, n_records, allowed)
        resolved, reported = check.resolved(check.case.open, decision), {f.fingerprint for f in decision.findings}
        parameters = self._parameters(draft)
        columns = tuple(dict.fromkeys((*outcome.replaced, *outcome.recodings)))
        values: dict[str, Value] = {"steps": listed(outcome, found)} if columns else {}
        if solution is not None:
            if solution.found.n_suppressed:
                what = suppression(solution.found, solution.attempt.protection)
                values["suppression"] = fact("advice.then", what=what)
            values["effect"] = measured_effect(solution.attempt.trial, solution.found.final)
            values["search"] = searched(solution.found)
        is_measured = self._keeps_a_column(outcome)
        values["decision"] = decide(decision, remaining, drops=draft.drops, is_measured=is_measured)
        return Remedy(
            technique="plan",
            columns=columns,
            parameters=parameters,
            text=fact(f"advice.{sentence(columns, found)}", **values),
            before=before,
            after=after,
            utility_cost=0.0 if found is None else found.final.cost,
            cost_measure="" if searches.loss is None else searches.loss.title,
            resolves=resolved,
            passes=decision.passes,
            remaining=remaining,
            stays=tuple(finding for finding in resolved if finding.fingerprint in reported),
            search=None if found is None else found.search,
        )

    def _with_methods(self, planned: _Planned, most: float) -> Remedy:
        """Return a plan with what other methods reach, which were not tried, and why k is far above the policy."""
        remedy, solution = planned.remedy, planned.draft.solution
        if solution is None:
            return remedy
        found, attempt = solution.found, solution.attempt
        if planned.compared is None:
            without = tuple(fact("advice.not_tried_limits", method=Term(f"method.{method}")) for method in OTHERS)
            remedy = replace(remedy, not_tried=without)
        else:
            tried = _offered(planned.compared, found, most, passes=bool(remedy.passes))
            remedy = replace(remedy, alternatives=tried)
            if self.searches.is_described:
                apart, without = planned.compared.under_wildcard(), planned.compared.not_tried(tried)
                remedy = replace(remedy, under_wildcard=apart, not_tried=without)
        method, k_min, n_suppressed = least(remedy)
        why = excess(method, k_min, attempt.protection, attempt.trial.coded.n_rows - n_suppressed)
        return replace(remedy, method=method, excess=why)

    def _keeps_a_column(self, outcome: Outcome) -> bool:
        """Whether a quasi-identifier is left, or there was none."""
        return not self.searches.choices or bool(self._kept(outcome))

    def _kept(self, outcome: Outcome) -> list[str]:
        """Return the quasi-identifiers that are not dropped."""
        recoded = {name: outcome.recodings.get(name) for name in self.searches.choices}
        return [name for name, step in recoded.items() if step is None or step.technique != "drop"]

    def _parameters(self, draft: Draft) -> dict[str, Any]:
        outcome, solution = draft.outcome, draft.solution
        tokens = [name for name, technique in outcome.replaced.items() if technique == "pseudonymise"]
        renamed = column_names(tokens, [column.name for column in self.columns])
        steps: list[dict[str, Any]] = [
            {
                "technique": technique,
                "column": column,
                "parameters": {"key": "secret", "renamed": renamed[column]} if column in renamed else {},
            }
            for column, technique in outcome.replaced.items()
        ]
        ours = set()
        for step, measured in zip(solution.found.steps, solution.found.after, strict=True) if solution else ():
            ours.add(step.column)
            steps.append({**step_parameters(step), "after": measured.wire()})
        steps += [step_parameters(step) for name, step in outcome.recodings.items() if name not in ours]
        if solution is None:
            return {"steps": steps}
        protection = solution.attempt.protection
        parameters: dict[str, Any] = {
            "steps": steps,
            "classes_over": self._kept(outcome),
            "suppress_below": protection.k,
            "n_suppressed": solution.found.n_suppressed,
        }
        stated = requirements(protection, self.searches.check.case.settings.subject)
        parameters |= {PLAN_PARAMETERS[name]: value for name, value in stated.items() if name != "below"}
        return parameters


def _offered(compared: Alternatives, found: Recodings, most: float, *, passes: bool) -> tuple[Alternative, ...]:
    """Return what the methods reach; that of the plan drops what the plan drops."""
    dropped = any(step.technique == "drop" for step in found.steps)
    return tuple(
        replace(each, passes=passes, drops=each.drops or (dropped and each.method == "full-domain"))
        for each in compared.compared(found.steps, most)
    )
