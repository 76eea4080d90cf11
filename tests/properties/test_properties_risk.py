"""Laws that every table obeys, P1 to P17, checked on random tables with missing cells and repeated rows.

They hold for classes. Where missing cells match anything no classes form: what still holds there (P2, P9) is
tested together with the matching itself.
"""

import math
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.risk import assess
from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.codes.coded import class_labels, encode
from privaudit.risk.search.combinations import search
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow
from tests.helpers.tables import column_report as report

CELLS = st.one_of(st.none(), st.sampled_from(["a", "b", "c", "7", "12"]))
laws = settings(max_examples=20, deadline=None)


@st.composite
def tables(draw, most=20, narrowest=1):
    width = draw(st.integers(narrowest, 4))
    return draw(st.lists(st.tuples(*[CELLS] * width), min_size=1, max_size=most))


def dataset_of(rows):
    names = [f"q{i}" for i in range(len(rows[0]))]
    return from_arrow(pa.table({n: pa.array([r[i] for r in rows], pa.string()) for i, n in enumerate(names)}))


def code(rows):
    with dataset_of(rows) as dataset:
        return encode(dataset, dataset.columns)


def sizes_of(coded, columns=None):
    return ClassSizes.of(class_labels(coded, columns)[1], n_rows=coded.n_rows)


def histogram(rows):
    """The classes by brute force."""
    return sorted(Counter(rows).values())


def spread(sizes):
    return sorted(f for f, c in zip(sizes.size, sizes.count, strict=True) for _ in range(c))


@laws
@given(tables())
def test_p1_sizes_sum_to_the_records_and_equal_brute_force(rows):
    sizes = sizes_of(code(rows))
    assert sizes.n_rows == len(rows)
    assert spread(sizes) == histogram(rows)


@laws
@given(tables(narrowest=2))
def test_p2_a_further_column_splits(rows):
    coded = code(rows)
    fewer, more = sizes_of(coded, coded.names[:-1]), sizes_of(coded)
    assert more.n_classes >= fewer.n_classes
    assert more.n_unique >= fewer.n_unique
    assert more.k_min <= fewer.k_min


@laws
@given(tables(), st.randoms(use_true_random=False))
def test_p3_row_order_changes_nothing(rows, random):
    shuffled = random.sample(rows, len(rows))
    one, other = (search(code(r), max_size=4, thresholds=(2, 5), k=3) for r in (rows, shuffled))
    assert one == other


@laws
@given(tables())
def test_p4_the_table_twice_doubles_every_class(rows):
    once, twice = sizes_of(code(rows)), sizes_of(code(rows * 2))
    assert spread(twice) == [2 * f for f in spread(once)]
    assert twice.n_unique == 0


@laws
@given(tables(), st.lists(st.integers(0, 2), min_size=6, max_size=6))
def test_p5_merging_values_never_adds_risk(rows, lookup):
    coded = code(rows)
    length = len(coded.dictionaries[0])
    merged = coded.recode("q0", np.array(lookup[:length]), pa.array(["x", "y", "z"]))
    before, after = sizes_of(coded), sizes_of(merged)
    assert after.k_min >= before.k_min
    assert after.n_classes <= before.n_classes
    assert after.n_unique <= before.n_unique
    assert after.below(3) <= before.below(3)


@laws
@given(tables())
def test_p6_one_to_one_recoding_changes_no_size(rows):
    renamed = [tuple(None if cell is None else f"<{cell}>" for cell in row) for row in rows]
    assert spread(sizes_of(code(renamed))) == spread(sizes_of(code(rows)))


@laws
@given(tables(), tables())
def test_p7_parts_merged_are_the_whole(rows, others):
    parts = [tuple((*("left",), *row)[:2]) for row in rows], [tuple((*("right",), *r)[:2]) for r in others]
    merged = sizes_of(code(parts[0])).merge(sizes_of(code(parts[1])))
    assert merged == sizes_of(code(parts[0] + parts[1]))


@laws
@given(tables(), st.data())
def test_p8_a_class_of_a_part_is_at_most_as_large_as_in_the_whole(rows, data):
    n = data.draw(st.integers(1, len(rows)))
    assert all(f <= Counter(rows)[row] for row, f in Counter(rows[:n]).items())
    assert sizes_of(code(rows[:n])).size[-1] <= sizes_of(code(rows)).size[-1]


@laws
@given(tables())
def test_p9_and_p10_bounds_of_risk_and_of_classes(rows):
    coded = code(rows)
    sizes = sizes_of(coded)
    assert sizes.prosecutor_mean == sizes.n_classes / len(rows)
    distinct = [coded.cardinality(i) for i in range(len(coded.names))]
    assert max(distinct) <= sizes.n_classes <= min(math.prod(distinct), len(rows))


@laws
@given(tables(narrowest=2))
def test_p11_and_p13_diversity_lies_within_its_bounds(rows):
    with dataset_of(rows) as dataset:
        columns = tuple(report(n, "sensitive" if n == "q0" else "quasi") for n in dataset.columns)
        risk = assess(dataset, columns, Settings(), thresholds=(2,)).risk
    diversity = risk.diversity["q0"]
    assert 1 <= diversity.l_distinct <= risk.k_min
    assert 1 <= diversity.l_entropy <= diversity.n_values * (1 + 1e-12)
    shares = [
        f / len(rows) for f, c in zip(risk.class_sizes.size, risk.class_sizes.count, strict=True) for _ in range(c)
    ]
    entropy = -sum(share * math.log2(share) for share in shares)
    assert -1e-12 <= entropy <= math.log2(risk.n_classes) + 1e-12


@laws
@given(tables(), st.integers(2, 4))
def test_p12_dropping_small_classes_reaches_k(rows, k):
    classes = Counter(rows)
    kept = [row for row in rows if classes[row] >= k]
    if kept:
        assert sizes_of(code(kept)).k_min >= k


@laws
@given(tables())
def test_p14_a_constant_column_changes_nothing(rows):
    assert sizes_of(code([(*row, "same") for row in rows])) == sizes_of(code(rows))


@laws
@given(tables())
def test_p15_a_row_number_makes_everybody_unique(rows):
    sizes = sizes_of(code([(*row, str(i)) for i, row in enumerate(rows)]))
    assert sizes.n_unique == len(rows)


@laws
@given(tables(narrowest=2), st.integers(2, 4))
def test_p17_minimal_sets_are_an_antichain(rows, k):
    found = search(code(rows), max_size=4, thresholds=(k,), k=k).combinations
    minimal = [set(c.columns) for c in found if c.minimal]
    assert not any(a < b for a in minimal for b in minimal)
    assert all(any(m <= set(c.columns) for m in minimal) for c in found if c.k_min < k)


@laws
@given(tables(narrowest=2), st.permutations(range(4)))
def test_column_order_renames_nothing_but_places(rows, order):
    order = [i for i in order if i < len(rows[0])]
    turned = [tuple(row[i] for i in order) for row in rows]
    assert spread(sizes_of(code(turned))) == spread(sizes_of(code(rows)))


@pytest.mark.parametrize("threads", [1, 2])
def test_the_assessment_has_the_same_bytes_for_any_row_order_and_thread_count(threads):
    """Also with sensitive columns, a population, weights and a data subject column."""
    rng = np.random.default_rng(8)
    drawn = [rng.integers(low, top, 300) for low, top in ((0, 3), (0, 7), (0, 4), (1, 5), (0, 90))]
    rows = [tuple(None if i == 2 and x == 3 else str(x) for i, x in enumerate(row)) for row in zip(*drawn, strict=True)]
    found = []
    for order in (range(300), rng.permutation(300)):
        with dataset_of([rows[i] for i in order]) as dataset:
            roles = ("quasi", "quasi", "sensitive", "none", "none")
            columns = tuple(report(n, r) for n, r in zip(dataset.columns, roles, strict=True))
            options = Settings(population="9000", weight="q3", subject="q4", threads=threads)
            result = assess(dataset, columns, options, thresholds=(5,))
            found.append(repr((result.risk, result.combinations, result.limits)))
    assert found[0] == found[1]
