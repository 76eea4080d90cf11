"""What plans search for: which requirements are tried, in which order, and by which steps of each column.

Question: which recodings meet all that the policy requires, and where none do, what is given up first?
Method: columns use the steps that resolve the findings about their content. Everything is required first; then more
records may be suppressed, then diversity stays open, then k-map. Attempts with the same requirement share a lattice.
Limits: sensitive attributes are generalised only where the policy limits t: merging their values never raises l.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Any

from privaudit.advice.effect.information_loss import InformationLoss
from privaudit.advice.effect.remedied_evidence import Outcome
from privaudit.advice.effect.resolved_findings import Reassessment
from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.lattices.lattice import Lattice
from privaudit.advice.lattices.lattice_search import Search
from privaudit.advice.lattices.recoding_search import Recodings, find_recodings
from privaudit.advice.plans.alternatives import ASKED, SCANNED, Alternatives
from privaudit.advice.plans.check import PlanCheck
from privaudit.advice.recodings.options import ColumnOptions
from privaudit.advice.technique import Recoding
from privaudit.advice.technique.protection import Protection, attributes
from privaudit.advice.technique.requirements import requirements
from privaudit.base.records import dataclass
from privaudit.model import Alternative, Finding
from privaudit.model.vocabulary.families import family
from privaudit.risk.population.population_rows import JoinedRows

MORE_SUPPRESSED = 0.2
"""Share of the records that may be suppressed where no plan suppresses fewer."""
DIVERSITY = {"SEN001": "l", "SEN002": "t", "SEN005": "l_entropy", "SEN006": "recursive"}
"""The checks of sensitive attributes that classes can meet, and what a protection calls it."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One search: on which table and by which steps, what is required, how sensitive attributes are generalised.

    ``levels`` are the steps of the ladder of each column that may be used.
    """

    trial: TrialTable
    levels: Mapping[str, Sequence[int]]
    protection: Protection
    allowed: float
    generalised: Mapping[str, Recoding] = field(default_factory=dict)
    keeps_a_column: bool = True

    @property
    def usable(self) -> list[Sequence[int]]:
        """The steps that may be used, in the order of the columns."""
        return [self.levels[name] for name in self.trial.names]


@dataclass(frozen=True, slots=True)
class Solution:
    """The recodings that an attempt found."""

    found: Recodings
    attempt: Attempt

    def outcome(self, replaced: Mapping[str, str]) -> Outcome:
        """Return what the recodings do, with other columns `replaced`."""
        steps = {step.column: step for step in self.found.steps}
        return Outcome({**steps, **self.attempt.generalised}, replaced, self.attempt.protection)


@dataclass(frozen=True, slots=True)
class Draft:
    """A plan before it is judged; `solution` is None where no quasi-identifier is recoded."""

    outcome: Outcome
    solution: Solution | None
    drops: bool


@dataclass(frozen=True)
class Searches:
    """What the plans of a table search, and what was measured on the way.

    Attributes
    ----------
    check : PlanCheck
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
    is_described : bool
        Whether somebody reads what else was searched: other points of the risk-utility picture, the question about a
        requirement, and methods that are not offered.
    """

    check: PlanCheck
    choices: Mapping[str, ColumnOptions]
    sensitive_choices: Mapping[str, ColumnOptions]
    reassessment: Reassessment
    loss: InformationLoss | None
    max_suppressed: float
    joined: JoinedRows | None = None
    measured: Lattice | None = None
    is_described: bool = True
    _protections: dict[tuple[object, ...], Protection] = field(default_factory=dict)
    _lattices: dict[Protection, Lattice] = field(default_factory=dict)
    _others: dict[tuple[object, ...], tuple[Alternative, ...]] = field(default_factory=dict)

    @property
    def open(self) -> tuple[Finding, ...]:
        """The findings that fail the gate."""
        return self.check.case.failing(self.check.case.open)

    def first(self, drops: bool, replaced: Mapping[str, str]) -> Solution | None:
        """Return what the first attempt finds that finds anything."""
        trial = self.check.trial
        if trial is None or not self.concerns_classes():
            return None
        for attempt in self._attempts(trial, self.levels(drops), replaced):
            search, choose = self.search(attempt), self.check.case.settings.choose
            found = find_recodings(search, choose=choose, is_described=self.is_described)
            if found is not None:
                return Solution(found, attempt)
        return None

    def search(self, attempt: Attempt) -> Search:
        """Return the search of an attempt."""
        return Search(
            self.lattice(attempt),
            max_suppressed=attempt.allowed,
            levels=attempt.usable,
            keeps_a_column=attempt.keeps_a_column,
            budget=self.check.case.settings.budget,
        )

    def lattice(self, attempt: Attempt) -> Lattice:
        """Return the lattice of what is required: both plans search it, and the second measures only what is new."""
        known, protection = self.measured, attempt.protection
        if known is not None and known.trial is attempt.trial and protection.is_k_alone:
            return known
        if protection not in self._lattices:
            self._lattices[protection] = self.new_lattice(attempt)
        return self._lattices[protection]

    def new_lattice(self, attempt: Attempt) -> Lattice:
        """Return a lattice of which nothing but the states of k alone is measured."""
        ladders = {name: found.ladder for name, found in self.choices.items()}
        threads = self.check.case.settings.threads
        return Lattice(attempt.trial, ladders, self.loss, attempt.protection, threads, other=self.measured)

    def free_tables(self) -> None:
        """Free the classes of all states that were measured; those that are asked for later are made again."""
        for lattice in (*self._lattices.values(), *(() if self.measured is None else (self.measured,))):
            lattice.free_tables()

    def concerns_classes(self) -> bool:
        """Whether a finding that fails the gate is about classes, other than an attack, or about a quasi-identifier."""
        direct = {f.fingerprint for name in self.choices for f in self.reassessment.column_findings.about(name)}
        return any(
            f.fingerprint in direct or (family(f.measure).larger_classes and not family(f.measure).attack)
            for f in self.open
        )

    def content_codes(self) -> list[str]:
        """Return the checks whose findings about the content of quasi-identifiers fail the gate in any classes."""
        failing_now = {f.fingerprint: f.code for f in self.open}
        about = (f for name in self.choices for f in self.reassessment.column_findings.beyond_classes(name))
        return sorted({failing_now[f.fingerprint] for f in about if f.fingerprint in failing_now})

    def levels(self, drops: bool, *, accepted: str | None = None) -> dict[str, tuple[int, ...]]:
        """Return the steps of each ladder that may be used: those that resolve most findings about the column.

        Findings of the check `accepted` need not be resolved.
        """
        return {name: self._levels(name, drops, accepted) for name in self.choices}

    def _levels(self, name: str, drops: bool, accepted: str | None) -> tuple[int, ...]:
        ladder = self.choices[name].ladder
        may_drop = drops and name not in self.check.case.settings.keep
        usable = [i for i, step in enumerate(ladder) if may_drop or step.technique != "drop"]
        failing_now = {f.fingerprint for f in self.open if f.code != accepted}
        about = {f.fingerprint for f in self.reassessment.column_findings.beyond_classes(name)} & failing_now
        if not about:
            return tuple(usable)

        def resolves(i: int) -> int:
            step = ladder[i]
            found = self.reassessment.column_findings.resolved(name, step.technique, step)
            return len({f.fingerprint for f in found} & about)

        resolved = [resolves(i) for i in usable]
        most = max(resolved)
        return tuple(i for i, n in zip(usable, resolved, strict=True) if n == most)

    def _attempts(
        self, trial: TrialTable, levels: Mapping[str, Sequence[int]], replaced: Mapping[str, str]
    ) -> Iterator[Attempt]:
        """Yield what is tried: all that the policy requires first, then less; last without k-map."""
        everything, attempt = self.check.everything, partial(Attempt, trial, levels)
        wanted = {DIVERSITY[f.code] for f in self.open if f.code in DIVERSITY}
        names = list(dict.fromkeys(f.subject[0] for f in self.open if f.code in DIVERSITY and f.subject))
        names = [n for n in names if everything is not None and n in everything.names and n not in replaced]
        limits = self._limits(wanted)
        allowances = self.allowances()
        if names:
            for generalised in self._generalised(names if "t" in limits else []):
                protection = self.protection(trial, names, generalised, limits)
                yield from (attempt(protection, allowed, generalised) for allowed in allowances)
        plain = self.protection(trial, (), {}, {})
        yield from (attempt(plain, allowed) for allowed in allowances)
        yield attempt(plain, allowances[0], keeps_a_column=False)
        if plain.k_map is not None:
            without = self.protection(trial, (), {}, {"k_map": None})
            yield from (attempt(without, allowed) for allowed in allowances)

    def _limits(self, wanted: Collection[str]) -> dict[str, Any]:
        """Return what the policy requires of sensitive attributes and the table does not meet."""
        policy = self.check.case.policy
        recursive = None
        if policy.c_recursive is not None and policy.l_recursive is not None:
            recursive = (policy.c_recursive, policy.l_recursive)
        limits = {"l": policy.l, "t": policy.t, "l_entropy": policy.l_entropy, "recursive": recursive}
        return {name: limit for name, limit in limits.items() if name in wanted and limit is not None}

    def allowances(self) -> tuple[float, ...]:
        """Return the shares of records that may be suppressed, in the order in which they are tried."""
        stated = self.check.case.policy.suppression
        return (self.max_suppressed, MORE_SUPPRESSED) if stated is None else (stated,)

    def protection(
        self, trial: TrialTable, names: Sequence[str], generalised: Mapping[str, Recoding], limits: Mapping[str, Any]
    ) -> Protection:
        """Return what is required of the classes, the same object where the same is required."""
        key = (*names, *limits.items(), *((name, repr(step.key)) for name, step in generalised.items()))
        if key not in self._protections:
            lookups = {name: step.lookup for name, step in generalised.items()}
            made = attributes(trial.names, self.check.everything, names, lookups, trial.row_of)
            among = {} if self.joined is None else self.joined.required(self.check.case.policy.k_map)
            required = {"people": trial.coded.people, **among, **limits}
            self._protections[key] = Protection(self.check.case.policy.k, made, **required)
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

    def compared(self, attempt: Attempt) -> Alternatives:
        """Return what compares the methods, by what an attempt requires."""
        settings = self.check.case.settings
        return Alternatives(
            self.lattice(attempt),
            attempt.levels,
            attempt.allowed,
            requirements(attempt.protection, settings.subject),
            settings.importance,
            work=SCANNED if settings.choose is None else ASKED,
            missing=settings.missing,
            known=self._others,
        )
