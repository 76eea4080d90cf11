"""The stages of a scan: each takes the run so far and returns it with its own part filled in.

Question: what does each stage do, and what does it hand on?
Method: measuring stages know no threshold, and judging stages never read the data. A stage imports its room when it
runs. An unexpected error in the advice or in an attack costs that part only.
Limits: `privaudit.audit.pipeline` decides the order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from privaudit.audit import provenance
from privaudit.audit.ahead import import_ahead
from privaudit.base.errors import ConfigError, InternalError, guarded
from privaudit.base.records import dataclass
from privaudit.base.wire import assembled
from privaudit.model import (
    UNASSESSED_COLUMN,
    Assignment,
    Attack,
    CellCounts,
    ColumnProfile,
    ColumnReport,
    DatasetUnit,
    Detection,
    Evidence,
    GateResult,
    Limit,
    PolicyInfo,
    PotentialRisk,
    Remedy,
    limit,
)
from privaudit.model.pictures import Pictures
from privaudit.model.wording import Columns, Name, Term
from privaudit.settings.config import Progress, Settings, silent

if TYPE_CHECKING:
    from privaudit.attacks.inputs import CellsFile
    from privaudit.risk import RiskAssessment
    from privaudit.rulebook import Judgement, KnownBefore
    from privaudit.source import Dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A scan in progress: the settings, and the results of the stages so far.

    ``second_sources`` holds the tables "original", "control" and "earlier" that attacks compare with the table.
    ``in_order`` states that the table is a remedied one in the order of its source.
    """

    settings: Settings
    policy: PolicyInfo
    source: Any
    auxiliary_source: Any = None
    second_sources: Mapping[str, Any] = field(default_factory=dict)
    cells_file: CellsFile | None = None
    population: Any = None
    progress: Progress = silent
    dataset: Dataset | None = None
    auxiliary: Dataset | None = None
    hierarchies: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    stated_roles: frozenset[str] = frozenset()
    profiles: tuple[ColumnProfile, ...] = ()
    detections: tuple[Detection, ...] = ()
    unit: DatasetUnit | None = None
    columns: tuple[ColumnReport, ...] = ()
    assessment: RiskAssessment | None = None
    potential: PotentialRisk | None = None
    pictures: Pictures | None = None
    wait_for_pictures: Callable[[], tuple[Pictures | None, tuple[Limit, ...]]] | None = None
    cells: tuple[CellCounts, ...] = ()
    attacks: tuple[Attack, ...] = ()
    evidence: Evidence | None = None
    judgement: Judgement | None = None
    advice: tuple[Remedy, ...] = ()
    limits: tuple[Limit, ...] = ()
    baseline_file: KnownBefore | None = None
    gate: GateResult | None = None
    timings: dict[str, float] = field(default_factory=dict)
    spent: dict[str, dict[str, float]] = field(default_factory=dict)
    resources: ExitStack
    is_attack: bool = False
    is_scored: bool = False
    in_order: bool = False
    invented: tuple[str, ...] = ()

    @property
    def table(self) -> Dataset:
        """The opened table; a run over evidence from the cache may have none."""
        assert self.dataset is not None, "the source stage runs first"
        return self.dataset


def open_source(run: Run) -> Run:
    """Open the table, the auxiliary table and the hierarchies of values that the settings name."""
    from privaudit.model.headers import shown_name
    from privaudit.source import open_dataset
    from privaudit.source.places.location import has_no_path

    connects_releases = run.settings.truth and run.second_sources.get("earlier") is not None and not run.settings.on
    if run.auxiliary_source is None and (run.settings.on or run.settings.truth) and not connects_releases:
        raise ConfigError("Columns to link on need an auxiliary table to link to.", hint="add --auxiliary FILE")
    import_ahead(run.source)
    dataset = run.resources.enter_context(open_dataset(run.source, run.settings, progress=run.progress))
    if run.settings.name is not None and has_no_path(run.source):
        dataset.name = shown_name(run.settings.name, "table")
    auxiliary = None
    if run.auxiliary_source is not None:
        others = replace(run.settings, input_format=None)
        auxiliary = run.resources.enter_context(open_dataset(run.auxiliary_source, others, whole=True))
    hierarchies = _hierarchies(run.settings, dataset) if run.settings.hierarchy else {}
    limits = run.limits + dataset.limits
    run = replace(run, dataset=dataset, auxiliary=auxiliary, hierarchies=hierarchies, limits=limits)
    return _with_statements(run, dataset) if dataset.stated else run


def _hierarchies(settings: Settings, dataset: Dataset) -> Mapping[str, Mapping[str, Sequence[str]]]:
    from privaudit.advice.recodings.hierarchy import read_hierarchies

    return read_hierarchies(settings.hierarchy, dataset.columns, settings, table=dataset.name)


def _with_statements(run: Run, dataset: Dataset) -> Run:
    """Apply the roles and acceptances that the metadata of the fields states."""
    from privaudit.audit.stated import apply_statements

    settings, roles, noted = apply_statements(dataset, run.settings)
    return replace(run, settings=settings, stated_roles=roles, limits=run.limits + noted)


def profile_columns(run: Run) -> Run:
    """Measure data type, missing and distinct values and precision of every column."""
    from privaudit.source.profile import profile

    spent = run.spent.setdefault("profile", {})
    return replace(run, profiles=profile(run.table, run.progress, threads=run.settings.threads, spent=spent))


def detect_entities(run: Run) -> Run:
    """Detect the entity type of each column and the entities its cells contain; a column not assessed is a limit."""
    from privaudit.detect.detection import detect
    from privaudit.detect.text.outside import read_outside
    from privaudit.detect.values_in_part import values_read

    spent = run.spent.setdefault("detect", {})
    detections = detect(run.table, run.profiles, run.settings, run.progress, auxiliary=run.auxiliary, spent=spent)
    unassessed = tuple(
        limit(UNASSESSED_COLUMN, incomplete=True, column=_named(found), because=found.unassessed)
        for found in detections
        if found.unassessed is not None
    )
    bounds = tuple(
        limit("pipeline.text", column=_named(found), because=note) for found in detections for note in found.notes
    )
    around = tuple(
        limit("pipeline.outside", place=Term(f"outside_{place}"), entities=entities)
        for place, entities in read_outside(run.table.outside, run.settings, run.progress)
    )
    limits = run.limits + values_read(run.table, run.settings.seed) + unassessed + bounds + around
    return replace(run, detections=detections, limits=limits)


def _named(found: Detection) -> Columns:
    return Columns((found.column,))


def infer_unit(run: Run) -> Run:
    """Infer what a row of the table is: a person, an event, an object, a cell of an aggregate.

    The person key of events is the data subject of all later stages, so that people are counted.
    """
    from privaudit.detect.unit.decision import infer_unit as infer
    from privaudit.detect.unit.names_of_things import release_names_of_things

    unit = infer(run.table, run.profiles, run.detections, run.settings)
    subject = run.settings.subject or unit.subject
    detections = release_names_of_things(run.detections, unit)
    settled = {d.column for d in run.detections if d.unassessed} - {d.column for d in detections if d.unassessed}
    limits = tuple(item for item in run.limits if not item.is_settled_without(settled))
    settings = replace(run.settings, subject=subject)
    return replace(run, unit=unit, detections=detections, settings=settings, limits=limits)


def assign_roles(run: Run) -> Run:
    """Assign a role with reasons to every column, and join profile, detection and role in one record."""
    from privaudit.detect.roles import assign

    assignments = assign(run.profiles, run.detections, run.settings, run.unit, stated=run.stated_roles)
    joined = zip(run.profiles, run.detections, assignments, strict=True)
    columns = tuple(_column(*parts) for parts in joined)
    return replace(run, columns=_with_order(run, columns) if run.in_order else columns)


def _with_order(run: Run, columns: tuple[ColumnReport, ...]) -> tuple[ColumnReport, ...]:
    """Note which columns number the rows, whose order is that of the source of the table."""
    from privaudit.detect.pseudonyms.row_order import columns_in_order

    found = columns_in_order(run.table, run.profiles)
    return tuple(
        replace(c, measurements={**c.measurements, "in_row_order": 1.0}) if c.name in found else c for c in columns
    )


def _column(profile: ColumnProfile, detection: Detection, assignment: Assignment) -> ColumnReport:
    """Join profile, detection and role of one column."""
    from privaudit.detect.measurements import date_precision, geo_precision

    assert profile.name == detection.column == assignment.column
    return assembled(
        ColumnReport,
        profile,
        detection,
        assignment,
        role_inferred=assignment.inferred,
        role_because=assignment.because,
        geo_precision=geo_precision(profile, detection.is_, zip3=bool(detection.measurements.get("zip3"))),
        date_precision=date_precision(profile, detection.is_),
    )


def assess_risk(run: Run) -> Run:
    """Measure equivalence classes over the quasi-identifiers and their combinations, or the cells of an aggregate."""
    from privaudit.risk import asked_columns, assess

    run.table.expect(asked := asked_columns(run.columns, run.settings))
    if run.auxiliary is None and (run.unit is None or run.unit.kind != "aggregate"):
        run.table.keep(asked)  # an attack would compare the others with the auxiliary table
    assessment = assess(
        run.table,
        run.columns,
        run.settings,
        thresholds=(run.policy.k,),
        progress=run.progress,
        unit=run.unit,
        spent=run.spent.setdefault("risk", {}),
        population=run.population,
    )
    run = replace(run, assessment=assessment, limits=run.limits + assessment.limits + _unit_limits(run, assessment))
    parts, failed_parts = attempt("parts", lambda: _parts(run))
    run = replace(run, limits=run.limits + (parts or ()) + failed_parts)
    potential, failed = attempt("potential", lambda: _potential(run))
    cells, failed_cells = attempt("cells", lambda: _cells(run))
    return replace(run, potential=potential, cells=cells or (), limits=run.limits + failed + failed_cells)


def begin_pictures(run: Run) -> Run:
    """Begin to place the categories on a map and to divide the records into regions, for a report that shows them.

    Those of a large table are drawn while attacks are simulated, which do not need them.
    """
    from privaudit.base.parallel import in_background, threads_for

    draw, failed = attempt("pictures", lambda: _prepare_pictures(run))
    run = replace(run, limits=run.limits + failed)
    if draw is None:
        return run
    threads = threads_for(run.table.n_rows, run.settings.threads)
    return replace(run, wait_for_pictures=in_background(lambda: attempt("pictures", draw), threads, run.resources))


def end_pictures(run: Run) -> Run:
    """Wait for the pictures."""
    if run.wait_for_pictures is None:
        return run
    pictures, failed = run.wait_for_pictures()
    return replace(run, wait_for_pictures=None, pictures=pictures, limits=run.limits + failed)


def _prepare_pictures(run: Run) -> Callable[[], Pictures | None] | None:
    from privaudit.risk.pictures.measure import prepare_pictures

    risk = run.assessment.risk if run.assessment else None
    if risk is None or (run.unit is not None and not run.unit.is_about_people):
        return None
    # The first column of a hierarchy are values of tables; its levels are what a person published about them.
    levels = {
        column: {name for names in hierarchy.values() for name in names} - set(hierarchy)
        for column, hierarchy in run.hierarchies.items()
    }
    quasi, subject = risk.quasi_identifiers, run.settings.subject
    return prepare_pictures(run.table, run.columns, quasi, run.policy.k, subject, levels, run.settings.threads)


def _parts(run: Run) -> tuple[Limit, ...]:
    from privaudit.risk import classes_of_parts

    risk = run.assessment.risk if run.assessment else None
    return () if risk is None else classes_of_parts(run.table, risk.quasi_identifiers, run.settings)


def _unit_limits(run: Run, assessment: RiskAssessment) -> tuple[Limit, ...]:
    """Return the limits of a table whose rows or columns could not be understood.

    Without classes, the assessment states that nothing is known of the rows.
    """
    if run.unit is None or not run.unit.is_about_people:
        return ()
    nameless = _columns_without_meaning(run)
    names = (limit("pipeline.names", incomplete=True, columns=Columns(nameless)),) if nameless else ()
    if assessment.risk is None:
        keys = _keys_of_unknown_rows(run)
        return (limit("pipeline.unit_of_keys", incomplete=True, columns=Columns(keys)), *names) if keys else names
    if run.unit.kind == "unknown":
        return (limit("pipeline.unit", incomplete=True), *names)
    if run.unit.kind == "event" and not run.unit.declared and run.settings.subject is None:
        return (limit("pipeline.subject", incomplete=True), *names)
    return names


def _keys_of_unknown_rows(run: Run) -> tuple[str, ...]:
    """Return the keys of a table of which nothing else is known: they are pseudonyms if its rows are people."""
    from privaudit.risk import exclusions

    if run.unit is None or run.unit.kind != "unknown" or run.settings.declares_no_quasi(c.name for c in run.columns):
        return ()
    excluded = exclusions(run.columns, run.settings)
    return tuple(
        column.name
        for column in run.columns
        if excluded.get(column.name) == "key" and column.is_ is not None and column.is_.entity != "ROW_NUMBER"
    )


def _columns_without_meaning(run: Run) -> tuple[str, ...]:
    """Return the columns without a recognised role that could be quasi-identifiers, where most names have no meaning.

    None where the user named the quasi-identifiers, or stated that there are none.
    """
    from privaudit.model.headers import read_header
    from privaudit.risk import exclusions

    nameless = [column.name for column in run.columns if read_header(column.name).means_nothing]
    if run.settings.quasi or 2 * len(nameless) < len(run.columns):
        return ()
    excluded = exclusions(run.columns, run.settings)
    roles = {column.name: column.role for column in run.columns}
    return tuple(name for name in nameless if name not in excluded and roles[name] == "none")


def _potential(run: Run) -> PotentialRisk | None:
    from privaudit.risk import counted_for, potential_risk

    if run.unit is not None and not run.unit.is_about_people:
        return None
    thresholds = counted_for([run.policy.k])
    return potential_risk(run.table, run.columns, run.settings, thresholds=thresholds)


def _cells(run: Run) -> tuple[CellCounts, ...]:
    from privaudit.risk import count_cells, counted_for

    if run.unit is None:
        return ()
    return count_cells(run.table, run.unit, thresholds=counted_for([run.policy.k]))


T = TypeVar("T")
PART_FAILED = "pipeline.part_failed"


def attempt(part: str, measure: Callable[[], T]) -> tuple[T | None, tuple[Limit, ...]]:
    """Return what `measure` returns; an unexpected error costs this part alone and becomes an incomplete limit."""
    try:
        with guarded(part):
            return measure(), ()
    except InternalError as error:
        kind, where = Name(error.error_type), Name(error.line_of_origin)
    return None, (limit(PART_FAILED, incomplete=True, part=Term(part), error=kind, line=where),)


def gather_evidence(run: Run) -> Run:
    """Put together what was measured, which needs neither the table nor a threshold to be judged."""
    evidence = assembled(
        Evidence,
        run,
        dataset=provenance.dataset(run.table, run.profiles, run.unit, source=run.source),
        combinations=run.assessment.combinations if run.assessment else (),
        risk=run.assessment.risk if run.assessment else None,
        seed=run.settings.seed,
    )
    return replace(run, evidence=evidence)


def judge_evidence(run: Run) -> Run:
    """Turn evidence into findings and answer the frameworks' controls, without the data."""
    from privaudit.rulebook import judge

    assert run.evidence is not None, "the evidence is gathered first"
    judgement = judge(
        run.evidence,
        run.policy,
        run.settings.framework,
        rules=run.settings.rules_folder,
        accept=run.settings.accept,
        answers=run.settings.answers,
        baseline=run.baseline_file,
        tolerance=run.settings.tolerance,
        invented=run.invented,
    )
    judged = assembled(Evidence, judgement, run.evidence)
    return replace(run, evidence=judged, judgement=judgement, limits=judgement.limits)


@dataclass(slots=True)
class Unread:
    """That nobody reads how a plan was searched, and what measures the methods that it therefore omitted, if any."""

    complete: Callable[[], Sequence[Remedy]] | None = None


def measure_remedies(run: Run, *, unread: Unread | None = None) -> Run:
    """Apply candidate remedies to the coded table and measure the effect of each on risk and utility.

    With `unread`, nothing is measured that only describes what else was searched for a plan.
    """
    if run.assessment is None or run.judgement is None:
        return run
    from privaudit.advice.advise import advise
    from privaudit.advice.effect.resolved_findings import Case
    from privaudit.risk.population.population_rows import read_population

    assert run.evidence is not None, "the judging stage runs first"
    case = Case(run.evidence, run.judgement.findings, run.policy, run.settings)
    everything, selected = run.assessment.everything, run.assessment.coded
    if not run.is_scored:
        run.table.close()  # the rest needs the codes alone
    result, failed = attempt(
        "advice",
        lambda: advise(
            case,
            everything,
            hierarchies=run.hierarchies,
            selected=selected,
            progress=run.progress,
            population=lambda: read_population(run.evidence, run.population, run.settings),
            is_described=unread is None,
        ),
    )
    if result is None:
        return replace(run, limits=run.limits + failed)
    if unread is not None:
        unread.complete = result.complete
    return replace(run, advice=result.remedies, limits=run.limits + result.limits)


def measure_remedies_again(run: Run) -> Run:
    """Read and code the table whose evidence is from the cache, and measure remedies."""
    from privaudit.risk import asked_columns, code_columns

    assert run.evidence is not None, "the judging stage runs first"
    unit, limits = run.evidence.dataset.unit, run.limits
    opened = open_source(run)
    subject = run.settings.subject or (unit.subject if unit else None)
    settings = replace(run.settings, subject=subject)
    opened.table.expect(asked_columns(run.columns, settings))
    assessment = code_columns(opened.table, run.columns, settings, unit=unit)
    again = replace(run, settings=settings, dataset=opened.dataset, hierarchies=opened.hierarchies)
    return measure_remedies(replace(again, assessment=assessment, limits=limits))


def decide_gate(run: Run) -> Run:
    """Decide whether the gate passes."""
    from privaudit.rulebook.gate import decide

    assert run.judgement is not None, "the judging stage runs first"
    return replace(run, gate=decide(run.judgement.findings, run.limits, run.policy, run.settings.fail_on))
