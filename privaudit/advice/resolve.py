"""Which findings would a remedy settle?

Question: if the table were recoded so and judged again, which findings would not come back?
Method: findings about classes are measured again on the recoded classes, over their own columns, against the
same thresholds; findings about one column are settled where the column is dropped, where its rare values or
direct identifiers are treated, or where its precision is brought down to what the policy allows.
Limits: a finding of a kind that cannot be measured again on codes is never called settled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from privaudit.advice.bench import Bench, Measured
from privaudit.advice.recoding import Recoding
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
    after: Measured


class Judge:
    """Measures findings again.

    Parameters
    ----------
    bench : Bench
        Over the quasi-identifiers.
    findings : sequence of Finding
        Those that are open.
    policy : PolicyInfo
    everything : CodedTable or None
        Quasi-identifiers and sensitive attributes together, where diversity is to be measured again.
    """

    def __init__(
        self,
        bench: Bench | None,
        findings: Sequence[Finding],
        policy: PolicyInfo,
        everything: CodedTable | None = None,
    ) -> None:
        self.bench = bench
        self.findings = tuple(findings)
        self.policy = policy
        self.everything = everything
        self._selected: dict[tuple[str, ...], CodedTable] = {}

    def settled(self, columns: Sequence[str], outcome: Outcome) -> tuple[str, ...]:
        """Return the codes whose findings about `columns`, or about all classes, would all be gone."""
        concerned: dict[str, list[bool]] = {}
        for finding in self.findings:
            if not set(columns) & set(finding.subject) and finding.code not in _ALL_CLASSES:
                continue
            known = self._again(finding, outcome)
            if known is not None:
                concerned.setdefault(finding.code, []).append(known)
        return tuple(sorted(code for code, settled in concerned.items() if all(settled)))

    def without(self, column: str, technique: str) -> tuple[str, ...]:
        """Return the codes settled by treating a column that takes no part in the classes."""
        treats = {"drop": _about_column, "mask": MASKED.__contains__, "pseudonymise": REPLACED.__contains__}
        codes = {f.code for f in self.findings if f.subject == (column,) and treats[technique](f.code)}
        return tuple(sorted(codes))

    def least(self, ladders: Mapping[str, Sequence[Recoding]]) -> dict[str, int]:
        """Return for each column the first step that settles what is found of its precision."""
        found: dict[str, int] = {}
        for finding in self.findings:
            ladder = ladders.get(finding.subject[0], ()) if len(finding.subject) == 1 else ()
            settling = [i for i, s in enumerate(ladder) if column_settled(finding.code, s, self.policy)]
            if settling and ladder[settling[0]].technique != "drop":
                found[finding.subject[0]] = max(settling[0], found.get(finding.subject[0], 0))
        return found

    def _again(self, finding: Finding, outcome: Outcome) -> bool | None:
        """Say whether `finding` would be gone; None where that cannot be known."""
        if finding.code in _OVER_ALL:
            return _OVER_ALL[finding.code](outcome.after, self.policy)
        if finding.code == "QI004":
            return self._no_unique(finding.subject, outcome)
        if finding.code == "QI005":
            return self._none_rare(finding.subject, outcome)
        if finding.code in ("SEN001", "SEN002"):
            return self._diverse(finding, outcome)
        if len(finding.subject) == 1 and finding.subject[0] in outcome.recodings:
            return column_settled(finding.code, outcome.recodings[finding.subject[0]], self.policy)
        return None

    def _sizes(self, columns: Sequence[str], outcome: Outcome) -> np.typing.NDArray[np.int64] | None:
        """Return the class sizes over some of the quasi-identifiers after the remedy."""
        bench = self.bench
        if bench is None or not set(columns) <= set(bench.names):
            return None
        table = bench.coded if outcome.suppressed else self._over(tuple(columns))
        weights = table.weights
        if outcome.suppressed:
            labels, sizes = bench.labels(outcome.recodings)
            weights = np.where(sizes[labels] >= bench.k, weights, 0)
        codes, widths = bench.recoded(columns, outcome.recodings, table)
        labels, n_classes = dense_labels(codes, widths, length=table.n_distinct)
        found = sums(labels, weights, n_classes)
        return found[found > 0]

    def _over(self, columns: tuple[str, ...]) -> CodedTable:
        """Return the table over some columns, remembered: many remedies are judged by the same findings."""
        assert self.bench is not None
        if columns not in self._selected:
            self._selected[columns] = self.bench.coded.select(columns)
        return self._selected[columns]

    def _no_unique(self, columns: Sequence[str], outcome: Outcome) -> bool | None:
        sizes = self._sizes(columns, outcome)
        return None if sizes is None else not bool((sizes == 1).any())

    def _none_rare(self, columns: Sequence[str], outcome: Outcome) -> bool | None:
        sizes = self._sizes(columns, outcome)
        return None if sizes is None else not bool((sizes < self.policy.k).any())

    def _diverse(self, finding: Finding, outcome: Outcome) -> bool | None:
        """Measure l or t of a sensitive attribute again over the recoded classes."""
        table, bench = self.everything, self.bench
        column = finding.subject[0] if len(finding.subject) == 1 else None
        if table is None or bench is None or column is None or column not in table.names:
            return None
        codes, widths = bench.recoded(bench.names, outcome.recodings, table)
        labels, n_classes = dense_labels(codes, widths, length=table.n_distinct)
        sizes, rows = sums(labels, table.weights, n_classes), np.ones(table.n_distinct, dtype=bool)
        if outcome.suppressed:
            rows = sizes[labels] >= bench.k
            _, labels = np.unique(labels[rows], return_inverse=True)
            sizes = sizes[sizes >= bench.k]
        if not rows.any():
            return None
        at = table.index(column)
        values = table.codes[at][rows]
        found = diversity(labels, sizes, table.weights[rows], values, len(table.dictionaries[at]) + 1)
        if finding.code == "SEN001":
            return self.policy.l is None or found.l_distinct >= self.policy.l
        return self.policy.t is None or found.t_equal <= self.policy.t


_OVER_ALL: dict[str, Callable[[Measured, PolicyInfo], bool]] = {
    "QI001": lambda after, policy: after.n_records > 0 and after.k_min >= policy.k,
    "RSK001": lambda after, policy: after.n_records > 0 and after.k_min >= policy.k,
    "QI002": lambda after, policy: after.n_records > 0 and after.share_below_k <= policy.share_below_k,
    "RSK003": lambda after, policy: 0 < after.n_classes * policy.k <= after.n_records,
    "QI003": lambda after, policy: policy.uniques is None or after.n_unique <= policy.uniques,
}

_ALL_CLASSES = frozenset({*_OVER_ALL, "SEN001", "SEN002"})


def _about_column(code: str) -> bool:
    return code.startswith(COLUMN_FAMILIES) or code in COLUMN_CODES


def column_settled(code: str, recoding: Recoding, policy: PolicyInfo) -> bool | None:
    """Say whether what is found of one column would be gone after recoding it."""
    if recoding.technique == "drop":
        return True if _about_column(code) else None
    if code == "DAT001" and recoding.technique == "round_date":
        return DATE_ORDER[recoding.parameters["precision"]] <= DATE_LEVELS.index(policy.date)
    if code == "DAT002" and recoding.technique == "top_code":
        return float(recoding.parameters["at"]) <= 90
    return None
