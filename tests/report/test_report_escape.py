"""P23: escape, then parse, gives the text back; and nothing steers a terminal, a page or a build log."""

from __future__ import annotations

import html.parser
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from privaudit.report import escape

TEXT = st.text(max_size=60)
HOSTILE = [
    "<script>alert(1)</script>",
    "[red]x[/]",
    "a|b",
    "::error::x",
    "a\nb",
    "\u202egnp.exe",
    "=cmd()",
    "\x1b[31m",
    "&amp;",
    "\\|",
    "`a`",
    "~~x~~",
    "https://example.org",
    "www.example.org",
    "<!-- x -->",
    "1. x",
    "- x",
    "# x",
    "a\\",
    "@user",
    "x^2",
    "$a$",
    "user@example.org",
    "| - |",
    "[^1]",
    "&lt;b&gt;",
    "trailing  ",
    "\\<",
    "\\&amp;",
    "&#124;",
    "\u200bx",
]


class _Text(html.parser.HTMLParser):
    """Collects the text of a page, and the tags it saw."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def parsed(page: str) -> tuple[str, set[str]]:
    reader = _Text()
    reader.feed(page)
    reader.close()
    return "".join(reader.parts), reader.tags


def markdown_cell(text: str) -> tuple[str, set[str]]:
    """Return what GitHub's flavour shows for `text` in the middle cell of a table, and the tags inside."""
    from markdown_it import MarkdownIt

    page = MarkdownIt("gfm-like", {"linkify": False}).render(f"| a | b | c |\n|---|---|---|\n| x | {text} | y |\n")
    rows = page.split("<tbody>")[1]
    cells = rows.split("<td>")
    assert len(cells) == 4, "the text broke out of its cell"
    return parsed(cells[2].split("</td>")[0])


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_markdown_reads_back(text: str) -> None:
    shown, tags = markdown_cell(escape.markdown(text))
    assert shown == " ".join(escape.visible(text).strip().split(" "))
    assert not tags


@given(TEXT)
@settings(max_examples=150)
def test_markdown_reads_back(text: str) -> None:
    shown, tags = markdown_cell(escape.markdown(text))
    assert shown.strip() == escape.visible(text).strip()
    assert not tags


@given(TEXT)
def test_visible_text_holds_nothing_that_steers(text: str) -> None:
    shown = escape.visible(text)
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in shown)
    assert escape.visible(shown) == shown


@given(TEXT)
def test_no_line_of_a_log_is_a_command(text: str) -> None:
    for line in escape.terminal(text).splitlines():
        assert not line.lstrip().startswith("::")
        assert "##[" not in line


@given(st.text(alphabet="abc xyz_-0123456789éüß漢字", max_size=40))
def test_plain_names_stay_as_they_are(text: str) -> None:
    assert escape.visible(text) == escape.terminal(text) == text


def test_a_long_name_is_cut_and_a_blank_one_is_shown() -> None:
    assert escape.name("x" * 500, 20) == "x" * 19 + "…"
    assert escape.name(" \t ") == " \\x09 "
    assert escape.name("  ") == "(blank name)"


def test_nobody_is_mentioned_and_no_issue_linked() -> None:
    text = escape.markdown("@user #12 owner/repo#3 GH-7 gh-8 :tada: https://example.org www.example.org")
    linked = ("@user", "#12", "#3", "GH-7", "gh-8", ":tada:", "https://", "www.")
    assert not [part for part in linked if part in text]


@pytest.mark.parametrize(
    "text",
    ["birth_year", "a.b", "post-code", "1.5 % of all", "(x), {y}", "k = 5; 1 + 1", "what!", "a: b", "5. and 6", "ÿ_ø"],
)
def test_what_markdown_takes_for_text_stays_as_it_is(text: str) -> None:
    assert escape.markdown(f"the {text}") == f"the {text}"


MARKUP = st.text(alphabet="_*~`#-+=.)(![]|<>&:1 0aé\\$", max_size=25)


@given(MARKUP)
@settings(max_examples=300)
def test_markup_reads_back_in_a_list_too(text: str) -> None:
    from markdown_it import MarkdownIt

    shown, tags = parsed(MarkdownIt("gfm-like", {"linkify": False}).render(f"- x: {escape.markdown(text)}\n"))
    assert shown.strip() == f"x: {text}".strip()
    assert tags <= {"ul", "li"}
    alone, tags = parsed(MarkdownIt("gfm-like", {"linkify": False}).render(f"- {escape.markdown(text.strip())}\n"))
    assert alone.strip() == text.strip()
    assert tags <= {"ul", "li"}
    cell, tags = markdown_cell(escape.markdown(text))
    assert cell.strip() == text.strip() and not tags


@given(TEXT)
@example("\x7f")
def test_escaped_json_has_the_same_content_and_no_hidden_character(text: str) -> None:
    import json

    made = escape.json_text(json.dumps(text, ensure_ascii=False))
    assert json.loads(made) == text
    assert not [char for char in made if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
