"""Benchmarks use public functions only, so that they measure what users call."""

from __future__ import annotations

import ast

import pytest

from tests.helpers.paths import ROOT

SCRIPTS = sorted((ROOT / "benchmarks").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_no_private_name_of_privaudit_is_used(script):
    private = []
    modules = set()
    tree = ast.parse(script.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("privaudit"):
            private += [alias.name for alias in node.names if alias.name.startswith("_")]
            private += [part for part in node.module.split(".") if part.startswith("_")]
            modules |= {alias.asname or alias.name for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            private += [f"{node.value.id}.{node.attr}"] if node.attr.startswith("_") else []
    assert private == []
