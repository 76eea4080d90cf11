"""The report a program holds: findings to filter, a gate to stop on, files to write.

Question: what can be asked of a finished scan?
Method: `ScanReport` wraps the wire record; its attributes are the keys of ``report.json``.
Limits: measures and judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from privaudit.errors import ColumnNotFound, ConfigError, GateFailed
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
)

if TYPE_CHECKING:
    import pandas as pd


class Findings(tuple[Finding, ...]):
    """The findings of a report, worst first."""

    __slots__ = ()

    def at_least(self, severity: Severity) -> Findings:
        """Return the findings of `severity` or worse."""
        if severity not in SEVERITIES:
            raise ConfigError(f'Unknown severity "{severity}".', hint=f"use one of: {', '.join(SEVERITIES)}")
        floor = SEVERITIES.index(severity)
        return Findings(found for found in self if SEVERITIES.index(found.severity) >= floor)

    def with_code(self, code: str) -> Findings:
        """Return the findings of one check."""
        return Findings(found for found in self if found.code == code)


class GateDecision:
    """The gate's decision, with the way to stop a program on it."""

    def __init__(self, result: GateResult) -> None:
        self.passed = result.passed
        self.exit_code = result.exit_code
        self.reasons = result.reasons

    def __repr__(self) -> str:
        return f"GateDecision(passed={self.passed}, exit_code={self.exit_code})"

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


class ScanReport:
    """A judged report: measured evidence, findings, controls, advice.

    Attributes mirror the keys of ``report.json``. In a notebook the report shows itself.
    """

    def __init__(self, wire: Report, inputs: Iterable[str | Path] = ()) -> None:
        self.wire = wire
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
    def columns(self) -> tuple[ColumnReport, ...]:
        """One record per column, in the table's order."""
        return self.wire.columns

    @property
    def combinations(self) -> tuple[Combination, ...]:
        """Quasi-identifier combinations, worst first."""
        return self.wire.combinations

    @property
    def risk(self) -> Risk | None:
        """Risk over all quasi-identifiers together; None where none were found."""
        return self.wire.risk

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
    def advice(self) -> tuple[Remedy, ...]:
        """Measured remedies, best first."""
        return self.wire.advice

    @property
    def limits(self) -> tuple[Limit, ...]:
        """What was not measured."""
        return self.wire.limits

    @property
    def timings(self) -> Mapping[str, float]:
        """Seconds a stage."""
        return self.wire.timings

    def gate(self, *, fail_on: Severity | None = None) -> GateDecision:
        """Return the gate's decision, as it was made or under another severity."""
        if fail_on is None:
            return GateDecision(self.wire.gate_)
        from privaudit.gate import decide

        return GateDecision(decide(self.wire.findings, self.wire.limits, self.wire.policy, fail_on))

    def column(self, name: str) -> ColumnReport:
        """Return one column by its name."""
        for found in self.wire.columns:
            if found.name == name:
                return found
        raise ColumnNotFound.among(name, self.dataset.name, (c.name for c in self.wire.columns))

    def write(self, path: str | Path, *, edition: Literal["full", "public"] = "full") -> None:
        """Write the report; the suffix (.html, .json, .md) selects the format.

        The public edition shows counts of 1 to 10, and what follows from them, as "<11".
        """
        from privaudit.report import write

        write(self.wire, path, edition=edition, inputs=self._inputs)

    def to_json(self) -> str:
        """Return ``report.json`` as text."""
        from privaudit.report import render

        return render(self.wire, "json")

    def to_frame(self) -> pd.DataFrame:
        """Return one row per column: kind, counts, entity, role."""
        import pandas as pd

        rows = [
            {
                "column": c.name,
                "kind": c.data_type,
                "n_missing": c.n_missing,
                "n_distinct": c.n_distinct,
                "uniqueness": c.uniqueness,
                "entity": c.is_.entity if c.is_ else None,
                "contains": ", ".join(found.entity for found in c.contains),
                "role": c.role,
            }
            for c in self.wire.columns
        ]
        return pd.DataFrame(rows)

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
