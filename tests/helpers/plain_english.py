"""Question: which lines of the project use a word or a form that the language standard replaces?

Method: the sentences of every file are extracted by file type (docstrings, comments, strings, prose, rendered text),
with everything that is not a sentence blanked out, so that offsets stay line numbers; each form is one expression.
Limits: words with a standard technical meaning next to the replaced one ("kind", "hit", "cut", "word", "hidden",
"entity") depend on their sentence and are left to the reader. Values of test tables and generated notes are data.

`python -m tests.helpers.plain_english [PATH ...]` prints the hits.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tests.helpers.paths import ROOT

# form -> what to write instead. Spaces match any white space, so that a form may run over the end of a line.
FORMS = {
    r"(?<!there\s)\b(?:is|are|was|were|be) no "
    r"(?!longer|more|less|fewer|better|worse|doubt|matter|later|larger|smaller)": "is not a",
    r"\b(?:nobody|anybody|everybody|somebody|nothing|no one)['’]s\b(?! (?:own )?fault)": "name the noun",
    r"\bstands?\b(?! for\b)(?!-)": "is, occurs, is in",
    r"\bstood\b": "was, occurred",
    r"\bbeside\b": "in, with, next to",
    r"\btell(?:s|ing)? (?:whether|which|what|who|how)\b": "return whether, show, report",
    r"\bpassed over\b": "ignored, not read",
    r"\bthere is no such\b": "name the noun",
    r"\btold\b": "reported, given, shown",
    r"\btells\b": "reports, shows, means",
    r"\btell(?:ing)?\b [^.;:]{0,40}?\bapart\b": "distinguish, separate",
    r"\bsaid\b": "reported, given",
    r"\bsays\b": "reports, shows, means",
    r"\bspeaks? (?:for|against)\b": "is evidence for, is evidence against",
    r"\bspoken of\b": "expressed",
    r"\bspoke for\b": "was evidence for",
    r"\bmend(?:s|ed|ing)?\b": "fix",
    r"\blone\b": "single",
    r"\bsettl(?:e|es|ed|ing)\b": "decide, resolve",
    r"\bwhose it is\b": "name the noun",
    r"\bwhat it (?:is called|holds)\b": "header, column name; value",
    r"\bcalled like\b": "the column name suggests",
    r"\bhow many there are\b": "record count",
    r"\blooks? like \S+ others?\b": "group of identical records",
    r"\bknowing it already\b": "reveals, discloses",
    r"\boutsiders? (?:may|can|could) know\b": "attacker knowledge",
    r"\blist behind it\b": "auxiliary data, lookup table",
    r"\bnumbers? of (?:their own|its own|people of)\b": "identifier, person ID",
    r"\b(?:what|which|who) (?:is|are|was|were) asked\b": "policy threshold, limit, required",
    r"\bwhere \S+ (?:is|are) asked\b": "the policy requires",
    r"\b(?:leaves?|left|leaving|leave) (?:\S+ )?out\b": "suppress, exclude, omit",
    r"\bcoarsen(?:s|ed|ing)?\b": "generalise",
    r"\bunread\b": "not assessed, not read",
    r"\bstays unresolved\b": "not assessed",
    r"\blaws? of (?:the )?packs?\b": "validation of rule packs",
    r"\bbreaks? the laws?\b": "fails validation",
    r"\btables? nobody\b": "held-out tables",
    r"\bas finely as\b": "to",
    r"\bpicked with\b": "re-identification risk",
    r"\bbetter odds\b": "re-identification risk",
    r"\bcomes? into being\b": "is added, is created",
    r"\bare placed by\b": "locates",
}  # fmt: skip
NAMES = frozenset("told said found meant own lone mend drop say settle".split())
# A result that was found is plain English as the name of a local variable; as the name of a function it is not a verb.
LOCAL_NAMES = NAMES - {"found", "drop", "own"}

# (path, form found, why it is right there): technical homonyms and quotations.
ALLOWED: tuple[tuple[str, str, str], ...] = (
    ("tests/helpers/plain_english.py", "", "defines the forms"),
    ("tests/architecture/test_plain_english.py", "", "tests the forms"),
)

SPACE = r"[ \n\t]+"
# Every form begins at the beginning of a word, which is looked for once: five times as fast as once for each form.
EXPRESSION = re.compile(
    r"\b(?:" + "|".join(f"(?P<f{i}>{form.replace(' ', SPACE)})" for i, form in enumerate(FORMS)) + ")", re.IGNORECASE
)
# For lower-case text, without groups: eight times as fast. It may match more than EXPRESSION, never less.
ANY_FORM = re.compile(
    r"\b(?:" + "|".join(re.sub(r"^(?:\(\?<!there\\s\))?\\b", "", form).replace(" ", SPACE) for form in FORMS) + ")"
)
ADVICE = tuple(FORMS.values())
NAME_EXPRESSION = re.compile(
    rf"\b(?:(?:def|class) +_*(?:{'|'.join(sorted(NAMES))})_*|{'|'.join(sorted(LOCAL_NAMES))})\b"
)
# Keys of rule files whose values are data: what to look for, sample values, expressions.
DATA_KEYS = frozenset(
    "match no_match values headers regex vetoes cells evidence list phrases words names lengths prefixes".split()
)
LEXICONS = ("rules/reference/", "rules/detectors/", "rules/headers/")
FOLDERS = ("privaudit", "tests", "benchmarks", "fixtures", "docs", "rules", "reports", ".ci")


READ_NODES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.Constant, ast.Name, ast.arg)


class Hit(NamedTuple):
    """A form that is to be replaced."""

    path: str
    line: int
    text: str
    advice: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {' '.join(self.text.split())!r} (write: {self.advice})"


def hits(paths: list[Path]) -> list[Hit]:
    """Return the hits in these files, without those that are allowed."""
    found = []
    for path in paths:
        name = path.relative_to(ROOT).as_posix()
        found += [hit for hit in _hits(path, name) if not _is_allowed(hit)]
    return found


def files(folders: list[str] | None = None) -> list[Path]:
    """Return the files of the project that contain sentences."""
    chosen = []
    for folder in folders or FOLDERS:
        top = ROOT / folder
        chosen += sorted(p for p in top.rglob("*") if p.is_file()) if top.is_dir() else [top]
    if folders is None:
        chosen += [*sorted(ROOT.glob("*.md")), ROOT / "Makefile", ROOT / "pyproject.toml"]
    return [p for p in chosen if p.suffix in READERS or p.name in ("Makefile", "run")]


def _is_allowed(hit: Hit) -> bool:
    return any(hit.path == path and form.lower() in " ".join(hit.text.split()).lower() for path, form, _ in ALLOWED)


def _hits(path: Path, name: str) -> Iterator[Hit]:
    content = path.read_text(encoding="utf-8")
    if path.suffix == ".py" and not _may_hit(content):
        return
    for first_line, text in READERS.get(path.suffix, _comments)(content, name):
        for match in EXPRESSION.finditer(text):
            line = first_line + text.count("\n", 0, match.start())
            yield Hit(name, line, match.group(), ADVICE[int(str(match.lastgroup)[1:])])
    if path.suffix == ".py":
        yield from _name_hits(_nodes(content), name)


def _may_hit(content: str) -> bool:
    """Whether a form is anywhere in a module, in code or in sentences: most need not be parsed."""
    text = re.sub(r"[\"']\s*\n\s*[rfb]*[\"']|_|\\n", " ", content)  # parts of one string, names of tests, line ends
    return bool(ANY_FORM.search(text.lower()) or NAME_EXPRESSION.search(content))


@lru_cache(maxsize=1)
def _nodes(content: str) -> tuple[ast.AST, ...]:
    """Return every node of a module that holds a sentence or a name; both readers go through them."""
    return tuple(node for node in ast.walk(ast.parse(content)) if isinstance(node, READ_NODES))


# Sentences of each type of file: (first line, text)


def _python(content: str, name: str) -> Iterator[tuple[int, str]]:
    """Yield comments, docstrings and the names of tests; of the package also its strings."""
    if "#" in content:
        for token in tokenize.generate_tokens(io.StringIO(content).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    nodes = _nodes(content)
    docstrings = set()
    for node in nodes:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                docstrings.add(id(node.body[0].value))  # type: ignore[attr-defined]
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield node.lineno, node.name.replace("_", " ")
    only_docstrings = not name.startswith("privaudit/")
    for node in nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if id(node) in docstrings or (not only_docstrings and " " in node.value):
            yield node.lineno, _without_code(node.value)


def _markdown(content: str, _name: str) -> Iterator[tuple[int, str]]:
    text = re.sub(r"^(```|~~~).*?^\1", _blank, content, flags=re.MULTILINE | re.DOTALL)
    yield 1, _without_code(text)


def _html(content: str, _name: str) -> Iterator[tuple[int, str]]:
    text = re.sub(r"<(script|style)\b.*?</\1>", _blank, content, flags=re.DOTALL | re.IGNORECASE)
    yield 1, re.sub(r"\{\{.*?\}\}|\{%.*?%\}|<[^>]*>", _blank, text, flags=re.DOTALL)


def _toml(content: str, name: str) -> Iterator[tuple[int, str]]:
    """Yield comments and sentences; of lexicons only the comments and the sentences of documented keys."""
    key = ""
    for number, line in enumerate(content.splitlines(), 1):
        if line.lstrip().startswith("#"):
            yield number, line
            continue
        if line.startswith("["):
            key = ""
        elif named := re.match(r"\s*\"?([\w.]+)\"?\s*=", line):
            key = named[1].rpartition(".")[2]
        is_sentence = key not in DATA_KEYS and (
            not name.startswith(LEXICONS) or key in ("title", "why", "docs", "note", "source", "means")
        )
        if is_sentence:
            yield number, _without_code(line)


def _comments(content: str, _name: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(content.splitlines(), 1):
        if "#" in line:
            yield number, line[line.index("#") :]


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def _without_code(text: str) -> str:
    return re.sub(r"(`+)(?!`)[^`\n]+?\1", lambda m: "x" * len(m.group()), text)


READERS = {".py": _python, ".md": _markdown, ".html": _html, ".j2": _html, ".toml": _toml}


# Names


def _name_hits(nodes: tuple[ast.AST, ...], path: str) -> Iterator[Hit]:
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name.strip("_") in NAMES:
            yield Hit(path, node.lineno, f"def {node.name}", "a verb of the domain")
        elif isinstance(node, ast.arg) and node.arg in LOCAL_NAMES:
            yield Hit(path, node.lineno, f"parameter {node.arg}", "a noun of the domain")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in LOCAL_NAMES:
            yield Hit(path, node.lineno, f"name {node.id}", "a noun of the domain")


if __name__ == "__main__":
    for hit in hits(files(sys.argv[1:] or None)):
        print(hit)
