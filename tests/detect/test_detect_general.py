"""Tables of many trades and countries, every column judged: what is personal, and what only looks so.

Each case names what a column may be called; "" is ordinary data. Values are invented and seeded.
"""

from __future__ import annotations

import datetime
import hashlib
import random
from collections.abc import Callable

import pytest

from privaudit.model.vocabulary import entity_type
from privaudit.model.wording import Number
from tests.helpers.detection import judge

Maker = Callable[[random.Random, int], str]
Labelled = dict[str, tuple[Maker, str]]


def one_of(values: str) -> Maker:
    listed = values.split("|")
    return lambda r, _: r.choice(listed)


def number(low: int, high: int) -> Maker:
    return lambda r, _: str(r.randint(low, high))


def amount(low: float, high: float, decimals: int = 2) -> Maker:
    return lambda r, _: f"{r.uniform(low, high):.{decimals}f}"


def digits(n: int) -> Maker:
    return lambda r, _: "".join(r.choice("0123456789") for _ in range(n))


def day(first: int, last: int, written: str) -> Maker:
    def make(r: random.Random, _: int) -> str:
        start = datetime.datetime(first, 1, 1)
        return (start + datetime.timedelta(minutes=r.randrange((last - first) * 525_600))).strftime(written)

    return make


def bell(middle: float, spread: float, low: int, high: int) -> Maker:
    return lambda r, _: str(int(min(high, max(low, r.gauss(middle, spread)))))


def person(given: str, family: str, form: str = "{g} {f}") -> Maker:
    first, last = given.split(), family.split()
    return lambda r, _: form.format(g=r.choice(first), f=r.choice(last))


GERMAN = "Anneliese Jürgen Hannelore Wolfgang Sieglinde Detlef Gisela Uwe Heike Torsten"
GERMAN_FAMILY = "Baumgärtner Schröter Zimmermann Köhler Petersen Albrecht Lindner Hartwig Böttcher Sommer"
BRAZIL = "THIAGO LARISSA WELLINGTON JUSSARA EDILSON VANESSA RAIMUNDO IRACEMA"
BRAZIL_FAMILY = "CAVALCANTE NOGUEIRA BEZERRA SAMPAIO FIGUEIREDO TEIXEIRA QUEIROZ BARBOSA"
TURKISH = "Ayşegül Mehmet Fatma Hüseyin Zeynep Mustafa Elif Osman Hatice İbrahim"
TURKISH_FAMILY = "Yılmaz Kaya Demir Şahin Çelik Yıldız Öztürk Aydın Özdemir Arslan"
ENGLISH = "Marjorie Clifton Tamika Darnell Beverly Rosalind Desmond Priscilla Vernon Lucille"
ENGLISH_FAMILY = "Whitlock Abernathy Castellano Okonkwo Hargrove Pendleton Sandoval McAllister Nakamura Lindqvist"


def sentence(r: random.Random, i: int) -> str:
    spoken = "parcel called back late window second asked refund confirm visit sent box yellow door drive".split()
    return " ".join(r.choice(spoken) for _ in range(r.randint(9, 18))) + f" {i}."


def cpf(r: random.Random, _: int) -> str:
    found = [r.randint(0, 9) for _ in range(9)]
    for _again in range(2):
        total = sum(x * (len(found) + 1 - k) for k, x in enumerate(found))
        found.append(total * 10 % 11 % 10)
    text = "".join(map(str, found))
    return f"{text[:3]}.{text[3:6]}.{text[6:9]}-{text[9:]}"


def tckn(r: random.Random, _: int) -> str:
    found = [r.randint(1, 9)] + [r.randint(0, 9) for _ in range(8)]
    tenth = (7 * sum(found[0:9:2]) - sum(found[1:8:2])) % 10
    return "".join(map(str, found)) + f"{tenth}{(sum(found) + tenth) % 10}"


HOSPITAL: Labelled = {
    "Fallnummer": (lambda r, i: f"F{880_000 + i * 3}", "HEALTH_ID PERSON_ID"),
    "Pat.-Nr.": (digits(8), "HEALTH_ID PERSON_ID"),
    "Zuname": (person(GERMAN, GERMAN_FAMILY, "{f}"), "LAST_NAME PERSON_NAME"),
    "Rufname": (person(GERMAN, GERMAN_FAMILY, "{g}"), "FIRST_NAME PERSON_NAME"),
    "geb. am": (day(1932, 2018, "%d.%m.%Y"), "DATE_OF_BIRTH"),
    "m/w/d": (one_of("m|w|w|m|d"), "GENDER"),
    "Aufnahmedatum": (day(2022, 2024, "%d.%m.%Y"), "DATE_EVENT"),
    "Station": (one_of("3A|3B|ITS|Chir 1|Innere 2"), ""),
    "Hauptdiagnose (ICD-10)": (one_of("I21.4|J18.9|K35.8|S72.0|C50.9|E11.9"), "MEDICAL"),
}
ADMISSION: Labelled = {
    "prontuario": (digits(6), "HEALTH_ID PERSON_ID"),
    "nm_paciente": (person(BRAZIL, BRAZIL_FAMILY), "PERSON_NAME"),
    "nr_cpf": (cpf, "TAX_ID NATIONAL_ID"),
    "dt_nasc": (day(1935, 2020, "%d/%m/%Y"), "DATE_OF_BIRTH"),
    "ds_raca_cor": (one_of("parda|branca|preta|amarela|indígena"), "RACE_ETHNICITY"),
    "nr_cep": (lambda r, _: f"{r.randint(10000, 99999)}-{r.randint(0, 999):03d}", "POSTAL_CODE"),
    "qt_diarias": (number(0, 30), ""),
}
STAFF: Labelled = {
    "Sicil No": (number(10_000, 99_999), "PERSON_ID"),
    "Adı Soyadı": (person(TURKISH, TURKISH_FAMILY), "PERSON_NAME"),
    "T.C. Kimlik No": (tckn, "NATIONAL_ID"),
    "Doğum Tarihi": (day(1960, 2003, "%d.%m.%Y"), "DATE_OF_BIRTH"),
    "Cinsiyet": (one_of("Kadın|Erkek"), "GENDER"),
    "Medeni Hali": (one_of("Evli|Bekar|Boşanmış"), "MARITAL_STATUS"),
    "Maaş": (number(17_002, 90_000), "INCOME"),
    "İzin Günü": (number(0, 30), ""),
    "Kan Grubu": (one_of("A Rh+|0 Rh-|B Rh+"), "MEDICAL BIOMETRIC"),
}
CALLS: Labelled = {
    "calling_party": (lambda r, _: f"+2547{r.randint(10**7, 10**8 - 1)}", "PHONE"),
    "called_party": (lambda r, _: f"+2547{r.randint(10**7, 10**8 - 1)}", "PHONE"),
    "cell_id": (lambda r, _: f"639-02-{r.randint(1000, 9999)}-{r.randint(10_000, 65_000)}", " RECORD_ID GEO_CODE"),
    "start_ts": (day(2024, 2025, "%Y-%m-%d %H:%M:%S"), "DATE_EVENT"),
    "dur_sec": (number(1, 3600), ""),
    "call_type": (one_of("MOC|MTC|SMS"), ""),
    "cell_lat": (amount(-4.5, 1, 5), "LATITUDE"),
    "cell_lon": (amount(34, 41, 5), "LONGITUDE"),
}
CLAIMS: Labelled = {
    "claim_no": (lambda r, i: f"CLM{500_000 + i}", " RECORD_ID UNRESOLVED_ID"),
    "insured": (person(ENGLISH, ENGLISH_FAMILY), "PERSON_NAME"),
    "loss_date": (day(2021, 2025, "%m/%d/%Y"), "DATE_EVENT"),
    "plate": (lambda r, _: "".join(r.choice("ABCDEFGH") for _ in range(3)) + str(r.randint(1000, 9999)), "VEHICLE_ID"),
    "lic_num": (lambda r, _: f"{r.choice('ABCDEFGH')}{r.randint(10**6, 10**7 - 1)}", "DRIVER_LICENSE"),
    "loss_zip": (lambda r, _: f"{r.randint(501, 99_950):05d}", "POSTAL_CODE"),
    "peril": (one_of("hail|theft|collision|fire"), ""),
    "loss_desc": (sentence, "FREE_TEXT"),
}
VOTERS: Labelled = {
    "voter_reg_num": (digits(12), "VOTER_ID PERSON_ID"),
    "last_name": (person(ENGLISH.upper(), ENGLISH_FAMILY.upper(), "{f}"), "LAST_NAME"),
    "midl_name": (one_of("ANN|LEE|J|MARIE|T"), "MIDDLE_NAME"),
    "name_sufx_cd": (one_of("JR|SR|II|III"), "NAME_SUFFIX"),
    "party_cd": (one_of("DEM|REP|UNA|LIB"), "POLITICS"),
    "birth_year": (number(1930, 2006), "BIRTH_YEAR"),
    "voter_status_desc": (one_of("ACTIVE|INACTIVE|REMOVED"), ""),
}
MANIFEST: Labelled = {
    "pax_name": (person(ENGLISH.upper(), ENGLISH_FAMILY.upper(), "{f}/{g} MR"), "PERSON_NAME"),
    "seat": (lambda r, _: f"{r.randint(1, 40)}{r.choice('ABCDEF')}", ""),
    "dob": (lambda r, i: day(1945, 2020, "%d%b%Y")(r, i).upper(), "DATE_OF_BIRTH"),
    "nat": (one_of("NLD|KEN|USA|FRA|BRA"), "NATIONALITY COUNTRY"),
    "bag_kg": (number(0, 46), ""),
}
TRIAL: Labelled = {
    "USUBJID": (lambda r, i: f"ABC-101-{i % 12:03d}-{i:04d}", "PERSON_ID HEALTH_ID"),
    "AGE": (bell(55, 14, 18, 90), "AGE"),
    "AGEU": (one_of("YEARS"), ""),
    "SEX": (one_of("M|F|U"), "GENDER"),
    "RACE": (one_of("WHITE|ASIAN|BLACK OR AFRICAN AMERICAN"), "RACE_ETHNICITY"),
    "ETHNIC": (one_of("HISPANIC OR LATINO|NOT HISPANIC OR LATINO"), "RACE_ETHNICITY"),
    "BRTHDTC": (day(1935, 2003, "%Y-%m-%d"), "DATE_OF_BIRTH"),
    "RFSTDTC": (day(2020, 2022, "%Y-%m-%d"), "DATE_EVENT"),
    "AETERM": (one_of("HEADACHE|NAUSEA|RASH|FATIGUE"), "MEDICAL"),
    "VISITNUM": (number(1, 9), ""),
}
CENSUS: Labelled = {
    "HHWT": (number(20, 400), " WEIGHT"),
    "PERNUM": (number(1, 6), ""),
    "STATEFIP": (number(1, 56), "STATE GEO_CODE"),
    "RELATE": (number(1, 13), "HOUSEHOLD"),
    "MARST": (number(1, 6), "MARITAL_STATUS"),
    "EDUCD": (one_of("2|14|23|30|50|63|71|101|114"), "EDUCATION"),
    "INCTOT": (number(0, 200_000), "INCOME"),
    "HISPAN": (number(0, 4), "RACE_ETHNICITY"),
}
SENSORS: Labelled = {
    "ts": (day(2024, 2025, "%Y-%m-%dT%H:%M:%SZ"), "DATE_EVENT"),
    "fw": (lambda r, _: ".".join(str(r.randint(0, 20)) for _ in range(4)), " VERSION"),
    "temp_c": (amount(-5, 35, 1), ""),
    "batt_mv": (number(2800, 3700), ""),
    "rssi": (number(-110, -40), ""),
    "hwaddr": (lambda r, _: ":".join(f"{r.randint(0, 255):02X}" for _ in range(6)), "MAC_ADDRESS"),
    "payload": (lambda r, _: hashlib.md5(r.randbytes(8)).hexdigest(), " HASH"),
    "status_code": (one_of("200|404|500"), ""),
}
TILL: Labelled = {
    "pan_masked": (lambda r, _: f"411111******{r.randint(1000, 9999)}", "CREDIT_CARD"),
    "plu": (number(1000, 4999), " PRODUCT_CODE"),
    "line_total": (amount(1, 90), " FINANCIAL"),
    "sold_at": (day(2025, 2026, "%Y-%m-%dT%H:%M:%S"), "DATE_EVENT"),
    "Age/Sex": (lambda r, _: f"{r.randint(16, 90)}/{r.choice('MF')}", "AGE GENDER"),
}
TABLES = {
    "hospital": HOSPITAL,
    "admission": ADMISSION,
    "staff": STAFF,
    "calls": CALLS,
    "claims": CLAIMS,
    "voters": VOTERS,
    "manifest": MANIFEST,
    "trial": TRIAL,
    "census": CENSUS,
    "sensors": SENSORS,
    "till": TILL,
}


@pytest.mark.parametrize("name", TABLES)
def test_every_column_is_what_it_is(name: str) -> None:
    r = random.Random(name)
    labelled = TABLES[name]
    found = judge({column: [make(r, i) for i in range(240)] for column, (make, _) in labelled.items()})
    wrong = {
        column: (verdict.entity if (verdict := found[column].is_) else None, accepted)
        for column, (_, accepted) in labelled.items()
        if not _right(found[column].is_.entity if found[column].is_ else "", accepted)
    }
    assert not wrong


def _right(entity: str, accepted: str) -> bool:
    if entity in accepted.split(" "):
        return True
    ordinary = not entity or entity_type(entity).role == "none"
    return "" in accepted.split(" ") and ordinary


@pytest.mark.parametrize("last", range(1990, 2000))
def test_the_span_of_births_is_shown_by_the_decade(last: int) -> None:
    """An exact span and one known extreme would reveal the other year of birth."""
    years = [1921 + i % (last - 1920) for i in range(400)]
    found = judge({"date of birth": [f"{year}-0{1 + i % 9}-1{i % 9}" for i, year in enumerate(years)]})
    reasons = [clue.because.values for clue in found["date of birth"].is_.evidence]
    spans = [values["years"] for values in reasons if "years" in values]
    assert spans == [Number(value=(last - 1921) // 10 * 10)]


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("subject_id", [f"{i % 37:03d}-{i:04d}" for i in range(200)]),
        ("USUBJID", [f"01-{i % 20:03d}-{i:04d}" for i in range(200)]),
    ],
)
def test_grouped_numbers_of_subjects_are_not_telephone_numbers(name: str, cells: list[str]) -> None:
    found = judge({name: cells})[name].is_
    assert found is not None and found.entity == "PERSON_ID"


@pytest.mark.parametrize("written", ["%d.%m.%Y", "%Y-%m-%d"])
def test_the_way_dates_are_written_is_not_a_country(written: str) -> None:
    r, letters = random.Random(2), "ABCDEFGHKLMNPRSTUVWXYZ"
    towns = [r.choice(("M", "B", "HH", "K")) for _ in range(300)]
    plates = [f"{town}-{r.choice(letters)}{r.choice(letters)} {r.randrange(10, 9999)}" for town in towns]
    births = [(datetime.date(1950, 1, 1) + datetime.timedelta(r.randrange(19_000))).strftime(written) for _ in plates]
    found = judge({"c1": plates, "Geburtsdatum": births})["c1"].is_
    assert found is not None and (found.entity, found.detail) == ("VEHICLE_ID", "de.plate")


def test_valid_numbers_of_the_usa_are_telephone_numbers_under_the_name_of_an_id() -> None:
    r = random.Random(4)
    cells = [f"({r.choice((212, 415, 312, 617))}) {r.randint(220, 989)}-{r.randint(1000, 9999)}" for _ in range(200)]
    found = judge({"customer_id": cells})["customer_id"].is_
    assert found is not None and found.entity == "PHONE"
