"""What a program gets from `privaudit.remedy`, `privaudit.plan` and `privaudit.verify`.

Question: how does a notebook or a pipeline ask for a remedied table?
Method: wraps the records of `releases.remedy.run`; a frame comes back in the library of the frame that was given.
Limits: measures nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from privaudit.advice.technique.recoding import short
from privaudit.audit import inputs
from privaudit.audit.coding_limits import CodingLimits
from privaudit.audit.result import GateDecision, ScanReport
from privaudit.base.arrow import pa
from privaudit.base.errors import ConfigError, guarded
from privaudit.model import Remedy as Measured
from privaudit.model.remedied import RemedyRun
from privaudit.model.wording import Columns, Count, Fact, Name, Share, Term, Threshold, fact
from privaudit.releases.output import frame_like
from privaudit.releases.remedy.plan import Plan, Step
from privaudit.releases.remedy.plan_file import parse_plan, parse_steps, plan_text, read_plan
from privaudit.releases.remedy.run import Planned, Remedied
from privaudit.releases.remedy.task import Task
from privaudit.report import Edition, files
from privaudit.report.charts import frontier
from privaudit.report.json import plain, text_of
from privaudit.report.pages import page as pages
from privaudit.report.pages import remedied
from privaudit.report.seals import with_digest
from privaudit.source.cells.coded_tables import plain_table


class RemedyPlan:
    """A plan, as a text that can be read, edited and given to `privaudit.remedy`.

    Attributes
    ----------
    before : ScanReport
    limits : tuple of CodingLimits
        Limits for top and bottom coding of the numbers that the plan leaves unchanged, with their effect; the plan does
        not apply them.
    """

    def __init__(self, planned: Planned, task: Task, limits: Sequence[CodingLimits] = ()) -> None:
        self._planned, self._task = planned, task
        self.before = ScanReport(planned.before)
        self.limits = tuple(limits)

    @property
    def plan(self) -> Plan:
        """The steps."""
        return self._planned.plan

    @property
    def promised(self) -> Mapping[str, float | int]:
        """What the plan leads to, as measured on the coded table; empty for a plan that was not measured."""
        return self._planned.promised

    @property
    def text(self) -> str:
        """The plan file."""
        return plan_text(self.plan, head=list(self._head()))

    @property
    def decision(self) -> str:
        """What the gate is expected to decide after the plan; empty for a plan that was not measured."""
        planned = self._planned
        if planned.fails_attacks:
            return str(fact("remedies.plan_fails_attacks"))
        if planned.attacked is not None and planned.attacked.attacks:
            return str(fact("remedies.plan_withstands"))
        stated = None if planned.remedy is None else planned.remedy.text.values.get("decision")
        return "" if stated is None else str(stated)

    def __repr__(self) -> str:
        return f"RemedyPlan({len(self.plan.steps)} steps)"

    def _repr_html_(self) -> str:
        from privaudit.report.pages import notebook_tables

        rows = [(step.technique, ", ".join(step.columns)) for step in self.plan.steps]
        return notebook_tables.table("Plan", ("step", "columns"), rows, self._head())

    def write_hierarchy(self, column: str, path: str | Path) -> None:
        """Write the generalisation steps of a column as a hierarchy file in the format of ARX.

        The file holds every value of the column and is as confidential as the table.

        Raises
        ------
        ConfigError
            If the file cannot be written, or is an input.
        ColumnNotFound
            If the table has no such column.
        """
        from privaudit.releases.remedy.hierarchy_file import hierarchy_text

        task = self._task
        if isinstance(task.source, str) and task.source == "-":
            raise ConfigError("Standard input is read once.", hint="name a file to write a hierarchy of its column")
        files.check(Path(path), inputs.opened(task.source, task.settings, task.auxiliary, task.config))
        with guarded("hierarchy"):
            files.replace(Path(path), hierarchy_text(task, self._planned.before, column))

    def _head(self) -> Iterable[str]:
        wire, remedy = self._planned.before, self._planned.remedy
        policy = Name(wire.policy.name)
        yield str(fact("remedies.plan_head", table=Name(wire.dataset.name), policy=policy))
        yield str(fact("remedies.plan_use"))
        if remedy is None:
            yield str(fact("remedies.plan_no_step" if wire.gate_.passed else "remedies.plan_none"))
        else:
            yield from filter(None, [self.decision])
            yield from self._measured(remedy)
        if self.limits:
            yield str(fact("remedies.coding_limits", k=Threshold(wire.policy.k)))
            yield from (str(_coding(each)) for each in self.limits)

    def _measured(self, remedy: Measured) -> Iterable[str]:
        if self._planned.alternative is None:
            yield str(remedy.text)
        else:
            yield str(fact("remedies.method_used", method=frontier.method(self._planned.alternative)))
            yield str(fact("remedies.method_instead", remedy=remedy.text))
        if self._planned.unused_method is not None:
            yield str(fact("remedies.method_unused", method=Term(f"method.{self._planned.unused_method}")))
        yield from (str(stated) for stated in (remedy.excess, remedy.question) if stated is not None)
        if remedy.alternatives:
            yield str(fact("remedies.methods"))
            yield from (str(frontier.method(each)) for each in remedy.alternatives)
            yield from map(str, remedy.not_tried)
        if remedy.under_wildcard:
            yield str(fact("remedies.under_wildcard"))
            yield from (str(frontier.method_apart(each)) for each in remedy.under_wildcard)
        if remedy.search is not None and len(remedy.search.frontier) > 1:
            yield str(fact("remedies.picture_use"))
            yield from (str(frontier.stated(point)) for point in remedy.search.frontier)


def _coding(found: CodingLimits) -> Fact:
    """Return the limits of a column, and what coding at them changes."""
    sides = (("bottom", found.bottom, found.n_bottom), ("top", found.top, found.n_top))
    stated = [
        fact(f"remedies.coding_{side}", at=Threshold(short(at)), records=Count(n, unit="record"))
        for side, at, n in sides
        if at is not None
    ]
    limits = stated[0] if len(stated) == 1 else fact("remedies.coding_both", bottom=stated[0], top=stated[1])
    return fact(
        "remedies.coding_limit",
        column=Columns((found.column,)),
        limits=limits,
        deviation=Share(found.deviation),
        mean=Share(abs(found.mean)),
    )


class Remedy:
    """A remedied table, with the scan before and the scan after.

    Attributes
    ----------
    before, after : ScanReport
    plan : Plan
    certificate : mapping
        What the certificate file states; empty where no file was written.
    dictionary : mapping
        What the groups of the remedied table mean, and how many rows each has.
    utility : Utility
        What is left of the table.
    attacks : tuple of PerturbationAttack
        Attacks on the columns that were perturbed.
    """

    def __init__(self, found: Remedied, source: Any) -> None:
        self._found, self._like = found, type(source).__module__.partition(".")[0]
        self.before, self.after = (ScanReport(wire, found.inputs) for wire in (found.planned.before, found.after))
        self.plan = found.planned.plan
        self.certificate = dict(found.certificate)
        self.utility, self.attacks = found.record.utility, found.record.attacks
        self.dictionary = dict(found.dictionary)

    @property
    def arrow(self) -> pa.Table:
        """The remedied table as an Arrow table."""
        return plain_table(self._found.table)

    @property
    def frame(self) -> Any:
        """The remedied table: a pandas, Polars or Arrow table, like the source; pandas where the source was a file."""
        return frame_like(self.arrow, self._like)

    @property
    def promised(self) -> Mapping[str, float | int]:
        """What the plan promised, as measured on the coded table; empty for a plan that was not measured."""
        return self.run.promised

    @property
    def loss(self) -> float | None:
        """Share of information that the plan loses, by its cost measure; None for a plan that was not measured."""
        planned = self._found.planned
        if planned.alternative is not None:
            return planned.alternative.loss
        return None if planned.remedy is None else planned.remedy.utility_cost

    @property
    def run(self) -> RemedyRun:
        """What was done, and the numbers before and after."""
        return self._found.record

    def _page(self, edition: Edition = "full", *, on_page: bool = False) -> pages.Page:
        return remedied.page(self.run, self.before.wire, self.after.wire, edition, on_page=on_page)

    def text(self, edition: Edition = "full") -> str:
        """Return the comparison as text."""
        return pages.text(self._page(edition))

    def write(self, path: str | Path, *, edition: Edition = "full") -> tuple[Path, ...]:
        """Write the comparison, and next to it the reports of both scans; return the files that were written.

        ``risk.html`` is the comparison; ``risk.before.html`` and ``risk.after.html`` are the reports. In a format
        without a comparison, such as SARIF, the report of the second scan is written. The public edition has no report
        of the first scan: differences between two exact counts would state how few records were suppressed.
        """
        target = Path(path)
        if target.suffix.lower() not in pages.SUFFIXES or target.name.lower().endswith(".sarif.json"):
            self.after.write(target, edition=edition)
            return (target,)
        page = self._page(edition, on_page=target.suffix.lower() == ".html")
        reports = {"before": self.before, "after": self.after}
        if edition == "public":
            del reports["before"]
        written = {target.with_suffix(f".{word}{target.suffix}"): report for word, report in reports.items()}
        for file, report in written.items():
            report.write(file, edition=edition)
        files.write_form(target, pages.forms(page, lambda: text_of(with_digest(plain(self.run)))), self._found.inputs)
        return (target, *written)

    def gate(self) -> GateDecision:
        """Return the decision on the remedied table."""
        return self.after.gate()

    def __repr__(self) -> str:
        words = ["passed" if report.wire.gate_.passed else "not passed" for report in (self.before, self.after)]
        return f"Remedy({len(self.plan.steps)} steps, gate before: {words[0]}, after: {words[1]})"

    def _repr_html_(self) -> str:
        from privaudit.report.pages import notebook_tables

        page = self._page()
        return notebook_tables.table("Remedy", page.sections[0].head, page.sections[0].rows, [str(page.lead)])


def plan_of(plan: Any) -> Plan | None:
    """Return the plan that an argument states: "auto" (None), a path, a mapping as in a plan file, steps, or a plan.

    Raises
    ------
    ConfigError
        If it is none of these, or a step is wrong.
    """
    if isinstance(plan, str) and plan == "auto":
        return None
    if isinstance(plan, Plan):
        return plan
    if isinstance(plan, RemedyPlan):
        return plan.plan
    if isinstance(plan, Mapping):
        return parse_plan({"version": 1, **plan}, "the plan")
    if isinstance(plan, Step):
        return Plan(steps=(plan,))
    if isinstance(plan, str | os.PathLike):
        return read_plan(Path(plan))
    if isinstance(plan, Iterable):
        return Plan(steps=parse_steps(list(plan), "the plan"))
    raise ConfigError("The plan is not a plan.", hint='state a file, a list of steps, or a mapping with "step"')
