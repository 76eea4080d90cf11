"""Files made to break readers end as a table or as an error of ours: no crash, no leak, nothing left behind."""

from __future__ import annotations

import gzip
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privaudit.base.errors import PrivauditError
from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from privaudit.source.profile import profile

UGLY = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "ugly"
CANARY = "Wanjiru-Kanari-0722998877"


def attempt(path: Path, **options: object) -> tuple[str, str]:
    """Return "table" or the name of our error, with everything a user could see of it; other errors rise."""
    try:
        with open_dataset(path, Settings(**options)) as dataset:  # type: ignore[arg-type]
            profile(dataset)
            return "table", repr(dataset.limits)
    except PrivauditError as raised:
        problem = raised
    assert len(str(problem)) <= 300 and problem.exit_code in (2, 3)
    return type(problem).__name__, "".join(traceback.format_exception(problem))


@pytest.fixture(autouse=True)
def nothing_is_left_behind(tmp_path_factory, monkeypatch) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("temp")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []


ENDS = ("table", "UnreadableSource", "ScanIncomplete", "UnsupportedFormat")
"""How reading a damaged file ends: with the table that it still has, or with an error that states what is wrong."""


def damaged(content: bytes, seed: int) -> Iterator[bytes]:
    """Yield cut, shifted and bit-flipped variants."""
    rng = random.Random(seed)
    yield content[: len(content) // 2]
    yield content[:-1]
    yield content + b"\x00" * 7
    for _ in range(3):
        changed = bytearray(content)
        for _ in range(rng.randint(1, 30)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        yield bytes(changed)


def make(kind: str, path: Path) -> None:
    table = pa.table({"id": list(range(300)), "name": [f"{CANARY} {i % 7}" for i in range(300)]})
    if kind == "parquet":
        pyarrow.parquet.write_table(table, path)
    elif kind == "feather":
        pyarrow.feather.write_feather(table, path, compression="uncompressed")
    elif kind == "arrows":
        with pa.ipc.new_stream(path, table.schema) as out:
            out.write_table(table)
    elif kind == "xlsx":
        openpyxl = pytest.importorskip("openpyxl")
        book = openpyxl.Workbook()
        for row in table.to_pylist():
            book.active.append(list(row.values()))
        book.save(path)
    elif kind == "sqlite":
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE t (id, name)")
            connection.executemany("INSERT INTO t VALUES (:id, :name)", table.to_pylist())
        connection.close()
    elif kind == "csv.gz":
        text = "id,name\n" + "".join(f"{row['id']},{row['name']}\n" for row in table.to_pylist())
        path.write_bytes(gzip.compress(text.encode(), mtime=0))


SAME_READER = [pytest.param(kind, marks=pytest.mark.slow) for kind in ("feather", "arrows")]


@pytest.mark.parametrize("kind", ["parquet", *SAME_READER, "xlsx", "sqlite", "csv.gz"])
def test_damaged_files_say_nothing_of_what_they_held(tmp_path, kind):
    whole = tmp_path / f"whole.{kind}"
    make(kind, whole)
    assert attempt(whole)[0] == "table"
    for i, content in enumerate(damaged(whole.read_bytes(), seed=7)):
        path = tmp_path / f"damaged{i}.{kind}"
        path.write_bytes(content)
        outcome, shown = attempt(path)
        assert outcome in ("table", "UnreadableSource", "ScanIncomplete")
        assert "Wanjiru" not in shown and "pyarrow" not in shown and "ArrowInvalid" not in shown


def test_offsets_that_would_crash_the_reader_are_refused(tmp_path):
    """An Arrow file whose text offsets point far outside its buffer: reading it unchecked ends the process."""
    offsets = pa.py_buffer(bytes(4) + (2**30).to_bytes(4, "little") + (8).to_bytes(4, "little"))
    bad = pa.StringArray.from_buffers(2, offsets, pa.py_buffer(b"Wanjiru!"))
    with pa.ipc.new_file(tmp_path / "t.arrow", pa.schema([("x", pa.string())])) as out:
        out.write_batch(pa.record_batch([bad], names=["x"]))
    assert attempt(tmp_path / "t.arrow")[0] == "UnreadableSource"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (f"id,name\n1,{CANARY},x\n2,y\n", {}),
        (f'id,name\n1,"{CANARY}\n2,y\n', {}),
        (f"id,name\n1,{CANARY}\n2,Zo\xeb\n", {}),
        (f"{CANARY}\n", {"delimiter": ";;"}),
        (f"id,name\n1,{CANARY}\n", {"encoding": "rot13"}),
        (f"id,name\n1,{CANARY}\n", {"encoding": "ascii"}),
        (f"id,name\n1,{CANARY}\n", {"encoding": "utf-16"}),
    ],
)
def test_no_error_quotes_a_cell(tmp_path, text, options):
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode("latin-1"))
    _, shown = attempt(path, **options)
    assert "Wanjiru" not in shown and "0722" not in shown


def test_a_broken_line_of_json_is_not_quoted(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(f'{{"name": "{CANARY}"}}\n{{"name": "{CANARY}", }}\n', encoding="utf-8")
    outcome, shown = attempt(path)
    assert outcome == "UnreadableSource" and "Wanjiru" not in shown


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=120), suffix=st.sampled_from(["jsonl", "sqlite", "tsv", "csv.gz", "csv.zst"]))
def test_any_bytes_under_any_name(tmp_path, content, suffix):
    path = tmp_path / f"t.{suffix}"
    path.write_bytes(content)
    assert attempt(path)[0] in ENDS


ALSO_SPREADSHEETS = [pytest.param(suffix, marks=pytest.mark.slow) for suffix in ("ods", "xls")]


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "xlsx", "duckdb", *ALSO_SPREADSHEETS])
def test_any_bytes_in_a_child(tmp_path, suffix):
    path = tmp_path / f"t.{suffix}"
    for content in (b"", b"PK\x03\x04", b"PAR1PAR1", b"ARROW1\x00\x00", os.urandom(2000)):
        path.write_bytes(content)
        assert attempt(path)[0] in ("UnreadableSource", "ScanIncomplete")


def test_a_view_that_never_ends_is_not_opened_unasked(tmp_path):
    with sqlite3.connect(tmp_path / "t.sqlite") as connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute("INSERT INTO t VALUES (1)")
        connection.execute(
            "CREATE VIEW v AS WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x FROM r) SELECT x FROM r"
        )
    connection.close()
    assert attempt(tmp_path / "t.sqlite")[0] == "table"


def test_names_that_look_like_commands(tmp_path):
    with sqlite3.connect(tmp_path / "t.sqlite") as connection:
        connection.execute('CREATE TABLE "a""; DROP TABLE b; --" ("x""y", "1=1")')
        connection.execute('INSERT INTO "a""; DROP TABLE b; --" VALUES (1, 2)')
    connection.close()
    with open_dataset(tmp_path / "t.sqlite", Settings()) as dataset:
        assert dataset.columns == ('x"y', "1=1")
        assert dataset.rows(list(dataset.columns)).to_pylist() == [{'x"y': "1", "1=1": "2"}]


@pytest.mark.quick_cases(1)
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_read_leaves_no_child_and_no_folder(tmp_path, number):
    """The reader is made to wait on a pipe nobody writes to, then the scan is stopped."""
    program = (
        "import sys, tempfile, signal\n"
        f"tempfile.tempdir = {str(tmp_path)!r}\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start the tests with it ignored\n"
        "from privaudit.source.files.readers import reader_client\n"
        "from privaudit.source.places.location import Location\n"
        "from privaudit.settings.config import Settings\n"
        "from pathlib import Path\n"
        f"reader_client.SCRIPT = Path({str(tmp_path / 'wait.py')!r})\n"
        "print('ready', flush=True)\n"
        "reader_client.read_files([Location(name='t', path=Path('t.parquet'), format='parquet')], Settings())\n"
    )
    (tmp_path / "wait.py").write_text(
        "import os, pathlib, time\n"
        f"pathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(os.getpid()))\n"
        "time.sleep(60)\n"
    )
    root = Path(__file__).resolve().parents[2]
    scan = subprocess.Popen(
        [sys.executable, "-c", program], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert scan.stdout is not None and scan.stdout.readline() == b"ready\n"
    for _ in range(200):
        if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text():
            break
        time.sleep(0.05)
    scan.send_signal(number)
    assert scan.wait(10) != 0
    with pytest.raises(ProcessLookupError, match="No such process"):
        os.kill(int((tmp_path / "pid").read_text()), 0)
    assert {file.name for file in tmp_path.iterdir()} <= {"wait.py", "pid"}


corpus = pytest.mark.skipif(not UGLY.is_dir(), reason="the corpus does not lie beside the project")

# Read by nobody here: month intervals, maps without the required mark, a time after the year 9999 inside a
# structure, and more text in one map than an array can hold.
UNREAD = {"incorrect_map_schema", "nested_structs.rust", "large_string_map.brotli"}


@corpus
@pytest.mark.shared
@pytest.mark.parametrize("path", sorted((UGLY / "json_test_suite/test_parsing").glob("*.json")), ids=lambda p: p.stem)
def test_json_suite(path, tmp_path):
    """What no parser may accept is refused, unless it fails only as a whole file: lines are read one by one."""
    copy = tmp_path / "t.jsonl"
    copy.write_bytes(path.read_bytes())
    outcome, _ = attempt(copy)
    if path.name.startswith("n_"):
        assert outcome != "table"
    elif path.read_bytes().strip().startswith(b"{") and path.name.startswith("y_") and b"\n" not in path.read_bytes():
        assert outcome in ("table", "ScanIncomplete") or "duplicated" in path.name


@corpus
@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((UGLY / "parquet_testing/data").glob("*.parquet"))[::6], ids=lambda p: p.stem)
def test_good_parquet_files_parse(path):
    outcome, _ = attempt(path)
    assert outcome != "UnreadableSource" or path.stem in UNREAD or "corrupt" in path.stem


@corpus
@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        *sorted((UGLY / "parquet_testing/bad_data").glob("*.parquet")),
        *sorted((UGLY / "arrow_testing/data/parquet/fuzzing").glob("*"))[::25],
    ],
    ids=lambda p: p.stem[-24:],
)
def test_bad_parquet_files_end_cleanly(path, tmp_path):
    copy = tmp_path / "t.parquet"
    copy.write_bytes(path.read_bytes())
    assert attempt(copy)[0] in ENDS


@corpus
@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(
    "path", sorted((UGLY / "arrow_testing").rglob("*.stream"))[::3], ids=lambda p: p.stem.removeprefix("generated_")
)
def test_good_arrow_streams_parse(path, tmp_path):
    copy = tmp_path / "t.arrow"
    copy.write_bytes(path.read_bytes())
    outcome, _ = attempt(copy)
    assert outcome != "UnreadableSource" or path.stem in ("generated_interval", "generated_duplicate_fieldnames")


@corpus
@pytest.mark.shared
@pytest.mark.parametrize(
    "path", sorted((UGLY / "arrow_testing/data/csv/fuzzing").glob("*")), ids=lambda p: p.stem[-16:]
)
def test_fuzzed_csv_files_end_cleanly(path, tmp_path):
    copy = tmp_path / "t.csv"
    copy.write_bytes(path.read_bytes())
    assert attempt(copy)[0] in ENDS
