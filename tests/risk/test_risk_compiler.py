"""A bound of memory neither ends the process in the compiler nor leaves too little memory for the loops."""

import subprocess
import sys

import pytest

pytest.importorskip("resource")

TABLE = """
import sys
import numpy as np
from privaudit.base.process import bound_memory, memory_left
from privaudit.risk.codes import compiler, machine_code
from privaudit.risk.kernel import partition_arrays
from privaudit.risk.kernel.subsets import Prepared

rng, widths = np.random.default_rng(1), (3, 50, 1000)
codes = tuple(rng.integers(0, width, 2000).astype(np.int32) for width in widths)
table = Prepared((0, 1, 2), codes, widths, np.ones(2000, np.int64))
expected = partition_arrays.count_sets(table, sizes=range(1, 4), top=9).histogram
bound_memory(int(sys.argv[1]) * 10**6)
"""
NEEDS_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded and measured on Linux")


def run(code, megabytes, folder):
    return subprocess.run(
        [sys.executable, "-c", TABLE + code, str(megabytes)],
        capture_output=True,
        text=True,
        timeout=120,
        env={"NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": ":".join(sys.path)},
    )


@pytest.mark.quick_cases(2)
@NEEDS_LINUX
@pytest.mark.parametrize("is_built", [False, True])
@pytest.mark.parametrize(("megabytes", "compiles"), [(300, False), (900, True)])
def test_loops_are_loaded_only_where_that_leaves_memory_for_them(megabytes, compiles, is_built, tmp_path):
    pytest.importorskip("numba")
    code = f"machine_code.is_built = lambda: {is_built}\n"
    code += "print(compiler.worth_loading(10**12), memory_left() < int(sys.argv[1]) * 10**6)"
    found = run(code, megabytes, tmp_path)
    assert found.stdout.split() == [str(compiles), "True"], found.stderr


@pytest.mark.slow
@NEEDS_LINUX
def test_the_compiler_does_not_end_a_process_whose_memory_is_bounded(tmp_path):
    """It is made to compile with less memory than it takes; afterwards the bound is in force again."""
    pytest.importorskip("numba")
    code = """
from pathlib import Path
from privaudit.risk.kernel import partition
machine_code.folder = lambda: Path("no folder")
found = partition.count_sets(table, sizes=range(1, 4), top=9, threads=1)
print(found.histogram.tolist() == expected.tolist())
try:
    np.ones(10**8)
except MemoryError:
    print("bounded")
"""
    found = run(code, 150, tmp_path)
    assert (found.returncode, found.stdout.split()) == (0, ["True", "bounded"]), found.stderr
