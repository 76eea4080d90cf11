"""Every command and every Python example of the README and of the documentation runs.

Commands run in a folder with small tables that have the names in the examples. A command must not end in wrong
use (exit code 2) or in an internal error (4). Lines of other programs are named in `OTHERS`.
"""

from __future__ import annotations

import ast
import contextlib
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from privaudit.base.errors import GateFailed
from privaudit.cli.commands import cli
from privaudit.cli.lazy_group import help_of
from privaudit.settings.config import stated_commands
from tests.helpers.command import run_here
from tests.helpers.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
OTHERS = ("make ", "pip ", "docker ", "cd ", "python ", "git ", "export ", "dbt ")
SERVICES = ("postgresql:", "s3:", "gs:", "abfs:", "delta:", "iceberg:", "spark:", "lake/")
"""Sources that are on a server, or of a format whose extra is not installed: only the arguments are read."""
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", flags=re.S | re.M)
GENERATED = {"api.md", "commands.md"}
SHELL = ("", "sh", "bash")
NAMES = (
    "my", "claims", "voters", "visits", "release", "sample", "register", "people", "machines", "north", "south", "west",
    "original", "holdout", "synthetic",
)  # fmt: skip

DOMAIN = """
version = 1
[column.age]
kind = "number"
bounds = [0, 110]
step = 1
bands = 10
[column.sex]
kind = "category"
values = ["F", "M"]
"""


def _blocks(page: Path, *languages: str) -> Iterator[str]:
    for language, body in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language in languages:
            yield body


def _commands_in(body: str) -> list[str]:
    """Return the commands of a block, without comments; a line that ends in a backslash goes on."""
    lines = re.sub(r"\\\n\s*", " ", body).splitlines()
    if not any(re.match(r"(\.venv/bin/)?(privaudit|pip|make|docker) ", line) for line in lines):
        return []
    return [text for line in lines if (text := re.split(r"\s#\s|\s>>", line)[0].strip())]


def _commands(page: Path) -> list[str]:
    """Return the commands of a page."""
    return [line for body in _blocks(page, *SHELL) for line in _commands_in(body)]


EXAMPLES = [(page.name, line) for page in PAGES if page.name not in GENERATED for line in _commands(page)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The files that the examples name: 90 invented people under every name, in the format of its suffix."""
    home = tmp_path_factory.mktemp("examples")
    names = (
        "id",
        "person_key",
        "patient_id",
        "age",
        "sex",
        "postcode",
        "zip",
        "visit_year",
        "room",
        "ward",
        "diagnosis",
        "county",
        "occupation",
        "order_no",
        "income",
    )
    rows = [
        (f"k{i * 7919 % 9973}", f"k{i * 7919 % 9973}", f"p{i % 45}", 20 + i % 5 * 10, "FM"[i % 2], f"1{i % 2}115",
         f"1{i % 2}115", 2020 + i % 2, f"R{i % 3}", f"W{i % 3}", ("flu", "asthma", "cold")[i % 3],
         ("Kent", "Essex")[i % 2], ("Nurse", "Baker")[i % 2], 4_000_000 + i * 7919,
         20_000 + i % 7 * 1_000)
        for i in range(90)
    ]  # fmt: skip
    columns = [list(map(str, column)) for column in zip(*rows, strict=True)]
    table = pa.table(dict(zip(names, columns, strict=True)))
    text = ",".join(names) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    for name in NAMES:
        (home / f"{name}.csv").write_text(text, encoding="utf-8")
    pq.write_table(table, home / "claims.parquet")
    openpyxl = pytest.importorskip("openpyxl", reason="the extra `excel` is not installed")
    book = openpyxl.Workbook()
    book.active.title = "2024"
    for row in (names, *rows):
        book.active.append(row)
    book.save(home / "claims.xlsx")
    duckdb = pytest.importorskip("duckdb", reason="the extra `engines` is not installed")
    with duckdb.connect(str(home / "warehouse.duckdb")) as warehouse:
        warehouse.execute("create table visits_public as select * from read_csv(?)", [str(home / "visits.csv")])
    (home / "data").mkdir()
    (home / "data" / "claims.csv").write_text(text, encoding="utf-8")
    for part in ("data/visits/2025.csv", "data/visits/2026.csv"):
        (home / part).parent.mkdir(exist_ok=True)
        (home / part).write_text(text, encoding="utf-8")
    (home / "my-rules" / "detectors").mkdir(parents=True)
    (pack,) = [
        body
        for body in _blocks(ROOT / "docs" / "detectors.md", "toml")
        if "STAFF_BADGE" in body and "[[detector]]" in body
    ][:1]
    (home / "my-rules" / "detectors" / "badges.toml").write_text(pack, encoding="utf-8")
    (policy,) = [body for body in _blocks(ROOT / "docs" / "remedies.md", "") if 'name = "register"' in body]
    (home / "register.toml").write_text(policy, encoding="utf-8")
    (plan,) = [body for body in _blocks(ROOT / "docs" / "answers.md", "toml") if "[[query]]" in body]
    (home / "release.toml").write_text(plan, encoding="utf-8")
    (home / "domain.toml").write_text(DOMAIN, encoding="utf-8")
    (home / "who.txt").write_text("k7919\n", encoding="utf-8")
    (home / "who.txt").chmod(0o600)
    (joint,) = _blocks(ROOT / "docs" / "joint.md", "toml")
    (home / "joint.toml").write_text(joint, encoding="utf-8")
    (home / "reports").mkdir()
    for made in ("risk.json", "report.json", "main.json", "branch.json", "old.json", "new.json", "reports/1.json"):
        done = run_here(["scan", "claims.csv", "--quasi", "age,sex", "--no-ner", "-q", "-o", made], home, {})
        assert done.returncode in (0, 1), done.stderr
    assert run_here(["baseline", "claims.csv", "--no-ner", "-q"], home, {}).returncode == 0
    for words in (
        ["init", "-q", "-b", "main"],
        ["add", "-A"],
        ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *words], cwd=home, check=True, capture_output=True)
    subprocess.run(["git", "update-ref", "refs/remotes/origin/main", "HEAD"], cwd=home, check=True)
    return home


@pytest.fixture
def copy(folder, tmp_path) -> Path:
    """A copy of the files, for examples that write."""
    return Path(shutil.copytree(folder, tmp_path / "examples"))


def test_the_pages_have_examples():
    assert len(EXAMPLES) > 30
    unknown = {
        line
        for _, line in EXAMPLES
        if not re.match(r"(\.venv/bin/)?privaudit ", line) and not line.startswith((*OTHERS, "(umask"))
    }
    assert not unknown


def _runs(line: str, folder: Path) -> str | None:
    """Run one command in `folder` and return what is wrong with it, None where it runs."""
    if line.startswith("("):
        done = subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False)
        return None if done.returncode == 0 else f"{line}: {done.stderr}"
    command, _, written = line.partition(" > ")
    words = shlex.split(command.removeprefix(".venv/bin/"))[1:]
    if words[0] == "example" and "-o" in words:  # a table that a reader made before is not replaced
        (folder / words[words.index("-o") + 1]).unlink(missing_ok=True)
    if any(word.startswith(SERVICES) for word in words):
        cli.every_command()[words[0]].make_context(
            words[0], words[1:], parent=click.Context(cli, **cli.context_settings)
        )
        return None
    reads_text = words[0] in ("scan", "plan", "remedy", "baseline") and "--no-ner" not in words
    done = run_here([*words, *(["--no-ner"] if reads_text else [])], folder, {})
    if written:
        (folder / written).write_text(done.stdout, encoding="utf-8")
    return None if done.returncode in (0, 1, 3) else f"{line}: {done.stderr}"


def _write_named(body: str, folder: Path) -> None:
    """Write a file that a page shows in TOML: its first line is a comment with its name; "continued" adds to it."""
    if named := re.match(r"# ([a-z]+\.toml)(, continued)?\n", body):
        with (folder / named[1]).open("a" if named[2] else "w", encoding="utf-8") as file:
            file.write(body)


def _write_first(page: Path, folder: Path) -> None:
    for body in _blocks(page, "toml"):
        if ", continued\n" not in body:
            _write_named(body, folder)


def _make_tables(page: Path, folder: Path) -> None:
    """Make the tables that a page makes by `privaudit example`, in place of those of the same name."""
    for words in map(shlex.split, _commands(page)):
        if words[:2] == ["privaudit", "example"] and "-o" in words:
            (folder / words[words.index("-o") + 1]).unlink(missing_ok=True)
            assert run_here(words[1:], folder, {}).returncode == 0


def _make_ledgers(page: Path, folder: Path) -> None:
    for words in map(shlex.split, _commands(page)):
        if words[:3] == ["privaudit", "ledger", "new"]:
            assert run_here(words[1:], folder, {}).returncode == 0


def _leaves(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Return every command below a group by its words."""
    commands = group.every_command() if group is cli else group.commands
    for name, command in commands.items():
        words = f"{path} {name}".strip()
        if isinstance(command, click.Group):
            yield from _leaves(command, words)
        else:
            yield words, command


def test_the_help_of_each_command_ends_with_an_example_that_it_understands():
    commands, stated = dict(_leaves(cli)), stated_commands()["examples"]
    assert set(stated) == set(commands)
    for name, command in commands.items():
        words = shlex.split(stated[name])
        assert words[: 1 + len(name.split())] == ["privaudit", *name.split()]
        context = command.make_context(f"privaudit {name}", words[1 + len(name.split()) :])
        assert help_of(context).endswith(f"\nExample:\n  {stated[name]}")


@pytest.mark.slow
def test_the_examples_of_the_help_run_one_after_the_other(copy):
    wrong = []
    for name, line in stated_commands()["examples"].items():
        if name == "joint keys":
            wrong += [_runs(line.replace("north", silo), copy) for silo in ("south", "west")]
        if name not in ("joint mask", "joint open", "rules train", "subject check"):  # other audits, labels, an erasure
            wrong.append(_runs(line, copy))
    assert not list(filter(None, wrong))


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted({page for page, _ in EXAMPLES}))
def test_the_commands_of_a_page_run_one_after_the_other(page, copy):
    (path,) = (path for path in PAGES if path.name == page)
    _make_tables(path, copy)
    _write_first(path, copy)
    wrong = []
    for language, body in BLOCK.findall(path.read_text(encoding="utf-8")):
        if language == "toml":
            _write_named(body, copy)
        for line in _commands_in(body) if language in SHELL else ():
            if not line.startswith(OTHERS) and " rules train " not in line:
                wrong += [found] if (found := _runs(line, copy)) else []
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.name not in GENERATED and any(_blocks(page, "python"))],
    ids=lambda page: page.name,
)
def test_the_python_examples_of_a_page_run_one_after_the_other(page, copy, monkeypatch):
    import pandas as pd

    monkeypatch.chdir(copy)
    _make_tables(page, copy)
    _make_ledgers(page, copy)
    _write_first(page, copy)
    names = {"frame": pd.read_csv("claims.csv", dtype=str)}
    source = ast.parse("\n".join(_blocks(page, "python")))
    for node in ast.walk(source):
        if isinstance(node, ast.ImportFrom) and node.module:
            pytest.importorskip(node.module.partition(".")[0], reason="the example is of another program")
    for statement in source.body:
        with contextlib.suppress(GateFailed):  # the line that stops a pipeline
            exec(compile(ast.Module([statement], []), page.name, "exec"), names)
