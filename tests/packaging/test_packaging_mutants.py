"""The survivors among faults are counted from the files of mutmut, and too many fail."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT
from tests.packaging.mutants import main, read_survivors

CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutmut"]


def write(folder: Path, **codes: int | None) -> None:
    (folder / "package").mkdir(exist_ok=True)
    (folder / "package" / "gate.py.meta").write_text(json.dumps({"exit_code_by_key": codes}), encoding="utf-8")


@pytest.mark.parametrize(("n_survivors", "exit_code"), [(0, 0), (1, 0), (2, 1)])
def test_more_than_one_survivor_in_ten_fails(tmp_path: Path, n_survivors: int, exit_code: int) -> None:
    write(tmp_path, **{f"fault_{i}": 0 if i < n_survivors else 1 for i in range(10)})
    assert main(tmp_path) == exit_code


def test_a_fault_that_no_test_reaches_survives_and_one_that_was_not_tried_does_not_count(tmp_path: Path) -> None:
    write(tmp_path, a=33, b=1, c=None)
    (one,) = read_survivors(tmp_path)
    assert (one.module, one.n_faults, one.names) == ("package/gate.py", 2, ("a",))


def test_without_faults_nothing_is_proven(tmp_path: Path) -> None:
    assert main(tmp_path) == 1
    write(tmp_path, a=None)
    assert main(tmp_path) == 1


@pytest.mark.parametrize("name", [*CONFIG["only_mutate"], *CONFIG["pytest_add_cli_args_test_selection"]])
def test_the_modules_and_tests_that_are_named_exist(name: str) -> None:
    assert (ROOT / name).is_file()
