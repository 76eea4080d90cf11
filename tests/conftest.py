"""Fixtures of all tests: the reference tables, the synthetic tables, and ways to run the command line."""

from __future__ import annotations

import os
import subprocess
import sys
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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Lower the number of examples of each property test under the profile "quick"."""
    if PROFILE != "quick":
        return
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


Runner = Callable[..., Completed]


@pytest.fixture
def run(tmp_path: Path) -> Runner:
    """Run `privaudit ARGUMENTS` in an empty folder, in this process."""
    return lambda *arguments, **environment: run_here([*map(str, arguments)], tmp_path, environment)


@pytest.fixture
def run_in_new_process(tmp_path: Path) -> Runner:
    """Run `privaudit ARGUMENTS` in an empty folder, in a new interpreter."""
    return lambda *arguments, **environment: run_cold([*map(str, arguments)], tmp_path, environment)
