"""The report in every format: one set of contents, laid out for people and for programs.

Question: how do the measured numbers reach a reader?
Method: `render` turns a `Report` into text in one of the registered formats (`privaudit.report.formats`), `write` puts
it into a file whole or not at all, and `read` reads report.json back. `summary` is the verdict in sentences; `show`
prints it on a terminal.
Limits: nothing is measured or judged here, and no sentence is worded here: the catalogue has them. Imports `model`
and `base`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privaudit.model import Report
from privaudit.model.wording import Edition
from privaudit.report import formats

if TYPE_CHECKING:
    from typing import TextIO

__all__ = ["FORMATS", "Edition", "notebook", "read", "render", "schema", "show", "summary", "write"]

FORMATS = tuple(formats.REGISTRY)
"""Names of the formats a report can be written in."""


def render(report: Report, format: str = "html", *, edition: Edition = "full") -> str:
    """Return `report` as text.

    Parameters
    ----------
    report : Report
    format : {"html", "json", "md", "sarif", "junit", "gitlab", "github"}, default "html"
    edition : {"full", "public"}, default "full"
        The public edition shows fewer and rounded numbers, so that no count below 11 follows from them; JSON has no
        public edition.

    Raises
    ------
    UnsupportedFormat
        If the format or its edition does not exist.
    """
    return formats.select(format, edition).render(report, edition)


def write(report: Report, path: str | Path, *, edition: Edition = "full", inputs: Iterable[str | Path] = ()) -> None:
    """Write `report` to `path` in the format of its suffix, whole or not at all.

    Parameters
    ----------
    report : Report
    path : str or Path
        An existing regular file is replaced; its folder must exist.
    edition : {"full", "public"}, default "full"
    inputs : iterable of str or Path
        Files that were read; neither they nor the scanned file are ever overwritten.

    Raises
    ------
    UnsupportedFormat
        If no format has this suffix.
    ConfigError
        If the path is a symbolic link, a folder or one of the inputs, or cannot be written.
    """
    from privaudit.report import files

    target = Path(path)
    chosen = formats.by_suffix(target)
    files.check(target, (*inputs, report.dataset.name.partition("#")[0]))
    files.replace(target, chosen.content(report, edition))


def read(path: str | Path) -> Report:
    """Read a report.json whose digest matches.

    Raises
    ------
    UnreadableSource
        If the file is not JSON, not a report, a report of another schema version, or was changed.
    """
    from privaudit.report import json

    return json.read(path)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of report.json, version 2."""
    from privaudit.report import json

    return json.schema()


def summary(report: Report) -> tuple[str, ...]:
    """Return the verdict in sentences: gate, direct identifiers, people at risk, what to do first."""
    from privaudit.report.sections import verdict

    return verdict.summary(report)


def notebook(report: Report) -> str:
    """Return the verdict as an HTML fragment for a notebook cell."""
    from privaudit.report import html

    return html.notebook(report)


def show(
    report: Report, file: TextIO, *, width: int | None = None, color: bool | None = None, edition: Edition = "full"
) -> None:
    """Print the summary of the report on a terminal or into a log; see `privaudit.report.terminal.show`."""
    from privaudit.report import terminal

    terminal.show(report, file, width=width, color=color, edition=edition)
