"""Private folders of processes that were killed go with the next scan; those of living ones stay."""

from __future__ import annotations

import os
import subprocess
import sys

from privaudit.config import Settings
from privaudit.source import engine


def test_folders_of_the_dead_are_swept(tmp_path, monkeypatch):
    monkeypatch.setattr(engine.tempfile, "gettempdir", lambda: str(tmp_path))
    gone = subprocess.Popen([sys.executable, "-c", "pass"])
    gone.wait()
    dead = tmp_path / f"{engine.PREFIX}{gone.pid}-spill"
    living = tmp_path / f"{engine.PREFIX}{os.getpid()}-spill"
    other = tmp_path / "privaudit-notes-of-mine"
    for folder in (dead, living, other):
        folder.mkdir()
        (folder / "part").write_text("x")
    engine.sweep()
    assert not dead.exists()
    assert living.exists() and other.exists()


def test_the_folder_is_private_and_goes_on_close(tmp_path, monkeypatch):
    monkeypatch.setattr(engine.tempfile, "tempdir", str(tmp_path))
    _, close = engine.connect(Settings())
    (folder,) = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
    close()
    assert list(tmp_path.iterdir()) == []
