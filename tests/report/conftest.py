"""The reports of ``sample.py`` for the tests of this folder."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.report import sample as reports


@pytest.fixture(scope="session")
def sample() -> ModuleType:
    return reports
