"""Local recoding and Mondrian: what each part and each region contains, counted record by record."""

from __future__ import annotations

from collections import Counter
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.advice.effect.information_loss import InformationLoss
from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.lattices.lattice import Lattice
from privaudit.advice.lattices.lattice_search import Search, least_loss
from privaudit.advice.lattices.local_recoding import recode_locally
from privaudit.advice.plans.alternatives import Alternatives
from privaudit.advice.recodings.options import options
from privaudit.advice.technique.protection import Protection, attributes
from privaudit.advice.technique.regions import split_regions
from tests.advice.test_advice_loss import NAMES, prepared
from tests.advice.test_advice_loss import table as rows_of
from tests.helpers.adult import EIGHT, adult, needs_adult
from tests.helpers.coded import coded_rows

K = 3


def records(labels, coded):
    """Return the records of each label, by distinct row."""
    counted = Counter()
    for label, weight in zip(labels, coded.weights.tolist(), strict=True):
        counted[label] += weight
    return counted


@settings(max_examples=25, deadline=None)
@given(rows=rows_of, allowed=st.sampled_from([0.0, 0.3, 1.0]))
def test_records_that_look_alike_after_local_recoding_are_k(rows, allowed):
    trial, ladders = prepared(rows, K)
    found = recode_locally(
        trial, ladders, InformationLoss(trial, ladders=ladders), Protection(K), max_suppressed=allowed
    )
    if found is None:
        return
    kept = {i: found.states[p] for i, p in enumerate(found.part.tolist()) if p >= 0}
    made = {
        i: (
            state,
            tuple(
                int(ladders[n][level].lookup[trial.coded.codes[j][i]])
                for j, (n, level) in enumerate(zip(NAMES, state, strict=True))
            ),
        )
        for i, state in kept.items()
    }
    counted = Counter()
    for i, cells in made.items():
        counted[cells] += int(trial.coded.weights[i])
    assert all(n >= K for n in counted.values())
    gone = sum(int(w) for i, w in enumerate(trial.coded.weights) if i not in kept)
    assert gone == found.n_suppressed <= int(allowed * len(rows))
    assert 0 <= found.cost <= 1 + 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_local_recoding_is_given_up_only_where_it_loses_more(seed):
    values = np.random.default_rng(seed).integers(0, 6, (60, 3)).tolist()
    trial, ladders = prepared([tuple(f"v{i}" for i in row) for row in values], K)
    loss = InformationLoss(trial, ladders=ladders)
    given = trial, ladders, loss, Protection(K)
    whole = recode_locally(*given, max_suppressed=1.0, first=(0, 0, 0))
    lost = float(loss.combine(whole.lost))
    bounded = recode_locally(*given, max_suppressed=1.0, first=(0, 0, 0), most=lost + 1e-9)
    assert len(whole.states) > 1 and (bounded.states, bounded.lost) == (whole.states, whole.lost)
    assert recode_locally(*given, max_suppressed=1.0, first=(0, 0, 0), most=lost / 2) is None


@pytest.mark.parametrize("seed", range(4))
def test_records_that_fail_in_every_coarsest_state_are_suppressed_without_a_search(seed):
    """They are in no part anyway, and prove earlier that a recoding loses too much."""
    values = np.random.default_rng(seed).integers(0, 7, (60, 3)).tolist()
    trial, ladders = prepared([tuple(f"v{i}" for i in row) for row in values], K)
    loss, protection = InformationLoss(trial, ladders=ladders), Protection(K)
    levels = [range(2)] * 3  # without the steps that merge all values
    coarsest = Lattice(trial, ladders, loss, protection).coarsest(levels)
    given = trial, ladders, loss, protection
    chosen = {"max_suppressed": 1.0, "levels": levels, "first": (0, 0, 0)}
    found, other = (recode_locally(*given, **chosen, coarsest=states) for states in (coarsest, ()))
    assert found is not None and (found.states, found.lost) == (other.states, other.lost)
    assert found.part.tolist() == other.part.tolist() and found.n_suppressed


def test_local_recoding_is_given_up_where_its_first_part_loses_more():
    trial, ladders = prepared([(i % 2, i // 2 % 2, i // 4) for i in range(8)] * K, K)
    given = trial, ladders, InformationLoss(trial, ladders=ladders), Protection(K)
    coarsest = tuple(len(ladder) - 1 for ladder in ladders.values())
    assert recode_locally(*given, max_suppressed=1.0, first=coarsest, most=1.0).cost > 0.9
    assert recode_locally(*given, max_suppressed=1.0, first=coarsest, most=0.5) is None


@settings(max_examples=40, deadline=None)
@given(rows=rows_of, secret=st.lists(st.integers(0, 2), min_size=25, max_size=25), l=st.sampled_from([None, 2]))
def test_every_region_meets_the_policy_and_covers_its_rows(rows, secret, l):  # noqa: E741
    trial, _ = prepared(rows, K)
    secret = [str(s) for s in secret[: len(rows)]]
    everything = coded_rows((*NAMES, "s"), [(*r, s) for r, s in zip(rows, secret, strict=True)])
    found = split_regions(trial.coded, [Protection(K, attributes(NAMES, everything, ("s",)), l=l)])
    least = min(l or 1, len(set(secret)))
    if found is None:
        assert len(rows) < K
        return
    assert min(records(found.label.tolist(), trial.coded).values()) >= K
    words = [[*d.to_pylist(), None] for d in trial.coded.dictionaries]
    row_of = {
        tuple(words[j][int(c[i])] for j, c in enumerate(trial.coded.codes)): i for i in range(trial.coded.n_distinct)
    }
    seen = {}
    for row, s in zip(rows, secret, strict=True):
        seen.setdefault(int(found.label[row_of[row]]), set()).add(s)
    assert all(len(values) >= least for values in seen.values())
    for j, codes in enumerate(trial.coded.codes):
        at = np.unique(codes, return_inverse=True)[1]
        assert (found.low[found.label, j] <= at).all() and (at <= found.high[found.label, j]).all()
    assert 0 <= found.cost <= 1 + 1e-9


@settings(max_examples=40, deadline=None)
@given(rows=rows_of, allowed=st.sampled_from([0.0, 0.1, 0.3]))
def test_methods_are_omitted_only_where_all_of_them_lose_more(rows, allowed):
    trial, ladders = prepared(rows, K)
    lattice = Lattice(trial, ladders)
    best = least_loss(Search(lattice, max_suppressed=allowed))
    if best is None:
        return
    found = lattice.steps(best.state)
    compared = Alternatives(lattice, {}, allowed, {"below": K})
    losses = [each.loss for each in compared.compared(found)]
    for most in (*losses, min(losses) - 1e-6):
        assert compared.least(found, most) in ((min(losses),) if min(losses) <= most else (min(losses), inf))
    # Without suppression one recoding of each column and its parts lose the same.
    assert allowed or compared.least(found, min(losses) - 1e-6) == inf


def test_regions_of_numbers_are_made_of_the_finest_bands_that_may_be_written():
    rows = [(str(number), "mf"[i % 2]) for number in range(0, 1000, 3) for i in range(2)]
    trial = TrialTable(coded_rows(("distance", "sex"), rows), K)
    choices, _ = options(trial, (), None)
    ladders = {name: choice.ladder for name, choice in choices.items()}
    base = Alternatives(Lattice(trial, ladders), {}, 0.1, {"below": K})._base()
    widths = [step.parameters["width"] for step in ladders["distance"] if step.technique == "band"]
    assert (base[0].technique, base[0].parameters["width"]) == ("band", 10) and min(widths) == 50
    assert base[1].technique == "keep"


REQUIRED = {
    "k": {},
    "l": {"l": 2},
    "t": {"t": 0.4},
    "entropy": {"l_entropy": 1.5},
    "recursive": {"recursive": (2.0, 2)},
}


def fails(protection, rows, weights):
    """Whether rows fail as one class."""
    labels = np.zeros(len(rows), dtype=np.int64)
    return bool(protection.part(rows).failing(np.array([weights[rows].sum()]), labels).any())


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("required", REQUIRED)
@settings(max_examples=30, deadline=None)
@given(rows=rows_of, secret=st.lists(st.integers(0, 2), min_size=25, max_size=25))
def test_no_region_can_be_split_by_any_cut_between_two_values(required, rows, secret):
    trial, _ = prepared(rows, K)
    everything = coded_rows((*NAMES, "s"), [(*r, str(s)) for r, s in zip(rows, secret, strict=False)])
    protection = Protection(K, attributes(NAMES, everything, ("s",)), **REQUIRED[required])
    found = split_regions(trial.coded, [protection])
    if found is None:
        return
    weights = trial.coded.weights
    for region in range(len(found.low)):
        inside = np.flatnonzero(found.label == region)
        assert not fails(protection, inside, weights)
        for codes in trial.coded.codes:
            for cut in np.unique(codes[inside])[:-1]:
                parts = inside[codes[inside] <= cut], inside[codes[inside] > cut]
                assert any(fails(protection, part, weights) for part in parts)


def cut_alone(inside, points, widths, weights, protection):
    """Return where Mondrian cuts one region: the column and the last position of the lower half; None for a leaf."""

    def allowed(i, cut):
        halves = inside[points[inside, i] <= cut], inside[points[inside, i] > cut]
        return not any(fails(protection, half, weights) for half in halves)

    def below(i, cut):
        return 2 * int(weights[inside[points[inside, i] <= cut]].sum())

    total = int(weights[inside].sum())
    spread = (points[inside].max(axis=0) - points[inside].min(axis=0)) / widths
    wide = [i for i in np.argsort(-spread, kind="stable").tolist() if spread[i] > 0]
    for i in wide:
        values = np.unique(points[inside, i]).tolist()
        median = next(v for v in values if below(i, v) >= total)
        cut = median if median < values[-1] else values[-2]
        if allowed(i, cut):
            return i, cut
    for i in wide:
        cuts = [cut for cut in np.unique(points[inside, i])[:-1].tolist() if allowed(i, cut)]
        if cuts:
            return i, min(cuts, key=lambda cut: abs(below(i, cut) - total))
    return None


@pytest.mark.quick_cases(5)
@pytest.mark.parametrize("required", REQUIRED)
@settings(max_examples=30, deadline=None)
@given(rows=rows_of, secret=st.lists(st.integers(0, 2), min_size=25, max_size=25))
def test_regions_cut_together_are_those_cut_one_by_one(required, rows, secret):
    trial, _ = prepared(rows, K)
    everything = coded_rows((*NAMES, "s"), [(*r, str(s)) for r, s in zip(rows, secret, strict=False)])
    protection = Protection(K, attributes(NAMES, everything, ("s",)), **REQUIRED[required])
    found = split_regions(trial.coded, [protection], numbers=NAMES[:1])
    if found is None:
        return
    weights = trial.coded.weights
    points = np.stack([np.unique(code, return_inverse=True)[1] for code in trial.coded.codes], axis=1)
    widths = np.maximum(1, points.max(axis=0))
    left = [(np.arange(len(points)), 0, int(points[:, 0].max()))]
    for region in range(len(found.low)):
        # The upper half comes first.
        inside, first, last = left.pop()
        while (cut := cut_alone(inside, points, widths, weights, protection)) is not None:
            upper = points[inside, cut[0]] > cut[1]
            ends = (cut[1], cut[1] + 1) if cut[0] == 0 else (last, first)
            left.append((inside[~upper], first, ends[0]))
            inside, first = inside[upper], ends[1]
        assert np.flatnonzero(found.label == region).tolist() == inside.tolist()
        assert (found.low[region, 0], found.high[region, 0]) == (first, last)
        assert found.low[region, 1:].tolist() == points[inside].min(axis=0)[1:].tolist()
        assert found.high[region, 1:].tolist() == points[inside].max(axis=0)[1:].tolist()
    assert not left


@settings(max_examples=40, deadline=None)
@given(rows=rows_of, secret=st.lists(st.integers(0, 3), min_size=25, max_size=25), l=st.integers(2, 4))
def test_no_more_classes_than_distinct_values_allow(rows, secret, l):  # noqa: E741
    trial, _ = prepared(rows, 1)
    everything = coded_rows((*NAMES, "s"), [(*r, str(s)) for r, s in zip(rows, secret, strict=False)])
    protection = Protection(1, attributes(NAMES, everything, ("s",)), l=l)
    found = split_regions(trial.coded, [protection])
    if found is not None and protection.most_classes is not None:
        name, most = protection.most_classes
        ranked = sorted(Counter(secret[: len(rows)]).values(), reverse=True)
        assert name == "s" and most == sum(ranked[min(l, len(ranked)) - 1 :])
        assert len(found.low) <= most


@pytest.mark.slow
@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_adult)])
def test_regions_and_parts_of_adult_lose_less_than_one_recoding(mark):
    trial, ladders = adult(EIGHT, 5)
    optimum = 0.261757
    regions = split_regions(trial.coded, [Protection(5)], domains={name: trial.domain(name) for name in EIGHT})
    parts = recode_locally(trial, ladders, InformationLoss(trial, ladders=ladders), Protection(5), max_suppressed=0.05)
    assert regions.cost < parts.cost < optimum
