"""How a process starts, is interrupted and is supervised.

Question: how does a scan with bounded memory, by `--memory` or by the shell, end with an exit code of its own where a
library crashes?
Method: some libraries do not check whether an allocation succeeded, and end the process with a signal. The command
forks before it loads them; the fork scans, and the first process passes signals on and waits. Where the fork ends by
a signal of a crash, the first process reports a lack of memory. SIGINT and SIGTERM become one exception, so that
engines close and private folders are removed. NumPy sorts without AVX-512 on processors that execute it in microcode.
Limits: only on Linux, and only in a command that runs nothing but privaudit and has not used Arrow, whose threads do
not survive a fork.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, MutableMapping
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from privaudit.base.errors import ScanIncomplete
from privaudit.base.process import end_with_parent

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

STOPPED = "Stopped before the end; every file that was written is complete."
"""What is printed, with the code E130."""
CRASHES = frozenset({"SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP"})
NOT_LOADED = 127
"""Exit code of a process whose loader gives up, because the data of a thread do not fit into the memory."""
PASSED_ON = (signal.SIGINT, signal.SIGTERM)
_watched: list[int] = []
"""The process that waits for this one."""


def continue_in_fork(clean_up: Callable[[], None]) -> None:
    """Return in a fork of this process; this process ends with the exit code of the fork.

    Parameters
    ----------
    clean_up : function
        Removes what the fork left behind where it crashed.

    Raises
    ------
    ScanIncomplete
        In this process, if the fork crashed.
    """
    if _watched or sys.platform != "linux" or "pyarrow" in sys.modules or threading.active_count() > 1:
        return
    reads_keys = os.isatty(0)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    waited = {*PASSED_ON, signal.SIGCHLD}
    signal.pthread_sigmask(signal.SIG_BLOCK, waited)  # one that comes now waits until it can be passed on
    try:
        fork = os.fork()
    except OSError:  # the system gives no process: go on in this one
        signal.pthread_sigmask(signal.SIG_UNBLOCK, waited)
        return
    if fork == 0:
        _watched.append(os.getppid())
        end_with_parent()
        if not reads_keys:
            os.setpgid(0, 0)  # Ctrl-C reaches the fork once, from the first process
        signal.pthread_sigmask(signal.SIG_UNBLOCK, waited)
        return
    if reads_keys:  # a terminal sends Ctrl-C to both processes
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    status = _wait_for(fork, waited - ({signal.SIGINT} if reads_keys else set()))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, waited)
    code = os.waitstatus_to_exitcode(status)
    if code >= 0 and code != NOT_LOADED:
        os._exit(code)
    if code < 0 and signal.Signals(-code).name not in CRASHES:
        os._exit(128 - code)
    clean_up()
    raise ScanIncomplete(
        "A library crashed because it was not given the memory that it asked for.",
        hint="allow more with --memory, or scan fewer rows or columns",
    )


def _wait_for(fork: int, waited: set[signal.Signals]) -> int:
    """Pass signals on to the fork until it ends, and return its status.

    The signals are blocked: one that came between a handler of Python and the call that waits would be lost.
    """
    while True:
        number = signal.sigwait(waited)
        if number != signal.SIGCHLD:
            os.kill(fork, number)
            continue
        ended, status = os.waitpid(fork, os.WNOHANG)
        if ended:
            return status


AGAIN_SECONDS = 0.01
"""Time for the callback to return before the exception is raised again."""


def stop_on_signals() -> None:
    """Make SIGTERM end the run as Ctrl-C does, and show no exception that Python drops: its text may quote cells."""
    signal.signal(signal.SIGTERM, _stop)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _stop)
    sys.unraisablehook = _dropped


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _dropped(exception: UnraisableHookArgs) -> None:
    if issubclass(exception.exc_type, KeyboardInterrupt) and hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)


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
