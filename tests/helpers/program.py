"""The modules of the program, parsed once in each process for all tests that read them."""

from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path

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
    """Return every node of a module: several tests read them all."""
    return tuple(ast.walk(tree))
