"""Records of the report: frozen, named as in report.json, and without a field that could hold a cell."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest

from privaudit import model
from privaudit.base.wire import CONTRACT_NAMES, Wire, wire_name
from privaudit.model.remedied import RemedyRun
from privaudit.model.wording import fact


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
    assert record.__dataclass_params__.frozen  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "record", [one for one in RECORDS if issubclass(one, Wire)], ids=lambda one: one.__name__
)
def test_no_two_fields_of_a_record_have_one_key(record: type) -> None:
    keys = [wire_name(item.name) for item in dataclasses.fields(record)]
    assert len(keys) == len(set(keys))


def test_names_that_the_contract_fixes_belong_to_a_field() -> None:
    names = {item.name for record in RECORDS for item in dataclasses.fields(record)}
    assert set(CONTRACT_NAMES) <= names


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
