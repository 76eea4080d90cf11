"""The public edition of a report: numbers from which no count below 11 follows.

Question: what of a report may be published next to the table?
Method: before anything is laid out, the report is replaced by one that holds fewer and rounded numbers. Every number
that `ROUNDED` does not name is removed, whatever record it is in; those it names are replaced by the representative
of their range (`model.wording.numbers`), 0 included. Sections and charts compute from what is left, so nothing
that they show can depend on a number that was removed. Only one threshold is kept for records in small classes,
because counts at two thresholds are differences of class sizes; the outcome of a check whose limit bounds a count
below 11 is removed with its number.
Limits: the decision of the gate is published. Where the policy requires a k below 11, or allows 1 to 10 records in
small classes, the decision itself bounds such a count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from privaudit.model import Attack, ColumnReport, Combination, Control, Finding, PolicyInfo, Remedy, Report, Risk
from privaudit.model.risk import ClassSizeTable
from privaudit.model.stats import Estimate, exact
from privaudit.model.vocabulary.families import family
from privaudit.model.wording import WITHHELD, Count, Fact, Listing, Name, Number, Share, Value, plural
from privaudit.model.wording.facts import replaced
from privaudit.model.wording.rounding import LEAST_TOTAL, SMALL_CELL, rounded

SHOWN = frozenset({"DatasetInfo.n_columns", "Report.seed", "CheckOutcome.limit", "Finding.limit"})
"""Numbers that are not measured on records."""

ROUNDED = frozenset(
    {
        "ColumnReport.n_missing", "ColumnReport.n_suppressed", "Contained.n_cells", "Finding.n_people",
        "Diversity.homogeneous_records",
    }
)  # fmt: skip
"""Counts of records, people or cells among the rows of the table."""

KEPT = frozenset({"PolicyInfo", "GateResult", "ToolInfo"})
"""Records that hold no number of the data."""

REMOVED = frozenset(
    {
        "Risk.population", "Risk.special_uniques", "Risk.marginal", "Risk.subject", "Risk.weighted", "Risk.matches",
        "Risk.records",
        "Report.potential", "Report.pictures", "Report.timings", "DatasetInfo.fingerprint", "DatasetInfo.path",
        "ColumnReport.measurements",
        "Verdict.evidence", "Contained.evidence", "ColumnReport.rejected", "ColumnReport.role_because",
        "Diversity.delta_disclosure_unbounded", "Remedy.search", "Remedy.alternatives",
        "Remedy.under_wildcard", "Remedy.not_tried", "Remedy.excess", "Remedy.question",
        "Attack.outcome", "LinkageDetail.by_columns", "LinkageDetail.disclosed", "MeasuredDetail.measures",
        "MeasuredDetail.curves", "GivenAnswer.fingerprint",
    }
)  # fmt: skip
"""Parts without a number that may be published: evidence states shares of distinct values, and the fingerprint hashes
exact counts, which could be tried out."""

REVEALING_LIMITS = frozenset(
    {
        "risk.delta_disclosure_unbounded", "risk.recursive_diversity_void", "risk.unique_columns",
        "risk.subject_one_row_each", "risk.weights_below_one",
    }
)  # fmt: skip
"""Limits whose sentence itself states that some class has fewer records than 11, or that a value is missing in it."""

GROUP_UNITS = frozenset({"class", "value", "group", "pair", "link", "item"})
"""Units of counts of groups: n records in m groups bound the size of the smallest group."""

BOUNDING_CHECKS = frozenset(
    {
        "class.n_sample_unique", "class.special_unique_order", "column.rare_values", "risk.population_unique",
        "risk.prosecutor_max", "risk.journalist_max", "risk.marketer",
    }
)  # fmt: skip
"""Measures of checks whose outcome states that a class or value has fewer records than some number below 11."""

PUBLISHED_ATTACKS = frozenset({"copies", "near_copies", "membership", "singling_out", "linkability", "inference"})
"""Attacks on a release by comparison with its original and with outsiders: each success is one person of a sample or
one statement, so its rounded share is as uncertain as any other rounded count."""

LEAST_ATTACKED = 400
"""People of a comparison with outsiders below which its shares are withheld: rounding would change them by more than
2.5 percentage points, and a difference between members and outsiders could be one of rounding alone."""

_EFFECTS = ("n_below_k", "n_records")


LEAST_THRESHOLD = 15
"""Every number of records from 33 on is a sum of class sizes from 10 to 14. With a lower threshold, that nearly all
records of a small table are below it would show that some class is smaller than 10."""


def threshold(policy: PolicyInfo) -> int:
    """Return the class size that the public edition counts records below: the policy's k, 15 at least."""
    return max(policy.k, LEAST_THRESHOLD)


def shown_k(policy: PolicyInfo, *, public: bool) -> int:
    """Return the class size that records are counted below in an edition: the k of the policy in the full one."""
    return threshold(policy) if public else policy.k


def publish(report: Report) -> Report:
    """Return what may be published of `report`; fields that were removed are None or empty."""
    return _Publisher(report).report()


def _empty(value: Any) -> Any:
    """Return an empty value of the same kind; None for a number or a record."""
    if isinstance(value, Mapping):
        return {}
    return "" if isinstance(value, str) else () if isinstance(value, tuple) else None


class _Publisher:
    def __init__(self, report: Report) -> None:
        self._report = report
        self._rows = report.dataset.n_rows
        self._units = self._total(report.n_units)
        self._k = threshold(report.policy)
        hidden = {check.code for check in report.checks if self._bounds(check.measure)}
        self._hidden = hidden | {found.code for found in report.findings if self._bounds(found.measure)}

    def report(self) -> Report:
        report = self._report
        made: Report = self._record(report)
        findings = tuple(
            self._finding(new, old)
            for new, old in zip(made.findings, report.findings, strict=True)
            if old.code not in self._hidden
        )
        return replace(
            made,
            dataset=replace(made.dataset, n_rows=self._extent()),
            columns=tuple(map(self._column, made.columns)),
            combinations=self._combinations(made.combinations),
            risk=None if report.risk is None else self._risk(made.risk, report.risk),
            attacks=tuple(map(self._attack, made.attacks, report.attacks)),
            findings=findings,
            checks=tuple(check for check in made.checks if check.code not in self._hidden),
            controls=tuple(self._control(control, findings) for control in made.controls),
            advice=tuple(map(self._remedy, made.advice, report.advice)),
            limits=tuple(item for item in made.limits if item.code not in REVEALING_LIMITS),
            gate_=replace(report.gate_, reasons=()),
        )

    def _bounds(self, measure: str) -> bool:
        """Whether the outcome of a check on `measure` bounds a count below 11 more closely than the verdict does."""
        policy, allowed = self._report.policy, self._report.policy.share_below_k * self._rows
        if measure == "class.k_min":
            return policy.k < SMALL_CELL
        if measure == "class.share_below":
            return policy.k < SMALL_CELL or 1 <= allowed < SMALL_CELL
        return measure in BOUNDING_CHECKS

    # Numbers

    def _extent(self) -> int:
        return self._rows if self._rows == 0 or self._rows >= SMALL_CELL else SMALL_CELL // 2

    def _rounded(self, n: float | None, total: int | None = None) -> int | None:
        if n is None:
            return None
        found = rounded(round(n), self._rows if total is None else total)
        return None if found is None else found.representative

    def _total(self, of: int) -> int:
        """Return a total, itself a count of records, as it may be shown: all rows, or rounded."""
        # The difference from all rows is a count of records as well.
        if self._rows - of < SMALL_CELL:
            return self._rows
        return self._rounded(of) or 0

    # Records

    def _record(self, item: Any) -> Any:
        kind = type(item).__name__
        if kind in KEPT:
            return item
        changed: dict[str, Any] = {}
        for one in fields(item):
            value, key = getattr(item, one.name), f"{kind}.{one.name}"
            if key in REMOVED:
                changed[one.name] = _empty(value)
            elif key in ROUNDED:
                changed[one.name] = self._rounded(value)
            elif key not in SHOWN:
                changed[one.name] = self._part(value)
        return replace(item, **changed)

    def _part(self, value: Any) -> Any:
        if value is None or isinstance(value, str | bool):
            return value
        # Removed unless it is named above: a number of a new field is private until someone decides about it.
        if isinstance(value, int | float | Estimate):
            return None
        if isinstance(value, Fact):
            return replaced(value, self._published)
        if isinstance(value, ClassSizeTable):
            return ClassSizeTable(size=(), count=())
        if isinstance(value, Mapping):
            return {key: part for key, item in value.items() if (part := self._part(item)) is not None}
        if isinstance(value, tuple | list):
            return tuple(part for item in value if (part := self._part(item)) is not None)
        return self._limit(value) if hasattr(value, "code") and hasattr(value, "values") else self._record(value)

    def _limit(self, value: Any) -> Any:
        # A limit may count anything, for example distinct cells.
        return replace(value, values={key: _without(part) for key, part in value.values.items()})

    # Facts

    def _published(self, value: Value) -> Value:
        if isinstance(value, Count):
            return self._count(value)
        return self._share(value) if isinstance(value, Share) else _withheld(value)

    def _share(self, value: Share) -> Value:
        of = self._rows if value.of is None else value.of
        total = self._total(of) if of >= LEAST_TOTAL else 0
        n = self._rounded(value.value * total, total)
        return Name(WITHHELD) if n is None or not total else Share(n / total, of=total)

    def _count(self, value: Count) -> Value:
        total = None if value.of is None else self._total(value.of)
        n = None if value.unit in GROUP_UNITS else self._rounded(value.n, total)
        return _some(value) if n is None else Count(n, of=total, unit=value.unit)

    # Parts of the report

    def _attack(self, made: Attack, attack: Attack) -> Attack:
        rates = (attack.success, attack.control_rate)
        if attack.kind not in PUBLISHED_ATTACKS or attack.against != "control":
            return made
        if any(rate is None or rate.n < LEAST_ATTACKED for rate in rates):
            return made
        shown: dict[str, Any] = dict(zip(("success", "control_rate"), map(self._rate, rates), strict=True))
        return replace(made, **shown)

    def _rate(self, found: Estimate | None) -> Estimate | None:
        """Return a rounded share without its interval, which would state the exact one."""
        share = None if found is None else self._share(Share(found.value, of=found.n))
        return exact(share.value, share.of or 0) if isinstance(share, Share) else None

    def _column(self, made: ColumnReport) -> ColumnReport:
        # The number of distinct values bounds how many of them occur once, and the smallest of their counts.
        return replace(made, n_rows=self._extent())

    def _below(self, counted: int | None) -> dict[str, int]:
        n = self._rounded(counted, self._units)
        return {} if n is None else {str(self._k): n}

    def _risk(self, made: Any, risk: Risk) -> Risk:
        below, policy_k = risk.n_below_k(self._k), self._report.policy.k
        changed: dict[str, Any] = {
            "n_below": {str(self._k): 0} if policy_k == self._k <= risk.k_min else self._below(below)
        }
        changed["n_people"] = None if risk.n_people is None else self._units
        # That every class reaches the policy's k is the decision of the gate.
        changed["k_min"] = policy_k if risk.k_min >= policy_k >= SMALL_CELL else None
        changed["diversity"] = {
            column: found for column, found in made.diversity.items() if found.homogeneous_records is not None
        }
        return replace(made, **changed)

    def _combinations(self, made: tuple[Combination, ...]) -> tuple[Combination, ...]:
        pairs = zip(made, self._report.combinations, strict=True)
        listed = [replace(new, n_below=self._below(old.n_below_k(self._k)), minimal=None) for new, old in pairs]
        # Sorted again by what is shown: the order of exact counts would state which of equal numbers is larger.
        key = str(self._k)
        return tuple(sorted(listed, key=lambda c: (-c.n_below.get(key, 0), len(c.columns), c.columns)))

    def _finding(self, made: Finding, found: Finding) -> Finding:
        known = found.observed if isinstance(found.observed, str) else None
        total = None if found.n_total is None else self._total(found.n_total)
        changed: dict[str, Any] = {"observed": known, "n_people": self._rounded(found.n_people, total)}
        if not family(found.measure).counts:
            changed |= {"n_people": None, "message": _without(found.message)}
        return replace(made, n_total=total, **changed)

    def _control(self, made: Control, findings: tuple[Finding, ...]) -> Control:
        kept = {found.fingerprint for found in findings} | {found.code for found in findings}
        # A control that names a hidden check would state that the check fired.
        kept_why = (reason for reason in made.why if not self._names_hidden(reason))
        why: tuple[Any, ...] = tuple(map(_without, kept_why))
        return replace(made, findings=tuple(key for key in made.findings if key in kept), why=why)

    def _names_hidden(self, value: Value) -> bool:
        if isinstance(value, Fact):
            return any(map(self._names_hidden, value.values.values()))
        if isinstance(value, Listing):
            return any(map(self._names_hidden, value.items))
        return isinstance(value, Name) and value.text.split(" ")[0] in self._hidden

    def _remedy(self, made: Remedy, remedy: Remedy) -> Remedy:
        changed: dict[str, Any] = {
            "text": _without_shares(made.text),
            "before": self._effects(remedy.before),
            "after": self._effects(remedy.after),
            "parameters": self._parameters(remedy.parameters),
            "resolves": tuple(found for found in made.resolves if found.code not in self._hidden),
            "remaining": tuple(one for one in made.remaining if one.finding.code not in self._hidden),
            "stays": tuple(found for found in made.stays if found.code not in self._hidden),
        }
        return replace(made, **changed)

    def _effects(self, counted: Mapping[str, Any]) -> dict[str, Any]:
        """Return the counts that may be shown; those below k only where the policy's k is the published one."""
        # Counts at two thresholds are differences of class sizes.
        keys = _EFFECTS if self._k == self._report.policy.k else _EFFECTS[1:]
        found = {key: self._rounded(counted[key]) for key in keys if counted.get(key) is not None}
        shown: dict[str, Any] = {key: n for key, n in found.items() if n is not None}
        if "n_below_k" in shown and self._rows:
            shown["share_below_k"] = shown["n_below_k"] / self._total(self._rows)
        return shown

    def _parameters(self, given: Mapping[str, Any]) -> dict[str, Any]:
        return {key: part for key, value in given.items() if (part := self._parameter(key, value)) is not None}

    def _parameter(self, key: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return self._effects(value) if key in ("before", "after") else self._parameters(value)
        if isinstance(value, tuple | list):
            return tuple(part for item in value if (part := self._parameter("", item)) is not None)
        if is_dataclass(value):
            return self._part(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and key.startswith(("n_", "share")):
            return self._rounded(value) if key.startswith("n_") else None
        return value


def _some(count: Count) -> Name:
    """Return what replaces a count in a sentence: "some records"."""
    return Name(f"some {plural(2, count.unit)}".rstrip())


def _withheld(value: Value) -> Value:
    if isinstance(value, Count):
        return _some(value)
    return Name(WITHHELD) if isinstance(value, Share | Number | Estimate) else value


def _without(value: Value) -> Value:
    """Return a value without any number of the data."""
    return replaced(value, _withheld)


def _without_shares(value: Value) -> Value:
    """Return the text of a remedy without the information kept or lost, which bounds how few records are suppressed."""
    return replaced(value, lambda each: Name(WITHHELD) if isinstance(each, Share) else each)
