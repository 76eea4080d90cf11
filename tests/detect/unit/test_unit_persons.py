"""Cells about people outweigh the names of columns about things; remarks about things do not."""

from __future__ import annotations

import random
import re

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.detect.catalogue import wordlists
from privaudit.detect.detection import detect
from privaudit.detect.unit.decision import infer_unit
from privaudit.detect.unit.persons import _words
from privaudit.model.unit import PEOPLE
from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from privaudit.source.profile import profile

ROWS = 60
Table = dict[str, list[object]]


def kind_of(table: Table) -> str:
    chosen = Settings(ner=False)
    with open_dataset(pa.table(table), chosen) as dataset:
        profiles = profile(dataset)
        return infer_unit(dataset, profiles, detect(dataset, profiles, chosen), chosen).kind


def machines(name: str, values: list[str]) -> Table:
    """Readings of machines, with a column of the given values."""
    rng = random.Random(1)
    return {
        "machine": [f"M{i % 6}" for i in range(ROWS)],
        "date": [f"2025-03-{i // 6 + 1:02d}" for i in range(ROWS)],
        "voltage": [round(rng.uniform(210, 240), 2) for _ in range(ROWS)],
        "vibration": [round(rng.uniform(0, 4), 3) for _ in range(ROWS)],
        name: [values[i % len(values)] for i in range(ROWS)],
    }


OF_MACHINES = ["gear replaced", "no oil left", "noise under load", "error 17, restarted"]


@pytest.mark.quick_cases(3)
@pytest.mark.parametrize("name", ["remark", "notes", "description", "bemerkung"])
@pytest.mark.parametrize("remark", ["she forgot the key", "intoxicated at noon", "ist schwanger", "est malade"])
def test_one_remark_about_a_person_is_enough(name: str, remark: str) -> None:
    assert kind_of(machines(name, OF_MACHINES)) == "object"
    assert kind_of(machines(name, [*OF_MACHINES, remark])) == "unknown"


def test_a_description_may_state_for_whom_a_thing_is() -> None:
    for_whom = ["boots for women", "shawl for grandmother", "maternity belt", "syrup for a cough"]
    assert kind_of(machines("description", for_whom)) == "object"
    assert kind_of(machines("description", [*for_whom, "he was intoxicated"])) == "unknown"
    assert kind_of(machines("remark", for_whom)) == "unknown"


def test_a_remark_that_names_several_people_is_about_them() -> None:
    remarks = ["ask chiara", "kwame has the key", "ingrid cleaned up"]
    assert kind_of(machines("remark", [*OF_MACHINES, *remarks])) == "unknown"


def test_a_remark_beyond_the_first_thousand_is_read() -> None:
    rows = 3000
    table: Table = {
        "sku": [f"SK{i:05d}" for i in range(rows)],
        "price": [f"{i % 89}.{i % 97:02d}" for i in range(rows)],
        "stock": [str(i * 7919 % 500) for i in range(rows)],
        "remark": [f"box {i}" for i in range(rows)],
    }
    assert kind_of(table) == "object"
    table["remark"][-1] = "box for the pregnant one"
    assert kind_of(table) in PEOPLE


def measured(lengths: tuple[int, int], masses: tuple[int, int]) -> Table:
    rng = random.Random(2)
    return {
        "item": [f"I{i}" for i in range(ROWS)],
        "length": [f"{rng.randint(*lengths)} cm" for _ in range(ROWS)],
        "mass": [f"{rng.randint(*masses)} kg" for _ in range(ROWS)],
        "price": [round(rng.uniform(5, 90), 2) for _ in range(ROWS)],
    }


def test_lengths_and_masses_of_bodies_are_about_people() -> None:
    assert kind_of(measured((155, 195), (55, 95))) == "unknown"
    assert kind_of(measured((20, 90), (1, 9))) == "object"
    assert kind_of(measured((155, 195), (200, 400))) == "object"


def answered(steps: range) -> Table:
    rng = random.Random(3)
    items: Table = {f"item{i}": [rng.choice(steps) for _ in range(ROWS)] for i in range(1, 6)}
    return {"part": list(range(1, ROWS + 1)), **items}


def test_numbered_columns_with_one_scale_are_answers_to_a_questionnaire() -> None:
    assert kind_of(answered(range(1, 6))) == "unknown"


def paths(folders: list[str]) -> Table:
    rng = random.Random(4)
    return {
        "file": [f"f{i}.log" for i in range(ROWS)],
        "version": [f"2.{i % 4}" for i in range(ROWS)],
        "size_kb": [round(rng.uniform(1, 90), 2) for _ in range(ROWS)],
        "path": [f"{folders[i % len(folders)]}/f{i}.log" for i in range(ROWS)],
    }


def test_folders_of_users_are_about_people() -> None:
    assert kind_of(paths(["/usr/lib", "/var/log", "/home/shared"])) == "object"
    assert kind_of(paths(["/home/qzk1", "/home/wrt", "/home/m_vvo"])) == "unknown"


def test_codes_that_contain_given_names_are_about_people() -> None:
    def jobs(starts: list[str]) -> Table:
        return {
            "job": list(range(ROWS)),
            "branch": [f"{starts[i % len(starts)]}/fix-{i}" for i in range(ROWS)],
            "duration": [10.25 + i * 7 % 31 for i in range(ROWS)],
            "retries": [i * i % 5 for i in range(ROWS)],
        }

    assert kind_of(jobs(["release", "feature", "hotfix"])) == "object"
    assert kind_of(jobs(["ingrid", "chiara", "kwame"])) == "unknown"


@given(st.lists(st.text(alphabet="abÄéß .,-1Zñ", max_size=12), max_size=8))
def test_the_words_of_all_texts_are_those_of_each(texts: list[str]) -> None:
    expected = {word for text in texts for word in re.findall(r"[^\W\d_]+", wordlists.fold(text))}
    assert _words(pa.array(texts, type=pa.string())) - {""} == expected
