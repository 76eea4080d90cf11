"""Tables of people, devices and payments with mimesis, in locales that the other generators do not have.

Question: are the attributes found that generators of test data like to write: blood types, views, wallets, gadgets?
Method: one table for each purpose and locale; the columns have the names of the providers, or names of an application.
Limits: mimesis draws every column on its own, so that columns of a row do not fit each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from mimesis import Generic
from mimesis.locales import Locale

from generated.labelled import ROWS, Labelled, Table, column

Plan = list[tuple[str, Callable[[Generic], Any], str, tuple[str, ...]]]


def _plan(*columns: tuple[Any, ...]) -> Plan:
    return [(name, make, rest[0] if rest else "NONE", tuple(rest[1:])) for name, make, *rest in columns]


PATIENTS = _plan(
    ("identifier", lambda g: g.person.identifier(mask="####-##/####"), "PERSON_ID"),
    ("full_name", lambda g: g.person.full_name(), "PERSON_NAME"),
    ("gender", lambda g: g.person.gender(), "GENDER"),
    ("birthdate", lambda g: g.person.birthdate(min_year=1935, max_year=2005), "DATE_OF_BIRTH"),
    ("blood_type", lambda g: g.person.blood_type(), "MEDICAL"),
    ("height", lambda g: g.person.height(), "BIOMETRIC", "quasi", "sensitive"),
    ("weight", lambda g: g.person.weight(), "BIOMETRIC", "quasi", "sensitive"),
    ("phone_number", lambda g: g.person.phone_number(), "PHONE"),
    ("city", lambda g: g.address.city(), "CITY"),
)
MEMBERS = _plan(
    ("user_id", lambda g: g.cryptographic.uuid(), "PERSON_ID"),
    ("username", lambda g: g.person.username(), "USERNAME"),
    ("email", lambda g: g.person.email(), "EMAIL"),
    ("password_hash", lambda g: g.cryptographic.hash(), "SECRET", "direct", "sensitive"),
    ("nationality", lambda g: g.person.nationality(), "NATIONALITY"),
    ("language", lambda g: g.person.language(), "LANGUAGE"),
    ("api_key", lambda g: g.cryptographic.api_key(), "SECRET", "direct", "sensitive"),
    ("last_ip", lambda g: g.internet.ip_v4(), "IP_ADDRESS"),
    ("signed_up", lambda g: g.datetime.datetime(2015, 2024).isoformat(), "DATE_EVENT"),
    ("bio", lambda g: g.text.sentence(), "FREE_TEXT", "sensitive", "none"),
)
PAYMENTS = _plan(
    ("payment_id", lambda g: g.random.randint(10**8, 10**9), "RECORD_ID"),
    ("card_number", lambda g: g.payment.credit_card_number(), "CREDIT_CARD"),
    ("card_expires", lambda g: g.payment.credit_card_expiration_date(), "CARD_EXPIRY"),
    ("cvv", lambda g: g.payment.cvv(), "CARD_SECURITY"),
    ("cardholder", lambda g: g.person.full_name(), "PERSON_NAME"),
    ("network", lambda g: g.payment.credit_card_network(), "CARD_TYPE"),
    ("wallet", lambda g: g.payment.bitcoin_address(), "BANK_ACCOUNT", "direct", "none"),
    ("amount", lambda g: f"{g.random.uniform(1, 900):.2f}", "FINANCIAL"),
    ("currency", lambda g: g.finance.currency_iso_code()),
)
STAFF = _plan(
    ("EmpNo", lambda g: g.random.randint(1000, 99999), "PERSON_ID"),
    ("Surname", lambda g: g.person.surname(), "LAST_NAME"),
    ("Name", lambda g: g.person.name(), "FIRST_NAME"),
    ("Title", lambda g: g.person.title(), "NAME_PREFIX"),
    ("Occupation", lambda g: g.person.occupation(), "OCCUPATION"),
    ("University", lambda g: g.person.university(), "EDUCATION", "quasi", "none"),
    ("Degree", lambda g: g.person.academic_degree(), "EDUCATION"),
    ("Address", lambda g: g.address.address(), "STREET_ADDRESS"),
    ("PostalCode", lambda g: g.address.postal_code(), "POSTAL_CODE"),
    ("Region", lambda g: g.address.region(), "STATE"),
    ("Salary", lambda g: g.random.randint(20_000, 140_000), "INCOME"),
    ("Company", lambda g: g.finance.company(), "EMPLOYER", "quasi", "none"),
)
DEVICES = _plan(
    ("imei", lambda g: g.code.imei(), "DEVICE_ID"),
    ("mac", lambda g: g.internet.mac_address(), "MAC_ADDRESS"),
    ("user_agent", lambda g: g.internet.user_agent(), "NONE", "none", "quasi"),
    ("ipv6", lambda g: g.internet.ip_v6(), "IP_ADDRESS"),
    ("os", lambda g: g.development.os()),
    ("app_version", lambda g: g.development.version(), "VERSION"),
    ("lat", lambda g: g.address.latitude(), "LATITUDE"),
    ("lng", lambda g: g.address.longitude(), "LONGITUDE"),
    ("country", lambda g: g.address.country_code(), "COUNTRY"),
)
LIBRARY = _plan(
    ("isbn", lambda g: g.code.isbn(), "NONE"),
    ("ean", lambda g: g.code.ean(), "NONE"),
    ("title", lambda g: g.text.title(), "NONE"),
    ("colour", lambda g: g.text.color(), "NONE"),
    ("language_code", lambda g: g.random.choice(["en", "de", "fr"]), "NONE"),
    ("year", lambda g: g.datetime.year(1950, 2024), "NONE"),
    ("file", lambda g: g.file.file_name(), "NONE"),
    ("size", lambda g: g.file.size(), "NONE"),
    ("vehicle", lambda g: g.transport.car(), "NONE"),
    ("dish", lambda g: g.food.dish(), "NONE"),
)
TABLES: dict[str, tuple[Locale, Plan]] = {
    "mimesis_patients_cs": (Locale.CS, PATIENTS), "mimesis_patients_da": (Locale.DA, PATIENTS),
    "mimesis_members_en": (Locale.EN, MEMBERS), "mimesis_members_pt": (Locale.PT, MEMBERS),
    "mimesis_payments_en": (Locale.EN, PAYMENTS), "mimesis_staff_de": (Locale.DE_CH, STAFF),
    "mimesis_staff_fr": (Locale.FR, STAFF), "mimesis_staff_hu": (Locale.HU, STAFF),
    "mimesis_staff_et": (Locale.ET, STAFF), "mimesis_devices": (Locale.EN, DEVICES),
    "mimesis_library": (Locale.EN, LIBRARY),
}  # fmt: skip


def tables() -> Iterator[Table]:
    """Yield the tables."""
    for name, (locale, plan) in TABLES.items():
        generic = Generic(locale=locale, seed=sum(map(ord, name)))
        yield Table(name, "mimesis", {head: _column(generic, *rest) for head, *rest in plan})


def _column(generic: Generic, make: Callable[[Generic], Any], entity: str, roles: tuple[str, ...]) -> Labelled:
    return column((make(generic) for _ in range(ROWS)), entity, *roles)
