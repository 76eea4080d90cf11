"""Information loss equals its definition cell by cell, and the search finds the state that brute force finds."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.advice.effect.information_loss import TITLES, InformationLoss, one_to_one
from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.lattices.lattice import Lattice
from privaudit.advice.lattices.lattice_search import Search
from privaudit.advice.lattices.recoding_search import find_recodings
from privaudit.advice.recodings.categories import levels
from privaudit.advice.technique import recode
from privaudit.advice.technique.protection import Protection, attributes
from privaudit.advice.technique.recoding import keep
from tests.helpers.advice import measure
from tests.helpers.coded import coded_rows
from tests.helpers.columns import column

NAMES = ("a", "b", "c")
MEASURES = tuple(TITLES)
WEIGHTS = {"a": 3.0, "c": 0.5}
# One leaf, "v9", is in no table: the domain is that of the hierarchy.
TREE = {f"v{i}": (f"w{i // 2}", f"x{i // 4}") for i in range(10)}


def ladders(coded, hierarchies):
    made = {}
    for name, words in zip(coded.names, coded.dictionaries, strict=True):
        if name in hierarchies:
            each = column(words.to_pylist(), name=name, hierarchy=hierarchies[name])
            made[name] = (keep(each), *levels(each)[0], recode("drop", each, {}))
    return made


def cell(value, level):
    if level == 3:
        return "*"
    if value is None or level == 0:
        return value
    return TREE[value][level - 1]


def share(value, level):
    """Return the leaves under the generalised value over all leaves."""
    if level == 3:
        return 1.0
    if value is None or level == 0:
        return 1 / len(TREE)
    return sum(path[level - 1] == TREE[value][level - 1] for path in TREE.values()) / len(TREE)


def by_hand(rows, state, suppressed, how, weights):
    """Return the loss, record by record; `suppressed` holds the positions of the suppressed records."""
    n = len(rows)
    made = [tuple(cell(v, level) for v, level in zip(r, state, strict=True)) for r in rows]
    kept = Counter(m for i, m in enumerate(made) if i not in suppressed)
    if how == "discernibility":
        return (sum(f * f for f in kept.values()) + len(suppressed) * n) / n**2
    if how == "class-size":
        return 1 / (len(kept) + bool(suppressed))
    if how == "ambiguity":
        made = [1.0 if j in suppressed else math.prod(map(share, r, state)) for j, r in enumerate(rows)]
        return sum(made) / n
    lost, bits = [], []
    for i, level in enumerate(state):
        held, merged = Counter(r[i] for r in rows), Counter(m[i] for m in made)
        gone = Counter(made[j][i] for j in suppressed)
        bits.append(sum(math.log2(n / held[r[i]]) for r in rows))
        if how == "precision":
            lost.append(sum(1 if j in suppressed else level / 3 for j in range(n)) / n)
            continue
        if how in ("loss", "geometric-loss"):
            amount = sum(1 if j in suppressed else share(r[i], level) for j, r in enumerate(rows))
            least = n / len(TREE)
            lost.append((amount - least) / (n - least))
            continue
        amount = 0.0
        for j, row in enumerate(rows):
            into = merged[made[j][i]]
            if j in suppressed and how == "entropy-to-root":
                into = n
            amount += math.log2(into / held[row[i]])
            if j in suppressed and how == "entropy":
                amount += math.log2(len(suppressed) / gone[made[j][i]])
        lost.append(amount / bits[-1] if bits[-1] else 0.0)
    groups = []
    for i in (i for i in range(3) if bits[i] > 0):
        for group in groups:
            pairs = {(r[i], r[group[0]]) for r in rows}
            left, right = ({r[j] for r in rows} for j in (i, group[0]))
            if len(left) == len(right) == len(pairs) <= n / 2:
                group.append(i)
                break
        else:
            groups.append([i])
    if not groups:
        return len(suppressed) / n
    weight = [max(weights.get(NAMES[i], 1.0) for i in g) for g in groups]
    if how == "entropy":
        weight = [w * max(bits[i] for i in g) for w, g in zip(weight, groups, strict=True)]
    least = [min(lost[i] for i in g) for g in groups]
    if how == "geometric-loss":
        return math.prod((1 + x) ** (w / sum(weight)) for x, w in zip(least, weight, strict=True)) - 1
    return sum(w * x for w, x in zip(weight, least, strict=True)) / sum(weight)


value = st.one_of(st.none(), st.integers(0, 8).map(lambda i: f"v{i}"))
table = st.lists(st.tuples(value, value, value), min_size=1, max_size=25)


def small_classes(rows, state, k, l=1, secret=None):  # noqa: E741 - the name in the literature
    made = [tuple(cell(v, level) for v, level in zip(r, state, strict=True)) for r in rows]
    sizes = Counter(made)
    seen = {m: set() for m in sizes}
    for m, s in zip(made, secret or [0] * len(rows), strict=True):
        seen[m].add(s)
    least = min(l, len(set(secret or [0])))
    return {i for i, m in enumerate(made) if sizes[m] < k or len(seen[m]) < least}


def prepared(rows, k):
    trial = TrialTable(coded_rows(NAMES, rows), k, dict.fromkeys(NAMES, len(TREE)))
    return trial, ladders(trial.coded, dict.fromkeys(NAMES, TREE))


@pytest.mark.parametrize("how", MEASURES)
@settings(max_examples=40, deadline=None)
@given(rows=table, state=st.tuples(*[st.integers(0, 3)] * 3), twin=st.booleans())
def test_loss_equals_its_definition(how, rows, state, twin):
    if twin:  # column c is a recoding of column a
        rows = [(a, b, a) for a, b, _ in rows]
    trial, steps = prepared(rows, 3)
    chosen = {n: steps[n][level] for n, level in zip(NAMES, state, strict=True) if level}
    gone = small_classes(rows, state, 3)
    loss = InformationLoss(trial, how, WEIGHTS, ladders=steps)
    for suppress, suppressed in ((False, set()), (True, gone)):
        found = measure(trial, chosen, suppress=suppress, loss=loss).cost
        if len({r[0] for r in rows}) == 1 and how in ("loss", "geometric-loss"):
            continue  # a constant column has no information by entropy, and leaves by hierarchy
        assert found == pytest.approx(by_hand(rows, state, suppressed, how, WEIGHTS), abs=1e-8)


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("how", MEASURES)
@settings(max_examples=25, deadline=None)
@given(
    rows=table,
    secret=st.lists(st.integers(0, 2), min_size=25, max_size=25),
    allowed=st.sampled_from([0.0, 0.2, 0.5]),
    l=st.sampled_from([None, 2]),
)
def test_the_search_finds_the_optimum_of_brute_force(how, rows, secret, allowed, l):  # noqa: E741
    secret = secret[: len(rows)]
    k = 3
    trial, steps = prepared(rows, k)
    everything = coded_rows((*NAMES, "s"), [(*r, str(s)) for r, s in zip(rows, secret, strict=True)])
    protection = Protection(k, attributes(trial.names, everything, ("s",)), l=l)
    loss = InformationLoss(trial, how, ladders=steps)
    best = None
    for state in itertools.product(range(4), repeat=3):
        gone = small_classes(rows, state, k, l or 1, secret)
        if len(gone) <= int(allowed * len(rows)) and len(gone) < len(rows):
            chosen = {n: steps[n][level] for n, level in zip(NAMES, state, strict=True) if level}
            cost = measure(trial, chosen, suppress=True, loss=loss, protection=protection).cost
            best = cost if best is None else min(best, cost)
    plan = find_recodings(Search(Lattice(trial, steps, loss, protection), max_suppressed=allowed))
    if best is None:
        assert plan is None
        return
    assert plan is not None and plan.search.is_optimal
    assert plan.final.cost == pytest.approx(best, abs=2e-9)
    state = [steps[n].index(next((s for s in plan.steps if s.column == n), steps[n][0])) for n in NAMES]
    assert plan.n_suppressed == len(small_classes(rows, state, k, l or 1, secret))


def test_dropping_a_column_costs_its_whole_weight_and_bands_far_less():
    ages = [(str(20 + i % 60), str(i % 2)) for i in range(600)]
    trial = TrialTable(coded_rows(("age", "sex"), ages), 5)
    from privaudit.advice.recodings.options import options

    choices, _ = options(trial, (), None)
    ladder = choices["age"].ladder
    twenty = next(s for s in ladder if s.technique == "band" and s.parameters == {"width": 20, "origin": 0})
    loss = InformationLoss(trial, "loss", {"age": 5})
    dropped = measure(trial, {"age": ladder[-1]}, loss=loss).cost
    assert dropped == pytest.approx(5 / 6)
    assert measure(trial, {"age": twenty}, loss=loss).cost == pytest.approx(5 / 6 * (20 / 60 - 1 / 60) / (59 / 60))


def test_columns_that_recode_each_other_count_once():
    rows = [(str(i % 5), "abcde"[i % 5], str(i % 3), str(i)) for i in range(60)]
    trial = TrialTable(coded_rows(("n", "letter", "other", "unique"), rows), 3)
    assert one_to_one(trial, trial.names) == [["n", "letter"], ["other"], ["unique"]]
    loss = InformationLoss(trial)
    drop = {n: recode("drop", trial.column(n), {}) for n in trial.names}
    assert measure(trial, {"n": drop["n"]}, loss=loss).cost == 0
    assert measure(trial, {"n": drop["n"], "letter": drop["letter"]}, loss=loss).cost == pytest.approx(1 / 3)
