"""Files are read in a process of their own that writes no core file, ends with the scan and is bounded in memory."""

from __future__ import annotations

import gzip
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from privaudit.base.errors import ScanIncomplete
from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from privaudit.source.files.readers import reader_client

ROOT = Path(__file__).resolve().parents[2]
posix = pytest.mark.skipif(not reader_client.CAN_FORK, reason="processes of POSIX")


def written(folder: Path, suffix: str) -> Path:
    """Write the same small table in the format of `suffix`."""
    path = folder / f"t{suffix}"
    if suffix == ".csv":
        path.write_text("a,b\n1,x\n2,y\n")
    elif suffix == ".jsonl":
        path.write_text('{"a": 1, "b": "x"}\n{"a": 2, "b": "y"}\n')
    elif suffix == ".parquet":
        pq.write_table(pa.table({"a": [1, 2], "b": ["x", "y"]}), path)
    else:
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE t (a, b)")
            connection.executemany("INSERT INTO t VALUES (?, ?)", [(1, "x"), (2, "y")])
        connection.close()
    return path


@pytest.mark.quick_cases(1)
@posix
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet", ".sqlite"])
def test_no_reader_runs_in_this_process(tmp_path, monkeypatch, suffix):
    """The process that scans never opens the file: an audit hook sees every file that Python opens."""
    path = written(tmp_path, suffix)
    opened: list[str] = []
    program = (
        "import sys\n"
        "from privaudit.source import open_dataset\n"
        "from privaudit.settings.config import Settings\n"
        "seen = []\n"
        "events = ('open', 'sqlite3.connect')\n"
        "sys.addaudithook(lambda event, args: seen.append(str(args[0])) if event in events else None)\n"
        f"d = open_dataset({str(path)!r}, Settings())\n"
        "names = ('privaudit.source.files.readers.reading', 'pyarrow.csv', 'pyarrow.parquet', 'sqlite3')\n"
        "loaded = [n for n in names if n in sys.modules]\n"
        f"print(d.n_rows, d.columns, loaded, any({path.name!r} in s for s in seen))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "2 ('a', 'b') [] False", (done.stdout, opened)


@posix
def test_core_files_are_forbidden_in_the_command_and_its_readers(tmp_path):
    """A process that is not dumpable and has a core limit of 0 leaves no core file, however it dies."""
    program = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)\n"
        "from privaudit.cli import console\n"
        "console.prepare()\n"
        "from privaudit.source.files.readers import reader_client\n"
        "reader_client.prepare()\n"
        "import ctypes, time\n"
        "print(resource.getrlimit(resource.RLIMIT_CORE), ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))\n"
        "number = reader_client._running[0]._process.pid\n"
        "for _ in range(500):\n"
        "    limits = open(f'/proc/{number}/limits').read().split('Max core file size')[1].split()[:2]\n"
        "    if limits == ['0', '0']: break\n"
        "    time.sleep(0.02)\n"
        "print(limits)\n"
        "sys.stdout.flush()\n"
        "import os, signal\n"
        "os.kill(os.getpid(), signal.SIGSEGV)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    lines = done.stdout.splitlines()
    assert lines[0] == "(0, 0) 0" and lines[1] == "['0', '0']", done.stdout + done.stderr
    assert done.returncode < 0 and not list(ROOT.glob("core*"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems' libraries do not survive a fork")
def test_readers_of_a_command_are_forked_with_nothing_open_and_readers_of_a_program_that_uses_arrow_are_not(tmp_path):
    path = written(tmp_path, ".csv")
    program = (
        "import os, sys\n"
        "if sys.argv[1:]:\n"
        "    import pyarrow\n"
        "from privaudit.cli import console\n"
        "from privaudit.source import open_dataset\n"
        "from privaudit.source.files.readers import reader_client\n"
        "from privaudit.settings.config import Settings\n"
        f"kept = open({str(path)!r})\n"
        "with console.progress():\n"
        f"    rows = open_dataset({str(path)!r}, Settings()).n_rows\n"
        "process = reader_client._running[0]._process\n"
        "held = [os.readlink(each.path) for each in os.scandir(f'/proc/{process.pid}/fd')]\n"
        "session = os.getsid(process.pid) == process.pid\n"
        "print(rows, type(process).__name__, session, *sorted(each.partition(':')[0] for each in held))\n"
    )
    for arguments, kind in (([], "_Fork"), (["arrow"], "Popen")):
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60
        )
        assert done.stdout == f"2 {kind} True /dev/null /dev/null /dev/null socket\n", done.stdout + done.stderr


@posix
def test_readers_end_with_the_process_that_started_them(tmp_path):
    path = written(tmp_path, ".csv")
    program = (
        "from privaudit.source import open_dataset\n"
        "from privaudit.source.files.readers import reader_client\n"
        "from privaudit.settings.config import Settings\n"
        f"open_dataset({str(path)!r}, Settings())\n"
        "print(reader_client._running[0]._process.pid, flush=True)\n"
        "import os; os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    number = int(done.stdout)
    for _ in range(100):
        if not Path(f"/proc/{number}").exists():
            return
        time.sleep(0.05)
    state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    assert state == "Z"


@pytest.mark.slow
@posix
def test_a_reader_that_is_killed_is_an_unreadable_file_and_the_next_file_is_read(tmp_path):
    path = written(tmp_path, ".csv")
    with open_dataset(path, Settings()) as table:
        assert table.n_rows == 2
    reader_client._running[0]._process.kill()
    reader_client._running[0]._process.wait()
    with open_dataset(path, Settings()) as table:
        assert table.n_rows == 2


@posix
def test_a_file_is_read_although_the_process_that_forked_readers_has_not_ended_yet(tmp_path):
    """One that was idle closes its socket, and ends some time later on a busy machine."""
    reader_client._stop_all()
    reader_client._readers(lambda _socket: subprocess.Popen(["sleep", "60"]))
    with open_dataset(written(tmp_path, ".csv"), Settings()) as dataset:
        assert dataset.n_rows == 2


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl"])
def test_more_columns_than_the_cap_are_refused_by_name(tmp_path, suffix):
    names = [f"c{i}" for i in range(30)]
    path = tmp_path / f"t{suffix}"
    if suffix == ".csv":
        path.write_text(",".join(names) + "\n" + ",".join("1" * 30) + "\n")
    elif suffix == ".parquet":
        pq.write_table(pa.table({name: [1] for name in names}), path)
    else:
        path.write_text("".join(f'{{"{name}": 1}}\n' for name in names))
    with pytest.raises(ScanIncomplete, match="--cap columns="):
        open_dataset(path, Settings(cap={"columns": 20}))
    with open_dataset(path, Settings(cap={"columns": 30})) as table:
        assert len(table.columns) == 30


def test_a_compressed_file_that_expands_too_far_is_refused_by_name(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 200_000))
    for cap, name in (({"unpacked-bytes": 1000}, "unpacked-bytes"),):
        with pytest.raises(ScanIncomplete, match=f"--cap {name}="):
            open_dataset(path, Settings(cap=cap))


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl"])
def test_a_cell_longer_than_the_cap_is_refused_by_name(tmp_path, suffix):
    long = "x" * 5000
    path = tmp_path / f"t{suffix}"
    if suffix == ".csv":
        path.write_text(f"a,b\n1,{long}\n2,y\n")
    elif suffix == ".parquet":
        pq.write_table(pa.table({"a": [1, 2], "b": [long, "y"]}), path)
    else:
        path.write_text(f'{{"a": 1, "b": "{long}"}}\n')
    with pytest.raises(ScanIncomplete, match="--cap cell-bytes="):
        open_dataset(path, Settings(cap={"cell-bytes": 1000}))


def write_bomb(path, n: int, long: str) -> None:
    """A few kilobytes of Parquet: one long text and many references to it."""
    column = pa.DictionaryArray.from_arrays(pa.array([0] * n, pa.int32()), pa.array([long]))
    pq.write_table(pa.table({"a": column}), path)


def test_a_dictionary_stays_a_dictionary(tmp_path):
    write_bomb(tmp_path / "t.parquet", 1_000_000, "y" * 30_000)
    assert (tmp_path / "t.parquet").stat().st_size < 100_000
    dataset = open_dataset(tmp_path / "t.parquet", Settings(memory="3GB"))
    assert dataset.stored(["a"]).nbytes < 16_000_000
    assert dataset.frequencies("a").counts.tolist() == [1_000_000]


def test_dictionaries_of_parts_stay_dictionaries(tmp_path):
    for name in ("a.parquet", "b.parquet"):
        write_bomb(tmp_path / name, 500_000, "y" * 30_000)
    dataset = open_dataset(tmp_path, Settings(memory="3GB", parts=(str(tmp_path),)))
    assert dataset.frequencies("a").counts.tolist() == [1_000_000]


def test_a_dictionary_that_expands_beyond_the_memory_is_refused_with_advice(tmp_path):
    write_bomb(tmp_path / "a.parquet", 500_000, "y" * 30_000)
    pq.write_table(pa.table({"a": [1, 2]}), tmp_path / "b.parquet")  # parts of different types are joined as text
    with pytest.raises(ScanIncomplete, match="memory"):
        open_dataset(tmp_path, Settings(memory="3GB", parts=(str(tmp_path),)))


def test_twenty_reads_at_once_give_twenty_tables(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    paths = []
    for i in range(20):
        path = tmp_path / f"t{i}.csv"
        path.write_text("a,b\n" + "".join(f"{j},{i}\n" for j in range(i + 1)))
        paths.append(path)
    with ThreadPoolExecutor(20) as pool:
        rows = list(pool.map(lambda path: open_dataset(path, Settings()).n_rows, paths))
    assert rows == list(range(1, 21))
    assert os.getpid() == reader_client._running[0]._owner
