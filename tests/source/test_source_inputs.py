"""No output replaces a file that a run reads, under any name, and an input that changes makes the run incomplete."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

import privaudit
from privaudit.audit import inputs, pipeline
from privaudit.base.errors import ConfigError
from privaudit.settings.config import Settings

ROWS = "age,sex,town\n" + "".join(f"{20 + i % 9},{'FM'[i % 2]},t{i % 5}\n" for i in range(60))


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "parts").mkdir()
    for name in ("t.csv", "aux.csv", "people.csv", "parts/a.csv", "parts/b.csv"):
        (tmp_path / name).write_text(ROWS)
    with sqlite3.connect(tmp_path / "db.csv") as connection:
        connection.execute("CREATE TABLE t (age, sex)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [(20 + i % 9, "FM"[i % 2]) for i in range(60)])
    connection.close()
    (tmp_path / "levels.csv").write_text("".join(f"{age};{age // 10}0s\n" for age in range(20, 29)))
    (tmp_path / "p.toml").write_text('name = "lab"\ntitle = "Lab"\nextends = "public"\n')
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "d.toml").write_text("")
    (tmp_path / "c.toml").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("source", "settings", "target"),
    [
        ("t.csv", {}, "t.csv"),
        ("parts", {}, "parts/b.csv"),
        ("parts/*.csv", {}, "parts/a.csv"),
        ("sqlite:db.csv#t", {}, "db.csv"),
        ("t.csv", {"auxiliary": "aux.csv"}, "aux.csv"),
        ("t.csv", {"population": "people.csv"}, "people.csv"),
        ("t.csv", {"hierarchy": {"age": "levels.csv"}}, "levels.csv"),
        ("t.csv", {"policy": "p.toml"}, "p.toml"),
        ("t.csv", {"rules": "rules"}, "rules/d.toml"),
    ],
)
@pytest.mark.parametrize("link", [False, True])
def test_every_file_that_is_read_is_an_input_under_every_name(folder, source, settings, target, link):
    from privaudit.report import files

    name = Path(target)
    if link:
        name = Path("other-name" + name.suffix)
        os.link(target, name)
    with pytest.raises(ConfigError, match="input"):
        files.check(name, inputs.opened(source, Settings(**settings), config=Path("c.toml")))


@pytest.mark.parametrize("source", ["parts", "sqlite:db.csv#t"])
def test_scores_and_reports_never_replace_a_part(folder, source):
    target = folder / ("parts/b.csv" if source == "parts" else "db.csv")
    before = target.read_bytes()
    with pytest.raises(ConfigError, match="input"):
        privaudit.scan(source, ner=False, quasi=["age", "sex"], parts=True, scores=target)
    report = privaudit.scan(source, ner=False, quasi=["age", "sex"], parts=True)
    os.link(target, folder / "link.json")
    with pytest.raises(ConfigError, match="input"):
        report.write(folder / "link.json")
    assert target.read_bytes() == before


def test_an_input_that_changes_during_the_scan_makes_it_incomplete(folder, monkeypatch):
    profile = pipeline.profile_columns

    def meddle(run):
        with open(folder / "t.csv", "a") as file:
            file.write("30,F,t1\n")
        return profile(run)

    stages = tuple((name, meddle if name == "profile" else stage) for name, stage in pipeline.STAGES)
    report = pipeline.run_stages("t.csv", Settings(ner=False), stages=stages)
    assert report.gate_.exit_code == 3
    assert "pipeline.input_changed" in {found.code for found in report.limits}
    again = pipeline.run_stages("t.csv", Settings(ner=False))
    assert "pipeline.input_changed" not in {found.code for found in again.limits}
