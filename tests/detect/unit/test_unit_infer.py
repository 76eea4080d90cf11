"""What a row is follows from the evidence; what the evidence does not decide is judged as people."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.model.unit import PEOPLE
from privaudit.report import render
from privaudit.report.sections import verdict
from privaudit.report.sentences import wording_of

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data"
N = 300
DRAW = random.Random(11)
Table = Mapping[str, list[str]]


def drawn(make: Any) -> list[str]:
    return [str(make()) for _ in range(N)]


PLACES = ["Nepal", "India", "Italy", "Kenya", "Peru"]
SENSORS: Table = {
    "sensor_id": [f"S{i % 12:02d}" for i in range(N)],
    "timestamp": [f"2024-01-{1 + i // 24:02d} {i % 24:02d}:00:00" for i in range(N)],
    "temperature": drawn(lambda: round(DRAW.gauss(20, 4), 2)),
    "humidity": drawn(lambda: DRAW.randrange(30, 90)),
}
LANDSLIDES: Table = {
    "id": [str(100 + i) for i in range(N)],
    "date": [f"20{10 + i % 9:02d}-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(N)],
    "country_name": drawn(lambda: DRAW.choice(PLACES)),
    "landslide_type": drawn(lambda: DRAW.choice(["Mudslide", "Rockfall", "Complex"])),
    "landslide_size": drawn(lambda: DRAW.choice(["Small", "Medium", "Large"])),
    "latitude": drawn(lambda: round(DRAW.uniform(-30, 50), 4)),
    "longitude": drawn(lambda: round(DRAW.uniform(-80, 100), 4)),
}
PRODUCTS: Table = {
    "product_id": [str(1000 + i) for i in range(N)],
    "name": [f"{DRAW.choice(['Blue', 'Red'])} {DRAW.choice(['chair', 'lamp'])} {i}" for i in range(N)],
    "price": drawn(lambda: round(DRAW.uniform(2, 90), 2)),
    "stock": drawn(lambda: DRAW.randrange(900)),
}
SHIPPERS: Table = {
    "ShipperID": ["1", "2", "3"],
    "CompanyName": ["Speedy Express", "United Package Ltd", "Federal Shipping Inc"],
    "Phone": ["(503) 555-9831", "(503) 555-3199", "(503) 555-9931"],
}
CELLS: Table = {
    "region": [f"R{i // 8}" for i in range(320)],
    "age_group": [["0-17", "18-39", "40-64", "65+"][i % 4] for i in range(320)],
    "sex": [["F", "M"][i // 4 % 2] for i in range(320)],
    "n": [str(i * 37 % 300) for i in range(320)],
}
GENRES: Table = {
    "GenreId": [str(i) for i in range(25)],
    "Name": [f"{style} {i}" for i, style in enumerate(["Rock", "Jazz", "Latin", "Blues", "Opera"] * 5)],
}


def test_a_name_next_to_a_number_leaves_open_what_a_row_is() -> None:
    found = privaudit.scan(pa.table(dict(GENRES)), ner=False)
    assert found.dataset.unit.kind == "unknown" and found.gate().exit_code == 3


WITHOUT_PEOPLE = {
    "sensors": (SENSORS, "object"),
    "landslides": (LANDSLIDES, "object"),
    "products": (PRODUCTS, "object"),
    "shippers": (SHIPPERS, "organisation"),
    "cells": (CELLS, "aggregate"),
}
PEOPLE_TABLE: Table = {"age": [str(20 + i % 50) for i in range(N)], "sex": ["F", "M"] * (N // 2)}
UNKNOWN: Table = {f"c{j}": drawn(lambda j=j: DRAW.randrange(5 + j)) for j in range(5)}


def scan(table: Table, **options: Any) -> Any:
    return privaudit.scan(pa.table(dict(table)), ner=False, **options).wire


def speaks_of_people(text: str) -> bool:
    """Whether a sentence speaks of people; the term "person names" is what a cell contains, whatever a row is."""
    plain = text.lower().replace("person name", "")
    return any(word.strip('.,":;()') in {"person", "people", "persons", "person's"} for word in plain.split())


@pytest.mark.parametrize("name", sorted(WITHOUT_PEOPLE))
def test_no_finding_of_a_table_without_people_speaks_of_people(name: str) -> None:
    table, kind = WITHOUT_PEOPLE[name]
    report = scan(table)
    assert report.dataset.unit.kind == kind
    assert report.risk is None and not report.combinations
    assert not [f.code for f in report.findings if speaks_of_people(str(f.message))]
    assert {f.code[:3] for f in report.findings} <= {"PII", "CEL", "MIN", "RUN"}
    screen = [*verdict.summary(report), *(tile["label"] for tile in verdict.tiles(report, wording_of(report)))]
    assert not [text for text in screen if speaks_of_people(text)]


@pytest.mark.parametrize("name", ["sensors", "landslides", "products", "shippers"])
def test_a_table_without_people_passes(name: str) -> None:
    assert scan(WITHOUT_PEOPLE[name][0]).gate_.exit_code == 0


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("northwind/Products.csv", "object"),
        ("northwind/Shippers.csv", "organisation"),
        ("northwind/Suppliers.csv", "organisation"),
        ("northwind/Customers.csv", "organisation"),
        ("chinook/Track.csv", "object"),
        ("chinook/Invoice.csv", "event"),
        ("chinook/Customer.csv", "person"),
        ("mall/Mall_Customers.csv", "person"),
    ],
)
@pytest.mark.shared
def test_the_unit_of_a_public_table(file: str, kind: str) -> None:
    if not (DATA / file).is_file():
        pytest.skip("reference tables are not beside the project")
    report = privaudit.scan(str(DATA / file), ner=False).wire
    assert report.dataset.unit.kind == kind
    if kind not in PEOPLE:
        assert not [f.code for f in report.findings if speaks_of_people(str(f.message))]


@pytest.mark.parametrize("name", sorted(WITHOUT_PEOPLE))
def test_direct_identifiers_are_reported_whatever_the_unit(name: str) -> None:
    table = WITHOUT_PEOPLE[name][0]
    n = len(next(iter(table.values())))
    marked = {**table, "remark": [f"ask jane.doe{i}@example.com" if i == 0 else "in stock" for i in range(n)]}
    report = scan(marked)
    assert {"PII001", "PII002"} & {f.code for f in report.findings if f.subject == ("remark",)}
    # Rows that are not understood are incomplete as well; both are stated.
    assert report.gate_.failed
    assert report.gate_.exit_code == (3 if report.dataset.unit.kind == "unknown" else 1)


@pytest.mark.parametrize("unit", ["object", "organisation", "aggregate"])
def test_a_declared_unit_does_not_silence_an_email_column(unit: str) -> None:
    table = {**PEOPLE_TABLE, "email": [f"user{i}@example.com" for i in range(N)]}
    report = scan(table, unit=unit)
    assert ("PII001", ("email",)) in {(f.code, f.subject) for f in report.findings}
    assert not [f for f in report.findings if f.code.startswith(("QI", "RSK", "SEN", "DAT", "GEO"))]


def test_a_table_of_unknown_rows_is_judged_as_people() -> None:
    unit = scan(UNKNOWN).dataset.unit
    assert (unit.kind, unit.confidence, unit.is_about_people) == ("unknown", 0.0, True)


@pytest.mark.parametrize("unit", ["person", "event", "household", "organisation", "object", "aggregate"])
def test_a_declared_unit_is_taken(unit: str) -> None:
    found = scan(UNKNOWN, unit=unit).dataset.unit
    assert (found.kind, found.declared, found.confidence) == (unit, True, 1.0)


def test_a_statement_names_the_columns_that_contradict_it() -> None:
    for unit in ("object", "organisation"):
        against = scan(PEOPLE_TABLE, unit=unit).dataset.unit
        assert "although" in str(against.statement) and against.reasons == ()
        assert "although" not in str(scan(UNKNOWN, unit=unit).dataset.unit.statement)
    assert "although" not in str(scan(PEOPLE_TABLE, unit="person").dataset.unit.statement)


def test_a_declared_object_completes_a_scan_without_quasi_identifiers() -> None:
    assert scan(UNKNOWN).gate_.exit_code == 3
    assert scan(UNKNOWN, unit="object").gate_.exit_code == 0


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("options", [{"quasi": ("product_id",)}, {"role": {"price": "quasi"}}])
def test_declared_quasi_identifiers_state_that_people_are_concerned(options: dict[str, Any]) -> None:
    report = scan(PRODUCTS, **options)
    assert report.dataset.unit.is_about_people and report.risk is not None


def test_a_repeated_person_id_makes_rows_events() -> None:
    table = {"customer_id": [f"C{i // 5:04d}" for i in range(N)], "amount": drawn(lambda: DRAW.randrange(9))}
    assert scan(table).dataset.unit.kind == "event"
    once = {"customer_id": [f"C{i:04d}" for i in range(N)], "amount": table["amount"]}
    assert scan(once).dataset.unit.kind == "person"


def test_vital_signs_are_not_sensor_readings() -> None:
    table = {
        "temp": drawn(lambda: round(DRAW.gauss(37, 0.5), 1)),
        "blood_pressure": drawn(lambda: DRAW.randrange(90, 160)),
        "heart_rate": drawn(lambda: DRAW.randrange(50, 120)),
    }
    assert scan(table).dataset.unit.is_about_people


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(["age", "sex", "email", "diagnosis", "first_name", "salary"]),
    st.sampled_from(["sensors", "products"]),
)
def test_an_attribute_of_people_makes_a_table_about_people(attribute: str, name: str) -> None:
    cells = {
        "age": [str(18 + i % 60) for i in range(N)],
        "sex": ["F", "M"] * (N // 2),
        "email": [f"user{i}@example.com" for i in range(N)],
        "diagnosis": [["asthma", "diabetes", "migraine"][i % 3] for i in range(N)],
        "first_name": [["Anna", "Peter", "Maria", "John", "Lucy"][i % 5] for i in range(N)],
        "salary": [str(1000 + 37 * i) for i in range(N)],
    }[attribute]
    assert scan({**WITHOUT_PEOPLE[name][0], attribute: cells}).dataset.unit.is_about_people


def test_the_report_states_what_a_row_is() -> None:
    report = scan(SENSORS)
    assert '"kind": "object"' in render(report, "json")
    assert "Each row is an object (inferred from the columns)." in render(report, "md")


def test_an_unknown_unit_is_refused() -> None:
    with pytest.raises(privaudit.PrivauditError, match="unit"):
        scan(UNKNOWN, unit="thing")


LINKS: Table = {"PlaylistId": [str(i // 30) for i in range(N)], "TrackId": [str(i % 30 + i // 30) for i in range(N)]}
ENROLMENTS: Table = {
    "StudentId": [str(1000 + i // 30) for i in range(N)],
    "CourseItemId": [str(i % 30) for i in range(N)],
}
FIRMS = ["Acme Power Ltd", "Northern Energy Inc", "Rural Electric Corp", "City Light Company", "Valley Gas LLC"]
PANEL: Table = {
    "company": [FIRMS[i // 12 % 5] for i in range(N)],
    "state": [["Texas", "Ohio", "Utah", "Maine", "Iowa"][i // 60] for i in range(N)],
    "month": [str(1 + i % 12) for i in range(N)],
    "sold": [str(1000 + i * 37 % 911) for i in range(N)],
}
HIRED: Table = {
    "employer": [FIRMS[i % 5] for i in range(N)],
    "hire_date": [f"20{10 + i % 13:02d}-{1 + i % 12:02d}-{1 + i * 7 % 28:02d}" for i in range(N)],
    "gender": [["F", "M"][i % 2] for i in range(N)],
}
AGES: Table = {
    "age": [str(i) for i in range(100)],
    "tens": [f"{i // 10 * 10}-{i // 10 * 10 + 9}" for i in range(100)],
    "root": ["*"] * 100,
}
HOMES: Table = {
    "id": [str(7000 + 3 * i) for i in range(100)],
    "city": [["Austin", "Dallas", "Boise", "Miami"][i // 25] for i in range(100)],
    "state": [["Texas", "Texas", "Idaho", "Florida"][i // 25] for i in range(100)],
    "country": ["US"] * 100,
}


@pytest.mark.parametrize(
    ("table", "kind", "reason"),
    [
        (LINKS, "object", "unit.kind_of_thing"),
        (PANEL, "organisation", "unit.panel"),
        (AGES, "object", "unit.hierarchy"),
    ],
    ids=["links", "panel", "hierarchy"],
)
def test_the_structure_of_the_keys_shows_that_rows_are_not_people(table: Table, kind: str, reason: str) -> None:
    report = scan(table)
    assert report.dataset.unit.kind == kind
    assert reason in {fact.code for fact in report.dataset.unit.reasons}
    assert report.risk is None and not [f.code for f in report.findings if speaks_of_people(str(f.message))]


@pytest.mark.parametrize("table", [ENROLMENTS, HIRED, HOMES], ids=["enrolments", "employees", "homes"])
def test_the_structure_of_the_keys_does_not_hide_people(table: Table) -> None:
    assert scan(table).dataset.unit.kind in PEOPLE


def test_a_table_with_a_column_about_people_is_not_a_hierarchy() -> None:
    assert (
        scan({**AGES, "age": AGES["age"], "patient_group": AGES["tens"], "end": AGES["root"]}).dataset.unit.kind
        in PEOPLE
    )


@pytest.mark.parametrize(
    ("codes", "kind"),
    [(range(8000, 8100), "object"), (range(8000, 8100, 3), "unknown"), (range(8003, 8083), "unknown")],
    ids=["all codes", "some codes", "a part of two hundreds"],
)
@pytest.mark.quick_cases(3)
def test_masked_codes_are_a_hierarchy_if_every_code_with_their_first_characters_occurs(codes: range, kind: str) -> None:
    cells = [str(code) for code in codes]
    table = {"column_1": cells, "column_2": [c[:3] + "*" for c in cells], "column_3": [c[:2] + "**" for c in cells]}
    assert scan({**table, "column_4": ["*"] * len(cells)}).dataset.unit.kind == kind


def test_two_rows_of_a_firm_in_a_month_are_not_a_panel() -> None:
    assert scan({**PANEL, "month": ["1", "2", "3"] * (N // 3)}).dataset.unit.kind != "organisation"
