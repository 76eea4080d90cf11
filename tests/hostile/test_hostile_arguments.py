"""Names of files that read as options, and outputs that name files of somebody else."""

from __future__ import annotations

import pytest

import privaudit
from privaudit.cli.commands import cli

ROWS = "age,sex\n" + "".join(f"{20 + i % 30},{'FM'[i % 2]}\n" for i in range(60))
COMMANDS = sorted(name for name in cli.every_command() if name not in ("completion", "doctor"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "victim.csv").write_text(ROWS)
    return tmp_path


@pytest.mark.parametrize("name", ["--config=evil.csv", "--scores=victim.csv", "-o=x.csv", "--policy", "-q", "-"])
def test_a_file_that_reads_as_an_option_is_refused(run, folder, name):
    (folder / name).write_text(ROWS)
    for command in COMMANDS:
        done = run(command, "victim.csv", name)
        assert done.returncode == 2 and "reads as an option" in done.stderr, (command, done.stderr)
    assert (folder / "victim.csv").read_text() == ROWS
    assert not [file for file in folder.iterdir() if file.name not in (name, "victim.csv")]


def test_the_hint_works(run, folder):
    (folder / "--config=evil.csv").write_text(ROWS)
    for arguments in (("./--config=evil.csv",), ("--", "--config=evil.csv")):
        done = run("scan", "--brief", "--no-ner", *arguments)
        assert done.returncode in (0, 1, 3) and "evil.csv" in done.stdout, done.stderr


def test_options_whose_words_name_no_file_work_as_before(run, folder):
    (folder / "strict").write_text("not an option")
    done = run("scan", "--brief", "--no-ner", "--policy", "strict", "victim.csv")
    assert done.returncode in (0, 1, 3), done.stderr


ENDS = (".html", ".json", ".md", ".sarif", ".xml", ".gitlab.json")


@pytest.mark.parametrize("arguments", [
    ("scan", "victim.csv", "--scores", "other.csv", "--quasi", "age,sex"),
    *(("scan", "victim.csv", "-o", f"other{end}") for end in ENDS),
    ("plan", "victim.csv", "-o", "other.toml"),
    ("plan", "victim.csv", "-o", "new.toml", "--write-hierarchy", "age=other.csv"),
    *(("remedy", "victim.csv", "-o", f"other{end}") for end in (".csv", ".parquet", ".xlsx", ".sqlite")),
    ("remedy", "victim.csv", "-o", "new.csv", "-o", "other.html"),
    ("baseline", "victim.csv", "-o", "other.json"),
    ("attack", "victim.csv", "--auxiliary", "victim.csv", "-o", "other.json"),
])  # fmt: skip
@pytest.mark.quick_cases(5)
def test_no_output_replaces_a_file_that_privaudit_did_not_write(run, folder, arguments):
    (other,) = {word.rpartition("=")[2] for word in arguments if "other" in word}
    (folder / other).write_text("of somebody else\n")
    done = run(arguments[0], *arguments[1:], "--no-ner") if arguments[0] != "attack" else run(*arguments)
    assert done.returncode == 2 and "shows that privaudit wrote it" in done.stderr, done.stderr
    assert (folder / other).read_text() == "of somebody else\n"


@pytest.mark.parametrize("arguments", [
    ("scan", "victim.csv", "-o", "other.json"),
    ("remedy", "victim.csv", "-o", "new.csv", "-o", "other.json"),
    ("baseline", "victim.csv", "-o", "other.json"),
])  # fmt: skip
@pytest.mark.quick_cases(2)
def test_no_output_replaces_a_ledger_or_a_register(run, folder, arguments):
    """What was spent, and who was erased, is in no other file: a new ledger would start at 0."""
    privaudit.Ledger.create(folder / "other.json", dataset="people", epsilon=1)
    register = b'{\n "schema": "privaudit register of erased identifiers 1",\n "entries": {}\n}\n'
    for content, name in (((folder / "other.json").read_bytes(), "a ledger"), (register, "a register")):
        (folder / "other.json").write_bytes(content)
        done = run(*arguments, "--no-ner")
        assert done.returncode == 2 and f"other.json is {name}" in done.stderr, done.stderr
        assert (folder / "other.json").read_bytes() == content


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [
    ("scan", "--scores", "mine.csv", "--quasi", "age,sex"),
    *(("scan", "-o", f"mine{end}") for end in ENDS),
    ("plan", "-o", "mine.toml"), ("remedy", "-o", "mine.csv", "-o", "mine.html"), ("baseline", "-o", "mine.json"),
])  # fmt: skip
def test_an_output_replaces_one_of_its_own(run, folder, arguments):
    for _ in range(2):
        done = run(arguments[0], "victim.csv", "--no-ner", *arguments[1:])
        assert done.returncode in (0, 1, 3), done.stderr


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "ab" * 32 + "\nsize 123456\n"


@pytest.mark.parametrize("name", ["people.csv", "people.parquet", "people.xlsx", "people.jsonl", "people"])
@pytest.mark.parametrize("pointer", [POINTER, "/annex/objects/SHA256E-s3--00.csv\n"])
def test_a_pointer_is_not_a_table(run, folder, name, pointer):
    (folder / name).write_text(pointer)
    for arguments in (("scan", name), ("remedy", name, "-o", "safer.csv"), ("plan", name)):
        done = run(*arguments, "--no-ner")
        assert done.returncode == 2 and "the file is not here" in done.stderr, (arguments, done.stdout, done.stderr)
