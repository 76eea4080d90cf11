"""The tests themselves: folders mirror the packages, generators start again for each test, reports are UTF-8."""

from __future__ import annotations

import random

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


@pytest.mark.parametrize("turn", range(2))
def test_each_test_starts_the_generators_of_its_module_again(turn: int) -> None:
    assert SOURCE.random() == random.Random(7).random()


def test_a_report_with_an_unpaired_surrogate_can_be_sent_to_another_process() -> None:
    execnet = pytest.importorskip("execnet")
    report = {"longrepr": "assert '\ud800' == 'a'", "sections": [("stderr", "caf\udce9.csv")]}
    with pytest.raises(execnet.DumpError):
        execnet.dumps(report)
    assert execnet.loads(execnet.dumps(without_surrogates(report)))["sections"] == [("stderr", "caf\\udce9.csv")]
