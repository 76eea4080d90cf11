"""What `privaudit scan` does with its arguments: one table and one report, or several tables and an index.

Question: is this a run over one table or over several, and where do the reports go?
Method: several sources, an output folder, or a source that stands for several tables make a run over several. Some
formats hold the reports of several tables in one document; a file of another format needs one table.
Limits: measures nothing; the exit code is the worst of all tables.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privaudit.base.errors import ConfigError, PrivauditError, ScanIncomplete
from privaudit.base.records import dataclass
from privaudit.cli import console, output_checks
from privaudit.model.headers import shown_file, shown_name
from privaudit.report import formats
from privaudit.settings.run_settings import RunSettings
from privaudit.source.places.location import has_no_path, table_key

if TYPE_CHECKING:
    from privaudit.api.table_results import Collection
    from privaudit.audit.cache.evidence import Cache
    from privaudit.cli.delivery import Outputs
    from privaudit.report.pages.index_page import IndexRow
    from privaudit.source.files.several import Candidate


_REASONS: dict[type[OSError], tuple[str, str]] = {
    FileExistsError: (": a file has this name", "name another folder"),
    FileNotFoundError: (": the folder above it does not exist", "create that folder first"),
    PermissionError: (": permission denied", "name a folder that you may write to"),
}
"""Why a folder cannot be made, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanCommand:
    """A scan as it was asked for.

    Attributes
    ----------
    sources : tuple of str
    stated : RunSettings
    wanted : Outputs
        Files and standard output.
    folder : Path or None
        Where the reports of several tables go.
    scores : str or None
        The CSV file with the scores of every record.
    brief : bool
        Whether to print one line for each table.
    skip_other_files : bool
        Whether named files that are neither tables nor data are not read, as those of folders are not.
    cache : str or None
        The folder with the evidence of earlier runs.
    """

    sources: tuple[str, ...]
    stated: RunSettings
    wanted: Outputs
    folder: Path | None = None
    scores: str | None = None
    brief: bool = False
    skip_other_files: bool = False
    cache: str | None = None

    def run(self) -> int:
        """Scan, write and print, and return the exit code."""
        from privaudit.source.files.several import candidates, is_other_file, is_seldom_table, repeats_fields

        if self.skip_other_files:
            # A hook names every changed file, most of which are programs, settings and texts.
            others = [s for s in self.sources if os.path.isfile(s) and is_other_file(Path(s))]
            self._note_other_files(sum(map(is_seldom_table, map(Path, others))))
            self._note_settings(sum(repeats_fields(Path(one)) for one in others))
            left = tuple(s for s in self.sources if s not in others)
            return replace(self, sources=left, skip_other_files=False).run() if left else 0
        if self.cache:
            self._cache().check()
        stated, ignored = self.stated.of(), list[str]()
        found = candidates(self.sources, stated.get("parts", ()), stated.get("ignore", ()), ignored)
        if ignored and not console.is_quiet():
            from privaudit.report.pages import index_page

            console.note(index_page.ignored([shown_file(file) for file in ignored]))
        if ignored and not found:
            if all(map(os.path.isfile, self.sources)):
                return 0  # a hook passes the files of a commit, and the settings file excludes all of them
            raise ScanIncomplete(
                "The settings file excludes every table.", hint="change ignore, or name the tables in place of a folder"
            )
        single = self._documents_of_one_table()
        if single and (self.folder is not None or len(self.sources) > 1 or len(found) > 1):
            raise ConfigError(
                f"{single[0]} gets the report of one table.",
                hint="write those of several with -o FOLDER/, or as .md, .sarif, .xml or .gitlab.json",
            )
        # Where nothing was found, the scan of the name that was typed reports what is wrong with it.
        only = found[0].source if found else self.sources[0]
        if self.folder is None and (single or not self._may_be_several(found)):
            return self._one(only)
        return self._several(only)

    def _documents_of_one_table(self) -> list[str]:
        """Return the outputs that cannot hold the reports of several tables."""
        found = [shown_file(file) for file in self.wanted.files if not formats.by_suffix(file).several]
        if self.wanted.document is not None and not formats.REGISTRY[self.wanted.document].several:
            found.append("Standard output")
        return [*found, *(() if self.scores is None else (shown_file(self.scores),))]

    def _may_be_several(self, found: Sequence[Candidate]) -> bool:
        """Whether the sources may stand for several tables, or the index is wanted for one."""
        from privaudit.source.files.several import holds_tables

        if self.brief or len(self.sources) > 1 or len(found) > 1:
            return True
        return any(only.parts or not only.is_read or holds_tables(only.source) for only in found)

    def _one(self, source: str) -> int:
        from privaudit.api import scans as api

        chosen = self._settings_of(source)
        if self.scores is not None:
            output_checks.check_outputs((source,), (self.scores,), suffixes=(".csv",))
        outputs = (*self.wanted.files, *((self.scores,) if self.scores else ()))
        output_checks.check_inputs(outputs, source, chosen, self.stated.file)
        with console.progress() as progress:
            report = api.scan(
                source,
                **chosen,
                progress=progress,
                scores=self.scores,
                config=self.stated.file,
                cache=self._cache() if self.cache else None,
            )
        code = self.wanted.deliver(report)
        use = report.wire.baseline
        if use is not None and not console.is_quiet():
            from privaudit.api.collection import not_scanned

            self._note_not_scanned(not_scanned({Path(chosen["baseline"]): {use.table}}))
        return code

    def _note_not_scanned(self, tables: Sequence[str]) -> None:
        if tables:
            from privaudit.report.pages import index_page

            console.note(index_page.not_scanned(tables))

    def _several(self, first: str) -> int:
        from privaudit.api.collection import scan_tables

        if self.folder is not None:
            _make(self.folder)
        # For every source before the first scan: an output must not replace the last one of them.
        for source in self.sources:
            output_checks.check_inputs(self.wanted.files, source, self._settings_of(source), self.stated.file)
        # One line for each table shows neither remedies nor pictures.
        has_reports = not self.brief or self.folder is not None
        with console.progress() as progress:
            found = scan_tables(
                self.sources,
                settings_of=self._settings_of,
                progress=progress,
                start_part=progress.start_part,
                config=self.stated.file,
                advice=has_reports,
                pictures=has_reports,
                cache=self._cache() if self.cache else None,
            )
        if not found:
            return self._one(first)  # which reports what is wrong with the source
        if len(found) == 1 and self.folder is None and not self.brief:
            (only,) = found
            if only.report is None:
                assert only.error is not None
                raise only.error
            return self.wanted.deliver(only.report)
        self._write(found)
        return found.exit_code

    def _cache(self) -> Cache:
        """Return the cache; where a branch decides, it holds what runs of that branch measured."""
        from privaudit.audit.cache.evidence import Cache

        assert self.cache is not None, "the option was given"
        commit = self.stated.commit
        if commit is None:
            return Cache(self.cache)
        return Cache(self.cache, branch=commit.name, writes=commit.holds_checkout())

    def _settings_of(self, source: str) -> dict[str, Any]:
        chosen = self.stated.of(source)
        console.bound_memory(chosen.get("memory"))
        baseline = chosen.get("baseline")
        if self.stated.commit is not None and baseline is not None and source and not has_no_path(source):
            # The baseline is a copy in another folder, and its tables are relative to where it was.
            chosen["name"] = table_key(source, self.stated.baseline_folder(baseline), chosen.get("name"))
        return chosen

    def _write(self, found: Collection) -> None:
        """Write the reports and the documents about all tables, and print the index."""
        from privaudit.report.pages import index_page

        wanted = self.wanted
        if self.folder is not None:
            found.write(self.folder, edition=wanted.edition)
        for file in wanted.files:
            found.write(file, edition=wanted.edition)
        rows = index_page.rows(found.entries(), wanted.edition)
        if wanted.document is not None:
            console.print_document(found.render(wanted.document, edition=wanted.edition))
        elif not console.is_quiet():
            with console.printing():
                index_page.show(rows, sys.stdout)
        self._notes(rows, [table.error for table in found if table.error is not None])

    def _notes(self, rows: Sequence[IndexRow], errors: Sequence[PrivauditError]) -> None:
        """Print where the reports went; errors and totals where nothing else shows that a table was not assessed."""
        from privaudit.report.pages import index_page
        from privaudit.source.files.several import n_seldom_tables

        wanted = self.wanted
        if not console.is_quiet():
            for file in wanted.files:
                console.note(f"wrote {shown_file(file)} ({formats.by_suffix(file).name})")
            if self.folder is not None:
                console.note(f"wrote {_shown_folder(self.folder)}/index.html and the report of each table")
            if wanted.document is not None:
                console.note(index_page.totals(rows))
            self._note_other_files(n_seldom_tables(self.sources))
        # Also when quiet: exit code 3 without its reason helps nobody.
        elif any(row.is_incomplete for row in rows):
            for error in errors:
                console.complain(error.line(), error.code)
            console.complain(index_page.totals(rows), "E303")

    def _note_other_files(self, n_files: int) -> None:
        if n_files and not console.is_quiet():
            from privaudit.report.pages import index_page

            console.note(index_page.seldom_tables(n_files))

    def _note_settings(self, n_files: int) -> None:
        if n_files and not console.is_quiet():
            from privaudit.report.pages import index_page
            from privaudit.source.places.people_in_text import LEAST_PEOPLE

            console.note(index_page.settings(n_files, LEAST_PEOPLE))


def is_folder(output: str) -> bool:
    """Whether an output names a folder: it ends in a slash, or is one."""
    return output.endswith(("/", "\\")) or os.path.isdir(output)


def _shown_folder(folder: Path) -> str:
    return shown_name(folder.name or ".", "folder")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        reason, hint = _REASONS.get(type(error), ("", "check that the folder above it is writable"))
        raise ConfigError(f"The output folder {_shown_folder(folder)} cannot be made{reason}.", hint=hint) from None
