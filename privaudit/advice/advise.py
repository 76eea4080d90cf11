"""Measured remedies: what would help this table, each with its effect.

Question: what has to be done so that the gate passes, and what does it cost?
Method: first plans of several remedies, each judged again as a whole; then treatments of identifiers; then every
suitable recoding alone and the suppression of small classes, each measured on the coded table before and after. Single
remedies are ordered by the findings that fail the gate and that they resolve, then by effect per loss.
Limits: remedies are measured, not applied. The loss covers the quasi-identifiers only. Sentences and parameters
contain no value of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from privaudit.advice.effect.information_loss import InformationLoss
from privaudit.advice.effect.remedied_evidence import Outcome
from privaudit.advice.effect.resolved_findings import Case, Reassessment
from privaudit.advice.effect.trial_table import Effect, TrialTable
from privaudit.advice.lattices.lattice import Lattice
from privaudit.advice.plans.check import PlanCheck
from privaudit.advice.plans.facts import measured_effect
from privaudit.advice.plans.identifier_treatments import treatments
from privaudit.advice.plans.planner import Planner
from privaudit.advice.plans.ranking import by_effect, by_gate
from privaudit.advice.plans.searches import Searches
from privaudit.advice.recodings.options import ColumnOptions, options
from privaudit.advice.technique import Hierarchy, Recoding
from privaudit.advice.technique.protection import Protection
from privaudit.base.errors import ColumnNotFound
from privaudit.base.parallel import each
from privaudit.base.records import dataclass
from privaudit.model import ColumnReport, Limit, PolicyInfo, Remedy, limit
from privaudit.model.wording import Count, Fact, Threshold, fact
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.population.population_rows import join_population, within_population
from privaudit.settings.config import Progress, Settings, silent

MAX_SUPPRESSED = 0.05
MOST = 24


@dataclass(frozen=True, slots=True)
class AdviceResult:
    """Remedies, plans first, and what bounds them; `complete` measures methods that plans omitted (`Plans`)."""

    remedies: tuple[Remedy, ...]
    limits: tuple[Limit, ...]
    complete: Callable[[], Sequence[Remedy]] | None = None


def advise(
    case: Case,
    coded: CodedTable | None,
    *,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    selected: CodedTable | None = None,
    max_suppressed: float = MAX_SUPPRESSED,
    progress: Progress = silent,
    population: Callable[[], CodedTable | None] | None = None,
    is_described: bool = True,
) -> AdviceResult:
    """Measure candidate remedies and plans of several on the coded table.

    Parameters
    ----------
    case : Case
        A column of role "sensitive" is a sensitive attribute of `coded`.
    coded : CodedTable or None
        The quasi-identifiers, and sensitive attributes whose diversity is to be measured again; None without
        quasi-identifiers.
    hierarchies : mapping of column to {value: names at levels 1, 2, ...}, optional
    selected : CodedTable, optional
        `coded` over its quasi-identifiers alone, where it was made before.
    max_suppressed : float
        Share of records that a plan may suppress, 0 to 1; more only where no plan suppresses so few.
    population : function, optional
        Returns the quasi-identifiers of a population table; called where a finding is open. Plans meet its k-map.
    is_described : bool, default True
        Whether somebody reads what else was searched for a plan; the plan and its methods are the same without.

    Returns
    -------
    AdviceResult

    Raises
    ------
    ColumnNotFound
        If the settings name a column that the table does not have.
    """
    columns, settings = case.evidence.columns, case.settings
    names = [column.name for column in columns]
    for named in (*settings.keep, *settings.importance):
        if named not in names:
            raise ColumnNotFound.among(named, "the table", names)
    excluded = {column.name for column in columns if column.role == "sensitive"}
    quasi = tuple(name for name in (coded.names if coded else ()) if name not in excluded)
    if coded is None or not quasi or coded.n_rows == 0:
        return _without_classes(case)
    joined, people = within_population(coded, population() if population is not None and case.open else None)
    if selected is None or joined is not coded or selected.names != quasi:
        selected = joined.select(quasi) if len(quasi) < len(joined.names) else joined
    return _with_classes(
        case,
        joined,
        selected,
        population=people,
        hierarchies=hierarchies or {},
        max_suppressed=max_suppressed,
        progress=progress,
        is_described=is_described,
    )


def _with_classes(
    case: Case,
    coded: CodedTable,
    selected: CodedTable,
    *,
    population: CodedTable | None,
    hierarchies: Mapping[str, Hierarchy],
    max_suppressed: float,
    progress: Progress,
    is_described: bool,
) -> AdviceResult:
    """Return the remedies and plans for a table with equivalence classes."""
    columns, policy, settings, quasi = case.evidence.columns, case.policy, case.settings, selected.names
    domains = {n: _domain(coded, n, tree) for n, tree in hierarchies.items() if n in quasi}
    trial = TrialTable(selected, policy.k, domains)
    choices, limits = options(trial, columns, hierarchies, settings.threads)
    ladders = {name: found.ladder for name, found in choices.items()}
    loss = InformationLoss(trial, settings.loss_measure, settings.importance, ladders=ladders)
    reassessment = Reassessment(case, trial, coded if len(quasi) < len(coded.names) else None)
    identifiers = treatments(reassessment, trial.before, cost_measure=loss.title)
    if trial.before.n_below_k == 0 and not case.open:
        return AdviceResult(identifiers, ())
    progress("measuring remedies", 0.0)
    lattice = Lattice(trial, ladders, loss, threads=settings.threads)
    single = _singles(lattice, reassessment, choices)
    after = lattice.measure((0,) * len(quasi), suppress=True)
    if trial.before.n_below_k and after.n_records:
        single.append(_suppression(trial, reassessment, after, loss))
    progress("measuring remedies", 0.5)
    people = None if policy.k_map is None or population is None else population.select(quasi)
    joined = None if people is None else join_population(trial.coded, people)
    searched = trial if joined is None else TrialTable(joined.table, policy.k, domains, row_of=joined.row_of)
    searches = Searches(
        check=PlanCheck(case, searched, coded, population),
        joined=joined,
        choices=choices,
        sensitive_choices=_sensitive_choices(coded, quasi, columns, policy),
        reassessment=reassessment,
        loss=loss,
        max_suppressed=max_suppressed,
        measured=lattice,
        is_described=is_described,
    )
    plans = Planner(searches).plans()
    ranked = by_effect(single, trial.before, searches.open)
    bounds = (*_semantics(settings), *limits, *_plan_limits(plans.remedies, trial, max_suppressed))
    made = (*plans.remedies, *by_gate(identifiers, searches.open), *ranked[:MOST])
    return AdviceResult(made, bounds, plans.complete)


def _without_classes(case: Case) -> AdviceResult:
    """Return the remedies of a table without quasi-identifiers."""
    reassessment = Reassessment(case)
    searches = Searches(PlanCheck(case), {}, {}, reassessment, None, MAX_SUPPRESSED)
    made = by_gate(treatments(reassessment), searches.open)
    return AdviceResult((*Planner(searches).plans().remedies, *made), ())


def _domain(coded: CodedTable, name: str, hierarchy: Hierarchy) -> int:
    """Return the leaves of a hierarchy and the values of the table that it lacks."""
    values = coded.dictionaries[coded.index(name)].to_pylist()
    return len(hierarchy) + sum(value not in hierarchy for value in values)


def _sensitive_choices(
    coded: CodedTable, quasi: Sequence[str], columns: tuple[ColumnReport, ...], policy: PolicyInfo
) -> dict[str, ColumnOptions]:
    """Return the recodings of the sensitive attributes; only t-closeness needs them."""
    names = tuple(name for name in coded.names if name not in quasi)
    if policy.t is None or not names:
        return {}
    choices, _ = options(TrialTable(coded.select(names), policy.k), columns, None)
    return choices


def _semantics(settings: Settings) -> tuple[Limit, ...]:
    if settings.missing == "category":
        return ()
    return (limit("advice.missing_as_category", semantics=Threshold(settings.missing)),)


def _plan_limits(plans: Sequence[Remedy], trial: TrialTable, max_suppressed: float) -> tuple[Limit, ...]:
    """Return what bounds the plans: too few records, or no plan that reaches k."""
    if trial.coded.n_rows < trial.k:
        records = Count(trial.coded.n_rows, unit="record")
        return (limit("advice.too_few_records", records=records, k=Threshold(trial.k)),)
    if trial.before.n_below_k == 0 or any("suppress_below" in plan.parameters for plan in plans):
        return ()
    return (limit("advice.no_plan", allowed=Threshold(max_suppressed)),)


def _singles(lattice: Lattice, reassessment: Reassessment, choices: Mapping[str, ColumnOptions]) -> list[Remedy]:
    """Measure every recoding separately: the steps of the ladders on `lattice`, and then the others."""
    trial, loss, keep = lattice.trial, lattice.loss, reassessment.case.settings.keep
    others = Lattice(trial, {name: (found.ladder[0], *found.extras) for name, found in choices.items()}, loss)
    same = (0,) * len(trial.names)
    measured: list[tuple[int, Recoding, Effect]] = []
    for tried in (lattice, others):
        chains = [
            [(*same[:i], level, *same[i + 1 :]) for level, step in enumerate(ladder) if level and _may(step, keep)]
            for i, ladder in enumerate(tried.ladders)
        ]
        tried.make_ahead(chains)
        measured += [
            (i, tried.ladders[i][state[i]], tried.measure(state)) for i, chain in enumerate(chains) for state in chain
        ]
    measured.sort(key=lambda one: one[0])  # by column, the steps of its ladder first
    made = each(lambda one: _remedy(trial, reassessment, *one[1:], loss), measured, lattice.threads)
    reassessment.free_tables()
    return made


def _may(step: Recoding, keep: Sequence[str]) -> bool:
    return step.technique != "drop" or step.column not in keep


def _remedy(
    trial: TrialTable, reassessment: Reassessment, step: Recoding, after: Effect, loss: InformationLoss
) -> Remedy:
    return Remedy(
        technique=step.technique,
        columns=(step.column,),
        parameters=dict(step.parameters),
        text=_with_effect(step.description, trial, after),
        before=trial.before.wire(),
        after=after.wire(),
        utility_cost=after.cost,
        cost_measure=loss.title,
        resolves=reassessment.resolved((step.column,), Outcome({step.column: step}), after),
    )


def _suppression(trial: TrialTable, reassessment: Reassessment, after: Effect, loss: InformationLoss) -> Remedy:
    n_suppressed = trial.coded.n_rows - after.n_records
    suppressed = Count(n_suppressed, of=trial.coded.n_rows, unit="record")
    stated = fact("advice.suppress_records", suppressed=suppressed, k=Threshold(trial.k))
    return Remedy(
        technique="suppress_records",
        columns=trial.names,
        parameters={"below": trial.k, "n_suppressed": n_suppressed},
        text=_with_effect(stated, trial, after),
        before=trial.before.wire(),
        after=after.wire(),
        utility_cost=after.cost,
        cost_measure=loss.title,
        resolves=reassessment.resolved(trial.names, Outcome(protection=Protection(trial.k)), after),
    )


def _with_effect(stated: Fact, trial: TrialTable, after: Effect) -> Fact:
    """Add the measured effect to what is done."""
    return fact(stated.code, **stated.values, effect=measured_effect(trial, after))
