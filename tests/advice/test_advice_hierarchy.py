"""Hierarchies from files are used by the remedies; invalid files are errors before the scan begins."""

from __future__ import annotations

import pytest

import privaudit
from privaudit.advice.recodings.hierarchy import read_hierarchy
from privaudit.base.errors import ColumnNotFound, ConfigError
from privaudit.settings.config import Settings


def write(path, text):
    path.write_text(text)
    return str(path)


@pytest.fixture
def table(tmp_path):
    towns = ["Ash", "Birch", "Cedar", "Dale"]
    rows = "".join(f"{towns[i % 4]},{20 + i % 3}\n" for i in range(44))
    return write(tmp_path / "t.csv", "town,age\n" + rows)


def test_levels_of_a_hierarchy_are_measured(table, tmp_path):
    file = write(tmp_path / "town.csv", "Ash;North;*\nBirch;North;*\nCedar;South;*\nDale;South;*\n")
    report = privaudit.scan(table, quasi=("town", "age"), hierarchy={"town": file}, policy="controlled")
    found = [r for r in report.advice if r.technique == "hierarchy_level" and r.columns == ("town",)]
    assert found
    # 44 rows over 4 towns x 3 ages: classes of 3 or 4; two towns per name give at least 7.
    assert found[0].before["k_min"] == 3 and found[0].after["k_min"] == 7
    assert not any(name in str(found[0].text) for name in ("North", "South", "Ash"))


def test_an_empty_name_repeats_the_level_before(tmp_path):
    file = write(tmp_path / "h.csv", "a;x;\nb;;y\n")
    assert read_hierarchy(file, Settings()) == {"a": ("x", "x"), "b": ("b", "y")}


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
@pytest.mark.parametrize("values", [["Male", "Female"], ["0", "1"], ["1,5", "2,5"], [">50K", "<=50K"], ["2020-01-31"]])
def test_a_file_of_two_columns_has_one_level(tmp_path, values, delimiter):
    lines = [f'"{value}"{delimiter}*' if delimiter in value else f"{value}{delimiter}*" for value in values]
    file = write(tmp_path / "h.csv", "\n".join(lines))
    assert read_hierarchy(file, Settings()) == dict.fromkeys(values, ("*",))


@pytest.mark.parametrize(("text", "reason"), [("a\nb\n", "has no level"), ("a;x\na;y\n", "line 2 repeats a value")])
def test_invalid_files_are_errors(tmp_path, text, reason):
    with pytest.raises(ConfigError, match=reason):
        read_hierarchy(write(tmp_path / "h.csv", text), Settings())


def test_an_unknown_column_is_an_error(table, tmp_path):
    file = write(tmp_path / "h.csv", "a;x\nb;y\n")
    with pytest.raises(ColumnNotFound, match='"city" is not a column of'):
        privaudit.scan(table, hierarchy={"city": file})
