"""What the index, and the formats for several tables and for services, know of a table and of its findings.

Question: what is known of each table of a run, which file does a finding belong to, and how is the same finding
recognised in the next run?
Method: a table has its report, or the error that states why it could not be scanned. A finding is at the path of the
table below the folder of the run, else at its name; its identity hashes this place and the fingerprint of the finding,
which contains no measured number.
Limits: two tables of the same name outside of the folder of the run share the identities of their findings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from privaudit.base.records import dataclass
from privaudit.model import Finding, Report
from privaudit.model.wording import Edition
from privaudit.report.escape import name
from privaudit.report.public import publish


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEntry:
    """What a document about several tables knows of one.

    Attributes
    ----------
    name : str
    report : Report or None
        None where the table could not be scanned; `error` then states why.
    error : str
    file : str
        The report of the table, relative to the index; empty where none was written.
    key : str
        The column that joins two tables; empty for a table of its own.
    alone : Report or None
        For joined tables, the report of the table that was extended.
    not_scanned : tuple of str
        Instead of a table: the tables of the baseline that were not scanned.
    """

    name: str
    report: Report | None = None
    error: str = ""
    file: str = ""
    key: str = ""
    alone: Report | None = None
    not_scanned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLink:
    """Two tables that hold the same keys.

    Attributes
    ----------
    rows, column : str
        The table whose rows name keys, and the column that names them.
    keys, key : str
        The table whose rows the keys identify, and the column of the keys.
    is_worse : bool
        Whether both tables joined have a higher risk than `rows` alone, or the join could not be scanned.
    """

    rows: str
    column: str
    keys: str
    key: str
    is_worse: bool = False


def only(report: Report) -> tuple[TableEntry, ...]:
    """Return the entries of a run over one table."""
    return (TableEntry(name=report.dataset.name, report=report),)


def reports_of(entries: Sequence[TableEntry], edition: Edition) -> list[Report]:
    """Return the reports of the tables that were scanned, in their edition."""
    found = [entry.report for entry in entries if entry.report is not None]
    return [publish(report) for report in found] if edition == "public" else found


def unread(entries: Sequence[TableEntry]) -> list[tuple[str, str]]:
    """Return name and error of the tables that were not scanned, as they may be shown."""
    return [(name(entry.name), name(entry.error, 400)) for entry in entries if entry.error]


MOST = 500
"""Longest path that is shown in full."""


def place(report: Report) -> str:
    """Return the path of the table relative to the folder of the run, or its name where it is elsewhere."""
    return name(report.dataset.path or report.dataset.name, MOST)


def stable_id(finding: Finding, report: Report) -> str:
    """Return 32 hexadecimal digits that name a finding of a table in every run."""
    # The place is hashed with it: one finding in two tables is two findings to these services.
    text = f"{report.dataset.path or report.dataset.name}\x1f{finding.fingerprint}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
