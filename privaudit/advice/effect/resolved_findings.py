"""Which findings would a remedy resolve?

Question: if the table were recoded and judged again, which findings would no longer be reported?
Method: findings about classes are measured again on the recoded classes, over their columns and against the same
limits. Findings about one column are judged again by the rulebook on what the column would be afterwards.
Limits: a finding that cannot be measured again on codes never counts as resolved, and neither does one about classes
that count people. A plan is judged again as a whole by `advice.plans.check`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from privaudit.advice.effect.remedied_evidence import Outcome, remedied_column
from privaudit.advice.effect.trial_table import Effect, TrialTable
from privaudit.advice.technique import Recoding
from privaudit.advice.technique.protection import Protection
from privaudit.base.records import dataclass
from privaudit.model import ColumnReport, Evidence, Finding, FindingRef, PolicyInfo, Risk, Severity, fails, order
from privaudit.risk.codes.coded import CodedTable, number_classes
from privaudit.risk.codes.row_keys import sums
from privaudit.risk.measures.diversity import diversity
from privaudit.rulebook import findings_of
from privaudit.settings.config import Settings

_ROUNDING = 1e-9


def reference(finding: Finding) -> FindingRef:
    """Return a finding by code, subject and fingerprint."""
    return FindingRef(code=finding.code, subject=finding.subject, fingerprint=finding.fingerprint)


@dataclass(frozen=True)
class Case:
    """What remedies are measured for: a judged table.

    Attributes
    ----------
    findings : tuple of Finding
        Those of all states.
    settings : Settings
        Those of the scan.
    """

    evidence: Evidence
    findings: tuple[Finding, ...]
    policy: PolicyInfo
    settings: Settings

    @cached_property
    def open(self) -> tuple[Finding, ...]:
        """The findings that nobody has accepted."""
        return tuple(finding for finding in self.findings if finding.status == "open")

    def failing(self, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """Return the findings that fail the gate."""
        return tuple(finding for finding in findings if fails(finding, self.least))

    @property
    def least(self) -> Severity:
        """The severity that fails the gate."""
        return self.settings.fail_on or self.policy.fail_on


class ColumnFindings:
    """Judges single columns of a case again after a remedy."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.columns = {column.name: column for column in case.evidence.columns}
        self._about: dict[str, list[Finding]] = {}
        for finding in case.open:
            if len(finding.subject) == 1:
                self._about.setdefault(finding.subject[0], []).append(finding)
        self._fired: dict[tuple[object, ...], dict[str, Finding]] = {}

    def open_about(self, column: str) -> Sequence[Finding]:
        """Return the findings about a column alone that nobody has accepted."""
        return self._about.get(column, ())

    def resolved(self, column: str, technique: str, recoding: Recoding | None = None) -> tuple[Finding, ...]:
        """Return the findings about the content of a column that a remedy resolves.

        A finding is resolved where its check no longer fires, or no longer fires with a severity that fails the gate.
        """
        if column not in self._about or column not in self.columns:
            return ()  # a column is judged alone only where something was found about it
        now = self._codes(column, "keep", None)
        about = [f for f in self._about[column] if f.code in now]
        if not about:
            return ()
        still = self._codes(column, technique, recoding)
        return tuple(f for f in about if f.code not in still or self._passes_now(now[f.code], still[f.code]))

    def _passes_now(self, before: Finding, after: Finding) -> bool:
        return fails(before, self.case.least) and not fails(after, self.case.least)

    def about(self, column: str) -> tuple[Finding, ...]:
        """Return the findings about the content of a column."""
        return self.resolved(column, "drop")

    def beyond_classes(self, column: str) -> tuple[Finding, ...]:
        """Return the findings about the content of a column that fail the gate also in classes within the policy."""
        risk, report = self.case.evidence.risk, self.columns.get(column)
        about = self.about(column)
        if risk is None or report is None or not about:
            return about
        within = replace(risk, k_min=max(risk.k_min, self.case.policy.k), marginal={}, diversity={})
        still = self._judge(report, within)
        return tuple(f for f in about if f.code in still and fails(still[f.code], self.case.least))

    def _codes(self, column: str, technique: str, recoding: Recoding | None) -> dict[str, Finding]:
        """Return the worst finding of each check that still fires on a column, judged alone, after a remedy.

        Only checks that had a finding about the column are run.
        """
        report = self.columns.get(column)
        made = None if report is None else remedied_column(report, technique, recoding)
        if made is None:
            return {}
        left = "keep" if made is report else technique
        key = (column, left, repr((made.date_precision, made.geo_precision, sorted(made.measurements.items()))))
        if key not in self._fired:
            self._fired[key] = self._judge(made)
        return self._fired[key]

    def _judge(self, column: ColumnReport, risk: Risk | None = None) -> dict[str, Finding]:
        alone = replace(
            self.case.evidence, columns=(column,), combinations=(), risk=risk, attacks=(), limits=(), potential=None
        )
        about = {finding.code for finding in self._about[column.name]}
        found = findings_of(about, alone, self.case.policy, self.case.settings.rules_folder)
        worst: dict[str, Finding] = {}
        for finding in sorted(found, key=order):
            if finding.subject == (column.name,):
                worst.setdefault(finding.code, finding)
        return worst


class Reassessment:
    """Measures findings again after a remedy.

    Parameters
    ----------
    trial : TrialTable or None
        Over the quasi-identifiers.
    everything : CodedTable or None
        Quasi-identifiers and sensitive attributes together, where diversity is to be measured again.
    """

    def __init__(self, case: Case, trial: TrialTable | None = None, everything: CodedTable | None = None) -> None:
        self.case, self.trial, self.everything = case, trial, everything
        self.column_findings = ColumnFindings(case)
        self._selected: dict[tuple[str, ...], CodedTable] = {}
        self._held: dict[int, np.typing.NDArray[np.int64]] = {}

    def resolved(self, columns: Sequence[str], outcome: Outcome, after: Effect) -> tuple[FindingRef, ...]:
        """Return the findings about `columns`, or about all classes, that would be resolved."""
        by_column = {
            finding.fingerprint
            for column, recoding in outcome.recodings.items()
            for finding in self.column_findings.resolved(column, recoding.technique, recoding)
        }
        found = []
        for finding in self.case.open:
            concerned = set(columns) & set(finding.subject) or finding.code in _ALL_CLASSES
            if finding.fingerprint in by_column or (concerned and self._is_resolved(finding, outcome, after)):
                found.append(reference(finding))
        return tuple(found)

    def resolved_by_treating(self, column: str, technique: str) -> tuple[FindingRef, ...]:
        """Return the findings resolved by treating a column that is not a quasi-identifier."""
        found = self.column_findings.resolved(column, technique)
        if technique == "drop":
            found += tuple(f for f in self.case.open if f.subject == (column,) and f.code in _DIVERSITY)
        return tuple(reference(finding) for finding in found)

    def _is_resolved(self, finding: Finding, outcome: Outcome, after: Effect) -> bool:
        """Return whether a finding about classes would be resolved; False where that is not known."""
        if self.trial is None or self.trial.coded.people is not None:
            return False
        if finding.code in _OVER_ALL:
            return _OVER_ALL[finding.code](after, self.case.policy)
        if finding.code in ("QI004", "QI005"):
            sizes = self._sizes(finding.subject, outcome)
            least = 2 if finding.code == "QI004" else self.case.policy.k
            return sizes is not None and not bool((sizes < least).any())
        return finding.code in _DIVERSITY and self._is_diverse(finding, outcome, after)

    def _sizes(self, columns: Sequence[str], outcome: Outcome) -> np.typing.NDArray[np.int64] | None:
        """Return the class sizes over some of the quasi-identifiers after the remedy."""
        trial = self.trial
        if trial is None or not set(columns) <= set(trial.names):
            return None
        table = trial.coded if outcome.protection else self._over(tuple(columns))
        weights = table.weights
        if outcome.protection is not None:
            labels, sizes = trial.labels(outcome.recodings)
            weights = np.where(outcome.protection.failing(sizes, labels)[labels], 0, weights)
        labels, n_classes = trial.classes(columns, outcome.recodings, table)
        found = sums(labels, weights, n_classes)
        return found[found > 0]

    def free_tables(self) -> None:
        """Free the tables over some columns, which single remedies are judged by: plans need the memory."""
        self._selected.clear()

    def _over(self, columns: tuple[str, ...]) -> CodedTable:
        """Return the table over some columns, cached because many remedies are judged by the same findings."""
        assert self.trial is not None
        if columns not in self._selected:
            self._selected[columns] = self.trial.coded.select(columns)
        return self._selected[columns]

    def _is_diverse(self, finding: Finding, outcome: Outcome, after: Effect) -> bool:
        """Measure l or t of a sensitive attribute again over the recoded classes."""
        table, trial = self.everything, self.trial
        column = finding.subject[0] if len(finding.subject) == 1 else None
        if table is None or trial is None or column is None or column not in table.names:
            return False
        if outcome.protection is None and self._is_too_small(finding, table, after.k_min):
            return False
        labels, n_classes = trial.classes(trial.names, outcome.recodings, table)
        sizes, rows = sums(labels, table.weights, n_classes), np.ones(table.n_distinct, dtype=bool)
        if outcome.protection is not None:
            out = self._failing(outcome.protection, table, labels, sizes)
            rows = ~out[labels]
            _, labels = np.unique(labels[rows], return_inverse=True)
        if not rows.any():
            return False
        at = table.index(column)
        values = table.codes[at][rows]
        found = diversity(labels, table.weights[rows], values, len(table.dictionaries[at]) + 1)
        if finding.code == "SEN001":
            least = min(self.case.policy.l or 1, found.n_values or 1)
            return (found.l_distinct or 0) >= least
        distance = found.t_closeness.equal if found.t_closeness else None
        return self.case.policy.t is None or (distance is not None and distance <= self.case.policy.t)

    def _is_too_small(self, finding: Finding, table: CodedTable, k: int) -> bool:
        """Whether a class of `k` records cannot be diverse: it has at most k of the values of the attribute."""
        at = table.index(finding.subject[0])
        if at not in self._held:
            self._held[at] = sums(table.codes[at], table.weights, len(table.dictionaries[at]) + 1)
        held = self._held[at]
        if finding.code == "SEN001":
            return k < min(self.case.policy.l or 1, int((held > 0).sum()))
        return (
            self.case.policy.t is not None and 1 - k * float(held.max()) / table.n_rows > self.case.policy.t + _ROUNDING
        )

    def _failing(
        self,
        protection: Protection,
        table: CodedTable,
        labels: np.typing.NDArray[np.int64],
        sizes: np.typing.NDArray[np.int64],
    ) -> np.typing.NDArray[np.bool_]:
        """Return the classes that fail; `labels` has one entry for each row of `table`."""
        assert self.trial is not None
        rows, n = number_classes(table, self.trial.names)
        members = np.zeros(n, dtype=np.int64)
        members[rows] = labels
        return protection.failing(sizes, members)


_OVER_ALL: dict[str, Callable[[Effect, PolicyInfo], bool]] = {
    "QI001": lambda after, policy: after.n_records > 0 and after.k_min >= policy.k,
    "RSK001": lambda after, policy: after.n_records > 0 and after.k_min >= policy.k,
    "QI002": lambda after, policy: after.n_records > 0 and after.share_below_k <= policy.share_below_k,
    "RSK003": lambda after, policy: 0 < after.n_classes * policy.k <= after.n_records,
    "QI003": lambda after, policy: policy.uniques is None or after.n_unique <= policy.uniques,
}

_DIVERSITY = ("SEN001", "SEN002")
_ALL_CLASSES = frozenset({*_OVER_ALL, *_DIVERSITY})
