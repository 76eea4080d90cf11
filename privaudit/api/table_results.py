"""The results of several tables: what a program asks of them, and the documents about all of them.

Question: which of these tables passed, and where is the report of each?
Method: a tuple of results, each with a report or the error that states why the table could not be scanned.
Limits: scans nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from privaudit.audit.result import ScanReport, frame
from privaudit.base.errors import GateFailed, PrivauditError
from privaudit.model.wording import Edition
from privaudit.report import files, formats
from privaudit.report.entries import TableEntry, TableLink
from privaudit.report.pages import index_page

if TYPE_CHECKING:
    import pandas as pd

    from privaudit.audit.joins import Join

EXIT_CODES = (0, 1, 3, 4, 2)
"""Exit codes from the best to the worst."""


@dataclass(frozen=True, slots=True, eq=False)
class NamedTable:
    """A table in memory, with the name that results show.

    ``is_stated`` is false for a name that was made from the position of the table; a baseline needs another one.
    """

    name: str
    table: Any
    is_stated: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TableResult:
    """The result for one table, or for two joined tables.

    Attributes
    ----------
    source : str, NamedTable or None
        The table as it was named; None for joined tables.
    name : str
        The table as it may be shown.
    report : ScanReport or None
        None where the table could not be scanned.
    error : PrivauditError or None
        Why it could not be scanned.
    joined : Join or None
        The key of joined tables.
    alone : ScanReport or None
        For joined tables, the report of the table that was extended.
    """

    source: str | NamedTable | None
    name: str
    report: ScanReport | None = None
    error: PrivauditError | None = None
    joined: Join | None = None
    alone: ScanReport | None = None

    @property
    def exit_code(self) -> int:
        """The exit code of this table alone."""
        if self.error is not None:
            return self.error.exit_code
        assert self.report is not None
        return self.report.wire.gate_.exit_code

    @property
    def problem(self) -> str:
        """Why the table could not be scanned, after the code of the error; empty where it was scanned."""
        return "" if self.error is None else f"{self.error.code}: {self.error.line()}"

    def numbers(self) -> tuple[Any, ...]:
        """Return the row of `Collection.to_frame`."""
        if self.report is None:
            return (self.name, self.exit_code, *(None,) * 5, self.problem)
        wire = self.report.wire
        risk = (None, None) if wire.risk is None else (wire.risk.k_min, wire.risk.share_below_k)
        n_open = sum(found.status == "open" for found in wire.findings)
        return (self.name, self.exit_code, wire.dataset.n_rows, wire.dataset.n_columns, *risk, n_open, "")


class Collection(tuple[TableResult, ...]):
    """The results of all tables in the order of their sources, then the joined tables whose risk is worse.

    ``not_scanned`` lists the tables of the baseline that were not among the sources, ``ignored`` the files that the
    setting "ignore" excludes, and ``links`` the tables that hold the same keys.
    """

    not_scanned: tuple[str, ...]
    ignored: tuple[str, ...]
    links: tuple[TableLink, ...]

    def __new__(
        cls,
        results: Iterable[TableResult] = (),
        not_scanned: Iterable[str] = (),
        ignored: Iterable[str] = (),
        links: Iterable[TableLink] = (),
    ) -> Self:
        """Return the collection."""
        made = super().__new__(cls, results)
        made.not_scanned, made.ignored = tuple(not_scanned), tuple(ignored)
        made.links = tuple(links)
        return made

    def __repr__(self) -> str:
        return f"Collection({index_page.totals(index_page.rows(self.entries()))})"

    @property
    def reports(self) -> dict[str, ScanReport]:
        """The reports of the tables that were scanned, by the name of the table."""
        return {one.name: one.report for one in self if one.report is not None}

    def entries(self, files: Iterable[str] = ()) -> list[TableEntry]:
        """Return the tables as a document about all of them takes them; `files` are the reports the index links to."""
        names = [*files] or [""] * len(self)
        missing = [TableEntry(name="", not_scanned=self.not_scanned)] if self.not_scanned else []
        scanned = [
            TableEntry(
                name=one.name,
                report=None if one.report is None else one.report.wire,
                error=one.problem,
                file="" if one.report is None else file,
                key="" if one.joined is None else one.joined.rows.column,
                alone=None if one.alone is None else one.alone.wire,
            )
            for one, file in zip(self, names, strict=True)
        ]
        return [*scanned, *missing]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per table: name, exit code, rows, columns, k, records below it, open findings, error."""
        names = ("table", "exit_code", "n_rows", "n_columns", "k_min", "share_below_k", "n_findings", "error")
        return frame(names, [one.numbers() for one in self])

    def render(self, format: str, *, edition: Edition = "full") -> str:
        """Return one document about all tables: "md", "sarif", "junit", "gitlab" or "github"."""
        return formats.select_several(format, edition).render_several(self.entries(), edition)

    def write(self, path: str | Path, *, edition: Edition = "full") -> None:
        """Write one document about all tables, by its suffix, or into a folder a report for each and an index page.

        Raises
        ------
        UnsupportedFormat
            For a format that holds one table.
        ConfigError
            If the file cannot be written.
        """
        target = Path(path)
        if target.is_dir():
            self._write_folder(target, edition)
            return
        chosen = formats.select_several(formats.by_suffix(target).name, edition)
        files.check(target)
        files.replace(target, chosen.render_several(self.entries(), edition))

    def _write_folder(self, folder: Path, edition: Edition) -> None:
        names = index_page.file_names(self)
        for one, name in zip(self, names, strict=True):
            if one.report is not None:
                one.report.write(folder / name, edition=edition)
                if edition == "full":
                    one.report.write((folder / name).with_suffix(".json"), edition=edition)
        files.check(folder / "index.html")
        files.replace(folder / "index.html", index_page.html(self.entries(names), self.links, edition=edition))

    def raise_if_failed(self) -> None:
        """Raise `GateFailed` unless every table was scanned and passed.

        Raises
        ------
        GateFailed
            With the number of tables that did not pass.
        """
        failed = [one for one in self if one.exit_code != 0]
        if failed or not self:
            first = f"the first is {failed[0].name}" if failed else "no table was found"
            raise GateFailed(f"{len(failed)} of {len(self)} tables did not pass.", hint=first)

    @property
    def exit_code(self) -> int:
        """The worst exit code of all tables."""
        return max((one.exit_code for one in self), key=EXIT_CODES.index, default=3)
