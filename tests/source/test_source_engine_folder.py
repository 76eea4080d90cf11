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
