"""Each fault is tried with the tests that reach it; too many that pass are an error, and so is none that was tried."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT
from tests.packaging.mutants import MODULES, TESTS, WITH_PROCESSES, Fault, report

# A module with switches as mutmut writes them, its tests, and a trial of its faults.
MODULE = """
record_trampoline_hit, fault = None, ""
def set_mutant_under_test(name):
    global fault
    fault = name
def enter(function):
    if fault == "stats":
        record_trampoline_hit(f"maths.x_{function}")
    return fault.rpartition("_")[2] if fault.startswith(f"maths.x_{function}__") else ""
def double(x):
    return {"": x + x, "1": x * x, "2": x - x}[enter("double")]
def wait():
    while enter("wait"):
        pass
def unused():
    enter("unused")
"""
CASES = """
import maths
def test_two_is_doubled(): assert maths.double(2) == 4
def test_it_waits(): maths.wait()
def test_the_sum(): assert 1 + 1 == SUM
"""
TRIAL = """
import maths
from tests.packaging import mutants
mutants._SECONDS = 1
trial = mutants.Trial([mutants.Fault(f"maths.x_{name}") for name in NAMES], maths)
mutants.try_faults(trial, ["test_maths.py"])
print(*trial.passed.values())
"""


def tried(folder: Path, *names: str, total: int = 2) -> str:
    (folder / "maths.py").write_text(MODULE, encoding="utf-8")
    (folder / "test_maths.py").write_text(CASES.replace("SUM", str(total)), encoding="utf-8")
    command = [sys.executable, "-c", TRIAL.replace("NAMES", repr(names))]
    environment = {"PYTHONPATH": f"{ROOT}:{folder}", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout


def test_a_fault_passes_if_all_tests_that_reach_it_pass_or_none_reaches_it(tmp_path: Path) -> None:
    assert tried(tmp_path, "double__mutmut_1", "double__mutmut_2", "unused__mutmut_1") == "True False True\n"


@pytest.mark.slow
def test_a_fault_with_which_the_tests_do_not_end_does_not_pass(tmp_path: Path) -> None:
    assert tried(tmp_path, "wait__mutmut_1") == "False\n"


def test_where_a_test_fails_without_a_fault_none_is_tried(tmp_path: Path) -> None:
    printed = tried(tmp_path, "double__mutmut_1", total=3)
    assert "test_maths.py::test_the_sum" in printed
    assert printed.endswith("\n\n")


@pytest.mark.parametrize(("n_passed", "exit_code"), [(0, 0), (1, 0), (2, 1)])
def test_more_than_one_in_ten_fails(n_passed: int, exit_code: int) -> None:
    assert report(["gate"], {Fault(f"gate.x_f__mutmut_{i}"): i < n_passed for i in range(10)}) == exit_code


def test_without_faults_nothing_is_proven() -> None:
    assert report(["gate"], {Fault("other.x_f__mutmut_1"): False}) == 1


@pytest.mark.parametrize("name", [*(f"{module.replace('.', '/')}.py" for module in MODULES), *TESTS])
def test_the_modules_and_tests_that_are_named_exist(name: str) -> None:
    assert (ROOT / name).is_file()


@pytest.mark.parametrize("name", WITH_PROCESSES)
def test_the_deselected_tests_exist(name: str) -> None:
    file, _, test = name.partition("::")
    assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8")
