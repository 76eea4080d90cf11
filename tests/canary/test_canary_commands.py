"""No command that writes about a table reveals a value, a hash of one, or a rare one: plans, certificates, baselines,
comparisons, settings that are written, and formats of services."""

from __future__ import annotations

import random

import pytest

from tests.canary.test_canary import assert_clean, collect, make_rows, marker, write_csv

pytestmark = pytest.mark.slow
RARE = [marker(random.Random(900 + i), 12) for i in range(6)]


def table_with_rare_values() -> list[dict[str, str]]:
    """Return rows with values that one person has each, which recodings merge, cut off or suppress."""
    rows = make_rows(5, 240)
    rng = random.Random(5)
    for i, row in enumerate(rows):
        row["age"] = str(18 + i % 30)
        row["job"] = ("clerk", "nurse", "smith")[i % 3]
        row["income"] = str(1000 * rng.randrange(20, 60))
        row["visited"] = f"20{rng.randrange(10, 20)}-0{rng.randrange(1, 9)}-1{rng.randrange(0, 9)}"
    for i, word in enumerate(RARE):
        rows[i]["job"] = word
    rows[7]["income"] = "83926471"
    return rows


def test_commands_about_remedies_comparisons_and_services_reveal_nothing(run, tmp_path):
    rows = table_with_rare_values()
    (tmp_path / "temporary").mkdir()
    source = write_csv(tmp_path / "people.csv", rows)
    (tmp_path / "project").mkdir()
    copy = write_csv(tmp_path / "project" / "people.csv", rows)
    safer, report, after = tmp_path / "safer.csv", tmp_path / "r.json", tmp_path / "after.json"
    changed = write_csv(tmp_path / "changed.csv", [{**row, "sex": "F"} for row in rows])
    names = ("r.json", "r.sarif", "r.xml", "r.html", "r.md")
    written = [word for name in names for word in ("-o", tmp_path / name)]
    quasi = ("--no-ner", "--quasi", "age,sex,job,income,visited")
    commands = [
        ("scan", source, *quasi, *written),
        *(("scan", source, *quasi, "--format", name) for name in ("sarif", "junit", "github", "gitlab")),
        ("plan", source, *quasi),
        ("plan", source, *quasi, "-o", tmp_path / "plan.toml"),
        ("remedy", source, *quasi, "--plan", tmp_path / "plan.toml", "-o", safer, "-o", tmp_path / "remedied.html"),
        ("remedy", source, *quasi, "-o", tmp_path / "other.csv", "-o", tmp_path / "remedied.json"),
        ("verify", safer),
        ("remedy", source, *quasi, "--edition", "public", "-o", tmp_path / "shared.csv", "-o", tmp_path / "shared.md"),
        ("verify", tmp_path / "shared.csv"),
        ("gate", report), ("gate", report, "--verify", source),
        ("judge", report, "--policy", "strict"), ("render", report), ("render", report, "--edition", "public"),
        ("accept", "QI001", "*", "--reason", "r", "--owner", "o", "--expires", "2026-12-31", "--config",
         tmp_path / "settings.toml"),
        ("attack", source, "--auxiliary", changed, "--on", "age=age", "--on", "job=job"),
        ("explain", "job", "--source", source), ("doctor",),
        ("baseline", source, *quasi, "-o", tmp_path / "baseline.json"),
        ("scan", changed, *quasi, "--baseline", tmp_path / "baseline.json", "-o", after),
        ("diff", report, after), ("diff", report, after, "-o", tmp_path / "d.md", "-o", tmp_path / "d.json"),
        ("init", tmp_path / "project"),
    ]  # fmt: skip
    tables = (source, copy, changed, safer, tmp_path / "other.csv", tmp_path / "shared.csv")
    for command in commands:
        temporary = str(tmp_path / "temporary")
        result = run(*command, TMPDIR=temporary, HOME=temporary)
        assert result.returncode in (0, 1, 3) and "Traceback" not in result.stderr, (command, result.stderr)
        texts = collect(tmp_path, result, *tables)
        assert_clean(texts, rows)
        for where, text in texts.items():
            assert not any(word in text for word in (*RARE, "83926471")), (command, where)
    assert list((tmp_path / "temporary").iterdir()) == []
    assert "[[step]]" in (tmp_path / "plan.toml").read_text()


def test_a_remedy_that_fails_while_it_writes_leaves_no_table_behind(run, tmp_path):
    rows = [{**row, "JOB": row["job"]} for row in table_with_rare_values()]
    source = write_csv(tmp_path / "people.csv", rows)
    plan = tmp_path / "plan.toml"
    plan.write_text('version = 1\n[[step]]\ntechnique = "drop"\ncolumns = ["notes"]\n')
    # SQLite does not distinguish "job" from "JOB", so the file is begun and cannot be finished.
    result = run("remedy", source, "--no-ner", "--plan", plan, "-o", tmp_path / "safer.sqlite")
    assert result.returncode == 2, result.stderr
    assert_clean(collect(tmp_path, result, source), rows)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["people.csv", "plan.toml"]
