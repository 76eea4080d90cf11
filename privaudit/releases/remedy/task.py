"""What is to be done to a table, and what a plan makes of it.

Question: which table, which settings and which plan does a remedy run have, and what is the table after the plan?
Method: one record, `Task`. A plan is applied to the source and, value by value, to the columns of the population that
are compared with it.
Limits: nothing is written here.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique import Context
from privaudit.audit.pipeline import STAGES, Stage, run_stages
from privaudit.audit.stages import Unread, measure_remedies
from privaudit.base.arrow import pa
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.model import Report
from privaudit.model.wording import Fact
from privaudit.model.wording.numbers import SMALL_CELL
from privaudit.model.wording.render import Edition
from privaudit.releases.remedy.apply import apply
from privaudit.releases.remedy.plan import Plan
from privaudit.releases.remedy.types import typed
from privaudit.risk.population.population_risk import stated_size
from privaudit.settings.config import Progress, Settings, silent


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is to be done.

    Attributes
    ----------
    source : path or table
    settings : Settings
    auxiliary : path or table, optional
    control : path or table, optional
        People of the same population who are not in the source, for attacks on the remedied table.
    population : table, optional
        The population, where it is not the one of the settings.
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
    edition : {"full", "public"}
        Of the certificate. From a public remedy no count of 1 to 10 records follows.
    reports : bool
        Whether the reports of the scans are shown: only these need pictures, and remedies that are not applied.
    is_described : bool
        Whether somebody reads how the plan was searched; where not, nothing is measured for that alone. What is
        released is the same.
    """

    source: Any
    settings: Settings
    auxiliary: Any = None
    control: Any = None
    population: Any = None
    plan: Plan | None = None
    drop: tuple[str, ...] = ()
    key: bytes | None = field(default=None, repr=False)
    target: str | None = None
    config: Path | None = None
    progress: Progress = silent
    edition: Edition = "full"
    reports: bool = True
    is_described: bool = True

    @property
    def population_table(self) -> Any:
        """The population, where it is a table or the path of one; None where there is none, or a number of people."""
        given = self.settings.population if self.population is None else self.population
        return None if given is None or stated_size(given) is not None else given


def scan(
    task: Task,
    source: Any,
    settings: Settings,
    population: Any = None,
    plan: Plan | None = None,
    *,
    advice: bool,
    is_shown: bool,
    unread: Unread | None = None,
) -> Report:
    """Scan a table of the run: the source, or what `plan` made of it and of the population.

    Findings about columns that the plan invented are not open, and rows may be in the order of the source. Without
    `advice` no remedy is measured. A report that is not shown needs no pictures. With `unread` nobody reads how
    the plan was searched.
    """
    wanted = {"advice": advice, "pictures": is_shown}
    how: dict[str, Stage] = {"advice": partial(measure_remedies, unread=unread)}
    return run_stages(
        source,
        settings,
        stages=tuple((name, how.get(name, stage)) for name, stage in STAGES if wanted.get(name, True)),
        auxiliary=task.auxiliary,
        population=task.population if population is None else population,
        progress=task.progress,
        config=task.config,
        in_order=plan is not None and plan.keeps_order,
        invented=() if plan is None else tuple(sorted(plan.invented)),
    )


@dataclass(frozen=True, slots=True)
class Result:
    """The remedied table in the types of the source, as texts, and what it was made of.

    ``table`` has the new names of columns, ``texts`` those of the source. Their columns and those of ``original`` are
    dictionaries (`privaudit.source.cells.coded_tables`). ``population`` is recoded as the table is.
    """

    table: pa.Table
    texts: pa.Table
    original: pa.Table
    rows: npt.NDArray[np.int64]
    notes: tuple[Mapping[str, Any], ...]
    facts: tuple[Fact, ...] = ()
    population: pa.Table | None = None


def apply_plan(task: Task, plan: Plan, before: Report) -> Result:
    """Apply `plan` to the source.

    Raises
    ------
    ConfigError
        If no record is left.
    """
    from privaudit.advice.recodings.hierarchy import read_hierarchies
    from privaudit.source import open_dataset

    settings = task.settings
    with open_dataset(task.source, settings, progress=task.progress) as dataset:
        names, shown, types = dataset.columns, dataset.name, dataset.types
        original = dataset.coded(names)
        trees = read_hierarchies({**settings.hierarchy, **plan.hierarchies}, names, settings, table=shown)
    random = np.random.default_rng(plan.seed if plan.seed is not None else secrets.randbits(256))
    population = _population(task, plan, before)
    least = SMALL_CELL if task.edition == "public" else 0
    context = Context(random=random, hierarchies=trees, key=task.key, population=population, least_suppressed=least)
    made = apply(original, plan, context)
    if made.table.num_rows == 0:
        raise ConfigError(
            "The plan suppresses every record.", hint="generalise more, or suppress classes below a smaller size"
        )
    _check_left(made.table, plan, before)
    kinds = {column.name: column.data_type for column in before.columns}
    old_names = {new: old for old, new in plan.renamed.items()}
    texts = made.table.rename_columns([old_names.get(name, name) for name in made.table.column_names])
    table = typed(texts, types, kinds).rename_columns(made.table.column_names)
    return Result(table, texts, original, made.rows, tuple(context.notes), tuple(context.facts), made.population)


def _check_left(table: pa.Table, plan: Plan, before: Report) -> None:
    """Check that a quasi-identifier that is written has a value.

    Raises
    ------
    ConfigError
        If all of them are empty: the smallest class would be the whole table.
    """
    names = [plan.renamed.get(name, name) for name in (before.risk.quasi_identifiers if before.risk else ())]
    written = [table[name] for name in names if name in table.column_names]
    if written and all(column.null_count == len(column) for column in written):
        raise ConfigError(
            "The plan leaves no value of any quasi-identifier.", hint="use another method, or suppress fewer cells"
        )


def _population(task: Task, plan: Plan, before: Report) -> pa.Table | None:
    """Return the columns of the population table that are compared with the table; None where nothing is compared."""
    from privaudit.source import open_dataset

    given = task.population_table
    if given is None or before.risk is None:
        return None
    limited = [step.parameters["classes_over"] for step in plan.steps if "k_map" in step.parameters]
    needed = dict.fromkeys([*before.risk.quasi_identifiers, *(name for names in limited for name in names)])
    with open_dataset(given, task.settings, progress=task.progress, whole=True) as people:
        subject = [name for name in (task.settings.subject,) if name is not None and name in people.columns]
        return people.rows([*needed, *subject])
