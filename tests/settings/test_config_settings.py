"""Settings files: paths relative to the file, times as texts, and what is wrong in plain words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from privaudit.base.errors import ConfigError
from privaudit.settings.config import Settings, seconds
from privaudit.settings.config_files import load_config, load_tables

ROOT = Path(__file__).resolve().parents[2]


def settings(folder: Path, text: str) -> dict[str, object]:
    file = folder / "privaudit.toml"
    file.write_text(text, encoding="utf-8")
    return load_config(file)


def test_paths_are_relative_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "deep" / "er")
    found = settings(
        tmp_path,
        'policy = "ours.toml"\nrules = "2024"\nauxiliary = "voters.xlsx#2024"\npopulation = "people.csv"\n'
        '[hierarchy]\njob = "h/job.csv"\n',
    )
    up = Path("..") / ".."
    assert found["policy"] == str(up / "ours.toml") and found["rules"] == str(up / "2024")
    assert found["auxiliary"] == str(up / "voters.xlsx#2024") and found["population"] == str(up / "people.csv")
    assert found["hierarchy"] == {"job": str(up / "h" / "job.csv")}


def test_names_numbers_and_whole_paths_stay(tmp_path: Path) -> None:
    whole = str(tmp_path / "a.csv")
    found = settings(tmp_path, f'policy = "strict"\npopulation = 1200\nauxiliary = "{whole}"')
    assert found == {"policy": "strict", "population": "1200", "auxiliary": whole}


@pytest.mark.parametrize(("text", "expected"), [('"60s"', 60), ('"5m"', 300), ('"1.5h"', 5400), ("20.0", 20)])
def test_a_budget_is_a_time(tmp_path: Path, text: str, expected: float) -> None:
    assert settings(tmp_path, f"budget = {text}")["budget"] == expected


@pytest.mark.parametrize("text", ["", "s", "-5s", "inf", "nan", "5 days", "1e400s"])
def test_other_texts_are_not_a_time(text: str) -> None:
    with pytest.raises(ConfigError, match="--budget must be a time"):
        seconds(text, "--budget")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('max_size = "three"', "a whole number"),
        ('ner = "yes"', "true or false"),
        ("policy = 3", "a text"),
        ('quasi = "age"', "a list of texts"),
        ('missing = "any"', "one of category, wildcard, one-sided"),
        ('fail_on = "severe"', "one of info, low, medium, high, critical"),
        ('bad_rows = "drop"', "one of error, skip"),
        ("hierarchy = 3", "a table of name = text"),
        ('role = { age = "boss" }', "direct, quasi, sensitive, none"),
        ("budget = true", "a time"),
        ('tolerance = "low"', "a number"),
        ('max_size = "3"', "a whole number"),
        ('cap = { cells = "5" }', "a table of name = number"),
        ("population = 1.5", "a number of people"),
    ],
)
def test_wrong_values_are_reported_in_plain_words(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        settings(tmp_path, text)
    line = caught.value.line()
    assert message in line and "privaudit.toml" in line
    assert not re.search(r"Mapping|tuple|Literal|None|str\b|int\b|bool\b|float", line)


@pytest.mark.parametrize("text", ["-5", "0", "1.5", "+3", "-1,000", "1e6"])
def test_other_texts_are_not_a_population(text: str) -> None:
    with pytest.raises(ConfigError, match="whole number of people"):
        Settings(population=text)


def test_a_broken_file_names_its_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"privaudit\.toml, line 2"):
        settings(tmp_path, 'policy = "strict"\nseed = = 3\n')


def test_none_alone_states_that_there_are_no_quasi_identifiers_and_an_empty_list_is_refused(tmp_path: Path) -> None:
    for text in ('quasi = "none"\n', 'quasi = ["none"]\n'):
        assert settings(tmp_path, text)["quasi"] == ("none",)
    with pytest.raises(ConfigError, match="empty list") as refused:
        settings(tmp_path, "quasi = []\n")
    assert 'quasi = "none"' in str(refused.value.hint)


def test_parts_are_relative_to_the_file_and_hold_for_the_whole_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    assert settings(tmp_path, 'parts = ["data/*.csv"]\n')["parts"] == ("../data/*.csv",)
    (tmp_path / "privaudit.toml").write_text('[tables."a.csv"]\nparts = ["a.csv"]\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="must not be in a section"):
        load_tables(tmp_path / "privaudit.toml")
