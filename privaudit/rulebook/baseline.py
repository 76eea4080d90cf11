"""A baseline: the findings that tables had on a day, so that only new and worse ones fail.

Question: which findings of a table are new, or worse than when the baseline was written?
Method: a file with the open findings of each table by fingerprint, with their numbers and severity. A table is known by
its path relative to the file; one that the file does not hold is new, and so are all its findings. `apply_baseline`
gives every finding that the baseline of its table contains and that is not worse the status "baseline". Findings of
checks that cannot be accepted are never in a baseline, and what could not be assessed is not a finding.
Limits: holds counts, levels, codes and column names, never a value. A finding is recognised by its check and columns: a
renamed column makes a new finding, and a file that was moved is a new table.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.base.typed import convert, plain
from privaudit.base.wire import assembled
from privaudit.model import BaselineUse, Finding, FindingRef, Report
from privaudit.model.headers import shown_file
from privaudit.rulebook.changes import Known, change
from privaudit.rulebook.packs import Check

SCHEMA_VERSION = "2"
MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTable:
    """A table of a baseline, with its findings, and with its k where it was measured: a small class may be new."""

    created: str
    policy: str
    n_rows: int
    k_min: int | None = None
    findings: tuple[Known, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The content of a baseline file: tables by their key.

    Attributes
    ----------
    tables : mapping of str to KnownTable
        By the path relative to the file, with ``#sheet`` or ``#table``.
    """

    tables: Mapping[str, KnownTable] = field(default_factory=dict)

    def with_table(self, key: str, table: KnownTable) -> Baseline:
        """Return the baseline in which `table` is added, or replaces the one under this key."""
        return Baseline(tables={**self.tables, key: table})

    def without(self, key: str) -> Baseline:
        """Return the baseline without the table `key`.

        Raises
        ------
        ConfigError
            If it does not hold this table.
        """
        if key not in self.tables:
            held = ", ".join(f'"{name}"' for name in sorted(self.tables)) or "none"
            raise ConfigError("The baseline does not hold this table.", hint=f"its tables: {held}")
        return replace(self, tables={name: table for name, table in self.tables.items() if name != key})


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownBefore:
    """What a table is compared with: its key, and its findings in the baseline; None where the table is new."""

    key: str
    table: KnownTable | None


def known_table(report: Report, checks: Iterable[Check]) -> KnownTable:
    """Return a table with the findings of its report that are open, or in the baseline it was judged with."""
    acceptable = {check.code for check in checks if check.acceptable}
    # Acceptances end on a day and are kept in the settings: in a baseline they would last without end.
    kept = [f for f in report.findings if f.status != "accepted" and f.code in acceptable]
    return KnownTable(
        created=report.generated_at[:10],
        policy=report.policy.name,
        n_rows=report.dataset.n_rows,
        k_min=None if report.risk is None else report.risk.k_min,
        findings=tuple(
            assembled(Known, f)
            # In an order of its own, so that a finding that moves within the report changes no line of the file.
            for f in sorted(kept, key=lambda f: (f.code, f.subject, f.fingerprint))
        ),
    )


def baseline_text(baseline: Baseline) -> str:
    """Return the content of a baseline file: one finding per line, so that changes of the file can be reviewed."""
    tables = ",\n".join(f"    {_json(key)}: {_table_text(baseline.tables[key])}" for key in sorted(baseline.tables))
    body = f'  "tables": {{\n{tables}\n  }}' if tables else '  "tables": {}'
    return f'{{\n  "schema_version": "{SCHEMA_VERSION}",\n{body}\n}}\n'


def _table_text(table: KnownTable) -> str:
    head = plain(table)
    rows = head.pop("findings")
    lines = [f"      {json.dumps(key)}: {_json(value)}" for key, value in head.items()]
    found = ",\n".join(f"        {_json(row)}" for row in rows)
    lines.append(f'      "findings": [\n{found}\n      ]' if rows else '      "findings": []')
    return "{\n" + ",\n".join(lines) + "\n    }"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).encode(errors="replace").decode()


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
        held: Baseline = convert({"tables": content["tables"]}, Baseline)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ConfigError(
            f"{shown_file(file)} is not a baseline.", hint="write it with privaudit baseline SOURCE"
        ) from None
    return held


def apply_baseline(
    findings: Iterable[Finding], before: KnownBefore, checks: Iterable[Check], tolerance: float
) -> tuple[tuple[Finding, ...], BaselineUse]:
    """Return the findings, each compared with the baseline of its table, and what became of the baseline.

    A finding that the baseline contains and that is not worse gets the status "baseline". An accepted finding stays
    accepted, and one of a check that cannot be accepted stays open. Every finding of a new table is new.
    """
    listed = () if before.table is None else before.table.findings
    known = {item.fingerprint: item for item in listed}
    by_code = {check.code: check for check in checks}
    k_min = None if before.table is None else before.table.k_min
    compared = tuple(_compared(f, known.get(f.fingerprint), by_code[f.code], tolerance, k_min) for f in findings)
    found = {f.fingerprint for f in compared}
    gone = (item for item in listed if item.fingerprint not in found)
    return compared, BaselineUse(
        table=before.key,
        is_new=before.table is None,
        created="" if before.table is None else before.table.created,
        tolerance=tolerance,
        n_new=sum(f.change == "new" for f in compared),
        n_worse=sum(f.change == "worse" for f in compared),
        n_same=sum(f.change == "same" for f in compared),
        gone=tuple(assembled(FindingRef, known) for known in gone),
    )


def _compared(finding: Finding, known: Known | None, check: Check, tolerance: float, k_min: int | None) -> Finding:
    if known is None:
        return replace(finding, change="new", before=k_min if check.measure == "class.k_min" else None)
    is_worse = change(check, known, finding, tolerance) == "worse"
    before = known.observed
    # Checks that cannot be accepted report faults of the run itself; a baseline must not silence them either.
    if is_worse or finding.status != "open" or not check.acceptable:
        return replace(finding, change="worse" if is_worse else "same", before=before)
    return replace(finding, status="baseline", change="same", before=before)
