"""How far a run is, on standard error: a bar on a terminal, and a line now and then in a log with --verbose.

Question: does the run go on, and what does it do?
Method: stages report codes or phrases; a run over several tables also reports which of them it scans.
Limits: a log has at most one line in `LINE_SECONDS`, because it would hold every redrawing of a bar.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LINE_SECONDS = 10.0
"""The time between two lines of a log."""

STAGE_WORDS = {
    "source": "Reading",
    "profile": "Counting",
    "detect": "Looking for personal data",
    "unit": "Inferring what a row is",
    "roles": "Assigning roles",
    "risk": "Searching combinations",
    "pictures": "Drawing pictures",
    "attack": "Simulating attacks",
    "cache": "Looking for stored evidence",
    "evidence": "Gathering the evidence",
    "judge": "Judging",
    "advice": "Measuring remedies",
    "gate": "Deciding",
}


class Reporting:
    """The progress of a run: what is being done, in which table of how many.

    Parameters
    ----------
    show : callable
        Gets the words, and the share done (0 to 1, or None where it is unknown).
    """

    def __init__(self, show: Callable[[str, float | None], None]) -> None:
        self._show = show
        self._part = ""

    def __call__(self, what: str, share: float | None = None) -> None:
        """Show what is being done."""
        self._show(self._part + STAGE_WORDS.get(what, what), share)

    def start_part(self, part: str) -> None:
        """Show, from now on, which part of the run is being done, such as "Table 2 of 10"."""
        self._part = f"{part}: "
        self._show(part, None)


def hidden() -> Reporting:
    """Return what shows nothing."""
    return Reporting(lambda _words, _share: None)


def lines(note: Callable[[str], None]) -> Reporting:
    """Return what gives `note` a line at most every `LINE_SECONDS`."""
    last = time.monotonic()

    def show(words: str, share: float | None) -> None:
        nonlocal last
        if time.monotonic() - last >= LINE_SECONDS:
            last = time.monotonic()
            note(words if share is None else f"{words} ({share:.0%})")

    return Reporting(show)


@contextmanager
def bar(plain: Callable[[str], str]) -> Iterator[Reporting]:
    """Yield what draws a bar on standard error, which is removed at the end; `plain` makes a text safe to print."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=30), TimeElapsedColumn())
    # On stderr, because standard output may be piped.
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("Starting", total=None)

        def show(words: str, share: float | None) -> None:
            known = {"total": None} if share is None else {"total": 1.0, "completed": share}
            shown.update(task, description=escape(plain(words)), **known)

        yield Reporting(show)
