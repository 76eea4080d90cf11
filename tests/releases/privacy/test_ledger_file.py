"""The file of a ledger has the stated form, is read whole, and what is wrong with it is stated with what to do."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
from pathlib import Path

import pytest

from privaudit.base.errors import LedgerError
from privaudit.releases.privacy import ledger_file

HEAD, ENTRY = {"schema": ledger_file.SCHEMA, "of": "Zoë"}, {"entry": 1, "paid": [0.5, None]}


def by_hand(text: str, previous: str) -> str:
    """Return a line as the module states its form: the hash of the hash before and the text up to its own hash."""
    digest = hashlib.sha256(f"{previous}\n{text}".encode()).hexdigest()
    return f'{text},"hash":"{digest}"}}'


def chain(*contents: dict) -> bytes:
    lines, previous = [], ledger_file.START
    for content in contents:
        lines.append(ledger_file.line_of(content, previous))
        previous = json.loads(lines[-1])["hash"]
    return "".join(line + "\n" for line in lines).encode()


def stated(path: Path, content: bytes) -> str:
    with pytest.raises(LedgerError) as refused:
        list(ledger_file.lines(path, content))
    return str(refused.value)


def test_a_line_is_short_json_in_ascii_with_the_hash_of_the_line_before():
    head = ledger_file.line_of(HEAD, ledger_file.START)
    assert head == by_hand(r'{"schema":"privaudit ledger 1","of":"Zo\u00eb"', "0" * 64)
    hashed = json.loads(head)["hash"]
    assert ledger_file.line_of(ENTRY, hashed) == by_hand('{"entry":1,"paid":[0.5,null]', hashed)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_json_does_not_have_is_not_written(number):
    """Another reader of the file would refuse the whole ledger."""
    with pytest.raises(ValueError, match="JSON"):
        ledger_file.line_of({"epsilon": number}, ledger_file.START)


def test_a_new_ledger_is_its_head_and_readable_by_its_owner_alone(tmp_path: Path):
    path = tmp_path / "people.ledger"
    ledger_file.create(path, HEAD)
    assert path.read_bytes() == chain(HEAD) and path.stat().st_mode & 0o777 == 0o600
    with ledger_file.locked(path) as file:
        file.append(ledger_file.line_of(ENTRY, json.loads(path.read_bytes())["hash"]))
        assert file.read() == path.read_bytes() == chain(HEAD, ENTRY)
    found = [
        {key: value for key, value in line.items() if key != "hash"}
        for line in ledger_file.lines(path, chain(HEAD, ENTRY))
    ]
    assert found == [HEAD, ENTRY]


def test_what_is_wrong_with_a_ledger_is_stated_with_what_to_do(tmp_path: Path):
    path = tmp_path / "people.ledger"
    good = chain(HEAD, ENTRY)
    cut = "Hint: the file was cut; restore it from a copy that holds every entry of the certificates"
    assert stated(path, b"") == stated(path, good[:-1]) == f"people.ledger ends inside an entry. {cut}"
    assert stated(path, b"a,b\n") == "people.ledger is not a ledger. Hint: privaudit ledger new FILE makes one"
    head, entry = good.splitlines(keepends=True)
    for number, content in ((1, entry + head), (2, head + head), (2, head + entry.replace(b"0.5", b"0.4"))):
        assert stated(path, content) == (
            f"Line {number} of people.ledger does not fit the chain of hashes. "
            "Hint: the file was edited or damaged, or is not a ledger of privaudit"
        )


def test_a_ledger_that_cannot_be_made_is_stated_with_what_to_do(tmp_path: Path):
    path = tmp_path / "people.ledger"
    path.write_text("kept")
    for place, shown in (
        (path, "people.ledger exists; a ledger is never replaced. Hint: name another file"),
        (tmp_path / "none" / "a.ledger", "a.ledger cannot be written. Hint: check that the folder is writable"),
        (tmp_path / "a\0.ledger", "cannot be written. Hint: check that the folder is writable"),
    ):
        with pytest.raises(LedgerError) as refused:
            ledger_file.create(place, HEAD)
        assert str(refused.value).endswith(shown), refused.value
    assert path.read_text() == "kept"
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LedgerError, match="link exists"):
        ledger_file.create(tmp_path / "link", HEAD)
    assert not (tmp_path / "elsewhere").exists()


def test_a_full_disk_leaves_a_ledger_as_it_was_and_no_half_of_a_new_one(tmp_path: Path, monkeypatch):
    path, written = tmp_path / "people.ledger", os.write
    ledger_file.create(path, HEAD)
    for fault in ("half", "error"):

        def full(handle: int, content: bytes, fault: str = fault) -> int:
            if fault == "error":
                raise OSError(errno.ENOSPC, "full")
            return written(handle, content[:9])

        with monkeypatch.context() as patch:
            patch.setattr(ledger_file.os, "write", full)
            with pytest.raises(LedgerError) as refused, ledger_file.locked(path) as file:
                file.append(ledger_file.line_of(ENTRY, "0" * 64))
            with pytest.raises(LedgerError):
                ledger_file.create(tmp_path / "other.ledger", HEAD)
        assert str(refused.value) == (
            "people.ledger cannot be written; nothing was answered. Hint: check that the disk has space"
        )
        assert path.read_bytes() == chain(HEAD) and [*tmp_path.iterdir()] == [path]


def test_an_entry_and_the_name_of_a_new_ledger_are_flushed_to_the_disk(tmp_path: Path, monkeypatch):
    """After a loss of power, an answer without its entry would be free, and a second ledger would start at 0."""
    flushed, flush = [], os.fsync

    def note(handle: int) -> None:
        flushed.append(os.fstat(handle).st_ino)
        flush(handle)

    monkeypatch.setattr(ledger_file.os, "fsync", note)
    path = tmp_path / "people.ledger"
    ledger_file.create(path, HEAD)
    assert flushed == [path.stat().st_ino, tmp_path.stat().st_ino]
    with ledger_file.locked(path) as file:
        file.append("{}")
    assert flushed[2:] == [path.stat().st_ino]


def test_a_ledger_is_read_whole_and_one_above_a_gigabyte_is_not_read(tmp_path: Path):
    path = tmp_path / "people.ledger"
    content = bytes(range(256)) * 10_000
    path.write_bytes(content)
    with ledger_file.locked(path, writing=False) as file:
        assert file.read() == file.read() == content
    os.truncate(path, 1024**3 + 1)
    with ledger_file.locked(path, writing=False) as file, pytest.raises(LedgerError) as refused:
        file.read()
    assert str(refused.value) == "people.ledger is larger than 1 GB. Hint: this is not a ledger"


def test_a_ledger_that_cannot_be_opened_is_stated_with_what_to_do(tmp_path: Path):
    (tmp_path / "pipe").mkdir()
    for place, writing, shown in (
        (
            tmp_path / "none",
            True,
            "The ledger none does not exist or cannot be opened. Hint: create one: privaudit ledger new",
        ),
        (tmp_path / "pipe", False, "pipe is not a ledger. Hint: privaudit ledger new FILE makes one"),
    ):
        with pytest.raises(LedgerError, match=f"^{re.escape(shown)}"), ledger_file.locked(place, writing=writing):
            pass
