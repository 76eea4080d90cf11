"""``privaudit`` and ``python -m privaudit``: the command line as a process of its own."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False  # nothing is imported from where `python -m` searches before `run`
if TYPE_CHECKING:
    from typing import NoReturn


def run() -> NoReturn:
    """Run the command line and end the process."""
    from privaudit.base.errors import PrivauditError
    from privaudit.base.garbage import MANY

    # Loading rules and modules creates many objects but almost no reference cycles, so the collector runs rarely.
    gc.set_threshold(*MANY)
    # No plugin changes what is validated here; looking for one reads the metadata of every installed package.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Nor does anyone read the documentation that NumPy adds to its functions at each start; `python -OO` omits it, too.
    for texts in ("numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars"):
        sys.modules.setdefault(texts, type(sys)(texts))
    try:
        from privaudit.cli.commands import main

        main()
    except SystemExit as ended:
        if isinstance(ended.code, int):
            _end(ended.code)
        raise
    except PrivauditError as error:  # the rule packs state the options: without them, no command can start
        print(f"privaudit: {error.code}: {error.line()}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:  # interrupted before the command line could handle it
        from privaudit.base.supervision import STOPPED

        print(f"privaudit: E130: {STOPPED}", file=sys.stderr)
        os._exit(130)


def _end(code: int) -> NoReturn:
    """End the process at once: the interpreter would free a large table piece by piece, which takes up to a second."""
    import atexit
    import signal

    for number in (signal.SIGINT, signal.SIGTERM):  # the run has ended: private folders are removed undisturbed
        signal.signal(number, signal.SIG_IGN)
    # The client of S3 would wait for requests that a server does not answer; nothing of it is left after the end.
    wait = getattr(sys.modules.get("pyarrow.fs"), "ensure_s3_finalized", None)
    if wait is not None:
        atexit.unregister(wait)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:  # the interpreter reports it when it flushes again, with an exit code of its own
            sys.exit(code)
    os._exit(code)


if __name__ == "__main__":
    if not sys.flags.safe_path:
        # `python -m` searches the working folder first, where a file next to the tables may be called `copy.py`.
        del sys.path[0]
    run()
