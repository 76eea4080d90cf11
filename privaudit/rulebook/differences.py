"""What changed between two reports: findings, risk, and the columns of the table.

Question: is the new table worse than the old one, and in what?
Method: findings are paired by fingerprint, and those about all quasi-identifiers together also where these are other
columns than before: another role of a column is not a worse table. Pairs are compared as those of a baseline
(`privaudit.rulebook.changes`). A finding of the old report is gone only where its check was measured again; otherwise
it is listed as not measured. A new or worse open finding fails from the lower one of the two severities that the gates
were set to, so that a looser gate of the new report does not hide it. Something that only the new report could not
assess makes the comparison incomplete.
Limits: compares what the reports state; both must be scanned with the same settings for the numbers to mean the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from privaudit.model import ColumnReport, Finding, Report, Severity, fails, order, severity_level
from privaudit.model.differences import ColumnChange, Differences, FindingChange, Number, NumberChange, State
from privaudit.rulebook.changes import TOLERANCE, change

_MEASURED = ("passed", "fired")


def differences(
    old: Report, new: Report, *, tolerance: float = TOLERANCE, fail_on: Severity | None = None
) -> Differences:
    """Return what changed from `old` to `new`."""
    found = tuple(sorted(_findings(old, new, tolerance), key=lambda item: order(item.finding)))
    least = min(old.fail_on, new.fail_on, key=severity_level) if fail_on is None else fail_on
    failing = tuple(item.finding for item in found if item.state in ("new", "worse") and fails(item.finding, least))
    known = {(limit.code, str(limit.values)) for limit in old.limits if limit.incomplete}
    lost = [limit for limit in new.limits if limit.incomplete and (limit.code, str(limit.values)) not in known]
    return Differences(
        old=old,
        new=new,
        tolerance=tolerance,
        findings=found,
        numbers=_numbers(old, new),
        columns=tuple(_columns(old, new)),
        failing=failing,
        exit_code=3 if lost else 1 if failing else 0,
    )


def _findings(old: Report, new: Report, tolerance: float) -> Iterator[FindingChange]:
    before, whole = _by_fingerprint(old), _by_code(old)
    checks = {check.code: check for check in (*old.checks, *new.checks)}
    states = {check.code: check.state for check in new.checks}
    paired = set()
    about_all = _by_code(new)
    for finding in _by_fingerprint(new).values():
        known = before.get(finding.fingerprint)
        if known is None and about_all.get(finding.code) is finding:
            known = whole.get(finding.code)
        found: State = "same" if known is not None else "new"
        if known is not None:
            paired.add(known.fingerprint)
            if finding.code in checks:
                found = change(checks[finding.code], known, finding, tolerance)
        yield FindingChange(state=found, old=known, new=finding)
    for key, finding in before.items():
        if key not in paired:
            state: State = "gone" if states.get(finding.code) in _MEASURED else "not_measured"
            yield FindingChange(state=state, old=finding)


def _by_fingerprint(report: Report) -> dict[str, Finding]:
    return {finding.fingerprint: finding for finding in report.findings}


def _by_code(report: Report) -> dict[str, Finding]:
    """Return the findings about all quasi-identifiers together."""
    everything = set() if report.risk is None else set(report.risk.quasi_identifiers)
    return {finding.code: finding for finding in report.findings if everything and set(finding.subject) == everything}


def _numbers(old: Report, new: Report) -> tuple[NumberChange, ...]:
    """Return the numbers of the whole table, whether they differ or not."""
    pairs: list[tuple[str, Number, Number]] = [
        ("rows", old.dataset.n_rows, new.dataset.n_rows),
        ("columns", old.dataset.n_columns, new.dataset.n_columns),
        ("policy", old.policy.name, new.policy.name),
        ("k required", old.policy.k, new.policy.k),
    ]
    before, after = old.risk, new.risk
    for name in ("k_min", "n_unique", "share_below_k", "prosecutor_max", "prosecutor_mean", "marketer"):
        pairs.append((name, getattr(before, name, None), getattr(after, name, None)))
    return tuple(NumberChange(name=name, before=a, after=b) for name, a, b in pairs)


def _columns(old: Report, new: Report) -> Iterator[ColumnChange]:
    before = {column.name: column for column in old.columns}
    after = {column.name: column for column in new.columns}
    yield from (ColumnChange(column=name, what="removed") for name in before if name not in after)
    yield from (ColumnChange(column=name, what="added") for name in after if name not in before)
    for name, column in after.items():
        if name in before:
            yield from _drift(before[name], column)


def _drift(old: ColumnReport, new: ColumnReport) -> Iterator[ColumnChange]:
    pairs = (
        ("data type", old.data_type, new.data_type),
        ("role", old.role, new.role),
        ("entity type", old.is_.entity if old.is_ else None, new.is_.entity if new.is_ else None),
        ("date precision", old.date_precision, new.date_precision),
        ("place precision", old.geo_precision, new.geo_precision),
    )
    for what, before, after in pairs:
        if before != after:
            yield ColumnChange(column=new.name, what=what, before=before, after=after)
