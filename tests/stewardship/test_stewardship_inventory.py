"""The data map names what stores hold, keeps what people decide, and finds what changed or is overdue."""

from __future__ import annotations

import csv
import datetime
import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.base.errors import ConfigError
from privaudit.stewardship import check, map_file
from privaudit.stewardship.data_map import Column, Controller, Inventory, Reference, Store, Table
from privaudit.stewardship.retention import days_before, parse_period
from tests.helpers import people_stores as people

OUTPUTS = ("csv", "html", "json", "md")
TEXT = st.text(max_size=20).filter(lambda text: "\x00" not in text and text.isprintable())


@given(TEXT, TEXT, st.booleans())
def test_a_map_that_is_written_and_read_is_the_same(owner, name, special):
    column = Column(name=f"c{name}", entity="EMAIL", contains=("PHONE",), role="direct", special=special)
    table = Table(name="t", rows=3, unit="person", keep="10 months", columns=(column, Column(name="other")))
    made = Inventory(
        controller=Controller(name=owner),
        store=(Store(name="s", source=f"{name}.csv", owner=owner, table=(table,)),),
        reference=(Reference(column="s/t/other", to=f"s/t/c{name}"),),
    )
    from privaudit.base.typed import convert

    assert convert(tomllib.loads(map_file.map_text(made)), Inventory) == made


def test_a_new_scan_keeps_what_people_decided(run, tmp_path):
    people.write(tmp_path, "csv")
    assert run("inventory", "build", "customers.csv", "--no-ner").returncode == 0
    path = tmp_path / "inventory.toml"
    text = path.read_text()
    for old, new in (
        ('owner = ""', 'owner = "Ada"'), ('purpose = ""', 'purpose = "selling"'), ('keep = ""', 'keep = "2 years"'),
        ('erase = "delete"', 'erase = "mask"'), ('several = ""', 'several = "keep"'),
        ('data_protection_officer = ""', 'data_protection_officer = "Bo"'),
    ):  # fmt: skip
        text = text.replace(old, new, 1)
    path.write_text(text)
    with (tmp_path / "customers.csv").open("a") as file:
        file.write("C9999,Peter Silva,peter.silva@mail.example.net,+49 30 5559999,Lyon\r\n")
    assert run("inventory", "build", "orders.csv", "--no-ner").returncode == 0
    found = map_file.read_map(path)
    assert [store.name for store in found.store] == ["customers", "orders"]
    store, table = found.store[0], found.store[0].table[0]
    assert (store.owner, store.purpose, table.keep, table.erase, table.several) == (
        "Ada", "selling", "2 years", "mask", "keep",
    )  # fmt: skip
    assert found.controller.data_protection_officer == "Bo"
    assert table.rows == people.N_CUSTOMERS + 1
    assert found.reference == (Reference(column="orders/customer_id", to="customers/customer_id"),)
    by_name = {column.name: column for column in table.columns}
    assert by_name["email"].entity == "EMAIL" and by_name["email"].identifies
    assert people.EMAIL not in path.read_text()


def test_new_personal_columns_vanished_tables_and_empty_fields_fail_the_gate(run, tmp_path):
    people.write(tmp_path, "csv")
    assert run("inventory", "build", "customers.csv", "orders.csv", "--no-ner").returncode == 0
    done = run("inventory", "check", "inventory.toml", "--no-ner")
    assert done.returncode == 1 and "owner and purpose are not filled in" in done.stdout
    path = tmp_path / "inventory.toml"
    path.write_text(path.read_text().replace('owner = ""', 'owner = "Ada"').replace('purpose = ""', 'purpose = "x"'))
    (tmp_path / "orders.csv").unlink()
    table = people.customers()
    table["iban"] = [f"DE89 3704 0044 0532 0130 {i:02}" for i in range(people.N_CUSTOMERS)]
    table["born"] = [f"19{50 + i % 40}-0{1 + i % 9}-1{i % 9}" for i in range(people.N_CUSTOMERS)]
    with (tmp_path / "customers.csv").open("w", newline="") as file:
        csv.writer(file).writerows([tuple(table), *people.rows_of(table)])
    done = run("inventory", "check", "inventory.toml", "--no-ner", "-o", "check.json", "-o", "check.html")
    assert done.returncode == 1
    assert "orders does not exist any more" in done.stdout and 'new column "born"' in done.stdout
    codes = [one["code"] for one in json.loads((tmp_path / "check.json").read_text())["problems"]]
    assert codes.count("inventory.store_vanished") == 1


def test_overdue_records_are_those_of_a_count_by_hand(run, tmp_path):
    people.write(tmp_path, "csv")
    today, before = datetime.date(2026, 11, 26), people.orders()["ordered_on"]
    assert run("inventory", "build", "orders.csv", "--no-ner").returncode == 0
    path = tmp_path / "inventory.toml"
    text = path.read_text()
    for old, new in (
        ('keep = ""', 'keep = "30 months"'), ('counted_from = ""', 'counted_from = "ordered_on"'),
        ('then = ""', 'then = "archive"'), ('archive = ""', 'archive = "5 years"'),
    ):  # fmt: skip
        text = text.replace(old, new)
    path.write_text(text)
    epoch = str(int(datetime.datetime(2026, 11, 26, 12, tzinfo=datetime.UTC).timestamp()))
    done = run("inventory", "check", "inventory.toml", "--no-ner", "-o", "c.json", SOURCE_DATE_EPOCH=epoch)
    (found,) = json.loads((tmp_path / "c.json").read_text())["retention"]
    archive, erase = datetime.date(2024, 5, 26), datetime.date(2019, 5, 26)
    days = [datetime.date.fromisoformat(str(day)) for day in before]
    assert found["n_to_erase"] == sum(day < erase for day in days) > 0
    assert found["n_to_archive"] == sum(erase <= day < archive for day in days) > 0
    assert found["oldest_days"] == (today - min(days)).days
    assert done.returncode == 1 and "should have been erased" in done.stdout
    path.write_text(text.replace('legal_hold = ""', 'legal_hold = "tax audit"'))
    held = run("inventory", "check", "inventory.toml", "--no-ner", SOURCE_DATE_EPOCH=epoch)
    assert "should have been erased" not in held.stdout and "tax audit" in held.stdout


def test_records_without_a_readable_date_make_the_check_incomplete(run, tmp_path):
    people.write(tmp_path, "csv")
    path = tmp_path / "orders.csv"
    path.write_text(path.read_text().replace("2015-01-10", "soon"))
    assert run("inventory", "build", "orders.csv", "--no-ner").returncode == 0
    text = (tmp_path / "inventory.toml").read_text()
    for old, new in (
        ('keep = ""', 'keep = "90 years"'), ('counted_from = ""', 'counted_from = "ordered_on"'),
        ('then = ""', 'then = "erase"'),
    ):  # fmt: skip
        text = text.replace(old, new)
    (tmp_path / "inventory.toml").write_text(text)
    done = run("inventory", "check", "inventory.toml", "--no-ner")
    assert done.returncode == 3 and "no readable date" in done.stdout
    assert "1 problem found, and 1 item could not be assessed." in done.stdout
    quiet = run("inventory", "check", "inventory.toml", "--no-ner", "-q")
    assert (quiet.returncode, quiet.stdout) == (3, "") and "E303" in quiet.stderr and "no readable date" in quiet.stderr


@given(st.dates(datetime.date(1900, 1, 1), datetime.date(2100, 1, 1)), st.integers(0, 400))
def test_months_before_a_day_are_calendar_months(today, months):
    found = days_before(today, f"{months} months")
    assert (today.year - found.year) * 12 + today.month - found.month == months
    assert found.day == today.day or (found.day < today.day and (found + datetime.timedelta(days=1)).day == 1)


@pytest.mark.parametrize("text", ["", "10", "months", "-1 days", "1.5 years", "10 moons", "99999 days"])
def test_a_text_that_is_not_a_period_is_refused(text):
    with pytest.raises(ConfigError, match="period of the inventory cannot be read"):
        parse_period(text)


def test_the_record_of_processing_has_a_row_for_each_table_and_no_formula(run, tmp_path):
    people.write(tmp_path, "sqlite")
    assert run("inventory", "build", "shop.sqlite", "--no-ner").returncode == 0
    path = tmp_path / "inventory.toml"
    path.write_text(path.read_text().replace('purpose = ""', 'purpose = "=cmd()"'))
    for _ in range(2):  # records of an earlier run are replaced
        done = run("inventory", "record", "inventory.toml", *(x for end in OUTPUTS for x in ("-o", f"r.{end}")))
        assert done.returncode == 0, done.stderr
    with (tmp_path / "r.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["table"] for row in rows] == ["customers", "orders"]
    assert rows[0]["purpose"] == "'=cmd()" and "e-mail addresses" in rows[0]["categories of personal data"]
    for name in ("r.csv", "r.html", "r.json", "r.md"):
        assert people.EMAIL not in (tmp_path / name).read_text()


def test_the_record_of_processing_names_a_file_that_has_no_tables(run, tmp_path):
    (tmp_path / "staff.csv").write_text("mail,age\n" + "".join(f"p{i}@example.org,{20 + i}\n" for i in range(30)))
    assert run("inventory", "build", "staff.csv", "--no-ner").returncode == 0
    assert run("inventory", "record", "inventory.toml", "-o", "r.json").returncode == 0
    (row,) = json.loads((tmp_path / "r.json").read_text())["processing"]
    assert (row["store"], row["table"]) == ("staff", "staff.csv")


def test_foreign_keys_that_a_database_declares_are_references(run, tmp_path):
    people.write(tmp_path, "sqlite")
    assert run("inventory", "build", "shop.sqlite", "--no-ner").returncode == 0
    found = map_file.read_map(tmp_path / "inventory.toml")
    assert found.reference == (Reference(column="shop/orders/customer_id", to="shop/customers/customer_id"),)
    assert [table.subject for table in found.store[0].table] == ["customer_id", "customer_id"]


def test_a_store_is_a_whole_file_however_it_is_named(run, tmp_path):
    people.write(tmp_path, "sqlite")
    (tmp_path / "maps").mkdir()
    for place in ("", "maps/"):
        assert run("inventory", "build", "sqlite:shop.sqlite", "--no-ner", "-o", f"{place}a.toml").returncode == 0
        assert run("inventory", "build", "shop.sqlite", "--no-ner", "-o", f"{place}b.toml").returncode == 0
        assert (tmp_path / f"{place}a.toml").read_text() == (tmp_path / f"{place}b.toml").read_text()
    for one_table in ("shop.sqlite#orders", "sqlite:shop.sqlite#orders"):
        refused = run("inventory", "build", one_table, "--no-ner", "-o", "c.toml")
        assert refused.returncode == 2 and "whole database or workbook" in refused.stderr
    assert not (tmp_path / "c.toml").exists()


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("version = 1\nsurprise = 2", "not an inventory"),
        ("[[store]]\nname = 'a'\nsource = 'x'\n[[store]]\nname = 'a'\nsource = 'y'", "same name"),
        ("[[reference]]\ncolumn = 'a/b'\nto = 'a/c'", "does not have"),
        ("[[unreachable]]\nwhat = 'logs'\nconfirmed = 'soon'", "not a date"),
    ],
)
def test_a_map_that_contradicts_itself_is_refused(run, tmp_path, text, cause):
    (tmp_path / "inventory.toml").write_text(text)
    done = run("inventory", "check", "inventory.toml")
    assert done.returncode == 2 and cause in done.stderr, done.stderr


def test_every_change_of_the_tables_and_columns_of_a_store_is_a_problem():
    def table(name, **columns):
        return Table(name=name, unit="person", columns=tuple(Column(name=n, role=r) for n, r in columns.items()))

    known = Store(name="crm", source="crm.db", table=(table("people", a="direct", b="quasi"), table("old", a="direct")))
    now = [table("people", a="quasi", c="direct", d="none"), table("new", a="direct"), table("codes", a="none")]
    found = check._changes(known, {each.name: each for each in now})
    changes = ["changed_column", "new_column", "column_vanished", "table_vanished", "new_table"]
    assert [one.code for one in found] == [f"inventory.{change}" for change in changes]


def test_a_column_refers_to_a_key_that_is_written_in_another_way(run, tmp_path):
    """Numbers with missing cells have a decimal point, addresses another case; a measurement is not a key."""
    people = [(4_000 + 7 * i, f"person{i}@example.org") for i in range(60)]
    visits = [("" if i % 9 == 0 else f"{4_000 + 7 * (i % 60)}.0", 20.5 + i % 7) for i in range(200)]
    tables = {
        "customers": [("customer_id", "email"), *people],
        "visits": [("customer_id", "weight"), *visits],
        "newsletter": [("email", "subscribed"), *((email.upper(), i % 2) for i, (_, email) in enumerate(people))],
    }
    for name, rows in tables.items():
        with (tmp_path / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows(rows)
    assert run("inventory", "build", *(f"{name}.csv" for name in tables), "--no-ner").returncode == 0
    found = {(each.column, each.to) for each in map_file.read_map(tmp_path / "inventory.toml").reference}
    assert ("visits/customer_id", "customers/customer_id") in found
    assert {("newsletter/email", "customers/email"), ("customers/email", "newsletter/email")} & found
    assert not any("weight" in end for pair in found for end in pair)
