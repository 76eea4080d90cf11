# ruff: noqa: E501 - the columns of a table are read whole
"""Six everyday tables: a clinic in France, a school in Spain, order lines, music, issues, the chart of an organisation.

Question: what is found in tables whose column names have another meaning elsewhere, such as ``genre`` and ``state``?
Method: half of the tables describe people and half things, with the column names that such systems use. Words of things
are drawn from short lists, names and addresses from Faker. Labels follow from the construction; they and the tables
were written before any verdict on them was seen.
Limits: one author wrote the forms; the lists are short, so that values repeat more often than in real tables.
"""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from faker import Faker

from generated.labelled import ROWS, Labelled, Table, column, digits

SEED = 20261127
MUSIC = "Rock|Jazz|Classical|Pop|Electronic|Metal|Folk|Hip-Hop|Blues|Latin|Soul|Reggae|Country|Punk".split("|")
INSTRUMENTS = "guitar|piano|strings|brass|drums|bass|choir".split("|")
GOODS = "Lamp|Desk|Chair|Shelf|Carpet|Mirror|Clock|Vase|Cushion|Frame".split("|")
ADJECTIVES = "Oak|Modern|Round|Small|Blue|Classic|Folding|Light|Soft|Large".split("|")
PARTS = "Billing|Search|Login|Export|Mobile|Reports|API|Docs".split("|")
UNITS = "Sales|Finance|Engineering|Legal|Marketing|Operations|Support|Human Resources|Research|Design".split("|")
TEAMS = "Platform|Payments|Growth|Data|Field|Inbound|Quality|Planning".split("|")


class Drawn:
    """A generator with the draws that the tables share."""

    def __init__(self, locale: str, seed: int, rows: int = ROWS) -> None:
        self.rng, self.fake, self.rows = random.Random(seed), Faker(locale), rows
        self.fake.seed_instance(seed)

    def many(self, values: str | list[str], *weights: int) -> list[str]:
        """Return a choice for each row, of a list or of a text that bars divide."""
        listed = values.split("|") if isinstance(values, str) else values
        return self.rng.choices(listed, weights=weights or None, k=self.rows)

    def numbers(self, low: int, high: int) -> list[int]:
        """Return a number for each row."""
        return [self.rng.randint(low, high) for _ in range(self.rows)]

    def days(self, first: int, last: int, form: str = "%Y-%m-%d") -> list[str]:
        """Return a day of these years for each row."""
        span = (date(last, 12, 31) - date(first, 1, 1)).days
        days = (date(first, 1, 1) + timedelta(days=self.rng.randrange(span)) for _ in range(self.rows))
        return [day.strftime(form) for day in days]

    def token(self, n: int, alphabet: str = string.ascii_lowercase + string.digits) -> str:
        """Return `n` random characters."""
        return "".join(self.rng.choices(alphabet, k=n))

    def each(self, what: str, n: int = 0) -> list[Any]:
        """Return `n` values of Faker, or one for each row."""
        return [getattr(self.fake, what)() for _ in range(n or self.rows)]


def clinic() -> dict[str, Labelled]:
    """Patients of a clinic in France."""
    d = Drawn("fr_FR", SEED)
    return {
        "ipp": column((f"{800000 + i * 7 + d.rng.randrange(7)}" for i in range(ROWS)), "HEALTH_ID"),
        "nom": column((name.upper() for name in d.each("last_name")), "LAST_NAME"),
        "prenom": column(d.each("first_name"), "FIRST_NAME"),
        "genre": column(d.many("Homme|Femme", 48, 52), "GENDER"),
        "date_naissance": column(d.days(1932, 2018, "%d/%m/%Y"), "DATE_OF_BIRTH"),
        "situation_familiale": column(d.many("Célibataire|Marié(e)|Divorcé(e)|Veuf(ve)|Pacsé(e)"), "MARITAL_STATUS"),
        "code_postal": column(d.each("postcode"), "POSTAL_CODE"),
        "commune": column(d.each("city"), "CITY"),
        "medecin_traitant": column(d.rng.choices([f"Dr {name}" for name in d.each("last_name", 9)], k=ROWS), "PERSON_NAME"),
        "service": column(d.many("Cardiologie|Pneumologie|Urgences|Pédiatrie|Chirurgie"), "DEPARTMENT", "quasi", "none", "sensitive"),
        "date_admission": column(d.days(2023, 2025, "%d/%m/%Y"), "DATE_EVENT"),
        "mode_sortie": column(d.many("Domicile|Transfert|Décès", 8, 2, 1), "NONE", "none", "sensitive"),
        "diagnostic": column(d.many("Hypertension artérielle|Diabète de type 2|Asthme|Fracture du fémur|Bronchite aiguë"), "MEDICAL"),
        "groupe_sanguin": column(d.many("A+|A-|B+|O+|O-|AB+"), "MEDICAL", "sensitive", "quasi"),
        "etat": column(d.many("Ouvert|Clos|En attente"), "NONE"),
    }  # fmt: skip


def school() -> dict[str, Labelled]:
    """Pupils of a school in Spain."""
    d = Drawn("es_ES", SEED + 1)
    surnames = [f"{a} {b}" for a, b in zip(d.each("last_name"), d.each("last_name"), strict=True)]
    tutors = [d.fake.name() for _ in range(12)]
    return {
        "nia": column((digits(d.rng, 8) for _ in range(ROWS)), "PERSON_ID"),
        "apellidos": column(surnames, "LAST_NAME"),
        "nombre": column(d.each("first_name"), "FIRST_NAME"),
        "sexo": column(d.many("Hombre|Mujer"), "GENDER"),
        "fecha_nacimiento": column(d.days(2008, 2014), "DATE_OF_BIRTH"),
        "curso": column(d.many("1º ESO|2º ESO|3º ESO|4º ESO"), "NONE", "none", "quasi"),
        "grupo": column(d.many("A|B|C|D"), "NONE", "none", "quasi"),
        "tutor": column(d.rng.choices(tutors, k=ROWS), "PERSON_NAME"),
        "telefono_familia": column(d.each("phone_number"), "PHONE"),
        "localidad": column(d.each("city"), "CITY"),
        "provincia": column(d.rng.choices(d.each("state", 30), k=ROWS), "STATE"),
        "religion": column(d.many("Católica|Valores éticos|Islámica|Evangélica"), "RELIGION"),
        "nota_media": column((f"{d.rng.uniform(3, 10):.1f}" for _ in range(ROWS)), "NONE", "none", "sensitive"),
        "estado": column(d.many("Matriculado|Pendiente|Baja", 8, 1, 1), "NONE"),
        "observaciones": column((f"Expediente {i}: pendiente de entregar la autorización." for i in range(ROWS)), "FREE_TEXT", "sensitive", "none"),
    }  # fmt: skip


def orders() -> dict[str, Labelled]:
    """Lines of orders of a shop, without customers."""
    d = Drawn("en_US", SEED + 2)
    numbers = sorted(d.rng.choices(range(50000, 50150), k=ROWS))
    return {
        "order_ref": column((f"SO-{n}" for n in numbers), "RECORD_ID", "none"),
        "line": column(d.numbers(1, 6)),
        "sku": column((f"{d.token(3, string.ascii_uppercase)}-{d.token(5)}" for _ in range(ROWS)), "NONE"),
        "product": column((f"{a} {b}" for a, b in zip(d.many(ADJECTIVES), d.many(GOODS), strict=True)), "NONE"),
        "category": column(d.many("Furniture|Lighting|Textiles|Decoration"), "NONE"),
        "colour": column(d.many("Red|Rose|Olive|Violet|Amber|Ivory"), "NONE"),
        "quantity": column(d.numbers(1, 9)),
        "unit_price": column((f"{d.rng.uniform(5, 400):.2f}" for _ in range(ROWS)), "NONE"),
        "currency": column(d.many("EUR|USD|GBP"), "CURRENCY"),
        "state": column(d.many("shipped|returned|pending|cancelled", 7, 1, 1, 1), "NONE"),
        "orientation": column(d.many("portrait|landscape|square"), "NONE"),
        "warehouse": column(d.many("North|South|East"), "NONE"),
        "carrier": column(d.many("DHL|UPS|GLS|FedEx"), "ORGANISATION"),
        "tracking_token": column((d.token(12) for _ in range(ROWS)), "NONE", "none", "direct"),
        "shipped_on": column(d.days(2024, 2025), "DATE_EVENT", "none", "quasi"),
    }  # fmt: skip


def music() -> dict[str, Labelled]:
    """Tracks of a music library."""
    d = Drawn("en_GB", SEED + 3)
    words = "Night|River|Summer|Golden|Silent|Blue|Broken|Electric|Paper|Winter|Dream|Fire|Stone|Moon".split("|")
    return {
        "track_id": column((d.token(22, string.ascii_letters + string.digits) for _ in range(ROWS)), "RECORD_ID", "none", "direct"),
        "title": column((f"{a} {b}" for a, b in zip(d.many(words), d.many(words), strict=True)), "NONE"),
        "album": column((f"The {a} {b}" for a, b in zip(d.many(words), d.many("Sessions|Years|Tapes|Album"), strict=True)), "NONE"),
        "label": column(d.many("Parlour Records|Mercury Sound|Northern Tapes"), "ORGANISATION"),
        "genre": column(d.many(MUSIC), "NONE"),
        "mood": column(d.many("happy|sad|calm|angry|dark"), "NONE"),
        "instrument": column(d.many(INSTRUMENTS), "NONE"),
        "language": column(d.many("English|Spanish|French|Instrumental"), "LANGUAGE"),
        "year": column(d.numbers(1955, 2025), "NONE", "none", "quasi"),
        "duration": column((f"{d.rng.randint(1, 7)}:{d.rng.randint(0, 59):02}" for _ in range(ROWS)), "NONE"),
        "bpm": column(d.numbers(60, 190)),
        "key": column(d.many("C|D|E|F|G|A|B"), "NONE"),
        "explicit": column(d.many("0|1"), "NONE"),
        "race": column(d.many("sprint|marathon|relay"), "NONE"),
        "plays": column(d.numbers(0, 900000)),
    }  # fmt: skip


def issues() -> dict[str, Labelled]:
    """Issues of a tracker, reported by people."""
    d = Drawn("en_US", SEED + 4)
    people = [d.fake.unique.user_name() for _ in range(25)]
    names = [d.fake.name() for _ in range(12)]
    return {
        "key": column((f"WEB-{i + 101}" for i in range(ROWS)), "RECORD_ID", "none"),
        "summary": column((f"{d.rng.choice(PARTS)} {d.rng.choice(['fails', 'is slow', 'shows an error'])} after update {i}" for i in range(ROWS)), "FREE_TEXT", "sensitive", "none"),
        "type": column(d.many("bug|story|task|epic"), "NONE"),
        "state": column(d.many("open|in progress|in review|closed"), "NONE"),
        "priority": column(d.many("low|medium|high|critical"), "NONE"),
        "component": column(d.many(PARTS), "NONE"),
        "reporter": column(d.rng.choices(people, k=ROWS), "USERNAME"),
        "assignee": column(d.rng.choices(names, k=ROWS), "PERSON_NAME"),
        "resolution": column(d.many("fixed|duplicate|rejected|"), "NONE"),
        "branch": column(d.many("main|develop|release|hotfix"), "NONE"),
        "commit": column((d.token(40, "0123456789abcdef") for _ in range(ROWS)), "HASH", "none", "direct"),
        "severity": column(d.many("minor|major|blocker"), "NONE"),
        "created": column(d.days(2024, 2025), "DATE_EVENT", "none", "quasi"),
        "votes": column(d.numbers(0, 40)),
        "country": column(d.many("domestic|foreign"), "NONE", "none", "quasi"),
    }  # fmt: skip


def chart() -> dict[str, Labelled]:
    """Teams of an organisation with those who lead them."""
    d = Drawn("de_DE", SEED + 5)
    leads = [f"{d.fake.first_name()} {d.fake.last_name()}" for _ in range(40)]
    first, last = d.each("first_name", 14), d.each("last_name", 14)
    return {
        "unit_id": column(range(1, ROWS + 1), "ROW_NUMBER"),
        "unit": column(d.many(UNITS), "DEPARTMENT"),
        "team": column(d.many(TEAMS), "DEPARTMENT"),
        "cost_centre": column((f"{d.rng.randint(4100, 4199)}" for _ in range(ROWS)), "NONE", "none", "quasi"),
        "head": column(d.rng.choices(leads, k=ROWS), "PERSON_NAME"),
        "deputy_first": column(d.rng.choices(first, k=ROWS), "FIRST_NAME"),
        "deputy_last": column(d.rng.choices(last, k=ROWS), "LAST_NAME"),
        "site": column(d.many("Berlin|Hamburg|Köln|Leipzig"), "CITY"),
        "region": column(d.many("Nord|Süd|Ost|West"), "COUNTY_REGION", "quasi", "none"),
        "status": column(d.many("active|frozen|planned"), "NONE"),
        "headcount": column(d.numbers(3, 60)),
        "budget": column((f"{d.rng.randint(2, 90) * 10000}" for _ in range(ROWS)), "NONE", "none", "sensitive"),
        "opened": column(d.numbers(1995, 2024), "NONE", "none", "quasi"),
        "door_code": column((d.token(8) for _ in range(ROWS)), "NONE", "none", "direct"),
        "shift": column(d.many("early|late|night"), "NONE"),
    }  # fmt: skip


def tables() -> Iterator[Table]:
    """Yield the tables."""
    for make in (clinic, school, orders, music, issues, chart):
        yield Table(f"everyday_{make.__name__}", make.__name__, make())
