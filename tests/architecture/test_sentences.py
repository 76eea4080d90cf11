"""Rooms that show or write results build no sentence of their own: sentences are data of `rules/wording`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.program import nodes, trees

ROOT = Path(__file__).resolve().parents[2] / "privaudit"
FILES = ("api/remedies.py", "cli/compare.py", "cli/remedies.py", "cli/console.py")
MODULES = [
    *sorted((ROOT / "report").rglob("*.py")),
    *sorted((ROOT / "releases").rglob("*.py")),
    *(ROOT / file for file in FILES),
]
MOST_WORDS = 2
"""Words around a placeholder that make a label ("15 or more", "k = 5"); more make a sentence."""
_WORD = re.compile(r"[A-Za-z]?[a-z]+[.,;:!?]?")
_LAYOUT = re.compile(r"<[^<>]*>|^#+ .*$|^\*\*[^*\0]*\*\*$", re.MULTILINE)
"""Tags of HTML, headings of Markdown, and lines in bold without a placeholder."""


def sentences(tree: ast.Module) -> Iterator[int]:
    """Yield the line of every text with a placeholder and more than two words that is not the text of an error.

    Words are separated by blanks and in lower case: keywords of SQL and names of directives do not count. A
    ``__repr__`` is a message for developers.
    """
    exempt: set[int] = set()
    for node in nodes(tree):
        if isinstance(node, ast.Raise) or _is_error(node) or _is_repr(node):
            exempt |= {id(inner) for inner in ast.walk(node)}
    yield from (node.lineno for node in nodes(tree) if id(node) not in exempt and _n_words(node) > MOST_WORDS)  # type: ignore[attr-defined]


def _is_error(node: ast.AST) -> bool:
    called = node.func if isinstance(node, ast.Call) else None
    name = getattr(called, "id", getattr(called, "attr", ""))
    return name.endswith("Error") or name in ("ScanIncomplete", "UnreadableSource", "UnsupportedFormat")


def _is_repr(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == "__repr__"


def _n_words(node: ast.AST) -> int:
    """Return the words of an f-string or of a constant that is formatted; 0 for everything else."""
    if isinstance(node, ast.JoinedStr):
        if not any(isinstance(part, ast.FormattedValue) for part in node.values):
            return 0
        text = "\0".join(str(part.value) if isinstance(part, ast.Constant) else "" for part in node.values)
    elif _is_formatted(node):
        text = re.sub(r"{[^{}]*}|%[sd]", "\0", str(_constant(node)))
    else:
        return 0
    words = _LAYOUT.sub(" ", text).replace("\0", " \0 ").split()
    return sum(_WORD.fullmatch(word.strip("*")) is not None for word in words)


def _is_formatted(node: ast.AST) -> bool:
    return isinstance(_constant(node), str)


def _constant(node: ast.AST) -> object:
    """Return the text of ``"...".format(...)``, ``"..." % ...``, ``"..." + ...`` or ``... + "..."``, else None."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return getattr(node.func.value, "value", None)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return getattr(node.left, "value", None)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return getattr(node.left, "value", getattr(node.right, "value", None))
    return None


@pytest.mark.parametrize("text", [
    'f"{n} rows are left out"', '"{} rows are left".format(n)', '"%d rows are left" % n', 'f"k is {k:,} or more"',
    '"rows that are left: " + str(n)', 'str(n) + " rows are left"', 'f"**{n} rows are cut**"',
    'f"{n} more " f"{what} in the report."', 'f"{f(x)} of the{y} cells are kept"',
])  # fmt: skip
def test_a_sentence_in_code_is_recognised(text: str) -> None:
    assert list(sentences(ast.parse(text))) == [1]


@pytest.mark.parametrize("text", [
    'f"{k} or more"', 'f"k = {k}"', '"three constant words"', 'raise ConfigError(f"{x} is not a file.")',
    'f"INSERT INTO {table} VALUES ({row})"', 'f"## Checks without a finding\\n\\n<details open>{n} checks</details>"',
    '"**What to do, in this order**\\n\\n" + text',
])  # fmt: skip
def test_labels_layout_and_errors_are_not_sentences(text: str) -> None:
    assert list(sentences(ast.parse(text))) == []


def test_no_sentence_about_data_is_built_in_code() -> None:
    assert len(MODULES) > 50
    found = [
        f"{module.relative_to(ROOT)}:{line}"
        for module, tree in trees()
        if module in MODULES
        for line in sentences(tree)
    ]
    assert found == [], "move these sentences to rules/wording and fill them with typed values"
