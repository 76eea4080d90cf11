"""Whether compiled loops are worth loading.

Question: is a compiler installed, and are its loops faster for so much work, including the time to load them?
Method: work is counted in visits of a row. Loops that an earlier run compiled are loaded for less work than it takes
to pay for compiling them. Where memory is bounded, the compiler must not take most of what is left.
Limits: the numbers are those of one machine; both kernels return the same integers.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from privaudit.extras import can_import
from privaudit.process import memory_left

COMPILE_FROM_VISITS = 20_000_000
"""Distinct rows times sets from which loading the compiled loops pays; a twentieth once they are loaded."""
FIRST_RUN = 5
"""Times as many visits from which compiling pays: it takes seconds where no earlier run left the loops in a cache."""

COMPILER_BYTES = 200_000_000
"""Memory of the compiler and of the loops it made, measured."""
SHARE_OF_COMPILER = 0.5
"""Share of the memory that is left which the compiler may take: the loops need the rest."""


def worth_compiling(visits: int) -> bool:
    """Return whether a compiler is installed and its loops are faster, including the time to compile and load them."""
    if "numba" in sys.modules:
        return visits >= COMPILE_FROM_VISITS // 20
    if visits < COMPILE_FROM_VISITS or not can_import("numba"):
        return False
    left = memory_left()
    if left is not None and left * SHARE_OF_COMPILER < COMPILER_BYTES:
        return False
    return visits >= FIRST_RUN * COMPILE_FROM_VISITS or _is_compiled()


def _is_compiled() -> bool:
    """Whether an earlier run left the compiled loops where the compiler looks for them."""
    places = [Path(__file__).parent / "__pycache__", *Path(os.path.expanduser("~/.cache/numba")).glob("*")]
    if "NUMBA_CACHE_DIR" in os.environ:
        places = list(Path(os.environ["NUMBA_CACHE_DIR"]).glob("*"))
    return any(next(place.glob("partition_loops.*.nbi"), None) for place in places)
