"""Plans: several remedies together, from which the gate passes or of which is known what they leave open.

Question: what is the shortest way to a pass, and is there one without dropping a column?
Method: columns in no class that fail the gate are dropped or replaced by pseudonyms; quasi-identifiers get recodings
that resolve the findings about their content; the search then meets k, l and t over all of them at the lowest loss. The
remedied table is judged again. Where no plan meets all that the policy requires, the suppression limit is raised first;
then diversity stays open.
Limits: the search covers the recodings of `advice.recodings.options`. Sensitive attributes are generalised
only where the policy limits t: merging their values never raises l.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from math import inf
from typing import Any, NamedTuple

from privaudit.advice.effect.information_loss import InformationLoss
from privaudit.advice.effect.remedied_evidence import Outcome
from privaudit.advice.effect.resolved_findings import Reassessment
from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.lattices.freed_steps import most_saved
from privaudit.advice.lattices.lattice import Lattice
from privaudit.advice.lattices.lattice_search import Search
from privaudit.advice.lattices.loss_proof import all_lose
from privaudit.advice.lattices.recoding_search import Recodings, find_recodings, find_steps, step_parameters
from privaudit.advice.plans.alternatives import ASKED, SCANNED, Alternatives
from privaudit.advice.plans.check import Decision, PlanCheck, failing
from privaudit.advice.plans.facts import (
    decide,
    excess,
    least,
    listed,
    measured_effect,
    question,
    searched,
    sentence,
    suppression,
)
from privaudit.advice.plans.identifier_treatments import replacements
from privaudit.advice.plans.least_loss import in_order
from privaudit.advice.recodings.options import ColumnOptions
from privaudit.advice.technique import Recoding
from privaudit.advice.technique.protection import Protection, attributes
from privaudit.advice.technique.pseudonymise import column_names
from privaudit.advice.technique.requirements import PLAN_PARAMETERS, requirements
from privaudit.base.parallel import threads_for_measures, together
from privaudit.base.records import dataclass
from privaudit.model import Alternative, ColumnReport, Finding, Remedy
from privaudit.model.vocabulary.families import family
from privaudit.model.wording import Fact, Name, Share, Value, fact
from privaudit.risk.population.population_rows import JoinedRows

SAVES = 2.0
"""How many times less a plan must lose without a requirement for the plan to ask whether it is needed."""
MOST_QUESTIONS = 3
"""Checks of the content of columns of which it is measured what the plan loses without them (product default)."""
MOST_PROVED, MOST_PROVED_ROWS = 1_000, 20_000_000
"""States that are measured to prove that a question is not worth a search, and rows that are read."""
OTHERS = ("local", "mondrian", "cells")
"""The methods other than one recoding of each column."""
MORE_SUPPRESSED = 0.2
"""Share of the records that may be suppressed where no plan suppresses fewer."""
DIVERSITY = {"SEN001": "l", "SEN002": "t", "SEN005": "l_entropy", "SEN006": "recursive"}
"""The checks of sensitive attributes that classes can meet, and what a protection calls it."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One search: what is required of the classes, and how the sensitive attributes are generalised."""

    protection: Protection
    allowed: float
    generalised: Mapping[str, Recoding]
    keeps_a_column: bool = True


class _Without(NamedTuple):
    """A search without one requirement: the question that it answers, and what each of its states loses at least."""

    asks: Fact
    attempt: _Attempt
    levels: Mapping[str, Sequence[int]]
    at_least: float = 0.0


@dataclass(frozen=True, slots=True)
class _Draft:
    """A plan before it is judged; `found` and `attempt` are None where no quasi-identifier is recoded."""

    outcome: Outcome
    found: Recodings | None
    attempt: _Attempt | None
    drops: bool


@dataclass(frozen=True)
class Planner:
    """What plans are made from.

    Attributes
    ----------
    check : PlanCheck
    columns : sequence of ColumnReport
    findings : sequence of Finding
        Those that are open.
    choices : mapping of column to ColumnOptions
        Recodings of the quasi-identifiers.
    sensitive_choices : mapping of column to ColumnOptions
        Recodings of the sensitive attributes.
    reassessment : Reassessment
    loss : InformationLoss or None
        None without quasi-identifiers.
    max_suppressed : float
    joined : JoinedRows or None
        The rows of the table and of its population, where the policy limits k-map.
    measured : Lattice or None
        States that require classes of at least k records and nothing else; plans do not measure them again.
    """

    check: PlanCheck
    columns: Sequence[ColumnReport]
    findings: Sequence[Finding]
    choices: Mapping[str, ColumnOptions]
    sensitive_choices: Mapping[str, ColumnOptions]
    reassessment: Reassessment
    loss: InformationLoss | None
    max_suppressed: float
    joined: JoinedRows | None = None
    measured: Lattice | None = None
    _protections: dict[tuple[object, ...], Protection] = field(default_factory=dict)
    _lattices: dict[Protection, Lattice] = field(default_factory=dict)
    _others: dict[tuple[object, ...], tuple[Alternative, ...]] = field(default_factory=dict)

    @property
    def open(self) -> tuple[Finding, ...]:
        """The findings that fail the gate."""
        return failing(self.findings, self.check.policy, self.check.settings)

    def plans(self) -> list[Remedy]:
        """Return the plan of least loss and, where it drops a column, a plan without dropped columns."""
        if not self.open:
            return []
        first = self._draft(drops=True)
        is_enough = first is not None and not first.outcome.drops_a_column
        # The first plan is judged while the second is searched.
        decision, second = together(
            self._threads,
            lambda: None if first is None else self.check.decide(first.outcome),
            lambda: None if is_enough else self._draft(drops=False),
        )
        made = []
        if first is not None:
            made.append(self._asked(self._with_methods(self._remedy(first, decision), first), first))
        if second is not None and (first is None or self._parameters(second) != self._parameters(first)):
            made.append(self._with_methods(self._remedy(second, self.check.decide(second.outcome)), second))
        return in_order([remedy for remedy in made if remedy.resolves], set(self.choices))

    @property
    def _threads(self) -> int:
        everything = self.check.everything
        n_rows = 0 if everything is None else everything.n_distinct
        return threads_for_measures(n_rows, self.check.settings.threads)

    def _draft(self, *, drops: bool) -> _Draft | None:
        replaced = replacements(
            [column for column in self.columns if column.name not in self.choices],
            self.findings,
            self.open,
            self.reassessment,
            self.check.settings,
            drops=drops,
        )
        found, attempt = self._search(drops, replaced)
        if found is None and (not replaced or (not drops and self._concerns_classes())):
            return None
        recodings = {} if found is None else {step.column: step for step in found.steps}
        left = [*replaced.values(), *(step.technique for step in recodings.values())]
        if left.count("drop") == len(self.columns):
            return None  # a table without columns is not a release
        generalised = {} if attempt is None else dict(attempt.generalised)
        protection = attempt.protection if found is not None and attempt is not None else None
        return _Draft(Outcome({**recodings, **generalised}, replaced, protection), found, attempt, drops)

    # Quasi-identifiers

    def _search(self, drops: bool, replaced: Mapping[str, str]) -> tuple[Recodings | None, _Attempt | None]:
        """Return the first plan that the attempts find, and the attempt."""
        trial = self.check.trial
        if trial is None or self.loss is None or not self._concerns_classes():
            return None, None
        levels = {name: self._levels(name, drops) for name in self.choices}
        for attempt in self._attempts(trial, replaced):
            found = self._plan_for(trial, attempt, levels)
            if found is not None:
                return found, attempt
        return None, None

    def _plan_for(self, trial: TrialTable, attempt: _Attempt, levels: Mapping[str, Sequence[int]]) -> Recodings | None:
        return find_recodings(
            self._lattice(trial, attempt.protection),
            max_suppressed=attempt.allowed,
            levels=levels,
            keeps_a_column=attempt.keeps_a_column,
            budget=self.check.settings.budget,
            choose=self.check.settings.choose,
        )

    def _lattice(self, trial: TrialTable, protection: Protection) -> Lattice:
        """Return the lattice of a protection: both plans search it, and the second measures only what is new."""
        known = self.measured
        if known is not None and known.trial is trial and protection.is_k_alone:
            return known
        if protection not in self._lattices:
            self._lattices[protection] = self._new_lattice(trial, protection)
        return self._lattices[protection]

    def _new_lattice(self, trial: TrialTable, protection: Protection) -> Lattice:
        ladders = {name: found.ladder for name, found in self.choices.items()}
        return Lattice(trial, ladders, self.loss, protection, self.check.settings.threads, other=self.measured)

    def _concerns_classes(self) -> bool:
        """Whether a finding that fails the gate is about classes, other than an attack, or about a quasi-identifier."""
        direct = {f.fingerprint for name in self.choices for f in self.reassessment.column_findings.about(name)}
        return any(
            f.fingerprint in direct or (family(f.measure).larger_classes and not family(f.measure).attack)
            for f in self.open
        )

    def _levels(self, name: str, drops: bool, *, accepted: str | None = None) -> tuple[int, ...]:
        """Return the steps of a ladder that may be used: those that resolve most findings about the column.

        Findings of the check `accepted` need not be resolved.
        """
        ladder = self.choices[name].ladder
        may_drop = drops and name not in self.check.settings.keep
        usable = [i for i, step in enumerate(ladder) if may_drop or step.technique != "drop"]
        failing_now = {f.fingerprint for f in self.open if f.code != accepted}
        about = {f.fingerprint for f in self.reassessment.column_findings.about(name)} & failing_now
        if not about:
            return tuple(usable)

        def resolves(i: int) -> int:
            step = ladder[i]
            found = self.reassessment.column_findings.resolved(name, step.technique, step)
            return len({f.fingerprint for f in found} & about)

        most = max(map(resolves, usable))
        return tuple(i for i in usable if resolves(i) == most)

    def _attempts(self, trial: TrialTable, replaced: Mapping[str, str]) -> Iterator[_Attempt]:
        """Yield what is tried: all that the policy requires first, then less; last without k-map."""
        everything = self.check.everything
        wanted = {DIVERSITY[f.code] for f in self.open if f.code in DIVERSITY}
        names = list(dict.fromkeys(f.subject[0] for f in self.open if f.code in DIVERSITY and f.subject))
        names = [n for n in names if everything is not None and n in everything.names and n not in replaced]
        limits = self._limits(wanted)
        allowances = self._allowances()
        if names:
            for generalised in self._generalised(names if "t" in limits else []):
                protection = self._protection(trial, names, generalised, limits)
                for allowed in allowances:
                    yield _Attempt(protection, allowed, generalised)
        plain = self._protection(trial, (), {}, {})
        for allowed in allowances:
            yield _Attempt(plain, allowed, {})
        yield _Attempt(plain, allowances[0], {}, keeps_a_column=False)
        if plain.k_map is not None:
            without = self._protection(trial, (), {}, {"k_map": None})
            for allowed in allowances:
                yield _Attempt(without, allowed, {})

    def _limits(self, wanted: Collection[str]) -> dict[str, Any]:
        """Return what the policy requires of sensitive attributes and the table does not meet."""
        policy = self.check.policy
        recursive = None
        if policy.c_recursive is not None and policy.l_recursive is not None:
            recursive = (policy.c_recursive, policy.l_recursive)
        limits = {"l": policy.l, "t": policy.t, "l_entropy": policy.l_entropy, "recursive": recursive}
        return {name: limit for name, limit in limits.items() if name in wanted and limit is not None}

    def _allowances(self) -> tuple[float, ...]:
        """Return the shares of records that may be suppressed, in the order in which they are tried."""
        stated = self.check.policy.suppression
        return (self.max_suppressed, MORE_SUPPRESSED) if stated is None else (stated,)

    def _protection(
        self, trial: TrialTable, names: Sequence[str], generalised: Mapping[str, Recoding], limits: Mapping[str, Any]
    ) -> Protection:
        """Return what is required of the classes, the same object where the same is required."""
        key = (*names, *limits.items(), *((name, repr(step.key)) for name, step in generalised.items()))
        if key not in self._protections:
            lookups = {name: step.lookup for name, step in generalised.items()}
            made = attributes(trial.names, self.check.everything, names, lookups, trial.row_of)
            among = {} if self.joined is None else self.joined.required(self.check.policy.k_map)
            required = {"people": trial.coded.people, **among, **limits}
            self._protections[key] = Protection(self.check.policy.k, made, **required)
        return self._protections[key]

    def _generalised(self, names: Sequence[str]) -> Iterator[dict[str, Recoding]]:
        """Yield recodings of sensitive attributes, from unchanged to the coarsest; never dropped."""
        ladders = {
            name: [step for step in self.sensitive_choices[name].ladder[1:] if step.technique != "drop"]
            for name in names
            if name in self.sensitive_choices
        }
        yield {}
        for i in range(max(map(len, ladders.values()), default=0)):
            yield {name: steps[min(i, len(steps) - 1)] for name, steps in ladders.items() if steps}

    # The remedy

    def _remedy(self, draft: _Draft, decision: Decision) -> Remedy:
        check, trial = self.check, self.check.trial
        outcome, found, attempt, drops = draft.outcome, draft.found, draft.attempt, draft.drops
        before = {} if trial is None else trial.before.wire()
        after = before if found is None else found.final.wire()
        allowed = self._allowances()[0] if attempt is None else attempt.allowed
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
            cost_measure="" if self.loss is None else self.loss.title,
            resolves=check.resolved(self.findings, decision),
            passes=decision.passes,
            remaining=remaining,
            search=None if found is None else found.search,
        )

    # Other methods, and questions

    def _with_methods(self, remedy: Remedy, draft: _Draft) -> Remedy:
        """Return a plan with what other methods reach, which were not tried, and why k is far above the policy."""
        found, attempt, trial = draft.found, draft.attempt, self.check.trial
        if found is None or attempt is None or trial is None:
            return remedy
        if attempt.generalised or self.joined is not None:
            without = tuple(fact("advice.not_tried_limits", method=Name(text=method)) for method in OTHERS)
            remedy = replace(remedy, not_tried=without)
        else:
            compared = self._compared(trial, attempt, {name: self._levels(name, draft.drops) for name in self.choices})
            tried = _offered(compared, found, passes=bool(remedy.passes))
            apart, without = compared.under_wildcard(), compared.not_tried(tried)
            remedy = replace(remedy, alternatives=tried, under_wildcard=apart, not_tried=without)
        method, k_min, n_suppressed = least(remedy)
        why = excess(method, k_min, attempt.protection, trial.coded.n_rows - n_suppressed)
        return replace(remedy, method=method, excess=why)

    def _asked(self, remedy: Remedy, draft: _Draft) -> Remedy:
        """Return a plan with the question whether the requirement that costs most is worth it."""
        attempt, trial = draft.attempt, self.check.trial
        if not remedy.alternatives or attempt is None or trial is None:
            return remedy
        now = min(each.loss for each in remedy.alternatives)
        most = now / SAVES
        asked: list[tuple[float, Fact]] = []
        for asks, tried, levels, at_least in self._without_one(trial, attempt, draft):
            compared = self._compared(trial, tried, levels)
            limit = compared.ruling_out_loss(most)
            if compared.others_exceed(most) and (at_least >= limit or self._all_lose(trial, tried, levels, limit)):
                continue
            found = find_steps(
                self._lattice(trial, tried.protection),
                max_suppressed=tried.allowed,
                levels=levels,
                keeps_a_column=tried.keeps_a_column,
                budget=self.check.settings.budget,
            )
            then = inf if found is None else compared.least(found, most)
            if then * SAVES <= now:
                stated = fact(asks.code, **asks.values, loss=Share(value=now), without=Share(value=then))
                asked.append((then, stated))
        return replace(remedy, question=min(asked, key=lambda one: one[0])[1]) if asked else remedy

    def _without_one(self, trial: TrialTable, attempt: _Attempt, draft: _Draft) -> Iterator[_Without]:
        """Yield searches without one requirement that a person may accept."""
        required = {name: self._levels(name, draft.drops) for name in self.choices}
        if attempt.protection.attributes:
            failed = sorted({finding.code for finding in self.open if finding.code in DIVERSITY})
            names = tuple(attribute.name for attribute in attempt.protection.attributes)
            plain = replace(attempt, protection=self._protection(trial, (), {}, {}), generalised={})
            yield _Without(question("advice.question_diversity", failed, names), plain, required)
        for code in self._content_codes()[:MOST_QUESTIONS]:
            freed = {name: self._levels(name, draft.drops, accepted=code) for name in self.choices}
            names = tuple(name for name in freed if freed[name] != required[name])
            if names:
                stated = question("advice.question_content", [code], names)
                yield _Without(stated, attempt, freed, self._at_least(trial, draft, required, freed))

    def _at_least(
        self,
        trial: TrialTable,
        draft: _Draft,
        required: Mapping[str, Sequence[int]],
        freed: Mapping[str, Sequence[int]],
    ) -> float:
        """Return what a plan with further steps loses at least, by the measure that compares the methods."""
        found, attempt, loss = draft.found, draft.attempt, self.loss
        if found is None or attempt is None or loss is None or loss.measure != "loss":
            return 0.0
        lattice = self._lattice(trial, attempt.protection)
        before, after = ([levels[name] for name in trial.names] for levels in (required, freed))
        return found.search.bound - most_saved(lattice, before, after)

    def _all_lose(
        self, trial: TrialTable, attempt: _Attempt, levels: Mapping[str, Sequence[int]], least: float
    ) -> bool:
        """Whether every recoding that meets what an attempt requires certainly loses `least` or more."""
        if self.loss is None or self.loss.measure != "loss" or least > 1:
            return False
        # In a lattice of its own: tables that it caches would change what a later search reads until its limit.
        lattice = self._new_lattice(trial, attempt.protection)
        search = Search(
            lattice,
            max_suppressed=attempt.allowed,
            levels=[levels[name] for name in trial.names],
            keeps_a_column=attempt.keeps_a_column,
            most_measured=MOST_PROVED,
            most_rows=MOST_PROVED_ROWS,
        )
        return all_lose(search, least)

    def _content_codes(self) -> list[str]:
        """Return the checks whose findings about the content of quasi-identifiers fail the gate."""
        failing_now = {f.fingerprint: f.code for f in self.open}
        about = (f for name in self.choices for f in self.reassessment.column_findings.about(name))
        return sorted({failing_now[f.fingerprint] for f in about if f.fingerprint in failing_now})

    def _compared(self, trial: TrialTable, attempt: _Attempt, levels: Mapping[str, Sequence[int]]) -> Alternatives:
        """Return what compares the methods, by what an attempt requires."""
        settings = self.check.settings
        return Alternatives(
            self._lattice(trial, attempt.protection),
            levels,
            attempt.allowed,
            requirements(attempt.protection, settings.subject),
            settings.importance,
            work=SCANNED if settings.choose is None else ASKED,
            missing=settings.missing,
            known=self._others,
        )

    def _keeps_a_column(self, outcome: Outcome) -> bool:
        """Whether a quasi-identifier is left, or there was none."""
        recoded = (outcome.recodings.get(name) for name in self.choices)
        return not self.choices or any(step is None or step.technique != "drop" for step in recoded)

    def _parameters(self, draft: _Draft) -> dict[str, Any]:
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
            "classes_over": [
                n for n in self.choices if n not in outcome.recodings or outcome.recodings[n].technique != "drop"
            ],
            "suppress_below": attempt.protection.k,
            "n_suppressed": found.n_suppressed,
        }
        stated = requirements(attempt.protection, self.check.settings.subject)
        parameters |= {PLAN_PARAMETERS[name]: value for name, value in stated.items() if name != "below"}
        return parameters


def _offered(compared: Alternatives, found: Recodings, *, passes: bool) -> tuple[Alternative, ...]:
    """Return what the methods reach; that of the plan drops what the plan drops."""
    dropped = any(step.technique == "drop" for step in found.steps)
    return tuple(
        replace(each, passes=passes, drops=each.drops or (dropped and each.method == "full-domain"))
        for each in compared.compared(found.steps)
    )
