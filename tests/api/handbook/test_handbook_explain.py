"""Explanations: every code, name and term that a report shows is explained, and a misspelt one gets similar names."""

from __future__ import annotations

import json

import pytest

from privaudit.advice import technique
from privaudit.api.handbook import explain, list_rules
from privaudit.api.handbook.quantities import measure_ids
from privaudit.base.errors import RuleError
from privaudit.model import vocabulary
from tests.helpers.command import refusal


@pytest.mark.parametrize("asked", ["QI001", "qi001", "smallest-class-too-small"])
def test_a_check_is_explained_by_code_and_name(asked: str) -> None:
    explained = explain(asked)
    assert explained.subject == "QI001"
    assert {"Why it matters", "What to do", "When it fires"} <= {heading for heading, _ in explained.sections}
    assert any("HIPAA-b2ii" in law for law in explained.laws)
    assert "Laws and standards" in str(explained)


def test_an_entity_type_is_explained_with_the_laws_that_name_it() -> None:
    explained = explain("email")
    assert any(heading.startswith("PII001") for heading, _ in explained.sections)
    assert any("HIPAA-b2i-F" in law for law in explained.laws)
    assert not any("HIPAA-b2i-D" in law for law in explained.laws)
    assert any("Kenya" in law for law in explain("MARITAL_STATUS").laws)


@pytest.mark.parametrize("asked", ["public", "wp216", "HIPAA-b2i-C"])
def test_policies_frameworks_and_controls_are_explained(asked: str) -> None:
    assert explain(asked).sections


def test_an_unknown_name_gets_similar_names() -> None:
    with pytest.raises(RuleError, match="QI001"):
        explain("QI01")


@pytest.mark.parametrize(
    ("asked", "explained"),
    [
        ("person names", "person names"),
        ("Date of birth", "dates of birth"),
        ("unresolved identifier", "unresolved-identifier"),
        ("kra", "ke.pin"),
        ("zip", "postal codes"),
        ("Visa", "card brands"),
        ("k-anonymity", "smallest equivalence class"),
    ],
)
def test_terms_of_reports_and_column_names_are_explained(asked: str, explained: str) -> None:
    assert explained in str(explain(asked)).partition("\n\n")[0]


def test_a_misspelt_detail_gets_similar_names() -> None:
    with pytest.raises(RuleError) as caught:
        explain("us.snn")
    assert "US.SSN" in str(caught.value.hint)


def test_a_part_of_a_name_gets_the_names_that_contain_it() -> None:
    with pytest.raises(RuleError) as caught:
        explain("hipaa")
    assert "HIPAA-SAFE-HARBOR" in str(caught.value.hint)


@pytest.mark.parametrize("kind", ["check", "policy", "framework", "control", "entity"])
def test_everything_that_is_listed_is_explained(kind: str) -> None:
    listed = [rule for rule in list_rules() if rule.kind == kind]
    assert listed
    for rule in listed:
        explained = explain(rule.code)
        assert explained.subject.casefold() == rule.code.casefold(), rule.code
        assert explained.title and explained.sections, rule.code


def test_every_measure_and_technique_is_explained() -> None:
    for name in (*measure_ids(), *technique.names()):
        found = explain(name)
        assert any(text for _, text in found.sections), name
        assert found.subject == name  # and not what has the name as a part of a word


def test_codes_are_listed_once_and_every_entity_type_is_listed() -> None:
    rules = [(rule.kind, rule.code) for rule in list_rules() if rule.kind != "detector"]
    assert len(rules) == len(set(rules))
    assert {code for kind, code in rules if kind == "entity"} == set(vocabulary.entity_types())


def test_explain_prints_the_same_text_as_an_object_of_json(run):
    found = json.loads(run("explain", "QI001", "--json").stdout)
    text = str(explain("QI001"))
    assert found["subject"] == "QI001" and found["title"] in text
    assert all(part["heading"] in text and part["text"] in text for part in found["sections"])
    assert found["laws"] and all(law in text for law in found["laws"])
    assert "--json does not apply to --source" in refusal(run("explain", "zip", "--json", "--source", "t.csv"))
