"""The open findings of a report in groups, the worst first.

Question: which findings are read together?
Method: findings of one cause are one group, as are findings of one check about several columns; the worst of a group
stands for it.
Limits: their order and whether one fails are those of `privaudit.model.severity`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from privaudit.base.records import dataclass
from privaudit.model import SEVERITIES, Finding, Report, worst_first


@dataclass(frozen=True, slots=True)
class Group:
    """Findings that are read together, the worst first; ``same_cause`` where one treatment resolves all of them."""

    findings: tuple[Finding, ...]
    same_cause: bool

    @property
    def worst(self) -> Finding:
        """The finding that stands for the group."""
        return self.findings[0]


def still_open(report: Report) -> list[Finding]:
    """Return the findings that nobody has accepted, the worst first."""
    return worst_first(finding for finding in report.findings if finding.status == "open")


def open_by_severity(findings: Iterable[Finding]) -> dict[str, int]:
    """Return how many findings are open of each severity that occurs, the least first."""
    counts = Counter(finding.severity for finding in findings if finding.status == "open")
    return {severity: counts[severity] for severity in SEVERITIES if counts[severity]}


def grouped(findings: Iterable[Finding]) -> list[Group]:
    """Return findings by cause, or by check and severity where no cause is named, in the order of the worst."""
    members: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        key = ("cause", finding.group) if finding.group else ("check", finding.severity, finding.code)
        members.setdefault(key, []).append(finding)
    return [Group(tuple(group), key[0] == "cause") for key, group in members.items()]
