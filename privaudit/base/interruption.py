"""Ctrl-C and SIGTERM as one exception that ends the run, so that engines close and private folders are removed.

Question: how does a signal end a command at whatever place it arrives?
Method: the handler raises `KeyboardInterrupt`. Where that happens in a finalizer or in the callback of a library,
Python drops the exception and calls `sys.unraisablehook`; an alarm then raises it again a moment later.
Limits: called by the command line, never in a program that belongs to somebody else. Windows has no alarm.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

STOPPED = "Stopped before the end; every file that was written is complete."
"""What is printed, with the code E130."""

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
