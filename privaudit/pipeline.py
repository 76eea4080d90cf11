"""The one module that knows the order: from a source to a judged report.

Question: which stages run, in which order, and what does each hand on?
Method: `STAGES` is a literal tuple; a stage takes the run so far and returns it with its own part filled in.
Measuring stages know no threshold, judging stages never touch the data, and the table is closed at the end
whatever happens. An unexpected error becomes one line without its text, and carries no other errors along; within
an attack or the advice it costs that part alone.
Limits: what a stage could not assess becomes a `Limit` marked incomplete, and the exit code is then 3.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from privaudit import clock, inputs, provenance
from privaudit.config import Progress, Settings, silent
from privaudit.errors import ConfigError, InternalError, PrivauditError, ScanIncomplete, alone, guarded
from privaudit.model import (
    Acceptance,
    Assignment,
    Attack,
    CellCounts,
    CheckOutcome,
    ColumnProfile,
    ColumnReport,
    Control,
    DatasetUnit,
    Detection,
    Evidence,
    Finding,
    GateResult,
    Limit,
    PolicyInfo,
    PotentialRisk,
    Remedy,
    Report,
    limit,
)
from privaudit.wording import Columns, Fact, Name, Number, Term

if TYPE_CHECKING:
    from privaudit.risk import RiskAssessment
    from privaudit.source import Dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A scan in progress: the settings, and the results of the stages so far."""

    settings: Settings
    policy: PolicyInfo
    source: Any
    auxiliary_source: Any = None
    progress: Progress = silent
    dataset: Dataset | None = None
    auxiliary: Dataset | None = None
    hierarchies: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    profiles: tuple[ColumnProfile, ...] = ()
    detections: tuple[Detection, ...] = ()
    unit: DatasetUnit | None = None
    assignments: tuple[Assignment, ...] = ()
    columns: tuple[ColumnReport, ...] = ()
    assessment: RiskAssessment | None = None
    potential: PotentialRisk | None = None
    cells: tuple[CellCounts, ...] = ()
    attacks: tuple[Attack, ...] = ()
    evidence: Evidence | None = None
    findings: tuple[Finding, ...] = ()
    acceptances: tuple[Acceptance, ...] = ()
    checks: tuple[CheckOutcome, ...] = ()
    controls: tuple[Control, ...] = ()
    advice: tuple[Remedy, ...] = ()
    limits: tuple[Limit, ...] = ()
    gate: GateResult | None = None
    timings: dict[str, float] = field(default_factory=dict)
    resources: ExitStack
    is_attack: bool = False

    @property
    def table(self) -> Dataset:
        """The opened table."""
        assert self.dataset is not None, "the source stage runs first"
        return self.dataset


def open_source(run: Run) -> Run:
    """Open the table, the auxiliary table and the hierarchies of values that the settings name."""
    from privaudit.advice.hierarchy import read_hierarchies
    from privaudit.source import open_dataset

    if run.auxiliary_source is None and (run.settings.on or run.settings.truth):
        raise ConfigError(
            "Columns to link on need an auxiliary table to link to.", hint="add --auxiliary FILE"
        )
    dataset = run.resources.enter_context(open_dataset(run.source, run.settings, progress=run.progress))
    auxiliary = None
    if run.auxiliary_source is not None:
        auxiliary = run.resources.enter_context(open_dataset(run.auxiliary_source, run.settings))
    hierarchies = read_hierarchies(run.settings.hierarchy, dataset.columns, run.settings, table=dataset.name)
    limits = run.limits + dataset.limits
    return replace(run, dataset=dataset, auxiliary=auxiliary, hierarchies=hierarchies, limits=limits)


def profile_columns(run: Run) -> Run:
    """Measure data type, missing and distinct values and precision of every column."""
    from privaudit.profile import profile

    return replace(run, profiles=profile(run.table, run.progress))


def detect_entities(run: Run) -> Run:
    """Detect the entity type of each column and the entities its cells contain; a column not assessed is a limit."""
    from privaudit.detect import detect
    from privaudit.detect.text.outside import read_outside

    detections = detect(run.table, run.profiles, run.settings, run.progress, auxiliary=run.auxiliary)
    unassessed = tuple(
        limit("pipeline.column", incomplete=True, column=_named(found), because=_fact(found.unassessed))
        for found in detections
        if found.unassessed is not None
    )
    bounds = tuple(
        limit("pipeline.text", column=_named(found), because=_fact(note))
        for found in detections
        for note in found.notes
    )
    around = tuple(
        limit("pipeline.outside", incomplete=True, place=Term(code=f"outside_{place}"), entities=entities)
        for place, entities in read_outside(run.table.outside, run.settings, run.progress)
    )
    return replace(run, detections=detections, limits=run.limits + unassessed + bounds + around)


def _fact(because: Fact | str) -> Fact | Name:
    # TRANSITIONAL: until detection returns facts only.
    return Name(text=because) if isinstance(because, str) else because


def _named(found: Detection) -> Columns:
    return Columns(names=(found.column,))


def infer_unit(run: Run) -> Run:
    """Infer what a row of the table is: a person, an event, an object, a cell of an aggregate."""
    from privaudit.unit import infer_unit as infer

    return replace(run, unit=infer(run.table, run.profiles, run.detections, run.settings))


def assign_roles(run: Run) -> Run:
    """Assign a role with reasons to every column, and join profile, detection and role in one record."""
    from privaudit.roles import assign

    assignments = assign(run.profiles, run.detections, run.settings, run.unit)
    joined = zip(run.profiles, run.detections, assignments, strict=True)
    return replace(run, assignments=assignments, columns=tuple(_column(*parts) for parts in joined))


def _column(profile: ColumnProfile, detection: Detection, assignment: Assignment) -> ColumnReport:
    """Join profile, detection and role of one column."""
    from privaudit.detect.precision import date_precision, geo_precision

    assert profile.name == detection.column == assignment.column
    measured = {item.name: getattr(profile, item.name) for item in fields(ColumnProfile)}
    zip3 = bool(detection.measurements.get("zip3"))
    measured["geo_precision"] = geo_precision(profile, detection.is_, zip3=zip3)
    measured["date_precision"] = date_precision(profile, detection.is_)
    return ColumnReport(
        **measured,
        role=assignment.role,
        role_inferred=assignment.inferred,
        role_because=assignment.because,
        is_=detection.is_,
        contains=detection.contains,
        rejected=detection.rejected,
        measurements=detection.measurements,
        unassessed=detection.unassessed,
    )


def assess_risk(run: Run) -> Run:
    """Measure equivalence classes over the quasi-identifiers and their combinations, or the cells of an aggregate."""
    from privaudit.risk import assess

    thresholds = (run.policy.k,)
    assessment = assess(
        run.table, run.columns, run.settings, thresholds=thresholds, progress=run.progress, unit=run.unit
    )
    run = replace(run, assessment=assessment, limits=run.limits + assessment.limits)
    potential, failed = _part("potential", lambda: _potential(run))
    cells, failed_cells = _part("cells", lambda: _cells(run))
    return replace(run, potential=potential, cells=cells or (), limits=run.limits + failed + failed_cells)


def _potential(run: Run) -> PotentialRisk | None:
    from privaudit.risk import THRESHOLDS, potential_risk

    if run.unit is not None and not run.unit.is_about_people:
        return None
    thresholds = sorted({*THRESHOLDS, run.policy.k})
    return potential_risk(run.table, run.columns, run.settings, thresholds=thresholds)


def _cells(run: Run) -> tuple[CellCounts, ...]:
    from privaudit.risk import THRESHOLDS, count_cells

    if run.unit is None:
        return ()
    return count_cells(run.table, run.unit, thresholds=sorted({*THRESHOLDS, run.policy.k}))


def simulate_attacks(run: Run) -> Run:
    """Run every attack whose inputs exist; an attack that fails becomes a limit."""
    from privaudit.attacks import AttackInputs, simulate_all

    inputs = AttackInputs(
        release=run.table,
        columns=run.columns,
        settings=run.settings,
        auxiliary=run.auxiliary,
        progress=run.progress,
    )
    results = simulate_all(inputs, attempt=_part)
    unread = tuple(found for found in run.auxiliary.limits if found.incomplete) if run.auxiliary else ()
    return replace(run, attacks=results.attacks, limits=run.limits + results.limits + unread)


T = TypeVar("T")


def _part(part: str, measure: Callable[[], T]) -> tuple[T | None, tuple[Limit, ...]]:
    """Return what `measure` returns; an unexpected error costs this part alone and becomes an incomplete limit."""
    try:
        with guarded(part):
            return measure(), ()
    except InternalError as error:
        kind, where = Name(text=error.error_type), Name(text=error.line_of_origin)
    return None, (
        limit("pipeline.part_failed", incomplete=True, part=Term(code=part), error=kind, line=where),
    )


def judge_evidence(run: Run) -> Run:
    """Turn evidence into findings and answer the frameworks' controls, without the data."""
    from privaudit.rulebook import judge

    evidence = Evidence(
        dataset=provenance.dataset(run.table, run.profiles, run.unit),
        columns=run.columns,
        combinations=run.assessment.combinations if run.assessment else (),
        risk=run.assessment.risk if run.assessment else None,
        attacks=run.attacks,
        limits=run.limits,
        seed=run.settings.seed,
        potential=run.potential,
        cells=run.cells,
    )
    rules = Path(run.settings.rules) if run.settings.rules is not None else None
    judgement = judge(
        evidence, run.policy, run.settings.framework, rules=rules, accept=run.settings.accept
    )
    judged = replace(evidence, combinations=judgement.combinations, risk=judgement.risk)
    return replace(
        run,
        evidence=judged,
        findings=judgement.findings,
        acceptances=judgement.acceptances,
        checks=judgement.checks,
        controls=judgement.controls,
        limits=run.limits + judgement.limits,
    )


def measure_remedies(run: Run) -> Run:
    """Apply candidate remedies to the coded table and measure the effect of each on risk and utility."""
    if run.assessment is None:
        return run
    from privaudit.advice import advise

    everything = run.assessment.everything
    result, failed = _part(
        "advice",
        lambda: advise(
            everything,
            run.columns,
            run.findings,
            run.policy,
            evidence=run.evidence,
            settings=run.settings,
            hierarchies=run.hierarchies,
            progress=run.progress,
        ),
    )
    if result is None:
        return replace(run, limits=run.limits + failed)
    return replace(run, advice=result.remedies, limits=run.limits + result.limits)


def decide_gate(run: Run) -> Run:
    """Decide whether the gate passes."""
    from privaudit.gate import decide

    return replace(run, gate=decide(run.findings, run.limits, run.policy, run.settings.fail_on))


Stage = Callable[[Run], Run]

STAGES: tuple[tuple[str, Stage], ...] = (
    ("source", open_source),
    ("profile", profile_columns),
    ("detect", detect_entities),
    ("unit", infer_unit),
    ("roles", assign_roles),
    ("risk", assess_risk),
    ("attack", simulate_attacks),
    ("judge", judge_evidence),
    ("advice", measure_remedies),
    ("gate", decide_gate),
)

ATTACK_STAGES = tuple(stage for stage in STAGES if stage[0] not in ("risk", "advice"))
"""The stages of `privaudit attack`: no search over combinations and no advice."""


def run_stages(
    source: Any,
    settings: Settings,
    *,
    auxiliary: Any = None,
    stages: tuple[tuple[str, Stage], ...] = STAGES,
    progress: Progress = silent,
    scores: Path | None = None,
    config: Path | None = None,
) -> Report:
    """Run `stages` over `source` and return the judged report; write per-record scores to `scores`, if named.

    Raises
    ------
    PrivauditError
        Any other error becomes one line with the name of the stage, without the text of the error.
    """
    try:
        return _run(source, settings, auxiliary, stages, progress, scores, config)
    except PrivauditError as error:
        failure = error
    del source, auxiliary  # a debugger shows the variables of the frames that an error passed
    raise alone(failure)


def _run(
    source: Any,
    settings: Settings,
    auxiliary: Any,
    stages: tuple[tuple[str, Stage], ...],
    progress: Progress,
    scores: Path | None,
    config: Path | None,
) -> Report:
    with ExitStack() as resources:
        with guarded("source"):
            _prepare_readers(source)
        with guarded("policy"):
            from privaudit.rulebook import load_policy

            policy = load_policy(settings.policy)
        with guarded("rules"):
            _check_rules(settings.rules)
            _check_acceptances(settings)
        before = inputs.states(inputs.opened(source, settings, auxiliary, config))
        used = inputs.used(settings, config)
        run = Run(
            settings=settings,
            policy=policy,
            source=source,
            auxiliary_source=settings.auxiliary if auxiliary is None else auxiliary,
            progress=progress,
            resources=resources,
            is_attack=stages is ATTACK_STAGES,
        )
        for name, stage in stages:
            progress(name, None)
            started = time.perf_counter()
            with guarded(name):
                if name == "judge":
                    run = _note_changes(run, before)
                run = stage(run)
            run.timings[name] = round(time.perf_counter() - started, 3)
        if scores is not None:
            with guarded("scores"):
                write_scores(run, scores, config)
        return replace(_report(run), files=used)


def _note_changes(run: Run, before: Mapping[Path, inputs.State | None]) -> Run:
    """Add an incomplete limit where a file changed since the run began: what was read may be half of either."""
    after = inputs.states(before)
    changed = sum(after[file] != state for file, state in before.items())
    if not changed:
        return run
    files = Number(value=changed)
    return replace(run, limits=(*run.limits, limit("pipeline.input_changed", incomplete=True, files=files)))


def _prepare_readers(source: Any) -> None:
    """Start the process that reads files, which takes as long as loading policies and rules."""
    if isinstance(source, (str, os.PathLike)):
        from privaudit.source import reader_client

        reader_client.prepare()


def _check_rules(folder: str | None) -> None:
    """Validate the user's rule packs before any work."""
    if folder is not None:
        from privaudit.detect import fusion
        from privaudit.detect.engines.presidio import custom_recognizers
        from privaudit.detect.packs.detectors import user_packs
        from privaudit.rulebook import load_frameworks

        user_packs(folder)
        fusion.load(folder)
        custom_recognizers(folder)
        load_frameworks(folder=Path(folder))


def _check_acceptances(settings: Settings) -> None:
    """Validate the acceptances before any work."""
    if settings.accept:
        from privaudit.rulebook import check_entries, load_checks

        folder = None if settings.rules is None else Path(settings.rules)
        check_entries(settings.accept, load_checks(folder), clock.today())


def write_scores(run: Run, target: Path, config: Path | None = None) -> None:
    """Write class size and special-unique scores of every row, by row number, to `target` as CSV.

    Raises
    ------
    ConfigError
        If `target` is an input, a symbolic link or not a file.
    ScanIncomplete
        If the table has no quasi-identifiers.
    """
    from privaudit.report import files
    from privaudit.risk.scores import record_scores

    files.check(target, inputs.opened(run.source, run.settings, run.auxiliary_source, config))
    if run.assessment is None or run.assessment.coded is None or run.assessment.risk is None:
        raise ScanIncomplete(
            "No scores were written: the table has no quasi-identifiers.", hint="name them with --quasi"
        )
    risk = run.assessment.risk
    if risk.special_uniques is None:
        raise ScanIncomplete(
            "No scores were written: special uniques were not searched.", hint="see the limits in the report"
        )
    found = record_scores(
        run.table,
        run.assessment.coded,
        max_size=risk.special_uniques.max_size,
        fraction=risk.special_uniques.dis_fraction,
        missing=risk.missing,
    )
    files.replace(target, "".join(",".join(map(str, line)) + "\n" for line in found.lines()))


def _report(run: Run) -> Report:
    assert run.evidence is not None and run.gate is not None
    return Report(
        tool=provenance.tool(),
        generated_at=clock.now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        seed=run.settings.seed,
        command=provenance.command(
            run.table.name, run.settings, auxiliary=run.auxiliary_source, attack=run.is_attack
        ),
        dataset=run.evidence.dataset,
        policy=run.policy,
        columns=run.columns,
        combinations=run.evidence.combinations,
        risk=run.evidence.risk,
        potential=run.evidence.potential,
        cells=run.evidence.cells,
        attacks=run.attacks,
        findings=run.findings,
        acceptances=run.acceptances,
        checks=run.checks,
        controls=run.controls,
        advice=run.advice,
        limits=run.limits,
        gate_=run.gate,
        timings=run.timings,
    )
