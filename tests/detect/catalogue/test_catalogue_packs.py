"""Packs: every shipped case holds, every mistake of a user is named with pack, detector and key."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from privaudit.api.handbook import entity_types
from privaudit.base.errors import RuleError
from privaudit.detect.catalogue import cases, detectors, wordlists
from privaudit.detect.catalogue.detector import LONGEST_CELL, NEEDS, Detector, TextForm
from privaudit.model import ROLES, SEVERITIES
from privaudit.settings.config import Settings
from tests.helpers.detection import judge

GOOD = """
[[entity]]
name = "STAFF_BADGE"
title = "Badge"
role = "direct"

[[detector]]
entity = "STAFF_BADGE"
title = "Badge of a member of staff"
severity = "high"
regex = ['HQ-\\d{4}-[A-Z]{2}']
contains = true
match = ["HQ-1234-AB"]
no_match = ["HQ-123-AB"]
"""


def write(folder: Path, text: str) -> str:
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    return str(folder)


def test_every_key_of_a_pack_has_the_value_it_requires() -> None:
    wanted = detectors.wanted()
    records = (detectors.DeclaredEntityType, Detector, TextForm)
    assert set(wanted) == {key.name for record in records for key in fields(record)} - {"pack", "user"} | {"detector"}
    listed = {"role": ROLES, "severity": SEVERITIES, "needs": NEEDS, "edges": wordlists.toml("edges")}
    assert {key: wanted[key] for key in listed} == {key: f"one of {', '.join(of)}" for key, of in listed.items()}
    assert str(LONGEST_CELL) in wanted["lengths"]


def test_every_shipped_detector_is_usable() -> None:
    for detector in detectors.load():
        detectors.check(detector, detector.label)
        assert detector.title


def test_most_shipped_detectors_have_cases() -> None:
    without = [d for d in detectors.load() if not d.match]
    assert len(without) < 0.15 * len(detectors.load())


@pytest.mark.slow
def test_a_users_pack_works_like_ours(tmp_path: Path) -> None:
    rules = write(tmp_path, GOOD)
    assert all(result.passed for result in cases.test_packs(rules))
    cells = [f"HQ-{i}-AB" for i in range(1000, 1100)]
    found = judge({"c0": cells}, Settings(ner=False, rules=rules))["c0"]
    assert found.is_ is not None and found.is_.entity == "STAFF_BADGE"


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (("severity", "severty"), "severty"),
        (('"high"', '"bad"'), "severity"),
        (("contains = true", 'contains = "yes"'), "contains"),
        (('title = "Badge of', 'titel = "Badge of'), "tit"),
        (("[A-Z]{2}'", "(?=x)'"), "regex"),
        (("contains = true", 'validator = "xx.nothing"'), "validator"),
        (("contains = true", 'list = "NOTHING"'), "list"),
        (("contains = true", "strength = nan"), "strength"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, change: tuple[str, str], key: str) -> None:
    rules = write(tmp_path, GOOD.replace(*change))
    with pytest.raises(RuleError) as caught:
        detectors.load(rules)
    assert "mine.toml" in str(caught.value) and "detector 1" in str(caught.value) and key in str(caught.value)


def test_a_folder_without_packs_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="has no rule pack"):
        detectors.load(tmp_path)


def test_entities_are_explained() -> None:
    record, used = entity_types.describe("EMAIL")
    assert record.code == "EMAIL" and record.role == "direct" and used
    assert entity_types.describe("NOTHING_LIKE_IT") is None
