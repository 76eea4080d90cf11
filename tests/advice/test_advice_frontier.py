"""The risk-utility picture: its frontier is that of all recodings that meet the policy, and one can be chosen."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import privaudit
from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.lattices.frontier import picture
from privaudit.advice.lattices.lattice import Lattice
from privaudit.advice.lattices.lattice_search import Search, least_loss
from privaudit.advice.lattices.recoding_search import find_recodings
from privaudit.advice.recodings.options import options
from privaudit.base.errors import ConfigError
from privaudit.risk.codes.coded import encode_column, merge_equal_rows
from tests.helpers.tables import drawn

K, LIMIT = 3, 0.1
ROLES = {"age": "quasi", "city": "quasi", "gender": "quasi"}
OPTIONS = {"policy": "controlled", "framework": (), "ner": False, "role": ROLES}


def people(n, seed):
    return pd.DataFrame(drawn(n, seed, age=range(18, 61), city="ABCDEFG", gender=("female", "male")))


def world(seed, n=120):
    cells = people(n, seed).astype(str)
    codes, words = zip(*(encode_column(pa.chunked_array([pa.array(cells[c])])) for c in cells), strict=True)
    coded = merge_equal_rows(tuple(cells), list(codes), list(words), np.ones(n, dtype=np.int64), n)
    trial = TrialTable(coded, K)
    found, _ = options(trial, (), None)
    return trial, {name: each.ladder for name, each in found.items()}


def dominated(point, others):
    return any(o.loss <= point.loss and o.risk < point.risk for o in others)


@pytest.mark.parametrize("seed", range(8))
def test_the_frontier_is_that_of_all_states_that_meet_the_requirements(seed):
    trial, ladders = world(seed)
    search = Search(Lattice(trial, ladders), max_suppressed=LIMIT)
    found = least_loss(search)
    drawn = picture(search, found, thorough=True)
    assert drawn.is_whole
    lattice, most = Lattice(trial, ladders), int(LIMIT * trial.coded.n_rows)
    truth = {}
    for state in product(*(range(len(ladder)) for ladder in lattice.ladders)):
        if lattice.n_failing(state) <= most:
            after = lattice.measure(state, suppress=True)
            truth[state] = (after.cost, after.n_classes / after.n_records)
    assert drawn.frontier[0].state == found.state
    best = [pair for pair in truth.values() if not any(o[0] <= pair[0] and o[1] < pair[1] for o in truth.values())]
    ours = [(point.loss, point.risk) for point in drawn.frontier]
    assert set(ours) <= set(best)
    assert len(ours) == min(12, len({risk for _, risk in best}))
    assert ours == sorted(ours) and [r for _, r in ours] == sorted((r for _, r in ours), reverse=True)


def test_a_picture_without_a_survey_measures_no_further_state():
    trial, ladders = world(1)
    search = Search(Lattice(trial, ladders), max_suppressed=LIMIT)
    found = least_loss(search)
    before = len(search.costs)
    drawn = picture(search, found, thorough=False)
    assert len(search.costs) == before and not drawn.is_whole
    assert not any(dominated(point, drawn.frontier) for point in drawn.frontier)


@pytest.mark.parametrize("choose", [1, 2, 3])
def test_the_plan_has_the_counts_of_the_point_that_is_chosen(choose):
    trial, ladders = world(2)
    plan = find_recodings(Search(Lattice(trial, ladders), max_suppressed=LIMIT), choose=choose)
    point = plan.search.frontier[choose - 1]
    assert plan.search.chosen == point.number == choose
    assert (plan.final.k_min, plan.final.n_classes, plan.final.cost) == (point.k_min, point.n_classes, point.loss)
    assert plan.n_suppressed == point.n_suppressed
    assert len(point.steps) == len(plan.steps)


@pytest.mark.parametrize("choose", [1, 2])
def test_a_plan_that_is_not_described_takes_the_same_point(choose):
    trial, ladders = world(2)
    lattices = Lattice(trial, ladders), Lattice(trial, ladders)
    read, unread = (
        find_recodings(Search(lattice, max_suppressed=LIMIT), choose=choose, is_described=is_described)
        for lattice, is_described in zip(lattices, (True, False), strict=True)
    )
    assert (read.steps, read.final, read.n_suppressed) == (unread.steps, unread.final, unread.n_suppressed)
    points = unread.search.frontier
    assert points == (read.search.frontier[:1] if choose == 1 else read.search.frontier)
    assert (unread.search.bound, unread.search.is_optimal) == (read.search.bound, read.search.is_optimal)
    assert (lattices[1].rows_read < lattices[0].rows_read) == (choose == 1)


def test_a_time_budget_ends_the_search_with_a_bound():
    trial, ladders = world(3)
    plan = find_recodings(Search(Lattice(trial, ladders), max_suppressed=LIMIT, budget=1e-9))
    best = find_recodings(Search(Lattice(trial, ladders), max_suppressed=LIMIT))
    assert best.search.is_optimal and best.search.bound == best.final.cost
    assert not plan.search.is_optimal
    assert plan.search.bound <= best.final.cost <= plan.final.cost


@pytest.fixture(scope="module")
def table():
    return people(500, 1)


@pytest.mark.slow
def test_a_chosen_point_is_applied_and_reported(table, tmp_path):
    plain = privaudit.remedy(table, method="full-domain", **OPTIONS)
    made = privaudit.remedy(table, choose=2, **OPTIONS)
    points = plain.run.search.frontier
    assert points == made.run.search.frontier and len(points) > 2
    assert (plain.run.search.chosen, made.run.search.chosen) == (1, 2)
    assert made.after.gate().passed
    assert made.after.risk.k_min == points[1].k_min
    assert made.after.dataset.n_rows == len(table) - points[1].n_suppressed
    made.write(tmp_path / "risk.html")
    page = (tmp_path / "risk.html").read_text()
    assert "Risk and utility of the recodings" in page and "2 (used)" in page
    made.write(tmp_path / "public.html", edition="public")
    assert "(used)" not in (tmp_path / "public.html").read_text()


@pytest.mark.slow
def test_a_point_that_does_not_exist_and_a_point_of_a_given_plan_are_errors(table, tmp_path):
    with pytest.raises(ConfigError, match="points"):
        privaudit.plan(table, choose=99, **OPTIONS)
    file = tmp_path / "plan.toml"
    file.write_text(privaudit.plan(table, **OPTIONS).text)
    with pytest.raises(ConfigError, match="automatic plan"):
        privaudit.remedy(table, plan=file, choose=2, **OPTIONS)


@pytest.mark.slow
def test_the_plan_states_whether_it_is_optimal(table):
    assert "Optimal: none of the" in privaudit.plan(table, **OPTIONS).text
    assert "Best found" in privaudit.plan(table, budget=1e-6, **OPTIONS).text
