"""What several rooms' tests share: where the reference tables are, and a way to run the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The reference tables beside the project."""
    if not (SHARED / "data").is_dir():
        pytest.skip("reference tables are not beside the project")
    return SHARED


@pytest.fixture(scope="session")
def fixtures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The synthetic tables, made afresh."""
    folder = tmp_path_factory.mktemp("fixtures")
    subprocess.run([sys.executable, str(ROOT / "fixtures" / "make.py"), str(folder)], check=True)
    return folder


Runner = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Runner:
    """Run `privaudit` as a person would, in a folder of its own."""

    def run_cli(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        variables = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
        command = [sys.executable, "-m", "privaudit", *map(str, arguments)]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, env=variables, timeout=300, check=False
        )

    return run_cli
