"""Probabilistic linkage by its definition (Fellegi and Sunter 1969), pair by pair, and what similar values disclose."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pyarrow as pa
import pytest

import privaudit
from privaudit.attacks.links import fellegi_sunter as model
from tests.attacks.test_attacks_of_similar_values import NAMES, fields_of, noisy, persons


def level_of(one, other):
    """Return the level of agreement of two numbers, None where one is missing."""
    if not one or not other:
        return None
    apart = abs(int(one) - int(other))
    return 2 if apart == 0 else 1 if apart == 1 else 0


def people(seed, n=14, d=3):
    random = np.random.default_rng(seed)
    left = random.integers(10, 60, size=(n, d))
    right = np.where(random.random((n, d)) < 0.25, left + random.integers(0, 3, size=(n, d)), left)
    right[n // 2 :] = random.integers(10, 60, size=(n - n // 2, d))
    return [[["" if random.random() < 0.1 else str(x) for x in row] for row in side] for side in (left, right)]


def by_definition(pairs, u, prior, steps):
    """Return m, the prior and the weight of each pair: the expectation of each pair, one after the other."""
    m = [[0.05, 0.1, 0.85] for _ in u]

    def weight_of(pair):
        return sum(math.log2(m[j][level] / u[j][level]) for j, level in enumerate(pair) if level is not None)

    for _ in range(steps):
        odds = [2 ** weight_of(pair) * prior / (1 - prior) for pair in pairs]
        matches = [o / (1 + o) for o in odds]
        new = []
        for j in range(len(u)):
            seen = [0.5, 0.5, 0.5]
            for pair, share in zip(pairs, matches, strict=True):
                if pair[j] is not None:
                    seen[pair[j]] += share
            new.append([x / sum(seen) for x in seen])
        prior = min(0.5, max(0.1 / len(pairs), sum(matches) / len(pairs)))
        m = new
    return m, prior, [weight_of(pair) for pair in pairs]


@pytest.mark.parametrize("seed", range(30))
def test_levels_of_random_pairs_are_those_of_all_pairs(monkeypatch, seed):
    """Counted where values are few, whatever is drawn; where they are many, equal values are still counted."""
    left, right = people(seed, n=40)
    pairs = [[level_of(a, b) for a, b in zip(one, other, strict=True)] for one in left for other in right]
    drawn = tuple(np.random.default_rng(seed).random((2, 2_000)))
    smooth = model._SMOOTH / model.RANDOM_PAIRS
    for j, field in enumerate(fields_of(left, right)):
        known = [pair[j] for pair in pairs if pair[j] is not None]
        exact = np.bincount(known, minlength=3) / len(known)
        assert model._shares(field, drawn) == pytest.approx((exact + smooth) / (1 + 3 * smooth))
        monkeypatch.setattr(model, "RANDOM_PAIRS", 100)  # fewer than the pairs of values
        estimated = model._shares(field, drawn) * (100 + 3 * model._SMOOTH) - model._SMOOTH
        assert estimated[2] == pytest.approx(100 * exact[2])
        assert estimated[1] == pytest.approx(100 * exact[1], abs=100 * 6 * (exact[1] / 2_000) ** 0.5)
        monkeypatch.undo()


@pytest.mark.parametrize("seed", range(30))
def test_weights_are_those_of_fellegi_and_sunter(monkeypatch, seed):
    monkeypatch.setattr(model, "STEPS", 12)
    left, right = people(seed)
    n = len(left)
    fields = fields_of(left, right)
    pairs = [[level_of(a, b) for a, b in zip(one, other, strict=True)] for one in left for other in right]
    u = [[(sum(pair[j] == level for pair in pairs) + 1) / (n * n + 3) for level in range(3)] for j in range(3)]
    m, prior, weights = by_definition(pairs, u, 0.5 / n, 12)
    levels = [field.levels(*np.divmod(np.arange(n * n), n)) for field in fields]
    found, found_prior = model._fit(levels, [np.array(one) for one in u], n * n, n)
    assert [one.tolist() for one in found] == [pytest.approx(one) for one in m]
    assert found_prior == pytest.approx(prior)
    assert model._weights(levels, found, [np.array(one) for one in u]) == pytest.approx(weights)


@pytest.mark.parametrize("seed", range(3))
def test_too_many_candidates_are_cut_by_rarity_not_by_the_number_of_the_row(monkeypatch, seed):
    """The same pairs are candidates in any order of the rows, and no part of the table is left without any."""
    left = persons(120, seed)
    right = noisy(left, seed + 1)
    most = len(model.candidates(fields_of(left, right))[0]) // 2
    monkeypatch.setattr(model, "MOST_CANDIDATES", most)
    orders = [np.random.default_rng(seed + 2).permutation(120) for _ in range(2)]
    shuffled = ([left[i] for i in orders[0]], [right[i] for i in orders[1]])
    found = [
        set(zip(*map(np.ndarray.tolist, model.candidates(fields_of(*sides))[:2]), strict=True))
        for sides in ((left, right), shuffled)
    ]
    named = {(int(orders[0][i]), int(orders[1][j])) for i, j in found[1]}
    assert found[0] == named and 0 < len(named) <= most
    assert max(i for i, _ in named) >= 100


def test_the_rarest_values_are_candidates_however_many_columns_are_noise(monkeypatch):
    """A column that nearly identifies people is compared where many columns of few values have pairs as well."""
    random = np.random.default_rng(1)
    born = [f"19{i:05}" for i in range(300)]
    left = [(day, *map(str, random.integers(1, 9, size=6))) for day in born]
    right = [(day, *map(str, random.integers(1, 9, size=6))) for day in born]
    monkeypatch.setattr(model, "MOST_CANDIDATES", 400)
    found = set(zip(*map(np.ndarray.tolist, model.candidates(fields_of(left, right))[:2]), strict=True))
    assert {(i, i) for i in range(300)} <= found


@pytest.mark.parametrize("seed", range(10))
def test_candidates_agree_in_a_column_of_rare_values_or_in_two_columns(seed):
    left, right = people(seed, n=30, d=4)
    found, others, is_whole = model.candidates(fields_of(left, right))
    agreeing = {
        (i, j): [a == b != "" for a, b in zip(one, other, strict=True)]
        for (i, one), (j, other) in itertools.product(enumerate(left), enumerate(right))
    }
    n_pairs = np.sum(list(agreeing.values()), axis=0)
    is_rare = n_pairs <= model.PAIRS_PER_ROW * 60
    expected = {pair for pair, same in agreeing.items() if sum(same) >= 2 or (np.array(same) & is_rare).any()}
    assert is_whole and set(zip(found.tolist(), others.tolist(), strict=True)) == expected


@pytest.mark.parametrize("seed", range(3))
def test_where_values_of_two_columns_are_frequent_those_of_more_make_candidates(seed):
    """The larger the table, the more rows agree in any two columns: the pairs of one person must stay among them."""
    random = np.random.default_rng(seed)
    left = [tuple(row) for row in random.integers(1, 9, size=(1_500, 6)).astype(str).tolist()]
    right = [("0", *row[1:]) if random.random() < 0.5 else row for row in left]
    found, others, is_whole = model.candidates(fields_of(left, right))
    assert not is_whole and len(np.unique(found[found == others])) == 1_500


@pytest.mark.parametrize("seed", range(30))
def test_a_row_is_one_of_the_others_or_none_of_them(seed):
    """Bayes over what may be true of a row: each row of the other table is its match, or none is."""
    random = np.random.default_rng(seed)
    n, m = random.integers(2, 7, size=2).tolist()
    prior = float(random.uniform(0.1, 0.6)) / max(n, m)  # below the rule of succession
    ratio = np.exp2(random.normal(2, 4, size=(n, m)))
    left, right = np.divmod(np.arange(n * m), m)
    found = model._among_rivals(np.log2(ratio).ravel(), prior, (left, right), (n, m))
    for i, j, posterior in zip(left.tolist(), right.tolist(), found.tolist(), strict=True):
        own = ratio[i, j] * prior
        as_row = own / (ratio[i].sum() * prior + 1 - m * prior)
        as_column = own / (ratio[:, j].sum() * prior + 1 - n * prior)
        assert posterior == pytest.approx(min(as_row, as_column))


def coarse(random, n):
    draw = [np.minimum(random.exponential(k / 3, size=n).astype(int), k - 1) + 100 for k in (8, 12, 20)]
    return np.column_stack(draw)


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_posteriors_add_up_to_the_correct_claims_where_columns_are_coarse(share):
    n, expected, correct = 150, 0.0, 0
    for seed in range(6):
        random = np.random.default_rng(seed)
        left, right = coarse(random, n), coarse(random, n)
        both = int(share * n)
        right[:both] = np.where(random.random((both, 3)) < 0.15, right[:both], left[:both])
        scored = model.score(fields_of(left.astype(str).tolist(), right.astype(str).tolist()), seed=seed)
        kept = scored.one_to_one()
        expected += scored.posterior[kept].sum()
        correct += int(((scored.left[kept] == scored.right[kept]) & (scored.left[kept] < both)).sum())
    assert correct >= 50 and expected == pytest.approx(correct, rel=0.15)


@pytest.mark.parametrize("linkage", ["exact", "tolerant", "probabilistic"])
def test_what_a_linkage_discloses_is_counted_where_the_truth_is_known(linkage):
    n = 60
    known = persons(n, 5)
    ids = [f"i{i}" for i in range(n)]
    columns = {name: [row[i] for row in known] for i, name in enumerate(NAMES)}
    others = {name: [row[i] for row in noisy(known, 6)] for i, name in enumerate(NAMES)}
    illness = ["flu" if i % 2 else None for i in range(n)]

    def attack(**more):
        report = privaudit.attack(
            pa.table({"id": ids} | columns | more),
            auxiliary=pa.table({"id": ids} | others),
            truth={"id": "id"},
            on={name: name for name in NAMES},
            sensitive=tuple(more),
            linkage=linkage,
        )
        return report.wire.attacks[0].detail

    some, all_of_them, none = (
        attack(illness=pa.array(cells, pa.string())) for cells in (illness, ["flu", "cold"] * (n // 2), [None] * n)
    )
    assert all_of_them.disclosed == {"illness": all_of_them.n_correct} and all_of_them.n_correct > 0
    assert not none.disclosed.get("illness")
    assert 0 < some.disclosed["illness"] < some.n_correct
