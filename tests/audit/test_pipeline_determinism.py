"""The same table gives the same report: twice, with rows shuffled, with one thread or two, from any format."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import pytest

TIMELESS = ("generated_at", "timings")
# Rows of the table of people, and options: a part without the language model, or all of it.
PART = pytest.param(150, ("--no-ner",), id="part")
WHOLE = pytest.param(None, (), id="whole", marks=pytest.mark.slow)


def scan_json(run, source: Path, out: Path, *more: str, **environment: str) -> dict:
    result = run("scan", source, "-o", out, *more, **environment)
    assert result.returncode in (0, 1), result.stderr
    report = json.loads(out.read_text())
    for key in TIMELESS:
        report.pop(key)
    return report


def people(fixtures: Path, n_rows: int | None) -> tuple[list[str], list[list[str]]]:
    """Return the header and the first rows of the table of people."""
    with (fixtures / "people.csv").open(newline="") as file:
        header, *rows = list(csv.reader(file))
    return header, rows[:n_rows]


@pytest.mark.parametrize(("n_rows", "options"), [PART, WHOLE])
@pytest.mark.slow
def test_threads_and_hash_seed_change_nothing(run_in_new_process, fixtures, tmp_path, n_rows, options):
    header, rows = people(fixtures, n_rows)
    source = tmp_path / "people.csv"
    with source.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    reports = [
        scan_json(
            run_in_new_process, source, tmp_path / f"{i}.json", "--threads", threads, *options, PYTHONHASHSEED=seed
        )
        for i, (threads, seed) in enumerate([("1", "1"), ("2", "2")])
    ]
    assert reports[0] == reports[1]


@pytest.mark.slow
def test_same_bytes_with_a_fixed_date(run, fixtures, tmp_path):
    source = fixtures / "machines.csv"
    for name in ("a", "b"):
        outputs = [word for s in ("html", "md") for word in ("-o", tmp_path / f"{name}.{s}")]
        run("scan", source, "--no-ner", *outputs, SOURCE_DATE_EPOCH="1700000000")
    for suffix in ("html", "md"):
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(("n_rows", "options"), [PART, WHOLE])
def test_the_order_of_rows_changes_nothing(run, fixtures, tmp_path, n_rows, options):
    header, rows = people(fixtures, n_rows)
    reports = []
    for turn in range(2):
        random.Random(turn).shuffle(rows)
        with (tmp_path / "people.csv").open("w", newline="") as file:
            csv.writer(file).writerows([header, *rows])
        reports.append(scan_json(run, "people.csv", tmp_path / f"{turn}.json", *options))
    assert reports[0] == reports[1]
