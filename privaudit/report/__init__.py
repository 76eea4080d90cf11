"""The report in every format: one view of the records, laid out for people and for programs.

Question: how do the measured numbers reach a reader?
Method: `render` turns a `Report` into text (html, json, md), `write` puts it into a file whole or not at all,
`read` takes report.json back. `summary` is the verdict in sentences, `show` prints it on a terminal.
Limits: nothing is measured or judged here; formats are chosen by suffix and known by `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privaudit.errors import ConfigError, UnsupportedFormat
from privaudit.model import Report
from privaudit.report.words import Edition

if TYPE_CHECKING:
    from typing import TextIO

__all__ = [
    "FORMATS",
    "Edition",
    "format_of",
    "notebook",
    "read",
    "render",
    "schema",
    "show",
    "summary",
    "write",
]

FORMATS = ("html", "json", "md")
"""Formats a report can be written in; a file's suffix names one of them."""


def format_of(path: str | Path) -> str:
    """Return the format that the suffix of `path` names.

    Raises
    ------
    UnsupportedFormat
        If no report has this suffix; the message names those that work.
    """
    suffix = Path(path).suffix.lower().lstrip(".")
    if suffix not in FORMATS:
        known = ", ".join(f".{name}" for name in FORMATS)
        raise UnsupportedFormat(
            f"No report is written as {Path(path).name}.", hint=f"suffixes that work: {known}"
        )
    return suffix


def render(report: Report, format: str = "html", *, edition: Edition = "full") -> str:
    """Return `report` as text.

    Parameters
    ----------
    report : Report
    format : {"html", "json", "md"}, default "html"
    edition : {"full", "public"}, default "full"
        The public edition withholds counts of 1..10 and what follows from them; JSON has no public edition.

    Raises
    ------
    UnsupportedFormat
        If the format or its edition does not exist.
    """
    if format not in FORMATS:
        raise UnsupportedFormat(f'"{format}" is no report format.', hint=f"formats: {', '.join(FORMATS)}")
    if edition not in ("full", "public"):
        raise ConfigError(f'"{edition}" is no edition of a report.', hint="editions: full, public")
    if format == "json" and edition == "public":
        raise UnsupportedFormat(
            "report.json holds exact counts and has no public edition.", hint="write .html or .md to share"
        )
    return _renderer(format)(report, edition)


def _renderer(format: str) -> Callable[[Report, Edition], str]:
    from privaudit.report import html, json, markdown

    table: dict[str, Callable[[Report, Edition], str]] = {
        "html": html.render,
        "json": lambda report, _: json.render(report),
        "md": markdown.render,
    }
    return table[format]


def write(
    report: Report, path: str | Path, *, edition: Edition = "full", inputs: Iterable[str | Path] = ()
) -> None:
    """Write `report` to `path` in the format of its suffix, whole or not at all.

    Parameters
    ----------
    report : Report
    path : str or Path
        An existing regular file is replaced; its folder must exist.
    edition : {"full", "public"}, default "full"
    inputs : iterable of str or Path
        Files that were read; none of them is ever overwritten, nor is the scanned file.

    Raises
    ------
    UnsupportedFormat
        If no report has this suffix.
    ConfigError
        If the path is a symbolic link, a folder or one of the inputs, or cannot be written.
    """
    from privaudit.report import files

    target = Path(path)
    kind = format_of(target)
    files.check(target, (*inputs, report.dataset.name.partition("#")[0]))
    files.replace(target, render(report, kind, edition=edition))


def read(path: str | Path) -> Report:
    """Read a report.json back into the records.

    Raises
    ------
    UnreadableSource
        If it is no JSON, no report, or a report of another schema version.
    """
    from privaudit.report import json

    return json.read(path)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of report.json, version 1."""
    from privaudit.report import json

    return json.schema()


def summary(report: Report) -> tuple[str, ...]:
    """Return the verdict in sentences: gate, worst risk, people at risk, what to do first."""
    from privaudit.report import verdict

    return verdict.summary(report)


def notebook(report: Report) -> str:
    """Return the verdict as an HTML fragment for a notebook cell."""
    from privaudit.report import html

    return html.notebook(report)


def show(report: Report, file: TextIO, *, width: int | None = None, color: bool | None = None) -> None:
    """Print the report's summary on a terminal or into a log; see `privaudit.report.terminal.show`."""
    from privaudit.report import terminal

    terminal.show(report, file, width=width, color=color)
