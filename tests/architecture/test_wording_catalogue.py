"""Every sentence of the catalogue is used, every code has a sentence, and its placeholders are the values passed."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterable
from functools import cache

import pytest

from privaudit.model.wording import catalogue
from tests.helpers.program import PROGRAM, nodes, sentence_codes, trees

BUILDERS = {"fact": 0, "limit": 0, "sentence": 1}
"""Functions that take a code, by the position of the code; the values are keyword arguments."""
OPTIONS = {"incomplete"}
UNCHECKED_CODES = ("text.",)


class Call:
    """A fact or limit that the program builds: where, its codes, and the values it passes."""

    def __init__(self, where: str, codes: tuple[str, ...], values: frozenset[str] | None, is_limit: bool) -> None:
        self.where, self.codes, self.values, self.is_limit = where, codes, values, is_limit


def _strings(node: ast.expr) -> tuple[str, ...]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return (node.value,)
    if isinstance(node, ast.IfExp):
        return _strings(node.body) + _strings(node.orelse)
    return ()


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _used(codes: Iterable[str]) -> frozenset[str]:
    """Return which of the names that every sentence of the report gets, `unit` and `units`, these sentences use."""
    texts = " ".join(catalogue.sentence(code) or "" for code in codes)
    return frozenset(name for name in ("unit", "units") if f"{{{name}}}" in texts)


@cache
def calls() -> tuple[Call, ...]:
    found = []
    for file, tree in trees():
        for node in nodes(tree):
            if not isinstance(node, ast.Call) or _name(node.func) not in BUILDERS:
                continue
            position = BUILDERS[_name(node.func)]
            codes = _strings(node.args[position]) if len(node.args) > position else ()
            if not codes or not all("." in code for code in codes):
                continue
            names = [keyword.arg for keyword in node.keywords]
            values = None if None in names else frozenset(str(name) for name in names) - OPTIONS
            if values is not None and _name(node.func) == "sentence":
                values |= _used(codes)
            found.append(Call(f"{file.relative_to(PROGRAM)}:{node.lineno}", codes, values, _name(node.func) == "limit"))
    return tuple(found)


@cache
def _texts() -> frozenset[str]:
    """Every string of the program: codes may be passed through a table of codes."""
    return frozenset(
        node.value
        for _, tree in trees()
        for node in nodes(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


@cache
def _composed() -> re.Pattern[str]:
    """Every f-string of the program that builds a code, as alternatives of one pattern."""
    joined = (node for _, tree in trees() for node in nodes(tree) if isinstance(node, ast.JoinedStr))
    patterns = {
        "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else "[a-z0-9_]+" for part in node.values)
        for node in joined
    }
    return re.compile("|".join(pattern for pattern in patterns if re.match(r"[a-z]+\\\.", pattern)))


def placeholders(sentence: str) -> tuple[set[str], set[str]]:
    """Return the names a sentence needs, and those it may use."""
    fields = [field for _, field, _, _ in string.Formatter().parse(sentence) if field]
    optional = {field.removesuffix("?") for field in fields if field.endswith("?")}
    return {field for field in fields if not field.endswith("?")} - optional, optional


def _sentences(call: Call, code: str) -> list[str] | None:
    if not call.is_limit:
        sentence = catalogue.sentence(code)
        return None if sentence is None else [sentence]
    parts = [catalogue.limit_sentence(code, part) for part in ("what", "why")]
    return None if None in parts else [str(part) for part in parts]


CODES = (*sentence_codes(), *sentence_codes("limits"))


@pytest.mark.slow
def test_the_placeholders_of_a_sentence_are_the_values_passed() -> None:
    assert len(calls()) > 300
    wrong = [line for call in calls() for code in call.codes for line in _disagreements(call, code)]
    assert wrong == []


def _disagreements(call: Call, code: str) -> list[str]:
    """Return what the sentence of a code needs and the call does not pass, and the reverse."""
    if code.startswith(UNCHECKED_CODES):
        return []
    sentences = _sentences(call, code)
    if sentences is None:
        return [f"{call.where}: the catalogue has no sentence for {code}"]
    if call.values is None:
        return []
    needed = set().union(*(placeholders(sentence)[0] for sentence in sentences))
    optional = set().union(*(placeholders(sentence)[1] for sentence in sentences))
    missing, unused = needed - call.values, call.values - needed - optional
    return [
        *([f"{call.where}: {code} needs {sorted(missing)}"] if missing else []),
        *([f"{call.where}: {code} does not use {sorted(unused)}"] if unused else []),
    ]


def test_every_sentence_is_used() -> None:
    used = {code for call in calls() for code in call.codes} | _texts()
    unused = [
        code for code in CODES if not (code in used or code.partition(".")[2] in used or _composed().fullmatch(code))
    ]
    assert unused == [], "these are in the catalogue, but nothing builds them"


def test_every_sentence_can_be_parsed() -> None:
    assert len(CODES) > 500
    for code in CODES:
        sentences = [catalogue.sentence(code), *(catalogue.limit_sentence(code, p) for p in ("what", "why"))]
        for sentence in filter(None, sentences):
            placeholders(sentence)
