"""The engine has a private folder, and gives back memory."""

from __future__ import annotations

import subprocess
import sys
import tempfile

import pytest

from privaudit.settings.config import Settings
from privaudit.source.engine import engine


def test_the_folder_is_private_and_goes_on_close(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    _, close = engine.connect(Settings())
    (folder,) = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
    close()
    assert list(tmp_path.iterdir()) == []


def test_no_file_of_the_engine_contains_a_cell(tmp_path, monkeypatch):
    """Neither the table nor what a query writes while it does not fit in memory."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    connection, close = engine.connect(Settings(memory="120MB"), holds_table=True)
    texts = "SELECT 'marked value ' || (range * 104729) % 1000003 AS c0 FROM range(600000)"
    connection.execute(f"CREATE TABLE source AS {texts}")
    of_table = set(next(tmp_path.iterdir()).iterdir())
    query = "SELECT repeat(c0, 5) AS c0, row_number() OVER (ORDER BY c0) AS n FROM source ORDER BY c0"
    assert "marked value" in str(connection.execute(query).fetchone())
    written = {file for file in next(tmp_path.iterdir()).iterdir() if file.stat().st_size}
    assert of_table & written and written - of_table
    assert all(b"marked value" not in file.read_bytes() for file in written)
    close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "statement",
    [
        "COPY (SELECT 1) TO '{}'", "ATTACH '{}' AS other", "SELECT * FROM read_text('{}')", "INSTALL httpfs",
        "SET enable_external_access = true", "SET threads = 1",
    ],
)  # fmt: skip
@pytest.mark.parametrize("holds_table", [False, True])
def test_the_engine_reaches_no_file_and_changes_no_setting(tmp_path, statement, holds_table):
    import duckdb

    (tmp_path / "file").write_text("text")
    connection, close = engine.connect(Settings(), holds_table=holds_table)
    with pytest.raises(duckdb.Error, match=r"disabled by configuration|has been locked"):
        connection.execute(statement.format(tmp_path / "file"))
    close()


LEFT = """
import numpy as np
from privaudit.settings.config import Settings
from privaudit.base.process import bound_memory
bound_memory(900 * 10**6)
from privaudit.source.engine.engine import connect
engine, close = connect(Settings(memory="900MB"))
for _ in range(3):
    engine.sql("SELECT range % 2500000 AS a, count(*) FROM range(3000000) GROUP BY ALL").to_arrow_table()
print(np.ones(65_000_000).sum())
close()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux")
def test_the_engine_gives_back_the_memory_that_it_no_longer_uses():
    pytest.importorskip("duckdb")
    made = subprocess.run([sys.executable, "-c", LEFT], capture_output=True, text=True, check=False)
    assert made.stdout.strip() == "65000000.0", made.stderr[-300:]
