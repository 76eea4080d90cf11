# ruff: noqa: E501 - a column is read whole
"""Harmless tables pass, and no change of names or order turns a table about people into one about things."""

from __future__ import annotations

import datetime
import json
import random
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import privaudit
from privaudit.detect.detection import detect
from privaudit.detect.unit.decision import infer_unit
from privaudit.model import Attack, DatasetUnit
from privaudit.model.unit import PEOPLE
from privaudit.model.wording import Count
from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from privaudit.source.profile import profile
from tests.helpers import harmless_tables, people_tables, translated_headers
from tests.helpers.paths import third_party

SHARED = Path(__file__).resolve().parents[4] / "shared"
Table = dict[str, list[str]]


def unit_of(table: Table) -> DatasetUnit:
    chosen = Settings(ner=False)
    with open_dataset(pa.table(table), chosen) as dataset:
        profiles = profile(dataset)
        return infer_unit(dataset, profiles, detect(dataset, profiles, chosen), chosen)


def scan(table: Table, **options: Any) -> Any:
    return privaudit.scan(pa.table(table), ner=False, **options).wire


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", sorted(harmless_tables.HARMLESS))
def test_a_harmless_table_is_about_things(name: str) -> None:
    unit = unit_of(harmless_tables.build(name))
    assert unit.kind not in PEOPLE, unit


@pytest.mark.slow
def test_of_36_kinds_of_harmless_tables_at_most_2_fail_and_4_are_not_assessed() -> None:
    codes = {name: scan(harmless_tables.build(name)).gate_.exit_code for name in harmless_tables.HARMLESS}
    assert len(codes) >= 36
    assert sum(code == 1 for code in codes.values()) <= 2, codes
    assert sum(code == 3 for code in codes.values()) <= 4, codes


def test_a_harmless_table_passes_with_the_reason_and_the_way_to_change_it() -> None:
    report = scan(harmless_tables.build("world_cities"))
    assert report.gate_.exit_code == 0 and report.dataset.unit.reasons
    assert scan(harmless_tables.build("world_cities"), unit="person").gate_.exit_code == 1


PEOPLE_TABLES = people_tables.tables()


def renamed(table: Table, chosen: set[str], rng: random.Random) -> Table:
    words = rng.sample(people_tables.UNKNOWN_WORDS, len(people_tables.UNKNOWN_WORDS))
    return {
        words[i % len(words)] + str(i // len(words) or "") if c in chosen else c: v
        for i, (c, v) in enumerate(table.items())
    }


def variants(table: Table, seed: int) -> dict[str, Table]:
    """The table with some or all columns renamed to unknown words, without a header, and in another order."""
    rng = random.Random(seed)
    order = list(range(len(next(iter(table.values())))))
    rng.shuffle(order)
    some = {column for column in table if rng.random() < 0.5}
    return {
        "all": renamed(table, set(table), rng),
        "some": renamed(table, some, rng),
        "no header": {f"column{i}": values for i, values in enumerate(table.values())},
        "numbers": {str(i): values for i, values in enumerate(table.values())},
        "numbered": {f"item{i}": values for i, values in enumerate(table.values())},
        "order": {column: [values[i] for i in order] for column, values in table.items()},
    }


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", sorted(PEOPLE_TABLES))
def test_a_table_about_people_is_never_about_things(name: str) -> None:
    table = PEOPLE_TABLES[name]
    assert unit_of(table).kind in PEOPLE
    for change, changed in variants(table, seed=len(name)).items():
        assert unit_of(changed).kind in PEOPLE, change


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("language", translated_headers.LANGUAGES)
@pytest.mark.parametrize("name", translated_headers.HARMLESS)
def test_a_harmless_table_is_about_things_in_ten_languages(name: str, language: str) -> None:
    table = translated_headers.translated(harmless_tables.build(name), language)
    unit = unit_of(table)
    assert unit.kind not in PEOPLE, (list(table), unit)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("language", translated_headers.LANGUAGES)
@pytest.mark.parametrize("name", sorted(PEOPLE_TABLES))
def test_a_table_about_people_is_never_about_things_in_ten_languages(name: str, language: str) -> None:
    table = translated_headers.translated(PEOPLE_TABLES[name], language)
    assert unit_of(table).kind in PEOPLE, list(table)


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("attribute", ["name", "age", "sex", "e_mail", "occupation", "marital_status"])
@pytest.mark.parametrize("name", ["stocks", "training_log", "world_cities", "packages"])
def test_an_attribute_of_people_in_a_harmless_table_is_a_sign_of_people(name: str, attribute: str) -> None:
    table = harmless_tables.build(name)
    n, rng = len(next(iter(table.values()))), random.Random(name)
    made = {
        "name": lambda i: f"{rng.choice(['Ann', 'Tom', 'Mia'])} {rng.choice(['Lee', 'Okafor', 'Rossi'])}",
        "age": lambda i: rng.randrange(18, 80),
        "sex": lambda i: rng.choice(["female", "male"]),
        "e_mail": lambda i: f"user{i}@example.com",
        "occupation": lambda i: rng.choice(["nurse", "teacher", "plumber", "lawyer"]),
        "marital_status": lambda i: rng.choice(["married", "single", "divorced"]),
    }[attribute]
    assert unit_of({**table, attribute: [str(made(i)) for i in range(n)]}).kind in PEOPLE


def test_an_unknown_word_is_not_evidence_for_things() -> None:
    table = harmless_tables.build("packages")
    n = len(table["package"])
    assert unit_of(table).kind == "object"
    assert unit_of({**table, "glux": ["abcdefg"[i % 7] for i in range(n)]}).kind == "unknown"
    repeated = {column: values + values for column, values in table.items()}
    assert unit_of({**repeated, "glux": [str(i % 7) for i in range(2 * n)]}).kind == "unknown"


def drawn_from(letters: str, n: int) -> list[str]:
    rng = random.Random(5)
    return ["".join(rng.choices(letters, k=rng.randrange(5, 12))) for _ in range(n)]


@pytest.mark.parametrize("letters", ["0123456789abcdef", "bcdfghjklmnpqrstvwxz", "aeioubcdfgrst"])
def test_two_columns_of_codes_are_not_a_list_of_codes_and_their_meanings(letters: str) -> None:
    codes, labels = drawn_from("0123456789ABCDEF", 150), drawn_from(letters, 150)
    assert unit_of({"code": codes, "label": labels}).kind in PEOPLE


@pytest.mark.parametrize(
    "labels",
    [
        ["Out of stock", "Damaged", "Returned by customer", "Expired", "Wrong item", "Lost"],
        ["Kilogram", "Gram", "Pound", "Ounce", "Pallet", "Hectolitre"],
        ["Ausverkauft", "Beschädigt", "Zurückgegeben", "Abgelaufen", "Falsch", "Verloren"],
        ["缺货", "损坏", "退货", "过期", "错误", "丢失"],
    ],
    ids=["English", "units", "German", "Chinese"],
)
def test_a_list_of_codes_with_what_each_means_is_about_things(labels: list[str]) -> None:
    codes = ["OOS", "DMG", "RT", "EXP", "WRNG", "L"]
    assert unit_of({"code": codes, "label": labels}).kind == "object"


RECORD = {
    "age": "34", "sex": "f", "postcode": "80331", "diagnosis": "type 2 diabetes", "weight": "81", "smoker": "yes",
    "employer": "Stadtwerke", "children": "2", "religion": "catholic",
}  # fmt: skip


@pytest.mark.parametrize("names", [("parameter", "value"), ("item", "description"), ("setting", "value")])
def test_the_record_of_one_person_in_rows_is_not_about_things(names: tuple[str, str]) -> None:
    key, value = names
    record = {key: list(RECORD), value: list(RECORD.values())}
    assert unit_of(record).kind in PEOPLE and scan(record).gate_.exit_code != 0
    body = {key: ["age", "weight", "blood pressure", "pulse"], value: ["34", "81", "128", "72"]}
    assert unit_of(body).kind in PEOPLE


def test_a_data_dictionary_of_a_table_about_people_is_about_things() -> None:
    types = ["integer", "string", "string", "string", "integer", "string", "string", "integer", "string"]
    assert unit_of({"variable": list(RECORD), "type": types}).kind == "object"
    pump = {"parameter": ["pressure", "flow", "mode", "timeout"], "value": ["4", "12", "auto", "30"]}
    assert unit_of(pump).kind == "object"


def test_a_table_whose_rows_are_not_understood_is_not_assessed_until_the_unit_is_stated() -> None:
    table = PEOPLE_TABLES["account"]
    assert scan(table).gate_.exit_code == 3
    assert "--unit" in " ".join(item.why for item in scan(table).limits if item.incomplete)
    assert scan(table, unit="object").gate_.exit_code == 0


def test_removing_column_names_never_turns_a_failing_table_into_a_passing_one() -> None:
    rng = random.Random(3)
    table = {"age": [str(rng.randrange(18, 80)) for _ in range(900)], "sex": [rng.choice("FM") for _ in range(900)],
             "group": [str(rng.randrange(5)) for _ in range(900)], "plan": [str(rng.randrange(4)) for _ in range(900)]}  # fmt: skip
    assert scan(table).gate_.exit_code == 1
    named = dict(zip("0123", table.values(), strict=True))
    assert scan(named).gate_.exit_code != 0


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("name", sorted(PEOPLE_TABLES))
def test_no_change_of_names_or_order_turns_a_failing_table_into_a_passing_one(name: str) -> None:
    table = PEOPLE_TABLES[name]
    if scan(table, framework=()).gate_.exit_code != 0:
        for change, changed in variants(table, seed=len(name)).items():
            assert scan(changed, framework=()).gate_.exit_code != 0, change


LABELLED = {
    "students": ("students", "StudentsPerformance.csv"),
    "mall": ("mall", "Mall_Customers.csv"),
    "heart": ("heart", "heart_disease.csv"),
    "cross_sell": ("cross_sell", "valid.csv"),
}


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(LABELLED))
def test_no_change_of_the_names_of_a_real_table_turns_it_into_a_passing_one(name: str) -> None:
    rows = pd.read_csv(third_party(*LABELLED[name]), dtype=str, keep_default_na=False, nrows=800)
    table = {column: rows[column].tolist() for column in rows.columns}
    assert scan(table, framework=()).gate_.exit_code == 1
    for change in ("all", "no header", "numbers", "numbered"):
        assert scan(variants(table, seed=len(name))[change], framework=()).gate_.exit_code != 0, change


def test_columns_whose_names_have_no_meaning_are_not_assessed_although_one_is_recognised() -> None:
    rng = random.Random(5)
    plain = {str(j): [str(rng.randrange(50)) for _ in range(900)] for j in range(1, 5)}
    report = scan({"0": [rng.choice(["female", "male"]) for _ in range(900)], **plain})
    assert report.risk.k_min >= report.policy.k  # over the one column that was recognised
    assert report.gate_.exit_code == 3
    assert "QI007" in {finding.code for finding in report.findings if finding.severity == "high"}
    named = scan({"sex": [rng.choice(["female", "male"]) for _ in range(900)], **plain}, quasi=("sex",))
    assert "QI007" not in {finding.code for finding in named.findings}


def test_k_over_columns_of_unknown_meaning_is_a_finding_and_the_result_is_not_assessed() -> None:
    rng = random.Random(4)
    report = scan({str(j): [str(rng.randrange(6)) for _ in range(500)] for j in range(6)})
    assert report.gate_.exit_code == 3
    found = next(finding for finding in report.findings if finding.code == "QI007")
    assert found.severity == "medium" and found.observed < report.policy.k


def test_numbers_that_differ_in_every_row_are_identifiers_of_unknown_meaning() -> None:
    rng = random.Random(6)
    numbers = rng.sample(range(10_000_000, 40_000_000), 900)
    report = scan({"0": [str(n) for n in numbers], "1": [str(rng.randrange(4)) for _ in range(900)]})
    assert report.columns[0].is_.entity == "UNRESOLVED_ID" and report.columns[0].role == "direct"
    assert report.gate_.exit_code == 3


def test_a_log_of_measurements_is_not_counted_in_people() -> None:
    rng = random.Random(8)
    report = scan(
        {
            "Date": [
                f"2021-{1 + i // 28:02d}-{1 + i % 28:02d} {rng.randrange(24):02d}:{rng.randrange(60):02d}:00"
                for i in range(300)
            ],
            "Reading": [rng.choice(["heart rate", "SpO2", "blood pressure"]) for _ in range(300)],
            "heart_rate": [str(rng.randrange(55, 110)) for _ in range(300)],
            "Status": [rng.choice(["Well", "Unwell"]) for _ in range(300)],
        }
    )
    assert report.dataset.unit.kind == "event"
    assert "one or several people" in str(report.dataset.unit.reasons[0])
    assert report.gate_.exit_code == 3
    assert not [f for f in report.findings if "people" in str(f.message) and f.code.startswith(("QI", "RSK", "SEN"))]


@pytest.mark.shared
def test_the_log_of_one_wearer_is_stated_as_measurements_and_no_number_of_people(tmp_path: Path) -> None:
    report = privaudit.scan(str(third_party("kenya_insurance", "data", "Organs.csv")), ner=False)
    for name in ("log.html", "log.md"):
        report.write(tmp_path / name)
        shown = (tmp_path / name).read_text(encoding="utf-8")
        assert "of one or several people" in shown and "--subject" in shown
        assert "693 people" not in shown and "of the people" not in shown
    units = {n.unit for attack in report.wire.attacks for n in _counts(attack)}
    assert report.wire.gate_.exit_code == 3 and units == {"record"}


def _counts(attack: Attack) -> list[Count]:
    values = [*attack.outcome.values.values(), *(attack.detail.measures.values() if attack.detail else ())]
    return [value for value in values if isinstance(value, Count)]


ANSWERS = {"counties.csv": "aggregate", "by_state.csv": "aggregate"}


@pytest.mark.shared
@pytest.mark.parametrize("file", sorted(ANSWERS))
def test_totals_of_areas_are_an_aggregate(file: str) -> None:
    if not (SHARED / "cases" / "t3" / file).is_file():
        pytest.skip("reference tables are not beside the project")
    report = privaudit.scan(str(SHARED / "cases" / "t3" / file), ner=False).wire
    assert report.dataset.unit.kind == ANSWERS[file] and report.risk is None
    assert {finding.code[:3] for finding in report.findings} <= {"CEL"}


@pytest.mark.parametrize(("ending", "code"), [("County", "fips"), ("Parish", "geoid"), ("District", "area_code")])
def test_names_of_areas_are_not_names_of_people(ending: str, code: str) -> None:
    names = [
        "Adams",
        "Allen",
        "Clay",
        "Lincoln",
        "Monroe",
        "Jackson",
        "Grant",
        "Warren",
        "Madison",
        "Perry",
        "Taylor",
        "Scott",
    ]
    rng = random.Random(ending)
    report = scan(
        {
            code: [f"{31001 + 2 * i}" for i in range(len(names))],
            "name": [f"{name} {ending}" for name in names],
            "total_population": [str(rng.randrange(9000, 90000)) for _ in names],
        }
    )
    assert report.dataset.unit.kind == "aggregate"
    assert report.columns[1].role == "none" and report.gate_.exit_code == 0


def labelled() -> list[str]:
    file = SHARED / "data" / "labels_open.json"
    return sorted(json.loads(file.read_text())) if file.is_file() else []


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("file", labelled() or [pytest.param("", marks=pytest.mark.skip("no reference tables"))])
def test_no_change_of_names_turns_a_labelled_table_of_people_into_things(file: str) -> None:
    meta = json.loads((SHARED / "data" / "labels_meta.json").read_text())[file]
    chosen = Settings(
        ner=False,
        header=bool(meta.get("header", True)),
        delimiter=None if file.endswith("parquet") else meta.get("sep"),
    )
    with open_dataset(str(SHARED / "data" / file), chosen) as dataset:
        rows = dataset.rows(dataset.columns).slice(0, 250)
        table = {
            name: [None if v is None else str(v) for v in rows.column(i).to_pylist()]
            for i, name in enumerate(dataset.columns)
        }
    if unit_of(table).kind not in PEOPLE:
        pytest.skip("the table is not about people")
    for seed in range(3):
        for change, changed in variants(table, seed).items():
            assert unit_of(changed).kind in PEOPLE, change


@pytest.mark.parametrize("named", ["member", "customer", "patient"])
def test_a_column_of_ids_never_suggests_a_person_name(named: str) -> None:
    rows = range(1, 201)
    report = scan({named: [f"M{i:05d}" for i in rows], "age": [str(20 + i % 50) for i in rows]})
    assert report.columns[0].is_.entity == "PERSON_ID" and report.columns[0].unassessed is None
    assert not [item for item in report.limits if item.incomplete]


@pytest.mark.parametrize(
    "words", ["datum,temperatur,luftfeuchtigkeit,niederschlag", "date,humidite,pluie,ensoleillement"]
)
def test_weather_in_other_languages_is_about_things(words, tmp_path):
    rng = random.Random(20261126)
    lines = [f"station,{words}"]
    for place in ("Berlin", "Hamburg", "Lyon"):
        for day in range(80):
            date = datetime.date(2025, 1, 1) + datetime.timedelta(day)
            lines.append(f"{place},{date},{rng.uniform(-5, 30):.1f},{rng.randint(30, 99)},{rng.uniform(0, 9):.1f}")
    file = tmp_path / "t.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    report = privaudit.scan(file, ner=False)
    assert report.gate().exit_code == 0 and not report.wire.dataset.unit.is_about_people


ENGLISH = "house tree water fire stone bread apple horse river mountain cloud rain snow window table chair".split()
GERMAN = "haus baum wasser feuer stein brot apfel pferd fluss berg wolke regen schnee fenster tisch stuhl".split()
PEOPLE_OF = [f"A{37 * i}" for i in range(len(ENGLISH))]
LEVELS = ["fluent", "basic", "none", "basic"] * 4
MARKS = [str(40 + 3 * i) for i in range(len(ENGLISH))]


def test_words_in_columns_called_after_languages_are_translations() -> None:
    assert unit_of({"English": ENGLISH, "German": GERMAN}).kind == "object"


@pytest.mark.quick_cases(3)
@pytest.mark.parametrize(
    "table",
    [
        {"english": MARKS, "german": MARKS[::-1]},
        {"key": PEOPLE_OF, "english": MARKS, "german": MARKS[::-1]},
        {"key": PEOPLE_OF, "english": LEVELS, "german": LEVELS[::-1]},
        {"english": PEOPLE_OF, "german": PEOPLE_OF[::-1]},
        {"english": ENGLISH, "german": GERMAN, "translator": ["ak", "bm"] * 8},
        {"english": ENGLISH, "german": [f"{name} Keller" for name in ["Anna", "Paula", "Emma", "Clara"] * 4]},
    ],
    ids=["marks", "marks for each code", "skills", "codes", "initials", "names"],
)
def test_columns_called_after_languages_may_be_about_people(table: Table) -> None:
    assert unit_of(table).kind in PEOPLE


SPEED = {
    "model": [f"M-{i % 5}" for i in range(40)],
    "fps": [str(30 + 7 * i % 90) for i in range(40)],
    "vram": ["8", "12"] * 20,
}


def test_measured_frames_and_memory_are_those_of_machines() -> None:
    assert unit_of(SPEED).kind == "object"
    for name in ("owner", "preset", "strategy"):
        assert unit_of({**SPEED, name: ["ak", "bm", "cf", "dk"] * 10}).kind in PEOPLE
