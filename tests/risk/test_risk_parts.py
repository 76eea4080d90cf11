"""A table that is counted in parts has the numbers of the table in memory, or none with a limit."""

import tempfile
from dataclasses import fields, replace
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.model import Verdict
from privaudit.model.stats import exact
from privaudit.risk import assess
from privaudit.risk.assessment import class_by_class
from privaudit.risk.codes import coded_rows
from privaudit.risk.search import parts
from privaudit.settings.config import Settings
from privaudit.source import Dataset, from_arrow
from privaudit.source.engine import spool
from privaudit.source.engine.bounded_values import Totals
from privaudit.source.engine.queries import about_distinct
from tests.helpers.engine_tables import TABLES
from tests.helpers.tables import column_report as report

CELLS = ("a", "b", "c", "d", "e", "*", "", " ", None, "1", "2", "Ä")
ABSENT_IN_PARTS = {"special_uniques", "marginal", "weighted"}


def assessed(dataset, options, most=None, role=report, block=3):
    columns = tuple(role(name) for name in dataset.columns)
    if most is None:
        return assess(dataset, columns, options, thresholds=(3,))
    with patch.object(parts, "most_rows", lambda *_: most), patch.object(coded_rows, "BLOCK", block):
        return assess(dataset, columns, options, thresholds=(3,))


@st.composite
def tables(draw):
    n_rows, n_columns = draw(st.integers(2, 30)), draw(st.integers(2, 5))
    columns = [
        draw(st.lists(st.sampled_from(CELLS[: draw(st.integers(1, len(CELLS)))]), min_size=n_rows, max_size=n_rows))
        for _ in range(n_columns)
    ]
    if draw(st.booleans()):
        columns[draw(st.integers(0, n_columns - 1))] = [f"key {i}" for i in range(n_rows)]
    for i in range(n_rows):  # a record whose quasi-identifiers are all suppressed is a class in parts only
        if sum(column[i] == "*" for column in columns) >= n_columns - 1:
            columns[0][i] = columns[1][i] = "a"
    return pa.table([pa.array(column, pa.string()) for column in columns], names=[f"q{i}" for i in range(n_columns)])


def on_engine(table):
    held = spool.spool(table.schema, table.to_batches(max_chunksize=4), Settings())
    return Dataset(held, columns=table.column_names, name="t", format="parquet", on_close=held.close)


def same(found, expected):
    """Every number of the assessment in parts is that of the assessment at once, or absent."""
    for each in fields(expected.risk):
        value = getattr(found.risk, each.name)
        assert value == getattr(expected.risk, each.name) or (each.name in ABSENT_IN_PARTS and not value), each.name
    assert {c.columns: c for c in found.combinations} == {c.columns: c for c in expected.combinations}
    about_columns = ("risk.constant_columns", "risk.unique_columns", "risk.suppressed_cells")
    left, right = ([one for one in each.limits if one.code in about_columns] for each in (found, expected))
    assert left == right, "limits about columns"


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(1, 6), st.integers(1, 5))
def test_parts_count_what_the_table_in_memory_counts(table, most, max_size):
    options = Settings(max_size=max_size)
    with from_arrow(table) as dataset:
        expected, found = assessed(dataset, options), assessed(dataset, options, most)
    same(found, expected)
    in_parts = any(one.code == "risk.not_measured_in_parts" for one in found.limits)
    assert in_parts or found.risk == expected.risk


@settings(max_examples=12, deadline=None)
@given(tables(), st.integers(1, 4))
def test_parts_of_a_table_on_the_engine_count_what_the_table_in_memory_counts(table, most):
    pytest.importorskip("duckdb")
    for role in (report, lambda name: report(name, "sensitive" if name == "q1" else "quasi")):
        with from_arrow(table) as dataset:
            expected = assessed(dataset, Settings(), role=role)
        with on_engine(table) as dataset:
            same(assessed(dataset, Settings(), most, role=role), expected)


@settings(max_examples=150, deadline=None)
@given(tables(), st.integers(1, 6), st.sampled_from(["text", "integer"]))
def test_the_diversity_in_parts_is_that_of_all_rows_at_once(table, most, data_type):
    def role(name):
        column = report(name, "sensitive" if name == "q0" else "quasi")
        return replace(column, data_type=data_type)

    with from_arrow(table) as dataset:
        expected, found = (assessed(dataset, Settings(), most, role=role) for most in (None, most))
    assert found.risk is None or found.risk.diversity == expected.risk.diversity
    about = {"risk.t_closeness_unordered", "risk.recursive_diversity_void", "risk.delta_disclosure_unbounded"}
    left, right = ([one for one in each.limits if one.code in about] for each in (found, expected))
    assert left == right
    assert not any(one.code == "risk.diversity_not_in_parts" for one in found.limits)


@pytest.mark.parametrize("values", [5, 30])
def test_diverse_classes_in_parts_have_the_recursive_diversity_of_all_rows_at_once(values):
    """Classes with more than twenty values are measured again once their fewest number is known."""
    rng = np.random.default_rng(1)
    columns = {
        "q0": [str(one) for one in rng.integers(0, values, 9000)],
        "q1": [str(i % 7) for i in range(9000)],
        "q2": [str(i % 3) for i in range(9000)],
    }
    table = pa.table({name: pa.array(column, pa.string()) for name, column in columns.items()})

    def role(name):
        return report(name, "sensitive" if name == "q0" else "quasi")

    with from_arrow(table.slice(0, 8000)) as dataset:
        expected, found = (assessed(dataset, Settings(), most, role=role, block=500) for most in (None, 10))
    assert expected.risk.diversity["q0"].l_distinct > min(values - 1, 20)
    assert found.risk.diversity == expected.risk.diversity and found.coded is None


def distinct_rows(n=500):
    rng = np.random.default_rng(5)
    columns = [rng.integers(0, width, n).astype(str) for width in (2, 9, 40, 200)]
    return pa.table([pa.array(column) for column in columns], names=["q0", "q1", "q2", "q3"])


def test_codes_in_a_private_file_change_no_number(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(parts, "BYTES_PER_CELL", 1e-9)
    with from_arrow(distinct_rows()) as dataset:
        same(assessed(dataset, Settings(), 100, block=64), assessed(dataset, Settings()))
    assert not list(tmp_path.iterdir())


def test_without_space_for_the_private_file_the_error_states_what_to_do(monkeypatch):
    monkeypatch.setattr(parts, "BYTES_PER_CELL", 1e-9)
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    with from_arrow(distinct_rows()) as dataset, pytest.raises(coded_rows.EngineError, match="private file"):
        assessed(dataset, Settings(), 100)


def test_sets_that_the_time_does_not_allow_are_absent_and_named_in_a_limit():
    with from_arrow(distinct_rows()) as dataset:
        expected, found = assessed(dataset, Settings()), assessed(dataset, Settings(budget=1e-9), 100)
    assert found.risk.k_min == expected.risk.k_min and found.risk.n_unique == expected.risk.n_unique
    known = {c.columns: c for c in expected.combinations}
    assert [c.columns for c in found.combinations] == [("q0", "q1", "q2", "q3")]
    assert all(known[c.columns].n_unique == c.n_unique for c in found.combinations)
    (limit,) = [one for one in found.limits if one.code == "risk.combinations_out_of_time"]
    assert not limit.incomplete and limit.values["sets"].value == 14


def test_what_needs_all_rows_at_once_is_an_incomplete_limit_where_it_was_requested():
    def role(name):
        return report(name, {"q1": "sensitive", "person": "insensitive"}.get(name, "quasi"))

    table = distinct_rows().append_column("person", pa.array([str(i // 2) for i in range(500)]))
    with from_arrow(table) as dataset:
        found = assessed(dataset, Settings(weight="q0", subject="person"), 100, role=role)
    codes = {one.code for one in found.limits if one.incomplete}
    assert codes == {"risk.diversity_not_in_parts", "risk.requested_not_in_parts", "risk.people_not_in_parts"}
    assert found.risk.diversity == {} and found.risk.weighted is None and found.coded is None


def test_the_diversity_of_free_text_is_a_limit_and_leaves_the_report_complete():
    """Distinct cells protect nobody, so no check waits for the number."""

    def role(name):
        return replace(report(name, "sensitive"), is_=FREE_TEXT) if name == "q1" else report(name)

    with from_arrow(distinct_rows()) as dataset, patch.object(class_by_class, "measurable", lambda *_: []):
        found = assessed(dataset, Settings(), 100, role=role)
    (stated,) = [one for one in found.limits if one.code == "risk.diversity_not_in_parts"]
    assert not stated.incomplete
    assert not any(one.incomplete for one in found.limits)


def values_in_part(dataset, name):
    """Make a column one of which only a part of the values was read."""
    known = dataset.frequencies(name)
    totals = Totals(
        n_present=known.n_present, n_distinct=known.n_distinct, n_held_once=known.n_held_once, weighted_logs=0.0,
        scale=2, n_effective=1, sought=pa.array([], pa.string()), sought_rows=np.zeros(0, np.int64), n_common_forms=0,
    )  # fmt: skip
    dataset._cache[name] = replace(known, totals=totals)


FREE_TEXT = Verdict(entity="FREE_TEXT", confidence=0.9, share=exact(1.0, 500))


def test_free_text_that_does_not_fit_with_the_quasi_identifiers_changes_no_other_number():
    def role(name):
        return replace(report(name, "sensitive"), is_=FREE_TEXT) if name == "q3" else report(name)

    table = distinct_rows()
    with from_arrow(table) as dataset:
        values_in_part(dataset, "q3")
        found = assessed(dataset, Settings(), 400, role=role)
    with from_arrow(table.drop_columns("q3")) as dataset:
        expected = assessed(dataset, Settings())
    (stated,) = [one for one in found.limits if one.code == "risk.free_text_beyond_memory"]
    assert not stated.incomplete
    assert [one for one in found.limits if one != stated] == list(expected.limits)
    assert found.risk == replace(expected.risk, sensitive=found.risk.sensitive)
    assert (found.combinations, found.coded.n_distinct) == (expected.combinations, expected.coded.n_distinct)
    assert found.everything.names == found.coded.names


def test_a_sensitive_attribute_that_does_not_fit_with_the_quasi_identifiers_is_measured_in_parts():
    def role(name):
        return report(name, "sensitive" if name == "q3" else "quasi")

    with from_arrow(distinct_rows()) as dataset:
        expected, found = (assessed(dataset, Settings(), most, role=role) for most in (None, 400))
        assert found.coded is None
        same(found, expected)
        values_in_part(dataset, "q3")
        found = assessed(dataset, Settings(), 400, role=role)
    assert found.risk.diversity == {}
    assert [one.code for one in found.limits if one.incomplete] == ["risk.diversity_not_in_parts"]


def test_the_risk_of_quasi_identifiers_that_do_not_fit_and_cannot_be_coded_is_a_limit():
    with from_arrow(distinct_rows()) as dataset:
        values_in_part(dataset, "q3")
        found = assessed(dataset, Settings(), 100)
    assert (found.risk, found.combinations, found.coded) == (None, (), None)
    (stated,) = found.limits
    assert (stated.code, stated.incomplete) == ("risk.quasi_identifiers_beyond_memory", True)
    assert stated.values["columns"].names == ("q3",)


def test_people_are_not_counted_in_parts_and_a_limit_states_it():
    """A record count is not a person count: k of the records is exact, and the scan is incomplete."""

    def role(name):
        return report(name, "insensitive" if name == "person" else "quasi")

    table = distinct_rows().append_column("person", pa.array([str(i // 2) for i in range(500)]))
    with from_arrow(table) as dataset:
        expected = assessed(dataset, Settings(), role=role)
        found = assessed(dataset, Settings(subject="person"), 100, role=role)
    assert (found.risk.unit, found.risk.n_people, found.risk.subject) == ("record", None, None)
    assert (found.risk.k_min, found.risk.class_sizes) == (expected.risk.k_min, expected.risk.class_sizes)
    assert [one.code for one in found.limits if one.incomplete] == ["risk.people_not_in_parts"]


def test_one_quasi_identifier_and_a_data_subject_column_are_counted_in_parts():
    table = pa.table({"q": [str(i % 7) for i in range(60)], "person": [str(i) for i in range(60)]})
    with from_arrow(table) as dataset:
        roles = {"q": "quasi", "person": "insensitive"}
        found = assessed(dataset, Settings(subject="person"), 20, role=lambda name: report(name, roles[name]))
    assert (found.risk.unit, found.risk.k_min, found.coded) == ("record", 8, None)


@pytest.mark.parametrize("n", [1_000, 400_000])
def test_the_estimate_of_distinct_rows_is_near(n):
    rng = np.random.default_rng(1)
    codes = [rng.integers(0, 700, n), rng.integers(0, 300, n)]
    exact = len(np.unique(codes[0] * 300 + codes[1]))
    blocks = [[code[i::4] for code in codes] for i in range(4)]
    assert about_distinct(blocks, (700, 300), n) == pytest.approx(exact, rel=0.03)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", ["hard_cells", "odd_names"])
def test_parts_of_typed_columns_count_what_the_table_in_memory_counts(name):
    """Dates, numbers beyond 2^53, -0.0, bytes and Unicode: cells with equal text are in the same class."""
    pytest.importorskip("duckdb")
    table = TABLES[name]()
    with from_arrow(table) as dataset:
        expected = assessed(dataset, Settings(max_size=2))
    with on_engine(table) as dataset:
        found = assessed(dataset, Settings(max_size=2), 2)
    assert found.coded is None
    same(found, expected)
