"""A pull request is judged by the settings, policy, acceptances and packs of its base branch."""

from __future__ import annotations

import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from privaudit.base.errors import ConfigError
from privaudit.settings.run_settings import RunSettings, resolve

STRICT = 'policy = "strict"\nfail_on = "low"\n'


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", *words],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with a base branch `main` and the checked-out branch `change`."""
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "t.csv").write_text("age,sex\n30,F\n", encoding="utf-8")
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "note.toml").write_text("# pack\n", encoding="utf-8")
    (tmp_path / "own.toml").write_text('name = "own"\n', encoding="utf-8")
    (tmp_path / "privaudit.toml").write_text(STRICT, encoding="utf-8")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "base")
    git(tmp_path, "checkout", "-q", "-b", "change")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def settings(ref: str | None, config: str | None = None, **options: object) -> RunSettings:
    with ExitStack() as keep:
        return resolve(config, options, policy_from=ref, keep=keep, notice=lambda _line: None)


def test_the_branch_cannot_loosen_its_settings(repository):
    (repository / "privaudit.toml").write_text('policy = "internal"\nfail_on = "critical"\n', encoding="utf-8")
    assert settings(None).of()["policy"] == "internal"
    found = settings("main")
    assert found.of() == {"policy": "strict", "fail_on": "low", "field_metadata": False}
    assert found.with_origins()["policy"] == ("strict", "privaudit.toml at main")


def test_a_settings_file_that_the_branch_adds_nearer_to_the_data_decides_nothing(repository, monkeypatch):
    (repository / "data" / "privaudit.toml").write_text('policy = "internal"\n', encoding="utf-8")
    monkeypatch.chdir(repository / "data")
    assert settings(None).of()["policy"] == "internal"
    assert settings("main").of()["policy"] == "strict"


def test_a_settings_file_that_the_branch_deletes_still_decides(repository):
    (repository / "privaudit.toml").unlink()
    assert settings(None).of() == {}
    assert settings("main").of()["policy"] == "strict"


def test_acceptances_are_those_of_the_base_branch(repository):
    accepted = STRICT + (
        '[[accept]]\ncode = "QI001"\ncolumns = ["age"]\nreason = "r"\nowner = "o"\nexpires = 2027-05-31\n'
    )
    (repository / "privaudit.toml").write_text(accepted, encoding="utf-8")
    assert len(settings(None).of()["accept"]) == 1
    assert "accept" not in settings("main").of()


def test_policies_and_packs_named_by_options_are_those_of_the_base_branch(repository):
    (repository / "own.toml").write_text('name = "loosened"\n', encoding="utf-8")
    (repository / "rules" / "more.toml").write_text("# added\n", encoding="utf-8")
    with ExitStack() as keep:
        found = resolve(
            None, {"policy": "own.toml", "rules": "rules"}, policy_from="main", keep=keep, notice=print
        ).of()
        assert Path(found["policy"]).read_text(encoding="utf-8") == 'name = "own"\n'
        assert [file.name for file in Path(found["rules"]).iterdir()] == ["note.toml"]


def test_paths_of_data_stay_in_the_working_tree(repository):
    text = STRICT + 'auxiliary = "data/t.csv"\n[tables."data/*.csv"]\nunit = "person"\n'
    (repository / "privaudit.toml").write_text(text, encoding="utf-8")
    git(repository, "commit", "-q", "-a", "-m", "more")
    git(repository, "checkout", "-q", "-b", "later")
    found = settings("change")
    assert Path(found.of()["auxiliary"]) == Path("data/t.csv")
    assert found.of("data/t.csv")["unit"] == "person"
    assert "unit" not in found.of("elsewhere.csv")


def test_a_base_branch_without_settings_means_the_defaults(repository):
    git(repository, "rm", "-q", "privaudit.toml")
    git(repository, "commit", "-q", "-m", "none")
    (repository / "privaudit.toml").write_text('policy = "internal"\n', encoding="utf-8")
    assert settings("change").of() == {"field_metadata": False}


@pytest.mark.parametrize(
    ("ref", "config", "options", "message"),
    [
        ("nowhere", None, {}, "no branch or commit"),
        ("--output=x", None, {}, "no branch or commit"),
        ("main", "missing.toml", {}, "no settings file"),
        ("main", None, {"policy": "new.toml"}, "does not have the policy"),
        ("main", None, {"rules": "new"}, "does not have the rules"),
        ("main", None, {"field_metadata": True}, "exclude each other"),
    ],
)
def test_what_the_base_branch_lacks_is_an_error(repository, ref, config, options, message):
    (repository / "new.toml").write_text("name = 'new'\n", encoding="utf-8")
    (repository / "new").mkdir()
    with pytest.raises(ConfigError, match=message):
        settings(ref, config, **options)


def test_outside_of_a_repository_it_is_an_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="git repository"):
        settings("main")


def test_a_symbolic_link_of_the_base_branch_is_refused(repository):
    (repository / "privaudit.toml").unlink()
    (repository / "privaudit.toml").symlink_to("own.toml")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "link")
    with pytest.raises(ConfigError, match="not a regular file"):
        settings("change")


def test_a_link_of_the_branch_does_not_replace_a_file_of_the_base_branch(repository):
    (repository / "loose.toml").write_text('policy = "internal"\n', encoding="utf-8")
    (repository / "privaudit.toml").unlink()
    (repository / "privaudit.toml").symlink_to("loose.toml")
    assert settings(None).of()["policy"] == "internal"
    assert settings("main").of()["policy"] == "strict"


def test_the_copies_are_removed(repository):
    with ExitStack() as keep:
        copy = resolve(None, {}, policy_from="main", keep=keep, notice=print).file
        assert copy is not None and copy.stat().st_mode
        assert copy.parent.stat().st_mode & 0o077 == 0
    assert not copy.exists()


def test_sections_for_tables_override_the_file_and_options_override_both(repository):
    text = 'policy = "strict"\nseed = 1\n[tables."t.csv"]\nseed = 2\n[tables."*.parquet"]\nseed = 3\n'
    (repository / "privaudit.toml").write_text(text, encoding="utf-8")
    found = settings(None)
    assert [found.of(one).get("seed") for one in ("", "data/t.csv", "x/y.parquet", "u.csv")] == [1, 2, 3, 1]
    assert settings(None, seed=9).of("data/t.csv")["seed"] == 9
    listed = {name: origin for name, _, origin in settings(None, max_size=2).listing("data/t.csv")}
    assert listed["seed"] == 'privaudit.toml [tables."t.csv"]'
    assert (listed["policy"], listed["max_size"], listed["unit"]) == ("privaudit.toml", "option --max-size", "default")


@pytest.mark.parametrize("text", ["tables = 3\n", '[tables."a.csv"]\nnonsense = 1\n', "[tables]\na = 1\n"])
def test_wrong_sections_for_tables_are_errors(repository, text):
    (repository / "privaudit.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="tables"):
        settings(None)


def test_acceptances_of_a_table_are_added_to_those_of_the_file(repository):
    entry = 'columns = ["age"]\nreason = "r"\nowner = "o"\nexpires = 2027-05-31\n'
    text = f'[[accept]]\ncode = "QI001"\n{entry}[[tables."t.csv".accept]]\ncode = "QI004"\n{entry}'
    (repository / "privaudit.toml").write_text(text, encoding="utf-8")
    assert [one.code for one in settings(None).of("data/t.csv")["accept"]] == ["QI001", "QI004"]
    assert [one.code for one in settings(None).of("other.csv")["accept"]] == ["QI001"]
