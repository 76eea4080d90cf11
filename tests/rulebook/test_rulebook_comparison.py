"""A check fires beyond its limit: integers exactly, real numbers beyond rounding, what is unknown always."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from privaudit.model.vocabulary.statements import DATE_LEVELS
from privaudit.rulebook.comparison import UNBOUNDED, fires, is_worse, levels_of


@dataclass(frozen=True)
class Rule:
    fires_when: str
    measure: str = "any measure"


SUM = 0.1 + 0.2  # 0.30000000000000004
LARGE = 10**12
EXPECTED = [  # which comparisons fire
    (4, 5, {"below", "at_most"}),
    (5, 5, {"at_least", "at_most"}),
    (6, 5, {"above", "at_least"}),
    (0.2, 0.3, {"below", "at_most"}),
    (0.3, SUM, {"at_least", "at_most"}),
    (SUM, 0.3, {"at_least", "at_most"}),
    (0.4, 0.3, {"above", "at_least"}),
    (LARGE, LARGE + 1, {"below", "at_most"}),
    (LARGE + 1, float(LARGE), {"at_least", "at_most"}),
    (0.0, 0.0, {"at_least", "at_most"}),
]


@pytest.mark.quick_cases(10)
@pytest.mark.parametrize(("observed", "limit", "expected"), EXPECTED)
def test_a_number_is_compared_as_the_check_states(observed: float, limit: float, expected: set[str]) -> None:
    every = ("below", "at_most", "above", "at_least")
    assert {each for each in every if fires(Rule(each), observed, limit)} == expected
    # A value at its limit may fire; it is not worse than the limit.
    worse = expected if expected & {"below", "above"} else set()
    assert {each for each in every if is_worse(Rule(each), observed, limit)} == worse


@pytest.mark.parametrize("comparison", ["below", "above"])
def test_what_is_unknown_is_beyond_every_limit(comparison: str) -> None:
    check = Rule(comparison)
    assert fires(check, "unknown", 5) and fires(check, UNBOUNDED, 5) and fires(check, "a state", "a state")
    assert not fires(check, "a state", "another") and not fires(check, 5, "a state")


def test_levels_are_compared_by_their_order() -> None:
    dates = Rule("finer_than", "column.date_precision")
    assert levels_of(dates) == DATE_LEVELS
    assert levels_of(Rule("above", "column.date_precision")) == levels_of(Rule("finer_than")) == ()
    coarse, fine = DATE_LEVELS[1:3]
    assert [fires(dates, *pair) for pair in ((fine, coarse), (fine, fine), (coarse, fine))] == [True, False, False]
    assert is_worse(dates, fine, coarse) and not is_worse(dates, coarse, fine)
    assert is_worse(dates, "a form", coarse) and is_worse(dates, coarse, "a form")


@pytest.mark.parametrize("comparison", ["below", "above"])
def test_nothing_is_worse_than_an_unbounded_value_and_the_missing_is(comparison: str) -> None:
    check = Rule(comparison)
    assert not is_worse(check, 0.4, UNBOUNDED) and is_worse(check, UNBOUNDED, 0.4)
    assert is_worse(check, None, 0.4) and not is_worse(check, "a state", "a state")
