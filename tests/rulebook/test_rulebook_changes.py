"""A finding is worse in the direction in which its check fires: levels exactly, counts and shares with a tolerance."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.rulebook.changes import COUNTS, change
from privaudit.rulebook.measurement import MEASURES


@dataclass(frozen=True)
class Rule:
    measure: str
    fires_when: str


K, L = Rule("class.k_min", "below"), Rule("diversity.l_distinct", "below")
CELLS, T = Rule("pii.cells", "at_least"), Rule("closeness.t", "above")
ENTROPY, WEIGHT = Rule("diversity.l_entropy", "below"), Rule("any measure", "at_most")
MAILS = Rule("pii.cells[EMAIL]", "at_least")
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
        (T, of(0.3, severity="high"), of(0.3, severity="medium"), "better"),
        (T, of(0.3), of(None), "worse"),
        (T, of(None), of(None), "same"),
        (T, of(0.0), of(1e-9), "same"),
        (T, of(1e-9), of(0.0), "same"),
        (T, of(0.3, 30, 100), of(0.4, 30, 200), "worse"),
        (ENTROPY, of(2.0), of(1.9), "same"),
        (ENTROPY, of(2.0), of(1.0), "worse"),
        (ENTROPY, of(1.0), of(2.0), "better"),
        (WEIGHT, of(2.0), of(1.0), "worse"),
        (K, of(20), of(19), "worse"),
        (K, of(5, 10, 100), of(5, None, 100), "same"),
        (K, of(5, None, 100), of(5, 10, 100), "same"),
        (K, of(5, 10, 100), of(5, 10), "same"),
        (K, of(5, 10), of(5, 10, 100), "same"),
        (MAILS, of(100, 100, 8000), of(101, 101, 8000), "same"),
        (CELLS, of(100), of(105), "same"),
        (CELLS, of(100), of(120), "worse"),
        (CELLS, of(100), of(120.5), "worse"),
        (CELLS, of(100, None, 8000), of(120), "worse"),
        (CELLS, of(100), of(120, None, 8000), "worse"),
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
