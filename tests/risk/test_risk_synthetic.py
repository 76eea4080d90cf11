"""The measures of Adult, on a generated table that ships with the tests, against counts made by brute force."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import factorial

import pyarrow as pa
import pytest

from privaudit.model.minimal import mark_minimal
from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.codes.coded import encode
from privaudit.risk.search.combinations import search
from privaudit.risk.search.special_uniques import minimal_uniques
from privaudit.source.memory.arrow import from_arrow
from tests.helpers import synthetic
from tests.helpers.synthetic import QUASI

TABLE = synthetic.people()
N = len(TABLE["age"])
EVERY_SET = [names for size in range(1, 9) for names in combinations(QUASI, size)]


def sizes_of(names: tuple[str, ...]) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(TABLE[name] for name in names), strict=True))


@pytest.fixture(scope="module")
def coded():
    with from_arrow(pa.table(TABLE)) as dataset:
        yield encode(dataset, QUASI)


@pytest.fixture(scope="module")
def every_set(coded):
    return search(coded, max_size=8, thresholds=(2, 3, 5, 11), k=5).combinations


def test_all_255_sets_equal_brute_force(every_set):
    assert len(every_set) == len(EVERY_SET) == 255
    measured = {frozenset(c.columns): c for c in every_set}
    for names in EVERY_SET:
        sizes, c = sizes_of(names), measured[frozenset(names)]
        assert (c.n_classes, c.k_min) == (len(sizes), min(sizes.values()))
        assert c.n_unique == sum(f == 1 for f in sizes.values())
        for k in (2, 3, 5, 11):
            assert c.n_below[str(k)] == sum(f for f in sizes.values() if f < k)
        pairs = Fraction(sum(f * (f - 1) for f in sizes.values()), N * (N - 1))
        assert c.separation == pytest.approx(float(1 - pairs), rel=1e-14)


@pytest.mark.parametrize("k", [2, 5])
def test_minimal_sets_are_the_smallest_that_violate_k(every_set, k):
    violating = {frozenset(s) for s in EVERY_SET if min(sizes_of(s).values()) < k}
    minimal = {s for s in violating if not any(s - {name} in violating for name in s)}
    assert {frozenset(c.columns) for c in mark_minimal(every_set, k) if c.minimal} == minimal


def test_risk_from_class_sizes_equals_counting_records(coded):
    sizes = sizes_of(QUASI)
    found = ClassSizes.of(coded.weights, n_rows=coded.n_rows)
    assert Counter(sizes.values()) == dict(zip(found.size, found.count, strict=True))
    assert found.prosecutor_max == pytest.approx(1 / min(sizes.values()))
    assert found.prosecutor_mean == pytest.approx(len(sizes) / N, rel=1e-15)
    for threshold in ("0.05", "0.1", "0.2", "0.33", "0.5"):
        at_risk = sum(f for f in sizes.values() if Fraction(1, f) > Fraction(threshold))
        assert found.share_at_risk(threshold) == pytest.approx(at_risk / N, rel=1e-15)


def minimal_sample_uniques(width: int) -> list[Counter[int]]:
    """Return for each record how many minimal sample uniques of each size it has, by definition."""
    names = QUASI[:width]
    counts = {s: sizes_of(s) for size in range(1, width + 1) for s in combinations(names, size)}
    found = []
    for row in range(N):
        unique = {s for s, sizes in counts.items() if sizes[tuple(TABLE[name][row] for name in s)] == 1}
        minimal = [s for s in unique if not any(t in unique for t in combinations(s, len(s) - 1) if t)]
        found.append(Counter(map(len, minimal)))
    return found


@pytest.mark.parametrize("width", [3, 5, pytest.param(8, marks=pytest.mark.slow)])
def test_special_uniques_equal_their_definition(coded, width):
    """A score is the sum of (columns - size)! over the minimal sample uniques of a record, as in SUDA."""
    expected = minimal_sample_uniques(width)
    found = minimal_uniques(coded.select(QUASI[:width]), max_size=width)
    by_size = [sum(counts[size] for counts in expected) for size in range(1, width + 1)]
    assert list(found.msu_by_size) == by_size
    scores = [sum(n * factorial(width - size) for size, n in counts.items()) for counts in expected]
    assert found.score_sum == sum(scores)
    assert found.scores.max() == max(scores)
