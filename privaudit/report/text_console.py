"""Texts and tables on a terminal or in a build log.

Question: how do a text and a table fit the width of a stream?
Method: texts are broken between words, and within words that are wider than a line. Of a table, the widest columns of
texts are narrowed until it fits. East Asian characters are two cells wide and combining marks none (Unicode Standard
Annex 11). Styles are the codes of ECMA-48, for terminals only.
Limits: emoji that are joined from several are counted as several. No library of terminals is loaded: its 45 modules
took one twentieth of the scan of a small table, and only the progress on a terminal needs one.
"""

from __future__ import annotations

import os
import re
import shutil
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, TextIO

PLAIN_WIDTH = 100
"""Width of the output where the stream is not a terminal, so that two of them can be compared."""
GAP = "   "
CODES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36}
_WORD = re.compile(r"\s*\S+\s*")


class Cell(NamedTuple):
    """A text and its style: words of `CODES`."""

    text: str
    style: str = ""


class Console:
    """A stream, the width of its lines, and whether it shows styles.

    Parameters
    ----------
    file : text stream
    width : int, optional
        Columns; that of the terminal by default, 100 where there is none.
    color : bool, optional
        None decides by the stream, ``FORCE_COLOR`` and ``NO_COLOR``.
    """

    def __init__(self, file: TextIO, width: int | None = None, color: bool | None = None) -> None:
        self.file = file
        self.width = width or (shutil.get_terminal_size().columns if file.isatty() else PLAIN_WIDTH)
        may = not os.environ.get("NO_COLOR") and os.environ.get("TERM") not in ("dumb", "unknown")
        asked = may and (file.isatty() or bool(os.environ.get("FORCE_COLOR")))
        self.shows_styles = asked if color is None else color

    def print(self, text: str = "", style: str = "") -> None:
        """Print a text, in lines that fit the width."""
        self._write(self._styled(line, style) for line in wrapped(text, self.width))

    def print_table(self, heads: Sequence[str], rows: Sequence[Sequence[Cell]], numbers: int = 0) -> None:
        """Print a table; its last `numbers` columns are aligned to the right and are not narrowed."""
        n_texts = len(heads) - numbers
        columns = list(zip(heads, *([cell.text for cell in row] for row in rows), strict=True))
        widths = [max(map(cells_of, column)) for column in columns]
        widths[:n_texts] = _fitted(widths[:n_texts], self.width - len(GAP) * (len(heads) - 1) - sum(widths[n_texts:]))
        rule = "─" if (self.file.encoding or "utf").lower().startswith("utf") else "-"
        lines = [*self._row([Cell(head, "bold") for head in heads], widths, n_texts)]
        lines.append(rule * min(self.width, sum(widths) + len(GAP) * (len(heads) - 1)))
        self._write([*lines, *(line for row in rows for line in self._row(row, widths, n_texts))])

    def _row(self, row: Sequence[Cell], widths: Sequence[int], n_texts: int) -> Iterator[str]:
        """Yield the lines of a row."""
        parts = (wrapped(cell.text, width) for cell, width in zip(row, widths, strict=True))
        for line in zip_longest(*parts, fillvalue=""):
            cells = []
            for i, (text, cell, width) in enumerate(zip(line, row, widths, strict=True)):
                blanks = " " * (width - cells_of(text))
                shown = self._styled(text, cell.style)
                cells.append(shown + blanks if i < n_texts else blanks + shown)
            yield GAP.join(cells).rstrip()

    def _styled(self, text: str, style: str) -> str:
        if not (style and text and self.shows_styles):
            return text
        return f"\x1b[{';'.join(str(CODES[word]) for word in style.split())}m{text}\x1b[0m"

    def _write(self, lines: Iterator[str] | Sequence[str]) -> None:
        self.file.write("".join(f"{line}\n" for line in lines))
        self.file.flush()


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of a text, none wider than `width` cells, and without blanks at their ends."""
    width = max(width, 2)  # an East Asian character fits
    return [line for part in text.split("\n") for line in _wrapped(part, width)]


def _wrapped(text: str, width: int) -> list[str]:
    if cells_of(text) <= width:
        return [text.rstrip()]
    lines, line, used = [], "", 0
    for word in _WORD.findall(text):
        size = cells_of(word.rstrip())
        if used and used + size > width:
            lines.append(line)
            line, used = "", 0
        *full, word = _cut(word, width) if size > width else [word]
        lines += full
        line, used = line + word, used + cells_of(word)
    return [each.rstrip() for each in (*lines, line)]


def _cut(word: str, width: int) -> list[str]:
    """Return the parts of a word that is wider than a line."""
    parts, start, used = [], 0, 0
    for i, char in enumerate(word):
        size = cells_of(char)
        if used + size > width:
            parts.append(word[start:i])
            start, used = i, 0
        used += size
    return [*parts, word[start:]]


def cells_of(text: str) -> int:
    """Return the cells of a terminal that a text takes."""
    return len(text) if text.isascii() else sum(map(_cells_of_character, text))


def _cells_of_character(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _fitted(widths: Sequence[int], room: int) -> list[int]:
    """Return widths whose sum is at most `room`, at least 1 each: the widest are narrowed to one width."""
    fitted = list(widths)
    while (excess := sum(fitted) - room) > 0 and max(fitted) > 1:
        widest = max(fitted)
        among = [i for i, width in enumerate(fitted) if width == widest]
        next_widest = max((width for width in fitted if width < widest), default=1)
        each = min(widest - next_widest, -(-excess // len(among)))
        for i in among:
            fitted[i] -= min(each, max(0, sum(fitted) - room))
    return fitted
