"""Names of files are shown without their folders, and withheld where they are personal data, by every command."""

from __future__ import annotations

import pytest

from tests.helpers.command import run_here

pytestmark = pytest.mark.slow
USER = "jdoe-home"
NUMBER = "536-90-4399"


def name(ending: str) -> str:
    """Return the name of a file that contains a social security number, written in a folder named after a user."""
    return f"scan {NUMBER}{ending}"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], tuple[int, str]]:
    """Run every command on files with such names; return exit code and everything that was printed."""
    home = tmp_path_factory.mktemp("homes") / USER
    (home / "data").mkdir(parents=True)
    rows = "".join(f"{20 + i % 40},{'FM'[i % 2]},{'abcd'[i % 4]}{i % 3}\n" for i in range(120))
    for file in (home / name(".csv"), home / "data" / name(".csv"), home / name(".txt"), home / "plain.csv"):
        file.write_text("age,sex,ward\n" + rows)
    (home / name("-broken.toml")).write_text("a = [")
    (home / name("-odd.toml")).write_text('quassi = "x"\n')
    (home / name("-broken.json")).write_text("{")
    (home / name("-odd.json")).write_text('{"schema_version": "9"}')
    (home / name("-none.json")).mkdir()
    table, plain, report = str(home / name(".csv")), str(home / "plain.csv"), str(home / name("-report.json"))
    safer, plan, baseline = (str(home / name(end)) for end in ("-safer.csv", "-plan.toml", "-baseline.json"))
    bad = [str(home / name(end)) for end in ("-broken.json", "-odd.json", "-absent.json", "-none.json")]
    settings = [str(home / name(end)) for end in ("-broken.toml", "-odd.toml", "-absent.toml")]
    outputs = [
        str(home / name(".pdf")), str(home / "no" / name(".json")), str(home / name("-none.json")), table,
    ]  # fmt: skip
    runs: list[tuple[str, ...]] = [
        ("scan", table, "--no-ner", "-o", report, "-o", str(home / name("-report.html"))),
        ("scan", table, "--no-ner", "-q", "-o", str(home / f"reports {NUMBER}") + "/"),
        ("scan", str(home / "data"), "--no-ner", "--verbose"),
        ("scan", table, plain, str(home / name("-absent.csv")), "--no-ner", "-o", str(home / "all") + "/"),
        ("scan", table, plain, "--brief", "--no-ner"),
        ("attack", plain, "--auxiliary", table, "-o", str(home / name("-attack.json"))),
        ("plan", table, "--no-ner", "--drop", "ward"),
        ("plan", table, "--no-ner", "-o", plan),
        ("remedy", table, "--no-ner", "--plan", plan, "-o", safer, "-o", str(home / name("-after.json"))),
        ("verify", safer),
        ("baseline", table, "--no-ner", "-o", baseline),
        ("scan", table, "--no-ner", "--baseline", baseline, "--verbose"),
        ("gate", report), ("gate", report, "--verify", table), ("judge", report, "--baseline", baseline),
        ("render", report, "-o", str(home / name("-rendered.md"))), ("render", report),
        ("diff", report, report, "-o", str(home / name("-diff.md")), "-o", str(home / name("-diff.json"))),
        ("init", str(home)), ("init", str(home / "absent")), ("init", table),
        ("scan", table, "--config", settings[2], "--show-config"),
        *(("scan", plain, *more) for config in settings for more in (("--config", config), ("--policy", config))),
        *(("remedy", plain, "--no-ner", "--plan", config, "-o", str(home / "out.csv")) for config in settings),
        *((command, file, *more) for file in bad for command, *more in (
            ("gate",), ("judge",), ("render", "-o", str(home / "x.md")), ("diff", report), ("verify",),
        )),
        *(("diff", report, file) for file in bad), *(("scan", plain, "--baseline", file) for file in bad),
        *(("gate", report, "--verify", file) for file in bad),
        *((command, table, *more, "-o", output) for output in outputs for command, *more in (
            ("scan",), ("attack", "--auxiliary", plain), ("plan",), ("remedy",), ("baseline",),
        )),
        *(("render", report, "-o", output) for output in (*outputs[:3], report)),
        *(("diff", report, report, "-o", output) for output in (*outputs[:3], report)),
        *((command, str(home / file)) for file in (name(".txt"), name("-absent.csv"), NUMBER)
          for command in ("scan", "plan", "baseline", "verify")),
        ("accept", "QI001", "age", "--reason", "r", "--owner", "o", "--expires", "2026-12-31", "--config", settings[0]),
    ]  # fmt: skip
    made = {}
    for arguments in runs:
        done = run_here([*arguments], home, {})
        made[arguments] = (done.returncode, done.stdout + done.stderr)
    for file in home.rglob("*"):
        if file.is_file():
            made[("written", str(file.relative_to(home)))] = (0, file.read_text("utf-8", "replace"))
    return made


def test_no_command_shows_a_folder_or_a_personal_name_of_a_file(shown):
    wrong = {
        " ".join(arguments): [line for line in text.splitlines() if NUMBER in line or USER in line]
        for arguments, (_, text) in shown.items()
        if NUMBER in text or USER in text
    }
    assert not wrong


def test_every_command_ends_with_the_exit_code_of_its_case(shown):
    assert not [arguments for arguments, (code, _) in shown.items() if code == 4]
    commands = {arguments[0] for arguments, (code, _) in shown.items() if code in (0, 1, 3)}
    assert {"scan", "attack", "plan", "remedy", "verify", "baseline", "gate", "judge", "render", "diff", "init"} <= (
        commands
    )
