"""Both kernels count the same classes as a dictionary does."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.risk.kernel import partition, partition_arrays
from privaudit.risk.kernel.subsets import OutOfTime, Prepared, prepare, sets_of


def table_of(codes, weights, cardinalities=None):
    columns = tuple(np.array(column, dtype=np.int32) for column in codes)
    top = cardinalities or tuple(int(column.max()) + 1 for column in columns)
    return Prepared(tuple(range(len(codes))), columns, tuple(top), np.array(weights, dtype=np.int64))


def brute_force(table, sizes, top):
    found = {}
    for size in sizes:
        for chosen in combinations(range(table.n_columns), size):
            classes = Counter()
            for row, weight in enumerate(table.weights.tolist()):
                classes[tuple(int(table.codes[c][row]) for c in chosen)] += weight
            sizes_found = sorted(classes.values())
            line = [0] * (top + 1)
            for f in sizes_found:
                line[min(f, top)] += 1
            found[chosen] = (line, sum(f * f for f in sizes_found), sizes_found[0])
    return found


def as_dict(counted):
    return {
        chosen: (counted.histogram[i].tolist(), int(counted.squares[i]), int(counted.smallest[i]))
        for i, chosen in enumerate(counted.sets)
    }


@st.composite
def tables(draw):
    n_columns = draw(st.integers(1, 5))
    n_rows = draw(st.integers(1, 40))
    widths = sorted(draw(st.lists(st.integers(1, 30), min_size=n_columns, max_size=n_columns)))
    codes = [draw(st.lists(st.integers(0, w - 1), min_size=n_rows, max_size=n_rows)) for w in widths]
    unit = draw(st.booleans())
    weights = [1] * n_rows if unit else draw(st.lists(st.integers(1, 9), min_size=n_rows, max_size=n_rows))
    return table_of(codes, weights, tuple(widths))


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(1, 5), st.integers(2, 12))
def test_both_kernels_count_the_sets_with_the_last_column_alone(table, largest, top):
    sizes = range(1, min(largest, table.n_columns) + 1)
    last = table.n_columns - 1
    expected = {chosen: line for chosen, line in brute_force(table, sizes, top).items() if last in chosen}
    for kernel in (partition, partition_arrays):
        assert as_dict(kernel.count_sets(table, sizes=sizes, top=top, with_last=True)) == expected
        narrow = table_of(table.codes, table.weights, (*table.cardinalities[:-1], 2_000_000))
        assert as_dict(kernel.count_sets(narrow, sizes=sizes, top=top, with_last=True)) == expected


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(1, 5), st.integers(2, 12))
def test_the_array_kernel_counts_what_a_dictionary_counts(table, largest, top):
    sizes = range(1, min(largest, table.n_columns) + 1)
    assert as_dict(partition_arrays.count_sets(table, sizes=sizes, top=top)) == brute_force(table, sizes, top)


@pytest.mark.parametrize("space", [0, 8, 64, 1 << 20])
@settings(max_examples=40, deadline=None)
@given(table=tables(), largest=st.integers(1, 5), top=st.integers(2, 12))
def test_the_compiled_kernel_counts_what_a_dictionary_counts(space, table, largest, top):
    """Whatever share of the sets is counted by tables: none, some or all."""
    sizes = range(1, min(largest, table.n_columns) + 1)
    before = partition.TABLE_SPACE
    partition.TABLE_SPACE = space
    try:
        counted = partition.count_sets(table, sizes=sizes, top=top)
    finally:
        partition.TABLE_SPACE = before
    assert as_dict(counted) == brute_force(table, sizes, top)


def larger_table(n, widths, *, weighted, seed=3):
    rng = np.random.default_rng(seed)
    codes = [np.minimum(rng.geometric(4 / (w + 3), n) - 1, w - 1) for w in widths]
    return table_of(codes, rng.integers(1, 4, n) if weighted else np.ones(n), widths)


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("widths", [(2, 3, 7, 40, 300), (500, 900, 70_000), (1, 1, 2, 2_000)])
def test_kernels_agree_on_thousands_of_rows_and_with_any_number_of_threads(widths, weighted):
    table = larger_table(4_000, widths, weighted=weighted)
    sizes = range(1, len(widths) + 1)
    oracle = as_dict(partition_arrays.count_sets(table, sizes=sizes, top=20))
    for threads in (1, 2, 3):
        assert as_dict(partition.count_sets(table, sizes=sizes, top=20, threads=threads)) == oracle


@pytest.mark.parametrize("sizes", [(2,), (3,), (2, 4)])
def test_single_sizes_give_the_same_lines(sizes):
    table = larger_table(600, (2, 5, 30, 200), weighted=True)
    everything = as_dict(partition_arrays.count_sets(table, sizes=range(1, 5), top=9))
    wanted = {found: everything[found] for found in sets_of(4, sizes)}
    assert as_dict(partition_arrays.count_sets(table, sizes=sizes, top=9)) == wanted
    assert as_dict(partition.count_sets(table, sizes=sizes, top=9)) == wanted


@pytest.mark.parametrize("kernel", [partition_arrays, partition])
def test_a_passed_deadline_ends_the_search(kernel):
    with pytest.raises(OutOfTime):
        kernel.count_sets(larger_table(500, (2, 5, 30), weighted=False), sizes=(1, 2, 3), top=5, deadline=0.0)


@pytest.mark.parametrize("kernel", [partition_arrays, partition])
def test_one_row(kernel):
    table = table_of([[0], [0]], [3])
    assert as_dict(kernel.count_sets(table, sizes=(1, 2), top=5)) == brute_force(table, (1, 2), 5)


def test_columns_are_prepared_in_ascending_cardinality():
    from privaudit.risk.codes.coded import CodedTable

    coded = CodedTable(
        ("many", "few"),
        (np.array([0, 1, 2], np.int32), np.array([0, 0, 1], np.int32)),
        (np.array(["a", "b", "c"]), np.array(["x", "y"])),
        np.array([1, 1, 1]),
        3,
    )
    assert prepare(coded).order == (1, 0)
