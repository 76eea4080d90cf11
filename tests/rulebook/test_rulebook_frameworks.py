"""Each control is a question: its answer on five kinds of table, and that a check answers its own question only."""

from __future__ import annotations

import random

import pytest

import privaudit
from privaudit.model import Control
from privaudit.rulebook import load_frameworks

DIAGNOSES = ("influenza", "asthma", "diabetes", "hypertension")
COUNTIES = ("Nakuru", "Kiambu", "Mombasa", "Kisumu")
FIRST = "Anna Brian Carol David Esther Frank Grace Henry Irene James".split()
LAST = "Mwangi Otieno Wanjiru Kamau Njeri Ochieng Kariuki Akinyi Maina Achieng".split()
LETTERS = {
    "yes": "Y",
    "no": "N",
    "not_measured": "M",
    "person": "P",
    "not_applicable": "-",
}


def in_clear(rng: random.Random) -> str:
    """A: names, e-mail, telephone, date of birth, sex, county and diagnosis in clear."""
    lines = ["full_name,email,phone,date_of_birth,sex,county,diagnosis"]
    for i in range(120):
        first, last = rng.choice(FIRST), rng.choice(LAST)
        born = f"{rng.randint(1950, 2004)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        lines.append(
            f"{first} {last},{first.lower()}.{last.lower()}{i}@example.com,+2547{rng.randint(10**7, 10**8 - 1)},"
            f"{born},{rng.choice('FM')},{rng.choice(COUNTIES)},{rng.choice(DIAGNOSES)}"
        )
    return "\n".join(lines)


def tokens(rng: random.Random) -> str:
    """B: a random token instead of name, e-mail and telephone."""
    lines = ["person_id,date_of_birth,sex,county,diagnosis"]
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
    for row in in_clear(rng).split("\n")[1:]:
        token = "P-" + "".join(rng.choice(letters) for _ in range(10))
        lines.append(",".join((token, *row.split(",")[3:])))
    return "\n".join(lines)


def grouped(_rng: random.Random) -> str:
    """C: age group, sex, region and diagnosis, every combination in 40 rows."""
    rows = [
        f"{age},{sex},{region},{diagnosis}"
        for age in ("18-39", "40-59", "60-79")
        for sex in ("female", "male")
        for region in ("north", "south")
        for diagnosis in DIAGNOSES
        for _ in range(40)
    ]
    return "\n".join(["age_group,sex,region,diagnosis", *rows])


def cells(rng: random.Random) -> str:
    """D: counts by county and diagnosis, the smallest 60."""
    rows = [f"{c},{d},{rng.randint(60, 900)}" for c in COUNTIES for d in DIAGNOSES]
    return "\n".join(["county,diagnosis,count", *rows])


def sensors(rng: random.Random) -> str:
    """E: readings of sensors."""
    rows = [f"S{i % 6:02},{i},{rng.uniform(15, 25):.2f},{rng.uniform(980, 1030):.1f}" for i in range(240)]
    return "\n".join(["sensor,minute,temperature_celsius,pressure_hpa", *rows])


TABLES = (in_clear, tokens, grouped, cells, sensors)
UNITS = (None, None, None, "aggregate", "object")
SHIPPED = ("gdpr", "kdpa", "wp216", "hipaa-safe-harbor")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Control]]:
    folder = tmp_path_factory.mktemp("frameworks")
    found = []
    for make, unit in zip(TABLES, UNITS, strict=True):
        file = folder / f"{make.__name__}.csv"
        file.write_text(make(random.Random(20261126)) + "\n", encoding="utf-8")
        more = {} if unit is None else {"unit": unit}
        every = tuple(framework.id for framework in load_frameworks())
        report = privaudit.scan(file, ner=False, framework=every, **more)
        found.append({control.id: control for control in report.controls})
    return found


EXPECTED = {
    "GDPR-4.1": "YYPP-",
    "GDPR-R26": "YMMM-",
    "GDPR-4.5": "NY---",
    "GDPR-5.1.bc": "PPPP-",
    "GDPR-5.1.e": "PPPP-",
    "GDPR-5.1.f": "YNNNN",
    "GDPR-5.2": "PPPP-",
    "GDPR-8": "NNNM-",
    "GDPR-9.1": "YYYY-",
    "GDPR-10": "NNNN-",
    "GDPR-25": "NNYM-",
    "GDPR-30": "PPPP-",
    "GDPR-33": "PPPP-",
    "GDPR-35": "YYYP-",
    "GDPR-89": "PPPP-",
    "KDPA-2a": "YYPP-",
    "KDPA-2s": "YYYY-",
    "KDPA-25": "PPPP-",
    "KDPA-31": "YYYP-",
    "KDPA-33": "NNNM-",
    "KDPA-37": "NNPP-",
    "KDPA-39": "PPPP-",
    "KDPA-41": "NNYM-",
    "KDPA-43": "PPPP-",
    "KDPA-44": "PPPP-",
    "KDPA-48": "PPPP-",
    "KDPA-53": "PPPP-",
    "KDPA-R20": "PPPP-",
    "KDPA-ODPC": "PPPP-",
    "WP216-SO": "YYMM-",
    "WP216-LK": "YYMM-",
    "WP216-IN": "YYMM-",
    "WP216-OR": "YYMM-",
    "WP216-RES": "PPPP-",
    "WP216-PS": "-Y---",
    "HIPAA-b2i-A": "YNNN-",
    "HIPAA-b2i-B": "YYPY-",
    "HIPAA-b2i-C": "YYNN-",
    **{f"HIPAA-b2i-{letter}": "YNNN-" for letter in "DEF"},
    **{f"HIPAA-b2i-{letter}": "NNNN-" for letter in "GIJKLMNOPQ"},
    "HIPAA-b2i-H": "NPNN-",
    "HIPAA-b2i-R": "NPNN-",
    "HIPAA-b2ii": "PPPP-",
    "HIPAA-c": "-P---",
}


@pytest.mark.parametrize("control", EXPECTED)
def test_each_control_answers_as_expected_on_five_kinds_of_table(
    control: str, answers: list[dict[str, Control]]
) -> None:
    assert "".join(LETTERS[found[control].answer] for found in answers) == EXPECTED[control]
