"""Bounds of a process that holds a table: no core file, no debugger of another process, a bounded memory.

Question: what may the operating system copy of this process, and how much may it take?
Method: `RLIMIT_CORE` 0 and, on Linux, ``prctl(PR_SET_DUMPABLE, 0)``, which also holds where core files are piped to a
program; `RLIMIT_DATA` bounds what can be allocated, so that an allocation fails before the machine is out of memory.
Limits: called by the command line and by the reader processes, never in a program that belongs to somebody else, apart
from `give_back_memory`, which no program notices. On Windows nothing is set: it writes no core files by default.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from threading import Lock

PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4
SIGKILL = 9
M_TRIM_THRESHOLD, M_MMAP_MAX, M_ARENA_MAX = -1, -4, -8
MUCH_KEPT = 2 << 30
"""Bytes of a process above which what was freed is given back; below, it is kept, because new pages take time."""
GIVE_BACK = "retain:false,dirty_decay_ms:0,muzzy_decay_ms:0"
"""Lets the allocator of DuckDB give back what was freed at once; what it keeps counts as taken."""


def forbid_core_dumps() -> None:
    """Keep a crash, or a debugger, from writing the table to a file."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _prctl(PR_SET_DUMPABLE, 0)


def end_with_parent() -> None:
    """Let the system end this process when the one that started it ends, however that happens."""
    _prctl(PR_SET_PDEATHSIG, SIGKILL)


def keep_freed_memory() -> None:
    """Let the allocator of glibc keep freed memory: large arrays that come and go need no new pages each time.

    All threads share it, no array has pages of its own, and nothing is given back before the process ends.
    """
    _set_allocator((M_MMAP_MAX, 0), (M_ARENA_MAX, 1), (M_TRIM_THRESHOLD, -1))


def give_back_memory() -> None:
    """Give back to the system what allocators keep of freed memory, where the process holds much."""
    if sys.platform == "linux" and _most_bytes() > MUCH_KEPT and _resident_bytes() > MUCH_KEPT:
        with contextlib.suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)
        arrow = sys.modules.get("pyarrow")
        if arrow is not None:
            arrow.default_memory_pool().release_unused()


def _most_bytes() -> int:
    """Return the bytes that this process had at its largest, which the system reports at once."""
    import resource

    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _resident_bytes() -> int:
    with contextlib.suppress(OSError), open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _set_allocator(*options: tuple[int, int]) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library
            for option, value in options:
                ctypes.CDLL(None).mallopt(option, value)


def bound_memory(most: int | None) -> None:
    """Let allocations beyond `most` bytes fail, and libraries reserve little; None where a bound is in force."""
    _set_allocator((M_ARENA_MAX, 1))  # what threads free is for all of them, and counts once
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # others reserve a gigabyte, which counts as taken
    os.environ.setdefault("DUCKDB_JE_MALLOC_CONF", GIVE_BACK)
    try:
        import resource
    except ImportError:
        return
    if most is None:
        return
    with contextlib.suppress(ValueError, OSError):  # a lower bound is in force already
        resource.setrlimit(resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def memory_left() -> int | None:
    """Return the bytes that this process may still allocate; None where no bound is in force or known."""
    bounds = _bounds()
    if not bounds:
        return None
    with contextlib.suppress(OSError), open("/proc/self/status", encoding="ascii", errors="replace") as file:
        stated = {name: value for name, _, value in (line.partition(":") for line in file)}
        return min(max(0, most - 1024 * int(stated[name].split()[0])) for name, most in bounds.items())
    return None


def _bounds() -> dict[str, int]:
    """Return the bounds of memory in force, in bytes, by the name that Linux gives to what each of them counts."""
    try:
        import resource
    except ImportError:
        return {}
    limits = {"VmData": resource.RLIMIT_DATA, "VmSize": resource.RLIMIT_AS}
    soft = {name: resource.getrlimit(limit)[0] for name, limit in limits.items()}
    return {name: most for name, most in soft.items() if most != resource.RLIM_INFINITY}


def is_bounded() -> bool:
    """Whether the caller bounded the memory of this process, with `ulimit -v` or `ulimit -d`."""
    return bool(_bounds())


class LiftedBound:
    """Lifts the bound of memory for code that ends the process where an allocation fails, in any number of threads."""

    def __init__(self) -> None:
        self._lock, self._users, self._bound = Lock(), 0, 0

    def lift(self) -> None:
        """Allow what the system allows."""
        with self._lock, _bound_of_data() as (bound, change):
            self._users += 1
            if self._users == 1:
                self._bound = bound[0]
                change((bound[1], bound[1]))

    def restore(self) -> None:
        """Put the bound in force again, after the last of those that lifted it."""
        with self._lock, _bound_of_data() as (bound, change):
            self._users -= 1
            if self._users == 0:
                change((self._bound, bound[1]))


@contextlib.contextmanager
def _bound_of_data() -> Iterator[tuple[tuple[int, int], Callable[[tuple[int, int]], None]]]:
    """Yield the soft and hard bound of memory, and the function that changes them; nothing changes without bounds."""
    try:
        import resource
    except ImportError:
        yield (0, 0), lambda _: None
        return

    def change(bound: tuple[int, int]) -> None:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, bound)

    yield resource.getrlimit(resource.RLIMIT_DATA), change


def machine_memory() -> int:
    """Return the bytes of memory that this machine, the container around this process or its bounds allow."""
    found = [_physical(), *_bounds().values()]
    for place in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with contextlib.suppress(OSError, ValueError), open(place, encoding="ascii") as file:
            found.append(int(file.read()))
    return min(found)


def _physical() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 8 * 1024**3


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
