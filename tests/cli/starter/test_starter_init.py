"""What `privaudit init` writes is valid, fits the tables it found, and works without a change."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path

import pytest
import yaml

from privaudit.cli.starter import start
from privaudit.cli.starter.files import GITHUB, GITLAB, PRE_COMMIT, settings_text
from privaudit.cli.starter.look import ColumnLook, TableLook
from privaudit.settings.config import Settings
from privaudit.settings.config_files import load_config, load_tables
from tests.helpers.paths import ROOT

FOLDERS = {
    "northwind": ("northwind", "*.csv"),
    "heart": ("heart", "*.csv"),
    "mall": ("mall", "*.csv"),
    "chinook": ("chinook", "[CE]*.csv"),
    "linkage": ("linkage", "hr_*.csv"),
}


@pytest.fixture
def project(tmp_path) -> Path:
    (tmp_path / "data").mkdir()
    rows = "".join(f"{i},Ann,{20 + i % 40},{'FM'[i % 2]},flu\n" for i in range(60))
    (tmp_path / "data" / "people.csv").write_text("person_id,first_name,age,sex,diagnosis\n" + rows, encoding="utf-8")
    (tmp_path / "machines.csv").write_text("celsius,load\n" + "20,3\n21,4\n" * 30, encoding="utf-8")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "x.csv").write_text("a\n1\n", encoding="utf-8")
    return tmp_path


def uncommented(text: str) -> str:
    """Return the settings with the suggested roles switched on, as a person would."""
    return "\n".join(
        line.removeprefix("# ") if re.match(r'# (\[tables\.|"[^"]*" = )', line) else line for line in text.splitlines()
    )


def test_init_finds_the_tables_and_writes_three_files(project):
    tables, written = start(project)
    assert [table.source for table in tables] == ["broken.parquet", "data/people.csv", "machines.csv"]
    assert [file.path for file in written] == ["privaudit.toml", PRE_COMMIT, GITHUB]
    assert all(file.is_new and (project / file.path).read_text(encoding="utf-8") == file.text for file in written)
    people = tables[1]
    assert {column.name: column.role for column in people.columns}["first_name"] == "direct"
    assert tables[0].why_not and not tables[2].columns
    assert tables[1].unit == "" and tables[2].unit in ("", "object", "aggregate")


def test_the_settings_are_valid_as_written_and_with_the_suggested_roles(project):
    start(project)
    file = project / "privaudit.toml"
    assert load_config(file)["policy"] == "public" and load_tables(file) == {"machines.csv": {"unit": "object"}}
    file.write_text(uncommented(file.read_text(encoding="utf-8")), encoding="utf-8")
    found = load_tables(file)
    stated = found.pop("data/people.csv")
    assert found == {"machines.csv": {"unit": "object"}}
    assert stated["role"]["first_name"] == "direct"
    Settings(**load_config(file), **stated)


def test_the_hook_and_the_job_are_valid_yaml_with_the_tables_as_sources(project):
    start(project)
    hooks = yaml.safe_load((project / PRE_COMMIT).read_text(encoding="utf-8"))
    (hook,) = hooks["repos"][0]["hooks"]
    assert hook["entry"] == "privaudit scan --brief --no-ner --skip-other-files"
    assert hook["types"] == ["file"] and "files" not in hook
    job = yaml.safe_load((project / GITHUB).read_text(encoding="utf-8"))
    commands = " ".join(step.get("run", "") for step in job["jobs"]["privaudit"]["steps"])
    assert "privaudit scan broken.parquet data/ machines.csv --policy-from" in commands


def test_files_that_exist_are_not_changed(project, run):
    (project / "privaudit.toml").write_text("seed = 3\n", encoding="utf-8")
    (project / GITLAB).write_text("stages: []\n", encoding="utf-8")
    done = run("init", project)
    assert done.returncode == 0, done.stderr
    assert (project / "privaudit.toml").read_text(encoding="utf-8") == "seed = 3\n"
    assert (project / GITLAB).read_text(encoding="utf-8") == "stages: []\n"
    assert "exists and was not changed" in done.stdout and "merge_request_event" in done.stdout
    assert not (project / GITHUB).exists()


def test_the_job_of_gitlab_is_valid_yaml(project):
    (project / ".git").mkdir()
    (project / ".git" / "config").write_text("url = https://gitlab.example.org/x.git\n", encoding="utf-8")
    _, written = start(project)
    job = yaml.safe_load(written[-1].text)["privaudit"]
    assert written[-1].path == GITLAB and any("--policy-from FETCH_HEAD" in line for line in job["script"])


def test_hostile_names_stay_inside_their_quotes(tmp_path):
    names = ['a"b', "x\ny = 1", "it's", "${{ secrets.X }}", "#", "\\", "\x7f"]
    columns = tuple(ColumnLook(name=name, role="quasi", entity="") for name in names)
    tables = [TableLook(source=f"{name}.csv", name=f"{name}.csv", columns=columns) for name in names]
    text = settings_text(tables)
    assert set(tomllib.loads(text)) == {"policy", "framework"}
    sections = [line for line in text.splitlines() if line.startswith("# [tables.")]
    assert len(sections) == len(names)
    from privaudit.cli.starter.files import github_job

    steps = yaml.safe_load(github_job(tables))["jobs"]["privaudit"]["steps"]
    assert not any("secrets" in str(step) for step in steps)


def test_no_cell_and_no_personal_name_is_written(tmp_path):
    (tmp_path / "123-45-6789.csv").write_text("age,Anna Smith\n" + "31,4711\n" * 40, encoding="utf-8")
    _, written = start(tmp_path)
    everything = " ".join(file.text for file in written)
    assert "123-45-6789" not in everything and "4711" not in everything and "Anna" not in everything


def test_the_hooks_of_the_repository_are_those_of_init():
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert hooks["privaudit"]["types"] == ["file"] and "files" not in hooks["privaudit"]
    assert hooks["privaudit"]["entry"] == "privaudit scan --brief --no-ner --skip-other-files"


def test_the_action_puts_no_input_into_a_command():
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
    assert set(action["inputs"]) == {
        "sources", "policy-from", "extras", "reports", "comment", "edition", "cache", "arguments"
    }  # fmt: skip


def test_the_container_runs_as_a_user_without_rights():
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users and users[-1].split(":")[0] not in ("0", "root")
    assert lines.index(f"USER {users[-1]}") < lines.index('ENTRYPOINT ["privaudit"]')
    assert any("git config --system --add safe.directory" in line for line in lines)  # the owner is another user
    copied = [
        word for line in lines if line.startswith("COPY ") and "--from" not in line for word in line.split()[1:-1]
    ]
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert set(copied) <= kept and all((ROOT / name).exists() for name in copied)


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("name", FOLDERS)
def test_on_real_tables_the_configuration_runs_as_it_is(name, run, tmp_path, shared):
    folder, pattern = FOLDERS[name]
    for file in (shared / "data" / folder).glob(pattern):
        shutil.copy(file, tmp_path)
    assert run("init").returncode == 0
    hook = yaml.safe_load((tmp_path / PRE_COMMIT).read_text(encoding="utf-8"))["repos"][0]["hooks"][0]
    files = sorted(path.name for path in tmp_path.iterdir() if path.is_file())
    done = run(*hook["entry"].split()[1:], *files)
    assert done.returncode in (0, 1, 3) and "table" in done.stdout, done.stderr
    file = tmp_path / "privaudit.toml"
    file.write_text(uncommented(file.read_text(encoding="utf-8")), encoding="utf-8")
    assert run(*hook["entry"].split()[1:], *files).returncode in (0, 1, 3)


@pytest.mark.parametrize(
    ("name", "content"),
    [("package.json", '{"name": "x"}'), ("README.txt", "Read this.\nIt is not, in the least,\na table.\n")],
)
def test_a_hook_counts_files_that_are_not_tables_and_scans_those_that_are(tmp_path, run, name, content):
    hook = ("scan", "--brief", "--no-ner", "--skip-other-files", "--no-config")
    (tmp_path / name).write_text(content, encoding="utf-8")
    alone = run(*hook, name)
    assert alone.returncode == 0 and "1 file ending in .json or .txt was not scanned" in alone.stderr
    rows = [{"email": f"p{i}@example.org", "age": 20 + i % 50} for i in range(60)]
    (tmp_path / "people.json").write_text(json.dumps(rows), encoding="utf-8")
    lines = ["email;age", *(f"{row['email']};{row['age']}" for row in rows)]
    (tmp_path / "people.txt").write_text("\n".join(lines), encoding="utf-8")
    for table in ("people.json", "people.txt"):
        done = run(*hook, name, table)
        assert done.returncode == 1 and table in done.stdout and name not in done.stdout, done.stdout


def test_tables_about_things_get_their_unit_and_the_job_the_extras_of_the_data(tmp_path):
    rows = "".join(f"2024-01-{1 + i % 28:02d},{i % 5 + 1},{i}.5,{i + 3}.1\n" for i in range(80))
    (tmp_path / "readings.csv").write_text("date,sensor,temperature,humidity\n" + rows, encoding="utf-8")
    lake = tmp_path / "lake" / "visits"
    (lake / "_delta_log").mkdir(parents=True)
    (lake / "part-0.parquet").write_bytes(b"PAR1")
    tables, written = start(tmp_path)
    assert [table.source for table in tables] == ["lake/visits", "readings.csv"]
    job = next(file.text for file in written if file.path == GITHUB)
    assert "privaudit[delta]" in job and "privaudit scan lake/ readings.csv" in job
    if tables[1].unit:
        stated = load_tables(tmp_path / "privaudit.toml")
        assert stated["readings.csv"]["unit"] == tables[1].unit


def test_the_unit_of_a_table_about_things_is_written():
    tables = [TableLook(source="data/readings.csv", name="data/readings.csv", unit="object")]
    assert tomllib.loads(settings_text(tables))["tables"] == {"data/readings.csv": {"unit": "object"}}
