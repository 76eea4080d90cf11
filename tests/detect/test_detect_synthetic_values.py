"""Values that are synthetic, masked or stored in another form, and the ordinary values that resemble them."""

from __future__ import annotations

import random

import pytest

from tests.helpers.detection import judge

N = 120
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
