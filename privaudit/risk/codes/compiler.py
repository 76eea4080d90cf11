"""Whether compiled loops are worth loading.

Question: is Numba installed, and are its loops faster for so much work, including the time to load them?
Method: work is counted in visits of a row. Where memory is bounded, Numba must not take most of what is left.
Limits: the numbers are those of one machine; both kernels return the same integers. Where the build made no machine
code (`privaudit.risk.codes.machine_code`), the first run takes seconds more, to compile.
"""

from __future__ import annotations

import sys

from privaudit.base.extras import can_import
from privaudit.base.process import memory_left

LOAD_FROM_VISITS = 20_000_000
"""Distinct rows times sets from which loading Numba and the loops pays; a twentieth once they are loaded."""

NUMBA_BYTES = 200_000_000
"""Memory of Numba and of the loops, measured."""
SHARE_OF_NUMBA = 0.5
"""Share of the memory that is left which Numba may take: the loops need the rest."""


def worth_loading(visits: int) -> bool:
    """Return whether Numba is installed and its loops are faster, including the time to load them."""
    if "numba" in sys.modules:
        return visits >= LOAD_FROM_VISITS // 20
    if visits < LOAD_FROM_VISITS or not can_import("numba"):
        return False
    left = memory_left()
    return left is None or left * SHARE_OF_NUMBA >= NUMBA_BYTES
