"""One person is erased from tables of PostgreSQL: all rows or none, foreign keys and other people untouched.

Question: does an erasure on a server keep what it must keep, and remove what it must remove, from the pages too?
Method: a server of its own on the loopback interface, with customers and orders and a foreign key.
Limits: without PostgreSQL or its driver the tests are skipped, or fail under `make test-engines`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers import people_stores as people
from tests.helpers import services
from tests.helpers.people_stores import EMAIL, NAME, WHO
from tests.helpers.shop import ORDERS, expected

pytestmark = pytest.mark.slow
PASSWORD = {"PRIVAUDIT_TEST_PASSWORD": services.CANARY}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    pytest.importorskip("adbc_driver_postgresql", reason="the extra `postgres` is not installed")
    with services.postgres() as found:
        yield found


class Server:
    """A database with customers and orders, its map, and the commands."""

    def __init__(self, port: int, folder: Path, run) -> None:
        from adbc_driver_postgresql import dbapi

        self.folder, self.run = folder, run
        self.address = f"postgresql://auditor@127.0.0.1:{port}/postgres"
        with_password = self.address.replace("auditor@", f"auditor:{services.CANARY}@")
        self.connection = dbapi.connect(with_password, autocommit=True)
        self("DROP TABLE IF EXISTS orders", "DROP TABLE IF EXISTS customers", *people.SCHEMA)
        for name, make in people.TABLES.items():
            for row in people.rows_of(make()):
                self(f"INSERT INTO {name} VALUES ({', '.join(_literal(cell) for cell in row)})")
        (folder / "who.txt").write_text(EMAIL)
        done = self.command("inventory", "build", self.address, "--no-ner")
        assert done.returncode == 0, done.stderr

    def __call__(self, *statements: str) -> list[tuple[object, ...]]:
        cursor = self.connection.cursor()
        for statement in statements:
            cursor.execute(statement)
        found = cursor.fetchall() if statements[-1].startswith("SELECT") else []
        cursor.close()
        return found

    def command(self, *arguments: str):
        return self.run(*arguments, "--password-env", "PRIVAUDIT_TEST_PASSWORD", **PASSWORD)

    def erase(self):
        common = ("subject", "erase", "--inventory", "inventory.toml", "--identifier", "who.txt")
        planned = self.command(*common, "-o", "plan.json")
        assert planned.returncode in (0, 3), planned.stderr
        return self.command(*common, "--apply", "plan.json", "-o", "certificate.json")

    def edit(self, old: str, new: str, n: int = 1, after: str = "") -> None:
        path = self.folder / "inventory.toml"
        text = path.read_text()
        start = text.index(after)
        assert text.count(old, start) >= n
        path.write_text(text[:start] + text[start:].replace(old, new, n))

    def rows(self, table: str) -> list[tuple[str | None, ...]]:
        order = next(iter(people.TABLES[table]()))
        found = self(f"SELECT * FROM {table} ORDER BY {order}")
        return [tuple(None if cell is None else str(cell) for cell in row) for row in found]


def _literal(cell: object) -> str:
    return str(cell) if isinstance(cell, int) else "'" + str(cell).replace("'", "''") + "'"


@pytest.fixture
def server(port, tmp_path, run) -> Iterator[Server]:
    made = Server(port, tmp_path, run)
    yield made
    made.connection.close()


def _sorted(table: str, without: list[int]) -> list[tuple[str, ...]]:
    return sorted(expected(table, without))


def test_declared_foreign_keys_are_references_whatever_the_values(port, tmp_path, run):
    """Two of sixty keys, under another name: no rule would infer a reference from these values."""
    server = Server(port, tmp_path, run)
    first, second = map(str, people.customers()["customer_id"][:2])
    server(
        "CREATE TABLE visit (n INTEGER, who TEXT REFERENCES customers)",
        *(f"INSERT INTO visit VALUES ({i}, '{first if i % 2 else second}')" for i in range(6)),
    )
    try:
        done = server.command("inventory", "build", server.address, "--no-ner", "-o", "other.toml")
        assert done.returncode == 0, done.stderr
        text = (tmp_path / "other.toml").read_text()
    finally:
        server("DROP TABLE visit")
    for column in ("visit/who", "orders/customer_id"):
        assert f'column = "postgresql/public.{column}"\nto = "postgresql/public.customers/customer_id"' in text


def test_a_person_is_deleted_with_all_rows_below_and_nothing_else(server):
    before = server.rows("orders")
    dry = server.command(
        "subject", "erase", "--inventory", "inventory.toml", "--identifier", "who.txt", "-o", "plan.json"
    )
    assert dry.returncode == 0 and server.rows("orders") == before
    done = server.erase()
    assert done.returncode == 0, done.stderr
    assert server.rows("customers") == _sorted("customers", [WHO])
    assert server.rows("orders") == _sorted("orders", ORDERS)
    made = json.loads((server.folder / "certificate.json").read_text())
    assert made["complete"] and {t["table"]: t["n_deleted"] for t in made["tables"]} == {
        "public.customers": 1, "public.orders": 4,
    }  # fmt: skip
    for text in (done.stdout, done.stderr, json.dumps(made)):
        assert EMAIL not in text and services.CANARY not in text


def test_deleted_rows_are_not_in_the_pages_of_the_tables(server):
    assert server.erase().returncode == 0
    (path,) = server("SELECT pg_relation_filepath('customers')")[0]
    (folder,) = server("SELECT current_setting('data_directory')")[0]
    server("CHECKPOINT")
    held = Path(str(folder), str(path)).read_bytes()
    assert EMAIL.encode() not in held and NAME.encode() not in held


@pytest.mark.parametrize("strategy", ["mask", "pseudonymise"])
def test_masked_and_pseudonymised_rows_stay(server, strategy):
    server.edit('erase = "delete"', f'erase = "{strategy}"', n=2)
    if strategy == "pseudonymise":  # the foreign key forbids a token in one table before the other has it
        server("ALTER TABLE orders ALTER CONSTRAINT orders_customer_id_fkey DEFERRABLE INITIALLY DEFERRED")
    done = server.erase()
    assert done.returncode == 0, done.stderr
    assert len(server.rows("customers")) == people.N_CUSTOMERS and len(server.rows("orders")) == people.N_ORDERS
    assert not server(f"SELECT 1 FROM customers WHERE email = '{EMAIL}' OR name = '{NAME}'")
    if strategy == "pseudonymise":
        pairs = server("SELECT DISTINCT o.customer_id FROM orders o JOIN customers c USING (customer_id) WHERE "
                       "o.customer_id LIKE 'erased-%'")  # fmt: skip
        assert len(pairs) == 1


def test_rows_that_would_refer_to_nothing_roll_everything_back(server):
    server.edit('legal_hold = ""', 'legal_hold = "court case"', after='name = "public.orders"')
    before = server.rows("customers"), server.rows("orders")
    done = server.erase()
    assert done.returncode == 2 and "would refer to erased rows" in done.stderr, done.stderr
    assert (server.rows("customers"), server.rows("orders")) == before


def test_a_server_that_changed_since_the_dry_run_is_refused(server):
    common = ("subject", "erase", "--inventory", "inventory.toml", "--identifier", "who.txt")
    assert server.command(*common, "-o", "plan.json").returncode == 0
    key = people.customers()["customer_id"][WHO]
    server(f"INSERT INTO orders VALUES ('R-0', '{key}', '2026-01-01', 1)")
    done = server.command(*common, "--apply", "plan.json", "-o", "certificate.json")
    assert done.returncode == 2 and "not those of the dry run" in done.stderr
    assert len(server.rows("customers")) == people.N_CUSTOMERS
