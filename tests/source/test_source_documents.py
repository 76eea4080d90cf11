"""JSON documents are read as their records or refused, and binary files under the name of text by their content."""

from __future__ import annotations

import json
import random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from privaudit.base.errors import UnreadableSource
from privaudit.settings.config import Settings
from privaudit.source import open_dataset

R = random.Random(5)
ROWS = [{"age": R.randrange(90), "sex": R.choice("MF"), "zip": f"0{R.randrange(2000, 2900)}"} for _ in range(40)]
WRAPPED: dict[str, Any] = {
    "answer": {"data": ROWS},
    "envelope": {"meta": {"total": 40, "next": None}, "result": {"items": ROWS}, "links": []},
    "bundle": {"resourceType": "Bundle", "entry": [{"fullUrl": "urn:1", "resource": row} for row in ROWS]},
    "features": {
        "type": "FeatureCollection",
        "features": [{"type": "Feature", "geometry": {"type": "Point"}, "properties": row} for row in ROWS],
    },
    "columns": {key: [row[key] for row in ROWS] for key in ROWS[0]},
    "array": ROWS,
}


def read(path: Any) -> list[dict[str, Any]]:
    with open_dataset(path, Settings()) as dataset:
        return dataset.rows(list(ROWS[0])).to_pylist()  # type: ignore[no-any-return]


@pytest.mark.quick_cases(12)
@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("kind", WRAPPED)
def test_the_records_of_a_document_are_its_rows(tmp_path: Any, kind: str, indent: int | None) -> None:
    file = tmp_path / "t.json"
    file.write_text(json.dumps(WRAPPED[kind], indent=indent))
    assert read(file) == [{key: str(value) for key, value in row.items()} for row in ROWS]


@pytest.mark.parametrize("document", [{"a": 1}, {"a": {"b": "text"}}, {"people": ROWS, "orders": ROWS}, {"a": []}])
def test_an_object_that_is_not_a_table_is_refused(tmp_path: Any, document: Any) -> None:
    file = tmp_path / "t.json"
    file.write_text(json.dumps(document))
    with pytest.raises(UnreadableSource, match="is one object"):
        read(file)


def test_what_is_around_the_records_is_searched(tmp_path: Any) -> None:
    file = tmp_path / "t.json"
    file.write_text(json.dumps({"asked by": "ann.lee@example.org", "data": ROWS}))
    with open_dataset(file, Settings()) as dataset:
        assert [one.place for one in dataset.outside] == ["envelope"]
        assert "ann.lee@example.org" in dataset.outside[0].text


def test_lines_of_objects_stay_lines(tmp_path: Any) -> None:
    for name in ("t.json", "t.jsonl"):
        file = tmp_path / name
        file.write_text("\n".join(map(json.dumps, ROWS)))
        assert len(read(file)) == len(ROWS)


@pytest.mark.parametrize("name", ["t.csv", "t.txt", "t.json"])
def test_a_parquet_file_is_read_under_any_name(tmp_path: Any, name: str) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / name)
    assert len(read(tmp_path / name)) == len(ROWS)


def test_text_that_begins_like_a_signature_is_text(tmp_path: Any) -> None:
    file = tmp_path / "t.csv"
    lines = (f"{number},{row['age']},{row['sex']},{row['zip']}" for number, row in enumerate(ROWS))
    file.write_text("\n".join(["PAR1,age,sex,zip", *lines]))
    assert len(read(file)) == len(ROWS)


@pytest.mark.parametrize("sign", ["@", "^", "~"])
def test_a_rare_delimiter_that_cuts_every_record_is_found(tmp_path: Any, sign: str) -> None:
    file = tmp_path / "t.csv"
    lines = [sign.join(("item, name", row["sex"], str(row["age"]), row["zip"])) for row in ROWS]
    file.write_text("\n".join([sign.join(("item", "sex", "age", "zip")), *lines]))
    assert read(file) == [{key: str(value) for key, value in row.items()} for row in ROWS]


def test_addresses_in_one_column_are_not_cut(tmp_path: Any) -> None:
    file = tmp_path / "t.csv"
    file.write_text("email\n" + "\n".join(f"user{i}@example.org" for i in range(40)))
    with open_dataset(file, Settings()) as dataset:
        assert dataset.columns == ("email",) or list(dataset.columns) == ["email"]
