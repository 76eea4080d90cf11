"""What cannot be read is stated, never omitted: a folder without permission, a part that does not exist, binary files.

Tests may run as root, who may list every folder, so the call of the system is replaced by one that refuses.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow.feather import write_feather
from pyarrow.orc import write_table
from pyarrow.parquet import write_table as write_parquet

from privaudit.api.collection import scan_many
from privaudit.api.scans import scan
from privaudit.base.errors import ScanIncomplete, UnreadableSource
from privaudit.source.files.readers.reading import damaged
from privaudit.source.files.several import Candidate, candidates
from privaudit.source.places.location import locate
from privaudit.source.places.table_folders import files_of_group
from tests.helpers.workbooks import ods_row, write_ods

CELLS = "age,sex\n" + "30,F\n40,M\n" * 20


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a table, and with a folder that may not be listed."""
    for name in ("open", "closed"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.csv").write_text(CELLS)
    listed = os.scandir

    def scandir(path: Any) -> Any:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    return tmp_path


def test_a_folder_without_permission_is_a_candidate_that_is_not_read(closed: Path) -> None:
    unread = Candidate(str(closed / "closed"), is_read=False)
    assert candidates([str(closed)]) == (unread, Candidate(str(closed / "open" / "t.csv")))
    assert candidates([str(closed / "closed")]) == (unread,)
    assert candidates([str(closed)], ignore=(str(closed / "closed"),)) == (Candidate(str(closed / "open" / "t.csv")),)


def test_a_scan_with_a_folder_without_permission_is_incomplete(closed: Path) -> None:
    found = {one.name: one.error for one in scan_many(closed, ner=False)}
    assert isinstance(found["closed"], ScanIncomplete) and "cannot be listed" in str(found["closed"])
    assert found["t.csv"] is None


def test_a_table_of_parts_is_not_read_without_some_of_them(closed: Path) -> None:
    with pytest.raises(UnreadableSource, match="The folder closed cannot be listed"):
        files_of_group(str(closed))


def test_a_name_of_a_table_that_is_not_one_states_why(run: Any, closed: Path) -> None:
    table = closed / "open" / "t.csv"
    for source, reason in ((f"{table}#sheet", "t.csv is one table"), ("", "The name of the table is empty")):
        done = run("scan", source, "--no-config")
        assert done.returncode == 2 and reason in done.stderr


def test_binary_content_is_not_a_question_of_encoding(run: Any, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"a,b\n1,\xff\xfe\x00\n" * 40)
    done = run("scan", tmp_path / "t.csv", "--no-config")
    assert done.returncode == 2 and "binary file" in done.stderr


def test_an_inventory_states_which_file_of_a_folder_it_cannot_read(run: Any, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "t.csv").write_text(CELLS)
    (tmp_path / "data" / "old.zip").write_bytes(b"PK")
    done = run("inventory", "build", tmp_path / "data", "-o", tmp_path / "map.toml")
    assert done.returncode == 2 and "old.zip may hold data and is not read" in done.stderr


@pytest.mark.parametrize("empty", ["empty", "x*.csv"])
def test_a_folder_or_pattern_without_a_table_next_to_a_table_does_not_pass(
    run: Any, tmp_path: Path, empty: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "t.csv").write_text(CELLS)
    arguments = (tmp_path / "t.csv", "--quasi", "none", "--no-config", "--brief")
    assert run("scan", *arguments).returncode == 0
    done = run("scan", tmp_path / empty, *arguments)
    assert done.returncode == 3 and f"{empty} contains no table file" in done.stdout


def test_a_file_without_permission_is_not_called_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.csv").write_text(CELLS)
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "t.csv" and allowed(path, mode))
    with pytest.raises(UnreadableSource, match=r"t\.csv may not be read"):
        scan(tmp_path / "t.csv")


@pytest.mark.parametrize("name", ["t.parquet", "t.feather", "t.orc", "t.ods"])
def test_a_file_that_ends_too_early_is_called_incomplete(tmp_path: Path, name: str) -> None:
    table = pa.table({"age": list(range(200)), "sex": ["F", "M"] * 100})
    file = tmp_path / name
    if name == "t.ods":
        write_ods(file, "".join(ods_row([str(row["age"]), row["sex"]]) for row in table.to_pylist()))
    else:
        {"t.parquet": write_parquet, "t.feather": write_feather, "t.orc": write_table}[name](table, file)
    whole = file.read_bytes()
    assert "damaged" in damaged(locate(file)).message  # nothing is missing
    for n_missing in (len(whole) // 2, 30):
        file.write_bytes(whole[:-n_missing])
        with pytest.raises(UnreadableSource, match=f"The end of {name} is missing"):
            scan(file, ner=False)


def test_a_workbook_with_a_password_is_called_so(tmp_path: Path) -> None:
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    for stream, reason in (("EncryptedPackage", "is protected by a password"), ("Workbook", "is damaged")):
        (tmp_path / "t.xlsx").write_bytes(head + bytes(2000) + stream.encode("utf-16-le") + bytes(500))
        with pytest.raises(UnreadableSource, match=reason):
            scan(tmp_path / "t.xlsx")
