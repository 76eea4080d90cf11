"""Two given tables are compared with the numbers of pandas, without extremes and rare values of the first."""

from __future__ import annotations

import json
import os

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.base.errors import ColumnNotFound, ConfigError
from privaudit.model.synthesis import ColumnComparison
from privaudit.releases.compared.pairing import LEAST_RECORDS, MOST_BANDS, band_edges
from privaudit.report.charts.synthesis_charts import MOST_BARS, bars
from tests.helpers.command import refusal

EXTREME, RARE = 987_654.25, "Zanzibar7731"


def people(n=800, seed=1):
    draw = np.random.default_rng(seed)
    age = draw.integers(18, 80, n)
    income = (age * 900 + draw.normal(0, 4_000, n)).round(2)
    income[0] = EXTREME
    city = draw.choice(["Nairobi", "Kisumu", "Nakuru"], n, p=[0.6, 0.3, 0.1]).astype(object)
    city[1] = RARE
    left = np.where(draw.random(n) < age / 100, "yes", "no")
    frame = {"name": [f"person {i}" for i in range(n)], "age": age, "income": income, "city": city, "left": left}
    return pd.DataFrame(frame)


@pytest.fixture(scope="module")
def made():
    other = people()
    other["city"] = np.random.default_rng(0).permutation(other["city"])
    return privaudit.compare_tables(people(), other.drop(columns="name"), target="left")


@settings(max_examples=80, deadline=None)
@given(values=st.lists(st.integers(0, 60), min_size=22, max_size=900))
def test_each_band_has_eleven_records_and_no_edge_is_a_value(values):
    known = np.array(values, dtype=float)
    edges = band_edges(known)
    sizes = np.bincount(np.searchsorted(edges, known, side="right"), minlength=len(edges) + 1)
    assert len(sizes) <= MOST_BANDS and (sizes >= LEAST_RECORDS).all()
    assert not set(edges.tolist()) & set(values)


def test_a_table_is_equal_to_itself():
    pytest.importorskip("sklearn")
    found = privaudit.compare_tables(people(), people()).comparison
    assert (found.tv1, found.tv2, found.tv3) == (0, 0, 0)
    assert all(before == after for column in found.columns for before, after in column.cumulative)


@pytest.mark.parametrize("constant", [1, 0.5, "2024-01-01"])
def test_a_column_of_one_number_or_day_is_one_band(constant):
    frame = people().assign(constant=constant)
    columns = privaudit.compare_tables(frame, frame).comparison.columns
    (found,) = [column for column in columns if column.column == "constant"]
    assert found.labels[0] == "all" and found.before[0] == found.after[0] == 1


def test_a_cumulative_share_is_that_of_all_bands_up_to_the_one_it_names(made):
    curves = [column for column in made.comparison.columns if len(column.cumulative) > 1]
    assert curves
    assert any(len(column.cumulative) < len(column.labels) for column in curves)  # else no group has several bands
    for column in curves:
        for label, (before, after) in zip(column.cumulative_to, column.cumulative, strict=True):
            end = column.labels.index(label) + 1
            n = len(column.labels) - (column.labels[-1] == "missing")
            assert before == pytest.approx(sum(column.before[:end]) / sum(column.before[:n]), abs=1e-3)
            assert after == pytest.approx(sum(column.after[:end]) / sum(column.after[:n]), abs=1e-3)
        assert column.cumulative[-1] == (1, 1)


def test_means_spreads_and_correlations_are_those_of_pandas(made):
    frame = people()
    by_name = {column.column: column for column in made.comparison.columns}
    assert by_name["age"].mean[0] == pytest.approx(frame["age"].mean(), rel=1e-3)
    assert by_name["income"].spread[0] == pytest.approx(frame["income"].std(ddof=0), rel=1e-3)
    expected = frame[["age", "income"]].corr().iloc[0, 1]
    assert made.correlations["age", "income"] == pytest.approx((expected, expected), abs=1e-4)
    assert by_name["city"].distance == 0 and made.comparison.tv2 > 0


def test_the_table_with_a_permuted_column_has_the_distance_of_a_loop_over_pairs(made):
    first, second = people(), people()
    second["city"] = np.random.default_rng(0).permutation(second["city"])
    tables = [
        pd.crosstab(t["city"].where(t["city"] != RARE, "other"), t["left"], normalize="all") for t in (first, second)
    ]
    names = [column.column for column in made.comparison.columns]
    expected = (tables[0] - tables[1]).abs().to_numpy().sum() / 2
    assert made.comparison.pairs[names.index("city")][names.index("left")] == pytest.approx(expected, abs=1e-4)


def test_no_extreme_and_no_rare_value_is_in_any_format(made, tmp_path):
    first, shown = people(), made.text()
    for suffix in ("html", "md", "json"):
        made.write(tmp_path / f"compare.{suffix}")
        content = (tmp_path / f"compare.{suffix}").read_text(encoding="utf-8")
        assert (tmp_path / f"compare.{suffix}").stat().st_mode & 0o777 == 0o600
        shown += content
        assert "INTERNAL" in content or json.loads(content)["internal"]
    for hidden in (str(EXTREME), "987654", "987,654", RARE, "person 17", f"{first['income'].min():g}"):
        assert hidden not in shown
    assert made.text().startswith("INTERNAL: this comparison holds exact counts of the first table")
    assert made.omitted == ("name",)


def test_models_are_tested_on_records_that_they_were_not_trained_on(made):
    pytest.importorskip("sklearn")
    assert {model.target for model in made.comparison.models} == {"left"}
    assert all(model.held_out and model.n_test == 200 for model in made.comparison.models)


def test_the_command_writes_what_the_function_returns(run, tmp_path):
    people(200).to_csv(tmp_path / "real.csv", index=False)
    people(300, seed=2).to_parquet(tmp_path / "other.parquet")
    ended = run("compare", "real.csv", "other.parquet", "-o", "compare.html")
    assert ended.returncode == 0 and ended.stdout.startswith("INTERNAL")
    assert "First table: real.csv, 200 records. Second table: other.parquet, 300 records." in ended.stdout
    assert (tmp_path / "compare.html").read_text(encoding="utf-8").count("<svg") > 6
    for name in ("real.csv", "other.parquet"):
        content = (tmp_path / name).read_bytes()
        os.link(tmp_path / name, tmp_path / "linked.html")
        assert "is an input" in refusal(run("compare", "real.csv", "other.parquet", "-o", "linked.html"))
        assert (tmp_path / name).read_bytes() == content
        (tmp_path / "linked.html").unlink()


def test_tables_without_a_common_column_are_refused():
    with pytest.raises(ConfigError, match="no column in common"):
        privaudit.compare_tables(people(), pd.DataFrame({"x": range(30)}))
    with pytest.raises(ColumnNotFound, match='"nothing" is not a column of both tables'):
        privaudit.compare_tables(people(), people(), target="nothing")


def test_values_are_shown_only_where_their_vocabulary_is_public(tmp_path, run):
    """Eleven records may be those of one person: a table of visits has her name in each of them."""
    names = ["Zqxv Kjwzz"] * 30 + ["Wvzqx Jkzqv"] * 20
    text = "patient,sex,dose\n" + "".join(f"{name},{'FM'[i % 2]},{i % 9}\n" for i, name in enumerate(names))
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(text)
    outputs = [word for name in ("c.html", "c.json", "c.md") for word in ("-o", tmp_path / name)]
    done = run("compare", tmp_path / "a.csv", tmp_path / "b.csv", *outputs)
    assert done.returncode == 0, done.stderr
    for shown in (done.stdout, *((tmp_path / name).read_text() for name in ("c.html", "c.json", "c.md"))):
        assert "Zqxv" not in shown and "Jkzqv" not in shown
    assert "value 1" in (tmp_path / "c.json").read_text()


@pytest.mark.parametrize("cumulative", [((0.5, 0.5), (1.0, 1.0)), ()], ids=["bands", "categories"])
def test_bars_show_the_most_frequent_values_and_bands_in_their_order(cumulative):
    shares = tuple(np.random.default_rng(4).dirichlet(np.ones(40)))
    column = ColumnComparison(
        column="age",
        labels=tuple(f"band {i}" for i in range(40)),
        before=shares,
        after=shares,
        distance=0.0,
        cumulative=cumulative,
        cumulative_to=("band 20", "band 39")[: len(cumulative)],
    )
    order = np.argsort(shares)[::-1][:MOST_BARS]
    expected = sorted(order) if cumulative else order
    shown = bars(column, ("the first table", "the second table"))
    assert shown["head"][1:] == ["The first table", "The second table"]
    assert [row[0] for row in shown["rows"]] == [f"band {i}" for i in expected]
    assert "Of 40 values or bands, the most frequent in the first table are shown." in shown["words"]


def test_a_day_that_no_month_has_is_a_missing_date():
    days = [f"2023-02-{1 + i % 28:02d}" for i in range(280)]
    with_error = ["2023-02-30", *days[1:]]
    (column,) = privaudit.compare_tables(
        pd.DataFrame({"day": days}), pd.DataFrame({"day": with_error})
    ).comparison.columns
    assert column.labels[-1] == "missing" and column.after[-1] == pytest.approx(1 / 280, abs=1e-5)
