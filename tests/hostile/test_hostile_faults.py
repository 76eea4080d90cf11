"""Faults of the machine: killed, interrupted, disk full, folder read-only, many at once, no network, core files on."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MARK = "qzxvkjw"
BEFORE = '{"schema_version": "0"}'
pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="signals and limits of POSIX")]


@pytest.fixture
def table(tmp_path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text("age,sex,note\n" + "".join(f"{20 + i % 60},{'FM'[i % 2]},{MARK}{i}\n" for i in range(20_000)))
    return path


def start(folder: Path, *arguments: str, **options: object) -> subprocess.Popen[str]:
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder / "tmp")}
    (folder / "tmp").mkdir(exist_ok=True)
    return subprocess.Popen(
        # -B: a bound on the size of files also cuts byte code, on which every later run would fail.
        [sys.executable, "-B", "-m", "privaudit", *arguments],
        cwd=folder,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,  # type: ignore[call-overload]
    )


def children(number: int) -> list[int]:
    """Return the processes that `number` started, and those that they started."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(place.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if parent == number:
            found += [int(place.parent.name), *children(int(place.parent.name))]
    return found


def alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("delay", [0.3, 1.5, 3.0])
def test_a_stopped_scan_leaves_no_process_no_half_report_and_no_table(table, number, delay):
    folder = table.parent
    (folder / "r.json").write_text(BEFORE)
    scan = start(folder, "scan", "t.csv", "--no-ner", "-q", "-o", "r.json")
    time.sleep(delay)
    others = children(scan.pid)
    scan.send_signal(number)
    out, err = scan.communicate(timeout=60)
    assert MARK not in out + err and "Traceback" not in err
    report = (folder / "r.json").read_text()
    assert report == BEFORE or report.rstrip().endswith("}")
    deadline = time.monotonic() + 10
    while any(map(alive, others)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(alive, others))
    for file in folder.rglob("*"):
        if file.is_file() and file.name != "t.csv":
            assert MARK.encode() not in file.read_bytes(), file


def test_a_crash_with_core_files_enabled_writes_none(table):
    folder = table.parent
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    scan = start(
        folder, "scan", "t.csv", "--no-ner", "-q",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (hard, hard)),
    )  # fmt: skip
    time.sleep(1.5)
    scan.send_signal(signal.SIGSEGV)
    scan.communicate(timeout=60)
    assert not [file for file in folder.rglob("core*") if file.is_file()]


def test_a_full_disk_is_one_line_and_leaves_the_old_report(table):
    folder = table.parent
    (folder / "r.json").write_text(BEFORE)
    scan = start(
        folder, "scan", "t.csv", "--no-ner", "-q", "-o", "r.json",
        preexec_fn=lambda: (
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
        ),
    )  # fmt: skip
    _, err = scan.communicate(timeout=120)
    assert scan.returncode == 2 and len(err.splitlines()) == 1, err
    assert (folder / "r.json").read_text() == BEFORE


@pytest.mark.skipif(os.name != "nt" and os.getuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_one_line(table):
    closed = table.parent / "closed"
    closed.mkdir(mode=0o500)
    scan = start(table.parent, "scan", "t.csv", "--no-ner", "-q", "-o", "closed/r.json")
    _, err = scan.communicate(timeout=120)
    assert scan.returncode == 2 and len(err.splitlines()) == 1


def test_a_reader_that_went_away_changes_nothing(table):
    scan = f'"{sys.executable}" -m privaudit scan t.csv --no-ner --quasi age,sex,note'
    done = subprocess.run(
        ["bash", "-c", f"{scan} | head -c 1; exit ${{PIPESTATUS[0]}}"],
        cwd=table.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1 and done.stderr == ""


def test_twenty_scans_at_once_give_twenty_equal_reports(table):
    import json

    folder = table.parent
    table.write_text("".join(table.read_text().splitlines(keepends=True)[:300]))
    scans = [start(folder, "scan", "t.csv", "--no-ner", "-q", "-o", f"r{i}.json") for i in range(20)]
    for scan in scans:
        _, err = scan.communicate(timeout=400)
        assert scan.returncode in (1, 3) and err == "", err
    reports = [json.loads((folder / f"r{i}.json").read_text()) for i in range(20)]
    for report in reports:
        for key in ("generated_at", "timings", "digest"):
            report.pop(key)
    assert all(report == reports[0] for report in reports)
    assert not list((folder / "tmp").iterdir())


def test_no_scan_opens_a_connection(table):
    program = (
        "import socket, sys\n"
        "def no(*_): raise AssertionError('network')\n"
        "connect = socket.socket.connect\n"
        "local = socket.AF_UNIX\n"
        "socket.socket.connect = lambda self, address: connect(self, address) if self.family == local else no()\n"
        "socket.getaddrinfo = no\n"
        "import privaudit\n"
        "privaudit.scan('t.csv', ner=False).write('r.html')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=table.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr


def test_the_memory_bound_ends_with_advice(table):
    folder = table.parent
    (folder / "big.csv").write_text("a,b\n" + "".join(f"{i},{MARK}{i}{'x' * 300}\n" for i in range(400_000)))
    scan = start(folder, "scan", "big.csv", "--no-ner", "-q", "--memory", "400MB")
    _, err = scan.communicate(timeout=300)
    assert scan.returncode == 3 and "--memory" in err and MARK not in err, err
