"""A hierarchy that was built from the data is written in the format of ARX, and is one when it is read again."""

from __future__ import annotations

import pandas as pd
import pytest

import privaudit
from privaudit.advice.recodings.hierarchy import read_hierarchy
from privaudit.base.errors import ColumnNotFound, ConfigError
from privaudit.settings.config import Settings

COUNTS = {"Ash": 60, "Birch": 30, "Cedar": 12, "Dale": 9, "Elm": 7, "Fir": 1, "Gum": 1}


@pytest.fixture(scope="module")
def planned():
    towns = [town for town, n in COUNTS.items() for _ in range(n)]
    frame = pd.DataFrame({"town": towns, "age": [20 + i % 40 for i in range(len(towns))]})
    return privaudit.plan(frame, quasi=("town", "age"), policy="controlled")


def test_the_levels_of_the_file_are_coarser_and_coarser_and_contain_every_value(planned, tmp_path):
    path = tmp_path / "town.csv"
    planned.write_hierarchy("town", path)
    levels = read_hierarchy(str(path), Settings())
    assert set(levels) == set(COUNTS)
    assert {names[-1] for names in levels.values()} == {"*"} and len(levels["Ash"]) >= 3
    for fine, coarse in zip(*[list(zip(*levels.values(), strict=True))[i:] for i in (0, 1)], strict=False):
        assert len(set(zip(fine, coarse, strict=True))) == len(set(fine))
    assert levels["Fir"][0] == levels["Gum"][0] != "Fir"


def test_bands_are_levels_too(planned, tmp_path):
    planned.write_hierarchy("age", tmp_path / "age.csv")
    levels = read_hierarchy(str(tmp_path / "age.csv"), Settings())
    assert set(levels) == {str(age) for age in range(20, 60)} and levels["20"][-1] == "*"


def test_a_column_that_is_not_there_or_a_folder_is_an_error(planned, tmp_path):
    with pytest.raises(ColumnNotFound, match='"city" is not a column of table'):
        planned.write_hierarchy("city", tmp_path / "x.csv")
    with pytest.raises(ConfigError, match="is not a file"):
        planned.write_hierarchy("town", tmp_path)


def test_the_command_writes_the_file(run, tmp_path):
    source = tmp_path / "t.csv"
    towns = ["Ash", "Birch", "Cedar", "Dale"] * 11
    pd.DataFrame({"town": towns, "x": range(44)}).to_csv(source, index=False)
    path = tmp_path / "town.csv"
    command = ("plan", str(source), "--quasi", "town", "--policy", "controlled", "--write-hierarchy")
    result = run(*command, f"town={path}")
    assert result.returncode == 0, result.stderr
    assert path.read_text().splitlines()[0].startswith("Ash;")
    result = run(*command, f"town={source}")
    assert result.returncode != 0 and source.read_text().startswith("town")
