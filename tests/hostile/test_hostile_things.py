"""People in a table of things do not pass the gate, whatever the column name and the notation of their names."""

from __future__ import annotations

import base64
import json
import random

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
