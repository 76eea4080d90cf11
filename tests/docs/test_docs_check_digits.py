"""The section of docs/detectors.md on codes that pass by chance is what docs/make_check_digits.py writes."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from privaudit.detect.catalogue import detectors

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "detectors.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def written() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_check_digits", ROOT / "docs" / "make_check_digits.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_page_has_the_section_as_measured(written: ModuleType) -> None:
    assert PAGE.endswith(written.section())


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("validator", ["il.idnr", "gb.nhs", "us.ssn", "za.tin"])
def test_rows_of_the_page_are_as_measured(written: ModuleType, validator: str) -> None:
    entity = next(d.entity for d in detectors.load() if d.validator == validator)
    assert written._row(validator, entity) in PAGE.splitlines(keepends=True)


def test_every_row_of_the_page_is_a_validator(written: ModuleType) -> None:
    rows = [line for line in PAGE.partition(written.TITLE)[2].splitlines() if line.count("|") == 8 and "%" in line]
    checked = {str(d.validator) for d in detectors.load() if d.validator and not d.regex}
    assert len(rows) > 100
    assert {row.split("|")[1].strip() for row in rows} <= checked


def test_numbers_are_written_as_ranges(written: ModuleType) -> None:
    assert written._ranges([4, 7, 9, 10, 11]) == "4, 7, 9-11"
