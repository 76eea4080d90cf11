"""People in a table of things do not pass the gate, whatever the column name and the notation of their names."""

from __future__ import annotations

import base64
import contextlib
import json
import random
import sqlite3
from pathlib import Path

import pyarrow as pa
import pytest

import privaudit

N = 120
R = random.Random(14)
GIVEN = "Anna Felix Clara David Emma Laura Martin Paula Stefan Ursula".split()
FAMILY = "Keller Fischer Meyer Schneider Weber Wagner Becker Hoffmann Schulz Richter Neumann Lehmann".split()
NAMES = [f"{given} {family}" for given in GIVEN for family in FAMILY]
PRODUCTS = {
    "product_id": [f"P{10_000 + i}" for i in range(N)],
    "price_eur": [round(R.uniform(0.2, 90), 2) for _ in range(N)],
    "stock": [R.randrange(900) for _ in range(N)],
    "weight_kg": [round(R.uniform(0.01, 4), 3) for _ in range(N)],
}
WRITTEN = {
    "in a sentence": ("description", [f"for {name}" for name in NAMES]),
    "in a few cells": ("description", [f"hose for {n}" if i % 40 == 0 else "hose" for i, n in enumerate(NAMES)]),
    "in a list": ("tags", [[name, "steel"] for name in NAMES]),
    "in lists of lists": ("color", [[["red"], [name]] for name in NAMES]),
    "in a document": ("material", [json.dumps([{"n": name}]) for name in NAMES]),
    "in a contact card": ("color", [f"BEGIN:VCARD;FN:{name};END:VCARD" for name in NAMES]),
    "two names only": ("color", [NAMES[i % 2 * 13] for i in range(N)]),
    "with letters beyond ASCII": (
        "color",
        [f"red for {name}" for name in ["Иван Петров", "José García", "Jürgen Müller"] * 40],
    ),
    "with an initial": ("color", [f"{name[0]}. {name.split()[1]}" for name in NAMES]),
    "behind an initial": ("color", [f"{name.split()[1]}, {name[0]}." for name in NAMES]),
    "in Base32": (
        "color",
        [base64.b32encode(f"{n.replace(' ', '.').lower()}@example.org".encode()).decode() for n in NAMES],
    ),
}


def exit_code(columns: dict[str, list[object]]) -> int:
    return privaudit.scan(pa.table(columns), ner=False, advice=False).gate().exit_code


def test_the_table_of_things_passes() -> None:
    assert exit_code({**PRODUCTS, "color": ["red", "blue", "May Day", "Rose Hill"] * (N // 4)}) == 0


@pytest.mark.quick_cases(4)
@pytest.mark.parametrize("written", WRITTEN)
def test_names_of_people_in_a_column_of_things_do_not_pass(written: str) -> None:
    column, cells = WRITTEN[written]
    assert exit_code({**PRODUCTS, column: cells}) in (1, 3)


def test_a_name_in_one_cell_of_the_codes_of_things_does_not_pass() -> None:
    assert exit_code({**PRODUCTS, "product_id": [*PRODUCTS["product_id"][1:], "Contact: Anna Keller"]}) == 3


def test_names_that_a_model_reads_and_lists_confirm_are_names_of_people() -> None:
    table = pa.table({**PRODUCTS, "tags": [f"['{name}', 'steel']" for name in NAMES]})
    assert privaudit.scan(table, advice=False).gate().exit_code in (1, 3)


MONTHS = [f"2024-{i + 1:02d}" for i in range(12)]
COUNTS: dict[str, dict[str, list[object]]] = {
    "for each code and month": {
        "code": [1000 + i // 12 for i in range(480)],
        "month": [i % 12 + 1 for i in range(480)],
        "count": [R.randrange(100, 400) for _ in range(480)],
    },
    "for each number": {"code": R.sample(range(10**7, 10**8), N), "count": [R.randrange(100, 400) for _ in range(N)]},
    "for each code of letters": {
        "label": [f"{name[0]}{name.split()[1][:2].upper()}{i}" for i, name in enumerate(NAMES)],
        "count": [R.randrange(100, 400) for _ in range(N)],
    },
    "in a column for each person": {
        "month": MONTHS,
        **{name: [round(R.uniform(100, 180), 1) for _ in MONTHS] for name in FAMILY},
        "total": [2000 + i for i in range(12)],
    },
    "in columns named after people": {
        "date": [f"2024-03-{i + 1:02d}" for i in range(30)],
        **{f"{name.lower()}_hours": [round(R.uniform(5, 9), 2) for _ in range(30)] for name in FAMILY},
    },
    "masked in further columns": {
        "a": [100_000 + 37 * i for i in range(N)],
        "b": [f"{(100_000 + 37 * i) // 100}**" for i in range(N)],
        "c": ["*"] * N,
    },
}


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("written", COUNTS)
def test_codes_that_people_may_have_are_not_the_cells_of_an_aggregate_or_a_hierarchy(written: str) -> None:
    assert exit_code(COUNTS[written]) in (1, 3)


KEYS = {
    "year": list(range(2001, 2013)),
    "region": [f"north and south {i}" for i in range(12)],
    "product_code": R.sample(range(50_000, 90_000), 12),
}


@pytest.mark.parametrize("key", KEYS)
def test_counts_of_years_regions_and_products_are_an_aggregate(key: str) -> None:
    counts = {key: KEYS[key], "count": [R.randrange(100, 400) for _ in range(12)]}
    report = privaudit.scan(pa.table(counts), ner=False, advice=False)
    assert report.gate().exit_code == 0 and report.wire.dataset.unit.kind == "aggregate"


def test_addresses_in_single_quotation_marks_do_not_pass() -> None:
    lists = [f"['{name.replace(' ', '.').lower()}@example.org', 'red']" for name in NAMES]
    assert exit_code({**PRODUCTS, "tags": lists}) in (1, 3)


class _Labelled(pa.ExtensionType):
    """Text with parameters of the type, which a reader that does not know the type keeps."""

    def __init__(self) -> None:
        super().__init__(pa.string(), "example.labelled")

    def __arrow_ext_serialize__(self) -> bytes:
        return OWNER["owner"].encode()


OWNER = {"owner": "Anna Keller, anna.keller@example.org"}


@pytest.mark.parametrize("place", ["footer", "batch", "stream", "type", "nested field"])
def test_people_in_the_metadata_of_arrow_do_not_pass(tmp_path: Path, place: str) -> None:
    table = pa.table(PRODUCTS)
    if place == "type":
        marked = pa.ExtensionArray.from_storage(_Labelled(), pa.array(["steel"] * N))
        table = table.append_column("material", marked)
    if place == "nested field":
        field = pa.field("code", pa.string(), metadata=OWNER)
        table = table.append_column("material", pa.array([{"code": "steel"}] * N, pa.struct([field])))
    file = tmp_path / "products.arrow"
    if place == "stream":
        writer = pa.ipc.new_stream(file, table.schema)
    else:
        writer = pa.ipc.new_file(file, table.schema, metadata=OWNER if place == "footer" else None)
    with writer:
        for batch in table.to_batches():
            writer.write_batch(batch, custom_metadata=OWNER if place in ("batch", "stream") else None)
    codes = {finding.code for finding in privaudit.scan(file, ner=False, advice=False).wire.findings}
    assert "PII014" in codes


DEFINITIONS = ["VIEW v AS SELECT 'a.keller@example.org' AS a", "INDEX i ON p(a) WHERE a <> 'a.keller@example.org'"]


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_people_in_the_definitions_of_sqlite_do_not_pass(tmp_path: Path, definition: str) -> None:
    file = tmp_path / "products.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE p (a)")
        connection.executemany("INSERT INTO p VALUES (?)", [(code,) for code in PRODUCTS["product_id"]])
        connection.execute(f"CREATE {definition}")
        connection.commit()
    assert "PII014" in {finding.code for finding in privaudit.scan(file, ner=False, advice=False).wire.findings}


PLACES = """Fletcher Mall, Winslow Drive, Mercer Univ, Saint Edmund Hospital, Harlow Research Park, Downtown Ashby,
North Gate, Old Mill, Harbour Quay, Town Hall, High Bridge, Lower Lake, Airport, Main Street, Cedar Street, Rec Center,
Shopping Center, Market Place, West Terminal, Garden Lane, Union Street, Mill Lane, South Elm, Orchard Trails, Library,
Stadium, Ferry Pier, Depot, Plaza, Museum"""
STOPS = {"stop_id": [f"S{100 + i}" for i in range(30)], "stop_name": " ".join(PLACES.split()).split(", ")}
UNLISTED = ["Tadhg Súilleabháin", "Zsófia Kővágó", "Bogumił Wężyk", "Xiomara Quispe", "Þorsteinn Guðjónsson"]


def stops_with(people: list[str]) -> list[str]:
    """Return the names of the stops, some of them replaced by people."""
    return [*people, *STOPS["stop_name"][len(people) :]]


def exit_code_of_stops(names: list[str]) -> int:
    return privaudit.scan(pa.table({**STOPS, "stop_name": names}), advice=False).gate().exit_code


def test_names_of_stops_that_a_model_takes_for_names_of_people_pass() -> None:
    assert exit_code_of_stops(STOPS["stop_name"]) == 0


@pytest.mark.parametrize(
    "people",
    [[f"Contact: {name}" for name in UNLISTED], UNLISTED, [f"{name} Keller" for name in GIVEN[:5]]],
    ids=["persons to contact", "in a sixth of the cells", "full names on lists"],
)
def test_people_among_the_names_of_stops_do_not_pass(people: list[str]) -> None:
    assert exit_code_of_stops(stops_with(people)) in (1, 3)


@pytest.mark.parametrize("column", ["payment", "text", "pickup"])
def test_initials_of_people_next_to_the_names_of_stops_do_not_pass(column: str) -> None:
    assert exit_code({**STOPS, column: ["ak", "jm", "cf"] * 10}) in (1, 3)
