"""What an error carries: no text of a table, no table in the variables of its frames."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pandas as pd
import pytest

import privaudit
from privaudit.base.errors import (
    INTERRUPTED,
    ConfigError,
    InternalError,
    PrivauditError,
    ScanIncomplete,
    UnreadableSource,
    foreign_errors_as,
    guarded,
)

MARK = "qzxvkjw"


@pytest.mark.parametrize(
    "text",
    [
        f"name,ssn\n{MARK},212-45-6789\n",
        f"{MARK},212-45-6789",
        f"{MARK};x",
        f"{MARK}\t1",
        f"{MARK}@example.org",
        "212456789",
        f"\r{MARK}",
    ],
)
def test_a_table_passed_as_text_is_not_repeated(text):
    for call in (lambda: privaudit.scan(text), lambda: privaudit.scan(pd.DataFrame({"a": [1]}), auxiliary=text)):
        with pytest.raises(PrivauditError) as caught:
            call()
        assert MARK not in str(caught.value) and "45" not in str(caught.value)


def test_a_path_that_does_not_exist_is_named():
    with pytest.raises(PrivauditError, match=r"claims\.csv"):
        privaudit.scan("claims.csv")


@pytest.mark.parametrize("call", [privaudit.scan, lambda t, **o: privaudit.attack(t, auxiliary=t, **o)])
def test_no_frame_of_an_error_holds_the_table(call):
    table = pd.DataFrame({"a": [MARK] * 9})
    with pytest.raises(PrivauditError) as caught:
        call(table, role={"b": "quasi"})
    trace, held = caught.value.__traceback__, []
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__", "").startswith("privaudit"):
            held += [name for name, value in trace.tb_frame.f_locals.items() if isinstance(value, pd.DataFrame)]
        trace = trace.tb_next
    assert held == []


def test_a_deleted_working_folder_is_stated(tmp_path, monkeypatch):
    table = tmp_path / "t.csv"
    table.write_text("colour,size\nred,1\nblue,2\n")
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(ConfigError, match="working folder was deleted"):
        privaudit.scan(table)
    with pytest.raises(ConfigError, match="working folder was deleted"), guarded("command"):
        Path.cwd()


def test_a_missing_file_is_not_a_deleted_working_folder():
    with pytest.raises(InternalError), guarded("command"):
        raise FileNotFoundError


LACKS = [
    ImportError(f"/lib/{MARK}.so: failed to map segment from shared object"),
    OSError(12, "Cannot allocate memory"),
    RuntimeError("Unknown error: Failed to launch worker thread: Resource temporarily unavailable"),
]
OTHERS = [ImportError(f"No module named {MARK}"), OSError(2, "No such file"), RuntimeError(f"{MARK} Failed to launch")]


@pytest.mark.parametrize(
    ("error", "inside", "outside"),
    [(error, MemoryError, ScanIncomplete) for error in LACKS]
    + [(error, UnreadableSource, InternalError) for error in OTHERS],
)
def test_an_error_that_memory_causes_is_a_lack_of_memory_and_no_other_is(error, inside, outside):
    with pytest.raises(inside), foreign_errors_as(lambda: UnreadableSource("No file.", hint="write it")):
        raise error
    with pytest.raises(outside) as caught, guarded("risk"):
        raise error
    assert MARK not in str(caught.value)


@pytest.mark.parametrize("frame", [lambda: guarded("risk"), lambda: foreign_errors_as(lambda: UnreadableSource("x"))])
def test_an_interrupted_query_is_an_interruption(frame):
    with pytest.raises(KeyboardInterrupt) as caught, frame():
        raise RuntimeError(INTERRUPTED)
    assert caught.value.__suppress_context__
    with pytest.raises(PrivauditError), frame():
        raise RuntimeError(f"{INTERRUPTED} {MARK}")


def test_the_engine_has_the_text_that_names_an_interruption():
    library = importlib.util.find_spec("_duckdb").origin
    assert INTERRUPTED.encode() + b"\0" in Path(library).read_bytes()
