"""Decide by the checks whether simulated attacks alone let a release pass.

Question: does a release pass that was attacked and not scanned, such as one of invented records?
Method: the checks of attacks, which judge every scan and every `privaudit attack`, are run on the attacks, and the gate
decides over their findings and limits. No other code compares an attack with a limit of the policy.
Limits: no further check is run, and no acceptance applies: those belong to the scan of a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from privaudit.base import clock
from privaudit.base.records import dataclass
from privaudit.model import (
    Attack,
    CheckOutcome,
    DatasetInfo,
    Evidence,
    Finding,
    GateResult,
    Limit,
    PolicyInfo,
    Severity,
    worst_first,
)
from privaudit.model.vocabulary.families import family
from privaudit.rulebook.gate import decide
from privaudit.rulebook.judge import run
from privaudit.rulebook.load import load_checks
from privaudit.rulebook.measurement import Context
from privaudit.rulebook.outcome import check_outcome

_NOTHING_SCANNED = DatasetInfo(name="", fingerprint="", format="", engine="", n_rows=0, n_columns=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackVerdict:
    """What the checks and the gate say about some attacks.

    Attributes
    ----------
    findings : tuple of Finding
        Worst first. A finding is about one attack; its message is a sentence.
    checks : tuple of CheckOutcome
        The checks that were measured, each fired or passed.
    gate : GateResult
        Exit code 0 passed, 1 failed, 3 where an incomplete limit is among those given.
    """

    findings: tuple[Finding, ...]
    checks: tuple[CheckOutcome, ...]
    gate: GateResult


def judge_attacks(
    attacks: Sequence[Attack],
    policy: PolicyInfo,
    *,
    limits: Sequence[Limit] = (),
    fail_on: Severity | None = None,
    rules: Path | None = None,
) -> AttackVerdict:
    """Judge attacks by the checks of attacks under `policy`.

    Parameters
    ----------
    attacks : sequence of Attack
    policy : PolicyInfo
    limits : sequence of Limit
        What could not be measured; an incomplete one leads to exit code 3.
    fail_on : str, optional
        Lowest severity that fails; that of the policy where absent.
    rules : Path, optional
        A folder with further packs of the user.

    Raises
    ------
    RuleError
        For a pack that fails validation.
    """
    evidence = Evidence(
        dataset=_NOTHING_SCANNED, columns=(), combinations=(), risk=None, attacks=tuple(attacks), limits=(), seed=0
    )
    context = Context(evidence=evidence, policy=policy, today=clock.today())
    outcomes = [run(check, context) for check in load_checks(rules) if family(check.measure).attack]
    findings = worst_first(fired.finding for outcome in outcomes for fired in outcome.fired)
    return AttackVerdict(
        findings=tuple(findings),
        checks=measured(check_outcome(outcome, policy) for outcome in outcomes),
        gate=decide(findings, limits, policy, fail_on),
    )


def measured(checks: Iterable[CheckOutcome]) -> tuple[CheckOutcome, ...]:
    """Return the checks of attacks that were measured: those that fired or passed."""
    return tuple(check for check in checks if family(check.measure).attack and check.state in ("fired", "passed"))
