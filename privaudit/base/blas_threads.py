"""Linear algebra of small matrices, on one thread.

Question: what does a small matrix cost where NumPy's library of linear algebra has threads?
Method: after each call, the threads of OpenBLAS wait for the next one in a busy loop. That takes more CPU time than the
decomposition of a small matrix. So its number of threads is 1 while small matrices are decomposed, and what it was
before afterwards.
Limits: the number is that of the process, also for matrices of other threads meanwhile. Libraries other than OpenBLAS
keep their threads.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

NAMES = "scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads"
"""The functions of OpenBLAS in wheels of NumPy 2 and NumPy 1, and in Linux distributions."""


class _Threads(NamedTuple):
    """How the number of threads is read and set."""

    get: Callable[[], Any]
    set: Callable[[int], Any]


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let NumPy's linear algebra have one thread within a block."""
    threads = _threads()
    before = 1 if threads is None else threads.get()
    if threads is None or before <= 1:
        yield
        return
    threads.set(1)
    try:
        yield
    finally:
        # Of blocks that overlap, only those that began with several threads come here, so that none are lost.
        threads.set(before)


@cache
def _threads() -> _Threads | None:
    """Return the functions of the OpenBLAS that NumPy is linked to; None where it is linked to another library."""
    from numpy.linalg import _umath_linalg

    try:
        library = ctypes.CDLL(_umath_linalg.__file__)  # loaded already; it finds the functions of what it is linked to
    except OSError:  # statically linked into the interpreter
        return None
    for name in NAMES:
        try:
            return _Threads(library[name.format("get")], library[name.format("set")])
        except AttributeError:
            continue
    return None
