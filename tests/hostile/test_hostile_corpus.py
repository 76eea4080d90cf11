"""A thousand hostile files: no crash, no traceback, no leak, no wrong shape, within time and memory."""

from __future__ import annotations

import re
import resource
import time
from pathlib import Path

import pytest

import privaudit
from privaudit.base.errors import PrivauditError
from tests.helpers.pages import without_own_hashes
from tests.hostile.corpus import FAMILIES, LETTERS, HostileFile, corpus

SECONDS, BYTES = 60, 2 * 1024**3


def outcome(file: HostileFile, folder: Path, capfd: pytest.CaptureFixture[str]) -> tuple[int, str, object]:
    """Scan `file`; return the exit code, everything a reader could see of the run, and the report or None."""
    path = folder / file.name
    path.write_bytes(file.content)
    try:
        report = privaudit.scan(path, ner=False, seed=1)
        for suffix in ("html", "json", "md"):
            report.write(folder / f"r.{suffix}")
        seen = "".join((folder / f"r.{suffix}").read_text(encoding="utf-8") for suffix in ("html", "json", "md"))
        code = report.gate().exit_code
    except PrivauditError as raised:
        report, seen, code = None, str(raised), raised.exit_code
    finally:
        path.unlink()
    streams = capfd.readouterr()
    return code, seen + streams.out + streams.err, report


def leaks(file: HostileFile, seen: str) -> bool:
    """Whether a piece of four marker letters of the file's cells occurs in `seen`; names of files do not count."""
    text = without_own_hashes(seen).replace(file.name, "").lower()
    return re.search(f"[{LETTERS}]{{4}}", text) is not None


def problem(file: HostileFile, folder: Path, capfd: pytest.CaptureFixture[str]) -> str | None:
    """Return what is wrong with the outcome of `file`, or None."""
    started = time.monotonic()
    code, seen, report = outcome(file, folder, capfd)
    if code == 4 or "Traceback" in seen:
        return "crash"
    if leaks(file, seen):
        return "leak"
    if time.monotonic() - started > SECONDS:
        return "too slow"
    if file.refused and code not in (2, 3):
        return f"not refused, exit {code}"
    if report is not None and code != 3:
        shape = (report.dataset.n_rows, report.dataset.n_columns)
        wanted = (file.rows, file.columns)
        if any(w is not None and w != s for w, s in zip(wanted, shape, strict=True)):
            return f"shape {shape}, expected {wanted}"
    return None


def test_one_hostile_file_of_each_family_ends_cleanly(tmp_path, capfd):
    files = [next(corpus(families=[family])) for family in FAMILIES]
    problems = {file.name: found for file in files if (found := problem(file, tmp_path, capfd))}
    assert not problems, problems


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_hostile_files_end_cleanly(family, tmp_path, capfd):
    files = list(corpus(families=[family]))
    assert len(files) >= 20
    problems = {file.name: found for file in files if (found := problem(file, tmp_path, capfd))}
    assert not problems, problems
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    assert peak * 1024 < BYTES


@pytest.mark.slow
def test_the_corpus_has_a_thousand_files_and_is_the_same_for_a_seed():
    first, second = list(corpus(3)), list(corpus(3))
    assert len(first) >= 1000
    assert [(file.name, file.content) for file in first if "xlsx" not in file.name] == [
        (file.name, file.content) for file in second if "xlsx" not in file.name
    ]
    assert len({file.name for file in first}) == len(first)
