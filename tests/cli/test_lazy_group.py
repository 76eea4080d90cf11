"""The help lists every command once, by purpose, and imports none."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from privaudit.cli.commands import ELSEWHERE, SECTIONS, cli


def test_every_command_is_in_one_section():
    listed = [name for lines in SECTIONS.values() for name in lines]
    assert sorted(listed) == sorted({*cli.commands, *ELSEWHERE})
    assert list(cli.every_command()) == listed


def test_each_line_of_the_help_fits_on_80_columns(run):
    done = run("--help")
    assert done.returncode == 0
    for title, lines in SECTIONS.items():
        assert f"\n{title}:\n" in done.stdout
        for name, line in lines.items():
            assert f"\n  {name.ljust(10)}  {line}\n" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="devices and descriptors of POSIX")
@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("scan", "-h"), ("ledger", "new", "--help")])
def test_help_to_a_closed_pipe_ends_cleanly_and_a_full_disk_is_stated(arguments):
    def ended(stdout: int) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "privaudit", *arguments],
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        os.close(stdout)
        return done.returncode, done.stderr

    read, write = os.pipe()
    os.close(read)
    assert ended(write) == (0, "")
    code, errors = ended(os.open("/dev/full", os.O_WRONLY))
    assert code == 2 and "Standard output cannot be written" in errors


def test_the_help_imports_no_other_command():
    code = "import sys; from privaudit.cli.commands import main; sys.argv = ['privaudit', '--help']\n"
    code += "try:\n    main()\nexcept SystemExit:\n    print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "privaudit.cli.commands" in loaded
    assert not loaded & {module for module, _ in ELSEWHERE.values()}


@pytest.mark.parametrize("group", ["subject", "joint", "inventory", "ledger", "rules"])
def test_the_help_of_a_group_states_each_command_in_full(group: str, run) -> None:
    lines = run(group, "--help").stdout.partition("Commands:")[2].splitlines()
    assert len(lines) > 1 and not any(line.endswith("...") for line in lines)


def test_a_table_without_a_command_and_a_misspelt_table_get_a_hint(run, tmp_path):
    (tmp_path / "people.csv").write_text("age\n1\n")
    (tmp_path / "anna.smith@example.org.csv").write_text("age\n1\n")
    assert "Hint: privaudit scan people.csv" in run("people.csv").stderr
    assert "does not exist. Hint: similar: people.csv\n" in run("scan", "peopel.csv").stderr
    assert "Hint: its folder does not exist" in run("scan", "nowhere/people.csv").stderr
    assert "smith" not in run("scan", "anna.smit@example.org.csv").stderr.partition("Hint")[2]
