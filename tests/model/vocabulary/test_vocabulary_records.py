"""Records of entity types: what a pack may state, what is refused, and the questions that rooms ask."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from privaudit.base.errors import RuleError
from privaudit.model import vocabulary
from privaudit.model.vocabulary.declared import declared, known_types
from privaudit.model.vocabulary.records import ROLES, SEVERITIES, read_record
from tests.helpers.paths import ROOT

SMALLEST = {"singular": "case number", "plural": "case numbers"}
PACK = """
[[entity]]
name = "CASE_NUMBER"
title = "Case number"
role = "direct"

[[detector]]
entity = "CASE_NUMBER"
severity = "low"

[[detector]]
entity = "CASE_NUMBER"
severity = "critical"
"""


def test_every_key_and_trait_of_an_entity_type_is_documented() -> None:
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    records = vocabulary.entity_types().values()
    keys = {item.name for item in dataclasses.fields(vocabulary.EntityTypeRecord)} - {"code", "own"}
    traits = {trait for record in records for trait in record.traits}
    assert [name for name in sorted(keys | traits) if f"`{name}`" not in page] == []


def test_a_record_with_only_its_terms_is_harmless() -> None:
    record = read_record("CASE_NUMBER", SMALLEST, "own", "own.toml")
    assert (record.role, record.special, record.severity, record.traits) == ("none", False, {}, frozenset())
    assert record.title == "Case number"


@pytest.mark.parametrize(
    ("entry", "named"),
    [
        ({"singular": "case number"}, "plural"),
        ({**SMALLEST, "rol": "direct"}, "rol"),
        ({**SMALLEST, "role": "secret"}, "role"),
        ({**SMALLEST, "severity": {"PII001": "enormous"}}, "PII001"),
    ],
)
def test_a_wrong_record_is_refused_with_the_file_and_the_key(entry: dict[str, object], named: str) -> None:
    with pytest.raises(RuleError, match=named) as caught:
        read_record("CASE_NUMBER", entry, "own", "own.toml")
    assert "own.toml" in str(caught.value)


def test_every_shipped_record_is_complete() -> None:
    for code, record in vocabulary.entity_types().items():
        assert code == record.code == code.upper()
        assert record.singular and record.plural, code
        assert record.role in ROLES, code
        assert set(record.severity.values()) <= set(SEVERITIES), code
        assert record.role != "direct" or record.severity, f"{code}: no check reports this direct identifier"


def test_questions_about_roles_and_groups_cover_every_record() -> None:
    codes = set(vocabulary.entity_types())
    assert set().union(*map(vocabulary.with_role, ROLES)) == codes
    assert sum(len(vocabulary.with_role(role)) for role in ROLES) == len(codes)
    groups = {record.group for record in vocabulary.entity_types().values()}
    assert set().union(*map(vocabulary.in_group, groups)) == codes


def test_a_misspelt_trait_is_an_error() -> None:
    with pytest.raises(KeyError, match="no_such_trait"):
        vocabulary.with_trait("no_such_trait")


def test_an_unknown_code_has_the_terms_of_its_letters() -> None:
    record = vocabulary.entity_type("PATIENT_ID")
    assert (record.singular, record.own) == ("patient ID", True)


def test_a_type_that_a_pack_declares_has_the_highest_severity_of_its_detectors(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(PACK, encoding="utf-8")
    record = declared(tmp_path)["CASE_NUMBER"]
    assert dict(record.severity) == {"PII001": "critical", "PII002": "critical"}
    assert (record.role, record.singular, record.own) == ("direct", "case number", True)
    assert set(known_types(tmp_path)) == {*vocabulary.entity_types(), "CASE_NUMBER"}


def test_a_declared_type_needs_a_role(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(PACK.replace('role = "direct"\n', ""), encoding="utf-8")
    with pytest.raises(RuleError, match="role"):
        declared(tmp_path)
