"""What a program calls for remedies: `plan`, `remedy` and `verify`.

Question: how does a notebook or a pipeline get from a table that fails the gate to one that passes?
Method: keyword arguments become `Settings`, as for `privaudit.scan`; `privaudit.releases.remedy` does the work.
Limits: holds no measurement of its own.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from privaudit.api.scans import population_apart, settings_of, several
from privaudit.base.errors import ConfigError, guarded
from privaudit.settings.config import LEAST_LOSS, silent
from privaudit.settings.options import RemedyOptions, explicit

if TYPE_CHECKING:
    from privaudit.model.wording import Edition
    from privaudit.releases.remedy.result import Remedy, RemedyPlan
    from privaudit.releases.remedy.task import Task

_NO_SETTINGS = ("auxiliary", "config", "progress", "drop", "key", "framework")
"""Options of a remedy that are not settings of a scan, and the frameworks, where None stands for the default."""


@explicit(RemedyOptions)
def plan(source: Any, *, reports: bool = True, **options: Unpack[RemedyOptions]) -> RemedyPlan:
    """Scan a table and return the plan of remedies with the least loss, to be read, edited and applied.

    Parameters
    ----------
    source : path or table
    reports : bool, default True
        Whether the report of the scan has pictures, and remedies where ``drop`` names columns; the plan needs neither.
    **options
        As for `scan`, and `drop`, `key` and `choose` (`settings.options.RemedyOptions`). `keep`, `importance`,
        `loss_measure` and `budget` steer the search.
    """
    from privaudit.releases.remedy.result import RemedyPlan
    from privaudit.releases.remedy.run import limits_of, make_plan
    from privaudit.source.files.paths import kept_input

    task = replace(_task(source, options), reports=reports)
    with guarded("plan"), kept_input(source, task.settings) as kept:
        read = replace(task, source=kept)
        planned = make_plan(read)
        return RemedyPlan(planned, task, limits_of(read, planned))


@explicit(RemedyOptions)
def remedy(
    source: Any,
    *,
    plan: Any = "auto",
    output: str | Path | None = None,
    target: str | None = None,
    control: Any = None,
    edition: Edition = "full",
    reports: bool = True,
    described: bool = True,
    **options: Unpack[RemedyOptions],
) -> Remedy:
    """Apply a plan to a table, scan the result with the same settings, and return both.

    Parameters
    ----------
    source : path or table
    plan : "auto", path or RemedyPlan
        "auto" is the plan of `plan`.
    output : path, optional
        Where to write the remedied table, with a certificate next to it; the suffix sets the format. The written file
        is what the second scan reads.
    target : str, optional
        A column: a model that predicts it is trained on the table before and after the remedy, and both are compared.
    control : path or table, optional
        People of the same population who are not in the table: attacks on the remedied table are tried on them, too.
        Without it a trial release of nine tenths of the people is attacked.
    edition : {"full", "public"}
        Of the certificate and the suppression: a public certificate has no exact k, and from a public remedy no count
        of 1 to 10 records follows: a plan that suppresses records suppresses at least 20.
    reports : bool, default True
        Whether the reports of both scans have pictures, and remedies that are not applied; the gate needs neither.
    described : bool, default True
        Whether it is measured how else the table could be protected: further points of the risk-utility picture, and
        what the plan would lose without a requirement. The plan and the remedied table are the same without.
    **options
        As for `plan`.

    Returns
    -------
    Remedy
        With ``frame``, ``before``, ``after`` and ``plan``.

    Raises
    ------
    ConfigError
        For a plan that does not fit the table, a key that others can read, or an output that is an input.
    """
    from privaudit.releases.output import target_of
    from privaudit.releases.remedy.result import Remedy
    from privaudit.releases.remedy.run import run
    from privaudit.source.files.paths import kept_input

    task = _task(source, options, plan=plan, target=target)
    task = replace(task, edition=edition, control=control, reports=reports, is_described=described)
    named = (path for path in (plan, options.get("key")) if isinstance(path, str | os.PathLike))
    others = [Path(path) for path in named if path != "auto"]
    with guarded("remedy"), kept_input(source, task.settings) as kept:
        found = run(replace(task, source=kept), None if output is None else target_of(output), others=others)
    return Remedy(found, source)


def _task(source: Any, options: RemedyOptions, *, plan: Any = "auto", target: str | None = None) -> Task:
    """Return what is to be done; only a plan that is searched needs a thorough risk-utility picture.

    Raises
    ------
    ConfigError
        If a point of the picture or a method is chosen, and a plan is given.
    """
    from privaudit.advice.technique.key_file import read_key
    from privaudit.releases.remedy.result import plan_of
    from privaudit.releases.remedy.task import Task

    stated, population = population_apart({n: value for n, value in options.items() if n not in _NO_SETTINGS})
    settings = settings_of(stated, framework=options.get("framework"))
    given, key, config = plan_of(plan), options.get("key"), options.get("config")
    if given is not None and settings.choose is not None:
        raise ConfigError("A point can only be chosen for an automatic plan.", hint="remove choose, or the plan")
    if given is not None and settings.method != LEAST_LOSS:
        raise ConfigError("A method can only be chosen for an automatic plan.", hint="remove method, or the plan")
    return Task(
        source=source,
        settings=settings if given is not None else replace(settings, choose=settings.choose or 1),
        auxiliary=options.get("auxiliary"),
        population=population,
        plan=given,
        drop=several(options.get("drop")),
        key=None if key is None else read_key(Path(key)),
        target=target,
        config=None if config is None else Path(config),
        progress=options.get("progress", silent),
    )


def verify(path: str | Path) -> tuple[tuple[str, ...], bool]:
    """Compare a remedied table with its certificate.

    Returns
    -------
    (sentences, bool)
        What was found, and whether the file matches.
    """
    from privaudit.releases.remedy import certificate

    content, differences = certificate.verify(Path(path))
    found = differences or certificate.confirmation(Path(path), content)
    return tuple(map(str, found)), not differences
