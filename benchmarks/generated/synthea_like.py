"""The tables of a synthetic hospital system, in the form that Synthea writes.

Question: are the tables of a patient system labelled as a whole: people, their encounters, codes with descriptions?
Method: the column names of the public data dictionary of Synthea; names with digits at the end, keys as UUIDs, codes of
SNOMED CT, LOINC and RxNorm next to their descriptions. Everything else is drawn here.
Limits: the distributions are invented; only the forms of values and the relations between tables are those of Synthea.
"""

from __future__ import annotations

import datetime
import random
import uuid
from collections.abc import Iterator

from generated.labelled import ROWS, Table, column, digits

RNG = random.Random("privaudit synthea")
FIRST = "Aaron Abby Adelia Alfonso Ana Benny Carmelita Clementine Dominga Elvis Florencio Gaylord Hilda Ike".split()
LAST = "Abbott Beer Champlin Donnelly Emard Frami Goyette Hessel Jenkins Keebler Luettgen Mraz Nikolaus".split()
TOWNS = "Boston Worcester Lowell Cambridge Brockton Quincy Lynn Newton Somerville Lawrence Framingham".split()
COUNTIES = ["Suffolk County", "Worcester County", "Middlesex County", "Norfolk County", "Essex County"]
CONDITIONS = {
    "44054006": "Diabetes mellitus type 2 (disorder)",
    "38341003": "Hypertensive disorder, systemic arterial",
    "195662009": "Acute viral pharyngitis (disorder)",
    "444814009": "Viral sinusitis (disorder)",
    "162864005": "Body mass index 30+ - obesity (finding)",
    "15777000": "Prediabetes (finding)",
    "233678006": "Childhood asthma",
    "59621000": "Essential hypertension (disorder)",
}
DRUGS = {
    "314076": "lisinopril 10 MG Oral Tablet",
    "860975": "24 HR Metformin hydrochloride 500 MG Extended Release",
    "310798": "Hydrochlorothiazide 25 MG Oral Tablet",
    "313782": "Acetaminophen 325 MG Oral Tablet",
}
TESTS = {
    "8302-2": ("Body Height", "cm"),
    "29463-7": ("Body Weight", "kg"),
    "8480-6": ("Systolic Blood Pressure", "mm[Hg]"),
    "4548-4": ("Hemoglobin A1c/Hemoglobin.total in Blood", "%"),
    "2339-0": ("Glucose", "mg/dL"),
}
CLASSES = ["ambulatory", "wellness", "outpatient", "urgentcare", "emergency", "inpatient"]
PAYERS = ["Medicare", "Medicaid", "Humana", "Blue Cross Blue Shield", "Aetna", "Cigna Health", "NO_INSURANCE"]


def _ids(n: int) -> list[str]:
    return [str(uuid.UUID(int=RNG.getrandbits(128), version=4)) for _ in range(n)]


def _day(first: int, last: int) -> datetime.date:
    return datetime.date(first, 1, 1) + datetime.timedelta(days=RNG.randrange(365 * (last - first)))


def _moments(n: int) -> list[str]:
    return [
        f"{_day(2010, 2024)}T{RNG.randrange(24):02}:{RNG.randrange(60):02}:{RNG.randrange(60):02}Z" for _ in range(n)
    ]


def _some(values: list[str], share: float = 1.0) -> list[str]:
    return [RNG.choice(values) if RNG.random() < share else "" for _ in range(ROWS)]


def tables() -> Iterator[Table]:
    """Yield the tables of the system; foreign keys refer to the patients of the first table."""
    patients, visits = _ids(ROWS), _ids(ROWS)
    providers, payers, homes = _ids(40), _ids(len(PAYERS)), _ids(25)
    yield Table("synthea_patients", "synthea", _patients(patients))
    yield Table("synthea_encounters", "synthea", _encounters(visits, patients, providers, payers, homes))
    yield Table("synthea_conditions", "synthea", _coded(patients, visits, CONDITIONS))
    yield Table("synthea_medications", "synthea", _medications(patients, visits, payers))
    yield Table("synthea_observations", "synthea", _observations(patients, visits))
    yield Table("synthea_providers", "synthea", _providers(homes))
    yield Table("synthea_organizations", "synthea", _organisations())
    yield Table("synthea_claims", "synthea", _claims(patients, providers, visits))


def _name(words: list[str]) -> str:
    return f"{RNG.choice(words)}{RNG.randrange(1, 999)}"


def _patients(ids: list[str]) -> dict:
    births = [_day(1930, 2015) for _ in ids]
    places = [RNG.randrange(len(TOWNS)) for _ in ids]
    sexes = [RNG.choice("MF") for _ in ids]
    return {
        "Id": column(ids, "PERSON_ID"),
        "BIRTHDATE": column(births, "DATE_OF_BIRTH"),
        "DEATHDATE": column(["" if RNG.random() < 0.85 else _day(2016, 2024) for _ in ids], "DEATH_DATE"),
        "SSN": column([f"999-{RNG.randrange(10, 99)}-{RNG.randrange(1000, 9999)}" for _ in ids], "SSN"),
        "DRIVERS": column(
            [f"S99{RNG.randrange(900000, 999999)}" if RNG.random() < 0.8 else "" for _ in ids], "DRIVER_LICENSE"
        ),
        "PASSPORT": column([f"X{digits(RNG, 8)}X" if RNG.random() < 0.7 else "" for _ in ids], "PASSPORT"),
        "PREFIX": column(["Mr." if sex == "M" else RNG.choice(["Ms.", "Mrs."]) for sex in sexes], "NAME_PREFIX"),
        "FIRST": column([_name(FIRST) for _ in ids], "FIRST_NAME"),
        "LAST": column([_name(LAST) for _ in ids], "LAST_NAME"),
        "SUFFIX": column(
            [RNG.choice(["JD", "MD", "PhD"]) if RNG.random() < 0.03 else "" for _ in ids],
            "NAME_SUFFIX",
            "quasi",
            "none",
        ),
        "MAIDEN": column([_name(LAST) if sex == "F" and RNG.random() < 0.5 else "" for sex in sexes], "MAIDEN_NAME"),
        "MARITAL": column(_some(["M", "S", "D", "W"], 0.8), "MARITAL_STATUS"),
        "RACE": column(_some(["white", "black", "asian", "native", "other"]), "RACE_ETHNICITY"),
        "ETHNICITY": column(_some(["hispanic", "nonhispanic"]), "RACE_ETHNICITY"),
        "GENDER": column(sexes, "GENDER"),
        "BIRTHPLACE": column([f"{TOWNS[i]}  Massachusetts  US" for i in places], "CITY"),
        "ADDRESS": column(
            [
                f"{RNG.randrange(100, 1100)} {RNG.choice(LAST)} {RNG.choice(['Path', 'Run', 'Mews', 'Union'])}"
                f"{RNG.choice([' Unit 4', ' Apt 12', ' Suite 7', ''])}"
                for _ in ids
            ],
            "STREET_ADDRESS",
        ),
        "CITY": column([TOWNS[i] for i in places], "CITY"),
        "STATE": column(["Massachusetts"] * len(ids), "STATE", "none", "quasi"),
        "COUNTY": column([COUNTIES[i % 5] for i in places], "COUNTY_REGION"),
        "ZIP": column([f"0{RNG.randrange(1001, 2799)}" for _ in ids], "POSTAL_CODE"),
        "LAT": column([f"{RNG.uniform(41.5, 42.8):.15f}" for _ in ids], "LATITUDE"),
        "LON": column([f"{RNG.uniform(-73.0, -70.0):.15f}" for _ in ids], "LONGITUDE"),
        "HEALTHCARE_EXPENSES": column([f"{RNG.uniform(1e3, 2e6):.2f}" for _ in ids], "FINANCIAL"),
        "HEALTHCARE_COVERAGE": column([f"{RNG.uniform(0, 2e5):.2f}" for _ in ids], "FINANCIAL"),
        "INCOME": column([RNG.randrange(5_000, 200_000) for _ in ids], "INCOME"),
    }


def _encounters(
    visits: list[str], patients: list[str], providers: list[str], payers: list[str], homes: list[str]
) -> dict:
    reasons = [RNG.choice(list(CONDITIONS)) if RNG.random() < 0.4 else "" for _ in visits]
    return {
        "Id": column(visits, "RECORD_ID"),
        "START": column(_moments(ROWS), "DATE_EVENT"),
        "STOP": column(_moments(ROWS), "DATE_EVENT"),
        "PATIENT": column(_some(patients), "PERSON_ID"),
        "ORGANIZATION": column(_some(homes), "RECORD_ID", "none", "quasi"),
        "PROVIDER": column(_some(providers), "PERSON_ID", "direct", "quasi", "none"),
        "PAYER": column(_some(payers), "RECORD_ID", "none", "quasi"),
        "ENCOUNTERCLASS": column(_some(CLASSES), "NONE", "none", "sensitive", "quasi"),
        "CODE": column(_some(["162673000", "410620009", "185345009", "50849002"]), "MEDICAL", "sensitive", "none"),
        "DESCRIPTION": column(
            _some(
                [
                    "General examination of patient (procedure)",
                    "Well child visit (procedure)",
                    "Encounter for symptom",
                    "Emergency room admission",
                ]
            ),
            "MEDICAL",
        ),
        "BASE_ENCOUNTER_COST": column(_some(["129.16", "136.80", "85.55", "146.18"]), "FINANCIAL"),
        "TOTAL_CLAIM_COST": column([f"{RNG.uniform(80, 9000):.2f}" for _ in visits], "FINANCIAL"),
        "REASONCODE": column(reasons, "MEDICAL"),
        "REASONDESCRIPTION": column([CONDITIONS.get(code, "") for code in reasons], "MEDICAL"),
    }


def _coded(patients: list[str], visits: list[str], codes: dict[str, str]) -> dict:
    drawn = [RNG.choice(list(codes)) for _ in range(ROWS)]
    return {
        "START": column([_day(1990, 2024) for _ in drawn], "DATE_EVENT"),
        "STOP": column([_day(1990, 2024) if RNG.random() < 0.6 else "" for _ in drawn], "DATE_EVENT"),
        "PATIENT": column(_some(patients), "PERSON_ID"),
        "ENCOUNTER": column(_some(visits), "RECORD_ID"),
        "CODE": column(drawn, "MEDICAL"),
        "DESCRIPTION": column([codes[code] for code in drawn], "MEDICAL"),
    }


def _medications(patients: list[str], visits: list[str], payers: list[str]) -> dict:
    found = _coded(patients, visits, DRUGS)
    found |= {
        "PAYER": column(_some(payers), "RECORD_ID", "none", "quasi"),
        "BASE_COST": column([f"{RNG.uniform(1, 400):.2f}" for _ in range(ROWS)], "FINANCIAL"),
        "DISPENSES": column([RNG.randrange(1, 60) for _ in range(ROWS)], "NONE", "none", "sensitive"),
        "TOTALCOST": column([f"{RNG.uniform(1, 9000):.2f}" for _ in range(ROWS)], "FINANCIAL"),
    }
    return found


def _observations(patients: list[str], visits: list[str]) -> dict:
    drawn = [RNG.choice(list(TESTS)) for _ in range(ROWS)]
    return {
        "DATE": column(_moments(ROWS), "DATE_EVENT"),
        "PATIENT": column(_some(patients), "PERSON_ID"),
        "ENCOUNTER": column(_some(visits), "RECORD_ID"),
        "CATEGORY": column(_some(["vital-signs", "laboratory", "survey"]), "NONE", "none", "sensitive"),
        "CODE": column(drawn, "MEDICAL", "sensitive", "none"),
        "DESCRIPTION": column([TESTS[code][0] for code in drawn], "MEDICAL"),
        "VALUE": column([f"{RNG.uniform(1, 200):.1f}" for _ in drawn], "MEDICAL"),
        "UNITS": column([TESTS[code][1] for code in drawn]),
        "TYPE": column(["numeric"] * ROWS),
    }


def _providers(homes: list[str]) -> dict:
    return {
        "Id": column(_ids(ROWS), "PERSON_ID"),
        "ORGANIZATION": column(_some(homes), "RECORD_ID", "none", "quasi"),
        "NAME": column([f"{_name(FIRST)} {_name(LAST)}" for _ in range(ROWS)], "PERSON_NAME"),
        "GENDER": column(_some(["M", "F"]), "GENDER"),
        "SPECIALITY": column(
            _some(["GENERAL PRACTICE", "CARDIOLOGY", "NEUROLOGY", "PEDIATRICS"]), "OCCUPATION", "quasi", "none"
        ),
        "ADDRESS": column(
            [f"{RNG.randrange(1, 900)} {RNG.choice(LAST).upper()} STREET" for _ in range(ROWS)], "STREET_ADDRESS"
        ),
        "CITY": column([town.upper() for town in _some(TOWNS)], "CITY"),
        "STATE": column(["MA"] * ROWS, "STATE", "none", "quasi"),
        "ZIP": column([f"0{RNG.randrange(1001, 2799)}{RNG.randrange(1000, 9999)}" for _ in range(ROWS)], "POSTAL_CODE"),
        "ENCOUNTERS": column([RNG.randrange(900) for _ in range(ROWS)]),
    }


def _organisations() -> dict:
    kinds = ["HOSPITAL", "MEDICAL CENTER INC", "FAMILY PRACTICE LLC", "PHYSICIANS PC", "URGENT CARE"]
    return {
        "Id": column(_ids(ROWS), "RECORD_ID"),
        "NAME": column(
            [f"{RNG.choice(TOWNS).upper()} {RNG.choice(LAST).upper()} {RNG.choice(kinds)}" for _ in range(ROWS)],
            "ORGANISATION",
        ),
        "ADDRESS": column(
            [f"{RNG.randrange(1, 900)} {RNG.choice(LAST).upper()} AVE" for _ in range(ROWS)],
            "STREET_ADDRESS",
            "none",
            "direct",
            "quasi",
        ),
        "CITY": column([town.upper() for town in _some(TOWNS)], "CITY", "none", "quasi"),
        "STATE": column(["MA"] * ROWS, "STATE", "none", "quasi"),
        "ZIP": column([f"0{RNG.randrange(1001, 2799)}" for _ in range(ROWS)], "POSTAL_CODE", "none", "quasi"),
        "PHONE": column([f"{RNG.randrange(200, 999)}{digits(RNG, 7)}" for _ in range(ROWS)], "PHONE", "none", "direct"),
        "REVENUE": column([f"{RNG.uniform(0, 9e6):.2f}" for _ in range(ROWS)], "FINANCIAL", "none", "sensitive"),
        "UTILIZATION": column([RNG.randrange(9000) for _ in range(ROWS)]),
    }


def _claims(patients: list[str], providers: list[str], visits: list[str]) -> dict:
    return {
        "Id": column(_ids(ROWS), "RECORD_ID"),
        "PATIENTID": column(_some(patients), "PERSON_ID"),
        "PROVIDERID": column(_some(providers), "PERSON_ID", "direct", "quasi", "none"),
        "DEPARTMENTID": column(_some(["1", "2", "5", "19", "20"]), "NONE", "none", "quasi"),
        "DIAGNOSIS1": column(_some(list(CONDITIONS)), "MEDICAL"),
        "DIAGNOSIS2": column(_some(list(CONDITIONS), 0.2), "MEDICAL"),
        "APPOINTMENTID": column(_some(visits), "RECORD_ID"),
        "SERVICEDATE": column(_moments(ROWS), "DATE_EVENT"),
        "STATUS1": column(_some(["CLOSED", "BILLED"]), "NONE", "none", "sensitive"),
        "OUTSTANDING1": column([f"{RNG.choice([0, 0, RNG.uniform(1, 300)]):.2f}" for _ in range(ROWS)], "FINANCIAL"),
        "LASTBILLEDDATE1": column(_moments(ROWS), "DATE_EVENT"),
    }
