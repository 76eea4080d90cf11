"""Each exit code of the contract, produced as a person would; none depends on the format asked for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def plain_table(folder: Path) -> Path:
    """A table about machines, in which nobody can be singled out."""
    rows = "".join(f"{t},{t % 7}\n" for t in [i % 5 for i in range(200)])
    return write(folder / "machines.csv", "celsius,load\n" + rows)


@pytest.mark.parametrize("suffix", ["html", "json", "md"])
def test_0_passed(run, tmp_path, suffix):
    result = run("scan", plain_table(tmp_path), "-o", tmp_path / f"r.{suffix}")
    assert result.returncode == 0, result.stdout + result.stderr
    assert (tmp_path / f"r.{suffix}").stat().st_size > 500


def test_1_gate_failed_and_from_the_saved_report(run, few_people):
    result = run("scan", few_people, "--no-ner", "-o", "r.html", "-o", "r.json", "-o", "r.md")
    assert result.returncode == 1, result.stdout + result.stderr
    assert run("gate", "r.json").returncode == 1
    assert run("judge", "r.json", "--policy", "internal", "-q").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("scan missing.csv", "missing.csv does not exist"),
        ("scan", "Missing argument 'SOURCE...'. Hint: for example privaudit scan claims.csv"),
        ("ledger show", "Hint: for example privaudit ledger show people.ledger"),
        ("accept QI001 age", "Missing option '--reason'. Hint: for example privaudit accept QI001"),
        ("scan a.csv --nonsense", "No such option '--nonsense'"),
        ("scan a.csv --policy nonsense", "neither a policy nor a policy file"),
        ("scan a.csv --policy no/policy.toml", "The policy file policy.toml does not exist"),
        ("scan a.csv --policy a.csv", "The name of a.csv is not that of a policy file. Hint: end it in .toml"),
        ("scan a.csv --framework nonsense", "is not a framework"),
        ("scan a.csv --quasi nonsense", "is not a column of the table"),
        ("scan a.csv --role x=nonsense", "Unknown role"),
        ("scan a.csv -o report.docx", "unknown suffix"),
        ("scan a.csv -o no/such/folder/r.json", "The folder folder of r.json does not exist"),
        ("scan a.csv --on x", "--on expects REL=AUX"),
        ("scan a.csv --budget soon", "--budget must be a time"),
        ("scan a.csv --memory lots", '"memory" must be a size'),
        ("scan a.csv --edition public -o r.json", "has no public edition"),
        ("scan ragged.csv", "3 cells, expected 2"),
        ("scan a.unknown", "suffix of a.unknown is not known"),
        ("gate missing.json", "missing.json cannot be opened"),
        ("gate a.csv", "a.csv is not JSON"),
        ("render a.csv -o r.html", "a.csv is not JSON"),
        ("explain NONSENSE", 'Nothing is called "NONSENSE"'),
        ("rules test no-such-folder", "folder of the rules does not exist"),
    ],
)
def test_2_wrong_use(run, tmp_path, arguments, reason):
    write(tmp_path / "a.csv", "x,y\n1,2\n1,2\n")
    write(tmp_path / "a.unknown", "x,y\n1,2\n")
    write(tmp_path / "ragged.csv", "x,y\n1,2\n1,2,3\n")
    result = run(*arguments.split())
    assert result.returncode == 2 and reason in result.stderr, result.stdout + result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert len(result.stderr) < 340


def test_2_wrong_configuration(run, tmp_path):
    plain_table(tmp_path)
    reasons = {
        "sead = 1": "key",
        'seed = "1"': "whole number",
        "seed = [": "not TOML",
        "max_size = nan": "finite number",
    }
    for content, reason in reasons.items():
        write(tmp_path / "privaudit.toml", content)
        result = run("scan", "machines.csv")
        assert result.returncode == 2 and reason in result.stderr


def test_configuration_file_is_used(run, tmp_path):
    plain_table(tmp_path)
    write(tmp_path / "privaudit.toml", 'policy = "internal"\n')
    result = run("scan", "machines.csv", "-o", "r.json")
    assert result.returncode == 0, result.stderr
    assert '"name": "internal"' in (tmp_path / "r.json").read_text()


@pytest.mark.parametrize("content", ["x,y\n", "", "\n\n"])
def test_3_nothing_to_assess(run, tmp_path, content):
    result = run("scan", write(tmp_path / "empty.csv", content))
    assert result.returncode == 3, result.stdout + result.stderr


def test_3_rows_were_skipped(run, tmp_path):
    table = plain_table(tmp_path)
    table.write_text(table.read_text() + "1,2,3\n")
    assert run("scan", table).returncode == 2
    result = run("scan", table, "--bad-rows", "skip", "-o", "r.json")
    assert result.returncode == 3
    assert '"exit_code": 3' in (tmp_path / "r.json").read_text()
    assert run("gate", "r.json").returncode == 3


def test_3_read_as_one_column(run, tmp_path):
    result = run("scan", plain_table(tmp_path), "--delimiter", ";")
    assert result.returncode == 3, result.stdout + result.stderr


def test_own_checks_are_judged_again_when_they_are_named(run, tmp_path):
    rules = tmp_path / "mine" / "checks"
    rules.mkdir(parents=True)
    shipped = (ROOT / "rules" / "checks" / "qi.toml").read_text()
    first = shipped[: shipped.index("[[check]]", shipped.index("[[check]]") + 1)]
    (rules / "own.toml").write_text(
        first.replace("QI001", "OWN001")
        .replace('"QI"', '"OWN"')
        .replace('name = "smallest-class-too-small"', 'name = "own-class-too-small"')
    )
    write(tmp_path / "t.csv", "age,sex\n" + "".join(f"{20 + i},{'FM'[i % 2]}\n" for i in range(60)))
    run("scan", "t.csv", "--rules", "mine", "-q", "-o", "r.json")
    run("judge", "r.json", "--rules", "mine", "-q", "-o", "again.json")
    assert "OWN001" in (tmp_path / "r.json").read_text()
    assert "OWN001" in (tmp_path / "again.json").read_text()


def test_4_internal_error(run, tmp_path, monkeypatch):
    def broken(*_args, **_options):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("privaudit.rulebook.gate.decide", broken)
    result = run("scan", plain_table(tmp_path), "-o", "r.json")
    assert result.returncode == 4 and "E000" in result.stderr
    assert "secret" not in result.stdout + result.stderr
    assert not (tmp_path / "r.json").exists()


def _obey_interrupts() -> None:
    """Restore the default of SIGINT, which a shell ignores for what it starts in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow), signal.SIGKILL]
)
def test_a_stopped_scan_leaves_no_partial_output(tmp_path, number):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "privaudit", "scan", "-", "-o", "r.html", "-o", "r.json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_obey_interrupts,
    )
    assert process.stdin is not None and process.stderr is not None
    # More than a pipe holds: when it is written, the scan reads, and it cannot end while the pipe is open.
    process.stdin.write("a,b,age,c\n" + "".join(f"{i},{i * 7919 % 100003},{i % 91},name {i}\n" for i in range(50_000)))
    process.stdin.flush()
    process.send_signal(number)
    assert process.wait(timeout=30) == (-number if number == signal.SIGKILL else 130)
    assert "Traceback" not in process.stderr.read()
    assert [p.name for p in tmp_path.iterdir()] == ["temporary"]
    if number != signal.SIGKILL:
        assert not list(temporary.iterdir())


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (("remedy", "a.csv", "-o", "b.csv", "--no-ner"), "Not assessed: re-identification risk"),
        (("synthesize", "a.csv", "--domain", "d.toml", "--no-privacy", "-o", "b.csv"), "Not measured: no one is known"),
    ],
)
def test_a_quiet_release_that_is_not_assessed_states_the_reason(run, tmp_path, command, reason):
    text = "shape,level\n" + "".join(f"x{i % 3},{i % 4}\n" for i in range(60))
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    domain = '[column.shape]\nkind = "category"\nvalues = ["x0", "x1", "x2"]\n'
    (tmp_path / "d.toml").write_text(f"version = 1\n{domain}", encoding="utf-8")
    done = run(*command, "-q")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (3, "", 1)
    assert done.stderr.startswith(f"privaudit: E303: {reason}")
    assert (tmp_path / "b.csv").is_file()
