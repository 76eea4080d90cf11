"""Judge the remedied table again: does the gate pass, and if not, what is still open and why?

Question: what would the gate decide after a plan?
Method: the evidence of the remedied table is judged by the same rulebook under the same policy and acceptances. The
gate passes where no open finding is at or above the severity that fails it and nothing is left incomplete.
Limits: as those of `advice.effect.remedied_evidence`; a scan of the remedied table confirms the decision.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.advice.effect.remedied_evidence import Outcome, remedied_evidence
from privaudit.advice.effect.resolved_findings import Case, reference
from privaudit.advice.effect.trial_table import TrialTable
from privaudit.base.records import dataclass
from privaudit.model import Evidence, Finding, FindingRef, Limit, OpenFinding
from privaudit.model.vocabulary.families import family
from privaudit.model.wording import Count, Fact, Threshold, fact
from privaudit.risk.codes.coded import CodedTable
from privaudit.rulebook import judge

_POPULATION = ("risk.population_unique", "risk.journalist_max")
"""Measures against the population."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate would decide.

    Attributes
    ----------
    open : tuple of Finding
        What would still fail the gate.
    unassessed : tuple of Limit
        What would still be incomplete.
    findings : tuple of Finding
        All findings after the plan.
    unmeasured : tuple of str
        What the scan measured and the plan does not measure again: "attacks", "population", "weights".
    """

    open: tuple[Finding, ...]
    unassessed: tuple[Limit, ...]
    findings: tuple[Finding, ...]
    unmeasured: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        """Whether the gate would pass."""
        return not self.open and not self.unassessed


@dataclass(frozen=True)
class PlanCheck:
    """The case and the tables by which plans are judged.

    Attributes
    ----------
    trial : TrialTable or None
        The table on which plans are searched; None without quasi-identifiers.
    everything : CodedTable or None
        Quasi-identifiers and sensitive attributes.
    population : CodedTable or None
        The quasi-identifiers of a population table that contains the table, over the same dictionaries.
    """

    case: Case
    trial: TrialTable | None = None
    everything: CodedTable | None = None
    population: CodedTable | None = None

    def decide(self, outcome: Outcome) -> Decision:
        """Return what the gate would decide after `outcome`."""
        evidence, settings = self.case.evidence, self.case.settings
        made = remedied_evidence(evidence, outcome, self.trial, self.everything, settings, self.population)
        judged = judge(made, self.case.policy, rules=settings.rules_folder, accept=settings.accept)
        findings = (*judged.findings, *self._not_judged_again(made, judged.findings))
        return Decision(
            self.case.failing(findings),
            tuple(limit for limit in judged.limits if limit.incomplete),
            findings,
            self._unmeasured(made),
        )

    def _not_judged_again(self, made: Evidence, judged: Sequence[Finding]) -> tuple[Finding, ...]:
        """Return the findings that no longer fire only because their measure was not taken again."""
        if "population" not in self._unmeasured(made):
            return ()
        fired = {finding.fingerprint for finding in judged}
        return tuple(f for f in self.case.open if f.measure in _POPULATION and f.fingerprint not in fired)

    def _unmeasured(self, made: Evidence) -> tuple[str, ...]:
        """Return what the evidence of the table has and that of the remedied table lacks, or has as it was."""
        risk, again = self.case.evidence.risk, made.risk
        lacks_population = risk is not None and risk.population is not None and again is not None
        absent = {
            "attacks": bool(self.case.evidence.attacks),
            "population": lacks_population and again is not None and again.population is None,
            "weights": risk is not None and risk.weighted is not None,
        }
        return tuple(name for name, is_absent in absent.items() if is_absent)

    def resolved(self, before: Sequence[Finding], decision: Decision) -> tuple[FindingRef, ...]:
        """Return which of the findings `before` are no longer reported, or no longer fail the gate."""
        least = {f.fingerprint for f in self.case.failing(before)}
        still = {f.fingerprint: f for f in decision.findings}
        kept = {f.fingerprint for f in decision.open}
        return tuple(
            reference(finding)
            for finding in before
            # A finding that stays but no longer fails the gate counts as resolved: the plan was made for the gate.
            if finding.fingerprint not in still or (finding.fingerprint in least and finding.fingerprint not in kept)
        )

    def remaining(self, decision: Decision, n_records: int, allowed: float) -> tuple[OpenFinding, ...]:
        """Return the findings that would still fail the gate, each with the reason."""
        return tuple(
            OpenFinding(finding=reference(finding), because=self._reason(finding, decision, n_records, allowed))
            for finding in decision.open
        )

    def _reason(self, finding: Finding, decision: Decision, n_records: int, allowed: float) -> Fact:
        is_population = finding.measure in _POPULATION and "population" in decision.unmeasured
        if family(finding.measure).attack or is_population:
            return fact("advice.because_not_measured_again")
        about_records = family(finding.measure).suppression
        if about_records and n_records < self.case.policy.k:
            records = Count(n_records, unit="record")
            return fact("advice.because_too_few", records=records, k=Threshold(self.case.policy.k))
        if about_records:
            return fact("advice.because_too_much_suppressed", allowed=Threshold(allowed))
        if set(finding.subject) & set(self.case.settings.keep):
            return fact("advice.because_kept")
        return fact("advice.because_content")
