"""How many faults in the code that decides does no test notice? `make mutants` runs this.

Question: does at most one in ten of the faults put into a module pass its tests?
Method: mutmut writes every fault of a module into it, each behind a switch, as the module is imported. The tests run
once without a fault, which shows the functions that each test calls and how long it takes. Then a copy of this process,
in which the tests are collected, is made for each fault. It runs the tests that call the function until one fails:
first those that noticed other faults of it, then the quickest. A fault with which the tests do not end counts as
noticed, one that no test reaches as not noticed.
Limits: faults that change nothing, such as another text in an error message, count as well. A test that reads what a
fixture of its module made is known to call only the functions that it calls itself.
"""

from __future__ import annotations

import difflib
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType
from typing import Protocol

import pytest

MODULES = (
    "privaudit.advice.technique.protection",
    "privaudit.audit.joins",
    "privaudit.model.severity",
    "privaudit.releases.privacy.account",
    "privaudit.releases.privacy.ledger",
    "privaudit.releases.privacy.ledger_file",
    "privaudit.risk.measures.cells",
    "privaudit.rulebook.acceptances",
    "privaudit.rulebook.attack_verdict",
    "privaudit.rulebook.baseline",
    "privaudit.rulebook.changes",
    "privaudit.rulebook.comparison",
    "privaudit.rulebook.differences",
    "privaudit.rulebook.gate",
    "privaudit.settings.acceptance",
)
TESTS = (
    "tests/advice/test_protection.py",
    "tests/audit/test_joins.py",
    "tests/releases/privacy/test_ledger.py",
    "tests/releases/privacy/test_ledger_file.py",
    "tests/report/test_report_differences.py",
    "tests/report/test_report_one_decision.py",
    "tests/risk/test_risk_cells.py",
    "tests/rulebook/gate/test_gate_decide.py",
    "tests/rulebook/gate/test_gate_not_measured.py",
    "tests/rulebook/test_acceptances.py",
    "tests/rulebook/test_attack_verdict.py",
    "tests/rulebook/test_baseline.py",
    "tests/rulebook/test_rulebook_changes.py",
    "tests/rulebook/test_rulebook_comparison.py",
    "tests/rulebook/test_rulebook_differences.py",
    "tests/rulebook/test_rulebook_severity.py",
    "tests/settings/test_config_acceptances.py",
)
# A process that a test starts does not see the switch of a fault.
WITH_PROCESSES = (
    "tests/releases/privacy/test_ledger.py::test_eight_processes_never_exceed_the_budget",
    "tests/releases/privacy/test_ledger.py::test_killed_processes_have_spent_and_leave_an_intact_ledger",
    "tests/settings/test_config_acceptances.py::test_with_a_report_the_finding_must_exist_and_its_value_is_the_bound",
)
MOST = 0.10
_SECONDS, _TIMES = 5, 5  # how long tests may compute: so long, and so many times as long as without a fault
_WAITING = 600  # seconds that they may take in all
_UNKNOWN = 255  # the exit code of a process that does not state which test failed


@dataclass(frozen=True, slots=True)
class Fault:
    """A change of one function, and whether the tests pass with it."""

    name: str  # package.module.x_function__mutmut_7
    change: str = ""  # the lines that differ

    @property
    def function(self) -> str:
        """The function that is changed, as mutmut names it."""
        return self.name.partition("__mutmut_")[0]

    @property
    def module(self) -> str:
        """The module of that function."""
        return self.name.rpartition(".")[0]


class Switches(Protocol):
    """What turns faults on."""

    record_trampoline_hit: Callable[..., None]

    def set_mutant_under_test(self, name: str) -> None:
        """Turn the fault of this name on and all others off; "stats" records the functions that are entered."""


class FindFaulty:
    """Finds the modules that get faults, and keeps the faults of those that were imported."""

    def __init__(self, modules: Iterable[str]) -> None:
        self._modules = frozenset(modules)
        self.faults: list[Fault] = []

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        """Return the place of the module, and what writes the faults into it; nothing for other modules."""
        spec = PathFinder.find_spec(fullname, path) if fullname in self._modules else None
        if spec is not None and spec.origin is not None:
            spec.loader = _Faulty(fullname, spec.origin, self.faults)
        return spec


class _Faulty(SourceFileLoader):
    def __init__(self, fullname: str, path: str, faults: list[Fault]) -> None:
        super().__init__(fullname, path)
        self._faults = faults

    def get_code(self, fullname: str) -> CodeType:
        from mutmut.mutation.file_mutation import mutate_file_contents

        written = mutate_file_contents(self.path, self.get_source(fullname) or "")
        lines = written.code.splitlines()

        def body(function: str) -> list[str]:
            span = written.line_span_by_function_name[function]
            return [line.replace(function, "") for line in lines[span.start - 1 : span.end]]

        for name in written.mutant_names:
            before = body(f"{name.partition('__mutmut_')[0]}__mutmut_orig")
            change = [line for line in difflib.ndiff(before, body(name)) if line[0] in "+-"]
            self._faults.append(Fault(f"{fullname}.{name}", "\n".join(change)))
        return compile(written.code, self.path, "exec", dont_inherit=True)


@dataclass(slots=True)
class Known:
    """What a test does without a fault."""

    seconds: float
    functions: frozenset[str]


class Trial:
    """The plugin of pytest that runs the collected tests with each fault.

    `switches` has the two functions of mutmut's module of that name: the first is called with the name of each changed
    function as it is entered, the second turns the fault of a name on.
    """

    def __init__(self, faults: Sequence[Fault], switches: Switches) -> None:
        self._faults = faults
        self._switches = switches
        self.passed: dict[Fault, bool] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests without a fault, and if all pass, with each fault in a process of its own."""
        known = self._run_without_fault(session.items)
        # What passes here must pass in a copy of the process, too, or a failure there would not be due to the fault.
        if not session.testsfailed and not self._await(self._start("no fault", [*known], known))[1]:
            self._try_all(known)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Show why nothing can be tried: a test fails without a fault."""
        if report.failed and not self.passed:
            print(report.nodeid, report.longreprtext, sep="\n")

    def _run_without_fault(self, items: Sequence[pytest.Item]) -> dict[pytest.Item, Known]:
        called: set[str] = set()
        self._switches.record_trampoline_hit = lambda name, caller=None: called.add(name)
        self._switches.set_mutant_under_test("stats")
        known = {}
        start = time.process_time()
        for item in _run(items):
            if called:
                known[item] = Known(time.process_time() - start, frozenset(called))
                called.clear()
            start = time.process_time()
        return dict(sorted(known.items(), key=lambda one: one[1].seconds))

    def _try_all(self, known: Mapping[pytest.Item, Known]) -> None:
        noticed: Counter[tuple[str, pytest.Item]] = Counter()  # faults of a function, by the test that failed
        running: dict[int, tuple[Fault, list[pytest.Item]]] = {}
        for number, fault in enumerate(self._faults):
            if number % 50 == 0:
                print(f"{number} of {len(self._faults)} faults, {sum(self.passed.values())} pass", file=sys.stderr)
            reached = [item for item, one in known.items() if fault.function in one.functions]
            reached.sort(key=lambda item, function=fault.function: -noticed[function, item])
            self.passed[fault] = not reached
            if reached:
                running[self._start(fault.name, reached, known)] = fault, reached
            while len(running) >= (os.cpu_count() or 1) or (running and fault is self._faults[-1]):
                process, failed = self._await()
                if process not in running:
                    continue  # a test started it without a fault
                ended, tests = running.pop(process)
                self.passed[ended] = not failed
                if 0 < failed <= len(tests):
                    noticed[ended.function, tests[failed - 1]] += 1

    def _start(self, fault: str, tests: Sequence[pytest.Item], known: Mapping[pytest.Item, Known]) -> int:
        """Run the tests in a copy of this process, which ends with the place of the first that fails, or 0."""
        process = os.fork()
        if process:
            return process
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(_WAITING)
            most = _SECONDS + int(_TIMES * sum(known[test].seconds for test in tests))
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))
            self._switches.set_mutant_under_test(fault)
            n_passed = len([*_run(tests)])
            os._exit(0 if n_passed == len(tests) else min(n_passed + 1, _UNKNOWN))
        finally:
            os._exit(_UNKNOWN)

    def _await(self, process: int = -1) -> tuple[int, int]:
        """Return the number of a process that ended, and the place of the test that failed, or 0."""
        process, status = os.waitpid(process, 0)
        return process, os.waitstatus_to_exitcode(status)


def _run(items: Sequence[pytest.Item]) -> Iterator[pytest.Item]:
    """Run the tests up to the first that fails; name each that passed."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if item.session.testsfailed:
            return
        yield item


def try_faults(trial: Trial, tests: Sequence[str]) -> None:
    """Run pytest with `trial`, without the plugins that start processes or write to the terminal in each of them."""
    plugins = [argument for name in ("xdist", "terminal", "cacheprovider") for argument in ("-p", f"no:{name}")]
    deselected = [argument for test in WITH_PROCESSES for argument in ("--deselect", test)]
    options = ["-o", "addopts=", "--import-mode=importlib", "-m", "not slow"]
    pytest.main([*options, *plugins, *deselected, *tests], plugins=[trial])


def report(modules: Sequence[str], passed: Mapping[Fault, bool]) -> int:
    """Print how many faults of each module pass, and which; return 1 where they are too many, or nothing was tried."""
    result = 0
    for module in modules:
        tried = [fault for fault in passed if fault.module == module]
        unnoticed = [fault for fault in tried if passed[fault]]
        print(f"{len(unnoticed):4} of {len(tried):4} pass  {module}")
        for fault in unnoticed:
            print(f"     {fault.name.removeprefix(module + '.')}", fault.change, sep="\n")
        result |= len(unnoticed) > MOST * len(tried) or not tried
    return int(result)


def main(names: Sequence[str]) -> int:
    """Try the faults of all modules, or of those that are named by their last words."""
    from mutmut.mutation import trampoline

    modules = [module for module in MODULES if not names or module.endswith(tuple(names))]
    finder = FindFaulty(modules)
    sys.meta_path.insert(0, finder)
    trial = Trial(finder.faults, trampoline)
    try_faults(trial, TESTS)
    return report(modules, trial.passed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
