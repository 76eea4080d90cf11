"""The page on performance, its picture and the benchmark agree, and simulated counts are those of the written table."""

from __future__ import annotations

import importlib
import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.helpers.paths import ROOT

PAGE = ROOT / "docs" / "performance.md"


@pytest.fixture
def scaling(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module("risk_scaling")


def risk_stage():
    """Return the part of the page about the risk stage."""
    return PAGE.read_text(encoding="utf-8").partition("## The risk stage")[2].partition("\n## ")[0]


def points_of_the_page():
    rows = re.findall(r"^\| (1[0,]+) \|[^|]+\| ([^|]+) \|[^|]+\| ([^|]+) \|", risk_stage(), re.M)
    numbers = [(float(n.replace(",", "")), file, float(counts)) for n, file, counts in rows]
    return [(n, float(file)) for n, file, _ in numbers if file != "–"], [(n, counts) for n, _, counts in numbers]


def test_the_picture_shows_the_numbers_of_the_table(scaling):
    by_file, by_counts = points_of_the_page()
    assert [n for n, _ in by_counts] == list(scaling.FROM_COUNTS)
    assert scaling.PICTURE.read_text(encoding="utf-8") == scaling.picture(by_file, by_counts)


def test_the_page_states_the_slopes_of_the_table(scaling):
    stated = re.findall(r"Slope ([0-9.]+)", risk_stage())
    assert stated == [f"{scaling.slope(points):.2f}" for points in points_of_the_page()]


def test_drawn_counts_are_those_of_the_written_rows(scaling, monkeypatch, tmp_path):
    monkeypatch.setattr("risk_stage.BLOCK", 200)
    base, names = scaling.base_codes(None), list(scaling.NAMES)
    scaling.write(tmp_path / "A.parquet", "A", 3_000, base)
    drawn = scaling.CountedTable(3_000, base).distinct([f"c{i}" for i in range(8)])
    written = pq.read_table(tmp_path / "A.parquet").group_by(names).aggregate([([], "count_all")])

    def rows(table: pa.Table) -> list:
        return sorted(zip(*(column.to_pylist() for column in table.columns), strict=True))

    assert rows(drawn) == rows(written)


def test_counts_of_parts_are_added(scaling):
    parts = [(np.array([1, 4]), np.array([2, 1])), (np.array([0, 4]), np.array([5, 3]))]
    keys, counts = scaling.merged(parts)
    assert (keys.tolist(), counts.tolist()) == ([0, 1, 4], [5, 2, 4])


@pytest.fixture
def speed(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module("speed")


def test_the_page_shows_the_costs_that_were_measured_last(speed):
    text = PAGE.read_text(encoding="utf-8")
    assert speed.page(text) == text
    assert set(speed.kept()) == set(speed.TABLES)
    assert all({"privaudit", "DuckDB", "pandas", "Presidio"} <= set(costs) for costs in speed.kept().values())


def test_the_page_shows_the_commands_that_were_measured_last(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    costs = importlib.import_module("costs")
    text = PAGE.read_text(encoding="utf-8")
    assert costs.page(text) == text
    assert list(costs.kept()) == [work.title for work in costs.works(adult=ROOT)]


def test_a_ratio_that_falls_by_more_than_a_fifth_is_named(speed):
    before = {"1 x 1": {"privaudit": 1.0, "DuckDB": 0.5, "pandas": 2.0}}
    assert speed.fallen({"1 x 1": {"privaudit": 1.2, "DuckDB": 0.5, "pandas": 2.0}}, before) == []
    # The whole machine is twice as slow: no ratio fell.
    assert speed.fallen({"1 x 1": {"privaudit": 2.0, "DuckDB": 1.0, "pandas": 4.0}}, before) == []
    slower = speed.fallen({"1 x 1": {"privaudit": 1.3, "DuckDB": 0.5, "pandas": 2.0}}, before)
    assert [one.split(":")[0] for one in slower] == ["1 x 1, DuckDB", "1 x 1, pandas"]
    # A tool that was not measured before is not compared.
    assert speed.fallen({"1 x 1": {"privaudit": 9.0, "ydata-profiling": 0.1}}, before) == []


@pytest.fixture
def large(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module("large")


def test_the_page_and_the_picture_show_the_scans_that_were_measured_last(large):
    text, found = PAGE.read_text(encoding="utf-8"), large.kept()
    assert large.page(text, found) == text
    assert set(found) == {"files", "postgres", "spark"} and set(map(int, found["files"])) == set(large.FILES)
    assert large.PICTURE.read_text(encoding="utf-8") == large.picture(found["files"])
    slopes = [f"{large.slope(points):.2f}" for points in large.points(found["files"])]
    assert re.findall(r"slopes? of ([0-9.]+) for the processor and ([0-9.]+) for the memory", text) == [tuple(slopes)]
