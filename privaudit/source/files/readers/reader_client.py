"""Files are read in a process of their own; what it sends is a table, an error or nothing.

Question: how can a hostile file not take the scan down with it?
Method: a second Python runs `source.files.readers.reader_process` and forks one reader for each table, which reads the
files once and streams them as Arrow record batches through a pipe. A crash, an abort or a stream that ends early
becomes a privaudit error. The second Python starts with the first read, is shared by all reads of this process and
ends with it, or after two minutes without work. A command forks it from itself before it reads anything, so that
modules are imported and rules are read once; a program of somebody else may have threads and is never forked.
Limits: where the system cannot fork, files are read in this process.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from privaudit.base.arrow import pa
from privaudit.base.errors import UnreadableSource
from privaudit.base.extras import can_import
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.engine.spool import collect
from privaudit.source.engine.sql_table import SqlTable
from privaudit.source.files.readers import reader_process, reader_wire
from privaudit.source.files.readers.reader_process import END, ENVIRONMENT, READ, answer_to
from privaudit.source.input.allowed_size import memory_of, too_large
from privaudit.source.input.table import Outside, Read
from privaudit.source.places.location import Location
from privaudit.source.places.standard_input import descriptor_of

if TYPE_CHECKING:
    import subprocess

SCRIPT = Path(__file__).with_name("reader_process.py")
CAN_FORK = hasattr(os, "fork") and hasattr(socket, "send_fds")
PIPE_BYTES = 1 << 20
_lock = threading.Lock()
_running: list[_Readers] = []


def read_files(locations: Sequence[Location], settings: Settings, progress: Progress = silent) -> Read:
    """Read files, parts of one table, in a reader process.

    Raises
    ------
    UnreadableSource
        If a file is damaged, whatever its reader does about it, or the part named is not in it.
    UnsupportedFormat
        If the reader is not installed or the file of a kind it does not read.
    ScanIncomplete
        If there is no table, it has no columns, or it exceeds a cap.
    """
    progress(f"Reading {locations[0].shown}", None)
    return _ask(locations, settings, progress)


def list_tables(where: Location, settings: Settings) -> tuple[str, ...]:
    """Return the names of the tables of a database, or of the worksheets with rows, in a reader process.

    Raises
    ------
    PrivauditError
        As `read_files`.
    """
    table: Any = _ask([where], settings, silent, lists_tables=True).table
    return tuple(map(str, table.column(0).to_pylist()))


def _ask(locations: Sequence[Location], settings: Settings, progress: Progress, *, lists_tables: bool = False) -> Read:
    where = locations[0]
    asked = {
        "locations": [reader_wire.location_out(each) for each in locations],
        "settings": reader_wire.settings_out(settings),
        "memory": memory_of(settings),
        "descriptor": descriptor_of(str(where.path)),
        "lists_tables": lists_tables,
        "is_bounded": not can_import("duckdb"),
    }
    try:
        with _answer(asked) as stream:
            answer, table, last = _receive(stream, settings, progress)
    except MemoryError:
        raise too_large(where.shown, settings) from None
    if "error" in answer:
        raise reader_wire.error_in(answer["error"])
    end = _last(last)
    if "error" in end:
        _close(table)
        raise reader_wire.error_in(end["error"])
    if table is None or "outside" not in end:
        _close(table)
        from privaudit.source.files.readers.reading import damaged

        raise damaged(where)
    declared = {int(i): str(kind) for i, kind in answer["declared"].items()}
    declared.update((int(i), "nested") for i in answer["nested"])
    limits = tuple(reader_wire.limit_in(sent) for sent in (*answer["limits"], *end["limits"]))
    outside = tuple(Outside(str(place), str(text)) for place, text in end["outside"])
    stated = tuple((int(i), str(key), str(text)) for i, key, text in answer["stated"])
    return Read(table, tuple(answer["names"]), limits, tuple(declared.items()), outside, stated)


def _close(table: pa.Table | SqlTable | None) -> None:
    if isinstance(table, SqlTable):
        table.close()


def _last(line: bytes) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(line)
    except ValueError:
        return {}
    return found


def _receive(
    stream: BinaryIO, settings: Settings, progress: Progress
) -> tuple[dict[str, Any], pa.Table | SqlTable | None, bytes]:
    """Return the answer, the table and the last line; None and nothing for an incomplete answer."""
    answer: dict[str, Any] = {"progress": None}
    try:
        while "progress" in answer:
            answer = json.loads(stream.readline())
            if answer.get("progress") is not None:
                progress("Reading the parts", answer["progress"])
    except ValueError:
        return {}, None, b""
    if "names" not in answer:
        return answer, None, b""
    try:
        with pa.ipc.open_stream(stream) as batches:
            table = collect(batches, settings)
        return answer, table, stream.readline()
    except MemoryError:  # an exception of Arrow too
        raise
    except (pa.ArrowException, OSError, ValueError, UnreadableSource):
        return answer, None, b""


@contextlib.contextmanager
def _answer(asked: dict[str, Any]) -> Iterator[BinaryIO]:
    """Yield the stream of a reader that was given `asked`; end the reader afterwards."""
    request = json.dumps(asked).encode("ascii")
    if not CAN_FORK:
        buffer = io.BytesIO()
        answer_to(asked, buffer)
        yield io.BytesIO(buffer.getvalue())
        return
    try:
        readers, number, stream = _started(request, asked.get("descriptor"))
        try:
            with stream:
                yield stream
        finally:
            status = readers.end(number)
        # C++ ends a process in this way where an allocation fails outside of what Python can catch.
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGABRT:
            raise MemoryError
    except (KeyboardInterrupt, SystemExit):  # nothing may go on reading
        _stop_all()
        raise


def _started(request: bytes, descriptor: int | None) -> tuple[_Readers, int, BinaryIO]:
    readers = _readers()
    try:
        return readers, *readers.start(request, descriptor)
    except OSError as error:  # it was stopped, or ended itself when idle, at this moment
        if isinstance(error, ConnectionError):
            readers.stop()  # its socket is closed before its process ends
        readers = _readers()
        return readers, *readers.start(request, descriptor)


def _stop_all() -> None:
    for readers in _running:
        readers.stop()
    _running.clear()


def prepare() -> None:
    """Start the Python that forks readers, so that it is ready when the first file is read."""
    if CAN_FORK:
        _readers()


def prepare_by_fork() -> None:
    """Fork the process that forks readers, from a command that runs nothing but privaudit and has not used Arrow.

    Elsewhere, and on systems whose libraries do not survive a fork, `prepare` starts a second Python when it is needed.
    """
    if CAN_FORK and sys.platform == "linux" and "pyarrow" not in sys.modules and threading.active_count() == 1:
        reader_process.load()
        _readers(_Fork)


def _readers(start: Callable[[socket.socket], subprocess.Popen[bytes] | _Fork] | None = None) -> _Readers:
    """Return the process that forks readers, started if there is none that belongs to this process."""
    with _lock:
        if not _running or not _running[0].usable():
            _running[:] = [_Readers(start or _second_python)]
        return _running[0]


def _second_python(control: socket.socket) -> subprocess.Popen[bytes]:
    import subprocess

    return subprocess.Popen(
        [sys.executable, "-I", str(SCRIPT), str(control.fileno())],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,  # whatever a reader prints may quote cells
        pass_fds=(control.fileno(),),
        start_new_session=True,  # Ctrl-C is for the scan, which then ends the readers
        env={**os.environ, **ENVIRONMENT},
    )


class _Fork:
    """A fork of this process that serves requests."""

    def __init__(self, control: socket.socket) -> None:
        self._status: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            reader_process.main_of_fork(control)

    def poll(self) -> int | None:
        return self._ended(os.WNOHANG)

    def wait(self) -> int:
        return self._ended(0) or 0

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _ended(self, options: int) -> int | None:
        if self._status is None:
            with contextlib.suppress(ChildProcessError):
                ended, status = os.waitpid(self.pid, options)
                self._status = status if ended else None
        return self._status


def _widen(pipe: int) -> None:
    """Let a pipe hold a megabyte, where the system allows it: reader and scan wait less for each other."""
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


class _Readers:
    """A Python that forks readers."""

    def __init__(self, start: Callable[[socket.socket], subprocess.Popen[bytes] | _Fork]) -> None:
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = start(theirs)
        atexit.register(self.stop)

    def usable(self) -> bool:
        return self._owner == os.getpid() and self._process.poll() is None

    def start(self, request: bytes, descriptor: int | None = None) -> tuple[int, BinaryIO]:
        """Return the number of a new reader, which gets an open file where one is given, and the stream it writes."""
        extra = [] if descriptor is None else [descriptor]
        asked, ask = os.pipe()
        answer, answered = os.pipe()
        _widen(answered)
        out = os.fdopen(ask, "wb")
        stream = os.fdopen(answer, "rb", buffering=PIPE_BYTES)
        try:
            with contextlib.ExitStack() as unless_started:
                unless_started.callback(stream.close)
                with self._lock:
                    socket.send_fds(self._control, [READ], [asked, answered, *extra])
                    number = self._reply()
                unless_started.pop_all()
            with contextlib.suppress(BrokenPipeError):
                out.write(request)
                out.flush()
            return number, stream
        finally:
            os.close(asked)
            os.close(answered)
            with contextlib.suppress(BrokenPipeError):
                out.close()

    def end(self, number: int) -> int:
        """End a reader, whatever it does, and return its status as `os.waitpid` does; 0 where it is unknown."""
        with self._lock, contextlib.suppress(OSError):
            self._control.sendall(END + number.to_bytes(8, "little"))
            return self._reply()
        return 0

    def _reply(self) -> int:
        reply = b""
        while len(reply) < 8:
            more = self._control.recv(8 - len(reply))
            if not more:
                raise BrokenPipeError
            reply += more
        return int.from_bytes(reply, "little")

    def stop(self) -> None:
        """End the Python that forks readers, and with it all of them."""
        atexit.unregister(self.stop)
        self._control.close()
        if self._owner == os.getpid():
            with contextlib.suppress(OSError):
                self._process.kill()
            self._process.wait()
