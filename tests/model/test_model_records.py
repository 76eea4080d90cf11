"""Records of the report: frozen, named as in report.json, and without a field that could hold a cell."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest

from privaudit import model
from privaudit.base.wire import CONTRACT_NAMES, Wire, assembled, wire_name
from privaudit.model.remedied import RemedyRun
from privaudit.model.wording import fact
from privaudit.rulebook import Judgement


def _records(start: type) -> Iterator[type]:
    """Yield `start` and every record that one of its fields can hold."""
    seen: set[type] = set()
    left: list[Any] = [start]
    while left:
        found = left.pop()
        left.extend(get_args(found))
        if not (isinstance(found, type) and dataclasses.is_dataclass(found)) or found in seen:
            continue
        seen.add(found)
        yield found
        left.extend(get_type_hints(found).values())


RECORDS = sorted({*_records(model.Report), *_records(RemedyRun)}, key=lambda one: one.__qualname__)


def test_the_report_reaches_its_parts() -> None:
    assert {model.Risk, model.Finding, model.CheckOutcome, model.Attack} <= set(RECORDS)


@pytest.mark.parametrize("record", RECORDS, ids=lambda one: one.__name__)
def test_a_record_cannot_be_changed(record: type) -> None:
    made = object.__new__(record)
    for field in dataclasses.fields(record):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(made, field.name, None)


@pytest.mark.parametrize("record", [one for one in RECORDS if issubclass(one, Wire)], ids=lambda one: one.__name__)
def test_no_two_fields_of_a_record_have_one_key(record: type) -> None:
    keys = [wire_name(item.name) for item in dataclasses.fields(record)]
    assert len(keys) == len(set(keys))


def test_names_that_the_contract_fixes_belong_to_a_field() -> None:
    names = {item.name for record in RECORDS for item in dataclasses.fields(record)}
    assert set(CONTRACT_NAMES) <= names


@pytest.mark.parametrize("part", [model.Evidence, Judgement], ids=lambda one: one.__name__)
def test_the_report_has_each_part_under_its_name_and_type(part: type) -> None:
    whole = get_type_hints(model.Report)
    for name, expected in get_type_hints(part).items():
        assert whole[name] == expected, name


def test_named_fields_win_over_parts_and_earlier_parts_over_later_ones() -> None:
    first = model.UsedFile(purpose="rules", name="first", sha256="1")
    second = model.ToolInfo(name="second", version="2", versions={"a": "1"})
    assert assembled(model.ToolInfo, first, second) == model.ToolInfo(name="first", version="2", versions={"a": "1"})
    assert assembled(model.ToolInfo, first, second, name="named").name == "named"
    with pytest.raises(TypeError, match="version"):
        assembled(model.ToolInfo, first)


def _finding(fingerprint: str, group: str | None) -> model.Finding:
    return model.Finding(
        code="QI001",
        name="smallest-class-too-small",
        subject=("age",),
        severity="high",
        confidence=1.0,
        message=fact("QI001"),
        measure="class.k_min",
        observed=1,
        limit=5,
        fingerprint=fingerprint,
        group=group,
    )


def test_findings_of_one_cause_count_once_and_the_first_stands_for_them() -> None:
    findings = [_finding("a", "small"), _finding("b", None), _finding("c", "small"), _finding("d", None)]
    assert [finding.fingerprint for finding in model.first_of_each_cause(findings)] == ["a", "b", "d"]
