"""Noise for tests: bytes that are the same in every run, so that the tests decide, not luck."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from privaudit.releases.privacy import noise

OF_THE_SYSTEM = noise.random_bytes
"""What draws the noise of a release; `tests/conftest.py` replaces it for tests."""


def stream(seed: int) -> Callable[[int], bytes]:
    """Return a source of bytes to replace that of `privaudit.releases.privacy.noise`."""
    state = {"n": 0}

    def random_bytes(n: int) -> bytes:
        state["n"] += 1
        return hashlib.shake_256(f"{seed}.{state['n']}".encode()).digest(n)

    return random_bytes
