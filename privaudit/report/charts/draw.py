"""Drawing primitives: a chart is a dict of marks, each a dict of text and rounded numbers.

Question: how is a chart described so that any template can print it as SVG?
Method: the marks carry their colours as attributes (printers and PDF writers ignore styles inside SVG) and a class,
by which a dark page may override them. Coordinates are rounded to a tenth: same input, same bytes.
Limits: no layout of text; labels are kept short by the callers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

from privaudit.base.records import dataclass
from privaudit.model.wording import SMALL_CELL, Wording

Mark = dict[str, Any]
Chart = dict[str, Any]

WIDTH = 480
# One palette for all charts; dark enough for paper, distinguishable in grey.
COLOURS = {
    "ink": "#1c2430",
    "soft": "#5b6676",
    "grid": "#dfe3ea",
    "track": "#eceff4",
    "bad": "#c8442b",
    "bad2": "#cf7a64",
    "warn": "#bd871b",
    "good": "#15756b",
    "accent": "#2f5bb7",
    "calm": "#8092b4",
    "sensitive": "#8a4fa3",
    "paper": "#ffffff",
    "shade1": "#f0f3f9",
    "shade2": "#cddaf3",
    "shade3": "#93b0e4",
    "shade4": "#4f78c9",
    "shade5": "#1f3f86",
}


def tidy(number: float) -> str:
    """Return a coordinate with at most one decimal, ``3`` rather than ``3.0``."""
    text = f"{number:.1f}"
    return text[:-2] if text.endswith(".0") else text


def short(text: str, most: int = 46) -> str:
    """Return a label cut to `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def drawn_share(n: float, total: int, wording: Wording) -> float:
    """Return the share at which a count is drawn; all withheld counts are drawn at the same place."""
    if not total:
        return 0.0
    # The length of a bar would show what its label withholds.
    if wording.hidden(n, total):
        return min(1.0, SMALL_CELL / total) if n < SMALL_CELL else max(0.0, 1 - SMALL_CELL / total)
    return max(0.0, min(1.0, n / total))


@dataclass(slots=True)
class Canvas:
    """Collects the marks of one chart from top to bottom."""

    width: float = WIDTH
    marks: list[Mark] = field(default_factory=list)

    def rect(self, x: float, y: float, width: float, height: float, colour: str, tip: str = "") -> None:
        """Add a rectangle; ``tip`` is shown on hovering and read by screen readers."""
        self._add("rect", colour, tip, x=x, y=y, width=max(width, 0), height=max(height, 0), rx=min(2.5, height / 2))

    def line(
        self, x1: float, y1: float, x2: float, y2: float, colour: str, *, dash: bool = False, thick: float = 1
    ) -> None:
        """Add a line; dashed lines mark thresholds."""
        self._add("line", colour, "", x1=x1, y1=y1, x2=x2, y2=y2, thick=thick)
        self.marks[-1]["dash"] = dash

    def circle(
        self, x: float, y: float, radius: float, colour: str, tip: str = "", *, hollow: bool = False, point: str = ""
    ) -> None:
        """Add a dot; hollow dots mark the state before a remedy. A dot with a point's number chooses its row."""
        self._add("circle", colour, tip, cx=x, cy=y, r=radius)
        self.marks[-1] |= {"hollow": hollow, "point": point}

    def path(self, points: list[tuple[float, float]], colour: str) -> None:
        """Add a line through `points`."""
        text = " ".join(f"{'L' if i else 'M'}{tidy(x)} {tidy(y)}" for i, (x, y) in enumerate(points))
        self.marks.append({"tag": "path", "colour": colour, "fill": COLOURS[colour], "d": text})

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        colour: str = "soft",
        anchor: str = "start",
        size: int = 12,
        bold: bool = False,
        upwards: bool = False,
    ) -> None:
        """Add one line of text, its baseline at `y`; text that runs upwards begins there."""
        self._add("text", colour, "", x=x, y=y)
        self.marks[-1] |= {"text": text, "anchor": anchor, "size": size, "bold": bold, "upwards": upwards}

    def chart(
        self,
        key: str,
        title: str,
        words: str,
        height: float,
        *,
        head: Sequence[str] = (),
        rows: Sequence[Sequence[str]] = (),
    ) -> Chart:
        """Return the finished chart with its title, its text alternative, and its numbers as a table."""
        return {
            "head": head,
            "rows": rows,
            "id": key,
            "title": title,
            "words": words,
            "width": tidy(self.width),
            "height": tidy(height),
            "marks": self.marks,
        }

    def _add(self, tag: str, colour: str, tip: str, **numbers: float) -> None:
        # Rounded here, in one place: the bytes of a page must not depend on the last digit of a sum.
        shape = {key: tidy(value) for key, value in numbers.items()}
        self.marks.append({"tag": tag, "colour": colour, "fill": COLOURS[colour], "tip": tip, **shape})


@dataclass(slots=True, kw_only=True)
class Plot(Canvas):
    """A canvas with axes: places are shares of the width between its margins and of the height above its base."""

    left: float
    right: float
    top: float
    base: float

    @property
    def wide(self) -> float:
        """The width between the margins."""
        return self.width - self.left - self.right

    def across(self, share: float) -> float:
        """Return the place of a share of the width."""
        return self.left + self.wide * share

    def up(self, share: float) -> float:
        """Return the place of a share of the height."""
        return self.base - (self.base - self.top) * share

    def level(self, share: float, label: str) -> None:
        """Draw a horizontal line at a share of the height, with its label to the left."""
        y = self.up(share)
        self.line(self.left, y, self.width - self.right, y, "grid")
        self.text(self.left - 6, y + 4, label, anchor="end", size=11)

    def levels(self, label: Callable[[float], str]) -> None:
        """Draw the lines of none, half and all of the height; `label` writes a share."""
        for share in (0.0, 0.5, 1.0):
            self.level(share, label(share))

    def column(self, x: float, width: float, share: float, colour: str, tip: str) -> None:
        """Add a bar from the base upwards."""
        height = (self.base - self.top) * share
        self.rect(x, self.base - height, width, height, colour, tip)

    def below(self, x: float, label: str, *, drop: float = 16, size: int = 11) -> None:
        """Write a label of the horizontal axis."""
        self.text(x, self.base + drop, label, anchor="middle", size=size)
