"""One escape function per output: every text that comes from a table or a file passes through exactly one.

Question: how is a hostile column name shown as plain text?
Method: `visible` turns control characters, line breaks and direction overrides into visible escapes; on top of it
each output quotes what it would otherwise interpret. HTML is escaped by the template engine, which escapes by default.
Limits: escapes text for reading; nothing here makes a name unique or reversible except Markdown and HTML, whose
readers give the text back.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence

from privaudit.base.patterns import Expression

MAX_NAME = 120
"""Longest name shown in full; longer ones are cut, except in report.json."""

# What Markdown or GitHub's flavour of it would read as markup, and nothing else, so that the source stays legible: an
# underscore inside a word, a dot or a hyphen are text. At the start of a line they may begin a list or a heading.
_MARKDOWN = Expression(r"[\\`*\[\]<>#|~$@&]|(?<![^\W_])_+|_+(?![^\W_])|:(?=//)|(?<=\bwww)\.", re.IGNORECASE)
_START = Expression(r"^( *)([-+](?= |$)|-(?=[- ]*$)|=(?==*$))|^( *[0-9]{1,9})([.)](?= |$))")
# GitHub reads "@name", "#12", "GH-12" and ":name:" after rendering, when a backslash is gone: a comment keeps apart.
_MENTION = Expression(r"(?<=\\)[@#](?=\w)|\bGH(?=-\d)|:(?=[\w+-]+:)", re.IGNORECASE)
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_COMMAND = Expression(r":(?=:)")
_NOT_ASCII = Expression(r"[^\x00-\x7e]")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def visible(text: str) -> str:
    r"""Return `text` with every control character written as ``\x..`` or ``\u....``.

    Covers control characters, line and paragraph separators, bidirectional overrides and zero-width characters.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(char) for char in text)


def _shown(char: str) -> str:
    if unicodedata.category(char) not in _HIDDEN:
        return char
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def json_text(text: str) -> str:
    r"""Return JSON with every control character and direction override as its escape ``\u....``: the same content."""
    return _NOT_ASCII.sub(_json_escape, text) if "\x7f" in text or not text.isascii() else text


def _json_escape(found: re.Match[str]) -> str:
    char = found[0]
    if char == "\x7f":  # which JSON allows and terminals obey
        return r"\u007f"
    return json.dumps(char)[1:-1] if unicodedata.category(char) in _HIDDEN else char


def name(text: str, most: int = MAX_NAME) -> str:
    """Return a column, table or file name fit for display: visible characters only, cut at `most` characters.

    A blank name is shown as such, because an empty cell would read as a missing one.
    """
    given = str(text)
    shown = visible(given[: most + 1])  # an escape is longer than what it stands for
    if not shown.strip():
        return "(blank name)"
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def markdown(text: str) -> str:
    """Return `text` as Markdown that renders as `text`, on one line, also inside a table cell."""
    quoted = _START.sub(r"\1\3\\\2\4", _MARKDOWN.sub(_quoted, visible(text)))
    return _MENTION.sub(r"\g<0><!-- -->", quoted)


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table; every cell is escaped."""
    escaped = ([markdown(cell) for cell in row] for row in rows)
    return [f"| {' | '.join(cells)} |" for cells in (map(markdown, head), ["---"] * len(head), *escaped)]


def _quoted(found: re.Match[str]) -> str:
    # What begins a tag or an entity is written as an entity: some renderers look for HTML before backslashes.
    return _ENTITIES.get(found[0], "".join(f"\\{char}" for char in found[0]))


def workflow(text: str) -> str:
    """Return `text` as the message of a workflow command of GitHub, on one line."""
    return visible(text).replace("##[", "#\\x23[").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def workflow_property(text: str) -> str:
    """Return `text` as the value of a property of a workflow command."""
    return workflow(text).replace(":", "%3A").replace(",", "%2C")


def terminal(text: str) -> str:
    """Return `text` for a terminal or a build log: no escape sequences, and no line that a runner would obey.

    Build runners execute lines that start with ``::``, and a line may be broken anywhere, so every pair of colons
    is written ``\\x3a:``. Markup of the terminal library is not touched here: texts are handed to it as plain text,
    never as markup.
    """
    return _COMMAND.sub(r"\\x3a", visible(text)).replace("##[", "#\\x23[")
