"""A command that goes on in a fork of itself, so that a crash of a library is reported as an error.

Question: how does a scan with bounded memory, by `--memory` or by the shell, end with an exit code of its own where a
library crashes?
Method: some libraries do not check whether an allocation succeeded, and end the process with a signal. The command
forks before it loads them; the fork scans, and the first process passes signals on and waits. Where the fork ends by
a signal of a crash, the first process reports a lack of memory.
Limits: only on Linux, and only in a command that runs nothing but privaudit and has not used Arrow, whose threads do
not survive a fork.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType

from privaudit.base.errors import ScanIncomplete
from privaudit.base.process import end_with_parent

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
    signal.pthread_sigmask(signal.SIG_BLOCK, PASSED_ON)  # one that comes now waits until it can be passed on
    try:
        fork = os.fork()
    except OSError:  # the system gives no process: go on in this one
        signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
        return
    if fork == 0:
        _watched.append(os.getppid())
        end_with_parent()
        if not reads_keys:
            os.setpgid(0, 0)  # Ctrl-C reaches the fork once, from the first process
        signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
        return
    status = _wait_for(fork, reads_keys=reads_keys)
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


def _wait_for(fork: int, *, reads_keys: bool) -> int:
    """Pass signals on to the fork until it ends; `reads_keys` where a terminal sends Ctrl-C to both processes."""

    def pass_on(number: int, _frame: FrameType | None) -> None:
        os.kill(fork, number)

    signal.signal(signal.SIGTERM, pass_on)
    signal.signal(signal.SIGINT, signal.SIG_IGN if reads_keys else pass_on)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
    return os.waitpid(fork, 0)[1]
