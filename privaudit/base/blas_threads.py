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
from contextlib import contextmanager, suppress
from functools import cache

NAMES = "scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads"
"""The functions of OpenBLAS in wheels of NumPy 2 and NumPy 1, and in Linux distributions."""


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let NumPy's linear algebra have one thread within a block."""
    count, set_count = _thread_functions()
    before = count()
    if before <= 1:
        yield
        return
    set_count(1)
    try:
        yield
    finally:
        # Of blocks that overlap, only those that began with several threads come here, so that none are lost.
        set_count(before)


@cache
def _thread_functions() -> tuple[Callable[[], int], Callable[[int], object]]:
    """Return the functions that read and set the threads of the OpenBLAS that NumPy is linked to; 1 for another."""
    from numpy.linalg import _umath_linalg

    with suppress(OSError):  # where it is statically linked into the interpreter
        library = ctypes.CDLL(_umath_linalg.__file__)  # loaded already; it finds the functions of what it is linked to
        for name in NAMES:
            with suppress(AttributeError):
                return library[name.format("get")], library[name.format("set")]
    return lambda: 1, lambda _: None
