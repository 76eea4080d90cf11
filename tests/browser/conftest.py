"""The sample reports of the report tests, as a fixture."""

from __future__ import annotations

from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def sample() -> ModuleType:
    from tests.report import sample

    return sample
