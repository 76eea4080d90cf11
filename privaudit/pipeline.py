"""The one module that knows the order: from a source to a judged report.

Question: which stages run, in which order, and what does each hand on?
Method: `STAGES` is a literal tuple; a stage takes the run so far and returns it with its own part filled in.
Measuring stages know no threshold, judging stages never touch the data, and the table is closed at the end
whatever happens. An error that is not ours becomes one line without its text, and no error carries others along.
Limits: what a stage could not assess becomes a `Limit` marked incomplete, and the gate then says 3.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privaudit import describe
from privaudit.config import Progress, Settings, silent
from privaudit.errors import ConfigError, PrivauditError, ScanIncomplete, alone, guarded
from privaudit.model import (
    Assignment,
    Attack,
    ColumnProfile,
    ColumnReport,
    Control,
    Detection,
    Evidence,
    Finding,
    GateResult,
    Limit, untyped_limit,
    PolicyInfo,
    Remedy,
    Report,
)

if TYPE_CHECKING:
    from privaudit.risk import RiskAssessment
    from privaudit.source import Dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A scan under way: what was asked, and what the stages so far have found."""

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
    assignments: tuple[Assignment, ...] = ()
    columns: tuple[ColumnReport, ...] = ()
    assessment: RiskAssessment | None = None
    attacks: tuple[Attack, ...] = ()
    evidence: Evidence | None = None
    findings: tuple[Finding, ...] = ()
    controls: tuple[Control, ...] = ()
    advice: tuple[Remedy, ...] = ()
    limits: tuple[Limit, ...] = ()
    gate: GateResult | None = None
    timings: dict[str, float] = field(default_factory=dict)
    resources: ExitStack

    @property
    def table(self) -> Dataset:
        """The opened table."""
        assert self.dataset is not None, "the source stage runs first"
        return self.dataset


def open_source(run: Run) -> Run:
    """Open the table, and what else was named: the auxiliary table, hierarchies of values."""
    from privaudit.advice.hierarchy import read_hierarchies
    from privaudit.source import open_dataset

    if run.auxiliary_source is None and (run.settings.on or run.settings.truth):
        raise ConfigError("Columns to link on were named, but no table to link to.", hint="add --auxiliary")
    dataset = run.resources.enter_context(open_dataset(run.source, run.settings, progress=run.progress))
    auxiliary = None
    if run.auxiliary_source is not None:
        auxiliary = run.resources.enter_context(open_dataset(run.auxiliary_source, run.settings))
    hierarchies = read_hierarchies(run.settings.hierarchy, dataset.columns, run.settings, table=dataset.name)
    limits = run.limits + dataset.limits
    return replace(run, dataset=dataset, auxiliary=auxiliary, hierarchies=hierarchies, limits=limits)


def profile_columns(run: Run) -> Run:
    """Count: kinds, missing, distinct, precision."""
    from privaudit.profile import profile

    return replace(run, profiles=profile(run.table, run.progress))


def detect_entities(run: Run) -> Run:
    """Say what each column is and what it contains; what could not be judged is a limit."""
    from privaudit.detect import detect

    detections = detect(run.table, run.profiles, run.settings, run.progress, auxiliary=run.auxiliary)
    unassessed = tuple(
        untyped_limit(what=f'column "{found.column}"', why=found.unassessed, incomplete=True)
        for found in detections
        if found.unassessed is not None
    )
    bounds = tuple(
        untyped_limit(what=f'text of "{found.column}"', why=note) for found in detections for note in found.notes
    )
    return replace(run, detections=detections, limits=run.limits + unassessed + bounds)


def assign_roles(run: Run) -> Run:
    """Give every column a role, with reasons, and put the three views of a column together."""
    from privaudit.roles import assign

    assignments = assign(run.profiles, run.detections, run.settings)
    columns = tuple(
        describe.column(*parts) for parts in zip(run.profiles, run.detections, assignments, strict=True)
    )
    return replace(run, assignments=assignments, columns=columns)


def assess_risk(run: Run) -> Run:
    """Measure equivalence classes over the quasi-identifiers and all their combinations."""
    from privaudit.risk import assess

    assessment = assess(
        run.table, run.columns, run.settings, thresholds=(run.policy.k,), progress=run.progress
    )
    return replace(run, assessment=assessment, limits=run.limits + assessment.limits)


def simulate_attack(run: Run) -> Run:
    """Link the auxiliary table, if there is one, and count what the attacker gets."""
    if run.auxiliary is None:
        return run
    from privaudit.attacks import simulate

    result = simulate(run.table, run.auxiliary, run.columns, run.settings, progress=run.progress)
    incomplete = tuple(limit for limit in run.auxiliary.limits if limit.incomplete)
    return replace(run, attacks=result.attacks, limits=run.limits + result.limits + incomplete)


def judge_evidence(run: Run) -> Run:
    """Turn evidence into findings and answer the frameworks' controls, without the data."""
    from privaudit.rulebook import judge

    evidence = Evidence(
        dataset=describe.dataset(run.table, run.profiles),
        columns=run.columns,
        combinations=run.assessment.combinations if run.assessment else (),
        risk=run.assessment.risk if run.assessment else None,
        attacks=run.attacks,
        limits=run.limits,
        seed=run.settings.seed,
    )
    rules = Path(run.settings.rules) if run.settings.rules is not None else None
    judgement = judge(evidence, run.policy, run.settings.framework, rules=rules)
    judged = replace(evidence, combinations=judgement.combinations, risk=judgement.risk)
    return replace(
        run,
        evidence=judged,
        findings=judgement.findings,
        controls=judgement.controls,
        limits=run.limits + judgement.limits,
    )


def measure_remedies(run: Run) -> Run:
    """Try remedies on the coded table and measure what each buys and costs."""
    if run.assessment is None:
        return run
    from privaudit.advice import advise

    result = advise(
        run.assessment.everything,
        run.columns,
        run.findings,
        run.policy,
        hierarchies=run.hierarchies,
        missing=run.settings.missing,
        progress=run.progress,
    )
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
    ("roles", assign_roles),
    ("risk", assess_risk),
    ("attack", simulate_attack),
    ("judge", judge_evidence),
    ("advice", measure_remedies),
    ("gate", decide_gate),
)

ATTACK_STAGES = tuple(stage for stage in STAGES if stage[0] not in ("risk", "advice"))
"""What `privaudit attack` runs: the linkage alone, without the search over combinations."""


def run_stages(
    source: Any,
    settings: Settings,
    *,
    auxiliary: Any = None,
    stages: tuple[tuple[str, Stage], ...] = STAGES,
    progress: Progress = silent,
    scores: Path | None = None,
) -> Report:
    """Run `stages` over `source` and return the judged report; write per-record scores to `scores`, if named.

    Raises
    ------
    PrivauditError
        Only ours: any other error ends as one line that names the stage, never the error's own text.
    """
    try:
        return _run(source, settings, auxiliary, stages, progress, scores)
    except PrivauditError as error:
        failure = error
    raise alone(failure)


def _run(
    source: Any,
    settings: Settings,
    auxiliary: Any,
    stages: tuple[tuple[str, Stage], ...],
    progress: Progress,
    scores: Path | None,
) -> Report:
    with ExitStack() as resources:
        with guarded("policy"):
            from privaudit.rulebook import load_policy

            policy = load_policy(settings.policy)
        with guarded("rules"):
            _check_rules(settings.rules)
        run = Run(
            settings=settings,
            policy=policy,
            source=source,
            auxiliary_source=settings.auxiliary if auxiliary is None else auxiliary,
            progress=progress,
            resources=resources,
        )
        for name, stage in stages:
            progress(name, None)
            started = time.perf_counter()
            with guarded(name):
                run = stage(run)
            run.timings[name] = round(time.perf_counter() - started, 3)
        if scores is not None:
            with guarded("scores"):
                write_scores(run, scores)
        return _report(run)


def _check_rules(folder: str | None) -> None:
    """Refuse packs of the user's that break a law before any work."""
    if folder is not None:
        from privaudit.detect.packs.detectors import own
        from privaudit.rulebook import load_frameworks

        own(folder)
        load_frameworks(folder=Path(folder))


def write_scores(run: Run, target: Path) -> None:
    """Write class size and special-unique scores of every row, by row number, to `target` as CSV.

    Raises
    ------
    ConfigError
        If `target` is an input, a symbolic link or no file.
    ScanIncomplete
        Where there are no quasi-identifiers to score by.
    """
    from privaudit.report import files
    from privaudit.risk.scores import record_scores

    inputs = (run.source, run.auxiliary_source, run.settings.population)
    files.check(target, (str(one).partition("#")[0] for one in inputs if isinstance(one, (str, os.PathLike))))

    if run.assessment is None or run.assessment.coded is None or run.assessment.risk is None:
        raise ScanIncomplete("No scores: there are no quasi-identifiers.", hint="name them with --quasi")
    risk = run.assessment.risk
    if risk.special_uniques is None:
        raise ScanIncomplete("No scores: special uniques were not searched.", hint="see the limits")
    found = record_scores(
        run.table,
        run.assessment.coded,
        max_size=risk.special_uniques["max_size"],
        fraction=risk.special_uniques["dis_fraction"],
        missing=risk.missing,
    )
    files.replace(target, "".join(",".join(map(str, line)) + "\n" for line in found.lines()))


def _report(run: Run) -> Report:
    assert run.evidence is not None and run.gate is not None
    return Report(
        tool=describe.tool(),
        generated_at=_now(),
        seed=run.settings.seed,
        command=describe.command(run.table.name, run.settings),
        dataset=run.evidence.dataset,
        policy=run.policy,
        columns=run.columns,
        combinations=run.evidence.combinations,
        risk=run.evidence.risk,
        attacks=run.attacks,
        findings=run.findings,
        controls=run.controls,
        advice=run.advice,
        limits=run.limits,
        gate_=run.gate,
        timings=run.timings,
    )


def _now() -> str:
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    moment = datetime.fromtimestamp(int(epoch), UTC) if epoch and epoch.isdigit() else datetime.now(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
