"""A finding is worse in the direction in which its check fires: levels exactly, counts and shares with a tolerance."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.rulebook import baseline_text, load_checks, read_baseline
from privaudit.rulebook.baseline import Baseline, Known, KnownBefore, KnownTable, apply_baseline
from privaudit.rulebook.changes import COUNTS, change
from privaudit.rulebook.measurement import MEASURES


@dataclass(frozen=True)
class Rule:
    measure: str
    fires_when: str


K, L = Rule("class.k_min", "below"), Rule("diversity.l_distinct", "below")
CELLS, T = Rule("pii.cells", "at_least"), Rule("closeness.t", "above")
DATES = Rule("column.date_precision", "finer_than")


def of(observed: float | int | str | None, people: int | None = None, total: int | None = None, severity="high"):
    return SimpleNamespace(observed=observed, n_people=people, n_total=total, severity=severity)


@pytest.mark.parametrize(
    ("rule", "before", "after", "expected"),
    [
        (K, of(8), of(5), "worse"),
        (K, of(8), of(7), "worse"),
        (K, of(5), of(8), "better"),
        (K, of(5, 10, 100), of(5, 10, 100), "same"),
        (K, of(5, 10, 100), of(5, 50, 100), "worse"),
        (L, of(2), of(1), "worse"),
        (CELLS, of(100, 100, 8000), of(101, 101, 8000), "same"),
        (CELLS, of(100, 100, 8000), of(120, 120, 8000), "worse"),
        (CELLS, of(100, 100, 1000), of(200, 200, 2000), "same"),
        (CELLS, of(1, 1, 8000), of(2, 2, 8000), "worse"),
        (CELLS, of(100, 100, 8000), of(50, 50, 8000), "better"),
        (T, of(0.30), of(0.31), "same"),
        (T, of(0.30), of(0.40), "worse"),
        (T, of("unbounded"), of(0.40), "better"),
        (T, of(0.40), of("unbounded"), "worse"),
        (DATES, of("month"), of("day"), "worse"),
        (DATES, of("day"), of("month"), "better"),
        (DATES, of("day"), of("day"), "same"),
        (T, of(0.3, severity="medium"), of(0.3, severity="high"), "worse"),
        (T, of(0.3), of(None), "worse"),
    ],
)
def test_what_is_worse(rule: Rule, before: SimpleNamespace, after: SimpleNamespace, expected: str) -> None:
    assert change(rule, before, after) == expected


@given(st.sampled_from([K, CELLS, T]), st.integers(0, 500), st.integers(0, 500), st.integers(500, 600), st.floats(0, 1))
def test_a_comparison_and_its_reverse_never_both_find_worse(
    rule: Rule, a: int, b: int, total: int, tolerance: float
) -> None:
    before, after = of(a, a, total), of(b, b, total)
    there, back = (change(rule, *pair, tolerance) for pair in ((before, after), (after, before)))
    if rule is not K:  # a smaller k for fewer people is worse in both directions
        assert {there, back} in ({"same"}, {"worse", "better"})
    assert change(rule, before, before, tolerance) == "same"


@given(st.integers(1, 500), st.integers(1, 500), st.integers(500, 600))
def test_without_tolerance_every_growth_is_worse(a: int, b: int, total: int) -> None:
    expected = "worse" if b > a else "better" if b < a else "same"
    assert change(CELLS, of(a, a, total), of(b, b, total), 0) == expected


def test_measures_that_count_exist() -> None:
    assert set(MEASURES) >= COUNTS


def known(fingerprint: str, observed: float | int | str | None = 3) -> Known:
    return Known(code="QI001", subject=("a, b", "ü\n"), fingerprint=fingerprint, **vars(of(observed, 3, 9)))


@given(st.lists(st.one_of(st.none(), st.integers(0, 9), st.floats(0, 9), st.text(max_size=5)), max_size=4))
def test_a_baseline_reads_back(observed: list[float | int | str | None]) -> None:
    from tempfile import TemporaryDirectory

    found = tuple(known(str(i), value) for i, value in enumerate(observed))
    table = KnownTable(created="2026-11-22", policy="public", n_rows=9, findings=found)
    made = Baseline(tables={"data/t.csv": table, 'b".xlsx#2023': table})
    with TemporaryDirectory() as folder:
        file = Path(folder) / "baseline.json"
        file.write_bytes(baseline_text(made).encode("utf-8", "replace"))
        expected = baseline_text(made).encode("utf-8", "replace")
        assert baseline_text(read_baseline(file)).encode("utf-8", "replace") == expected
        if not any(isinstance(value, str) for value in observed):
            assert read_baseline(file) == made


def test_findings_that_cannot_be_accepted_stay_open(finding_of_scan) -> None:
    checks = load_checks()
    locked = next(check for check in checks if not check.acceptable)
    finding = dataclasses.replace(finding_of_scan, code=locked.code, fingerprint="f")
    made = KnownBefore(key="t", table=KnownTable(created="", policy="", n_rows=1, findings=(known("f"),)))
    compared, _use = apply_baseline([finding], made, checks, 0.1)
    assert compared[0].status == "open"


@pytest.fixture
def finding_of_scan():
    from privaudit.model import Finding
    from privaudit.model.wording import fact

    return Finding(
        code="QI001",
        name="n",
        subject=("a",),
        severity="high",
        confidence=1.0,
        message=fact("gate.passed"),
        measure="m",
        observed=3,
        limit=5,
        n_people=3,
        n_total=9,
        fingerprint="f",
    )
