"""Which findings would a remedy resolve?

Question: if the table were recoded and judged again, which findings would no longer be reported?
Method: findings about classes are measured again on the recoded classes, over their columns and against the same
limits. Findings about one column are resolved if the column is dropped, if its rare values or direct identifiers are
treated, or if its precision is reduced to what the policy allows.
Limits: a finding that cannot be measured again on codes never counts as resolved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from privaudit.advice.recoding import Recoding
from privaudit.advice.trial_table import Effect, TrialTable
from privaudit.model import Finding, PolicyInfo
from privaudit.risk.coded import CodedTable, dense_labels, sums
from privaudit.risk.diversity import diversity

COLUMN_FAMILIES = ("PII", "PSN", "DAT", "GEO")
COLUMN_CODES = ("SEN003", "SEN004", "MIN001", "QI005")
MASKED = ("PII001", "PII002", "PII003", "PII006")
REPLACED = ("PSN001", "PSN002", "PSN003", "PSN004")
DATE_LEVELS = ("year", "month", "day", "minute", "second")
DATE_ORDER = {"decade": 0, "year": 0, "quarter": 1, "month": 1}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The state of the table after a remedy."""

    recodings: Mapping[str, Recoding]
    suppressed: bool
    after: Effect


class Reassessment:
    """Measures findings again after a remedy.

    Parameters
    ----------
    trial : TrialTable
        Over the quasi-identifiers.
    findings : sequence of Finding
        Those that are open.
    policy : PolicyInfo
    everything : CodedTable or None
        Quasi-identifiers and sensitive attributes together, where diversity is to be measured again.
    """

    def __init__(
        self,
        trial: TrialTable | None,
        findings: Sequence[Finding],
        policy: PolicyInfo,
        everything: CodedTable | None = None,
    ) -> None:
        self.trial = trial
        self.findings = tuple(findings)
        self.policy = policy
        self.everything = everything
        self._selected: dict[tuple[str, ...], CodedTable] = {}

    def resolved(self, columns: Sequence[str], outcome: Outcome) -> tuple[str, ...]:
        """Return the codes whose findings about `columns`, or about all classes, would all be resolved."""
        concerned: dict[str, list[bool]] = {}
        for finding in self.findings:
            if not set(columns) & set(finding.subject) and finding.code not in _ALL_CLASSES:
                continue
            is_resolved = self._is_resolved(finding, outcome)
            if is_resolved is not None:
                concerned.setdefault(finding.code, []).append(is_resolved)
        return tuple(sorted(code for code, resolved in concerned.items() if all(resolved)))

    def resolved_by_treating(self, column: str, technique: str) -> tuple[str, ...]:
        """Return the codes resolved by treating a column that is not a quasi-identifier."""
        treats = {"drop": _about_column, "mask": MASKED.__contains__, "pseudonymise": REPLACED.__contains__}
        codes = {f.code for f in self.findings if f.subject == (column,) and treats[technique](f.code)}
        return tuple(sorted(codes))

    def required_steps(self, ladders: Mapping[str, Sequence[Recoding]]) -> dict[str, int]:
        """Return for each column the first step that resolves the finding about its precision."""
        found: dict[str, int] = {}
        for finding in self.findings:
            ladder = ladders.get(finding.subject[0], ()) if len(finding.subject) == 1 else ()
            resolving = [i for i, s in enumerate(ladder) if is_column_finding_resolved(finding.code, s, self.policy)]
            if resolving and ladder[resolving[0]].technique != "drop":
                found[finding.subject[0]] = max(resolving[0], found.get(finding.subject[0], 0))
        return found

    def _is_resolved(self, finding: Finding, outcome: Outcome) -> bool | None:
        """Return whether `finding` would be resolved; None where that is not known."""
        if finding.code in _OVER_ALL:
            return _OVER_ALL[finding.code](outcome.after, self.policy)
        if finding.code == "QI004":
            return self._no_unique(finding.subject, outcome)
        if finding.code == "QI005":
            return self._none_rare(finding.subject, outcome)
        if finding.code in ("SEN001", "SEN002"):
            return self._diverse(finding, outcome)
        if len(finding.subject) == 1 and finding.subject[0] in outcome.recodings:
            return is_column_finding_resolved(finding.code, outcome.recodings[finding.subject[0]], self.policy)
        return None

    def _sizes(self, columns: Sequence[str], outcome: Outcome) -> np.typing.NDArray[np.int64] | None:
        """Return the class sizes over some of the quasi-identifiers after the remedy."""
        trial = self.trial
        if trial is None or not set(columns) <= set(trial.names):
            return None
        table = trial.coded if outcome.suppressed else self._over(tuple(columns))
        weights = table.weights
        if outcome.suppressed:
            labels, sizes = trial.labels(outcome.recodings)
            weights = np.where(sizes[labels] >= trial.k, weights, 0)
        codes, widths = trial.recoded(columns, outcome.recodings, table)
        labels, n_classes = dense_labels(codes, widths, length=table.n_distinct)
        found = sums(labels, weights, n_classes)
        return found[found > 0]

    def _over(self, columns: tuple[str, ...]) -> CodedTable:
        """Return the table over some columns, cached because many remedies are judged by the same findings."""
        assert self.trial is not None
        if columns not in self._selected:
            self._selected[columns] = self.trial.coded.select(columns)
        return self._selected[columns]

    def _no_unique(self, columns: Sequence[str], outcome: Outcome) -> bool | None:
        sizes = self._sizes(columns, outcome)
        return None if sizes is None else not bool((sizes == 1).any())

    def _none_rare(self, columns: Sequence[str], outcome: Outcome) -> bool | None:
        sizes = self._sizes(columns, outcome)
        return None if sizes is None else not bool((sizes < self.policy.k).any())

    def _diverse(self, finding: Finding, outcome: Outcome) -> bool | None:
        """Measure l or t of a sensitive attribute again over the recoded classes."""
        table, trial = self.everything, self.trial
        column = finding.subject[0] if len(finding.subject) == 1 else None
        if table is None or trial is None or column is None or column not in table.names:
            return None
        codes, widths = trial.recoded(trial.names, outcome.recodings, table)
        labels, n_classes = dense_labels(codes, widths, length=table.n_distinct)
        sizes, rows = sums(labels, table.weights, n_classes), np.ones(table.n_distinct, dtype=bool)
        if outcome.suppressed:
            rows = sizes[labels] >= trial.k
            _, labels = np.unique(labels[rows], return_inverse=True)
            sizes = sizes[sizes >= trial.k]
        if not rows.any():
            return None
        at = table.index(column)
        values = table.codes[at][rows]
        found = diversity(labels, sizes, table.weights[rows], values, len(table.dictionaries[at]) + 1)
        if finding.code == "SEN001":
            return self.policy.l is None or (found.l_distinct or 0) >= self.policy.l
        distance = found.t_closeness.equal if found.t_closeness else None
        return self.policy.t is None or (distance is not None and distance <= self.policy.t)


_OVER_ALL: dict[str, Callable[[Effect, PolicyInfo], bool]] = {
    "QI001": lambda after, policy: after.n_records > 0 and after.k_min >= policy.k,
    "RSK001": lambda after, policy: after.n_records > 0 and after.k_min >= policy.k,
    "QI002": lambda after, policy: after.n_records > 0 and after.share_below_k <= policy.share_below_k,
    "RSK003": lambda after, policy: 0 < after.n_classes * policy.k <= after.n_records,
    "QI003": lambda after, policy: policy.uniques is None or after.n_unique <= policy.uniques,
}

_ALL_CLASSES = frozenset({*_OVER_ALL, "SEN001", "SEN002"})


def _about_column(code: str) -> bool:
    return code.startswith(COLUMN_FAMILIES) or code in COLUMN_CODES


def is_column_finding_resolved(code: str, recoding: Recoding, policy: PolicyInfo) -> bool | None:
    """Return whether a finding about one column would be resolved by recoding it; None where that is not known."""
    if recoding.technique == "drop":
        return True if _about_column(code) else None
    if code == "DAT001" and recoding.technique == "round_date":
        return DATE_ORDER[recoding.parameters["precision"]] <= DATE_LEVELS.index(policy.date)
    if code == "DAT002" and recoding.technique == "top_code":
        return float(recoding.parameters["at"]) <= 90
    return None
