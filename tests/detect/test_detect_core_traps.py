"""The traps every peer falls into: each stays a test for ever."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from detect_core_tables import entity, judge

PERSONAL = frozenset(
    "PERSON_NAME FIRST_NAME LAST_NAME EMAIL PHONE CREDIT_CARD IBAN SSN NATIONAL_ID TAX_ID HEALTH_ID IP_ADDRESS "
    "MAC_ADDRESS DATE_OF_BIRTH BIRTH_YEAR STREET_ADDRESS POSTAL_CODE CITY AGE GENDER PASSPORT DEVICE_ID".split()
)


def cells(make: Callable[[random.Random], str], n: int = 200, seed: int = 3) -> list[str]:
    source = random.Random(seed)
    return [make(source) for _ in range(n)]


def version(r: random.Random) -> str:
    return f"{r.randint(1, 9)}.{r.randint(0, 20)}.{r.randint(0, 9)}.{r.randint(0, 99)}"


def digits(n: int) -> Callable[[random.Random], str]:
    return lambda r: str(r.randint(10 ** (n - 1), 10**n - 1))


DECOYS: dict[str, Callable[[random.Random], str]] = {
    "app_version": version,
    "order_id": digits(10),
    "tracking_no": digits(16),
    "nine_digits": digits(9),
    "company": lambda r: (
        r.choice(["Smith", "Mwangi", "Rossi", "Brown"]) + r.choice([" Ltd", " & Sons", " GmbH", " Inc"])
    ),
    "department": lambda r: r.choice(["May Promo", "April Sale", "June Deals", "August Week"]),
    "day": lambda r: r.choice(["Monday", "Tuesday", "Friday", "Sunday"]),
    "created_at": lambda r: (
        f"20{r.randint(19, 24)}-0{r.randint(1, 9)}-1{r.randint(0, 9)}T0{r.randint(0, 9)}:15:3{r.randint(0, 9)}Z"
    ),
    "note": lambda r: r.choice(["nan", "NaN", "null", "none"]),
    "ratio": lambda r: f"{r.random():.16f}",
    "sha1": lambda r: "".join(r.choices("0123456789abcdef", k=40)),
    "guid": lambda r: "-".join("".join(r.choices("0123456789ABCDEF", k=k)) for k in (8, 4, 4, 4, 12)),
    "email_verified": lambda r: r.choice(["true", "false"]),
    "duplicate": lambda r: r.choice(["original", "copy", "policy"]),
    "color": lambda r: r.choice(["red", "rose", "violet", "olive"]),
    "state": lambda r: r.choice(["open", "closed", "pending"]),
    "amount": lambda r: f"{r.uniform(1, 9999):.2f}",
    "score": lambda r: str(r.randint(0, 100)),
}


@pytest.mark.parametrize("name", sorted(DECOYS))
@pytest.mark.parametrize("opaque", [False, True])
def test_a_decoy_is_nothing_personal(name: str, opaque: bool) -> None:
    found = judge({"c00" if opaque else name: cells(DECOYS[name])})
    (detection,) = found.values()
    assert (detection.is_ and detection.is_.entity) not in PERSONAL
    assert not [c for c in detection.contains if c.entity in PERSONAL]


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (
            lambda r: r.choice(["JAMES SMITH", "MARY MWANGI", "AHMED KHAN", "OLGA IVANOVA"]) + "",
            "PERSON_NAME",
        ),
        (lambda r: r.choice(["王伟", "李娜", "张敏", "刘洋", "陈静", "杨磊"]), "FIRST_NAME"),
        (lambda r: r.choice(["محمد حسن", "فاطمة علي", "أحمد منصور", "مريم خالد"]), "PERSON_NAME"),
        (lambda r: r.choice(["राम शर्मा", "सीता वर्मा", "अमित गुप्ता", "पूजा सिंह"]), "PERSON_NAME"),
        (lambda r: r.choice(["Иван Петров", "Мария Смирнова", "Ольга Волкова"]), "PERSON_NAME"),
    ],
)
def test_names_in_capitals_and_other_scripts(make: Callable[[random.Random], str], wanted: str) -> None:
    got = entity(cells(make, 40), "c0")
    assert got in {wanted, "PERSON_NAME", "LAST_NAME"}


def test_tax_number_with_another_first_letter() -> None:
    pins = cells(lambda r: f"{r.choice('FIJUKM')}{r.randint(0, 999_999_999):09d}{r.choice('XGAWB')}")
    assert entity(pins, "c0") == "TAX_ID"


def test_social_security_numbers_of_test_data() -> None:
    assert (
        entity(cells(lambda r: f"9{r.randint(10, 99)}-{r.randint(10, 99)}-{r.randint(1000, 9999)}"), "id")
        == "SSN"
    )


def test_postal_codes_that_lost_their_zero() -> None:
    assert entity(cells(lambda r: str(r.randint(1001, 99950))), "zip") == "POSTAL_CODE"


def test_address_written_as_a_number() -> None:
    assert entity(cells(lambda r: str(r.randint(2**24, 2**32 - 1))), "ip_address") == "IP_ADDRESS"


def test_a_name_that_lies() -> None:
    assert entity(["Male", "Female"] * 40, "Genre") == "GENDER"
    assert entity(["Rock", "Jazz", "Blues", "Latin"] * 40, "Genre") != "PERSON_NAME"
    assert entity(["Tamil Nadu", "Kerala", "Karnataka", "Gujarat"] * 5, "city") == "STATE"


def test_births_and_events() -> None:
    births = cells(lambda r: f"{r.randint(1940, 2004)}-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}")
    events = cells(lambda r: f"{r.randint(2019, 2024)}-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}")
    found = judge({"c0": births, "c1": events})
    assert found["c0"].is_ is not None and found["c0"].is_.entity == "DATE_OF_BIRTH"
    assert found["c1"].is_ is not None and found["c1"].is_.entity == "DATE_EVENT"


def test_one_number_among_many_notes_is_contained_not_averaged_away() -> None:
    notes = [
        f"The customer asked about the delivery of parcel number {i} and was told to wait"
        for i in range(3000)
    ]
    notes[1234] = "The customer gave her number 172-32-1176 and asked for a call"
    found = judge({"notes": notes})["notes"]
    assert found.is_ is not None and found.is_.entity == "FREE_TEXT"
    hits = {c.entity: c.n_cells for c in found.contains}
    assert hits.get("SSN") == 1


def test_stray_addresses_among_codes_are_counted() -> None:
    codes = [f"ref {i}" for i in range(500)] + ["jane@example.com", "joe@example.org"]
    found = judge({"reference": codes})["reference"]
    assert {c.entity: c.n_cells for c in found.contains}.get("EMAIL") == 2
