"""Fixtures of all tests: the reference tables, the synthetic tables, and ways to run the command line."""

from __future__ import annotations

import datetime
import gc
import itertools
import os
import random
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from privaudit.base import clock
from privaudit.releases.privacy import noise
from privaudit.source.files.readers import reader_client
from tests.helpers.command import Completed, run_cold, run_here
from tests.helpers.exact_noise import stream
from tests.helpers.paths import ROOT, SHARED
from tests.helpers.surrogates import without_surrogates

# `make test` runs the profile "quick"; `make test-all` sets HYPOTHESIS_PROFILE=full: the examples each test asks for.
# `make mutants` needs to know that a property is false, not the smallest example of it, and counts the same each time.
settings.register_profile("full", deadline=None)
settings.register_profile("quick", deadline=None)
settings.register_profile(
    "mutants", deadline=None, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
)
gc.disable()  # while tests are collected: nothing that is imported becomes garbage
# The day of every run, in the processes that tests start, too: acceptances and answers end on days of the calendar.
os.environ["SOURCE_DATE_EPOCH"] = "1795000000"
clock.day_of_the_clock = lambda: datetime.date.min
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "quick")
settings.load_profile(PROFILE)
QUICK_EXAMPLES = 4  # of a property, and a quarter of those it asks for if these are fewer
QUICK_CASES = 2
CAN_FORK = reader_client.CAN_FORK
# Where `make test` reads files as an installed privaudit does, in a process for each table. Such a process costs six
# times as much as reading a small table, so that other tests read as privaudit does on systems that cannot fork.
FORK_READERS = ("canary", "cli", "engines", "hostile", "packaging", "source")


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make only the cases that `make test` runs, of each test a few that are not slow; there are 9,000 others."""
    if PROFILE == "quick" and metafunc.config.option.markexpr == "not slow":
        marker = metafunc.definition.get_closest_marker("quick_cases")
        n_quick = QUICK_CASES if marker is None else marker.args[0]
        is_slow = metafunc.definition.get_closest_marker("slow") is not None
        quick = [case for case in metafunc._calls if not is_slow and all(mark.name != "slow" for mark in case.marks)]
        places = {place * len(quick) // n_quick for place in range(n_quick)}
        # A test that keeps no case would be made once without one, so that a slow case stays and is deselected.
        metafunc._calls = [case for place, case in enumerate(quick) if place in places] or metafunc._calls[:1]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let `make test` try fewer examples of each property."""
    if PROFILE == "quick":
        _lower_the_number_of_examples(items)


def pytest_collection_finish() -> None:
    """Keep the collector from walking every collected test again and again, and every table of a test several times."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


def _lower_the_number_of_examples(items: list[pytest.Item]) -> None:
    for item in items:
        function = getattr(item, "function", None)
        if getattr(function, "is_hypothesis_test", False):
            chosen = getattr(function, "_hypothesis_internal_use_settings", None) or settings.default
            n_quick = min(QUICK_EXAMPLES, max(3, chosen.max_examples // 4), chosen.max_examples)
            function._hypothesis_internal_use_settings = settings(chosen, max_examples=n_quick)


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, object, object]:
    """Write unpaired surrogates of a report as escapes: pytest-xdist sends reports as UTF-8."""
    return without_surrogates((yield))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Start all random numbers again before the fixtures of a module or the session are made, and choose the reader."""
    _start_random_numbers_again(item)
    reader_client.CAN_FORK = CAN_FORK and (PROFILE != "quick" or item.nodeid.split("/")[1] in FORK_READERS)


@pytest.fixture(autouse=True)
def _one_generator_for_each_test(request: pytest.FixtureRequest) -> None:
    """Start them again after those fixtures: no test depends on the tests that ran before it in its process."""
    _start_random_numbers_again(request.node)


def _start_random_numbers_again(item: pytest.Item) -> None:
    """Seed the generators of the module, and give the noise of releases bytes that are the same in each run."""
    for value in vars(getattr(item, "module", None) or object).values():
        if isinstance(value, random.Random):
            value.seed(7)
    noise.random_bytes = stream(7)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of the reference tables, next to the project."""
    if not (SHARED / "data").is_dir():
        pytest.skip("the third-party reference tables are not next to the project")
    return SHARED


@pytest.fixture(scope="session")
def fixtures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The synthetic tables, generated once per session."""
    folder = tmp_path_factory.mktemp("fixtures")
    subprocess.run([sys.executable, str(ROOT / "fixtures" / "make.py"), str(folder)], check=True)
    return folder


@pytest.fixture(scope="session")
def few_people(fixtures: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first 300 rows of the table of people: enough for every finding of a careless release."""
    path = tmp_path_factory.mktemp("few") / "people.csv"
    with (fixtures / "people.csv").open(encoding="utf-8") as rows, path.open("w", encoding="utf-8") as out:
        out.writelines(itertools.islice(rows, 301))
    return path


Runner = Callable[..., Completed]


@pytest.fixture
def run(tmp_path: Path) -> Runner:
    """Run `privaudit ARGUMENTS` in an empty folder, in this process."""
    return lambda *arguments, **environment: run_here([*map(str, arguments)], tmp_path, environment)


@pytest.fixture
def run_in_new_process(tmp_path: Path) -> Runner:
    """Run `privaudit ARGUMENTS` in an empty folder, in a new interpreter."""
    return lambda *arguments, **environment: run_cold([*map(str, arguments)], tmp_path, environment)
