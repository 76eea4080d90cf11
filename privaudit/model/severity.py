"""Which findings fail, and in which order they are read.

Question: does a finding fail, and which of two findings comes first?
Method: an open finding fails at or above a severity. The most severe comes first; among equally severe ones, values
that identify a person without further knowledge, then what an attacker with auxiliary data discloses, then what the
columns contain; then the finding about more people.
Limits: the rules decide how severe a finding is. Which severity fails is stated by the policy, or by ``--fail-on``
instead of it (`Report.fail_on`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from privaudit.model.judgement import Finding
from privaudit.model.vocabulary.families import Reveals, family
from privaudit.model.vocabulary.records import Severity, severity_level

_FIRST: dict[Reveals, int] = {"identity": 0, "disclosure": 1, "content": 2}


def reaches(severity: Severity, least: Severity) -> bool:
    """Whether a severity is `least` or worse."""
    return severity_level(severity) >= severity_level(least)


def fails(finding: Finding, least: Severity) -> bool:
    """Whether a finding fails a gate that fails from the severity `least` on: it is open, and severe enough."""
    return finding.status == "open" and reaches(finding.severity, least)


def order(finding: Finding) -> tuple[int, int, int, str, tuple[str, ...], str]:
    """Return the sort key of a finding; the worst is the smallest."""
    return (
        -severity_level(finding.severity),
        _FIRST[family(finding.measure).reveals],
        -(finding.n_people or 0),
        finding.code,
        finding.subject,
        finding.fingerprint,
    )


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings, the worst first."""
    return sorted(findings, key=order)


def open_by(findings: Iterable[Finding], keys: Callable[[Finding], Iterable[str]]) -> dict[str, Counter[str]]:
    """Return how many findings of each severity are open for each key: a column, or a check."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for finding in findings:
        for key in keys(finding) if finding.status == "open" else ():
            found[key][finding.severity] += 1
    return found
