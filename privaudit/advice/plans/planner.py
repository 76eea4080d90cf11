"""Plans: several remedies together, from which the gate passes or of which is known what they leave open.

Question: what is the shortest way to a pass, and is there one without dropping a column?
Method: columns in no class that fail the gate are dropped or replaced by pseudonyms; quasi-identifiers get the
recodings of least loss that meet k, l and t over all of them (`searches`). The remedied table is judged again.
Limits: the search covers the recodings of `advice.recodings.options`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from privaudit.advice.effect.remedied_evidence import Outcome
from privaudit.advice.lattices.recoding_search import Recodings, step_parameters
from privaudit.advice.plans.alternatives import Alternatives
from privaudit.advice.plans.check import Decision, in_order
from privaudit.advice.plans.facts import decide, excess, least, listed, measured_effect, searched, sentence, suppression
from privaudit.advice.plans.identifier_treatments import replacements
from privaudit.advice.plans.questions import asked
from privaudit.advice.plans.searches import Draft, Searches
from privaudit.advice.technique.pseudonymise import column_names
from privaudit.advice.technique.requirements import PLAN_PARAMETERS, requirements
from privaudit.base.parallel import threads_for_measures, together
from privaudit.base.records import dataclass
from privaudit.model import Alternative, ColumnReport, Remedy
from privaudit.model.wording import Name, Value, fact

OTHERS = ("local", "mondrian", "cells")
"""The methods other than one recoding of each column."""


@dataclass(frozen=True)
class Planner:
    """The plans for the columns of a table, found by `searches`."""

    searches: Searches
    columns: Sequence[ColumnReport]

    def plans(self) -> list[Remedy]:
        """Return the plan of least loss and, where it drops a column, a plan without dropped columns."""
        if not self.searches.open:
            return []
        first = self._draft(drops=True)
        is_enough = first is not None and not first.outcome.drops_a_column
        # The first plan is judged while the second is searched.
        decision, second = together(
            self._threads,
            lambda: None if first is None else self.searches.check.decide(first.outcome),
            lambda: None if is_enough else self._draft(drops=False),
        )
        made = []
        if first is not None:
            made.append(asked(self.searches, self._with_methods(self._remedy(first, decision), first), first))
        if second is not None and (first is None or self._parameters(second) != self._parameters(first)):
            made.append(self._with_methods(self._remedy(second, self.searches.check.decide(second.outcome)), second))
        return in_order([remedy for remedy in made if remedy.resolves], set(self.searches.choices))

    @property
    def _threads(self) -> int:
        everything = self.searches.check.everything
        n_rows = 0 if everything is None else everything.n_distinct
        return threads_for_measures(n_rows, self.searches.check.settings.threads)

    def _draft(self, *, drops: bool) -> Draft | None:
        searches = self.searches
        replaced = replacements(
            [column for column in self.columns if column.name not in searches.choices],
            searches.findings,
            searches.open,
            searches.reassessment,
            searches.check.settings,
            drops=drops,
        )
        found, attempt = searches.first(drops, replaced)
        if found is None and (not replaced or (not drops and searches.concerns_classes())):
            return None
        recodings = {} if found is None else {step.column: step for step in found.steps}
        left = [*replaced.values(), *(step.technique for step in recodings.values())]
        if left.count("drop") == len(self.columns):
            return None  # a table without columns is not a release
        generalised = {} if attempt is None else dict(attempt.generalised)
        protection = attempt.protection if found is not None and attempt is not None else None
        return Draft(Outcome({**recodings, **generalised}, replaced, protection), found, attempt, drops)

    def _remedy(self, draft: Draft, decision: Decision) -> Remedy:
        searches, check, trial = self.searches, self.searches.check, self.searches.check.trial
        outcome, found, attempt, drops = draft.outcome, draft.found, draft.attempt, draft.drops
        before = {} if trial is None else trial.before.wire()
        after = before if found is None else found.final.wire()
        allowed = searches.allowances()[0] if attempt is None else attempt.allowed
        n_records = check.evidence.dataset.n_rows if trial is None else int(after["n_records"])
        remaining = check.remaining(decision, n_records, allowed)
        parameters = self._parameters(draft)
        columns = tuple(dict.fromkeys((*outcome.replaced, *outcome.recodings)))
        values: dict[str, Value] = {"steps": listed(outcome, found)} if columns else {}
        if found is not None and attempt is not None and found.n_suppressed:
            values["suppression"] = fact("advice.then", what=suppression(found, attempt.protection))
        if found is not None:
            assert trial is not None, "a search has a table"
            values["effect"] = measured_effect(trial, found.final)
            values["search"] = searched(found)
        values["decision"] = decide(decision, remaining, drops=drops, is_measured=self._keeps_a_column(outcome))
        return Remedy(
            technique="plan",
            columns=columns,
            parameters=parameters,
            text=fact(f"advice.{sentence(columns, found)}", **values),
            before=before,
            after=after,
            utility_cost=0.0 if found is None else found.final.cost,
            cost_measure="" if searches.loss is None else searches.loss.title,
            resolves=check.resolved(searches.findings, decision),
            passes=decision.passes,
            remaining=remaining,
            search=None if found is None else found.search,
        )

    def _with_methods(self, remedy: Remedy, draft: Draft) -> Remedy:
        """Return a plan with what other methods reach, which were not tried, and why k is far above the policy."""
        found, attempt, trial = draft.found, draft.attempt, self.searches.check.trial
        if found is None or attempt is None or trial is None:
            return remedy
        if attempt.generalised or self.searches.joined is not None:
            without = tuple(fact("advice.not_tried_limits", method=Name(text=method)) for method in OTHERS)
            remedy = replace(remedy, not_tried=without)
        else:
            compared = self.searches.compared(trial, attempt, self.searches.levels(draft.drops))
            tried = _offered(compared, found, passes=bool(remedy.passes))
            apart, without = compared.under_wildcard(), compared.not_tried(tried)
            remedy = replace(remedy, alternatives=tried, under_wildcard=apart, not_tried=without)
        method, k_min, n_suppressed = least(remedy)
        why = excess(method, k_min, attempt.protection, trial.coded.n_rows - n_suppressed)
        return replace(remedy, method=method, excess=why)

    def _keeps_a_column(self, outcome: Outcome) -> bool:
        """Whether a quasi-identifier is left, or there was none."""
        return not self.searches.choices or bool(self._kept(outcome))

    def _kept(self, outcome: Outcome) -> list[str]:
        """Return the quasi-identifiers that are not dropped."""
        recoded = {name: outcome.recodings.get(name) for name in self.searches.choices}
        return [name for name, step in recoded.items() if step is None or step.technique != "drop"]

    def _parameters(self, draft: Draft) -> dict[str, Any]:
        outcome, found, attempt = draft.outcome, draft.found, draft.attempt
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
        for step, measured in zip(found.steps, found.after, strict=True) if found else ():
            ours.add(step.column)
            steps.append({**step_parameters(step), "after": measured.wire()})
        steps += [step_parameters(step) for name, step in outcome.recodings.items() if name not in ours]
        if found is None or attempt is None:
            return {"steps": steps}
        parameters: dict[str, Any] = {
            "steps": steps,
            "classes_over": self._kept(outcome),
            "suppress_below": attempt.protection.k,
            "n_suppressed": found.n_suppressed,
        }
        stated = requirements(attempt.protection, self.searches.check.settings.subject)
        parameters |= {PLAN_PARAMETERS[name]: value for name, value in stated.items() if name != "below"}
        return parameters


def _offered(compared: Alternatives, found: Recodings, *, passes: bool) -> tuple[Alternative, ...]:
    """Return what the methods reach; that of the plan drops what the plan drops."""
    dropped = any(step.technique == "drop" for step in found.steps)
    return tuple(
        replace(each, passes=passes, drops=each.drops or (dropped and each.method == "full-domain"))
        for each in compared.compared(found.steps)
    )
