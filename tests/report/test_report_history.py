"""The history shows each table in the order of its scans, and ignores what is not a report."""

from __future__ import annotations

import dataclasses
import json

import pytest

import privaudit
from privaudit import report
from privaudit.api import reports as api_reports
from privaudit.base.errors import ConfigError, UnreadableSource
from privaudit.report.pages import history
from tests.helpers.command import refusal, run_here


def _at(sample, day, **changes):
    return dataclasses.replace(sample.example(**changes), generated_at=f"{day}T00:00:00Z")


def test_rows_are_in_the_order_of_the_scans_and_have_the_numbers_of_the_reports(sample):
    later, earlier = _at(sample, "2026-03-01"), _at(sample, "2026-01-01", findings=())
    page = history.page([later, earlier])
    assert len(page.sections) == 1
    first, second = page.sections[0].rows
    assert (first[0], second[0]) == ("2026-01-01", "2026-03-01")
    assert first[3] == f"{earlier.risk.k_min:,}" and first[4] == f"{earlier.risk.n_unique:,}"
    assert sum(map(int, first[6:])) == 0
    assert sum(map(int, second[6:])) == sum(found.status == "open" for found in later.findings)
    assert {chart["id"] for chart in page.sections[0].charts} == {"trend-k", "trend-uniques", "trend-findings"}
    assert [row["generated_at"][:10] for row in history.record([later, earlier])] == ["2026-01-01", "2026-03-01"]


def test_tables_have_sections_of_their_own_and_a_single_report_no_trend(sample):
    one = _at(sample, "2026-01-01")
    other = dataclasses.replace(one, dataset=dataclasses.replace(one.dataset, name="<script>.csv"))
    page = history.page([one, other])
    assert len(page.sections) == 2 and not any(section.charts for section in page.sections)


def test_folders_are_read_and_other_files_ignored(sample, tmp_path):
    report.write(_at(sample, "2026-01-01"), tmp_path / "a.json")
    report.write(_at(sample, "2026-02-01"), tmp_path / "b.json")
    (tmp_path / "other.json").write_text('{"schema_version": "2"}')
    (tmp_path / "broken.json").write_text("{")
    found = api_reports.history([tmp_path])
    assert len(found.reports) == 2
    found.write(tmp_path / "history.html")
    found.write(tmp_path / "history.json")
    assert len(json.loads((tmp_path / "history.json").read_text())["rows"]) == 2
    assert "<svg" in (tmp_path / "history.html").read_text()
    with pytest.raises(UnreadableSource, match=r"other.json was changed after it was written"):
        api_reports.history([tmp_path / "other.json"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match=r"contain no saved report"):
        api_reports.history([tmp_path / "empty"])


def test_the_command_shows_the_history_and_writes_it(sample, tmp_path):
    for day in ("2026-01-01", "2026-02-01"):
        report.write(_at(sample, day), tmp_path / f"{day}.json")
    done = run_here(["history", ".", "-o", "history.html"], tmp_path, {})
    assert done.returncode == 0, done.stderr
    assert "2026-01-01" in done.stdout and "2026-02-01" in done.stdout
    assert "<svg" in (tmp_path / "history.html").read_text()
    assert "absent.json cannot be opened" in refusal(run_here(["history", "absent.json"], tmp_path, {}))
    assert len(privaudit.history([tmp_path]).reports) == 2


def test_reports_of_files_with_different_names_are_of_one_table_where_its_name_is_stated(sample, tmp_path):
    """A user states that the exports of two days are one table; otherwise they are two without a trend."""
    for day in ("2026-01-01", "2026-02-01"):
        one = _at(sample, day)
        one = dataclasses.replace(one, dataset=dataclasses.replace(one.dataset, name=f"export-{day}.csv"))
        report.write(one, tmp_path / f"{day}.json")
    assert "export-2026-01-01.csv" in privaudit.history([tmp_path]).text()
    together = privaudit.history([tmp_path], name="patients")
    page = history.page(together.reports)
    assert [len(section.rows) for section in page.sections] == [2] and page.sections[0].charts
    done = run_here(["history", ".", "--name", "patients"], tmp_path, {})
    assert done.returncode == 0, done.stderr
    assert "patients" in done.stdout and "export-2026" not in done.stdout
