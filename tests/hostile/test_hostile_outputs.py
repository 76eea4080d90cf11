"""The command obeys no name of a file or column: every document, the terminal, comparisons and settings."""

from __future__ import annotations

import csv
import re
import unicodedata
from pathlib import Path

import pytest

from tests.conftest import Runner

FILE = "::error::[red]\x1b[31m\u202e<script>.csv"
COLUMNS = ("<script>alert(1)</script>", "::error::x", "\x1b[31mred", "[bold]b", "\u200frtl\u202e", "n" * 100_000)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    with (tmp_path / FILE).open("w", encoding="utf-8", newline="") as out:
        lines = csv.writer(out)
        lines.writerow(COLUMNS)
        lines.writerows((20 + i % 5, "FM"[i % 2], i % 3, "ab"[i % 2], i % 4, "x") for i in range(60))
    return tmp_path / FILE


def test_no_output_of_the_command_contains_what_a_terminal_or_a_runner_obeys(
    table: Path, run: Runner, tmp_path: Path
) -> None:
    made = ("r.json", "r.html", "r.sarif", "r.xml", "r.md", "r.gitlab.json")
    options = ("--no-ner", "--max-size", "1", "--quasi", "none")
    first = run("scan", f"./{FILE}", *options, *(word for file in made for word in ("-o", file)))
    runs = {"scan": first, "diff": run("diff", "r.json", "r.json", "-o", "d.md", "-o", "d.json"), "init": run("init")}
    assert {name: done.returncode for name, done in runs.items()} == {"scan": 1, "diff": 0, "init": 0}
    texts = {name: done.stdout + done.stderr for name, done in runs.items()}
    for text in texts.values():
        assert not re.search(r"(?m)^\s*::", text)
    texts |= {f.name: f.read_text(encoding="utf-8") for f in tmp_path.iterdir() if f.is_file() and f != table}
    assert {*made, "d.md", "d.json", "privaudit.toml", ".pre-commit-config.yaml"} <= set(texts)
    hidden = {
        name: found
        for name, text in texts.items()
        if (found := {c for c in text if unicodedata.category(c) in ("Cc", "Cf") and c not in "\n\t"})
    }
    assert hidden == {}
    assert "<script>alert" not in texts["r.html"].partition("<body")[2] and "<script>" not in texts["r.md"]
