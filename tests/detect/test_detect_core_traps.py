# ruff: noqa: E501 - tables of cases are read whole
"""The traps every peer falls into: each stays a test for ever."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.helpers.detection import entity, judge

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
        (lambda r: r.choice(["JAMES SMITH", "MARY MWANGI", "AHMED KHAN", "OLGA IVANOVA"]) + "", "PERSON_NAME"),
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
    assert entity(cells(lambda r: f"9{r.randint(10, 99)}-{r.randint(10, 99)}-{r.randint(1000, 9999)}"), "id") == "SSN"


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
    notes = [f"The customer asked about the delivery of parcel number {i} and was told to wait" for i in range(3000)]
    notes[1234] = "The customer gave her number 172-32-1176 and asked for a call"
    found = judge({"notes": notes})["notes"]
    assert found.is_ is not None and found.is_.entity == "FREE_TEXT"
    hits = {c.entity: c.n_cells for c in found.contains}
    assert hits.get("SSN") == 1


def test_stray_addresses_among_codes_are_counted() -> None:
    codes = [f"ref {i}" for i in range(500)] + ["jane@example.com", "joe@example.org"]
    found = judge({"reference": codes})["reference"]
    assert {c.entity: c.n_cells for c in found.contains}.get("EMAIL") == 2


def hexdigits(n: int) -> Callable[[random.Random], str]:
    return lambda r: "".join(r.choices("0123456789abcdef", k=n))


# Each trap by the name it has in the list of traps, with the headers and writings in which it comes.
VARIANTS: dict[str, list[tuple[str, Callable[[random.Random], str]]]] = {
    "app_version and IP": [
        ("app_version", version),
        ("firmware", lambda r: f"v{version(r)}"),
        ("build", lambda r: f"{r.randint(10, 99)}.{r.randint(0, 9)}.{r.randint(1000, 9999)}.{r.randint(0, 250)}"),
        ("os_version", lambda r: f"10.0.{r.randint(10000, 22999)}"),
        ("ua_version", lambda r: f"{r.randint(90, 120)}.0.{r.randint(100, 255)}.{r.randint(1, 250)}"),
        ("section", lambda r: f"{r.randint(1, 9)}.{r.randint(1, 9)}.{r.randint(1, 9)}.{r.randint(1, 9)}"),
    ],
    "order_id and phone or NHS": [
        ("order_id", digits(10)),
        ("order_no", lambda r: f"7{r.randrange(10**9):09d}"),
        ("invoice_number", lambda r: f"07{r.randrange(10**8):08d}"),
        ("ticket", lambda r: f"254{r.randrange(10**9):09d}"),
        ("sku", digits(10)),
        ("po_number", lambda r: f"{r.randrange(100, 999)}-{r.randrange(100, 999)}-{r.randrange(1000, 9999)}"),
    ],
    "tracking_no and card": [
        ("tracking_no", digits(16)),
        ("tracking_number", lambda r: f"4{r.randrange(10**15):015d}"),
        ("transaction_id", lambda r: f"5{r.randrange(1, 6)}{r.randrange(10**14):014d}"),
        ("serial", digits(15)),
        ("waybill", lambda r: " ".join(f"{r.randrange(10**4):04d}" for _ in range(4))),
    ],
    "company and person": [
        ("company", lambda r: r.choice(["Smith", "Mwangi", "Rossi"]) + r.choice([" Ltd", " & Sons", " GmbH", " Inc"])),
        ("supplier", lambda r: r.choice(["Johnson", "Müller", "Otieno"]) + r.choice([" AG", " S.A.", " Bros", " LLC"])),
        ("vendor_name", lambda r: r.choice(["Harper", "Grant", "Kimani"]) + r.choice([" Holdings", " Foods", " Logistics"])),
        ("brand", lambda r: r.choice(["Mercedes", "Ford", "Levis", "Adidas", "Puma"])),
    ],
    "department May Promo": [
        ("department", lambda r: r.choice(["May Promo", "April Sale", "June Deals", "August Week"])),
        ("campaign", lambda r: r.choice(["Summer June", "May Madness", "April Fools", "Black Friday"])),
        ("team", lambda r: r.choice(["Will Call", "Mark Down", "Grace Period", "Art Direction"])),
    ],
    "weekday lists": [
        ("day", lambda r: r.choice(["Monday", "Tuesday", "Friday", "Sunday"])),
        ("days", lambda r: ", ".join(r.sample(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat"], 3))),
        ("wochentag", lambda r: r.choice(["Montag", "Dienstag", "Mittwoch", "Samstag"])),
        ("month", lambda r: r.choice(["January", "April", "May", "June", "August"])),
        ("schedule", lambda r: r.choice(["Mon-Fri", "Tue-Sat", "Sat;Sun", "Fri;Sat"])),
    ],
    "the string nan": [
        ("name", lambda r: r.choice(["nan", "NaN", "null", "none", "N/A"])),
        ("surname", lambda r: r.choice(["nan", "NULL", "None", "-"])),
        ("email", lambda r: r.choice(["nan", "none", "n/a", "unknown"])),
    ],
    "floats of 16 digits": [
        ("ratio", lambda r: f"{r.random():.16f}"),
        ("weight", lambda r: repr(r.random() * 4)),
        ("value", lambda r: f"{r.random() * 5:.15f}"),
        ("c0", lambda r: f"{r.uniform(4e15, 6e15):.1f}"),
        ("loss", lambda r: f"{r.random():.12e}"),
    ],
    "sha1 and GUID": [
        ("sha1", hexdigits(40)),
        ("commit", hexdigits(40)),
        ("etag", hexdigits(32)),
        ("guid", lambda r: "-".join("".join(r.choices("0123456789ABCDEF", k=k)) for k in (8, 4, 4, 4, 12))),
        ("ref", lambda r: "{" + "-".join("".join(r.choices("0123456789abcdef", k=k)) for k in (8, 4, 4, 4, 12)) + "}"),
        ("checksum", hexdigits(64)),
    ],
    "email_verified": [
        ("email_verified", lambda r: r.choice(["true", "false"])),
        ("email_count", lambda r: str(r.randint(0, 9))),
        ("phone_type", lambda r: r.choice(["mobile", "home", "work"])),
        ("has_email", lambda r: r.choice(["Y", "N"])),
        ("name_length", lambda r: str(r.randint(3, 20))),
        ("ssn_flag", lambda r: r.choice(["0", "1"])),
        ("address_verified_at", lambda r: f"2023-0{r.randint(1, 9)}-1{r.randint(0, 9)} 10:00:00"),
        ("gender_count", lambda r: str(r.randint(0, 400))),
        ("card_status", lambda r: r.choice(["active", "blocked", "expired"])),
        ("ip_version", lambda r: r.choice(["4", "6"])),
    ],
    "names inside words": [
        ("duplicate", lambda r: r.choice(["original", "copy", "policy"])),
        ("public", lambda r: r.choice(["yes", "no"])),
        ("application", lambda r: r.choice(["alice-web", "market", "annual", "janitor", "markdown"])),
        ("stage", lambda r: str(r.randint(1, 4))),
        ("page", lambda r: str(r.randint(1, 300))),
        ("percentage", lambda r: str(r.randint(0, 100))),
        ("usage", lambda r: str(r.randint(0, 5000))),
        ("message_id", lambda r: f"<{r.getrandbits(40):x}.{r.getrandbits(20):x}>"),
        ("filename", lambda r: f"report_{r.randint(1, 999)}.pdf"),
        ("hostname", lambda r: f"web-{r.randint(1, 99)}.prod.internal"),
        ("nickel", lambda r: f"{r.random():.2f}"),
        ("ziploc_count", lambda r: str(r.randint(1, 30))),
        ("shipment", lambda r: f"SH{r.randint(1, 99)}"),
    ],
    "timestamps": [
        ("created_at", lambda r: f"20{r.randint(19, 24)}-0{r.randint(1, 9)}-1{r.randint(0, 9)}T0{r.randint(0, 9)}:15:3{r.randint(0, 9)}Z"),
        ("updated", lambda r: str(r.randint(1_600_000_000, 1_720_000_000))),
        ("ts_ms", lambda r: str(r.randint(1_600_000_000_000, 1_720_000_000_000))),
        ("logged", lambda r: f"{r.randint(1, 28):02d}/{r.choice(['Jan', 'May', 'Aug'])}/2023:10:{r.randint(10, 59)}:00 +0000"),
        ("time", lambda r: f"{r.randint(0, 23):02d}:{r.randint(0, 59):02d}:{r.randint(0, 59):02d}"),
    ],
    "numbers that count": [
        ("amount", lambda r: f"{r.uniform(1, 9999):.2f}"),
        ("quantity", lambda r: str(r.randint(1, 99))),
        ("price", lambda r: f"$ {r.randint(1, 9)},{r.randint(100, 999)}.{r.randint(10, 99)}"),
        ("score", lambda r: str(r.randint(0, 100))),
        ("epoch", lambda r: str(r.randint(1, 300))),
        ("lines", digits(5)),
        ("bytes", lambda r: str(r.randint(10**8, 10**10))),
        ("population", lambda r: str(r.randint(10_000, 99_999))),
        ("latency_ms", lambda r: str(r.randint(18, 90))),
    ],
}  # fmt: skip
CASES = [
    pytest.param(header, make, id=f"{trap}: {header}") for trap, makes in VARIANTS.items() for header, make in makes
]


@pytest.mark.parametrize(("header", "make"), CASES)
def test_variants_of_the_traps_are_nothing_personal(header: str, make: Callable[[random.Random], str]) -> None:
    (detection,) = judge({header: cells(make)}).values()
    assert (detection.is_ and detection.is_.entity) not in PERSONAL
    assert not [c for c in detection.contains if c.entity in PERSONAL]


# Without a name a running number of a card's length, nine digits or a five-digit code may be anything: not these.
OPAQUE = [
    case for case in CASES if case.values[0] not in {"ticket", "po_number", "waybill", "invoice_number", "population"}
]


@pytest.mark.parametrize(("header", "make"), OPAQUE)
def test_variants_without_their_names_are_nothing_personal(header: str, make: Callable[[random.Random], str]) -> None:
    (detection,) = judge({"c00": cells(make)}).values()
    assert (detection.is_ and detection.is_.entity) not in PERSONAL
    assert not [c for c in detection.contains if c.entity in PERSONAL]


def test_a_rejected_card_reports_that_luhn_passes_by_chance() -> None:
    found = judge({"c0": cells(lambda r: f"4{r.randrange(10**15):015d}", 400)})["c0"]
    assert any(
        item.entity == "CREDIT_CARD" and item.because.code == "detect.luhn_as_by_chance" for item in found.rejected
    ), found.rejected


@pytest.mark.parametrize("length", [9, 8, 11])
def test_numbers_nobody_can_decide_are_unresolved_never_clean(length: int) -> None:
    found = judge({"c0": cells(digits(length), 400)})["c0"].is_
    assert found is not None and found.entity == "UNRESOLVED_ID"


def test_cards_of_test_data_under_their_name() -> None:
    """Numbers of test systems pass Luhn as chance would: the name and the form speak."""
    for header in ("credit_card", "card_number", "cc_num"):
        assert entity(cells(lambda r: f"4{r.randrange(10**15):015d}"), header) == "CREDIT_CARD"


@pytest.mark.parametrize("area", ["9", "000", "666"])
def test_social_security_numbers_never_issued_under_any_name(area: str) -> None:
    def make(r: random.Random) -> str:
        head = f"9{r.randint(10, 99)}" if area == "9" else area
        return f"{head}-{r.randint(10, 99)}-{r.randint(1000, 9999)}"

    for header in ("ssn", "social_security_number"):
        assert entity(cells(make), header) == "SSN"


def test_state_and_city_swapped() -> None:
    """Names that lie do not win over the lists."""
    states = [*["Texas", "Ohio", "Iowa", "Utah", "Maine", "Nevada", "Oregon", "Kansas", "Alaska", "Idaho"]] * 6
    cities = [
        *["Houston", "Chicago", "Boston", "Denver", "Seattle", "Portland", "Nairobi", "Berlin", "Paris", "Lagos"]
    ] * 6
    found = judge({"city": states, "state": cities})
    assert found["city"].is_ is not None and found["city"].is_.entity == "STATE"
    assert found["state"].is_ is not None and found["state"].is_.entity == "CITY"


@pytest.mark.parametrize("header", ["zip", "ZIPCODE", "postal_code", "plz"])
def test_postal_codes_as_numbers_and_floats(header: str) -> None:
    assert entity(cells(lambda r: str(r.randint(1001, 99950))), header) == "POSTAL_CODE"
    assert entity(cells(lambda r: f"{r.randint(1001, 99950)}.0"), header) == "POSTAL_CODE"


@pytest.mark.parametrize("header", ["ip", "ip_int", "client_ip", "source_ip"])
def test_addresses_written_as_numbers(header: str) -> None:
    assert entity(cells(lambda r: str(r.randint(2**24, 2**32 - 1))), header) == "IP_ADDRESS"


@pytest.mark.parametrize("letters", ["AP", "FIJUKM"])
@pytest.mark.parametrize("header", ["c0", "kra_pin", "pin", "tax_pin"])
def test_tax_numbers_of_any_first_letter(letters: str, header: str) -> None:
    pins = cells(lambda r: f"{r.choice(letters)}{r.randint(0, 999_999_999):09d}{r.choice('XGAWB')}")
    assert entity(pins, header) == "TAX_ID"


@pytest.mark.parametrize("n_values", [1, 3])
@pytest.mark.parametrize("value", ["jane.roe@example.org", "+254 712 345 678", "4111 1111 1111 1111", "536-22-1234"])
def test_rare_values_are_counted_among_any_text(value: str, n_values: int) -> None:
    notes = [f"Entry {i}: the parcel was late and the client was told so" for i in range(2000)]
    for place in range(n_values):
        notes[place * 600 + 7] = f"Entry: {value} was left by the client for later, {place}"
    found = judge({"notes": notes})["notes"]
    assert [c.n_cells for c in found.contains] == [n_values]


@pytest.mark.parametrize("header", ["password", "failed_password", "session_token"])
def test_counts_under_the_name_of_a_credential_are_not_credentials(header: str) -> None:
    found = judge({"host": [f"h{i % 9}" for i in range(300)], header: [str(i * 7 % 12) for i in range(300)]})[header]
    assert found.is_ is None or found.is_.entity not in ("PASSWORD", "SECRET")


CREDENTIALS: dict[str, Callable[[random.Random], str]] = {
    "PINs": digits(4),
    "dates": lambda r: f"{r.randint(1950, 2005)}-{r.randint(1, 12):02}-{r.randint(1, 28):02}",
    "words": lambda r: r.choice(["letmein", "qwerty", "monkey"]) + str(r.randint(0, 99)),
    "masked": lambda r: "*" * r.randint(6, 12),
    "some short": lambda r: r.choice(["abc", "1a"]) if r.random() < 0.5 else "hunter2",
}


@pytest.mark.parametrize("kind", sorted(CREDENTIALS))
def test_values_that_may_be_passwords_keep_the_claim_of_their_column_name(kind: str) -> None:
    found = judge({"user": cells(hexdigits(8)), "password": cells(CREDENTIALS[kind])})["password"]
    assert found.is_ is not None and found.is_.entity in ("PASSWORD", "SECRET")
