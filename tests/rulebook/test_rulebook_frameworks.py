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
LETTERS = {"yes": "Y", "no": "N", "not_measured": "M", "person": "P", "not_applicable": "-"}


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
    **{f"WP248-{number}": "PPPP-" for number in (1, 2, 3, 5, 6, 8, 9)},
    "WP248-4": "YYYY-",
    "WP248-7": "PPPP-",
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


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("control", EXPECTED)
def test_each_control_answers_as_expected_on_five_kinds_of_table(
    control: str, answers: list[dict[str, Control]]
) -> None:
    assert "".join(LETTERS[found[control].answer] for found in answers) == EXPECTED[control]


EXPECTED_OF_PACKS = {
    # ccpa
    "CA-1": "YYMM-",
    "CA-2": "YYMM-",
    "CA-3": "YYNM-",
    "CA-4": "PPPP-",
    "CA-5": "PPPP-",
    "CA-6": "PPPP-",
    "CA-7": "PPPP-",
    # cms
    "CMS-1": "---N-",
    "CMS-2": "---P-",
    "CMS-3": "---N-",
    "CMS-4": "---P-",
    "CMS-5": "---P-",
    "CMS-6": "---N-",
    # dpdp
    "IN-1": "YYPP-",
    "IN-2": "PPPP-",
    "IN-3": "PPPP-",
    "IN-4": "PPPP-",
    "IN-5": "PPPP-",
    "IN-6": "YNNN-",
    "IN-7": "PPPP-",
    "IN-8": "NNNM-",
    # edpb-pseudonymisation
    "PS-1": "PPPP-",
    "PS-2": "YNNN-",
    "PS-3": "-N---",
    "PS-4": "-N---",
    "PS-5": "YYNM-",
    "PS-6": "PPPP-",
    "PS-7": "PPPP-",
    "PS-8": "PPPP-",
    # ehds
    "EH-1": "PPPP-",
    "EH-2": "YYNM-",
    "EH-3": "YNNN-",
    "EH-4": "-N---",
    "EH-5": "PPPP-",
    "EH-6": "---N-",
    "DA-18": "YYNM-",
    # ema
    "EMA-1": "PPPP-",
    "EMA-2": "PPPP-",
    "EMA-3": "YYMM-",
    "EMA-4": "YYNM-",
    "EMA-5": "MMMM-",
    "EMA-6": "PPPP-",
    "EMA-7": "PPPP-",
    # ferpa
    "FER-1": "YYNN-",
    "FER-2": "YYNM-",
    "FER-3": "YYMM-",
    "FER-4": "MMMM-",
    "FER-5": "PPPP-",
    "FER-6": "-P---",
    "FER-7": "PPPP-",
    # hipaa-expert
    "HED-1": "PPPP-",
    "HED-2": "YYNM-",
    "HED-3": "MMMM-",
    "HED-4": "PPPP-",
    "HED-5": "PPPP-",
    "HED-6": "PPPP-",
    "HED-7": "-P---",
    "HED-8": "PPPP-",
    # hipaa-limited-data-set
    "LDS-1": "YNNN-",
    "LDS-2": "NNNN-",
    "LDS-3": "PPPP-",
    "LDS-4": "PPPP-",
    "LDS-5": "PPPP-",
    "LDS-6": "PPPP-",
    "LDS-7": "PPPP-",
    # iso-27559
    "I27-1": "PPPP-",
    "I27-2": "PPPP-",
    "I27-3": "YYMM-",
    "I27-4": "YYNM-",
    "I27-5": "MMMM-",
    "I27-6": "PPPP-",
    "I27-7": "PPPP-",
    # lgpd
    "BR-1": "YYNM-",
    "BR-2": "-P---",
    "BR-3": "MMMM-",
    "BR-4": "PPPP-",
    "BR-5": "PPPP-",
    "BR-6": "NYPP-",
    # nist-800-188
    "N188-1": "PPPP-",
    "N188-2": "PPPP-",
    "N188-3": "PPPP-",
    "N188-4": "NNYM-",
    "N188-5": "MMMM-",
    "N188-6": "PPPP-",
    # nist-800-226
    "DP-1": "PPPP-",
    "DP-2": "PPPP-",
    "DP-3": "PPPP-",
    "DP-4": "PPPP-",
    "DP-5": "PPPP-",
    "DP-6": "YNNN-",
    # ontario
    "ON-1": "PPPP-",
    "ON-2": "YNNN-",
    "ON-3": "PPPP-",
    "ON-4": "YYNM-",
    "ON-5": "PPPP-",
    "ON-6": "YYMM-",
    "ON-7": "PPPP-",
    # quebec
    "QC-3": "PPPP-",
    "QC-4": "PPPP-",
    "QC-5a": "YYNN-",
    "QC-5b": "YYMM-",
    "QC-6": "PPPP-",
    "QC-7": "YYMM-",
    "QC-8": "PPPP-",
    "QC-9": "PPPP-",
    # uk
    "ICO-1": "YYMM-",
    "ICO-2": "YYMM-",
    "ICO-3": "PPPP-",
    "ICO-4": "MMMM-",
    "ICO-5": "PPPP-",
    "ICO-6": "-N---",
    "ICO-7": "PPPP-",
    "UK-84B": "PPPP-",
    "UK-84C": "PPPP-",
    "UK-171": "PPPP-",
}
"""The answers of the further packs, reviewed against their control tables."""


@pytest.mark.parametrize("control", EXPECTED_OF_PACKS)
def test_each_control_of_the_packs_answers_as_expected(control: str, answers: list[dict[str, Control]]) -> None:
    assert "".join(LETTERS[found[control].answer] for found in answers) == EXPECTED_OF_PACKS[control]


def test_every_control_has_an_expected_answer() -> None:
    controls = {control.id for framework in load_frameworks() for control in framework.control}
    assert controls == {*EXPECTED, *EXPECTED_OF_PACKS}


def test_a_law_purpose_or_review_is_never_answered_by_a_check(answers: list[dict[str, Control]]) -> None:
    """A control without checks is for a person on every table about people, whatever was found."""
    for framework in load_frameworks():
        for control in framework.control:
            if not control.checks and not control.any_of:
                found = {table[control.id].answer for table in answers}
                assert found <= {"person", "not_applicable"}, control.id
