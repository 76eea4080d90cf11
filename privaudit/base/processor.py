"""Which instructions of the processor NumPy uses in a run of the command line.

Question: why do some processors need five times longer to sort a million numbers?
Method: NumPy sorts with AVX-512 where it can. AMD processors with AVX-512 execute one of its instructions (a compressed
store) in microcode; the AVX2 sort takes 12 ms there where the AVX-512 sort takes 60. NumPy reads the variable
``NPY_DISABLE_CPU_FEATURES`` when it is imported. A value that the user has set stays.
Limits: Linux, and packages of NumPy from the Python Package Index: others may need AVX-512, and would not start.
Programs that import privaudit decide for themselves.
"""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping
from pathlib import Path

VARIABLE = "NPY_DISABLE_CPU_FEATURES"
_SINCE_2_4 = "X86_V4 AVX512_ICL AVX512_SPR"
_BEFORE_2_4 = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"


def choose_instructions(environment: MutableMapping[str, str] = os.environ) -> None:
    """Disable the AVX-512 instructions of NumPy in `environment` where they are slow; before NumPy is imported."""
    if VARIABLE in environment or "numpy" in sys.modules or not sys.platform.startswith("linux"):
        return
    try:
        processor = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
        installed = _installed_numpy()
        wheel = (installed / "WHEEL").read_text(encoding="utf-8")
    except (OSError, StopIteration):
        return
    version = installed.name.removesuffix(".dist-info").removeprefix("numpy-")
    if features := slow_features(processor.partition("\n\n")[0], wheel, version):
        environment[VARIABLE] = features


def _installed_numpy() -> Path:
    """Return the folder that describes the package of NumPy; `importlib.metadata` takes 50 ms to import."""
    return next(found for folder in sys.path for found in Path(folder).glob("numpy-[0-9]*.dist-info"))


def slow_features(processor: str, wheel: str, version: str) -> str:
    """Return the features of NumPy that are slower than without them, in the words of `VARIABLE`; empty for none.

    Parameters
    ----------
    processor : str
        The description of one core in ``/proc/cpuinfo``.
    wheel : str
        The file ``WHEEL`` of the package of NumPy.
    version : str
        The version of NumPy, whose names of features changed with 2.4.
    """
    if "AuthenticAMD" not in processor or " avx512f " not in f"{processor} " or "manylinux" not in wheel:
        return ""
    return _SINCE_2_4 if tuple(map(int, version.split(".")[:2])) >= (2, 4) else _BEFORE_2_4
