"""Each attack on a release does what its description states: statements, halves, known columns, guessing, intervals."""

from __future__ import annotations

import math
from math import comb

import numpy as np
import pyarrow as pa
import pytest

from privaudit.attacks.inputs import AttackInputs
from privaudit.attacks.members import membership
from privaudit.attacks.members.compared_tables import Compared, OneColumn, Rows, _numbers_rows, read_compared
from privaudit.attacks.members.fitting_records import Known, _read_known, group_records
from privaudit.attacks.members.inference import infer
from privaudit.attacks.members.linkability import _by_chance, join_halves, simulate_linkability
from privaudit.attacks.members.membership import recognise, simulate_membership
from privaudit.attacks.members.near_copies import simulate_near_copies, sweep
from privaudit.attacks.members.singling_out import equal_numbers, isolate, multivariate, univariate
from privaudit.attacks.registry import attack_release
from privaudit.attacks.values.class_modes import MOST_NUMBERS
from privaudit.model.stats import LEVEL, wilson_bounds
from privaudit.settings.config import Settings
from privaudit.source import open_dataset

SIDES = {
    0: lambda cell, value: cell == value,
    -1: lambda cell, value: cell <= value,
    1: lambda cell, value: cell >= value,
}


def rows_of(codes, numeric=0):
    """Return rows of whole numbers, of which the last `numeric` columns are compared as numbers."""
    codes = np.array(codes, dtype=np.int64)
    values = codes.astype(float)
    values[:, : codes.shape[1] - numeric] = np.nan
    return Rows(codes, values)


def compared_of(release, members, outsiders, numeric=0):
    d = len(release[0])
    tables = [rows_of(each, numeric) for each in (release, members, outsiders)]
    spans = np.ptp(np.vstack([members, outsiders]), axis=0).clip(1).astype(float)
    return Compared(tuple(f"c{i}" for i in range(d)), tuple(i >= d - numeric for i in range(d)), spans, *tables)


def drawn(seed, n=60, d=5, numeric=2, most=6):
    random = np.random.default_rng(seed)
    return compared_of(*(random.integers(0, most, (n + i, d)) for i in range(3)), numeric=numeric), random


def read(release, members, outsiders, **options):
    settings = Settings(**options)
    opened = [open_dataset(pa.table(table), settings) for table in (release, members, outsiders)]
    return AttackInputs(release=opened[0], original=opened[1], outsiders=opened[2], settings=settings)


def fits(statements, i, codes):
    """Return which rows a statement fits, cell by cell."""
    parts = zip(
        *(part[i].tolist() for part in (statements.columns, statements.codes, statements.numbers, statements.sides)),
        strict=True,
    )
    parts = [(column, code if side == 0 else number, side) for column, code, number, side in parts]
    return [all(SIDES[side](row[column], value) for column, value, side in parts) for row in codes.tolist()]


@pytest.mark.parametrize("seed", range(4))
def test_statements_fit_one_released_row_and_none_is_tried_twice(seed):
    compared, random = drawn(seed, n=30, most=40)
    for statements in (univariate(compared, random), multivariate(compared, random)[0]):
        n = len(statements.columns)
        assert n and all(sum(fits(statements, i, compared.release.codes)) == 1 for i in range(n))
        values = np.where(statements.sides == 0, statements.codes, statements.numbers)
        parts = np.stack([statements.columns, statements.sides, values], axis=2).tolist()
        assert len({frozenset(map(tuple, each)) for each in parts}) == n


def test_a_number_above_the_median_is_a_lower_bound_and_others_are_upper_bounds():
    compared, random = drawn(1)
    statements, _ = multivariate(compared, random)
    medians = np.median(compared.release.codes, axis=0)
    for column, number, side in zip(
        *(part.ravel().tolist() for part in (statements.columns, statements.numbers, statements.sides)), strict=True
    ):
        expected = 0 if math.isnan(number) else 1 if number > medians[column] else -1
        assert side == expected
    assert {-1, 0, 1} == set(statements.sides.ravel().tolist())


def test_intervals_of_singling_out_count_the_rows_that_are_isolated():
    compared, random = drawn(2, n=12)
    statements, guesses = multivariate(compared, random)
    isolated = {fits(statements, i, compared.release.codes).index(True) for i in range(len(statements.columns))}
    attack = isolate(compared, statements, guesses, compared.members, compared.outsiders, "multivariate")
    assert len(isolated) < len(statements.columns) == attack.n_targets
    for rate in (attack.success, attack.control_rate):
        assert (rate.low, rate.high) == pytest.approx(wilson_bounds(rate.value * len(isolated), len(isolated)))


def test_statements_are_tried_on_as_many_outsiders_as_members():
    compared, random = drawn(3)
    few = compared.outsiders.take(np.arange(20))
    for one in (
        compared,
        Compared(compared.columns, compared.is_number, compared.spans, compared.release, compared.members, few),
    ):
        members, outsiders = equal_numbers(one, random)
        assert members.n == outsiders.n == min(one.members.n, one.outsiders.n)


@pytest.mark.parametrize("k", [1, 3, 10])
def test_halves_meet_by_chance_as_often_as_random_sets(k):
    for n in (10, 25, 400):
        apart = comb(n - k, k) / comb(n, k)
        assert _by_chance(n, k) == pytest.approx(1 - apart)
    assert _by_chance(12, 10) == 1


def test_the_halves_of_linkability_are_all_columns():
    random = np.random.default_rng(0)
    tables = [{f"c{i}": [str(x) for x in random.integers(0, 40, 80)] for i in range(5)} for _ in range(3)]
    (attack,) = simulate_linkability(read(*tables)).attacks
    one, other = (attack.attacker.values[key].names for key in ("one", "other"))
    assert sorted((*one, *other)) == ["c0", "c1", "c2", "c3", "c4"] and min(len(one), len(other)) == 2


def test_the_strict_form_of_linkability_joins_the_nearest_rows_alone():
    """Of each person one half is released next to another person's half, and the own half is the second nearest."""
    people = [[10 * i, 10 * i] for i in range(60)]
    release = [row for i in range(60) for row in ([10 * i, 10 * i + 1000], [10 * i + 1, 10 * i + 1])]
    compared = compared_of(release, people, people, numeric=2)
    attack = join_halves(compared, ([0], [1]), compared.members, compared.outsiders, k=2)
    assert attack.success.value == 1
    assert attack.detail.measures["nearest_members"].value < 0.05


def test_guessing_a_secret_is_counted_on_outsiders():
    members, outsiders = ([[i % 7, value] for i in range(90)] for value in (1, 2))
    attack = infer(compared_of(members, members, outsiders), 1, *(rows_of(each) for each in (members, outsiders)))
    assert attack.baseline == 0
    attack = infer(compared_of(members, members, members), 1, rows_of(members), rows_of(members))
    assert attack.baseline == 1


@pytest.mark.parametrize("secret", [0, 2])
def test_a_secret_is_inferred_from_all_other_columns(secret):
    """Each of the other columns alone decides about the secret in half of the cases."""
    random = np.random.default_rng(4)
    known = random.integers(0, 8, (300, 2))
    rows = np.insert(known, secret, known[:, 0] * 8 + known[:, 1], axis=1)
    compared = compared_of(rows, rows, rows)
    attack = infer(compared, secret, compared.members, compared.outsiders)
    assert attack.success.value == 1 and len(attack.knowledge) == 2


@pytest.mark.parametrize(("n_values", "in_band"), [(MOST_NUMBERS, False), (MOST_NUMBERS + 1, True)])
def test_a_number_of_many_values_is_guessed_within_a_band(n_values, in_band):
    rows = [[i, 1000 + i % n_values] for i in range(5 * n_values)]
    shifted = [[i, 1000 + (i + 1) % n_values] for i, _ in rows]
    compared = compared_of(shifted, rows, rows, numeric=1)
    attack = infer(compared, 1, compared.members, compared.outsiders)
    assert attack.success.value == (1 if in_band else 0)
    assert ("within" in attack.detail.measures) == in_band


def test_the_reference_of_membership_are_other_outsiders():
    """An outsider in the own reference would be at distance 0 from it, and every member would be recognised."""
    random = np.random.default_rng(5)
    tables = [{f"c{i}": [str(x) for x in random.integers(0, 10_000, 300)] for i in range(4)} for _ in range(3)]
    attacks = {one.detail.method: one for one in simulate_membership(read(*tables)).attacks}
    assert attacks["density_ratio"].success.value < 0.15


def test_the_reference_of_a_large_control_table_is_drawn_from_all_of_it(monkeypatch):
    """The rows of a table are in the order of their values, so that the first ones would be like each other."""
    references = []
    monkeypatch.setattr(membership, "recognise", lambda *tables: references.append(tables[3]) or ())
    numbers = 10_000 + 37 * np.random.default_rng(5).permutation(9_000)
    people = pa.table({"x": numbers, "y": numbers % 7})
    simulate_membership(read(people.slice(0, 300), people.slice(300, 300), people.slice(600)))
    (reference,) = references
    assert reference.n == membership.MOST_REFERENCE
    assert reference.values[:, 0].mean() == pytest.approx(numbers[600:].mean(), abs=5 * numbers.std() / 3_000**0.5)


def test_the_rarest_members_are_those_far_from_other_people():
    """A tenth of the members are far from everybody else, and the release repeats them alone."""
    random = np.random.default_rng(6)
    near = random.integers(0, 100, (290, 3))
    rare = random.integers(5_000, 9_000, (10, 3))
    members = np.vstack([near[:90], rare])
    compared = compared_of(np.vstack([rare, near[90:190] + 300]), members, near[190:], numeric=3)
    found = recognise(compared, compared.members, compared.outsiders, rows_of(near[90:190], 3))
    assert [one.detail.measures["tpr_rarest"].value for one in found] == [1, 1]


def test_near_copies_are_significant_above_the_bound_of_kolmogorov_and_smirnov():
    compared, _ = drawn(7)
    attack = sweep(compared, compared.members, compared.outsiders, "distance")
    critical = 1.36 * math.sqrt(1 / compared.members.n + 1 / compared.outsiders.n)
    assert attack.detail.measures["critical"].value == pytest.approx(critical)
    assert attack.advantage.low == pytest.approx(attack.advantage.value - critical)


def test_ranks_find_the_copies_of_a_release_whose_numbers_were_rescaled():
    random = np.random.default_rng(8)
    members, outsiders = (random.integers(0, 10_000, (200, 4)) for _ in range(2))
    tables = [
        {f"c{i}": [str(x) for x in column] for i, column in enumerate(each.T)}
        for each in (5 * members + 90_000, members, outsiders)
    ]
    found = {one.detail.method: one.advantage for one in simulate_near_copies(read(*tables)).attacks}
    assert found["ranks"].low > 0.5 and found["distance"].low < 0.1


def test_the_comparisons_of_copies_hold_together():
    random = np.random.default_rng(9)
    tables = [
        {
            "key": [str(x) for x in random.permutation(9_999)[:400]],
            "town": [f"t{x}" for x in random.integers(0, 150, 400)],
            "sex": list("FM" * 200),
        }
        for _ in range(3)
    ]
    found = [one for one in attack_release(*map(pa.table, tables), settings=Settings()).attacks if one.kind == "copies"]
    assert len(found) >= 2
    assert {round(one.success.level, 9) for one in found} == {round(1 - (1 - LEVEL) / len(found), 9)}


def test_only_a_column_that_numbers_the_rows_without_a_gap_is_not_compared():
    numbers = {"rows": [7, 5, 6, 8], "gap": [5, 6, 7, 9], "twice": [5, 6, 6, 7], "missing": [5, 6, 7, math.nan]}
    found = {
        name: _numbers_rows(OneColumn([], [np.zeros(0), np.array(each, float)], True), 4)
        for name, each in numbers.items()
    }
    assert found == {"rows": True, "gap": False, "twice": False, "missing": False}


def test_numbers_are_scaled_by_the_range_of_the_people_and_not_of_the_release():
    tables = [
        {"n": [str(x) for x in each], "k": ["a"] * 4} for each in ([0, 5, 9, 10**6], [10, 20, 30, 40], [15, 25, 60, 70])
    ]
    compared, _ = read_compared(read(*tables))
    assert compared.spans[compared.columns.index("n")] == 60


def test_a_record_with_a_suppressed_cell_fits_everybody():
    """Column by column: 1 fits the first value, 2 the second, and the last code is a suppressed cell."""
    exact = np.pad(np.eye(2, dtype=bool), (0, 1), constant_values=True)
    release = (np.array([0, 1, 2, 2]), np.array([0, 0, 1, 2]))
    targets = (np.array([0, 1, 2]), np.array([0, 1, 1]))
    columns = tuple(
        Known(name, exact, one, (target, target)) for name, one, target in zip("ab", release, targets, strict=True)
    )
    records = group_records(columns)
    found = records.fitting(0)
    for label, row in zip(records.labels.tolist(), found.tolist(), strict=True):
        expected = [
            all(have in (2, want) or want == 2 for have, want in zip(label, person, strict=True))
            for person in zip(*targets, strict=True)
        ]
        assert row == expected


def test_missing_cells_of_a_release_are_read_as_suppressed():
    random = np.random.default_rng(11)
    ages = [[str(x) for x in random.integers(20, 60, 60)] for _ in range(2)]
    given = read({"age": [None] * 60}, {"age": ages[0]}, {"age": ages[1]}, role={"age": "quasi"})
    (column,), _ = _read_known(given, ["age"], [np.arange(60)] * 2)
    assert group_records((column,)).fitting(0).all()
