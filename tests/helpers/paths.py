"""Where the project, the reference numbers and the third-party tables are."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "tests" / "reference"
SHARED = ROOT.parent / "shared"
DATA = SHARED / "data"
NO_TABLES = "the third-party tables are not next to the project"


def third_party(*names: str) -> Path:
    """Return the path of a third-party table; skip the test where the tables are not installed."""
    path = DATA.joinpath(*names)
    if not path.exists():
        pytest.skip(NO_TABLES)
    return path
