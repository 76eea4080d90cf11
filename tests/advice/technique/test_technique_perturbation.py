"""Techniques that calculate or draw: reference values first, properties second."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.advice.technique import Context, technique
from privaudit.advice.technique.perturbed_numbers import components, group_means, groups
from privaudit.advice.technique.sample_distribution import fits
from privaudit.base.errors import ConfigError
from tests.helpers.paths import third_party


def context(seed=0, key=None):
    return Context(random=np.random.default_rng(seed), key=key)


def texts(**columns):
    return pa.table(
        {name: pa.array([None if v is None else str(v) for v in c], pa.string()) for name, c in columns.items()}
    )


def apply(name, table, *, seed=0, **parameters):
    return technique(name).apply(table, parameters, context(seed))


def lost_share(values, made):
    """Return SSE / SST in percent on columns scaled by the original's mean and standard deviation."""
    scale = values.std(axis=0, ddof=1)
    sse = (((values - made) / scale) ** 2).sum()
    sst = (((values - values.mean(axis=0)) / scale) ** 2).sum()
    return 100 * sse / sst


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "by_k"),
    [
        ("Tarragona.csv", {3: 16.93259, 5: 22.46186, 10: 33.19288}),
        ("CASCrefmicrodata.csv", {3: 5.692186, 5: 9.088435, 10: 14.15593}),
    ],
)
def test_mdav_loses_what_the_literature_and_sdcmicro_report(file, by_k):
    values = pd.read_csv(third_party("sdcmicro", file)).to_numpy(dtype=float)
    for k, expected in by_k.items():
        labels = groups(values, k)
        assert np.bincount(labels).min() >= k
        assert lost_share(values, group_means(values, labels)) == pytest.approx(expected, rel=1e-5)


@settings(max_examples=30, deadline=None)
@given(n=st.integers(1, 60), m=st.integers(1, 3), k=st.integers(2, 6), seed=st.integers(0, 99))
def test_each_group_has_k_records_and_means_stay(n, m, k, seed):
    values = np.random.default_rng(seed).integers(0, 9, (n, m)).astype(float)
    labels = groups(values, k)
    sizes = np.bincount(labels)
    assert sizes.min() >= min(n, k) and sizes.max() < max(2 * k, n + 1)
    assert np.allclose(group_means(values, labels).mean(axis=0), values.mean(axis=0))


@pytest.mark.shared
def test_the_best_fit_of_monthly_income_is_the_one_of_the_reference():
    income = pd.read_csv(third_party("hr_attrition", "WA_Fn-UseC_-HR-Employee-Attrition.csv"))[
        "MonthlyIncome"
    ].to_numpy(dtype=float)
    found = {fit.family: fit for fit in fits(income)}
    best = fits(income)[0]
    assert best.family == "exponnorm"
    assert best.parameters == pytest.approx((11.8391, 1839.554, 393.896), rel=1e-3)
    assert best.log_likelihood == pytest.approx(-14000.36, abs=0.05)
    distances = {name: round(found[name].distance, 4) for name in ("exponnorm", "lognorm", "gamma", "norm")}
    assert distances == pytest.approx(
        {"exponnorm": 0.0518, "lognorm": 0.0527, "gamma": 0.0678, "norm": 0.169}, abs=6e-4
    )


@pytest.mark.shared
def test_draws_from_category_shares_keep_the_shares_and_destroy_the_dependence():
    from scipy.stats.contingency import association

    frame = pd.read_csv(third_party("hr_attrition", "WA_Fn-UseC_-HR-Employee-Attrition.csv"))[["Department", "JobRole"]]
    assert association(pd.crosstab(frame["Department"], frame["JobRole"]), method="cramer") == pytest.approx(
        0.939, abs=1e-3
    )
    made = apply("sample_shares", pa.Table.from_pandas(frame), columns=("JobRole",)).to_pandas()
    assert association(pd.crosstab(made["Department"], made["JobRole"]), method="cramer") < 0.12
    before, after = (frame["JobRole"].value_counts(normalize=True), made["JobRole"].value_counts(normalize=True))
    assert (before - after[before.index]).abs().max() < 0.04


def test_distances_stay_under_pca():
    values = np.random.default_rng(1).normal(size=(50, 4)) * [1, 10, 100, 0.1]
    made = components(values)
    for i, j in ((0, 1), (3, 40), (20, 21)):
        assert np.linalg.norm(made[i] - made[j]) == pytest.approx(np.linalg.norm(values[i] - values[j]), abs=1e-11)


def test_pram_keeps_x():
    table = texts(a=["x"] * 6000 + ["y"] * 4000 + [None] * 10)
    made = apply("pram", table, columns=("a",), keep=0.7)["a"].to_pylist()
    changed = [(b, a) for b, a in zip(table["a"].to_pylist(), made, strict=True) if b != a]
    expected = 6000 * 0.3 * 0.4 + 4000 * 0.3 * 0.6  # a cell that is not kept is drawn from the shares 0.6 and 0.4
    assert len(changed) == pytest.approx(expected, rel=0.08)
    assert made[-10:] == [None] * 10


@settings(max_examples=30, deadline=None)
@given(
    values=st.lists(st.integers(0, 30), min_size=2, max_size=80),
    share=st.sampled_from([0.05, 0.15, 0.5]),
    seed=st.integers(0, 9),
)
def test_rank_swapping_keeps_the_values_and_moves_them_few_ranks(values, share, seed):
    made = [
        int(v) for v in apply("rank_swap", texts(a=values), columns=("a",), share=share, seed=seed)["a"].to_pylist()
    ]
    assert sorted(made) == sorted(values)
    ordered, most = np.sort(values), max(1, round(share * len(values)))
    for before, after in zip(values, made, strict=True):
        low = np.searchsorted(ordered, min(before, after), side="right") - 1
        high = np.searchsorted(ordered, max(before, after), side="left")
        assert high - low <= most


@pytest.mark.parametrize("correlated", [False, True])
def test_noise_that_keeps_the_spread_keeps_means_and_variances(correlated):
    draw = np.random.default_rng(3)
    x = draw.normal(100, 15, 20_000)
    table = texts(a=np.round(x, 3), b=np.round(2 * x + draw.normal(0, 5, 20_000), 3))
    made = apply("add_noise", table, columns=("a", "b"), share=0.5, correlated=correlated, keep_spread=True)
    before, after = (np.array([t[n].to_pylist() for n in ("a", "b")], dtype=float) for t in (table, made))
    assert np.allclose(before.mean(axis=1), after.mean(axis=1), rtol=0.01)
    assert np.allclose(before.std(axis=1), after.std(axis=1), rtol=0.03)
    correlations = [np.corrcoef(values)[0, 1] for values in (before, after)]
    assert (abs(correlations[0] - correlations[1]) < 0.01) == correlated


def test_decimals_do_not_show_which_cells_changed():
    made = apply("add_noise", texts(a=["1.5", "2.25", None, "n/a", *["3.00"] * 30]), columns=("a",), share=0.1)[
        "a"
    ].to_pylist()
    assert made[2] is None and made[3] == "n/a"
    assert {len(text.partition(".")[2]) for i, text in enumerate(made) if i not in (2, 3)} == {2}


def test_all_dates_of_a_person_move_by_the_same_days_and_intervals_stay():
    people = [str(i // 3) for i in range(90)]
    days = pd.date_range("2020-01-01", periods=90, freq="11D")
    table = texts(person=people, seen=[str(d.date()) for d in days], paid=[f"{d.date()} 10:00:00" for d in days])
    made = apply("shift_dates", table, columns=("seen", "paid"), person="person", days=60, key="once").to_pandas()
    moved = (pd.to_datetime(made["seen"]) - days).dt.days
    assert moved.groupby(people).nunique().max() == 1
    assert moved.abs().between(1, 60).all() and moved.nunique() > 5
    assert (made["paid"].str[:10] == made["seen"]).all() and made["paid"].str.endswith(" 10:00:00").all()


def test_shifts_repeat_under_one_key():
    table = texts(person=["a", "b", "a"], seen=["2020-01-01", "2020-02-01", "soon"])
    made = [
        technique("shift_dates")
        .apply(table, {"columns": ("seen",), "person": "person", "days": 30, "key": "file"}, context(seed, b"k" * 32))[
            "seen"
        ]
        .to_pylist()
        for seed in (1, 2)
    ]
    assert made[0] == made[1] and made[0][2] is None


@settings(max_examples=20, deadline=None)
@given(n=st.integers(1, 50), share=st.floats(0.05, 1), seed=st.integers(0, 9))
def test_a_sample_has_its_share_of_different_records(n, share, seed):
    made = apply("sample_records", texts(a=range(n)), share=share, seed=seed)["a"].to_pylist()
    assert len(made) == round(share * n) == len(set(made))


def test_numbers_that_replace_identifiers_have_no_gaps_and_no_order():
    made = apply("renumber", texts(a=[f"id{i // 2}" for i in range(200)]), columns=("a",))["a"].to_pylist()
    assert sorted({int(text) for text in made}) == list(range(1, 101))
    assert made[::2] == made[1::2] and made != sorted(made, key=int)


@pytest.mark.parametrize("name", ["add_noise", "microaggregate", "pca_mask", "rank_swap", "sample_distribution"])
def test_a_column_that_does_not_hold_numbers_is_refused(name):
    parameters = {"share": 0.1, "k": 3}
    with pytest.raises(ConfigError, match="not a column of numbers"):
        apply(name, texts(a=["x", "y", "z"]), columns=("a",), **parameters)


NOTES = [
    "Write to anna@example.org or call Anna Schmidt.",
    "Nothing personal here",
    "Card 4111 1111 1111 1111 was charged",
]


def test_personal_values_in_texts_become_their_types_and_are_counted():
    used = context()
    table = texts(note=[*NOTES, NOTES[0], None])
    made = technique("mask_text").apply(table, {"columns": ("note",), "names": False}, used)["note"].to_pylist()
    assert made[0] == made[3] == "Write to <EMAIL> or call Anna Schmidt."
    assert made[1] == NOTES[1] and made[2] == "Card <CREDIT_CARD> was charged" and made[4] is None
    (note,) = used.notes
    assert note["masked"] == {"CREDIT_CARD": 1, "EMAIL": 2} and note["not_masked"] == 1


@pytest.mark.slow
def test_names_in_texts_are_masked_by_the_language_model():
    made = technique("mask_text").apply(texts(note=NOTES), {"columns": ("note",)}, context())["note"].to_pylist()
    assert made[0] == "Write to <EMAIL> or call <PERSON>."


@settings(max_examples=40, deadline=None)
@given(rows=st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=4, max_size=30))
def test_after_cells_are_suppressed_every_record_has_k_equal_ones(rows):
    first, second = zip(*rows, strict=True)
    made = apply("suppress_cells", texts(a=first, b=second), columns=("a", "b"), below=3).to_pandas()
    assert made.groupby(["a", "b"], dropna=False).size().min() >= 3
    for before, after in ((first, made["a"]), (second, made["b"])):
        assert all(b == a or pd.isna(a) for b, a in zip(before, after, strict=True))
