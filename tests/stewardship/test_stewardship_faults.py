"""A crash or a full disk in the middle of an erasure leaves all stores as they were, or all of them erased."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import signal
import subprocess
import sys

import pytest

from privaudit.stewardship import erase, swap
from tests.helpers.paths import ROOT
from tests.helpers.people_stores import WHO
from tests.helpers.shop import ORDERS, Shop, expected

ERASE = (
    "subject", "erase", "--inventory", "inventory.toml", "--identifier", "who.txt", "--apply", "plan.json", "-o",
    "certificate.json",
)  # fmt: skip
KILLED = """
import os, signal, sys
from privaudit.stewardship import {module} as module
real = module.{function}
count = [0]
def stop(*arguments, **options):
    count[0] += 1
    if count[0] == {turn}:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*arguments, **options)
module.{function} = stop
from privaudit.cli import commands
sys.argv = ["privaudit", *{arguments!r}]
commands.main()
"""
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def shop(tmp_path, run):
    return lambda suffix: Shop(tmp_path, run, suffix)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "function", "turn"),
    [
        ("erase", "_expected", 1), ("erase", "_expected", 2), ("swap", "flush", 1), ("swap", "flush", 2),
        ("swap", "write_journal", 1), ("swap", "flush", 3), ("swap", "flush", 4), ("swap", "forget", 1),
    ],
)  # fmt: skip
def test_a_run_that_is_killed_leaves_all_or_nothing_and_the_next_run_finishes(shop, module, function, turn):
    store = shop("csv")
    before = [path.read_bytes() for path in store.files]
    assert store.subject("erase", "-o", "plan.json").returncode == 0
    code = KILLED.format(module=module, function=function, turn=turn, arguments=[*ERASE, "-q"])
    done = subprocess.run([sys.executable, "-c", code], cwd=store.folder, env=ENVIRONMENT, check=False)
    assert done.returncode == -signal.SIGKILL
    if not list(store.folder.glob(".privaudit-erase-*.journal")):
        assert [path.read_bytes() for path in store.files] == before
        assert store.erase().returncode == 0
    else:
        found = store.subject("find")
        assert found.returncode == 0 and "finished" in found.stderr and "matches no row" in found.stdout
        assert json.loads((store.folder / "certificate.json").read_text())["complete"]
    assert store.rows("customers") == expected("customers", [WHO])
    assert store.rows("orders") == expected("orders", ORDERS)
    assert not list(store.folder.glob(".privaudit*"))


def test_files_of_a_run_that_was_killed_while_it_wrote_a_database_do_not_stop_the_next(shop):
    """A copy and its journal are left over where SQLite was killed in the middle of VACUUM."""
    store = shop("sqlite")
    assert store.subject("erase", "-o", "plan.json").returncode == 0
    for path in {path.name for path in store.files}:
        for left in ("", ".1", ".1-journal"):
            (store.folder / f".privaudit-erase-{path}{left}").write_bytes(b"left over" * 100)
    assert store.erase().returncode == 0
    assert store.rows("customers") == expected("customers", [WHO])
    assert not list(store.folder.glob(".privaudit*"))


@pytest.mark.slow
@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("suffix", ["csv", "parquet", "sqlite", "xlsx", "duckdb"])
def test_a_full_disk_changes_nothing_and_leaves_nothing(shop, suffix):
    """No file may grow beyond a fraction of a store: every writer fails as on a full disk."""
    store = shop(suffix)
    assert store.subject("erase", "-o", "plan.json").returncode == 0
    before = [path.read_bytes() for path in store.files]
    names = sorted(path.name for path in store.folder.iterdir())

    def bound() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))

    # -B: the bound also cuts byte code that Python writes, on which every later run would fail.
    done = subprocess.run(
        [sys.executable, "-B", "-m", "privaudit", *ERASE], cwd=store.folder, env=ENVIRONMENT, check=False,
        preexec_fn=bound, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2 and "nothing was replaced" in done.stderr, done.stderr
    assert [path.read_bytes() for path in store.files] == before
    assert sorted(path.name for path in store.folder.iterdir()) == names


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("suffix", ["csv", "parquet", "sqlite", "xlsx", "duckdb"])
def test_nobody_else_can_read_a_new_file_before_it_is_verified(shop, suffix, monkeypatch):
    store = shop(suffix)
    modes: list[int] = []

    def watched(write):
        def rewrite(where, changes, target, settings):
            write(where, changes, target, settings)
            modes.append(target.stat().st_mode & 0o777)

        return rewrite

    for name, write in erase._REWRITES.items():
        monkeypatch.setitem(erase._REWRITES, name, watched(write))
    assert store.erase().returncode == 0
    assert modes and set(modes) == {0o600}
    assert {path.stat().st_mode & 0o777 for path in store.files} == {0o644}


def test_a_new_file_belongs_to_whom_the_old_one_belonged(shop, monkeypatch):
    store, given = shop("csv"), []
    monkeypatch.setattr(erase.os, "chown", lambda path, *owner: given.append((path.name, owner)))
    owners = {f"{swap.PREFIX}{path.name}": (path.stat().st_uid, path.stat().st_gid) for path in store.files}
    assert store.erase().returncode == 0
    assert dict(given) == owners


def test_a_file_with_a_second_name_is_refused(shop):
    store = shop("csv")
    other = store.folder / "copy of a name"
    other.hardlink_to(store.files[0])
    done = store.subject("erase", "-o", "plan.json")
    assert done.returncode == 2 and "second name" in done.stderr
    other.unlink()
    assert store.erase().returncode == 0


def test_an_erasure_waits_for_nobody_and_changes_nothing_while_another_one_runs(shop):
    """Two at once would delete each other's new files, or finish a journal that is still being worked off."""
    store = shop("csv")
    assert store.subject("erase", "-o", "plan.json").returncode == 0
    before = [path.read_bytes() for path in store.files]
    other = os.open(store.folder, os.O_RDONLY)
    try:
        fcntl.flock(other, fcntl.LOCK_EX)
        refused = store.subject("erase", "--apply", "plan.json", "-o", "certificate.json")
        (store.folder / ".privaudit-erase-inventory.toml.journal").write_text('{"moves": [], "notes": {}}')
        not_finished = store.subject("find")
    finally:
        os.close(other)
    assert (refused.returncode, not_finished.returncode) == (2, 2)
    assert "Another erasure is running" in refused.stderr and "Another erasure is running" in not_finished.stderr
    assert [path.read_bytes() for path in store.files] == before
    (store.folder / ".privaudit-erase-inventory.toml.journal").unlink()
    assert store.erase().returncode == 0


def test_of_two_erasures_at_the_same_time_one_is_done_and_the_other_refused(shop):
    store = shop("csv")
    assert store.subject("erase", "-o", "plan.json").returncode == 0
    start = [subprocess.Popen([sys.executable, "-m", "privaudit", *ERASE, "-q"], cwd=store.folder, env=ENVIRONMENT,
                              stderr=subprocess.PIPE, text=True) for _ in range(2)]  # fmt: skip
    ended = [(process.communicate()[1], process.returncode) for process in start]
    assert sorted(code == 0 for _, code in ended) == [False, True], ended
    assert store.rows("customers") == expected("customers", [WHO])
    assert store.rows("orders") == expected("orders", ORDERS)
    assert not list(store.folder.glob(".privaudit*"))
