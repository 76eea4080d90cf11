"""Values that are synthetic, masked or stored in another form, and the ordinary values that resemble them."""

from __future__ import annotations

import random
from pathlib import Path

import pandas as pd
import pytest

import privaudit
from tests.helpers.detection import judge

N = 120
R = random.Random(8)
GIVEN = "Mary|James|Linda|Robert|Susan|Thomas|Karen|Daniel|Nancy|Lisa|Peter|Anna|Laura|Mark".split("|")
FAMILY = "Smith|Miller|Brown|Wilson|Garcia|Taylor|Moore|Martin|Jackson|Lopez|Davis|Lee|White|Clark".split("|")


def digits(rng: random.Random, n: int) -> str:
    return "".join(rng.choices("0123456789", k=n))


def card(rng: random.Random) -> str:
    """A number with the prefix and length of a network, and any last digit."""
    prefix = rng.choice(["4", "51", "54", "37", "6011", "2221", "3530"])
    return prefix + digits(rng, (15 if prefix == "37" else 16) - len(prefix))


def numbered(rng: random.Random, words: list[str]) -> str:
    return f"{rng.choice(words)}{rng.randrange(1, 999)}"


CELLS = {
    "cards of several networks": card,
    "cards of one network": lambda r: f"4{digits(r, 15)}",
    "barcodes": lambda r: r.choice(["400", "500", "590", "301"]) + digits(r, 10),
    "tracking numbers": lambda r: digits(r, 16),
    "names": lambda r: f"{numbered(r, GIVEN)} {numbered(r, FAMILY)}",
    "names with a title": lambda r: f"Mr. {numbered(r, GIVEN)} {numbered(r, FAMILY)}",
    "given names": lambda r: f"{r.choice(GIVEN)}_{r.randrange(1, 999)}",
    "one word": lambda r: f"Paris{r.randrange(1, 999)}",
    "products": lambda r: f"{r.choice(['Turbo', 'Ultra', 'Compact', 'Smart', 'Eco'])}{r.randrange(1, 999)}",
    "addresses as numbers": lambda r: str(r.randrange(1 << 24, 1 << 32)),
    "bank branches": lambda r: f"{r.choice(['SBIN', 'HDFC', 'ICIC', 'UTIB'])}0{digits(r, 6)}",
    "levels": lambda r: r.choice("0123"),
    "areas of postal codes": lambda r: r.choice(["10", "20", "80", "99"]),
    "nine digits": lambda r: r.choice("123456789") + digits(r, 8),
}


def entity(name: str, kind: str) -> str | None:
    """Return the entity type of a column that is a table of its own."""
    rng = random.Random(kind)
    verdict = judge({name: [CELLS[kind](rng) for _ in range(N)]})[name].is_
    return None if verdict is None else verdict.entity


FOUND = [
    ("c0", "cards of several networks", "CREDIT_CARD"),
    ("card", "cards of one network", "CREDIT_CARD"),
    ("pan", "cards of one network", "CREDIT_CARD"),
    ("c0", "names", "PERSON_NAME"),
    ("patient_name", "names with a title", "PERSON_NAME"),
    ("c0", "given names", "FIRST_NAME"),
    ("ipv4_num", "addresses as numbers", "IP_ADDRESS"),
    ("src_ip", "addresses as numbers", "IP_ADDRESS"),
    ("c0", "bank branches", "BANK_CODE"),
    ("micr_code", "nine digits", "BANK_CODE"),
    ("cp", "areas of postal codes", "POSTAL_CODE"),
    ("zip", "levels", "POSTAL_CODE"),
]
LOOK_ALIKES = [
    ("c0", "cards of one network", "CREDIT_CARD"),
    ("c0", "tracking numbers", "CREDIT_CARD"),
    ("c0", "barcodes", "CREDIT_CARD"),
    ("c0", "one word", "FIRST_NAME"),
    ("c0", "products", "FIRST_NAME"),
    ("c0", "addresses as numbers", "IP_ADDRESS"),
    ("c0", "nine digits", "BANK_CODE"),
    ("cp", "levels", "POSTAL_CODE"),
]


@pytest.mark.parametrize(("name", "kind", "wanted"), FOUND)
def test_unusual_forms_are_recognised(name: str, kind: str, wanted: str) -> None:
    assert entity(name, kind) == wanted


@pytest.mark.parametrize(("name", "kind", "unwanted"), LOOK_ALIKES)
def test_ordinary_values_of_the_same_form_are_not(name: str, kind: str, unwanted: str) -> None:
    assert entity(name, kind) != unwanted


MASKED = {
    "card_number": ("CREDIT_CARD", lambda: f"**** **** **** {R.randint(1000, 9999)}"),
    "email": ("EMAIL", lambda: f"{R.choice('abcdefgh')}***@example.com"),
    "ssn": ("SSN", lambda: f"XXX-XX-{R.randint(1000, 9999)}"),
    "phone": ("PHONE", lambda: f"+44 **** ***{R.randint(100, 999)}"),
    "surname": ("LAST_NAME", lambda: f"{R.choice('ABCDEFGH')}***{R.choice('xyz')}"),
    "c0": ("UNRESOLVED_ID", lambda: f"•••• {R.randint(1000, 9999)}"),
}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", MASKED)
def test_masked_values_are_quasi_identifiers(name: str, tmp_path: Path) -> None:
    """Their characters that remain can distinguish people; nothing is in clear."""
    expected, made = MASKED[name]
    pd.DataFrame({name: [made() for _ in range(300)], "age": [R.randint(18, 80) for _ in range(300)]}).to_csv(
        tmp_path / "t.csv", index=False
    )
    report = privaudit.scan(tmp_path / "t.csv", ner=False)
    column = report.columns[0]
    assert column.role == "quasi" and column.is_.detail == "masked"
    assert column.is_.entity in (expected, "UNRESOLVED_ID")
    assert not {"PII001", "PII003"} & {finding.code for finding in report.findings}


@pytest.mark.parametrize("cells", [["*", "**", "***", "****"], ["XXX", "XXXX", "XXXXX"], ["a", "b***"]])
def test_ratings_and_suppressed_values_are_not_masked(cells: list[str]) -> None:
    found = judge({"c0": R.choices(cells, k=300)})["c0"]
    assert found.is_ is None and "masked" not in found.measurements


def test_a_telephone_number_that_several_countries_have_is_of_none() -> None:
    national = [f"0{R.randint(200, 299)} {R.randint(100000, 999999)}" for _ in range(300)]
    found = judge({"phone": national})["phone"].is_
    assert found is not None and found.entity == "PHONE" and found.detail is None
    french = [f"1 {R.randint(40, 49)} " + " ".join(digits(R, 2) for _ in range(3)) for _ in range(80)]
    stated, french = [f"+33 {number}" for number in french[:40]], [f"0{number}" for number in french[40:]]
    found = judge({"phone": stated + french})["phone"].is_
    assert found is not None and found.detail == "fr", "the international numbers state the country of the others"


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("length", [16, 32, 64])
def test_random_digits_are_not_characters(length: int) -> None:
    found = judge({"c0": [digits(R, length) for _ in range(500)]})["c0"]
    assert not any(note.code == "detect.character_codes" for note in found.notes)
    random_bytes = [f"{R.getrandbits(4 * length):0{length}x}" for _ in range(85)]
    found = judge({"c0": random_bytes})["c0"]
    assert not any(note.code == "detect.character_codes" for note in found.notes)


@pytest.mark.parametrize("text", ["mail {}@example.com", "0712 345 6{:03d}"])
@pytest.mark.parametrize("others", [0, 300])
def test_text_in_hexadecimal_is_read_among_random_bytes(text: str, others: int) -> None:
    hidden = [text.format(n).encode().hex() for n in range(100)]
    cells = R.sample(hidden, 100) + [f"{R.getrandbits(256):064x}" for _ in range(others)]
    R.shuffle(cells)
    found = judge({"c0": cells})["c0"]
    assert any(note.code == "detect.character_codes" for note in found.notes)
    assert {"EMAIL", "PHONE"} & {item.entity for item in found.contains}


def test_a_date_of_birth_next_to_markers_is_counted_and_its_day_is_reported(tmp_path: Path) -> None:
    born = [f"{R.randint(1940, 2004)}-{R.randint(1, 12):02d}-{R.randint(1, 28):02d}" for _ in range(120)]
    table = pd.DataFrame({"dob": ["not known"] * 180 + born, "sex": R.choices("fm", k=300)})
    table.to_csv(tmp_path / "t.csv", index=False)
    report = privaudit.scan(tmp_path / "t.csv", ner=False)
    column = report.columns[0]
    assert column.is_.entity == "DATE_OF_BIRTH" and column.is_.share.value == 0.4
    (found,) = (finding for finding in report.findings if finding.code == "DAT001")
    assert found.n_people == 120
