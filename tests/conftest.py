"""Fixtures of all tests: the reference tables, the synthetic tables, and ways to run the command line."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from tests.helpers.command import Completed, run_cold, run_here
from tests.helpers.paths import ROOT, SHARED

# `make test` runs the profile "quick"; `make test-all` sets HYPOTHESIS_PROFILE=full: the examples each test asks for.
settings.register_profile("full", deadline=None)
settings.register_profile("quick", deadline=None)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "quick")
settings.load_profile(PROFILE)
QUICK_EXAMPLES = 25


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Choose what `make test` runs: a sample of many similar cases, and fewer examples of each property."""
    _mark_all_but_a_sample_as_slow(items)
    if PROFILE == "quick":
        _lower_the_number_of_examples(items)


def _mark_all_but_a_sample_as_slow(items: list[pytest.Item]) -> None:
    cases: Counter[str] = Counter()
    for item in items:
        if (sampled := item.get_closest_marker("sampled")) is not None:
            test = item.nodeid.partition("[")[0]
            if cases[test] % sampled.args[0]:
                item.add_marker(pytest.mark.slow)
            cases[test] += 1


def _lower_the_number_of_examples(items: list[pytest.Item]) -> None:
    for item in items:
        function = getattr(item, "function", None)
        if getattr(function, "is_hypothesis_test", False):
            chosen = getattr(function, "_hypothesis_internal_use_settings", None) or settings.default
            if chosen.max_examples > QUICK_EXAMPLES:
                function._hypothesis_internal_use_settings = settings(chosen, max_examples=QUICK_EXAMPLES)


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
