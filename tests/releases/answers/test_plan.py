"""A plan states everything or is refused with the code of what is missing; the skeleton knows column names only."""

from __future__ import annotations

import tomllib

import pytest

from privaudit.base.errors import ConfigError, MissingBounds, ReleaseError, TooManyCells
from privaudit.releases.answers.plan_file import example, parse_plan, read_plan
from privaudit.releases.answers.rows import cells_of

AGE = {"age": {"kind": "number", "bounds": [0, 110], "step": 1, "bands": 10}}
SEX = {"kind": "category", "values": ["F", "M"]}


def plan(*queries: dict, **columns: dict):
    return parse_plan(
        {"dataset": "people", "column": columns, "query": [{"epsilon": 0.1} | query for query in queries]}
    )


@pytest.mark.parametrize("kind", ["mean", "sum", "variance", "quantile"])
def test_a_number_without_bounds_is_refused(kind: str) -> None:
    number = {"kind": "number", "step": 1}
    for columns in ({}, {"age": {}}, {"age": number}, {"age": number | {"bounds": []}}, {"age": SEX}):
        with pytest.raises(MissingBounds) as caught:
            plan({"kind": kind, "column": "age"}, **columns)
        assert caught.value.code == "E223" and "never read from the data" in caught.value.line()


@pytest.mark.parametrize("kind", ["histogram", "margin"])
def test_a_table_of_counts_without_categories_or_bands_is_refused(kind: str) -> None:
    number = {"kind": "number", "bounds": [0, 1], "step": 1}
    for columns in ({}, {"sex": {"kind": "category", "values": []}}, {"sex": number}):
        with pytest.raises(MissingBounds, match="never read from the data"):
            plan({"kind": kind, "columns": ["sex"]}, **columns)


@pytest.mark.parametrize(
    ("reason", "query"),
    [
        ('must state "kind"', {}), ("must be one of: classifier", {"kind": "median"}),
        ("state its epsilon, above 0", {"kind": "count", "epsilon": 0}),
        *(('"epsilon" .* must be a number', {"kind": "count", "epsilon": wrong}) for wrong in ("1", True)),
        ("names 0 to 0", {"kind": "count", "column": "age"}), ("names 1 to 1", {"kind": "mean"}),
        ("names 1 to 1", {"kind": "mean", "columns": ["age", "age"]}),
        ("between 0 and 1", {"kind": "quantile", "column": "age", "quantile": 1}),
        ("a declared category", {"kind": "count", "where": {"age": 3}}),
        ("names the target", {"kind": "mean", "column": "age", "target": "sex"}),
        ("names the target", {"kind": "classifier", "columns": ["age"]}),
        ("state how many", {"kind": "clusters", "columns": ["age"]}),
        ("whole number from 1 to 100", {"kind": "clusters", "columns": ["age"], "clusters": 0}),
        ("state how many", {"kind": "mean", "column": "age", "clusters": 2}),
        ("must be one of: laplace", {"kind": "count", "noise": "uniform"}),
        ('key "seed"', {"kind": "count", "seed": 1}),
    ],
)  # fmt: skip
def test_an_impossible_query_is_refused(reason: str, query: dict) -> None:
    with pytest.raises(ReleaseError, match=reason):
        plan(query, **AGE)


def test_row_sets_are_declared_categories() -> None:
    asked = plan({"kind": "count", "where": {"sex": "F"}}, sex=SEX)
    assert asked.queries[0].where == ("sex", "F") and asked.columns == ("sex",)
    with pytest.raises(ReleaseError, match="declared category"):
        plan({"kind": "count", "where": {"sex": "X"}}, sex=SEX)


def test_the_skeleton_holds_names_and_empty_bounds_that_must_be_filled_in(tmp_path) -> None:
    names = ["age", 'the "name"', "größe\\", "new\nline", ""]
    text = example(names, "people.csv")
    assert list(tomllib.loads(text)["column"]) == names
    file = tmp_path / "release.toml"
    file.write_text(text.replace('kind = "count"', 'kind = "mean"\ncolumn = "age"'))
    with pytest.raises(MissingBounds, match='must state "bounds"'):
        read_plan(file)


def test_the_example_of_the_skeleton_is_a_question_once_its_comment_marks_are_removed() -> None:
    commented = [line.removeprefix("# ") for line in example(["age"], "people.csv").splitlines()]
    start = commented.index('kind = "mean"')
    stated = tomllib.loads("\n".join(commented[start - 1 : start + 3]))
    assert stated == {"query": [{"kind": "mean", "column": "age", "epsilon": 0.5}]}


def test_a_margin_has_a_limit_of_cells() -> None:
    wide = {name: {"kind": "category", "values": [*range(200)]} for name in "abcd"}
    domains = [plan({"kind": "histogram", "column": name}, **{name: wide[name]}).domains[name] for name in wide]
    with pytest.raises(TooManyCells, match="1,632,240,801"):
        cells_of(domains)


@pytest.mark.parametrize(
    ("reason", "content"),
    [
        ("this is not TOML", "[[query"),
        ("must state version = 1", "version = 2\n[[query]]\nkind = 'count'\nepsilon = 1"),
        (r"has no \[\[query\]\]", ""),
        ("Query 1 of a.toml must be a table", "query = [1]"),
        (
            'column "age" of a.toml must be a table',
            "[column]\nage = 3\n[[query]]\nkind = 'mean'\ncolumn = 'age'\nepsilon = 1",
        ),
        ('Unknown key "seed".*known are: version, query', "seed = 1\n[[query]]\nkind = 'count'\nepsilon = 1"),
    ],
)
def test_a_file_that_is_not_a_plan_is_refused(tmp_path, reason: str, content: str) -> None:
    (tmp_path / "a.toml").write_text(content)
    with pytest.raises(ConfigError, match=reason):
        read_plan(tmp_path / "a.toml")
    with pytest.raises(ConfigError, match="does not exist"):
        read_plan(tmp_path / "missing.toml")
