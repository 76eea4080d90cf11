"""Draws from fitted distributions and from shares: candidates, bounds, dates, and what they do to dependence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.advice.technique import Context, technique
from privaudit.advice.technique.drawn_values import cramers_v
from privaudit.advice.technique.sample_distribution import FAMILIES
from privaudit.base.errors import ConfigError
from tests.helpers.paths import third_party

stats = pytest.importorskip("scipy.stats")


def draw(name, cells, **parameters):
    used = Context(random=np.random.default_rng(0))
    table = pa.table({n: pa.array([None if v is None else str(v) for v in c]) for n, c in cells.items()})
    found = technique(name)
    made = found.apply(table, {**found.check(parameters, "here"), "columns": (next(iter(cells)),)}, used)
    return made.to_pandas(), used


def test_every_candidate_is_stated_with_the_numbers_of_scipy():
    values = np.random.default_rng(1).gamma(2, 100, 400).round()
    _, used = draw("sample_distribution", {"a": values.astype(int)})
    stated = {fact.values["family"].text: fact.values for fact in used.facts}
    assert set(stated) <= set(FAMILIES) and len(stated) > 4
    for family in ("norm", "expon", "logistic"):
        fitted = getattr(stats, family).fit(values)
        assert stated[family]["likelihood"].value == pytest.approx(getattr(stats, family).logpdf(values, *fitted).sum())
        assert stated[family]["distance"].value == pytest.approx(stats.kstest(values, family, fitted).statistic)
    assert "withheld" in stated["expon"]["parameters"].text, "its loc is the smallest number of the table"
    (note,) = used.notes
    assert sum(note["observed"]) == pytest.approx(1) and len(note["observed"]) == 12
    assert all(sum(shares) == pytest.approx(1, abs=1e-4) for shares in note["expected"].values())


@pytest.mark.shared
@pytest.mark.slow
def test_the_candidates_of_monthly_income():
    income = pd.read_csv(third_party("hr_attrition", "WA_Fn-UseC_-HR-Employee-Attrition.csv"))["MonthlyIncome"]
    made, used = draw("sample_distribution", {"a": income}, low=0)
    first = used.facts[0].values
    assert first["family"].text == "exponnorm" and first["likelihood"].value == pytest.approx(-14000.36, abs=0.05)
    drawn = made["a"].astype(float)
    assert (drawn >= 0).all() and (drawn == drawn.round()).all()


@settings(max_examples=15, deadline=None)
@given(low=st.integers(-50, 40), width=st.integers(5, 60), seed=st.integers(0, 9))
def test_draws_are_within_stated_bounds(low, width, seed):
    values = np.random.default_rng(seed).normal(20, 30, 60).round(1)
    made, _ = draw("sample_distribution", {"a": values}, low=low, high=low + width, family="norm")
    assert made["a"].astype(float).between(low, low + width).all()


def test_dates_are_drawn_as_days_and_keep_their_bounds():
    days = pd.date_range("2011-01-01", "2015-12-31", periods=300).strftime("%d/%m/%y %H:%M").tolist()
    made, _ = draw("sample_distribution", {"a": [*days, None]}, low="2011-01-01", high="2015-12-31", family="norm")
    drawn = pd.to_datetime(made["a"].iloc[:-1], format="%Y-%m-%d")
    assert drawn.between("2011-01-01", "2015-12-31").all() and drawn.nunique() > 200 and made["a"].isna().sum() == 1
    for wrong, reason in (({"low": "soon"}, "a date"), ({"low": "2016-01-01", "high": "2015-01-01"}, 'below "high"')):
        with pytest.raises(ConfigError, match=reason):
            draw("sample_distribution", {"a": days}, **wrong)


@settings(max_examples=40, deadline=None)
@given(rows=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), min_size=4, max_size=60))
def test_cramers_v_is_that_of_scipy(rows):
    one, other = zip(*rows, strict=True)
    found = cramers_v(*(pa.chunked_array([pa.array(cells)]) for cells in (one, other)))
    if len(set(one)) < 2 or len(set(other)) < 2:
        assert found is None
        return
    expected = stats.contingency.association(pd.crosstab(pd.Series(one), pd.Series(other)), method="cramer")
    assert found == pytest.approx(expected)


def test_stated_shares_are_drawn_and_the_lost_dependence_is_stated():
    job = ["nurse", "doctor", "clerk"] * 400
    ward = [{"nurse": "A", "doctor": "B", "clerk": "C"}[each] for each in job]
    shares = {"nurse": 0.6, "doctor": 0.3, "clerk": 0.1}
    made, used = draw("sample_shares", {"job": job, "ward": ward}, shares=shares)
    for value, share in made["job"].value_counts(normalize=True).items():
        assert share == pytest.approx(shares[value], abs=4 * (shares[value] * (1 - shares[value]) / 1_200) ** 0.5)
    (lost,) = used.facts
    assert lost.values["before"].value == 1 and lost.values["after"].value < 0.1
    with pytest.raises(ConfigError, match="shares"):
        technique("sample_shares").check({"shares": {"a": -1}}, "here")
