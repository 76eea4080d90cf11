"""Advice on a table of which only the columns were measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from privaudit.advice.advise import AdviceResult, advise
from privaudit.advice.effect.resolved_findings import Case
from privaudit.advice.lattices.lattice import Lattice
from privaudit.model import ColumnReport, DatasetInfo, Evidence, Finding, PolicyInfo
from privaudit.risk.codes.coded import CodedTable
from privaudit.settings.config import Settings


def advised(
    coded: CodedTable | None,
    columns: Sequence[ColumnReport],
    findings: Sequence[Finding],
    policy: PolicyInfo,
    settings: Settings | None = None,
    **more: Any,
) -> AdviceResult:
    """Return the remedies for a table of which nothing but `columns` and `findings` is known."""
    n_rows = coded.n_rows if coded is not None else max((column.n_rows for column in columns), default=0)
    dataset = DatasetInfo(name="", fingerprint="", format="", engine="", n_rows=n_rows, n_columns=len(columns))
    evidence = Evidence(
        dataset=dataset, columns=tuple(columns), combinations=(), risk=None, attacks=(), limits=(), seed=0
    )
    return advise(Case(evidence, tuple(findings), policy, settings or Settings()), coded, **more)


def measure(
    trial: Any, recodings: Mapping[str, Any], *, suppress: bool = False, loss: Any = None, protection: Any = None
) -> Any:
    """Return risk and cost after recodings; with `suppress`, after suppressing the classes that fail."""
    ladders = {n: (same, recodings[n]) if n in recodings else (same,) for n, same in trial.untouched.items()}
    lattice = Lattice(trial, ladders, loss, protection)
    return lattice.measure(tuple(int(n in recodings) for n in trial.names), suppress=suppress)
