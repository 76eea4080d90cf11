"""A baseline: the findings a table had on a day, so that only new and worse ones fail.

Question: which findings are new, or worse than when the baseline was written?
Method: a file of the open findings by fingerprint, with their numbers and severity; `apply_baseline` gives every
finding that the file contains and that is not worse the status "baseline". Findings of checks that cannot be accepted
are never in a baseline, and what could not be assessed is not a finding.
Limits: holds counts, levels, codes and column names, never a value. A finding is recognised by its check and columns: a
renamed column makes a new finding.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from privaudit.base.errors import ConfigError
from privaudit.model import SEVERITIES, BaselineUse, Finding, FindingRef, Report
from privaudit.model.headers import shown_file
from privaudit.rulebook.changes import Measured, change, measured
from privaudit.rulebook.packs import Check

SCHEMA_VERSION = "1"
FILE = "privaudit-baseline.json"
MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A finding of a baseline."""

    code: str
    subject: tuple[str, ...]
    fingerprint: str
    measured: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The content of a baseline file."""

    table: str
    created: str
    policy: str
    n_rows: int
    findings: tuple[Known, ...]


def baseline_of(report: Report, checks: Iterable[Check]) -> Baseline:
    """Return the baseline that `report` makes: its findings that are open or in the baseline it was judged with."""
    acceptable = {check.code for check in checks if check.acceptable}
    kept = [f for f in report.findings if f.status != "accepted" and f.code in acceptable]
    return Baseline(
        table=report.dataset.name,
        created=report.generated_at[:10],
        policy=report.policy.name,
        n_rows=report.dataset.n_rows,
        findings=tuple(
            Known(code=f.code, subject=f.subject, fingerprint=f.fingerprint, measured=measured(f))
            for f in sorted(kept, key=lambda f: (f.code, f.subject, f.fingerprint))
        ),
    )


def baseline_text(baseline: Baseline) -> str:
    """Return the content of a baseline file: one finding per line, so that changes of the file can be reviewed."""
    head = {
        "schema_version": SCHEMA_VERSION,
        "table": baseline.table,
        "created": baseline.created,
        "policy": baseline.policy,
        "n_rows": baseline.n_rows,
    }
    rows = [
        {
            "code": known.code,
            "subject": list(known.subject),
            "fingerprint": known.fingerprint,
            "severity": known.measured.severity,
            "observed": known.measured.observed,
            "n_people": known.measured.n_people,
            "n_total": known.measured.n_total,
        }
        for known in baseline.findings
    ]
    lines = [f"  {json.dumps(key)}: {_json(value)}" for key, value in head.items()]
    found = ",\n".join(f"    {_json(row)}" for row in rows)
    lines.append(f'  "findings": [\n{found}\n  ]' if rows else '  "findings": []')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()


def read_baseline(file: Path) -> Baseline:
    """Read a baseline file.

    Raises
    ------
    ConfigError
        If it cannot be read, or is not a baseline.
    """
    try:
        if file.stat().st_size > MAX_BYTES:
            raise ConfigError(f"{shown_file(file)} is larger than a baseline can be (64 MiB).")
        content = json.loads(file.read_bytes())
    except OSError:
        raise ConfigError(f"{shown_file(file)} cannot be read.", hint="write it with privaudit baseline") from None
    except (ValueError, RecursionError):
        raise ConfigError(f"{shown_file(file)} is not a baseline: it is not JSON.") from None
    try:
        if content["schema_version"] != SCHEMA_VERSION:
            raise ConfigError(
                f"{shown_file(file)} has a version that this program does not read.", hint="write it again"
            )
        return _parsed(content)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ConfigError(
            f"{shown_file(file)} is not a baseline.", hint="write it with privaudit baseline SOURCE"
        ) from None


def _parsed(content: Mapping[str, Any]) -> Baseline:
    return Baseline(
        table=_text(content["table"]),
        created=_text(content["created"]),
        policy=_text(content["policy"]),
        n_rows=_whole(content["n_rows"]) or 0,
        findings=tuple(_known(row) for row in content["findings"]),
    )


def _known(row: Mapping[str, Any]) -> Known:
    observed = row["observed"]
    if observed is not None and (isinstance(observed, bool) or not isinstance(observed, int | float | str)):
        raise ValueError
    if row["severity"] not in SEVERITIES:
        raise ValueError
    numbers = Measured(
        observed=observed,
        n_people=_whole(row["n_people"]),
        n_total=_whole(row["n_total"]),
        severity=row["severity"],
    )
    return Known(
        code=_text(row["code"]),
        subject=tuple(map(_text, row["subject"])),
        fingerprint=_text(row["fingerprint"]),
        measured=numbers,
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError
    return value


def _whole(value: Any) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise ValueError
    return value


def apply_baseline(
    findings: Iterable[Finding], baseline: Baseline, checks: Iterable[Check], tolerance: float
) -> tuple[tuple[Finding, ...], BaselineUse]:
    """Return the findings, each compared with the baseline, and what became of the baseline.

    A finding that the baseline contains and that is not worse gets the status "baseline". An accepted finding stays
    accepted, and one of a check that cannot be accepted stays open.
    """
    known = {item.fingerprint: item for item in baseline.findings}
    by_code = {check.code: check for check in checks}
    compared = tuple(_compared(f, known.get(f.fingerprint), by_code[f.code], tolerance) for f in findings)
    found = {f.fingerprint for f in compared}
    gone = (item for item in baseline.findings if item.fingerprint not in found)
    return compared, BaselineUse(
        table=baseline.table,
        created=baseline.created,
        tolerance=tolerance,
        n_new=sum(f.change == "new" for f in compared),
        n_worse=sum(f.change == "worse" for f in compared),
        n_same=sum(f.change == "same" for f in compared),
        gone=tuple(FindingRef(code=g.code, subject=g.subject, fingerprint=g.fingerprint) for g in gone),
    )


def _compared(finding: Finding, known: Known | None, check: Check, tolerance: float) -> Finding:
    if known is None:
        return replace(finding, change="new")
    is_worse = change(check, known.measured, measured(finding), tolerance) == "worse"
    before = known.measured.observed
    if is_worse or finding.status != "open" or not check.acceptable:
        return replace(finding, change="worse" if is_worse else "same", before=before)
    return replace(finding, status="baseline", change="same", before=before)
