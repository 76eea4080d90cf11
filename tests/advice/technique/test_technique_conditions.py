"""Conditions keep and suppress the records that pandas chooses, and nothing but the grammar is accepted."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.advice.technique import Context, technique
from privaudit.advice.technique.condition import holds, is_condition, parse
from privaudit.base.errors import ConfigError

AGES = [25, 29, 30, 41, 52]


def context(least=0):
    return Context(random=np.random.default_rng(0), least_suppressed=least)


def texts(**columns):
    made = {n: pa.array([None if v is None else str(v) for v in c], pa.string()) for n, c in columns.items()}
    return pa.table(made)


def apply(name, table, used=None, **parameters):
    found = technique(name)
    return found.apply(table, {**found.check(parameters, "here"), "columns": ()}, used or context())


def test_people_under_thirty_are_suppressed_or_the_others_kept():
    table = texts(age=AGES)
    assert apply("keep_records", table, where="age >= 30")["age"].to_pylist() == ["30", "41", "52"]
    assert apply("suppress_records", table, where="age < 30")["age"].to_pylist() == ["30", "41", "52"]


OPERATORS = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


@settings(max_examples=60, deadline=None)
@given(
    cells=st.lists(st.one_of(st.none(), st.integers(-20, 20), st.decimals(-20, 20, places=2)), min_size=1, max_size=40),
    operator=st.sampled_from(sorted(OPERATORS)),
    limit=st.integers(-20, 20),
)
def test_numbers_are_compared_as_pandas_compares_them(cells, operator, limit):
    table = texts(a=cells)
    expected = getattr(pd.to_numeric(pd.Series(cells, dtype=object)).astype(float), OPERATORS[operator])(limit)
    expected &= pd.Series([cell is not None for cell in cells])
    assert holds(parse(f"a {operator} {limit}"), table).to_pylist() == expected.tolist()


CONDITIONS = (
    "a = 3", "a != 3", "a in [1, 2]", "a not in [1, 2]", "a is missing", "a is not missing", 'a = "3"',
    'a in ["1", "x"]',
)  # fmt: skip


@pytest.mark.quick_cases(4)
@pytest.mark.parametrize("condition", CONDITIONS)
@settings(max_examples=30, deadline=None)
@given(cells=st.lists(st.one_of(st.none(), st.integers(0, 4)), min_size=1, max_size=20))
def test_keeping_and_suppressing_by_one_condition_part_the_table(condition, cells):
    table = texts(a=cells, row=range(len(cells)))
    kept, left = (
        apply(name, table, where=condition)["row"].to_pylist() for name in ("keep_records", "suppress_records")
    )
    assert sorted(kept + left, key=int) == table["row"].to_pylist()


def test_dates_are_compared_in_any_form_of_the_column():
    table = texts(
        seen=["2020-01-30", "2020-01-31", "2020-02-01", None], paid=["30/01/2020", "31/01/2020", "1/2/2020", None]
    )
    for column in ("seen", "paid"):
        assert holds(parse(f"{column} >= 2020-01-31"), table).to_pylist() == [False, True, True, False]


def test_names_with_symbols_of_the_grammar_are_quoted():
    found = parse('"a >= \\"b\\"" in ["x, y", "z"]')
    assert (found.column, found.operator, found.operand) == ('a >= "b"', "in", ("x, y", "z"))


REFUSED = {
    "a column, a comparison and a value": ["age", "__import__('os')", "", "age is 3"],
    "compares with a number, a date such as": ["age >=", "age >= x", "age >= 30 and sex = 1"],
    '"in" needs a list': ["age > [1]", "age in 3"],
    "Texts have no order": ['age < "x"'],
    "numbers or with texts, not with both": ['age in [1, "x"]'],
    "list of values is empty": ["age in []", "age not in [ ]"],
    "finite numbers and with texts only": ["age = true", "age > NaN", "age in [1, null]", "age in [true]"],
    'Nothing follows "is missing"': ["age is missing 3"],
}


@pytest.mark.parametrize(("reason", "text"), [(reason, text) for reason, texts in REFUSED.items() for text in texts])
def test_anything_else_is_refused(reason, text):
    assert not is_condition(text)
    with pytest.raises(ConfigError, match=reason):
        parse(text)


def test_a_condition_on_numbers_refuses_a_column_of_words():
    with pytest.raises(ConfigError, match="does not hold numbers"):
        apply("keep_records", texts(a=["x", "y"]), where="a > 3")


@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.one_of(st.none(), st.integers(0, 3)), st.one_of(st.none(), st.integers(0, 3))),
        min_size=1,
        max_size=30,
    ),
    some=st.booleans(),
)
def test_incomplete_records_are_those_that_pandas_drops(rows, some):
    frame = pd.DataFrame(rows, columns=["a", "b"]).astype(object)
    frame["row"] = range(len(frame))
    used = context()
    table = texts(a=[a for a, _ in rows], b=[b for _, b in rows], row=range(len(rows)))
    made = apply("suppress_incomplete", table, used, **({"missing_in": ["b"]} if some else {}))
    left = frame.dropna(subset=["b"] if some else None)
    assert made["row"].to_pylist() == left["row"].astype(str).tolist()
    *missing, removed = (fact.values["records"].n for fact in used.facts)
    assert removed == len(frame) - len(left)
    counts = frame[["b"] if some else ["a", "b"]].isna().sum()
    assert missing == counts[counts > 0].tolist()


def test_a_public_remedy_never_removes_one_to_ten_records():
    table = texts(age=[20, 21, *range(30, 80)])
    used = context(least=11)
    made = apply("keep_records", table, used, where="age >= 30")
    assert made.num_rows == table.num_rows - 11
    assert not {"20", "21"} & set(made["age"].to_pylist()) and used.notes[0]["added"] == 9
    assert apply("keep_records", table, context(least=11), where="age >= 10").num_rows == table.num_rows


def test_a_step_suppresses_by_class_or_by_condition():
    found = technique("suppress_records")
    for wrong in (
        {},
        {"where": "a = 1", "classes_over": ["a"], "below": 2},
        {"classes_over": ["a"]},
        {"where": "a = 1", "below": 2},
    ):
        with pytest.raises(ConfigError, match="needs"):
            found.check(wrong, "Step 1")
