"""Garbage of reference cycles is sought rarely while a scan runs.

Question: why does the first scan of a program spend a sixth of its time in the garbage collector?
Method: rules and modules are many objects without cycles, and the collector visits all of them each time a few hundred
were made. While anything runs in `rarely_collected`, it waits for as many objects as in a command; afterwards the
thresholds are those of the program again.
Limits: a program that turned the collector off, or whose own threshold is higher, keeps what it chose.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

MANY = (200_000, 20, 100)
"""Thresholds for loading rules and modules; 200,000 objects take some 20 MB."""
_lock = Lock()
_stated: list[tuple[int, int, int]] = []
"""The thresholds of the program, once for each call that is running."""


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Let the collector wait for many objects; several threads may be in here at the same time."""
    with _lock:
        is_first = not _stated
        _stated.append(gc.get_threshold() if is_first else _stated[0])
        if is_first and 0 < _stated[0][0] < MANY[0]:
            gc.set_threshold(*MANY)
    try:
        yield
    finally:
        with _lock:
            stated = _stated.pop()
            if not _stated and gc.get_threshold() == MANY:  # nobody changed it meanwhile
                gc.set_threshold(*stated)
