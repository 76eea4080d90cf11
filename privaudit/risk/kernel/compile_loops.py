"""Compile all loops, when the package is built.

Question: which loops are compiled before the first run, and for which processors?
Method: every module of loops is imported; each loop is compiled for the types declared with it, and for every processor
of this architecture. `hatch_build.py` calls this in a process of its own.
Limits: code for the processor at hand would be 2 to 6 % faster.
"""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from pathlib import Path

import numba

from privaudit.risk.codes import machine_code, merging_loops, sorting_loops  # noqa: F401 - declare loops
from privaudit.risk.kernel import partition_loops, unique_steps_compiled  # noqa: F401 - declare loops


def compile_loops() -> Path:
    """Write the machine code of every loop, and return the folder with the files.

    Nothing else may have been compiled before in this process.
    """
    numba.config.CPU_NAME, numba.config.CPU_FEATURES = "generic", ""
    made = machine_code.folder()
    shutil.rmtree(made, ignore_errors=True)
    with ExitStack() as unless_complete:
        unless_complete.callback(shutil.rmtree, made, ignore_errors=True)
        for loop, signatures in machine_code.LOOPS:
            loop._cache = machine_code.files_of_build(loop.py_func)
            for types in signatures:
                loop.compile(types)
        unless_complete.pop_all()
    return made
