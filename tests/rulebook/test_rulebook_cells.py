"""Suppressed counts of an aggregate that follow from its other cells: check CEL004 and the controls that read it."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

import privaudit

pytest.importorskip("scipy")

COUNTIES = ("Nakuru", "Kiambu", "Mombasa")
DIAGNOSES = ("asthma", "influenza", "diabetes")


def published(folder: Path, hidden: set[tuple[str, str]], *, totals: bool = True, mark: str = "*") -> Path:
    """Write counts by county and diagnosis with their totals, of which those in `hidden` are suppressed."""
    draw = random.Random(3)
    counts = {key: draw.randint(20, 90) for key in itertools.product(COUNTIES, DIAGNOSES)}
    lines = ["county,diagnosis,count"]
    lines += [f"{c},{d},{mark if (c, d) in hidden else n}" for (c, d), n in counts.items()]
    if totals:
        lines += [f"{c},Total,{sum(counts[c, d] for d in DIAGNOSES)}" for c in COUNTIES]
        lines += [f"Total,{d},{sum(counts[c, d] for c in COUNTIES)}" for d in DIAGNOSES]
    file = folder / "counts.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def square(*counties: str) -> set[tuple[str, str]]:
    return set(itertools.product(counties, DIAGNOSES[:2]))


def judged(file: Path) -> tuple[set[str], str, privaudit.ScanReport]:
    report = privaudit.scan(file, ner=False, unit="aggregate", framework=("cms",))
    answers = {control.id: control.answer for control in report.wire.controls}
    return {finding.code for finding in report.findings}, answers["CMS-3"], report


def test_a_single_suppressed_count_follows_from_its_totals(tmp_path: Path) -> None:
    codes, answer, report = judged(published(tmp_path, {(COUNTIES[0], DIAGNOSES[0])}))
    assert "CEL004" in codes and answer == "yes"
    assert (report.wire.cells[0].n_hidden, report.wire.cells[0].n_derivable) == (1, 1)


def test_complementary_suppression_protects(tmp_path: Path) -> None:
    codes, answer, report = judged(published(tmp_path, square(*COUNTIES[:2])))
    assert "CEL004" not in codes and answer == "no"
    assert (report.wire.cells[0].n_hidden, report.wire.cells[0].n_derivable) == (4, 0)


def test_without_totals_nothing_follows(tmp_path: Path) -> None:
    codes, answer, _ = judged(published(tmp_path, {(COUNTIES[0], DIAGNOSES[0])}, totals=False))
    assert "CEL004" not in codes and answer == "no"


def test_nothing_suppressed_needs_no_layout(tmp_path: Path) -> None:
    codes, answer, report = judged(published(tmp_path, set()))
    assert "CEL004" not in codes and answer == "no" and report.wire.cells[0].n_derivable == 0


def test_marks_that_are_not_clear_leave_the_scan_incomplete(tmp_path: Path) -> None:
    file = published(tmp_path, square(*COUNTIES[:2]))
    first = file.read_text(encoding="utf-8").replace("*", "s", 1)
    file.write_text(first, encoding="utf-8")
    _, answer, report = judged(file)
    assert answer == "not_measured" and report.wire.cells[0].n_derivable is None
    assert "attacks.cells_not_clear" in {item.code for item in report.wire.limits if item.incomplete}


def test_a_column_of_the_name_region_alone_is_not_called_a_county(tmp_path: Path) -> None:
    rows = [f"{a},{s},{r}" for a in (20, 30, 40) for s in "FM" for r in ("north", "south") for _ in range(20)]
    file = tmp_path / "people.csv"
    file.write_text("\n".join(["age,sex,region", *rows]) + "\n", encoding="utf-8")
    (found,) = (f for f in privaudit.scan(file, ner=False).findings if f.code == "GEO001")
    assert "county or larger" in str(found.message) and found.confidence < 0.5
