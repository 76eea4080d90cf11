"""No written file holds anything of what was removed: every byte is searched, raw and unpacked."""

from __future__ import annotations

import contextlib
import datetime
import sqlite3
import zipfile

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import privaudit
from privaudit.releases.output import SUFFIXES, target_of

CANARY = "Zyxwvuts"
PLAN = """version = 1
[[step]]
technique = "drop"
column = "name"
[[step]]
technique = "merge_rare"
column = "town"
below = 5
[[step]]
technique = "suppress_records"
classes_over = ["sex"]
below = 5
"""
FORMATS = (".csv", ".tsv", ".parquet", ".arrow", ".xlsx", ".sqlite", ".duckdb")


def frame():
    n = 60
    towns = [f"{CANARY}town" if i < 2 else "Rareville" if i < 4 else "Kisumu" for i in range(n)]
    return pd.DataFrame(
        {
            "name": [f"{CANARY}name{i}" for i in range(n)],
            "town": pd.Categorical(towns, categories=[f"{CANARY}category", *dict.fromkeys(towns)]),
            "sex": [f"{CANARY}sex" if i == 7 else "fm"[i % 2] for i in range(n)],
            "born": [datetime.date(1950 + i % 20, 1, 1) for i in range(n)],
            "height": [float("nan") if i == 5 else -0.0 if i == 6 else 150.5 + i % 9 for i in range(n)],
            "visits": range(n),
            "member": [i % 3 == 0 for i in range(n)],
        },
        index=pd.Index([f"{CANARY}index{i}" for i in range(n)], name=None),
    )


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A Parquet file with pandas metadata, an index column, a dictionary and statistics that hold the canary."""
    folder = tmp_path_factory.mktemp("source")
    path = folder / "people.parquet"
    table = frame().reset_index(drop=True)
    table.attrs = {"note": f"{CANARY}attrs"}
    schema_metadata = {"note": f"{CANARY}metadata"}
    made = pa.Table.from_pandas(table)
    made = made.replace_schema_metadata({**(made.schema.metadata or {}), **schema_metadata})
    pq.write_table(made, path)
    assert CANARY.encode() in path.read_bytes()
    (folder / "plan.toml").write_text(PLAN)
    return path


@pytest.fixture(scope="module", params=FORMATS)
def written(request, source, tmp_path_factory):
    target = tmp_path_factory.mktemp("safer") / f"safer{request.param}"
    made = privaudit.remedy(
        source, plan=source.with_name("plan.toml"), output=target, ner=False, framework=(), quasi=("sex",)
    )
    return target, made


def unpacked(path):
    """Yield the raw bytes of a file and everything that can be unpacked from it."""
    raw = path.read_bytes()
    yield raw
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as book:
            yield from (book.read(part) for part in book.namelist())
    at = raw.find(b"\x28\xb5\x2f\xfd")
    while at >= 0:
        with contextlib.suppress(OSError):
            yield pa.CompressedInputStream(pa.BufferReader(raw[at:]), "zstd").read()
        at = raw.find(b"\x28\xb5\x2f\xfd", at + 1)


def readers(path):
    """Yield the table as each library reads it."""
    import polars

    if path.suffix in (".csv", ".tsv"):
        separator = "\t" if path.suffix == ".tsv" else ","
        yield pd.read_csv(path, sep=separator)
        yield polars.read_csv(path, separator=separator).to_pandas()
        yield duckdb.read_csv(str(path)).df()
    elif path.suffix == ".parquet":
        yield pd.read_parquet(path)
        yield polars.read_parquet(path).to_pandas()
        yield duckdb.read_parquet(str(path)).df()
    elif path.suffix == ".arrow":
        yield pd.read_feather(path)
        yield polars.read_ipc(path).to_pandas()
    elif path.suffix == ".xlsx":
        yield pd.read_excel(path, engine="openpyxl")
        yield pd.read_excel(path, engine="calamine")
    elif path.suffix == ".sqlite":
        with sqlite3.connect(path) as connection:
            yield pd.read_sql("SELECT * FROM data", connection)
    else:
        with duckdb.connect(str(path), read_only=True) as connection:
            yield connection.execute("SELECT * FROM data").df()


def test_what_was_removed_is_not_in_the_file(written):
    path, _ = written
    found = list(unpacked(path))
    for content in found:
        assert CANARY.encode() not in content
        assert CANARY.encode("utf-16-le") not in content
    assert b"Kisumu" in b"".join(found), "the search finds what is there"


def test_every_reader_gets_the_remedied_rows(written):
    path, made = written
    expected = made.arrow.num_rows
    for table in readers(path):
        assert list(table.columns) == ["town", "sex", "born", "height", "visits", "member"]
        assert len(table) == expected == 59
        assert set(table["town"]) == {"Kisumu", "other"}
        assert sorted(table["visits"].astype(int)) == [i for i in range(60) if i != 7]


def test_the_file_has_the_same_values_in_every_format(written):
    path, made = written
    again = privaudit.scan(path, ner=False, framework=(), quasi=("sex",))
    assert again.dataset.fingerprint == made.after.dataset.fingerprint
    assert again.risk.k_min == made.after.risk.k_min == 29


@pytest.mark.slow
def test_types_are_those_of_the_source(source, tmp_path):
    target = tmp_path / "safer.parquet"
    privaudit.remedy(source, plan=source.with_name("plan.toml"), output=target, ner=False, framework=(), quasi=("sex",))
    before, after = pq.read_schema(source), pq.read_schema(target)
    for name in ("born", "height", "visits", "member"):
        assert after.field(name).type == before.field(name).type
    assert after.metadata is None and all(field.metadata is None for field in after)


def test_a_workbook_has_one_visible_sheet_no_author_and_constant_times(source, tmp_path):
    import openpyxl

    targets = [tmp_path / name for name in ("first.xlsx", "second.xlsx")]
    for target in targets:
        privaudit.remedy(
            source,
            reports=False,
            plan=source.with_name("plan.toml"),
            output=target,
            ner=False,
            framework=(),
            quasi=("sex",),
        )
    assert targets[0].read_bytes() == targets[1].read_bytes()
    book = openpyxl.load_workbook(targets[0])
    assert book.properties.creator == "privaudit" and book.properties.lastModifiedBy is None
    assert [sheet.sheet_state for sheet in book.worksheets] == ["visible"]


def test_text_that_looks_like_a_formula_stays_text(tmp_path):
    import openpyxl

    target = tmp_path / "safer.xlsx"
    source = pd.DataFrame({"a": ["=1+1", "b\x07ell", "007"], "n": [10**17, 2, 3]})
    privaudit.remedy(
        source, reports=False, output=target, ner=False, framework=(), quasi=("none",), plan=_empty(tmp_path)
    )
    cells = list(openpyxl.load_workbook(target).active.iter_rows(min_row=2))
    assert sorted(cell.value for cell, _ in cells) == ["007", "=1+1", "b�ell"]
    assert {cell.data_type for cell, _ in cells} == {"s"}
    assert {str(cell.value) for _, cell in cells} == {str(10**17), "2", "3"}


def _empty(folder):
    file = folder / "empty.toml"
    file.write_text("version = 1\n")
    return file


def test_every_suffix_names_one_format():
    assert {target_of(f"safer{suffix}").output.name for suffix in SUFFIXES} >= {"csv", "parquet", "duckdb"}
    assert target_of("safer.xlsx#2024").part == "2024"
    with pytest.raises(privaudit.PrivauditError, match="has no suffix of a table that can be written"):
        target_of("safer.txt.zip")
