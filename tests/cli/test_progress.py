"""A run that takes long shows what it does: on a terminal always, in a log with --verbose, a line now and then."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from privaudit.cli import progress
from tests.helpers.paths import ROOT


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """A folder with two tables."""
    folder = tmp_path / "tables"
    folder.mkdir()
    for name in ("people", "visits"):
        (folder / f"{name}.csv").write_text("age,sex\n" + "30,F\n40,M\n" * 20)
    return folder


def test_a_log_has_a_line_only_when_the_time_has_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, found = [0.0], list[str]()
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    reporting = progress.lines(found.append)
    for second in range(31):
        clock[0] = float(second)
        reporting("risk", second / 100)
    assert found == ["Searching combinations (10%)", "Searching combinations (20%)", "Searching combinations (30%)"]


@pytest.mark.parametrize("options", [("-v",), (), ("-v", "-q")])
def test_only_a_verbose_run_over_tables_lists_them(
    run: Any, tables: Path, monkeypatch: pytest.MonkeyPatch, options: Any
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    done = run("scan", tables, "--no-ner", "--no-config", *options)
    assert ("Table 2 of 2: " in done.stderr) == (options == ("-v",))


def test_the_note_names_the_folder_of_the_index(run: Any, tables: Path, tmp_path: Path) -> None:
    done = run("scan", tables, "--no-ner", "--no-config", "-o", f"{tmp_path}/reports/")
    assert "privaudit: wrote reports/index.html" in done.stderr


@pytest.mark.parametrize("blocked", ["file", "missing"])
def test_a_folder_that_cannot_be_made_is_named_with_the_reason(
    run: Any, tables: Path, tmp_path: Path, blocked: str
) -> None:
    (tmp_path / "file").write_text("text")
    folder = {"file": "file/", "missing": "none/reports/"}[blocked]
    done = run("scan", tables, "--no-config", "-o", f"{tmp_path}/{folder}")
    reason = {
        "file": "folder file cannot be made: a file",
        "missing": "folder reports cannot be made: the folder above",
    }
    assert done.returncode == 2 and reason[blocked] in done.stderr


@pytest.mark.slow
def test_a_terminal_shows_the_table_that_is_scanned(tables: Path) -> None:
    terminal, other = pty.openpty()
    command = [sys.executable, "-m", "privaudit", "scan", str(tables), "--no-ner", "--no-config"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100"}
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=other, check=False, env=environment, timeout=100)
    os.close(other)
    with os.fdopen(terminal, "rb", buffering=0) as stream:
        assert b"Table 1 of 2" in stream.read(100_000)
