"""Odd arguments, settings, paths and streams end as one line and the right exit code, never as a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import privaudit
from privaudit.base.errors import ConfigError, PrivauditError, UnreadableSource

ROOT = Path(__file__).resolve().parents[2]
MARK = "qzxvkjw"


@pytest.fixture
def call(tmp_path, monkeypatch, run):
    """Run the command line in this process; return exit code and the lines of stderr."""
    monkeypatch.chdir(tmp_path)

    def in_folder(*arguments: str) -> tuple[int, list[str]]:
        done = run(*arguments)
        return done.returncode, done.stderr.splitlines()

    return in_folder


@pytest.fixture
def table(tmp_path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text("age,sex,pid\n" + "".join(f"{20 + i % 9},{'FM'[i % 2]},{MARK}{i}\n" for i in range(60)))
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("privaudit.toml", "tool = 1\n"),
        ("privaudit.toml", "role = 3\n"),
        ("pyproject.toml", "[tool]\nprivaudit = 3\n"),
        ("named.toml", "[[tool]]\na = 1\n"),
        ("named.toml", '[tool.privaudit]\nquassi = ["age"]\n'),
        ("named.toml", 'quassi = ["age"]\n'),
        ("named.toml", "seed = nan\n"),
    ],
)
def test_settings_of_odd_shape(call, table, name, content):
    (table.parent / name).write_text(content)
    more = ("--config", name) if name == "named.toml" else ()
    code, errors = call("scan", "t.csv", "--no-ner", *more)
    assert code == 2 and len(errors) == 1, errors


def test_a_file_of_another_tool_is_not_a_settings_file(call, table):
    (table.parent / "pyproject.toml").write_text("tool = 3\n")
    assert call("scan", "t.csv", "--no-ner", "-q")[0] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("scan", "a\0b.csv"),
        ("scan", "t.csv", "-o", "\0.json"),
        *((command, "a" * 5000) for command in ("scan", "attack", "gate", "judge", "render", "verify", "plan")),
        *((command, "a" * 5000) for command in ("remedy", "diff", "baseline", "init", "explain", "accept")),
        *(("scan", "t.csv", option, "a" * 5000) for option in ("-o", "--config", "--policy", "--baseline", "--rules")),
        ("scan", "t.csv", "--policy", "a" * 5000 + ".toml"),
        ("scan", "t.csv", "--encoding", "undefined"),
        ("scan", "t.csv", "--encoding", "punycode"),
        ("scan", "t.csv", "--encoding", "\0"),
        ("scan", "t.csv", "--delimiter", "\0"),
        ("scan", "t.csv", "--population", "9" * 30),
        ("scan", "t.csv", "--population", "²"),
        ("scan", "t.csv", "--on", "age=age"),
        ("scan", "t.csv", "--truth", "pid=pid"),
        (),
    ],
    ids=lambda a: " ".join(a)[:50].replace("\0", "NUL"),
)
def test_odd_arguments(call, table, arguments):
    code, errors = call(*arguments)
    assert code == 2 and len(errors) == 1 and MARK not in errors[0], errors


def test_what_needs_quasi_identifiers_and_has_none_is_incomplete(call, tmp_path):
    (tmp_path / "machines.csv").write_text("celsius,load\n" + "".join(f"{i % 5},{i % 7}\n" for i in range(200)))
    for option in (("--weight", "load"), ("--subject", "load"), ("--population", "9000")):
        assert call("scan", "machines.csv", "-q", *option)[0] == 3
    code, errors = call("scan", "machines.csv", "-q", "--weight", "lode")
    assert code == 2 and "lode" in errors[0]


def test_a_part_of_the_population_that_was_not_read_makes_the_scan_incomplete(table):
    text = table.read_text()
    (table.parent / "p.csv").write_text(text + text.partition("\n")[2] + "1,2\n")
    report = privaudit.scan(table, ner=False, population=str(table.parent / "p.csv"), bad_rows="skip", quasi=["age"])
    assert report.gate().exit_code == 3 and any(limit.incomplete for limit in report.limits)


def test_scores_never_replace_an_input(call, table):
    other = table.parent / "other.csv"
    other.write_bytes(table.read_bytes())
    code, errors = call(
        "scan", "t.csv", "--no-ner", "--auxiliary", "other.csv", "--quasi", "age", "--scores", "other.csv"
    )
    assert code == 2 and len(errors) == 1 and other.read_bytes() == table.read_bytes()
    with pytest.raises(ConfigError, match="inputs are not overwritten"):
        privaudit.scan(table, ner=False, quasi=["age"], scores=table)
    assert MARK in table.read_text()


@pytest.mark.skipif(os.name == "nt", reason="devices and descriptors of POSIX")
@pytest.mark.slow
def test_streams_that_do_not_take_the_report(table):
    """A full disk is an error; a closed stream or a plain-ASCII one changes neither exit code nor stderr."""
    start = f'"{sys.executable}" -m privaudit'
    privaudit.scan(table, ner=False).write(table.parent / "r.json")
    command = f"{start} gate r.json"
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}

    def shell(ending: str) -> tuple[int, list[str]]:
        done = subprocess.run(
            ["sh", "-c", command + ending], cwd=table.parent, env=variables, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stderr.splitlines()

    assert shell("") == (1, [])
    assert shell(" >&-") == (1, [])
    code, errors = shell(" >/dev/full")
    assert code == 2 and len(errors) == 1 and "output" in errors[0]


def chained(error: BaseException) -> list[BaseException]:
    found, pending = [], [error]
    while pending:
        one = pending.pop()
        found.append(one)
        pending += [other for other in (one.__cause__, one.__context__) if other is not None]
    return found


def frames(error: BaseException) -> list[str]:
    """Return the modules whose local variables hang on an error."""
    names, trace = [], error.__traceback__
    while trace is not None:
        names.append(trace.tb_frame.f_globals.get("__name__", ""))
        trace = trace.tb_next
    return names


def test_no_error_carries_another_library_s_error_or_its_variables(tmp_path, monkeypatch):
    """Debuggers, notebooks and crash reporters show the exceptions behind an exception and the variables of frames."""
    from privaudit.source import profile

    sources: list[object] = [pd.DataFrame({"a": ["\ud800" + MARK, 1] * 9})]
    for name, content in (
        ("ragged.csv", f"a,b\n1,{MARK}\n1,{MARK},3\n".encode()),
        ("latin.csv", f"a,b\n1,{MARK}\xff\n".encode("latin-1")),
        ("broken.jsonl", f'{{"a":"{MARK}"\n'.encode()),
        ("no.sqlite", MARK.encode() * 9),
        ("cut.csv.gz", b"\x1f\x8b" + MARK.encode()),
    ):
        (tmp_path / name).write_bytes(content)
        sources.append(tmp_path / name)
    for source in sources:
        with pytest.raises(UnreadableSource) as caught:
            privaudit.scan(source, ner=False)
        assert chained(caught.value) == [caught.value]
        assert set(frames(caught.value)) <= {__name__, "privaudit.api.scans", "privaudit.audit.pipeline"}

    def break_down(*_args: object) -> None:
        raise RuntimeError(f"cannot convert {MARK}")

    monkeypatch.setattr(profile, "profile", break_down)
    with pytest.raises(PrivauditError) as internal:
        privaudit.scan(pd.DataFrame({"a": [MARK] * 9}), ner=False)
    assert chained(internal.value) == [internal.value] and MARK not in str(internal.value)


def test_a_report_of_odd_shape(call, table):
    assert call("scan", "t.csv", "--no-ner", "-q", "-o", "r.json")[0] == 1
    whole = json.loads((table.parent / "r.json").read_text())
    for key, value in (("policy", None), ("limits", {}), ("columns", [MARK]), ("gate", [MARK]), ("risk", {MARK: 1})):
        (table.parent / "odd.json").write_text(json.dumps({**whole, key: value}))
        for command in (("gate",), ("judge",), ("render", "-o", "r.html")):
            code, errors = call(command[0], "odd.json", *command[1:])
            assert code == 2 and len(errors) == 1 and MARK not in errors[0], (key, errors)


def test_a_broken_letter_in_a_ragged_row_is_one_line(run, tmp_path):
    for rows in (2, 200_000):  # in the first block that is read, and far behind it
        (tmp_path / "t.csv").write_bytes(b"a,b\n" + b"1,2\n" * rows + b"\xe0,5,6\n7,8\n")
        for more in ((), ("--bad-rows", "skip")):
            result = run("scan", "t.csv", *more)
            assert result.returncode == 2
            assert len(result.stderr.strip().splitlines()) == 1, result.stderr


def test_no_message_contains_a_folder(call, table):
    """Messages name files without their folders, which hold the names of users."""
    folder = table.parent / "homes" / "jdoe"
    folder.mkdir(parents=True)
    there = folder / "t.csv"
    there.write_bytes(table.read_bytes())
    (folder / "bad.toml").write_text("a = [")
    (folder / "h.csv").write_text("20;1\n20;2\n")
    absent = str(folder / "absent")
    runs: list[tuple[str, ...]] = [
        ("scan", absent + ".csv"),
        ("scan", str(folder / "*.nothing")),
        *(("scan", str(there), *more) for more in (
            ("-o", absent + ".rtf"), ("-o", absent + ".json", "--edition", "public"), ("-o", absent + "/r.json"),
            ("--config", absent), ("--policy", absent), ("--rules", absent), ("--rules", str(there)),
            ("--scores", str(there)), ("--population", absent + ".csv"), ("--auxiliary", absent + ".csv"),
            ("--config", str(folder / "bad.toml")), ("--policy", str(folder / "bad.toml")),
            ("--hierarchy", f"age={folder / 'h.csv'}"),
        )),
        ("gate", absent + ".json"), ("judge", str(there)), ("render", absent + ".json", "-o", "r.html"),
        ("rules", "test", absent), ("attack", str(there), "--auxiliary", absent + ".csv"),
        ("remedy", absent + ".csv", "-o", "s.csv"), ("verify", absent + ".csv"), ("plan", absent + ".csv"),
    ]  # fmt: skip
    shown = {arguments: call(*arguments) for arguments in runs}
    assert not {arguments: code for arguments, (code, _) in shown.items() if code not in (2, 3)}
    for arguments, (_, errors) in shown.items():
        text = " ".join(errors)
        assert text and "jdoe" not in text and str(table.parent) not in text, (arguments, text)
