"""The registry of output formats.

Question: in which formats can a report be written, and what renders each?
Method: one record per format; its module is imported when it is used. A new format is a module with a function
``(report, edition) -> str`` and a record here.
Limits: formats of whole reports; the terminal and notebook summaries are not files.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from privaudit.errors import ConfigError, UnsupportedFormat
from privaudit.model import Report
from privaudit.wording.render import Edition

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
        File suffixes that select it, with the dot.
    module : str
        Module with the function ``render(report, edition)``.
    editions : tuple of str
        Editions it can be written in.
    """

    name: str
    suffixes: tuple[str, ...]
    module: str
    editions: tuple[Edition, ...] = EDITIONS

    def render(self, report: Report, edition: Edition = "full") -> str:
        """Return `report` as text."""
        renderer: Renderer = importlib.import_module(self.module).render
        return renderer(report, edition)


REGISTRY = {
    entry.name: entry
    for entry in (
        Format(name="html", suffixes=(".html",), module="privaudit.report.html"),
        # report.json holds exact counts, so that it can be judged again.
        Format(name="json", suffixes=(".json",), module="privaudit.report.json", editions=("full",)),
        Format(name="md", suffixes=(".md",), module="privaudit.report.markdown"),
    )
}
"""All formats by name."""


def by_suffix(path: str | Path) -> Format:
    """Return the format that the suffix of `path` selects.

    Raises
    ------
    UnsupportedFormat
        If no format has this suffix; the message lists those that exist.
    """
    suffix = Path(path).suffix.lower()
    found = next((entry for entry in REGISTRY.values() if suffix in entry.suffixes), None)
    if found is None:
        known = ", ".join(suffix for entry in REGISTRY.values() for suffix in entry.suffixes)
        raise UnsupportedFormat(
            f"{Path(path).name} has no suffix of a report format.", hint=f"use one of: {known}"
        )
    return found


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
        raise UnsupportedFormat(
            f'Unknown report format "{format}".', hint=f"use one of: {', '.join(REGISTRY)}"
        )
    if edition not in EDITIONS:
        raise ConfigError(f'Unknown edition "{edition}".', hint=f"use one of: {', '.join(EDITIONS)}")
    chosen = REGISTRY[format]
    if edition not in chosen.editions:
        others = ", ".join(entry.suffixes[0] for entry in REGISTRY.values() if edition in entry.editions)
        raise UnsupportedFormat(
            f"A {format} report contains exact counts and has no {edition} edition.",
            hint=f"use one of: {others}",
        )
    return chosen
