"""Utility and attacks are counted as a loop over all cells and records counts them; reference figures hold."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.advice.technique.perturbed_numbers import components
from privaudit.base.errors import ConfigError
from privaudit.releases.remedy.middles import middle
from privaudit.releases.remedy.perturbation_attacks import (
    Cells,
    by_least_squares,
    by_procrustes,
    distance_linkage,
    returned_share,
)
from privaudit.releases.remedy.task_utility import task_utility
from privaudit.releases.remedy.utility import utility
from tests.helpers.paths import third_party

cell = st.sampled_from(["1", "2", "3", None])


def table(**columns):
    return pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})


@settings(max_examples=60, deadline=None)
@given(data=st.data(), n=st.integers(1, 20))
def test_kept_cells_and_distances_are_those_of_a_loop(data, n):
    before = data.draw(st.lists(cell, min_size=n, max_size=n))
    rows = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True))
    after = [data.draw(cell) for _ in rows]
    found = utility(table(a=before), table(a=after), np.array(rows))
    same = sum(before[row] == value is not None for row, value in zip(rows, after, strict=True))
    present = sum(value is not None for value in before)
    assert found.columns[0].kept == pytest.approx(same / max(1, present), abs=1e-6)
    assert found.records_kept == pytest.approx(len(rows) / n, abs=1e-6)
    becomes = {}
    for row, value in zip(rows, after, strict=True):
        becomes.setdefault(before[row], set()).add(value)
    one = all(len(values) == 1 for values in becomes.values())
    source = [next(iter(becomes[value])) if one and value in becomes else value for value in before]
    values = set(source) | set(after)
    distance = sum(abs(source.count(v) / len(source) - after.count(v) / len(after)) for v in values) / 2
    assert found.columns[0].suppression_distance == pytest.approx(distance, abs=1e-6)
    values = set(before) | set(after)
    distance = sum(abs(before.count(v) / n - after.count(v) / len(after)) for v in values) / 2
    assert found.columns[0].distance == pytest.approx(distance, abs=1e-6)


@pytest.mark.parametrize(
    ("values", "has_mean"), [(["12139", "12140", "11801"], True), (["02139", "02140", "01801"], False)]
)
def test_codes_with_leading_zeros_have_no_mean(values, has_mean):
    before, after = table(zip=values, pay=["1", "2", "4"]), table(zip=[v[:3] for v in values], pay=["1", "2", "4"])
    found = utility(before, after, np.arange(3))
    assert (found.columns[0].mean_change is not None) is has_mean
    assert (found.correlation_change is not None) is has_mean


def test_a_table_that_did_not_change_loses_nothing():
    same = table(a=["1", "2", "2"], b=["x", "y", None])
    found = utility(same, same, np.arange(3))
    assert found.pair_distance == 0 and found.correlation_change is None
    assert [(c.kept, c.distance) for c in found.columns] == [(1, 0), (1, 0)]


def test_a_dropped_column_and_a_generalised_one_count_as_lost():
    before = table(a=["1", "2", "3", "4"], b=["x", "y", "x", "y"], c=["1"] * 4)
    found = utility(before, table(a=["1-4"] * 4, c=["1"] * 4), np.arange(4))
    assert found.dropped == ("b",)
    assert (found.pair_distance, found.n_pairs, found.suppression_distance) == (1, 3, 0)
    assert [(c.distance, c.suppression_distance) for c in found.columns] == [(1, 0), (0, 0)]


@pytest.mark.parametrize("power", [-900, 0, 900])
def test_no_measure_depends_on_the_unit_of_a_column(power):
    """Squares of numbers near the ends of a double have an overflow."""
    numbers, others = [1, 2, 4, 8, 16, 16], [3, 1, 4, 1, 5, 9]
    rows = np.array([0, 1, 2, 3])

    def measured(unit):
        before = table(a=[repr(float(n) * 2.0**unit) for n in numbers], b=[str(n) for n in others])
        return utility(before, before.take(pa.array(rows)), rows)

    in_units, as_they_are = measured(power), measured(0)
    assert in_units == as_they_are
    assert as_they_are.columns[0].mean_change != 0 and as_they_are.correlation_change > 0


def test_suppressed_records_show_in_the_margins():
    before = table(a=["x"] * 5 + ["y"] * 5, b=["1"] * 10)
    found = utility(before, table(a=["x"] * 5, b=["1"] * 5), np.arange(5))
    assert found.pair_distance == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("20-29", 24.5),
        ("-20--11", -15.5),
        ("[0.5, 1)", 0.75),
        ("under 20", 20),
        ("up to 18", 18),
        ("90+", 90),
        ("7", 7),
    ],
)
def test_the_middle_of_a_band(text, number):
    assert middle(text) == number


def test_other_text_has_no_middle():
    assert all(np.isnan(middle(text)) for text in ("x", "2020-01-01", "1990s", "20-29-30", ""))


@settings(max_examples=40, deadline=None)
@given(data=st.data(), n=st.integers(2, 12))
def test_linkage_by_distance_equals_a_loop_over_all_pairs(data, n):
    numbers = data.draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))
    words = data.draw(st.lists(st.sampled_from("xy"), min_size=n, max_size=n))
    rows = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True))
    noisy = [data.draw(st.integers(0, 5)) for _ in rows]
    later = [data.draw(st.sampled_from("xyz")) for _ in rows]
    spread = float(np.std(numbers)) or 1.0
    correct = 0.0
    for target in range(n):
        distances = [
            ((numbers[target] - a) / spread) ** 2 + (words[target] != b) for a, b in zip(noisy, later, strict=True)
        ]
        near = [i for i, d in enumerate(distances) if d <= min(distances) + 1e-9]
        correct += sum(rows[i] == target for i in near) / len(near)
    found = distance_linkage(
        table(a=[str(v) for v in numbers], b=words),
        table(a=[str(v) for v in noisy], b=later),
        np.array(rows),
        ["a", "b"],
        np.random.default_rng(0),
    )
    assert found.success.value == pytest.approx(correct / n)


@pytest.mark.shared
def test_fourteen_known_people_return_every_cell_of_the_heart_table():
    frame = pd.read_csv(third_party("heart", "heart_disease.csv")).drop(columns="target")
    values = frame.to_numpy(dtype=float)
    released = np.round(components(values), 9)
    cells = Cells([1] * 13, [1 if name == "oldpeak" else 0 for name in frame.columns])
    assert values.shape == (303, 13)
    for n_known, least in ((13, 0.998), (14, 0.998)):
        draws = [np.random.default_rng(seed).choice(303, n_known, replace=False) for seed in range(40)]
        shares = [returned_share(values, released, cells, known, by_procrustes) for known in draws]
        assert np.mean(shares) > least
    affine = [returned_share(values, released, cells, known, by_least_squares) for known in draws]
    assert np.mean(affine) < np.mean(shares) and min(affine) < 0.75


@pytest.mark.shared
@pytest.mark.slow
def test_a_model_is_as_good_after_pca_masking_of_the_heart_table(tmp_path):
    path = third_party("heart", "heart_disease.csv")
    names = [name for name in pd.read_csv(path).columns if name != "target"]
    plan = tmp_path / "plan.toml"
    plan.write_text(f'version = 1\n[[step]]\ntechnique = "pca_mask"\ncolumns = {names}\n'.replace("'", '"'))
    made = privaudit.remedy(path, plan=plan, target="target", policy="controlled", framework=())
    task = made.utility.task
    assert task.n_splits >= 20
    assert task.before == pytest.approx(0.824, abs=0.015) and task.after == pytest.approx(0.826, abs=0.015)
    assert task.difference.low < 0 < task.difference.high
    attack = made.attacks[0]
    assert (attack.kind, attack.n_known) == ("known_pairs", 14) and attack.success.value > 0.9
    assert "does not protect against an attacker who knows 14 people" in made.text()


@pytest.mark.parametrize(("values", "score"), [(["a", "b", "b"] * 40, 2 / 3), ([*range(120)], 0)])
def test_a_table_of_the_target_alone_is_predicted_by_its_majority_or_mean(values, score):
    frame = table(x=[str(value) for value in values])
    found = task_utility(frame, frame, np.arange(len(values)), "x", replaced=(), seed=1)
    assert found.before == found.after == pytest.approx(score, abs=0.1)
    assert found.without == pytest.approx(score) and found.difference.value == 0


@pytest.mark.parametrize(
    ("n", "n_left", "is_enough"), [(49, 49, False), (50, 25, True), (50, 24, False), (200, 24, False)]
)
def test_models_are_compared_from_the_least_number_of_records_on(n, n_left, is_enough):
    frame = table(x=[str(i % 7) for i in range(n)], y=[str(i % 2) for i in range(n)])
    rows = np.arange(n_left)
    with nullcontext() if is_enough else pytest.raises(ConfigError, match="needs 50 records"):
        task_utility(frame, frame.take(rows), rows, "y", replaced=(), seed=1)


def test_perturbation_is_shown_with_the_attack_that_breaks_it(tmp_path):
    frame = pd.DataFrame({"x": range(0, 3000, 10), "y": range(300, 0, -1)})
    plan = tmp_path / "plan.toml"
    plan.write_text('version = 1\n[[step]]\ntechnique = "add_noise"\ncolumns = ["x"]\nshare = 0.0001\n')
    made = privaudit.remedy(frame, reports=False, plan=plan, framework=(), ner=False)
    assert made.attacks[0].success.value == 1
    plan.write_text('version = 1\n[[step]]\ntechnique = "sample_records"\nshare = 0.5\n')
    made = privaudit.remedy(frame, reports=False, plan=plan, framework=(), ner=False)
    assert made.attacks[0].success.value == pytest.approx(0.5)


def test_distributions_are_shares_without_values():
    before = table(a=["x"] * 6 + ["y"] * 3 + [None], n=[str(i) for i in range(10)])
    found = utility(before, table(a=["x"] * 6, n=[str(i) for i in range(6)]), np.arange(6))
    first, second = (column.distribution for column in found.columns)
    assert (first.by, first.before, first.after) == ("value", (0.666667, 0.333333), (1.0, 0.0))
    assert second.by == "interval" and len(second.before) == 12
    assert sum(second.before) == pytest.approx(1, abs=1e-5) and sum(second.after) == pytest.approx(1, abs=1e-5)
    assert sum(second.before[7:]) > 0 == sum(second.after[7:])
    none = utility(table(a=[None, None]), table(a=[None, None]), np.arange(2))
    assert none.columns[0].distribution is None


def test_the_middle_of_a_range_of_a_region_is_known():
    assert (middle("20 to 29"), middle("20-29")) == (24.5, 24.5)
