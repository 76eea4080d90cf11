"""The scan of a release that is not in its place yet.

Question: does the table after a plan pass the gate, as someone reads it who gets its file?
Method: the table is written into a private folder next to its target and scanned there with the settings of the source.
This scan decides: its report is the one after the remedy, and the certificate states its numbers. A release that
another one replaces is removed.
Limits: without a target, the table in memory is scanned.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, Self

from privaudit.base.arrow import pa
from privaudit.model import Report
from privaudit.releases.output import Target, written_apart
from privaudit.releases.remedy.plan import Plan
from privaudit.releases.remedy.rescan import second_settings
from privaudit.releases.remedy.task import Task, scan


class Audit:
    """Scans releases of a run, one after the other; at its end none is left apart from its place.

    Parameters
    ----------
    task : Task
    target : Target, optional
        Where the release will be.
    is_shown : bool, default False
        Whether the report has pictures, and remedies.

    Attributes
    ----------
    part : path or None
        Where the latest release is until it is put in its place.
    """

    def __init__(self, task: Task, target: Target | None = None, *, is_shown: bool = False) -> None:
        self.task, self.target, self.is_shown = task, target, is_shown
        self.part: Path | None = None
        self._written = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._written.close()

    def scan(self, before: Report, plan: Plan, table: pa.Table, population: Any) -> Report:
        """Return the report on the table and the population that `plan` made of those of `before`."""
        source: Any = table
        if self.target is not None:
            self._written.close()
            self.part = self._written.enter_context(written_apart(self.target, table))
            source = str(self.part)
        settings = second_settings(self.task.settings, before, plan)
        report = scan(self.task, source, settings, population, plan, advice=self.is_shown, is_shown=self.is_shown)
        return report if self.target is None else _in_its_place(report)


def _in_its_place(report: Report) -> Report:
    """Return the report with the path that the release will have: an acceptance names its table by the path."""
    part = PurePosixPath(report.dataset.path)  # in a private folder next to its place, or not stated
    path = str(part.parent.parent / part.name) if report.dataset.path else ""
    return replace(report, dataset=replace(report.dataset, path=path))
