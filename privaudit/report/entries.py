"""One table of several, as the index and the formats for several tables take it.

Question: what is known of each table of a run?
Method: a table has its report, or the error that states why it could not be scanned.
Limits: holds records only.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.base.records import dataclass
from privaudit.model import Report
from privaudit.model.wording.render import Edition
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
