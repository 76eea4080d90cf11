"""The real tables next to the project are read correctly without any option."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from privaudit.settings.config import Settings
from privaudit.source import open_dataset

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
pytestmark = [pytest.mark.shared, pytest.mark.skipif(not DATA.is_dir(), reason="reference tables are not there")]
META: dict[str, Any] = (
    json.loads((DATA / "labels_meta.json").read_text(encoding="utf-8")) if DATA.is_dir() else {"none": {}}
)


@pytest.mark.parametrize("name", sorted(META))
def test_labelled_tables_open_right_without_a_flag(name):
    meta = META[name]
    with open_dataset(DATA / name, Settings()) as dataset:
        assert (dataset.n_rows, len(dataset.columns)) == (meta["rows"], meta["cols"])
        if not name.endswith(".csv"):
            return
        with (DATA / name).open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file, delimiter=meta["sep"]))
        if meta["header"]:
            header = rows.pop(0)
            assert all(a == b or not b for a, b in zip(dataset.columns, header, strict=True))
        else:
            assert dataset.columns[0] == "column_1"
        expected = [tuple(cell if cell.strip() else None for cell in row) for row in rows if row]
        found = dataset.rows(dataset.columns)
        assert list(zip(*(column.to_pylist() for column in found.columns), strict=True)) == expected


@pytest.mark.parametrize("path", sorted((DATA / "ugly/csv_spectrum/csvs").glob("*.csv")), ids=lambda p: p.stem)
def test_csv_spectrum(path):
    expected = json.loads((path.parents[1] / "json" / f"{path.stem}.json").read_text(encoding="utf-8"))
    expected = [expected] if isinstance(expected, dict) else expected
    with open_dataset(path, Settings()) as dataset:
        found = dataset.rows(dataset.columns).to_pylist()
    for row in (*expected, *found):
        row.pop("Contact Phone Number", None)  # the corpus itself contains two different numbers
    cleaned = [{key: value if value.strip() else None for key, value in row.items()} for row in expected]
    breaks = [{k: v and v.replace("\r\n", "\n") for k, v in row.items()} for row in found]
    assert breaks == [{k: v and v.replace("\r\n", "\n") for k, v in row.items()} for row in cleaned]


def test_naughty_strings_survive_every_text_format(tmp_path):
    strings = json.loads((DATA / "ugly/blns/blns.json").read_text(encoding="utf-8"))
    expected = [text if text.strip() else None for text in strings]
    with (tmp_path / "t.csv").open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([("id", "text"), *enumerate(strings)])
    (tmp_path / "t.jsonl").write_text(
        "".join(json.dumps({"id": i, "text": text}) + "\n" for i, text in enumerate(strings)), encoding="utf-8"
    )
    for file in ("t.csv", "t.jsonl"):
        with open_dataset(tmp_path / file, Settings()) as dataset:
            assert dataset.rows(["text"])["text"].to_pylist() == expected


@pytest.mark.parametrize("name", ["anjana/hierarchies", "arx/resources/us"])
def test_tables_without_a_header_get_none(name):
    for path in sorted((DATA / name).glob("*.csv")):
        with open_dataset(path, Settings()) as dataset:
            assert dataset.columns[0] == "column_1", path.name
