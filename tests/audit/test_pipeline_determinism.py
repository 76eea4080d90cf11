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


def as_csv(rows, path):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def as_jsonl(rows, path):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def as_parquet(rows, path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist(rows), path)


def as_arrow(rows, path):
    import pyarrow as pa
    import pyarrow.feather as feather

    feather.write_feather(pa.Table.from_pylist(rows), str(path))


def as_xlsx(rows, path):
    openpyxl = pytest.importorskip("openpyxl", reason="the extra `excel` is not installed")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(list(rows[0]))
    for row in rows:
        sheet.append(list(row.values()))
    book.save(path)


@pytest.mark.slow  # test_every_way_in compares small tables of every format
def test_formats_give_the_same_evidence(run, fixtures, tmp_path):
    header, cells = people(fixtures, 600)
    rows = [{name: cell or None for name, cell in zip(header, row, strict=True)} for row in cells]
    evidence = {}
    for suffix, writer in {
        "csv": as_csv, "jsonl": as_jsonl, "parquet": as_parquet, "arrow": as_arrow, "xlsx": as_xlsx
    }.items():  # fmt: skip
        writer(rows, tmp_path / f"t.{suffix}")
        report = scan_json(run, f"t.{suffix}", tmp_path / f"{suffix}.json", "--no-ner")
        for key in ("name", "format", "path"):
            report["dataset"].pop(key)
        report.pop("command")
        evidence[suffix] = report
    for suffix, report in evidence.items():
        for key in ("dataset", "columns", "combinations", "risk", "findings", "advice"):
            assert report[key] == evidence["csv"][key], (suffix, key)
