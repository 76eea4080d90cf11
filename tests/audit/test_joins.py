"""Tables that share a key: which columns are keys, which joins are found, and what a joined table holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.audit import joins
from privaudit.model import Report
from privaudit.source import Dataset
from privaudit.source.memory.arrow import from_arrow
from tests.report import sample


def column(table: int, name: str, values: list[str], *, is_key: bool) -> joins.KeyColumn:
    return joins.KeyColumn(table=table, column=name, values=pa.array(values), is_key=is_key)


def test_consecutive_numbers_need_the_same_column_name() -> None:
    numbers = [str(i) for i in range(1, 101)]
    keys = column(0, "customer_id", numbers, is_key=True)
    for name, found in (("customer_id", 1), ("quantity", 0)):
        assert len(joins.find_joins([keys, column(1, name, numbers[:40], is_key=False)])) == found
    opaque = [f"k{i * 7919 % 1000}" for i in range(100)]
    keys = column(0, "ref", opaque, is_key=True)
    assert len(joins.find_joins([keys, column(1, "buyer", opaque[:40], is_key=False)])) == 1


def test_a_join_needs_a_key_and_most_values_in_common() -> None:
    opaque = [f"k{i}" for i in range(100)]
    others = [f"x{i}" for i in range(60)]
    keys = column(0, "ref", opaque, is_key=True)
    assert not joins.find_joins([column(0, "ref", opaque, is_key=False), column(1, "ref", opaque, is_key=False)])
    assert not joins.find_joins([keys, column(1, "ref", opaque[:40] + others, is_key=False)])
    assert not joins.find_joins([keys, column(0, "ref2", opaque, is_key=True)])
    assert len(joins.find_joins([keys, column(1, "ref", opaque, is_key=True)])) == 1  # not in both directions


@given(st.lists(st.integers(0, 60), min_size=1, unique=True), st.lists(st.integers(0, 60), min_size=1, unique=True))
def test_the_shared_keys_are_counted_as_by_hand(keys: list[int], rows: list[int]) -> None:
    names = [f"k{i * 7919 % 1009}" for i in range(61)]
    held = column(0, "ref", [names[i] for i in keys], is_key=True)
    found = joins.find_joins([held, column(1, "buyer", [names[i] for i in rows], is_key=False)])
    shared = len(set(keys) & set(rows))
    expected = shared >= joins.LEAST_KEYS and shared >= joins.LEAST_SHARED * len(rows)
    assert [one.n_shared for one in found] == ([shared] if expected else [])


def test_a_pair_of_tables_has_its_best_join_and_the_best_comes_first() -> None:
    opaque = [f"k{i}x" for i in range(90)]
    keys = column(0, "ref", opaque, is_key=True)
    few, many = column(1, "buyer", opaque[:20], is_key=False), column(1, "seller", opaque[:50], is_key=False)
    other = column(2, "agent", opaque[:30], is_key=False)
    same = column(3, "payer", opaque[:30], is_key=False)
    for order in ([keys, few, many, other, same], [same, other, many, few, keys]):
        found = joins.find_joins(order)
        assert [(one.rows.column, one.keys.column, one.n_shared) for one in found] == [
            ("seller", "ref", 50),
            ("agent", "ref", 30),
            ("payer", "ref", 30),
        ]


def test_of_two_tables_with_the_same_keys_the_second_is_extended_by_the_first() -> None:
    opaque = [f"k{i}x" for i in range(30)]
    pair = [column(0, "ref", opaque, is_key=True), column(1, "ref", opaque, is_key=True)]
    assert [(one.rows.table, one.keys.table) for one in joins.find_joins(pair)] == [(0, 1)]
    rows = column(2, "ref", opaque, is_key=False)
    assert {(one.rows.table, one.keys.table) for one in joins.find_joins([*pair, rows])} == {(0, 1), (2, 0), (2, 1)}


def test_a_key_whose_values_are_a_part_of_another_is_joined_in_either_order() -> None:
    opaque = [f"k{i}x" for i in range(30)]
    for whole, part in ((0, 1), (1, 0)):
        pair = [column(whole, "ref", opaque, is_key=True), column(part, "ref", opaque[:12], is_key=True)]
        (found,) = joins.find_joins(pair)
        assert (found.rows.table, found.keys.table, found.n_shared) == (part, whole, 12)


def test_of_two_columns_with_as_many_keys_the_first_is_joined() -> None:
    opaque = [f"k{i}x" for i in range(30)]
    buyer, seller = (column(1, name, opaque, is_key=False) for name in ("buyer", "seller"))
    for order in ([buyer, seller], [seller, buyer]):
        (found,) = joins.find_joins([column(0, "ref", opaque, is_key=True), *order])
        assert found.rows is order[0]


@pytest.mark.parametrize(
    ("values", "dense"),
    [
        (["1", "2", "3", "4"], True),
        (["10", "12", "14", "16"], True),
        (["10", "13", "16", "19"], False),
        (["10", "13"], True),
        (["0001", "0002", "0003"], True),
        (["1", "2", "x"], False),
        (["1", "2", "3.0"], False),
        (["1" * 15, "1" * 14 + "2"], True),
        (["1" * 16, "1" * 15 + "2"], False),
        (["7"], True),
    ],
)
def test_numbers_that_fill_their_range_are_dense(values: list[str], dense: bool) -> None:
    assert joins.is_dense(pa.array(values)) is dense


@contextmanager
def opened(**columns: list[str]) -> Iterator[Dataset]:
    with from_arrow(pa.table(columns)) as dataset:
        yield dataset


def described(dataset: Dataset, kinds: dict[str, tuple[str, int]]) -> Report:
    made = [sample.column(name, kind, distinct=distinct) for name, (kind, distinct) in kinds.items()]
    columns = tuple(dataclasses.replace(one, n_rows=dataset.n_rows, n_missing=0) for one in made)
    return sample.small(columns=columns)


def test_columns_of_enough_values_in_text_or_whole_numbers_may_be_keys() -> None:
    names = [f"k{i}x" for i in range(20)]
    with opened(a=names, b=names[:10] * 2, c=names[:9] * 2 + names[:2], d=names) as dataset:
        kinds = {"a": ("text", 20), "b": ("integer", 10), "c": ("text", 9), "d": ("decimal", 20)}
        report = described(dataset, kinds)
        found = joins.key_columns(3, dataset, joins.possible_keys([report, report])[0])
    assert joins.possible_keys([report]) == [[]]
    assert [(one.table, one.column, one.is_key, len(one.values)) for one in found] == [
        (3, "a", True, 20),
        (3, "b", False, 10),
    ]


drawn_columns = st.lists(
    st.tuples(st.sampled_from([1, 9, 10, 19, 20, 21, 39, 40]), st.integers(1, 60), st.integers(0, 3), st.booleans()),
    min_size=1,
    max_size=3,
)
"""Columns: how many values occur, in how many rows more, how many cells are missing, and whether each occurs once."""


@settings(max_examples=300)
@given(st.lists(drawn_columns, min_size=2, max_size=3))
def test_columns_are_read_where_their_counts_allow_a_join_and_only_there(
    tables: list[list[tuple[int, int, int, bool]]],
) -> None:
    """The values of a column are the first of a list, so that any two have as many in common as two columns can."""
    names = [f"k{i * 7919 % 1009}" for i in range(40)]
    reports, columns = [], []
    for number, drawn in enumerate(tables):
        made = []
        for place, (n_values, n_more, n_missing, is_key) in enumerate(drawn):
            of = sample.column(f"c{place}", "text", distinct=n_values)
            n_rows = n_values + n_missing + (0 if is_key else n_more)
            made.append(dataclasses.replace(of, n_rows=n_rows, n_missing=n_missing))
            if n_values >= joins.LEAST_KEYS:
                columns.append(column(number, f"c{place}", names[:n_values], is_key=is_key))
        reports.append(sample.small(columns=tuple(made)))
    read = {(i, each.name) for i, found in enumerate(joins.possible_keys(reports)) for each in found}
    joinable = {(one.table, one.column) for one in columns if any(joins.find_joins([one, other]) for other in columns)}
    assert read == joinable
    kept = [each for each in columns if (each.table, each.column) in read]
    assert joins.find_joins(kept) == joins.find_joins(columns)


def test_a_key_of_more_values_than_the_bound_is_not_read() -> None:
    def report(n: int) -> Report:
        of = sample.column("ref", "text", distinct=n)
        return sample.small(columns=(dataclasses.replace(of, n_rows=n, n_missing=0),))

    for n, read in ((joins.MOST_KEYS, 1), (joins.MOST_KEYS + 1, 0)):
        assert [len(found) for found in joins.possible_keys([report(n), report(joins.MOST_KEYS)])] == [read, read]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=12))
def test_each_row_is_extended_by_the_row_that_its_key_names(refs: list[int]) -> None:
    people = {"ref": [f"k{i}" for i in range(4)], "age": [str(30 + i) for i in range(4)], "note": list("wxyz")}
    visits = {"who": [f"k{i}" for i in refs], "note": [f"n{i}" for i in range(len(refs))]}
    who, ref = column(1, "who", visits["who"], is_key=False), column(0, "ref", people["ref"], is_key=True)
    join = joins.Join(rows=who, keys=ref, n_shared=4)
    with opened(**visits) as rows, opened(**people) as keys:
        table = joins.joined(join, rows, keys, "people.csv")
    assert table.column_names == ["who", "note", "age", "people.csv.note"]
    expected = [(f"k{i}", f"n{at}", str(30 + i), "wxyz"[i]) for at, i in enumerate(refs) if i < 4]
    assert sorted(tuple(row.values()) for row in table.to_pylist()) == sorted(expected)


def test_a_joined_table_is_worse_where_more_records_are_in_small_classes_or_k_is_smaller() -> None:
    policy = sample.small().policy

    def report(k_min: int, below: int, n: int = 100) -> Report:
        risk = sample.example_risk(k_min=k_min, n_below={str(policy.k): below})
        made = sample.small(risk=risk)
        return dataclasses.replace(made, dataset=dataclasses.replace(made.dataset, n_rows=n))

    none = sample.small(risk=None)
    assert not joins.is_worse(none, none) and not joins.is_worse(none, report(3, 5))
    assert joins.is_worse(report(3, 5), none)
    assert not joins.is_worse(report(3, 5), report(3, 5))
    assert joins.is_worse(report(2, 5), report(3, 5))
    assert joins.is_worse(report(3, 6), report(3, 5))
    assert not joins.is_worse(report(4, 5), report(3, 5))
    assert joins.is_worse(report(3, 5, n=50), report(3, 5))
    assert joins.is_worse(report(3, 1), report(3, 0)) and not joins.is_worse(report(3, 0), report(3, 1))
    assert joins.is_worse(report(3, 1, n=1), report(3, 1, n=2))
