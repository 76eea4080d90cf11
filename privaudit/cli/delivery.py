"""Where the report of a command goes: files, and one document on standard output.

Question: what is written where, and what does a person see next to it?
Method: files are checked before any work. Standard output gets the summary, or the one format that was asked for and
nothing else; lines about the run go to standard error.
Limits: exit codes come from the gate; nothing here changes one.
"""

from __future__ import annotations

from typing import Any

from privaudit.audit.result import ScanReport
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.cli import console, output_checks
from privaudit.model import Report, fails
from privaudit.model.headers import shown_file
from privaudit.model.wording import Edition, Number, fact, plural
from privaudit.report import formats
from privaudit.report.sections import verdict

STDOUT = "-"
SUMMARY = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """What a command writes: files by their suffix, "-" for standard output, and how much it prints."""

    outputs: tuple[str, ...]
    format: str | None
    edition: Edition
    verbose: bool
    timings: bool = False

    @property
    def files(self) -> tuple[str, ...]:
        """The files among the outputs."""
        return tuple(output for output in self.outputs if output != STDOUT)

    @property
    def document(self) -> str | None:
        """The format that standard output gets; None for the summary."""
        if self.format is not None:
            return None if self.format == SUMMARY else self.format
        return "json" if STDOUT in self.outputs else None

    def check(self, source: str) -> None:
        """Refuse, before any work, what cannot be written.

        Raises
        ------
        ConfigError, UnsupportedFormat
        """
        output_checks.check_outputs((source,), self.files, edition=self.edition)
        # Two documents in one stream could not be parsed.
        if len(self.outputs) - len(self.files) > 1:
            raise ConfigError("Standard output is named twice.", hint="write one format to it, and others to files")
        if self.document is not None:
            formats.select(self.document, self.edition)

    def deliver(self, report: ScanReport, *, decides: bool = True) -> int:
        """Write the report everywhere and return the exit code of its gate.

        Parameters
        ----------
        report : ScanReport
        decides : bool, default True
            Whether the decision of the gate is the result of the command.
        """
        for file in self.files:
            report.write(file, edition=self.edition)
        if self.document is not None:
            console.print_document(formats.select(self.document, self.edition).render(report.wire, self.edition))
        # A command that only writes files has no summary to print; its notes name the files.
        elif not console.is_quiet() and (decides or not self.files or STDOUT in self.outputs):
            console.show(report.wire, edition=self.edition)
        self._notes(report, decides)
        return report.wire.gate_.exit_code

    def _notes(self, report: ScanReport, decides: bool) -> None:
        """Print lines about the run: where each report went, and the decision where nothing else shows it."""
        wire = report.wire
        if self.verbose and not console.is_quiet():
            for used in wire.files:
                console.note(f"{used.purpose} from {used.name}")
        if self.timings or (self.verbose and not console.is_quiet()):
            console.print_timings(wire.timings, by_column=self.timings)
        if not console.is_quiet():
            for file in self.files:
                console.note(f"wrote {shown_file(file)} ({formats.by_suffix(file).name})")
        if not decides:
            return
        if self.document is not None and not console.is_quiet():
            console.note(f"{verdict.headline(wire)}.")
        # Also when quiet: exit code 3 without its reason helps nobody.
        if wire.gate_.exit_code == 3 and (console.is_quiet() or self.document is not None):
            complain_incomplete(wire)


def complain_incomplete(wire: Report) -> None:
    """Print in one line what could not be assessed, and how many findings fail the gate as well."""
    first, others = str(wire.gate_.reasons[0]), sum(limit.incomplete for limit in wire.limits) - 1
    more = f" (and {others:,} more {plural(others, 'limit')})" if others > 0 else ""
    failing = Number(sum(fails(finding, wire.fail_on) for finding in wire.findings))
    failed = f" {fact('gate.also_failed', n=failing)}" if failing.value else ""
    console.complain(f"{first}{more}{failed}", "E303")


def outputs_of(source: str, options: dict[str, Any]) -> Outputs:
    """Take the options about outputs out of `options` and check them before any work."""
    names = ("outputs", "format", "edition", "verbose", "timings")
    wanted = Outputs(**{name: options.pop(name) for name in names})
    wanted.check(source)
    return wanted


def documents_of(kind: str | None, options: dict[str, Any]) -> tuple[str, ...]:
    """Take the files of a document out of `options` and check them before any work; none where none is wanted."""
    from privaudit.api.reports import check_document

    if kind is None:
        return ()
    # What -o names is the document; the scan behind it writes no report.
    files, options["outputs"] = options["outputs"], ()
    if not files or STDOUT in files or options["format"] is not None:
        raise ConfigError("A document is written to a file.", hint="name it with -o, for example -o dpia.html")
    for file in files:
        check_document(kind, file)
    return tuple(files)
