"""One person is found, exported and erased in every format, and nobody else loses a cell."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest

from tests.helpers import people_stores as people
from tests.helpers.command import refusal
from tests.helpers.people_stores import EMAIL, FORMATS, N_CUSTOMERS, NAME, WHO, customers
from tests.helpers.shop import ORDERS, Shop, expected


def contents(path: Path) -> bytes:
    """Return every byte of a file in lower case, parts of a workbook and compressed text unpacked as well."""
    raw = path.read_bytes()
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as parts:
            raw += b"".join(parts.read(name) for name in parts.namelist())
    if path.suffix == ".zst":
        with pa.CompressedInputStream(pa.BufferReader(raw), "zstd") as stream:
            raw += stream.read()
    return (raw + gzip.decompress(raw) if path.suffix == ".gz" else raw).lower()


@pytest.fixture
def shop(tmp_path, run):
    return lambda suffix: Shop(tmp_path, run, suffix)


@pytest.mark.quick_cases(3)
@pytest.mark.parametrize("suffix", FORMATS)
def test_a_person_is_erased_from_every_byte_and_everyone_else_keeps_every_cell(shop, suffix):
    store = shop(suffix)
    assert any(EMAIL.encode() in contents(path) for path in store.files)
    modes = [path.stat().st_mode for path in store.files]
    done = store.erase()
    assert done.returncode == 0, done.stderr
    assert "Wrote certificate.json, the certificate" in done.stderr
    for path in store.files:
        held = contents(path)
        for value in (EMAIL, NAME):
            for encoding in ("utf-8", "utf-16-le"):
                assert value.lower().encode(encoding) not in held, path.name
    assert store.rows("customers") == expected("customers", [WHO])
    assert store.rows("orders") == expected("orders", ORDERS)
    assert [path.stat().st_mode for path in store.files] == modes
    left = {path.name for path in store.folder.iterdir()} - {path.name for path in store.files}
    assert left == {"inventory.toml", "who.txt", "plan.json", "certificate.json"}
    for name in ("plan.json", "certificate.json"):
        text = (store.folder / name).read_text().lower()
        assert EMAIL not in text and NAME.lower() not in text and "c1119" not in text
        assert (store.folder / name).stat().st_mode & 0o777 == 0o600
    assert EMAIL not in (done.stdout + done.stderr).lower()


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("strategy", ["mask", "pseudonymise"])
@pytest.mark.parametrize("suffix", FORMATS)
def test_masked_and_pseudonymised_rows_stay_without_the_person(shop, suffix, strategy):
    store = shop(suffix)
    store.edit('erase = "delete"', f'erase = "{strategy}"', n=2)
    done = store.erase()
    assert done.returncode == 0, done.stderr
    customers, orders = store.rows("customers"), store.rows("orders")
    assert [row for i, row in enumerate(customers) if i != WHO] == expected("customers", [WHO])
    assert [row for i, row in enumerate(orders) if i not in ORDERS] == expected("orders", ORDERS)
    changed = customers[WHO]
    assert NAME not in changed and EMAIL not in changed
    if strategy == "pseudonymise":
        # The rows of the person still belong together, under a key that nobody knows.
        assert {orders[i][1] for i in ORDERS} == {changed[0]} and changed[0].startswith("erased-")
    else:
        assert changed[1:4] == (None, None, None)


@pytest.mark.parametrize("strategy", ["mask", "pseudonymise"])
def test_identifiers_that_rows_refer_to_do_not_stay(tmp_path, run, strategy):
    """Two tables of the same people refer to each other by number, e-mail address and telephone number."""
    store = Shop(tmp_path, run, "sqlite")
    with closing(sqlite3.connect(store.files[0])) as file:
        file.execute("CREATE TABLE members (id INTEGER PRIMARY KEY, email TEXT, phone TEXT, name TEXT)")
        file.execute("INSERT INTO members SELECT rowid, email, phone, name FROM customers")
        file.commit()
    store.ok(run("inventory", "build", "--no-ner", "-o", "inventory.toml"))
    assert 'to = "shop/members/email"' in store.map()
    store.edit('erase = "delete"', f'erase = "{strategy}"', n=3)
    store.ok(store.erase())
    held = contents(store.files[0])
    assert EMAIL.encode() not in held and NAME.lower().encode() not in held
    assert str(customers()["phone"][WHO]).encode() not in held


def test_find_counts_and_export_lists_the_rows(shop):
    store = shop("sqlite")
    found = store.subject("find", "-o", "found.json")
    store.ok(found)
    counts = {one["table"]: one["rows"] for one in json.loads((store.folder / "found.json").read_text())["rows"]}
    assert counts == {"customers": 1, "orders": 4}
    assert EMAIL not in (found.stdout + found.stderr + (store.folder / "found.json").read_text()).lower()
    for _ in range(2):  # an older export may be replaced, another file may not
        store.ok(store.subject("export", "-o", "me.json"))
        store.ok(store.subject("export", "-o", "me.csv"))
    (store.folder / "mine.json").write_text("{}")
    assert "shows that privaudit wrote it" in refusal(store.subject("export", "-o", "mine.json"))
    assert "shop.sqlite" in refusal(store.subject("export", "-o", "shop.sqlite"))
    store.ok(store.subject("export", "-o", "me.csv"))
    assert (store.folder / "me.json").stat().st_mode & 0o777 == 0o600
    tables = {one["table"]: one["records"] for one in json.loads((store.folder / "me.json").read_text())["tables"]}
    assert tables["customers"][0]["email"] == EMAIL and len(tables["orders"]) == 4
    with (store.folder / "me.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert {line["value"] for line in lines if line["field"] == "name"} == {NAME}


def test_an_export_names_what_the_map_must_state_for_it(shop):
    store = shop("csv")
    stated = "does not state: controller, purpose, recipients and keep"
    assert stated in store.subject("export", "-o", "me.json").stderr
    path = store.folder / "inventory.toml"
    path.write_text(path.read_text().replace('recipients = ""', 'recipients = "a bank"'))
    assert "does not state: controller, purpose and keep" in store.subject("export", "-o", "me.json").stderr


def test_an_identifier_of_two_people_is_refused(shop):
    store = shop("csv")
    path = store.files[0]
    path.write_text(path.read_text().replace(str(people.customers()["email"][3]), EMAIL))
    for command, more in (("find", ()), ("export", ("-o", "me.json")), ("erase", ("-o", "plan.json"))):
        done = store.subject(command, *more)
        assert done.returncode == 2 and "E231" in done.stderr and "2 people" in done.stderr, done.stderr
        assert EMAIL not in done.stderr


def test_a_store_a_map_or_a_person_that_changed_since_the_dry_run_is_refused(shop):
    store = shop("csv")
    assert store.subject("erase", "-o", "plan.json").returncode == 0
    apply = ("--apply", "plan.json", "-o", "certificate.json")
    before = [path.read_bytes() for path in store.files]
    store.who(people.customers()["email"][4])
    done = store.subject("erase", *apply)
    assert done.returncode == 2 and "not those of the dry run" in done.stderr
    store.who(EMAIL)
    store.edit('owner = ""', 'owner = "x"')
    assert "inventory changed" in store.subject("erase", *apply).stderr
    store.edit('owner = "x"', 'owner = ""')
    with store.files[1].open("a") as file:
        file.write("R-1,C1000,2020-01-01,5\r\n")
    done = store.subject("erase", *apply)
    assert done.returncode == 2 and "E232" in done.stderr and "orders changed since" in done.stderr
    assert store.files[0].read_bytes() == before[0]


def test_the_identifier_is_never_an_argument_and_no_error_repeats_it(run, tmp_path):
    (tmp_path / "inventory.toml").write_text("version = 1\n")
    done = run("subject", "find", "--inventory", "inventory.toml", "--identifier", EMAIL)
    assert done.returncode == 2 and EMAIL not in done.stderr + done.stdout


def test_a_legal_hold_keeps_rows_and_the_certificate_states_them(shop):
    store = shop("csv")
    store.edit('legal_hold = ""', 'legal_hold = "court case"', after='name = "orders"')
    quiet = store.subject("erase", "-o", "plan.json", "-q")
    assert (quiet.returncode, quiet.stdout) == (3, "") and "E303" in quiet.stderr and "would stay" in quiet.stderr
    done = store.erase()
    assert done.returncode == 3, done.stderr
    assert store.rows("orders") == expected("orders", [])
    made = json.loads((store.folder / "certificate.json").read_text())
    assert [table["n_held"] for table in made["tables"]] == [0, 4] and not made["complete"]


@pytest.mark.slow
def test_rows_that_name_several_people_wait_for_a_decision(shop):
    store = shop("csv")
    messages = store.folder / "messages.csv"
    ids = list(map(str, people.customers()["customer_id"]))
    rows = [(f"M{i}", ids[i % 60], ids[(i * 7 + 3) % 60]) for i in range(120)]
    with messages.open("w", newline="") as file:
        csv.writer(file).writerows([("message", "customer_id", "recipient_id"), *rows])
    store.ok(store.run("inventory", "build", "messages.csv", "--no-ner", "-q"))
    assert store.map().count('column = "messages/') == 2
    done = store.erase()
    assert done.returncode == 3 and "several people" in done.stdout
    assert len(messages.read_text().splitlines()) == 121
    store.edit('several = ""', 'several = "mask"', n=3)
    store.who(people.customers()["email"][WHO + 1])
    done = store.erase()
    assert done.returncode == 0, done.stdout + done.stderr
    with messages.open() as file:
        after = list(csv.reader(file))[1:]
    other = ids[WHO + 1]
    assert len(after) == 120
    for (_, old_from, old_to), (_, new_from, new_to) in zip(rows, after, strict=True):
        assert new_from == ("" if old_from == other else old_from)
        assert new_to == ("" if old_to == other else old_to)


@pytest.mark.slow
def test_texts_that_mention_the_person_are_listed(shop):
    store = shop("csv")
    notes = [f"Call went well, the parcel arrived after {i} days and the customer was content." for i in range(40)]
    notes[7] = f"The customer asked us to write to {EMAIL} about the delivery next week."
    with (store.folder / "notes.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("note_no", "note"), *((f"N{i}", note) for i, note in enumerate(notes))])
    store.ok(store.run("inventory", "build", "notes.csv", "--no-ner", "-q"))
    done = store.erase()
    assert done.returncode == 3 and "hold an identifier of the person" in done.stdout
    made = json.loads((store.folder / "certificate.json").read_text())
    assert {one["store"]: one["n_in_texts"] for one in made["tables"]}["notes"] == 1


def test_people_who_come_back_with_a_backup_are_reported(shop):
    store = shop("csv")
    backup = [(path, path.read_bytes()) for path in store.files]
    store.ok(store.run("joint", "key", "new", "register.key"))
    register = ("--key", "register.key", "--register", "register.json")
    store.ok(store.erase(*register))
    text = (store.folder / "register.json").read_text()
    assert EMAIL not in text.lower() and (store.folder / "register.json").stat().st_mode & 0o777 == 0o600
    assert store.subject("check", *register).returncode == 0
    for path, content in backup:
        path.write_bytes(content)
    done = store.subject("check", *register)
    assert done.returncode == 1 and "1 person in 4 rows" in done.stdout
    store.run("joint", "key", "new", "other.key")
    assert store.subject("check", "--key", "other.key", "--register", "register.json").returncode == 0


@pytest.mark.parametrize("suffix", ["csv", "sqlite"])
def test_the_certificate_has_the_digest_of_each_new_file(shop, suffix):
    store = shop(suffix)
    if suffix == "sqlite":
        with closing(sqlite3.connect(store.files[0])) as file:
            file.execute("PRAGMA journal_mode = wal")
    store.ok(store.erase())
    certified = json.loads((store.folder / "certificate.json").read_text(encoding="utf-8"))["stores"]
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in store.files]
    assert [one["sha256"] for one in certified] == digests
    if suffix == "sqlite":
        with closing(sqlite3.connect(store.files[0])) as file:
            assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_the_log_of_a_duckdb_file_is_erased_with_it(shop):
    """As after a crash: the latest rows are in a log next to the file."""
    import duckdb

    store = shop("duckdb")
    path = store.files[0]
    rows = expected("orders", ORDERS)
    with duckdb.connect(str(path)) as file:
        file.execute("PRAGMA disable_checkpoint_on_shutdown")
        file.execute("INSERT INTO orders VALUES ('R-1', ?, '2026-01-01', 1)", [customers()["customer_id"][WHO]])
        file.execute("INSERT INTO orders VALUES ('R-2', ?, '2026-01-01', 1)", [rows[0][1]])
    assert path.with_name(f"{path.name}.wal").stat().st_size
    store.ok(store.erase())
    assert store.rows("orders") == [*rows, ("R-2", rows[0][1], "2026-01-01", "1")]
    assert [file.name for file in store.folder.glob("shop.duckdb*")] == [path.name]


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_pages_of_earlier_deletions_and_write_ahead_logs_are_gone(shop, mode):
    store = shop("sqlite")
    path = store.files[0]
    log = path.with_name(f"{path.name}-wal")
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA secure_delete = OFF")
        file.execute(f"PRAGMA journal_mode = {mode}")
        file.execute("CREATE TABLE old AS SELECT * FROM customers")
        file.commit()
        file.execute("DROP TABLE old")  # its pages are free, and keep the rows
        file.commit()
        if mode == "wal":
            assert log.stat().st_size
            shutil.copy(path, store.folder / "copy")
            shutil.copy(log, store.folder / "copy-wal")
    if mode == "wal":  # as after a crash: the log is not yet in the file
        (store.folder / "copy").replace(path)
        (store.folder / "copy-wal").replace(log)
    done = store.erase()
    assert done.returncode == 0, done.stderr
    for left in store.folder.glob("shop.sqlite*"):
        assert EMAIL.encode() not in left.read_bytes().lower(), left.name
    assert store.rows("customers") == expected("customers", [WHO])
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA journal_mode").fetchone() == (mode,)
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_table_that_the_map_does_not_name_stops_every_command_until_the_map_is_renewed(shop):
    store = shop("sqlite")
    path = store.files[0]
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE visits AS SELECT customer_id, 'flu' AS diagnosis FROM customers")
        file.commit()
    before = path.read_bytes()
    for command, *more in (("find",), ("export", "-o", "answer.json"), ("erase", "-o", "plan.json")):
        assert "a table or a column that the inventory does not list" in refusal(store.subject(command, *more))
    store.ok(store.run("inventory", "build", "--no-ner", "-o", "inventory.toml"))
    assert path.read_bytes() == before
    store.ok(store.erase())
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT count(*) FROM visits").fetchone() == (N_CUSTOMERS - 1,)


def test_a_column_that_the_map_does_not_name_stops_the_erasure(shop):
    store = shop("csv")
    path = store.folder / "orders.csv"
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([f"{head},courier", *(f"{row},Tomas" for row in rows)]) + "\n", encoding="utf-8")
    assert "a table or a column that the inventory does not list" in refusal(store.subject("erase", "-o", "plan.json"))


def test_what_stops_an_erasure_stops_its_dry_run_and_changes_nothing(shop):
    store = shop("sqlite")
    path = store.files[0]
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA journal_mode = wal")
        # No table holds the value, and the text of the view does.
        file.execute(f"CREATE VIEW one AS SELECT * FROM orders WHERE customer_id <> '{EMAIL}'")
        file.commit()
    before = path.read_bytes()
    planned = store.subject("erase", "-o", "plan.json")
    assert planned.returncode == 3 and "still holds values of the person" in planned.stderr
    assert path.read_bytes() == before
    assert {file.name for file in store.folder.iterdir()} == {path.name, "inventory.toml", "who.txt"}


def test_rows_that_would_refer_to_nothing_stop_the_erasure(shop):
    store = shop("sqlite")
    store.edit('legal_hold = ""', 'legal_hold = "court case"', after='name = "orders"')
    before = store.files[0].read_bytes()
    assert "would refer to erased rows" in refusal(store.subject("erase", "-o", "plan.json"))
    assert store.files[0].read_bytes() == before
