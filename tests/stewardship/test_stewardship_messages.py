"""What is protected, missing or of the wrong kind is refused by a message that names it and what to do."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest

from privaudit.settings.config import Settings
from privaudit.stewardship.data_map import Place
from privaudit.stewardship.look import look_at
from tests.helpers.shop import Shop


@pytest.mark.parametrize("suffix", ["sqlite", "csv"])
def test_a_read_only_file_is_refused_at_the_dry_run(tmp_path, run, suffix):
    store = Shop(tmp_path, run, suffix)
    path = store.files[-1]
    path.chmod(0o444)
    before = path.read_bytes()
    done = store.subject("erase", "-o", "plan.json")
    assert done.returncode == 2 and "read-only" in done.stderr and "chmod u+w" in done.stderr
    assert not (tmp_path / "plan.json").exists()
    path.chmod(0o644)
    store.ok(store.subject("erase", "-o", "plan.json"))
    path.chmod(0o444)  # protected since the dry run
    done = store.subject("erase", "--apply", "plan.json", "-o", "certificate.json")
    assert done.returncode == 2 and "read-only" in done.stderr
    assert path.read_bytes() == before and path.stat().st_mode & 0o777 == 0o444


def test_what_is_missing_is_named_with_the_command_that_makes_it(tmp_path, run):
    store = Shop(tmp_path, run, "csv")
    store.ok(store.run("subject", "key", "register.key"))
    assert (tmp_path / "register.key").stat().st_mode & 0o777 == 0o600
    done = store.subject("erase", "--apply", "none.json", "-o", "certificate.json")
    assert "The plan none.json does not exist" in done.stderr and "dry run" in done.stderr
    done = store.subject("check", "--key", "register.key", "--register", "none.json")
    assert "The register none.json does not exist" in done.stderr and "--register FILE writes it" in done.stderr
    done = run("subject", "find", "--inventory", "none.toml", "--identifier", "who.txt")
    assert "The inventory none.toml does not exist" in done.stderr and "inventory build" in done.stderr
    done = run("joint", "keys", "customers.csv", "--plan", "none.toml", "--silo", "a", "-o", "a.keys")
    assert "The plan none.toml does not exist" in done.stderr


def test_a_column_without_an_entity_type_is_other_personal_data_in_the_record(tmp_path, run):
    store = Shop(tmp_path, run, "csv")
    store.edit('{name = "city", entity = "CITY"', '{name = "city"')
    store.ok(run("inventory", "record", "inventory.toml", "-o", "record.json"))
    rows = json.loads((tmp_path / "record.json").read_text())["processing"]
    categories = {row["store"]: row["categories of personal data"].split(", ") for row in rows}
    assert "other personal data" in categories["customers"] and "city" not in categories["customers"]


SCHEMA = (
    "CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT)",
    "CREATE TABLE visits (visit INTEGER, who INTEGER REFERENCES people(id), clerk INTEGER REFERENCES people)",
    "CREATE TABLE pairs (a INTEGER, b INTEGER, PRIMARY KEY (a, b))",
    "CREATE TABLE notes (a INTEGER, b INTEGER, FOREIGN KEY (a, b) REFERENCES pairs(a, b))",
)


@pytest.mark.parametrize("suffix", ["sqlite", "duckdb"])
def test_declared_foreign_keys_are_references_whatever_the_values(tmp_path, suffix):
    """Values that no rule would infer a reference from: 2 of 30 keys, under names that are not those of the keys."""
    path = tmp_path / f"clinic.{suffix}"
    rows = [("INSERT INTO people VALUES (?, ?)", [(i, f"x{i}@example.net") for i in range(30)])]
    rows += [("INSERT INTO visits VALUES (?, ?, ?)", [(i, 3 + i % 2, 5) for i in range(9)])]
    rows += [("INSERT INTO pairs VALUES (?, ?)", [(i, i) for i in range(9)])]
    rows += [("INSERT INTO notes VALUES (?, ?)", [(i, i) for i in range(9)])]
    connect = sqlite3.connect if suffix == "sqlite" else pytest.importorskip("duckdb").connect
    with closing(connect(str(path))) as file:
        for statement in SCHEMA:
            file.execute(statement)
        for statement, values in rows:
            file.executemany(statement, values)
        file.commit()
    found = look_at("clinic", str(path), Settings(ner=False))
    assert set(found.declared) == {
        (Place("clinic", "visits", column), Place("clinic", "people", "id")) for column in ("who", "clerk")
    }
