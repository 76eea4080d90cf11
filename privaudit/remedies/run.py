"""Remedy a table: scan, plan, apply, write, scan what was written, certify.

Question: how does a table that fails the gate become a file that passes it, with evidence?
Method: the plan of the first scan, or one from a file, is applied to the source. The table is written into a private
folder next to its target, scanned there with the same settings, and moved into place in one step together with its
certificate. The decision is that of the second scan.
Limits: nothing is written where a step fails; a table that does not pass is written, and its certificate states so.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit import inputs
from privaudit.config import Method, Progress, Settings, silent
from privaudit.errors import ConfigError, UnreadableSource, foreign_errors_as
from privaudit.headers import shown_file
from privaudit.model import Alternative, Remedy, Report
from privaudit.model.remedied import PerturbationAttack, TaskUtility, Utility
from privaudit.pipeline import run_stages
from privaudit.remedies import plan as plans
from privaudit.remedies.apply import apply
from privaudit.remedies.certificate import certificate, certificate_text, check_replaceable
from privaudit.remedies.keys import key_id
from privaudit.remedies.output import Target
from privaudit.remedies.perturbation_attacks import attacks
from privaudit.remedies.plan import Plan
from privaudit.remedies.rescan import second_settings
from privaudit.remedies.task_utility import task_utility
from privaudit.remedies.types import typed
from privaudit.remedies.utility import utility
from privaudit.report import files
from privaudit.technique import Context

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is to be done.

    Attributes
    ----------
    source : path or table
    settings : Settings
    auxiliary : path or table, optional
    plan : Plan, optional
        The plan of the first scan where there is none.
    drop : tuple of str
        Columns that the plan drops in any case.
    key : bytes, optional
    target : str, optional
        The column whose prediction shows what is left of the table.
    config : path, optional
        The settings file.
    progress : callable
    """

    source: Any
    settings: Settings
    auxiliary: Any = None
    plan: Plan | None = None
    drop: tuple[str, ...] = ()
    key: bytes | None = field(default=None, repr=False)
    target: str | None = None
    config: Path | None = None
    progress: Progress = silent


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """The first scan, the plan, the measured remedy that it comes from, and the method that replaces its recodings."""

    before: Report
    plan: Plan
    remedy: Remedy | None = None
    alternative: Alternative | None = None

    @property
    def method(self) -> Method:
        """How the quasi-identifiers are protected."""
        return "full-domain" if self.alternative is None else self.alternative.method


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedied:
    """A remedied table with both scans.

    Attributes
    ----------
    planned : Planned
    after : Report
        The scan of the remedied table: of the written file where there is one.
    table : pyarrow.Table
        In the types of the source.
    certificate : mapping
        Empty where no file was written.
    utility : Utility
    attacks : tuple of PerturbationAttack
        Attacks on the columns that were perturbed.
    fits : tuple of mapping
        What techniques state about what they did.
    inputs : tuple of Path
        The files that were read or written; no report replaces them.
    """

    planned: Planned
    after: Report
    table: pa.Table
    certificate: Mapping[str, Any]
    utility: Utility
    attacks: tuple[PerturbationAttack, ...] = ()
    fits: tuple[Mapping[str, Any], ...] = ()
    inputs: tuple[Path, ...] = ()


def make_plan(task: Task) -> Planned:
    """Scan the source and return the plan: the one that was given, or the best that the scan measured."""
    before = _scan(task, task.source, task.settings)
    if task.plan is not None:
        plan = plans.with_dropped(task.plan, [n for n in task.drop if n not in task.plan.dropped])
        plans.check(plan, [column.name for column in before.columns], before.dataset.name)
        return Planned(before=before, plan=plan)
    measured = before if not task.drop else _scan_without(task, before)
    remedy = _best(measured)
    _check_choice(task.settings.choose, remedy)
    plan = Plan(steps=())
    if remedy is not None:
        hierarchies = task.settings.hierarchy
        plan = plans.from_remedy(remedy, has_key=task.key is not None, hierarchies=hierarchies)
    alternative = plans.alternative_for(task.settings.method, remedy)
    if alternative is not None:
        plan = plans.by_method(plan, alternative, task.settings.hierarchy)
    plan = plans.with_dropped(plan, task.drop)
    plans.check(plan, [column.name for column in before.columns], before.dataset.name)
    return Planned(before=before, plan=plan, remedy=remedy, alternative=alternative)


def _check_choice(choose: int | None, remedy: Remedy | None) -> None:
    """Check that the risk-utility picture has the point that was chosen."""
    search = None if remedy is None else remedy.search
    points = 1 if search is None else len(search.frontier)
    if choose is not None and choose > points:
        raise ConfigError(
            f"The risk-utility picture has {points} point{'s' * (points > 1)}, and {choose} was chosen.",
            hint="privaudit plan lists the points",
        )


def _best(report: Report) -> Remedy | None:
    """Return the first plan after which the gate passes, else the first plan."""
    found = [remedy for remedy in report.advice if remedy.technique == "plan"]
    return next((remedy for remedy in found if remedy.passes), found[0] if found else None)


def _scan(task: Task, source: Any, settings: Settings) -> Report:
    return run_stages(source, settings, auxiliary=task.auxiliary, progress=task.progress, config=task.config)


def _scan_without(task: Task, before: Report) -> Report:
    """Scan the source without the columns that are dropped in any case, so that the plan does not count them."""
    from privaudit.errors import ColumnNotFound

    names = [column.name for column in before.columns]
    for name in task.drop:
        if name not in names:
            raise ColumnNotFound.among(name, before.dataset.name, names)
    dropping = Plan(steps=(plans.Step(technique="drop", columns=task.drop),)) if task.drop else Plan(steps=())
    return _scan(task, _apply(task, dropping, before).table, second_settings(task.settings, before, dropping))


@dataclass(frozen=True, slots=True)
class _Result:
    """The remedied table in the types of the source, as texts, and what it was made of.

    ``table`` has the new names of columns, ``texts`` those of the source.
    """

    table: pa.Table
    texts: pa.Table
    original: pa.Table
    rows: npt.NDArray[np.int64]
    notes: tuple[Mapping[str, Any], ...]


def _apply(task: Task, plan: Plan, before: Report) -> _Result:
    """Apply `plan` to the source.

    Raises
    ------
    ConfigError
        If no record is left.
    """
    from privaudit.advice.hierarchy import read_hierarchies
    from privaudit.source import open_dataset

    settings = task.settings
    with open_dataset(task.source, settings, progress=task.progress) as dataset:
        names, shown, types = dataset.columns, dataset.name, dataset.types
        original = dataset.rows(names)
        trees = read_hierarchies({**settings.hierarchy, **plan.hierarchies}, names, settings, table=shown)
    random = np.random.default_rng(plan.seed if plan.seed is not None else secrets.randbits(256))
    context = Context(random=random, hierarchies=trees, key=task.key)
    made = apply(original, plan, context)
    if made.table.num_rows == 0:
        raise ConfigError(
            "The plan suppresses every record.",
            hint="generalise more, or suppress classes below a smaller size",
        )
    kinds = {column.name: column.data_type for column in before.columns}
    old_names = {new: old for old, new in plan.renamed.items()}
    texts = made.table.rename_columns([old_names.get(name, name) for name in made.table.column_names])
    table = typed(texts, types, kinds).rename_columns(made.table.column_names)
    return _Result(table, texts, original, made.rows, tuple(context.notes))


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
        `target` is then as it was.
    """
    read = inputs.opened(task.source, task.settings, task.auxiliary, task.config)
    states = inputs.states(read)
    if target is not None:
        for path in (target.path, target.certificate):
            files.check(path, (*read, *others))
        check_replaceable(target.path)
    planned = make_plan(task)
    task.progress("Applying the plan", None)
    made = _apply(task, planned.plan, planned.before)
    if inputs.states(read) != states:
        raise UnreadableSource("A file that was read has changed meanwhile.", hint="run the command again")
    settings = second_settings(task.settings, planned.before, planned.plan)
    kept = (*read, *others, *((target.path, target.certificate) if target is not None else ()))
    task.progress("Measuring what is left", None)
    left = utility(made.original, made.texts, made.rows)
    if task.target is not None:
        left = replace(left, task=_task_utility(task, planned.plan, made))
    found = attacks(made.original, made.texts, made.rows, planned.plan, task.settings.seed)
    content: dict[str, Any] = {}
    if target is None:
        after = _scan(task, made.table, settings)
    else:
        after, content = _write(task, planned, target, made.table, settings)
    return Remedied(
        planned=planned,
        after=after,
        table=made.table,
        certificate=content,
        utility=left,
        attacks=found,
        fits=made.notes,
        inputs=kept,
    )


def _task_utility(task: Task, plan: Plan, made: _Result) -> TaskUtility:
    assert task.target is not None
    return task_utility(
        made.original, made.texts, made.rows, task.target, replaced=plan.replaced, seed=task.settings.seed
    )


def _write(
    task: Task, planned: Planned, target: Target, table: pa.Table, settings: Settings
) -> tuple[Report, dict[str, Any]]:
    """Write, scan what was written, certify it, and put both files in their places."""
    with _private_folder(target) as folder:
        part = folder / target.path.name
        with foreign_errors_as(lambda: _not_writable(target)):
            target.output.write(table, part, target.part)
        after = _scan(task, str(part), settings)
        keys = [key_id(task.key)] if task.key is not None and planned.plan.needs_key else []
        content = certificate(
            file=part,
            name=target.path.name,
            plan=planned.plan,
            before=planned.before,
            after=after,
            key_ids=keys,
        )
        files.replace(target.certificate, certificate_text(content))
        files.move(part, target.path)
    return after, content


def _not_writable(target: Target) -> ConfigError:
    return ConfigError(
        f"{shown_file(target.path)} cannot be written.",
        hint="check that the folder is writable, the disk has space, and the format can hold the column names",
    )


@contextmanager
def _private_folder(target: Target) -> Iterator[Path]:
    """Yield a folder next to the target that only this user can read, and remove it with all that is in it."""
    try:
        folder = Path(tempfile.mkdtemp(dir=target.path.parent, prefix=".privaudit-"))
    except OSError:
        raise _not_writable(target) from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        assert not os.path.exists(folder) or os.name == "nt"
