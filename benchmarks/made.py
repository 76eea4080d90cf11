"""Seeded tables of integer codes for the benchmarks, and the little that all of them need.

Nothing here is real data: values follow a power law, as those of people do.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.risk.codes.coded import CodedTable, merge_equal_rows

Codes = npt.NDArray[np.int32]
TEN_COLUMNS = (2, 5, 9, 17, 50, 100, 400, 2_000, 10_000, 30_000)


def columns(rows: int, cardinalities: Sequence[int], *, seed: int = 0, skew: float = 0.7) -> list[Codes]:
    """Return one array of `rows` codes for each cardinality, value v about as often as ``(v + 1) ** -skew``."""
    rng = np.random.default_rng(seed)
    found = []
    for cardinality in cardinalities:
        share = (np.arange(cardinality) + 1.0) ** -skew
        drawn = np.searchsorted(np.cumsum(share) / share.sum(), rng.random(rows))
        found.append(np.minimum(drawn, cardinality - 1).astype(np.int32))
    return found


def coded(codes: Sequence[Codes]) -> CodedTable:
    """Return the coded table of `codes`: distinct rows with weights."""
    import pyarrow as pa

    dictionaries = [pa.array([f"{i:06}" for i in range(int(code.max()) + 1)]) for code in codes]
    names = tuple(f"q{i}" for i in range(len(codes)))
    return merge_equal_rows(names, list(codes), dictionaries, np.ones(len(codes[0]), np.int64), len(codes[0]))


@dataclass(frozen=True)
class Took:
    """What a piece of work took: on a busy machine the processor's seconds say more than the clock's."""

    seconds: float
    cpu: float


def timed(work: Callable[[], Any], *, runs: int = 1) -> tuple[Took, Any]:
    """Return the time of the fastest of `runs` and the result."""
    took, result = [], None
    for _ in range(runs):
        start, cpu = time.perf_counter(), time.process_time()
        result = work()
        took.append(Took(time.perf_counter() - start, time.process_time() - cpu))
    return min(took, key=lambda one: one.seconds), result


def first_run(before: str, work: str) -> Took:
    """Return the time of `work`, imports included, in a new process with an empty cache of compiled loops.

    Both are Python statements; `before`, which makes the table, is not timed.
    """
    code = f"import made; {before}; took, _ = made.timed(lambda: {work}); print(took.seconds, took.cpu)"
    with tempfile.TemporaryDirectory() as empty:
        env = {**os.environ, "NUMBA_CACHE_DIR": empty, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True)
        return Took(*map(float, done.stdout.split()))


def peak_memory() -> float:
    """Return the most memory this process has taken, in GB.

    ``ru_maxrss`` is not read where the system has more: Linux begins it with the peak of the process that started this
    one.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e9 if sys.platform == "darwin" else 1e6)
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024 / 1e9


def table(title: str, lines: Sequence[tuple[str, Took]], *, than: Took) -> None:
    """Print times, and how many times as long as the reference `than` each took."""
    print(f"\n{title}")
    print(f"| {'':50} | {'seconds':>9} | {'ratio':>7} | {'cpu s':>9} | {'ratio':>7} |")
    print(f"|{'-' * 52}|{'-' * 10}:|{'-' * 8}:|{'-' * 10}:|{'-' * 8}:|")
    for name, took in lines:
        clock = f"{took.seconds:9.3f} | {took.seconds / than.seconds:7.1f}"
        print(f"| {name:50} | {clock} | {took.cpu:9.3f} | {took.cpu / than.cpu:7.1f} |")
