"""Suppression markers: found, counted, treated as missing; values that only look like one are left alone."""

import csv
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.codes.markers import Marked, marker_codes, markers_as_missing, missing_lookup
from tests.helpers.coded import coded_cells
from tests.helpers.paths import third_party


def found_in(*values):
    dictionary = pa.array(values)
    marked = marker_codes(dictionary)
    return {value for value, hit in zip(values, marked, strict=True) if hit}


@pytest.mark.parametrize("marker", ["*", "***", "NA", "N/A", "suppressed", "[REDACTED]", " withheld "])
def test_markers_are_found_whatever_their_case(marker):
    assert found_in("Nairobi", marker, "Mombasa", "Kisumu") == {marker}


def test_short_codes_are_values_among_codes_like_them():
    assert found_in("DE", "FR", "KE", "NA", "*") == {"*"}
    assert found_in("F", "M", "X") == set()
    assert found_in("Nairobi", "Mombasa", "NA") == {"NA"}
    assert found_in("NA") == {"NA"}


def test_bands_of_small_numbers_are_values_among_bands():
    assert found_in("1-4", "5-9", "10-14", "*") == {"*"}
    assert found_in("17", "28", "301", "<5") == {"<5"}


def test_a_masked_prefix_is_generalised_not_suppressed():
    _, found, _ = markers_as_missing(coded_cells({"zip": ["021**", "021**", "022**", "*****"]}))
    assert found == {"zip": Marked(n_records=1, generalised="prefix")}


@pytest.mark.parametrize(
    ("cells", "shape"),
    [
        (["[20-30)", "[30-40)", "*"], "interval"),
        (["[15, 55[", "[55, 83[", "[1, 15["], "interval"),
        (["20-30", "30-40", "70+"], "band"),
        (["3****", "4****", "31***"], "prefix"),
    ],
)
def test_generalised_columns_are_recognised(cells, shape):
    _, found, _ = markers_as_missing(coded_cells({"age": cells}))
    assert found["age"].generalised == shape


def test_markers_and_missing_cells_become_one_category():
    coded, found, _ = markers_as_missing(coded_cells({"a": ["x1", "*", None, "suppressed", "x1"], "b": ["u"] * 5}))
    assert found == {"a": Marked(n_records=2, generalised=None)}
    assert coded.dictionaries[0].to_pylist() == ["x1"]
    assert sorted(coded.weights.tolist()) == [2, 3]


def test_a_table_without_markers_is_the_same_table():
    before = coded_cells({"a": ["u", "v", None], "b": ["1", "2", "3"]})
    after, found, _ = markers_as_missing(before)
    assert found == {}
    assert all(np.array_equal(x, y) for x, y in zip(before.codes, after.codes, strict=True))


@given(st.lists(st.booleans(), min_size=1, max_size=30))
@settings(max_examples=50, deadline=None)
def test_lookup_keeps_the_order_of_values(marked):
    lookup = missing_lookup(np.array(marked))
    kept = [code for code, hit in zip(lookup.tolist(), marked, strict=True) if not hit]
    assert kept == list(range(len(kept)))
    assert all(code == len(kept) for code, hit in zip(lookup.tolist(), marked, strict=True) if hit)


@given(st.lists(st.tuples(*[st.sampled_from(["u", "v", "*", "na", None])] * 2), min_size=1, max_size=20))
@settings(max_examples=50, deadline=None)
def test_classes_equal_the_oracle(rows):
    coded, found, _ = markers_as_missing(coded_cells({"a": [a for a, _ in rows], "b": [b for _, b in rows]}))
    plain = Counter(tuple(None if cell in ("*", "na") else cell for cell in row) for row in rows)
    assert sorted(coded.weights.tolist()) == sorted(plain.values())
    for i, name in enumerate("ab"):
        n = sum(row[i] in ("*", "na") for row in rows)
        assert (found[name].n_records if name in found else 0) == n


def test_the_hospital_table_is_seen_as_its_makers_left_it():
    file = third_party("pycanon_kanon", "data", "processed", "hospital_anonymized.csv")
    with file.open(encoding="utf-8", newline="") as text:
        records = list(csv.DictReader(text))
    columns = ("name", "age", "gender", "city", "religion")
    coded, found, _ = markers_as_missing(coded_cells({c: [r[c] for r in records] for c in columns}))
    assert {"name", "religion"} <= {name for name, one in found.items() if one.n_records == len(records)}
    assert found["age"].generalised == "interval"
    assert ClassSizes.of(coded.weights, n_rows=len(records)).k_min == 2


def test_adult_with_k_10():
    file = third_party("anjana", "data", "adult_k10.csv")
    with file.open(encoding="utf-8", newline="") as text:
        records = list(csv.DictReader(text))
    columns = ("age", "education", "marital-status", "occupation", "sex", "native-country", "race")
    coded, found, _ = markers_as_missing(coded_cells({c: [r[c] for r in records] for c in columns}))
    assert found["race"].n_records == len(records)
    assert ClassSizes.of(coded.weights, n_rows=len(records)).k_min == 10


@given(st.lists(st.tuples(*[st.sampled_from(["u", "v", "*", None])] * 3), min_size=1, max_size=20))
@settings(max_examples=50, deadline=None)
def test_records_whose_quasi_identifiers_are_all_suppressed_are_not_counted(rows):
    """The third column is not a quasi-identifier: what it contains does not matter."""
    columns = {name: [row[i] for row in rows] for i, name in enumerate("abc")}
    coded, _, n_suppressed = markers_as_missing(coded_cells(columns), quasi=("a", "b"))
    others = [row for row in rows if row[:2] != ("*", "*")] or rows
    assert n_suppressed == len(rows) - len(others) and coded.n_rows == len(others)
    plain = Counter(tuple(None if cell == "*" else cell for cell in row) for row in others)
    assert sorted(coded.weights.tolist()) == sorted(plain.values())


def test_a_record_with_a_cell_that_is_missing_but_not_suppressed_counts():
    columns = {"a": ["*", "*", "x"], "b": [None, "*", "y"]}
    coded, _, n_suppressed = markers_as_missing(coded_cells(columns), quasi=("a", "b"))
    assert (coded.n_rows, n_suppressed) == (2, 1)
