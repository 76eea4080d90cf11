"""Whether compiled loops are worth loading.

Question: are compiled loops installed, and are they faster for so much work, including the time to load them?
Method: work is counted in visits of a row. Object code of the build (`privaudit.risk.codes.machine_code`) takes a
twentieth of the time of Numba to load. Where memory is bounded, neither must take most of what is left.
Limits: the numbers are those of one machine; both kernels return the same integers. Where the build made no object
code, the first run takes seconds more, to compile.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

from privaudit.base.extras import can_import
from privaudit.base.process import memory_left


class Visits(NamedTuple):
    """Distinct rows times sets from which loops pay: those that are loaded, those of the build, and those of Numba."""

    loaded: int
    built: int
    numba: int


LEAST = Visits(loaded=200_000, built=5_000_000, numba=20_000_000)
"""Measured, including the time to load what is not loaded."""
LOOP_BYTES = 200_000_000
"""Memory of Numba and of the loops, or addresses that LLVM takes to load their object code, measured."""
SHARE_OF_LOOPS = 0.5
"""Share of the memory that is left which loading may take: the loops need the rest."""


def worth_loading(visits: int) -> bool:
    """Return whether compiled loops are installed and faster, including the time to load them."""
    if visits < LEAST.loaded:
        return False
    from privaudit.risk.codes import machine_code

    is_built = machine_code.is_built() and can_import("llvmlite")
    if ("llvmlite.binding" if is_built else "numba") in sys.modules:
        return True
    if visits < (LEAST.built if is_built else LEAST.numba) or not (is_built or can_import("numba")):
        return False
    left = memory_left()
    return left is None or left * SHARE_OF_LOOPS >= LOOP_BYTES
