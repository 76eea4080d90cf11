"""Texts and tables of a terminal fit its width, lose nothing, and are laid out as rich lays them out."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich import box
from rich.console import Console as RichConsole
from rich.table import Table
from rich.text import Text

from privaudit.report.text_console import Cell, Console, cells_of, wrapped

WORDS = st.lists(st.text('abc-"+é日ｱ\u0301', min_size=1, max_size=30), max_size=12).map(" ".join)


def _rich(width: int) -> RichConsole:
    return RichConsole(file=io.StringIO(), width=width, color_system=None, markup=False, highlight=False, emoji=False)


def _lines(console: RichConsole | Console) -> list[str]:
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


@given(text=WORDS, width=st.integers(2, 40))
def test_a_text_is_broken_between_words_and_loses_nothing(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert all(cells_of(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    if all(cells_of(word) <= width for word in text.split()):
        assert " ".join(lines).split() == text.split()


@given(text=st.lists(st.text("abc日", min_size=1, max_size=30), max_size=12).map(" ".join), width=st.integers(4, 40))
def test_a_text_is_broken_as_rich_breaks_it(text: str, width: int) -> None:
    other = _rich(width)
    other.print(Text(text), soft_wrap=False)
    assert wrapped(text, width) == (_lines(other) or [""])


@given(
    rows=st.lists(st.tuples(st.text("ab", max_size=8), st.text("abc  ", max_size=150).map(str.strip), st.integers(0)))
)
def test_a_table_is_laid_out_as_by_rich(rows: list[tuple[str, str, int]]) -> None:
    ours, other = Console(io.StringIO(), width=60), _rich(60)
    rows = [(name, text, number % 10**9) for name, text, number in rows]
    ours.print_table(("Name", "Text", "N"), [[Cell(name), Cell(text), Cell(f"{n}")] for name, text, n in rows], 1)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head, is_number in (("Name", False), ("Text", False), ("N", True)):
        table.add_column(head, justify="right" if is_number else "left", overflow="fold", no_wrap=is_number)
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    other.print(table)
    assert _lines(ours) == _lines(other)


def test_styles_are_codes_around_a_text_and_take_no_width() -> None:
    console = Console(io.StringIO(), width=20, color=True)
    console.print_table(("A", "B"), [[Cell("x", "bold red"), Cell("y")]])
    assert console.file.getvalue().splitlines()[-1] == "\x1b[1;31mx\x1b[0m   y"  # type: ignore[attr-defined]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_stream_without_unicode_gets_a_rule_that_it_can_write(encoding: str) -> None:
    raw = io.BytesIO()
    with io.TextIOWrapper(raw, encoding=encoding) as file:
        Console(file).print_table(("A",), [[Cell("xyz")]])
        assert raw.getvalue().decode(encoding).splitlines() == ["A", "---", "xyz"]
