"""The coded table keeps every record, in the same form whatever the order of rows."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.risk.codes import row_keys
from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.codes.coded import CodedTable, class_labels, encode, encode_column, merge_equal_rows
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.source.memory.arrow import from_arrow

CELLS = st.one_of(st.none(), st.sampled_from(["a", "b", "B", "é", "10", "9", "-2", "02"]))


@st.composite
def rows(draw, most=25):
    width = draw(st.integers(1, 4))
    return draw(st.lists(st.tuples(*[CELLS] * width), min_size=1, max_size=most))


def dataset_of(table):
    width = len(table[0])
    return from_arrow(pa.table({f"q{i}": pa.array([row[i] for row in table], pa.string()) for i in range(width)}))


def decoded(coded):
    """The multiset of rows that a coded table stands for."""
    found = []
    for i, weight in enumerate(coded.weights.tolist()):
        row = tuple(
            None if code[i] == len(dictionary) else dictionary[int(code[i])].as_py()
            for code, dictionary in zip(coded.codes, coded.dictionaries, strict=True)
        )
        found.extend([row] * weight)
    return sorted(found, key=repr)


@settings(max_examples=25, deadline=None)
@given(rows())
def test_codes_stand_for_the_same_rows(table):
    with dataset_of(table) as dataset:
        coded = encode(dataset, dataset.columns)
    assert decoded(coded) == sorted(table, key=repr)
    assert coded.n_distinct == len(set(table))


@settings(max_examples=20, deadline=None)
@given(rows())
def test_a_column_without_an_order_stands_for_the_same_rows_and_leaves_the_others_sorted(table):
    with dataset_of(table) as dataset:
        last = dataset.columns[-1]
        coded, ordered = encode(dataset, dataset.columns, unordered={last}), encode(dataset, dataset.columns)
    assert decoded(coded) == decoded(ordered)
    assert coded.dictionaries[:-1] == ordered.dictionaries[:-1]
    occurring = dict.fromkeys(row[-1] for row in table if row[-1] is not None)
    assert coded.dictionaries[-1].to_pylist() == list(occurring)


@settings(max_examples=20, deadline=None)
@given(rows(), st.randoms(use_true_random=False))
def test_row_order_changes_nothing(table, random):
    shuffled = random.sample(table, len(table))
    with dataset_of(table) as one, dataset_of(shuffled) as other:
        first, second = encode(one, one.columns), encode(other, other.columns)
    assert first.weights.tobytes() == second.weights.tobytes()
    assert [c.tobytes() for c in first.codes] == [c.tobytes() for c in second.codes]
    assert first.dictionaries == second.dictionaries


@settings(max_examples=20, deadline=None)
@given(rows())
def test_selecting_columns_equals_coding_them(table):
    with dataset_of(table) as dataset:
        whole, alone = encode(dataset, dataset.columns), encode(dataset, dataset.columns[-1:])
    assert decoded(whole.select(whole.names[-1:])) == decoded(alone)


def test_numbers_ascend_by_value_and_text_by_letter():
    codes, dictionary = encode_column(pa.array(["10", "9", "9.5", None, "-3", "010"]))
    assert dictionary.to_pylist() == ["-3", "9", "9.5", "010", "10"]
    assert codes.tolist() == [4, 1, 2, 5, 0, 3]
    _, words = encode_column(pa.array(["10", "9", "x"]))
    assert words.to_pylist() == ["10", "9", "x"]


def test_a_recoding_merges_values_and_may_suppress_cells():
    coded = CodedTable(
        ("age",), (np.array([0, 1, 2, 3], np.int32),), (pa.array(["1", "2", "3"]),), np.array([1, 2, 3, 4]), 10
    )
    merged = coded.recode("age", np.array([0, 0, 1]), pa.array(["1-2", "3"]))
    assert merged.weights.tolist() == [3, 3, 4]
    assert merged.has_missing(0)
    suppressed = coded.recode("age", np.array([0, 1, 1, 0]), pa.array(["x"]))
    assert suppressed.weights.tolist() == [5, 5]
    assert suppressed.codes[0].tolist() == [0, 1]


def test_no_columns_make_one_class():
    coded = CodedTable(("a",), (np.array([0, 1], np.int32),), (pa.array(["x", "y"]),), np.array([2, 3]), 5)
    labels, sizes = class_labels(coded, [])
    assert labels.tolist() == [0, 0]
    assert sizes.tolist() == [5]


def test_wide_keys_are_numbered_without_overflow():
    """Sixteen columns of 30,000 codes do not fit into 64 bits at once."""
    rng = np.random.default_rng(1)
    codes = [rng.integers(0, 30_000, 50).astype(np.int32) for _ in range(16)]
    both = [np.concatenate([code, code]) for code in codes]
    labels, n_classes = dense_labels(both)
    assert n_classes == 50
    assert labels[:50].tolist() == labels[50:].tolist()
    order = sorted(range(50), key=lambda i: tuple(int(code[i]) for code in codes))
    assert labels[order].tolist() == list(range(50))


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30),
    st.randoms(use_true_random=False),
)
def test_rows_in_order_get_the_numbers_that_the_same_rows_get_in_any_order(rows, random):
    def numbered(some):
        return dense_labels([np.array(column, np.int32) for column in zip(*some, strict=True)])

    ranked, shuffled = sorted(rows), random.sample(rows, len(rows))
    place = {row: i for i, row in enumerate(sorted(set(rows)))}
    for some in (ranked, shuffled, ranked[::-1]):
        labels, n_classes = numbered(some)
        assert n_classes == len(place)
        assert labels.tolist() == [place[row] for row in some]


@pytest.mark.parametrize("weights", [[1, 1], [1, 2, 3]])
def test_a_table_that_lost_somebody_is_refused(weights):
    with pytest.raises(ValueError, match=r"distinct row|sum to"):
        CodedTable(("a",), (np.array([0, 1], np.int32),), (pa.array(["x", "y"]),), np.array(weights), 3)


@pytest.mark.parametrize(
    ("size", "count"), [((2,), (-1,)), ((0,), (1,)), ((2, 1), (1, 1)), ((1, 1), (1, 1)), ((1,), (1, 2))]
)
def test_an_invalid_histogram_is_refused(size, count):
    with pytest.raises(ValueError, match=r"ascend|length|more"):
        ClassSizes(size=size, count=count)


def test_sizes_must_sum_to_the_records():
    with pytest.raises(ValueError, match="not to 4 records"):
        ClassSizes.of(np.array([1, 2]), n_rows=4)


def test_thresholds_are_compared_as_fractions():
    """A class of 11: 1/11 = 0.0909... is above 0.09 and not above 1/11; a class of 10 is not above 0.1."""
    eleven, ten = ClassSizes((11,), (1,)), ClassSizes((10,), (3,))
    assert eleven.n_at_risk(0.09) == 11
    assert eleven.n_at_risk("0.0910") == 0
    assert ten.n_at_risk(0.1) == 0
    assert ten.n_at_risk(0.0999999) == 30


def test_one_record_has_no_pairs():
    assert ClassSizes((1,), (1,)).separation is None


@given(
    st.lists(st.tuples(*[st.integers(0, 3)] * 5, st.integers(1, 9)), max_size=40),
    st.sampled_from([4, 16, 100, 1 << 62]),
)
def test_equal_rows_are_merged_whatever_fits_into_one_key(rows, space):
    columns = [np.array([row[i] for row in rows], dtype=np.int32) for i in range(5)]
    weights = np.array([row[5] for row in rows], dtype=np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_keys, "KEY_SPACE", 4 * space)
        words = [pa.array(["a", "b", "c"])] * 5
        merged = merge_equal_rows(tuple("abcde"), columns, words, weights, int(weights.sum()))
    wanted = Counter()
    for *row, weight in rows:
        wanted[tuple(row)] += weight
    found = list(zip(zip(*merged.codes, strict=True), merged.weights.tolist(), strict=True))
    assert found == sorted(wanted.items())
