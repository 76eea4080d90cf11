"""Remedy a table: scan, plan, apply, write, scan what was written, certify.

Question: how does a table that fails the gate become a file that passes it, with evidence?
Method: the plan of the first scan, or one from a file, is applied to the source. The table is written into a private
folder next to its target, scanned there with the same settings (`audit`), and moved into place in one step together
with its certificate. The decision is that of this second scan: where it fails the table of a method that was searched,
the table of the next method is written and scanned.
Limits: nothing is written where a step fails. Where no method passes, a table that does not pass is written, and its
certificate states so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from privaudit.advice.plans.ranking import Choice, choices, ordered
from privaudit.advice.technique.key_file import key_id
from privaudit.advice.technique.removed_records import needs_population
from privaudit.audit import inputs
from privaudit.audit.coding_limits import CodingLimits, coding_limits, is_coded
from privaudit.audit.stages import Unread
from privaudit.base.arrow import pa
from privaudit.base.errors import ColumnNotFound, ConfigError, UnreadableSource
from privaudit.base.process import give_back_memory
from privaudit.base.records import dataclass
from privaudit.base.wire import assembled
from privaudit.model import Alternative, ColumnReport, Remedy, Report
from privaudit.model.remedied import AppliedStep, PerturbationAttack, RemedyRun, Utility
from privaudit.model.unit import PEOPLE
from privaudit.model.wording import Columns, Fact, Number, fact
from privaudit.releases.output import Target, replace_release
from privaudit.releases.remedy import plan as plans
from privaudit.releases.remedy.audit import Audit
from privaudit.releases.remedy.certificate import certificate, check_replaceable, has_certificate
from privaudit.releases.remedy.dictionary import described, dictionary, state_of
from privaudit.releases.remedy.perturbation_attacks import attacks
from privaudit.releases.remedy.plan import Plan
from privaudit.releases.remedy.release_attacks import ReleaseAttacks, attack_remedied, with_attacks, withstands
from privaudit.releases.remedy.rescan import second_settings
from privaudit.releases.remedy.task import Result, Task, apply_plan, scan
from privaudit.releases.remedy.task_utility import task_utility
from privaudit.releases.remedy.utility import utility
from privaudit.report import files
from privaudit.report.pages.remedied import measured
from privaudit.report.public import publish
from privaudit.rulebook.attack_verdict import measured as measured_attacks
from privaudit.settings.config import LEAST_LOSS, Method

INDEX = re.compile("__index_level_[0-9]+__")
"""How pandas names an index without a name in a Parquet file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """The first scan, the plan, the measured remedy that it comes from, and the method that replaces its recodings.

    ``asked`` is the method that was asked for. ``made`` is the table after the plan, ``scanned`` the scan of it and
    ``attacked`` the attacks on it, where the plan was chosen by them: none of it is done again. ``fails_attacks``: none
    of the plans that were tried withstands them.
    """

    before: Report
    plan: Plan
    remedy: Remedy | None = None
    alternative: Alternative | None = None
    asked: Method = LEAST_LOSS
    made: Result | None = None
    scanned: Report | None = None
    attacked: ReleaseAttacks | None = None
    fails_attacks: bool = False

    @property
    def unused_method(self) -> Method | None:
        """The method that was asked for, where nothing has to be done about classes; None where it is used."""
        return self.asked if self.asked not in (self.method, LEAST_LOSS) else None

    @property
    def method(self) -> Method:
        """How the quasi-identifiers are protected."""
        return "full-domain" if self.alternative is None else self.alternative.method

    @property
    def promised(self) -> Mapping[str, float | int]:
        """What the plan leads to, as measured on the coded table; empty for a plan that was not measured."""
        if self.alternative is not None:
            n_records = self.before.dataset.n_rows - self.alternative.n_suppressed
            return {"k_min": self.alternative.k_min, "n_records": n_records}
        return {} if self.remedy is None else self.remedy.after


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedied:
    """A remedied table with both scans.

    Attributes
    ----------
    planned : Planned
    after : Report
        The scan of the remedied table: of the written file where there is one.
    table : pyarrow.Table
        In the types of the source; its columns are dictionaries.
    certificate : mapping
        Empty where no file was written.
    record : RemedyRun
        What was done, and the numbers before and after.
    inputs : tuple of Path
        The files that were read or written; no report replaces them.
    dictionary : mapping
        The data dictionary, which is written next to the table.
    """

    planned: Planned
    after: Report
    table: pa.Table
    certificate: Mapping[str, Any]
    record: RemedyRun
    inputs: tuple[Path, ...]
    dictionary: Mapping[str, Any]


def make_plan(task: Task, audit: Audit | None = None) -> Planned:
    """Scan the source and return the plan: the one that was given, or the best that the scan measured.

    Parameters
    ----------
    task : Task
    audit : Audit, optional
        What scans the tables that methods make; in memory where not given.

    Raises
    ------
    ConfigError
        If the plan does not fit the table, needs a population table that is missing, or the population cannot be
        recoded as the table is.
    """
    # Before the scan, which may take minutes.
    if task.plan is not None and task.plan.needs_population and task.population_table is None:
        raise needs_population()
    # With --drop, the plan comes from a scan of the columns that are left: remedies of all columns are for the report.
    searched = task.plan is None and not task.drop
    unread = None if task.is_described else Unread()
    before = scan(
        task, task.source, task.settings, advice=searched or task.reports, is_shown=task.reports, unread=unread
    )
    named = (*task.settings.keep, *task.settings.importance)
    ColumnNotFound.check(named, "the table", [column.name for column in before.columns])
    if task.plan is not None:
        # An index that pandas wrote numbers the rows of the source, and nobody names it in a plan.
        unnamed = [column.name for column in before.columns if INDEX.fullmatch(column.name)]
        gone = dict.fromkeys((*task.drop, *unnamed))
        plan = plans.with_dropped(task.plan, [name for name in gone if name not in task.plan.dropped])
        plan = plans.resolved(plan, [column.name for column in before.columns])
        return _checked(Planned(before=before, plan=plan), task)
    measured = before if not task.drop else _scan_without(task, before, unread)
    found = [remedy for remedy in measured.advice if remedy.technique == "plan"]
    if task.settings.method == LEAST_LOSS and (task.settings.choose or 1) == 1:
        complete = None if unread is None else unread.complete
        return _least_loss(audit or Audit(task), before, measured, found, complete)
    remedy = next((remedy for remedy in found if remedy.passes), found[0] if found else None)
    _check_choice(task.settings.choose, remedy)
    return _planned(task, before, remedy, plans.alternative_for(task.settings.method, remedy))


def limits_of(task: Task, planned: Planned) -> tuple[CodingLimits, ...]:
    """Return limits for coding the numbers that a plan leaves unchanged; none for columns that identify people."""
    from privaudit.source import open_dataset

    left = [c for c in planned.before.columns if c.role != "direct" and c.name not in planned.plan.changed]
    if not any(is_coded(column) for column in left):
        return ()
    with open_dataset(task.source, task.settings, progress=task.progress) as dataset:
        return coding_limits(left, dataset.frequencies, planned.before.policy.k)


def _planned(task: Task, before: Report, remedy: Remedy | None, alternative: Alternative | None) -> Planned:
    """Return the plan that a measured remedy describes, its recodings replaced by a method."""
    plan = Plan(steps=())
    if remedy is not None:
        hierarchies = task.settings.hierarchy
        plan = plans.from_remedy(remedy, has_key=task.key is not None, hierarchies=hierarchies)
    if alternative is not None:
        plan = plans.by_method(plan, alternative, task.settings.hierarchy)
    plan = plans.with_dropped(plan, (*task.drop, *_row_numbers(before, plan, task)))
    asked = task.settings.method
    return _checked(Planned(before=before, plan=plan, remedy=remedy, alternative=alternative, asked=asked), task)


def _least_loss(
    audit: Audit,
    before: Report,
    measured: Report,
    found: Sequence[Remedy],
    complete: Callable[[], Sequence[Remedy]] | None,
) -> Planned:
    """Return the plan and the method that lose least among those after which a scan of the table passes.

    Where none withstands the attacks on the release, the first that passes the scan is chosen, and the gate states why
    it fails; where none passes, the first that is not expected to.
    """
    task, quasi = audit.task, measured.risk.quasi_identifiers if measured.risk else ()

    def usable(remedies: Sequence[Remedy]) -> Iterator[Choice]:
        # A method that takes the whole table leaves the population as it is: k-map could not be counted.
        return ordered([c for c in choices(remedies, quasi) if c.alternative is None or task.population_table is None])

    failed: list[Choice] = []
    chosen, fails_attacks = None, False
    for choice in _all_ordered(found, complete, usable):
        if not choice.passes:  # nor does any after it
            chosen = chosen or choice
            break
        tried = _tried(audit, _planned(task, before, choice.remedy, choice.alternative))
        if tried.attacked is not None:
            if withstands(task, tried.attacked, before):
                return _as_scanned(tried, failed)
            chosen, fails_attacks = chosen or choice, True
        failed.append(choice)
    chosen = chosen or next(usable(found), None)
    planned = _planned(task, before, chosen and chosen.remedy, chosen and chosen.alternative)
    return _as_scanned(replace(planned, fails_attacks=fails_attacks), failed)


def _all_ordered(
    found: Sequence[Remedy],
    complete: Callable[[], Sequence[Remedy]] | None,
    usable: Callable[[Sequence[Remedy]], Iterator[Choice]],
) -> Iterator[Choice]:
    """Yield choices, the best first. Omitted ones do not come first, and are measured when it failed."""
    if complete is None:
        yield from usable(found)
    else:
        yield from islice(usable(found), 1)
        yield from islice(usable(complete()), 1, None)


def _tried(audit: Audit, planned: Planned) -> Planned:
    """Return what was planned with the table, its scan and the attacks on it; as it was where the scan fails.

    A plan was judged again on codes; a method also writes other texts, so its table is scanned before it is chosen. The
    scan of the chosen table is the one that decides.
    """
    task, before, plan = audit.task, planned.before, planned.plan
    made, scanned = apply_plan(task, plan, before), None
    if planned.alternative is not None:
        scanned = audit.scan(before, plan, made.table, made.population)
        if not scanned.gate_.passed:
            return planned
    return replace(planned, made=made, scanned=scanned, attacked=attack_remedied(task, plan, before, made))


def _as_scanned(planned: Planned, failed: Sequence[Choice]) -> Planned:
    """Return what was planned; methods whose table failed its scan or an attack are listed as failing."""

    def listed(remedy: Remedy) -> Remedy:
        of_plan = [choice.alternative for choice in failed if choice.remedy is remedy]
        has_failed = (any(one is (each if each.step else None) for one in of_plan) for each in remedy.alternatives)
        pairs = zip(remedy.alternatives, has_failed, strict=True)
        return replace(remedy, alternatives=tuple(replace(each, passes=each.passes and not bad) for each, bad in pairs))

    if not failed:
        return planned
    before = replace(planned.before, advice=tuple(map(listed, planned.before.advice)))
    return replace(planned, before=before, remedy=planned.remedy and listed(planned.remedy))


def _row_numbers(before: Report, plan: Plan, task: Task) -> tuple[str, ...]:
    """Return the columns that number the rows of the source and are left: they link the table to the source."""
    kept = {*plan.dropped, *task.drop, *task.settings.keep, task.settings.subject}
    unit = before.dataset.unit
    about_people = unit is None or unit.kind in PEOPLE
    found = tuple(
        column.name
        for column in before.columns
        if column.name not in kept and (INDEX.fullmatch(column.name) or (about_people and _numbers_rows(column)))
    )
    gone = {*plan.dropped, *task.drop, *found}
    # A table of nothing but row numbers keeps them: a release needs a column.
    return found if any(column.name not in gone for column in before.columns) else ()


def _numbers_rows(column: ColumnReport) -> bool:
    return column.is_ is not None and column.is_.entity == "ROW_NUMBER"


def _checked(planned: Planned, task: Task) -> Planned:
    """Return what was planned, after the plan was checked against the table and its population."""
    before = planned.before
    plans.check(planned.plan, [column.name for column in before.columns], before.dataset.name)
    if task.population_table is not None and before.risk is not None:
        plans.check_population(planned.plan, before.risk.quasi_identifiers)
    return planned


def _check_choice(choose: int | None, remedy: Remedy | None) -> None:
    """Check that the risk-utility picture has the point that was chosen."""
    search = None if remedy is None else remedy.search
    points = 1 if search is None else len(search.frontier)
    if choose is not None and choose > points:
        raise ConfigError(
            f"The risk-utility picture has {points} point{'s' * (points > 1)}, and {choose} was chosen.",
            hint="privaudit plan lists the points",
        )


def _scan_without(task: Task, before: Report, unread: Unread | None) -> Report:
    """Scan the source without the columns that are dropped in any case, so that the plan does not count them."""
    ColumnNotFound.check(task.drop, before.dataset.name, [column.name for column in before.columns])
    dropping = Plan(steps=(plans.Step(technique="drop", columns=task.drop),))
    made = apply_plan(task, dropping, before)
    settings = second_settings(task.settings, before, dropping)
    return scan(task, made.table, settings, made.population, advice=True, is_shown=False, unread=unread)


def run(task: Task, target: Target | None, *, others: Sequence[Path] = ()) -> Remedied:
    """Plan, apply, write to `target`, scan what was written, and certify it.

    Parameters
    ----------
    target : Target or None
        Nothing is written where it is None, and the table in memory is scanned.
    others : sequence of Path
        Further files that were read and must not be overwritten: the plan, the key.

    Raises
    ------
    PrivauditError
        `target` is then as it was, or without a certificate.
    """
    read = inputs.opened(task.source, task.settings, task.auxiliary, task.config, (task.control,))
    states = inputs.states(read)
    if target is not None:
        files.check(target.path, (*read, *others), may_replace=has_certificate)
        for path in (target.certificate, target.dictionary):
            files.check(path, (*read, *others))
        check_replaceable(target.path)
    with Audit(task, target, is_shown=task.reports) as audit:
        planned = make_plan(task, audit)
        made = planned.made or _applied(task, planned)
        if inputs.states(read) != states:
            raise UnreadableSource("A file that was read has changed meanwhile.", hint="run the command again")
        settings = second_settings(task.settings, planned.before, planned.plan)
        kept = (*read, *others, *((target.path, target.certificate, target.dictionary) if target is not None else ()))
        left = _utility(task, planned.plan, made)
        found = attacks(made.original, made.texts, made.rows, planned.plan, task.settings.seed)
        attacked = planned.attacked or attack_remedied(task, planned.plan, planned.before, made)
        k, people = planned.before.policy.k, task.settings.subject
        levels = dictionary(made.original, made.texts, made.rows, planned.plan, k, people)
        table, population, notes, facts = made.table, made.population, made.notes, made.facts
        del made  # the source is not needed any more
        give_back_memory()
        scanned = planned.scanned or audit.scan(planned.before, planned.plan, table, population)
        after = with_attacks(scanned, attacked, settings, planned.plan.invented)
        content = {} if target is None else _put(audit, target, planned.plan, after, levels, found)
    record = _record(planned, after, attacked, levels, content, utility=left, attacks=found, fits=notes, notes=facts)
    planned = replace(planned, made=None, scanned=None, attacked=None)
    return Remedied(
        planned=planned, after=after, table=table, certificate=content, record=record, inputs=kept, dictionary=levels
    )


_OF_REMEDY = ("search", "alternatives", "question", "not_tried", "under_wildcard", "excess")
"""What the record of a run repeats of a measured remedy."""


def _record(
    planned: Planned,
    after: Report,
    attacked: ReleaseAttacks,
    levels: Mapping[str, Any],
    certificate: Mapping[str, Any],
    *,
    fits: Sequence[Mapping[str, Any]],
    notes: Sequence[Fact],
    **stated: Any,
) -> RemedyRun:
    """Return the record of a run; `levels` is the data dictionary, and `stated` are further fields."""
    of_remedy = {} if planned.remedy is None else {key: getattr(planned.remedy, key) for key in _OF_REMEDY}
    if planned.alternative is not None and of_remedy.get("search") is not None:
        # The points of the picture are of another method.
        of_remedy["search"] = replace(of_remedy["search"], chosen=0)
    unused = [] if planned.unused_method is None else [{"unused_method": planned.unused_method}]
    return RemedyRun(
        policy=after.policy.name,
        k=after.policy.k,
        steps=tuple(assembled(AppliedStep, step) for step in planned.plan.steps),
        order=planned.plan.order,
        before=measured(planned.before),
        after=measured(after),
        promised=planned.promised,
        method=planned.method,
        release_attacks=attacked.attacks,
        release_checks=measured_attacks(after.checks),
        release_limits=attacked.limits,
        is_trial=attacked.is_trial,
        fits=(*fits, *unused),
        notes=(*notes, *_invented(planned.plan, after)),
        dictionary=state_of(levels),
        described=described(levels, planned.plan),
        release=certificate.get("release", ""),
        source=planned.before.dataset.fingerprint if certificate else "",
        **of_remedy,
        **stated,
    )


def _invented(plan: Plan, after: Report) -> tuple[Fact, ...]:
    """State which columns the plan invented, and how many findings of the second scan are about them alone."""
    if not plan.invented:
        return ()
    n = sum(finding.status == "invented" for finding in after.findings)
    columns = Columns(tuple(sorted(plan.invented)))
    return (fact("remedies.invented", columns=columns, n=Number(n)),)


def _applied(task: Task, planned: Planned) -> Result:
    """Return the table after the plan."""
    task.progress("Applying the plan", None)
    give_back_memory()  # what the search for the plan took
    made = apply_plan(task, planned.plan, planned.before)
    give_back_memory()
    return made


def _utility(task: Task, plan: Plan, made: Result) -> Utility:
    task.progress("Measuring what is left", None)
    left = utility(made.original, made.texts, made.rows, plan.renamed)
    if task.target is None:
        return left
    models = task_utility(
        made.original, made.texts, made.rows, task.target, replaced=plan.replaced, seed=task.settings.seed
    )
    return replace(left, task=models)


def _put(
    audit: Audit,
    target: Target,
    plan: Plan,
    after: Report,
    levels: Mapping[str, Any],
    perturbed: Sequence[PerturbationAttack],
) -> dict[str, Any]:
    """Certify the release that was scanned, and put all files in their places."""
    task, part = audit.task, audit.part
    assert part is not None, "the release is written before it is scanned"
    content = certificate(
        file=part,
        name=target.path.name,
        plan=plan,
        # The certificate is published with the table, so the public edition withholds small counts in it as well.
        after=publish(after) if task.edition == "public" else after,
        edition=task.edition,
        key_ids=[key_id(task.key)] if task.key is not None and plan.needs_key else [],
        dictionary=state_of(levels),
        perturbed=perturbed,
    )
    replace_release(target, part, content, levels)
    return content
