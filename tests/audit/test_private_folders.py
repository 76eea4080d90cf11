"""Folders with cells belong to a running process; what a killed one left is removed and reported by the next run."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from privaudit.base import private_folders

pytestmark = pytest.mark.skipif(os.name == "nt", reason="flock")
OWNER = """
import sys, time
from pathlib import Path
from privaudit.base import private_folders
folder, _ = private_folders.claim(Path(sys.argv[1]), ".privaudit-")
(folder / "t.csv").write_text("cells")
print(folder, flush=True)
time.sleep(60)
"""


def owner(parent):
    process = subprocess.Popen([sys.executable, "-c", OWNER, str(parent)], stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().strip()


def test_a_folder_lives_as_long_as_its_owner(tmp_path):
    process, folder = owner(tmp_path)
    private_folders.removed()
    private_folders.sweep(tmp_path, private_folders.HIDDEN_PREFIX)
    assert os.path.isdir(folder) and private_folders.removed() == 0
    process.kill()
    process.wait()
    private_folders.sweep(tmp_path, private_folders.HIDDEN_PREFIX)
    assert not os.path.exists(folder) and private_folders.removed() == 1
    assert private_folders.removed() == 0


def test_own_folders_and_foreign_names_stay(tmp_path):
    folder, remove = private_folders.claim(tmp_path)
    handle, part = private_folders.claim_file(tmp_path)
    other = tmp_path / ".privaudit-notes"
    other.write_text("mine")
    link = tmp_path / ".privaudit-link"
    link.symlink_to(tmp_path)
    for prefix in (private_folders.PREFIX, private_folders.HIDDEN_PREFIX):
        private_folders.sweep(tmp_path, prefix)
    assert folder.is_dir() and folder.stat().st_mode & 0o777 == 0o700
    assert part.is_file() and other.is_file() and link.is_symlink()
    os.close(handle)
    remove()
    private_folders.sweep(tmp_path, private_folders.HIDDEN_PREFIX)
    assert sorted(tmp_path.iterdir()) == [link, other]


@pytest.mark.slow
def test_the_next_remedy_removes_and_reports_the_folder_of_a_killed_one(run, tmp_path):
    (tmp_path / "t.csv").write_text("age,sex\n" + "".join(f"{20 + i % 9},{'FM'[i % 2]}\n" for i in range(200)))
    process, folder = owner(tmp_path)
    process.kill()
    process.wait()
    done = run("remedy", tmp_path / "t.csv", "--no-ner", "-q", "-o", tmp_path / "safer.csv")
    assert not os.path.exists(folder)
    assert "emoved what a stopped run had left" in done.stderr
    again = run("remedy", tmp_path / "t.csv", "--no-ner", "-q", "-o", tmp_path / "safer.csv")
    assert "emoved" not in again.stderr
