"""Tables that arrive without a suffix: on standard input, by content, by option; and arrays of JSON objects."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from privaudit.base.errors import PrivauditError, ScanIncomplete, UnreadableSource, UnsupportedFormat
from privaudit.settings.config import Settings
from privaudit.source import open_dataset

ROWS = [{"age": i % 7, "town": f"Town {i % 3}"} for i in range(30)]
CSV = "age,town\n" + "".join(f"{row['age']},{row['town']}\n" for row in ROWS)


def contents() -> dict[str, bytes]:
    table = pa.Table.from_pylist(ROWS)
    parquet, arrow = io.BytesIO(), io.BytesIO()
    pyarrow.parquet.write_table(table, parquet)
    pyarrow.feather.write_feather(table, arrow)
    return {
        "csv": CSV.encode(),
        "utf-16": CSV.encode("utf-16"),
        "gzip": gzip.compress(CSV.encode()),
        "jsonl": "".join(json.dumps(row) + "\n" for row in ROWS).encode(),
        "json": json.dumps(ROWS, indent=1).encode(),
        "parquet": parquet.getvalue(),
        "arrow": arrow.getvalue(),
    }


def shape(source: object, **settings: object) -> tuple[int, tuple[str, ...]]:
    with open_dataset(source, Settings(**settings)) as table:  # type: ignore[arg-type]
        return table.n_rows, tuple(table.columns)


class Piped:
    def __init__(self, content: bytes) -> None:
        self.buffer = io.BytesIO(content)
        self.buffer.isatty = lambda: False  # type: ignore[method-assign]


@pytest.mark.parametrize("format", list(contents()))
def test_a_file_without_a_suffix_is_read_as_its_content_shows(tmp_path: Path, format: str) -> None:
    file = tmp_path / "table"
    file.write_bytes(contents()[format])
    assert shape(file) == (30, ("age", "town"))


@pytest.mark.parametrize("format", list(contents()))
def test_standard_input_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str) -> None:
    monkeypatch.setattr(sys, "stdin", Piped(contents()[format]))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert shape("-") == (30, ("age", "town"))
    assert not list(tmp_path.iterdir())


def test_empty_standard_input_is_incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Piped(b""))
    with pytest.raises(ScanIncomplete, match="holds no rows: it is empty"):
        shape("-")


def test_closed_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UnreadableSource, match="Nothing arrives on standard input"):
        shape("-")


def test_standard_input_larger_than_the_memory_is_incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Piped(CSV.encode() * 10))
    with pytest.raises(ScanIncomplete, match="larger"):
        shape("-", memory="1KB")


def test_the_option_overrides_the_suffix(tmp_path: Path) -> None:
    file = tmp_path / "table.dat"
    file.write_text(CSV)
    with pytest.raises(UnsupportedFormat, match=r"suffix of table.dat is not known"):
        shape(file)
    assert shape(file, input_format="csv") == (30, ("age", "town"))


def test_an_array_of_objects_is_the_same_table_as_lines(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps([{"a": 1}, {"b": [2, {"c": 3}]}, {}]))
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n{"b": [2, {"c": 3}]}\n{}\n')
    tables = []
    for name in ("a.json", "a.jsonl"):
        with open_dataset(tmp_path / name, Settings()) as table:
            tables.append([table.frequencies(column) for column in table.columns])
    first, second = (re.sub("0x[0-9a-f]+", "", str(found)) for found in tables)
    assert first == second


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1, 2]", "Element 1"),
        ('[{"a": 1}, null]', "Element 2"),
        ('[{"a": 1, "a": 2}]', "repeats a key"),
        ('[{"a": NaN}]', "not valid JSON"),
        ("[" * 50_000, "not valid JSON"),
        ('[{"a": 1}', "not valid JSON"),
        ('[{"a": "\\ud800"}]', "not valid JSON"),
        ("3", "Line 1"),
    ],
)
def test_other_json_is_refused_without_its_content(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(UnreadableSource, match=message):
        shape(tmp_path / "a.json")


@pytest.mark.parametrize("text", ["[]", "[{}]", ""])
def test_json_without_rows_is_incomplete(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(ScanIncomplete, match=r"a.json holds no rows"):
        shape(tmp_path / "a.json")


def test_elements_that_are_not_objects_are_counted_with_bad_rows_skip(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[{"a": 1}, 2, {"a": 3}]')
    with open_dataset(tmp_path / "a.json", Settings(bad_rows="skip")) as table:
        assert table.n_rows == 2
        assert any(limit.code == "source.bad_lines" for limit in table.limits)


def test_a_json_file_in_a_folder_is_not_a_part_of_the_table(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(CSV)
    (tmp_path / "package.json").write_text("{}")
    assert shape(tmp_path)[0] == 30


def test_any_other_file_without_a_suffix_is_refused_or_reported(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 40)
    with pytest.raises(PrivauditError, match="holds NUL bytes as UTF-16 or a binary file does"):
        shape(tmp_path / "binary")
