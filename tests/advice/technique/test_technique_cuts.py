"""Cuts, limits and mappings give what pandas and NumPy give."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.advice.technique import Context, recode, technique
from privaudit.advice.technique.columns import decimals_of, numbers_of
from privaudit.base.errors import ConfigError
from tests.helpers.columns import column
from tests.helpers.paths import third_party

numbers = st.lists(st.integers(-50, 200), min_size=2, max_size=60).filter(lambda found: len(set(found)) > 4)
decimals = st.lists(st.integers(-500, 2000).map(lambda n: n / 8), min_size=2, max_size=60).filter(
    lambda found: len(set(found)) > 4
)


def written(name, cells, **parameters):
    """Return what a technique writes for each cell, and its notes."""
    counts = pd.Series([str(c) for c in cells]).value_counts(sort=False)
    made = recode(name, column(list(counts.index), counts.tolist()), technique(name).check(parameters, "here"))
    texts = made.labels().take(made.lookup[:-1]).to_pylist()
    place = {text: i for i, text in enumerate(counts.index)}
    return [texts[place[str(c)]] for c in cells], made.notes


def codes(values):
    return pd.factorize(pd.Series(values, dtype=object), use_na_sentinel=True)[0].tolist()


@settings(max_examples=60, deadline=None)
@given(cells=st.one_of(numbers, decimals), n=st.integers(1, 6), right=st.booleans())
def test_equal_bands_have_the_edges_of_numpy_and_the_members_of_pandas(cells, n, right):
    edges = np.linspace(min(cells), max(cells), n + 1)
    expected = pd.cut(pd.Series(cells, dtype=float), edges, right=right, include_lowest=True).cat.codes.to_numpy(
        copy=True
    )
    if not right:
        expected[np.array(cells) == max(cells)] = n - 1
    made, notes = written("cut", cells, bands=n, closed="right" if right else "left")
    assert codes(made) == codes(expected)
    assert notes[0].code == "remedies.cut_bands"


@settings(max_examples=60, deadline=None)
@given(cells=decimals, n=st.integers(1, 5))
def test_quantiles_are_those_of_numpy(cells, n):
    edges = np.unique(np.quantile(cells, np.linspace(0, 1, n + 1)).round(12))  # without the error of interpolation
    if len(edges) < 2:
        return
    expected = pd.cut(pd.Series(cells), edges, right=False).cat.codes.to_numpy(copy=True)
    expected[np.array(cells) == edges[-1]] = len(edges) - 2
    assert codes(written("cut", cells, quantiles=n)[0]) == codes(expected)


def test_stated_edges_name_their_bands_and_disclose_nothing():
    made, notes = written("cut", [0, 17, 18, 64, 65, 99, 120], edges=[0, 18, 65, 100])
    assert made == ["0-17", "0-17", "18-64", "18-64", "65-100", "65-100", None] and notes == ()
    assert written("cut", [0, 18, 65], edges=[0, 18, 65], labels=["young", "grown"])[0] == ["young", "grown", "grown"]
    assert written("cut", ["0.5", "1.5", "x", *["2.5"] * 9], edges=[0, 1, 3])[0][:3] == ["[0, 1)", "[1, 3)", "x"]


def test_twenty_equal_bands_of_money():
    money = np.random.default_rng(1).lognormal(10, 0.5, 2_000).round(2)
    assert len(set(written("cut", money.tolist(), bands=20)[0])) <= 20
    found = pd.cut(pd.Series(money), 20, labels=False, right=False)
    assert (np.array(codes(written("cut", money.tolist(), bands=20)[0])) == codes(found.tolist())).mean() > 0.999


@settings(max_examples=40, deadline=None)
@given(cells=numbers, by=st.sampled_from(["mean", "median"]))
def test_one_above_the_mean_or_the_median(cells, by):
    limit = getattr(np, by)(cells)
    made, (note,) = written("threshold", cells, by=by)
    assert made == [str(int(cell > limit)) for cell in cells]
    assert note.values["limit"].value == pytest.approx(limit) and note.values["records"].n == sum(
        c > limit for c in cells
    )


@settings(max_examples=40, deadline=None)
@given(cells=st.one_of(numbers, decimals), at=st.integers(-20, 100))
def test_coding_to_the_limit_is_clipping(cells, at):
    for name, clip in (("top_code", {"upper": at}), ("bottom_code", {"lower": at})):
        made, (note,) = written(name, cells, at=at, write="limit")
        assert [float(text) for text in made] == pd.Series(cells, dtype=float).clip(**clip).tolist()
        beyond = [c >= at if name == "top_code" else c <= at for c in cells]
        assert note.values["records"].n == sum(beyond)


@settings(max_examples=40, deadline=None)
@given(cells=numbers, origin=st.integers(-30, 30), width=st.integers(2, 20))
def test_bands_begin_at_any_origin(cells, origin, width):
    made, _ = written("band", cells, width=width, origin=origin)
    for cell, text in zip(cells, made, strict=True):
        low = origin + (cell - origin) // width * width
        assert text == f"{low}-{low + width - 1}"


LEVELS = {"Bachelors": "higher", "Masters": "higher", "HS": "school"}


def test_a_mapping_in_the_step_is_the_mapping_of_pandas():
    cells = ["HS", "Masters", "HS", "Bachelors"]
    assert written("hierarchy_level", cells, mapping=LEVELS)[0] == pd.Series(cells).map(LEVELS).tolist()
    two = {"HS": ["school", "any"], "Masters": ["higher", "any"], "Bachelors": ["higher", "any"]}
    assert written("hierarchy_level", cells, mapping=two, level=2)[0] == ["any"] * 4


def test_a_value_without_an_entry_is_an_error_or_the_root():
    with pytest.raises(ConfigError, match="without an entry in its hierarchy: 1, in 2 records"):
        written("hierarchy_level", ["HS", "PhD", "PhD"], mapping=LEVELS)
    assert written("hierarchy_level", ["HS", "PhD"], mapping=LEVELS, unknown="root")[0] == ["school", "*"]


def test_a_mask_hides_the_length_where_it_is_stated():
    assert written("mask", ["ab", "abcd"])[0] == ["**", "****"]
    assert written("mask", ["ab", "abcd"], length=5)[0] == ["*****", "*****"]


def test_numbers_with_exponents_are_numbers():
    table = pa.table({"a": pa.array(["2.51e-7", "1.5", "-3E+2", None])})
    assert numbers_of(table, "a", "any")[:3].tolist() == [2.51e-7, 1.5, -300.0] and decimals_of(table, "a") == 9


def test_categories_drawn_uniformly_have_a_valid_epsilon():
    table = pa.table({"a": pa.array(["x", "y", "z", "x"] * 500 + [None])})
    used = Context(random=np.random.default_rng(0))
    given = {"columns": ("a",), "keep": 0.5, "redraw": "uniform", "categories": ["w", "x", "y", "z"]}
    made = technique("pram").apply(table, given, used)["a"].to_pylist()
    (note,) = used.facts
    assert note.code == "remedies.pram_declared" and note.values["epsilon"].value == pytest.approx(np.log(5), abs=1e-6)
    shares = pd.Series(made).value_counts(normalize=True)
    assert made[-1] is None
    assert shares.to_dict() == pytest.approx({"x": 0.375, "y": 0.25, "z": 0.25, "w": 0.125}, abs=0.03)
    largest = max(
        (p / q for a in range(4) for b in range(4) for p, q in [(0.5 * (a == 0) + 0.125, 0.5 * (b == 0) + 0.125)])
    )
    assert np.log(largest) == pytest.approx(note.values["epsilon"].value, abs=1e-6)


def test_shares_of_the_table_are_not_covered_by_epsilon():
    table = pa.table({"a": pa.array(["x"] * 90 + ["y"] * 10)})
    used = Context(random=np.random.default_rng(0))
    technique("pram").apply(table, {"columns": ("a",), "keep": 0.8}, used)
    assert used.facts[0].code == "remedies.pram_shares"
    assert used.facts[0].values["epsilon"].value == pytest.approx(np.log1p(0.8 / (0.2 * 0.1)), abs=1e-6)
    for wrong in ({"redraw": "uniform"}, {"categories": ["x", "y"]}, {"redraw": "uniform", "categories": ["x", "z"]}):
        with pytest.raises(ConfigError, match="categories"):
            technique("pram").apply(table, {"columns": ("a",), "keep": 0.8, **wrong}, used)


def test_every_cell_of_a_column_of_identifiers_is_masked_valid_or_not():
    cards = ["4111 1111 1111 1111"] * 3 + [f"4{i:03d} 0000 0000 0000" for i in range(3)]
    stated = pa.table({"a": pa.array([*cards, None])})
    used = Context(random=np.random.default_rng(0))
    given = {"columns": ("a",), "names": False, "entity": "CREDIT_CARD"}
    made = technique("mask_text").apply(stated, given, used)["a"].to_pylist()
    assert made == ["<CREDIT_CARD>"] * 6 + [None]
    mails = pa.table({"a": pa.array([*(f"p{i}@example.org" for i in range(19)), "p19 at example"])})
    made = technique("mask_text").apply(mails, {"columns": ("a",), "names": False}, used)["a"].to_pylist()
    assert set(made) == {"<EMAIL>"}


@pytest.mark.shared
def test_the_numbers_of_the_course():
    income = pd.read_csv(third_party("hr_attrition", "WA_Fn-UseC_-HR-Employee-Attrition.csv"))["MonthlyIncome"]
    made, (note,) = written("threshold", income.tolist(), by="mean")
    assert (made.count("1"), made.count("0"), round(note.values["limit"].value)) == (493, 977, 6503)
    kenya = pd.read_csv(third_party("kenya_insurance", "data", "Insurance_data_ke.csv"))
    bands, _ = written("cut", kenya["Age"].tolist(), bands=4, closed="right")
    shares = pd.Series(bands).value_counts(normalize=True).sort_index().round(4)
    assert shares.to_dict() == {"30-41": 0.2627, "42-52": 0.2527, "53-63": 0.2587, "64-74": 0.2258}
    sizes = kenya.assign(band=bands).groupby(["band", "Tier"]).size()
    assert sizes.min() == 43
