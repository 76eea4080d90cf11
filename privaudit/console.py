"""What the command line prints and where: results on stdout, progress and errors on stderr.

Question: how does a person at a terminal see a run?
Method: rich shows progress on a terminal only; control characters in names are replaced.
Limits: decides nothing; exit codes come from the gate and the errors.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

from privaudit.config import Progress, load_config, silent
from privaudit.config_files import find_config
from privaudit.errors import ConfigError

if TYPE_CHECKING:
    from privaudit.acceptance import AcceptanceEntry
    from privaudit.model import Report
    from privaudit.wording.render import Edition

WRITES = (".html", ".json", ".md")

STAGE_WORDS = {
    "source": "Reading",
    "profile": "Counting",
    "detect": "Looking for personal data",
    "roles": "Assigning roles",
    "risk": "Searching combinations",
    "attack": "Simulating attacks",
    "judge": "Judging",
    "advice": "Measuring remedies",
    "gate": "Deciding",
}


def prepare() -> None:
    """Make streams that take every text, whatever the caller left of them, and let signals end the run."""
    from privaudit.process import forbid_core_dumps

    forbid_core_dumps()
    stop_on_signals()
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - lives as long as we do
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def stop_on_signals() -> None:
    """Make SIGTERM end the run as Ctrl-C does, so that engines close and private folders go."""

    def stop(_number: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)


def complain(line: str, code: str) -> None:
    """Print one error line on stderr."""
    one = " ".join(_plain(line).split())
    with suppress(OSError, ValueError):
        print(f"privaudit: {code}: {one}", file=sys.stderr, flush=True)


def warn(line: str) -> None:
    """Print one warning on stderr; the run goes on."""
    with suppress(OSError, ValueError):
        print(f"privaudit: warning: {_plain(line)}", file=sys.stderr, flush=True)


@contextmanager
def printing() -> Iterator[None]:
    """Print what the block prints. A reader that went away ends the printing, not the command and its exit code.

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


def _plain(text: str) -> str:
    # A name with control characters must not move the cursor or colour the terminal.
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text)


@contextmanager
def progress(quiet: bool) -> Iterator[Progress]:
    """Yield the function that reports progress: a line on stderr, on a terminal only."""
    from privaudit.source.pandas_import import skip_pandas

    skip_pandas()  # this process is ours alone, and reading files needs no pandas
    if quiet or not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=30), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Starting", total=None)

        def report(what: str, share: float | None = None) -> None:
            words = escape(_plain(STAGE_WORDS.get(what, what)))
            if share is None:
                bar.update(task, description=words, total=None)
            else:
                bar.update(task, description=words, total=1.0, completed=share)

        yield report


def settings(config: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """Merge the configuration file with the options that were given; options win."""
    file = settings_file(config)
    merged = load_config(file, notice=warn) if file is not None else {}
    merged.update({name: value for name, value in options.items() if value not in (None, (), {})})
    _bound_memory(merged.get("memory"))
    return merged


def settings_file(config: str | None) -> Path | None:
    """Return the settings file: the one that is named, the nearest one where none is, None for an empty name.

    Raises
    ------
    ConfigError
        If the one that is named does not exist.
    """
    if config is None:
        return find_config(Path.cwd())
    if not config:
        return None
    if not Path(config).is_file():
        raise ConfigError(f"The configuration file {config} does not exist.")
    return Path(config)


def _bound_memory(size: str | None) -> None:
    """Bound this process where the user asked for it; a size that is not one is reported with the other settings."""
    from privaudit.config import Settings
    from privaudit.process import bound_memory

    with suppress(ConfigError):
        most = Settings(memory=size).memory_bytes()
        if most is not None:
            bound_memory(most)


def check_outputs(
    source: str, outputs: Sequence[str], *, suffixes: Sequence[str] = WRITES, edition: str = "full"
) -> None:
    """Refuse, before any work, an output that could not or must not be written.

    Raises
    ------
    ConfigError
        For an unknown suffix, a public edition in JSON, a folder that is missing, the same file twice, or the
        input itself.
    """
    seen: set[str] = set()
    if any("\0" in text for text in (source, *outputs)):
        raise ConfigError("A path contains a NUL character.", hint="check the path")
    taken = os.path.realpath(source.partition("#")[0])  # never fails, not even for links that lead in a circle
    for output in outputs:
        path = Path(output)
        if path.suffix.lower() not in suffixes:
            raise ConfigError(f"{output}: unknown suffix.", hint="use one of: " + ", ".join(suffixes))
        if edition == "public" and path.suffix.lower() == ".json":
            raise ConfigError(
                f"{output}: JSON contains exact counts.", hint="write the public edition as .html or .md"
            )
        if not path.parent.is_dir():
            raise ConfigError(f"{output}: the folder does not exist.", hint="create it first")
        if path.is_symlink():
            raise ConfigError(f"{output} is a symbolic link; reports are not written through links.")
        if os.path.realpath(path) == taken:
            raise ConfigError(f"{output} is the input; it is never overwritten.")
        if os.path.realpath(path) in seen:
            raise ConfigError(f"{output} is named twice.")
        seen.add(os.path.realpath(path))


def check_inputs(outputs: Iterable[str], source: str, chosen: Mapping[str, Any], config: Path | None) -> None:
    """Refuse, before any work, an output that is a file of the input under any name.

    Raises
    ------
    ConfigError
    """
    from privaudit import inputs
    from privaudit.config import Settings, check
    from privaudit.report import files

    values = {name: value for name, value in chosen.items() if name != "accept"}
    settings = Settings(**check(values, where="the arguments"))
    opened = inputs.opened(source, settings, config=config)
    for output in outputs:
        files.check(Path(output), opened)


def show(report: Report, *, edition: Edition = "full") -> None:
    """Print the plain-words summary and the tables of a report, in the edition of the files."""
    from privaudit.report import show as show_report

    with printing():
        show_report(report, sys.stdout, edition=edition)


def print_gate(passed: bool, reasons: Iterable[str]) -> None:
    """Print the gate's decision and its reasons."""
    head = "Gate passed." if passed else "Gate not passed:"
    print_text("\n".join([head, *(f"  - {_plain(reason)}" for reason in reasons)]))


def print_accepted(entries: Iterable[AcceptanceEntry]) -> None:
    """Print what was accepted, until when, and up to which value."""
    lines = []
    for entry in entries:
        columns = ", ".join(entry.columns) or "the whole table"
        bound = "any value" if entry.worst_accepted is None else f"values up to {entry.worst_accepted}"
        lines.append(f"Accepted {entry.code} on {columns} until {entry.expires}, {bound}.")
    print_text("\n".join(map(_plain, lines)))


def list_rules(directory: str | None = None) -> None:
    """Print every rule, shipped and of `directory`, one a line: kind, code, title."""
    from privaudit.handbook import list_rules as listed

    found = listed(None if directory is None else Path(directory))
    rows = [(rule.kind, rule.code, rule.title) for rule in found]
    wide = [max(len(row[i]) for row in rows) for i in (0, 1)]
    lines = (f"{kind:<{wide[0]}}  {code:<{wide[1]}}  {title}" for kind, code, title in rows)
    print_text("\n".join(map(_plain, lines)))


def test_rules(directory: str | None) -> int:
    """Run the cases of all packs, and of `directory`; return 0, or 2 where one fails."""
    from privaudit.detect.packs.cases import test_packs
    from privaudit.rulebook import test_rules as run_checks

    folder = Path(directory) if directory is not None else None
    results = [(case.name, case.passed, case.why) for case in test_packs(folder)]
    results += [(case.name, case.passed, case.why) for case in run_checks(folder)]
    failed = [(name, why) for name, passed, why in results if not passed]
    lines = [f"FAILED  {_plain(name)}: {_plain(why)}" for name, why in failed]
    print_text("\n".join([*lines, f"{len(results) - len(failed)} passed, {len(failed)} failed"]))
    return 2 if failed else 0


def train(labels: str, output: str | None, rules: str | None, quiet: bool) -> int:
    """Learn from a file of labels, print the scores, write what was learned; return 0."""
    from privaudit.config import Settings
    from privaudit.detect.learning import learn
    from privaudit.report.files import replace

    if output is not None:
        check_outputs(labels, (output,), suffixes=(".toml",))
    with progress(quiet) as report_progress:
        trained = learn.train(labels, Settings(rules=rules, ner=False), report_progress)
    if output is not None:
        replace(Path(output), learn.as_toml(trained))
    if not quiet:
        print_text(learn.summary(trained))
    return 0


def doctor() -> int:
    """Print what this installation has and what it lacks; return 0, or 3 where text could not be assessed."""
    import platform

    from privaudit import provenance
    from privaudit._version import __version__
    from privaudit.detect.text.language_model import available_engines
    from privaudit.handbook import list_rules as listed

    lines = [f"privaudit {__version__}, Python {platform.python_version()}"]
    lines += [f"  {name} {version}" for name, version in provenance.versions().items()]
    engines = available_engines()
    lines.append("Language models:" if engines else "Language models: none")
    lines += [
        f"  {engine.name}: {engine.model} {engine.version}, sha256 {engine.sha256_of_model_metadata[:16]}"
        for engine in engines
    ]
    if not engines:
        lines.append(
            "  Text columns cannot be read for names: install an extra named below, or use --no-ner."
        )
    lacking = provenance.missing()
    lines.append("Extras not installed:" if lacking else "Extras: all installed")
    lines += [f"  {extra}, {what}: pip install 'privaudit[{extra}]'" for extra, what in lacking]
    if lacking:
        lines.append("  (in a checkout: pip install '.[name]')")
    lines.append(f"Rules: {len(listed())} in the packs; `privaudit rules test` runs their cases.")
    print_text("\n".join([*lines, "Network: never used."]))
    return 0 if engines else 3
