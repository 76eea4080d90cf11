"""The order of findings: the worst first, whatever family of checks they belong to.

Question: which finding must be read first, and which findings have the same cause?
Method: by severity; among equally severe ones, values that identify a person without further knowledge come first, then
what an attacker with auxiliary data discloses, then what the columns contain; then by the number of people. Findings of
one cause are one group, as are findings of one check about several columns.
Limits: severities are decided by the rules, not here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from privaudit.model import Finding, Report

SEVERITY_RANK = {"critical": 0, "high": 1, "medium": 2, "low": 3, "info": 4}

_IDENTIFYING = ("pii.", "names.")
"""Groups of measures of values that identify a person by themselves."""
_DISCLOSING = ("attack.", "class.", "risk.", "diversity.", "closeness.", "cells.")
"""Groups of measures that count who can be re-identified, or whose sensitive value is disclosed."""


@dataclass(frozen=True, slots=True)
class Group:
    """Findings that are read together, the worst first; ``same_cause`` where one treatment resolves all of them."""

    findings: tuple[Finding, ...]
    same_cause: bool

    @property
    def worst(self) -> Finding:
        """The finding that stands for the group."""
        return self.findings[0]


def rank(finding: Finding) -> tuple[int, int, int, str, tuple[str, ...]]:
    """Return the sort key of a finding; the worst is the smallest."""
    kind = 0 if finding.measure.startswith(_IDENTIFYING) else 1 if finding.measure.startswith(_DISCLOSING) else 2
    return SEVERITY_RANK[finding.severity], kind, -(finding.n_people or 0), finding.code, finding.subject


def ranked(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings, the worst first."""
    return sorted(findings, key=rank)


def still_open(report: Report) -> list[Finding]:
    """Return the findings that nobody has accepted, the worst first."""
    return ranked(finding for finding in report.findings if finding.status == "open")


def blocks(finding: Finding, report: Report) -> bool:
    """Whether a finding is severe enough for the gate of the policy."""
    return SEVERITY_RANK[finding.severity] <= SEVERITY_RANK[report.policy.fail_on]


def fails(finding: Finding, report: Report) -> bool:
    """Whether a finding fails the gate of the report: open, and as severe as the gate requires."""
    least = report.gate_.fail_on or report.policy.fail_on
    return finding.status == "open" and SEVERITY_RANK[finding.severity] <= SEVERITY_RANK[least]


def grouped(findings: Iterable[Finding]) -> list[Group]:
    """Return findings by cause, or by check and severity where no cause is named, in the order of the worst."""
    members: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        key = ("cause", finding.group) if finding.group else ("check", finding.severity, finding.code)
        members.setdefault(key, []).append(finding)
    return [Group(tuple(group), key[0] == "cause") for key, group in members.items()]
