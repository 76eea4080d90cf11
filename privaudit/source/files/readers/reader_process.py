"""The processes that read files; started or forked by `privaudit.source.files.readers.reader_client`.

Question: how is a file of a foreign format read without risking the process that holds the scan?
Method: `main` runs in a Python of its own, `main_of_fork` in a fork of a command that has read nothing yet; neither
reads anything itself. For every request it forks a reader, which reads one table, writes JSON lines (progress, then
the answer), an Arrow stream and a last line with the texts outside of the table, and ends. No reader writes core
files, outlives the scan, takes more memory than the scan may, or passes on a library's message.
Limits: a reader can be slow; the scan can end it at any time.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sys
from pathlib import Path
from typing import Any, NoReturn

IDLE_SECONDS = 120
READ, END = b"R", b"E"
ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # others reserve a gigabyte, which counts as taken
}


def main() -> None:
    """Serve the requests that arrive through the socket whose descriptor is the one argument."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[4]))
    from privaudit.base.process import forbid_core_dumps

    forbid_core_dumps()
    load()
    with socket.socket(fileno=int(sys.argv[1])) as control:
        _serve_alone(control)


def main_of_fork(control: socket.socket) -> NoReturn:
    """Serve the requests that arrive through `control` in a fork of the command, and end without its clean-up."""
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.setsid()  # Ctrl-C is for the scan, which then ends the readers
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in range(3):  # whatever a reader prints may quote cells
            os.dup2(nothing, standard)
        os.closerange(3, control.fileno())
        os.closerange(control.fileno() + 1, os.sysconf("SC_OPEN_MAX"))
        os.environ.update(ENVIRONMENT)
        _serve_alone(control)
    finally:
        os._exit(0)


def load() -> None:
    """Import what readers share, and fork-safe: nothing of Arrow takes memory or starts a thread."""
    from privaudit.model.headers import has_header_words
    from privaudit.source.files.formats.arrow_import import import_functions

    import_functions()  # first: modules of ours would import them with their documentation
    import pyarrow.csv  # noqa: F401

    import privaudit.source.files.formats.delimited
    import privaudit.source.files.formats.jsonl
    import privaudit.source.files.readers.reading  # noqa: F401
    from privaudit.settings.config import Settings
    from privaudit.source.files.readers.reader_wire import settings_in, settings_out

    has_header_words("q")  # not known: reads the lexicon and the lists of names, once and not in each reader
    settings_in(settings_out(Settings()))  # compiles what makes a record of settings, once and not in each reader


def _serve_alone(control: socket.socket) -> None:
    from privaudit.source.files.readers.pandas_import import skip_pandas

    skip_pandas()
    serve(control)


def serve(control: socket.socket) -> None:
    """Fork a reader for each request, end readers, and return when the scan is gone or idle."""
    running: set[int] = set()
    while True:
        ready, _, _ = select.select([control], [], [], IDLE_SECONDS)
        if not ready:
            if running:
                continue
            return
        message, handles, _, _ = socket.recv_fds(control, 9, 3)
        if not message:
            return
        if message[:1] == READ:
            running.add(_fork(control, *handles))
        else:
            number, status = int.from_bytes(message[1:], "little"), 0
            if number in running:
                os.kill(number, signal.SIGKILL)
                status = os.waitpid(number, 0)[1]
                running.discard(number)
            control.sendall(status.to_bytes(8, "little"))


def _fork(control: socket.socket, request: int, answer: int, *files: int) -> int:
    number = os.fork()
    if number == 0:
        try:
            control.close()
            _read(request, answer, *files)
        finally:
            os._exit(0)
    for handle in (request, answer, *files):
        os.close(handle)
    control.sendall(number.to_bytes(8, "little"))
    return number


def _read(request: int, answer: int, *files: int) -> None:
    from privaudit.base.process import bound_memory, end_with_parent

    end_with_parent()
    with os.fdopen(request, "rb") as file:
        asked = json.loads(file.read())
    for handle in files:  # standard input has another descriptor in this process
        asked["locations"][0]["path"] = f"/dev/fd/{handle}"
    with os.fdopen(answer, "wb") as out:
        bound_memory(asked["memory"])
        answer_to(asked, out)


def answer_to(asked: dict[str, Any], out: Any) -> None:
    """Read the table that is asked for and write it to `out`."""
    from privaudit.base.errors import PrivauditError
    from privaudit.base.typed import plain
    from privaudit.source.files.formats.surroundings import within
    from privaudit.source.files.readers import reader_wire
    from privaudit.source.files.readers.reading import list_tables, read_locations, send_batches
    from privaudit.source.input.allowed_size import Budget, too_large

    locations = [reader_wire.location_in(sent) for sent in asked["locations"]]
    settings = reader_wire.settings_in(asked["settings"])

    def progress(_what: str, share: float | None = None) -> None:
        _line(out, {"progress": share})

    shown = locations[0].shown
    try:
        if asked.get("lists_tables"):
            stream = list_tables(locations[0], settings)
        else:
            stream = read_locations(locations, settings, progress)
        ready = {
            "names": stream.names,
            "declared": dict(stream.declared),
            "stated": stream.stated,
            "limits": plain(stream.limits),
        }
        budget = Budget(shown, settings, is_bounded=asked.get("is_bounded", True))
        unused, bounds = send_batches(out, stream, budget, lambda nested: _line(out, {**ready, "nested": nested}))
        texts, cut = within((*stream.outside, *unused))
        end = {
            "outside": [[one.place, one.text] for one in texts],
            "limits": plain((*cut, *(one for one in bounds if one not in cut))),
        }
    except PrivauditError as error:
        _line(out, {"error": reader_wire.error_out(error)})
    except MemoryError:
        _line(out, {"error": reader_wire.error_out(too_large(shown, settings))})
    else:
        _line(out, end)


def _line(out: Any, content: dict[str, Any]) -> None:
    out.write(json.dumps(content).encode("ascii") + b"\n")
    out.flush()


if __name__ == "__main__":
    main()
