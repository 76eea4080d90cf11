"""Records below k, from what was counted: known values are exact, unknown values are None and never 0."""

from hypothesis import given
from hypothesis import strategies as st

from privaudit.model import ClassSizeTable, Combination, Risk

sizes = st.dictionaries(st.integers(1, 30), st.integers(1, 9), min_size=1, max_size=8)
thresholds = st.sets(st.integers(2, 30), max_size=4)


def records_below(classes, k):
    return sum(size * count for size, count in classes.items() if size < k)


def combination(classes, counted):
    n, n_classes = records_below(classes, 10**9), sum(classes.values())
    unique = classes.get(1, 0)
    return Combination(
        columns=("a",), n_classes=n_classes, k_min=min(classes), n_unique=unique, share_unique=unique / n,
        n_below={str(k): records_below(classes, k) for k in counted}, mean_class_size=n / n_classes,
        distinction=n_classes / n, separation=None,
    )  # fmt: skip


def risk(classes, counted, missing="category", n_below=None):
    one = combination(classes, counted)
    table = ClassSizeTable(size=tuple(sorted(classes)), count=tuple(classes[size] for size in sorted(classes)))
    return Risk(
        quasi_identifiers=("a",), sensitive=(), missing=missing, n_classes=one.n_classes, k_min=one.k_min,
        n_unique=one.n_unique, n_below=one.n_below if n_below is None else n_below,
        prosecutor_max=1 / one.k_min, prosecutor_mean=1.0, marketer=1.0, share_at_risk={}, class_sizes=table,
    )  # fmt: skip


@given(sizes, thresholds, st.integers(1, 40))
def test_records_below_k_of_a_combination_are_exact_or_unknown(classes, counted, k):
    found = combination(classes, counted).n_below_k(k)
    assert found in (records_below(classes, k), None)
    if k in counted or k <= max(2, min(classes)):
        assert found is not None


@given(sizes, st.integers(1, 40))
def test_the_histogram_of_class_sizes_gives_the_records_below_any_k(classes, k):
    found = risk(classes, ())
    assert found.class_sizes.n_below(k) == found.n_below_k(k) == records_below(classes, k)


def test_a_threshold_that_was_not_counted_is_unknown_and_not_0():
    assert combination({1: 2, 4: 3, 9: 5}, {3, 11}).n_below_k(6) is None
    assert risk({1: 2, 4: 3, 9: 5}, {3, 11}, missing="wildcard").n_below_k(6) is None


def test_counted_matches_take_precedence_over_class_sizes():
    """Where missing cells match anything, matches are counted and the histogram is that of classes."""
    found = risk({1: 2, 4: 3}, (), missing="wildcard", n_below={"3": 0, "5": 6})
    assert found.n_below_k(5) == 6
