"""What a program calls: `scan`, `attack`, `judge`, `load` and the report they return.

Question: how does a notebook or a pipeline ask privaudit?
Method: keyword arguments become `Settings`; the stages run; the wire record is wrapped in a `ScanReport` that
knows how to write, show and gate itself.
Limits: holds no measurement of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from privaudit.config import Progress, Settings, check, silent
from privaudit.errors import ConfigError, GateFailed
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
            raise ConfigError(f'"{severity}" is no severity.', hint="one of " + ", ".join(SEVERITIES))
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
            raise GateFailed(reason, hint=f"{len(self.reasons)} reasons in all")


class ScanReport:
    """A judged report: measured evidence, findings, controls, advice.

    Attributes mirror the keys of ``report.json``. In a notebook the report shows itself.
    """

    def __init__(self, wire: Report) -> None:
        self.wire = wire

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
        from privaudit.errors import ColumnNotFound

        for found in self.wire.columns:
            if found.name == name:
                return found
        raise ColumnNotFound.among(name, self.dataset.name, (c.name for c in self.wire.columns))

    def write(self, path: str | Path, *, edition: Literal["full", "public"] = "full") -> None:
        """Write the report; the suffix (.html, .json, .md) says in which format.

        The public edition shows counts of 1 to 10, and what follows from them, as "<11".
        """
        from privaudit.report import write

        write(self.wire, path, edition=edition)

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
                "kind": c.kind,
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


def scan(
    source: Any,
    *,
    policy: str = "public",
    seed: int = 0,
    auxiliary: Any = None,
    framework: Iterable[str] | str | None = None,
    progress: Progress = silent,
    scores: str | Path | None = None,
    **settings: Any,
) -> ScanReport:
    """Measure, judge and advise.

    Parameters
    ----------
    source : path or table
        A file, ``file.xlsx#sheet``, ``file.sqlite#table``, or a pandas, Polars, PyArrow or Ibis table, or
        anything with ``__arrow_c_stream__``.
    policy : str
        A shipped policy or the path of a policy file.
    seed : int
        Decides every sample; the same seed gives the same report.
    auxiliary : path or table, optional
        What an attacker is assumed to hold; it is linked to the table.
    framework : str or several, optional
        Frameworks whose controls are answered.
    progress : callable, optional
        Called with the stage and the share of it that is done.
    scores : path, optional
        Where to write class size and special-unique scores of every row, by row number.
    **settings
        Any other option of `privaudit.config.Settings`, by its name.

    Returns
    -------
    ScanReport

    Raises
    ------
    SourceError, ConfigError
        For a table that cannot be read as asked, or a wrong option (exit code 2).
    ScanIncomplete, EngineError
        Where nothing could be assessed (exit code 3).
    """
    from privaudit.pipeline import run_stages

    chosen = _settings(settings, policy=policy, seed=seed, framework=framework)
    target = None if scores is None else Path(scores)
    return ScanReport(run_stages(source, chosen, auxiliary=auxiliary, progress=progress, scores=target))


def attack(
    release: Any, *, auxiliary: Any, progress: Progress = silent, seed: int = 0, **settings: Any
) -> ScanReport:
    """Link `release` to `auxiliary` and count what the attacker gets, without the search over combinations.

    Parameters
    ----------
    release, auxiliary : path or table
    on : mapping of release column to auxiliary column, optional
        What to link on; found by name, kind and overlap of values where absent.
    truth : mapping of release column to auxiliary column, optional
        Columns that name the same person on both sides, used only to count the correct links.
    """
    from privaudit.pipeline import ATTACK_STAGES, run_stages

    chosen = _settings({"ner": False, **settings}, seed=seed)
    wire = run_stages(release, chosen, auxiliary=auxiliary, stages=ATTACK_STAGES, progress=progress)
    about_links = tuple(found for found in wire.findings if found.code.startswith(("LNK", "RUN")))
    from privaudit.gate import decide

    gate = decide(about_links, wire.limits, wire.policy, chosen.fail_on)
    return ScanReport(replace(wire, findings=about_links, controls=(), gate_=gate))


def judge(
    report: ScanReport | str | Path,
    *,
    policy: str | None = None,
    framework: Iterable[str] | str | None = None,
    fail_on: Severity | None = None,
) -> ScanReport:
    """Judge a saved report again, under another policy or framework, without the data.

    Parameters
    ----------
    report : ScanReport or path of a report.json
    policy : str, optional
        Kept as it was where absent.
    framework : str or several, optional
        Kept as they were where absent.
    """
    from privaudit.gate import decide
    from privaudit.rulebook import judge as judge_evidence
    from privaudit.rulebook import load_policy, measured_limits

    wire = report.wire if isinstance(report, ScanReport) else load(report).wire
    rules = load_policy(policy) if policy is not None else wire.policy
    frameworks = _several(framework) or tuple(dict.fromkeys(control.framework for control in wire.controls))
    judgement = judge_evidence(wire.evidence, rules, frameworks)
    limits = measured_limits(wire.limits) + judgement.limits
    if wire.advice and rules.k != wire.policy.k:
        limits += (
            Limit(
                what="advice",
                why=f"remedies were measured for k = {wire.policy.k}; scan again to measure them for {rules.k}",
            ),
        )
    return ScanReport(
        replace(
            wire,
            policy=rules,
            combinations=judgement.combinations,
            risk=judgement.risk,
            findings=judgement.findings,
            controls=judgement.controls,
            limits=limits,
            gate_=decide(judgement.findings, limits, rules, fail_on),
        )
    )


def load(path: str | Path) -> ScanReport:
    """Read a report.json."""
    from privaudit.report import read

    return ScanReport(read(path))


def explain(code: str) -> str:
    """Return what a check, a policy, a control or an entity is, in plain words."""
    from privaudit.rulebook import explain as explain_code

    return str(explain_code(code))


def _several(value: Iterable[str] | str | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def _settings(values: Mapping[str, Any], **named: Any) -> Settings:
    chosen = dict(values)
    framework = _several(named.pop("framework", None))
    if framework:
        chosen["framework"] = framework
    return Settings(**check({**chosen, **named}, where="the arguments"))
