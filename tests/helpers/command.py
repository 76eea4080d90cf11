"""Question: what does `privaudit` print, write and return for these arguments?

Method: `run_here` calls `privaudit.cli.commands.main` in this process, with the working directory, the environment, the
temporary folder, the warning filters and both streams (file descriptors included) of a fresh process.
`run_cold` starts an interpreter.
Limits: `run_here` shares imported modules and caches with the other tests. Tests of the hash seed, of threads, of
signals and of imports need `run_cold`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TextIO
from unittest import mock

from tests.helpers.paths import ROOT

Completed = subprocess.CompletedProcess[str]


def run_cold(arguments: list[str], folder: Path, environment: Mapping[str, str]) -> Completed:
    """Run `privaudit` in a new interpreter."""
    return subprocess.run(
        [sys.executable, "-m", "privaudit", *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        timeout=300,
        check=False,
    )


def run_here(arguments: list[str], folder: Path, environment: Mapping[str, str]) -> Completed:
    """Run `privaudit` in this process."""
    from privaudit.cli import commands as cli

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.chdir(folder))
            stack.enter_context(mock.patch.dict(os.environ, environment))
            stack.enter_context(mock.patch.object(tempfile, "tempdir", None))
            stack.enter_context(mock.patch.object(sys, "argv", ["privaudit", *arguments]))
            stack.enter_context(mock.patch.object(signal, "signal"))
            stack.enter_context(_stream("stdout", 1, out.fileno()))
            stack.enter_context(_stream("stderr", 2, err.fileno()))
            stack.enter_context(_warnings_of_a_new_process())
            code = _exit_code(cli.main)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
    return subprocess.CompletedProcess(["privaudit", *arguments], code, *texts)


def refusal(done: Completed) -> str:
    """Return what a command that was refused (exit code 2) wrote to stderr."""
    assert done.returncode == 2, done
    return done.stderr


def _exit_code(main: object) -> int:
    try:
        main()  # type: ignore[operator]
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001 - a new process would print it and exit with 1
        traceback.print_exc()
        return 1
    return 0


@contextlib.contextmanager
def _stream(name: str, descriptor: int, target: int) -> Iterator[None]:
    """Send a standard stream of Python and its file descriptor to `target`."""
    before: TextIO = getattr(sys, name)
    before.flush()
    kept = os.dup(descriptor)
    os.dup2(target, descriptor)
    stream = open(descriptor, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    setattr(sys, name, stream)
    try:
        yield
    finally:
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
        setattr(sys, name, before)
        os.dup2(kept, descriptor)
        os.close(kept)


@contextlib.contextmanager
def _warnings_of_a_new_process() -> Iterator[None]:
    """Print warnings to stderr under the filters an interpreter starts with."""

    def show(message, category, filename, lineno, file=None, line=None):  # type: ignore[no-untyped-def]
        sys.stderr.write(warnings.formatwarning(message, category, filename, lineno, line))

    with warnings.catch_warnings():
        warnings.resetwarnings()
        for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", category)
        warnings.showwarning = show
        yield
