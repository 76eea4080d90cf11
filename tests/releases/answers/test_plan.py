"""A plan states everything or is refused with the code of what is missing; the skeleton knows column names only."""

from __future__ import annotations

import tomllib

import pytest

from privaudit.base.errors import ConfigError, MissingBounds, ReleaseError, TooManyCells
from privaudit.releases.answers.plan_file import example, parse_plan, read_plan
from privaudit.releases.answers.rows import cells_of

AGE = {"age": {"bounds": [0, 110]}}


def plan(*queries: dict, **columns: dict):
    return parse_plan(
        {"dataset": "people", "column": columns, "query": [{"epsilon": 0.1} | query for query in queries]}
    )


@pytest.mark.parametrize("kind", ["mean", "sum", "variance", "quantile"])
def test_a_number_without_bounds_is_refused(kind: str) -> None:
    for columns in ({}, {"age": {}}, {"age": {"bounds": []}}, {"age": {"categories": ["1", "2"]}}):
        with pytest.raises(MissingBounds) as caught:
            plan({"kind": kind, "column": "age"}, **columns)
        assert caught.value.code == "E223" and "never read from the data" in caught.value.line()


@pytest.mark.parametrize("kind", ["histogram", "margin"])
def test_a_table_of_counts_without_categories_or_bands_is_refused(kind: str) -> None:
    for columns in ({}, {"sex": {"categories": []}}, {"sex": {"bounds": [0, 1]}}):
        with pytest.raises(MissingBounds):
            plan({"kind": kind, "columns": ["sex"]}, **columns)


@pytest.mark.parametrize(
    "domain",
    [
        {"bounds": [1]}, {"bounds": [2, 1]}, {"bounds": ["a", "b"]}, {"bounds": [0, float("inf")]},
        {"bounds": [0, 1], "step": 0}, {"bounds": [0, 1], "step": 0.3}, {"bounds": [0, 1], "step": True},
        {"bounds": [0, 10], "bands": [0, 5]}, {"bounds": [0, 10], "bands": [0, 5, 5, 10]},
        {"bounds": [0, 10], "bands": -1},
        {"categories": ["a", "a"]}, {"categories": [[1]]}, {"bounds": [0, 1], "sort": True},
        {"bounds": [0, 1e12], "step": 1e-3},
    ],
)  # fmt: skip
def test_an_impossible_domain_is_refused(domain: dict) -> None:
    with pytest.raises(ReleaseError):
        plan({"kind": "mean" if "bounds" in domain else "histogram", "column": "x"}, x=domain)


@pytest.mark.parametrize(
    "query",
    [
        {}, {"kind": "median"}, {"kind": "count", "epsilon": 0}, {"kind": "count", "epsilon": "1"},
        {"kind": "count", "epsilon": True}, {"kind": "count", "column": "age"}, {"kind": "mean"},
        {"kind": "mean", "columns": ["age", "age"]}, {"kind": "quantile", "column": "age", "quantile": 1},
        {"kind": "count", "where": {"age": 3}}, {"kind": "mean", "column": "age", "target": "sex"},
        {"kind": "classifier", "columns": ["age"]}, {"kind": "clusters", "columns": ["age"]},
        {"kind": "clusters", "columns": ["age"], "clusters": 0}, {"kind": "mean", "column": "age", "clusters": 2},
        {"kind": "count", "noise": "uniform"}, {"kind": "count", "seed": 1},
    ],
)  # fmt: skip
def test_an_impossible_query_is_refused(query: dict) -> None:
    with pytest.raises(ReleaseError):
        plan(query, **AGE)


def test_row_sets_are_declared_categories() -> None:
    asked = plan({"kind": "count", "where": {"sex": "F"}}, sex={"categories": ["F", "M"]})
    assert asked.queries[0].where == ("sex", "F") and asked.columns == ("sex",)
    with pytest.raises(ReleaseError, match="declared category"):
        plan({"kind": "count", "where": {"sex": "X"}}, sex={"categories": ["F", "M"]})


def test_a_default_step_divides_the_bounds_into_a_thousand_parts_or_more() -> None:
    for low, high in ((0, 110), (0, 1), (-0.5, 0.25), (18, 99), (0, 250_000)):
        domain = plan({"kind": "mean", "column": "x"}, x={"bounds": [low, high]}).domains["x"]
        first, last = domain.steps
        assert last - first >= 1000 and first * domain.step == domain.lower


def test_the_skeleton_holds_names_and_empty_bounds_that_must_be_filled_in(tmp_path) -> None:
    names = ["age", 'the "name"', "größe\\", "new\nline", ""]
    text = example(names, "people.csv")
    assert list(tomllib.loads(text)["column"]) == names
    file = tmp_path / "release.toml"
    file.write_text(text.replace('kind = "count"', 'kind = "mean"\ncolumn = "age"'))
    with pytest.raises(MissingBounds):
        read_plan(file)


def test_the_example_of_the_skeleton_is_a_question_once_its_comment_marks_are_removed() -> None:
    commented = [line.removeprefix("# ") for line in example(["age"], "people.csv").splitlines()]
    start = commented.index('kind = "mean"')
    stated = tomllib.loads("\n".join(commented[start - 1 : start + 3]))
    assert stated == {"query": [{"kind": "mean", "column": "age", "epsilon": 0.5}]}


def test_a_margin_has_a_limit_of_cells() -> None:
    wide = {name: {"categories": [*range(200)]} for name in "abcd"}
    domains = [plan({"kind": "histogram", "column": name}, **{name: wide[name]}).domains[name] for name in wide]
    with pytest.raises(TooManyCells, match="1,600,000,000"):
        cells_of(domains)


@pytest.mark.parametrize(
    "content", ["[[query", "version = 2\n[[query]]\nkind = 'count'\nepsilon = 1", "", "[column]\nage = 3", "seed = 1"]
)
def test_a_file_that_is_not_a_plan_is_refused(tmp_path, content: str) -> None:
    (tmp_path / "a.toml").write_text(content)
    with pytest.raises(ConfigError):
        read_plan(tmp_path / "a.toml")
    with pytest.raises(ConfigError):
        read_plan(tmp_path / "missing.toml")
