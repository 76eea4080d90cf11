"""Attacks on one table, links and masked columns: who is attacked, what is guessed, and bounds against all extremes."""

from __future__ import annotations

import hashlib
import itertools
import math
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from privaudit.attacks.facts import partial_knowledge
from privaudit.attacks.facts.attribute_disclosure import FOLDS, _cross_fitted, simulate_attribute_disclosure
from privaudit.attacks.facts.partial_knowledge import _mean, count_known, simulate_partial_knowledge
from privaudit.attacks.inputs import AttackInputs
from privaudit.attacks.links.accuracy import (
    _control,
    _Groups,
    _precision,
    bound_by_population,
    fits_population,
    look_up_both,
    mean_chance,
)
from privaudit.attacks.links.claims import PersonClaims
from privaudit.attacks.links.reach import k_map
from privaudit.attacks.links.record_matches import Classes, People, match_records
from privaudit.attacks.masked import column_names, masking, order_codes, repeated_noise, rotation
from privaudit.attacks.masked.repeated_noise import read_repeated
from privaudit.attacks.published import cell_ranges, public_edition
from privaudit.attacks.values.class_modes import MOST_NUMBERS
from privaudit.attacks.values.coarsened_values import in_bands
from privaudit.detect.pseudonyms.digests import Encoding
from privaudit.model.stats import student, wilson_bounds
from privaudit.settings.config import Settings
from privaudit.source import open_dataset

ROLES = {"town": "quasi", "age": "quasi", "illness": "sensitive"}


def inputs(table, **options):
    settings = Settings(role={**ROLES, **({"who": "direct"} if "who" in table else {})}, **options)
    dataset = open_dataset(pa.table(table), settings)
    columns = tuple(SimpleNamespace(name=name, role=settings.role.get(name, "none")) for name in table)
    return AttackInputs(release=dataset, columns=columns, settings=settings)


def people(n, seed=0):
    random = np.random.default_rng(seed)
    return {
        "town": [f"t{x}" for x in random.integers(0, 6, n)],
        "age": [str(x) for x in random.integers(20, 26, n)],
        "illness": [f"i{x}" for x in random.integers(0, 3, n)],
    }


def n_attacked(attack):
    return attack.success.n + attack.control_rate.n


def test_rows_without_a_value_of_the_secret_are_not_attacked():
    table = people(200)
    table["illness"][:50] = [None] * 50
    attacks = simulate_attribute_disclosure(inputs(table)).attacks
    assert attacks and all(n_attacked(one) == 150 for one in attacks)


def test_one_row_of_each_person_is_attacked_and_each_row_without_a_person():
    table = people(240)
    table["who"] = [f"p{i // 3}" for i in range(180)] + [None] * 60
    attacks = simulate_attribute_disclosure(inputs(table, subject="who")).attacks
    assert attacks and all(n_attacked(one) == 60 + 60 for one in attacks)


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("seed", range(6))
def test_the_names_of_people_change_no_number(seed):
    table, random = people(300), np.random.default_rng(seed)
    who = np.random.default_rng(9).integers(0, 120, 300)
    first, again = (
        simulate_attribute_disclosure(inputs(table | {"who": [f"p{x}" for x in names[who]]}, subject="who")).attacks
        for names in (np.arange(120), random.permutation(1_000)[:120])
    )
    assert first and again == first


def test_no_model_is_counted_on_the_rows_that_it_was_chosen_and_fitted_on():
    counted = []

    class Model:
        seed = 0

        def choose(self, rows):
            self.chosen_on = set(rows.tolist())
            return "logistic"

        def predictions(self, kind, fitted_on, rows):
            assert self.chosen_on == set(fitted_on.tolist()) and not self.chosen_on & set(rows.tolist())
            counted.extend(rows.tolist())
            return [rows]

    rows = np.arange(3, 60)
    assert _cross_fitted(Model(), rows).tolist() == rows.tolist() == sorted(counted)
    assert FOLDS > 1


def test_guessing_whom_a_record_is_about_is_right_once_in_the_people():
    (attack,) = simulate_partial_knowledge(inputs(people(50))).attacks
    assert attack.baseline == 1 / 50
    assert attack.advantage.value == pytest.approx((attack.success.value - 1 / 50) / (1 - 1 / 50))


def test_the_interval_over_drawn_sets_is_that_of_a_sample_without_replacement():
    shares = np.array([0.1, 0.3, 0.2, 0.5, 0.4, 0.2])
    counts, n, n_all = shares * 40, 40, 15
    found = _mean(counts.tolist(), n, n_all)
    half = student(len(shares) - 1) * math.sqrt(shares.var(ddof=1) / len(shares) * (1 - len(shares) / n_all))
    assert (found.value, found.low, found.high) == pytest.approx(
        (shares.mean(), shares.mean() - half, shares.mean() + half)
    )


def test_who_is_unique_on_drawn_sets_of_few_columns_is_unique_for_those_who_know_more(monkeypatch):
    monkeypatch.setattr(partial_knowledge, "MOST_EXACT", 3)
    monkeypatch.setattr(partial_knowledge, "MOST_VISITS", 0)
    monkeypatch.setattr(partial_knowledge, "SETS_DRAWN", 2)
    for seed in range(8):
        random = np.random.default_rng(seed)
        codes = np.unique(random.integers(0, 5, (40, 7)), axis=0).T.astype(np.int32)
        found = count_known(list(codes), [5] * 7, np.ones(codes.shape[1], dtype=np.int64), seed=seed)
        counts = [one.n_unique_some for one in found]
        assert counts == sorted(counts)


@pytest.mark.parametrize("open_claimed", [0, 1, 4])
def test_the_rate_of_outsiders_is_bounded_by_all_that_those_who_may_be_outside_can_change(open_claimed):
    n_outside, n_claimed, n_open = 30, 7, 6
    claimed = [True] * n_claimed + [False] * (n_outside - n_claimed)
    claimed += [True] * open_claimed + [False] * (n_open - open_claimed)
    n = len(claimed)
    outside = np.arange(n) < n_outside
    persons = PersonClaims(np.arange(n), np.array(claimed), np.zeros(n, bool), np.zeros(n, bool))
    found = _control(persons, _Groups(np.zeros(n, bool), outside, ~outside, np.zeros(n, bool)))
    possible = [
        wilson_bounds(n_claimed + a, n_outside + a + b)
        for a, b in itertools.product(range(open_claimed + 1), range(n_open - open_claimed + 1))
    ]
    assert (found.low, found.high) == pytest.approx(
        (min(low for low, _ in possible), max(high for _, high in possible))
    )


def test_the_precision_may_be_that_of_all_claims_that_may_be_correct():
    persons = PersonClaims(np.arange(10), np.arange(10) < 8, np.arange(10) < 3, np.zeros(10, bool))
    none = np.zeros(10, bool)
    found = SimpleNamespace(
        claims=SimpleNamespace(is_claim=np.arange(10) < 8, claimed=np.arange(10)),
        targets=SimpleNamespace(people=np.arange(10)),
        searched=SimpleNamespace(people=np.arange(10)),
    )
    for n_may_be in (0, 2, 9):
        precision = _precision(found, persons, _Groups(~none, none, none, none), 3, n_may_be)
        assert precision.high == pytest.approx(wilson_bounds(min(3 + n_may_be, 8), 8)[1])
        assert precision.low == pytest.approx(wilson_bounds(3, 8)[0])


def test_a_release_of_rows_of_few_people_is_a_small_part_of_its_population():
    ours, theirs = [np.repeat(np.arange(10, dtype=np.int32), 6)], [np.arange(10, dtype=np.int32)]
    release, auxiliary = np.repeat(np.arange(10), 6), 10 + np.arange(10)
    found = look_up_both(match_records(ours, theirs), People(release, auxiliary, 20), ours, theirs)[0]
    assert mean_chance(found) == 1
    assert bound_by_population(found, 200).success.value == pytest.approx(10 / 200)


@pytest.mark.parametrize(("n_searched", "matched", "fits"), [(50, 0.65, True), (5_000, 0.65, False), (50, 0.8, False)])
@pytest.mark.quick_cases(3)
def test_a_population_may_fit_as_well_as_the_few_rows_show_that_are_searched(n_searched, matched, fits):
    """Half of the searched people share their values, so that half of all others match; of 50 that is known to 0.07."""
    n_targets, alone = 100_000, n_searched // 2
    labels = np.concatenate([np.arange(alone), np.full(n_searched - alone, alone)])
    found = SimpleNamespace(
        searched=SimpleNamespace(
            people=np.arange(n_searched), labels=labels, crowd=SimpleNamespace(size=np.bincount(labels))
        ),
        targets=SimpleNamespace(labels=np.zeros(n_targets, dtype=np.int64)),
        claims=SimpleNamespace(size=(np.arange(n_targets) < matched * n_targets).astype(int)),
    )
    assert fits_population(found, 100 * n_searched) == fits


def test_the_k_map_is_that_of_released_records():
    classes = Classes(np.array([0, 0, 2, -1]), np.array([0, 0, 0, 1, -1]), 3)
    assert k_map(classes, People(np.arange(4), 4 + np.arange(5), 9)) == 3


def test_digests_found_by_chance_are_stated_for_each_digest():
    undone = masking.Undone(n=50, n_found=0, n_control=0, tried=2**12, best=None)
    written = SimpleNamespace(encoding=SimpleNamespace(bits=20), layers=())
    attack = masking._attack(SimpleNamespace(name="code"), undone, written)
    assert attack.detail.measures["found_by_chance"].value == pytest.approx(2**12 / 2**20)


def test_the_control_of_ranks_is_about_other_people_whatever_the_order_of_the_rows():
    """The first half of the rows repeats the second one backwards."""
    half = np.random.default_rng(3).permutation(400).astype(float) + 100
    values = np.concatenate([half, half[::-1]])
    attack = order_codes._attack("x", values * 2, values, values, seed=0)
    assert attack.success.value == 1 and attack.control < 0.3


def test_people_with_one_row_are_not_averaged():
    random = np.random.default_rng(4)
    n = 3 * MOST_NUMBERS
    values = random.permutation(10_000)[:n]
    owners = [f"p{i}" for i in range(n)]
    rows = [*owners, *owners[5:]]  # the first five have one row
    noisy = [str(values[int(who[1:])] + random.normal()) for who in rows]
    settings = Settings()
    release = open_dataset(pa.table({"who": rows, "x": noisy}), settings)
    original = open_dataset(pa.table({"who": owners, "x": [str(x) for x in values]}), settings)
    found = read_repeated(release, original, "who", "x")
    assert len(found.values) == n - 5 and set(found.counts.tolist()) == {2}
    assert sorted(found.values.tolist()) == sorted(values[5:].tolist())


def test_the_error_of_averages_is_the_root_mean_square():
    assert repeated_noise._error(np.array([3.0, -4.0, 0.0, 0.0]), 2.0) == pytest.approx(math.sqrt(25 / 4) / 2)


def test_known_people_are_not_targets_of_a_rotation():
    one = rotation.Recovered(rmse=0.1, exact=0.5, identified=0.5, n_compared=90, rank=3)
    attack = rotation._attack(2, one, one, 100, np.arange(10), "procrustes")
    assert attack.n_targets == 90 and attack.baseline == 1 / 90 and attack.success.value == 0.5


def test_guessing_a_column_is_right_once_in_the_known_columns():
    assert column_names._attack(3, 1, 4, 8).baseline == 1 / 8


def test_draws_have_as_many_people_as_the_table_that_they_are_compared_with():
    found = cell_ranges.compare_with_draws(np.array([[10, 0], [0, 0]]), np.array([[30, 0], [5, 0]]), seed=0)
    assert (found.n_people, found.n_feasible, found.n_drawn) == (35, 10, 10)


def test_people_with_a_value_that_is_not_published_are_in_no_cell():
    table = open_dataset(pa.table({"q": ["a", "a", "b", "z", None], "r": ["x", "z", "y", "x", "y"]}), Settings())
    found = cell_ranges.counted_cross(table, {"q": ("a", "b"), "r": ("x", "y")})
    assert found.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("are_multiples", [True, False])
def test_a_further_column_leaves_no_fewer_classes(are_multiples):
    """Where people have several records, a class of them is not divided by a column."""
    few, more = (public_edition.Bounds(of={public_edition.CLASSES: each, 2: each}) for each in ((3, 50), (1, 20)))
    found = public_edition._ordered(few, more, are_multiples)
    expected = ((3, 20), (3, 20)) if are_multiples else ((3, 50), (1, 20))
    assert tuple(one.of[public_edition.CLASSES] for one in found) == expected
    assert [one.of[2] for one in found] == [(3, 20), (3, 20)]


@pytest.mark.parametrize(("band", "is_inside"), [("[20, 30)", False), ("20-30", True)])
def test_the_end_of_a_band_is_inside_unless_it_is_open(band, is_inside):
    coarse, fine = pa.array([band, "35-40"]), pa.array(["19", "20", "30", "35"])
    labels, names = in_bands(coarse, fine)
    assert labels.to_pylist() == ["band 0", "band 1"]
    assert names.to_pylist() == [None, "band 0", "band 0" if is_inside else None, "band 1"]


def test_what_is_found_among_cut_digests_by_chance_is_found_among_random_ones_as_often():
    """Nobody can try these inputs; a wrong one has a digest of 16 bits in common with one of the column by chance."""
    encoding = Encoding(("md5",), "hex", 4)
    values = {encoding.encode(hashlib.sha512(bytes([i % 256, i // 256])).digest()) for i in range(900)}
    found = masking.undo(values, encoding, budget=30_000)
    assert min(found.n_found, found.n_control) > 50
    assert abs(found.n_found - found.n_control) < 6 * math.sqrt(found.n_found + found.n_control)
