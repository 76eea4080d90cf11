"""Run the cases of the checks: small evidence as data, and whether the check fires on it.

Question: does each check fire, and stay silent, as its cases state?
Method: the evidence of a case is built into the same records a scan fills, and the check is run on it as in a scan.
Limits: a case tests one check; consistency between packs is validated when they are loaded.
"""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path

from privaudit.base.errors import RuleError
from privaudit.base.records import dataclass
from privaudit.model import PolicyInfo
from privaudit.rulebook.case_evidence import build_acceptance, build_answer, build_evidence
from privaudit.rulebook.case_records import CaseEvidence
from privaudit.rulebook.judge import run
from privaudit.rulebook.load import load_checks
from privaudit.rulebook.measurement import Context
from privaudit.rulebook.packs import Case, Check, check_record
from privaudit.rulebook.policy import load_policy


@dataclass(frozen=True, kw_only=True)
class CaseResult:
    """The result of one case; ``why`` is empty where it passed."""

    check: str
    case: str
    passed: bool
    why: str = ""

    @property
    def name(self) -> str:
        """Check and case on one line."""
        return f"{self.check}: {self.case}"


def test_rules(folder: Path | None = None) -> tuple[CaseResult, ...]:  # noqa: PT028 - not a test of the suite
    """Run the cases of every shipped check, and of those in the user's `folder`.

    Raises
    ------
    RuleError
        For a pack that fails validation.
    """
    return tuple(run_case(check, case) for check in load_checks(folder) for case in check.case)


test_rules.__test__ = False  # type: ignore[attr-defined]  # not a test of the suite


def _policy(case: Case) -> PolicyInfo:
    policy = load_policy(case.policy)
    unknown = sorted(set(case.limits) - set(policy.origins))
    if unknown:
        raise RuleError(f'The case "{case.name}" sets "{unknown[0]}", which is not a threshold.')
    return replace(policy, **case.limits)  # type: ignore[arg-type]  # the names were compared, numbers are thresholds


def run_case(check: Check, case: Case) -> CaseResult:
    """Run `check` on the evidence of `case` and compare the outcome with what the case states."""
    facts = check_record(case.evidence, CaseEvidence, where=f"{check.code}, case {case.name}")
    context = Context(
        evidence=build_evidence(facts),
        policy=_policy(case),
        today=case.today or datetime.date(2026, 1, 1),
        as_of=facts.as_of,
        acceptances=tuple(map(build_acceptance, facts.acceptances)),
        answers=tuple(map(build_answer, facts.answers)),
    )
    outcome = run(check, context)
    first = outcome.fired[0].finding if outcome.fired else None
    expected = {
        "fires": (bool(outcome.fired), case.fires),
        "people": (first.n_people if first else None, case.people),
        "severity": (first.severity if first else None, case.severity),
        "measured": (outcome.run and not outcome.gaps, case.measured),
    }
    wrong = [
        f"{name} is {found}, expected {claimed}"
        for name, (found, claimed) in expected.items()
        if claimed is not None and found != claimed
    ]
    return CaseResult(check=check.code, case=case.name, passed=not wrong, why="; ".join(wrong))
