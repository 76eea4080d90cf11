"""Rows of a person along references, texts, exports and what an erasure verifies: by loops over rows in memory."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from privaudit.base.errors import AmbiguousSubject
from privaudit.settings.config import Settings
from privaudit.stewardship.changes import Change, TablePlan, Token
from privaudit.stewardship.data_map import Column, Inventory, Place, Reference, Store, Table, Unreachable
from privaudit.stewardship.erase import ErasePlan, _expected, _is_equal, _values
from privaudit.stewardship.erasure import _certificate, _page, _with_open_lines
from privaudit.stewardship.export import _content
from privaudit.stewardship.look import KeyValues, _of_sqlite, _refers
from privaudit.stewardship.person import LEAST_TRACE, Reader, find
from privaudit.stewardship.traces import byte_patterns, searchable


class InMemory(Reader):
    """Reads columns of a dictionary of tables."""

    def __init__(self, inventory, tables):
        super().__init__(inventory, Path(), Settings())
        self.tables = tables

    def column(self, place):
        return self.tables[place.store][place.column]

    def check_listed(self):
        pass


def store(name, columns, *, unit, subject="", identifies=(), **options):
    made = tuple(
        Column(
            name=one,
            identifies=one in identifies,
            role="direct" if one in identifies else "none",
            **options.get(one, {}),
        )
        for one in columns
    )
    return Store(name=name, source=f"{name}.csv", table=(Table(unit=unit, subject=subject, columns=made),))


def shop(seed):
    """Return customers, their orders, lines of orders, parts of lines, calls that name two customers, and notes."""
    random = np.random.default_rng(seed)
    ids = [f"C{100 + i}" for i in range(8)]
    names = [f"Person Number{i}" for i in range(8)]
    tables = {
        "customers": {"customer_id": ids, "email": [f"p{i}@example.org" for i in range(8)], "name": names},
        "orders": {"order_no": [f"R-{i}" for i in range(20)], "customer_id": random.choice(ids, 20).tolist()},
        "lines": {"line_no": [f"L-{i}" for i in range(40)], "order_no": [f"R-{i}" for i in random.integers(0, 20, 40)]},
        "parts": {"part": [f"x{i}" for i in range(60)], "line_no": [f"L-{i}" for i in random.integers(0, 40, 60)]},
        "calls": {
            "customer_id": random.choice(ids, 300).tolist(),
            "about_id": random.choice([*ids, None], 300).tolist(),
        },
        "notes": {
            "text": [f"spoke with {names[i]}" if i < 8 else None for i in random.integers(0, 12, 25)],
            "memo": [f"see p{i}@example.org" if i < 8 else "-" for i in random.integers(0, 12, 25)],
            "code": [f"p{i}@example.org" for i in random.integers(0, 8, 25)],
        },
    }  # fmt: skip
    inventory = Inventory(
        store=(
            store("customers", tables["customers"], unit="person", subject="customer_id", identifies=("email", "name")),
            store("orders", tables["orders"], unit="event", subject="customer_id"),
            store("lines", tables["lines"], unit="event"),
            store("parts", tables["parts"], unit="event"),
            store("calls", tables["calls"], unit="event", subject="customer_id"),
            store("notes", tables["notes"], unit="event", text={"entity": "FREE_TEXT"}, memo={"contains": ("EMAIL",)}),
        ),
        reference=tuple(
            Reference(column=column, to=to)
            for column, to in (
                ("orders/customer_id", "customers/customer_id"),
                ("lines/order_no", "orders/order_no"),
                ("parts/line_no", "lines/line_no"),
                ("calls/customer_id", "customers/customer_id"),
                ("calls/about_id", "customers/customer_id"),
            )
        ),
    )
    return InMemory(inventory, tables)


def rows_where(table, column, wanted):
    return {i for i, value in enumerate(table[column]) if value in wanted}


SEEDS = range(6)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("written", [str, str.upper, lambda text: f" {text} "])
def test_the_rows_of_a_person_are_all_that_references_lead_to(seed, written):
    reader, who = shop(seed), 3
    tables = reader.tables
    person = find(written(f"p{who}@example.org"), reader)
    expected = {"customers": {who}, "orders": rows_where(tables["orders"], "customer_id", {f"C{100 + who}"})}
    numbers = {tables["orders"]["order_no"][i] for i in expected["orders"]}
    expected["lines"] = rows_where(tables["lines"], "order_no", numbers)
    numbers = {tables["lines"]["line_no"][i] for i in expected["lines"]}
    expected["parts"] = rows_where(tables["parts"], "line_no", numbers)
    expected["calls"] = rows_where(tables["calls"], "customer_id", {f"C{100 + who}"})
    found = {name: person.tables[name, ""].rows for name in expected if (name, "") in person.tables}
    assert found == {name: rows for name, rows in expected.items() if rows}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_key_that_was_written_with_a_decimal_point_is_the_same_key(seed):
    """As a column of numbers with missing cells is written by pandas: 4862.0 for 4862."""
    random = np.random.default_rng(seed)
    ids = random.choice(9_000, 30, replace=False).tolist()
    visits = [None if i % 7 == 0 else f"{random.choice(ids)}.0" for i in range(100)]
    tables = {"people": {"customer_id": [str(i) for i in ids]}, "visits": {"customer_id": visits}}
    made = Inventory(
        store=tuple(
            store(name, tables[name], unit=unit, subject="customer_id", identifies=("customer_id",))
            for name, unit in (("people", "person"), ("visits", "event"))
        ),
        reference=(Reference(column="visits/customer_id", to="people/customer_id"),),
    )
    who = next(int(float(each)) for each in visits if each is not None)
    for identifier in (f"{who}", f"{who}.0"):
        found = find(identifier, InMemory(made, tables)).tables
        assert found["people", ""].rows == {ids.index(who)}
        assert found["visits", ""].rows == rows_where(tables["visits"], "customer_id", {f"{who}.0"})


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_with_an_identifier_that_no_reference_leads_to_are_listed(seed):
    """Of two people with one name, each with a key, neither is the other; a row without a key may be of both."""
    reader, who = shop(seed), 4
    random, name = np.random.default_rng(seed), f"Person Number{who}"
    club = {"name": random.choice([name.upper(), "Somebody Else", None], 30).tolist(), "points": ["104"] * 30}
    guests = {"guest_id": [None if i % 3 else f"G{i}" for i in range(30)], "name": [name] * 30}
    reader.tables |= {"club": club, "guests": guests}
    made = (
        store("club", club, unit="person", identifies=("name", "points")),
        store("guests", guests, unit="person", subject="guest_id", identifies=("name",)),
    )
    reader.inventory = replace(reader.inventory, store=(*reader.inventory.store, *made))
    found = find(f"p{who}@example.org", reader).tables
    for table, rows in (
        ("club", rows_where(club, "name", {name.upper()})),
        ("guests", rows_where(guests, "guest_id", {None})),
    ):
        assert found[table, ""].texts == {"name": rows} and not found[table, ""].rows


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_that_name_another_person_and_rows_of_others_that_name_the_person(seed):
    reader, who = shop(seed), 5
    calls = reader.tables["calls"]
    found = find(f"p{who}@example.org", reader).tables["calls", ""]
    own, about = ([key == f"C{100 + who}" for key in calls[name]] for name in ("customer_id", "about_id"))
    assert found.several == {
        i for i, key in enumerate(calls["about_id"]) if own[i] and key is not None and not about[i]
    }
    assert found.mentions["about_id"] == {i for i in range(len(own)) if about[i] and not own[i]}


@pytest.mark.parametrize("seed", SEEDS)
def test_texts_are_searched_for_every_value_that_identifies_the_person(seed):
    """The request names the e-mail address; texts name the person by the name as well."""
    reader, who = shop(seed), 2
    notes = reader.tables["notes"]
    tables = find(f"p{who}@example.org", reader).tables
    found = dict(tables["notes", ""].texts) if ("notes", "") in tables else {}
    texts = {i for i, text in enumerate(notes["text"]) if text is not None and f"Person Number{who}" in text}
    memos = {i for i, text in enumerate(notes["memo"]) if f"p{who}@example.org" in text}
    assert found == {name: rows for name, rows in (("text", texts), ("memo", memos)) if rows}


def test_rows_that_refer_to_a_person_without_a_record_are_found():
    """The record of the customer was deleted; an order has the e-mail address, and other rows the key."""
    tables = {
        "customers": {"customer_id": ["C1", "C2"], "name": ["Ann", "Ben"]},
        "orders": {"customer_id": ["C1", "C9", "C9", "C2"], "email": ["a@x.org", "lost@x.org", None, "b@x.org"]},
        "calls": {"customer_id": ["C9", "C2", "C9"], "n": ["1", "2", "3"]},
    }
    inventory = Inventory(
        store=(
            store("customers", tables["customers"], unit="person", subject="customer_id"),
            store("orders", tables["orders"], unit="event", subject="customer_id", identifies=("email",)),
            store("calls", tables["calls"], unit="event", subject="customer_id"),
        ),
        reference=tuple(
            Reference(column=f"{name}/customer_id", to="customers/customer_id") for name in ("orders", "calls")
        ),
    )
    found = find("lost@x.org", InMemory(inventory, tables)).tables
    assert {name: one.rows for (name, _), one in found.items()} == {"orders": {1, 2}, "calls": {0, 2}}


@pytest.mark.parametrize(("columns", "is_own"), [(("from_id", "to_id"), False), (("from_id",), True)])
def test_a_row_between_two_people_mentions_each_of_them(columns, is_own):
    tables = {
        "people": {"key": ["K1", "K2", "K3"], "email": ["a@x.org", "b@x.org", "c@x.org"]},
        "transfers": dict(zip(columns, (["K1", "K2", "K1"], ["K3", "K1", "K2"]), strict=False)),
    }
    inventory = Inventory(
        store=(
            store("people", tables["people"], unit="person", subject="key", identifies=("email",)),
            store("transfers", tables["transfers"], unit="event"),
        ),
        reference=tuple(Reference(column=f"transfers/{name}", to="people/key") for name in columns),
    )
    found = find("a@x.org", InMemory(inventory, tables)).tables["transfers", ""]
    assert found.rows == ({0, 2} if is_own else set())
    assert dict(found.mentions) == ({} if is_own else {"from_id": {0, 2}, "to_id": {1}})


def test_a_value_that_two_people_have_names_none_of_them():
    reader = shop(0)
    people = reader.tables["customers"]["email"]
    people[1] = people[2]
    with pytest.raises(AmbiguousSubject, match="matches 2 people"):
        find(people[2], reader)


def test_of_people_without_a_key_a_value_in_two_rows_names_two_people():
    guests = {"email": ["a@x.org", "a@x.org", "b@x.org"], "city": ["Oslo", "Rome", "Rome"]}
    inventory = Inventory(store=(store("guests", guests, unit="person", identifies=("email",)),))
    reader = InMemory(inventory, {"guests": guests})
    assert find("b@x.org", reader).tables["guests", ""].rows == {2}
    with pytest.raises(AmbiguousSubject, match="matches 2 people"):
        find("a@x.org", reader)


def test_a_foreign_key_of_several_columns_is_not_a_reference(tmp_path):
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as file:
        file.executescript(
            "CREATE TABLE people (id TEXT PRIMARY KEY, a TEXT, b TEXT, UNIQUE (a, b));"
            "CREATE TABLE orders (who TEXT REFERENCES people(id), also TEXT REFERENCES people, a TEXT, b TEXT,"
            " FOREIGN KEY (a, b) REFERENCES people (a, b));"
        )
    found = set(_of_sqlite(str(tmp_path / "a.sqlite"), Settings()))
    assert found == {("orders", "who", "people", "id"), ("orders", "also", "people", "id")}


def test_a_value_of_the_least_length_is_searched_in_texts_and_a_shorter_one_is_not():
    for length in (LEAST_TRACE - 1, LEAST_TRACE):
        value = "a7b9c3d1"[:length]
        tables = {"people": {"key": [value, "other-key"]}, "notes": {"text": [f"about {value}.", "nothing"]}}
        inventory = Inventory(
            store=(
                store("people", tables["people"], unit="person", subject="key", identifies=("key",)),
                store("notes", tables["notes"], unit="event", text={"entity": "FREE_TEXT"}),
            )
        )
        found = find(value, InMemory(inventory, tables)).tables
        assert (("notes", "") in found) == (length >= LEAST_TRACE)


def test_texts_of_the_own_rows_are_not_texts_of_others():
    tables = {"people": {"key": ["first-key", "other-key"], "text": ["I am first-key", "not first-key"]}}
    inventory = Inventory(
        store=(
            store(
                "people",
                tables["people"],
                unit="person",
                subject="key",
                identifies=("key",),
                text={"entity": "FREE_TEXT"},
            ),
        )
    )
    assert find("first-key", InMemory(inventory, tables)).tables["people", ""].texts == {"text": {1}}


@pytest.mark.parametrize("seed", SEEDS)
def test_an_export_has_every_row_and_column_of_the_person_and_nothing_of_others(seed):
    reader, who = shop(seed), 4
    person = find(f"p{who}@example.org", reader)
    for table in _content(person, reader)["tables"]:
        found, cells = person.tables[table["store"], ""], reader.tables[table["store"]]
        expected = [{name: column[i] for name, column in cells.items()} for i in sorted(found.rows)]
        for i, record in zip(sorted(found.rows), expected, strict=True):
            if i in found.several:
                del record["about_id"]
        assert table["records"] == expected
        assert table["rows_of_other_people_that_refer_to_you"] == len(
            {i for rows in found.mentions.values() for i in rows}
        )
        assert table["texts_of_other_rows_that_mention_you"] == len({i for rows in found.texts.values() for i in rows})


def test_a_row_that_refers_to_a_person_twice_is_one_row_of_an_export():
    reader = shop(0)
    person = find("p4@example.org", reader)
    person.tables["calls", ""].mentions.update({"about_id": {7, 8}, "other": {8}})
    (calls,) = (each for each in _content(person, reader)["tables"] if each["store"] == "calls")
    assert calls["rows_of_other_people_that_refer_to_you"] == 2


ROWS = pa.table({"a": ["1", "2", "3", "4"], "b": ["x", None, "y", "z"]})


def test_what_is_verified_is_every_cell_of_every_row_and_column():
    change = Change(delete={0, 3}, cells={"b": {1: Token("erased-1", -77), 2: None}})
    expected = _expected(ROWS, change)
    assert expected.to_pydict() == {"a": ["2", "3"], "b": ["erased-1", None]}
    for wrong in (
        ROWS,
        ROWS.slice(1),  # a row that should be gone
        expected.slice(0, 1),
        pa.table({"a": ["2", "3"], "b": ["erased-1", "y"]}),  # a cell that should be empty
        pa.table({"a": ["2", "3"], "b": [None, None]}),
        pa.table({"a": ["2", "3"], "b": ["-78", None]}),  # another number than that of the pseudonym
        pa.table({"a": ["2", "-3"], "b": ["erased-1", None]}),  # a negative number where no pseudonym is
    ):
        for in_order in (True, False):
            assert not _is_equal(wrong, expected, change, in_order=in_order), wrong.to_pydict()
    assert _is_equal(expected, expected, change, in_order=True)
    for number in ("-77", "-77.0"):  # a pseudonym of a column of numbers
        assert _is_equal(pa.table({"a": ["2", "3"], "b": [number, None]}), expected, change, in_order=True)
    turned = pa.table({"a": ["3", "2"], "b": [None, "erased-1"]})
    assert _is_equal(turned, expected, change, in_order=False)
    assert not _is_equal(turned, expected, change, in_order=True)


def test_values_of_deleted_rows_and_of_changed_cells_are_searched():
    columns = [("key", "none"), ("email", "direct"), ("city", "quasi")]
    made = Table(unit="person", subject="key", columns=tuple(Column(name=name, role=role) for name, role in columns))
    tables = {"s": {"key": ["k1", "k2", "k3"], "email": ["a@x", "b@x", "c@x"], "city": ["Bonn", "Rome", "Lyon"]}}
    reader = InMemory(Inventory(store=(Store(name="s", source="s.csv", table=(made,)),)), tables)

    class Changes:
        tables = {("s", ""): Change(delete={0}, cells={"email": {2: None}, "city": {1: None}})}  # noqa: RUF012

    assert _values(reader, Changes) == {"k1", "a@x", "c@x"}


def plan(**counts):
    zeros = dict.fromkeys(("n_deleted", "n_changed", "n_undecided", "n_held", "n_in_texts"), 0)
    return TablePlan(store="s", table="t", strategy="delete", rows=(1, 2), **{**zeros, **counts})


@pytest.mark.parametrize("left", ["n_undecided", "n_held", "n_in_texts"])
@pytest.mark.quick_cases(3)
def test_an_erasure_that_leaves_something_is_not_complete(left):
    tables = plan(n_deleted=3), plan(n_changed=2, **{left: 4})
    made = _certificate(ErasePlan(inventory="", states=(), tables=tables), (), Inventory())
    assert not made["complete"] and [table["complete"] for table in made["tables"]] == [True, False]
    assert _certificate(ErasePlan(inventory="", states=(), tables=tables[:1]), (), Inventory())["complete"]
    lead = _page(tables, "done", ()).lead
    assert (lead.values["n"].n, lead.values["left"].n) == (5, 4)
    assert all("rows" not in table for table in made["tables"])


def test_places_that_no_erasure_reaches_are_open_from_their_first_erasure_until_they_are_confirmed():
    lines = (
        Unreachable(what="backups"),
        Unreachable(what="logs", open_since="2026-01-01"),
        Unreachable(what="models", open_since="2026-01-01", confirmed="2026-02-01"),
    )
    found = _with_open_lines(Inventory(unreachable=lines), "2026-03-01").unreachable
    assert [line.open_since for line in found] == ["2026-03-01", "2026-01-01", "2026-03-01"]
    assert all(line.is_open for line in found) and [line.confirmed for line in found] == ["", "", ""]
    assert found[1] == lines[1] and replace(found[0], open_since="") == lines[0]


def test_values_that_others_have_and_short_or_bare_numbers_are_verified_by_their_cells():
    left = [pa.table({"text": ["Anna Berg called", None], "id": ["900100200", "x"]})]
    values = ["Anna Berg", "anna", "Otto Kern", "4711123456", "ab-12"]
    assert searchable(values, left) == {"otto kern"}


@pytest.mark.parametrize("written", ["Émile ZOLA", "émile zola", "ÉMILE ZOLA", "Émile Zola"])
def test_a_value_is_searched_in_every_case_form_and_encoding(written):
    patterns = {pattern.lower() for pattern in byte_patterns("émile zola")}
    for encoding in ("utf-8", "utf-16-le", "utf-32-be", "latin-1"):
        assert written.encode(encoding).lower() in patterns


def keys(table, values, *, is_key=True, about_people=True, column="customer_id"):
    return KeyValues(Place(table, "", column), pa.array(values), is_key, about_people)


def test_a_column_refers_to_a_key_where_nine_tenths_of_its_values_are_keys():
    people = keys("customers", [f"C-{i * 37}" for i in range(100)])
    for n_foreign, refers in ((0, True), (2, True), (3, False)):
        values = [f"C-{i * 37}" for i in range(20 - n_foreign)] + [f"other {i}" for i in range(n_foreign)]
        assert _refers(keys("orders", values, is_key=False), people) == refers
    assert not _refers(keys("orders", ["C-37"], is_key=False), people)
