"""What a folder stands for: each file is a table, unless the format of the folder or a statement makes files one."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from privaudit.source.files.several import Candidate, candidates
from privaudit.source.places.table_folders import hive_parts

ROW = "age,sex\n30,F\n"


def write(folder: Path, *names: str) -> list[str]:
    paths = [folder / name for name in names]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(ROW, encoding="utf-8")
    return list(map(str, paths))


def sources(*given: str | Path, parts: tuple[str, ...] = ()) -> list[str]:
    return [one.source for one in candidates(map(str, given), parts) if one.is_read]


def test_each_file_of_a_folder_and_of_a_pattern_is_a_table(tmp_path: Path) -> None:
    made = write(tmp_path, "a.csv", "b.csv", "deep/c.csv")
    write(tmp_path, ".git/x.csv", "_made/y.csv", "_z.csv")
    (tmp_path / "notes.md").write_text("x")
    (tmp_path / "package.json").write_text("{}")
    assert sources(tmp_path) == made
    assert sources(tmp_path / "*.csv", tmp_path / "deep") == made
    assert sources(tmp_path / "**/*.csv") == made
    assert sources(*made, made[0], os.path.relpath(made[0])) == made
    assert sources(tmp_path / "missing.csv") == [str(tmp_path / "missing.csv")]


@pytest.mark.parametrize("pattern", ["visits", "visits/", "visits/*.csv", "visits/**"])
def test_a_statement_makes_files_one_table_however_they_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path(), "people.csv", "visits/1.csv", "visits/2.csv")
    for given in (["."], ["people.csv", "visits"], ["people.csv", "visits/2.csv"], ["*.csv", "visits/?.csv"]):
        found = sources(*given, parts=(pattern,))
        assert sorted(map(os.path.normpath, found)) == sorted(["people.csv", os.path.normpath(pattern)]), given
    with open_dataset(pattern, Settings(parts=("./visits" if pattern == "visits" else pattern,))) as dataset:
        assert dataset.n_rows == 2 and len(dataset.parts) == 2


def test_a_hive_table_is_one_table_with_the_columns_of_its_folders(tmp_path: Path) -> None:
    root = tmp_path / "data" / "visits"
    files = write(
        root, "year=2020/city=Nai%20robi/0.csv", "year=2020/city=Mombasa/0.csv",
        "year=2021/city=__HIVE_DEFAULT_PARTITION__/0.csv",
    )  # fmt: skip
    other = write(tmp_path, "data/other.csv")
    (root / "_SUCCESS").touch()
    for given in (tmp_path, root, root / "year=2020", files[0], root / "*" / "*" / "*.csv"):
        (found,) = [one for one in candidates([str(given)]) if one.source not in other]
        assert found == Candidate(str(root), tuple(sorted(files))), given
    with open_dataset(root, Settings()) as dataset:
        assert dataset.columns == ("age", "sex", "year", "city")
        rows = dataset.rows(["year", "city"])
        found = zip(rows["year"].to_pylist(), rows["city"].to_pylist(), strict=True)
        assert sorted(found, key=str) == [("2020", "Mombasa"), ("2020", "Nai robi"), ("2021", None)]


def test_a_hive_table_of_parquet_keeps_a_column_that_its_files_have(tmp_path: Path) -> None:
    for year in (2020, 2021):
        folder = tmp_path / f"year={year}"
        folder.mkdir()
        pq.write_table(pa.table({"age": [year - 1990], "year": [year]}), folder / "0.parquet")
    with open_dataset(tmp_path, Settings()) as dataset:
        assert dataset.columns == ("age", "year")
        assert sorted(dataset.rows(["year"])["year"].to_pylist()) == ["2020", "2021"]


STRAYS = ["a.csv", "plain/a.csv", "year=2020/month=1/a.csv", "month=1/a.csv", "year=2020/a.jsonl"]


@pytest.mark.parametrize("stray", STRAYS)
def test_a_folder_with_any_other_table_is_not_a_hive_table(tmp_path: Path, stray: str) -> None:
    write(tmp_path, "year=2020/0.csv", "year=2021/0.csv")
    assert hive_parts(tmp_path)
    write(tmp_path, stray)
    assert not hive_parts(tmp_path)
    assert len(candidates([str(tmp_path)])) == 3


def test_delta_and_iceberg_folders_are_one_table(tmp_path: Path) -> None:
    delta, iceberg = tmp_path / "d", tmp_path / "i"
    files = write(delta, "part-0.csv", "part-1.csv", "x=1/part-2.csv")
    (delta / "_delta_log").mkdir()
    files += write(iceberg, "data/0.csv", "data/1.csv")
    (iceberg / "metadata").mkdir()
    (iceberg / "metadata" / "00001-a.metadata.json").write_text("{}")
    assert sources(tmp_path) == [str(delta), str(iceberg)]
    assert {sources(file)[0] for file in files} == {str(delta), str(iceberg)}


def test_the_newest_metadata_of_an_iceberg_table_are_read(tmp_path: Path) -> None:
    from privaudit.source.places.folder_formats import iceberg_metadata

    (tmp_path / "metadata").mkdir()
    for name in ("v9.metadata.json", "v10.metadata.json", "00002-b.metadata.json", "snap-1.avro"):
        (tmp_path / "metadata" / name).touch()
    assert iceberg_metadata(tmp_path) == tmp_path / "metadata" / "v10.metadata.json"
    assert iceberg_metadata(tmp_path / "metadata") is None


def test_a_folder_of_a_store_with_several_files_is_one_table_by_its_format_or_by_a_statement() -> None:
    from privaudit.base.errors import UnreadableSource
    from privaudit.source.places.addresses import address_of
    from privaudit.source.servers.stored import _require_one_table

    address = address_of("s3://bucket/visits")
    assert address is not None
    plain, keyed = ["visits/0.parquet", "visits/1.parquet"], ["visits/y=1/0.parquet", "visits/y=2/0.parquet"]
    for files in (plain, [*keyed, "visits/0.parquet"]):
        with pytest.raises(UnreadableSource, match="each is a table"):
            _require_one_table(address, "visits", files, Settings())
        _require_one_table(address, "visits", files, Settings(parts=("s3://bucket/visits",)))
    for files in (plain[:1], keyed):
        _require_one_table(address, "visits", files, Settings())
