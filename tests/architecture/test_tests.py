"""The tests themselves: folders mirror the packages, each can fail, generators start again, reports are UTF-8."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator

import pytest

from tests.helpers.paths import ROOT
from tests.helpers.surrogates import without_surrogates

SOURCE = random.Random(1)
ACROSS = {
    "architecture", "browser", "canary", "docs", "engines", "helpers", "hostile", "packaging", "properties", "reference"
}  # fmt: skip
"""Folders about the project as a whole, or with what tests use."""


def test_folders_are_those_of_the_package() -> None:
    names = {path.stem for path in (ROOT / "privaudit").iterdir()}
    folders = {path.name for path in (ROOT / "tests").iterdir() if any(path.glob("*.py"))}
    assert folders - ACROSS <= names


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield each function of the tests with the path of its module."""
    for file in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield str(file.relative_to(ROOT)), node


def may_fail(function: ast.FunctionDef, asserting: set[str]) -> bool:
    """Whether a function asserts, raises, expects an error, checks a process, or calls a helper that does."""
    for node in ast.walk(function):
        if isinstance(node, (ast.Assert, ast.Raise)):
            return True
        if isinstance(node, ast.Call):
            name, helper = getattr(node.func, "attr", ""), getattr(node.func, "id", "")
            checked = any(each.arg == "check" and getattr(each.value, "value", False) for each in node.keywords)
            if checked or name.startswith("assert_") or name in {"raises", "fail", "validate"} or helper in asserting:
                return True
    return False


def holds_always(condition: ast.expr) -> bool:
    """Whether a condition is true whatever is tested: a constant, a display, `... or True`, a value equal to itself."""
    match condition:
        case ast.Constant(value=bool(value)) | ast.BoolOp(op=ast.Or(), values=[*_, ast.Constant(value=bool(value))]):
            return value
        case ast.Tuple() | ast.GeneratorExp() | ast.JoinedStr():
            return True
        case ast.Compare(left=ast.Name(id=left), ops=[ast.Eq()], comparators=[ast.Name(id=right)]):
            return left == right
    return False


@pytest.mark.slow
def test_every_test_can_fail() -> None:
    found = list(functions())
    asserting: set[str] = set()
    for _ in range(3):  # helpers that call helpers
        asserting |= {each.name for _, each in found if not each.name.startswith("test_") and may_fail(each, asserting)}
    tests = [(path, each) for path, each in found if each.name.startswith("test_") and "/helpers/" not in path]
    assert not [f"{path}: {each.name}" for path, each in tests if not may_fail(each, asserting)]
    idle = [
        f"{path}:{node.lineno}"
        for path, each in found
        for node in ast.walk(each)
        if isinstance(node, ast.Assert) and holds_always(node.test)
    ]
    assert not idle and len(tests) > 2_000


@pytest.mark.parametrize(
    "text", ["assert True", "assert x == y or True", "assert (x, 'message')", "assert x == x", "assert f'{x}'"]
)
def test_what_always_holds_is_recognised(text: str) -> None:
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.Assert) and holds_always(node.test)


@pytest.mark.parametrize("turn", range(2))
def test_each_test_starts_the_generators_of_its_module_again(turn: int) -> None:
    assert SOURCE.random() == random.Random(7).random()


def test_a_report_with_an_unpaired_surrogate_can_be_sent_to_another_process() -> None:
    execnet = pytest.importorskip("execnet")
    report = {"longrepr": "assert '\ud800' == 'a'", "sections": [("stderr", "caf\udce9.csv")]}
    with pytest.raises(execnet.DumpError):
        execnet.dumps(report)
    assert execnet.loads(execnet.dumps(without_surrogates(report)))["sections"] == [("stderr", "caf\\udce9.csv")]
