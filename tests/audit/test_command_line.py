"""What a person and a script get from the command line: formats, lines on stderr, completion, colours, lists."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as xml

import pytest

from privaudit.report import formats
from tests.conftest import Runner
from tests.helpers.command import refusal


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("table") / "people.csv"
    rows = [f"{20 + i % 60},{'FM'[i % 2]},Town {i % 9},p{i}@example.org" for i in range(200)]
    file.write_text("\n".join(["age,sex,town,mail", *rows]) + "\n")
    return file


@pytest.fixture(scope="module")
def saved(table: Path) -> Path:
    import privaudit

    file = table.with_name("saved.json")
    privaudit.scan(table, ner=False).write(file)
    return file


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("format", sorted(formats.REGISTRY))
def test_standard_output_has_the_document_and_nothing_else(run: Runner, saved: Path, format: str) -> None:
    done = run("render", saved, "--format", format)
    assert done.returncode == 0
    assert done.stdout == formats.REGISTRY[format].render(__import__("privaudit").load(saved).wire, "full")


def test_the_exit_code_does_not_depend_on_the_format(run: Runner, table: Path, tmp_path: Path) -> None:
    done = run("scan", table, "--no-ner", "--format", "sarif", "-o", "a.xml", "-o", "a.json", "-o", "a.gitlab.json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["version"] == "2.1.0"
    assert xml.parse(tmp_path / "a.xml").getroot().tag == "testsuites"
    assert isinstance(json.loads((tmp_path / "a.gitlab.json").read_text()), list)
    assert [line for line in done.stderr.splitlines() if "wrote" in line] == [
        "privaudit: wrote a.xml (junit)",
        "privaudit: wrote a.json (json)",
        "privaudit: wrote a.gitlab.json (gitlab)",
    ]
    assert "Do not release as it is." in done.stderr


def test_a_minus_is_standard_output_as_json(run: Runner, saved: Path) -> None:
    assert json.loads(run("render", saved, "-o", "-").stdout)["schema_version"] == "2"
    assert run("render", saved, "-o", "-", "--format", "github").stdout.startswith("::error")
    assert "named twice" in refusal(run("render", saved, "-o", "-", "-o", "-"))


def test_json_has_no_public_edition_on_standard_output_either(run: Runner, saved: Path) -> None:
    assert "has no public edition" in refusal(run("render", saved, "--format", "json", "--edition", "public"))
    assert run("render", saved, "--format", "sarif", "--edition", "public").returncode == 0


def test_quiet_prints_one_line_for_what_was_not_assessed(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "things.csv").write_text("a,b\n" + "".join(f"{i % 3},{i}\n" for i in range(40)))
    done = run("scan", "things.csv", "--no-ner", "-q", "--unit", "person")
    assert done.returncode == 3
    assert not done.stdout
    assert done.stderr.count("\n") == 1 and "E303" in done.stderr


def test_verbose_prints_the_stages(run: Runner, table: Path) -> None:
    done = run("scan", table, "--no-ner", "-v")
    assert "privaudit: risk: " in done.stderr and "privaudit: judge: " in done.stderr


def test_lists_may_have_blanks_after_commas(run: Runner, table: Path) -> None:
    done = run("scan", table, "--no-ner", "--quasi", "age, sex", "--keep", '"age", town', "--format", "json")
    roles = {column["name"]: column["role"] for column in json.loads(done.stdout)["columns"]}
    assert {name for name, role in roles.items() if role == "quasi"} == {"age", "sex"}


@pytest.mark.parametrize("text", ["", "a,b\n"])
def test_an_empty_table_is_incomplete(run: Runner, tmp_path: Path, text: str) -> None:
    (tmp_path / "empty.csv").write_text(text)
    assert run("scan", "empty.csv").returncode == 3


def test_the_version_has_a_short_option(run: Runner) -> None:
    assert run("-V").stdout == run("--version").stdout


def test_rules_are_listed_as_json(run: Runner) -> None:
    listed = json.loads(run("rules", "list", "--json").stdout)
    assert {"kind": "policy", "code": "public"}.items() <= next(r for r in listed if r["code"] == "public").items()
    assert len(listed) == len(run("rules", "list").stdout.splitlines())


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
)
def test_colours_follow_the_environment(run: Runner, saved: Path, environment: dict[str, str], coloured: bool) -> None:
    assert ("\x1b[" in run("render", saved, TERM="xterm-256color", **environment).stdout) is coloured


def complete(run: Runner, *words: str) -> list[str]:
    done = run(
        _PRIVAUDIT_COMPLETE="bash_complete", COMP_WORDS=" ".join(("privaudit", *words)), COMP_CWORD=str(len(words))
    )
    return done.stdout.split()


def test_the_shell_completes_commands_options_codes_and_files(run: Runner) -> None:
    assert "plain,baseline" in complete(run, "ba")
    assert "plain,--policy" in complete(run, "scan", "--pol")
    assert "plain,QI001" in complete(run, "explain", "QI0")
    assert "plain,internal" in complete(run, "scan", "--policy", "int")
    assert complete(run, "scan", "x") == ["file,x"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_printed(run: Runner, shell: str) -> None:
    assert "_PRIVAUDIT_COMPLETE" in run("completion", shell).stdout


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("--format", "json"), ("-v",), ("-o", "a.html")])
def test_a_closed_pipe_never_changes_the_exit_code(table: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    import os
    import subprocess
    import sys

    from tests.helpers.paths import ROOT

    for stream in ("stdout", "stderr"):
        reader, writer = os.pipe()
        os.close(reader)
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: writer}
        done = subprocess.run(
            [sys.executable, "-m", "privaudit", "scan", str(table), "--no-ner", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=False,
            **streams,
        )
        os.close(writer)
        assert done.returncode == 1, stream


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("format", ["text", "json"])
def test_a_closed_pipe_does_not_fail_a_command_that_passes(saved: Path, format: str) -> None:
    import os
    import subprocess
    import sys

    from tests.helpers.paths import ROOT

    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "privaudit", "render", str(saved), "--format", format],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=writer,
        check=False,
    )
    os.close(writer)
    assert done.returncode == 0


def test_a_measure_is_explained(run: Runner) -> None:
    done = run("explain", "class.k_min")
    assert done.returncode == 0 and "Formula" in done.stdout
