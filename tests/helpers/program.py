"""The modules of the program, parsed once in each process for all tests that read them."""

from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path

from privaudit.base import resources
from tests.helpers.paths import ROOT

PROGRAM = ROOT / "privaudit"


@cache
def _tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


@cache
def trees_of(room: str) -> tuple[tuple[Path, ast.Module], ...]:
    """Return the path and the tree of every module of a room, in the order of their paths."""
    gc.disable()  # the collector would walk the millions of nodes of earlier trees again and again
    try:
        return tuple((module, _tree(module)) for module in sorted((PROGRAM / room).rglob("*.py")))
    finally:
        gc.enable()
        gc.freeze()


def trees() -> tuple[tuple[Path, ast.Module], ...]:
    """Return the path and the tree of every module, in the order of their paths."""
    return trees_of("")


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Return every node of a module, in the order of `ast.walk`: several tests read them all."""
    found: list[ast.AST] = [tree]
    for node in found:  # which grows meanwhile
        for value in vars(node).values():
            if type(value) is list:
                found += [each for each in value if isinstance(each, ast.AST)]
            elif type(value) is not str and isinstance(value, ast.AST):
                found.append(value)
    return tuple(found)


def sentence_codes(*folder: str) -> tuple[str, ...]:
    """Return the codes of the sentences of facts, or with "limits" those of limits, sorted."""
    found = []
    for stem in resources.names("rules", "wording", *folder):
        file = resources.path("rules", "wording", *folder, f"{stem}.toml")
        found += [f"{stem}.{key}" for key in resources.read_toml(file) if stem != "terms"]
    return tuple(sorted(found))
