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
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

from privaudit.audit import inputs, provenance
from privaudit.audit.attack_stage import simulate_attacks
from privaudit.audit.stages import (
    PART_FAILED,
    Run,
    assess_risk,
    assign_roles,
    begin_pictures,
    decide_gate,
    detect_entities,
    end_pictures,
    gather_evidence,
    infer_unit,
    judge_evidence,
    measure_remedies,
    measure_remedies_again,
    open_source,
    profile_columns,
)
from privaudit.base import clock
from privaudit.base.errors import PrivauditError, ScanIncomplete, alone, guarded
from privaudit.base.garbage import rarely_collected
from privaudit.base.parallel import LANGUAGE_MODEL
from privaudit.base.process import give_back_memory
from privaudit.base.wire import assembled
from privaudit.model import Report, limit
from privaudit.model.wording import Number
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.places.table_folders import is_stated

if TYPE_CHECKING:
    from privaudit.attacks.inputs import CellsFile
    from privaudit.audit.cache.evidence import Cache, Measured
    from privaudit.rulebook import KnownBefore

P = ParamSpec("P")
Stage = Callable[[Run], Run]

STAGES: tuple[tuple[str, Stage], ...] = (
    ("source", open_source),
    ("profile", profile_columns),
    ("detect", detect_entities),
    ("unit", infer_unit),
    ("roles", assign_roles),
    ("risk", assess_risk),
    ("pictures", begin_pictures),
    ("attack", simulate_attacks),
    ("pictures", end_pictures),
    ("evidence", gather_evidence),
    ("judge", judge_evidence),
    ("advice", measure_remedies),
    ("gate", decide_gate),
)

ATTACK_STAGES = tuple(stage for stage in STAGES if stage[0] not in ("risk", "pictures", "advice"))
"""The stages of `privaudit attack`: no search over combinations, no pictures and no advice."""

STAGES_OF_CACHED_EVIDENCE: tuple[tuple[str, Stage], ...] = (
    ("judge", judge_evidence),
    ("advice", measure_remedies_again),
    ("gate", decide_gate),
)
"""The stages of a scan whose evidence is that of an earlier one; the table is read only where remedies are measured."""


def _without_frames(run: Callable[P, Report]) -> Callable[P, Report]:
    """Raise a privaudit error without the frames that it passed: a debugger shows their variables, the tables."""

    @wraps(run)
    def alone_or_report(*args: P.args, **kwargs: P.kwargs) -> Report:
        try:
            return run(*args, **kwargs)
        except PrivauditError as error:
            failure = error
        del args, kwargs  # the tables
        raise alone(failure)

    return alone_or_report


@_without_frames
def run_stages(
    source: Any,
    settings: Settings,
    *,
    auxiliary: Any = None,
    second: Mapping[str, Any] | None = None,
    cells: CellsFile | None = None,
    population: Any = None,
    stages: tuple[tuple[str, Stage], ...] = STAGES,
    progress: Progress = silent,
    scores: Path | None = None,
    config: Path | None = None,
    in_order: bool = False,
    invented: tuple[str, ...] = (),
    cache: Cache | None = None,
) -> Report:
    """Run `stages` over `source` and return the judged report; write per-record scores to `scores`, if named.

    Parameters
    ----------
    source, auxiliary : path or table
    settings : Settings
    second : mapping of name to path or table, optional
        The tables "original", "control" and "earlier" of an attack, and "published 1", ... besides the source.
    cells : CellsFile, optional
        That the source is a published table whose hidden cells are to be computed.
    population : table, optional
        The population, where it is not the one of the settings.
    stages : tuple of (name, stage)
    progress : callable
    scores, config : Path, optional
    in_order : bool, default False
        Whether the source is a remedied table whose rows are in the order of the table that it was made of.
    invented : tuple of str
        Columns whose values the run that made the table invented.
    cache : Cache, optional
        Where the evidence of earlier runs is, and that of this run goes.

    Raises
    ------
    PrivauditError
        Any other error becomes one line with the name of the stage, without the text of the error.
    """
    others = second or {}
    with rarely_collected(), ExitStack() as resources:
        if cache is None:
            with guarded("source"):
                _prepare_readers(source)
        with guarded("policy"):
            from privaudit.rulebook import load_policy

            policy = load_policy(settings.policy)
        with guarded("rules"):
            _check_rules(settings.rules)
            _check_stated(settings)
            known = _baseline(source, settings)
        before = inputs.states(inputs.opened(source, settings, auxiliary, config, others.values()))
        run = Run(
            settings=settings,
            policy=policy,
            source=source,
            auxiliary_source=settings.auxiliary if auxiliary is None else auxiliary,
            second_sources=others,
            cells_file=cells,
            population=settings.population if population is None else population,
            progress=progress,
            resources=resources,
            baseline_file=known,
            is_attack=stages is ATTACK_STAGES,
            is_scored=scores is not None,
            in_order=in_order,
            invented=invented,
        )
        if cache is None or scores is not None:
            run = _all_stages(run, stages, before)
        else:
            run = _with_cache(run, stages, before, cache)
        if scores is not None:
            with guarded("scores"):
                write_scores(run, scores, config)
        return replace(_report(run, _command(run, settings)), files=inputs.used(settings, config))


def _all_stages(run: Run, stages: Iterable[tuple[str, Stage]], before: Mapping[Path, inputs.State | None]) -> Run:
    for name, stage in stages:
        run = _one_stage(run, name, stage, before)
    return run


def _with_cache(
    run: Run, stages: tuple[tuple[str, Stage], ...], before: Mapping[Path, inputs.State | None], cache: Cache
) -> Run:
    """Judge the evidence that an earlier run stored, or measure and store it."""
    run.progress("cache", None)
    started = time.perf_counter()
    with guarded("cache"):
        entry = cache.entry(run.source, run.auxiliary_source, run.population, run.settings, in_order=run.in_order)
        found = None if entry is None else entry.read()
    run.timings["cache"] = round(time.perf_counter() - started, 3)
    names = {name for name, _ in stages}
    if entry is not None and found is not None:
        wanted = tuple(stage for stage in STAGES_OF_CACHED_EVIDENCE if stage[0] in names)
        again = _judged_again(run, found, wanted, before)
        if again is not None:
            return again
    measured = [name for name, _ in stages].index("evidence") + 1
    with guarded("source"):
        _prepare_readers(run.source)
    whole = _all_stages(run, stages[:measured], before)
    judged = _all_stages(whole, stages[measured:], before)
    assert whole.evidence is not None
    # Not stored if the file declares roles, which are not evidence, or if a part failed, which is then tried again.
    failed = any(one.code == PART_FAILED for one in judged.limits)
    if entry is not None and not (whole.table.stated or failed) and inputs.states(before) == before:
        has_advice = _has_advice(judged, names)
        with guarded("cache"):
            from privaudit.audit.cache.evidence import Measured

            entry.write(Measured(evidence=whole.evidence, pictures=judged.pictures, has_advice=has_advice))
    return judged


def _judged_again(
    run: Run, found: Measured, stages: tuple[tuple[str, Stage], ...], before: Mapping[Path, inputs.State | None]
) -> Run | None:
    """Return the run over stored evidence; None where a file changed meanwhile."""
    evidence = found.evidence
    run = replace(
        run,
        columns=evidence.columns,
        potential=evidence.potential,
        cells=evidence.cells,
        attacks=evidence.attacks,
        limits=evidence.limits,
        pictures=found.pictures,
        evidence=evidence,
    )
    for name, stage in stages:
        if name == "advice" and found.has_advice is False and not _open(run):
            continue
        run = _one_stage(run, name, stage, before)
    return run if inputs.states(before) == before else None


def _open(run: Run) -> bool:
    """Whether a finding is open, so that remedies are measured."""
    return run.judgement is not None and any(finding.status == "open" for finding in run.judgement.findings)


def _has_advice(run: Run, stages: Collection[str]) -> bool | None:
    """Whether the advice found or limited anything; None where it was not asked for."""
    assert run.judgement is not None, "the judging stage runs first"
    return (bool(run.advice) or run.limits != run.judgement.limits) if "advice" in stages else None


def _one_stage(run: Run, name: str, stage: Stage, before: Mapping[Path, inputs.State | None]) -> Run:
    """Run a stage and note how long it took."""
    run.progress(name, None)
    started = time.perf_counter()
    give_back_memory()
    with guarded(name):
        if name == "evidence":
            run = _note_changes(run, before)
        run = stage(run)
    run.timings[name] = round(run.timings.get(name, 0.0) + time.perf_counter() - started, 3)
    return run


def _note_changes(run: Run, before: Mapping[Path, inputs.State | None]) -> Run:
    """Add an incomplete limit where a file changed since the run began: what was read may be half of either."""
    after = inputs.states(before)
    changed = sum(after[file] != state for file, state in before.items())
    if not changed:
        return run
    files = Number(changed)
    return replace(run, limits=(*run.limits, limit("pipeline.input_changed", incomplete=True, files=files)))


def _prepare_readers(source: Any) -> None:
    """Start the process that reads files, which takes as long as loading policies and rules."""
    if isinstance(source, (str, os.PathLike)):
        from privaudit.source.files.readers import reader_client

        reader_client.prepare()


def _check_rules(folder: str | None) -> None:
    """Validate the user's rule packs before any work."""
    if folder is not None:
        from privaudit.detect.catalogue.detectors import user_packs
        from privaudit.detect.resolver import load_weights
        from privaudit.detect.text.engines.presidio import custom_recognizers
        from privaudit.rulebook import load_frameworks

        user_packs(folder)
        load_weights(folder)
        custom_recognizers(folder)
        load_frameworks(folder=Path(folder))


def _check_stated(settings: Settings) -> None:
    """Validate the acceptances and the answers of people before any work."""
    folder = settings.rules_folder
    if settings.answers.entries:
        from privaudit.rulebook import check_keys

        check_keys((entry.key for entry in settings.answers.entries), folder)
    if settings.accept:
        from privaudit.rulebook import check_entries, load_checks

        check_entries(settings.accept, load_checks(folder), clock.today())


def _baseline(source: Any, settings: Settings) -> KnownBefore | None:
    """Return what the baseline holds of the table, before any work."""
    from privaudit.rulebook import KnownBefore, read_baseline
    from privaudit.source.places.location import table_key

    if settings.baseline is None:
        return None
    file = Path(settings.baseline)
    key, held = table_key(source, file.parent, settings.name), read_baseline(file)
    return KnownBefore(key=key, table=held.tables.get(key))


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
    from privaudit.risk.measures.scores import record_scores

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


def _command(run: Run, settings: Settings) -> str:
    """Return what repeats a run with `settings`: a command, or a call in Python where the table is in memory."""
    assert run.evidence is not None, "the run is over"
    auxiliary, attack = run.auxiliary_source, run.is_attack
    if isinstance(run.source, (str, os.PathLike)):
        return provenance.command(
            run.evidence.dataset.name,
            settings,
            auxiliary=auxiliary,
            second=run.second_sources,
            cells=None if run.cells_file is None else run.cells_file.file or "",
            attack=attack,
            parts=is_stated(os.fsdecode(run.source), settings.parts),
        )
    return provenance.python_call(settings, auxiliary=auxiliary, second=run.second_sources, attack=attack)


LEAST_SECONDS = 0.01
MOST_COLUMNS = 100


def _by_column(run: Run) -> dict[str, float]:
    """Return the processor time of the language model and of the columns that took longest, as "stage: column"."""
    spent = [(took, stage, column) for stage, taken in run.spent.items() for column, took in taken.items()]
    longest = sorted(spent, key=lambda each: (each[2] != LANGUAGE_MODEL, -each[0]))[:MOST_COLUMNS]
    return {f"{stage}: {column}": round(took, 3) for took, stage, column in longest if took >= LEAST_SECONDS}


def _report(run: Run, command: str) -> Report:
    assert run.evidence is not None and run.judgement is not None and run.gate is not None
    return assembled(
        Report,
        run,
        run.judgement,
        run.evidence,
        tool=provenance.tool(),
        generated_at=clock.stamp(),
        command=command,
        dataset=run.evidence.dataset,
        gate_=run.gate,
        timings={**run.timings, **_by_column(run)},
    )
