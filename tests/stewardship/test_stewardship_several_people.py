"""Tables that refer to several people: whose row it is, whom an identifier names, and what waits for a decision."""

from __future__ import annotations

import csv
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from privaudit.settings.config import Settings
from privaudit.stewardship import map_file
from privaudit.stewardship.build import build
from privaudit.stewardship.data_map import Place
from privaudit.stewardship.person import Reader, find
from tests.helpers.paths import third_party

N_CUSTOMERS, N_EMPLOYEES, N_ORDERS = 60, 6, 400
GIVEN = "Peter Maria Wanjiru Hassan Ingrid Paulo Chloe Dmitri Aisha Tomas".split()
FAMILY = "Schmidt Otieno Keller Rossi Novak Larsen Moreau Petrov Mensah Silva".split()


def _people(prefix: str, n: int, seed: int) -> list[tuple[str, str, str]]:
    rng = random.Random(seed)
    names = [(rng.choice(GIVEN), rng.choice(FAMILY)) for _ in range(n)]
    return [
        (f"{prefix}{100 + 7 * i}", f"{a} {b}", f"{a}.{b}.{prefix}{i}@example.net".lower())
        for i, (a, b) in enumerate(names)
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return customers with an adviser each, employees, and orders that name a customer and an employee by e-mail."""
    made, rng = tmp_path_factory.mktemp("several"), random.Random(8)
    customers, employees = _people("C", N_CUSTOMERS, 1), _people("E", N_EMPLOYEES, 2)
    tables: dict[str, list[tuple[Any, ...]]] = {
        "customers": [("customer_id", "name", "email", "adviser_id")],
        "employees": [("employee_id", "name", "email")],
        "orders": [("order_no", "customer_id", "employee_id", "ship_name", "employee_email", "amount")],
    }
    tables["customers"] += [(*person, employees[i % N_EMPLOYEES][0]) for i, person in enumerate(customers)]
    tables["employees"] += employees
    for i in range(N_ORDERS):
        who, clerk = rng.choice(customers), rng.choice(employees)
        tables["orders"].append((f"R-{90_000 + i}", who[0], clerk[0], who[1], clerk[2], rng.randrange(500)))
    for name, rows in tables.items():
        with (made / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows(rows)
    return made


@pytest.fixture(scope="module")
def inventory(folder) -> Path:
    path = folder / "inventory.toml"
    files = [str(folder / f"{name}.csv") for name in ("customers", "employees", "orders")]
    map_file.write_map(build(files, folder, None, Settings(ner=False)), path)
    return path


def _orders(folder: Path) -> list[dict[str, str]]:
    with (folder / "orders.csv").open() as file:
        return list(csv.DictReader(file))


def _reader(path: Path) -> Reader:
    return Reader(map_file.read_map(path), path.parent, Settings(ner=False))


def test_the_subject_of_a_row_is_the_person_whose_key_determines_its_personal_data(inventory):
    found = map_file.read_map(inventory)
    assert {store.name: table.subject for store, table in found.tables()} == {
        "customers": "customer_id", "employees": "employee_id", "orders": "customer_id",
    }  # fmt: skip


def test_an_e_mail_address_of_an_employee_in_the_rows_of_customers_names_the_employee(folder, inventory):
    """Employees are in orders of many customers; that does not make them many people."""
    path, rows = inventory, _orders(folder)
    text = path.read_text()
    reader = _reader(path)
    _, table = reader.inventory.find(Place("orders", "", "employee_email"))
    column = table.column("employee_email")
    assert column is not None and column.identifies, text
    who = _people("E", N_EMPLOYEES, 2)[2]
    found = find(who[2], reader)
    assert found.tables["employees", ""].rows == {2}
    orders = found.tables["orders", ""]
    assert not orders.rows
    assert orders.mentions["employee_id"] == {i for i, row in enumerate(rows) if row["employee_id"] == who[0]}
    assert found.tables["customers", ""].mentions["adviser_id"] == set(range(2, N_CUSTOMERS, N_EMPLOYEES))


def test_the_record_of_a_person_is_not_a_row_of_several_people(folder, inventory):
    who = _people("C", N_CUSTOMERS, 1)[11]
    found = find(who[2], _reader(inventory))
    assert found.tables["customers", ""].rows == {11} and not found.tables["customers", ""].several
    mine = {i for i, row in enumerate(_orders(folder)) if row["customer_id"] == who[0]}
    assert found.tables["orders", ""].rows == found.tables["orders", ""].several == mine


def test_without_a_subject_both_keys_are_walked_and_the_rows_wait_for_a_decision(folder, inventory, run, tmp_path):
    made = map_file.read_map(inventory)
    orders = made.store[2]
    path = folder / "open.toml"
    undecided = replace(orders, table=(replace(orders.table[0], subject=""),))
    map_file.write_map(replace(made, store=(*made.store[:2], undecided)), path)
    rows = _orders(folder)
    for prefix, n, column in (("C", N_CUSTOMERS, "customer_id"), ("E", N_EMPLOYEES, "employee_id")):
        who = _people(prefix, n, "CE".index(prefix) + 1)[3]
        found = find(who[2], _reader(path)).tables["orders", ""]
        assert not found.rows
        assert found.mentions[column] == {i for i, row in enumerate(rows) if row[column] == who[0]}
    (tmp_path / "who.txt").write_text(who[0])
    done = run("subject", "erase", "--inventory", path, "--identifier", "who.txt", "-o", "plan.json")
    assert done.returncode == 3
    tables = json.loads((tmp_path / "plan.json").read_text())["tables"]
    assert {table["store"]: table["n_undecided"] for table in tables}["orders"] == len(found.mentions["employee_id"])


def test_keys_of_two_tables_of_people_are_not_one_person(tmp_path, run):
    """5 as the key of a customer and 5 as that of an employee are two people; an e-mail address in both is one."""
    rng = random.Random(4)
    for name, n in (("client", 40), ("employee", 30)):
        people = [(i + 1, f"{rng.choice(GIVEN)} {rng.choice(FAMILY)}", f"x{i}@example.net") for i in range(n)]
        with (tmp_path / f"{name}s.csv").open("w", newline="") as file:
            csv.writer(file).writerows([(f"{name}_id", "name", "email"), *people])
        calls = [(1000 + i, rng.randrange(n) + 1, rng.randrange(90)) for i in range(200)]
        with (tmp_path / f"{name}_calls.csv").open("w", newline="") as file:
            csv.writer(file).writerows([("call_no", f"{name}_id", "minutes"), *calls])
    files = sorted(path.name for path in tmp_path.glob("*.csv"))
    assert run("inventory", "build", *files, "--no-ner").returncode == 0
    made = map_file.read_map(tmp_path / "inventory.toml")
    assert {store.name: table.subject for store, table in made.tables()} == {
        "clients": "client_id", "client_calls": "client_id", "employees": "employee_id",
        "employee_calls": "employee_id",
    }  # fmt: skip
    (tmp_path / "who.txt").write_text("5\n")
    who = ("--inventory", "inventory.toml", "--identifier", "who.txt")
    done = run("subject", "find", *who)
    assert done.returncode == 2 and "E231" in done.stderr, done.stdout
    (tmp_path / "who.txt").write_text("x4@example.net\n")
    done = run("subject", "find", *who, "-o", "found.json")
    assert done.returncode == 0, done.stderr
    counts = {one["store"]: one["rows"] for one in json.loads((tmp_path / "found.json").read_text())["rows"]}
    assert counts["clients"] == counts["employees"] == 1


@pytest.mark.slow
@pytest.mark.shared
def test_products_of_a_supplier_are_not_rows_of_a_person(tmp_path, run):
    names = ("Customers", "Employees", "Orders", "Products", "Suppliers")
    files = [str(third_party("northwind", f"{name}.csv")) for name in names]
    assert run("inventory", "build", *files, "--no-ner").returncode == 0
    found = map_file.read_map(tmp_path / "inventory.toml")
    assert {store.name: table.subject for store, table in found.tables()} == {
        "Customers": "CustomerID", "Employees": "EmployeeID", "Orders": "CustomerID", "Products": "",
        "Suppliers": "SupplierID",
    }  # fmt: skip
    contact = "Charlotte Cooper"
    person = find(contact, _reader(tmp_path / "inventory.toml"))
    assert person.tables["Suppliers", ""].rows == {0}
    products = person.tables["Products", ""]
    assert not products.rows and products.mentions["SupplierID"]


@pytest.mark.parametrize("number", ["{}", "{}.0"])
def test_numbers_of_two_tables_without_rows_below_are_not_one_person(tmp_path, run, number):
    for name, form in (("client", "{}"), ("employee", number)):
        people = [
            (form.format(i), f"{GIVEN[i % 10]} {FAMILY[i * 3 % 10]}", f"{name}{i}@example.net") for i in range(1, 41)
        ]
        with (tmp_path / f"{name}s.csv").open("w", newline="") as file:
            csv.writer(file).writerows([(f"{name}_id", "name", "email"), *people])
    assert run("inventory", "build", "clients.csv", "employees.csv", "--no-ner").returncode == 0
    for identifier, code in (("5", 2), ("client5@example.net", 0)):
        (tmp_path / "who.txt").write_text(f"{identifier}\n")
        done = run("subject", "find", "--inventory", "inventory.toml", "--identifier", "who.txt")
        assert done.returncode == code and ("E231" in done.stderr) is (code == 2), done.stdout + done.stderr
