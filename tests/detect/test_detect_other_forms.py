"""Personal numbers in another form are found or reported as not assessed; random numbers are neither."""

from __future__ import annotations

import base64
import json
import random

import pandas as pd
import pytest

import privaudit

N = 300


def ssn(rng: random.Random) -> str:
    area = rng.choice([a for a in range(1, 900) if a != 666])
    return f"{area:03d}-{rng.randrange(1, 100):02d}-{rng.randrange(1, 10_000):04d}"


def card(rng: random.Random) -> str:
    digits = [4] + [rng.randrange(10) for _ in range(14)]
    doubled = [2 * d if i % 2 == 0 else d for i, d in enumerate(reversed(digits))]
    return "".join(map(str, digits)) + str(-sum(d - 9 if d > 9 else d for d in doubled) % 10)


def columns(**cells: list[str]) -> dict[str, tuple[str | None, set[str], bool]]:
    """Return entity type, contained entity types and whether it was not assessed, by column."""
    report = privaudit.scan(pd.DataFrame(cells), ner=False)
    return {
        c.name: (c.is_.entity if c.is_ else None, {x.entity for x in c.contains}, c.unassessed is not None)
        for c in report.columns
    }


@pytest.fixture(scope="module")
def numbers() -> list[str]:
    rng = random.Random(5)
    return [ssn(rng) for _ in range(N)]


@pytest.fixture(scope="module")
def births() -> pd.Series:
    rng = random.Random(6)
    return pd.to_datetime(pd.Series([f"{rng.randrange(1930, 2005)}-{rng.randrange(1, 13)}-11" for _ in range(N)]))


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", ["ref", "id", "no."])
def test_a_label_in_the_cells_and_in_the_column_name_does_not_hide_a_number(numbers, name):
    entity, contained, _ = columns(**{name: [f"{name} {s}" for s in numbers]})[name]
    assert "SSN" in {entity, *contained}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("label", ["ref", "id", "no.", "order", "case", "invoice", "#"])
def test_many_valid_numbers_outvote_a_label(numbers, label):
    rng = random.Random(7)
    assert "SSN" in columns(note=[f"{label} {s} ok" for s in numbers])["note"][1]
    assert "CREDIT_CARD" in columns(note=[f"{label} {card(rng)} shipped" for _ in range(N)])["note"][1]


@pytest.mark.slow
def test_few_numbers_and_random_numbers_do_not_outvote_a_label(numbers):
    rng = random.Random(8)
    few = [f"order {s} ok" for s in numbers[:20]] * 15
    assert "SSN" not in columns(note=few)["note"][1]
    digits = [f"order 4{rng.randrange(10**14, 10**15)} shipped" for _ in range(N)]
    assert "CREDIT_CARD" not in columns(note=digits)["note"][1]
    dashed = [f"order {rng.randrange(1000):03d}-{rng.randrange(100):02d}-{rng.randrange(10_000):04d}" for _ in range(N)]
    assert "SSN" not in columns(note=dashed)["note"][1]


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", ["ref", "order_no", "ssn"])
def test_numbers_with_hyphens_are_found_under_any_name(numbers, name):
    assert columns(**{name: numbers})[name][0] == "SSN"


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", ["total", "case_id", "value", "amount"])
@pytest.mark.parametrize("ending", ["", ".0"])
def test_numbers_without_hyphens_are_found_or_not_assessed(numbers, name, ending):
    entity, _, unassessed = columns(**{name: [s.replace("-", "") + ending for s in numbers]})[name]
    assert unassessed or entity in ("SSN", "UNRESOLVED_ID"), entity


@pytest.mark.parametrize("separator", [".", "/", "_"])
def test_numbers_with_other_separators_are_found_or_not_assessed(numbers, separator):
    entity, _, unassessed = columns(v=[s.replace("-", separator) for s in numbers])["v"]
    assert unassessed or entity in ("SSN", "UNRESOLVED_ID")


def test_text_inside_binary_cells_is_read(numbers):
    assert "SSN" in columns(v=[b"\x00\x01ssn " + s.encode() + b"\xff" for s in numbers])["v"][1]


def test_numbers_of_a_column_of_floats_are_not_assessed(numbers):
    assert columns(x=[float(s.replace("-", "")) for s in numbers])["x"][2]


@pytest.mark.parametrize("low", [0, 10**8])
def test_random_numbers_of_nine_digits_are_not_held_for_social_security_numbers(low):
    rng = random.Random(9)
    entity, _, unassessed = columns(total=[f"{rng.randrange(low, 10**9):09d}" for _ in range(N)])["total"]
    assert entity != "SSN" and not unassessed


def test_dates_of_birth_as_numbers_are_found_or_not_assessed(births):
    seconds = [int(day.timestamp()) for day in births]
    days = [(day - pd.Timestamp("1899-12-30")).days for day in births]
    for name in ("dob", "birth_date"):
        for cells in (seconds, [1000 * s for s in seconds], days):
            entity, _, unassessed = columns(**{name: list(map(str, cells))})[name]
            assert unassessed or entity == "DATE_OF_BIRTH"


@pytest.mark.slow
def test_dates_as_numbers_without_a_telling_name_are_not_assessed(births):
    rng = random.Random(2)
    seconds = [int(day.timestamp()) for day in births]
    days = [rng.randrange(11_000, 38_000) for _ in births]
    people = {"sex": [rng.choice("FM") for _ in births], "age": [rng.randrange(18, 90) for _ in births]}
    for cells in (seconds, [1000 * s for s in seconds]):
        assert columns(x=list(map(str, cells)), **people)["x"][2]
        assert not columns(x=[str(c + rng.randrange(86_400)) for c in cells], **people)["x"][2]
    assert columns(date=list(map(str, days)), **people)["date"][0] == "DATE_EVENT"
    for name, unassessed in (("x", True), ("salary", False), ("weight_g", False)):
        assert columns(**{name: list(map(str, days))}, **people)[name][2] is unassessed
    assert not columns(x=[str(round(d, -1)) for d in days], **people)["x"][2]
    assert not columns(x=[str(rng.randrange(100_000)) for _ in births], **people)["x"][2]


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("n", [30, 600])
def test_recent_days_without_a_telling_name_are_not_assessed_among_people(n: int) -> None:
    rng = random.Random(n)
    people = {"sex": [rng.choice("FM") for _ in range(n)], "age": [rng.randrange(18, 90) for _ in range(n)]}
    admitted = [rng.randrange(43_800, 45_200) for _ in range(n)]
    others = {
        "weight_g": admitted,
        "rounded": [day // 5 * 5 for day in admitted],
        "wider": [day + rng.choice((0, 5_000)) for day in admitted],
        "fraction": [day + rng.random() for day in admitted],
        "counted": rng.sample(range(43_800, 43_800 + n), n),
    }
    found = columns(admitted=admitted, **others, **people)
    assert found["admitted"][2]
    assert not any(found[name][2] for name in others)
    things = {"size": [rng.choice("SML") for _ in range(n)], "grams": [rng.randrange(10, 99) for _ in range(n)]}
    assert not columns(admitted=admitted, **things)["admitted"][2]


@pytest.mark.parametrize("as_number", [str, lambda part: str(int(part))])
def test_a_number_split_over_columns_that_are_apart_is_not_assessed(numbers, as_number):
    rng = random.Random(4)
    parts = {"c": [s[7:] for s in numbers], "x": [rng.choice("FM") for _ in numbers], "a": [s[:3] for s in numbers]}
    parts["b"] = [s[4:6] for s in numbers]
    found = columns(**{name: list(map(as_number, cells)) if name != "x" else cells for name, cells in parts.items()})
    assert all(found[name][2] or found[name][0] == "UNRESOLVED_ID" for name in "abc")


def test_ages_quantities_and_amounts_are_not_a_split_number():
    rng = random.Random(3)
    found = columns(
        quantity=[str(rng.randrange(1, 900)) for _ in range(N)],
        age=[str(rng.randrange(0, 99)) for _ in range(N)],
        amount=[str(min(9999, round(rng.lognormvariate(6, 1)))) for _ in range(N)],
    )
    assert not any(unassessed for _, _, unassessed in found.values())


def test_a_number_split_over_three_columns_is_not_assessed(numbers):
    found = columns(a=[s[:3] for s in numbers], b=[s[4:6] for s in numbers], c=[s[7:] for s in numbers])
    assert found["a"][2] and found["b"][2] and (found["c"][2] or found["c"][0] == "UNRESOLVED_ID")


ENCODINGS = {
    "blank": lambda s: " ".join(str(ord(c)) for c in s),
    "list": lambda s: str([ord(c) for c in s]),
    "hyphen": lambda s: "-".join(str(ord(c)) for c in s),
    "slash": lambda s: "/".join(str(ord(c)) for c in s),
    "0x": lambda s: " ".join(f"0x{ord(c):02x}" for c in s),
    "hex": lambda s: s.encode().hex(),
    "base64": lambda s: base64.b64encode(s.encode()).decode(),
}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encoded_text_is_read_as_text(numbers, encoding):
    encode = ENCODINGS[encoding]
    assert "SSN" in columns(v=[encode(f"ssn {s}") for s in numbers])["v"][1]
    assert "EMAIL" in columns(v=[encode(f"jane{i}@example.org") for i in range(N)])["v"][1]


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("around", ["{} ", " {}", "\t{}\n", "\u00a0{}\u2003", "\u200b{}"])
@pytest.mark.parametrize("encoding", ["hex", "base64"])
def test_blanks_around_encoded_text_hide_nothing(encoding, around):
    cells = [ENCODINGS[encoding](f"jane{i}@example.org") for i in range(40)]
    assert columns(v=[around.format(cell) for cell in cells]) == columns(v=cells)


def test_a_long_cell_that_only_begins_as_encoded_text_is_read_as_it_is():
    cells = [f"{'6a616e65' * 60} jane{i}@example.org" for i in range(40)]
    assert "EMAIL" in columns(v=cells)["v"][1]


@pytest.mark.parametrize("nested", [False, True])
def test_fields_of_structured_cells_are_searched_and_what_is_not_read_is_a_limit(nested):
    records = [{"name": f"Mary Smith{i}", "mail": f"mary{i}@example.org"} for i in range(40)]
    cells = records if nested else [json.dumps(record) for record in records]
    report = privaudit.scan(pd.DataFrame({"who": cells}), ner=False)
    assert {found.entity for found in report.columns[0].contains} >= {"EMAIL"}
    assert any("not for names and places" in limit.why for limit in report.limits)


@pytest.mark.parametrize("filling", ["word " * 100, "word " * 80, "x" * 399 + " ", "a " * 5000])
def test_long_cells_are_searched_to_their_end(numbers, filling):
    assert "SSN" in columns(note=[f"{filling}ssn {s}" for s in numbers[:40]])["note"][1]
