"""What the command line prints and where: results on stdout, progress and errors on stderr.

Question: how does a person at a terminal see a run?
Method: rich shows progress on a terminal only; control characters in names are replaced.
Limits: decides nothing; exit codes come from the gate and the errors.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from privaudit.base import private_folders, spending
from privaudit.base.errors import ConfigError
from privaudit.cli.option_values import QUIET
from privaudit.model.headers import shown_file
from privaudit.model.wording import Columns, Listing, Name, Number, Value, fact
from privaudit.settings import run_settings
from privaudit.settings.answers import AnswerBook
from privaudit.settings.config import with_parts

if TYPE_CHECKING:
    from privaudit.cli.progress import Reporting
    from privaudit.cli.starter import Written
    from privaudit.cli.starter.look import TableLook
    from privaudit.model import Report
    from privaudit.model.wording.render import Edition
    from privaudit.report.pages.page import Page
    from privaudit.settings.acceptance import AcceptanceEntry
    from privaudit.settings.answers import AnswerEntry
    from privaudit.settings.run_settings import RunSettings


def prepare() -> None:
    """Make the standard streams accept any text, even where the caller closed them, and let signals end the run."""
    from privaudit.base.process import forbid_core_dumps
    from privaudit.base.supervision import stop_on_signals

    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # else pydantic lists all installed packages
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads use the processor while they wait, and memory
    forbid_core_dumps()
    stop_on_signals()
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - lives as long as we do
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def complain(line: str, code: str) -> None:
    """Print one error line on stderr."""
    # One line for each error, so that a log can be searched by the code.
    one = plain(" ".join(line.split()))
    with suppress(OSError, ValueError):
        print(f"privaudit: {code}: {one}", file=sys.stderr, flush=True)


def note(line: str) -> None:
    """Print one line about the run on stderr."""
    with suppress(OSError, ValueError):
        print(f"privaudit: {plain(' '.join(line.split()))}", file=sys.stderr, flush=True)


def is_quiet() -> bool:
    """Whether the command that runs was asked for errors only."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(QUIET))


def _is_verbose() -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.params.get("verbose")) and not is_quiet()


def print_unless_quiet(text: str) -> None:
    """Print text on stdout, unless the command is quiet."""
    if not is_quiet():
        print_text(text)


def state(code: str, /, **values: Value | Path | str | float) -> None:
    """Print a sentence of the catalogue on standard error, unless quiet; a path is shown by its name."""
    if not is_quiet():
        note(sentence(code, **values))


def sentence(code: str, /, **values: Value | Path | str | float) -> str:
    """Return a sentence of the catalogue; a text is a name, and a path is shown by its name."""
    return str(fact(code, **{name: _typed(value) for name, value in values.items()}))


def _typed(value: Value | Path | str | float) -> Value:
    if isinstance(value, Path | str):
        return Name(value if isinstance(value, str) else shown_file(value))
    return Number(value) if isinstance(value, int | float) else value


def print_timings(timings: Mapping[str, float], *, by_column: bool) -> None:
    """Print the seconds of each stage on stderr or, as a table, with the processor time of its slowest columns."""
    stages = [name for name in timings if ": " not in name]
    if not by_column:
        for stage in stages:
            note(f"{stage}: {timings[stage]:.2f} s")
        return
    with suppress(OSError, ValueError):
        print(f"{'stage':<10} {'column':<32} {'seconds':>9} {'processor seconds':>18}", file=sys.stderr)
        for stage in stages:
            print(f"{stage:<10} {'':<32} {timings[stage]:>9.2f}", file=sys.stderr)
            for name, took in timings.items():
                if name.startswith(f"{stage}: "):
                    # A column name may contain line breaks, which would break the table.
                    column = " ".join(plain(name.removeprefix(f"{stage}: ")).split())[:32]
                    print(f"{'':<10} {column:<32} {'':>9} {took:>18.2f}", file=sys.stderr)


def warn(line: str) -> None:
    """Print one warning on stderr; the run goes on."""
    with suppress(OSError, ValueError):
        print(f"privaudit: warning: {plain(line)}", file=sys.stderr, flush=True)


@contextmanager
def printing() -> Iterator[None]:
    """Print what the block prints. A closed pipe ends the printing, not the command, and does not change the exit code.

    Raises
    ------
    ConfigError
        If stdout cannot be written for another reason.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _print_nowhere()
    except OSError:
        _print_nowhere()
        raise ConfigError("Standard output cannot be written.", hint="is there room on the disk?") from None


def _print_nowhere() -> None:
    # What is still buffered would be written, and fail again, when Python ends.
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - lives as long as the process
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(sys.stdout.fileno(), sys.__stdout__.fileno())  # type: ignore[union-attr]


def print_text(text: str) -> None:
    """Print text on stdout."""
    with printing():
        print(text)


def write_each(outputs: Sequence[str], write: Callable[[str], object], *, what: str = "") -> None:
    """Write every output, and print where it went."""
    for file in outputs:
        write(file)
        if not is_quiet():
            note(f"wrote {shown_file(file)}{f' ({what})' if what else ''}")


def deliver_page(page: Page, record: Any, outputs: Sequence[str], inputs: Sequence[Path]) -> None:
    """Write a page to every output, each in the format of its suffix, and print it."""
    from privaudit.report.pages import page as pages

    for output in outputs:
        pages.write(page, record, Path(output), inputs)
    print_unless_quiet(pages.text(page))


def print_document(text: str) -> None:
    """Write a whole document to stdout as UTF-8, whatever the encoding of the terminal."""
    with printing():
        stream = getattr(sys.stdout, "buffer", None)
        if stream is None:
            sys.stdout.write(text)
        else:
            sys.stdout.flush()
            # The encoding of a terminal could not express every name, and JSON is UTF-8 by definition.
            stream.write(text.encode("utf-8", "replace"))
            stream.flush()


def print_json(content: Any) -> None:
    """Write an object to stdout as JSON."""
    import json

    print_document(json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def plain(text: str) -> str:
    """Return `text` without what moves the cursor, colours the terminal or is a command of a build runner."""
    from privaudit.report.escape import terminal

    return "\n".join(map(terminal, text.split("\n")))


@contextmanager
def progress() -> Iterator[Reporting]:
    """Yield what reports progress on stderr: as a bar on a terminal, with --verbose as lines elsewhere."""
    from privaudit.cli import progress as progress_
    from privaudit.source.files.formats.arrow_import import import_functions
    from privaudit.source.files.readers.pandas_import import skip_pandas
    from privaudit.source.files.readers.reader_client import prepare_by_fork

    # This process is ours alone. It forks before Arrow is loaded.
    prepare_by_fork()
    import_functions()
    skip_pandas()  # reading files needs no pandas
    if not is_quiet() and sys.stderr.isatty():
        with progress_.bar(plain) as bar:
            yield bar
    else:
        yield progress_.lines(note) if _is_verbose() else progress_.hidden()


def settings(config: str | None, options: Mapping[str, Any], source: str = "") -> dict[str, Any]:
    """Merge the settings file, its section for the table `source`, and the options that were given; options win."""
    merged = stated_settings(config, with_parts(options, (source,))).of(source)
    bound_memory(merged.get("memory"))
    return merged


def reading(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return those settings that state how a source is read, for commands that neither measure risk nor judge."""
    from privaudit.settings.options import ReadingOptions

    return {name: value for name, value in chosen.items() if name in ReadingOptions.__annotations__}


def stated_settings(config: str | None, options: Mapping[str, Any]) -> RunSettings:
    """Return what the settings file and the options state."""
    with ExitStack() as keep:
        return run_settings.resolve(config, options, policy_from=None, keep=keep, notice=warn)


def bound_memory(size: str | None) -> None:
    """Bound this process where the user asked for it; a size that is not one is reported with the other settings.

    Where the caller bounded it, with `ulimit -v`, a crash of a library is reported in the same way.
    """
    from privaudit.base import process
    from privaudit.base.supervision import continue_in_fork
    from privaudit.settings.config import Settings

    with suppress(ConfigError):
        most = Settings(memory=size).memory_bytes()
        if most is None and not process.is_bounded():
            process.keep_freed_memory()
        else:
            continue_in_fork(clean_up=private_folders.sweep)
            process.bound_memory(most)


def report_removed() -> None:
    """Print how many folders of runs that were killed this run removed: they may have contained cells."""
    n = private_folders.removed()
    if n:
        warn(sentence("compare.removed_folders", n=n))


def report_charged() -> None:
    """Print what a run that failed had charged to a ledger: noise that was drawn cannot be returned."""
    for each in spending.take():
        entry, dataset, epsilon, delta = each.entry, each.dataset, each.epsilon, f"{each.delta:g}"
        note(sentence("answers.stays_charged", entry=entry, dataset=dataset, epsilon=epsilon, delta=delta))


def print_settings(stated: RunSettings, source: str) -> None:
    """Print every setting, its value and its origin."""
    rows = [(name, _shown_setting(value), origin) for name, value, origin in stated.listing(source)]
    wide = [max(len(row[i]) for row in rows) for i in (0, 1)]
    lines = (f"{name:<{wide[0]}}  {value:<{min(wide[1], 40)}}  {origin}" for name, value, origin in rows)
    print_text("\n".join(map(plain, lines)))


def _shown_setting(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={each}" for key, each in value.items()) or "-"
    if isinstance(value, tuple):
        return ", ".join(str(getattr(each, "code", each)) for each in value) or "-"
    if isinstance(value, AnswerBook):
        return ", ".join(entry.key for entry in value.entries) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)


def show(report: Report, *, edition: Edition = "full") -> None:
    """Print the plain-words summary and the tables of a report, in the edition of the files."""
    from privaudit.report import show as show_report

    with printing():
        show_report(report, sys.stdout, edition=edition)


def print_gate(passed: bool, reasons: Iterable[str]) -> None:
    """Print the gate's decision and its reasons, unless quiet."""
    head = fact("console.gate_passed" if passed else "console.gate_not_passed")
    print_unless_quiet("\n".join([str(head), *(f"  - {plain(reason)}" for reason in reasons)]))


def print_verified_report(report: Report) -> None:
    """Print that a new scan states what the report states, unless quiet."""
    table, n = report.dataset, len(report.findings)
    print_unless_quiet(sentence("console.report_verified", rows=table.n_rows, columns=table.n_columns, n=n))


def print_page(page: str, saved: str, edition: Edition | None) -> None:
    """Print whether a page is what a saved report renders to."""
    code = "console.page_differs" if edition is None else "console.page_verified"
    print_text(plain(sentence(code, page=page, saved=saved, edition=edition or "")))


def print_answered(entry: AnswerEntry) -> None:
    """Print what was answered, and until when it holds."""
    print_unless_quiet(sentence("console.answered", key=entry.key, until=str(entry.until)))


def print_accepted(entries: Iterable[AcceptanceEntry], tables: str | None) -> None:
    """Print what was accepted, for which tables, until when, and up to which value."""
    lines = []
    for entry in entries:
        worst, bound = entry.worst_accepted, fact("console.accepted_any")
        if worst is not None:
            bound = fact("console.accepted_up_to", worst=Name(str(worst)))
        where = fact("console.every_table") if tables is None else tables
        columns, expires = Columns(entry.columns), str(entry.expires)
        lines.append(
            sentence("console.accepted", code=entry.code, columns=columns, tables=where, expires=expires, bound=bound)
        )
    print_unless_quiet("\n".join(map(plain, lines)))


def print_started(tables: Sequence[TableLook], written: Sequence[Written]) -> None:
    """Print which tables were found, which files were written, and what belongs into those that existed."""
    lines = [sentence("console.tables_found", n=len(tables))]
    lines += [f"  {sentence('console.table', table=table.name, about=_about(table))}" for table in tables]
    lines += [sentence("console.written", file=str(file.path)) for file in written if file.is_new]
    for file in written:
        if not file.is_new:
            lines += [sentence("console.not_changed", file=str(file.path)), "", file.text]
    lines += [sentence("console.next_scan"), sentence("console.next_baseline")]
    print_unless_quiet("\n".join(map(plain, lines)))


def _about(table: TableLook) -> Value:
    """Return why a table was not read, or how many columns have which role."""
    if table.why_not:
        return Name(table.why_not)
    roles = Counter(column.role for column in table.columns)
    found = tuple(
        fact("console.roles", n=Number(roles[role]), role=Name(role))
        for role in ("direct", "quasi", "sensitive")
        if roles[role]
    )
    return Listing(found) if found else fact("console.no_personal_data")
