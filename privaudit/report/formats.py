"""The registry of output formats.

Question: in which formats can a report be written, and what renders each?
Method: one record per format; its module is imported when it is used. A new format is a module with a function
``(report, edition) -> str`` and a record here.
Limits: formats of whole reports; the terminal and notebook summaries are not files.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from privaudit.base.errors import ConfigError, UnsupportedFormat
from privaudit.base.records import dataclass
from privaudit.model import Report
from privaudit.model.headers import shown_file
from privaudit.model.wording import Edition

if TYPE_CHECKING:
    from privaudit.report.entries import TableEntry

Renderer = Callable[[Report, Edition], str]
EDITIONS: tuple[Edition, ...] = ("full", "public")


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One output format.

    Attributes
    ----------
    name : str
        Its name, for example for ``--format``.
    suffixes : tuple of str
        Ends of file names that select it; the longest that matches counts. A format without one is for standard
        output.
    module : str
        Module with the function ``render(report, edition)``.
    editions : tuple of str
        Editions it can be written in.
    several : bool
        Whether one document can hold the reports of several tables: the module has a function
        ``render_several(entries, edition)``.
    is_text : bool
        Whether it can be printed; the module of another one has functions ``render_bytes(report, edition)`` and
        ``check()``.
    """

    name: str
    suffixes: tuple[str, ...]
    module: str
    editions: tuple[Edition, ...] = EDITIONS
    several: bool = False
    is_text: bool = True

    def content(self, report: Report, edition: Edition = "full") -> bytes:
        """Return `report` as the bytes of a file."""
        if self.is_text:
            return self.render(report, edition).encode("utf-8", "replace")
        return importlib.import_module(self.module).render_bytes(report, edition)

    def check(self, edition: Edition = "full") -> None:
        """Refuse, before any work, an edition that does not exist and a format whose extra is not installed.

        Raises
        ------
        ConfigError, UnsupportedFormat
        """
        if self.is_text:
            select(self.name, edition)
        else:
            importlib.import_module(self.module).check()

    def render(self, report: Report, edition: Edition = "full") -> str:
        """Return `report` as text."""
        renderer: Renderer = importlib.import_module(self.module).render
        return renderer(report, edition)

    def render_several(self, entries: Sequence[TableEntry], edition: Edition = "full") -> str:
        """Return the reports of several tables as one text."""
        return importlib.import_module(self.module).render_several(entries, edition)


REGISTRY = {
    entry.name: entry
    for entry in (
        Format(name="html", suffixes=(".html",), module="privaudit.report.html"),
        # report.json holds exact counts, so that it can be judged again.
        Format(name="json", suffixes=(".json",), module="privaudit.report.json", editions=("full",)),
        Format(name="md", suffixes=(".md",), module="privaudit.report.markdown", several=True),
        Format(name="sarif", suffixes=(".sarif", ".sarif.json"), module="privaudit.report.sarif", several=True),
        Format(name="junit", suffixes=(".xml",), module="privaudit.report.junit", several=True),
        Format(
            name="gitlab",
            suffixes=(".gitlab.json", "gl-code-quality-report.json"),
            module="privaudit.report.gitlab",
            several=True,
        ),
        Format(name="github", suffixes=(), module="privaudit.report.github", several=True),
    )
}
"""The formats that are text, by name."""
PDF = Format(name="pdf", suffixes=(".pdf",), module="privaudit.report.pdf", is_text=False)
FILES = (*REGISTRY.values(), PDF)
"""The formats of files."""


def by_suffix(path: str | Path) -> Format:
    """Return the format that the suffix of `path` selects.

    Raises
    ------
    UnsupportedFormat
        If no format has this suffix; the message lists those that exist.
    """
    file = Path(path).name.lower()
    found = [(len(end), entry) for entry in FILES for end in entry.suffixes if file.endswith(end)]
    if not found:
        raise UnsupportedFormat(
            f"{shown_file(path)} has no suffix of a report format.", hint=f"use one of: {', '.join(suffixes())}"
        )
    return max(found, key=lambda pair: pair[0])[1]


def endings() -> tuple[str, ...]:
    """Return every end of a file name that selects a format."""
    return tuple(end for entry in FILES for end in entry.suffixes)


def suffixes() -> tuple[str, ...]:
    """Return the first suffix of every format that has one."""
    return tuple(entry.suffixes[0] for entry in FILES if entry.suffixes)


def select(format: str, edition: Edition) -> Format:
    """Return the format called `format`, checked to exist in `edition`.

    Raises
    ------
    UnsupportedFormat
        If the format, or its edition, does not exist.
    ConfigError
        If the edition does not exist.
    """
    if format not in REGISTRY:
        raise UnsupportedFormat(f'Unknown report format "{format}".', hint=f"use one of: {', '.join(REGISTRY)}")
    if edition not in EDITIONS:
        raise ConfigError(f'Unknown edition "{edition}".', hint=f"use one of: {', '.join(EDITIONS)}")
    chosen = REGISTRY[format]
    if edition not in chosen.editions:
        others = ", ".join(entry.name for entry in REGISTRY.values() if edition in entry.editions)
        raise UnsupportedFormat(
            f"A {format} report contains exact counts and has no {edition} edition.", hint=f"use one of: {others}"
        )
    return chosen


def select_several(format: str, edition: Edition) -> Format:
    """Return the format called `format`, checked to hold several tables in one document.

    Raises
    ------
    UnsupportedFormat, ConfigError
    """
    chosen = select(format, edition)
    if not chosen.several:
        others = ", ".join(entry.name for entry in REGISTRY.values() if entry.several)
        raise UnsupportedFormat(
            f"One {format} document has the report of one table.",
            hint=f"write the reports of several tables into a folder, or as one of: {others}",
        )
    return chosen
