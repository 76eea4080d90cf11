"""Exports of ordinary systems in 20 locales: research, care, sales, staff, banks, schools, registers, logs, things.

Question: what is found in the tables that systems write, with abbreviated headers, repeated keys and none of both?
Method: each source below is a system; `HEADERS` has the words of its columns in the language of the locale. Keys of
persons repeat in the tables of events and stay unique in those of persons, so that labels follow from the
construction. Decoys have the forms of personal data: part numbers with check digits, counters, stations, prices.
Limits: needs Faker for the names and addresses of the locales; one author wrote the forms.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from faker import Faker

from generated.labelled import ROWS, Labelled, Table, column, digits, luhn

LOCALES = (
    "en_US en_GB de_DE fr_FR es_ES it_IT pt_BR nl_NL pl_PL sv_SE fi_FI tr_TR ru_RU uk_UA cs_CZ id_ID ja_JP ko_KR "
    "zh_CN hi_IN"
).split()
FITTED = ("omop", "crm", "school", "register", "parts", "headerless", "clinic")
"""Sources on which rules and weights may be fitted; the others are `HELD_OUT`."""
HELD_OUT = ("fhir", "redcap", "hr", "bank", "log", "shop", "survey", "places")

# locale: first name, last name, full name, birth, sex, phone, street, postal code, town, job, salary, number
HEADERS = {
    "en_US": "fname lname member_name dob gender cell addr1 zip city job_title salary emp_no",
    "en_GB": "forename surname full_name birth_dt sex tel address postcode town role pay staff_no",
    "de_DE": "vorname nachname bearbeiter geb_datum geschlecht tel strasse plz ort beruf gehalt personalnummer",
    "fr_FR": "prenom nom enseignant date_naiss sexe tel adresse cp ville metier salaire matricule",
    "es_ES": "nombre apellidos titular f_nacimiento sexo telefono domicilio cp localidad puesto sueldo num_empleado",
    "it_IT": "nome cognome intestatario data_nascita sesso cellulare indirizzo cap comune professione stipendio "
    "matricola",
    "pt_BR": "nome sobrenome responsavel dt_nasc sexo celular endereco cep cidade cargo salario matricula",
    "nl_NL": "voornaam achternaam medewerker geb_datum geslacht mobiel adres postcode plaats functie salaris klantnr",
    "pl_PL": "imie nazwisko pracownik data_ur plec telefon ulica kod_pocztowy miasto stanowisko pensja nr_pracownika",
    "sv_SE": "fornamn efternamn handlaggare fodelsedatum kon mobil gatuadress postnr ort yrke lon anstallningsnr",
    "fi_FI": "etunimi sukunimi opettaja syntymaaika sukupuoli puhelin katuosoite postinumero kaupunki ammatti palkka "
    "asiakasnumero",
    "tr_TR": "ad soyad ogretmen dogum_tarihi cinsiyet cep_telefonu adres posta_kodu sehir meslek maas sicil_no",
    "ru_RU": "имя фамилия сотрудник дата_рождения пол телефон адрес индекс город должность зарплата табельный_номер",
    "uk_UA": "імя прізвище вчитель дата_народження стать телефон адреса індекс місто посада зарплата табельний_номер",
    "cs_CZ": "jmeno prijmeni ucitel datum_narozeni pohlavi telefon ulice psc mesto povolani plat osobni_cislo",
    "id_ID": "nama_depan nama_belakang nama_lengkap tgl_lahir jenis_kelamin no_hp alamat kode_pos kota pekerjaan gaji "
    "nip",
    "ja_JP": "名 姓 氏名 生年月日 性別 電話番号 住所 郵便番号 市区町村 職業 給与 社員番号",
    "ko_KR": "이름 성 성명 생년월일 성별 전화번호 주소 우편번호 도시 직업 급여 사번",
    "zh_CN": "名 姓 姓名 出生日期 性别 手机号 地址 邮编 城市 职业 工资 工号",
    "hi_IN": "पहला_नाम उपनाम नाम जन्म_तिथि लिंग मोबाइल पता पिन_कोड शहर पेशा वेतन कर्मचारी_संख्या",
}
FIELDS = "first last full birth sex phone street postal town job salary number".split()
KINDS = dict(
    zip(
        FIELDS,
        "FIRST_NAME LAST_NAME PERSON_NAME DATE_OF_BIRTH GENDER PHONE STREET_ADDRESS POSTAL_CODE CITY OCCUPATION INCOME "
        "PERSON_ID".split(),
        strict=True,
    )
)
SEXES = {"de_DE": "mw", "fr_FR": "MF", "es_ES": "HM", "it_IT": "MF", "pl_PL": "KM", "ja_JP": "男女", "zh_CN": "男女"}


@dataclass(frozen=True, slots=True)
class Source:
    """What the tables of one system are drawn from."""

    rng: random.Random
    fake: Any
    locale: str

    def person(self) -> dict[str, Any]:
        """Return the values of a person by field."""
        rng, fake = self.rng, self.fake
        first, last = fake.first_name(), fake.last_name()
        order = "{1}{0}" if self.locale in ("ja_JP", "ko_KR", "zh_CN") else "{0} {1}"
        return {
            "first": first,
            "last": last,
            "full": order.format(first, last),
            "birth": date(rng.randrange(1935, 2007), rng.randrange(1, 13), rng.randrange(1, 29)),
            "sex": rng.choice(SEXES.get(self.locale, "MF")),
            "phone": fake.phone_number(),
            "street": fake.street_address(),
            "postal": fake.postcode(),
            "town": fake.city(),
            "job": fake.job(),
            "salary": round(rng.lognormvariate(10.6, 0.4), -2),
        }

    def people(self, n: int) -> dict[str, list[Any]]:
        """Return `n` people by field, each with a person ID."""
        each = [self.person() for _ in range(n)]
        first = self.rng.randrange(10**4, 9 * 10**5)
        numbers = self.rng.sample(range(first, first + 40 * n), n)
        return {field: [one[field] for one in each] for field in each[0]} | {"number": numbers}

    def many(self, *values: Any) -> list[Any]:
        """Return a choice of `values` for each row."""
        return self.rng.choices(values, k=ROWS)

    def each(self, make: Callable[[], Any]) -> list[Any]:
        """Return a new value for each row."""
        return [make() for _ in range(ROWS)]

    def day(self, first: int = 2019, last: int = 2024) -> date:
        """Return a day of these years."""
        return date(first, 1, 1) + timedelta(days=self.rng.randrange(365 * (last - first)))

    def days(self, form: str = "%Y-%m-%d") -> list[str]:
        """Return a day for each row."""
        return self.each(lambda: self.day().strftime(form))

    def repeated(self, people: Mapping[str, Sequence[Any]]) -> list[int]:
        """Return for each row the position of a person, people in several rows, sorted by person or not."""
        n = len(people["number"])
        rows = [self.rng.randrange(n) for _ in range(ROWS)]
        return sorted(rows) if self.rng.random() < 0.5 else rows


def _of(people: Mapping[str, Sequence[Any]], fields: str, locale: str, form: str = "%Y-%m-%d") -> dict[str, Labelled]:
    names = dict(zip(FIELDS, HEADERS[locale].split(), strict=True))
    return {
        names[field]: column((_text(cell, form) for cell in people[field]), KINDS[field]) for field in fields.split()
    }


def _text(cell: Any, form: str) -> Any:
    return cell.strftime(form) if isinstance(cell, date) else cell


def _rows(people: Mapping[str, Sequence[Any]], rows: Sequence[int]) -> dict[str, list[Any]]:
    return {field: [cells[row] for row in rows] for field, cells in people.items()}


def _plain(columns: Mapping[str, Sequence[Any]]) -> dict[str, Labelled]:
    return {name: column(cells) for name, cells in columns.items()}


def omop(s: Source) -> Iterator[tuple[str, dict[str, Labelled]]]:
    """Tables of the common data model of OMOP, with and without their prefix."""
    ids = s.rng.sample(range(1, 40_000), ROWS)
    births = [s.day(1935, 2010) for _ in ids]
    yield (
        "person",
        {
            "person_id": column(ids, "PERSON_ID"),
            "gender_concept_id": column(s.many(8507, 8532), "GENDER"),
            "year_of_birth": column((b.year for b in births), "BIRTH_YEAR"),
            "month_of_birth": column((b.month for b in births), "BIRTH_MONTH", "quasi", "none"),
            "day_of_birth": column((b.day for b in births), "NONE", "none", "quasi"),
            "race_source_value": column(s.many("white", "black", "asian", "other"), "RACE_ETHNICITY"),
            "care_site_id": column(s.many(*range(11, 31)), "NONE", "none", "quasi"),
        },
    )
    holders = s.rng.choices(ids[:40], k=ROWS)
    codes = ["E11.9", "I10", "J45.909", "M54.5", "N39.0", "F32.9"]
    yield (
        "condition",
        {
            "condition_occurrence_id": column(range(90_001, 90_001 + ROWS), "RECORD_ID", "none", "direct"),
            "person_id": column(holders, "PERSON_ID"),
            "condition_start_date": column(s.days(), "DATE_EVENT"),
            "principal_dx": column(s.many(*codes), "MEDICAL"),
            "visit_type": column(s.many("IP", "OP", "ER")),
        },
    )
    drugs = ["METFORMIN 500 MG", "LISINOPRIL 10 MG", "ALBUTEROL 90 MCG", "WARFARIN 5 MG", "INSULIN GLARGINE"]
    rxnorm = dict(zip(drugs, (860975, 314076, 745679, 855332, 274783), strict=True))
    taken = s.many(*drugs)
    yield (
        "drug",
        {
            "pid": column(holders, "PERSON_ID"),
            "drug_date": column(s.days("%m%d%Y"), "DATE_EVENT"),
            "rxnorm": column((rxnorm[drug] for drug in taken), "MEDICAL"),
            "drug_name": column(taken, "MEDICAL"),
            "days_supply": column(s.many(7, 14, 30, 90)),
            "refills": column(s.many(0, 1, 2, 3)),
        },
    )


def clinic(s: Source) -> Iterator[tuple[str, dict[str, Labelled]]]:
    """Visits with vital signs, whose patients repeat."""
    people = s.people(45)
    seen = _rows(people, s.repeated(people))
    vital = {
        "sys": [s.rng.randrange(95, 175) for _ in range(ROWS)],
        "dia": [s.rng.randrange(55, 105) for _ in range(ROWS)],
        "pulse": [s.rng.randrange(50, 120) for _ in range(ROWS)],
        "weight": [round(s.rng.gauss(74, 13), 1) for _ in range(ROWS)],
        "height": [round(s.rng.gauss(169, 9)) for _ in range(ROWS)],
        "temp": [round(s.rng.gauss(36.9, 0.5), 1) for _ in range(ROWS)],
    }
    measured = {
        name: column(cells, "BIOMETRIC" if name in ("weight", "height") else "MEDICAL", "sensitive", "quasi")
        for name, cells in vital.items()
    }
    yield (
        "vitals",
        {
            "pat": column(seen["number"], "PERSON_ID"),
            **_of(seen, "birth sex", s.locale, "%d/%m/%Y"),
            "visit_date": column(s.days("%d%m%Y"), "DATE_EVENT"),
            **measured,
        },
    )
    yield (
        "waiting",
        {
            **_of(people_of(s), "number full birth phone", s.locale, "%d.%m.%Y"),
            "triage": column(s.many(1, 2, 3, 4, 5), "NONE", "none", "sensitive"),
            "arrived": column(s.days("%Y-%m-%d 08:%M"), "DATE_EVENT"),
            "bed": column(s.many(*range(1, 24))),
        },
    )


def people_of(s: Source) -> dict[str, list[Any]]:
    """Return one person for each row."""
    return s.people(ROWS)


def fhir(s: Source) -> Iterator[tuple[str, dict[str, Labelled]]]:
    """Resources of FHIR, flattened."""
    people = people_of(s)
    ids = [f"{s.rng.getrandbits(48):012x}" for _ in range(ROWS)]
    births = people["birth"]
    yield (
        "patient",
        {
            "id": column(ids, "PERSON_ID"),
            "name.0.family": column(people["last"], "LAST_NAME"),
            "name.0.given.0": column(people["first"], "FIRST_NAME"),
            "gender": column(s.many("male", "female", "unknown"), "GENDER"),
            "birthDate": column((b.isoformat() for b in births), "DATE_OF_BIRTH"),
            "address.0.city": column(people["town"], "CITY"),
            "address.0.postalCode": column(people["postal"], "POSTAL_CODE"),
            "telecom.0.value": column(people["phone"], "PHONE"),
            "active": column(s.many("true", "false")),
        },
    )
    loinc = {"8867-4": "Heart rate", "8480-6": "Systolic blood pressure", "29463-7": "Body weight"}
    seen = s.many(*loinc)
    yield (
        "observation",
        {
            "subject.reference": column((f"Patient/{one}" for one in s.rng.choices(ids[:50], k=ROWS)), "PERSON_ID"),
            "code.coding.0.code": column(seen, "MEDICAL", "sensitive", "none"),
            "code.text": column((loinc[code] for code in seen), "MEDICAL", "sensitive", "none"),
            "valueQuantity.value": column(
                s.each(lambda: s.rng.randrange(50, 160)), "MEDICAL", "sensitive", "none", "quasi"
            ),
            "effectiveDateTime": column(s.days("%Y-%m-%dT10:%M:00Z"), "DATE_EVENT"),
            "status": column(s.many("final", "amended")),
        },
    )


def redcap(s: Source) -> Iterator[tuple[str, dict[str, Labelled]]]:
    """Exports of a study, with coded answers and several events of a participant."""
    people = s.people(60)
    rows = sorted(s.rng.randrange(60) for _ in range(ROWS))
    seen = _rows(people, rows)
    yield (
        "raw",
        {
            "record_id": column((row + 1 for row in rows), "PERSON_ID"),
            "redcap_event_name": column(s.many("baseline_arm_1", "month_6_arm_1", "month_12_arm_1")),
            "fname_v2": column(seen["first"], "FIRST_NAME"),
            "lname_v2": column(seen["last"], "LAST_NAME"),
            "dob": column((b.strftime("%m/%d/%Y") for b in seen["birth"]), "DATE_OF_BIRTH"),
            "sex": column((1 + (n % 2) for n in seen["number"]), "GENDER"),
            "mrn": column(seen["number"], "HEALTH_ID"),
            "phq9_total": column(s.many(*range(28)), "MEDICAL"),
            "consent_complete": column(s.many(0, 1, 2)),
        },
    )
    yield (
        "follow_up",
        {
            "ptid": column((f"{row + 101:04}" for row in rows), "PERSON_ID"),
            "visit_dt": column(s.days("%d%b%Y"), "DATE_EVENT"),
            "age_at_visit": column((70 - n % 50 for n in seen["number"]), "AGE"),
            "marital_status_code": column((1 + n % 4 for n in seen["number"]), "MARITAL_STATUS"),
            "bmi": column(s.each(lambda: round(s.rng.gauss(27, 4), 1)), "MEDICAL", "sensitive", "quasi"),
            "arm": column(row % 2 for row in rows),
        },
    )


def crm(s: Source) -> Iterator[tuple[str, dict[str, Labelled]]]:
    """Contacts and calls of sales."""
    people = people_of(s)
    mails = [f"{s.fake.user_name()}@{s.fake.free_email_domain()}" for _ in range(ROWS)]
    yield (
        "contacts",
        {
            **_of(people, "number full", s.locale),
            "e-mail": column(mails, "EMAIL"),
            **_of(people, "phone street postal town", s.locale),
            "lead_source": column(s.many("Web", "Referral", "Fair", "Cold call")),
            "score": column(s.many(*range(10, 100))),
        },
    )
    few = s.people(35)
    seen = _rows(few, s.repeated(few))
    yield (
        "calls",
        {
            "call_no": column(range(1, ROWS + 1), "ROW_NUMBER"),
            **_of(seen, "number full phone", s.locale),
            "duration_s": column(s.each(lambda: s.rng.randrange(5, 1800)), "NONE", "none", "sensitive"),
            "outcome": column(s.many("sold", "no answer", "later")),
        },
    )


def hr(s: Source) -> Iterator[tuple[str, dict[str, Labelled]]]:
    """Staff, and their absences."""
    people = people_of(s)
    yield (
        "staff",
        {
            **_of(people, "number last first birth sex job salary", s.locale, "%d.%m.%Y"),
            "department_id": column(s.many(*range(10, 22)), "DEPARTMENT", "quasi", "none"),
            "contract": column(s.many("P", "T", "F")),
            "fte": column(s.many("1.0", "0.5", "0.8")),
        },
    )
    few = s.people(40)
    seen = _rows(few, s.repeated(few))
    yield (
        "absence",
        {
            **_of(seen, "number full", s.locale),
            "from": column(s.days("%d.%m.%Y"), "DATE_EVENT"),
            "days": column(s.many(1, 2, 3, 5, 10)),
            "reason": column(s.many("sick", "holiday", "parental leave"), "NONE", "none", "sensitive", "quasi"),
        },
    )


def bank(s: Source) -> Iterator[tuple[str, dict[str, Labelled]]]:
    """Accounts and bookings."""
    people = people_of(s)
    yield (
        "accounts",
        {
            "acct_no": column(s.each(lambda: digits(s.rng, 10)), "BANK_ACCOUNT"),
            **_of(people, "full birth street town", s.locale, "%d/%m/%Y"),
            "iban": column(s.each(s.fake.iban), "IBAN"),
            "balance": column(s.each(lambda: f"{s.rng.lognormvariate(7, 1.2):.2f}"), "FINANCIAL"),
            "branch": column(s.many(*range(100, 130))),
            "product": column(s.many("Giro", "Savings", "Joint")),
        },
    )
    accounts = s.each(lambda: digits(s.rng, 10))[:40]
    yield (
        "bookings",
        {
            "booking_id": column((f"B{n:09}" for n in range(4001, 4001 + ROWS)), "RECORD_ID", "none", "direct"),
            "acct_no": column(s.rng.choices(accounts, k=ROWS), "BANK_ACCOUNT"),
            "booked": column(s.days("%Y%m%d"), "DATE_EVENT"),
            "amount": column(s.each(lambda: f"{s.rng.gauss(0, 300):.2f}"), "FINANCIAL"),
            "currency": column(s.many("EUR", "USD", "GBP"), "NONE"),
            "card": column(
                s.each(lambda: luhn("4" + digits(s.rng, 14)) if s.rng.random() < 0.9 else ""), "CREDIT_CARD"
            ),
        },
    )


def school(s: Source) -> Iterator[tuple[str, dict[str, Labelled]]]:
    """Pupils and their marks."""
    people = people_of(s)
    yield (
        "pupils",
        {
            "nr": column(people["number"], "PERSON_ID"),
            **_of(people, "last first birth sex town", s.locale, "%d.%m.%Y"),
            "class": column(s.many("5a", "5b", "6a", "7c"), "NONE", "none", "quasi"),
            "lunch": column(s.many("free", "full")),
        },
    )
    few = s.people(30)
    seen = _rows(few, s.repeated(few))
    yield (
        "marks",
        {
            "sid": column(seen["number"], "PERSON_ID"),
            **_of(seen, "last first", s.locale),
            "subject": column(s.many("Maths", "Art", "Physics", "History")),
            "mark": column(s.many(1, 2, 3, 4, 5, 6), "NONE", "none", "sensitive"),
            "term": column(s.many("2023-1", "2023-2")),
        },
    )


def register(s: Source) -> Iterator[tuple[str, dict[str, Labelled]]]:
    """Members of a parliament and of a club."""
    people = s.people(90)
    seen = _rows(people, s.repeated(people))
    yield (
        "votes",
        {
            "id_parliament": column(seen["number"], "PERSON_ID"),
            "congressperson_name": column(seen["full"], "PERSON_NAME"),
            "party": column(s.many("Red", "Green", "Blue"), "POLITICS", "sensitive", "none", "quasi"),
            "vote": column(s.many("yes", "no", "absent"), "NONE", "none", "sensitive"),
            "session": column(s.many(*range(1, 13))),
        },
    )
    members = people_of(s)
    yield (
        "club",
        {
            "PID": column(members["number"], "PERSON_ID"),
            **_of(members, "first last birth", s.locale, "%Y%m%d"),
            "joined": column(s.each(lambda: s.day(2000, 2023).strftime("%m/%Y")), "DATE_EVENT"),
            "fee": column(s.many("20.00", "40.00"), "FINANCIAL", "none", "sensitive"),
        },
    )


def headerless(s: Source) -> Iterator[tuple[str, dict[str, Labelled]]]:
    """People whose file has no header."""
    people = people_of(s)
    fields = "first last birth sex phone salary town number".split()
    s.rng.shuffle(fields)
    marked = {f"V{i}": field for i, field in enumerate(fields, 1)}
    yield (
        "people",
        {
            name: column((_text(cell, "%Y-%m-%d") for cell in people[field]), KINDS[field])
            for name, field in marked.items()
        },
    )


def log(s: Source) -> Iterator[tuple[str, dict[str, Labelled]]]:
    """Requests and sign-ins."""
    users = [s.fake.unique.user_name() for _ in range(50)]
    stamp = s.days("%Y-%m-%dT%H:%M:%S")
    agent = [s.fake.user_agent() for _ in range(12)]
    yield (
        "requests",
        {
            "ts": column(stamp, "DATE_EVENT"),
            "host name": column(s.many("web01", "web02", "db-1", "cache3")),
            "client": column(s.each(s.fake.ipv4_public), "IP_ADDRESS"),
            "user": column(s.rng.choices(users, k=ROWS), "USERNAME"),
            "status": column(s.many(200, 301, 404, 500)),
            "bytes": column(s.each(lambda: s.rng.randrange(200, 90_000))),
            "app_version": column(s.many("4.1.0.2", "4.1.1.0", "4.2.0.1")),
            "agent": column(s.many(*agent), "USER_AGENT", "none", "quasi"),
        },
    )
    yield (
        "integers",
        {
            "seq": column(range(5001, 5001 + ROWS), "ROW_NUMBER"),
            "src_ip": column(s.each(lambda: s.rng.randrange(2**24, 3 * 2**30)), "IP_ADDRESS"),
            "session": column((f"{s.rng.getrandbits(64):016x}" for _ in range(ROWS)), "DEVICE_ID", "direct", "none"),
            "epoch": column((1_600_000_000 + 37 * n for n in range(ROWS)), "DATE_EVENT"),
            "latency_ms": column(s.each(lambda: s.rng.randrange(3, 900))),
            "level": column(s.many("INFO", "WARN", "ERROR")),
        },
    )


def parts(s: Source) -> Iterator[tuple[str, dict[str, Labelled]]]:
    """Numbers with check digits of things."""

    def mod11() -> str:
        body = digits(s.rng, 8)
        check = sum(int(c) * w for c, w in zip(body, range(2, 10), strict=True)) % 11
        return f"{body}{check % 10}"

    def mod97() -> str:
        body = digits(s.rng, 8)
        return f"{body}{97 - int(body) % 97:02}"

    first = s.rng.randrange(1, 400)
    yield (
        "stock",
        {
            "item": column((f"{n:07}" for n in range(first, first + ROWS)), "RECORD_ID", "none"),
            "part_code": column(s.each(lambda: luhn(digits(s.rng, 6)))),
            "vendor_ref": column(s.each(mod11)),
            "batch": column(s.each(mod97)),
            "colour": column(s.many("brown", "grey", "black", "white")),
            "qty": column(s.each(lambda: s.rng.randrange(500))),
            "price": column(s.each(lambda: f"{s.rng.uniform(1, 90):.2f}"), "NONE", "none", "sensitive"),
        },
    )
    yield (
        "readings",
        {
            "LOGRECNO": column((f"{n:07}" for n in s.rng.sample(range(1, 99_999), ROWS)), "RECORD_ID", "none"),
            "readings": column(
                s.each(lambda: " ".join(["4" + digits(s.rng, 3), *(digits(s.rng, 4) for _ in range(3))]))
            ),
            "station": column(s.many("Mobile", "Enterprise", "Liberty", "Independence")),
            "minor_unit": column(s.many(0, 2, 3)),
            "rank": column(s.many(*range(1, 11))),
        },
    )


def shop(s: Source) -> Iterator[tuple[str, dict[str, Labelled]]]:
    """Orders with their customers, and products."""
    few = s.people(60)
    seen = _rows(few, s.repeated(few))
    yield (
        "orders",
        {
            "order_no": column(
                (f"SO-{n}" for n in s.rng.sample(range(10**5, 10**6), ROWS)), "RECORD_ID", "none", "direct"
            ),
            "cust": column(seen["number"], "PERSON_ID"),
            **_of(seen, "full street postal town", s.locale),
            "total": column(s.each(lambda: f"{s.rng.uniform(5, 400):.2f}"), "FINANCIAL", "none", "sensitive"),
            "carrier": column(s.many("DHL", "UPS", "DPD")),
            "tracking_no": column(s.each(lambda: digits(s.rng, 12)), "RECORD_ID", "none", "direct"),
        },
    )
    yield (
        "products",
        {
            "sku": column(s.each(lambda: f"{s.rng.choice('ABCD')}-{digits(s.rng, 6)}"), "RECORD_ID", "none"),
            "ean": column(s.each(s.fake.ean13)),
            "display_name": column(
                f"{s.rng.choice(['Blue', 'Small', 'Steel'])} {s.rng.choice(['Lamp', 'Chair', 'Kettle'])} {n}"
                for n in range(ROWS)
            ),
            "weight": column(s.each(lambda: f"{s.rng.uniform(0.1, 30):.2f}")),
            "age_group": column(s.many("3+", "6+", "12+"), "NONE", "none", "quasi"),
            "linkedin_skill": column(s.many("Project planning", "Data analysis", "Team work", "Sales")),
        },
    )


def survey(s: Source) -> Iterator[tuple[str, dict[str, Labelled]]]:
    """Answers of people without a name."""
    yield (
        "answers",
        {
            "caseid": column(s.rng.sample(range(10**4, 10**5), ROWS), "PERSON_ID", "direct", "none"),
            "age": column(s.each(lambda: f"{s.rng.randrange(18, 90)} Years"), "AGE"),
            "sex": column(s.many("Male", "Female"), "GENDER"),
            "charge_degree": column(s.many("F", "M")),
            "residence": column(s.many("Urban", "Rural"), "NONE", "none", "quasi"),
            "educ": column(s.many("Primary", "Secondary", "Tertiary"), "EDUCATION"),
            "q1": column(s.many(1, 2, 3, 4, 5)),
            "q2": column(s.many(1, 2, 3, 4, 5)),
            "wt": column(s.each(lambda: f"{s.rng.uniform(0.3, 3):.4f}")),
        },
    )


def places(s: Source) -> Iterator[tuple[str, dict[str, Labelled]]]:
    """Municipalities and stations."""
    code = s.each(lambda: luhn(digits(s.rng, 4)))
    towns = [s.fake.city() for _ in range(ROWS)]
    yield (
        "municipalities",
        {
            "code": column(code, "GEO_CODE", "none", "quasi"),
            "municipality": column(towns, "CITY", "none", "quasi"),
            "population": column(s.each(lambda: s.rng.randrange(900, 90_000))),
            "area_km2": column(s.each(lambda: f"{s.rng.uniform(3, 300):.1f}")),
        },
    )
    yield (
        "stations",
        {
            "station_id": column(s.rng.sample(range(8_000_000, 8_099_999), ROWS), "RECORD_ID", "none"),
            "display_name": column(
                (f"{town} {s.rng.choice(['North', 'Hbf', 'Park'])}" for town in towns), "NONE", "none", "quasi"
            ),
            "lines": column(s.many(1, 2, 3, 4)),
            "TailNum": column(s.each(lambda: f"N{digits(s.rng, 3)}{s.rng.choice('ABCDEF')}{s.rng.choice('ABCDEF')}")),
            "opened": column(s.each(lambda: s.rng.randrange(1880, 2020)), "NONE", "none", "quasi"),
        },
    )


SYSTEMS = {
    make.__name__: make
    for make in (
        omop,
        clinic,
        fhir,
        redcap,
        crm,
        hr,
        bank,
        school,
        register,
        headerless,
        log,
        parts,
        shop,
        survey,
        places,
    )
}
_ONCE = ("omop", "survey", "fhir", "redcap", "log", "parts")  # whose headers are English everywhere
TIMES = 4


def tables(sources: Sequence[str] = (*FITTED, *HELD_OUT)) -> Iterator[Table]:
    """Yield the tables of `sources`, each for several locales, so that every locale occurs."""
    for number, name in enumerate(SYSTEMS):
        if name not in sources:
            continue
        for turn in range(2 if name in _ONCE else TIMES):
            locale = LOCALES[(3 * number + 5 * turn) % len(LOCALES)]
            fake = Faker(locale)
            fake.seed_instance(f"privaudit {name} {locale}")
            random.seed(f"privaudit {name} {locale}")
            source = Source(random.Random(f"privaudit {name} {locale}"), fake, locale)
            for title, columns in SYSTEMS[name](source):
                yield Table(f"{name}_{title}_{locale}", name, columns)
