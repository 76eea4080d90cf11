"""Tables of offices, shops and machines, most of whose columns are not personal.

Question: what is taken for personal data and is not, and what is hidden in codes?
Method: each function draws one table of a business as its software would export it, with the traps that users of tools
report: order numbers, versions, codes with few values, IPv4 addresses as integers, names of things next to people.
Limits: invented; identifiers with check digits are built with their check digits.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from generated.labelled import ROWS, Labelled, Table, column, digits, luhn

RNG = random.Random("privaudit business")
GIVEN = "Maya Tom Priya Luis Aisha Erik Chen Olga Kofi Sara Jonas Leila Marek Ines Hugo Wanjiru Tariq Noor".split()
FAMILY = "Okafor Lindqvist Patel Romero Haddad Novak Tanaka Mbeki Fischer Costa Dubois Kimani Reyes Larsen Iyer".split()
STREETS = ["Mill Lane", "Station Road", "Elm Street", "Harbour Drive", "King Street", "Ridge Avenue", "Oak Court"]
STATES = ["CA", "TX", "NY", "WA", "OH", "GA"]
LICENCES = {
    "CA": "A#######",
    "TX": "########",
    "NY": "#########",
    "WA": "WDL*****##*#",
    "OH": "AB######",
    "GA": "#########",
}


def _n(make: Callable[[], Any], entity: str = "NONE", *roles: str) -> Labelled:
    return column((make() for _ in range(ROWS)), entity, *roles)


def _pick(*values: Any) -> Callable[[], Any]:
    return lambda: RNG.choice(values)


def _number(low: int, high: int) -> Callable[[], int]:
    return lambda: RNG.randrange(low, high)


def _money(high: float) -> Callable[[], str]:
    return lambda: f"{RNG.uniform(1, high):.2f}"


def _day(first: int, last: int, form: str = "{0:04}-{1:02}-{2:02}") -> Callable[[], str]:
    return lambda: form.format(RNG.randrange(first, last), RNG.randrange(1, 13), RNG.randrange(1, 29))


def _person() -> str:
    return f"{RNG.choice(GIVEN)} {RNG.choice(FAMILY)}"


def _mask(form: str) -> str:
    made = (
        RNG.choice("0123456789") if c == "#" else RNG.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") if c == "*" else c
        for c in form
    )
    return "".join(made)


def _keys(first: int, last: int) -> list[int]:
    return RNG.sample(range(first, last), ROWS)


def bank_transfers() -> dict[str, Labelled]:
    """Transfers between accounts of customers of an Indian bank."""
    return {
        "txn_ref": _n(lambda: f"TXN{digits(RNG, 12)}", "RECORD_ID"),
        "value_date": _n(_day(2022, 2025, "{2:02}/{1:02}/{0:04}"), "DATE_EVENT"),
        "debit_account": _n(lambda: digits(RNG, 14), "BANK_ACCOUNT"),
        "beneficiary": _n(_person, "PERSON_NAME"),
        "ifsc": _n(lambda: _mask("****0######"), "BANK_CODE", "none"),
        "amount": _n(_money(90_000), "FINANCIAL"),
        "channel": _n(_pick("UPI", "NEFT", "IMPS", "RTGS")),
        "narration": _n(
            lambda: f"{RNG.choice(['Rent', 'Gift to', 'Invoice', 'Fees'])} {_person()} {digits(RNG, 5)}", "FREE_TEXT"
        ),
        "status_code": _n(_pick("00", "51", "91")),
    }


def call_records() -> dict[str, Labelled]:
    """Calls of a telephone network."""
    return {
        "call_id": column(_keys(10**9, 10**9 + 10**6), "RECORD_ID"),
        "a_number": _n(lambda: f"2547{digits(RNG, 8)}", "PHONE"),
        "b_number": _n(lambda: f"2547{digits(RNG, 8)}", "PHONE"),
        "imsi": _n(lambda: f"63902{digits(RNG, 10)}", "DEVICE_ID"),
        "imei": _n(lambda: luhn(f"35{digits(RNG, 12)}"), "DEVICE_ID"),
        "cell_id": _n(lambda: f"639-02-{RNG.randrange(100, 140)}-{RNG.randrange(9000)}", "GEO_CODE", "quasi", "none"),
        "started_at": _n(lambda: RNG.randrange(1_600_000_000, 1_700_000_000), "DATE_EVENT"),
        "duration_s": _n(_number(1, 3600)),
        "tariff": _n(_pick("prepaid", "postpaid"), "NONE", "none", "quasi"),
    }


def employees() -> dict[str, Labelled]:
    """A personnel file with codes instead of words."""
    return {
        "PERSNR": column(_keys(100_000, 999_999), "PERSON_ID"),
        "NAME1": _n(lambda: RNG.choice(FAMILY), "LAST_NAME"),
        "NAME2": _n(lambda: RNG.choice(GIVEN), "FIRST_NAME"),
        "GESCH": _n(_pick(1, 2), "GENDER"),
        "GBDAT": _n(_day(1955, 2004, "{0:04}{1:02}{2:02}"), "DATE_OF_BIRTH"),
        "FAMST": _n(_pick(0, 1, 2, 3), "MARITAL_STATUS"),
        "ANZKD": _n(_number(0, 5), "HOUSEHOLD"),
        "KOSTL": _n(_pick(4100, 4200, 4310, 5000), "DEPARTMENT"),
        "BETRG": _n(_money(9_000), "INCOME"),
        "IBAN": _n(lambda: _iban("DE", digits(RNG, 18)), "IBAN"),
        "BEGDA": _n(_day(1990, 2024, "{0:04}{1:02}{2:02}"), "DATE_EVENT"),
    }


def _iban(country: str, account: str) -> str:
    number = int("".join(str(int(c, 36)) for c in f"{account}{country}00"))
    return f"{country}{98 - number % 97:02}{account}"


def drivers() -> dict[str, Labelled]:
    """A register of drivers and their vehicles in the United States."""
    states = [RNG.choice(STATES) for _ in range(ROWS)]
    return {
        "record_no": column(_keys(1, 10_000), "RECORD_ID", "none", "direct"),
        "holder": _n(_person, "PERSON_NAME"),
        "dl_number": column([_mask(LICENCES[state]) for state in states], "DRIVER_LICENSE"),
        "dl_state": column(states, "STATE"),
        "class": _n(_pick("C", "D", "M", "CDL-A")),
        "eyes": _n(_pick("BRO", "BLU", "GRN", "HAZ"), "BIOMETRIC", "quasi", "sensitive"),
        "height_in": _n(_number(58, 78), "BIOMETRIC", "quasi", "sensitive"),
        "vin": _n(lambda: _mask("1H*CM#######*####"), "VEHICLE_ID", "direct", "quasi"),
        "plate": _n(lambda: _mask("***-####"), "VEHICLE_ID", "direct", "quasi"),
        "make": _n(_pick("Honda", "Ford", "Toyota", "Tesla"), "NONE", "none", "quasi"),
        "birth_month": _n(_number(1, 13), "DATE_OF_BIRTH", "quasi"),
        "expires": _n(_day(2025, 2032), "NONE", "none", "quasi"),
    }


def orders() -> dict[str, Labelled]:
    """Orders of a shop, with the customer as a foreign key."""
    people = [digits(RNG, 7) for _ in range(80)]
    return {
        "order_id": _n(lambda: f"{digits(RNG, 3)}-{digits(RNG, 7)}-{digits(RNG, 7)}", "RECORD_ID"),
        "customer": _n(_pick(*people), "PERSON_ID"),
        "sku": _n(lambda: _mask("**-####-*")),
        "product_name": _n(_pick("Aurora Lamp", "Victoria Chair", "Florence Table", "Madison Shelf"), "NONE"),
        "ship_name": _n(_person, "PERSON_NAME"),
        "address_line_1": _n(lambda: f"{RNG.randrange(1, 300)} {RNG.choice(STREETS)}", "STREET_ADDRESS"),
        "address_line_2": _n(lambda: RNG.choice(["", "", "Flat 2", "Suite 4", "Unit B"]), "ADDRESS_PART"),
        "postcode": _n(lambda: _mask("**# #**"), "POSTAL_CODE"),
        "qty": _n(_number(1, 9)),
        "unit_price": _n(_money(400)),
        "tracking_no": _n(lambda: f"1Z{digits(RNG, 16)}", "RECORD_ID", "none", "direct", "quasi"),
        "gift": _n(_pick("true", "false")),
    }


def web_log() -> dict[str, Labelled]:
    """Requests to a web site."""
    agents = ["Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "curl/8.4.0", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1)"]
    return {
        "ts": _n(lambda: f"{_day(2024, 2025)()}T{RNG.randrange(24):02}:12:45.{RNG.randrange(999):03}Z", "DATE_EVENT"),
        "client": _n(lambda: ".".join(str(RNG.randrange(1, 255)) for _ in range(4)), "IP_ADDRESS"),
        "client_int": _n(lambda: RNG.randrange(2**24, 2**32), "IP_ADDRESS"),
        "session": _n(lambda: f"{RNG.getrandbits(128):032x}", "DEVICE_ID", "direct", "quasi", "none"),
        "uid": _n(lambda: RNG.choice(["", f"u{RNG.randrange(500)}"]), "PERSON_ID"),
        "path": _n(_pick("/cart", "/help/returns", "/login", "/account/orders")),
        "status": _n(_pick(200, 200, 404, 500)),
        "bytes": _n(_number(100, 90_000)),
        "agent": _n(_pick(*agents), "NONE", "none", "quasi"),
        "build": _n(
            lambda: f"{RNG.randrange(9)}.{RNG.randrange(20)}.{RNG.randrange(9)}.{RNG.randrange(200)}", "VERSION"
        ),
    }


def survey() -> dict[str, Labelled]:
    """A household survey with coded answers."""
    return {
        "RESPID": column(range(1, ROWS + 1), "ROW_NUMBER"),
        "PWGT": _n(lambda: f"{RNG.uniform(10, 900):.3f}", "WEIGHT"),
        "AGEP": _n(_number(16, 95), "AGE"),
        "SEX": _n(_pick(1, 2), "GENDER"),
        "MAR": _n(_number(1, 6), "MARITAL_STATUS"),
        "SCHL": _n(_number(1, 25), "EDUCATION"),
        "NPF": _n(_number(1, 8), "HOUSEHOLD"),
        "RAC1P": _n(_number(1, 10), "RACE_ETHNICITY"),
        "HINCP": _n(_number(0, 300_000), "INCOME"),
        "DIS": _n(_pick(1, 2), "MEDICAL"),
        "PUMA": _n(lambda: f"{RNG.randrange(100, 140):05}", "GEO_CODE"),
        "Q12_satisfied": _n(_number(1, 6), "NONE", "none", "sensitive"),
    }


def clinical_trial() -> dict[str, Labelled]:
    """Subjects of a trial."""
    return {
        "subject_id": _n(lambda: f"TR-{RNG.randrange(10, 30)}-{digits(RNG, 4)}", "PERSON_ID"),
        "site": _n(_pick("DE01", "DE02", "FR07", "PL03"), "NONE", "none", "quasi"),
        "arm": _n(_pick("placebo", "10 mg", "20 mg"), "NONE", "none", "sensitive"),
        "visit_date": _n(_day(2021, 2024), "DATE_EVENT"),
        "age_years": _n(_number(18, 80), "AGE"),
        "bmi": _n(lambda: f"{RNG.uniform(17, 42):.1f}", "MEDICAL", "sensitive", "quasi"),
        "icd10": _n(_pick("E11.9", "I10", "J45.0", "C50.9", "F32.1"), "MEDICAL"),
        "adverse_event": _n(_pick("", "", "headache", "nausea", "rash"), "MEDICAL"),
        "smoker": _n(_pick("never", "former", "current"), "MEDICAL", "sensitive", "quasi"),
        "brca1": _n(_pick("wt", "c.68_69delAG", "c.5266dupC"), "MEDICAL"),
        "consent": _n(_pick("Y", "Y", "N")),
    }


def storms() -> dict[str, Labelled]:
    """Storms, which have names of people."""
    return {
        "storm": _n(_pick("Katrina", "Andrew", "Camille", "Hugo", "Ida", "Ian"), "NONE"),
        "season": _n(_number(1950, 2024), "NONE"),
        "basin": _n(_pick("NA", "EP", "WP")),
        "max_wind_kt": _n(_number(35, 160)),
        "pressure_mb": _n(_number(890, 1010)),
        "landfall_lat": _n(lambda: f"{RNG.uniform(10, 45):.2f}", "LATITUDE", "none", "quasi"),
        "landfall_lon": _n(lambda: f"{RNG.uniform(-98, -60):.2f}", "LONGITUDE", "none", "quasi"),
        "deaths": _n(_number(0, 1800)),
    }


def ships() -> dict[str, Labelled]:
    """Calls of ships at ports."""
    return {
        "imo": _n(lambda: digits(RNG, 7), "NONE"),
        "mmsi": _n(lambda: digits(RNG, 9), "NONE"),
        "vessel": _n(_pick("Queen Elizabeth", "Edith Maersk", "Stena Victoria", "Maria Dolores"), "NONE"),
        "flag": _n(_pick("PA", "LR", "MT", "DK"), "COUNTRY", "none", "quasi"),
        "port": _n(_pick("Rotterdam", "Mombasa", "Santos", "Busan"), "CITY", "none", "quasi"),
        "eta": _n(_day(2023, 2025), "DATE_EVENT"),
        "gross_tonnage": _n(_number(900, 220_000)),
        "agent": _n(_pick("Inchcape Shipping", "Wilhelmsen Ships Service"), "ORGANISATION"),
    }


def stock() -> dict[str, Labelled]:
    """Items of a warehouse."""
    return {
        "item": column(range(40_001, 40_001 + ROWS), "NONE"),
        "ean13": _n(lambda: digits(RNG, 13), "NONE"),
        "description": _n(_pick("bolt M8 x 40 zinc", "washer 8.4 mm", "hex nut A2", "cable tie 200 mm")),
        "supplier": _n(_pick("Kruger & Sons", "Nordic Fasteners AB", "Osaka Metal K.K."), "ORGANISATION"),
        "bin": _n(lambda: _mask("*##-##")),
        "on_hand": _n(_number(0, 9_000)),
        "reorder": _n(_pick("y", "n")),
        "cost": _n(_money(12)),
        "counted_on": _n(_day(2023, 2025), "DATE_EVENT", "none"),
    }


def sensors() -> dict[str, Labelled]:
    """Measurements of machines."""
    return {
        "device": _n(lambda: f"pump-{RNG.randrange(1, 12):02}", "NONE"),
        "seq": column(range(ROWS), "ROW_NUMBER", "none"),
        "epoch_ms": _n(lambda: RNG.randrange(1_600_000_000_000, 1_700_000_000_000), "NONE", "none", "quasi"),
        "temp_c": _n(lambda: f"{RNG.gauss(60, 8):.3f}"),
        "rpm": _n(_number(900, 3_200)),
        "firmware": _n(
            lambda: f"{RNG.randrange(4)}.{RNG.randrange(10)}.{RNG.randrange(30)}.{RNG.randrange(9)}", "VERSION"
        ),
        "crc": _n(lambda: f"{RNG.getrandbits(32):08x}", "HASH", "none"),
        "alarm": _n(_pick(0, 0, 0, 1)),
    }


def school() -> dict[str, Labelled]:
    """Pupils and their marks."""
    return {
        "pupil": _n(lambda: f"{RNG.choice(FAMILY)}, {RNG.choice(GIVEN)}", "PERSON_NAME"),
        "upn": _n(lambda: _mask("*############"), "PERSON_ID", "direct"),
        "form": _n(_pick("7A", "8B", "9C", "10A"), "NONE", "none", "quasi"),
        "dob": _n(_day(2008, 2014, "{2}.{1}.{0}"), "DATE_OF_BIRTH"),
        "guardian_phone": _n(lambda: f"07{digits(RNG, 9)}", "PHONE"),
        "free_meals": _n(_pick("Y", "N"), "NONE", "sensitive", "none", "quasi"),
        "sen_status": _n(_pick("", "K", "E"), "MEDICAL", "sensitive"),
        "first_language": _n(_pick("English", "Polish", "Urdu", "Arabic"), "LANGUAGE"),
        "maths": _n(_number(1, 100), "NONE", "none", "sensitive"),
        "exclusions": _n(_number(0, 3), "NONE", "none", "sensitive"),
    }


def hotel() -> dict[str, Labelled]:
    """Bookings of a hotel."""
    return {
        "booking_ref": _n(lambda: _mask("******"), "RECORD_ID", "none", "direct"),
        "lead_guest": _n(_person, "PERSON_NAME"),
        "guest_email": _n(
            lambda: f"{RNG.choice(GIVEN).lower()}{RNG.randrange(999)}@example.{RNG.choice(['com', 'org'])}", "EMAIL"
        ),
        "passport_no": _n(lambda: _mask("*#######"), "PASSPORT"),
        "nat": _n(_pick("KEN", "DEU", "FRA", "USA", "IND"), "NATIONALITY"),
        "adults": _n(_number(1, 4), "HOUSEHOLD", "quasi", "none"),
        "arrival": _n(_day(2024, 2026), "DATE_EVENT"),
        "nights": _n(_number(1, 14)),
        "room": _n(_number(101, 540), "NONE", "none", "quasi"),
        "rate": _n(_money(400), "FINANCIAL", "none", "sensitive"),
        "diet": _n(_pick("", "halal", "kosher", "vegan"), "RELIGION", "sensitive", "none"),
        "card": _n(lambda: luhn(f"4{digits(RNG, 14)}"), "CREDIT_CARD"),
        "card_exp": _n(lambda: f"{RNG.randrange(1, 13):02}/{RNG.randrange(25, 31)}", "CARD_EXPIRY"),
    }


def events() -> dict[str, Labelled]:
    """Events of an application as JSON."""

    def payload() -> str:
        user = {"name": _person(), "mail": f"{RNG.choice(GIVEN).lower()}@example.net"}
        return json.dumps({"user": user, "cart": [RNG.randrange(900)], "v": "2.1.0"})

    return {
        "event_id": _n(lambda: f"{RNG.getrandbits(64):016x}", "RECORD_ID"),
        "name": _n(_pick("page_view", "purchase", "sign_up"), "NONE"),
        "payload": _n(payload, "FREE_TEXT", "sensitive", "direct"),
        "platform": _n(_pick("ios", "android", "web")),
        "score": _n(lambda: f"{RNG.random():.12f}"),
        "retries": _n(_number(0, 4)),
        "is_test": _n(_pick("0", "1")),
    }


def donors() -> dict[str, Labelled]:
    """Donations to parties, as they are published."""
    return {
        "contributor": _n(lambda: f"{RNG.choice(FAMILY).upper()}, {RNG.choice(GIVEN).upper()}", "PERSON_NAME"),
        "employer": _n(_pick("SELF", "RETIRED", "ACME CORP", "STATE UNIVERSITY"), "EMPLOYER"),
        "job": _n(_pick("ATTORNEY", "NURSE", "ENGINEER", "HOMEMAKER"), "OCCUPATION"),
        "st": _n(_pick(*STATES), "STATE"),
        "zip9": _n(lambda: digits(RNG, 9), "POSTAL_CODE"),
        "party": _n(_pick("DEM", "REP", "LIB", "GRE"), "POLITICS", "sensitive"),
        "cmte": _n(lambda: f"C{digits(RNG, 8)}", "NONE"),
        "amt": _n(_number(5, 3_000), "FINANCIAL", "none", "sensitive"),
        "dt": _n(_day(2020, 2025, "{1:02}{2:02}{0:04}"), "DATE_EVENT"),
    }


MAKERS = (
    bank_transfers, call_records, employees, drivers, orders, web_log, survey, clinical_trial, storms, ships, stock,
    sensors, school, hotel, events, donors,
)  # fmt: skip


def tables() -> Iterator[Table]:
    """Yield the tables."""
    for make in MAKERS:
        yield Table(f"business_{make.__name__}", "business", make())
