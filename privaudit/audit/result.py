"""The report a program holds: findings to filter, a gate to stop on, files to write.

Question: what can be asked of a finished scan?
Method: `ScanReport` wraps the wire record; its attributes are the keys of ``report.json``.
Limits: measures and judges nothing.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from privaudit.base import clock
from privaudit.base.errors import ColumnNotFound, ConfigError, GateFailed
from privaudit.base.extras import FRAMES
from privaudit.model import (
    SEVERITIES,
    Attack,
    ColumnReport,
    Combination,
    Control,
    DatasetInfo,
    Finding,
    GateResult,
    Limit,
    PolicyInfo,
    Remedy,
    Report,
    Risk,
    Severity,
    reaches,
)

if TYPE_CHECKING:
    import pandas as pd

    from privaudit.model.differences import ColumnChange, Differences, FindingChange, NumberChange

__all__ = ["Comparison", "Findings", "GateDecision", "ScanReport"]


class GateDecision:
    """The gate's decision, with the way to stop a program on it.

    ``failed`` states whether a finding fails the gate, also where the scan was incomplete (exit code 3).
    """

    def __init__(self, result: GateResult) -> None:
        self.passed = result.passed
        self.failed = result.failed
        self.exit_code = result.exit_code
        self.reasons = result.reasons

    def __repr__(self) -> str:
        return f"GateDecision(passed={self.passed}, failed={self.failed}, exit_code={self.exit_code})"

    def raise_if_failed(self) -> None:
        """Raise `GateFailed` unless the gate passed.

        Raises
        ------
        GateFailed
            With the worst reason; also where the scan was incomplete.
        """
        if not self.passed:
            reason = self.reasons[0] if self.reasons else "The gate did not pass."
            raise GateFailed(str(reason), hint=f"{len(self.reasons)} reasons in all")


def _notebook_cell() -> Any:
    """Return the display module of a running notebook, None elsewhere."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return sys.modules.get("IPython.display") if type(shell).__name__ == "ZMQInteractiveShell" else None


class Comparison:
    """What changed between two reports: findings by state, numbers before and after, and columns."""

    def __init__(self, found: Differences) -> None:
        self.differences = found
        self.exit_code = found.exit_code

    @property
    def new(self) -> tuple[FindingChange, ...]:
        """Findings of the new report only, worst first."""
        return self.differences.in_state("new")

    @property
    def worse(self) -> tuple[FindingChange, ...]:
        """Findings that are worse than before."""
        return self.differences.in_state("worse")

    @property
    def better(self) -> tuple[FindingChange, ...]:
        """Findings that are better than before."""
        return self.differences.in_state("better")

    @property
    def gone(self) -> tuple[FindingChange, ...]:
        """Findings of the old report whose check was measured again without a finding."""
        return self.differences.in_state("gone")

    @property
    def columns(self) -> tuple[ColumnChange, ...]:
        """Columns added and removed, and those whose type, role or precision changed."""
        return self.differences.columns

    @property
    def numbers(self) -> tuple[NumberChange, ...]:
        """k, risk and size of the table before and after."""
        return self.differences.numbers

    def to_frame(self) -> pd.DataFrame:
        """Return one row per finding: state, code, columns, severity, values before and after."""
        names = ("state", "code", "columns", "severity", "status", "before", "after")
        rows = [
            (
                *(item.state, item.finding.code, item.finding.subject, item.finding.severity, item.finding.status),
                *(item.before, item.after),
            )
            for item in self.differences.findings
        ]
        return frame(names, rows)

    def render(self, format: Literal["text", "md", "json", "html"] | str = "text") -> str:
        """Return the comparison as text, Markdown, JSON or HTML."""
        from privaudit.report.pages import differences

        return differences.render(self.differences, format)

    def write(self, path: str | Path) -> None:
        """Write the comparison; the suffix (.html, .md, .json) selects the format."""
        from privaudit.report import files

        target = Path(path)
        text = self.render(target.suffix.lower().lstrip(".") or "none")
        files.check(target)
        files.replace(target, text)

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(getattr(self, name))} {name}" for name in ("new", "worse", "better", "gone"))
        return f"Comparison({counts}; exit code {self.exit_code})"

    def __str__(self) -> str:
        return self.render()


class ScanReport:
    """A judged report: measured evidence, findings, controls, advice.

    Attributes mirror the keys of ``report.json``. In a notebook the report shows itself. ``source`` is the path
    that was scanned, None where the table has none or the report was read from a file.
    """

    def __init__(self, wire: Report, inputs: Iterable[str | Path] = (), source: str | None = None) -> None:
        self.wire = wire
        self.source = source
        self._inputs = tuple(inputs)

    @property
    def dataset(self) -> DatasetInfo:
        """What was scanned."""
        return self.wire.dataset

    @property
    def policy(self) -> PolicyInfo:
        """The thresholds it was judged by."""
        return self.wire.policy

    @property
    def columns(self) -> Columns:
        """One record per column, in the table's order."""
        return Columns(self.wire.columns)

    @property
    def combinations(self) -> Combinations:
        """Quasi-identifier combinations, worst first."""
        return Combinations(self.wire.combinations)

    @property
    def risk(self) -> Risk | None:
        """Risk over all quasi-identifiers together; None where none were found."""
        return None if self.wire.risk is None else ShownRisk.of(self.wire)

    @property
    def attacks(self) -> tuple[Attack, ...]:
        """Simulated attacks."""
        return self.wire.attacks

    @property
    def findings(self) -> Findings:
        """Findings, worst first."""
        return Findings(self.wire.findings)

    @property
    def controls(self) -> tuple[Control, ...]:
        """Framework controls and their state."""
        return self.wire.controls

    @property
    def advice(self) -> Advice:
        """Measured remedies, best first."""
        return Advice(self.wire.advice)

    @property
    def limits(self) -> tuple[Limit, ...]:
        """What was not measured."""
        return self.wire.limits

    @property
    def timings(self) -> Mapping[str, float]:
        """Seconds per stage."""
        return self.wire.timings

    def gate(self, *, fail_on: Severity | None = None) -> GateDecision:
        """Return the gate's decision, as it was made or under another severity.

        Acceptances and answers that have ended since decide as on the present day.
        """
        from privaudit.rulebook import findings_on
        from privaudit.rulebook.gate import decide

        wire = self.wire
        findings = findings_on(wire, wire.policy, clock.today())
        if fail_on is None and findings == wire.findings:
            return GateDecision(wire.gate_)
        return GateDecision(decide(findings, wire.limits, wire.policy, fail_on or wire.gate_.fail_on))

    def column(self, name: str) -> ColumnReport:
        """Return one column by its name."""
        for found in self.wire.columns:
            if found.name == name:
                return found
        raise ColumnNotFound.among(name, self.dataset.name, (c.name for c in self.wire.columns))

    def write(self, path: str | Path, *, edition: Literal["full", "public"] = "full") -> None:
        """Write the report; the suffix (.html, .json, .md, .sarif, .xml for JUnit, .gitlab.json) selects the format.

        The public edition shows counts of 1 to 10, and what follows from them, as "<11".
        """
        from privaudit.report import write

        write(self.wire, path, edition=edition, inputs=self._inputs)

    def show(self, *, edition: Literal["full", "public"] = "full") -> None:
        """Show the verdict in a notebook, or print the summary where there is none."""
        cell = _notebook_cell()
        if cell is not None:
            cell.display(cell.HTML(self._repr_html_()))
            return
        from privaudit.report import show

        show(self.wire, sys.stdout, edition=edition)

    def to_json(self) -> str:
        """Return ``report.json`` as text."""
        from privaudit.report import render

        return render(self.wire, "json")

    def to_frame(self) -> pd.DataFrame:
        """Return one row per column: data type, counts, entity type, role."""
        return self.columns.to_frame()

    def __repr__(self) -> str:
        gate = "passed" if self.wire.gate_.passed else f"not passed (exit code {self.wire.gate_.exit_code})"
        d = self.dataset
        return (
            f"ScanReport({d.name}: {d.n_rows:,} rows, {d.n_columns} columns, "
            f"{len(self.wire.findings)} findings, gate {gate})"
        )

    def _repr_html_(self) -> str:
        from privaudit.report import notebook

        return notebook(self.wire)


class ShownRisk(Risk):
    """The risk of a report, which shows itself in a notebook."""

    __slots__ = ("_report",)
    _report: Report

    @classmethod
    def of(cls, report: Report) -> ShownRisk:
        """Return the risk of `report`, which must have one."""
        made = cls(**{item.name: getattr(report.risk, item.name) for item in fields(Risk)})
        object.__setattr__(made, "_report", report)
        return made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Risk):
            return NotImplemented
        return all(getattr(self, item.name) == getattr(other, item.name) for item in fields(Risk))

    __hash__ = None  # type: ignore[assignment]  # a risk holds mappings

    def _repr_html_(self) -> str:
        from privaudit.report.pages import notebook_tables

        return notebook_tables.risk(self._report)


class Columns(tuple[ColumnReport, ...]):
    """The columns of a report, in the order of the table."""

    __slots__ = ()

    def __repr__(self) -> str:
        roles = Counter(column.role for column in self)
        return f"Columns({', '.join(f'{n} {role}' for role, n in sorted(roles.items())) or 'none'})"

    def to_frame(self) -> pd.DataFrame:
        """Return one row per column: data type, counts, entity type, role."""
        names = ("column", "kind", "n_missing", "n_distinct", "uniqueness", "entity", "contains", "role")
        rows = [
            (
                *(c.name, c.data_type, c.n_missing, c.n_distinct, c.uniqueness, c.is_.entity if c.is_ else None),
                *(", ".join(found.entity for found in c.contains), c.role),
            )
            for c in self
        ]
        return frame(names, rows)

    def _repr_html_(self) -> str:
        from privaudit.report.pages import notebook_tables

        return notebook_tables.columns(self)


class Findings(tuple[Finding, ...]):
    """The findings of a report, worst first."""

    __slots__ = ()

    def __repr__(self) -> str:
        counts = [(sum(f.severity == severity for f in self), severity) for severity in reversed(SEVERITIES)]
        return f"Findings({', '.join(f'{n} {severity}' for n, severity in counts if n) or 'none'})"

    def _repr_html_(self) -> str:
        from privaudit.report.pages import notebook_tables

        return notebook_tables.findings(self)

    def at_least(self, severity: Severity) -> Findings:
        """Return the findings of `severity` or worse."""
        if severity not in SEVERITIES:
            raise ConfigError(f'Unknown severity "{severity}".', hint=f"use one of: {', '.join(SEVERITIES)}")
        return Findings(found for found in self if reaches(found.severity, severity))

    def with_code(self, code: str) -> Findings:
        """Return the findings of one check."""
        return Findings(found for found in self if found.code == code)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per finding, with the sentence as text."""
        names = ("code", "name", "columns", "severity", "status", "observed", "limit", "n_people", "n_total", "message")
        at = {"columns": "subject"}
        rows = (
            tuple(str(f.message) if name == "message" else getattr(f, at.get(name, name)) for name in names)
            for f in self
        )
        return frame(names, list(rows))


class Combinations(tuple[Combination, ...]):
    """The combinations of quasi-identifiers of a report, worst first."""

    __slots__ = ()

    def __repr__(self) -> str:
        worst = f"; worst {' + '.join(self[0].columns)}: k = {self[0].k_min}" if self else ""
        return f"Combinations({len(self)}{worst})"

    def _repr_html_(self) -> str:
        from privaudit.report.pages import notebook_tables

        return notebook_tables.combinations(self)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per combination: columns, k, uniques, classes, share below the k of the policy."""
        names = ("columns", "k_min", "n_unique", "share_unique", "n_classes", "mean_class_size", "share_below_k")
        return frame(names, [tuple(getattr(one, name) for name in names) for one in self])


class Advice(tuple[Remedy, ...]):
    """The measured remedies of a report, best first."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Advice({len(self)} remedies)" if self else "Advice(none)"

    def _repr_html_(self) -> str:
        from privaudit.report.pages import notebook_tables

        return notebook_tables.advice(self)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per remedy: what to do, loss, findings resolved, k and records below it."""
        counts = ("k_min", "n_below_k")
        names = ["technique", "columns", "remedy", "utility_cost", "resolves", "passes"]
        names += [f"{name}_{when}" for when in ("before", "after") for name in counts]
        rows = [
            (
                *(one.technique, one.columns, str(one.text), one.utility_cost),
                *(tuple(found.code for found in one.resolves), one.passes),
                *(effect.get(name) for effect in (one.before, one.after) for name in counts),
            )
            for one in self
        ]
        return frame(names, rows)


def frame(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> pd.DataFrame:
    """Return rows as a frame.

    Raises
    ------
    ConfigError
        If pandas is not installed.
    """
    try:
        import pandas
    except ImportError:
        raise ConfigError("A frame needs an extra that is not installed.", hint=FRAMES.install) from None
    return pandas.DataFrame(list(rows), columns=list(names))
