"""The Wilson interval equals that of SciPy for whole counts, and keeps its laws for fractional counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from privaudit.model.stats import wilson, wilson_bounds


@given(st.integers(1, 100_000), st.data(), st.floats(0.5, 0.999))
def test_wilson_equals_scipy_for_whole_counts(n, data, level):
    successes = data.draw(st.integers(0, n))
    expected = binomtest(successes, n).proportion_ci(confidence_level=level, method="wilson")
    found = wilson(successes, n, level=level)
    assert found.value == successes / n
    assert found.low == pytest.approx(expected.low, abs=1e-12)
    assert found.high == pytest.approx(expected.high, abs=1e-12)
    assert (found.level, found.n, found.method) == (level, n, "wilson")


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(0, 10, 0.0, 0.2775327998628892), (5, 10, 0.2365930905125640, 0.7634069094874361), (10, 10, 0.7224672001, 1.0)],
)
def test_wilson_equals_published_values(successes, n, low, high):
    found = wilson(successes, n)
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))


@given(st.floats(0, 1), st.floats(0.5, 1e6))
def test_the_interval_of_a_fractional_count_contains_the_share(share, n):
    low, high = wilson_bounds(share * n, n)
    assert 0 <= low <= share * n / n <= high <= 1


@given(st.integers(0, 50), st.integers(1, 50))
def test_the_interval_narrows_with_the_number_of_trials(successes, others):
    low, high = wilson_bounds(successes, successes + others)
    low_of_more, high_of_more = wilson_bounds(10 * successes, 10 * (successes + others))
    assert high_of_more - low_of_more < high - low


def test_without_trials_the_interval_is_everything():
    assert wilson_bounds(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5), (1, 0)])
def test_impossible_counts_are_refused(successes, n):
    with pytest.raises(ValueError, match="between 0"):
        wilson_bounds(successes, n)
