"""Declared domains: what is required, what codes mean, and that nothing is learned from the table."""

from __future__ import annotations

import datetime
import math

import numpy as np
import pyarrow as pa
import pytest

from privaudit.advice.technique.invented_values import emails_of, faker, unique_names
from privaudit.base.errors import ConfigError, MissingBounds, TooManyCells
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.domain_file import parse_domain
from privaudit.releases.synthetic.skeleton import read_codebook, skeleton
from privaudit.releases.synthetic.writing import written

KINDS = {
    "sex": {"kind": "category", "values": ["F", "M"]},
    "age": {"kind": "number", "bounds": [18, 95], "step": 1, "bands": 10},
    "weight": {"kind": "number", "bounds": [30, 200], "step": 0.1, "bands": [50, 70, 100]},
    "seen": {"kind": "date", "bounds": ["2024-01-15", "2024-06-30"], "bands": "month"},
    "born": {"kind": "date", "bounds": ["1930-01-01", "2010-12-31"], "bands": "year", "format": "%d/%m/%Y"},
    "zip": {"kind": "code", "prefixes": ["02", "1"], "length": 5},
}


def domain(**columns: dict) -> Domain:
    return parse_domain({"version": 1, "column": columns}, "domain.toml")


@pytest.mark.parametrize("missing", ["kind", "values", "bounds", "step", "bands", "prefixes"])
@pytest.mark.parametrize("name", sorted(KINDS))
def test_bounds_bands_and_categories_must_be_declared(name: str, missing: str) -> None:
    if missing not in KINDS[name]:
        return
    stated = {key: value for key, value in KINDS[name].items() if key != missing}
    with pytest.raises(MissingBounds, match=f'"{name}" .* must (state|list) "{missing}"'):
        domain(**{name: stated})


@pytest.mark.parametrize(
    ("reason", "stated"),
    [
        ("lists a value twice", {"kind": "category", "values": ["a", "a"]}),
        ('Unknown key "colour".*known are: .*kind, values', {"kind": "category", "values": ["a"], "colour": "red"}),
        ("the lower one first", {"kind": "number", "bounds": [5, 1], "step": 1, "bands": 1}),
        ("two numbers", {"kind": "number", "bounds": [True, 4], "step": 1, "bands": 1}),
        ("two numbers", {"kind": "number", "bounds": [0, math.inf], "step": 1, "bands": [10]}),
        ('must state "bands"', {"kind": "number", "bounds": [0, 4], "step": 1, "bands": math.inf}),
        *(
            ("divide its bounds and bands", {"kind": "number", "bounds": [0, 1], "bands": 0.01, "step": step})
            for step in (0, 0.3, 1)
        ),
        ('step" .* must be a number', {"kind": "number", "bounds": [0, 1], "step": True}),
        ("too many steps", {"kind": "number", "bounds": [0, 1e12], "step": 1e-3}),
        ("must be texts or numbers", {"kind": "category", "values": [["a"]]}),
        ("written as 2026-11-26", {"kind": "date", "bounds": ["2024-13-01", "2024-12-31"], "bands": "month"}),
        ("two dates", {"kind": "date", "bounds": [datetime.date(2024, 6, 1), "2024-02-01"], "bands": "month"}),
        ("begins with another one", {"kind": "code", "prefixes": ["1", "12"]}),
        ("must be one of: category", {"kind": "something"}),
    ],
)
def test_a_wrong_declaration_is_refused(reason: str, stated: dict) -> None:
    with pytest.raises(ConfigError, match=reason):
        domain(x=stated)


def test_too_many_bands_are_refused() -> None:
    with pytest.raises(TooManyCells, match="has more than 10,000 values"):
        domain(x={"kind": "number", "bounds": [0, 10_000_000], "step": 1, "bands": 1})


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_written_value_has_the_code_that_it_was_written_for(name: str) -> None:
    column = domain(**{name: KINDS[name]}).columns[0]
    codes = np.repeat(np.arange(column.size), 200)
    values = column.decode(codes, np.random.default_rng(0))
    texts = pa.chunked_array([[None if value is None else str(value) for value in values.to_pylist()]])
    np.testing.assert_array_equal(column.encode(texts), codes)
    assert len(column.labels()) == column.n_values


def test_numbers_are_clipped_and_undeclared_values_are_missing() -> None:
    made = domain(age=KINDS["age"], sex=KINDS["sex"])
    table = pa.table({"age": ["7", "18", "200", "abc", None, "nan"], "sex": ["F", "M", "X", None, "F", " M "]})
    coded, rows = made.encode(table)
    age, sex = made.columns
    assert coded.codes[0].tolist() == [0, 0, age.n_values - 1, age.n_values, age.n_values, age.n_values]
    assert coded.codes[1].tolist() == [0, 1, sex.n_values, sex.n_values, 0, 1]
    assert len(rows) == 6


def test_numbers_among_the_categories_are_compared_as_numbers_and_others_count_as_the_declared_text() -> None:
    stated = {"kind": "category", "values": [0, 1.5], "other": "more", "missing": False}
    (column,) = domain(x=stated).columns
    assert column.labels() == ["0", "1.5", "more"]
    assert column.encode(pa.chunked_array([["0.0", "1.50", "7", "a", None]])).tolist() == [0, 1, 2, 2, -1]


def test_edges_of_decimal_bands_are_exact() -> None:
    """0.1 added three times exceeds 0.3 in floating-point numbers."""
    (column,) = domain(x={"kind": "number", "bounds": [0, 1], "step": 0.1, "bands": 0.1}).columns
    texts = [f"{i / 10:.1f}" for i in range(11)]
    assert column.labels() == texts and column.encode(pa.chunked_array([texts])).tolist() == [*range(11)]


def test_records_without_a_code_are_omitted_where_missing_is_not_a_category() -> None:
    made = domain(sex={**KINDS["sex"], "missing": False})
    coded, rows = made.encode(pa.table({"sex": ["F", "X", None, "M"]}))
    assert rows.tolist() == [0, 3]
    assert coded.codes[0].tolist() == [0, 1]


def test_values_stay_inside_bounds_and_keep_their_form() -> None:
    made = domain(**KINDS)
    random = np.random.default_rng(1)
    from privaudit.releases.synthetic.engine.margins import CodedTable

    def draw(n: int) -> CodedTable:
        return CodedTable(np.array([random.integers(size, size=n) for size in made.sizes]), made.sizes)

    table = written(made, draw, 2_000, random).table
    ages = [each for each in table["age"].to_pylist() if each is not None]
    assert (min(ages), max(ages)) == (18, 95)
    weights = [each for each in table["weight"].to_pylist() if each is not None]
    assert min(weights) >= 30
    assert max(weights) <= 200
    assert all(round(each, 1) == each for each in weights)
    days = [each for each in table["seen"].to_pylist() if each is not None]
    assert datetime.date(2024, 1, 15) <= min(days) <= max(days) <= datetime.date(2024, 6, 30)
    assert all(len(each) == 10 and each[2] == "/" for each in table["born"].to_pylist() if each)
    assert all(len(each) == 5 and each.startswith(("02", "1")) for each in table["zip"].to_pylist() if each)


def test_constraints_hold_and_rejected_records_are_counted() -> None:
    stated = {
        "version": 1,
        "column": {"a": {"kind": "number", "bounds": [0, 9], "step": 1, "bands": 1, "missing": False},
                   "b": {"kind": "number", "bounds": [0, 9], "step": 1, "bands": 1, "missing": False}},
        "constraints": ["b >= a"],
    }  # fmt: skip
    made = parse_domain(stated, "domain.toml")
    random = np.random.default_rng(2)
    from privaudit.releases.synthetic.engine.margins import CodedTable

    found = written(made, lambda n: CodedTable(random.integers(made.sizes[0], size=(2, n)), made.sizes), 1_000, random)
    assert found.table.num_rows == found.codes.n_rows == 1_000
    assert all(b >= a for a, b in zip(*(found.table[name].to_pylist() for name in "ab"), strict=True))
    assert found.rejected[0] == found.n_drawn - 1_000 > 0


def test_a_constraint_that_nothing_satisfies_ends() -> None:
    stated = {
        "version": 1,
        "column": {"a": {"kind": "number", "bounds": [5, 9], "step": 1, "bands": 1, "missing": False},
                   "b": {"kind": "number", "bounds": [0, 4], "step": 1, "bands": 1, "missing": False}},
        "constraints": ["b > a"],
    }  # fmt: skip
    made = parse_domain(stated, "domain.toml")
    random = np.random.default_rng(2)
    from privaudit.releases.synthetic.engine.margins import CodedTable

    found = written(made, lambda n: CodedTable(random.integers(5, size=(2, n)), made.sizes), 100, random)
    assert found.table.num_rows == 0
    assert found.rejected[0] == found.n_drawn


def test_a_derived_column_follows_its_mapping_and_needs_all_values() -> None:
    city = {"kind": "category", "values": ["A", "B"]}
    county = {"kind": "derived", "from": "city", "values": {"A": "North"}}
    with pytest.raises(MissingBounds, match='lacks 1 of 2 values of "city"'):
        domain(city=city, county=county)
    county["values"]["B"] = "South"  # type: ignore[index]
    made = domain(city=city, county=county)
    from privaudit.releases.synthetic.engine.margins import CodedTable

    table = written(made, lambda n: CodedTable(np.arange(n)[None] % 3, made.sizes), 30, np.random.default_rng(0)).table
    pairs = set(zip(table["city"].to_pylist(), table["county"].to_pylist(), strict=True))
    assert pairs == {("A", "North"), ("B", "South"), (None, None)}


def test_invented_names_are_unique_and_addresses_follow_them() -> None:
    names = unique_names(faker("en_GB", 3), ["F", "M", None] * 300)
    assert len(set(names)) == 900
    emails = emails_of([*names, "Ann Lee", "Ann Lee"])
    assert len(set(emails)) == 902
    assert all(email.split("@")[1].startswith("example.") for email in emails)
    assert all(email.startswith(name.split()[0].lower()) for name, email in zip(names, emails, strict=False))


def test_a_skeleton_has_no_bounds_and_is_refused_until_they_are_filled_in(tmp_path) -> None:
    import tomllib

    text = skeleton(["name", "age", "date_of_birth", "sex"], "people.csv")
    with pytest.raises(MissingBounds, match='must state "bounds"'):
        parse_domain(tomllib.loads(text), "d")
    book = tmp_path / "book.csv"
    book.write_text("variable,value,min,max\nsex,F;M,,\nage,,18,95\ndate_of_birth,,1930-01-01,2010-12-31\n")
    assert set(read_codebook(book)) == {"sex", "age", "date_of_birth"}
    steps = tmp_path / "sex.csv"
    steps.write_text("Female;*\nMale;*\n")
    filled = skeleton(
        ["name", "age", "date_of_birth", "sex"], "people.csv", codebook=str(book), hierarchies={"sex": str(steps)}
    )
    found = parse_domain(tomllib.loads(filled), "d")
    assert {column.name: column.n_values for column in found.columns}["sex"] == 2
    assert [each.name for each in found.invented] == ["name"]


@pytest.mark.parametrize(
    ("kind", "bands", "bounds", "what"),
    [("date", '"year"', "[2003, 2009]", "two dates"), ("number", "5", '["18", "95"]', "two numbers")],
)
def test_bounds_of_another_type_are_refused_with_an_example(kind: str, bands: str, bounds: str, what: str) -> None:
    import tomllib

    step = "step = 1\n" if kind == "number" else ""
    text = f'version = 1\n[column.a]\nkind = "{kind}"\nbands = {bands}\nbounds = {bounds}\n{step}'
    with pytest.raises(ConfigError, match=what) as refused:
        parse_domain(tomllib.loads(text), "d")
    example = str(refused.value.hint).removeprefix("for example ")
    parse_domain(tomllib.loads(text.replace(f"bounds = {bounds}", example)), "d")
